"""Coreference evaluation: documents of mentions, key against response."""
