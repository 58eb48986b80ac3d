"""Distances by transport: Mallows (CC) and CSS."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="transport")
