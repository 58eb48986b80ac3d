"""Scores of coreference as the tables that papers print: text, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, ClassVar, Self

import numpy as np

from partwise.coreference.report.doubts import Doubts, column_name
from partwise.coreference.report.text_blocks import Group, text_block
from partwise.coreference.scores.confidence import CoreferenceBootstrap, CoreferencePairedTest
from partwise.coreference.scores.measures import CONLL, CONLL_TITLE, MEASURES
from partwise.coreference.scores.recall_precision import COUNTS, PARTS, Score
from partwise.coreference.scores.score_reports import plain_input
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.labels.account import counted
from partwise.report import latex
from partwise.report.json_documents import JsonResult
from partwise.report.numbers import show_percent
from partwise.report.plots.distributions import draw_forest
from partwise.report.plots.style import saved
from partwise.report.table import WIDTH, Table, Tabular, best_of, wrapped
from partwise.report.tables import csv_table

#: Responses by the name of their line.
Results = Mapping[str, CoreferenceScores]

#: (measure, part) of each column, as papers have them.
COLUMNS = (
    *((measure, part) for measure in CONLL for part in PARTS),
    *((measure, "f1") for measure in ("conll", "ceaf_m", "blanc", "lea", "mentions")),
)

_LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}
_FOOTNOTE = "* has 0 / 0 in it, counted as 0"


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of a table says.

    Attributes
    ----------
    response : str
    scope : {"all", "macro", "document"}
        Over all documents (counts added up), the mean of documents, or one document.
    document : str
        Its name, "" for other scopes.
    scores : mapping of str to Score
    """

    response: str
    scope: str
    document: str
    scores: Mapping[str, Score]


def columns_of(measures: Sequence[str] | None) -> tuple[tuple[str, str], ...]:
    """Return the columns of some measures, those of papers for None."""
    if measures is None:
        return COLUMNS
    return tuple(
        (measure, part)
        for measure in measures
        for part in (("f1",) if measure == "conll" else PARTS)
    )


@dataclass(frozen=True, eq=False, repr=False)
class CoreferenceTable(Tabular, JsonResult):
    """Scores of one or several responses as the table of a paper, in percent.

    Parameters
    ----------
    results : mapping of str to CoreferenceScores
        By the name of the response.
    measures : sequence of str, optional
        Recall, precision and F1 of these; by default the columns that papers print.
    per_document : bool, default False
        A line for each document and for their mean as well.
    doubts : Doubts
        Bootstraps (lines of intervals) and paired tests (letters) of the responses; made by
        ``bootstraps=`` and ``tests=`` of ``CoreferenceTable.of``.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {f"d{i}": [["a", "b", "c"], ["d", "e"]] for i in range(9)}
    >>> good = {name: [["a", "b", "c"], ["d"]] for name in key}
    >>> poor = {name: [["a", "d"], ["b", "c", "e"]] for name in key}
    >>> scores = {
    ...     name: pw.coreference.score(key, response)
    ...     for name, response in (("good", good), ("poor", poor))
    ... }
    >>> test = pw.coreference.paired_test(scores["poor"], scores["good"], seed=1)
    >>> table = pw.coreference.CoreferenceTable.of(
    ...     scores, measures=["lea"], tests={("poor", "good"): test}
    ... )
    >>> print(table)
                      LEA
    response      R     P      F1
    a good    60.00 75.00 66.67 b
    b poor    20.00 20.00 20.00
    <BLANKLINE>
    a letter: better than that response, p <= 0.05 (two-sided, randomization, 1999
    draws, seed 1)
    """

    _schema: ClassVar[str] = "coreference-table/1"

    results: Results
    measures: Sequence[str] | None = None
    per_document: bool = False
    doubts: Doubts = field(default_factory=Doubts)

    @classmethod
    def of(
        cls,
        results: Results,
        *,
        measures: Sequence[str] | None = None,
        per_document: bool = False,
        bootstraps: Mapping[str, CoreferenceBootstrap] | None = None,
        tests: Mapping[tuple[str, str], CoreferencePairedTest] | None = None,
    ) -> Self:
        """Return the table of responses, with what is known of its certainty.

        Parameters
        ----------
        results, measures
            As of the class.
        per_document : bool, default False
            As of the class.
        bootstraps : mapping of str to CoreferenceBootstrap, optional
            By response: two more lines, the ends of the intervals.
        tests : mapping of (str, str) to CoreferencePairedTest, optional
            By pair of responses, the first and the second of the test: a letter stands beside
            a score that is significantly better.
        """
        return cls(results, measures, per_document, Doubts(bootstraps or {}, tests or {}))

    # ---- lines ---------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Measure and part of each column."""
        return columns_of(self.measures)

    def lines(self) -> Iterator[Line]:
        """Yield the lines of all responses: documents, their mean, and all of them together."""
        for name, result in self.results.items():
            if self.per_document:
                for document, scores in result.in_turn():
                    yield Line(name, "document", document, scores)
            if self.per_document or self.doubts.scope == "macro":
                yield Line(name, "macro", "", result.macro)
            yield Line(name, "all", "", {measure: result[measure] for measure in result})

    def table(self) -> Table:
        """Return the table in percent; the best of the responses in bold."""
        return self._table(list(self.lines()))

    def _table(self, lines: list[Line]) -> Table:
        letters = self.doubts.letters(list(self.results))
        rows: list[list[Any]] = []
        marks: dict[tuple[int, int], str] = {}
        lead = self._lead()
        scored: dict[int, Line] = {}
        for line in lines:
            scored[len(rows)] = line
            for j, (measure, part) in enumerate(self.columns, lead):
                beaten = self.doubts.beaten(line.response, column_name(measure, part))
                if line.scope == self.doubts.scope and beaten:
                    marks[len(rows), j] = "".join(letters[other] for other in beaten)
            cells = [_percent(line.scores, column) for column in self.columns]
            rows.append([*self._labels(line, letters), *cells])
            if line.scope == self.doubts.scope:
                rows += self._intervals(line.response, lead)
        bold = frozenset(
            (i, j)
            for scope in ("all", "macro")
            for j, column in enumerate(self.columns, lead)
            for i in _best({i: x for i, x in scored.items() if x.scope == scope}, column)
        )
        starred = any(
            part in line.scores[measure].undefined
            for line in lines
            for measure, part in self.columns
        )
        notes = [*self.doubts.notes(), *([_FOOTNOTE] if starred else [])]
        head = [f"{_title(name)} {_LETTERS[part]}" for name, part in self.columns]
        names = ["response", self._unit][:lead]
        return Table([*names, *head], rows, lead=lead, bold=bold, marks=marks, legend=notes)

    @property
    def _unit(self) -> str:
        """What a line of a response is of: a document, or a topic."""
        return next(iter(self.results.values())).input_report.unit

    def _lead(self) -> int:
        return 2 if self.per_document or self.doubts.scope == "macro" else 1

    def _labels(self, line: Line, letters: Mapping[str, str]) -> list[str]:
        name = f"{letters[line.response]} {line.response}" if letters else line.response
        shown = {"all": f"all {self._unit}s", "macro": f"mean of {self._unit}s"}
        return [name, shown.get(line.scope, line.document)][: self._lead()]

    def _intervals(self, response: str, lead: int) -> list[list[Any]]:
        """Return the lines of the ends of intervals; none where there is no bootstrap."""
        if response not in self.doubts.bootstraps:
            return []
        ends = [
            self.doubts.ends(response, column_name(measure, part))
            for measure, part in self.columns
        ]
        return [
            [
                f"  {name}",
                *[""] * (lead - 1),
                *("" if x is None else show_percent(x[k]) for x in ends),
            ]
            for k, name in enumerate(("low", "high"))
        ]

    # ---- forms ---------------------------------------------------------------------------

    def heading(self) -> list[str]:
        """Return the rules, and what was scored."""
        first = next(iter(self.results.values()))
        lines = [f"convention {first.convention}, mentions matched: {first.mentions}"]
        for name, result in self.results.items():
            lines += [f"{name}: {line}" for line in str(result.input_report).splitlines()]
        return lines

    def __str__(self) -> str:
        table = self.table()
        cells = table.marked()
        blocks = [text_block(table, cells, group) for group in self._blocks(table, cells)]
        notes = [wrapped([note]) for note in table.legend]
        return "\n\n".join([*blocks, *(["\n".join(notes)] if notes else [])])

    def _blocks(self, table: Table, cells: list[list[str]]) -> list[list[Group]]:
        """Return the groups of columns that stand beside each other in a terminal."""
        left = [
            max(map(len, [name, *(row[j] for row in cells)]))
            for j, name in enumerate(table.header[: table.lead])
        ]
        room = sum(left) + 2 * (len(left) - 1)
        blocks: list[list[Group]] = [[]]
        taken = room
        at = table.lead
        for name, columns in groupby(self.columns, lambda x: x[0]):
            parts = [part for _, part in columns]
            group = Group(
                _title(name), range(at, at + len(parts)), [_LETTERS[x] for x in parts]
            )
            at += len(parts)
            width = group.width(cells) + 2
            if blocks[-1] and taken + width > WIDTH:
                blocks.append([])
                taken = room
            blocks[-1].append(group)
            taken += width
        return blocks

    def plot(self, path: str | None = None, *, measure: str = "conll", ax: Any = None) -> Any:
        """Draw the responses by a measure with their intervals, which need ``bootstraps=``.

        Parameters
        ----------
        measure : str, default "conll"
            A column of the bootstraps: its F1, or "muc.recall".
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        ends = {name: self.doubts.ends(name, measure) for name in self.results}
        without = [name for name, pair in ends.items() if pair is None]
        if without:
            raise ValueError(
                f"{without[0]!r} has no interval of {measure}; pass bootstraps= with one for "
                "each response"
            )
        values = [
            self.doubts.bootstraps[name].observed[
                self.doubts.bootstraps[name].measures.index(measure)
            ]
            for name in self.results
        ]
        low, high = np.array([pair for pair in ends.values() if pair is not None]).T
        drawn = next(iter(self.doubts.bootstraps.values()))
        base, _, part = measure.partition(".")
        return saved(
            draw_forest(
                list(self.results),
                np.array(values),
                low,
                high,
                xlabel=f"{_title(base)} {_LETTERS[part or 'f1']}, % (interval of level "
                f"{drawn.level:g}, {drawn.draws} draws of documents)",
                percent=True,
                ax=ax,
            ),
            path,
        )

    def __repr__(self) -> str:
        responses = counted(len(self.results), "response")
        return f"CoreferenceTable({responses}, {counted(len(self.columns), 'column')})"

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> str:
        r"""Return the table in percent (``\usepackage{booktabs}``), the best in bold.

        Parameters
        ----------
        caption, label : str, optional
            Of a ``table`` around it; without both it is a ``tabular`` alone.
        names : mapping of str to str, optional
            Other names for the responses, as a paper calls its systems.
        """
        table = self.table()
        letters = self.doubts.letters(list(self.results))
        above, rules, at = [""] * table.lead, [], table.lead + 1
        for name, columns in groupby(self.columns, lambda x: x[0]):
            size = len(list(columns))
            above.append(rf"\multicolumn{{{size}}}{{c}}{{{_in_latex(name)}}}")
            rules.append(rf"\cmidrule(lr){{{at}-{at + size - 1}}}")
            at += size
        below = [
            *table.header[: table.lead],
            *(_LETTERS[part].replace("F1", "F$_1$") for _, part in self.columns),
        ]
        shown = {
            f"{letters[name]} {name}" if letters else name: (
                f"{letters[name]} {(names or {}).get(name, name)}"
                if letters
                else (names or {}).get(name, name)
            )
            for name in self.results
        }
        for name in names or {}:
            if name not in self.results:
                raise KeyError(f"names has {name!r}; the responses are {', '.join(shown)}")
        body = []
        for i, row in enumerate(table.rows):
            cells = [latex.escaped(shown.get(cell, cell)) for cell in row[: table.lead]]
            if row[0][:1] == " ":
                cells[0] = rf"\quad {cells[0]}"
            small = r"{\scriptsize " if row[0][:1] == " " else ""
            for j, text in enumerate(row[table.lead :], table.lead):
                mark = table.marks.get((i, j), "")
                inner = latex.cell(latex.escaped(text), bold=(i, j) in table.bold, mark=mark)
                cells.append(f"{small}{inner}}}" if small and text else inner)
            body.append(cells)
        return latex.tabular(
            "l" * table.lead + "r" * len(self.columns),
            [above, " ".join(rules), below],
            body,
            notes=table.legend,
            caption=caption,
            label=label,
        )

    def to_csv(self) -> str:
        """Return CSV text: a line for each response, scope, document and measure; all digits.

        Shares, not percent; the ends of the interval of F1 and the responses that F1 is
        significantly better than, where there are bootstraps and tests.
        """
        doubts = self.doubts
        more = (*(("f1_low", "f1_high") if doubts.bootstraps else ()),)
        more += ("better_than",) if doubts.tests else ()
        rows = []
        for line in self.lines():
            for measure, score in line.scores.items():
                if self.measures is not None and measure not in self.measures:
                    continue
                counts = (getattr(score, name) for name in COUNTS)
                row: list[Any] = [line.response, line.scope, line.document, measure]
                row += [getattr(score, part) for part in PARTS]
                row += [" ".join(score.undefined), *("" if x is None else x for x in counts)]
                here = line.scope == doubts.scope
                if doubts.bootstraps:
                    row += (doubts.ends(line.response, measure) if here else None) or ("", "")
                if doubts.tests:
                    beaten = doubts.beaten(line.response, measure) if here else []
                    row.append(" ".join(beaten))
                rows.append(row)
        head = ("response", "scope", "document", "measure", *PARTS, "undefined", *COUNTS)
        return csv_table((*head, *more), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return {response: scores and input} of plain values, and the tests."""
        responses: dict[str, Any] = {}
        for line in self.lines():
            here = responses.setdefault(line.response, {})
            scores = {
                measure: {name: x for name, x in asdict(score).items() if x is not None}
                for measure, score in line.scores.items()
                if self.measures is None or measure in self.measures
            }
            if line.scope == "document":
                here.setdefault("documents", {})[line.document] = scores
            else:
                here["scores" if line.scope == "all" else "macro"] = scores
        for name, result in self.results.items():
            head = {"convention": result.convention, "mentions": result.mentions}
            report = result.input_report
            notes = [(note if note.place else note.at(name)).to_dict() for note in report.notes]
            responses[name] = {
                **head,
                "input": plain_input(report),
                "notes": notes,
                **responses[name],
            }
        return {"responses": responses}

    def _options(self) -> dict[str, Any]:
        measures = None if self.measures is None else list(self.measures)
        return {"measures": measures, "per_document": self.per_document}

    def _document(self) -> dict[str, Any]:
        responses = self.to_dict()["responses"]
        for name, result in self.results.items():
            responses[name] = {**_read(result), **responses[name]}
            responses[name]["notes"] = _read(result)["notes"]
            if name in self.doubts.bootstraps:
                responses[name]["bootstrap"] = _read(self.doubts.bootstraps[name])
        document = {"responses": responses, "notes": []}
        if self.doubts.tests:
            document["paired"] = [
                {"responses": list(pair), **_read(test)}
                for pair, test in self.doubts.tests.items()
            ]
        return document

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        responses = document["responses"]
        return cls.of(
            {name: CoreferenceScores._from_document(x) for name, x in responses.items()},
            measures=document["options"]["measures"],
            per_document=document["options"]["per_document"],
            bootstraps={
                name: CoreferenceBootstrap._from_document(x["bootstrap"])
                for name, x in responses.items()
                if "bootstrap" in x
            },
            tests={
                (test["responses"][0], test["responses"][1]): (
                    CoreferencePairedTest._from_document(test)
                )
                for test in document.get("paired", ())
            },
        )


def _read(result: JsonResult) -> dict[str, Any]:
    """Return the document of a result as JSON gives it back."""
    document: dict[str, Any] = json.loads(result.to_json(None))
    return document


def _best(lines: Mapping[int, Line], column: tuple[str, str]) -> list[int]:
    measure, part = column
    rows = list(lines)
    values = [round(getattr(lines[i].scores[measure], part), 4) for i in rows]
    return [rows[k] for k in best_of(values, "higher")]


def _title(name: str) -> str:
    if name == "conll":
        return CONLL_TITLE
    return MEASURES[name].title if name in MEASURES else name


def column_title(name: str) -> str:
    """Return what tables call a column: "MUC" for its F1, "MUC R" for "muc.recall"."""
    base, _, part = name.partition(".")
    return f"{_title(base)} {_LETTERS[part]}" if part else _title(base)


def _in_latex(name: str) -> str:
    form = MEASURES[name].in_latex if name in MEASURES else ""
    return form or latex.escaped(_title(name))


def _percent(scores: Mapping[str, Score], column: tuple[str, str]) -> str:
    measure, part = column
    score = scores[measure]
    star = "*" if part in score.undefined else ""
    return f"{show_percent(getattr(score, part))}{star}"
