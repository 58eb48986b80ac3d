"""Measures that match or overlay clusters: purity, F, PSI, B-cubed."""
