"""The reference kernels in NumPy and Python integers, one module a subject."""
