"""A sample of true clusters, and where the prediction puts their items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.account import counted
from partwise.labels.clustering import Clustering, as_clustering
from partwise.labels.columns import Column, object_array
from partwise.labels.communities import only_column
from partwise.labels.indexes import ItemOrder, in_item_order, index_of
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked
from partwise.table.contingency import Contingency
from partwise.table.count import contingency
from partwise.table.structures import induced_clustering

#: Weights by name: sampled clusters were drawn alike, or by drawing items.
WEIGHT_WORDS = ("uniform", "size")


@dataclass(frozen=True, eq=False)
class SampledClusters:
    """Parts of the sampled clusters in the prediction.

    Attributes
    ----------
    names : list
        Of the sampled clusters.
    table : Contingency
        Sampled clusters by predicted clusters: the items in common.
    sizes : ndarray of int64
        Items of each sampled cluster.
    predicted : ndarray of int64
        Items that each predicted cluster of the table has in the whole population.
    n_items, n_clusters : int
        Items and clusters of the prediction.
    mean_square : float
        Sum of the squared sizes of the predicted clusters, over the items.
    drawn_twice : int or None
        Position of the first cluster that has come before, if one has.
    """

    names: list[Any]
    table: Contingency
    sizes: IntArray
    predicted: IntArray
    n_items: int
    n_clusters: int
    mean_square: float
    drawn_twice: int | None

    def __len__(self) -> int:
        return len(self.names)


def _is_cluster(value: Any) -> bool:
    """Return whether a value is several items rather than one."""
    several = isinstance(value, (Collection, np.ndarray))
    return several and not isinstance(value, (str, bytes))


def _clusters_of(sample: Any) -> dict[Any, list[Any]]:
    """Return the items of every sampled cluster by its name, or its position."""
    if isinstance(sample, Mapping):
        if not all(map(_is_cluster, sample.values())):
            sample = Clustering.from_mapping(sample)
        else:
            return {name: _items(items) for name, items in sample.items()}
    if isinstance(sample, Clustering):
        if sample.items is None:
            raise TypeError(
                "the sample holds labels without item ids, so that its items cannot be found "
                "in the prediction; pass a mapping of item to cluster, or of cluster to items"
            )
        _refuse_unlabelled(sample)
        return dict(sample.clusters())
    if not isinstance(sample, Iterable) or isinstance(sample, (str, bytes)):
        raise TypeError(
            f"the sample is {type(sample).__name__}; a mapping of cluster to items, a list of "
            "clusters (each a list or set of items), or a mapping of item to cluster is "
            "expected"
        )
    clusters = list(sample)
    for at, cluster in enumerate(clusters):
        if not _is_cluster(cluster):
            raise TypeError(
                f"the sample has {cluster!r} at index {at}, where a cluster (a list or set of "
                "items) is expected"
            )
    return {at: _items(cluster) for at, cluster in enumerate(clusters)}


def _refuse_unlabelled(sample: Clustering) -> None:
    """Raise where a sampled item has no cluster: that of such an item is not all there."""
    missing = sample.column.missing
    if missing is not None and missing.any():
        assert sample.item_column is not None
        at = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"the sample has no cluster for item {sample.item_column.value_at(at)!r} "
            f"({counted(int(missing.sum()), 'such item')}); leave out items that were not "
            "sampled, and give each of the others its cluster"
        )


def _items(cluster: Any) -> list[Any]:
    listed: list[Any] = cluster.tolist() if isinstance(cluster, np.ndarray) else list(cluster)
    return listed


def read_sample(prediction: Any, sample: Any) -> SampledClusters:
    """Return the sampled clusters and their parts in the prediction.

    Raises
    ------
    TypeError
        The sample is no collection of clusters.
    ValueError
        A cluster is empty, an item stands in two different ones or twice in one, has no
        sampled or predicted cluster, or is not in the prediction.
    """
    population = as_clustering(prediction, "prediction")
    column = population.column
    if column.missing is not None and column.missing.any():
        at = int(np.flatnonzero(column.missing)[0])
        raise ValueError(
            f"the prediction has no cluster for {int(column.missing.sum())} items, the first "
            f"at index {at}; give each of them a cluster of its own"
        )
    by_name = _clusters_of(sample)
    if not by_name:
        raise ValueError("the sample is empty; at least one cluster is needed")
    items, owners, distinct, drawn_twice = _flattened(by_name)
    codes = _codes_of(population, distinct)
    compact = column.compact()
    sizes = np.bincount(compact.codes, minlength=population.n_clusters)
    table = contingency(np.array(owners), codes[np.array(items)])
    return SampledClusters(
        names=list(by_name),
        table=table,
        sizes=table.row_sizes,
        predicted=sizes[table.col_labels],
        n_items=population.n_items,
        n_clusters=population.n_clusters,
        mean_square=float((sizes.astype(np.float64) ** 2).sum() / max(population.n_items, 1)),
        drawn_twice=drawn_twice,
    )


def _flattened(
    by_name: Mapping[Any, list[Any]],
) -> tuple[list[int], list[int], list[Any], int | None]:
    """Return number and owner of every sampled item, the different items, who came again.

    A cluster may come again (drawn with replacement), another one with an item of it may not.
    """
    number_of: dict[Any, int] = {}
    first_owner: dict[int, int] = {}
    numbers, owners = [], []
    drawn_twice = None
    members: list[frozenset[int]] = []
    names = list(by_name)
    for owner, (name, cluster) in enumerate(by_name.items()):
        if not cluster:
            raise ValueError(f"cluster {name!r} of the sample has no item; leave it out")
        own = [number_of.setdefault(item, len(number_of)) for item in cluster]
        if len(set(own)) < len(own):
            again = next(item for k, item in enumerate(cluster) if own[k] in own[:k])
            raise ValueError(f"item {again!r} stands twice in cluster {name!r} of the sample")
        members.append(frozenset(own))
        for number, item in zip(own, cluster, strict=True):
            other = first_owner.setdefault(number, owner)
            if other != owner and members[other] != members[owner]:
                raise ValueError(
                    f"item {item!r} stands in clusters {names[other]!r} and {name!r} of the "
                    "sample; true clusters have no item in common"
                )
            if other != owner and drawn_twice is None:
                drawn_twice = owner
        numbers += own
        owners += [owner] * len(own)
    return numbers, owners, list(number_of), drawn_twice


def _codes_of(population: Clustering, items: list[Any]) -> IntArray:
    """Return the predicted cluster of each item."""
    codes = Column(population.column.compact().codes.astype(np.int64))
    try:
        own = induced_clustering(Clustering._of(codes, population.item_column), items)
    except ValueError as error:
        if "is not in the clustering" not in str(error):
            raise
        text = str(error).replace("the clustering", "the prediction")
        raise ValueError(
            f"{text}: the sample's items must all be predicted; give those items clusters of "
            "their own in the prediction, as leaving them out would change the sampled clusters"
        ) from None
    of_items: IntArray = own.column.codes
    return of_items


def read_weights(weights: Any, sampled: SampledClusters) -> FloatArray:
    """Return the weight of each sampled cluster.

    Raises
    ------
    ValueError
        Another word, a weight that is missing, not finite or not above 0, or that of a
        cluster which is not in the sample.
    """
    if isinstance(weights, str):
        if weights == "uniform":
            return np.ones(len(sampled))
        if weights == "size":
            return 1.0 / sampled.sizes
        raise ValueError(
            f"weights={weights!r} is not one of: {', '.join(WEIGHT_WORDS)}; or pass a number "
            "for each sampled cluster, 1 / its chance of being in the sample"
        )
    if index_of(weights) is not None:
        names = Column(np.arange(len(sampled)), object_array(sampled.names))
        of_sample = ItemOrder("the sample", len(sampled), ids=names)
        weights = in_item_order(only_column(weights), "weights", of_sample)
    if isinstance(weights, Mapping):
        known = set(sampled.names)
        others = [name for name in weights if name not in known]
        if others:
            raise ValueError(
                f"weights has one for cluster {others[0]!r}, which is not in the sample "
                f"({counted(len(others), 'such cluster')}); leave it out"
            )
        lacking = [name for name in sampled.names if name not in weights]
        if lacking:
            raise ValueError(f"weights has none for cluster {lacking[0]!r} of the sample")
        weights = [weights[name] for name in sampled.names]
    if has_masked(weights):
        raise ValueError("weights have masked entries; every sampled cluster needs its weight")
    values: NDArray[Any] = np.asarray(weights, dtype=np.float64)
    if values.shape != (len(sampled),):
        raise ValueError(
            f"weights has shape {values.shape}; one for each of the {len(sampled)} sampled "
            "clusters is expected"
        )
    wrong = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
    if len(wrong):
        at = int(wrong[0])
        raise ValueError(
            f"the weight {values[at]} of cluster {sampled.names[at]!r} is not a finite number "
            "above 0"
        )
    return values
