"""Scores shared out among entities: by kinds of errors, by sizes, by kinds of mentions."""
