"""Documents as files, and what a format cannot hold of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, Literal, get_args

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.writing.conll_ua import conll_ua_lines
from partwise.coreference.formats.writing.corefud import corefud_lines
from partwise.coreference.formats.writing.references import (
    count_beside_spans,
    with_own_references,
)
from partwise.coreference.formats.writing.tokens import Losses
from partwise.labels.files.compressed import OPENERS
from partwise.numbers.checks import one_of
from partwise.report.whole_files import write_whole

WritableFormat = Literal["conll-2012", "corefud", "jsonlines", "conll-ua"]
WRITABLE: tuple[str, ...] = get_args(WritableFormat)

_NAME = re.compile(r"\((.*)\);\s*part\s*([0-9]+)\Z")
_ENTITY = re.compile(r"[^()|+\s]+\Z")
_WHITE = " \t\n\r\f\v"
_BLANKS = re.compile(f"[{_WHITE}]+")
_MISSING = ("nan", "none", "null")


def write(
    documents: Iterable[Document], path: str | Path, format: WritableFormat
) -> tuple[str, ...]:
    r"""Write documents to a file, and return what its format cannot hold.

    Parameters
    ----------
    documents : Documents, or iterable of Document
        ``iter_documents`` will do: one document at a time is in memory.
    path : str or Path
        Compressed where it ends in gz, bz2 or xz. Replaced when all is written.
    format : {"conll-2012", "corefud", "jsonlines", "conll-ua"}

    Returns
    -------
    tuple of str
        One sentence for each kind of thing that was left out or changed, with its count;
        empty: ``read`` gives the same documents (mentions may stand in another order).

    Raises
    ------
    ValueError
        Mentions that are no spans of tokens, a name that a line cannot hold, another format.

    Notes
    -----
    JSON lines get inclusive ends. Discontinuous mentions are written from their first to their
    last token, but in "corefud" (CoNLL-U with ``Entity``) and "conll-ua". Both of these also
    hold minimum spans, empty nodes, split antecedents, bridging, attributes of mentions, the
    columns of tokens and comments; "corefud" heads, "conll-ua" mentions that refer to nothing
    and discourse deixis. O(tokens + mentions log mentions + tokens of discontinuous mentions).

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
    writers: dict[str, Callable[[Document, Losses], Iterator[str]]] = {
        "conll-2012": _conll_2012,
        "corefud": lambda x, lost: corefud_lines(x, _spans_of(x), lost),
        "jsonlines": _jsonlines,
        "conll-ua": lambda x, lost: conll_ua_lines(x, _spans_of(x), lost),
    }
    lines_of = writers[format]
    lost: Losses = Counter()
    opener: Any = OPENERS.get(path.suffix.lower(), lambda target, mode: nullcontext(target))

    def write_lines(target: IO[bytes]) -> None:
        with opener(target, "wb") as file:
            for document in documents:
                document = with_own_references(document, lost)
                if format not in ("conll-ua", "corefud"):
                    count_beside_spans(document, lost)
                for line in lines_of(document, lost):
                    file.write(line.encode("utf-8") + b"\n")

    write_whole(path, write_lines)
    return tuple(f"{what}: {count}" for what, count in lost.items() if count)


def _spans_of(document: Document) -> Spans:
    """Return the spans of a document."""
    spans = document.mentions
    if not isinstance(spans, Spans):
        if len(spans):
            raise ValueError(
                f"document {document.name!r}: its mentions are no spans of tokens "
                f"({spans[0]!r}, say); only spans can be written"
            )
        nothing = np.empty(0, dtype=np.int64)
        return Spans(nothing, nothing)
    if document.name != document.name.strip() or re.search(r"[\r\n]", document.name):
        raise ValueError(
            f"document {document.name!r}: a name with blanks at an end or with line breaks "
            "cannot be written"
        )
    return spans


def _plain_spans_of(document: Document, lost: Losses) -> Spans:
    """Return the spans of a document, after counting what plain spans of words lose."""
    spans = _spans_of(document)
    if spans.head is not None:
        lost["mentions whose head is left out"] += len(spans)
    if spans.minimum is not None:
        lost["mentions whose minimum span is left out"] += len(spans)
    if spans.token_ends is not None:
        gaps = np.diff(spans.token_ends) < spans.last - spans.first + 1
        if n := int(np.count_nonzero(gaps)):
            lost["discontinuous mentions, written from first to last token"] += n
    tokens = document.tokens
    if tokens is not None and tokens.empty is not None:
        lost["empty nodes, written as words"] += int(np.count_nonzero(tokens.empty))
    dependencies = () if tokens is None else tokens.dependencies or ()
    if n := sum(x not in ("", "_") for x in dependencies):
        lost["enhanced dependencies left out"] += n
    return spans


# ---- JSON lines --------------------------------------------------------------------


def _jsonlines(document: Document, lost: Losses) -> Iterator[str]:
    spans = _plain_spans_of(document, lost)
    if list(document.entity_names) != list(range(len(document.entity_names))):
        lost["documents whose names of entities are left out"] += 1
    clusters: list[list[list[int]]] = [[] for _ in document.entity_names]
    rows = zip(spans.first.tolist(), spans.last.tolist(), document.entity.tolist(), strict=True)
    for first, last, entity in rows:
        clusters[entity].append([first, last])
    record: dict[str, Any] = {"doc_key": document.name}
    if document.tokens is not None:
        record["sentences"] = list(_sentences(document.tokens))
    yield json.dumps({**record, "clusters": clusters}, ensure_ascii=False)


def _sentences(tokens: Tokens) -> Iterator[list[str]]:
    """Yield the words of each sentence."""
    bounds = (np.flatnonzero(np.diff(tokens.sentence)) + 1).tolist()
    for begin, end in zip([0, *bounds], [*bounds, len(tokens)], strict=True):
        if end > begin:
            yield list(tokens.words[begin:end])


# ---- CoNLL-2012 --------------------------------------------------------------------


def _conll_2012(document: Document, lost: Losses) -> Iterator[str]:
    spans = _plain_spans_of(document, lost)
    if not document.name:
        raise ValueError("a document without a name cannot be written as conll-2012")
    tokens = document.tokens
    n = int(spans.last.max()) + 1 if len(spans) else 0
    if tokens is None:
        lost["documents without words, written as '_'"] += 1
        tokens = Tokens(["_"] * n, np.zeros(n, dtype=np.int64))
    if n > len(tokens):
        raise ValueError(
            f"document {document.name!r}: a mention ends at token {n - 1}, but there are "
            f"{len(tokens)} tokens"
        )
    if crossing := _crossing(spans, document.entity.tolist()):
        lost["mentions that cross another one of their entity, read back as nested"] += crossing
    columns = _columns(spans, document.entity.tolist(), _entity_names(document, lost))
    match = _NAME.match(document.name)
    name, part = (match[1], int(match[2])) if match else (document.name, 0)
    start = f"{'_'.join(name.split()) or '_'}\t{part}"
    yield f"#begin document {document.name}"
    before, number = None, 0
    sentences = tokens.sentence.tolist()
    for at, (word, sentence) in enumerate(zip(tokens.words, sentences, strict=True)):
        if sentence != before:
            if before is not None:
                yield ""
            before, number = sentence, 0
        written = _BLANKS.sub("_", word.strip(_WHITE)) or "_"
        if written != word:
            lost["words that are empty or hold blanks, with '_' in place of these"] += 1
        yield f"{start}\t{number}\t{written}\t{columns.get(at, '-')}"
        number += 1
    yield "#end document"


def _entity_names(document: Document, lost: Losses) -> list[str]:
    """Return names of entities that brackets can hold."""
    names = list(map(str, document.entity_names))
    if any(not _ENTITY.match(x) or x.lower() in _MISSING for x in names) or len(
        set(names)
    ) < len(names):
        lost["documents whose entities are written as numbers"] += 1
        names = list(map(str, range(len(names))))
    return names


def _columns(spans: Spans, entity: list[int], names: list[str]) -> dict[int, str]:
    """Return the coreference column of each token that has brackets: closing ones first."""
    rows = list(zip(spans.first.tolist(), spans.last.tolist(), entity, strict=True))
    brackets: dict[int, list[str]] = {}
    for first, last, e in sorted(rows, key=lambda row: (row[1], -row[0])):
        if last > first:
            brackets.setdefault(last, []).append(f"{names[e]})")
    for first, last, e in sorted(rows, key=lambda row: (row[0], -row[1])):
        closed = ")" if last == first else ""
        brackets.setdefault(first, []).append(f"({names[e]}{closed}")
    return {token: "|".join(parts) for token, parts in brackets.items()}


def _crossing(spans: Spans, entity: list[int]) -> int:
    """Return how many mentions begin within one of their entity and end behind it."""
    rows = sorted(zip(entity, spans.first.tolist(), (-spans.last).tolist(), strict=True))
    waiting: list[int] = []
    before, crossing = None, 0
    for e, first, minus_last in rows:
        last = -minus_last
        if e != before:
            before, waiting = e, []
        while waiting and waiting[-1] < first:
            waiting.pop()
        # one that ends where this one begins closes before this one opens
        crossing += any(first < x < last for x in waiting)
        waiting.append(last)
        waiting.sort(reverse=True)
    return crossing
