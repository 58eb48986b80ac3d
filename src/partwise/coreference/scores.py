"""Scores of coreference: recall, precision, F1 of each measure; micro, macro, by document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from partwise.coreference.conventions import Convention
from partwise.coreference.measures import (
    CONLL,
    MEASURES,
    Counts,
    Shared,
    b_cubed_counts,
    blanc_links,
    ceaf_counts,
    exact_numerators,
    lea_counts,
    mention_counts,
    muc_counts,
)
from partwise.coreference.stacking import InputReport
from partwise.display.table import json_text, markdown_table, text_table


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


def _score_of(above: tuple[Any, Any], below: tuple[Any, Any]) -> Score:
    """Return the score of (recall, precision) numerators over denominators."""
    shares = [float(x / y) if y else 0.0 for x, y in zip(above, below, strict=True)]
    undefined = [name for name, y in zip(("recall", "precision"), below, strict=True) if not y]
    total = sum(shares)
    f1 = 2 * shares[0] * shares[1] / total if total else 0.0
    if not total:
        undefined.append("f1")
    parts = (above[0], below[0], above[1], below[1])
    return Score(shares[0], shares[1], f1, tuple(undefined), *parts)


def _blanc_of(links: Counts, chosen: slice, rule: str) -> Score:
    """Return BLANC of the links of some documents: means of the scores of both kinds."""
    sides = (links.recall_numerator, links.recall_denominator, links.precision_denominator)
    common, key, response = ([sum(row) for row in side[:, chosen].tolist()] for side in sides)
    kinds = [
        _score_of((both, both), (of_key, of_response))
        for both, of_key, of_response in zip(common, key, response, strict=True)
    ]
    if rule == "other kind":
        counted = [kind for kind, of_key in zip(kinds, key, strict=True) if of_key]
    else:
        counted = [
            kind
            for kind, of_key, of_response in zip(kinds, key, response, strict=True)
            if of_key or of_response
        ]
    if not counted:
        return Score(0.0, 0.0, 0.0, ("recall", "precision", "f1"), 0, 0, 0, 0)
    recall, precision, f1 = (
        sum(getattr(kind, name) for kind in counted) / len(counted)
        for name in ("recall", "precision", "f1")
    )
    undefined = tuple(
        name
        for name in ("recall", "precision", "f1")
        if any(name in kind.undefined for kind in counted)
    )
    return Score(recall, precision, f1, undefined, recall, 1, precision, 1)


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
    _aligned: dict[str, Any]
    _exact: dict[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Score:
        return self._named(name, slice(None))

    def __iter__(self) -> Iterator[str]:
        return iter((*MEASURES, "conll"))

    def _named(self, name: str, chosen: Any) -> Score:
        if name == "conll":
            return _mean([self._named(part, chosen) for part in CONLL])
        if name not in self._counts:
            raise KeyError(f"{name}: one of {', '.join(self)} is expected")
        counts = self._counts[name]
        if name == "blanc":
            return _blanc_of(counts, chosen, self._rule)
        if name in self._exact and chosen == slice(None):
            above: tuple[Any, Any] = self._exact[name]
        else:
            above = (
                _total(counts.recall_numerator[chosen]),
                _total(counts.precision_numerator[chosen]),
            )
        below = (
            _total(counts.recall_denominator[chosen]),
            _total(counts.precision_denominator[chosen]),
        )
        return _score_of(above, below)

    @property
    def per_document(self) -> Mapping[str, Mapping[str, Score]]:
        """Scores of each document, by its name and then by measure."""
        return {
            name: {measure: self._named(measure, slice(at, at + 1)) for measure in self}
            for at, name in enumerate(self.documents)
        }

    @property
    def macro(self) -> dict[str, Score]:
        """Means over documents of recall, precision and F1."""
        every = list(self.per_document.values())
        return {name: _mean([scores[name] for scores in every]) for name in self}

    @property
    def whole_blanc(self) -> Score:
        """BLANC with links between mentions of all documents, as of one set."""
        links = blanc_links(self._shared, whole=True)
        return _blanc_of(links, slice(None), self._rule)

    def alignment(self, name: str) -> list[tuple[str, Any, Any, int]]:
        """Return the pairs of CEAF: document, entity of the key and of the response, mentions.

        Parameters
        ----------
        name : {"ceaf_m", "ceaf_e"}
        """
        if name not in self._aligned:
            raise KeyError(f"{name}: only {', '.join(self._aligned)} have an alignment")
        x, cells = self._shared, self._aligned[name]
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

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return markdown_table(["measure", "recall", "precision", "f1"], self._rows())


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def _total(values: Any) -> Any:
    """Return the sum: exact for integers, order-free enough for doubles (correctly rounded)."""
    if values.dtype.kind == "f":
        return float(math.fsum(values.tolist()))
    return sum(values.tolist())


def _mean(scores: list[Score]) -> Score:
    n = max(len(scores), 1)
    sums = [
        math.fsum(getattr(x, name) for x in scores) for name in ("recall", "precision", "f1")
    ]
    undefined = tuple(
        name
        for name in ("recall", "precision", "f1")
        if all(name in x.undefined for x in scores)
    )
    return Score(sums[0] / n, sums[1] / n, sums[2] / n, undefined)


def all_counts(x: Shared) -> tuple[dict[str, Counts], dict[str, Any]]:
    """Return the counts of every measure, and the cells that CEAF aligns."""
    ceaf_m, by_mentions = ceaf_counts(x, "ceaf_m")
    ceaf_e, by_entities = ceaf_counts(x, "ceaf_e")
    counts = {
        "mentions": mention_counts(x),
        "muc": muc_counts(x),
        "b_cubed": b_cubed_counts(x),
        "ceaf_m": ceaf_m,
        "ceaf_e": ceaf_e,
        "blanc": blanc_links(x),
        "lea": lea_counts(x),
    }
    return counts, {"ceaf_m": by_mentions, "ceaf_e": by_entities}


def scores_of(
    x: Shared, convention: Convention, mentions: str, report: InputReport, exact: bool
) -> CoreferenceScores:
    """Return the scores of a table of entities."""
    counts, aligned = all_counts(x)
    found = CoreferenceScores(
        *(convention.name, mentions, list(x.key.names), report, convention.blanc),
        *(x, counts, aligned),
    )
    if exact:
        for name in ("b_cubed", "ceaf_e", "lea"):
            found._exact[name] = exact_numerators(x, name, aligned["ceaf_e"])
    return found


def singletons(sizes: Any) -> int:
    """Return how many entities have one mention."""
    return int(np.count_nonzero(sizes == 1))
