"""Measures of two hierarchies of the same items."""
