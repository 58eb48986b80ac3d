"""Which mentions are pronouns, by parts of speech and by English words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from partwise.coreference.documents.documents import Side, Spans, Tokens
from partwise.coreference.syntax.mentions import Syntax
from partwise.numbers.arrays import BoolArray

#: Tags of words that are pronouns where they stand alone: of the English, Arabic and Chinese
#: treebanks, and the universal one.
_TAGS = frozenset(("PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT", "PN", "PRON"))
#: English pronouns, for files without parts of speech and for words with a wrong tag.
_ENGLISH_BY_KIND = {
    "personal, possessive, reflexive": "i me my mine myself you your yours yourself yourselves "
    "he him his himself she her hers herself it its itself we us our ours ourselves they them "
    "their theirs themselves one oneself",
    "interrogative, relative": "who whom whose which what when where how whoever "
    "whomever whichever whatever",
    "demonstrative": "this that these those",
    "indefinite": "all some several few many most none nobody noone nothing somebody "
    "someone something anybody anyone anything everybody everyone everything",
}
_ENGLISH = frozenset(word for words in _ENGLISH_BY_KIND.values() for word in words.split())


def pronouns(side: Side, key: Side) -> BoolArray:
    """Return which mentions of a side are pronouns.

    Parameters
    ----------
    side, key : Side
        The key's words and parts of speech are taken for both sides where it has syntax.

    Returns
    -------
    bool array, shape (n_mentions,)

    Notes
    -----
    A pronoun is one word, with the tag of a pronoun (or of a determiner that stands alone), or
    in English. The list of words counts beside tags of the Penn Treebank and where a file has
    no tags; beside universal tags, whose texts may be of any language, the tags alone count.
    Mentions without words are none.
    """
    found = np.zeros(len(side), dtype=np.bool_)
    spans = side.mentions
    if not isinstance(spans, Spans):
        return found
    tokens = Syntax.of(side, key).tokens
    single = np.flatnonzero(spans.first == spans.last)
    at = spans.first[single].tolist()
    for row, document, word in zip(
        single.tolist(), side.document[single].tolist(), at, strict=True
    ):
        found[row] = _is_pronoun(tokens, document, word)
    return found


def _is_pronoun(tokens: Sequence[Tokens | None], document: int, at: int) -> bool:
    own = tokens[document]
    if own is None or at >= len(own.words):
        return False
    if own.tags is not None:
        if own.tags[at] in _TAGS:
            return True
        if own.parse is None:
            return False
    return own.words[at].casefold() in _ENGLISH
