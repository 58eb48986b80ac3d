"""The kernels for other packages, on raw pointers and sizes: headers and ``.pxd`` files.

A Cython extension says ``from partwise.kernels.capi cimport meet`` and compiles with the folder
that ``include`` returns.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

__all__ = ["include"]

if find_spec(f"{__name__}.capi") is None:
    raise ImportError(
        "partwise.kernels is for packages that call the compiled kernels, and this install of "
        "partwise has none: it was built without a working C compiler, or with "
        "-Dkernels=disabled; with a compiler present, reinstall it with 'pip install "
        "--force-reinstall --no-cache-dir' to get them"
    )


def include() -> str:
    """Return the folder of ``partwise_kernels.h``, for a compiler.

    Examples
    --------
    >>> import pathlib
    >>> import partwise.kernels
    >>> pathlib.Path(partwise.kernels.include(), "partwise_kernels.h").exists()
    True
    """
    return str(Path(__file__).parent)
