"""Measures of soft clusterings."""
