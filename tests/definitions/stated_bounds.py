"""The bounds that the library states for what no entry of its catalogue compares."""

from partwise.measures.error_bound import OUTSIDE


def stated(*names):
    """Return units in the last place, and an absolute part, by the beginning of names."""
    return {name: (OUTSIDE[name].ulp, OUTSIDE[name].absolute) for name in names}
