"""Measures of hierarchies against the oracle's values."""

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
FIELD = [case for case in CASES if case["kind"] == "hierarchy"]


def close(value, wanted):
    wanted = float(Fraction(wanted)) if "/" in wanted else float(wanted)
    return value == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def value_of(case):
    sides = [pw.Hierarchy.from_linkage(case[side]) for side in "ab"]
    text = case["call"].partition("  [")[0]
    if text.startswith("b_k"):
        curve = pw.b_k(*sides)
        assert curve.k.tolist() == list(range(2, sides[0].n_items))
        if "null" in text:
            return np.stack([curve.mean, curve.variance], axis=1)
        return curve.values
    if text.startswith("baker"):
        return [pw.baker_gamma(*sides, statistic=word) for word in ("gamma", "spearman")]
    call = ast.parse(text, mode="eval").body
    options = {x.arg: ast.literal_eval(x.value) for x in call.keywords}
    return getattr(pw, call.func.id)(*sides, **options)


def test_the_oracle_speaks_of_every_measure():
    names = {case["call"].replace(" ", "(").partition("(")[0] for case in FIELD}
    assert len(FIELD) >= 73
    assert names == {
        "b_k",
        "baker_gamma",
        "cophenetic_correlation",
        "element_centric_similarity",
    }


@pytest.mark.parametrize("case", FIELD, ids=lambda case: case["id"])
def test_the_oracles_values(case):
    value = np.ravel(value_of(case)).tolist()
    wanted = np.ravel(case["value"]).tolist()
    assert len(value) == len(wanted)
    assert all(close(x, y) for x, y in zip(value, wanted, strict=True))
