"""Benchmarks: ``python -m bench`` for all, ``python -m bench.SUBJECT`` for one.

Peers come with ``pip install '.[bench]'``. Importing this package limits every numerical
library to one thread, so it comes before NumPy.
"""

import os

for _variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
):
    os.environ[_variable] = "1"
