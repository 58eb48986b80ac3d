"""The measures of coreference from one sparse table over all documents.

o is the number of mentions that a key entity and a response entity share, m(k) and m(r) are the
mentions of either, twinless ones too. Counts are per document, and add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import in_force, map_blocks
from partwise.coreference.documents.documents import MentionMatch, Side
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.solvers.gains import scaled_gains
from partwise.solvers.matching import best_matching
from partwise.table.contingency import Contingency
from partwise.table.count import contingency


@dataclass(frozen=True, slots=True)
class Counts:
    """Numerators and denominators of a measure, one per document.

    For BLANC the parts are links: coreference ones in the first row, the others in the second:
    ``recall_numerator`` has those common to both sides (shape (2, n_documents)).
    """

    recall_numerator: NDArray[Any]
    recall_denominator: NDArray[Any]
    precision_numerator: NDArray[Any]
    precision_denominator: NDArray[Any]

    @property
    def parts(self) -> tuple[NDArray[Any], ...]:
        """The four arrays."""
        return tuple(getattr(self, part.name) for part in fields(self))

    def of(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Counts:
        """Return each of the arrays changed."""
        return Counts(*map(change, self.parts))


@dataclass(frozen=True)
class Shared:
    """The table of entities, and what the measures take from it.

    Attributes
    ----------
    table : Contingency
        Matched mentions: key entities against response entities.
    rows, cols : int64 arrays
        Entities (numbers of the sides) of the table's rows and columns.
    key_sizes, response_sizes : int64 arrays
        Mentions of every entity.
    partner : int64 array
        The mention of the response that each mention of the key is, -1 for none.
    places : (Side, Side)
        The same mentions in their documents, where ``key`` and ``response`` have all in one.
    """

    key: Side
    response: Side
    table: Contingency
    rows: IntArray
    cols: IntArray
    key_sizes: IntArray
    response_sizes: IntArray
    partner: IntArray
    places: tuple[Side, Side]

    @property
    def n_documents(self) -> int:
        """Documents of either side."""
        return len(self.key.names)

    @cached_property
    def by_mentions(self) -> IntArray:
        """Cells that CEAF-m aligns: one to one with the largest sum of o (phi 3)."""
        return self._aligned(self.table.counts, tied=True)

    @cached_property
    def by_entities(self) -> IntArray:
        """Cells that CEAF-e aligns: the largest sum of 2 o / (m(k) + m(r)) (phi 4)."""
        return self._aligned(scaled_gains(phi4(self))[0], tied=False)

    def _aligned(self, gains: IntArray, *, tied: bool) -> IntArray:
        table = self.table
        matched, _, _ = best_matching(
            table.indptr, table.cols, gains, table.shape[1], tied=tied
        )
        responses: IntArray = matched[matched >= 0]
        return responses


def shared_of(
    key: Side, response: Side, match: MentionMatch, in_documents: tuple[Side, Side]
) -> Shared:
    """Return the table of matched mentions. O(mentions)."""
    of_key = np.flatnonzero(match.partner >= 0)
    of_response = match.partner[of_key]
    table = contingency(key.entity[of_key], response.entity[of_response])
    return Shared(
        key,
        response,
        table,
        np.asarray(table.row_labels, dtype=np.int64),
        np.asarray(table.col_labels, dtype=np.int64),
        np.bincount(key.entity, minlength=len(key.entity_document)),
        np.bincount(response.entity, minlength=len(response.entity_document)),
        match.partner,
        in_documents,
    )


def _added(values: IntArray, documents: IntArray, n: int) -> IntArray:
    """Return exact sums of integers per document."""
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, documents, values)
    return sums


def _order_free(values: FloatArray, documents: IntArray, n: int) -> FloatArray:
    """Return sums of doubles >= 0 per document that no order changes, rounded once."""
    top = float(values.max(initial=1.0)) * max(len(values), 1)
    bits = 119 - int(np.ceil(np.log2(top)))
    high, _ = _kernels.impl.sum_groups(values, documents.astype(np.int64), n, bits)
    return high


def pairs(sizes: IntArray) -> IntArray:
    """Return the links between so many mentions."""
    return sizes * (sizes - 1) // 2


def mention_counts(x: Shared) -> Counts:
    """Mention detection: matched mentions of all mentions of a side."""
    n = x.n_documents
    common = _added(x.table.row_sizes, x.key.entity_document[x.rows], n)
    return Counts(
        common,
        np.bincount(x.key.document, minlength=n),
        common,
        np.bincount(x.response.document, minlength=n),
    )


def muc_counts(x: Shared) -> Counts:
    """MUC (Vilain et al. 1995): m(k) - parts of k; a twinless mention is a part of its own."""
    n = x.n_documents
    parts = np.diff(x.table.indptr)
    kept = _added(x.table.row_sizes - parts, x.key.entity_document[x.rows], n)
    links = (
        _added(sizes - 1, side.entity_document, n)
        for sizes, side in ((x.key_sizes, x.key), (x.response_sizes, x.response))
    )
    return Counts(kept, next(links), kept, next(links))


def b_cubed_counts(x: Shared) -> Counts:
    """B-cubed (Bagga and Baldwin 1998) as in Pradhan et al. 2014: twinless mentions give 0."""
    mentions, table = mention_counts(x), x.table
    squares = table.counts.astype(np.float64) ** 2
    recall = squares / x.key_sizes[x.rows][table.rows]
    precision = squares / x.response_sizes[x.cols][table.cols]
    documents = x.key.entity_document[x.rows][table.rows]
    return Counts(
        _order_free(recall, documents, x.n_documents),
        mentions.recall_denominator,
        _order_free(precision, documents, x.n_documents),
        mentions.precision_denominator,
    )


def phi4(x: Shared) -> FloatArray:
    """Return CEAF's similarity of entities for each cell."""
    table = x.table
    sizes = x.key_sizes[x.rows][table.rows] + x.response_sizes[x.cols][table.cols]
    return 2.0 * table.counts / sizes


def _documents_of(x: Shared, cells: IntArray) -> IntArray:
    documents: IntArray = x.key.entity_document[x.rows][x.table.rows[cells]]
    return documents


def ceaf_m_counts(x: Shared) -> Counts:
    """CEAF over mentions (Luo 2005): what the best one-to-one alignment shares."""
    mentions, cells = mention_counts(x), x.by_mentions
    best = _added(x.table.counts[cells], _documents_of(x, cells), x.n_documents)
    return Counts(best, mentions.recall_denominator, best, mentions.precision_denominator)


def ceaf_e_counts(x: Shared) -> Counts:
    """CEAF over entities (Luo 2005): the similarity of the best one-to-one alignment."""
    cells, n = x.by_entities, x.n_documents
    paired = _order_free(phi4(x)[cells], _documents_of(x, cells), n)
    of_key, of_response = (
        np.bincount(side.entity_document, minlength=n) for side in (x.key, x.response)
    )
    return Counts(paired, of_key, paired, of_response)


def lea_counts(x: Shared) -> Counts:
    """LEA (Moosavi and Strube 2016): m(k) times the share of its links that is found.

    A singleton counts 1 where it is one on the other side, too.
    """
    mentions, table, n = mention_counts(x), x.table, x.n_documents
    documents = x.key.entity_document[x.rows][table.rows]
    row_sizes = x.key_sizes[x.rows][table.rows]
    col_sizes = x.response_sizes[x.cols][table.cols]
    links = pairs(table.counts)
    alone = (row_sizes == 1) & (col_sizes == 1)
    sides = []
    for sizes in (row_sizes, col_sizes):
        # m links / (m (m - 1) / 2): the m cancels
        share = 2.0 * links / np.maximum(sizes - 1, 1)
        sides.append(_order_free(np.where(alone, 1.0, share), documents, n))
    return Counts(
        sides[0], mentions.recall_denominator, sides[1], mentions.precision_denominator
    )


def blanc_links(x: Shared, *, whole: bool = False) -> Counts:
    """BLANC's links (Recasens and Hovy 2011): coreference links, and all others.

    ``whole`` takes all documents for one, so mentions of two documents are linked, too.
    """
    n = 1 if whole else x.n_documents
    table, key, response = x.table, x.key, x.response

    def place(documents: IntArray) -> IntArray:
        return documents * 0 if whole else documents

    row_documents = place(key.entity_document[x.rows])
    common = _added(pairs(table.counts), row_documents[table.rows], n)
    in_rows = _added(pairs(table.row_sizes), row_documents, n)
    in_cols = _added(pairs(table.col_sizes), place(response.entity_document[x.cols]), n)
    matched = _added(table.row_sizes, row_documents, n)
    apart = pairs(matched) - in_rows - in_cols + common
    totals = []
    for side, sizes in ((key, x.key_sizes), (response, x.response_sizes)):
        links = _added(pairs(sizes), place(side.entity_document), n)
        mentions = np.bincount(place(side.document), minlength=n)
        totals.append(np.stack([links, pairs(mentions) - links]))
    both = np.stack([common, apart])
    return Counts(both, totals[0], both, totals[1])


class CoreferenceMeasure(NamedTuple):
    """A measure: how tables head its columns, and what counts it.

    Attributes
    ----------
    title : str
    counts : callable
    in_latex : str
        Title in LaTeX, where it is not the other one.
    """

    title: str
    counts: Callable[[Shared], Counts]
    in_latex: str = ""


#: The measures in the order of reports.
MEASURES: dict[str, CoreferenceMeasure] = {
    "mentions": CoreferenceMeasure("mentions", mention_counts),
    "muc": CoreferenceMeasure("MUC", muc_counts),
    "b_cubed": CoreferenceMeasure("B-cubed", b_cubed_counts, "B$^3$"),
    "ceaf_m": CoreferenceMeasure("CEAF-m", ceaf_m_counts, "CEAF$_m$"),
    "ceaf_e": CoreferenceMeasure("CEAF-e", ceaf_e_counts, "CEAF$_e$"),
    "blanc": CoreferenceMeasure("BLANC", blanc_links),
    "lea": CoreferenceMeasure("LEA", lea_counts),
}
#: Those that align entities.
_ALIGNED = ("ceaf_m", "ceaf_e")
#: Cells from which on threads share the measures: below, to start one costs more.
_SHARED_CELLS = 1 << 13
#: Those whose mean is the CoNLL average.
CONLL = ("muc", "b_cubed", "ceaf_e")
CONLL_TITLE = "CoNLL"
_IGNORED = str.maketrans("-_", "  ")
#: What other scorers call them; capitals, blanks, "-" and "_" do not matter in any name.
ALIASES = {"b3": "b_cubed", "bcub": "b_cubed", "conllf1": "conll", "mor": "mention_overlap"}
#: Those whose numerators are sums of quotients.
OF_QUOTIENTS = ("b_cubed", "ceaf_e", "lea")


def counts_of_measures(x: Shared) -> dict[str, Counts]:
    """Return the counts of all measures; the threads of the call share the measures.

    The two alignments come first: where entities hang together, they take most of the time.
    """
    order = sorted(MEASURES, key=lambda name: name not in _ALIGNED)
    workers = in_force() if x.table.n_cells >= _SHARED_CELLS else 1
    counts = map_blocks(lambda name: MEASURES[name].counts(x), order, workers)
    by_name = dict(zip(order, counts, strict=True))
    return {name: by_name[name] for name in MEASURES}


def own_name(text: str, names: Iterable[str]) -> str:
    """Return the one of the names that a text means, or the text where it means none."""
    plain = _plain(text)
    alias = ALIASES.get(plain, plain)
    return next((name for name in names if name == text or _plain(name) == _plain(alias)), text)


def _plain(name: str) -> str:
    return "".join(name.casefold().translate(_IGNORED).split())


def exact_numerators(x: Shared, kind: str) -> tuple[Fraction, Fraction]:
    """Return recall and precision numerators over all documents as fractions. O(cells)."""
    table = x.table
    counts = table.counts.tolist()
    rows = x.key_sizes[x.rows][table.rows].tolist()
    cols = x.response_sizes[x.cols][table.cols].tolist()
    if kind == "b_cubed":
        recall = sum(
            (Fraction(o * o, m) for o, m in zip(counts, rows, strict=True)), Fraction(0)
        )
        precision = (Fraction(o * o, m) for o, m in zip(counts, cols, strict=True))
        return recall, sum(precision, Fraction(0))
    if kind == "ceaf_e":
        paired = (Fraction(2 * counts[c], rows[c] + cols[c]) for c in x.by_entities.tolist())
        total = sum(paired, Fraction(0))
        return total, total
    assert kind == "lea"
    sums = [Fraction(0), Fraction(0)]
    for o, a, b in zip(counts, rows, cols, strict=True):
        for side, m in enumerate((a, b)):
            sums[side] += 1 if a == b == 1 else Fraction(o * (o - 1), max(m - 1, 1))
    return sums[0], sums[1]
