"""Paired tests: is one system better than another on the same reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal, Self, Unpack, get_args

import numpy as np

from partwise.inference.additive import values_of_draws
from partwise.inference.blocks import (
    Blocks,
    Crossing,
    group_blocks,
    occurring,
    with_groups,
)
from partwise.inference.bootstrap import (
    Unit,
    check_units,
    drawn_blocks,
    interval_of,
    notes_of,
    read_units,
)
from partwise.inference.draws import SWAPS, Drawing, stream_of, takes_draws
from partwise.inference.permutation import as_extreme, clopper_pearson
from partwise.inference.report import Report, position_of
from partwise.inference.statistics import Statistic, Statistics, checked, read_statistics
from partwise.inference.three_way_meet import ThreeWayMeet, check_same_items
from partwise.labels import Account, Clustering
from partwise.labels.account import counted
from partwise.labels.carried import read_groups
from partwise.labels.clustering import as_clustering
from partwise.labels.forms import shape_of_volumes
from partwise.labels.items.in_order import refuse_other_orders
from partwise.measures.aliases import takes
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.json_documents import packed, unpacked
from partwise.report.table import Table
from partwise.table.alignment import Alignment, owned
from partwise.table.contingency import Contingency
from partwise.typing import Labels, Policies

PairedMethod = Literal["randomization", "bootstrap"]
METHODS: tuple[str, ...] = get_args(PairedMethod)


@dataclass(frozen=True)
class PairedDifference:
    """One measure of two systems.

    Attributes
    ----------
    first, second : float
        Value of each system.
    difference : float
        second - first.
    p_value : float
        Two-sided.
    p_low, p_high : float
        Clopper-Pearson interval of what the p-value estimates.
    low, high : float or None
        Percentile interval of the difference (bootstrap only).
    """

    first: float
    second: float
    difference: float
    p_value: float
    p_low: float
    p_high: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False, repr=False)
class PairedTest(Report):
    """Measures of two systems on one reference, and whether they differ.

    Attributes
    ----------
    results : dict of str to PairedDifference
    method : {"randomization", "bootstrap"}
    by : {"items", "groups"}
    n_units, draws, seed : int
    level : float
    differences : ndarray of float64, shape (draws, m)
        Differences of the draws.
    accounts : tuple of two Accounts
        What came in and what the policies did, for each system.
    notes : list of str
        What a reader should know.
    """

    _schema: ClassVar[str] = "paired-test/1"

    results: dict[str, PairedDifference]
    method: str
    by: str
    n_units: int
    draws: int
    seed: int
    level: float
    differences: FloatArray
    accounts: tuple[Account, ...]
    notes: list[str]

    def __getitem__(self, measure: str) -> PairedDifference:
        position_of(measure, self.results)
        return self.results[measure]

    @property
    def p_value(self) -> float:
        """The p-value, where there is one measure."""
        if len(self.results) > 1:
            raise ValueError(f"several measures: ask for one of {', '.join(self.results)}")
        return next(iter(self.results.values())).p_value

    @property
    def header(self) -> str:
        """What was done, as one line."""
        what = "swaps" if self.method == "randomization" else "resamples"
        return (
            f"{self.draws} {what} of {counted(self.n_units, self.by[:-1])}, seed {self.seed}; "
            f"two-sided p = (1 + extreme) / (1 + draws), intervals of level {self.level:g}"
        )

    def _origin(self) -> dict[str, Any]:
        return {"accounts": [account.to_dict() for account in self.accounts]}

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain dicts, lists and numbers."""
        return {
            **self._origin(),
            "method": self.method,
            "by": self.by,
            "units": self.n_units,
            "draws": self.draws,
            "seed": self.seed,
            "level": self.level,
            "measures": {name: asdict(one) for name, one in self.results.items()},
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """Return the table, a measure a line; a star where the systems differ."""
        table = super().table()
        alpha = 1 - self.level
        column = table.header.index("difference")
        marks = {
            (i, column): "*"
            for i, one in enumerate(self.results.values())
            if one.p_value <= alpha
        }
        legend = [f"* p <= {alpha:.3g}, two-sided"] if marks else []
        return replace(table, marks=marks, legend=legend)

    def _options(self) -> dict[str, Any]:
        names = ("method", "by", "draws", "seed", "level")
        return {name: getattr(self, name) for name in names}

    def _document(self) -> dict[str, Any]:
        return {**self.to_dict(), "differences": packed(self.differences)}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        lines = document["measures"]
        results = {name: PairedDifference(**line) for name, line in lines.items()}
        return cls(
            results=results,
            method=document["method"],
            by=document["by"],
            n_units=document["units"],
            draws=document["draws"],
            seed=document["seed"],
            level=document["level"],
            differences=unpacked(document["differences"]),
            notes=document["notes"],
            **cls._origin_of(document),
        )

    @classmethod
    def _origin_of(cls, document: dict[str, Any]) -> dict[str, Any]:
        return {"accounts": tuple(map(Account.from_dict, document["accounts"]))}


@takes("measure")
@takes_draws(1999)
def paired_test(
    reference: Labels,
    system1: Labels,
    system2: Labels,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Unit | None = None,
    method: PairedMethod | None = None,
    crossing: Crossing = "error",
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> PairedTest:
    """Test whether two systems differ on the same reference.

    Parameters
    ----------
    reference, system1, system2
        Three clusterings of the same items, in any form that ``align`` takes.
    measure : str, callable, or several
        Names of the catalogue, or functions that take a ``Contingency`` and return a number.
    groups : array-like of shape (n,), or mapping by item, optional
        Group of each item (its document), in the reference's item order.
    by : {"items", "groups"}, optional
        What is swapped or drawn; by default groups if there are any, else items.
    method : {"randomization", "bootstrap"}, optional
        "randomization" for groups, "bootstrap" for items.
    crossing : {"error", "split"}, default "error"
        As in ``bootstrap``.
    draws
        How to draw: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    PairedTest

    Raises
    ------
    ValueError
        As ``bootstrap``; randomization by items; the systems do not cover the same items.

    Notes
    -----
    Randomization: under the hypothesis that the systems are interchangeable, their outputs on
    each group are exchanged or not, with probability 1/2. Single items cannot be exchanged: a
    label says nothing outside its own clustering. Bootstrap: the same units are drawn for both
    systems; how often the difference of a draw is as far from the observed difference as that
    is from 0. Items are drawn from the cells of the three-way meet (reference, system 1,
    system 2). p = (1 + b) / (1 + draws) in either case, all measures on the same draws, not
    corrected for their number.

    References
    ----------
    Noreen, Computer-intensive methods for testing hypotheses (1989).

    Examples
    --------
    >>> import partwise as pw
    >>> gold = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    >>> good = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6]
    >>> bad = [0, 9, 1, 8, 2, 7, 3, 10, 4, 11, 5, 6]
    >>> documents = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    >>> test = pw.paired_test(
    ...     gold, bad, good, measure="b_cubed_recall", groups=documents, seed=1
    ... )
    >>> round(test["b_cubed_recall"].difference, 3)
    0.417
    """
    statistics = read_statistics(measure, "paired_test")
    _check_sides(reference, system1, system2)
    if shape_of_volumes(reference, system1, system2) is None:
        reference, system1, system2 = _clusterings(reference, system1, system2)
    unit = read_units(by, groups, crossing, "paired_test")
    if unit == "components":
        raise ValueError(
            "paired_test draws items or groups: the components of two systems are not the same"
        )
    if method is None:
        method = "bootstrap" if unit == "items" else "randomization"
    one_of(method, METHODS, "method")
    if unit == "items" and method == "randomization":
        raise ValueError(
            "single items cannot be exchanged between systems, since a label says nothing "
            'outside its own clustering; pass groups=, or method="bootstrap"'
        )
    notes: list[str] = []
    if unit == "items":
        meet = ThreeWayMeet.of(reference, system1, system2, policies)
        accounts = meet.accounts
        tables, n_units = meet.tables(meet.counts), int(meet.counts.sum())
        check_units(n_units, unit)
        values = meet.values_of_draws(statistics, drawing)
        notes = notes_of(unit, 0)
    else:
        pair = _group_pair(reference, system1, system2, groups, crossing, policies)
        tables, n_units = (pair[0].table, pair[1].table), len(pair[0])
        check_units(n_units, unit)
        accounts = (tables[0].account, tables[1].account)
        notes = notes_of(unit, sum(pair[0].split) + pair[1].split[1])
        values = _by_groups(pair, statistics, method, drawing)
    observed = np.array([[one.of(table) for one in statistics] for table in tables])
    checked(np.concatenate((observed[:, None], values), axis=1), statistics)
    differences = values[1] - values[0]
    results = {
        one.name: difference_of(
            observed[:, j], differences[:, j], values[:, :, j], method, drawing.level
        )
        for j, one in enumerate(statistics)
    }
    return PairedTest(
        results=results,
        method=method,
        by=unit,
        n_units=n_units,
        draws=drawing.draws,
        seed=drawing.seed,
        level=drawing.level,
        differences=differences,
        accounts=accounts,
        notes=notes,
    )


def _check_sides(*sides: Any) -> None:
    """Raise where a side holds two clusterings."""
    for side in sides:
        if isinstance(side, Contingency):
            raise TypeError(
                "paired_test needs the items of three clusterings, which a Contingency does "
                "not hold; pass the clusterings"
            )
        if isinstance(side, Alignment):
            raise TypeError(
                "paired_test takes three clusterings (reference, system1, system2); of an "
                "Alignment pass .reference and .candidate, with groups=alignment.groups"
            )


def _clusterings(reference: Any, system1: Any, system2: Any) -> list[Clustering]:
    """Return the three sides, each read once.

    Raises
    ------
    ValueError
        The systems say that their items stand in different orders: a reference by position
        would have both as they stand.
    """
    names = ("reference", "system 1", "system 2")
    values = (reference, system1, system2)
    sides = [owned(as_clustering(*pair), pair[0]) for pair in zip(values, names, strict=True)]
    refuse_other_orders(names[1:], sides[1:])
    return sides


def difference_of(
    observed: FloatArray, differences: FloatArray, values: FloatArray, method: str, level: float
) -> PairedDifference:
    """Return the result of one measure."""
    difference = float(observed[1] - observed[0])
    # what counts as equal is set by the size of the values, of which this is a difference
    slack = 1e-12 * float(max(np.abs(values).max(), np.abs(observed).max()))
    centre = difference if method == "bootstrap" else 0.0
    hits = as_extreme(np.abs(differences - centre) + slack, abs(difference), True)
    draws = len(differences)
    low = high = None
    if method == "bootstrap":
        ends = interval_of(differences[:, None], np.array([difference]), level, "percentile")
        low, high = (float(end[0]) for end in ends)
    p_low, p_high = clopper_pearson(hits, draws, level)
    return PairedDifference(
        first=float(observed[0]),
        second=float(observed[1]),
        difference=difference,
        p_value=(1 + hits) / (1 + draws),
        p_low=p_low,
        p_high=p_high,
        low=low,
        high=high,
    )


# ---- groups ----------------------------------------------------------------------------


def _group_pair(
    reference: Any,
    system1: Any,
    system2: Any,
    groups: Any,
    crossing: str,
    policies: Mapping[str, Any],
) -> tuple[Blocks, Blocks]:
    """Return the groups of both systems as blocks, the same groups in the same order."""
    grouping = read_groups(groups)
    pairs = [
        with_groups(reference, system, grouping, policies, "paired_test")
        for system in (system1, system2)
    ]
    check_same_items(pairs[0][0], pairs[1][0])
    codes, names = occurring(grouping.names, *(own.codes for _, own in pairs))
    blocks = []
    for number, ((aligned, _), group_of_items) in enumerate(zip(pairs, codes, strict=True), 1):
        try:
            blocks.append(group_blocks(aligned, group_of_items, names, crossing, "paired_test"))
        except ValueError as error:
            raise ValueError(f"system {number}: {error}") from error
    return blocks[0], blocks[1]


def _by_groups(
    pair: tuple[Blocks, Blocks],
    statistics: list[Statistic],
    method: str,
    drawing: Drawing,
) -> FloatArray:
    """Return the values of both systems in all draws, shape (2, draws, measures)."""
    n = len(pair[0])
    blocks = pair[0].followed_by(pair[1])

    def copies_for(system: int) -> Callable[[int, int], IntArray]:
        def copies(first: int, last: int) -> IntArray:
            if method == "bootstrap":
                own = drawn_blocks(drawing.seed, first, last, n)
                other = np.zeros_like(own)
            else:
                other = np.stack([coins(drawing.seed, draw, n) for draw in range(first, last)])
                own = 1 - other
            return np.hstack((other, own) if system else (own, other))

        return copies

    values = [
        values_of_draws(
            blocks,
            statistics,
            copies_for(system),
            drawing.draws,
            drawing.workers,
            progress=drawing.progress,
        )
        for system in (0, 1)
    ]
    return np.stack(values)


def coins(seed: int, draw: int, n: int) -> IntArray:
    """Return n times 0 or 1."""
    key = np.array([seed, stream_of(SWAPS, draw)], dtype=np.uint64)
    words = np.random.Philox(key=key).random_raw(-(-n // 64))
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little", count=n)
    return bits.astype(np.int64)
