"""x ln x in integers: the one definition that both kernels follow.

``ln_fixed(x)`` is ln x with 120 fraction bits, off by less than 64 units of the last, from
integer operations alone, so it is the same on every machine:

* x = t 2^s (1 + r) with t the leading 11 bits of x: ln t is read from a table;
* ln(1 + r) = 2 atanh(z), z = (x - t 2^s) / (x + t 2^s) < 2^-11: six terms of the series.

The build writes the same table into a C header by running this file. Every product is cut
(floor) where C cuts it; a change here must be made in ``csrc/table/pw_logarithm.c`` too, and
``tests/kernels/test_sums.py`` compares the two.
"""

from __future__ import annotations

import math
from functools import cache

LN_BITS = 120
TABLE_BITS = 11
_GUARD_BITS = 64


def _atanh_of_reciprocal(m: int, bits: int) -> int:
    """Return floor(2^bits atanh(1/m)), off by at most one unit a series term."""
    power = (1 << bits) // m
    square = m * m
    total, odd = 0, 1
    while power:
        total += power // odd
        power //= square
        odd += 2
    return total


@cache
def ln_table() -> tuple[int, ...]:
    """Return floor(2^120 ln t) for t < 2048 (entries 0 and 1 are 0)."""
    bits = LN_BITS + _GUARD_BITS
    ln2 = 2 * _atanh_of_reciprocal(3, bits)
    table = [0, 0, ln2]
    for t in range(3, 1 << TABLE_BITS):
        if t % 2 == 0:
            table.append(table[t // 2] + ln2)
        else:
            table.append(table[t - 1] + 2 * _atanh_of_reciprocal(2 * t - 1, bits))
    return tuple(entry >> _GUARD_BITS for entry in table)


@cache
def odd_reciprocals() -> tuple[int, ...]:
    """Return floor(2^120 / (2 i + 1)) for i = 0..5."""
    return tuple((1 << LN_BITS) // (2 * i + 1) for i in range(6))


def ln_fixed(x: int) -> int:
    """Return ln x with 120 fraction bits, for 1 <= x < 2^63."""
    table = ln_table()
    if x < len(table):
        return table[x]
    shift = x.bit_length() - TABLE_BITS
    lead = x >> shift
    total = table[lead] + shift * table[2]
    rest = x - (lead << shift)
    if rest == 0:
        return total
    z = (rest << LN_BITS) // (x + (lead << shift))
    square = (z * z) >> LN_BITS
    series = 0
    for reciprocal in reversed(odd_reciprocals()):
        series = reciprocal + ((series * square) >> LN_BITS)
    return total + ((z * series) >> (LN_BITS - 1))


def ln_of_double(x: float) -> int:
    """Return ln x with 120 fraction bits, off by some 2^17 units at most, for finite x > 0."""
    fraction, power = math.frexp(x)
    return ln_fixed(int(math.ldexp(fraction, 53))) + (power - 53) * ln_table()[2]


def xlogx(x: int, fraction_bits: int) -> int:
    """Return floor(2^fraction_bits x ln x), for 0 <= x < 2^63."""
    if x < 2:
        return 0
    return (x * ln_fixed(x)) >> (LN_BITS - fraction_bits)


def c_header() -> str:
    """Return the constants as a C header."""

    def words(value: int) -> str:
        low = value & ((1 << 64) - 1)
        return f"{{UINT64_C({low:#x}), UINT64_C({value >> 64:#x})}}"

    def array(name: str, values: tuple[int, ...]) -> str:
        body = ",\n    ".join(words(value) for value in values)
        return f"static const uint64_t {name}[{len(values)}][2] = {{\n    {body}}};\n"

    return (
        "/* Written by the build from _logarithm.py: {low, high} words, 120 fraction"
        " bits. */\n#include <stdint.h>\n"
        + array("pw_ln_table", ln_table())
        + array("pw_odd_reciprocals", odd_reciprocals())
    )


if __name__ == "__main__":
    import sys

    with open(sys.argv[1], "w", encoding="ascii") as header:
        header.write(c_header())
