"""The minimum span of a mention by its parse tree: the MINA algorithm."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from partwise.coreference.documents.documents import Tokens
from partwise.coreference.syntax.trees import Phrase, PhraseMarks, cut_out

_NOMINAL = ("NP", "NM", "QP", "NX")
_VERBAL = ("VP",)
#: Parts of speech that are not the core of a phrase: conjunction, determiner, preposition.
_FUNCTION_TAGS = ("CC", "DT", "IN")
_BRACKET_WORDS = ("-LRB-", "-RRB-")

#: A part of a phrase: a phrase, or tokens without a bracket between them.
_Part = Phrase | tuple[int, ...]


def minimum_words(tokens: Tokens, marks: PhraseMarks, members: Sequence[int]) -> list[int]:
    """Return the tokens of a mention's minimum span, ascending.

    Parameters
    ----------
    tokens : Tokens
        With words, tags and a parse.
    marks : PhraseMarks
        Its brackets.
    members : sequence of int
        Tokens of the mention, ascending.

    Returns
    -------
    list of int

    Notes
    -----
    MINA takes the words that stand highest in the tree of a mention. The tree is made of the
    phrases that open within the mention; several side by side are taken for the parts of a
    noun phrase. A run of tokens without a bracket between them is one leaf, which counts unless
    it is punctuation or one conjunction, determiner or preposition. The leaves directly under
    the root are the span. Where there is none, each noun phrase under the root (NP, NML, NX,
    QP; verb phrases, where the root is one or holds such alone) is searched on its own, level
    by level, through phrases of that kind, down to the first level with a leaf: so a
    coordination has a minimum span of several parts. Without any the span is the mention.

    References
    ----------
    Moosavi, Born, Poesio and Strube, Using Automatically Extracted Minimum Spans to Disentangle
    Coreference Evaluation from Boundary Detection, ACL 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.syntax.trees import phrase_marks
    >>> sentence = Tokens(["the", "man", "in", "black"], np.zeros(4, dtype=np.int64),
    ...                   tags=["DT", "NN", "IN", "NN"],
    ...                   parse=["(NP(NP*", "*)", "(PP*", "(NP*)))"])
    >>> minimum_words(sentence, phrase_marks(sentence, "d"), range(4))
    [0, 1]
    """
    pieces = cut_out(marks, members)
    root: _Part = _with_runs(pieces, marks)[0]
    if len(_with_runs(pieces, marks)) > 1:
        root = Phrase("NP", members[0], members[-1], pieces)
    core = _core_of(root, tokens, marks)
    return sorted(core) if core else list(members)


def _core_of(root: _Part, tokens: Tokens, marks: PhraseMarks) -> set[int]:
    if not isinstance(root, Phrase):
        return set(root) if _counts(root, tokens) else set()
    parts = _with_runs(root.parts, marks)
    runs = [part for part in parts if not isinstance(part, Phrase)]
    direct = {at for run in runs if _counts(run, tokens) for at in run}
    if direct:
        return direct
    kinds = _kinds_under(root, parts)
    searched = [x for x in parts if isinstance(x, Phrase) and x.label[:2] in kinds]
    if not searched:
        return _first_leaves(root, tokens, marks, None)
    return {at for phrase in searched for at in _first_leaves(phrase, tokens, marks, kinds)}


def _kinds_under(root: Phrase, parts: Sequence[_Part]) -> Collection[str]:
    """Return labels of the phrases to search: those of the root's kind, or of its parts."""
    kind = root.label[:2]
    if kind in _VERBAL:
        return _VERBAL
    if kind in _NOMINAL[:2]:
        return _NOMINAL
    labels = {x.label[:2] for x in parts if isinstance(x, Phrase)}
    return _VERBAL if "VP" in labels and labels.isdisjoint(_NOMINAL[:2]) else _NOMINAL


def _first_leaves(
    root: Phrase, tokens: Tokens, marks: PhraseMarks, kinds: Collection[str] | None
) -> set[int]:
    """Return the leaves of the highest level below a phrase that has some.

    Only phrases of some kinds are entered. Without such kinds all are, up to the first noun or
    verb phrase, which sets them.
    """
    core: set[int] = set()
    waiting: deque[tuple[_Part, int]] = deque([(root, 0)])
    deepest: float = float("inf")
    while waiting:
        part, depth = waiting.popleft()
        if not isinstance(part, Phrase):
            if depth <= deepest and _counts(part, tokens):
                core.update(part)
                deepest = depth
            continue
        label = part.label[:2]
        if kinds is None and label in (*_NOMINAL[:2], *_VERBAL):
            kinds = _VERBAL if label in _VERBAL else _NOMINAL
        if depth >= deepest or not (depth == 0 or kinds is None or label in kinds):
            continue
        leaves_too = kinds is not None and label in kinds
        waiting.extend(
            (x, depth + 1)
            for x in _with_runs(part.parts, marks)
            if leaves_too or isinstance(x, Phrase)
        )
    return core


def _with_runs(parts: Sequence[Phrase | int], marks: PhraseMarks) -> list[_Part]:
    """Return parts with tokens that no bracket parts as one leaf."""
    joined: list[_Part] = []
    for part in parts:
        if isinstance(part, Phrase):
            joined.append(part)
        elif (
            joined
            and isinstance(joined[-1], tuple)
            and joined[-1][-1] == part - 1
            and not marks.closes[part - 1]
        ):
            joined[-1] = (*joined[-1], part)
        else:
            joined.append((part,))
    return joined


def _counts(run: tuple[int, ...], tokens: Tokens) -> bool:
    """Return whether a leaf may be the core of a phrase."""
    return any(_is_content(at, tokens) for at in run)


def _is_content(at: int, tokens: Tokens) -> bool:
    word = tokens.words[at]
    if word in _BRACKET_WORDS or not (word == "%" or any(c.isalnum() for c in word)):
        return False
    return tokens.tags is None or tokens.tags[at] not in _FUNCTION_TAGS
