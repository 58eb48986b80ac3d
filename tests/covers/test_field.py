"""Measures of covers against the oracle's values."""

import ast
import json
from fractions import Fraction

import numpy as np
import pytest

import cases
import partwise as pw

PATH = cases.SHARED / "reference" / "field.json"
pytestmark = pytest.mark.skipif(
    not PATH.exists(), reason="shared/reference/field.json is not there"
)
CASES = json.loads(PATH.read_text()) if PATH.exists() else []
FIELD = [case for case in CASES if case["kind"] == "cover"]


def close(value, wanted):
    wanted = float(Fraction(wanted)) if "/" in wanted else float(wanted)
    return value == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def value_of(case):
    """Value of a call of the file: an expression, and in brackets what it lists."""
    text = case["call"].partition("  [")[0]
    call = ast.parse(text, mode="eval").body
    options = {x.arg: ast.literal_eval(x.value) for x in call.keywords}
    sides = [pw.Cover(case[side], n_items=case["n_items"]) for side in "ab"]
    if call.func.id == "element_centric_similarity":
        sides = [side.with_singletons() for side in sides]
    value = getattr(pw, call.func.id)(*sides, **options)
    if call.func.id == "average_f1":
        return [value.reference, value.candidate, value.mean]
    if call.func.id == "extended_b_cubed":
        return [value.precision, value.recall]
    return value


def test_the_oracle_speaks_of_every_measure():
    names = {case["call"].partition("(")[0] for case in FIELD}
    assert len(FIELD) >= 122
    assert names == {
        "omega_index",
        "overlapping_mutual_information",
        "extended_b_cubed",
        "average_f1",
        "element_centric_similarity",
    }


@pytest.mark.parametrize("case", FIELD, ids=lambda case: case["id"])
def test_the_oracles_values(case):
    value, wanted = value_of(case), case["value"]
    if isinstance(wanted, list):
        assert len(value) == len(wanted)
        assert all(close(x, y) for x, y in zip(np.asarray(value).tolist(), wanted, strict=True))
    else:
        assert close(value, wanted)
