"""Measures of covers: clusterings whose clusters may overlap."""
