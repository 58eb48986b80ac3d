"""The measures of V, Table 2, on many laws at once: arrays of masses (..., clusters, classes).

The library's functions take tables of items one by one; here 64 solutions of one shape are one
array, and pairs are drawn with replacement. Tests hold these formulas to the library's.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy

from partwise.numbers.arrays import FloatArray

MEASURES = (
    "Rand",
    "Mirkin",
    "Fowlkes-Mallows",
    "Gamma",
    "Jaccard",
    "F-measure",
    "Q0",
    "VI",
    "V-measure",
)


def similarities(masses: FloatArray, n_items: int = 1000) -> dict[str, FloatArray]:
    """Return every measure on every law; distances with a minus sign.

    Parameters
    ----------
    masses : ndarray of shape (..., clusters, classes)
        Each law sums to 1.
    n_items : int
        What Q0 takes for the number of items.
    """
    clusters, classes = masses.sum(-1), masses.sum(-2)
    return {
        **_of_pairs(masses, clusters, classes),
        "F-measure": _f_measure(masses, clusters, classes),
        **_of_information(masses, clusters, classes, n_items),
    }


def _of_pairs(
    masses: FloatArray, clusters: FloatArray, classes: FloatArray
) -> dict[str, FloatArray]:
    """Return the measures of the chances that two items are together, here and there."""
    both = (masses**2).sum((-2, -1))
    here, there = (clusters**2).sum(-1), (classes**2).sum(-1)
    disagree = here + there - 2 * both
    spread = np.sqrt(here * there * (1 - here) * (1 - there))
    return {
        "Rand": 1 - disagree,
        "Mirkin": -disagree,
        "Fowlkes-Mallows": both / np.sqrt(here * there),
        "Gamma": (both - here * there) / spread,
        "Jaccard": both / (here + there - both),
    }


def _f_measure(masses: FloatArray, clusters: FloatArray, classes: FloatArray) -> FloatArray:
    sizes = clusters[..., :, None] + classes[..., None, :]
    shares = np.divide(2 * masses, sizes, out=np.zeros_like(masses), where=masses > 0)
    best = shares.max(-2)
    f_measure: FloatArray = (classes * best).sum(-1)
    return f_measure


def _of_information(
    masses: FloatArray, clusters: FloatArray, classes: FloatArray, n_items: int
) -> dict[str, FloatArray]:
    joint = -xlogy(masses, masses).sum((-2, -1))
    here, there = -xlogy(clusters, clusters).sum(-1), -xlogy(classes, classes).sum(-1)
    vi = 2 * joint - here - there
    return {
        "Q0": -(joint - here + _code_length(clusters, classes.shape[-1], n_items)),
        "VI": -vi,
        "V-measure": 1 - vi / (here + there),
    }


def _code_length(clusters: FloatArray, n_classes: int, n_items: int) -> FloatArray:
    """Return the model cost of Q0: (1/n) sum ln C(size + classes - 1, classes - 1)."""
    sizes = n_items * clusters
    terms = gammaln(sizes + n_classes) - gammaln(sizes + 1) - gammaln(n_classes)
    lengths: FloatArray = terms.sum(-1) / n_items
    return lengths
