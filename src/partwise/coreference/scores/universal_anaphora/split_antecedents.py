"""Split antecedents, as Universal Anaphora scores them: entities that are made of others.

An entity with split antecedents has these for one mention more. Those of key and response are
as alike as a measure finds the entities that they are made of; they are paired one to one so
that this is largest, and count for that share of a mention.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.scores.measures import CONLL, Counts
from partwise.coreference.scores.recall_precision import (
    PARTS,
    Columns,
    Score,
    columns_of,
    mean,
    score_of,
)
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.universal_anaphora.scores_by_name import ScoresByName
from partwise.coreference.scores.universal_anaphora.split_measures import (
    SPLIT_MEASURES,
    Entity,
    Sums,
    document_sums,
)
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular
from partwise.report.tables import csv_table, text_table

_HEAD = ("measure", *PARTS, *(f"{part} of split antecedents" for part in PARTS))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SplitAntecedentScores(Tabular, JsonResult, ScoresByName):
    """Scores with split antecedents; a mapping of measures to scores.

    Attributes
    ----------
    alone : dict of str to Score
        How well split antecedents themselves agree: of those that are paired, over all.
    key, response : int
        Entities with split antecedents on either side, after equal ones were made one.
    """

    _schema: ClassVar[str] = "split-antecedents/1"

    alone: dict[str, Score]
    key: int
    response: int
    _scores: dict[str, Score]

    def to_dict(self) -> dict[str, Any]:
        """Return counts and scores as plain values."""
        return {
            "key": self.key,
            "response": self.response,
            "scores": {name: asdict(score) for name, score in self._scores.items()},
            "alone": {name: asdict(score) for name, score in self.alone.items()},
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        scores, alone = (
            {name: score_of(score) for name, score in document[part].items()}
            for part in ("scores", "alone")
        )
        return cls(alone, document["key"], document["response"], scores)

    def heading(self) -> list[str]:
        """Return how many entities have split antecedents."""
        return [
            f"entities with split antecedents: {self.key} in the key, {self.response} in the "
            "response"
        ]

    def table(self) -> Table:
        """Return the table in percent; on the right the split antecedents alone."""
        return Table(_HEAD, self._rows(100), decimals=2, whole=False)

    def to_csv(self) -> str:
        """Return CSV text: scores as shares with all digits."""
        return csv_table(_HEAD, self._rows(1))

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame of shares (needs the extra ``partwise[frames]``)."""
        return Table(_HEAD, self._rows(1)).frame()

    def _rows(self, factor: int) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for name, score in self._scores.items():
            pair = (score, self.alone.get(name))
            values = (
                None if one is None else factor * getattr(one, part)
                for one in pair
                for part in PARTS
            )
            rows.append((name, *values))
        return rows

    def __repr__(self) -> str:
        return f"SplitAntecedentScores({self.key} in the key, {self.response} in the response)"

    def __str__(self) -> str:
        rows = []
        for name, score in self._scores.items():
            pair = (score, self.alone.get(name))
            percents = [
                "" if one is None else f"{100 * getattr(one, part):.2f}"
                for one in pair
                for part in PARTS
            ]
            rows.append((name, *percents))
        head = ["measure", "R", "P", "F1", "alone: R", "P", "F1"]
        return (
            f"entities with split antecedents: {self.key} in the key, {self.response} in the "
            f"response\n\n{text_table(rows, head)}"
        )


def split_antecedent_scores(scores: CoreferenceScores) -> SplitAntecedentScores:
    """Return the scores of entities with their split antecedents.

    Parameters
    ----------
    scores : CoreferenceScores
        With singletons, which split antecedents may be made of.

    Returns
    -------
    SplitAntecedentScores
        muc, b_cubed, ceaf_m, ceaf_e, lea and conll. Without any split antecedents these are
        those of ``scores``.

    Raises
    ------
    ValueError
        Scores without singletons, or of several documents as one; an entity that is made of
        itself.

    Notes
    -----
    Entities with equal split antecedents are one (Paun et al. 2023): the plurals of "Ann and
    Bo" and "she and he" are, if Ann is she and Bo is he. What is made of an entity that is made
    of others is made of these. Split antecedents are paired within a document, for each measure
    by its own F1 on the entities that they are made of; MUC counts singletons there. Recall
    takes the recall of a pair for its share of a mention, precision its precision, CEAF its F1.
    Documents with split antecedents take O(mentions^2) each.

    References
    ----------
    Paun, Yu, Moosavi and Poesio, Scoring Coreference Chains with Split-Antecedent Anaphors,
    Dialogue and Discourse 2023.

    Examples
    --------
    >>> import partwise as pw
    >>> lines = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d",
    ...          "1 Ann (EntityID=1|MarkableID=a|ElementOf=3)",
    ...          "2 Bo (EntityID=2|MarkableID=b|ElementOf=3)",
    ...          "3 they (EntityID=3|MarkableID=c)"]
    >>> without = [line.replace("|ElementOf=3", "") for line in lines]
    >>> scores = pw.coreference.score(lines, without, convention="ua-2.0")
    >>> with_splits = pw.coreference.split_antecedent_scores(scores)
    >>> scores["b_cubed"].recall, with_splits["b_cubed"].recall
    (1.0, 0.625)
    """
    x = scores._shared
    if x.places[0] is not x.key:
        raise ValueError("split antecedents are of one document; score without cross_document")
    report = scores.input_report
    for name in ("singletons", "verbs", "nested"):
        if sum(getattr(report, f"dropped_{name}")):
            raise ValueError(
                "split antecedents may be made of entities that have lost mentions, as "
                f'{name}="drop" was said; score with {name}="keep"'
            )
    partner = x.partner
    twin: dict[int, Hashable] = {
        int(partner[row]): int(row) for row in np.flatnonzero(partner >= 0)
    }
    with_splits = {document for side in (x.key, x.response) for document, _ in side.antecedents}
    totals = {name: _sums_without(scores, name, with_splits) for name in SPLIT_MEASURES}
    alone: dict[str, list[Sums]] = {name: [] for name in SPLIT_MEASURES}
    numbers = [0, 0]
    for document in sorted(with_splits):
        key = _entities(x.key, document, "key", lambda row: row)
        response = _entities(
            x.response, document, "response", lambda row: twin.get(row, ("extra", row))
        )
        numbers[0] += sum(entity.members is not None for entity in key)
        numbers[1] += sum(entity.members is not None for entity in response)
        for name in SPLIT_MEASURES:
            sums, of_splits = document_sums(name, key, response)
            totals[name].append(sums)
            alone[name].append(of_splits)
    made = {name: _score(sums) for name, sums in totals.items()}
    made["conll"] = mean([made[name] for name in CONLL])
    return SplitAntecedentScores(
        {name: _score(sums) for name, sums in alone.items()}, numbers[0], numbers[1], made
    )


def _sums_without(scores: CoreferenceScores, name: str, but: set[int]) -> list[Sums]:
    """Return the sums of a measure over the documents without split antecedents."""
    counts = scores.counts_of(name)
    kept = np.array([at not in but for at in range(len(scores.documents))], dtype=np.bool_)
    r_num, r_den, p_num, p_den = (math.fsum(part[kept].tolist()) for part in counts.parts)
    return [(p_num, p_den, r_num, r_den)]


def _score(sums: Sequence[Sums]) -> Score:
    p_num, p_den, r_num, r_den = (
        (np.array([math.fsum(column)]) for column in zip(*sums, strict=True))
        if sums
        else (np.zeros(1) for _ in range(4))
    )
    counts = Counts(r_num, r_den, p_num, p_den)
    columns: Columns = columns_of(counts)
    return columns.score(0, tuple(part.tolist()[0] for part in counts.parts))


# ---- entities ----------------------------------------------------------------------


def _entities(
    side: Side, document: int, which: str, id_of: Callable[[int], Hashable]
) -> list[Entity]:
    """Return the entities of a document; those with equal split antecedents are one."""
    mentions: dict[Hashable, list[Hashable]] = {}
    for row in np.flatnonzero(side.document == document).tolist():
        name = side.entity_names[int(side.entity[row])]
        mentions.setdefault(name, []).append(id_of(row))
    antecedents = {
        name: made_of for (at, name), made_of in side.antecedents.items() if at == document
    }
    entities: dict[Hashable, list[Hashable]] = {}
    members: dict[Hashable, frozenset[Hashable]] = {}
    home: dict[frozenset[Hashable], Hashable] = {}
    for name, inside in mentions.items():
        if name in antecedents:
            atoms = frozenset(_atoms(name, antecedents, _place(side, document, which, name)))
            name = home.setdefault(atoms, name)
            members[name] = atoms
        entities.setdefault(name, []).extend(inside)
    return [
        Entity(
            frozenset(inside),
            tuple(frozenset(mentions[atom]) for atom in members[name])
            if name in members
            else None,
        )
        for name, inside in entities.items()
    ]


def _place(side: Side, document: int, which: str, name: Hashable) -> str:
    """Return side, document and, where it is known, the line of an entity's first mention."""
    place = f"the {which}, document {side.names[document]!r}"
    lines = side.mentions.line if isinstance(side.mentions, Spans) else None
    if lines is None:
        return place
    for row in np.flatnonzero(side.document == document).tolist():
        if side.entity_names[int(side.entity[row])] == name:
            place += f", line {lines[row]}"
            break
    return place


def _atoms(
    name: Hashable, antecedents: Mapping[Hashable, Sequence[Hashable]], place: str
) -> list[Hashable]:
    """Return the entities that one is made of, which are made of no others."""
    atoms: list[Hashable] = []
    seen = {name}
    waiting = list(antecedents[name])
    while waiting:
        one = waiting.pop(0)
        if one == name:
            raise ValueError(
                f"{place}: the entity {name!r} has itself among its antecedents, directly or "
                "over others; take it out of those that its file names (SplitAnte, ElementOf)"
            )
        if one not in antecedents:
            atoms.append(one)
        elif one not in seen:
            seen.add(one)
            waiting += antecedents[one]
    return atoms
