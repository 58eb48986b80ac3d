"""Options of the commands that read documents of mentions."""
