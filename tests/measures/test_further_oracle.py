"""Covers, trees, soft clusterings and coreference against their definitions, within bounds."""

from fractions import Fraction

import pytest

import further_oracle

pytestmark = pytest.mark.one_backend
#: So many inputs of a kind, and at least so many cases: one measure on one input and kernel.
INPUTS = {
    "covers": (18, 400),
    "hierarchies": (24, 400),
    "soft": (24, 500),
    "coreference": (40, 5000),
    "anaphora": (40, 2000),
}


@pytest.mark.parametrize("kind", further_oracle.KINDS)
def test_measures_are_their_definitions(kind, both):
    findings = further_oracle.Findings()
    inputs, cases = INPUTS[kind]
    for number in range(inputs):
        # steps of 7 so that all that goes round in a number is met with all else
        further_oracle.check(kind, 7 * number, findings, both)
    assert findings.disagreements == []
    assert findings.cases.total() >= cases


@pytest.mark.long
@pytest.mark.parametrize("kind", further_oracle.KINDS)
def test_measures_are_their_definitions_on_many_inputs(kind, both):
    findings, number = further_oracle.Findings(), 1000
    while findings.cases.total() < 5000:
        further_oracle.check(kind, number, findings, both)
        number += 1
    assert findings.disagreements == []


def test_what_is_outside_a_bound_is_told():
    findings = further_oracle.Findings()
    findings.add("a", 0.1, Fraction(1, 10), (1, 0))
    findings.add("a", 0.1 + 1e-15, Fraction(1, 10), (1, 1e-14))
    findings.add("a", float("nan"), float("nan"), (1, 0))
    assert findings.disagreements == []
    for value, expected, bound in (
        (0.1 + 1e-15, Fraction(1, 10), (1, 0)),
        (1e-300, Fraction(0), (1, 1e-14)),
        (1 - 2**-53, Fraction(1), (4, 0)),
        (float("nan"), Fraction(1), (4, 1)),
        (0.5, float("nan"), (4, 1)),
    ):
        findings.add("b", value, expected, bound)
    assert len(findings.disagreements) == findings.cases["b"] == 5
