"""Commands over pairs of items: every threshold at once, and the clusters of some pairs."""
