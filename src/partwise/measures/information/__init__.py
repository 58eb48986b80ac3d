"""Measures of information: entropies, mutual information, V-measure, VI."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="information")
