"""Scores of two or many clusterings, and where they come from."""
