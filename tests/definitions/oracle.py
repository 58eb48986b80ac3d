"""The library against its definitions: every entry on every input, on every kernel.

    python tests/definitions/oracle.py --cases 100000

prints, for each entry, the number of cases and the largest error beside the bound that the
catalogue states, and fails where one passes it. A case is one entry on one input.
"""

import argparse
import math
import sys
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np

import cases
import item_definitions
import oracle_inputs
import partwise as pw
import table_definitions
import transport_definitions
from item_definitions import Items
from table_definitions import Table

ENTRIES = pw.catalogue()
#: Means over all tables with the same sizes.
CHANCE = ("expected_mutual", "adjusted_mutual", "adjusted_variation")
SLOW = {name for name in ENTRIES if name.startswith(CHANCE)}
OF_TABLES = table_definitions.DEFINITIONS | transport_definitions.DEFINITIONS
#: These have a definition by items alone.
BY_ITEMS = {name for name in ENTRIES if name.partition("(")[0] not in OF_TABLES}


def options_of(entry, pair):
    k = max(len({cell[side] for cell in pair.counts}) for side in (0, 1)) if pair.counts else 1
    n = len(pair.labels[0]) if pair.labels else 0
    rows = oracle_inputs.FEATURES[pair.layout](cases.features(n))
    needed = cases.required(entry, k=max(k, 1) + n % 2, features=rows)
    return {**entry.options, **needed}


#: Its pairing goes by sums of masses, which are equal where they differ by less of all mass.
BY_OVERLAP, CLOSE = "jaccard_error_rate(mapping=overlap)", 2.0**-35


def is_defined(name, pair, *, slow):
    """Whether an entry has a value, and a definition, for an input."""
    entry, base = ENTRIES[name], name.partition("(")[0]
    if pair.weights is not None and not entry.computation.weights:
        return False
    if name in BY_ITEMS and pair.labels is None:
        return False
    if base in item_definitions.OF_CENTROIDS and not has_centres(pair):
        return False
    if name == BY_OVERLAP and pair.weights is not None:  # may take another pairing (the guide)
        return min(filter(None, pair.weights), default=1) >= CLOSE * sum(pair.weights)
    if pair.labels is None and entry.computation.items:
        return False
    if base in ("mallows_distance", "css_distance"):  # plans by moving flow round cycles
        k, j = (len({cell[side] for cell in pair.counts}) for side in (0, 1))
        return k * j <= (900 if slow else 400)
    if name.startswith("reduced_mutual_information"):
        if "dirichlet" in name:  # seconds: its concentration is searched with 40 digits
            return slow and (pair.rare or pair.labels is None) and len(pair.counts) <= 20
        return slow or len(pair.counts) <= 40
    if name in SLOW:
        return terms_of_chance(pair) <= (3000 if slow else 300)
    return True


def terms_of_chance(pair):
    """Return how many overlaps any two clusters can have, together."""
    sizes = ({}, {})
    for cell, x in pair.counts.items():
        for side, own in enumerate(sizes):
            own[cell[side]] = own.get(cell[side], 0) + x
    rows, cols = (set(side.values()) for side in sizes)
    return sum(min(x, y) for x in rows for y in cols)


def has_centres(pair):
    """Whether every cluster weighs something."""
    masses = pair.masses()
    if masses is None:
        return True
    sides = ({}, {})
    for cell, mass in masses.items():
        for side, own in enumerate(sides):
            own[cell[side]] = own.get(cell[side], 0) + mass
    return all(all(side.values()) for side in sides)


def wanted(name, pair, table, options):
    """Return the value by the definition."""
    base = name.partition("(")[0]
    if base in OF_TABLES:
        return OF_TABLES[base](table, **options)
    items = Items(*pair.labels, pair.multiplicity, pair.weights)
    return item_definitions.DEFINITIONS[base](items, **options)


def arguments_of(pair):
    """Return what the measures take: a table, and the labels for those that want items."""
    if pair.labels is not None:
        columns = {} if pair.weights is None else {"weights": np.array(pair.weights)}
        if pair.multiplicity is not None:
            columns["multiplicity"] = np.array(pair.multiplicity)
        return pw.contingency(*pair.labels, **columns), (pair.labels, columns)
    cells = np.array(list(pair.counts), dtype=np.int64)
    weights = None if pair.weights is None else np.array(pair.weights)
    counts = np.array(list(pair.counts.values()), dtype=np.int64)
    return pw.Contingency.from_counts(*cells.T, counts, weights=weights), None


def value_of(entry, made, options):
    table, labelled = made
    if entry.computation.items:
        return entry.function(*labelled[0], **labelled[1], **options)
    return entry.function(table, **options)


def is_exact(expected):
    """Whether no error is allowed: a whole number that the definition gives as a fraction."""
    return isinstance(expected, Fraction) and expected.denominator == 1


def distance(value, expected):
    """Return the distance of a value from the exact one."""
    off = table_definitions.real(expected) - table_definitions.real(Fraction(value))
    return abs(off)


def error_in_ulp(value, expected):
    """Return how many units in the last place a value is off, inf where it is not 0 but is."""
    if expected == 0:
        return 0.0 if value == 0 else math.inf
    return float(distance(value, expected) / math.ulp(float(expected)))


class Findings:
    """What became of every case.

    ``worst`` holds, by entry and whether there were masses, the largest distance as a share of
    the bound, in units in the last place, and as it is.
    """

    def __init__(self):
        self.cases = defaultdict(int)
        self.worst = defaultdict(lambda: (0.0, 0.0, 0.0))
        self.disagreements = []

    def add(self, name, pair, value, expected, kernel):
        weighted, n_items = pair.weights is not None, sum(pair.counts.values())
        mass = float(sum(pair.masses().values())) if weighted else None
        n_pairs = len({i for i, _ in pair.counts}) * len({j for _, j in pair.counts})
        stated = ENTRIES[name].error_bound
        bound = stated.allowed(float(expected), n_items, n_pairs=n_pairs, mass=mass)
        off, ulps = distance(value, expected), error_in_ulp(value, expected)
        worst = (float(off / bound), ulps, float(off))
        self.worst[name, weighted] = max(self.worst[name, weighted], worst)
        # a solver takes shares of 50 bits: it may pair other clusters of nearly the same size
        chosen = bool(stated.absolute) and n_items > 1 << 50
        exact = is_exact(expected) and not weighted and not chosen
        if value != float(expected) if exact else off > bound:
            self.disagreements.append(
                f"{name} [{kernel}] {pair.kind} {pair.labels or pair.counts} {pair.weights} "
                f"{pair.multiplicity} {pair.layout}: "
                f"{value!r}, by definition {float(expected)!r} ({ulps:.3g} ulp)"
            )


def check(pair, findings, kernels, *, slow=True, names=None):
    """Compare every entry that has a definition for a pair, on every kernel."""
    from partwise import _kernels

    table = Table(pair.counts, pair.masses())
    expected = {}
    for name in names or ENTRIES:
        if is_defined(name, pair, slow=slow):
            options = options_of(ENTRIES[name], pair)
            expected[name] = wanted(name, pair, table, options), options
    before = _kernels.impl
    try:
        for kernel, impl in kernels.items():
            _kernels.impl = impl
            made = arguments_of(pair)
            for name, (value, options) in expected.items():
                computed = value_of(ENTRIES[name], made, options)
                assert type(computed) is float, name
                findings.add(name, pair, computed, value, kernel)
    finally:
        _kernels.impl = before
    for name in expected:
        findings.cases[name] += 1


def kernels():
    """Return the kernels of this install by name."""
    from importlib import import_module

    by_name = {"numpy": import_module("partwise._kernels.reference.index")}
    try:
        by_name["compiled"] = import_module("partwise._kernels.compiled.index")
    except ModuleNotFoundError as error:
        if "partwise._kernels.compiled" not in str(error.name):
            raise
    return by_name


def pairs(first=0):
    """Yield pairs without end: of few items, weighted, repeated, large, of many items."""
    number = first
    layouts = list(oracle_inputs.FEATURES)
    while True:
        layout = layouts[(number + number // 10) % len(layouts)]  # each with every kind
        for pair in pairs_of(number):
            yield replace(pair, layout=layout)
        number += 1


def pairs_of(number):
    """Yield the pairs of a number."""
    yield oracle_inputs.small(number)
    if number % 2:
        yield oracle_inputs.weighted(number)
    if number % 3 == 0:
        yield oracle_inputs.large(number // 3)
        yield oracle_inputs.repeated(number)
    if number % 6 == 1:
        yield oracle_inputs.heavy(number // 6)
        yield oracle_inputs.many(number // 6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--all", action="store_true", help="do not stop at disagreements")
    args = parser.parse_args()
    findings, both = Findings(), kernels()
    for pair in pairs(args.first):
        check(pair, findings, both)
        if sum(findings.cases.values()) >= args.cases:
            break
    print(f"{'entry':<66}{'cases':>6} {'ulp':>9} {'distance':>9}  {'bound':<24} masses")
    for name, entry in ENTRIES.items():
        (_, ulps, off), masses = (findings.worst[name, weighted] for weighted in (False, True))
        line = f"{name:<66}{findings.cases[name]:>6} {ulps:>9.3g} {off:>9.2g}"
        print(f"{line}  {entry.error_bound!s:<24} {masses[2]:.2g}".rstrip())
    print(f"{sum(findings.cases.values())} cases, {len(findings.disagreements)} disagreements")
    print("\n".join(findings.disagreements[:200]))
    return int(bool(findings.disagreements))


if __name__ == "__main__":
    sys.exit(main())
