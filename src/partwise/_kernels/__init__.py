"""The seam: picks one backend. Everything else calls ``_kernels.impl.<kernel>(...)``."""

from __future__ import annotations

import importlib
import os
import pkgutil
from types import ModuleType
from typing import TYPE_CHECKING

_COMPILED = "partwise._kernels.compiled"
_CHOICES = ("auto", "compiled", "numpy")
#: Words that PARTWISE_VECTOR takes where the processor has the level.
_VECTORS = ("none", "avx2", "avx512", "neon")


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


def _choose_vector(levels: tuple[str, ...]) -> str:
    """Return the level that PARTWISE_VECTOR names, the fastest one where it is not set."""
    wanted = os.environ.get("PARTWISE_VECTOR") or levels[-1]
    if wanted not in levels:
        what = "not available" if wanted in _VECTORS else "no vector level"
        raise ValueError(
            f"PARTWISE_VECTOR is {wanted!r}, which is {what}; with these kernels on this "
            f"processor it can be: {', '.join(levels)}"
        )
    return wanted


if TYPE_CHECKING:  # both backends have the types of the reference one
    from partwise._kernels.reference import index as impl

    name: str
    reason: str
else:
    impl, name, reason = _choose()

#: Vector levels of the meet that there are, and the one in use since the import.
vector_levels = impl.vector_levels()
vector = _choose_vector(vector_levels)
impl.use_vector(vector)
