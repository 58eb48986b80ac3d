"""The text that words make, for formats whose mentions count its characters."""

from __future__ import annotations

import re

from partwise.coreference.documents.documents import Tokens
from partwise.coreference.formats.writing.plain import sentences_of
from partwise.coreference.formats.writing.tokens import Losses

_LINE_BREAKS = re.compile(r"[\r\n]+")


def text_of_words(
    tokens: Tokens, between_sentences: str, lost: Losses
) -> tuple[str, list[int], list[int]]:
    """Return words with a blank between them, and where each begins and ends.

    Which of its blanks are ends of words such a text does not say, so this is counted.
    """
    lost["documents whose words are written as a text, with blanks between them"] += 1
    parts: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    at = 0
    for first, behind in sentences_of(tokens):
        for number in range(first, behind):
            word = tokens.words[number]
            written = _LINE_BREAKS.sub("_", word) if word.strip() else "_"
            if written != word:
                what = "words that are empty or hold line breaks, with '_' in place of these"
                lost[what] += 1
            if parts:
                between = between_sentences if number == first else " "
                parts.append(between)
                at += len(between)
            parts.append(written)
            begins.append(at)
            at += len(written)
            ends.append(at)
    return "".join(parts), begins, ends
