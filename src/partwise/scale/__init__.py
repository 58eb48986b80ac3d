"""Engines for tables that outgrow memory or the machine."""

from importlib import import_module
from typing import Any

__all__ = ["blocks", "dask", "duckdb", "forest", "spark", "streaming"]


def __getattr__(name: str) -> Any:
    """Return a module of this package; it is loaded when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
