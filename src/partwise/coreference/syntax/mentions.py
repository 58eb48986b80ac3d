"""What the syntax of the text says of the mentions of a side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from partwise.coreference.documents.documents import Side, Spans, Tokens
from partwise.coreference.documents.sides import running_ends, select
from partwise.coreference.syntax.heads import head_by_dependencies, head_by_rules
from partwise.coreference.syntax.minimum_words import minimum_words
from partwise.coreference.syntax.trees import (
    Phrase,
    PhraseMarks,
    cut_out,
    phrase_marks,
    sentence_trees,
)
from partwise.numbers.arrays import BoolArray, IntArray

#: What MINA and the rules for heads go by, and what has it.
_NEEDS = {
    "parse": "a parse (CoNLL-2012 with its columns of parts of speech and phrases)",
    "any": "a parse (CoNLL-2012 with its columns of parts of speech and phrases) or "
    "dependencies (HEAD of CoNLL-U, CoNLL-UA and SemEval-2010)",
}
_VERB_TAGS = ("VERB", "AUX")


class NoSyntax(ValueError):
    """A document has no syntax of the kind that is needed."""


class _Sentences:
    """The syntax of one document, worked out where a mention asks for it."""

    def __init__(self, tokens: Tokens, document: str) -> None:
        self.tokens, self.document = tokens, document

    @cached_property
    def marks(self) -> PhraseMarks:
        """Brackets of phrases."""
        return phrase_marks(self.tokens, self.document)

    @cached_property
    def trees(self) -> list[Phrase]:
        """The sentences."""
        return sentence_trees(self.marks)

    @cached_property
    def _lasts(self) -> IntArray:
        return np.array([tree.last for tree in self.trees], dtype=np.int64)

    def head(self, members: Sequence[int]) -> int:
        """Return the head of a mention."""
        if self.tokens.parse is not None:
            tree = self.trees[int(np.searchsorted(self._lasts, members[0]))]
            return head_by_rules(self.tokens, tree, members)
        assert self.tokens.parents is not None
        return head_by_dependencies(self.tokens.parents, members)

    def minimum(self, members: Sequence[int]) -> list[int]:
        """Return the tokens of a mention's minimum span."""
        return minimum_words(self.tokens, self.marks, members)

    def is_verb(self, members: Sequence[int]) -> bool:
        """Return whether a mention is a verb or a verb phrase."""
        tags = self.tokens.tags
        assert tags is not None
        if self.tokens.parse is None:
            return tags[self.head(members)] in _VERB_TAGS
        top = cut_out(self.marks, members)
        if len(top) == 1 and isinstance(top[0], Phrase):
            if top[0].label[:2] == "VP":
                return True
            if top[0].label[:2] in ("NP", "NM", "NX"):
                return False
        return len(members) == 1 and tags[members[0]][:2] in ("VB", "MD")


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax by which the mentions of a side are judged: the key's, or the side's own.

    Attributes
    ----------
    side : Side
    tokens : sequence of Tokens or None, one a document
        Positions are those of the side.
    """

    side: Side
    tokens: Sequence[Tokens | None]

    @classmethod
    def of(cls, side: Side, key: Side) -> Syntax:
        """Return the syntax of the key for both sides, so that they are judged alike.

        Where a document has empty nodes, which the sides may not share, and where the key has
        no syntax, it is the side's own.
        """
        chosen = [
            of_key if _fits(of_key, own) else own
            for of_key, own in zip(key.tokens, side.tokens, strict=True)
        ]
        return cls(side, chosen)

    def heads(self) -> IntArray:
        """Return the heads of all mentions.

        Raises
        ------
        NoSyntax
            A document with mentions has neither a parse nor dependencies.
        """
        heads = np.empty(len(self.side), dtype=np.int64)
        for row, members, sentences in self._mentions("any", lambda x: _has_syntax(x)):
            heads[row] = sentences.head(members)
        return heads

    def minimum_spans(self) -> Spans:
        """Return the minimum spans of all mentions, with their tokens, by MINA.

        Raises
        ------
        NoSyntax
            A document with mentions has no parse.
        """
        listed = [
            sentences.minimum(members)
            for _, members, sentences in self._mentions("parse", lambda x: x.parse is not None)
        ]
        tokens = np.array([at for one in listed for at in one], dtype=np.int64)
        ends = running_ends(np.array(list(map(len, listed)), dtype=np.int64))
        first, last = (np.array([one[at] for one in listed], dtype=np.int64) for at in (0, -1))
        return Spans(first, last, token_ends=ends, tokens=tokens)

    def verbs(self) -> BoolArray:
        """Return which mentions are verbs or verb phrases.

        Raises
        ------
        NoSyntax
            A document with mentions has neither a parse nor dependencies with parts of speech.
        """
        verbs = np.zeros(len(self.side), dtype=np.bool_)
        for row, members, sentences in self._mentions(
            "any", lambda x: x.tags is not None and _has_syntax(x)
        ):
            verbs[row] = sentences.is_verb(members)
        return verbs

    def _mentions(
        self, need: str, has: Callable[[Tokens], bool]
    ) -> Iterator[tuple[int, Sequence[int], _Sentences]]:
        """Yield each mention with its tokens and the syntax of its document."""
        spans = self.side.mentions
        if not isinstance(spans, Spans):
            raise NoSyntax("the mentions are no spans of tokens")
        document, sentences = -1, None
        first, last = spans.first.tolist(), spans.last.tolist()
        for row, at in enumerate(self.side.document.tolist()):
            if at != document:
                tokens, name = self.tokens[at], self.side.names[at]
                if tokens is None or not has(tokens):
                    raise NoSyntax(f"document {name!r} lacks {_NEEDS[need]}")
                document, sentences = at, _Sentences(tokens, name)
            assert sentences is not None
            if last[row] >= len(sentences.tokens):
                raise ValueError(
                    f"document {sentences.document!r}: the mention from token {first[row]} to "
                    f"{last[row]} ends behind the text whose syntax is known, which has "
                    f"{len(sentences.tokens)} tokens"
                )
            members: Sequence[int] = range(first[row], last[row] + 1)
            if spans.token_ends is not None and spans.tokens is not None:
                low, high = spans.token_ends[row : row + 2].tolist()
                members = spans.tokens[low:high].tolist()
            yield row, members, sentences


def _has_syntax(tokens: Tokens) -> bool:
    return tokens.parents is not None or (tokens.parse is not None and tokens.tags is not None)


def _fits(of_key: Tokens | None, own: Tokens | None) -> bool:
    """Return whether the positions of a side are those of the key, which has syntax."""
    if of_key is None or (of_key.parse is None and of_key.parents is None):
        return False
    return of_key.empty is None and (own is None or own.empty is None)


def without_verbs(side: Side, key: Side) -> Side:
    """Return a side without mentions that are verbs or verb phrases by the key's syntax.

    An entity of which one mention is left goes too: it corefers with nothing any more.
    """
    verbs = Syntax.of(side, key).verbs()
    if not verbs.any():
        return side
    n = len(side.entity_document)
    left = np.bincount(side.entity[~verbs], minlength=n)
    lost = np.bincount(side.entity[verbs], minlength=n) > 0
    return select(side, ~verbs & ~(lost & (left < 2))[side.entity])


def with_heads(side: Side, key: Side) -> Side:
    """Return a side whose mentions have heads by the key's syntax."""
    spans = side.mentions
    if not isinstance(spans, Spans):
        raise NoSyntax("the mentions are no spans of tokens")
    syntax = Syntax.of(side, key)
    if not any(tokens is not None and _has_syntax(tokens) for tokens in syntax.tokens):
        raise NoSyntax("no document has syntax")  # though no mention may be left to ask for it
    return replace(side, mentions=replace(spans, head=syntax.heads()))
