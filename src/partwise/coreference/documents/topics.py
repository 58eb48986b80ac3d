"""Groups of documents that are scored as one each: topics, sub-topics."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.formats.files import fault, numbered_lines, text_of
from partwise.labels.notes import Note
from partwise.numbers.arrays import IntArray

#: How the names of documents may be headed in a file of topics.
_TITLES = (
    "document",
    "doc",
    "name",
    "file",
    "filename",
    "doc_id",
    "document_id",
    "docid",
    "id",
)
#: Names among which one that is near is looked for, which takes time for each.
_MOST_COMPARED = 5000


@dataclass(frozen=True, slots=True)
class Topics:
    """The topic of each document.

    Attributes
    ----------
    names : list of str
        Topics, in the order in which documents first have them.
    documents : list of str
        The documents, topic by topic, else in their order.
    topic : int64 array, shape (n_documents,)
        Topic of each of these, a position in ``names``; never falls.
    other_names : mapping of str to str
        By document, what the file or mapping of topics calls it, where that is another name.
    unused : tuple of str
        Names in the file or mapping that are of no document.
    """

    names: list[str]
    documents: list[str]
    topic: IntArray
    other_names: Mapping[str, str]
    unused: tuple[str, ...] = ()

    @property
    def note(self) -> Note:
        """How many topics there are, and under which other names documents stood."""
        sizes = np.bincount(self.topic, minlength=len(self.names))
        text = (
            f"{len(self.documents)} documents in {len(self.names)} topics (of {sizes.min()} to "
            f"{sizes.max()} documents), the first {self.names[0]!r}"
        )
        if self.other_names:
            document, theirs = next(iter(self.other_names.items()))
            n = len(self.other_names)
            more = f" ({n} documents were found so)" if n > 1 else ""
            text += f"; document {document!r} is taken to be {theirs!r} there{more}"
        if self.unused:
            text += (
                "; names there that are of no document that is scored: "
                f"{len(self.unused)}, the first {self.unused[0]!r}"
            )
        return Note("topics-taken", text)


#: Which of some names say the same as which of others, in the words of their formats.
Alike = Callable[[Sequence[str], Sequence[str]], Mapping[str, str]]


def topics_of(topics: Any, documents: Sequence[str], alike: Alike | None = None) -> Topics:
    r"""Return the topics of documents.

    Parameters
    ----------
    topics : str, Path, mapping or callable
        A regular expression that is searched in the name of a document, whose groups are the
        topic; a file with a document and its topic a row, apart by tab, comma or blanks (text
        that is the name of a file is that file);
        ``{document: topic}``; or a function of the name.
    documents : sequence of str
    alike : callable, optional
        Of the documents that a file or mapping lacks, and its names that are no documents: by
        such a document the name that is the same in the words of another format.

    Raises
    ------
    ValueError, TypeError
        A pattern without groups, a document without a topic, a row of other than two fields.

    Examples
    --------
    >>> names = ["1_1ecb", "2_1ecb", "1_1ecbplus", "1_2ecb"]
    >>> topics = topics_of(r"(\d+)_\d+(ecb(?:plus)?)", names)
    >>> topics.names, topics.documents
    (['1 ecb', '2 ecb', '1 ecbplus'], ['1_1ecb', '1_2ecb', '2_1ecb', '1_1ecbplus'])
    """
    # isfile, since Path.is_file raises where a pattern is too long for a name
    is_file = isinstance(topics, Path) or (isinstance(topics, str) and isfile(topics))
    listed = _of_file(Path(topics)) if is_file else topics
    other_names: Mapping[str, str] = {}
    if isinstance(listed, Mapping) and alike is not None:
        lacking = [name for name in documents if listed.get(name) is None]
        there = set(documents)
        if lacking:
            other_names = alike(lacking, [x for x in map(str, listed) if x not in there])
    topic_of = _function_of(listed)
    codes: dict[str, int] = {}
    of_documents = []
    for name in documents:
        topic = topic_of(other_names.get(name, name))
        if topic is None or topic == "":
            raise ValueError(
                f"document {name!r} has no topic in topics={_shown(topics)}"
                + _what_is_there(name, listed, documents, is_file=is_file)
                + "; every document that is scored needs one"
            )
        of_documents.append(codes.setdefault(str(topic), len(codes)))
    code = np.array(of_documents, dtype=np.int64)
    order = np.argsort(code, kind="stable")
    ordered = [documents[at] for at in order.tolist()]
    unused = _unused(listed, documents, other_names, is_file=is_file)
    return Topics(list(codes), ordered, code[order], other_names, unused)


def _unused(
    listed: Any, documents: Sequence[str], other_names: Mapping[str, str], *, is_file: bool
) -> tuple[str, ...]:
    """Return the names of a list of topics that are of no document, a row of titles aside."""
    if not isinstance(listed, Mapping):
        return ()
    used = {*documents, *other_names.values()}
    unused = [name for name in map(str, listed) if name not in used]
    if is_file and unused and unused[0] == next(iter(listed)) and unused[0].lower() in _TITLES:
        del unused[0]
    return tuple(unused)


def _what_is_there(name: str, listed: Any, documents: Sequence[str], *, is_file: bool) -> str:
    """Return what a list of topics has where it lacks a document: a name that is near."""
    if not isinstance(listed, Mapping) or not listed:
        return ""
    unused = _unused(listed, documents, {}, is_file=is_file)
    if near := get_close_matches(name, unused[:_MOST_COMPARED], 1):
        return f", which has {near[0]!r}"
    return f", which begins with {next(iter(listed))!r}"


def _function_of(topics: Any) -> Callable[[str], Any]:
    if isinstance(topics, str):
        return _of_pattern(topics)
    if isinstance(topics, Mapping):
        return topics.get
    if callable(topics):
        function: Callable[[str], Any] = topics
        return function
    raise TypeError(
        f"topics= is a {type(topics).__name__}; a pattern, a Path, {{document: topic}} or a "
        "function of the name of a document is expected"
    )


def _of_pattern(text: str) -> Callable[[str], Any]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise ValueError(f"topics={text!r} is no regular expression: {error}") from None
    if not pattern.groups:
        raise ValueError(
            f"topics={text!r} is no file that is there, and as a pattern has no group; put "
            r"what is the topic in brackets, such as '^(\d+)_'"
        )

    def topic_of(name: str) -> str | None:
        match = pattern.search(name)
        return None if match is None else " ".join(x for x in match.groups() if x)

    return topic_of


def _of_file(path: Path) -> dict[str, str]:
    """Return {document: topic} of a file. A row of titles is one of a document that lacks."""
    topics: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, data in numbered_lines(path):
        text = text_of(data, path, line).strip("\r\n")
        if not text.strip():
            continue
        delimiter = next((x for x in "\t," if x in text), None)
        fields = (
            text.split() if delimiter is None else next(csv.reader([text], delimiter=delimiter))
        )
        if len(fields) != 2:
            raise fault(
                *(path, line, None),
                f"{len(fields)} fields; a document and its topic, apart by tab, comma or "
                "blanks, are expected",
            )
        name, topic = (field.strip() for field in fields)
        if topics.setdefault(name, topic) != topic:
            raise fault(
                *(path, line, None),
                f"document {name!r} is of topic {topic!r} here and of {topics[name]!r} on line "
                f"{lines[name]}",
            )
        lines.setdefault(name, line)
    return topics


def _shown(topics: Any) -> str:
    if isinstance(topics, (str, Path)):
        return repr(str(topics))
    return f"a {type(topics).__name__}"
