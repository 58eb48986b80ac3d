"""Association of two nominal variables: how much one side tells of the other."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="association", weights=False, default=False)
