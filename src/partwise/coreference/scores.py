"""Scores of coreference: recall, precision, F1 of each measure; micro, macro, by document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise.contingency import Contingency
from partwise.coreference.conventions import Convention
from partwise.coreference.entity_tables import (
    check_name,
    contingency_of,
    decomposition_of_scores,
    split_name,
)
from partwise.coreference.measures import (
    CONLL,
    MEASURES,
    OF_QUOTIENTS,
    Counts,
    Shared,
    blanc_links,
    exact_numerators,
)
from partwise.coreference.moved_mentions import MOVED, moved_counts
from partwise.coreference.stacking import InputReport
from partwise.decomposition import Decomposition
from partwise.display.table import json_text, markdown_table, pandas_module, text_table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1; 0 / 0 is 0.0, and ``undefined`` says so.

    Attributes
    ----------
    recall, precision, f1 : float
        Each in [0, 1].
    undefined : tuple of str
        Which of the three are 0 / 0, f1 also where recall and precision are 0; for BLANC: have
        such a part.
    recall_numerator, recall_denominator, precision_numerator, precision_denominator
        int, float or Fraction; None for means of scores.
    """

    recall: float
    precision: float
    f1: float
    undefined: tuple[str, ...] = ()
    recall_numerator: Any = None
    recall_denominator: Any = None
    precision_numerator: Any = None
    precision_denominator: Any = None


@dataclass(frozen=True, slots=True)
class Columns:
    """Scores of many documents: rows are recall, precision and F1, each with its 0 / 0."""

    values: NDArray[np.float64]
    undefined: NDArray[np.bool_]

    def score(self, at: int, parts: tuple[Any, ...]) -> Score:
        """Return the score of one document."""
        names = tuple(
            name
            for name, here in zip(PARTS, self.undefined[:, at].tolist(), strict=True)
            if here
        )
        recall, precision, f1 = self.values[:, at].tolist()
        return Score(recall, precision, f1, names, *parts)


PARTS = ("recall", "precision", "f1")


def _quotients(above: Any, below: Any) -> NDArray[np.float64]:
    """Return above / below as Python rounds it, 0.0 where below is 0."""
    nothing = below == 0
    found = above.astype(object) / np.where(nothing, 1, below).astype(object)
    return np.where(nothing, 0.0, found).astype(np.float64)


def _columns(counts: Counts) -> Columns:
    recall = _quotients(counts.recall_numerator, counts.recall_denominator)
    precision = _quotients(counts.precision_numerator, counts.precision_denominator)
    total = recall + precision
    f1 = np.where(total == 0, 0.0, 2 * recall * precision / np.where(total == 0, 1.0, total))
    nothing = (counts.recall_denominator == 0, counts.precision_denominator == 0, total == 0)
    return Columns(np.stack([recall, precision, f1]), np.stack(nothing).astype(np.bool_))


def _blanc_columns(links: Counts, rule: str) -> Columns:
    """Return BLANC: the means of the scores of coreference links and of the others."""
    key, response = links.recall_denominator, links.precision_denominator
    counted = ((key > 0) | (response > 0) if rule == "zero" else key > 0)[:2]
    values, undefined = np.zeros((3, key.shape[1])), np.zeros((3, key.shape[1]), dtype=np.bool_)
    for kind in range(2):
        of_kind = _columns(links.of(lambda part, kind=kind: part[kind]))  # type: ignore[misc]
        values += np.where(counted[kind], of_kind.values, 0.0)
        undefined |= counted[kind] & of_kind.undefined
    n_kinds = counted.sum(axis=0)
    values = values / np.maximum(n_kinds, 1)
    if rule == "scorch":
        differ = (key[2] == 1) & (response[2] == 1) & (links.recall_numerator[2] == 0)
        perfect = (n_kinds == 0) & (response[1] == 0) & ~differ
        values[:, perfect.astype(np.bool_)] = 1.0
    return Columns(values, undefined | (n_kinds == 0))


class _PerDocument(Mapping[str, Mapping[str, Score]]):
    """Scores by the name of a document, formed when asked for."""

    def __init__(self, scores: CoreferenceScores) -> None:
        self._scores = scores
        self._places = {name: at for at, name in enumerate(scores.documents)}

    def __getitem__(self, name: str) -> Mapping[str, Score]:
        at = self._places[name]
        return {measure: self._scores.of_document(at, measure) for measure in self._scores}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True, eq=False)
class CoreferenceScores:
    """Scores of a response under one convention; see ``score``.

    Indexing by the name of a measure gives its ``Score`` over all documents: numerators and
    denominators are added up before they are divided (micro). ``"conll"`` is the mean of the F1
    of MUC, B-cubed and CEAF-e (its recall and precision are means, too).

    Attributes
    ----------
    convention : str
    mentions : str
        How mentions were matched.
    documents : list of str
    input_report : InputReport
    """

    convention: str
    mentions: str
    documents: list[str]
    input_report: InputReport
    _rule: str
    _shared: Shared
    _counts: dict[str, Counts]
    _exact: dict[str, tuple[Fraction, Fraction]]
    _moved: bool = False

    def __getitem__(self, name: str) -> Score:
        if name == "conll":
            return _mean([self[part] for part in CONLL])
        total = self.counts_of(name).of(_added_up)
        if name in self._exact:
            above = (np.array([part], dtype=object) for part in self._exact[name])
            total = replace(
                total, recall_numerator=next(above), precision_numerator=next(above)
            )
        return self._scored(name, total, 0)

    def __iter__(self) -> Iterator[str]:
        return iter(
            (*MEASURES, "conll", *(name for name in self._counts if name not in MEASURES))
        )

    def counts_of(self, name: str) -> Counts:
        """Return numerators and denominators of a measure, by document."""
        if name not in self._counts:
            raise KeyError(f"{name}: one of {', '.join(self)} is expected")
        return self._counts[name]

    def columns_of(self, name: str, counts: Counts) -> Columns:
        """Return the scores that counts of a measure make, document by document."""
        return _blanc_columns(counts, self._rule) if name == "blanc" else _columns(counts)

    def _scored(self, name: str, counts: Counts, at: int) -> Score:
        columns = self.columns_of(name, counts)
        if name == "blanc":
            recall, precision = columns.values[:2, at].tolist()
            return columns.score(at, (recall, 1, precision, 1))
        return columns.score(at, tuple(part.tolist()[at] for part in counts.parts))

    def of_document(self, at: int, name: str) -> Score:
        """Return the score of a document by its place in ``documents``."""
        if name == "conll":
            return _mean([self.of_document(at, part) for part in CONLL])
        here = self.counts_of(name).of(lambda part: part[..., at : at + 1])
        return self._scored(name, here, 0)

    @property
    def per_document(self) -> Mapping[str, Mapping[str, Score]]:
        """Scores of each document, by its name and then by measure."""
        return _PerDocument(self)

    def in_turn(self) -> Iterator[tuple[str, dict[str, Score]]]:
        """Yield what ``per_document`` has, much faster for many documents."""
        columns = {name: self.columns_of(name, counts) for name, counts in self._counts.items()}
        parts = {
            name: [part.tolist() for part in counts.parts]
            for name, counts in self._counts.items()
            if name != "blanc"
        }
        recall, precision = columns["blanc"].values[:2].tolist()
        ones = [1] * len(recall)
        parts["blanc"] = [recall, ones, precision, ones]
        for at, document in enumerate(self.documents):
            found = {
                name: column.score(at, tuple(part[at] for part in parts[name]))
                for name, column in columns.items()
            }
            yield document, found | {"conll": _mean([found[name] for name in CONLL])}

    @property
    def macro(self) -> dict[str, Score]:
        """Means over documents of recall, precision and F1; numerators are left out."""
        columns = {name: self.columns_of(name, counts) for name, counts in self._counts.items()}
        n = max(len(self.documents), 1)
        found = {}
        for name, part in columns.items():
            recall, precision, f1 = (math.fsum(row) / n for row in part.values.tolist())
            undefined = np.flatnonzero(part.undefined.all(axis=1)).tolist()
            found[name] = Score(recall, precision, f1, tuple(PARTS[i] for i in undefined))
        return found | {"conll": _mean([found[name] for name in CONLL])}

    @property
    def weighted(self) -> dict[str, Score]:
        """Means over documents weighted by their mentions.

        Recall by those of the key, precision by those of the response, F1 by both together:
        what scorch gives for several documents. The CoNLL average is that of these F1.
        """
        mentions = self._counts["mentions"]
        sizes = [
            np.asarray(part, dtype=np.float64)
            for part in (mentions.recall_denominator, mentions.precision_denominator)
        ]
        found = {}
        for name, counts in self._counts.items():
            columns, means, nothing = self.columns_of(name, counts), [], []
            for part, row, weights in zip(
                PARTS, columns.values, (*sizes, sizes[0] + sizes[1]), strict=True
            ):
                whole = math.fsum(weights.tolist())
                means.append(math.fsum((row * weights).tolist()) / whole if whole else 0.0)
                if not whole:
                    nothing.append(part)
            found[name] = Score(means[0], means[1], means[2], tuple(nothing))
        return found | {"conll": _mean([found[name] for name in CONLL])}

    @property
    def whole_blanc(self) -> Score:
        """BLANC with links between mentions of all documents, as of one set."""
        links = blanc_links(self._shared, whole=True)
        if self._rule == "scorch":
            links = _with_mentions(links, self._counts["mentions"].of(_added_up))
        return self._scored("blanc", links, 0)

    def alignment(self, name: str) -> list[tuple[str, Any, Any, int]]:
        """Return the pairs of CEAF: document, entity of the key and of the response, mentions.

        Parameters
        ----------
        name : {"ceaf_m", "ceaf_e"}
        """
        x = self._shared
        aligned = {"ceaf_m": x.by_mentions, "ceaf_e": x.by_entities}
        if name not in aligned:
            raise KeyError(f"{name}: only {', '.join(aligned)} have an alignment")
        self._refuse_moved(name, "alignment")
        cells = aligned[name]
        rows, cols = x.rows[x.table.rows[cells]], x.cols[x.table.cols[cells]]
        found = zip(rows.tolist(), cols.tolist(), x.table.counts[cells].tolist(), strict=True)
        return [
            (
                x.key.names[int(x.key.entity_document[row])],
                x.key.entity_names[row],
                x.response.entity_names[col],
                common,
            )
            for row, col, common in found
        ]

    def check_comparable(self, other: CoreferenceScores) -> None:
        """Raise ValueError where the scores of another response are on other terms.

        Conventions, ways to match mentions, documents and the key have to be the same.
        """
        for what, name in (
            ("conventions", "convention"),
            ("ways to match mentions", "mentions"),
        ):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                raise ValueError(
                    f"the scores are not comparable: their {what} differ ({ours} and "
                    f"{theirs}); score both responses with the same"
                )
        if self.documents != other.documents:
            odd = sorted(set(self.documents) ^ set(other.documents))
            which = f"{odd[0]!r} is in one alone" if odd else "their order differs"
            raise ValueError(
                f"the scores are not comparable: they are of different documents ({which}); "
                "score both responses against the same key, with the same policies"
            )
        ours, theirs = self._shared.key, other._shared.key
        if not (
            np.array_equal(ours.document, theirs.document)
            and np.array_equal(ours.entity, theirs.entity)
        ):
            raise ValueError(
                "the scores are not comparable: their keys have other mentions or entities; "
                "score both responses against the same key, with the same policies"
            )

    def _refuse_moved(self, name: str, function: str) -> None:
        """Raise where recall and precision are not of one table."""
        if self._moved and name in MOVED:
            raise ValueError(
                f"{function}: under the convention {self.convention} recall and precision of "
                f"{name} are of different mentions; score under another convention"
            )

    def contingency(
        self, *, unmatched: str = "error", document: str | None = None
    ) -> Contingency:
        """Return the entities of both sides as two partitions of the same mentions.

        Parameters
        ----------
        unmatched : {"error", "drop", "singletons"}, default "error"
            Mentions without a partner: refuse, leave them out, or make each an entity of its
            own on the other side. The table's account counts them.
        document : str, optional
            One document; by default the mentions of all are pooled. No entity is in two
            documents, so the table is block diagonal.

        Returns
        -------
        Contingency
            Every measure of the catalogue takes it: ``pw.compare(scores.contingency(...))``.

        Raises
        ------
        ValueError
            There are mentions without a partner and nothing was said about them.
        KeyError
            An unknown document.

        Examples
        --------
        >>> import partwise as pw
        >>> key = {"d": [["a", "b", "c"], ["d"]]}
        >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["d", "x"]]})
        >>> table = scores.contingency(unmatched="singletons")
        >>> table.n_items, table.shape, round(pw.purity(table), 2)
        (5, (3, 3), 0.8)
        >>> pw.purity(scores.contingency(unmatched="drop"))
        1.0
        """
        at = None
        if document is not None:
            if document not in self.documents:
                raise KeyError(f"{document}: no such document was scored")
            at = self.documents.index(document)
        return contingency_of(self._shared, unmatched, at)

    def decompose(self, measure: str) -> Decomposition:
        """Return what the components of the join contribute to a score; see ``pw.decompose``.

        Parameters
        ----------
        measure : str
            ``muc``, ``ceaf_m``, ``ceaf_e`` or ``mentions`` (F1), or these, ``b_cubed`` and
            ``lea`` with ``_recall`` or ``_precision``.

        Returns
        -------
        Decomposition
            Sizes are mentions of either side. Weights are shares of the denominator; the offset
            is 0. An entity without a matched mention is a component of its own.

        Raises
        ------
        ValueError
            The measure is no sum over components: BLANC, the CoNLL average, F1 of B-cubed and
            of LEA.

        Notes
        -----
        MUC's links and CEAF's alignment stay within components, so numerators and denominators
        add up: S = sum_J w(J) S(J) with w = denominator of J / denominator. F1 is 2 N / (D_R +
        D_P) where recall and precision have one numerator N. O(cells) and the alignment.

        Examples
        --------
        >>> import partwise as pw
        >>> key = {"d": [["a", "b", "c"], ["d", "e"]]}
        >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c"], ["d", "e"]]})
        >>> found = scores.decompose("muc_recall")
        >>> found.scores.tolist(), found.loss_numerators.tolist(), found.loss_denominator
        ([0.5, 1.0], [1, 0], 3)
        """
        check_name(measure)
        name, part = split_name(measure)
        self._refuse_moved(name, "decompose")
        value = getattr(self[name], part)
        return decomposition_of_scores(self._shared, measure, value)

    # ---- reports -----------------------------------------------------------------------

    def _rows(self) -> list[tuple[Any, ...]]:
        scores = ((name, self[name]) for name in self)
        return [(name, x.recall, x.precision, x.f1) for name, x in scores]

    def __str__(self) -> str:
        head = f"convention {self.convention}, mentions matched: {self.mentions}"
        table = text_table(self._rows(), ["measure", "recall", "precision", "f1"])
        return "\n".join([head, str(self.input_report), "", table])

    def to_dict(self) -> dict[str, Any]:
        """Return convention, scores and counts as plain values."""
        scores = {}
        for name in self:
            x = self[name]
            scores[name] = {
                "recall": x.recall,
                "precision": x.precision,
                "f1": x.f1,
                "undefined": list(x.undefined),
            }
            if x.recall_denominator is not None:
                scores[name] |= {
                    part: _plain(getattr(x, part))
                    for part in (
                        *("recall_numerator", "recall_denominator"),
                        *("precision_numerator", "precision_denominator"),
                    )
                }
        return {"convention": self.convention, "mentions": self.mentions, "scores": scores}

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict`` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_pandas(self, *, per_document: bool = False) -> pandas.DataFrame:
        """Return a line per measure, or per document and measure, as a pandas DataFrame.

        Parameters
        ----------
        per_document : bool, default False
            Give the scores of each document, with an index of two levels.

        Returns
        -------
        pandas.DataFrame
            Columns recall, precision, f1, undefined (whether one of them is 0 / 0), and the
            counts where a measure has them. Needs the extra ``partwise[frames]``.
        """
        rows: dict[Any, Any] = {name: self._line(self[name]) for name in self}
        if per_document:
            rows = {
                (document, name): self._line(score)
                for document, scores in self.per_document.items()
                for name, score in scores.items()
            }
        frame = pandas_module().DataFrame.from_dict(rows, orient="index")
        frame.index.names = ["document", "measure"] if per_document else ["measure"]
        return frame

    def _line(self, x: Score) -> dict[str, Any]:
        return {
            **{part: getattr(x, part) for part in PARTS},
            "undefined": bool(x.undefined),
        } | {
            part: getattr(x, part)
            for part in (
                *("recall_numerator", "recall_denominator"),
                *("precision_numerator", "precision_denominator"),
            )
        }

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return markdown_table(["measure", "recall", "precision", "f1"], self._rows())


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def _added_up(part: NDArray[Any]) -> NDArray[Any]:
    """Return the sum over documents: of integers exact, of doubles rounded once."""
    add = math.fsum if part.dtype.kind == "f" else sum
    rows = np.atleast_2d(part).tolist()
    found = np.empty((len(rows), 1), dtype=object)
    found[:, 0] = [add(row) for row in rows]
    return found if part.ndim == 2 else found[0]


def _mean(scores: list[Score]) -> Score:
    n = len(scores)
    recall, precision, f1 = (math.fsum(getattr(x, name) for x in scores) / n for name in PARTS)
    undefined = tuple(name for name in PARTS if all(name in x.undefined for x in scores))
    return Score(recall, precision, f1, undefined)


def scores_of(
    x: Shared,
    convention: Convention,
    mentions: str,
    report: InputReport,
    exact: bool,
    further: Mapping[str, Counts],
    moved: tuple[Shared, Shared] | None,
) -> CoreferenceScores:
    """Return the scores of a table of entities.

    ``further`` has counts the table cannot give, ``moved`` the tables for recall and for
    precision where the convention changes the sides.
    """
    counts = {name: count(x) for name, count in MEASURES.items()} | dict(further)
    if moved is not None:
        counts |= moved_counts(moved)
    if convention.blanc == "scorch":
        counts["blanc"] = _with_mentions(counts["blanc"], counts["mentions"])
    fractions = {}
    for name in OF_QUOTIENTS if exact else ():
        tables = (x, x) if moved is None or name not in MOVED else moved
        fractions[name] = (
            exact_numerators(tables[0], name)[0],
            exact_numerators(tables[1], name)[1],
        )
    return CoreferenceScores(
        *(convention.name, mentions, list(x.key.names), report, convention.blanc),
        *(x, counts, fractions, moved is not None),
    )


def _with_mentions(links: Counts, mentions: Counts) -> Counts:
    """Return links with the mentions as a third row."""
    pairs = zip(links.parts, mentions.parts, strict=True)
    return Counts(*(np.vstack([part, row]) for part, row in pairs))
