"""Documents of mentions, as columns: what readers give and scoring takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.notes import Note
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.report.brief import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Spans(Brief):
    """Mentions as spans of tokens, one row each. Positions count from 0 over the document.

    Attributes
    ----------
    first, last : int64 array, shape (n_mentions,)
        First and last token of a mention, both inclusive.
    head : int64 array or None
        Token that is the head; None: the format has no heads.
    minimum : int64 array, shape (n_mentions, 2), or None
        First and last token of the minimum span.
    token_ends, tokens : int64 arrays or None
        Tokens of mention i: ``tokens[token_ends[i]:token_ends[i + 1]]``, ascending. None where
        every mention has all tokens from first to last.
    line : int64 array or None
        Line of the file, from 1, on which a mention opens.
    """

    first: IntArray
    last: IntArray
    head: IntArray | None = None
    minimum: IntArray | None = None
    token_ends: IntArray | None = None
    tokens: IntArray | None = None
    line: IntArray | None = None

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True, slots=True, repr=False)
class Tokens(Brief):
    """The tokens of a document, where its file has them.

    Attributes
    ----------
    words : sequence of str
    sentence : int64 array, shape (n_tokens,)
        Number of the sentence of each token, from 0.
    empty : bool array or None
        Whether a token is an empty node (a zero); None: none is.
    ids : sequence of str or None
        Ids within the sentence ("5", "5.1") as the file writes them.
    dependencies : sequence of str or None
        Enhanced dependencies ("4:nsubj|7:conj") as the file writes them.
    tags : sequence of str or None
        Parts of speech as the file writes them: of the Penn Treebank beside a ``parse``,
        universal ones beside ``parents``.
    parse : sequence of str or None
        Brackets of phrases that open and close at each token, ``(NP*`` and ``*))``, as in
        CoNLL-2012.
    parents : int64 array or None
        Token that governs each, over the document; -1: none (the root of a sentence).
    columns : mapping of str to sequence of str
        Further columns as the file writes them, by the names of CoNLL-U and CoNLL-UA: LEMMA,
        XPOS, FEATS, DEPREL, MISC, REFERENCE and so on; those in which a token has a value.
    lines : mapping of int to tuple of str
        Lines that are no tokens, as the file writes them: comments, and words of several tokens
        ("5-6"); by the token before which they stand, ``len(words)`` behind the last one.
    """

    words: Sequence[str]
    sentence: IntArray
    empty: BoolArray | None = None
    ids: Sequence[str] | None = None
    dependencies: Sequence[str] | None = None
    tags: Sequence[str] | None = None
    parse: Sequence[str] | None = None
    parents: IntArray | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True, repr=False)
class Document(Brief):
    """One document: its mentions, and the entity of each.

    Attributes
    ----------
    name : str
    mentions : Spans or sequence of hashables
        In the order of the file. A repeat stands here as often as in the file.
    entity : int64 array, shape (n_mentions,)
        Entity of each mention, a position in ``entity_names``.
    entity_names : sequence of hashables
        Each with at least one mention.
    tokens : Tokens or None
    named : bool
        Whether the file or the caller names the document; False: ``name`` is the file's, or a
        number.
    other_names : tuple of str
        What else it may be called: the name with the blanks that the file writes behind it, the
        file's own name.
    antecedents : mapping of int to tuple of int
        Split antecedents: by positions in ``entity_names``, the entities that one is made of.
    references : References or None
        What the file says of mentions beside identity.
    attributes : mapping of str to sequence of str
        What else the file says of each mention, by the names that it has there (``etype``,
        ``infstat``, ``SemType``); "" where it says nothing.
    characters : int or None
        Length of the text whose characters the mentions count, and which is not kept; None:
        mentions count tokens, or the text is not known.
    """

    name: str
    mentions: Spans | Sequence[Hashable]
    entity: IntArray
    entity_names: Sequence[Hashable]
    tokens: Tokens | None = None
    named: bool = True
    other_names: tuple[str, ...] = ()
    antecedents: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    references: References | None = None
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    characters: int | None = None

    def __len__(self) -> int:
        return len(self.entity)


@dataclass(frozen=True, slots=True, repr=False)
class References(Brief):
    """Mentions that refer to nothing, and bridging: what a file has beside identity.

    Attributes
    ----------
    markables : Document
        All mentions, those that refer to nothing among them, each of these with an entity of
        its own.
    non_referring : frozenset of int
        Mentions of ``markables`` that refer to nothing, by position.
    bridging : mapping of int to int
        By position of an anaphor, that of the mention that it is related to, which scores take.
    relations : mapping of (int, int) to str
        The kind of each pair of anaphor and mention, "" where none is named; an anaphor that is
        related to several mentions stands here with each.
    discourse_deixis : Document or None
        Mentions of what a stretch of text says, and of that text, with entities of their own.
    """

    markables: Document
    non_referring: frozenset[int]
    bridging: Mapping[int, int]
    relations: Mapping[tuple[int, int], str] = field(default_factory=dict)
    discourse_deixis: Document | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """All documents of one side in one set of columns, so that no step loops over documents.

    Attributes
    ----------
    names : sequence of str
        The documents; both sides of an evaluation have the same ones in the same order.
    document : int64 array, shape (n_mentions,)
        Document of each mention, a position in ``names``; never falls.
    entity : int64 array, shape (n_mentions,)
        Entity of each mention, numbered over all documents; the entities of a document are
        contiguous numbers.
    entity_document : int64 array, shape (n_entities,)
    entity_names : sequence of hashables
    mentions : Spans or list of hashables
        Rows as in ``document``; positions of spans are still those within the document.
    tokens : sequence of Tokens or None, one a document
    numbers : int64 array, shape (n_mentions, k), or None
        Of objects: numbers that are equal in all k columns where the objects are equal, also
        between the sides of an evaluation that have as many columns: of objects that are whole
        numbers, these; of pairs of such, both. None: to be found by hashing.
    antecedents : mapping of (int, hashable) to tuple of hashable
        Split antecedents: by document and name of an entity, the names of those it is made of.
    """

    names: Sequence[str]
    document: IntArray
    entity: IntArray
    entity_document: IntArray
    entity_names: Sequence[Hashable]
    mentions: Spans | Sequence[Hashable]
    tokens: Sequence[Tokens | None]
    numbers: IntArray | None = None
    antecedents: Mapping[tuple[int, Hashable], tuple[Hashable, ...]] = field(
        default_factory=dict
    )

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """Documents in one set of columns, which become ``Document`` when somebody looks at them.

    Attributes
    ----------
    side : Side
    named : bool array, shape (n_documents,)
        Whether the file or the caller names the document.
    other_names : mapping of int to tuple of str
        What else documents may be called, by their positions; of those that have such names.
    """

    side: Side
    named: BoolArray
    other_names: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.side.names)

    def listed(self) -> list[Document]:
        """Return the documents as objects."""
        return list(self)

    def __iter__(self) -> Iterator[Document]:
        side, n = self.side, len(self)
        rows = _bounds(side.document, n)
        entities = _bounds(side.entity_document, n)
        entity = side.entity - np.repeat(entities[:-1], np.diff(rows))
        row_of, entity_of = rows.tolist(), entities.tolist()
        for at, (name, named) in enumerate(zip(side.names, self.named.tolist(), strict=True)):
            low, high = row_of[at], row_of[at + 1]
            yield Document(
                name,
                _part_of(side.mentions, low, high),
                entity[low:high],
                side.entity_names[entity_of[at] : entity_of[at + 1]],
                side.tokens[at],
                named,
                self.other_names.get(at, ()),
            )


def _part_of(
    mentions: Spans | Sequence[Hashable], low: int, high: int
) -> Spans | Sequence[Hashable]:
    """Return the mentions of rows low to high - 1; spans are views."""
    if not isinstance(mentions, Spans):
        return mentions[low:high]
    ends = tokens = None
    if mentions.token_ends is not None:
        assert mentions.tokens is not None
        ends = mentions.token_ends[low : high + 1]
        tokens = mentions.tokens[ends[0] : ends[-1]]
        ends = ends - ends[0]
    columns = (mentions.head, mentions.minimum)
    head, minimum = (None if column is None else column[low:high] for column in columns)
    line = None if mentions.line is None else mentions.line[low:high]
    part = slice(low, high)
    return Spans(mentions.first[part], mentions.last[part], head, minimum, ends, tokens, line)


def _bounds(document: IntArray, n_documents: int) -> IntArray:
    """Return where the rows of each document begin, and where those of the last one end."""
    return np.searchsorted(document, np.arange(n_documents + 1))


class _DocumentList:
    """The attribute ``documents``: a list, made of columns when somebody looks at it."""

    def __get__(self, owner: Documents | None, kind: type) -> Any:
        if owner is None:
            raise AttributeError("documents")  # so that the field has no default
        stored = vars(owner)["documents"]
        if isinstance(stored, DocumentColumns):
            # the columns go: from here on the list is the caller's, who may change it
            stored = vars(owner)["documents"] = stored.listed()
        return stored

    def __set__(
        self, owner: Documents, documents: Sequence[Document] | DocumentColumns
    ) -> None:
        vars(owner)["documents"] = documents


@dataclass(frozen=True, repr=False)
class Documents(Brief):
    """Documents in the order of their file; two may have one name.

    Attributes
    ----------
    documents : sequence of Document
    format : str
        Name of the format they were read from; "memory" for objects.
    path : str or None
    notes : tuple of Note
        How the file was read, counted: one sentence each, with a code.
    """

    documents: Sequence[Document] = _DocumentList()  # type: ignore[assignment]
    format: str = "memory"
    path: str | None = None
    notes: tuple[Note, ...] = ()

    def _summary(self) -> dict[str, Any]:
        return {
            "documents": len(self),
            "format": self.format,
            "path": self.path,
            "notes": len(self.notes),
        }

    def __len__(self) -> int:
        return len(vars(self)["documents"])

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __reduce__(self) -> tuple[Any, ...]:
        return Documents, (self.documents, self.format, self.path, self.notes)


def columns_in(documents: Documents) -> DocumentColumns | None:
    """Return the columns of documents; None where they are a list."""
    stored = vars(documents)["documents"]
    return stored if isinstance(stored, DocumentColumns) else None


def of_columns(
    columns: DocumentColumns,
    format: str = "memory",
    path: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Documents:
    """Return documents that are in columns until somebody looks at one."""
    return Documents(columns, format, path, notes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class MentionMatch:
    """Which mention of the response is which mention of the key.

    Attributes
    ----------
    how : str
        "exact", "head", "partial", "minimum_span", "first_run" or "mina".
    partner : int64 array, shape (key mentions,)
        The response's mention, a position in its ``Side``; -1: twinless. One to one.
    overlap : float64 array, shape (key mentions,)
        What the pair was matched for: 1.0 for equal spans, the share of the key's tokens that
        both have for others, the agreement of dependencies for zeros matched by them; 0.0 for
        twinless mentions.
    zeros : str
        "position" or "dependencies".
    """

    how: str
    partner: IntArray
    overlap: NDArray[np.float64]
    zeros: str = "position"
