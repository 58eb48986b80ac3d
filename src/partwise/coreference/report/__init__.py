"""Coreference results as tables and as the text of the official scorer."""
