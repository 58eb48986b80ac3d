"""The compiled kernels: one extension a subject; `index` names them all."""
