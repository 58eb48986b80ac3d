"""Packages that may be missing, and calls of partwise and of its peers.

Every call takes a ``Workload``. Packages are imported when they are first needed, and run on
one thread.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness.workloads import Workload

Counts = NDArray[np.int64]


#: Packages whose module has another name.
PACKAGES = {
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "ot": "POT",
    "clustering_mi": "clustering-mi",
    "er_evaluation": "er-evaluation",
}


class AbsentError(SystemExit):
    """A package that a benchmark needs is not installed."""

    def __init__(self, module: str) -> None:
        self.package = PACKAGES.get(module, module)
        super().__init__(f"{self.package} is not installed: pip install '.[bench]'")


def need(module: str) -> ModuleType:
    """Import an optional module, or leave with a sentence that says what to install."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise AbsentError((error.name or module).partition(".")[0]) from None


# ---- labels in, table out ------------------------------------------------------------


def contingency(workload: Workload, workers: int = 1) -> Any:
    return need("partwise").contingency(workload.a, workload.b, workers=workers)


def fresh_contingency(workload: Workload) -> Any:
    need("partwise").free_scratch()
    return contingency(workload)


def numpy_bincount(workload: Workload) -> Counts:
    """Return the counts of the dense table; the range of the labels is handed over."""
    span = workload.span
    table: Counts = np.bincount(workload.a * span + workload.b, minlength=span * span)
    return table


def numpy_unique(workload: Workload) -> Counts:
    """Return the counts of the cells; the range of the labels is handed over."""
    keys = workload.a * workload.span + workload.b
    counts: Counts = np.unique(keys, return_counts=True)[1]
    return counts


@cache
def _duckdb() -> Any:
    connection = need("duckdb").connect()
    connection.execute("SET threads = 1")
    return connection


def duckdb_group_by(workload: Workload) -> Counts:
    """Return the counts of the cells, in no order."""
    connection = _duckdb()
    connection.register("pairs", {"a": workload.a, "b": workload.b})
    query = "SELECT a, b, count(*) AS items FROM pairs GROUP BY a, b"
    counts: Counts = connection.execute(query).fetchnumpy()["items"]
    connection.unregister("pairs")
    return counts


TABLE_PEERS = {
    "np.bincount": numpy_bincount,
    "np.unique": numpy_unique,
    "duckdb": duckdb_group_by,
}


def shape_of(counts: Any) -> tuple[int, int]:
    """Return the number of cells and the sum of their squares: what two tables share."""
    counts = np.asarray(getattr(counts, "counts", counts), dtype=np.int64)
    return int(np.count_nonzero(counts)), int(np.dot(counts, counts))


# ---- labels in, value out ------------------------------------------------------------


def score(workload: Workload, measure: str) -> float:
    """Return what a function of partwise finds."""
    return float(getattr(need("partwise"), measure)(workload.a, workload.b))


def sklearn_score(workload: Workload, measure: str) -> float:
    """Return what a function of scikit-learn finds."""
    return float(getattr(need("sklearn.metrics"), measure)(workload.a, workload.b))


def skimage_vi(workload: Workload) -> float:
    """Return the variation of information in nats; scikit-image gives two parts in bits."""
    parts = need("skimage.metrics").variation_of_information(workload.a, workload.b)
    return float(np.log(2) * np.sum(parts))
