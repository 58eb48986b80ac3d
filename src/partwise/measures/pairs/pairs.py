"""Pair counting: the n (n - 1) / 2 pairs of items by where they are together."""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

from partwise import _kernels
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.table.margins import known_margin
from partwise.table.memo import memoized
from partwise.typing import Candidate, Policies

__all__ = [
    "pair_confusion",
]


class PairConfusion(NamedTuple):
    """Unordered pairs of items by where they are together.

    Attributes
    ----------
    n11 : int
        Together in both clusterings.
    n10 : int
        Together in the reference only.
    n01 : int
        Together in the candidate only.
    n00 : int
        Apart in both.
    """

    n11: int
    n10: int
    n01: int
    n00: int

    @property
    def total(self) -> int:
        """All pairs, n (n - 1) / 2."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def reference(self) -> int:
        """Pairs together in the reference."""
        return self.n11 + self.n10

    @property
    def candidate(self) -> int:
        """Pairs together in the candidate."""
        return self.n11 + self.n01

    @property
    def identical(self) -> bool:
        """Whether the two clusterings are equal: no pair is judged differently."""
        return self.n10 == 0 and self.n01 == 0


@memoized
def confusion(table: Contingency) -> PairConfusion:
    """Return the pair confusion of a table, exact at any size. O(cells)."""
    n = table.n_items

    def pairs(of: str, sizes: Any) -> int:
        margin = known_margin(table, of)
        squares = _kernels.impl.sum_squares(sizes) if margin is None else margin.squares
        return (squares - n) // 2

    n11 = pairs("cells", table.counts)
    n10 = pairs("rows", table.row_sizes) - n11
    n01 = pairs("cols", table.col_sizes) - n11
    return PairConfusion(n11, n10, n01, n * (n - 1) // 2 - n11 - n10 - n01)


def pair_confusion(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> PairConfusion:
    """Count the pairs of items that are together in both, one, or neither clustering.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    PairConfusion
        Python integers, exact at any n.

    Notes
    -----
    N11 = sum C(n_ij, 2), N10 = sum C(n_i, 2) - N11, N01 = sum C(m_j, 2) - N11. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_confusion([0, 0, 1, 1], [0, 1, 1, 1])
    PairConfusion(n11=1, n10=1, n01=2, n00=2)
    >>> n11, n10, n01, n00 = pw.pair_confusion([0, 0, 1, 1], [0, 1, 1, 1])
    """
    table = table_of(reference, candidate, policies, "pair_confusion")
    if table.masses is not None:
        raise ValueError(
            "pair_confusion counts whole items and takes no weights; use multiplicity="
        )
    return confusion(table)
