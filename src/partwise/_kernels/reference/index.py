"""All reference kernels under one roof, as ``_kernels.impl`` serves them.

Arguments are C-contiguous arrays in native byte order; index, size and count arrays are
int64. The caller has checked everything; nothing here raises for user error, keeps state or
changes its input. ``compiled`` has the same names, parameters and results.

A table is (indptr, cols, counts): cells in row order, columns ascending inside a row, no
zero cell, no empty row or column. Sums are exact integers: see ``numbers.logarithm``.
"""

from partwise._kernels.reference.chance import *
from partwise._kernels.reference.consensus import *
from partwise._kernels.reference.hierarchy import *
from partwise._kernels.reference.live import *
from partwise._kernels.reference.many import *
from partwise._kernels.reference.shared_mass import *
from partwise._kernels.reference.small import *
from partwise._kernels.reference.solvers import *
from partwise._kernels.reference.sums import *
from partwise._kernels.reference.sweep import *
from partwise._kernels.reference.sweep_scores import *
from partwise._kernels.reference.table import *
from partwise._kernels.reference.text import *
from partwise._kernels.reference.values import *
from partwise._kernels.reference.wide_integers import *
from partwise._kernels.reference.wide_ratio import *
