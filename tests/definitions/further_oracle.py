"""What is no entry of the catalogue against its definition: covers, trees, soft clusterings.

    python tests/definitions/further_oracle.py --cases 10000

prints for each measure the number of cases and the largest error beside its bound, and fails
where one passes it. A kind of input is a module with ``comparisons(number)``, which yields the
name of a measure, its value and the exact one, and with ``BOUNDS``, by the beginning of names.
What is 0 in theory is 0, and where no absolute error is allowed other whole numbers are, too.
"""

import argparse
import math
import sys
from collections import Counter, defaultdict
from fractions import Fraction

import anaphora_oracle
import coreference_oracle
import cover_oracle
import hierarchy_oracle
import soft_oracle
from oracle import error_in_ulp, kernels
from table_definitions import real

KINDS = {
    "covers": cover_oracle,
    "hierarchies": hierarchy_oracle,
    "soft": soft_oracle,
    "coreference": coreference_oracle,
    "anaphora": anaphora_oracle,
}


class Findings:
    """Cases, largest errors and disagreements by the name of a measure."""

    def __init__(self):
        self.cases, self.disagreements = Counter(), []
        self.worst = defaultdict(lambda: (0.0, 0.0))

    def add(self, name, value, expected, bound, where=""):
        """Compare a value with what it should be, within ``bound``: ulp and absolute."""
        self.cases[name] += 1
        whole = isinstance(expected, Fraction) and expected.denominator == 1
        exact = whole and (expected == 0 or not bound[1])
        if isinstance(expected, float) and math.isnan(expected):
            right, off, ulps = math.isnan(value), 0.0, 0.0
        elif math.isnan(value):
            right, off, ulps = False, math.inf, math.inf
        else:
            off = abs(real(Fraction(value)) - real(expected))
            ulps = error_in_ulp(value, expected)
            allowed = bound[0] * math.ulp(float(expected)) + bound[1]
            right = value == expected if exact else off <= allowed
        self.worst[name] = max(self.worst[name], (float(off), ulps))
        if not right:
            self.disagreements.append(
                f"{name} {where}: {value!r}, by definition {float(expected)!r}"
            )


def bound_of(name, bounds):
    """Return the bound whose name the name of a measure begins with, the longest of them."""
    return bounds[max((x for x in bounds if name.startswith(x)), key=len)]


def check(kind, number, findings, by_name):
    """Compare all that a kind has for a number, on every kernel."""
    from partwise import _kernels

    before = _kernels.impl
    try:
        for kernel, impl in by_name.items():
            _kernels.impl = impl
            for name, value, expected in KINDS[kind].comparisons(number):
                bound = bound_of(name, KINDS[kind].BOUNDS)
                findings.add(name, value, expected, bound, f"[{kernel}] {kind} {number}")
    finally:
        _kernels.impl = before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--cases", type=int, default=10_000, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    args = parser.parse_args()
    wrong, by_name = [], kernels()
    for kind in args.kinds:
        findings, number = Findings(), args.first
        while findings.cases.total() < args.cases:
            check(kind, number, findings, by_name)
            number += 1
        print(f"{kind:<60}{'cases':>7} {'distance':>9} {'ulp':>9}  bound")
        for name, count in findings.cases.items():
            off, ulps = findings.worst[name]
            bound = bound_of(name, KINDS[kind].BOUNDS)
            print(f"{name:<60}{count:>7} {off:>9.2g} {ulps:>9.3g}  {bound}")
        print(f"{findings.cases.total()} cases, {len(findings.disagreements)} disagreements")
        print("\n".join(findings.disagreements[:50]))
        wrong += findings.disagreements
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
