"""The seam: picks one backend. Everything else calls ``_kernels.impl.<kernel>(...)``."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import TYPE_CHECKING

_COMPILED = "partwise._kernels._compiled"
_CHOICES = ("auto", "compiled", "numpy")


def _choose() -> tuple[ModuleType, str, str]:
    """Return the backend, its name and the reason for it."""
    from partwise._kernels import _numpy

    wanted = os.environ.get("PARTWISE_KERNELS", "auto")
    if wanted not in _CHOICES:
        raise ValueError(
            f"PARTWISE_KERNELS is {wanted!r}; it must be one of: {', '.join(_CHOICES)}"
        )
    if wanted == "numpy":
        return _numpy, "numpy", "PARTWISE_KERNELS=numpy"
    try:
        # A damaged extension raises another ImportError here, and must: a silent slow path
        # would hide it.
        compiled = importlib.import_module(_COMPILED)
    except ModuleNotFoundError as error:
        if error.name != _COMPILED:
            raise
        reason = (
            "this install was built without compiled kernels (no working C compiler, or "
            "-Dkernels=disabled); with a compiler present, reinstall with "
            "'pip install --force-reinstall --no-cache-dir' to get them"
        )
        if wanted == "compiled":
            raise ImportError(f"PARTWISE_KERNELS=compiled, but {reason}") from None
        return _numpy, "numpy", reason
    reason = "PARTWISE_KERNELS=compiled" if wanted == "compiled" else "found"
    return compiled, "compiled", reason


if TYPE_CHECKING:  # both backends have the types of the reference one
    from partwise._kernels import _numpy as impl

    name: str
    reason: str
else:
    impl, name, reason = _choose()
