"""The split-merge framework: scores of clusters by their parts."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="split-merge")
