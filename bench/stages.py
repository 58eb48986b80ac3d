"""Stages of ``python -m bench``: what a module offers it, and which modules there are.

A stage is a module with ``stage(quick, repetitions)``, which yields a ``Line`` for every
comparison, measured when it is asked for. A new one is a line of ``STAGES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from statistics import median

from bench import measuring, peers

#: What most ratios are of.
CPU = "CPU"


@dataclass(frozen=True)
class Line:
    """A line of the report.

    Attributes
    ----------
    problem : str
        What is computed, on what.
    peer : str
        Whose cost is divided by ours.
    ratios : tuple of float
        CPU of the peer over ours, pair by pair; empty where it was not measured.
    milliseconds : (float, float) or None
        Ours and the peer's, medians of CPU.
    asked : float or None
        The least ratio that is asked for, on full sizes.
    note : str
        What the reader must know, or why nothing was measured.
    quantity : str
        What the ratio is of.
    """

    problem: str
    peer: str
    ratios: tuple[float, ...] = ()
    milliseconds: tuple[float, float] | None = None
    asked: float | None = None
    note: str = ""
    quantity: str = CPU

    @property
    def missed(self) -> bool:
        """Whether the ratio was measured and is below what is asked for."""
        return bool(self.ratios) and self.asked is not None and median(self.ratios) < self.asked


def line(
    problem: str,
    peer: str,
    pair: measuring.Paired,
    *,
    asked: float | None = None,
    times: float = 1,
    note: str = "",
    quantity: str = CPU,
) -> Line:
    """Return the line of a paired measurement.

    ``times``: how many calls of the peer stand against one of ours.
    """
    ours, theirs = (measuring.median_cost(x).user * 1e3 for x in (pair.ours, pair.peer))
    ratios = tuple(ratio * times for ratio in pair.ratios)
    return Line(problem, peer, ratios, (ours, theirs * times), asked, note, quantity)


def absent(
    problem: str, peer: str, error: peers.AbsentError, asked: float | None = None
) -> Line:
    """Return the line of a peer that is not installed."""
    note = f"not measured: {error.module} is not installed"
    return Line(problem, peer, asked=asked, note=note)


@dataclass(frozen=True)
class Stage:
    """Where a stage is found and what it is about."""

    name: str
    title: str
    packages: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """Name of the module."""
        return f"bench.{self.name}"


STAGES = (
    Stage("contingency", "Labels in, table out", ("numpy", "duckdb")),
    Stage("scores", "Labels in, value out", ("scikit-learn", "scikit-image")),
    Stage("small_calls", "Small inputs", ("scikit-learn",)),
    Stage("workers", "Two workers"),
    Stage("fallback", "The kernels in NumPy, without a compiler", ("scikit-learn",)),
    Stage("strings", "Labels that are strings", ("pyarrow", "pandas")),
    Stage("many", "Many clusterings, pair by pair", ("scikit-learn",)),
    Stage("sums", "Order-free sums against plain doubles", ("numpy",)),
    Stage("matching", "Matching", ("ortools", "scipy")),
    Stage("transport", "Packing and transport", ("ortools", "POT", "scipy")),
    Stage("diagnosis", "Diagnosis against one score of the same table"),
    Stage("chance", "Expected mutual information", ("scikit-learn",)),
    Stage("inference", "Draws", ("numpy",)),
    Stage("controls", "Draws that control variates save"),
    Stage("reading", "Files in, value out", ("pandas", "pyarrow", "scikit-learn")),
    Stage("coreference_reading", "Reading coreference files"),
    Stage("coreference", "Coreference scores", ("scorch",)),
    Stage("sweep", "All thresholds at once", ("scikit-learn",)),
)


@dataclass(frozen=True)
class Found:
    """What a stage gave: lines; why there are none, or no more; whether that is a failure."""

    stage: Stage
    lines: tuple[Line, ...]
    remark: str = ""
    failed: bool = False


def run(stage: Stage, quick: bool, repetitions: int) -> Found:
    """Measure a stage.

    What is not there, a module or a peer, is said. Two sides that find different values are a
    failure: the lines so far are kept.
    """
    if find_spec(stage.module) is None:
        return Found(stage, (), f"this checkout has no {stage.module}")
    lines: list[Line] = []
    try:
        lines.extend(_told(stage, import_module(stage.module).stage, quick, repetitions))
    except peers.AbsentError as error:
        return Found(stage, tuple(lines), f"not measured: {error.module} is not installed")
    except SystemExit as error:
        return Found(stage, tuple(lines), f"FAILED: {error}", failed=True)
    return Found(stage, tuple(lines))


def _told(
    stage: Stage, offered: Callable[[bool, int], Iterable[Line]], quick: bool, repetitions: int
) -> Iterator[Line]:
    for found in offered(quick, repetitions):
        measuring.say(f"{stage.name}: {found.problem} / {found.peer}")
        yield found
