"""Every catalogued measure equals its literal definition, on both kernels."""

import math
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

import cases
import definitions
import partwise as pw
from strategies import labelings

ENTRIES = pw.catalogue()


def options_of(entry, a, b):
    """Options of an entry; those without a default get a fitting value."""
    k = max(len(set(a)), len(set(b)), 1) + len(a) % 2
    return {**entry.options, **cases.required(entry, k=k, features=cases.features(len(a)))}


# Corrected for chance: differences whose parts have rounding errors of their own.
CORRECTED = {
    "expected_mutual_information",
    "adjusted_mutual_information",
    "adjusted_variation_of_information",
}


# Minima over a real number, and counts of tables by gamma functions.
ESTIMATED = {"reduced_mutual_information"}


def near(value, wanted):
    exact = isinstance(wanted, Fraction)
    return value == wanted if exact else abs(value - wanted) <= 4e-15


def roughly(value, wanted):
    return abs(value - wanted) <= 1e-11 * max(1, abs(wanted))


def agrees(value, wanted):
    if isinstance(wanted, Fraction) and wanted.denominator == 1:
        return value == wanted.numerator
    wanted = definitions.to_mpf(wanted)
    if wanted == 0:
        return value == 0.0
    return abs(value - wanted) <= 4 * math.ulp(abs(float(wanted)))


def test_every_measure_has_a_definition():
    bases = {name.partition("(")[0] for name in ENTRIES}
    assert bases == set(definitions.DEFINITIONS)


@cache
def defined(name, a, b):
    """The value by the definition: worked out once for all kernels, as it is slow."""
    entry = ENTRIES[name]
    definition = definitions.DEFINITIONS[name.partition("(")[0]]
    return definition(list(a), list(b), **options_of(entry, a, b))


@pytest.mark.parametrize("name", ENTRIES)
@given(pair=labelings())
def test_measure_is_its_definition(name, pair):
    a, b = pair
    wanted = defined(name, tuple(a), tuple(b))
    value = ENTRIES[name].function(a, b, **options_of(ENTRIES[name], a, b))
    assert type(value) is float
    base = name.partition("(")[0]
    close = near if base in CORRECTED else roughly if base in ESTIMATED else agrees
    assert close(value, wanted), (value, wanted)


@given(pair=labelings())
def test_pair_confusion_is_its_definition(pair):
    found = pw.pair_confusion(*pair)
    assert (found.n11, found.n10, found.n01, found.n00) == definitions.pairs(*pair)


@given(pair=labelings())
def test_entropy_is_its_definition(pair):
    a, b = pair
    assert agrees(pw.entropy(a), definitions.entropy(a))
    table = pw.contingency(a, b)
    assert pw.entropy(table, side="candidate") == pw.entropy(b)


@given(pair=labelings())
def test_meet_and_join_are_their_definitions(pair):
    a, b = pair
    assert pw.meet(a, b).tolist() == definitions.meet(a, b)
    assert pw.join(a, b).tolist() == definitions.join(a, b)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, math.inf])
@given(pair=labelings())
def test_v_measure_for_any_beta(beta, pair):
    assert agrees(pw.v_measure(*pair, beta=beta), definitions.v_measure(*pair, beta=beta))
