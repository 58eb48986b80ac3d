"""Comparisons of memberships: which measures there are, and what the result says."""

import json

import numpy as np
import pytest

import partwise as pw
from partwise.scoring.soft import FUNCTIONS, compare_memberships

pytestmark = pytest.mark.one_backend

SOFT = np.array([[0.9, 0.1, 0], [0.75, 0.25, 0], [0, 1, 0], [0.2, 0.6, 0.2], [0, 0.3, 0.7]])
HARD = ["a", "a", "b", "b", "c"]
ROWS = np.array([[0.0], [1.0], [3.0], [3.5], [8.0]])
OF_LAWS = sorted(f"soft_{name}" for name in (
    "mutual_information",
    "normalized_mutual_information",
    "variation_of_information",
    "normalized_variation_of_information",
))  # fmt: skip
WITHOUT_FEATURES = [*OF_LAWS, "mallows_distance"]


def value(name, **options):
    return getattr(pw, name)(SOFT, HARD, **options)


def test_the_functions_are_those_of_the_package():
    assert sorted(FUNCTIONS) == OF_LAWS


def test_sets_of_measures():
    by_default = compare_memberships(SOFT, HARD)
    assert sorted(by_default.scores) == sorted(WITHOUT_FEATURES)
    assert by_default.skipped == {}
    every = compare_memberships(SOFT, HARD, measures="all")
    assert every.scores == by_default.scores == {x: value(x) for x in by_default.scores}
    needs = "needs features: pass features= (one row of numbers per item)"
    assert every.skipped == {"css_distance": needs}
    for measures in ("default", "all"):
        with_features = compare_memberships(SOFT, HARD, measures=measures, features=ROWS)
        assert with_features.skipped == {}
        css = {"css_distance": value("css_distance", features=ROWS)}
        assert with_features.scores == by_default.scores | css


@pytest.mark.parametrize("form", ["one text", "a list", "a generator"])
def test_what_is_named_is_computed(form):
    names = ["mallows_distance", "soft_variation_of_information(base=2)"]
    forms = {"one text": ", ".join(names), "a list": names, "a generator": iter(names)}
    result = compare_memberships(SOFT, HARD, measures=forms[form])
    assert list(result.scores.items()) == [
        ("mallows_distance", value("mallows_distance")),
        (names[1], value("soft_variation_of_information", base=2)),
    ]
    assert result.skipped == {}
    (one,) = compare_memberships(SOFT, HARD, measures=names[0]).scores
    assert one == names[0]


def test_what_the_result_says():
    result = compare_memberships(SOFT, HARD, measures="all", matched_by="item")
    document = json.loads(result.to_json())
    assert document["options"] == {"measures": ["all"]}
    assert result.sides == (
        {"clusters": 3, "kind": "soft"},
        {"clusters": 3, "kind": "hard"},
    )
    assert (result.n_items, result.matched_by) == (5, "item")
    for name in result.scores:
        distance = name.endswith(("variation_of_information", "distance"))
        assert result.directions[name] == ("lower" if distance else "higher")
        assert result.families[name] == ("information" if name in OF_LAWS else "transport")


@pytest.mark.parametrize(
    ("measures", "error", "sentence"),
    [
        ([], ValueError, "measures is empty; name some"),
        ("", ValueError, "measures is empty; name some"),
        ("css_distance", ValueError, "css_distance needs features: pass features="),
        ("rand_index", ValueError, "rand_index compares labels, not memberships"),
        ("soft_rand_index", ValueError, "unknown measure 'soft_rand_index'; of memberships"),
        ("soft_mutual_information(x=1)", ValueError, "has no option 'x'; its options: base"),
    ],
)
def test_what_cannot_be_computed_is_refused(measures, error, sentence):
    with pytest.raises(error, match=sentence):
        compare_memberships(SOFT, HARD, measures=measures)


def test_features_that_nothing_uses_are_refused():
    with pytest.raises(TypeError, match="no measure here has a use for features="):
        compare_memberships(SOFT, HARD, measures="mallows_distance", features=ROWS)
