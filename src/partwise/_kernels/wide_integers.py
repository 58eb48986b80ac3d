"""Arrays of signed 128-bit integers: exact, and quick where Python integers would be slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from partwise import _kernels
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray, ObjectArray, UnsignedArray

#: An exact array: of 128-bit integers, or of Python integers where those are too narrow.
Exact: TypeAlias = "WideIntegers | ObjectArray"

_LEAST, _MOST = -(1 << 127), (1 << 127) - 1


class WideIntegers:
    """An array of integers from -2^127 to 2^127 - 1, added and multiplied exactly.

    Parameters
    ----------
    high : ndarray of int64, shape (n,)
    low : ndarray of uint64, shape (n,)
        Element i is high[i] 2^64 + low[i].

    Notes
    -----
    The other side of an operation is another such array, an array of integers, or a Python
    integer of any size. Where a result may not fit, all of it is an object array of Python
    integers, slow and exact; such arrays mix with these. A product counts as too large where
    the bits of its factors add up to more than 126. O(n) for each operation.

    Examples
    --------
    >>> from partwise._kernels.wide_integers import WideIntegers
    >>> x = WideIntegers.of([1 << 80, -3])
    >>> (x * 5 - 1).tolist()
    [6044629098073145873530879, -16]
    >>> x.over(WideIntegers.of([1 << 82, 2])).tolist()
    [0.25, -1.5]
    """

    __array_ufunc__ = None  # NumPy leaves its operators to this class
    __slots__ = ("high", "low")

    def __init__(self, high: IntArray, low: UnsignedArray) -> None:
        self.high = high
        self.low = low

    @staticmethod
    def of(values: Any) -> WideIntegers:
        """Return integers (an int64 or uint64 array, or Python integers that fit) as an array.

        Raises
        ------
        OverflowError
            A value needs more than 128 bits.
        """
        if isinstance(values, WideIntegers):
            return values
        if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
            if values.dtype == np.uint64:
                return WideIntegers(np.zeros(len(values), dtype=np.int64), values)
            narrow = values.astype(np.int64)
            return WideIntegers(narrow >> 63, narrow.view(np.uint64))
        listed = [int(value) for value in values]
        return WideIntegers(
            np.array([value >> 64 for value in listed], dtype=np.int64),
            np.array([value & ((1 << 64) - 1) for value in listed], dtype=np.uint64),
        )

    def __len__(self) -> int:
        return len(self.high)

    def __getitem__(self, positions: Any) -> WideIntegers:
        return WideIntegers(
            np.atleast_1d(self.high[positions]), np.atleast_1d(self.low[positions])
        )

    def __repr__(self) -> str:
        return f"WideIntegers({self.tolist()})"

    def tolist(self) -> list[int]:
        """Return Python integers."""
        pairs = zip(self.high.tolist(), self.low.tolist(), strict=True)
        return [(high << 64) + low for high, low in pairs]

    def to_objects(self) -> ObjectArray:
        """Return an object array of Python integers."""
        return _objects(self.tolist())

    def to_floats(self) -> FloatArray:
        """Return doubles within 2^-52 of the integers (relative)."""
        floats: FloatArray = self.high.astype(np.float64) * 2.0**64
        # a small negative number is -2^64 plus something close to it
        near = self.high == (self.low.view(np.int64) >> 63)
        floats += self.low.astype(np.float64)
        floats[near] = self.low[near].view(np.int64)
        return floats

    @property
    def _words(self) -> tuple[IntArray, UnsignedArray]:
        """The words as kernels take them."""
        return np.ascontiguousarray(self.high), np.ascontiguousarray(self.low)

    @property
    def _short(self) -> bool:
        """Whether every integer is one of 0 to 2^53."""
        return not self.high.any() and bool(np.all(self.low <= np.uint64(1 << 53)))

    # ---- arithmetic --------------------------------------------------------------------

    def _other(self, value: Any) -> WideIntegers | None:
        """Return the other side of an operation; None where it has no such form."""
        if isinstance(value, WideIntegers):
            return value
        if isinstance(value, (int, np.integer)):
            if not _LEAST <= value <= _MOST:
                return None
            high, low = divmod(int(value), 1 << 64)
            return WideIntegers(np.array([high], np.int64), np.array([low], np.uint64))
        if isinstance(value, np.ndarray) and value.dtype.kind in "biu":
            return WideIntegers.of(value)
        return None

    def __neg__(self) -> Exact:
        return 0 - self

    def __add__(self, value: Any) -> Exact:
        other = self._other(value)
        if other is None:
            return _exact(self.to_objects() + _as_object(value))
        high, low, beyond = _kernels.impl.wide_sum(*self._words, *other._words)
        if beyond:
            return _exact(self.to_objects() + other.to_objects())
        return WideIntegers(high, low)

    __radd__ = __add__

    def __sub__(self, value: Any) -> Exact:
        other = self._other(value)
        if other is None:
            return _exact(self.to_objects() - _as_object(value))
        high, low, beyond = _kernels.impl.wide_difference(*self._words, *other._words)
        if beyond:
            return _exact(self.to_objects() - other.to_objects())
        return WideIntegers(high, low)

    def __rsub__(self, value: Any) -> Exact:
        other = self._other(value)
        if other is None:
            return _exact(_as_object(value) - self.to_objects())
        return other - self

    def __mul__(self, value: Any) -> Exact:
        other = self._other(value)
        if other is None:
            return _exact(self.to_objects() * _as_object(value))
        high, low, beyond = _kernels.impl.wide_product(*self._words, *other._words)
        if beyond:
            return _exact(self.to_objects() * other.to_objects())
        return WideIntegers(high, low)

    __rmul__ = __mul__

    def half(self) -> WideIntegers:
        """Return the halves, rounded down."""
        low = (self.low >> np.uint64(1)) | (self.high.view(np.uint64) << np.uint64(63))
        return WideIntegers(self.high >> 1, low)

    def over(self, value: Any) -> FloatArray:
        """Return the quotients, none of them over 0, with the bits of Python's int / int."""
        other = self._other(value)
        if other is None:
            return _quotients(self.to_objects(), _as_object(value))
        if self._short and other._short:  # both exact as doubles
            quotients: FloatArray = self.to_floats() / other.to_floats()
            return quotients
        parts = np.broadcast_arrays(self.high, self.low, other.high, other.low)
        return _kernels.impl.wide_ratio(*(np.ascontiguousarray(part) for part in parts))

    # ---- comparisons -------------------------------------------------------------------

    def __lt__(self, value: Any) -> BoolArray:
        other = self._other(value)
        if other is None:
            below: BoolArray = (self.to_objects() < _as_object(value)).astype(bool)
            return below
        equal = self.high == other.high
        less: BoolArray = (self.high < other.high) | (equal & (self.low < other.low))
        return less

    def __le__(self, value: Any) -> BoolArray:
        at_most: BoolArray = ~(self > value)
        return at_most

    def __gt__(self, value: Any) -> BoolArray:
        other = self._other(value)
        if other is None:
            greater: BoolArray = (self.to_objects() > _as_object(value)).astype(bool)
            return greater
        return other < self

    def __ge__(self, value: Any) -> BoolArray:
        at_least: BoolArray = ~(self < value)
        return at_least

    def __eq__(self, value: object) -> BoolArray:  # type: ignore[override]
        other = self._other(value)
        if other is None:
            equal: BoolArray = (self.to_objects() == _as_object(value)).astype(bool)
            return equal
        same: BoolArray = (self.high == other.high) & (self.low == other.low)
        return same

    def __ne__(self, value: object) -> BoolArray:  # type: ignore[override]
        different: BoolArray = ~(self == value)
        return different

    __hash__ = None  # type: ignore[assignment]


def _objects(values: Iterable[int]) -> ObjectArray:
    listed = list(values)
    objects = np.empty(len(listed), dtype=object)
    objects[:] = listed
    return objects


def _exact(values: Any) -> ObjectArray:
    """Return what NumPy made of object arrays: an object array."""
    exact: ObjectArray = values
    return exact


def _as_object(value: Any) -> ObjectArray:
    """Return a side of an operation so that NumPy uses Python integers for it."""
    return value.astype(object) if isinstance(value, np.ndarray) else _objects([int(value)])


def _quotients(above: ObjectArray, below: Any) -> FloatArray:
    quotients: FloatArray = np.asarray(above / below, dtype=np.float64)
    return quotients
