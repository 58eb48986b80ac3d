"""The reference kernels: NumPy and Python integers, no compiler needed.

Arguments are C-contiguous arrays in native byte order; index, size and count arrays are
int64. The caller has checked everything; nothing here raises for user error, keeps state or
changes its input. ``_compiled`` has the same names, parameters and results.

A table is (indptr, cols, counts): cells in row order, columns ascending inside a row, no
zero cell, no empty row or column. Sums are exact integers: see ``_logarithm``.

This is the index, the kernels stand in the modules that it names.
"""

from partwise._kernels._chance import expected_by_size as expected_by_size
from partwise._kernels._chance import expected_sums as expected_sums
from partwise._kernels._chance import random_table as random_table
from partwise._kernels._chance import resample as resample
from partwise._kernels._many import many_sums as many_sums
from partwise._kernels._shared_mass import shared_mass as shared_mass
from partwise._kernels._shared_mass import shared_mass_sparse as shared_mass_sparse
from partwise._kernels._solvers import match as match
from partwise._kernels._solvers import pack as pack
from partwise._kernels._solvers import transport as transport
from partwise._kernels._sums import b_cubed_sums as b_cubed_sums
from partwise._kernels._sums import best_cells as best_cells
from partwise._kernels._sums import divergence_terms as divergence_terms
from partwise._kernels._sums import greedy_pairs as greedy_pairs
from partwise._kernels._sums import is_proportional as is_proportional
from partwise._kernels._sums import split_scores as split_scores
from partwise._kernels._sums import sum_doubles as sum_doubles
from partwise._kernels._sums import sum_groups as sum_groups
from partwise._kernels._sums import sum_products as sum_products
from partwise._kernels._sums import sum_ratios as sum_ratios
from partwise._kernels._sums import sum_squares as sum_squares
from partwise._kernels._sums import sum_weighted as sum_weighted
from partwise._kernels._sums import sum_xlogx as sum_xlogx
from partwise._kernels._sweep import sweep_clusters as sweep_clusters
from partwise._kernels._sweep import sweep_curves as sweep_curves
from partwise._kernels._sweep import sweep_edges as sweep_edges
from partwise._kernels._sweep import sweep_events as sweep_events
from partwise._kernels._sweep import sweep_sizes as sweep_sizes
from partwise._kernels._sweep import sweep_subtrees as sweep_subtrees
from partwise._kernels._sweep_scores import sweep_scores as sweep_scores
from partwise._kernels._sweep_scores import sweep_walks as sweep_walks
from partwise._kernels._table import Scratch as Scratch
from partwise._kernels._table import collapse as collapse
from partwise._kernels._table import encode as encode
from partwise._kernels._table import first_appearance as first_appearance
from partwise._kernels._table import join as join
from partwise._kernels._table import locate as locate
from partwise._kernels._table import margins as margins
from partwise._kernels._table import maxima as maxima
from partwise._kernels._table import meet as meet
from partwise._kernels._table import tally as tally
from partwise._kernels._table import transpose as transpose
from partwise._kernels._table import value_range as value_range
from partwise._kernels._text import number_fixed as number_fixed
from partwise._kernels._text import number_spans as number_spans
from partwise._kernels._text import number_text as number_text
from partwise._kernels._values import number_values as number_values
from partwise._kernels._values import types_of as types_of
from partwise._kernels._wide_integers import stable_order as stable_order
from partwise._kernels._wide_integers import wide_difference as wide_difference
from partwise._kernels._wide_integers import wide_product as wide_product
from partwise._kernels._wide_integers import wide_sum as wide_sum
from partwise._kernels._wide_ratio import wide_ratio as wide_ratio
