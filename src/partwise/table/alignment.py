"""Aligning two clusterings item by item, under stated policies, with an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import read_workers, working
from partwise.labels.account import Account
from partwise.labels.apply_policies import NAMES, Side, apply_policies
from partwise.labels.carried import (
    CompanionArguments,
    Companions,
    Grouping,
)
from partwise.labels.clustering import Clustering, as_clustering, id_array
from partwise.labels.columns import (
    Column,
)
from partwise.labels.forms import shape_of_volumes
from partwise.labels.indexes import ItemOrder
from partwise.labels.items.in_order import refuse_other_rows
from partwise.labels.items.matching import match_items
from partwise.labels.notes import Note, flattened
from partwise.labels.policies import SidePolicies, read_policies
from partwise.labels.suspicions import all_distinct
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import html_of
from partwise.table.contingency import Contingency
from partwise.table.counted_items import CountedItems, counted_items
from partwise.table.memo import Memo
from partwise.table.plain_arrays import deferred_table, small_table
from partwise.typing import Column as ItemValues
from partwise.typing import Duplicates, Labels, Missing, Unmatched


class Alignment:
    """Two clusterings of the same items, in one order.

    Attributes
    ----------
    reference, candidate : Clustering
        Labels of the compared items on each side.
    items : ndarray of shape (n,)
        Ids of the compared items (positions where there are none).
    account : Account
        What came in, what the policies did, and what about it is suspicious.
    weights : ndarray of float64, shape (n,), or None
        Mass of each compared item.
    multiplicity : ndarray of int64, shape (n,), or None
        How often each compared item counts.
    features : ndarray of float64, shape (n, d), or None
        Row of numbers of each compared item.
    groups : ndarray of shape (n,), or None
        Group (document, say) of each compared item.
    table : Contingency
        The sparse table of the two (built once, on first use).
    """

    def __init__(
        self,
        reference: Column,
        candidate: Column,
        items: Column | None,
        account: Account,
        companions: Companions | None = None,
    ) -> None:
        self.reference = Clustering._of(reference, items)
        self.candidate = Clustering._of(candidate, items)
        self._account = account
        companions = Companions() if companions is None else companions
        self.weights: FloatArray | None = companions.weights
        self.multiplicity: IntArray | None = companions.multiplicity
        self.features: FloatArray | None = companions.features
        self.grouping: Grouping | None = companions.groups
        self._items = items
        self.memo = Memo()
        #: that of the comparisons with one reference, if this is one of several
        self.reference_memo: Memo | None = None

    @property
    def n_items(self) -> int:
        """Number of compared items (each once, whatever its multiplicity)."""
        return len(self.reference)

    @property
    def items(self) -> NDArray[Any]:
        """Ids of the compared items (positions where there are none)."""
        return id_array(self._items, self.n_items)

    @property
    def account(self) -> Account:
        """What came in, what the policies did, and what about it is suspicious."""
        return self.table.account  # it knows whether each item has a label of its own

    @property
    def groups(self) -> NDArray[Any] | None:
        """Group of each compared item, None where none were given."""
        return None if self.grouping is None else self.grouping.names[self.grouping.codes]

    @property
    def table(self) -> Contingency:
        """The sparse table of the two clusterings."""
        return self._table_and_cells()[0]

    @property
    def counted_items(self) -> CountedItems:
        """The items that count, as the table has them."""
        return self.memo.get("counted items", self._count_items)

    @property
    def cell_of_item(self) -> IntArray:
        """The cell of each item that counts."""
        return self.memo.get("cell of item", self._locate_items)

    def _table_and_cells(self) -> tuple[Contingency, IntArray | None]:
        return self.memo.get("table and cells", self._count)

    def _count(self) -> tuple[Contingency, IntArray | None]:
        """Return what ``_tally`` does, with a note if every item has a label of its own."""
        table, cells = self._tally()
        n = table.n_items
        if n > 1 and table.shape == (n, n):
            notes = tuple(dict.fromkeys((*self._account.notes, all_distinct(n))))
            table = replace(table, account=replace(self._account, notes=notes))
        return table, cells

    def _tally(self) -> tuple[Contingency, IntArray | None]:
        """Return the table, and the cell of each item where it was found on the way."""
        if self.weights is None and self.multiplicity is None:
            columns = self.reference.column, self.candidate.column
            table = deferred_table(columns, self._account)
            if table is None:
                table = Contingency._of_columns(*columns, self._account)
            return table, None
        keeps_items = self.features is not None  # centroids ask for the items again
        if not keeps_items and self.reference_memo is None:
            sides = self.reference.column, self.candidate.column
            small = small_table(sides, self.weights, self.multiplicity, self._account)
            if small is not None:
                return small, None
        items = self.counted_items if keeps_items else self._count_items()
        times = items.times
        if times is None:
            times = np.ones(len(self.reference), dtype=np.int64)
        table, cells = Contingency._of_sides(*items.sides, times, self._account)
        return table, cells if keeps_items else None

    def _count_items(self) -> CountedItems:
        columns = self.reference.column, self.candidate.column
        return counted_items(columns, self.weights, self.multiplicity, self.reference_memo)

    def _locate_items(self) -> IntArray:
        table, cells = self._table_and_cells()
        if cells is None:
            rows, cols = (side.column.codes for side in self.counted_items.sides)
            cells = _kernels.impl.locate(table.indptr, table.cols, rows, cols)
        return cells

    def __repr__(self) -> str:
        return f"Alignment({self.account.describe()})"

    def _repr_html_(self) -> str:
        return html_of(self)


def align(
    reference: Labels,
    candidate: Labels,
    *,
    unmatched: Unmatched | tuple[Unmatched, Unmatched] = "error",
    missing: Missing | tuple[Missing, Missing] = "error",
    missing_labels: object = None,
    duplicates: Duplicates | tuple[Duplicates, Duplicates] = "error",
    weights: ItemValues | None = None,
    multiplicity: ItemValues | None = None,
    features: ItemValues | None = None,
    groups: Labels | None = None,
    workers: int | None = None,
) -> Alignment:
    """Align two clusterings of the same items and account for every item.

    Parameters
    ----------
    reference, candidate : array-like of shape (n,), mapping, list of sets, or Clustering
        Labels by position; a mapping item -> label; clusters as sets of items; or a
        ``Clustering`` (with ``items=`` for ids). Both sides carry item ids or neither does.
    unmatched : {"error", "drop", "singletons"} or a pair of them
        Items on one side only. Of a pair (x, y), x is for items only in the reference, y for
        items only in the candidate. "singletons" gives the item a cluster of its own on the
        side that lacks it.
    missing : {"error", "drop", "singletons", "cluster"} or a pair (reference, candidate)
        Items without a label (None, NaN, NaT, NA, masked). "drop" removes the item from both
        sides; "cluster" puts all such items of a side together.
    missing_labels : label, list or set of labels, or a pair (reference, candidate), optional
        Further values that mean "no label", e.g. -1. A tuple of two is always the pair.
    duplicates : {"error", "first", "last"} or a pair (reference, candidate)
        Items that occur again on their side; "error" also for equal labels.
    weights : array-like of shape (n,), or mapping by item, optional
        Mass of each item, finite and at least 0, in the reference's item order (before
        policies). Cells and clusters still come from items; masses take the place of counts
        in the measures that allow it.
    multiplicity : array-like of shape (n,), or mapping by item, optional
        Whole number per item: the same as repeating the item so often. 0 leaves it out.
    features : array-like of shape (n, d) or (n,), or mapping by item, optional
        Row of finite real numbers of each item, in the reference's item order (before
        policies). Measures of centroids need them; the others do without.
    groups : array-like of shape (n,), mapping by item, or Clustering, optional
        Group of each item, such as its document, in the reference's item order (before
        policies): what ``bootstrap`` and ``jackknife`` then draw as wholes.
    workers : int, optional
        Threads that number text, and join the items of both sides by their ids; -1 is one for
        each core; by default as ``set_workers`` says. They change no bit.

    Returns
    -------
    Alignment

    Raises
    ------
    ValueError
        Different lengths, or items a policy "error" stands against; the message names the
        first of them.
    TypeError
        A side is no clustering (text, 2-D frames, mixed label types); ``workers`` is no
        integer.

    Notes
    -----
    Items stand in the reference's order, items only in the candidate after them. O(n) for
    integer ids up to a few n, else a radix sort of the ids.

    Examples
    --------
    >>> import partwise as pw
    >>> a = {"x": 1, "y": 1, "z": 1}
    >>> b = {"z": "p", "y": "q"}
    >>> pw.align(a, b, unmatched="drop")
    Alignment(2 items compared, aligned by item; 1 dropped; 1 reference item not in the \
candidate (dropped))
    """
    with working(read_workers(workers)):
        return _aligned(
            reference,
            candidate,
            read_policies(unmatched, missing, missing_labels, duplicates),
            CompanionArguments(weights, multiplicity, features, groups),
            snapshot=True,
        )


def align_views(
    reference: Any, candidate: Any, *, is_block: bool = False, **arguments: Any
) -> Alignment:
    """Align as ``align`` does, perhaps on the caller's own memory: to count a table at once.

    ``is_block``: these are some of many items, see ``apply_policies``.
    """
    companions = CompanionArguments(
        *[arguments.pop(name, None) for name in CompanionArguments._fields]
    )
    policies = read_policies(**arguments)
    return _aligned(
        reference,
        candidate,
        policies,
        companions,
        snapshot=False,
        is_block=is_block,
    )


def _aligned(
    reference: Any,
    candidate: Any,
    policies: Sequence[SidePolicies],
    companions: CompanionArguments,
    *,
    snapshot: bool,
    is_block: bool = False,
) -> Alignment:
    """Align two clusterings; a snapshot owns its labels before anything looks at them twice."""
    volumes = shape_of_volumes(reference, candidate)
    if volumes is not None:
        reference, candidate = reference.ravel(), candidate.ravel()
        companions = companions.raveled(volumes)
    clusterings = [
        owned(as_clustering(values, name), values) if snapshot else as_clustering(values, name)
        for values, name in zip((reference, candidate), NAMES, strict=True)
    ]
    _check_indexes(*clusterings)
    sides = [
        Side(name, x.column, policy, x.n_items, x.empty_clusters, of_clusters=x.of_clusters)
        for name, x, policy in zip(NAMES, clusterings, policies, strict=True)
    ]
    items = [x.item_column for x in clusterings]
    if items[0] is not None and items[1] is not None:
        ids = match_items(sides[0], sides[1], items[0], items[1])
        matched_by = "item"
    elif items[0] is None and items[1] is None:
        ids = None
        matched_by = "position"
        if sides[0].given != sides[1].given:
            raise ValueError(
                f"the reference has {sides[0].given} labels, the candidate "
                f"{sides[1].given}; labels without item ids are compared by position and "
                "must be of one length (pass mappings or Clustering(labels, items=...) to "
                f"align by item{_with_index(*clusterings)})"
            )
        with_rows = dict(zip(("the reference", "the candidate"), clusterings, strict=True))
        if isinstance(companions.groups, Clustering):
            with_rows["groups"] = companions.groups
        refuse_other_rows(list(with_rows), list(with_rows.values()))
    else:
        with_ids, without = (0, 1) if items[0] is not None else (1, 0)
        raise ValueError(
            f"the {NAMES[with_ids]} has item ids, the {NAMES[without]} has none; give ids to "
            "both, with Clustering(labels, items=...), or to neither"
        )
    notes = tuple(dict.fromkeys(note for one in clusterings for note in one.notes))
    if volumes is not None:
        notes += (flattened(volumes),)
    if sides[0].alike_ids:
        notes += (Note("ids-alike", sides[0].alike_ids),)
    if companions.any():
        companions = companions.in_order_of(
            ItemOrder(
                "the reference",
                sides[0].given,
                clusterings[1].index if clusterings[0].index is None else clusterings[0].index,
                ids=items[0],
                further_ids=items[1],
                unordered=clusterings[0].unordered,
                others_dropped=any(policy.unmatched == "drop" for policy in policies),
            )
        )
    return Alignment(
        *apply_policies(sides, ids, matched_by, companions, notes, is_block=is_block)
    )


def _with_index(reference: Clustering, candidate: Clustering) -> str:
    """Return how Series of different lengths are aligned, "" for anything else."""
    if reference.index is None or candidate.index is None:
        return ""
    return ", for Series with items=series.index"


def owned(clustering: Clustering, values: Any) -> Clustering:
    """Return a clustering that no change of what it was read from can reach."""
    if clustering is not values:  # a Clustering owns its labels already
        clustering.column = clustering.column.copied()
    return clustering


def _check_indexes(reference: Clustering, candidate: Clustering) -> None:
    """Two pandas Series with different indexes must not be compared by position unseen."""
    first, second = reference.index, candidate.index
    if first is None or second is None or len(first) != len(second):
        return
    if not first.equals(second):
        raise ValueError(
            "reference and candidate are Series with different indexes; pass .to_numpy() to "
            "compare by position, or Clustering(series, items=series.index) to align by item"
        )
