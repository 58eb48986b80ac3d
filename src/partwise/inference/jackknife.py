"""Jackknife: what a score is without each item, group or component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, Unpack

import numpy as np

from partwise.inference.additive import values_of_draws
from partwise.inference.blocks import Crossing
from partwise.inference.bootstrap import check_units, notes_of, read_blocks, read_units
from partwise.inference.draws import Drawing, each_draw, takes_draws
from partwise.inference.items.item_draws import with_counts
from partwise.inference.items.leave_one_out import values_without_one
from partwise.inference.report import Report, column_of, position_of
from partwise.inference.statistics import (
    Statistic,
    Statistics,
    checked,
    counted_table,
    read_statistics,
)
from partwise.labels import Account
from partwise.labels.account import counted
from partwise.measures.aliases import takes
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import packed, unpacked
from partwise.report.plots.distributions import draw_forest
from partwise.report.plots.style import saved
from partwise.table.arguments import Reference
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Labels, Policies


@dataclass(frozen=True, eq=False, repr=False)
class Jackknife(Report):
    """Values of measures without each unit.

    Attributes
    ----------
    measures : tuple of str
    observed : ndarray of float64, shape (m,)
        Values on the data itself (after clusters were cut, where they were).
    values : ndarray of float64, shape (k, m)
        Values without one unit; for items, without one item of each cell.
    copies : ndarray of int64, shape (k,)
        How many units each of these values stands for (1 but for items).
    by : {"items", "groups", "components"}
    level : float
    accounts : tuple of one Account
        What came in and what the policies did.
    notes : list of str
        What a reader should know.
    """

    _schema: ClassVar[str] = "jackknife/1"

    measures: tuple[str, ...]
    observed: FloatArray
    values: FloatArray
    copies: IntArray
    by: str
    level: float
    accounts: tuple[Account, ...]
    notes: list[str]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.copies.sum())

    @property
    def _mean(self) -> FloatArray:
        mean: FloatArray = self.copies @ self.values / self.n_units
        return mean

    @property
    def bias(self) -> FloatArray:
        """(units - 1) times (mean without one - observed)."""
        return (self.n_units - 1) * (self._mean - self.observed)

    @property
    def standard_error(self) -> FloatArray:
        """Root of (units - 1) / units times the squared deviations' sum."""
        squares = self.copies @ (self.values - self._mean) ** 2
        errors: FloatArray = np.sqrt((self.n_units - 1) / self.n_units * squares)
        return errors

    @property
    def _reach(self) -> FloatArray:
        from scipy.special import stdtrit

        return float(stdtrit(self.n_units - 1, (1 + self.level) / 2)) * self.standard_error

    @property
    def low(self) -> FloatArray:
        """Lower ends of the intervals (Student's t around the observed value)."""
        return self.observed - self._reach

    @property
    def high(self) -> FloatArray:
        """Upper ends of the intervals."""
        return self.observed + self._reach

    def __getitem__(self, measure: str) -> FloatArray:
        """Return the values of a measure without each unit."""
        values: FloatArray = self.values[:, position_of(measure, self.measures)]
        return values

    def _lines_of_numbers(self) -> list[tuple[Any, ...]]:
        columns = (self.observed, self.standard_error, self.low, self.high, self.bias)
        return list(zip(self.measures, *(x.tolist() for x in columns), strict=True))

    @property
    def header(self) -> str:
        """What was done, as one line."""
        return (
            f"jackknife over {counted(self.n_units, self.by[:-1])}; interval of level "
            f"{self.level:g}"
        )

    def plot(self, path: str | None = None, *, ax: Any = None) -> Any:
        """Draw the values of the measures with their intervals.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        return saved(
            draw_forest(
                self.measures,
                self.observed,
                self.low,
                self.high,
                xlabel=f"value, with the jackknife interval of level {self.level:g}",
                ax=ax,
            ),
            path,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the single values as plain dicts and numbers."""
        names = ("value", "standard_error", "low", "high", "bias")
        return {
            "account": self.accounts[0].to_dict(),
            "by": self.by,
            "units": self.n_units,
            "level": self.level,
            "measures": {
                line[0]: dict(zip(names, line[1:], strict=True))
                for line in self._lines_of_numbers()
            },
            "notes": list(self.notes),
        }

    def _options(self) -> dict[str, Any]:
        return {"by": self.by, "level": self.level}

    def _document(self) -> dict[str, Any]:
        return {**self.to_dict(), "values": packed(self.values), "copies": packed(self.copies)}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        lines = document["measures"]
        return cls(
            measures=tuple(lines),
            observed=column_of(lines.values(), "value"),
            values=unpacked(document["values"]),
            copies=unpacked(document["copies"]),
            by=document["by"],
            level=document["level"],
            accounts=(Account.from_dict(document["account"]),),
            notes=document["notes"],
        )


def _without_items(
    table: Contingency, statistics: Sequence[Statistic], drawing: Drawing
) -> FloatArray:
    """Return what statistics are without an item of each cell."""
    values = np.empty((table.n_cells, len(statistics)), dtype=np.float64)
    pending = np.ones(values.shape, dtype=bool)
    formulas = [
        (j, one.entry)
        for j, one in enumerate(statistics)
        if one.entry is not None and one.entry.computation.formula is not None
    ]
    if formulas and table.masses is None:
        columns = [j for j, _ in formulas]
        values[:, columns], pending[:, columns] = values_without_one(
            table, [entry for _, entry in formulas]
        )
    rows, cells = table.rows, np.flatnonzero(pending.any(axis=1))

    def without(position: int) -> list[float]:
        cell = cells[position]
        counts = table.counts.copy()
        counts[cell] -= 1
        one = with_counts(rows, table.cols, counts)
        return [statistics[j].of(one) for j in np.flatnonzero(pending[cell]).tolist()]

    computed = each_draw(
        without,
        len(cells),
        drawing.workers,
        progress=drawing.progress,
        what="leaving out",
    )
    for cell, values_of_cell in zip(cells, computed, strict=True):
        values[cell, pending[cell]] = values_of_cell
    return values


@takes("measure")
@takes_draws(None, "level", "workers", "progress")
def jackknife(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Literal["groups", "components"] | None = None,
    crossing: Crossing = "error",
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> Jackknife:
    """Return what measures are without each item, group or component, and their errors.

    Parameters
    ----------
    reference, candidate, measure, groups, by, crossing
        As in ``bootstrap``.
    draws
        Level, workers and progress: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    Jackknife

    Raises
    ------
    ValueError, TypeError
        As ``bootstrap``.

    Notes
    -----
    No random numbers. Items of one cell are alike, so items cost one value per cell: O(1) where
    the measure is a function of sums, else a table each and O(cells^2) in all, with a bar where
    ``progress`` asks for one. Groups and components: one row of a matrix product each where the
    measure is a function of sums, else one table each.

    Examples
    --------
    >>> import partwise as pw
    >>> a, b = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 3, 3]
    >>> documents = [1, 1, 2, 2, 3, 3]
    >>> without_each = pw.jackknife(a, b, measure="b_cubed_recall", groups=documents)
    >>> without_each.values[:, 0].tolist()
    [0.75, 1.0, 0.75]
    """
    statistics = read_statistics(measure, "jackknife")
    unit = read_units(by, groups, crossing, "jackknife", reference)
    notes: list[str] = []
    if unit == "items":
        table = counted_table(reference, candidate, policies, "jackknife")
        check_units(table.n_items, unit)
        copies = table.counts
        values = _without_items(table, statistics, drawing)
    else:
        blocks = read_blocks(
            reference, candidate, policies, unit, groups, crossing, "jackknife"
        )
        table, n_blocks = blocks.table, len(blocks)
        check_units(n_blocks, unit)
        notes = notes_of(unit, sum(blocks.split))
        copies = np.ones(n_blocks, dtype=np.int64)

        def all_but(first: int, last: int) -> IntArray:
            return 1 - np.eye(last - first, n_blocks, first, dtype=np.int64)

        values = values_of_draws(
            blocks, statistics, all_but, n_blocks, drawing.workers, progress=drawing.progress
        )
    observed = np.array([one.of(table) for one in statistics], dtype=np.float64)
    checked(np.vstack((observed, values)), statistics)
    names = tuple(one.name for one in statistics)
    return Jackknife(
        measures=names,
        observed=observed,
        values=values,
        copies=copies,
        by=unit,
        level=drawing.level,
        accounts=(table.account,),
        notes=notes,
    )
