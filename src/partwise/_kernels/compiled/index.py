"""All compiled kernels under one roof, as ``_kernels.impl`` serves them.

Buffers in, the GIL released, status codes turned into exceptions. Names, parameters and
results are those of ``reference``; the C headers in ``csrc/`` state preconditions and cost.
"""

from partwise._kernels.compiled.chance import *
from partwise._kernels.compiled.consensus import *
from partwise._kernels.compiled.encode import *
from partwise._kernels.compiled.hierarchy import *
from partwise._kernels.compiled.live import *
from partwise._kernels.compiled.many import *
from partwise._kernels.compiled.shared_mass import *
from partwise._kernels.compiled.small import *
from partwise._kernels.compiled.solvers import *
from partwise._kernels.compiled.sums import *
from partwise._kernels.compiled.sweep import *
from partwise._kernels.compiled.table import *
from partwise._kernels.compiled.text import *
from partwise._kernels.compiled.values import *
from partwise._kernels.compiled.wide_integers import *
