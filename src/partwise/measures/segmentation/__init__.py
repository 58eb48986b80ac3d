"""Segments with a label for nobody: objects before a background, speakers and silence."""

from functools import partial

from partwise.measures.register import register

#: Registers a measure of this family.
measure = partial(register, family="segmentation", default=False)
