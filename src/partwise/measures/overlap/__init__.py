"""Measures that match or overlay clusters: purity, F, PSI, B-cubed."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="set matching")
b_cubed_measure = partial(register, family="b-cubed")
