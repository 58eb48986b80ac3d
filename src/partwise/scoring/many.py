"""Many clusterings of the same items: sums of all pairs straight from codes, then formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import long_columns
from partwise._kernels.wide_integers import WideIntegers
from partwise._kernels.workers import keep_scratch, map_blocks, take_scratch
from partwise.labels import Account, Clustering
from partwise.labels.account import SideAccount
from partwise.labels.apply_policies import NAMES
from partwise.labels.columns import (
    Column,
    Names,
    taken,
)
from partwise.labels.items.matching import same_items
from partwise.labels.notes import Note
from partwise.labels.policies import SidePolicies, read_policies
from partwise.labels.suspicions import all_distinct, label_notes
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.measures.split_merge.split_merge import COMBINES, s_entropy
from partwise.measures.split_merge.subcomponent_scores import ONE
from partwise.numbers import kernel_sums
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray
from partwise.numbers.kernel_sums import WORDS_OF_SUM
from partwise.progress import track
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency
from partwise.table.margins import SIDES, Margin, use_margin

Words = NDArray[np.uint64]

#: What the kernel must be asked for a sum of ``formulas.SUMS``; the rest comes for nothing.
_WANTED = {
    "cell_xlogx": kernel_sums.XLOGX,
    "row_maxima": kernel_sums.MAXIMA,
    "col_maxima": kernel_sums.MAXIMA,
    "exact_matches": kernel_sums.MATCHES,
    "b_cubed_precision": kernel_sums.B_CUBED,
    "b_cubed_recall": kernel_sums.B_CUBED,
}
_POLICIES = ("unmatched", "missing", "missing_labels", "duplicates")
_MOST_ITEMS = (1 << 32) - 1
#: Pairs whose formulas are worked out together.
_TOGETHER = 1 << 16
#: Candidates of one call of the kernel.
_LEAST_BLOCK, _MOST_BLOCK = 16, 256


def has_sums(entry: Measure) -> bool:
    """Return whether the measure is a function of sums that one pass over codes gives."""
    return entry.computation.formula is not None or _is_split_merge(entry)


def _is_split_merge(entry: Measure) -> bool:
    return entry.function is s_entropy and entry.options.get("combine", "product") in COMBINES


class ManyCodes:
    """Several clusterings of the same items in one order, as codes 0..k-1 of each.

    Parameters
    ----------
    clusterings : sequence of Clustering
    codes : ndarray of uint8, uint16 or uint32, shape (len(clusterings), n)
        All codes of a row occur.
    labels : list of ndarray or Names
        Label of each code.
    sizes : list of ndarray of int64
        Cluster sizes of each clustering.
    policies : pair of SidePolicies
        Policies that had nothing to do.
    """

    def __init__(
        self,
        clusterings: Sequence[Clustering],
        codes: NDArray[Any],
        labels: list[NDArray[Any] | Names],
        sizes: list[IntArray],
        policies: tuple[SidePolicies, SidePolicies],
    ) -> None:
        self._clusterings, self._codes, self._policies = clusterings, codes, policies
        self._labels = labels
        self._sizes = np.concatenate(sizes)
        self._clusters = np.array([len(part) for part in sizes], dtype=np.int64)
        self._starts = np.concatenate(([0], np.cumsum(self._clusters)))
        self.margins = [Margin(part) for part in sizes]
        self._n = codes.shape[1]
        self._bits = fraction_bits(self._n)
        self._notes_on_labels: dict[int, list[Note]] = {}

    @staticmethod
    def of(clusterings: Sequence[Clustering], policies: Mapping[str, Any]) -> ManyCodes | None:
        """Return the clusterings as codes; None where a pair needs to be aligned by itself.

        That is so where items carry something, or are without a label, on one side only, or
        repeated; also where the pair would be an error, which says more about it.
        """
        if any(policies.get(name) is not None for name in policies if name not in _POLICIES):
            return None
        sides = read_policies(
            **{name: value for name, value in policies.items() if name in _POLICIES}
        )
        if any(side.missing_labels for side in sides):
            return None
        columns = [one.column for one in clusterings]
        n = len(columns[0])
        if not 0 < n <= _MOST_ITEMS or any(len(column) != n for column in columns):
            return None
        if any(column.missing is not None and column.missing.any() for column in columns):
            return None
        orders = _orders(clusterings)
        if orders is None or not _same_indexes(clusterings):
            return None
        encoded, names, sizes = [], [], []
        for column, order in zip(columns, orders, strict=True):
            labels, codes = _kernels.impl.encode(column.codes)
            sizes.append(np.bincount(codes, minlength=len(labels)).astype(np.int64, copy=False))
            names.append(labels if column.names is None else taken(column.names, labels))
            in_order = codes if order is None else long_columns.taken(codes, order)
            encoded.append(_narrow(in_order, len(labels)))
        widest = max(encoded, key=lambda one: one.itemsize).dtype
        return ManyCodes(clusterings, np.array(encoded, dtype=widest), names, sizes, sides)

    @property
    def n_clusterings(self) -> int:
        """How many clusterings there are."""
        return len(self._clusters)

    def codes_of(self, i: int) -> NDArray[Any]:
        """Return the codes of a clustering, in the order of the items of the first."""
        codes: NDArray[Any] = self._codes[i]
        return codes

    def account(self, reference: int, candidate: int) -> Account:
        """Return the account of a pair."""
        pair = [self._clusterings[i] for i in (reference, candidate)]
        sides = [
            SideAccount(
                one.n_items,
                empty_clusters=one.empty_clusters,
                unmatched_policy=policy.unmatched,
                missing_policy=policy.missing,
                duplicates_policy=policy.duplicates,
            )
            for one, policy in zip(pair, self._policies, strict=True)
        ]
        return Account(
            items=self._n,
            matched_by="position" if pair[0].item_column is None else "item",
            reference=sides[0],
            candidate=sides[1],
            notes=self._notes(reference, candidate),
        )

    def _notes(self, reference: int, candidate: int) -> tuple[Note, ...]:
        """Return the notes on a pair: as readers made them, on labels, and on both sides."""
        pair = reference, candidate
        notes = [note for i in pair for note in self._clusterings[i].notes]
        for name, i in zip(NAMES, pair, strict=True):
            notes += [note.at(name) for note in self._label_notes(i)]
        if self._n > 1 and all(self._clusters[i] == self._n for i in pair):
            notes.append(all_distinct(self._n))
        return tuple(dict.fromkeys(notes))

    def _label_notes(self, i: int) -> list[Note]:
        """Return what is suspicious about the labels of a clustering, looked for once."""
        if i not in self._notes_on_labels:
            self._notes_on_labels[i] = label_notes(self._clusterings[i].column)
        return self._notes_on_labels[i]

    def aligned(self, reference: int, candidate: int) -> Alignment:
        """Return the alignment of a pair, whose table knows what is known of its sides."""
        rows, cols = (Column(self._codes[i], self._labels[i]) for i in (reference, candidate))
        items = self._clusterings[0].item_column
        alignment = Alignment(rows, cols, items, self.account(reference, candidate))
        sides = self.margins[reference], self.margins[candidate], self._all_items
        for side, margin in zip(SIDES, sides, strict=True):
            use_margin(alignment.table, side, margin)
        return alignment

    def table(self, reference: int, candidate: int) -> Contingency:
        """Return the table of a pair, with what is known of its sides, without an account."""
        codes = self._codes[reference], self._codes[candidate]
        scratch = take_scratch()
        try:
            tallied = _kernels.impl.tally(*codes, (scratch,))
        finally:
            keep_scratch(scratch)
        # every code occurs, so the clusters are the labels
        names = self._labels[reference], self._labels[candidate]
        cells, sizes = tallied[2:5], tallied[5:]
        table = Contingency._of(cells, *names, self._no_account, sizes=sizes)
        known = self.margins[reference], self.margins[candidate], self._all_items
        for side, margin in zip(SIDES, known, strict=True):
            table.memo.put(side, margin)
        return table

    @cached_property
    def _no_account(self) -> Account:
        return Account(items=self._n)

    @cached_property
    def _all_items(self) -> Margin:
        return Margin(np.array([self._n]))

    # ---- sums --------------------------------------------------------------------------

    def sums(self, reference: int, candidates: IntArray, wanted: int) -> Words:
        """Return the kernel's sums of one clustering against others."""
        return _kernels.impl.many_sums(
            self._codes, self._sizes, self._starts, reference, candidates, wanted, self._bits
        )

    @cached_property
    def _squares(self) -> WideIntegers:
        return WideIntegers.of([one.squares for one in self.margins])

    @cached_property
    def _xlogx(self) -> WideIntegers:
        return WideIntegers.of([one.xlogx(self._bits) for one in self.margins])

    def values(
        self,
        rows: Sequence[Measure],
        references: IntArray,
        candidates: IntArray,
        words: Words,
    ) -> tuple[FloatArray, BoolArray]:
        """Return measures of pairs, and which of them must be computed on their table.

        Both of shape (pairs, measures). ``words`` are the sums of the pairs, a row each; the
        others have the bits of the measures themselves, which share what they make of the
        sums.
        """
        values = np.empty((len(words), len(rows)), dtype=np.float64)
        unsure = np.zeros(values.shape, dtype=bool)
        sum_names = sums_needed(rows)
        for start in range(0, len(words), _TOGETHER):
            pairs = slice(start, start + _TOGETHER)
            states = self._states(sum_names, references[pairs], candidates[pairs], words[pairs])
            for j, entry in enumerate(rows):
                if entry.computation.formula is None:
                    values[pairs, j] = self._split_merge(entry, words[pairs])
                else:
                    of_entry = entry.computation.formula.values(states, entry.options)
                    values[pairs, j], unsure[pairs, j] = of_entry
        return values, unsure

    def pairs_apart(self, candidates: IntArray, words: Words) -> tuple[FloatArray, FloatArray]:
        """Return pairs together in each candidate but not in the first clustering, and reverse.

        ``words`` are the sums of the first clustering against the candidates. Whole numbers,
        rounded once where they do not fit a double.
        """
        names = ("n", "rows", "cols", "cells", "squares", "row_squares", "col_squares")
        pairs = self._states(names, np.zeros_like(candidates), candidates, words).pairs
        return _doubles(pairs.n01), _doubles(pairs.n10)

    def _states(
        self, sum_names: Iterable[str], references: IntArray, candidates: IntArray, words: Words
    ) -> States:
        sides: dict[str, Callable[[], Any]] = {
            "rows": lambda: self._clusters[references],
            "cols": lambda: self._clusters[candidates],
            "row_squares": lambda: self._squares[references],
            "col_squares": lambda: self._squares[candidates],
            "row_xlogx": lambda: self._xlogx[references],
            "col_xlogx": lambda: self._xlogx[candidates],
            "n": lambda: self._n,
        }
        cells = {
            "cell_xlogx": "xlogx",
            "exact_matches": "matches",
            "b_cubed_recall": "by_row",
            "b_cubed_precision": "by_col",
        }
        sums = {
            name: sides[name]() if name in sides else _wide(words, cells.get(name, name))
            for name in {*sum_names, "cells", "rows", "cols"}
        }
        return States(sums, len(words), self._bits)

    def _split_merge(self, entry: Measure, words: Words) -> FloatArray:
        if entry.options.get("combine", "product") == "product":
            above, below = _integers(words, "products"), self._n * ONE * ONE
        else:
            sides = (_integers(words, name) for name in ("row_scores", "col_scores"))
            above = [x + y for x, y in zip(*sides, strict=True)]
            below = 2 * self._n * ONE
        return np.array([x / below for x in above], dtype=np.float64)


def sums_needed(entries: Iterable[Measure]) -> set[str]:
    """Return the names of the sums that formulas of measures are made of."""
    formulas = ((entry.computation.formula, entry.options) for entry in entries)
    return {
        name
        for formula, options in formulas
        if formula is not None
        for name in formula.sums(options)
    }


def wanted_of(rows: Sequence[Measure]) -> int:
    """Return what the kernel must be asked for."""
    wanted = (
        kernel_sums.SPLIT_MERGE
        if any(entry.computation.formula is None for entry in rows)
        else 0
    )
    for name in sums_needed(rows):
        wanted |= _WANTED.get(name, 0)
    return wanted


def _wide(words: Words, name: str) -> WideIntegers:
    first, count = WORDS_OF_SUM[name]
    low = words[:, first].copy()
    if count == 1:
        return WideIntegers.of(low)
    return WideIntegers(words[:, first + 1].copy().view(np.int64), low)


def _doubles(values: Any) -> FloatArray:
    """Return whole numbers as doubles, each rounded once."""
    if isinstance(values, WideIntegers):
        return values.to_floats()
    return np.asarray(values, dtype=np.float64)


def _integers(words: Words, name: str) -> list[int]:
    first, count = WORDS_OF_SUM[name]
    lists = [words[:, first + word].tolist() for word in range(count)]
    return [sum(x << 64 * k for k, x in enumerate(one)) for one in zip(*lists, strict=True)]


def _narrow(codes: NDArray[Any], k: int) -> NDArray[Any]:
    narrowest = next(t for t in (np.uint8, np.uint16, np.uint32) if k - 1 <= np.iinfo(t).max)
    return codes.astype(narrowest)


def _orders(clusterings: Sequence[Clustering]) -> list[IntArray | None] | None:
    """Return where each clustering has the items of the first; None: not the same items.

    None in the list: in the same places.
    """
    ids = [one.item_column for one in clusterings]
    first = ids[0]
    if first is None:
        return [None] * len(ids) if all(one is None for one in ids) else None
    columns = [one for one in ids if one is not None]
    return same_items(first, columns) if len(columns) == len(ids) else None


def _same_indexes(clusterings: Sequence[Clustering]) -> bool:
    """Return whether all pandas Series among them have one index, and all files one order."""
    indexes = [one.index for one in clusterings if one.index is not None]
    orders = {one.row_ids for one in clusterings if one.row_ids}
    return len(orders) < 2 and all(indexes[0].equals(other) for other in indexes[1:])


# ---- all pairs, one against all ----------------------------------------------------------


def one_against_all(
    many: ManyCodes, rows: Sequence[Measure], workers: int, progress: bool
) -> tuple[FloatArray, BoolArray]:
    """Return the measures of the first clustering against each other, and those left to do.

    Both of shape (clusterings - 1, measures).
    """
    candidates = np.arange(1, len(many._clusters))
    wanted = wanted_of(rows)
    size = min(max(-(-len(candidates) // (4 * workers)), _LEAST_BLOCK), _MOST_BLOCK)
    blocks = [candidates[i : i + size] for i in range(0, len(candidates), size)]
    done = map_blocks(lambda block: many.sums(0, block, wanted), blocks, workers)
    shown = track(blocks, "scoring", progress)
    words = np.concatenate([block_words for _, block_words in zip(shown, done, strict=True)])
    references = np.zeros_like(candidates)
    return many.values(rows, references, candidates, words)


def all_pairs(
    many: ManyCodes, entry: Measure, workers: int, progress: bool
) -> tuple[FloatArray, BoolArray]:
    """Return a measure of all pairs, reference by candidate, and which are left to do.

    A pair is counted once: sums of one order are those of the other with sides exchanged.
    """
    m = len(many._clusters)
    wanted = wanted_of([entry])
    blocks = list(range(m))
    done = map_blocks(lambda i: many.sums(i, np.arange(i, m), wanted), blocks, workers)
    shown = track(blocks, "comparing", progress)
    words = np.concatenate([block_words for _, block_words in zip(shown, done, strict=True)])
    upper, lower = np.triu_indices(m)
    values = np.empty((m, m), dtype=np.float64)
    unsure = np.empty((m, m), dtype=bool)

    def fill(i: IntArray, j: IntArray, sums: Words) -> None:
        measured, unsure_pairs = many.values([entry], i, j, sums)
        values[i, j], unsure[i, j] = measured[:, 0], unsure_pairs[:, 0]

    fill(upper, lower, words)
    if entry.symmetric:
        values[lower, upper] = values[upper, lower]
        unsure[lower, upper] = unsure[upper, lower]
    else:
        fill(lower, upper, turned_sums(words))
    return values, unsure


def turned_sums(words: Words) -> Words:
    """Return the sums of tables with rows and columns exchanged."""
    turned = words.copy()
    for rows, cols in (
        ("row_maxima", "col_maxima"),
        ("by_row", "by_col"),
        ("row_scores", "col_scores"),
    ):
        (first, count), (second, _) = (
            WORDS_OF_SUM[rows],
            WORDS_OF_SUM[cols],
        )
        turned[:, first : first + count] = words[:, second : second + count]
        turned[:, second : second + count] = words[:, first : first + count]
    return turned
