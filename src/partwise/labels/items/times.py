"""Times of any unit and any library: in one unit of NumPy, and as keys that are equal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SECOND = 10**18
#: Attoseconds of each unit whose length is fixed.
_LENGTHS = {
    "as": 1,
    "fs": 10**3,
    "ps": 10**6,
    "ns": 10**9,
    "us": 10**12,
    "ms": 10**15,
    "s": _SECOND,
    "m": 60 * _SECOND,
    "h": 3600 * _SECOND,
    "D": 86400 * _SECOND,
    "W": 7 * 86400 * _SECOND,
}
_MONTHS = {"M": 1, "Y": 12}
#: Types of a time of NumPy.
NUMPY_TIMES = (np.datetime64, np.timedelta64)


def in_one_unit(parts: Sequence[NDArray[Any]]) -> list[NDArray[Any]] | None:
    """Return arrays of times in one unit that holds all of them, None where no unit does.

    That is the finest, or else one of theirs: NumPy turns a time that a unit cannot hold into
    another time, and says nothing.

    Parameters
    ----------
    parts : sequence of ndarray of datetime64, or all of timedelta64
    """
    dtypes = {part.dtype for part in parts if len(part)} or {parts[0].dtype}
    for unit in _units(dtypes):
        converted = [exactly_in(part, unit) for part in parts]
        exact = [part for part in converted if part is not None]
        if len(exact) == len(parts):
            return exact
    return None


def _units(dtypes: set[np.dtype[Any]]) -> list[np.dtype[Any]]:
    """Return the unit that is common to some, then each of them, the finest first."""
    own = sorted(dtypes, key=_length)
    if len(own) == 1:
        return own
    try:
        common = own[0]
        for dtype in own[1:]:
            common = np.promote_types(common, dtype)
    except (OverflowError, TypeError):  # too far apart, or of no fixed ratio
        return own
    return [common, *own]


def _length(dtype: np.dtype[Any]) -> int:
    """Return about how long a tick is, in attoseconds."""
    unit, count = np.datetime_data(dtype)
    return count * (_LENGTHS.get(unit) or 30 * _LENGTHS["D"] * _MONTHS.get(unit, 0))


def exactly_in(times: NDArray[Any], unit: np.dtype[Any]) -> NDArray[Any] | None:
    """Return times in another unit of their kind, None if it does not hold all of them."""
    if len(times) == 0 or times.dtype == unit:
        return times.astype(unit) if len(times) else np.empty(0, dtype=unit)
    try:
        converted = times.astype(unit)
        back = converted.astype(times.dtype)
    except (OverflowError, TypeError):
        return None
    same = (back == times) | (np.isnat(times) & np.isnat(converted))
    return converted if bool(same.all()) else None


def as_numpy_time(value: Any) -> Any:
    """Return a time of Python or pandas as one of NumPy; anything else as it is.

    A time with a zone is no time of NumPy, which has none.
    """
    if isinstance(value, NUMPY_TIMES) or getattr(value, "tzinfo", None) is not None:
        return value
    for name in ("to_datetime64", "to_timedelta64"):  # pandas
        if hasattr(value, name):
            return getattr(value, name)()
    if isinstance(value, date):
        return np.datetime64(value)
    return np.timedelta64(value) if isinstance(value, timedelta) else value


def in_utc(value: Any) -> Any:
    """Return a time with a zone as the same instant in UTC; anything else as it is.

    Python compares two times of one zone by what a clock there shows, and an hour of that
    comes twice where clocks are put back.
    """
    if not isinstance(value, datetime) or value.tzinfo in (None, UTC):
        return value
    if hasattr(value, "tz_convert"):  # pandas, which has nanoseconds
        return value.tz_convert("UTC")
    try:
        return value if value.utcoffset() is None else value.astimezone(UTC)
    except OverflowError:  # hours from the first or the last year
        return value


def with_zone(instants: NDArray[Any], what: str) -> list[Any]:
    """Return instants that NumPy holds in UTC as times with that zone.

    Raises
    ------
    ValueError
        Python has no such year; or no such fraction of a second, and pandas is not there.
    """
    if len(instants) == 0:
        return []
    micros = exactly_in(instants, np.dtype("M8[us]"))
    low, high = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")
    days = instants.astype("M8[D]")
    if not bool(((days >= low) & (days <= high)).all()):
        raise ValueError(
            f"{what} has times with a time zone outside of the years 1 to 9999; take the zone "
            "off, on both sides"
        )
    if micros is not None:
        return [time.replace(tzinfo=UTC) for time in micros.tolist()]
    try:
        import pandas
    except ModuleNotFoundError:
        raise ValueError(
            f"{what} has nanoseconds beside a time zone, which needs pandas; round the times "
            "to microseconds, or take the zone off, on both sides"
        ) from None
    return list(pandas.DatetimeIndex(instants).tz_localize("UTC"))


def instant_of(value: Any) -> Any:
    """Return a key that is equal for equal times of any unit and library.

    Anything but a time is its own key. Keys are exact: NumPy compares times in a common unit,
    which may not hold them.
    """
    time = as_numpy_time(value)
    if not isinstance(time, NUMPY_TIMES) or np.isnat(time):
        return value
    kind = time.dtype.kind
    unit, count = np.datetime_data(time.dtype)
    if kind == "M" and unit in _MONTHS:
        time, unit, count = time.astype("M8[D]"), "D", 1
    ticks = int(time.astype(np.int64)) * count
    if unit in _MONTHS:
        return "months", ticks * _MONTHS[unit]
    return kind, ticks * _LENGTHS[unit] if unit in _LENGTHS else ticks
