"""What is drawn: groups of items, or components, that no cluster of any state crosses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from partwise._kernels.long_columns import numbered, taken
from partwise.inference.blocks import Blocks
from partwise.labels import Account
from partwise.labels.account import counted
from partwise.labels.carried import Grouping
from partwise.measures.components.sums import components_of
from partwise.numbers.arrays import IntArray
from partwise.table.count import contingency

#: A component with a larger share of the items leaves too little to draw; where states are left
#: out for it, it is better small in all of them, so that draws tell the spread well.
MOST_SHARE, SMALL_SHARE = 0.5, 0.02


class Units(NamedTuple):
    """Groups of items that no cluster of any state crosses.

    Attributes
    ----------
    of_items : int64 array, shape (n,)
        Unit of each labelled item; of items without a label any.
    n : int
    by : {"groups", "components"}
    """

    of_items: IntArray
    n: int
    by: str


def units_of(
    labels: IntArray,
    clusters: IntArray,
    groups: Grouping | None,
    measure: str,
    threshold: float,
    most: float = MOST_SHARE,
) -> Units:
    """Return the units to draw: the groups, or components of the reference and a state.

    Parameters
    ----------
    labels : int64 array, shape (n,)
        Reference, -1 without a label.
    clusters : int64 array, shape (n,)
        Clusters of the state.
    groups : Grouping or None
    measure : str
        Whose best state this is, for messages.
    threshold : float
        Of the state, for messages.
    most : float
        Share of the items that a component may have.

    Raises
    ------
    ValueError
        A cluster crosses groups; a component has most of the items; fewer than two units.
    """
    shown = np.flatnonzero(labels >= 0)
    state = f"of the best state of {measure} (threshold {threshold:g})"
    if groups is not None:
        for sides, what in ((labels[shown], "of the reference"), (clusters[shown], state)):
            _refuse_crossing(sides, groups, shown, what)
        used, _, codes = numbered(groups.codes[shown])
        n, by = len(used), "groups"
    else:
        table = contingency(labels[shown], clusters[shown])
        join = components_of(table)
        largest = int(join.sizes.max(initial=0))
        if largest > most * len(shown) and join.n_components > 1:
            raise ValueError(
                f"one component {state} holds {largest} of {len(shown)} items, so that drawing "
                "components says little; pass groups= to sweep, sets of items that no cluster "
                "crosses"
            )
        of_label = np.zeros(int(table.row_labels.max(initial=-1)) + 1, dtype=np.int64)
        of_label[table.row_labels] = join.row_component
        codes, n, by = taken(of_label, labels[shown]), join.n_components, "components"
    if n < 2:
        raise ValueError(
            f"there {'is' if n == 1 else 'are'} {counted(n, by[:-1])} to draw {state}; at "
            "least 2 are needed"
        )
    of_items = np.zeros(len(labels), dtype=np.int64)
    of_items[shown] = codes
    return Units(of_items=of_items, n=n, by=by)


def _refuse_crossing(clusters: IntArray, groups: Grouping, shown: IntArray, what: str) -> None:
    codes = groups.codes[shown]
    _, first, numbers = numbered(clusters)
    crossed = np.flatnonzero(codes != taken(codes[first], numbers))
    if len(crossed):
        crossing = numbered(numbers[crossed])[0]
        one, other = groups.names[numbered(codes[numbers == crossing[0]])[0][:2]].tolist()
        number = len(crossing)
        raise ValueError(
            f"a cluster {what} holds items of the groups {one!r} and {other!r} "
            f"({counted(number, 'such cluster')}); groups can only be drawn as wholes where no "
            "cluster crosses them: leave groups away to draw components"
        )


def unit_blocks(labels: IntArray, clusters: IntArray, units: Units) -> Blocks:
    """Return the table of reference and clusters, a block for each unit."""
    shown = np.flatnonzero(labels >= 0)
    unit = units.of_items[shown]
    sides = []
    for side in (labels[shown], clusters[shown]):
        names, at, codes = numbered(side)
        order = np.argsort(unit[at], kind="stable")
        new = np.empty(len(names), dtype=np.int64)
        new[order] = np.arange(len(names))
        sides.append((taken(new, codes), unit[at][order]))
    (rows, of_rows), (cols, of_cols) = sides
    ones = np.ones(len(shown), dtype=np.int64)
    account = Account(len(shown), "position")
    return Blocks.of((rows, cols, ones), (of_rows, of_cols), units.n, account)
