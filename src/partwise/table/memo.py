"""What is computed once for its owner: a table, the margins of a table, an alignment."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, Protocol, TypeVar, TypeVarTuple

import numpy as np

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class Memo:
    """Values by key, each computed when it is first asked for."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of a key; ``compute`` makes it the first time."""
        if key not in self._values:
            self._values[key] = compute()
        value: T = self._values[key]
        return value

    def get_for(self, key: Hashable, arrays: Sequence[Any], compute: Callable[[], T]) -> T:
        """Return what ``compute`` makes of some arrays (or Nones); anew if they changed."""
        remembered = self._values.get(key)
        if remembered is None or not all(map(same_array, remembered[0], arrays)):
            remembered = self._values[key] = arrays, compute()
        value: T = remembered[1]
        return value

    def peek(self, key: Hashable) -> Any:
        """Return the value of a key, None if nothing has made it."""
        return self._values.get(key)

    def put(self, key: Hashable, value: object) -> None:
        """Say what the value of a key is, where it is known already."""
        self._values[key] = value


class _HasMemo(Protocol):
    @property
    def memo(self) -> Memo: ...


class _HasMarginMemo(Protocol):
    @property
    def margin_memo(self) -> Memo: ...


Owner = TypeVar("Owner", bound=_HasMemo)
Table = TypeVar("Table", bound=_HasMarginMemo)


def memoized(
    function: Callable[[Owner, *Arguments], T],
) -> Callable[[Owner, *Arguments], T]:
    """Compute a function once for each owner and each value of its further arguments."""

    @wraps(function)
    def of_owner(owner: Owner) -> T:
        values = owner.memo._values
        if function not in values:
            values[function] = function(owner)  # type: ignore[call-arg]
        value: T = values[function]
        return value

    @wraps(function)
    def with_arguments(owner: Owner, *arguments: *Arguments) -> T:
        return owner.memo.get((function, arguments), lambda: function(owner, *arguments))

    alone = len(inspect.signature(function).parameters) == 1  # the usual case, and faster
    return of_owner if alone else with_arguments  # type: ignore[return-value]


def memoized_for_margins(function: Callable[[Table], T]) -> Callable[[Table], T]:
    """Compute a function of the sizes once for all random tables with these sizes."""

    @wraps(function)
    def remembered(table: Table) -> T:
        return table.margin_memo.get(function, lambda: function(table))

    return remembered


def same_array(first: Any, second: Any) -> bool:
    """Return whether two arrays (or Nones) hold the same."""
    if first is second:
        return True
    return first is not None and second is not None and np.array_equal(first, second)
