"""B_k: the Fowlkes-Mallows index of the cuts of two hierarchies into k clusters, for all k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from partwise import _kernels
from partwise.labels.hierarchies.hierarchy import Hierarchy
from partwise.measures.hierarchies.joint import HierarchyPair
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.numbers import show
from partwise.report.plots.curves import Curve, draw_curves
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular, wrapped

__all__ = ["CutSimilarities", "b_k"]

#: Standard deviations on either side of the mean that the band has.
BAND = 1.96
_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class CutSimilarities(Tabular, JsonResult):
    """B_k of two hierarchies, with what random labels of the leaves would give.

    Attributes
    ----------
    n_items : int
    ties : str
        Whether clusters of equal height came about together ("skip") or in order.
    k : ndarray of int64
        Numbers of clusters that both hierarchies have a cut into, from 2 to n - 1, ascending.
    values : ndarray of float64
        Fowlkes-Mallows index of the two cuts.
    mean, variance : ndarrays of float64
        Of it over all permutations of the leaves of one hierarchy.
    """

    _schema: ClassVar[str] = "cut-similarities/1"

    n_items: int
    ties: str
    k: IntArray
    values: FloatArray
    mean: FloatArray
    variance: FloatArray

    def at(self, k: int) -> float:
        """Return the value for one number of clusters."""
        there = np.flatnonzero(self.k == k)
        if not len(there):
            raise KeyError(
                f"k={k}: not both hierarchies have a cut into so many clusters, or it is not "
                f"between 2 and {self.n_items - 1}"
            )
        return float(self.values[there[0]])

    @property
    def z(self) -> FloatArray:
        """(B_k - mean) / deviation; 0 where all permutations give the same."""
        deviation = np.sqrt(self.variance)
        gap = self.values - self.mean
        return np.divide(gap, deviation, out=np.zeros_like(gap), where=deviation > 0)

    def plot(self, path: str | None = None, *, ax: Any = None) -> Any:
        """Draw B_k against k, and a band around what random leaves give.

        Parameters
        ----------
        path : str, optional
            Where to save the picture.
        ax : matplotlib.axes.Axes, optional
            Where to draw.

        Returns
        -------
        matplotlib.axes.Axes
        """
        half = BAND * np.sqrt(self.variance)
        chance = Curve(
            name="mean of random leaves",
            x=self.k,
            y=self.mean,
            low=np.maximum(self.mean - half, 0),
            high=np.minimum(self.mean + half, 1),
        )
        own = Curve(name="$B_k$", x=self.k, y=self.values)
        ax = draw_curves(
            [chance, own],
            xlabel="number of clusters k",
            ylabel="Fowlkes-Mallows index of the cuts",
            log=True,
            band="mean and 1.96 deviations",
            ax=ax,
        )
        ax.set_ylim(-0.02, 1.05)
        return saved(ax, path)

    def __repr__(self) -> str:
        first = ", ".join(
            f"k={k}: {show(value)}"
            for k, value in zip(self.k[:2].tolist(), self.values[:2].tolist(), strict=True)
        )
        more = f": {first}, ..." if first else ""
        return f"CutSimilarities({len(self.k)} cuts of {self.n_items} items{more})"

    def __str__(self) -> str:
        left = len(self.k) - _SHOWN
        text = f"{wrapped(self.heading())}\n\n{self._table(_SHOWN).text()}"
        return f"{text}\nand {left} more cuts" if left > 0 else text

    def heading(self) -> list[str]:
        """Return what was compared, as lines."""
        left_out = max(self.n_items - 2, 0) - len(self.k)
        line = f"B_k of two hierarchies of {self.n_items} items"
        if left_out:
            line += f"; {left_out} numbers of clusters without a cut on both sides"
        return [line]

    def table(self) -> Table:
        """Return the table of all cuts."""
        return self._table(len(self.k))

    def _table(self, most: int) -> Table:
        columns = (self.k, self.values, self.mean, np.sqrt(self.variance), self.z)
        rows = list(zip(*(column[:most].tolist() for column in columns), strict=True))
        return Table(("k", "B_k", "mean", "deviation", "z"), rows, directions={1: "higher"})

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists."""
        return {
            "n_items": self.n_items,
            "ties": self.ties,
            "k": self.k.tolist(),
            "values": self.values.tolist(),
            "mean": self.mean.tolist(),
            "variance": self.variance.tolist(),
        }

    def _document(self) -> dict[str, Any]:
        arrays = ("k", "values", "mean", "variance")
        return {
            "notes": [],
            "n_items": self.n_items,
            "ties": self.ties,
            **{name: packed(getattr(self, name)) for name in arrays},
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        arrays = (unpacked(document[name]) for name in ("k", "values", "mean", "variance"))
        return cls(document["n_items"], document["ties"], *arrays)


def b_k(
    reference: Hierarchy, candidate: Hierarchy, *, ties: Literal["skip", "order"] = "skip"
) -> CutSimilarities:
    """Fowlkes-Mallows index of the cuts into k clusters, for every k, with its null moments.

    Parameters
    ----------
    reference, candidate : Hierarchy
        Of the same items.
    ties : {"skip", "order"}, default "skip"
        Clusters of equal height come about together, and numbers of clusters that only a part
        of them would give are left out; or they come about in the order of the input.

    Returns
    -------
    CutSimilarities
        For the k from 2 to n - 1 that both sides have a cut into. ``plot()`` draws it.

    Raises
    ------
    TypeError
        An argument is no ``Hierarchy``.
    ValueError
        The items differ, or ``ties`` is another word.

    Notes
    -----
    With cells n_ij of the two cuts, T = sum n_ij (n_ij - 1), and P and Q the same of their
    clusters: B_k = T / sqrt(P Q), exact integers up to the root. Mean and variance over all
    permutations of the leaves are those of Fowlkes and Mallows, the variance as a sum of terms
    that are not negative. k = 1 is 1, and k = n is 0/0. A cluster of more than two parts comes
    about at once, in either mode. All k together cost O(n log n): from the coarsest cut to the
    finest, the smaller part of each cluster that falls apart is taken out of its cells. About
    130 bytes an item.

    References
    ----------
    Fowlkes and Mallows, A method for comparing two hierarchical clusterings, JASA 1983.

    Examples
    --------
    >>> import partwise as pw
    >>> one = pw.Hierarchy.from_newick("((((a:1,b:1):1,c:2):1,d:3):1,e:4);")
    >>> two = pw.Hierarchy.from_newick("((((a:1,b:1):1,d:2):1,c:3):1,e:4);")
    >>> curve = pw.b_k(one, two)
    >>> curve.k.tolist(), curve.values.round(4).tolist()
    ([2, 3, 4], [1.0, 0.3333, 1.0])
    """
    one_of(ties, ("skip", "order"), "ties")
    pair = HierarchyPair.of(reference, candidate, "b_k")
    n = pair.n_items
    sides = (pair.first, pair.second)
    have = np.zeros((2, n + 1), dtype=bool)
    for row, side in zip(have, sides, strict=True):
        row[side.tree.cuts(ties)] = True
    k = np.flatnonzero((have[0] & have[1])[2:n]) + 2
    if not len(k):
        empty = np.empty(0)
        return CutSimilarities(n, ties, k, empty, empty, empty)
    done = n - k
    together = _kernels.impl.cut_overlaps(
        pair.first.left, pair.first.right, pair.second.left, pair.second.right
    )[done]
    moments = [
        [part[done] for part in _kernels.impl.cut_moments(side.left, side.right)]
        for side in sides
    ]
    (p, rows_a, rest_a), (q, rows_b, rest_b) = moments
    product = p.astype(np.float64) * q.astype(np.float64)
    root = np.sqrt(product)
    # the squared effects of items, and the squares of what is left over: see csrc/hierarchy
    of_rows = 4 * (rows_a / n / (n - 2)) * (rows_b / n / (n - 2)) / (n - 1)
    variance = of_rows / product
    if n > 3:
        scale = (n - 1) * (n - 2)
        variance += 2 * (rest_a / scale) * (rest_b / scale) / (n * (n - 3)) / product
    return CutSimilarities(n, ties, k, together / root, root / (n * (n - 1)), variance)
