"""Distances by transport: Mallows (CC) and CSS."""
