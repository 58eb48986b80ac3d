"""Heads of mentions: by Collins' rules on a parse, or by dependencies."""

from __future__ import annotations

from collections.abc import Sequence

from partwise.coreference.documents.documents import Tokens
from partwise.coreference.syntax.trees import (
    Phrase,
    parts_within,
    smallest_around,
)
from partwise.numbers.arrays import IntArray

#: Which part of a phrase is its head: from which side its parts are looked through, once for
#: each label in turn, and the labels. No part fits, or no rule: the first one from that side,
#: or the last one. Collins (1999), Head-driven statistical models for natural language parsing,
#: appendix A (pp. 238 f.), compared with the table as the documentation of selkie.nlp.head
#: prints it from there. A noun phrase has the rule of ``_of_noun_phrase``.
HEAD_RULES: dict[str, tuple[str, str]] = {
    "ADJP": ("left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": ("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": ("right", "CC RB IN"),
    "FRAG": ("right", ""),
    "INTJ": ("left", ""),
    "LST": ("right", "LS :"),
    "NAC": ("left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "PP": ("right", "IN TO VBG VBN RP FW"),
    "PRN": ("left", ""),
    "PRT": ("right", "RP"),
    "QP": ("left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": ("right", "VP NP ADVP ADJP PP"),
    "S": ("left", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": ("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": ("left", "SQ S SINV SBARQ FRAG"),
    "SINV": ("left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": ("left", "VBZ VBD VBP VB MD VP SQ"),
    "UCP": ("right", ""),
    "VP": ("left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": ("left", "CC WRB JJ ADJP"),
    "WHADVP": ("right", "CC WRB"),
    "WHNP": ("left", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": ("right", "IN TO FW"),
}
#: Noun phrases. Collins has NP and, in his parser, NPB for those without another one inside;
#: NX and the NML of OntoNotes, which are built like noun phrases, follow the same rule here.
_NOUN_PHRASES = ("NP", "NX", "NML", "NPB")
#: Steps for noun phrases whose last word is no possessive mark: a direction, and labels any of
#: which fits; then the last word. NML and NPB are beside what Collins lists.
_STEPS_OF_NOUN_PHRASE = (
    ("right", ("NN", "NNP", "NNPS", "NNS", "NX", "NML", "POS", "JJR")),
    ("left", ("NP", "NPB")),
    ("right", ("$", "ADJP", "PRN")),
    ("right", ("CD",)),
    ("right", ("JJ", "JJS", "RB", "QP")),
)
#: Tags of punctuation, which is never the head beside something else.
_PUNCTUATION = (",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH")

_Part = Phrase | int


def head_by_rules(tokens: Tokens, tree: Phrase, members: Sequence[int]) -> int:
    """Return the head of a mention by the parse of its sentence.

    Parameters
    ----------
    tokens : Tokens
        With tags.
    tree : Phrase
        The sentence; a mention that leaves it is judged by what is inside.
    members : sequence of int
        Tokens of the mention, ascending.

    Returns
    -------
    int

    Notes
    -----
    The head of a phrase is the head of the part that ``HEAD_RULES`` names, down to a token. In
    a coordination, where a conjunction stands before the head, the part before it is taken:
    CC, as Collins has it, and CONJP ("as well as"). Punctuation is no part, as in his parser.
    A mention that is no phrase is treated as the smallest phrase around it, of which its parts
    alone are there.
    """
    inside = [at for at in members if at <= tree.last]
    phrase = smallest_around(tree, inside[0], inside[-1])
    if (phrase.first, phrase.last) != (inside[0], inside[-1]) or len(inside) < (
        phrase.last - phrase.first + 1
    ):
        parts = list(parts_within(phrase, frozenset(inside)))
        phrase = Phrase(phrase.label, inside[0], inside[-1], parts)
    part: _Part = phrase
    while isinstance(part, Phrase):
        part = _head_part(part, tokens)
    return part


def _head_part(phrase: Phrase, tokens: Tokens) -> _Part:
    parts = phrase.parts
    labels = [_label(part, tokens) for part in parts]
    content = [at for at, label in enumerate(labels) if label not in _PUNCTUATION]
    if not content:
        return parts[-1]
    chosen = [labels[at] for at in content]
    kind = phrase.label.partition("-")[0].partition("=")[0]
    if kind in _NOUN_PHRASES:
        words = [at for at, part in enumerate(content) if not isinstance(parts[part], Phrase)]
        head = _of_noun_phrase(chosen, words)
    else:
        side, wanted = HEAD_RULES.get(kind, ("right", ""))
        fitting = _first_of(chosen, side, [(label,) for label in wanted.split()])
        by_default = 0 if side == "left" else len(chosen) - 1
        head = by_default if fitting is None else fitting
    if head > 1 and chosen[head - 1] in ("CC", "CONJP"):
        head -= 2
    return parts[content[head]]


def _of_noun_phrase(labels: Sequence[str], words: Sequence[int]) -> int:
    """Return the head's place among the parts, of which ``words`` are no phrases."""
    if labels[-1] == "POS":
        return len(labels) - 1
    for side, wanted in _STEPS_OF_NOUN_PHRASE:
        head = _first_of(labels, side, [wanted])
        if head is not None:
            return head
    return words[-1] if words else len(labels) - 1


def _first_of(
    labels: Sequence[str], side: str, wanted: Sequence[tuple[str, ...]]
) -> int | None:
    """Return the first place with a wanted label, one set of labels after the other."""
    places = range(len(labels)) if side == "left" else range(len(labels) - 1, -1, -1)
    for fitting in wanted:
        for at in places:
            if labels[at] in fitting:
                return at
    return None


def _label(part: _Part, tokens: Tokens) -> str:
    if isinstance(part, Phrase):
        return part.label.partition("-")[0].partition("=")[0]
    assert tokens.tags is not None
    return tokens.tags[part]


def head_by_dependencies(parents: IntArray, members: Sequence[int]) -> int:
    """Return the token of a mention that stands highest in the tree of its sentence.

    Of several equally high ones the first. ``members`` are the mention's tokens, ascending.

    Examples
    --------
    >>> import numpy as np
    >>> head_by_dependencies(np.array([2, 2, -1, 2]), [0, 1, 3])
    0
    """
    if len(members) == 1:
        return members[0]
    inside = set(members)
    highest = [at for at in members if int(parents[at]) not in inside]
    if len(highest) == 1:
        return highest[0]
    # none: the dependencies go round in a circle
    return min(highest or members, key=lambda at: _depth(at, parents))


def _depth(token: int, parents: IntArray) -> int:
    """Return how many tokens govern one, directly or not."""
    depth, passed = 0, {token}
    while (token := int(parents[token])) >= 0 and token not in passed:
        passed.add(token)
        depth += 1
    return depth
