"""Scores of coreference as the tables that papers print: text, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from partwise.coreference.scores.measures import CONLL, CONLL_TITLE, MEASURES
from partwise.coreference.scores.recall_precision import COUNTS, PARTS, Score
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.report.tables import csv_table, markdown_table

#: Responses by the name of their line.
Results = Mapping[str, CoreferenceScores]

#: (measure, part) of each column, as papers have them.
COLUMNS = (
    *((measure, part) for measure in CONLL for part in PARTS),
    *((measure, "f1") for measure in ("conll", "ceaf_m", "blanc", "lea", "mentions")),
)

_LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}
_ESCAPED = {
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
}
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


def lines_of(results: Results, *, per_document: bool) -> Iterator[Line]:
    """Yield the lines of all responses: documents, their mean, and all of them together."""
    for name, result in results.items():
        if per_document:
            for document, scores in result.in_turn():
                yield Line(name, "document", document, scores)
            yield Line(name, "macro", "", result.macro)
        yield Line(name, "all", "", {measure: result[measure] for measure in result})


def text(results: Results, measures: Sequence[str] | None, *, per_document: bool) -> str:
    """Return the table in percent, aligned; scores that are 0 / 0 have a star."""
    columns = columns_of(measures)
    labels, rows = _labelled(lines_of(results, per_document=per_document), per_document)
    cells = [[_percent(scores, column) for column in columns] for scores in rows]
    titles = [_title(name) for name in _groups(columns)]
    groups = [list(group) for _, group in groupby(enumerate(columns), lambda x: x[1][0])]
    below = [_LETTERS[part] for _, part in columns]
    widths = [max(map(len, column)) for column in zip(below, *cells, strict=True)]
    for group, title in zip(groups, titles, strict=True):  # a title needs room above its group
        numbers = [number for number, _ in group]
        room = sum(widths[number] for number in numbers) + 2 * (len(numbers) - 1)
        widths[numbers[0]] += max(len(title) - room, 0)
    names = ["response", "document"] if per_document else ["response"]
    left = [max(map(len, column)) for column in zip(names, *labels, strict=True)]

    def line(label: Sequence[str], right: Iterable[str]) -> str:
        parts = [cell.ljust(width) for cell, width in zip(label, left, strict=True)]
        return "  ".join([*parts, *right]).rstrip()

    above = []
    for group, title in zip(groups, titles, strict=True):
        room = sum(widths[number] for number, _ in group) + 2 * (len(group) - 1)
        above.append(title.rjust(room) if len(group) == 1 else title.center(room))
    lines = [line([""] * len(names), above)]
    for label, row in zip([names, *labels], [below, *cells], strict=True):
        lines.append(
            line(label, (cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
        )
    if any("*" in cell for row in cells for cell in row):
        lines.append(_FOOTNOTE)
    return "\n".join(lines)


def markdown(results: Results, measures: Sequence[str] | None, *, per_document: bool) -> str:
    """Return the table in percent as Markdown."""
    columns = columns_of(measures)
    labels, rows = _labelled(lines_of(results, per_document=per_document), per_document)
    cells = [[_percent(scores, column) for column in columns] for scores in rows]
    names = ["response", "document"] if per_document else ["response"]
    head = [f"{_title(name)} {_LETTERS[part]}" for name, part in columns]
    body = [[*label, *row] for label, row in zip(labels, cells, strict=True)]
    table = markdown_table([*names, *head], body)
    starred = any("*" in cell for row in cells for cell in row)
    return f"{table}\n\n\\{_FOOTNOTE}" if starred else table


def latex(results: Results, measures: Sequence[str] | None, *, per_document: bool) -> str:
    r"""Return the table in percent as LaTeX's tabular (``\usepackage{booktabs}``)."""
    columns = columns_of(measures)
    labels, rows = _labelled(lines_of(results, per_document=per_document), per_document)
    names = ["response", "document"] if per_document else ["response"]
    groups = [len(list(group)) for _, group in groupby(columns, lambda x: x[0])]
    above, rules, at = [""] * len(names), [], len(names) + 1
    for size, name in zip(groups, _groups(columns), strict=True):
        shown = _in_latex(name)
        above.append(rf"\multicolumn{{{size}}}{{c}}{{{shown}}}")
        rules.append(rf"\cmidrule(lr){{{at}-{at + size - 1}}}")
        at += size
    below = [*names, *(_LETTERS[part].replace("F1", "F$_1$") for _, part in columns)]
    body = [
        [*map(_escaped, label), *(_percent(scores, column) for column in columns)]
        for label, scores in zip(labels, rows, strict=True)
    ]
    starred = any("*" in cell for row in body for cell in row[len(names) :])
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * len(names)}{'r' * len(columns)}}}",
            r"\toprule",
            " & ".join(above) + r" \\",
            " ".join(rules),
            " & ".join(below) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in body),
            r"\bottomrule",
            r"\end{tabular}",
            *([f"% {_FOOTNOTE}"] if starred else []),
        ]
    )


def csv(results: Results, measures: Sequence[str] | None, *, per_document: bool) -> str:
    """Return CSV text: a line for each response, scope, document and measure; all digits."""
    rows = (
        (
            *(line.response, line.scope, line.document, measure),
            *(getattr(score, part) for part in PARTS),
            " ".join(score.undefined),
            *("" if (count := getattr(score, name)) is None else count for name in COUNTS),
        )
        for line in lines_of(results, per_document=per_document)
        for measure, score in line.scores.items()
        if measures is None or measure in measures
    )
    head = ("response", "scope", "document", "measure", *PARTS, "undefined", *COUNTS)
    return csv_table(head, rows)


def plain(
    results: Results, measures: Sequence[str] | None, *, per_document: bool
) -> dict[str, Any]:
    """Return {response: scores and input} of plain values."""
    responses: dict[str, Any] = {}
    for line in lines_of(results, per_document=per_document):
        here = responses.setdefault(line.response, {})
        scores = {
            measure: {name: value for name, value in asdict(score).items() if value is not None}
            for measure, score in line.scores.items()
            if measures is None or measure in measures
        }
        if line.scope == "document":
            here.setdefault("documents", {})[line.document] = scores
        else:
            here["scores" if line.scope == "all" else "macro"] = scores
    for name, result in results.items():
        head = {"convention": result.convention, "mentions": result.mentions}
        report = result.input_report
        counts = asdict(replace(report, notes=()))
        del counts["notes"]
        notes = [(note if note.place else note.at(name)).to_dict() for note in report.notes]
        responses[name] = {**head, "input": counts, "notes": notes, **responses[name]}
    return responses


def _labelled(
    lines: Iterable[Line], per_document: bool
) -> tuple[list[list[str]], list[Mapping[str, Score]]]:
    labels, rows = [], []
    shown = {"all": "all documents", "macro": "mean of documents"}
    for line in lines:
        where = line.document if line.scope == "document" else shown[line.scope]
        labels.append([line.response, where] if per_document else [line.response])
        rows.append(line.scores)
    return labels, rows


def _groups(columns: Iterable[tuple[str, str]]) -> list[str]:
    """Return the measures that columns next to each other are of."""
    return [name for name, _ in groupby(columns, lambda x: x[0])]


def _title(name: str) -> str:
    if name == "conll":
        return CONLL_TITLE
    return MEASURES[name].title if name in MEASURES else name


def _in_latex(name: str) -> str:
    form = MEASURES[name].in_latex if name in MEASURES else ""
    return form or _escaped(_title(name))


def _percent(scores: Mapping[str, Score], column: tuple[str, str]) -> str:
    measure, part = column
    score = scores[measure]
    star = "*" if part in score.undefined else ""
    return f"{100 * getattr(score, part):.2f}{star}"


def _escaped(plain_text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in plain_text)
