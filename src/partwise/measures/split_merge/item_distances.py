"""Distances of items: given as an array or a function, or those of their features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked

#: Distances of the items at two arrays of places.
Distance = Callable[[IntArray, IntArray], FloatArray]

#: What rounding may change of a distance, relative to it.
SLACK = 1e-9


def euclidean_distances(features: FloatArray) -> Distance:
    """Return the Euclidean distances of rows, whatever power of two they are scaled by."""
    exponent = int(np.frexp(np.abs(features).max(initial=0.0))[1])
    scaled = np.ldexp(features, -exponent)  # squares must neither overflow nor vanish

    def between(i: IntArray, j: IntArray) -> FloatArray:
        squares = np.zeros(i.shape)
        for column in scaled.T:  # no array of all pairs by all columns
            squares += (column[i] - column[j]) ** 2
        distances: FloatArray = np.ldexp(np.sqrt(squares), exponent)
        return distances

    return between


def read_distances(distances: Any, n: int) -> Distance:
    """Return distances of items by their places, whatever form they come in.

    Raises
    ------
    ValueError
        A wrong shape, a number that is not finite or negative, an item away from itself,
        distances that depend on the direction.
    TypeError
        No numbers.
    """
    if callable(distances):
        return lambda i, j: _good(distances(i, j), i, j)
    if has_masked(distances):
        raise ValueError("distances have masked entries; each pair of items needs its distance")
    try:
        table = np.asarray(distances, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            "distances= takes an n x n array, the condensed n (n - 1) / 2 of it, or a function "
            "of two arrays of places"
        ) from None
    if table.shape == (n * (n - 1) // 2,):

        def condensed(i: IntArray, j: IntArray) -> FloatArray:
            low, high = np.minimum(i, j), np.maximum(i, j)
            return _good(table[low * n - low * (low + 1) // 2 + high - low - 1], i, j)

        return condensed
    if table.shape != (n, n):
        raise ValueError(
            f"distances have shape {table.shape}; for {n} aligned items ({n}, {n}), or "
            f"({n * (n - 1) // 2},) condensed, is expected"
        )
    away = np.flatnonzero(table.diagonal() != 0)
    if len(away):
        at = away[0]
        raise ValueError(
            f"distances[{at}, {at}] is {table[at, at]}; an item is at distance 0 from itself"
        )

    def dense(i: IntArray, j: IntArray) -> FloatArray:
        there = _good(table[i, j], i, j)
        back = table[j, i]
        wrong = np.flatnonzero(~np.isclose(there, back, rtol=SLACK, atol=0))
        if len(wrong):
            at = wrong[0]
            raise ValueError(
                f"distances[{i[at]}, {j[at]}] is {there[at]}, but {back[at]} the other way"
            )
        return np.maximum(there, back)

    return dense


def _good(values: Any, i: IntArray, j: IntArray) -> FloatArray:
    if has_masked(values):
        raise ValueError("distances gave masked entries; each pair of items needs its distance")
    try:
        distances = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"distances gave {type(values).__name__}, not numbers") from None
    if distances.shape != i.shape:
        raise ValueError(
            f"distances gave an array of shape {distances.shape} for {len(i)} pairs of items"
        )
    wrong = np.flatnonzero(~((distances >= 0) & (distances < np.inf)))
    if len(wrong):
        at = wrong[0]
        raise ValueError(
            f"the distance of items {i[at]} and {j[at]} is {distances[at]}; a finite number of "
            "at least 0 is expected"
        )
    return distances
