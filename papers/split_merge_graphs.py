"""Derivation graph and subcomponent pairs of two clusterings (SM, Definitions 4.6 and 4.7)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.labels.clustering import first_appearance_labels
from partwise.labels.columns import listed
from partwise.numbers.arrays import IntArray
from partwise.table.alignment import Alignment
from partwise.table.arguments import alignment_of
from partwise.table.components import Components
from partwise.table.structures import meet

Cluster = tuple[Hashable, ...]


@dataclass(frozen=True)
class DerivationGraph:
    """How the reference is split into the meet, and the meet merged into the candidate.

    Attributes
    ----------
    reference, meet, candidate : tuple of clusters
        The three parts of the graph, each cluster as the tuple of its items.
    splits : tuple of (int, int)
        Edges from clusters of the reference to clusters of the meet: the split set.
    merges : tuple of (int, int)
        Edges from clusters of the meet to clusters of the candidate: the merge set.
    component : tuple of int
        Component of the join that each cluster of the meet lies in.
    """

    reference: tuple[Cluster, ...]
    meet: tuple[Cluster, ...]
    candidate: tuple[Cluster, ...]
    splits: tuple[tuple[int, int], ...]
    merges: tuple[tuple[int, int], ...]
    component: tuple[int, ...]


@dataclass(frozen=True)
class SubcomponentPair:
    """A split and a merge subcomponent that have a cluster of the meet in common.

    Attributes
    ----------
    component : int
        Component of the join.
    reference, candidate : cluster
        L and C, as tuples of items.
    meet : cluster
        Their common items: the one sink of the split that is a source of the merge.
    split, merge : tuple of clusters
        The parts of L, and those that C is merged from.
    """

    component: int
    reference: Cluster
    candidate: Cluster
    meet: Cluster
    split: tuple[Cluster, ...]
    merge: tuple[Cluster, ...]


def derivation_graph(reference: Any, candidate: Any = None, **policies: Any) -> DerivationGraph:
    """Return the derivation graph of two clusterings.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment``.
    **policies
        See ``align``.

    Returns
    -------
    DerivationGraph

    Notes
    -----
    O(n + cells).

    References
    ----------
    Split-merge (ICML 2012), Definition 4.6; Proposition 4.2 says that the ends of ``splits``
    are the starts of ``merges``.

    Examples
    --------
    >>> graph = derivation_graph([0, 0, 1], [5, 6, 6])
    >>> graph.reference, graph.meet, graph.candidate
    (((0, 1), (2,)), ((0,), (1,), (2,)), ((0,), (1, 2)))
    >>> graph.splits, graph.merges
    (((0, 0), (0, 1), (1, 2)), ((0, 0), (1, 1), (2, 1)))
    """
    aligned = alignment_of(reference, candidate, policies, "derivation_graph")
    items = listed(aligned.items)
    sides = [
        first_appearance_labels(codes)
        for codes in (
            aligned.reference.column.compact().codes,
            meet(aligned),
            aligned.candidate.column.compact().codes,
        )
    ]
    first, middle, last = (_clusters(codes, items) for codes in sides)
    at = [int(np.flatnonzero(sides[1] == number)[0]) for number in range(len(middle))]
    component = Components(aligned.table, aligned).item_component
    return DerivationGraph(
        first,
        middle,
        last,
        tuple((int(sides[0][item]), number) for number, item in enumerate(at)),
        tuple((number, int(sides[2][item])) for number, item in enumerate(at)),
        tuple(int(component[item]) for item in at),
    )


def subcomponent_pairs(
    reference: Any, candidate: Any = None, **policies: Any
) -> tuple[SubcomponentPair, ...]:
    """Return the pairs of a split and a merge subcomponent, one a cluster of the meet.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment``.
    **policies
        See ``align``.

    Returns
    -------
    tuple of SubcomponentPair
        In order of the meet's clusters.

    References
    ----------
    Split-merge (ICML 2012), Definition 4.7; Proposition 4.3 says that a cluster of the meet
    has one pair and no other.

    Examples
    --------
    >>> for pair in subcomponent_pairs([0, 0, 1], [5, 6, 6]):
    ...     print(pair.meet, pair.split, pair.merge)
    (0,) ((0,), (1,)) ((0,),)
    (1,) ((0,), (1,)) ((1,), (2,))
    (2,) ((2,),) ((1,), (2,))
    """
    if isinstance(reference, Alignment):
        graph = derivation_graph(reference)
    else:
        graph = derivation_graph(reference, candidate, **policies)
    parts: list[list[Cluster]] = [[] for _ in graph.reference]
    sources: list[list[Cluster]] = [[] for _ in graph.candidate]
    for cluster, number in graph.splits:
        parts[cluster].append(graph.meet[number])
    for number, cluster in graph.merges:
        sources[cluster].append(graph.meet[number])
    return tuple(
        SubcomponentPair(
            graph.component[number],
            graph.reference[before],
            graph.candidate[after],
            graph.meet[number],
            tuple(parts[before]),
            tuple(sources[after]),
        )
        for (before, number), (_, after) in zip(graph.splits, graph.merges, strict=True)
    )


def _clusters(codes: IntArray, items: list[Any]) -> tuple[Cluster, ...]:
    """Return the items of each code 0, 1, ..., in order."""
    clusters: list[list[Any]] = [[] for _ in range(int(codes.max(initial=-1)) + 1)]
    for code, item in zip(codes.tolist(), items, strict=True):
        clusters[code].append(item)
    return tuple(map(tuple, clusters))
