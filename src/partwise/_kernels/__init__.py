"""The seam: picks one backend. Everything else calls ``_kernels.impl.<kernel>(...)``."""

from __future__ import annotations

import importlib
import os
import pkgutil
from types import ModuleType
from typing import TYPE_CHECKING

_COMPILED = "partwise._kernels.compiled"
_CHOICES = ("auto", "compiled", "numpy")


def _choose() -> tuple[ModuleType, str, str]:
    """Return the backend, its name and the reason for it."""
    from partwise._kernels.reference import index as reference

    wanted = os.environ.get("PARTWISE_KERNELS") or "auto"  # an empty value is none
    if wanted not in _CHOICES:
        raise ValueError(
            f"PARTWISE_KERNELS is {wanted!r}; it must be one of: {', '.join(_CHOICES)}"
        )
    if wanted == "numpy":
        return reference, "numpy", "PARTWISE_KERNELS=numpy"
    try:
        # A damaged extension raises another ImportError here, and must: a silent slow path
        # would hide it.
        compiled = importlib.import_module(f"{_COMPILED}.index")
    except ModuleNotFoundError as error:
        if not str(error.name).startswith(_COMPILED) or _extensions():
            raise
        reason = (
            "this install was built without compiled kernels (no working C compiler, or "
            "-Dkernels=disabled); with a compiler present, reinstall with "
            "'pip install --force-reinstall --no-cache-dir' to get them"
        )
        if wanted == "compiled":
            raise ImportError(f"PARTWISE_KERNELS=compiled, but {reason}") from None
        return reference, "numpy", reason
    reason = "PARTWISE_KERNELS=compiled" if wanted == "compiled" else "found"
    return compiled, "compiled", reason


def _extensions() -> list[str]:
    """Return the names of the extensions that are there; where one is, all must be."""
    package = importlib.import_module(_COMPILED)
    modules = pkgutil.iter_modules(package.__path__)
    return [module.name for module in modules if module.name != "index"]


if TYPE_CHECKING:  # both backends have the types of the reference one
    from partwise._kernels.reference import index as impl

    name: str
    reason: str
else:
    impl, name, reason = _choose()
