"""Plain clustering methods that the experiments score; seeded, so tables can be repeated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.random import Generator

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

_STEPS, _STEPS_AT_ONCE = 40, 2
_LEAST_GAIN = 1e-7  # of the log-likelihood an item: with less, EM is done


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
    from scipy.cluster.vq import ClusterError

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
            centres, labels = _settled(points, start)
        except ClusterError:
            continue  # a cluster ran empty: another start
        done += 1
        squares = float(((points - centres[labels]) ** 2).sum())
        if best is None or squares < best[0]:
            best = squares, labels.astype(np.int64)
    assert best is not None
    return best[1]


def _settled(points: Points, centres: Points) -> tuple[Points, Labels]:
    """Return centres and labels after ``_STEPS`` steps of k-means, or once the centres stay."""
    from scipy.cluster.vq import kmeans2

    for _ in range(_STEPS // _STEPS_AT_ONCE):
        before = centres
        centres, labels = kmeans2(
            points, before, iter=_STEPS_AT_ONCE, minit="matrix", missing="raise"
        )
        if np.array_equal(centres, before):
            break  # further steps would change nothing
    return centres, labels


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


class Mixture(NamedTuple):
    """A mixture of Gaussians as it fits the points.

    Attributes
    ----------
    memberships : ndarray of shape (n, k)
        Chances of the clusters, given the item; rows add up to 1.
    log_likelihood : float
        Of all items; of classification EM, together with their clusters.
    """

    memberships: Points
    log_likelihood: float


def mixture_start(points: Points, k: int, random: Generator) -> Points:
    """Return memberships, 0 or 1, from one run of k-means that starts from any items."""
    return np.eye(k)[kmeans(points, k, random, restarts=1, spread=False)]


def gaussian_mixture(
    points: Points, start: Points, *, hard: bool = False, steps: int = 60
) -> Mixture:
    """Return what EM makes of a start, for Gaussians with one variance a cluster and column.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    start : ndarray of shape (n, k)
        Memberships to begin with.
    hard : bool, default False
        Classification EM (CEM): parameters are taken from the most likely cluster of every
        item. The memberships that are returned are those of the last parameters either way.
    steps : int, default 60
        At most; it ends before if the likelihood, or with ``hard`` the clusters, stay.
    """
    columns = points.shape[1]
    floor = 1e-6 * points.var(axis=0).max()
    powers = np.hstack([points**2, points])
    # clusters by items: sums over few clusters are fast along the first axis
    fit, likeliest = Mixture(np.ascontiguousarray(start.T), -math.inf), np.zeros(0)
    for _ in range(steps):
        before, last = likeliest, fit.log_likelihood
        likeliest = fit.memberships.argmax(axis=0)
        used = np.eye(start.shape[1])[:, likeliest] if hard else fit.memberships
        masses = used.sum(axis=1) + 1e-9
        squares, means = np.hsplit(used @ powers / masses[:, None], [columns])
        variances = np.maximum(squares - means**2, floor)
        fit = _posterior(powers, masses / masses.sum(), means, variances, hard=hard)
        if hard and np.array_equal(before, likeliest):
            break
        if not hard and fit.log_likelihood - last < _LEAST_GAIN * len(points):
            break
    return Mixture(np.ascontiguousarray(fit.memberships.T), fit.log_likelihood)


def _posterior(
    powers: Points, shares: Points, means: Points, variances: Points, *, hard: bool
) -> Mixture:
    """Return the memberships, clusters by items, from the squares and values of the items."""
    factors = np.hstack([-0.5 / variances, means / variances])
    of_clusters = np.log(shares) - 0.5 * (means**2 / variances + np.log(variances)).sum(axis=1)
    logs = factors @ powers.T + of_clusters[:, None]
    largest = logs.max(axis=0)
    likely = np.exp(logs - largest)
    sums = likely.sum(axis=0)
    constant = 0.25 * powers.size * math.log(2 * math.pi)
    total = float(largest.sum() if hard else (largest + np.log(sums)).sum())
    return Mixture(likely / sums, total - constant)
