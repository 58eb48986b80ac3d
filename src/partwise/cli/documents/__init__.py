"""The commands that read documents of mentions, and their options."""
