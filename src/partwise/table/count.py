"""From two clusterings to their table."""

from __future__ import annotations

from typing import Unpack

from partwise._kernels.workers import read_workers, working
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency, check_no_features
from partwise.typing import Candidate, Policies


def contingency(
    reference: Reference,
    candidate: Candidate = None,
    *,
    workers: int | None = None,
    **policies: Unpack[Policies],
) -> Contingency:
    """Return the sparse table of two clusterings (their meet, counted).

    Parameters
    ----------
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment``.
    workers : int, optional
        Threads that number text and count; -1 is one for each core; by default as
        ``set_workers`` says. The table is the same for any number.
    **policies
        ``unmatched``, ``missing``, ``missing_labels``, ``duplicates``: see ``align``.

    Returns
    -------
    Contingency

    Raises
    ------
    ValueError, TypeError
        As ``align``; ``workers`` is no integer, or 0 or below -1.

    Notes
    -----
    One pass over the items: a counter per pair of clusters where clusters are few; else keys
    are split into parts that fit the cache, and hashed or sorted there; else (64-bit ids) raw
    pairs are hashed. At no time a clusters x clusters table that is much longer than the
    items. Working memory is kept for the next call: ``free_scratch`` gives it back.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.contingency([0, 0, 1, 1], [0, 1, 1, 1])
    Contingency(4 items, 2 x 2 clusters, 3 cells)
    """
    check_no_features(policies, "contingency")
    if workers is None:
        return table_of(reference, candidate, policies, "contingency")
    with working(read_workers(workers)):
        return table_of(reference, candidate, policies, "contingency")
