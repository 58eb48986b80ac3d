"""Dependencies that a format writes by the numbers of tokens within a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from partwise.numbers.arrays import IntArray

_ROOT = "0"


def governors(
    numbers: Sequence[str], heads: Sequence[str], sentences: Sequence[int]
) -> IntArray | None:
    """Return the token that governs each, -1 for roots; None: no token has a governor.

    Parameters
    ----------
    numbers, heads : sequence of str
        The number of each token, and that of the token that governs it. A number that the
        sentence does not have is none.
    sentences : sequence of int
        The sentence of each token.
    """
    if all(head in ("_", "", "-") for head in heads):
        return None
    place = {
        (sentence, number): at
        for at, (sentence, number) in enumerate(zip(sentences, numbers, strict=True))
        if number != _ROOT
    }
    return np.array(
        [
            place.get((sentence, head), -1)
            for sentence, head in zip(sentences, heads, strict=True)
        ],
        dtype=np.int64,
    )


def tags_of(tags: Sequence[str]) -> Sequence[str] | None:
    """Return parts of speech; None: no token has one."""
    return None if all(tag in ("_", "", "-") for tag in tags) else tags


def governor_of_empty_node(dependencies: str) -> str:
    """Return the first parent among enhanced dependencies ("4:nsubj|7:conj"), "_": none."""
    return dependencies.partition("|")[0].partition(":")[0] or "_"


def filled_columns(values: Mapping[str, Mapping[int, str]], n: int) -> dict[str, list[str]]:
    """Return columns of n cells, "_" where a token has no value; those with one value or more.

    Parameters
    ----------
    values : mapping of str to mapping of int to str
        By column, the values of the tokens that have one.
    n : int

    Examples
    --------
    >>> filled_columns({"LEMMA": {1: "be"}, "XPOS": {}}, 3)
    {'LEMMA': ['_', 'be', '_']}
    """
    columns = {}
    for name, own in values.items():
        if any(own.values()):
            columns[name] = ["_"] * n
            for at, value in own.items():
                columns[name][at] = value
    return columns
