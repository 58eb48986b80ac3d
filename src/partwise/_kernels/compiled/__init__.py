"""The compiled kernels, one extension a subject; ``_kernels._compiled`` is their index.

Each file is the twin of the NumPy module of its name: ``sums.pyx`` of ``_kernels/_sums.py``.
"""
