"""Quantities that are computed once for a table, however many measures ask for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

import numpy as np

from partwise import _kernels
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency

T = TypeVar("T")
Words = TypeVarTuple("Words")


def shared(function: Callable[[Contingency], T]) -> Callable[[Contingency], T]:
    """Compute a quantity once per table, however many measures ask for it."""

    @wraps(function)
    def once(table: Contingency) -> T:
        if function not in table._shared:
            table._shared[function] = function(table)
        result: T = table._shared[function]
        return result

    return once


def shared_each(
    function: Callable[[Contingency, *Words], T],
) -> Callable[[Contingency, *Words], T]:
    """Do as ``shared`` for every value of further arguments: words and numbers."""

    @wraps(function)
    def once(table: Contingency, *which: *Words) -> T:
        key = (function, *which)
        if key not in table._shared:
            table._shared[key] = function(table, *which)
        result: T = table._shared[key]
        return result

    return once


@shared
def largest_cells(table: Contingency) -> tuple[IntArray, IntArray]:
    """Return the count, or mass, of the largest cell of every row and of every column.

    Masses come as their bit patterns: doubles of at least 0 are ordered as those. O(cells).
    """
    values = table.counts
    if table.all_masses is not None:
        values = table.all_masses.cells.high.view(np.int64)
    return _kernels.impl.maxima(table.indptr, table.cols, values, len(table.col_sizes))


def of_margins(function: Callable[[Contingency], T]) -> Callable[[Contingency], T]:
    """Compute a quantity of the sizes once for all random tables with these sizes."""

    @wraps(function)
    def once(table: Contingency) -> T:
        if function not in table._of_margins:
            table._of_margins[function] = function(table)
        result: T = table._of_margins[function]
        return result

    return once
