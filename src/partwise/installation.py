"""What this install is: versions, kernels and why."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.workers import scratch_bytes


def config() -> dict[str, Any]:
    """Return what this install is, for bug reports and checks.

    Returns
    -------
    dict
        ``version``, ``kernels`` ("compiled" or "numpy"), ``reason`` (why these kernels),
        ``vector`` ("none", "avx2", "avx512" or "neon": the instructions that tables are
        counted with),
        ``extension`` (file of the compiled kernels, or None), ``python``, ``numpy``,
        ``platform``, ``scratch`` (bytes of working memory kept for the next table; see
        ``free_scratch``).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.config()["kernels"] in ("compiled", "numpy")
    True
    """
    compiled = _kernels.name == "compiled"
    return {
        "version": version("partwise"),
        "kernels": _kernels.name,
        "reason": _kernels.reason,
        "vector": _kernels.vector,
        "extension": _kernels.impl.tally.__globals__["__file__"] if compiled else None,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "scratch": scratch_bytes(),
    }


def show_config() -> None:
    """Print ``config()``, one entry a line."""
    for key, value in config().items():
        print(f"{key:<10} {value}")
