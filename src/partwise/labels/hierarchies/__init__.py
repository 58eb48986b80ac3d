"""Hierarchies: trees whose leaves are the items and whose clusters contain each other."""
