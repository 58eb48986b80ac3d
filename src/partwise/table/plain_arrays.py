"""The table of two plain arrays of integers, without what only other forms need."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.workers import keep_scratch, take_scratch
from partwise.labels import Account
from partwise.labels.account import SideAccount
from partwise.labels.suspicions import all_distinct
from partwise.table.contingency import Contingency


@lru_cache(maxsize=16)
def _by_position(n: int, distinct: bool = False) -> Account:
    """Return the account of two columns of n labels with which nothing had to be done."""
    side = SideAccount(n)
    notes = (all_distinct(n),) if distinct else ()
    return Account(items=n, reference=side, candidate=side, notes=notes)


def table_of_arrays(reference: Any, candidate: Any) -> Contingency | None:
    """Return the table of two plain arrays of integers, None for any other pair.

    What ``align`` would do with them is nothing, which takes longer than to count some
    hundred items.
    """
    for values in (reference, candidate):
        if type(values) is not np.ndarray or values.ndim != 1:
            return None
        dtype = values.dtype
        if dtype.kind not in "iu" or not dtype.isnative or not values.flags.c_contiguous:
            return None
    n = len(reference)
    if len(candidate) != n:
        return None
    scratch = take_scratch()
    try:
        tallied = _kernels.impl.tally(reference, candidate, (scratch,))
    finally:
        keep_scratch(scratch)
    rows, cols, *cells = tallied
    if len(rows) == n and len(cols) == n and n > 1:
        account = _by_position(n, True)
    else:
        account = _by_position(n)
    return Contingency._of(cells[:3], rows, cols, account, sizes=cells[3:])
