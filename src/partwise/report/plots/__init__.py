"""Pictures of numbers: each a function that draws on axes and returns them; no result type.

Everything here reads in grey and in print: lines differ by dashes and markers as well as by
colour, legends stand outside of the axes, and what cannot be told apart is not drawn.
"""
