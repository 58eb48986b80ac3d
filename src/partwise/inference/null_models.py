"""Values of measures on random tables with the sizes of both sides kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

import numpy as np

from partwise import _kernels
from partwise.inference.draws import PERMUTATION, Drawing, stream_of, takes_draws
from partwise.inference.report import column_of, position_of
from partwise.inference.statistics import Statistics, checked, counted_table, read_statistics
from partwise.labels import Account
from partwise.measures.aliases import takes
from partwise.numbers.arrays import FloatArray
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.plots.distributions import draw_null
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular, wrapped
from partwise.report.tables import pandas_module
from partwise.table.arguments import Reference
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

if TYPE_CHECKING:
    import pandas

_MOST_ITEMS = 1 << 32


@dataclass(frozen=True, eq=False, repr=False)
class NullDistribution(Tabular, JsonResult):
    """Values of measures on random tables.

    Attributes
    ----------
    measures : tuple of str
    observed : ndarray of float64, shape (m,)
        Values on the table itself.
    values : ndarray of float64, shape (draws, m)
        Values on the random tables, in order of the draws.
    seed : int
        Seed of the draws: the same seed gives the same draws again.
    n_items : int
    """

    _schema: ClassVar[str] = "null-distribution/1"

    measures: tuple[str, ...]
    observed: FloatArray
    values: FloatArray
    seed: int
    n_items: int

    @property
    def draws(self) -> int:
        """Number of random tables."""
        return len(self.values)

    @property
    def mean(self) -> FloatArray:
        """Mean of each measure over the draws."""
        means: FloatArray = self.values.mean(axis=0)
        return means

    @property
    def standard_deviation(self) -> FloatArray:
        """Standard deviation of each measure over the draws (divisor: draws - 1)."""
        if self.draws < 2:
            return np.full(len(self.measures), np.nan)
        deviations = np.array(self.values.std(axis=0, ddof=1))
        # a measure that the sizes alone decide varies by rounding only
        deviations[np.ptp(self.values, axis=0) <= 1e-13 * self._scale] = 0.0
        return deviations

    @property
    def _scale(self) -> FloatArray:
        most: FloatArray = np.abs(self.values).max(axis=0)
        return np.maximum(most, np.abs(self.observed))

    def __getitem__(self, measure: str) -> FloatArray:
        """Return the draws of a measure."""
        draws: FloatArray = self.values[:, position_of(measure, self.measures)]
        return draws

    def first(self, n: int) -> NullDistribution:
        """Return the first n measures alone."""
        return replace(
            self,
            measures=self.measures[:n],
            observed=self.observed[:n],
            values=self.values[:, :n],
        )

    def _lines_of_numbers(self) -> list[tuple[Any, ...]]:
        columns = (self.observed, self.mean, self.standard_deviation)
        return list(zip(self.measures, *(x.tolist() for x in columns), strict=True))

    def heading(self) -> list[str]:
        """Return what was drawn."""
        return [
            f"{self.draws} random tables of {self.n_items} items, both sides' sizes kept, "
            f"seed {self.seed}"
        ]

    def table(self) -> Table:
        """Return the table, a measure a line."""
        header = ("measure", "observed", "null mean", "null sd")
        return Table(header, self._lines_of_numbers())

    def __str__(self) -> str:
        return "\n".join([wrapped(self.heading()), "", self.table().text()])

    def __repr__(self) -> str:
        measures = ", ".join(self.measures[:3]) + ", ..." * (len(self.measures) > 3)
        return f"NullDistribution({measures}; {self.draws} random tables)"

    def plot(
        self, path: str | None = None, *, measure: str | None = None, ax: Any = None
    ) -> Any:
        """Draw the values of a measure on random tables, with the observed one.

        Parameters
        ----------
        measure : str, optional
            By default the first.
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        at = 0 if measure is None else position_of(measure, self.measures)
        drawn = draw_null(
            self.values[:, at],
            float(self.observed[at]),
            measure=self.measures[at],
            what="random tables",
            ax=ax,
        )
        return saved(drawn, path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "n_items": self.n_items,
            "draws": self.draws,
            "seed": self.seed,
            "measures": {
                name: {"observed": x, "mean": mean, "standard_deviation": sd}
                for name, x, mean, sd in self._lines_of_numbers()
            },
            "values": {name: self[name].tolist() for name in self.measures},
        }

    def _options(self) -> dict[str, Any]:
        return {"draws": self.draws, "seed": self.seed}

    def _document(self) -> dict[str, Any]:
        return {**self.to_dict(), "values": packed(self.values), "notes": []}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        lines = document["measures"]
        return cls(
            measures=tuple(lines),
            observed=column_of(lines.values(), "observed"),
            values=unpacked(document["values"]),
            seed=document["seed"],
            n_items=document["n_items"],
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return the draws, a column per measure (needs ``partwise[frames]``)."""
        return pandas_module().DataFrame(self.values, columns=list(self.measures))


def random_table(table: Contingency, seed: int, draw: int) -> Contingency:
    """Return a random table with the margins of another one.

    Every pairing of the items is equally likely: the labels of one side are shuffled over the
    items of the other. The same seed and draw give the same table on either kernel. O(n).
    """
    sizes = table.row_sizes, table.col_sizes
    cells = _kernels.impl.random_table(*sizes, seed, stream_of(PERMUTATION, draw))
    for array in cells:
        array.flags.writeable = False
    labels = table.row_names, table.col_names
    account = Account(table.n_items, "counts")
    return Contingency(
        *cells, *labels, *sizes, table.n_items, account, margin_memo=table.margin_memo
    )


def check_size(table: Contingency, function: str) -> None:
    """Raise if the table has more items than can be shuffled."""
    if table.n_items >= _MOST_ITEMS:
        raise ValueError(
            f"{function} shuffles items one by one and takes fewer than 2^32 of them, not "
            f"{table.n_items}"
        )


@takes("measure")
@takes_draws(1000, "seed", "workers", "progress")
def null_distribution(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> NullDistribution:
    """Return values of measures on random tables with the sizes of both sides kept.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    measure : str, callable, or several
        Names of the catalogue, or functions that take a ``Contingency`` and return a number.
    draws
        How to draw: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    NullDistribution

    Raises
    ------
    ValueError
        The table has weights, or 2^32 items or more; a measure needs the items themselves.

    Notes
    -----
    The permutation model: both clusterings keep their sizes, and every way to pair their items
    is equally likely. Draw i takes its random numbers from counter-based Philox 4x64 keyed by
    (seed, i), so the draws are the same for any number of workers and on either kernel, and the
    first draws of a longer run are those of a shorter one. A draw costs one shuffle of the
    items plus the measures; where cells would hold 32 items or more on average, it is drawn
    cell by cell (to 2^-44 of its law) in a time that grows with the root of the items. No other
    clusters x clusters table is made.

    References
    ----------
    Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011).

    Examples
    --------
    >>> import partwise as pw
    >>> a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
    >>> null = pw.null_distribution(a, b, measure="adjusted_rand_index", draws=2000, seed=1)
    >>> bool(abs(null.mean[0]) < 0.02)
    True
    """
    statistics = read_statistics(measure, "null_distribution")
    table = counted_table(reference, candidate, policies, "null_distribution")
    check_size(table, "null_distribution")

    def values_of(one: Contingency) -> list[float]:
        return [statistic.of(one) for statistic in statistics]

    observed = checked(np.array(values_of(table), dtype=np.float64), statistics)
    drawn = drawing.each(
        lambda draw: values_of(random_table(table, drawing.seed, draw)), "drawing"
    )
    names = tuple(statistic.name for statistic in statistics)
    values = checked(np.array(drawn, dtype=np.float64), statistics)
    return NullDistribution(
        measures=names,
        observed=observed,
        values=values,
        seed=drawing.seed,
        n_items=table.n_items,
    )
