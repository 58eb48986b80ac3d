"""Plain clustering methods that the experiments score; seeded, so tables can be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.random import Generator

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

_STEPS = 40


def _far_items(points: Points, k: int, random: Generator) -> Points:
    """Return k items, each drawn by its squared distance to those before (k-means++)."""
    chosen = [points[random.integers(len(points))]]
    nearest = np.full(len(points), np.inf)
    for _ in range(1, k):
        nearest = np.minimum(nearest, ((points - chosen[-1]) ** 2).sum(axis=1))
        total = nearest.sum()
        chances = nearest / total if total else None
        chosen.append(points[random.choice(len(points), p=chances)])
    return np.array(chosen)


def kmeans(
    points: Points, k: int, random: Generator, *, restarts: int = 10, spread: bool = True
) -> Labels:
    """Return labels of the best of several runs of k-means.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    k : int
        Clusters, none of which is empty in the end.
    random : Generator
    restarts : int, default 10
        Runs; the one with the smallest sum of squared distances counts.
    spread : bool, default True
        Start from items far from one another; False: from any items.
    """
    from scipy.cluster.vq import ClusterError, kmeans2

    best: tuple[float, Labels] | None = None
    done = tried = 0
    while done < restarts:
        tried += 1
        if tried > 20 * restarts:
            raise ValueError(f"k-means found no {k} clusters in {len(points)} points")
        if spread:
            start = _far_items(points, k, random)
        else:
            start = points[random.choice(len(points), size=k, replace=False)]
        try:
            centres, labels = kmeans2(
                points, start, iter=_STEPS, minit="matrix", missing="raise"
            )
        except ClusterError:
            continue  # a cluster ran empty: another start
        done += 1
        squares = float(((points - centres[labels]) ** 2).sum())
        if best is None or squares < best[0]:
            best = squares, labels.astype(np.int64)
    assert best is not None
    return best[1]


def agglomerative(points: Points, k: int, method: str) -> Labels:
    """Return k clusters of a hierarchy, ``method`` as SciPy's ``linkage`` takes it."""
    from scipy.cluster.hierarchy import fcluster, linkage

    labels: Labels = fcluster(linkage(points, method), k, criterion="maxclust").astype(np.int64)
    return labels


def dbscan(points: Points, radius: float, neighbours: int) -> Labels:
    """Return density clusters; items in none of them are label 0 together.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    radius : float
        Items within it are neighbours.
    neighbours : int
        An item with so many, itself among them, is inside a cluster.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    pairs = tree.query_pairs(radius, output_type="ndarray")
    degree = np.bincount(pairs.ravel(), minlength=len(points)) + 1
    inside = degree >= neighbours
    links = pairs[inside[pairs].all(axis=1)]
    graph = csr_array((np.ones(len(links)), links.T), shape=(len(points),) * 2)
    _, component = connected_components(graph, directed=False)
    labels = np.where(inside, component + 1, 0).astype(np.int64)
    border = pairs[inside[pairs].sum(axis=1) == 1]
    out, near = np.where(inside[border[:, :1]], border[:, ::-1], border).T
    labels[out] = labels[near]
    return np.unique(labels, return_inverse=True)[1].astype(np.int64) + (0 not in labels)


def gaussian_mixture(
    points: Points, k: int, random: Generator, *, hard: bool = False, steps: int = 60
) -> Points:
    """Return memberships from EM for Gaussians with one variance a cluster and column.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    k : int
    random : Generator
    hard : bool, default False
        Classification EM (CEM): parameters are taken from the most likely cluster of every
        item. The memberships that are returned are those of the last parameters either way.
    steps : int, default 60

    Returns
    -------
    ndarray of shape (n, k)
        Rows add up to 1.
    """
    shares = np.eye(k)[kmeans(points, k, random, restarts=1, spread=False)]
    floor = 1e-6 * points.var(axis=0).max()
    for _ in range(steps):
        used = np.eye(k)[shares.argmax(axis=1)] if hard else shares
        masses = used.sum(axis=0) + 1e-9
        means = used.T @ points / masses[:, None]
        spread = np.maximum(used.T @ points**2 / masses[:, None] - means**2, floor)
        shares = _posterior(points, np.log(masses / masses.sum()), means, spread)
    return shares


def _posterior(points: Points, prior: Points, means: Points, spread: Points) -> Points:
    away = (points[:, None, :] - means) ** 2 / spread + np.log(spread)
    logs = prior - 0.5 * away.sum(axis=2)
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    posterior: Any = likely / likely.sum(axis=1, keepdims=True)
    return np.asarray(posterior, dtype=np.float64)
