"""Documents as files, and what a format cannot hold of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Literal, get_args

from partwise.coreference.documents.documents import Document
from partwise.coreference.formats.writing import json_lines
from partwise.coreference.formats.writing.conll_2012 import conll_2012_lines
from partwise.coreference.formats.writing.conll_ua import conll_ua_lines
from partwise.coreference.formats.writing.corefud import corefud_lines
from partwise.coreference.formats.writing.plain import spans_of
from partwise.coreference.formats.writing.references import (
    count_beside_spans,
    with_own_references,
)
from partwise.coreference.formats.writing.standoff import (
    Written,
    brat_of,
    litbank_of,
    write_standoff,
)
from partwise.coreference.formats.writing.tokens import Losses
from partwise.labels.files.compressed import COMPRESSORS
from partwise.numbers.checks import one_of
from partwise.report.whole_files import write_whole

WritableFormat = Literal[
    "conll-2012",
    "corefud",
    "conll-ua",
    "jsonlines",
    "wl-coref",
    "fastcoref",
    "preco",
    "scico",
    "brat",
    "litbank",
]
WRITABLE: tuple[str, ...] = get_args(WritableFormat)

_LINES: dict[str, Callable[[Document, Losses], Iterator[str]]] = {
    "conll-2012": conll_2012_lines,
    "corefud": lambda x, lost: corefud_lines(x, spans_of(x), lost),
    "conll-ua": lambda x, lost: conll_ua_lines(x, spans_of(x), lost),
    "jsonlines": json_lines.jsonlines_lines,
    "wl-coref": json_lines.wl_coref_lines,
    "fastcoref": json_lines.fastcoref_lines,
    "preco": json_lines.preco_lines,
    "scico": json_lines.scico_lines,
}
#: Formats of two files a document: annotations, and the text beside them.
STANDOFF: dict[str, Callable[[Document, Losses], Written]] = {
    "brat": brat_of,
    "litbank": litbank_of,
}
#: Formats that hold more than mentions of words, and count themselves what they lose.
_OF_MORE = ("conll-ua", "corefud")
#: Attributes of mentions that formats of plain mentions hold.
_ATTRIBUTES = {"brat": ("type",), "litbank": ("category", "form")}


def write(
    documents: Iterable[Document], path: str | Path, format: WritableFormat
) -> tuple[str, ...]:
    r"""Write documents to a file, and return what its format cannot hold.

    Parameters
    ----------
    documents : Documents, or iterable of Document
        ``iter_documents`` will do: one document at a time is in memory.
    path : str or Path
        Compressed where it ends in gz, bz2 or xz. Replaced when all is written. For "brat" and
        "litbank" a file .ann, beside which .txt gets the words, for one document; else a new or
        empty folder, with such files for each.
    format : str
        "conll-2012", "corefud" (CoNLL-U with ``Entity``), "conll-ua" (Universal Anaphora);
        JSON lines as e2e-coref has them ("jsonlines"), or as "wl-coref", "fastcoref", "preco"
        or "scico"; "brat" or "litbank".

    Returns
    -------
    tuple of str
        One sentence for each kind of thing that was left out or changed, with its count;
        empty: ``read`` gives the same documents (mentions may stand in another order).

    Raises
    ------
    ValueError
        Mentions that are no spans of tokens, a name that a line cannot hold, a NUL character
        (which JSON alone can hold), a document without words for a format whose mentions are
        within words, another format.

    Notes
    -----
    JSON lines get the ends that each of these formats has. "fastcoref" and "brat" count the
    characters of a text of the words with blanks between them. Discontinuous mentions are
    written from their first to their last token, but in "brat", "corefud" and "conll-ua". The
    latter two also hold minimum spans, empty nodes, split antecedents, bridging, attributes of
    mentions, the columns of tokens and comments; "corefud" heads, "conll-ua" mentions that
    refer to nothing and discourse deixis. O(tokens + mentions log mentions + tokens of
    discontinuous mentions).

    References
    ----------
    Pradhan et al., CoNLL 2012; Lee et al., EMNLP 2017.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import partwise as pw
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source, target = pathlib.Path(folder, "a.jsonl"), pathlib.Path(folder, "a.conll")
    ...     _ = source.write_text('{"doc_key": "d", "tokens": ["He", "won"], '
    ...                           '"clusters": [[[0, 0]]]}')
    ...     left_out = pw.coreference.write(pw.coreference.read(source), target, "conll-2012")
    ...     print(target.read_text().replace("\t", " "), left_out)
    #begin document d
    d 0 0 He (0)
    d 0 1 won -
    #end document
     ()
    """
    one_of(format, WRITABLE, "format")
    path = Path(path)
    lost: Losses = Counter()
    counted = _Counted(documents, format, lost)
    try:
        if format in STANDOFF:
            write_standoff(counted, path, lambda x: _standoff_of(x, format, lost), lost)
        else:
            _write_lines(counted, path, lambda x: _lines_of(x, format, lost))
    except UnicodeEncodeError as error:
        raise ValueError(
            f"document {counted.name!r}: it holds the code point "
            f"U+{ord(error.object[error.start]):04X}, which is half of a character and cannot "
            "be written; correct the word or name"
        ) from None
    return tuple(f"{what}: {count}" for what, count in lost.items() if count)


class _Counted(Iterator[Document]):
    """Documents, after counting what is beside mentions and words and is left out.

    Attributes
    ----------
    name : str
        Of the latest document.
    """

    def __init__(self, documents: Iterable[Document], format: str, lost: Losses) -> None:
        self._documents = iter(documents)
        self._format, self._lost = format, lost
        self.name = ""

    def __next__(self) -> Document:
        document = with_own_references(next(self._documents), self._lost)
        self.name = document.name
        if document.characters is not None:
            what = "documents whose text, of which mentions count characters, is not kept"
            self._lost[what] += 1
        if self._format not in _OF_MORE:
            held = _ATTRIBUTES.get(self._format, ())
            count_beside_spans(document, self._lost, held)
        return document


def _lines_of(document: Document, format: str, lost: Losses) -> Iterator[str]:
    """Yield the lines of a document, which hold no NUL (JSON escapes it)."""
    for line in _LINES[format](document, lost):
        if "\0" in line:
            raise _of_nul(document)
        yield line


def _standoff_of(document: Document, format: str, lost: Losses) -> Written:
    """Return the text and the lines of a document, which hold no NUL."""
    text, lines = STANDOFF[format](document, lost)
    if "\0" in text or any("\0" in line for line in lines):
        raise _of_nul(document)
    return text, lines


def _of_nul(document: Document) -> ValueError:
    words = [] if document.tokens is None else document.tokens.words
    at = next((at for at, word in enumerate(words) if "\0" in word), None)
    what = "it" if at is None else f"token {at} ({words[at]!r})"
    return ValueError(
        f"document {document.name!r}: {what} holds a NUL character, with which a text file is "
        "not read again; correct it, or write JSON lines, which escape it"
    )


def _write_lines(
    documents: Iterable[Document], path: Path, lines_of: Callable[[Document], Iterator[str]]
) -> None:
    """Write the lines of documents to a file, which is replaced when all is written."""
    make = COMPRESSORS.get(path.suffix.lower())

    def write_all(target: IO[bytes]) -> None:
        compressor = make() if make else None
        for document in documents:
            for line in lines_of(document):
                content = line.encode("utf-8") + b"\n"
                target.write(compressor.compress(content) if compressor else content)
        if compressor:
            target.write(compressor.flush())

    write_whole(path, write_all)
