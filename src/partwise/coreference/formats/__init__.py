"""Files of documents: one module a format, read by ``read`` and ``iter_documents``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Unpack

from partwise.coreference.documents.columns import joined_columns
from partwise.coreference.documents.documents import (
    Document,
    DocumentColumns,
    Documents,
    of_columns,
)
from partwise.coreference.documents.tokens import TokenColumn
from partwise.coreference.formats.annotations.brat import read_brat
from partwise.coreference.formats.annotations.ecb_plus import read_ecb_plus
from partwise.coreference.formats.annotations.litbank import read_litbank
from partwise.coreference.formats.annotations.mmax import read_mmax
from partwise.coreference.formats.annotations.tei import read_tei
from partwise.coreference.formats.catalogue import CATALOGUE, read_as
from partwise.coreference.formats.conll_2012 import read_conll_2012
from partwise.coreference.formats.conll_2012.unread import unread_columns
from partwise.coreference.formats.conll_ua import read_conll_ua
from partwise.coreference.formats.corefud import read_corefud
from partwise.coreference.formats.detection import format_of
from partwise.coreference.formats.files import Notes, notes_on_text, text_in_memory
from partwise.coreference.formats.folders import files_of, holds_no_annotation
from partwise.coreference.formats.json_lines import read_jsonlines
from partwise.coreference.formats.neleval import read_neleval
from partwise.coreference.formats.options import DocumentFormat, FileOptions
from partwise.coreference.formats.roles import note_of_all_entities, note_of_entities
from partwise.coreference.formats.scorch_json import read_scorch_json
from partwise.coreference.formats.semeval_2010 import read_semeval_2010
from partwise.coreference.formats.tables import read_mention_table
from partwise.coreference.formats.writing import STANDOFF, WRITABLE, write
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

#: Documents of a file one by one, or those of a piece of it as columns.
READERS: dict[str, Callable[..., Iterator[Document | DocumentColumns]]] = {
    "conll-2012": read_conll_2012,
    "corefud": read_corefud,
    "jsonlines": read_jsonlines,
    "semeval-2010": read_semeval_2010,
    "scorch-json": read_scorch_json,
    "neleval": read_neleval,
    "conll-ua": read_conll_ua,
    "brat": read_brat,
    "litbank": read_litbank,
    "mmax": read_mmax,
    "ecb-plus": read_ecb_plus,
    "tei": read_tei,
    "table": read_mention_table,
}
#: What the files of a format can be told; "auto" is no value but the wish to find out.
OPTIONS = {
    "jsonlines": ("ends", "clusters", "side"),
    "conll-ua": ("clusters",),
    "brat": ("clusters",),
    "mmax": ("clusters", "entity"),
    "ecb-plus": ("clusters",),
    "tei": ("clusters",),
    "table": ("document", "mention", "entity", "ends", "header", "delimiter"),
}
#: Formats of which no line tells the encoding: arrays, and XML, which declares it.
_OWN_ENCODING = ("table", "mmax", "ecb-plus", "tei")


class DocumentStream(Iterator[Document]):
    """Documents of a file or of a folder of files, read as they are asked for.

    Attributes
    ----------
    path : str
    format : str
        Of all files; that of the first where none was given.
    """

    def __init__(
        self, path: str | Path | Sequence[str], format: str = "auto", **options: Any
    ) -> None:
        self._notes: Notes = Notes()
        path = text_in_memory(path)
        files = files_of(path, self._notes)
        self.path = str(path)
        # a file of annotations without a line is of the format of those beside it
        telling = next((file for file in files if not holds_no_annotation(file)), files[0])
        self.format = format_of(telling) if format == "auto" else format
        if self.format not in READERS:
            raise _unknown(format)
        self._first = telling
        side = options.pop("side", None)
        for name in options:
            if name not in OPTIONS.get(self.format, ()):
                raise ValueError(f"{path}: {name}= is not for files of format {self.format}")
        if "side" in OPTIONS.get(self.format, ()):
            options["side"] = side
        self._read = self._of_files(files, format, options)
        self._by_file = self.format == "scorch-json" and len(files) > 1
        self._documents = self._one_by_one()

    def _of_files(
        self, files: Sequence[Path], format: str, options: dict[str, Any]
    ) -> Iterator[Document | DocumentColumns]:
        for file in files:
            yield from READERS[self.format](self._checked(file, format), self._notes, **options)
        self._notes.check_names(self.path)

    def _checked(self, file: Path, format: str) -> Path:
        """Return a file of a folder whose format is that of the others."""
        beside = self.format in STANDOFF and holds_no_annotation(file)
        if format == "auto" and not beside and (own := format_of(file)) != self.format:
            raise ValueError(
                f"{file} is a file of format {own}, others of the folder are "
                f"{self.format}; move it, or say format=..."
            )
        for note in [] if self.format in _OWN_ENCODING else notes_on_text(file):
            self._notes.tell(note.code, note.text)
        return file

    def _one_by_one(self) -> Iterator[Document]:
        for part in self._read:
            for document in part if isinstance(part, DocumentColumns) else [part]:
                if self.format != "jsonlines":
                    note_of_entities(document, self._notes)
                yield _named_after_file(document) if self._by_file else document

    def __next__(self) -> Document:
        return next(self._documents)

    def _all(self) -> list[Document] | DocumentColumns:
        """Return all documents that are left; as columns where their reader gives columns."""
        parts = []
        for part in self._read:
            if not isinstance(part, DocumentColumns):
                self._read = chain([part], self._read)
                return list(self)
            note_of_all_entities(part, self._notes)
            parts.append(part)
        if len(parts) == 1:
            return parts[0]
        if all(isinstance(part.side.tokens, TokenColumn) for part in parts):
            return joined_columns(parts) if parts else []
        return list(chain.from_iterable(parts))  # of several tables, perhaps not of one kind

    @property
    def unread(self) -> tuple[str, ...]:
        """What the first file holds for each word that is not read: which of its columns."""
        if self.format not in ("conll-2012", "semeval-2010"):
            return ()
        columns = unread_columns(self._first, self.format)
        if not columns:
            return ()
        return (f"columns of words that are not read: {', '.join(map(str, columns))}",)

    @property
    def notes(self) -> tuple[Note, ...]:
        """How the file was read so far, counted: one sentence each, with a code."""
        return self._notes.sentences()


def _unknown(format: str) -> ValueError:
    """Return the error for a format that is not read, or not under this name."""
    layout = f"; files of {format} are read as " if format in CATALOGUE else ""
    return ValueError(
        f"format={format!r} is not one of: auto, {', '.join(READERS)}"
        + (f"{layout}{read_as(format)!r}" if layout else "")
    )


def _named_after_file(document: Document) -> Document:
    """Return a document of a folder under the name of its file: Scorch pairs by these."""
    (of_file,) = document.other_names
    return replace(document, name=of_file, named=True, other_names=(document.name,))


def iter_documents(
    path: str | Path | Sequence[str],
    format: DocumentFormat = "auto",
    **options: Unpack[FileOptions],
) -> DocumentStream:
    """Return an iterator over the documents of a file that holds few of them in memory.

    Parameters
    ----------
    path, format, options
        See ``read``, as for faults and notes; the notes so far are in ``.notes``.

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


def read(
    path: str | Path | Sequence[str],
    format: DocumentFormat = "auto",
    **options: Unpack[FileOptions],
) -> Documents:
    r"""Read a file of documents with entities and their mentions.

    Parameters
    ----------
    path : str, Path or list of str
        May be compressed (gz, bz2, xz); "-" is standard input. A folder: all files in it, in
        the order of their names, those that begin with a dot aside. Text with line breaks, or a
        list of lines, is the content of a file.
    format : str, default "auto"
        "conll-2012", "corefud" (CoNLL-U with ``Entity``), "jsonlines" (``clusters``),
        "semeval-2010", "scorch-json" (a document a file), "neleval" (spans of characters, a
        mention a line), "conll-ua" (Universal Anaphora), "brat" and "litbank" (.ann), "mmax",
        "ecb-plus", "tei", or "table" (text, rows of JSON, Parquet, feather or npz with columns
        for document, mention or first and last token, and entity). "auto" goes by the content
        and, where that does not tell, by the ending.
    **options
        For tables: ``document``, ``mention`` (one column, two for first and last token, or
        three with the sentence within which these count) and ``entity``, the columns by name or
        number where their names are not usual ones; ``header``, whether the first row names
        the columns; ``delimiter``, what parts the fields.
        ``clusters``, what holds the entities. jsonlines: the field, by default "clusters",
        "predicted_clusters" or "span_clusters"; conll-ua: the column; brat: the relation, or
        "types"; mmax: the level (and ``entity``, the attribute); ecb-plus: "events" or
        "entities"; tei: the attribute.
        For jsonlines and tables: ``ends`` ("auto", "inclusive", "exclusive": whether the second
        number of a mention is its last token or the one after it).

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
    tell the ends apart; they are read as nested. Split antecedents, bridging and mentions that
    refer to nothing stand in ``antecedents`` and ``references`` of a document, apart from its
    mentions, and are counted. O(bytes).

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
    documents = stream._all()
    if not len(documents):
        raise ValueError(f"{stream.path}: no document in it (read as {stream.format})")
    about = (stream.format, stream.path, stream.notes)
    if isinstance(documents, DocumentColumns):
        return of_columns(documents, *about)
    return Documents(documents, *about)
