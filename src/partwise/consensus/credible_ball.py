"""How far the draws lie from an estimate: the smallest ball that holds most of them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np

from partwise._kernels.workers import read_workers
from partwise.consensus.ensemble import read_ensemble, with_candidate
from partwise.consensus.losses import LossName, losses, read_loss
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import Brief
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.table import Table, Tabular
from partwise.typing import Column, Labels


@dataclass(frozen=True, eq=False, repr=False)
class CredibleBall(Brief, Tabular, JsonResult):
    """The smallest ball round an estimate that holds a share of the draws.

    Attributes
    ----------
    radius : float
        Largest loss of a draw in it.
    share : float
        Of the weight of the draws that it holds, at least ``level``.
    level : float
    loss : str
    split_cost : float
    losses : ndarray of float64, shape (draws,)
        Of each draw against the estimate; NaN where a draw has no weight.
    horizontal, upper, lower : list of int
        Draws on its bounds: those farthest from the estimate; of those with the fewest
        clusters in the ball, the farthest; of those with the most clusters, the farthest.
        Equal draws count once, by the first of them.
    """

    _schema: ClassVar[str] = "credible-ball/1"

    radius: float
    share: float
    level: float
    loss: str
    split_cost: float
    losses: FloatArray
    horizontal: list[int]
    upper: list[int]
    lower: list[int]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; a draw without weight has no loss."""
        losses = [None if math.isnan(value) else value for value in self.losses.tolist()]
        return {**self._plain(), "losses": losses}

    def heading(self) -> list[str]:
        """Return how large the ball is, and how much of the draws it holds."""
        return str(self).splitlines()[:1]

    def table(self) -> Table:
        """Return the table of the draws on the bounds, a draw a line."""
        rows = [
            (name, draw, float(self.losses[draw]))
            for name in ("horizontal", "upper", "lower")
            for draw in getattr(self, name)
        ]
        return Table(("bound", "draw", f"loss ({self.loss})"), rows, lead=2)

    def _plain(self) -> dict[str, Any]:
        """Return everything but the losses."""
        shown = {one.name: getattr(self, one.name) for one in fields(self)}
        del shown["losses"]
        return shown

    def _options(self) -> dict[str, Any]:
        return {"loss": self.loss, "split_cost": self.split_cost, "level": self.level}

    def _document(self) -> dict[str, Any]:
        return {"notes": [], **self._plain(), "losses": packed(self.losses)}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        own = {one.name: document[one.name] for one in fields(cls)}
        return cls(**{**own, "losses": unpacked(document["losses"])})

    def __str__(self) -> str:
        bounds = (("horizontal", self.horizontal), ("upper", self.upper), ("lower", self.lower))
        told = "; ".join(f"{name} bound: {_few(draws)}" for name, draws in bounds)
        return (
            f"{self.share:.1%} of the draws are within {self.radius:.6g} of the estimate "
            f"({self.loss}, level {self.level:g})\n{told}"
        )


def _few(draws: list[int]) -> str:
    more = f" and {len(draws) - 3} more" if len(draws) > 3 else ""
    return ("draw " if len(draws) == 1 else "draws ") + ", ".join(map(str, draws[:3])) + more


def credible_ball(
    estimate: Labels,
    draws: Column | Iterable[Labels],
    *,
    level: float = 0.95,
    loss: LossName = "vi",
    split_cost: float = 1.0,
    weights: Column | Mapping[Any, float] | None = None,
    workers: int | None = None,
) -> CredibleBall:
    """Find the smallest ball round an estimate that holds a share of the draws.

    Parameters
    ----------
    estimate
        A clustering in any form that ``align`` takes, such as ``PointEstimate.clustering()``.
    draws, loss, split_cost, weights, workers
        See ``expected_loss``; of the losses not "vi_lower_bound" and "pear".
    level : float, default 0.95
        The share, above 0 and at most 1.

    Returns
    -------
    CredibleBall

    Raises
    ------
    ValueError, TypeError
        As ``expected_loss``; ``level`` is out of range.

    Notes
    -----
    O(n) a distinct draw.

    References
    ----------
    Wade, Ghahramani: Bayesian cluster analysis: point estimation and credible balls (Bayesian
    Analysis 2018).

    Examples
    --------
    >>> import partwise as pw
    >>> draws = [[0, 0, 1, 1]] * 8 + [[0, 0, 1, 2], [0, 0, 0, 0]]
    >>> ball = pw.credible_ball([0, 0, 1, 1], draws, level=0.9)
    >>> round(ball.radius, 4), ball.share, ball.lower
    (0.3466, 0.9, [8])
    """
    name, cost = read_loss(loss, split_cost)
    if not isinstance(level, numbers.Real) or isinstance(level, bool):
        raise TypeError(f"level must be a number above 0 and at most 1, not {level!r}")
    if not 0 < level <= 1:
        raise ValueError(f"level={level!r} is no share of the draws, above 0 and at most 1")
    ensemble = read_ensemble(draws, weights)
    codes = with_candidate(estimate, ensemble)
    values = losses(codes, ensemble, name, cost, read_workers(workers))
    order = np.argsort(values, kind="stable")
    total = math.fsum(ensemble.weights)
    # exact until compared, so that equal weights reach the share with the draw that they should
    reached = map(float, accumulate(map(Fraction, ensemble.weights[order].tolist())))
    radius = next(
        value
        for value, weight in zip(values[order].tolist(), reached, strict=True)
        if weight >= level * total
    )
    inside = np.flatnonzero(values <= radius)
    clusters = np.array([int(row.max()) + 1 for row in ensemble.codes])
    return CredibleBall(
        radius=radius,
        share=math.fsum(ensemble.weights[inside]) / total,
        level=float(level),
        loss=name,
        split_cost=cost,
        losses=np.where(ensemble.distinct < 0, np.nan, values[ensemble.distinct]),
        horizontal=_farthest(inside, values, ensemble.first),
        upper=_farthest(_least(inside, clusters), values, ensemble.first),
        lower=_farthest(_least(inside, -clusters), values, ensemble.first),
    )


def _least(places: IntArray, numbers: IntArray) -> IntArray:
    least: IntArray = places[numbers[places] == numbers[places].min()]
    return least


def _farthest(places: IntArray, values: FloatArray, first: IntArray) -> list[int]:
    chosen = places[values[places] == values[places].max()]
    return sorted(first[chosen].tolist())
