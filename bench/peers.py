"""What is measured: the functions of partwise and those of its peers.

Every function takes a ``Workload``. Peers are imported when they are first called and
run on one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.workloads import Workload

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Subject:
    """A function under measurement.

    Attributes
    ----------
    name : str
        How the reports call it.
    package : str
        Distribution it comes from.
    call : callable
        Workload to result.
    suits : callable
        Whether the function can take this workload at all.
    counts : callable or None
        Result to cell counts (zeros allowed); None where the result is a value.
    """

    name: str
    package: str
    call: Callable[[Workload], Any]
    suits: Callable[[Workload], bool] = lambda workload: True
    counts: Callable[[Any], Counts] | None = None

    @property
    def version(self) -> str:
        """Version of the package."""
        return version(self.package)


class AbsentError(SystemExit):
    """A package that a benchmark needs is not installed."""

    def __init__(self, module: str) -> None:
        self.module = module
        super().__init__(
            f"the benchmark needs {module}, which is not installed: pip install '.[bench]'"
        )


def need(module: str) -> ModuleType:
    """Import an optional module, or leave with a sentence that says what to install."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise AbsentError(error.name or module) from None


# ---- partwise ----------------------------------------------------------------------


def partwise_contingency(workload: Workload, workers: int = 1) -> Any:
    return need("partwise").contingency(workload.a, workload.b, workers=workers)


def partwise_fresh_contingency(workload: Workload) -> Any:
    need("partwise").free_scratch()
    return partwise_contingency(workload)


def partwise_ari(workload: Workload) -> float:
    return need("partwise").adjusted_rand_index(workload.a, workload.b)


def partwise_v(workload: Workload) -> float:
    return need("partwise").v_measure(workload.a, workload.b)


def partwise_pair_sets_index(workload: Workload) -> float:
    return need("partwise").pair_sets_index(workload.a, workload.b)


def partwise_classification_accuracy(workload: Workload) -> float:
    return need("partwise").classification_accuracy(workload.a, workload.b)


def partwise_dice_matching(workload: Workload) -> float:
    return need("partwise").set_matching(
        workload.a, workload.b, similarity="sorensen_dice", matching="optimal"
    )


# ---- NumPy: handed the range of the labels -----------------------------------------


def numpy_bincount(workload: Workload) -> Counts:
    """Return the dense table, flat."""
    span = workload.span
    return np.bincount(workload.a * span + workload.b, minlength=span * span)


def numpy_unique(workload: Workload) -> tuple[Counts, Counts]:
    """Return the keys of the cells and their counts."""
    keys = workload.a * workload.span + workload.b
    return np.unique(keys, return_counts=True)


# ---- databases ---------------------------------------------------------------------


@cache
def _connection() -> Any:
    connection = need("duckdb").connect()
    connection.execute("SET threads = 1")
    return connection


def duckdb_group_by(workload: Workload) -> dict[str, NDArray[Any]]:
    """Return the columns a, b and items of the cells, in no order."""
    connection = _connection()
    connection.register("pairs", {"a": workload.a, "b": workload.b})
    query = "SELECT a, b, count(*) AS items FROM pairs GROUP BY a, b"
    cells = connection.execute(query).fetchnumpy()
    connection.unregister("pairs")
    return cells


# ---- scikit-learn ------------------------------------------------------------------


def sklearn_ari(workload: Workload) -> float:
    metrics = need("sklearn.metrics")
    return metrics.adjusted_rand_score(workload.a, workload.b)


def sklearn_v(workload: Workload) -> float:
    metrics = need("sklearn.metrics")
    return metrics.v_measure_score(workload.a, workload.b)


# ---- the list ----------------------------------------------------------------------


def _fits_densely(workload: Workload) -> bool:
    return workload.span is not None and workload.span**2 <= max(1 << 16, workload.n)


CONTINGENCY = Subject(
    "partwise.table.contingency", "partwise", partwise_contingency, counts=lambda x: x.counts
)
FRESH = Subject(
    "partwise.table.contingency, fresh buffers",
    "partwise",
    partwise_fresh_contingency,
    counts=lambda x: x.counts,
)
ARI = Subject("partwise.adjusted_rand_index", "partwise", partwise_ari)
V = Subject("partwise.v_measure", "partwise", partwise_v)

TABLE_PEERS = (
    Subject(
        "np.bincount",
        "numpy",
        numpy_bincount,
        suits=_fits_densely,
        counts=lambda dense: dense,
    ),
    Subject(
        "np.unique",
        "numpy",
        numpy_unique,
        suits=lambda workload: workload.span is not None,
        counts=lambda found: found[1],
    ),
    Subject("duckdb", "duckdb", duckdb_group_by, counts=lambda cells: cells["items"]),
)
SKLEARN_ARI = Subject("scikit-learn ARI", "scikit-learn", sklearn_ari)
SKLEARN_V = Subject("scikit-learn V", "scikit-learn", sklearn_v)

SUBJECTS: dict[str, Subject] = {
    subject.name: subject
    for subject in (CONTINGENCY, ARI, V, *TABLE_PEERS, SKLEARN_ARI, SKLEARN_V)
}

MATCHING_MEASURES = (
    Subject("pair_sets_index", "partwise", partwise_pair_sets_index),
    Subject("classification_accuracy", "partwise", partwise_classification_accuracy),
    Subject("set_matching, Dice, optimal", "partwise", partwise_dice_matching),
)

# whatever can be measured in a process of its own
ALL_SUBJECTS = {**SUBJECTS, **{subject.name: subject for subject in MATCHING_MEASURES}}


def need_all(subjects: Iterable[Subject]) -> None:
    """Leave at once, not after minutes, if a package is missing."""
    modules = {"scikit-learn": "sklearn.metrics"}
    for package in sorted({subject.package for subject in subjects}):
        need(modules.get(package, package))
