"""Error analysis: entities split, merged, missed and invented, and what each kind costs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from partwise.coreference.scores.analysis.entity_shares import Shares, entity_shares
from partwise.coreference.scores.measures import MEASURES
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.worst import (
    Place,
    WorstEntity,
    described,
    entity_of,
    positions_of,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import JsonResult
from partwise.report.table import WIDTH, Table, Tabular
from partwise.scoring.diagnose.worst import largest

#: Kinds of entities of the key, then of the response, by where their mentions are on the other
#: side.
KINDS = (
    {
        "missed": "no mention is in the response",
        "split": "in several entities of the response",
        "short": "in one of the response, which lacks some",
        "together": "all in one entity of the response",
    },
    {
        "invented": "no mention is in the key",
        "merged": "of several entities of the key",
        "extended": "of one of the key, and some that it lacks",
        "together": "all of one entity of the key",
    },
)


@dataclass(frozen=True, slots=True)
class EntityErrors:
    """Entities of one kind.

    Attributes
    ----------
    kind : str
        Of the key: missed, split, short or together; of the response: invented, merged,
        extended or together.
    entities, mentions : int
    loss : float
        What they lack of the measure: the sum of denominators less numerators.
    share : float
        The same as a share of all that the side lacks; 0 where it lacks nothing.
    examples : list of WorstEntity
        The costliest; ``cost`` is in units of the measure.
    """

    kind: str
    entities: int
    mentions: int
    loss: float
    share: float
    examples: list[WorstEntity]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorAnalysis(Tabular, JsonResult):
    """Errors of a response by kind; see ``error_analysis``.

    Attributes
    ----------
    measure : str
    key : list of EntityErrors
        What recall lacks, by kinds of entities of the key.
    response : list of EntityErrors
        What precision lacks, by kinds of entities of the response.
    missing_mentions, extra_mentions : int
        Mentions of the key, and of the response, without a partner.
    """

    _schema: ClassVar[str] = "coreference-errors/1"

    measure: str
    key: list[EntityErrors]
    response: list[EntityErrors]
    missing_mentions: int
    extra_mentions: int

    def __getitem__(self, kind: str) -> EntityErrors:
        for one in (*self.key[:-1], *self.response[:-1]):
            if one.kind == kind:
                return one
        names = (*list(KINDS[0])[:-1], *list(KINDS[1])[:-1])
        raise KeyError(f"{kind}: one of {', '.join(names)} is expected")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)

    def heading(self) -> list[str]:
        """Return what is shared out, and how many mentions have no partner."""
        return [
            f"what {MEASURES[self.measure].title} lacks, by kinds of entities; mentions "
            f"without a partner: {self.missing_mentions} of the key, {self.extra_mentions} of "
            "the response"
        ]

    def table(self) -> Table:
        """Return the table, a kind of entities a line."""
        rows = [
            (side, one.kind, one.entities, one.mentions, one.loss, one.share)
            for side, kinds in (("key", self.key), ("response", self.response))
            for one in kinds
        ]
        return Table(("side", "kind", "entities", "mentions", "loss", "share"), rows, lead=2)

    def _options(self) -> dict[str, Any]:
        return {"measure": self.measure}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        sides = {
            side: [
                EntityErrors(**{**one, "examples": list(map(entity_of, one["examples"]))})
                for one in document[side]
            ]
            for side in ("key", "response")
        }
        return cls(
            measure=document["measure"],
            **sides,
            missing_mentions=document["missing_mentions"],
            extra_mentions=document["extra_mentions"],
        )

    def __repr__(self) -> str:
        split, merged = self["split"].entities, self["merged"].entities
        return f"ErrorAnalysis({self.measure}, {split} split, {merged} merged)"

    def __str__(self) -> str:
        return "\n".join(_filled(line) for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for title, part, kinds, meanings in (
            ("key", "recall", self.key, KINDS[0]),
            ("response", "precision", self.response, KINDS[1]),
        ):
            total = sum(one.loss for one in kinds)
            measure = MEASURES[self.measure].title
            yield f"entities of the {title} by what {part} of {measure} lacks ({total:.6g})"
            for one in kinds:
                yield f"  {one.kind}: {meanings[one.kind]}"
                yield (
                    f"    entities {one.entities}, mentions {one.mentions}: {one.loss:.2f} "
                    f"({one.share:.1%})"
                )
                for example in one.examples:
                    yield f"      {entity_text(example)}"
            yield ""
        yield (
            f"mentions without a partner: {self.missing_mentions} of the key, "
            f"{self.extra_mentions} of the response"
        )


def error_analysis(
    scores: CoreferenceScores, measure: str = "b_cubed", examples: int = 3
) -> ErrorAnalysis:
    """Return which entities are split, merged, missed and invented, and what that costs.

    Parameters
    ----------
    scores : CoreferenceScores
    measure : str, default "b_cubed"
        The measure whose recall and precision are shared out: mentions, muc, b_cubed, ceaf_m,
        ceaf_e or lea.
    examples : int, default 3
        Costliest entities of each kind that are listed with their words.

    Returns
    -------
    ErrorAnalysis
        ``errors["split"].loss`` and so on; printed, a line for each kind with its examples.

    Raises
    ------
    ValueError
        The measure is no sum over entities, or ``examples`` is below 0.

    Notes
    -----
    An entity of the key is of one kind: missed where none of its mentions has a partner, split
    where these are in several entities of the response, short where some lack, else together.
    An entity of the response likewise: invented, merged, extended, together. The losses of a
    side add up to the denominator of recall (or precision) less its numerator. Entities that
    are together may lack something, too: CEAF aligns an entity with one other only.
    O(mentions).

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["d", "e"], ["f"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "d", "e"], ["x"]]})
    >>> errors = pw.coreference.error_analysis(scores, "muc")
    >>> [(one.kind, one.entities, one.loss) for one in errors.key]
    [('missed', 1, 0.0), ('split', 1, 1.0), ('short', 0, 0.0), ('together', 1, 0.0)]
    >>> errors["merged"].entities, errors["merged"].loss
    (1, 1.0)
    """
    if examples < 0:
        raise ValueError(f"examples={examples}: a number of entities, 0 or more, is expected")
    name, *shares = entity_shares(scores, measure)
    x = scores._shared
    twin = np.full(len(x.response), -1, dtype=np.int64)
    matched = np.flatnonzero(x.partner >= 0)
    twin[x.partner[matched]] = matched
    links = (x.partner, twin)
    sides = []
    for at, (share, kinds) in enumerate(zip(shares, KINDS, strict=True)):
        of_kind = _kinds(*_parts_of_side(scores, at))
        loss = _loss(share)
        total = float(loss.sum())
        errors = []
        for number, kind in enumerate(kinds):
            inside = of_kind == number
            own = float(loss[inside].sum())
            chosen = largest(np.where(inside, loss, 0.0), examples)
            errors.append(
                EntityErrors(
                    kind=kind,
                    entities=int(np.count_nonzero(inside)),
                    mentions=int((x.key_sizes, x.response_sizes)[at][inside].sum()),
                    loss=own,
                    share=own / total if total else 0.0,
                    examples=described(
                        *(x.places[at], x.places[1 - at], links[at]), chosen, loss, total
                    ),
                )
            )
        sides.append(errors)
    n = len(matched)
    return ErrorAnalysis(name, sides[0], sides[1], len(x.key) - n, len(x.response) - n)


def _parts_of_side(scores: CoreferenceScores, side: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return of each entity: entities of the other side it is in, mentions there, its size."""
    x = scores._shared
    numbers = (x.rows[x.table.rows], x.cols[x.table.cols])[side]
    sizes = (x.key_sizes, x.response_sizes)[side]
    parts = np.bincount(numbers, minlength=len(sizes))
    matched = np.zeros(len(sizes), dtype=np.int64)
    np.add.at(matched, numbers, x.table.counts)
    return parts, matched, sizes


def _kinds(parts: IntArray, matched: IntArray, sizes: IntArray) -> IntArray:
    """Return the kind of each entity, a position in ``KINDS``."""
    return np.select([parts == 0, parts > 1, matched < sizes], [0, 1, 2], 3)


def _loss(share: Shares) -> FloatArray:
    loss: FloatArray = np.asarray(share.denominator - share.numerator, dtype=np.float64)
    # quotients that add up to a whole number miss it by a rounding
    return np.where(np.abs(loss) < 1e-9, 0.0, loss)


def _filled(line: str) -> str:
    """Return a line broken to the width of a terminal, what follows further to the right."""
    below = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(
        line, WIDTH, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
    )


def entity_text(one: WorstEntity) -> str:
    """Return what an entity costs and where its mentions are on the other side, in words."""
    parts = [
        ("without a partner" if part.entity is None else f"in {part.entity}", part)
        for part in one.parts
    ]
    shown = "; ".join(
        f"{part.count} {where}: "
        + ", ".join(map(_mention_text, part.mentions))
        + ", ..." * (part.count > len(part.mentions))
        for where, part in parts
    )
    return f"{one.cost:.2f}  {one.document}, entity {one.entity} of {one.size}: {shown}"


def _mention_text(place: Place) -> str:
    """Return the words of a mention; its positions where the file has no words."""
    if place.span is None:
        return place.text
    return f'"{place.text}"' if place.text else f"({positions_of(place.span)})"
