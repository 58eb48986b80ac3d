"""Measures of covers against their literal definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cover_definitions as definitions
import partwise as pw
from partwise.measures.covers import joint
from strategies import covers

NORMALIZERS = ("max", "sum", "lfk", "lfk_global")


@given(covers())
def test_omega(drawn):
    n, a, b = drawn
    value = pw.omega_index(pw.Cover(a, n_items=n), pw.Cover(b, n_items=n))
    assert value == float(definitions.omega(a, b, n))


@given(covers(), st.sampled_from(NORMALIZERS), st.booleans())
def test_overlapping_information(drawn, normalizer, at_least):
    n, a, b = drawn
    value = pw.overlapping_mutual_information(
        pw.Cover(a, n_items=n),
        pw.Cover(b, n_items=n),
        normalizer=normalizer,
        constraint="at_least" if at_least else "strict",
    )
    wanted = definitions.overlapping_information(a, b, n, normalizer, at_least)
    assert value == pytest.approx(float(wanted), rel=1e-13, abs=1e-14)


@given(covers())
def test_extended_b_cubed(drawn):
    n, a, b = drawn
    scores = pw.extended_b_cubed(pw.Cover(a, n_items=n), pw.Cover(b, n_items=n))
    precision, recall = definitions.b_cubed(a, b, n)
    assert (scores.precision, scores.recall) == pytest.approx(
        (float(precision), float(recall)), rel=1e-15
    )


@given(covers())
def test_average_f1(drawn):
    n, a, b = drawn
    scores = pw.average_f1(pw.Cover(a, n_items=n), pw.Cover(b, n_items=n))
    wanted = definitions.average_f1(a, b)
    assert (scores.reference, scores.candidate) == pytest.approx(
        [float(x) for x in wanted], rel=1e-15
    )


@given(covers(), st.integers(1, 40))
def test_small_blocks_change_no_bit(drawn, block):
    n, a, b = drawn
    sides = pw.Cover(a, n_items=n), pw.Cover(b, n_items=n)
    before = pw.omega_index(*sides), pw.extended_b_cubed(*sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint, "BLOCK", block)
        assert (pw.omega_index(*sides), pw.extended_b_cubed(*sides)) == before
