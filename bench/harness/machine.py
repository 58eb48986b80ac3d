"""The head of a report: when, on what machine and with what versions figures were taken.

A ratio holds for one kind of machine only: NumPy sorts and sums by the widest vectors that
the processor has, so the head names them, and what NumPy uses of them.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

#: The widest first; a level needs all flags that /proc/cpuinfo may show.
LEVELS = (
    ("AVX-512", ("avx512f", "avx512bw", "avx512dq", "avx512vl")),
    ("AVX2", ("avx2", "bmi2")),
    ("AVX", ("avx",)),
    ("SSE4.2", ("sse4_2",)),
    ("SSE2", ("sse2",)),
    ("SVE", ("sve",)),
    ("NEON", ("asimd",)),
)
NOISE_TURNS = 15


def head(packages: Iterable[str]) -> dict[str, str]:
    """Return what a reader has to know of the machine; absent packages are left out."""
    cores = f"{os.cpu_count()} cores"
    if hasattr(os, "sched_getaffinity"):
        cores += f", {len(os.sched_getaffinity(0))} of them allowed"
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    processor = cpuinfo()
    versions = dict.fromkeys(["partwise", "numpy", *sorted(packages)])
    installed = [f"{name} {number}" for name in versions if (number := _version(name))]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{model(processor)}, {cores}, load average {load}",
        "SIMD": f"the processor has {simd_level(processor)}; {numpy_dispatch()}",
        "versions": f"{', '.join(installed)}, Python {platform.python_version()}",
    }


def cpuinfo() -> dict[str, str]:
    """Return the fields of the first processor, nothing where there is no /proc/cpuinfo."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return {}
    fields = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in fields}


def model(processor: dict[str, str]) -> str:
    """Return the name of the processor."""
    name = processor.get("model name") or platform.processor() or platform.machine()
    numbers = [f"{key} {processor[key]}" for key in ("cpu family", "model") if key in processor]
    return f"{name} ({', '.join(numbers)})" if numbers else name


def simd_level(processor: dict[str, str]) -> str:
    """Return the widest vector instructions that the processor has."""
    flags = set((processor.get("flags") or processor.get("Features", "")).split())
    levels = (name for name, needed in LEVELS if flags.issuperset(needed))
    return next(levels, "vector instructions that this system does not name")


def numpy_dispatch() -> str:
    """Return what NumPy uses in this process beside the instructions that it was built for."""
    simd: Any = (np.show_config(mode="dicts") or {}).get("SIMD Extensions", {})
    used, base = (", ".join(simd.get(key, [])) for key in ("found", "baseline"))
    return f"NumPy was built for {base or 'any'} and dispatches to {used or 'nothing beyond'}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def noise() -> str:
    """Return what a fixed loop costs; what differs from turn to turn is the machine's doing."""
    costs = []
    for _ in range(NOISE_TURNS):
        started = time.process_time()
        sum(i & 7 for i in range(100_000))
        costs.append((time.process_time() - started) * 1e3)
    return f"{median(costs):.2f} [{min(costs):.2f}..{max(costs):.2f}]"
