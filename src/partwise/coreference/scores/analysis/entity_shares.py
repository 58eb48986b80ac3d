"""What each entity adds to numerator and denominator of a measure."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.scores.measures import Shared, own_name, pairs, phi4
from partwise.coreference.scores.moved_mentions import MOVED
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.numbers.arrays import IntArray

#: Measures that are sums over the entities of a side.
OF_ENTITIES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")


class Shares(NamedTuple):
    """Numerator and denominator of each entity of a side, as in the measure's sums."""

    numerator: NDArray[Any]
    denominator: NDArray[Any]


def entity_shares(scores: CoreferenceScores, measure: str) -> tuple[str, Shares, Shares]:
    """Return a measure's own name, and what the entities of key and response add to it.

    Those of the key make recall, those of the response precision.

    Raises
    ------
    ValueError
        The measure is no sum over entities (BLANC, the CoNLL average), or its recall and
        precision are of different mentions (cai-strube).
    """
    name = own_name(measure, OF_ENTITIES)
    if name not in OF_ENTITIES:
        raise ValueError(
            f"measure={measure!r} is no sum over entities; one of {', '.join(OF_ENTITIES)} is "
            "expected"
        )
    same = [one for one in OF_ENTITIES if one not in MOVED]
    if scores._moved and name in MOVED:
        raise ValueError(
            f"measure={measure!r}: under the convention {scores.convention} recall and "
            f"precision are of different mentions; take {', '.join(same[:-1])} or {same[-1]}, "
            "or score under another convention"
        )
    x = scores._shared
    return name, _of_side(x, name, 0), _of_side(x, name, 1)


def _of_side(x: Shared, name: str, side: int) -> Shares:
    """Return the shares of the key's entities (side 0) or of the response's (side 1)."""
    table = x.table
    numbers = (x.rows[table.rows], x.cols[table.cols])[side]
    sizes = (x.key_sizes, x.response_sizes)
    n = len(sizes[side])
    own = sizes[side][numbers]

    def added(values: NDArray[Any], cells: IntArray | slice = slice(None)) -> NDArray[Any]:
        sums = np.zeros(n, dtype=values.dtype)
        np.add.at(sums, numbers[cells], values)
        return sums

    if name == "muc":
        parts = added(np.ones(len(numbers), dtype=np.int64))
        return Shares(added(table.counts) - parts, sizes[side] - 1)
    if name == "ceaf_e":
        cells = x.by_entities
        return Shares(added(phi4(x)[cells], cells), np.ones(n, dtype=np.int64))
    if name == "ceaf_m":
        cells = x.by_mentions
        return Shares(added(table.counts[cells], cells), sizes[side])
    if name == "b_cubed":
        return Shares(added(table.counts.astype(np.float64) ** 2 / own), sizes[side])
    if name == "lea":
        other = (x.cols[table.cols], x.rows[table.rows])[side]
        alone = (own == 1) & (sizes[1 - side][other] == 1)
        links = 2.0 * pairs(table.counts) / np.maximum(own - 1, 1)
        return Shares(added(np.where(alone, 1.0, links)), sizes[side])
    return Shares(added(table.counts), sizes[side])
