"""Tables that are saved, and files that are counted block by block."""
