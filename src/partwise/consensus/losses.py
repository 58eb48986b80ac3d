"""Losses of a candidate clustering against draws, one value a draw, from sums over codes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.workers import map_blocks
from partwise.consensus.ensemble import Ensemble, many_of
from partwise.measures.catalogue import find
from partwise.numbers.arrays import FloatArray
from partwise.scoring.many import ManyCodes, turned_sums, wanted_of

#: Draws of one call of the kernel.
_BLOCK = 64

#: From what is measured (see ``Loss.of``) and the cost of splitting to one loss a draw.
Combine = Callable[["Measured", float], FloatArray]


@dataclass(frozen=True)
class Measured:
    """Measures of a candidate against draws, an array each, computed when asked for."""

    many: ManyCodes
    draws: NDArray[np.int64]
    words: NDArray[np.uint64]

    def of(self, name: str) -> FloatArray:
        """Return a measure with the candidate as the reference."""
        return self._values(name, False)

    def turned(self, name: str) -> FloatArray:
        """Return a measure with the draw as the reference."""
        return self._values(name, True)

    def _values(self, name: str, exchanged: bool) -> FloatArray:
        sides = np.zeros_like(self.draws), self.draws
        words = self.words
        if exchanged:
            sides, words = (sides[1], sides[0]), turned_sums(words)
        entry = find(name)
        values, unsure = self.many.values([entry], *sides, words)
        for i in np.flatnonzero(unsure[:, 0]).tolist():
            values[i, 0] = entry(self.many.table(int(sides[0][i]), int(sides[1][i])))
        return values[:, 0]


@dataclass(frozen=True)
class Loss:
    """A loss.

    Attributes
    ----------
    combine : callable
    measures : tuple of str
        What it is made of.
    weighs_sides : bool
        Whether splitting and joining may cost differently.
    unit : str
        Of its values.
    """

    combine: Combine
    measures: tuple[str, ...]
    weighs_sides: bool = False
    unit: str = ""


def _binder(measured: Measured, split_cost: float) -> FloatArray:
    apart, together = measured.many.pairs_apart(measured.draws, measured.words)
    return split_cost * apart + (2 - split_cost) * together


def _vi(measured: Measured, split_cost: float) -> FloatArray:
    split, join = (side("conditional_entropy") for side in (measured.of, measured.turned))
    return split_cost * split + (2 - split_cost) * join


def _distance(measured: Measured, _: float) -> FloatArray:
    # max H - I is the larger of H - I on both sides
    larger: FloatArray = np.maximum(
        measured.of("conditional_entropy"), measured.turned("conditional_entropy")
    )
    return larger


def _one_minus(name: str) -> Combine:
    return lambda measured, _: 1 - measured.of(name)


_VI = "normalized_variation_of_information"
_NMI = "normalized_mutual_information(average=max)"
LossName = Literal["binder", "vi", "omari", "nvi", "id", "nid", "s_h"]
#: Losses of a draw, and two criteria of all draws together.
CriterionName = LossName | Literal["vi_lower_bound", "pear"]
LOSSES: dict[str, Loss] = {
    "binder": Loss(_binder, ("rand_index",), weighs_sides=True, unit="pairs"),
    "vi": Loss(_vi, ("conditional_entropy",), weighs_sides=True, unit="nats"),
    "omari": Loss(_one_minus("adjusted_rand_index"), ("adjusted_rand_index",)),
    "nvi": Loss(lambda measured, _: measured.of(_VI), (_VI,)),
    "id": Loss(_distance, ("conditional_entropy",), unit="nats"),
    "nid": Loss(_one_minus(_NMI), (_NMI,)),
    "s_h": Loss(_one_minus("s_entropy"), ("s_entropy",)),
}


def read_loss(name: Any, split_cost: Any, more: tuple[str, ...] = ()) -> tuple[str, float]:
    """Check the name of a loss and the cost of splitting."""
    words = [*LOSSES, *more]
    if name not in words:
        raise ValueError(f"loss={name!r} is not one of: {', '.join(words)}")
    if isinstance(split_cost, bool) or not isinstance(split_cost, numbers.Real):
        raise TypeError(f"split_cost must be a number from 0 to 2, not {split_cost!r}")
    try:
        cost = float(split_cost)
    except OverflowError:  # an integer that no float holds
        cost = math.inf
    if not 0 <= cost <= 2:
        raise ValueError(
            f"split_cost={split_cost} is not between 0 and 2; splitting a pair of a draw costs "
            "split_cost, and merging one costs 2 - split_cost"
        )
    if cost != 1 and not (name in LOSSES and LOSSES[name].weighs_sides):
        weighing = [word for word, loss in LOSSES.items() if loss.weighs_sides]
        raise ValueError(
            f"split_cost={split_cost} means nothing for loss={name!r}, in which splits have no "
            f"cost of their own; it goes with: {', '.join(weighing)}"
        )
    return str(name), cost


def losses(
    candidate: NDArray[np.uint32],
    ensemble: Ensemble,
    name: str,
    split_cost: float,
    workers: int = 1,
) -> FloatArray:
    """Return the loss of a candidate against each distinct draw."""
    return losses_of_codes(candidate, ensemble.codes, name, split_cost, workers)


def losses_of_codes(
    candidate: NDArray[np.uint32],
    codes: NDArray[np.uint32],
    name: str,
    split_cost: float,
    workers: int = 1,
) -> FloatArray:
    """Return the loss of a candidate against each row of codes."""
    loss = LOSSES[name]
    many = many_of(np.concatenate([candidate[None], codes]))
    wanted = wanted_of([find(measure) for measure in loss.measures])
    draws = np.arange(1, len(codes) + 1)
    blocks = [draws[i : i + _BLOCK] for i in range(0, len(draws), _BLOCK)]

    def of_block(block: NDArray[np.int64]) -> FloatArray:
        return loss.combine(Measured(many, block, many.sums(0, block, wanted)), split_cost)

    return np.concatenate(list(map_blocks(of_block, blocks, workers)))
