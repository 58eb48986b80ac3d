"""Several clusterings of the same items, by name: of a mapping, a frame, an array, a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from partwise.labels.columns import refuse_read_before, refuse_uncomputed
from partwise.labels.communities import only_column
from partwise.labels.files.headers import role_of
from partwise.labels.indexes import index_of, is_default
from partwise.labels.notes import Note


def named_clusterings(clusterings: Any, what: str) -> dict[str, Any]:
    """Return several clusterings by name: mapping, frame, 2-D int array, or sequence."""
    refuse_uncomputed(clusterings, what)
    if isinstance(clusterings, Mapping):
        _refuse_same_names(clusterings, what)
        by_name = {str(name): values for name, values in clusterings.items()}
    elif hasattr(clusterings, "columns") and hasattr(clusterings, "__getitem__"):
        names = _column_names(clusterings)
        _refuse_same_names(names, what)
        _refuse_item_ids(names)
        by_name = {str(name): clusterings[name] for name in names}
    elif isinstance(clusterings, np.ndarray) and clusterings.ndim == 2:
        by_name = {str(j): clusterings[:, j] for j in range(clusterings.shape[1])}
    elif isinstance(clusterings, np.ndarray):
        raise ValueError(
            f"{what} is an array of shape {clusterings.shape}; several clusterings are the "
            "columns of a 2-D array, or a list or mapping of label columns"
        )
    else:
        by_name = {str(i): values for i, values in enumerate(clusterings)}
        if not by_name:
            refuse_read_before(clusterings, what)
    return by_name


def in_order_of_names(values: Any, what: str, names: Sequence[str], of_what: str) -> Any:
    """Return one value for each of several clusterings in their order.

    A mapping, and a Series with an index that somebody set, name the clusterings; what has no
    names is in their order and is returned as it came.

    Raises
    ------
    ValueError
        A name is lacking, is no clustering's, or stands there twice.
    """
    values = only_column(values)
    index = index_of(values)
    if isinstance(values, Mapping):
        keys, listed, instead = list(values), list(values.values()), ""
    elif index is not None and values.ndim == 1 and not is_default(index):
        keys, listed = index.tolist(), values.tolist()
        instead = f", or pass {what}.to_numpy() to take them in order"
    else:
        return values
    by_name = dict(zip(map(str, keys), listed, strict=True))
    if len(by_name) < len(keys):
        again = Counter(map(str, keys)).most_common(1)[0][0]
        raise ValueError(
            f"{what} names {of_what} {again!r} twice; give each its value{instead}"
        )
    known = set(names)
    for name in by_name:
        if name not in known:
            raise ValueError(
                f"{what} has a value for {of_what} {name!r}, and there is no such {of_what}; "
                f"leave it out{instead}"
            )
    for name in names:
        if name not in by_name:
            raise ValueError(
                f"{what} has no value for {of_what} {name!r}; give each its value{instead}"
            )
    return [by_name[name] for name in names]


def orientation_note(clusterings: Any, what: str) -> list[Note]:
    """Return the note on an array that may hold a clustering a row, none where there is none.

    A clustering is a column; people who have no more rows than columns often mean rows.
    """
    if not isinstance(clusterings, np.ndarray) or clusterings.ndim != 2:
        return []
    n, m = clusterings.shape
    if not 1 < n <= m:
        return []
    text = (
        f"the array of shape ({n}, {m}) holds {m} clusterings of {n} items, one a column; pass "
        "array.T for one a row"
    )
    return [Note("clusterings-in-columns", text, what)]


def _refuse_same_names(names: Iterable[Any], what: str) -> None:
    """Raise where two clusterings would have one name."""
    times = Counter(map(str, names))
    again = [name for name, often in times.items() if often > 1]
    if again:
        raise ValueError(
            f"two names of {what} are the same as text, {again[0]!r} ({len(again)} such "
            "names); rename one"
        )


def _refuse_item_ids(names: Iterable[Any]) -> None:
    """Raise where a column of a frame holds ids of the items, which is no clustering."""
    for name in names:
        if role_of(str(name)) == "item":
            raise ValueError(
                f"every column of the frame is a clustering, and {name!r} is a name of item "
                "ids; leave that column out, or make it the index of the frame"
            )


def _column_names(frame: Any) -> list[Any]:
    names = getattr(frame, "column_names", None)  # pyarrow
    return list(frame.columns if names is None else names)
