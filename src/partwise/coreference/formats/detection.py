"""Which format a file of documents has: by its content, then by its ending."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from partwise.coreference.formats import roles
from partwise.coreference.formats.annotations.litbank import LINE
from partwise.coreference.formats.cells import BRACKETS, NO_MENTION
from partwise.coreference.formats.conll_2012 import begins_document, is_token_line
from partwise.coreference.formats.files import (
    BYTE_ORDER_MARK,
    fault,
    is_of_columns,
    numbered_lines,
    opened,
    text_of,
)
from partwise.coreference.formats.folders import holds_no_annotation
from partwise.coreference.formats.json_lines.fields import CLUSTERS
from partwise.coreference.formats.json_lines.objects import parsed
from partwise.coreference.formats.neleval import is_mention_line
from partwise.coreference.formats.scorch_json import names_its_kind
from partwise.coreference.formats.semeval_2010 import is_first_token
from partwise.labels.files.cells import is_number
from partwise.labels.files.delimiters import BLANKS, fields_of

#: Every format that is read, in the order in which errors list them.
FORMATS = (
    *("conll-2012", "corefud", "jsonlines", "semeval-2010", "scorch-json", "neleval"),
    *("conll-ua", "brat", "litbank", "mmax", "ecb-plus", "tei", "table"),
)
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".npz", ".npy", ".feather")
_CONLL_UA = re.compile(rb"#\s*global\.columns\b.*\bIDENTITY\b")
_ANNOTATIONS = (
    (LINE, "litbank"),
    (re.compile(rb"(T[0-9]+\t\S+ [0-9]+ [0-9]|[REAMN#][0-9]+\t|\*\t\S+ [TE][0-9])"), "brat"),
)
#: Roots of XML, and the formats that they are of.
_ROOTS = {
    "mmax_project": "mmax",
    "words": "mmax",
    "Document": "ecb-plus",
    "TEI": "tei",
    "teiCorpus": "tei",
}
_XML = re.compile(rb"\s*<")
_ROOT = re.compile(
    rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*<([\w:.-]+)", re.S
)
_OBJECT = re.compile(rb"\s*\{")
_LIST = re.compile(rb"\s*\[\s*([\[{\]]|$)")
_NEW_DOCUMENT = re.compile(rb"#\s*(newdoc\b|global\.Entity\b|sent_id\b)")
_TOKEN_OF_CONLL_U = re.compile(rb"[0-9]+([.-][0-9]+)?\t([^\t]*\t){8}[^\t]*$")
#: Rows that are looked at where the first one does not tell.
_ROWS = 1000


def format_of(path: Path) -> str:
    """Return the name of a file's format.

    Raises
    ------
    ValueError
        A format that is not read, an empty file, or one of which nothing tells the format.
    """
    if is_of_columns(path):
        return "table"
    lines = (line for _, line in numbered_lines(path) if line.strip())
    first = None
    for line in lines:
        if begins_document(line):
            return _format_of_tokens(lines)
        if _OBJECT.match(line):
            return _format_of_object(path, line)
        if _CONLL_UA.match(line):
            return "conll-ua"
        if _NEW_DOCUMENT.match(line):
            comments = takewhile(lambda x: x.startswith(b"#"), lines)
            return "conll-ua" if any(map(_CONLL_UA.match, comments)) else "corefud"
        if _TOKEN_OF_CONLL_U.match(line):
            return "corefud"
        first = first or line
        if is_mention_line(line):
            return _format_of_rows(path, line, lines, first)
        if form := next((form for start, form in _ANNOTATIONS if start.match(line)), None):
            return form
        if _XML.match(line):
            return _format_of_xml(path)
        if _LIST.match(line):
            return _format_of_list(path)
        if not line.startswith(b"#"):
            return _format_of_rows(path, line, lines, first)
    if first is None and holds_no_annotation(path):
        return "litbank" if path.suffix.lower() == ".tsv" else "brat"
    if first is None:
        raise ValueError(f"{path}: the file is empty; no document in it")
    return _format_by_ending(path, first)


def _unread(path: Path, name: str) -> ValueError:
    return ValueError(
        f"{path}: this is {name}, which is not read; write its mentions as a table with "
        "columns document, first, last, entity (CSV or TSV), or as one of: "
        f"{', '.join(FORMATS)}"
    )


def _format_by_ending(path: Path, first: bytes) -> str:
    if any(ending.lower() in _TABLES for ending in path.suffixes[-2:]):
        return "table"
    shown = repr(first[:60].decode("utf-8", "backslashreplace").rstrip())
    raise ValueError(
        f"{path}: no known format begins with {shown}; say format=..., one of: "
        f"{', '.join(FORMATS)}"
    )


# ---- rows --------------------------------------------------------------------------


def _format_of_tokens(lines: Iterator[bytes]) -> str:
    """Return the format of lines below the one that begins a document."""
    return "semeval-2010" if is_first_token(next(lines, b"")) else "conll-2012"


def _format_of_rows(path: Path, line: bytes, lines: Iterator[bytes], first: bytes) -> str:
    """Return the format of a file whose first line that is no comment is a row of cells."""
    if is_mention_line(line):
        return _tokens_or_mentions(path, [line, *islice(lines, _ROWS)])
    tokens = is_token_line(line)
    if not tokens and _names_columns(line):
        return "table"
    if tokens and b"\t" in line and _are_tokens([line, *islice(lines, _ROWS)]):
        return "conll-2012"  # whatever the ending says
    try:
        return _format_by_ending(path, first)
    except ValueError:
        if tokens:
            return "conll-2012"
        raise


def _tokens_or_mentions(path: Path, lines: Sequence[bytes]) -> str:
    """Return the format of lines of which the first one may be a mention of neleval.

    A token of CoNLL-2012 has the number of its part and its own behind the document, where
    neleval has the first and the last character, and brackets in its last column. A score of
    neleval is a number.

    Raises
    ------
    ValueError
        Both readings are possible.
    """
    rows = _rows([line for line in lines if line[:1] != b"#"] or lines)
    last = [row[-1] for row in rows]
    if not _of_coreference(last):
        return "neleval"
    if not all(map(is_mention_line, lines)) or any(int(row[2]) < int(row[1]) for row in rows):
        return "conll-2012"
    scores = {row[4] for row in rows if len(row) > 4} - {b""}
    others = [x for x in scores if not is_number(x.decode("utf-8", "replace"))]
    if {*others} - {*NO_MENTION} or (others and any(map(BRACKETS.match, last))):
        return "conll-2012"
    raise ValueError(
        f"{path}: nothing tells whether the file is CoNLL-2012 without '#begin document' (a "
        "token a line, brackets of its entities in the last column) or neleval's (a mention a "
        'line: document, first and last character, entity); say format="conll-2012" or '
        '"neleval"'
    )


def _rows(lines: Sequence[bytes]) -> list[list[bytes]]:
    """Return the cells of lines, without the empty ones at the end of every line."""
    rows = [[cell.strip() for cell in line.split(b"\t")] for line in lines]
    while all(len(row) > 1 and not row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    return rows


def _are_tokens(lines: Sequence[bytes]) -> bool:
    """Return whether the last cell of each line is one of tokens, and one has brackets."""
    last = [row[-1] for row in _rows([line for line in lines if line[:1] != b"#"])]
    return _of_coreference(last) and any(map(BRACKETS.match, last))


def _of_coreference(cells: Sequence[bytes]) -> bool:
    return all(cell in (*NO_MENTION, b"") or BRACKETS.match(cell) for cell in cells)


def _names_columns(line: bytes) -> bool:
    """Return whether a line names the columns of a table of mentions."""
    text = line.decode("utf-8", "replace").strip()
    return any(
        roles.name_mentions(fields_of(text, delimiter)) for delimiter in ("\t", *",;|", BLANKS)
    )


# ---- XML ---------------------------------------------------------------------------


def _format_of_xml(path: Path) -> str:
    """Return the format of an XML file, by its root."""
    with opened(path) as file:
        match = _ROOT.match(file.read().removeprefix(BYTE_ORDER_MARK))
    root = match[1].rpartition(b":")[2].decode("utf-8", "replace") if match else "?"
    if root == "markables":
        raise ValueError(
            f"{path}: this is one level of MMAX; give the project (.mmax), its file of words "
            "(NAME_words.xml) or the folder that holds them"
        )
    if root not in _ROOTS:
        raise _unread(path, f"XML of <{root}>")
    return _ROOTS[root]


# ---- JSON --------------------------------------------------------------------------


def _format_of_object(path: Path, line: bytes) -> str:
    """Return the format of a file that begins with an object of JSON."""
    if line.rstrip().endswith(b"}"):
        if names_its_kind(line) and b'"doc_key"' not in line:
            return "scorch-json"
        return _format_of_record(_parsed(line))
    with opened(path) as file:
        return "scorch-json" if names_its_kind(file.read()) else "jsonlines"


def _format_of_list(path: Path) -> str:
    """Return the format of a file that begins as one list of JSON."""
    with opened(path) as file:
        text = text_of(file.read().removeprefix(BYTE_ORDER_MARK), path, 1)
    try:
        records = parsed(text, path, None)
    except json.JSONDecodeError as error:
        raise fault(
            *(path, error.lineno, None),
            f"not JSON ({error}); the file begins as a list of records, one for each mention "
            "or document: correct it, or write it anew",
        ) from None
    if not isinstance(records, list) or not all(isinstance(x, dict) for x in records):
        raise _unread(path, "one JSON list that is not one of records")
    return _format_of_record(records[0] if records else None)


def _format_of_record(record: Any) -> str:
    """Return the format of records: a document each, or a mention each."""
    if not isinstance(record, dict) or not {*CLUSTERS}.isdisjoint(record):
        return "jsonlines"
    return "table" if roles.name_mentions(list(record)) else "jsonlines"


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
