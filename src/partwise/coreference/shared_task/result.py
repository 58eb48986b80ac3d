"""The leaderboard of a shared task as a result: ranks, classes, scores, refusals."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from partwise.coreference.report.tables import COLUMNS, column_title
from partwise.coreference.scores.measures import MEASURES
from partwise.coreference.scores.recall_precision import COUNTS, PARTS, Score
from partwise.coreference.shared_task.paired_tests import SubmissionPair
from partwise.labels.account import counted
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular, best_of, wrapped
from partwise.report.tables import csv_table

_REFUSED = "refused"
#: Digits of a p-value behind the point.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Submission:
    """One row of a leaderboard.

    Attributes
    ----------
    name : str
    rank : int or None
        1 for the best; equal scores have one rank. None for a submission that was refused.
    letters : str
        Its classes: submissions that share a letter do not differ for sure. Empty without
        tests.
    scores : dict of str to Score
        By measure, over all documents or as means of documents; empty where refused.
    refused : str
        Why it was not scored; empty where it was.
    notes : tuple of str
        How its files and the key were read, and what is suspicious about them.
    """

    name: str
    rank: int | None
    letters: str
    scores: Mapping[str, Score]
    refused: str
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Tabular, JsonResult):
    """Submissions to a shared task in the order of their ranks; see ``leaderboard``.

    Indexing by the name of a submission gives its row; printing gives the table in percent.

    Attributes
    ----------
    submissions : list of Submission
        Those that were refused last.
    pairs : list of SubmissionPair
        All pairs of submissions that were scored, with their tests; empty without tests.
    measure : str
        What ranks and tests are by.
    average : {"micro", "macro"}
    convention, mentions : str
        The rules; see ``score``.
    documents : int
        Documents of the key, or topics.
    draws, seed : int
        Of the tests.
    level : float
        Pairs differ whose corrected p-value is at most 1 - level.
    command : str
        The command that made it, "" from Python.
    notes : list of str
        What a reader should know.
    """

    _schema: ClassVar[str] = "coreference-leaderboard/1"

    submissions: list[Submission]
    pairs: list[SubmissionPair]
    measure: str
    average: str
    convention: str
    mentions: str
    documents: int
    draws: int
    seed: int
    level: float
    command: str
    notes: list[str]

    def __getitem__(self, name: str) -> Submission:
        for one in self.submissions:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.submissions)
        raise KeyError(f"{name}: no such submission; there are {names}")

    def __len__(self) -> int:
        return len(self.submissions)

    def pair(self, first: str, second: str) -> SubmissionPair:
        """Return the test of two submissions, in either order of their names."""
        for one in self.pairs:
            if {one.first, one.second} == {first, second}:
                return one
        raise KeyError(f"{first}, {second}: no pair of submissions that were compared")

    @property
    def columns(self) -> list[str]:
        """The measures that tables show: that of the ranks, then F1 of the others.

        Mentions as such are in CSV and JSON.
        """
        base, _, part = self.measure.partition(".")
        scored = next((one.scores for one in self.submissions if one.scores), {})
        own = base if part in ("", "f1") else self.measure
        usual = [*dict.fromkeys(name for name, _ in COLUMNS), *scored]
        shown = (x for x in dict.fromkeys(usual) if x in scored and x not in (own, "mentions"))
        return [own, *shown]

    # ---- forms -------------------------------------------------------------------------

    def heading(self) -> list[str]:
        """Return the rules, and what was compared."""
        scored = sum(one.rank is not None for one in self.submissions)
        numbers = f"{counted(len(self), 'submission')}, {len(self) - scored} refused"
        return [
            f"convention {self.convention}, mentions matched: {self.mentions}, "
            f"{self.average} average over {counted(self.documents, 'document')}; {numbers}"
        ]

    def table(self) -> Table:
        """Return the table in percent, a submission a line, those that were refused last."""
        columns = self.columns
        rows: list[list[Any]] = []
        for one in self.submissions:
            if one.rank is None:
                rows.append(["", one.name, _REFUSED, *[None] * len(columns)])
            else:
                values = [100 * _value(one.scores, name) for name in columns]
                rows.append([str(one.rank), one.name, one.letters, *values])
        bold = frozenset(
            (i, j)
            for j in range(3, 3 + len(columns))
            for i in best_of([row[j] for row in rows], "higher")
        )
        head = ["rank", "submission", "class", *map(column_title, columns)]
        return Table(
            head,
            rows,
            lead=3,
            bold=bold,
            notes=self.notes,
            legend=[*self._legend(), *self._refusals()],
            decimals=2,
            whole=False,
        )

    def _legend(self) -> list[str]:
        if not self.pairs:
            return []
        return [
            "class: submissions that share a letter do not differ for sure by "
            f"{column_title(self.measure)} (p > {1 - self.level:.3g}, paired permutation tests "
            f"of {counted(len(self.pairs), 'pair')}, {self.draws} permutations of "
            f"{counted(self.documents, 'document')}, seed {self.seed}, Holm's correction)"
        ]

    def _refusals(self) -> list[str]:
        return [f"{x.name} is refused: {x.refused}" for x in self.submissions if x.refused]

    def __str__(self) -> str:
        return "\n".join([wrapped(self.heading()), "", self.table().text()])

    def __repr__(self) -> str:
        return f"Leaderboard({self.heading()[0]})"

    def to_html(self, title: str = "Leaderboard") -> str:
        """Return a page of HTML with the table of all submissions and that of all pairs.

        Parameters
        ----------
        title : str, default "Leaderboard"
            The heading.
        """
        table = self.table().html("; ".join(self.heading()), len(self.submissions))
        tests = self.table_of_pairs()
        pairs = f"<h2>Pairs</h2>{tests.html('', len(self.pairs))}" if self.pairs else ""
        command = f"<p><code>{html.escape(self.command)}</code></p>" if self.command else ""
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f"<title>{html.escape(title)}</title></head>\n<body><h1>{html.escape(title)}</h1>\n"
            f"{table}\n{pairs}\n{command}</body></html>\n"
        )

    def table_of_pairs(self) -> Table:
        """Return the tests of all pairs, a pair a line; a star where they differ for sure."""
        alpha = 1 - self.level
        rows = [
            [x.first, x.second, f"{100 * x.difference:.2f}", x.p_value, x.corrected]
            for x in self.pairs
        ]
        marks = {(i, 4): "*" for i, x in enumerate(self.pairs) if x.corrected <= alpha}
        legend = [f"* p <= {alpha:.3g}, corrected"] if marks else []
        head = ["first", "second", "difference", "p", "p corrected"]
        return Table(head, rows, lead=2, marks=marks, legend=legend, decimals=_DIGITS)

    def to_csv(self) -> str:
        """Return CSV text: a submission a line, shares with all digits, why one was refused."""
        names = [name for name in ("conll", *MEASURES) if name in self._scored()]
        head = [f"{name}_{part}" for name in names for part in PARTS]
        rows = [
            [
                *("" if one.rank is None else one.rank, one.name, one.letters),
                *(
                    getattr(one.scores[name], part) if one.scores else ""
                    for name in names
                    for part in PARTS
                ),
                one.refused,
            ]
            for one in self.submissions
        ]
        return csv_table(("rank", "submission", "class", *head, "refused"), rows)

    def _scored(self) -> Mapping[str, Score]:
        return next((one.scores for one in self.submissions if one.scores), {})

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "submissions": [
                {
                    **asdict(one),
                    "notes": list(one.notes),
                    "scores": {name: _plain(score) for name, score in one.scores.items()},
                }
                for one in self.submissions
            ],
            "pairs": [asdict(one) for one in self.pairs],
            "convention": self.convention,
            "mentions": self.mentions,
            "documents": self.documents,
            "notes": list(self.notes),
        }

    def _options(self) -> dict[str, Any]:
        names = ("measure", "average", "draws", "seed", "level", "command")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls(
            submissions=[
                Submission(
                    name=one["name"],
                    rank=one["rank"],
                    letters=one["letters"],
                    scores={
                        name: Score(**{**score, "undefined": tuple(score["undefined"])})
                        for name, score in one["scores"].items()
                    },
                    refused=one["refused"],
                    notes=tuple(one["notes"]),
                )
                for one in document["submissions"]
            ],
            pairs=[SubmissionPair(**pair) for pair in document["pairs"]],
            **{name: document[name] for name in ("convention", "mentions", "documents")},
            notes=document["notes"],
            **document["options"],
        )


def _plain(score: Score) -> dict[str, Any]:
    """Return a score without the counts that it lacks."""
    plain = asdict(score)
    for name in COUNTS:
        if plain[name] is None:
            del plain[name]
    plain["undefined"] = list(score.undefined)
    return plain


def _value(scores: Mapping[str, Score], column: str) -> float:
    """Return the number of a column: F1 of a measure, or the part that it names."""
    name, _, part = column.partition(".")
    return float(getattr(scores[name], part or "f1"))
