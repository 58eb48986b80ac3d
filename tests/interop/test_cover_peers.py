"""Covers and trees: the values of other packages; docs/guide/packages.md says where not."""

import importlib.util
import math

import numpy as np
import pytest

import cover_oracle
import partwise as pw

pytestmark = [pytest.mark.long, pytest.mark.one_backend]


def needs(module, package):
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"needs {package}, which is not installed")


def plain_covers():
    """Covers with all items, and without clusters of all of them or that are there twice.

    Of others formulas are 0/0, or items are lost on the way.
    """
    for number in range(400):
        n, sides = cover_oracle.covers(number)
        kept = [{frozenset(c) for c in side if len(c) < n} for side in sides]
        kept = [sorted(map(sorted, side)) for side in kept]
        whole = all(len({i for c in side for i in c}) == n for side in kept)
        if n > 3 and whole:
            yield n, kept


@pytest.mark.parametrize(
    ("there", "normalizer"),
    [
        ("overlapping_normalized_mutual_information_LFK", "lfk"),
        ("overlapping_normalized_mutual_information_MGH", "max"),
    ],
)
def test_information_of_covers_is_that_of_cdlib(there, normalizer):
    needs("cdlib", "cdlib")
    from cdlib import NodeClustering, evaluation

    compared = 0
    for n, sides in plain_covers():
        a, b = (NodeClustering(side, None, "", overlap=True) for side in sides)
        covers = [pw.Cover(side, n_items=n) for side in sides]
        value = getattr(evaluation, there)(a, b).score
        here = pw.overlapping_mutual_information(*covers, normalizer=normalizer)
        assert math.isclose(value, here, rel_tol=1e-9, abs_tol=1e-9), sides
        compared += 1
    assert compared > 20


def test_the_omega_index_is_that_of_clusim():
    needs("clusim", "clusim")
    from clusim import sim
    from clusim.clustering import Clustering

    compared = 0
    for n, sides in plain_covers():
        covers = [pw.Cover(side, n_items=n) for side in sides]
        a, b = (
            Clustering(
                elm2clu_dict={i: [k for k, c in enumerate(side) if i in c] for i in range(n)}
            )
            for side in sides
        )
        here = pw.omega_index(*covers)
        with np.errstate(all="ignore"):
            value = float(sim.omega_index(a, b))
        if not math.isnan(value):
            assert math.isclose(value, here, rel_tol=1e-9, abs_tol=1e-9), sides
            compared += 1
    assert compared > 20


def test_cophenetic_correlation_is_that_of_scipy():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy", reason="needs SciPy")
    draw = np.random.default_rng(5)
    for method in ("single", "average", "complete", "ward"):
        for n in (4, 9, 30):
            first, second = (
                hierarchy.linkage(draw.normal(size=(n, 2)), method) for _ in range(2)
            )
            wanted = np.corrcoef(hierarchy.cophenet(first), hierarchy.cophenet(second))[0, 1]
            trees = [pw.Hierarchy.from_linkage(side) for side in (first, second)]
            assert math.isclose(pw.cophenetic_correlation(*trees), wanted, rel_tol=1e-9)
