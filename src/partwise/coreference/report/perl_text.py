"""The text of scorer.pl 8.01, for scripts that read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.scores.measures import Counts, Shared, own_name
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.numbers.arrays import IntArray

#: The measures of scorer.pl, by its names and in the order of ``all``.
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
_RULE = "-" * 74


@dataclass(frozen=True, slots=True)
class _Part:
    """What a metric has of one document, or of all that are counted."""

    recall_numerator: float
    recall_denominator: float
    precision_numerator: float
    precision_denominator: float

    def __add__(self, other: _Part) -> _Part:
        return _Part(
            self.recall_numerator + other.recall_numerator,
            self.recall_denominator + other.recall_denominator,
            self.precision_numerator + other.precision_numerator,
            self.precision_denominator + other.precision_denominator,
        )

    def text(self) -> str:
        recall = _ratio(self.recall_numerator, self.recall_denominator)
        precision = _ratio(self.precision_numerator, self.precision_denominator)
        return _shown(self, recall, precision, _harmonic(recall, precision))


_NOTHING = _Part(0, 0, 0, 0)


def perl_text(
    scores: CoreferenceScores,
    metric: str,
    document: str | None = None,
    written: Mapping[str, str] | None = None,
) -> str:
    """Return what scorer.pl prints for ``metric`` of the same files.

    Parameters
    ----------
    scores : CoreferenceScores
        Under the convention perl-8.01, of spans.
    metric : {"muc", "bcub", "ceafm", "ceafe", "blanc", "all"}
    document : str, optional
        Only this one; "none": all, but only their totals.
    written : mapping, optional
        Names of documents as the file writes them, with blanks behind them, by their names.

    Notes
    -----
    Documents stand in the order of the key (scorer.pl has a new order in each run). Counts
    have 15 significant digits and percents are cut after two, both of sums of doubles in the
    order of entities and mentions: a percent that is a whole hundredth in exact numbers may be
    shown as the one below, here as there.
    """
    if metric != "all" and metric not in METRICS:
        raise ValueError(f"metric={metric!r}: one of {', '.join(METRICS)}, all is expected")
    if scores.convention != "perl-8.01":
        raise ValueError(f"the text of scorer.pl is for perl-8.01, not {scores.convention}")
    report = _Report(scores, document, written or {})
    lines = [f"version: 8.01 (partwise {version('partwise')})"]
    for name in METRICS if metric == "all" else (metric,):
        lines += ["", f"METRIC {name}:"] if metric == "all" else []
        lines += report.of(name)
    return "\n".join(lines) + "\n"


class _Report:
    """The lines of each metric, over the documents that were asked for."""

    def __init__(
        self, scores: CoreferenceScores, document: str | None, written: Mapping[str, str]
    ) -> None:
        self._scores = scores
        self._written = written
        self._shared: Shared = scores._shared
        self._missing = set(scores.input_report.missing_documents)
        names = scores.documents
        self._alone = None if document == "none" else document
        self._listed = document != "none"
        wanted = range(len(names)) if self._alone is None else _position(names, self._alone)
        self._chosen = list(wanted)
        self._sums = _Sums(self._shared)
        self._entities = [
            list(_entities(side)) if self._listed else []
            for side in (self._shared.key, self._shared.response)
        ]

    def of(self, metric: str) -> list[str]:
        """Return the lines of a metric."""
        lines, total, mentions = [], _NOTHING, _NOTHING
        parts = self._parts(metric)
        mention_parts = self._parts("mentions")
        if self._alone is not None:
            lines.append(f"{self._alone}:")
        for at in self._chosen:
            here, counted = parts(at), mention_parts(at)
            total, mentions = total + here, mentions + counted
            if self._listed:
                lines += self._document(metric, at, here, counted)
        if self._alone is not None and not self._chosen:
            lines += self._no_document(metric)
        lines += ["", "====== TOTALS =======", f"Identification of Mentions: {mentions.text()}"]
        lines.append(_RULE)
        if metric != "blanc":
            return [*lines, f"Coreference: {total.text()}", _RULE]
        return [*lines, "", "Coreference:", *self._blanc()]

    def _parts(self, name: str) -> Callable[[int], _Part]:
        if name == "bcub":
            return self._sums.b_cubed
        if name == "ceafe":
            return self._sums.ceaf_e
        if name == "blanc":
            return lambda _: _NOTHING
        counts = self._scores.counts_of(own_name(name, self._scores))
        columns = [part.tolist() for part in counts.parts]
        return lambda at: _Part(*(column[at] for column in columns))

    def _document(self, metric: str, at: int, here: _Part, counted: _Part) -> Iterator[str]:
        name = self._scores.documents[at]
        for side, entities in enumerate(self._entities):
            shown = "" if side == 1 and name in self._missing else self._written.get(name, name)
            yield from (f"====> {shown}:", f"File {shown}:")
            yield from entities[at]
        if self._alone is None:
            yield ":" if metric == "blanc" else f"{self._written.get(name, name)}:"
        yield from _found(
            counted.recall_denominator, counted.precision_denominator, counted.recall_numerator
        )
        if metric != "blanc":
            yield from (here.text(), _RULE)

    def _no_document(self, metric: str) -> Iterator[str]:
        yield from ["====> :", "File :"] * 2
        yield from _found(0, 0, 0)
        if metric != "blanc":
            yield from (_NOTHING.text(), _RULE)

    def _blanc(self) -> Iterator[str]:
        counts: Counts = self._scores._counts["blanc"]
        chosen = counts.of(lambda part: part[:, self._chosen].sum(axis=1, keepdims=True))
        for kind, name in enumerate(("Coreference", "Non-coreference")):
            part = _Part(*(column[kind, 0] for column in chosen.parts))
            yield from (f"{name} links: {part.text()}", _RULE)
        score = self._scores._scored("blanc", chosen, 0)
        part = _Part(score.recall, 1, score.precision, 1)
        shown = _shown(part, score.recall, score.precision, score.f1)
        yield from (f"BLANC: {shown}", _RULE)


class _Sums:
    """Sums of quotients, added up in the order of mentions and entities."""

    def __init__(self, x: Shared) -> None:
        table = x.table
        o = table.counts.tolist()
        self._rows, self._cols = x.rows[table.rows], x.cols[table.cols]
        self._starts = np.searchsorted(
            x.key.entity_document[self._rows], np.arange(x.n_documents + 1)
        )
        cells = zip(self._rows.tolist(), self._cols.tolist(), strict=True)
        self._common = dict(zip(cells, o, strict=True))
        self._sizes = x.key_sizes.tolist(), x.response_sizes.tolist()
        self._x = x
        partner = x.partner
        twin = np.full(len(x.response), -1, dtype=np.int64)
        matched = np.flatnonzero(partner >= 0)
        twin[partner[matched]] = matched
        self._twin = twin
        self._order = np.lexsort(
            (_closing(x.response), _opening(x.response)[x.response.entity])
        )
        self._of_document = np.searchsorted(
            x.response.document[self._order], np.arange(x.n_documents + 1)
        )
        n = x.n_documents
        self._mentions = [
            np.bincount(side.document, minlength=n).tolist() for side in (x.key, x.response)
        ]
        self._n_entities = [
            np.bincount(side.entity_document, minlength=n).tolist()
            for side in (x.key, x.response)
        ]
        aligned = x.by_entities
        self._aligned: list[list[int]] = [[] for _ in range(n)]
        opening = _opening(x.key)[self._rows]
        for cell in sorted(aligned.tolist(), key=lambda cell: int(opening[cell])):
            self._aligned[int(x.key.entity_document[self._rows[cell]])].append(cell)

    def b_cubed(self, at: int) -> _Part:
        """Return B-cubed of a document, mention after mention of the response."""
        x, recall, precision = self._x, 0.0, 0.0
        for row in self._order[self._of_document[at] : self._of_document[at + 1]].tolist():
            other = int(self._twin[row])
            if other < 0:
                continue
            k, r = int(x.key.entity[other]), int(x.response.entity[row])
            common = self._common[k, r]
            recall += common / self._sizes[0][k]
            precision += common / self._sizes[1][r]
        return _Part(recall, self._mentions[0][at], precision, self._mentions[1][at])

    def ceaf_e(self, at: int) -> _Part:
        """Return CEAF-e of a document, entity after entity of the key."""
        best = 0.0
        for cell in self._aligned[at]:
            k, r = int(self._rows[cell]), int(self._cols[cell])
            best += 2 * self._common[k, r] / (self._sizes[0][k] + self._sizes[1][r])
        return _Part(best, self._n_entities[0][at], best, self._n_entities[1][at])


def _position(names: Sequence[str], name: str) -> list[int]:
    return [names.index(name)] if name in names else []


def _closing(side: Side) -> IntArray:
    """Return the place of each mention by where it closes, inner ones first."""
    spans = _spans(side)
    rank = np.empty(len(side), dtype=np.int64)
    rank[np.lexsort((-spans.first, spans.last, side.document))] = np.arange(len(side))
    return rank


def _spans(side: Side) -> Spans:
    if not isinstance(side.mentions, Spans):
        raise TypeError("scorer.pl reads spans of tokens; these mentions are other objects")
    return side.mentions


def _opening(side: Side) -> IntArray:
    """Return the place of each entity by its first mention, of one token before longer ones."""
    spans, n = _spans(side), len(side.entity_document)
    begins = np.full(n, np.iinfo(np.int64).max)
    np.minimum.at(begins, side.entity, 2 * spans.first + (spans.last > spans.first))
    rank = np.empty(n, dtype=np.int64)
    rank[np.lexsort((begins, side.entity_document))] = np.arange(n)
    return rank


def _entities(side: Side) -> Iterator[list[str]]:
    """Yield the lines of the entities of each document."""
    spans, entity = _spans(side), _opening(side)[side.entity]
    order = np.lexsort((_closing(side), entity))
    first, last = spans.first[order].tolist(), spans.last[order].tolist()
    shown = [f"({a},{b})" for a, b in zip(first, last, strict=True)]
    bounds = np.searchsorted(entity[order], np.arange(len(side.entity_document) + 1))
    of_document = np.searchsorted(side.entity_document, np.arange(len(side.names) + 1))
    for begin, end in zip(of_document[:-1].tolist(), of_document[1:].tolist(), strict=True):
        yield [
            f"Entity {number}: {' '.join(shown[bounds[entity] : bounds[entity + 1]])}"
            for number, entity in enumerate(range(begin, end))
        ]


def _found(key: float, response: float, common: float) -> Iterator[str]:
    yield f"Total key mentions: {key}"
    yield f"Total response mentions: {response}"
    yield f"Strictly correct identified mentions: {common}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {key - common}"
    yield f"Invented: {response - common}"


def _ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def _harmonic(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _percent(value: float) -> str:
    return f"{int(value * 10000) / 100:.15g}%"


def _shown(part: _Part, recall: float, precision: float, f1: float) -> str:
    return (
        f"Recall: ({part.recall_numerator:.15g} / {part.recall_denominator:.15g}) "
        f"{_percent(recall)}\t"
        f"Precision: ({part.precision_numerator:.15g} / {part.precision_denominator:.15g}) "
        f"{_percent(precision)}\tF1: {_percent(f1)}"
    )
