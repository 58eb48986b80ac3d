"""Distinct labels that become Python values only when somebody looks at them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Names:
    """Distinct text or bytes, ascending, held as they came.

    Making a Python value of each costs more than finding them, and many a caller wants a number
    only.

    Parameters
    ----------
    held : array
        A NumPy array of fixed width or a pyarrow array, in memory of its own.
    """

    __slots__ = ("_held", "_values")

    def __init__(self, held: Any) -> None:
        self._held = held
        self._values: NDArray[Any] | None = None

    def __len__(self) -> int:
        return len(self._held)

    def __reduce__(self) -> Any:
        return _of_values, (self.values,)

    @property
    def values(self) -> NDArray[Any]:
        """The labels as an array of objects, made once. O(k)."""
        if self._values is None:
            held = self._held
            if not isinstance(held, np.ndarray):
                held = held.to_numpy(zero_copy_only=False)
            self._values = held.astype(object)
            self._values.flags.writeable = False
        return self._values

    def take(self, places: NDArray[Any]) -> Names:
        """Return the labels at ascending ``places``."""
        if isinstance(self._held, np.ndarray):
            return Names(self._held[places])
        import pyarrow

        return Names(self._held.take(pyarrow.array(places)))


def _of_values(values: NDArray[Any]) -> NDArray[Any]:
    return values


def plain(labels: NDArray[Any] | Names) -> NDArray[Any]:
    """Return labels as an array."""
    return labels.values if isinstance(labels, Names) else labels


def taken(labels: NDArray[Any] | Names, places: NDArray[Any]) -> NDArray[Any] | Names:
    """Return the labels at distinct ascending ``places``: all of them if there are so many."""
    if len(places) == len(labels):
        return labels
    return labels.take(places) if isinstance(labels, Names) else labels[places]
