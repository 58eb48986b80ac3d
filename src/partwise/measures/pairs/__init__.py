"""Measures that count pairs of items."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="pairs", weights=False)
