"""Measures that count pairs of items."""
