"""Covers: clusterings whose clusters may overlap, with the items that are in none."""
