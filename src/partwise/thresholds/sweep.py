"""``sweep``: measures at every state that merging clusters goes through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from partwise._kernels.workers import read_workers
from partwise.labels.account import counted
from partwise.labels.carried import CompanionArguments
from partwise.labels.clustering import as_clustering
from partwise.measures.aliases import takes
from partwise.measures.catalogue import named_among, names_of, select, set_among
from partwise.thresholds.edges import EdgeColumns
from partwise.thresholds.grid import reported_states
from partwise.thresholds.items import order_of_reference, with_items_of
from partwise.thresholds.merges import MergeKind, columns_if_edges, read_merges
from partwise.thresholds.result import Sweep
from partwise.typing import Column, Labels


@takes("measures")
def sweep(
    reference: Labels,
    merges: Column | Iterable[Labels],
    *,
    kind: MergeKind | None = None,
    scores: Literal["similarity", "distance"] | None = None,
    closed: bool = True,
    measures: str | Iterable[str] = "default",
    thresholds: Column | None = None,
    start: Labels | None = None,
    unlabelled: Literal["error", "ignore"] = "error",
    groups: Labels | None = None,
    workers: int | None = None,
) -> Sweep:
    """Score every state of merging clusters against a reference, at about the price of a few.

    Parameters
    ----------
    reference
        One clustering, in any form that ``Clustering`` takes.
    merges
        A linkage (rows of cluster, cluster, height, size as SciPy makes them); edges (rows of
        item, item, score, a tuple of three columns, or a frame); or nested clusterings, fine to
        coarse. Edges name items by their ids where the reference has ids, else by position.
    kind : {"linkage", "edges", "nested"}, optional
        What ``merges`` is; needed only where its shape does not tell.
    scores : {"distance", "similarity"}
        Edges only, and needed there: whether low or high ones merge first.
    closed : bool, default True
        Whether a threshold includes the merges at exactly it, as SciPy's ``fcluster`` does;
        False excludes them, as scikit-learn's ``distance_threshold`` does.
    measures : "default", "all", a name, or several
        Names of the catalogue. The default ones are those of ``compare`` that are curves.
    thresholds : int or array of float, optional
        Report at most so many states, evenly by merges, or the states at these thresholds.
        Default: all states.
    start : clustering, optional
        Clusters that stand before the first edge or linkage row.
    unlabelled : {"error", "ignore"}
        Items of the reference without a label: refuse, or score the clusterings of the others
        (merges go over all); they are counted in ``n_ignored``. Edges may then name items that
        the reference lacks, as they do where it is a sample: such items join clusters, and are
        counted as well.
    groups : array-like of shape (n,), mapping by item, or Clustering, optional
        Group of each item of the reference, such as its document: what ``Sweep.bootstrap``
        draws.
    workers : int, optional
        Threads that share the states: formulas, tables on the grid, and the pairs of sizes of
        the expected information; -1 is one for each core; by default as ``set_workers`` says.
        The merges are gone through by one. They change no bit.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        A row or edge that cannot be: NaN, clusters used twice or not yet formed, unknown items,
        levels that are not nested; with the row, its values, and what to do.

    Notes
    -----
    Merges with equal heights (scores) are one step. A linkage row takes effect at the largest
    height in its subtree. Two cells of the table become one exactly n - (cells at the end)
    times, and these events are told beforehand by the order of the leaves: no table and no
    map is kept. Sums are integers, so each state has the bits of a fresh ``compare``. Measures
    that are functions of such sums cost a fixed amount a state. States near independence, where
    a sum would lose digits, are computed on their table. O(n log n) time, about 150 bytes an
    item.

    ``s_entropy`` has every state and its bits, too: after a merge the cells of the columns that
    grew are visited, or those of the rows that changed (for small reference clusters),
    whichever visits fewer cells; that number is known beforehand. Where the tables of a grid
    would cost less (from about 200 visits for each item on, as may be with large classes in a
    chain), it goes by them.

    ``adjusted_mutual_information``, its relatives, and ``expected_mutual_information`` (random
    permutations) have every state if the pairs of a size that a candidate cluster ever has and
    a distinct reference size take at most 2^24 steps and 4 for each item of a state on the
    grid: 4000 n with 1000 states or more, which is less work than their tables. A pair takes
    about 10 + min(mu, 20 sqrt(mu)) steps for an expected overlap mu below 600, 100 above. Their
    last digits may then differ from a fresh ``compare`` (within 1e-13; 3e-16 has been seen),
    which sums pairs with mu below 4 by one series for all of them and rounds by pairs of sizes,
    not by clusters; the exact 0 and 1 of degenerate states are exact here, too. Up to 1000
    states with 4 million items in all they are computed on tables, with the same bits.

    All other measures (matching, F) are computed on tables, on a grid of at most 1000 states,
    evenly by merges, with the first and last, and the best state of each curve of the
    sweep. ``Sweep.strategy_of`` says which way a measure went.

    Examples
    --------
    >>> import partwise as pw
    >>> edges = [("a", "b", 0.9), ("c", "d", 0.7), ("b", "c", 0.2)]
    >>> gold = pw.Clustering.from_clusters([["a", "b"], ["c", "d"]])
    >>> curve = pw.sweep(gold, edges, scores="similarity", measures=["adjusted_rand_index"])
    >>> curve["adjusted_rand_index"].round(3).tolist()
    [0.0, 0.571, 1.0, 0.0]
    >>> print(curve.best("adjusted_rand_index"))
    adjusted_rand_index 1.0000 at thresholds in (0.2, 0.7] (cut at 0.45): 2 clusters
    """
    threads = read_workers(workers)
    clustering = as_clustering(reference, "reference")
    if unlabelled not in ("error", "ignore"):
        raise ValueError(f'unlabelled={unlabelled!r}: one of "error", "ignore" is expected')
    own = clustering
    if unlabelled == "ignore" and own.item_column is not None:
        merges = columns_if_edges(merges, own.n_items, kind, scores)
        if isinstance(merges, EdgeColumns):
            clustering = with_items_of(own, merges.first, merges.second)
    labels = clustering.column.compact().codes.astype(np.int64)
    missing = clustering.column.missing
    if missing is not None and missing.any():
        if unlabelled == "error":
            raise ValueError(
                f"{counted(int(missing.sum()), 'item')} of the reference without a label (the "
                f"first at position {int(np.flatnonzero(missing)[0])}); "
                'unlabelled="ignore" scores the others'
            )
        if missing.all():
            raise ValueError(
                f"no item is left to score: none of the {len(missing)} items of the reference "
                'has a label (unlabelled="ignore"); label some of them'
            )
        labels = np.where(missing, -1, labels)
    read = read_merges(merges, clustering, kind, scores, start, own=own)
    measures = names_of(measures)
    entries, _ = select(measures)
    if set_among(measures) == "default":
        named = named_among(measures)
        entries = [
            entry for entry in entries if entry.computation.formula or entry.name in named
        ]
    positions = np.arange(own.n_items)
    items = order_of_reference(own, read.index)
    companions = CompanionArguments(groups=groups).in_order_of(items)
    grouping = companions.read(len(positions), positions, own.item_column).groups
    return Sweep(
        labels,
        read,
        entries,
        reported_states(thresholds, read, closed),
        closed,
        grouping,
        n_reference=own.n_items,
        workers=threads,
    )
