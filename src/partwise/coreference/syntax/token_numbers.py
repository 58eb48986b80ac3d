"""Numbers of tokens as CoNLL-U and CoNLL-UA write them."""

from __future__ import annotations

from collections.abc import Sequence

from partwise.coreference.documents.documents import Tokens

NOT_COUNTED = "documents whose tokens are not numbered one by one, as where lines are missing"


def numbers_of(tokens: Tokens, *, over_document: bool) -> list[str]:
    """Return the number of each token, that of empty nodes as ``5.1``.

    Parameters
    ----------
    tokens : Tokens
    over_document : bool
        Whether numbers go on where a sentence ends.

    Examples
    --------
    >>> import numpy as np
    >>> tokens = Tokens(list("abcd"), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 0], bool))
    >>> numbers_of(tokens, over_document=False)
    ['1', '2', '2.1', '1']
    """
    numbers = []
    before = None
    number = inserted = 0
    empty = [False] * len(tokens) if tokens.empty is None else tokens.empty.tolist()
    for zero, sentence in zip(empty, tokens.sentence.tolist(), strict=True):
        if sentence != before and not over_document:
            number = inserted = 0
        before = sentence
        number, inserted = (number, inserted + 1) if zero else (number + 1, 0)
        numbers.append(f"{number}.{inserted}" if zero else str(number))
    return numbers


def are_counted(numbers: Sequence[str], tokens: Tokens) -> bool:
    """Return whether numbers count the tokens one by one, of sentences or of the document."""
    written = list(numbers)
    return any(written == numbers_of(tokens, over_document=over) for over in (False, True))
