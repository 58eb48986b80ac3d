"""Files of documents: one module a format, read by ``read`` and ``iter_documents``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from partwise.coreference.documents.documents import Document, Documents
from partwise.coreference.formats.conll_2012 import (
    begins_document,
    is_token_line,
    read_conll_2012,
)
from partwise.coreference.formats.corefud import read_corefud
from partwise.coreference.formats.files import Notes, held, numbered_lines, opened
from partwise.coreference.formats.jsonlines import read_jsonlines
from partwise.coreference.formats.neleval import is_mention_line, read_neleval
from partwise.coreference.formats.scorch_json import names_its_kind, read_scorch_json
from partwise.coreference.formats.semeval_2010 import is_first_token, read_semeval_2010
from partwise.coreference.formats.table import read_mention_table
from partwise.coreference.formats.writing import WRITABLE, write
from partwise.labels.notes import Note

__all__ = [
    "READERS",
    "WRITABLE",
    "DocumentStream",
    "format_of",
    "iter_documents",
    "read",
    "write",
]

READERS: dict[str, Callable[..., Iterator[Document]]] = {
    "conll-2012": read_conll_2012,
    "corefud": read_corefud,
    "jsonlines": read_jsonlines,
    "semeval-2010": read_semeval_2010,
    "scorch-json": read_scorch_json,
    "neleval": read_neleval,
    "table": read_mention_table,
}
#: What the files of a format can be told; "auto" is no value but the wish to find out.
OPTIONS = {
    "jsonlines": ("ends", "clusters", "side"),
    "table": ("document", "mention", "entity", "ends"),
}
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".npz")

_UNREAD = (
    (re.compile(rb"#\s*global\.columns\b.*\bIDENTITY\b"), "CoNLL-UA (Universal Anaphora)"),
    (re.compile(rb"(MENTION|COREF)\tT[0-9]+\t"), "LitBank's .ann"),
    (re.compile(rb"[TREAMN][0-9]+\t"), "brat's standoff (.ann)"),
    (re.compile(rb"\s*<"), "XML"),
    (re.compile(rb"\s*\[\s*[{\[]"), "one JSON list instead of a record a line"),
)
_OBJECT = re.compile(rb"\s*\{")
_NEW_DOCUMENT = re.compile(rb"#\s*(newdoc\b|global\.Entity\b|sent_id\b)")
_TOKEN_OF_CONLL_U = re.compile(rb"[0-9]+([.-][0-9]+)?\t([^\t]*\t){8}[^\t]*$")


class DocumentStream(Iterator[Document]):
    """Documents of a file or of a folder of files, read as they are asked for.

    Attributes
    ----------
    path : str
    format : str
        Of all files; that of the first where none was given.
    """

    def __init__(self, path: str | Path, format: str = "auto", **options: Any) -> None:
        files = _files_of(path if isinstance(path, Path) else Path(path))
        self.path = str(path)
        self.format = format_of(files[0]) if format == "auto" else format
        if self.format not in READERS:
            raise ValueError(f"format={format!r} is not one of: auto, {', '.join(READERS)}")
        side = options.pop("side", None)
        for name in options:
            if name not in OPTIONS.get(self.format, ()):
                raise ValueError(f"{path}: {name}= is not for files of format {self.format}")
        if "side" in OPTIONS.get(self.format, ()):
            options["side"] = side
        self._notes: Notes = Notes()
        reader = READERS[self.format]
        documents = chain.from_iterable(
            reader(self._checked(file, format), self._notes, **options) for file in files
        )
        by_file = self.format == "scorch-json" and len(files) > 1
        self._documents = map(_named_after_file, documents) if by_file else documents

    def _checked(self, file: Path, format: str) -> Path:
        """Return a file of a folder whose format is that of the others."""
        if format == "auto" and (own := format_of(file)) != self.format:
            raise ValueError(
                f"{file} is a file of format {own}, others of the folder are "
                f"{self.format}; move it, or say format=..."
            )
        return file

    def __next__(self) -> Document:
        return next(self._documents)

    @property
    def notes(self) -> tuple[Note, ...]:
        """How the file was read so far, counted: one sentence each, with a code."""
        return self._notes.sentences()


def _named_after_file(document: Document) -> Document:
    """Return a document of a folder under the name of its file: Scorch pairs by these."""
    (of_file,) = document.other_names
    return replace(document, name=of_file, named=True, other_names=(document.name,))


def iter_documents(path: str | Path, format: str = "auto", **options: Any) -> DocumentStream:
    """Return an iterator over the documents of a file that holds few of them in memory.

    Parameters, faults and notes are those of ``read``; the notes so far are in ``.notes``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import partwise as pw
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "key.jsonlines")
    ...     _ = path.write_text('{"doc_key": "d", "clusters": [[[0, 0], [4, 5]], [[2, 2]]]}')
    ...     [(x.name, len(x)) for x in pw.coreference.iter_documents(path)]
    [('d', 3)]
    """
    return DocumentStream(path, format, **options)


def read(path: str | Path, format: str = "auto", **options: Any) -> Documents:
    r"""Read a file of documents with entities and their mentions.

    Parameters
    ----------
    path : str or Path
        May be compressed (gz, bz2, xz); "-" is standard input. A folder: all files in it, in
        the order of their names, those that begin with a dot aside.
    format : str, default "auto"
        "conll-2012", "corefud" (CoNLL-U with ``Entity``), "jsonlines" (``clusters``),
        "semeval-2010", "scorch-json" (a document a file), "neleval" (spans of characters, a
        mention a line) or "table" (CSV, TSV, Parquet or npz with columns for document, mention
        or first and last token, and entity). "auto" goes by the first lines and, for tables,
        by the ending.
    **options
        For tables: ``document``, ``mention`` (one name, or two for first and last token) and
        ``entity``, the names of the columns where they are not usual ones.
        For jsonlines: ``clusters`` (the field, by default "clusters", "predicted_clusters" or
        "span_clusters").
        For both: ``ends`` ("auto", "inclusive", "exclusive": whether the second number of a
        mention is its last token or the one after it).

    Returns
    -------
    Documents
        In the order of the file; mentions as ``Spans``, positions from 0 over the document,
        both ends inclusive; with heads, empty nodes and parts where the file has them.
        ``notes`` says what had to be interpreted.

    Raises
    ------
    ValueError
        A fault in the file, with file, line, document and what to do; a file without
        documents; an unknown format.

    Notes
    -----
    Nothing is repaired: a mention that stands twice stays so (``score`` has a policy for it),
    as do two documents of one name. Of two crossing mentions of one entity, brackets cannot
    tell the ends apart; they are read as nested. Bridging and split antecedents are not read,
    and counted. O(bytes).

    References
    ----------
    Pradhan et al., CoNLL 2012 (brackets in the last column); Lee et al., EMNLP 2017 (JSON
    lines with ``clusters``); Nedoluzhko et al., LREC 2022 (CorefUD).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import partwise as pw
    >>> lines = ["#begin document (d); part 000", "d 0 0 Ann (0)", "d 0 1 met -",
    ...          "d 0 2 her (0|(1)", "d 0 3 son 0)", "#end document"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "key.conll")
    ...     _ = path.write_text("\n".join(lines))
    ...     documents = pw.coreference.read(path)
    >>> documents.format, documents.documents[0].name
    ('conll-2012', '(d); part 000')
    >>> documents.documents[0].mentions.first.tolist()
    [0, 2, 2]
    """
    stream = DocumentStream(path, format, **options)
    documents = list(stream)
    if not documents:
        raise ValueError(f"{path}: no document in it (read as {stream.format})")
    return Documents(documents, stream.format, str(path), stream.notes)


def format_of(path: Path) -> str:
    """Return the name of a file's format, by its first lines."""
    shown = None
    begun = has_brackets = False
    for _, line in numbered_lines(path):
        if not line.strip():
            continue
        if begun:
            return "semeval-2010" if is_first_token(line) else "conll-2012"
        if begins_document(line):
            begun = True
            continue
        if _OBJECT.match(line):
            return "scorch-json" if _is_scorch(path, line) else "jsonlines"
        if _NEW_DOCUMENT.match(line) or _TOKEN_OF_CONLL_U.match(line):
            return "corefud"
        if is_mention_line(line):
            return "neleval"
        shown = shown or repr(line[:60].decode("utf-8", "backslashreplace").rstrip())
        if unread := _unread_format(line):
            raise ValueError(f"{path}: {unread}")
        if not line.startswith(b"#"):
            has_brackets = is_token_line(line)
            break
    if begun:
        return "conll-2012"
    if shown is None:
        raise ValueError(f"{path}: the file is empty; no document in it")
    if any(ending.lower() in _TABLES for ending in path.suffixes[-2:]):
        return "table"
    if has_brackets:
        return "conll-2012"
    raise ValueError(
        f"{path}: no known format begins with {shown}; say format=..., one of: "
        f"{', '.join(READERS)}"
    )


def _unread_format(line: bytes) -> str | None:
    """Return what to say of a line of a format that is known but not read."""
    for pattern, name in _UNREAD:
        if pattern.match(line):
            return (
                f"this is {name}, which is not read; write its mentions as a table with "
                "columns document, first, last, entity (CSV or TSV), or as one of: "
                f"{', '.join(READERS)}"
            )
    return None


def _is_scorch(path: Path, line: bytes) -> bool:
    """Return whether a JSON file is one object over several lines, or one that says so."""
    if line.rstrip().endswith(b"}"):
        return names_its_kind(line) and b'"doc_key"' not in line
    with opened(path) as file:
        return names_its_kind(file.read())


def _files_of(path: Path) -> list[Path]:
    """Return a file, or those of a folder in the order of their names."""
    if not path.is_dir():
        return [held(path)]
    inside = (x.relative_to(path).parts for x in path.rglob("*") if x.is_file())
    files = [path.joinpath(*x) for x in sorted(inside) if not any(y[0] == "." for y in x)]
    if not files:
        raise ValueError(f"{path}: the folder holds no files; no document in it")
    return files
