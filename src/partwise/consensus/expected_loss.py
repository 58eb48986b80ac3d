"""The expected loss of one clustering over draws, and the draw that has the least."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.workers import map_blocks, read_workers
from partwise.consensus.criteria import CRITERIA
from partwise.consensus.ensemble import Ensemble, read_ensemble, with_candidate
from partwise.consensus.losses import CriterionName, losses, read_loss
from partwise.report.brief import Brief
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular
from partwise.typing import Column, Labels


@dataclass(frozen=True, eq=False, repr=False)
class Medoid(Brief, Tabular, JsonResult):
    """The draw with the least expected loss.

    Attributes
    ----------
    index : int
        The first such draw, from 0.
    name : str
        Its name, the index in text where draws have none.
    expected_loss : float
    """

    _schema: ClassVar[str] = "medoid/1"

    index: int
    name: str
    expected_loss: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)

    def table(self) -> Table:
        """Return the table of one line."""
        return Table(
            ("medoid", "index", "expected loss"), [(self.name, self.index, self.expected_loss)]
        )

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls(document["index"], document["name"], float(document["expected_loss"]))


def expected_loss(
    candidate: Labels,
    draws: Column | Iterable[Labels],
    *,
    loss: CriterionName = "vi",
    split_cost: float = 1.0,
    weights: Column | Mapping[Any, float] | None = None,
    workers: int | None = None,
) -> float:
    """Mean loss of one clustering over many, such as draws from a posterior; at least 0.

    Parameters
    ----------
    candidate
        A clustering in any form that ``align`` takes.
    draws : mapping, data frame, 2-D array (a column each), or sequence
        Clusterings of the same items, each with a label for every item.
    loss : {"vi", "binder", "omari", "nvi", "id", "nid", "s_h", "vi_lower_bound", "pear"}
        Variation of information (nats), Binder's loss (pairs), one minus the adjusted Rand
        index, variation of information over the joint entropy, information distance (nats)
        and that over the larger entropy, one minus ``s_entropy``. The last two are criteria
        that searches use: the lower bound of Wade and Ghahramani, which bounds the expected
        variation of information only up to a constant that does not depend on the candidate
        (nats, may be above it), and one minus the posterior expected adjusted Rand of Fritsch
        and Ickstadt.
    split_cost : float, default 1
        From 0 to 2, for "binder" and "vi": what splitting a pair of a draw costs; merging one
        that is apart in a draw costs ``2 - split_cost``.
    weights : array-like of shape (draws,), mapping or Series by name, optional
        Not negative; 1 each by default. They need not add up to 1.
    workers : int, optional
        Threads that share the draws; -1 is one for each core; by default as ``set_workers``
        says. They change no bit.

    Returns
    -------
    float
        0 where all draws equal the candidate.

    Raises
    ------
    ValueError, TypeError
        Draws and candidate have different items, an item has no label, or an option is wrong.

    Notes
    -----
    Equal draws are compared once. The losses are exact sums, and their mean does not depend on
    the order of the draws. O(n) a distinct draw.

    References
    ----------
    Binder: Bayesian cluster analysis (Biometrika 1978). Wade, Ghahramani: Bayesian cluster
    analysis: point estimation and credible balls (Bayesian Analysis 2018). Fritsch, Ickstadt:
    Improved criteria for clustering based on the posterior similarity matrix (Bayesian
    Analysis 2009).

    Examples
    --------
    >>> import partwise as pw
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
    >>> round(pw.expected_loss([0, 0, 1, 1], draws), 6)
    0.274653
    >>> pw.expected_loss([0, 0, 1, 1], draws, loss="binder")
    1.0
    """
    name, cost = read_loss(loss, split_cost, tuple(CRITERIA))
    ensemble = read_ensemble(draws, weights)
    codes = with_candidate(candidate, ensemble)
    return of_codes(codes, ensemble, name, cost, read_workers(workers))


def of_codes(
    codes: NDArray[np.uint32],
    ensemble: Ensemble,
    name: str,
    split_cost: float,
    workers: int = 1,
) -> float:
    """Return the expected loss of a candidate that is codes already."""
    if name in CRITERIA:
        return CRITERIA[name](codes, ensemble)
    return ensemble.mean(losses(codes, ensemble, name, split_cost, workers).tolist())


def medoid(
    draws: Column | Iterable[Labels],
    *,
    loss: CriterionName = "vi",
    split_cost: float = 1.0,
    weights: Column | Mapping[Any, float] | None = None,
    workers: int | None = None,
) -> Medoid:
    """Find the draw whose expected loss over all draws is the least.

    Parameters
    ----------
    draws, loss, split_cost, weights, workers
        See ``expected_loss``.

    Returns
    -------
    Medoid
        ``index`` and ``name`` of the first draw that is best, and its ``expected_loss``.

    Raises
    ------
    ValueError, TypeError
        As ``expected_loss``.

    Notes
    -----
    All pairs of distinct draws: O(distinct^2 n).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.medoid({"a": [0, 0, 1], "b": [0, 1, 1], "c": [5, 5, 6]}, loss="binder").name
    'a'
    """
    name, cost = read_loss(loss, split_cost, tuple(CRITERIA))
    ensemble = read_ensemble(draws, weights)
    return medoid_of(ensemble, name, cost, read_workers(workers))


def medoid_of(ensemble: Ensemble, name: str, split_cost: float, workers: int = 1) -> Medoid:
    """Return the medoid of draws that were read."""

    def of_draw(j: int) -> float:
        return of_codes(ensemble.codes[j], ensemble, name, split_cost)

    values = map_blocks(of_draw, range(len(ensemble.codes)), workers)
    least, index = min(zip(values, ensemble.first.tolist(), strict=True))
    return Medoid(index, ensemble.names[index], least)
