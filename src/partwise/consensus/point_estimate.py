"""The clustering that is nearest to many, by the expected loss."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np

from partwise._kernels.workers import read_workers
from partwise.consensus.ensemble import read_ensemble
from partwise.consensus.expected_loss import of_codes
from partwise.consensus.losses import LOSSES, LossName, read_loss
from partwise.consensus.picture import draw_estimate
from partwise.consensus.search import Problem, runs_of, shares_within
from partwise.inference.draws import read_seed
from partwise.labels import Clustering
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import Brief
from partwise.report.json_documents import JsonResult, label_of, packed, unpacked
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular
from partwise.typing import Column, Labels

_ARRAYS = ("labels", "certainty", "item_certainty", "run_losses", "passes")


@dataclass(frozen=True, eq=False, repr=False)
class PointEstimate(Brief, Tabular, JsonResult):
    """A clustering of least expected loss, and how it was found.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        Cluster of each item, numbered by first item, in the order of the first draw.
    items : list or None
        Ids of the items where draws have them.
    expected_loss : float
        Of ``labels``, exactly as the function ``expected_loss`` has it.
    loss : str
    split_cost : float
    certainty : ndarray of float64, shape (clusters,)
        Mean share of the draws that have two items of the cluster together; 1 for one item.
    item_certainty : ndarray of float64, shape (n,)
        The same for an item and the others of its cluster.
    run_losses : ndarray of float64, shape (runs,)
        Expected loss that each run ended with.
    passes : ndarray of int64, shape (runs,)
        Passes over all items of each run.
    best_run : int
        The first run with the least loss.
    seed : int
    """

    _schema: ClassVar[str] = "point-estimate/1"

    labels: IntArray
    items: list[Any] | None
    expected_loss: float
    loss: str
    split_cost: float
    certainty: FloatArray
    item_certainty: FloatArray
    run_losses: FloatArray
    passes: IntArray
    best_run: int
    seed: int

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.certainty)

    def clustering(self) -> Clustering:
        """Return the labels as a ``Clustering``, with the items' ids where there are any."""
        return Clustering(self.labels, items=self.items)

    def plot(
        self,
        draws: Column | Iterable[Labels],
        path: str | None = None,
        *,
        weights: Column | Mapping[Any, float] | None = None,
        items: int = 400,
        ax: Any = None,
    ) -> Any:
        """Draw how often items are together, cluster by cluster.

        Parameters
        ----------
        draws, weights
            As for ``point_estimate``.
        path : str, optional
            File to save the figure in.
        items : int, default 400
            The most items that are drawn. Of more, so many are chosen evenly; where clusters
            are small, whole clusters are. Only these are compared: memory is their square.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            The largest cluster first, in each the surest items first, with a square around
            each cluster. Needs the extra ``partwise[plot]``.

        Raises
        ------
        ValueError, TypeError
            The draws have other items than the estimate; ``items`` is out of range.
        """
        ensemble = read_ensemble(draws, weights)
        if ensemble.n_items != len(self.labels):
            raise ValueError(
                f"draws have {ensemble.n_items} items, and the estimate has "
                f"{len(self.labels)}; pass the draws that it was made from"
            )
        most = _whole(items, "items")
        drawn = draw_estimate(ensemble, self.labels, self.item_certainty, most, ax)
        return saved(drawn, path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; arrays as lists."""
        shown = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**shown, **{name: shown[name].tolist() for name in _ARRAYS}}

    def heading(self) -> list[str]:
        """Return how good the clustering is, how it was found, how sure it is."""
        return str(self).splitlines()

    def table(self) -> Table:
        """Return the table of the clusters: their items, and how sure they are."""
        sizes = np.bincount(self.labels, minlength=self.n_clusters).tolist()
        rows = list(zip(range(len(sizes)), sizes, self.certainty.tolist(), strict=True))
        return Table(("cluster", "items", "certainty"), rows)

    def _options(self) -> dict[str, Any]:
        return {"loss": self.loss, "split_cost": self.split_cost, "seed": self.seed}

    def _document(self) -> dict[str, Any]:
        shown = {one.name: getattr(self, one.name) for one in fields(self)}
        return {"notes": [], **shown, **{name: packed(shown[name]) for name in _ARRAYS}}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        own = {one.name: document[one.name] for one in fields(cls)}
        arrays = {name: unpacked(own[name]) for name in _ARRAYS}
        items = None if own["items"] is None else _ids_of(own["items"])
        return cls(**{**own, **arrays, "items": items})

    def __str__(self) -> str:
        unit = LOSSES[self.loss].unit
        worst = self.run_losses.max()
        sure = np.bincount(np.digitize(self.certainty, [0.5, 0.9]), minlength=3)
        cost = "" if self.split_cost == 1 else f" with split_cost {self.split_cost:g}"
        return "\n".join(
            [
                f"{self.n_clusters} clusters of {len(self.labels)} items; expected loss "
                f"({self.loss}{cost}) {self.expected_loss:.6g}{' ' + unit if unit else ''}",
                f"found by run {self.best_run}; {len(self.run_losses)} runs, seed {self.seed}, "
                f"ended between {self.run_losses.min():.6g} and {worst:.6g}",
                f"certainty of the clusters: {sure[2]} of 0.9 and more, {sure[1]} of 0.5 to "
                f"0.9, {sure[0]} below",
            ]
        )


def _ids_of(written: list[Any]) -> list[Any]:
    """Return item ids as they were: all of one kind, so that text beside numbers is inf."""
    ids = [label_of(one) for one in written]
    if any(isinstance(one, (int, float)) for one in ids):
        return [float(one) if isinstance(one, str) else one for one in ids]
    return ids


def point_estimate(
    draws: Column | Iterable[Labels],
    *,
    loss: LossName = "vi",
    split_cost: float = 1.0,
    weights: Column | Mapping[Any, float] | None = None,
    max_clusters: int | None = None,
    runs: int = 16,
    seconds: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> PointEstimate:
    """Search for the clustering with the least expected loss over many.

    Parameters
    ----------
    draws, loss, split_cost, weights
        See ``expected_loss``; of the losses not "vi_lower_bound" and "pear".
    max_clusters : int, optional
        The most clusters that the result may have; by default as many as items. A bound below
        what the best clustering needs gives a worse one.
    runs : int, default 16
        Independent searches from different starts. The best one counts.
    seconds : float, optional
        No run begins later than this after the first one. The result then depends on the
        machine; without it, it depends on the seed alone.
    seed : int, optional
        By default a fresh one, which the result holds.
    workers : int, optional
        Threads that share the runs; -1 is one for each core; by default as ``set_workers``
        says. They change no bit.
    progress : bool, default False
        Show how many are done and the time left, on a terminal.

    Returns
    -------
    PointEstimate

    Raises
    ------
    ValueError, TypeError
        As ``expected_loss``; an option is out of range.

    Notes
    -----
    The search SALSO: items are placed one by one where they cost least, then moved, pass after
    pass, until none wants to move; then the clusters are changed at random, and what comes of
    it is kept if that pays: a cluster is dissolved and built again, as in SALSO; what a draw
    has together becomes a cluster; two clusters become one that share a cluster of some draw.
    Runs start from none, from each draw in turn, and from random labels, the first time all
    alike. A run ends in a local optimum, with no proof that none is better; the losses of the
    runs show how much they differ.

    The search itself counts in whole numbers: steps of x ln x in fractions of 2^20,
    ``split_cost`` of 2^16, and weights that are no numbers of draws as shares of 2^20. So two
    clusterings whose losses differ by less than about a millionth may end in either order. What
    is returned has its exact loss. Neither the order of the draws nor their labels change a
    result.

    A pass costs O(n) times the distinct draws times the clusters that an item may go to: all
    of them where draws have few clusters, those that it meets in some draw where they have
    many. The memory of a run is 8 bytes for each item and distinct draw, or up to four times
    as much where draws have few clusters.

    References
    ----------
    Dahl, Johnson, Mueller: Search algorithms and loss functions for Bayesian clustering
    (Journal of Computational and Graphical Statistics 2022).

    Examples
    --------
    >>> import partwise as pw
    >>> draws = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]]
    >>> estimate = pw.point_estimate(draws, seed=1)
    >>> estimate.labels.tolist(), round(estimate.expected_loss, 4)
    ([0, 0, 1, 1, 2], 0.2603)
    """
    name, cost = read_loss(loss, split_cost)
    ensemble = read_ensemble(draws, weights)
    n = ensemble.n_items
    most = n if max_clusters is None else min(_whole(max_clusters, "max_clusters"), n)
    n_runs = _whole(runs, "runs")
    if seconds is not None and not isinstance(seconds, numbers.Real):
        raise TypeError(f"seconds must be a number, not {seconds!r}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds={seconds} must be above 0; leave it out for no limit")
    number = read_seed(seed)
    threads = read_workers(workers)
    problem = Problem.of(ensemble, name, cost)
    ended = list(
        runs_of(problem, ensemble, n_runs, most, number, seconds, threads, progress)
        if n > 1
        else ()
    )
    candidates = [run.codes for run in ended] or [ensemble.codes[0]]
    numbered = {codes.tobytes(): codes for codes in candidates}  # most runs end alike
    by_codes = {
        key: of_codes(codes, ensemble, name, cost, threads) for key, codes in numbered.items()
    }
    losses = [by_codes[codes.tobytes()] for codes in candidates]
    best = int(np.argmin(losses))
    codes, least = candidates[best], losses[best]
    certainty, item_certainty = shares_within(ensemble, codes)
    items = ensemble.reference.items
    return PointEstimate(
        labels=codes.astype(np.int64),
        items=None if items is None else list(items),
        expected_loss=least,
        loss=name,
        split_cost=cost,
        certainty=certainty,
        item_certainty=item_certainty,
        run_losses=np.array(losses),
        passes=np.array([run.passes for run in ended], dtype=np.int64),
        best_run=best,
        seed=number,
    )


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if value < 1:
        raise ValueError(f"{what}={value} must be 1 or more")
    return int(value)
