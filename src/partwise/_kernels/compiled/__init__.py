"""The compiled kernels: each extension is the twin of the reference module of its name."""
