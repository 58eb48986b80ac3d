"""Measures of the centroids of clusters."""
