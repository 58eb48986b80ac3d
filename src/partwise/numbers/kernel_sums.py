"""How kernels write the sums that they return: fraction bits, words of wide integers."""

from __future__ import annotations

#: Fraction bits of sums of expected values (``expected_sums``, ``expected_by_size``).
EXPECTED_FRACTION_BITS = 160

#: Flags of the sums that ``many_sums`` may be asked for; cells and squares always come.
XLOGX, MAXIMA, MATCHES, B_CUBED, SPLIT_MERGE = 1, 2, 4, 8, 16

#: Where a sum stands in a row of the result of ``many_sums``: its first word and how many,
#: low word first.
WORDS_OF_SUM = {
    "cells": (0, 1),
    "squares": (1, 1),
    "xlogx": (2, 2),
    "row_maxima": (4, 1),
    "col_maxima": (5, 1),
    "matches": (6, 1),
    "by_row": (7, 2),
    "by_col": (9, 2),
    "products": (11, 3),
    "row_scores": (14, 2),
    "col_scores": (16, 2),
}
WORDS_A_ROW = 18
