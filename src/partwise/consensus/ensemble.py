"""Draws of a clustering as codes: read once, equal ones merged."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels import Clustering
from partwise.labels.carried import LARGEST_WEIGHT
from partwise.labels.clustering import as_clustering, first_appearance_labels
from partwise.labels.items.in_order import refuse_other_orders
from partwise.labels.items.several import in_order_of_names, named_clusterings, orientation_note
from partwise.labels.notes import warn_of
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked
from partwise.scoring.many import ManyCodes
from partwise.table.arguments import clusterings_of

#: The search takes whole weights that add up to no more.
MOST_WEIGHT = 1 << 20


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Several clusterings of the same items, equal ones once, in an order of their own.

    Attributes
    ----------
    names : list of str
        Of the draws.
    codes : ndarray of uint32, shape (distinct, n)
        Clusters of each distinct draw, numbered by their first item.
    first : ndarray of int64, shape (distinct,)
        The first draw that is so.
    distinct : ndarray of int64, shape (draws,)
        Which distinct draw each draw is.
    weights : ndarray of float64, shape (distinct,)
        Summed weights; the number of equal draws where no weights were passed.
    reference : Clustering
        The first draw, which names the items.
    """

    names: list[str]
    codes: NDArray[np.uint32]
    first: IntArray
    distinct: IntArray
    weights: FloatArray
    reference: Clustering

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.codes.shape[1])

    @property
    def sizes(self) -> list[IntArray]:
        """Cluster sizes of each distinct draw."""
        return [np.bincount(row).astype(np.int64, copy=False) for row in self.codes]

    @property
    def shares(self) -> FloatArray:
        """Weights that add up to 1."""
        shares: FloatArray = self.weights / math.fsum(self.weights)
        return shares

    def mean(self, values: Iterable[float]) -> float:
        """Return the weighted mean over the distinct draws, rounded once.

        So neither the order of the draws nor the scale of the weights changes a bit.
        """
        weights = [Fraction(weight) for weight in self.weights.tolist()]
        total = sum(
            weight * Fraction(value) for weight, value in zip(weights, values, strict=True)
        )
        return float(total / sum(weights))

    def whole_weights(self) -> NDArray[np.uint32]:
        """Return weights as whole numbers for the search, at least 1 and 2^20 in all at most.

        Numbers of draws are taken as they are, unless there are more; else weights are rounded
        to shares of 2^20.
        """
        if len(self.weights) > MOST_WEIGHT // 2:
            raise ValueError(
                f"{len(self.weights)} different draws are more than the {MOST_WEIGHT // 2} "
                "that a search takes; pass some of them"
            )
        total = math.fsum(self.weights)
        if total <= MOST_WEIGHT and (self.weights == np.floor(self.weights)).all():
            return self.weights.astype(np.uint32)
        room = max(MOST_WEIGHT - len(self.weights), 0)
        return (1 + np.floor(self.weights * (room / total))).astype(np.uint32)


def read_ensemble(draws: Any, weights: Any = None, what: str = "draws") -> Ensemble:
    """Read clusterings of the same items, each with a label for every item."""
    if isinstance(draws, Ensemble):
        return draws
    by_name = named_clusterings(draws, what)
    if not by_name:
        raise ValueError(f"{what} holds no clustering; pass one or more")
    warn_of(orientation_note(draws, what))
    columns = [as_clustering(values, f"draw {name!r}") for name, values in by_name.items()]
    names = list(by_name)
    many = _codes_of(columns, names)
    weights = in_order_of_names(weights, "weights", names, "draw")
    numbers = read_weights(weights, len(columns))
    codes, first, distinct = _merged(many)
    summed = np.array(
        [math.fsum(numbers[distinct == j]) for j in range(len(first))], dtype=np.float64
    )
    kept = summed > 0
    if not kept.all():
        number = np.cumsum(kept) - 1
        codes, first, summed = codes[kept], first[kept], summed[kept]
        distinct = np.where(kept[distinct], number[distinct], -1)
    return Ensemble(names, codes, first, distinct, summed, columns[0])


def read_weights(weights: Any, n_draws: int) -> FloatArray:
    """Read one weight a draw, finite and not negative, some above 0; None: 1 each."""
    if weights is None:
        return np.ones(n_draws)
    if has_masked(weights):
        raise ValueError("weights have masked entries; every draw needs its weight")
    try:
        numbers = np.asarray(weights)
        if numbers.dtype.kind not in "biufO":
            raise TypeError
        numbers = numbers.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"weights must be numbers, one a draw, not {weights!r}") from None
    if numbers.shape != (n_draws,):
        raise ValueError(
            f"weights has shape {numbers.shape}; there are {n_draws} draws, pass one a draw"
        )
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(
            f"weights[{i}] is {numbers[i]}; a weight is a finite number, 0 or larger"
        )
    if not numbers.any():
        raise ValueError("all weights are 0; at least one draw needs a weight above 0")
    largest = float(numbers.max())
    if not LARGEST_WEIGHT[0] <= largest <= LARGEST_WEIGHT[1]:
        raise ValueError(
            f"the largest weight is {largest}; scale the weights so that it lies between "
            f"{LARGEST_WEIGHT[0]:g} and {LARGEST_WEIGHT[1]:g}"
        )
    return numbers


def with_candidate(candidate: Any, ensemble: Ensemble) -> NDArray[np.uint32]:
    """Return the codes of a candidate in the order of the ensemble's items."""
    side = as_clustering(candidate, "candidate")
    many = _codes_of([ensemble.reference, side], ["the draws", "candidate"])
    return _canonical(many.codes_of(1))


def many_of(codes: NDArray[np.uint32]) -> ManyCodes:
    """Return clusterings that are codes already as ``ManyCodes``."""
    made = ManyCodes.of([Clustering(row) for row in codes], {})
    if made is None:  # no items: the callers have asked for some
        raise ValueError("there are no items")
    return made


def _codes_of(columns: list[Clustering], names: list[str]) -> ManyCodes:
    many = ManyCodes.of(columns, {})
    if many is not None:
        return many
    if columns[0].n_items == 0:
        raise ValueError("the clusterings have no items; there is nothing to compare")
    for name, column in zip(names, columns, strict=True):
        missing = column.column.missing
        if missing is not None and missing.any():
            index = int(np.flatnonzero(missing)[0])
            raise ValueError(
                f"draw {name!r} has no label for the item at index {index}; every draw needs a "
                "label for every item: leave the item out of all draws, or give it one"
            )
    for name, column in zip(names[1:], columns[1:], strict=True):
        try:
            clusterings_of(columns[0], column, {}, "this function")
        except (TypeError, ValueError) as error:
            raise type(error)(f"draws {names[0]!r} and {name!r}: {error}") from error
    refuse_other_orders([f"draw {name!r}" for name in names], columns)
    raise ValueError(
        "some draws name their items and some do not; pass all with item ids, or all without"
    )


def _canonical(codes: NDArray[Any]) -> NDArray[np.uint32]:
    """Return codes numbered by first item, so that equal clusterings have equal codes."""
    return first_appearance_labels(codes).astype(np.uint32)


def _merged(many: ManyCodes) -> tuple[NDArray[np.uint32], IntArray, IntArray]:
    """Return the distinct draws, the first draw of each, and which of them each draw is."""
    rows: list[NDArray[np.uint32]] = []
    first: list[int] = []
    digests: list[bytes] = []
    distinct = np.empty(many.n_clusterings, dtype=np.int64)
    alike: dict[bytes, list[int]] = {}
    for i in range(many.n_clusterings):
        row = _canonical(many.codes_of(i))
        digest = hashlib.blake2b(row.tobytes(), digest_size=16).digest()
        candidates = alike.setdefault(digest, [])
        same = next((j for j in candidates if np.array_equal(rows[j], row)), None)
        if same is None:
            same = len(rows)
            candidates.append(same)
            rows.append(row)
            first.append(i)
            digests.append(digest)
        distinct[i] = same
    # an order of their own, so that no result depends on that of the draws
    order = np.array(sorted(range(len(rows)), key=digests.__getitem__), dtype=np.int64)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    in_order = np.array([rows[j] for j in order])
    return in_order, np.array(first, dtype=np.int64)[order], number[distinct]
