"""Mentions that are equal, found by joining codes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from partwise import _kernels
from partwise._kernels.workers import worth_numbering
from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.mentions.word_runs import WordRuns
from partwise.numbers.arrays import IntArray

_CODE_BITS = 62


def packed(columns: Sequence[IntArray]) -> IntArray:
    """Return one code a row: equal rows have equal codes, rows in lexicographic order too."""
    code, bound = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        if not len(column):
            break
        low, high = int(column.min()), int(column.max())
        part, extent = column - low, high - low + 1
        if bound * extent >= 1 << _CODE_BITS:
            part, extent = _ranked(part)
            if bound * extent >= 1 << _CODE_BITS:
                code, bound = _ranked(code)
        code = code * extent + part
        bound *= extent
    return code


def _ranked(column: IntArray) -> tuple[IntArray, int]:
    values, codes = _kernels.impl.encode(column)
    return codes, len(values)


def by_first_appearance(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return codes numbered as they first appear, and where each does."""
    values, dense = _kernels.impl.encode(codes)
    numbers, _ = _kernels.impl.first_appearance(dense, len(values))
    highest = np.maximum.accumulate(numbers)
    return numbers, np.flatnonzero(np.diff(highest, prepend=-1))


def word_set_codes(key: WordRuns, response: WordRuns) -> tuple[IntArray, IntArray]:
    """Return codes of the mentions of both sides: equal for equal sets of words.

    Codes of one side ascend with (first word, last word, number of words, words).
    O(runs log runs).
    """
    n = len(key)
    columns = [
        np.concatenate((getattr(key, name), getattr(response, name)))
        for name in ("start", "stop", "sizes")
    ]
    if not (key.one_run_each and response.one_run_each):
        n_runs = np.concatenate((key.n_runs, response.n_runs))
        columns += [n_runs, _inner_codes(key, response, packed([*columns, n_runs]))]
    code = packed(columns)
    return code[:n], code[n:]


def _inner_codes(key: WordRuns, response: WordRuns, outer: IntArray) -> IntArray:
    """Return codes that tell apart mentions of several runs whose outer codes are equal."""
    n_runs = np.concatenate((key.n_runs, response.n_runs))
    first = np.concatenate((key.first, response.first))
    last = np.concatenate((key.last, response.last))
    begins = np.concatenate((key.ends[:-1], response.ends[:-1] + len(key.first)))
    codes = np.zeros(len(n_runs), dtype=np.int64)
    # the shared outer code has the number of runs in it: members of a group end together
    active, number = np.flatnonzero(n_runs > 1), 0
    group = _ranked(outer[active])[0]
    while len(active):
        at = begins[active] + number
        group = _ranked(packed([group, first[at], last[at]]))[0]
        codes[active] = group
        number += 1
        more = n_runs[active] > number
        active, group = active[more], group[more]
    return codes


def object_codes(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Return codes of (document, object) of both sides: equal where the objects are equal.

    Objects whose numbers are known are told apart by these, others by hashing. O(mentions).
    """
    of_key, of_response = key.numbers, response.numbers
    if of_key is None or of_response is None or of_key.shape[1] != of_response.shape[1]:
        of_key, of_response = _numbers_by_hash(key, response)
    documents = np.concatenate((key.document, response.document))
    code = packed([documents, *np.concatenate((of_key, of_response)).T])
    return code[: len(key)], code[len(key) :]


def _numbers_by_hash(key: Side, response: Side) -> list[IntArray]:
    """Return the objects of both sides numbered, equal ones alike, as columns of one."""
    objects = [*_objects_of(key), *_objects_of(response)]
    numbered = None
    if _kernels.impl.types_of(objects) == {str}:
        numbered = _kernels.impl.number_text(objects, worth_numbering(len(objects)))
    try:
        codes = _kernels.impl.number_values(objects)[0] if numbered is None else numbered[0]
    except TypeError as error:
        name = "response" if _can_be_hashed(key) else "key"
        raise TypeError(
            f"a mention of the {name} cannot be hashed ({error}); tuples, text and numbers can"
        ) from None
    column = codes.astype(np.int64).reshape(-1, 1)
    return [column[: len(key)], column[len(key) :]]


def _objects_of(side: Side) -> Sequence[Hashable]:
    assert not isinstance(side.mentions, Spans)
    return side.mentions


def _can_be_hashed(side: Side) -> bool:
    try:
        return all(hash(mention) is not None for mention in _objects_of(side))
    except TypeError:
        return False


def equal_partners(key: IntArray, response: IntArray) -> IntArray:
    """Return the place of an equal code in ``response`` for each code in ``key``; -1: none.

    Codes that occur several times are paired in the order of rows: the first with the first.
    O(codes).
    """
    n = len(key)
    values, codes = _kernels.impl.encode(np.concatenate((key, response)))
    of_key, of_response = codes[:n], codes[n:]
    counts = np.bincount(of_response, minlength=len(values))
    row_of_code = np.full(len(values), -1, dtype=np.int64)
    row_of_code[of_response] = np.arange(len(of_response))
    if counts.max(initial=0) <= 1 and not _repeats(of_key, len(values)):
        return row_of_code[of_key]
    order = np.argsort(of_response, kind="stable")
    number = occurrences(of_key)
    at = (np.cumsum(counts) - counts)[of_key] + number
    hit = number < counts[of_key]
    partner = np.full(n, -1, dtype=np.int64)
    partner[hit] = order[at[hit]]
    return partner


def _repeats(codes: IntArray, n_values: int) -> bool:
    """Return whether a compact code occurs twice."""
    rows, row_of_code = np.arange(len(codes)), np.empty(n_values, dtype=np.int64)
    row_of_code[codes] = rows
    return not np.array_equal(row_of_code[codes], rows)


def all_different(codes: IntArray) -> bool:
    """Return whether no code occurs twice. O(codes)."""
    if bool((codes[1:] > codes[:-1]).all()):
        return True
    return len(_kernels.impl.encode(codes)[0]) == len(codes)


def occurrences(codes: IntArray) -> IntArray:
    """Return how many equal codes stand before each one."""
    order = np.argsort(codes, kind="stable")
    ordered, at = codes[order], np.arange(len(codes))
    begins = np.ones(len(codes), dtype=np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    before = np.empty(len(codes), dtype=np.int64)
    before[order] = at - np.maximum.accumulate(np.where(begins, at, 0))
    return before
