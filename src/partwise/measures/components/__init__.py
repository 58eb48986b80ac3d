"""Scores as weighted sums over the components of the join."""
