"""Bootstrap: how a score varies over other items, documents or components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, Unpack, get_args

import numpy as np

from partwise import _kernels
from partwise.inference.additive import values_of_draws
from partwise.inference.blocks import (
    CROSSING,
    Blocks,
    Crossing,
    component_blocks,
    group_blocks,
    occurring,
    with_groups,
)
from partwise.inference.draws import BOOTSTRAP, Drawing, stream_of, takes_draws
from partwise.inference.items.item_draws import drawn_counts, with_counts
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
from partwise.numbers.checks import one_of
from partwise.report.json_documents import packed, unpacked
from partwise.report.plots.distributions import draw_forest
from partwise.report.plots.style import saved
from partwise.table.alignment import Alignment
from partwise.table.arguments import Reference
from partwise.typing import Candidate, Labels, Policies

if TYPE_CHECKING:
    from partwise.table.contingency import Contingency

Unit = Literal["items", "groups", "components"]
UNITS: tuple[str, ...] = get_args(Unit)
Interval = Literal["percentile", "centered", "basic"]
INTERVALS: tuple[str, ...] = get_args(Interval)

#: Components are drawn by default where there are so many, so small, and none is so large.
_LEAST_COMPONENTS, _MEAN_SIZE, _LARGEST_SHARE = 30, 10, 0.1


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Report):
    """Values of measures on resampled data.

    Attributes
    ----------
    measures : tuple of str
    observed : ndarray of float64, shape (m,)
        Values on the data itself (after clusters were cut, where they were).
    values : ndarray of float64, shape (draws, m)
    by : {"items", "groups", "components"}
        What was drawn.
    n_units : int
        How many of them there are.
    interval : str
        How ``low`` and ``high`` are made.
    level : float
    seed : int
    accounts : tuple of one Account
        What came in and what the policies did.
    notes : list of str
        What a reader should know.
    """

    _schema: ClassVar[str] = "bootstrap/1"

    measures: tuple[str, ...]
    observed: FloatArray
    values: FloatArray
    by: str
    n_units: int
    interval: str
    level: float
    seed: int
    accounts: tuple[Account, ...]
    notes: list[str]

    @property
    def draws(self) -> int:
        """Number of draws."""
        return len(self.values)

    @property
    def bias(self) -> FloatArray:
        """Mean of the draws minus the observed value."""
        bias: FloatArray = self.values.mean(axis=0) - self.observed
        return bias

    @property
    def standard_error(self) -> FloatArray:
        """Standard deviation of the draws (divisor: draws - 1)."""
        if self.draws < 2:
            return np.full(len(self.measures), np.nan)
        errors: FloatArray = self.values.std(axis=0, ddof=1)
        return errors

    @property
    def low(self) -> FloatArray:
        """Lower ends of the intervals."""
        return interval_of(self.values, self.observed, self.level, self.interval)[0]

    @property
    def high(self) -> FloatArray:
        """Upper ends of the intervals."""
        return interval_of(self.values, self.observed, self.level, self.interval)[1]

    def __getitem__(self, measure: str) -> FloatArray:
        """Return the draws of a measure."""
        draws: FloatArray = self.values[:, position_of(measure, self.measures)]
        return draws

    @property
    def header(self) -> str:
        """What was done, as one line."""
        return (
            f"{counted(self.draws, 'draw')} of {counted(self.n_units, self.by[:-1])} with "
            f"replacement, seed {self.seed}; {self.interval} interval of level {self.level:g}"
        )

    def _lines_of_numbers(self) -> list[tuple[Any, ...]]:
        low, high = interval_of(self.values, self.observed, self.level, self.interval)
        columns = (self.observed, self.standard_error, low, high, self.bias)
        return list(zip(self.measures, *(x.tolist() for x in columns), strict=True))

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
                xlabel=f"value, with the {self.interval} interval of level {self.level:g} "
                f"({self.draws} draws of {self.by})",
                ax=ax,
            ),
            path,
        )

    def _origin(self) -> dict[str, Any]:
        return {"account": self.accounts[0].to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain dicts, lists and numbers."""
        names = ("value", "standard_error", "low", "high", "bias")
        return {
            **self._origin(),
            "by": self.by,
            "units": self.n_units,
            "draws": self.draws,
            "seed": self.seed,
            "interval": self.interval,
            "level": self.level,
            "measures": {
                line[0]: dict(zip(names, line[1:], strict=True))
                for line in self._lines_of_numbers()
            },
            "notes": list(self.notes),
        }

    def _options(self) -> dict[str, Any]:
        names = ("by", "draws", "seed", "interval", "level")
        return {name: getattr(self, name) for name in names}

    def _document(self) -> dict[str, Any]:
        return {**self.to_dict(), "values": packed(self.values)}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls(**_fields_of(document), **cls._origin_of(document))

    @classmethod
    def _origin_of(cls, document: dict[str, Any]) -> dict[str, Any]:
        return {"accounts": (Account.from_dict(document["account"]),)}


def _fields_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a bootstrap, but for where the values come from."""
    lines = document["measures"]
    return {
        "measures": tuple(lines),
        "observed": column_of(lines.values(), "value"),
        "values": unpacked(document["values"]),
        "by": document["by"],
        "n_units": document["units"],
        "interval": document["interval"],
        "level": document["level"],
        "seed": document["seed"],
        "notes": document["notes"],
    }


def interval_of(
    values: FloatArray, observed: FloatArray, level: float, kind: str
) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper ends of the intervals of columns of draws."""
    half = (1 - level) / 2
    low, high = np.quantile(values, [half, 1 - half], axis=0)
    if kind == "basic":
        return 2 * observed - high, 2 * observed - low
    shift = observed - values.mean(axis=0) if kind == "centered" else 0.0
    return low + shift, high + shift


def read_blocks(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    by: str,
    groups: Any,
    crossing: str,
    function: str,
) -> Blocks:
    """Return the groups or components that are drawn."""
    if by == "components":
        return component_blocks(counted_table(reference, candidate, policies, function))
    aligned, grouping = with_groups(reference, candidate, groups, policies, function)
    group_of_items = grouping.codes
    if aligned.multiplicity is not None:
        (used,), names = occurring(grouping.names, group_of_items[aligned.multiplicity > 0])
        codes = np.zeros_like(group_of_items)
        codes[aligned.multiplicity > 0] = used
    else:
        (codes,), names = occurring(grouping.names, group_of_items)
    return group_blocks(aligned, codes, names, crossing, function)


def read_units(
    by: str | None, groups: Any, crossing: str, function: str, reference: Any = None
) -> str:
    """Return what is drawn; groups, unless ``by`` says otherwise, where there are any."""
    one_of(crossing, CROSSING, "crossing")
    carried = isinstance(reference, Alignment) and reference.grouping is not None
    has_groups = carried or groups is not None
    unit = by if by is not None else ("groups" if has_groups else "items")
    one_of(unit, UNITS, "by")
    if unit == "groups" and not has_groups:
        raise ValueError(f'{function}: by="groups" needs groups=, the group of each item')
    if unit != "groups" and groups is not None:
        raise ValueError(f'{function} got groups= beside by="{unit}"; it needs by="groups"')
    return unit


def look_like_records(table: Contingency) -> bool:
    """Return whether items are as records of entities: in many small components of the join."""
    sizes = table.components().sizes
    return len(sizes) >= _LEAST_COMPONENTS and bool(
        table.n_items <= _MEAN_SIZE * len(sizes)
        and sizes.max() <= _LARGEST_SHARE * table.n_items
    )


def notes_of(by: str, split: int) -> list[str]:
    """Return what a reader of resampled values should know."""
    if by == "items":
        return [
            "copies of one item are always together, which draws values towards agreement: see "
            "the bias; the centered interval leaves it out"
        ]
    return [f"{counted(split, 'cluster')} cut at the groups' borders"] if split else []


@takes("measure")
@takes_draws(1000, least=2)
def bootstrap(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Unit | None = None,
    crossing: Crossing = "error",
    interval: Interval | None = None,
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> Bootstrap:
    """Return how measures vary when items, groups of items or components are drawn again.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    measure : str, callable, or several
        Names of the catalogue, or functions that take a ``Contingency`` and return a number.
    groups : array-like of shape (n,), or mapping by item, optional
        Group of each item (its document, patient, block), in the reference's item order; an
        Alignment made with ``groups=`` brings its own.
    by : {"items", "groups", "components"}, optional
        What is drawn. By default groups if there are any; components of the join where the
        items look like records of entities, which is told in the notes: at least 30
        components, of 10 items or fewer on average, none with more than a tenth of all items;
        else items.
    crossing : {"error", "split"}, default "error"
        What to do where a cluster holds items of several groups: refuse, or cut it at their
        borders (and say so in the notes; the observed value is then that of the cut clusters).
    interval : {"percentile", "centered", "basic"}, optional
        Quantiles of the draws; the same moved so that their mean is the observed value (the
        default for items); twice the observed value minus the quantiles. The last two may
        leave the measure's range.
    draws
        How to draw: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    Bootstrap

    Raises
    ------
    ValueError
        A cluster crosses groups; there is only one group; weights are given.
    TypeError
        ``groups`` beside a table, which knows no items.

    Notes
    -----
    Items: as many items as there are, each any of the items (a multinomial draw of the cells);
    copies of an item are always together, so pair counts and entropies of the draws are biased
    towards agreement. This is the resampling's doing, not the measure's: the bias is in the
    result, and the centered interval leaves it out. Groups: as many groups as there are,
    copies of a group standing apart. Components of the join likewise: no cluster crosses them.
    Records of entities are drawn so, as it is entities that another sample would replace.
    Where a measure is a function of sums over groups (pair counts, entropies, B-cubed,
    purity) or a mean over components (classification accuracy, F, S_H; solved once), a draw
    costs one row of a matrix product; others are computed on the table of the
    draw.

    Examples
    --------
    >>> import partwise as pw
    >>> a = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    >>> b = [0, 0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7]
    >>> documents = ["x", "x", "x", "x", "y", "y", "y", "y", "z", "z", "z", "z"]
    >>> drawn = pw.bootstrap(a, b, measure="b_cubed_recall", groups=documents, seed=1)
    >>> bool(drawn.low[0] <= pw.b_cubed_recall(a, b) <= drawn.high[0])
    True
    """
    statistics = read_statistics(measure, "bootstrap")
    unit = read_units(by, groups, crossing, "bootstrap", reference)
    counted_items = None
    if unit == "items":
        counted_items = counted_table(reference, candidate, policies, "bootstrap")
        if by is None and look_like_records(counted_items):
            unit = "components"
    if interval is None:
        interval = "centered" if unit == "items" else "percentile"
    one_of(interval, INTERVALS, "interval")
    split = 0
    if unit == "items" and counted_items is not None:
        table = counted_items
        n_units = table.n_items
        check_units(n_units, unit)
        values = _by_items(table, statistics, drawing)
    else:
        blocks = (
            read_blocks(reference, candidate, policies, unit, groups, crossing, "bootstrap")
            if counted_items is None
            else component_blocks(counted_items)
        )
        table, n_units, split = blocks.table, len(blocks), sum(blocks.split)
        check_units(n_units, unit)

        def copies(first: int, last: int) -> IntArray:
            return drawn_blocks(drawing.seed, first, last, n_units)

        values = values_of_draws(
            blocks,
            statistics,
            copies,
            drawing.draws,
            drawing.workers,
            progress=drawing.progress,
        )
    observed = np.array([one.of(table) for one in statistics], dtype=np.float64)
    checked(np.vstack((observed, values)), statistics)
    names = tuple(one.name for one in statistics)
    notes = notes_of(unit, split)
    if unit == "components" and by is None:
        notes.append(
            "components of clusters were drawn, as they are many and small, like the records "
            "of entities; drawing items instead is biased towards agreement"
        )
    return Bootstrap(
        measures=names,
        observed=observed,
        values=values,
        by=unit,
        n_units=n_units,
        interval=interval,
        level=drawing.level,
        seed=drawing.seed,
        accounts=(table.account,),
        notes=notes,
    )


def check_units(n_units: int, by: str) -> None:
    """Raise if there is nothing to resample."""
    if n_units < 2:
        raise ValueError(
            f"there {'is' if n_units == 1 else 'are'} {counted(n_units, by[:-1])}; at least 2 "
            "are needed to see how values vary"
        )


def drawn_blocks(seed: int, first: int, last: int, n: int) -> IntArray:
    """Return how often each of n blocks occurs among n drawn with replacement, a row a draw."""
    return _kernels.impl.resample(n, seed, stream_of(BOOTSTRAP, first), last - first)


def _by_items(table: Contingency, statistics: list[Statistic], drawing: Drawing) -> FloatArray:
    rows = table.rows

    def one(draw: int) -> list[float]:
        counts = drawn_counts(table.counts, drawing.seed, BOOTSTRAP, draw)
        resampled = with_counts(rows, table.cols, counts)
        return [statistic.of(resampled) for statistic in statistics]

    values = drawing.each(one)
    return np.array(values, dtype=np.float64)
