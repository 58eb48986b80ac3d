"""Types of the compiled kernels of this subject; what each does stands in _values.py."""

from typing import Any

from partwise._kernels._values import IntArray

def types_of(values: list[Any]) -> set[type]: ...
def number_values(values: list[Any]) -> tuple[IntArray, list[Any]]: ...
