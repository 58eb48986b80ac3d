"""Border cases of public reports called in Python: the right value, a note, or a refusal."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.labels.notes import InputWarning

CASES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[1] / "reference" / "border_cases.json").read_text()
    )
}
#: Calls of the command line; ``tests/labels/test_border_cases_files.py`` or ``tests/cli``.
FILES = {name for name, case in CASES.items() if case["call"].startswith("partwise")}


def given(name, *keys):
    return tuple(CASES[name]["input"][key] for key in keys)


def fractions(name):
    right = CASES[name]["right"]
    return [Fraction(x) for x in (right if isinstance(right, list) else [right])]


def category(values, categories=None):
    pd = pytest.importorskip("pandas")
    return pd.Series(pd.Categorical(values, categories=categories))


def pairs(name, *functions, keys=("a", "b"), **options):
    return lambda: [function(*given(name, *keys), **options) for function in functions]


def is_match():
    gold = {"r1": 0, "r2": 0, "r3": 1, "r4": 1}
    edges = [tuple(edge) for edge in given("N067", "edges")[0]]
    found = pw.sweep(gold, edges, scores="similarity", measures="ari")
    return [found["adjusted_rand_index"][found.index_at(1)]]


def frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(CASES["N069"]["input"])
    return np.asarray(pw.pairwise(frame, "adjusted_rand_index")).ravel()


NOISE = {"missing_labels": -1}
VALUES = {
    "N034": lambda: [pw.rand_index([{1, 2}, {3}], [{1}, {2}], unmatched="singletons")],
    "N035": pairs("N035", pw.adjusted_rand_index),
    "N036": lambda: [
        pw.adjusted_rand_index(given("N036", "a")[0], category([*"xxyyzz"], [*"qzyxw"]))
    ],
    "N037": lambda: [
        pw.rand_index(
            given("N037", "a")[0], category(["x", "x", None, *"yzz"]), missing="cluster"
        )
    ],
    "N038": lambda: [
        pw.adjusted_rand_index(pw.Contingency.from_dense(given("N038", "table")[0]))
    ],
    "N041": lambda: [
        pw.adjusted_rand_index(*given("N041", "a", "b"), missing=word, **NOISE)
        for word in ("cluster", "singletons", "drop")
    ],
    "N042": pairs("N042", pw.v_measure, missing="drop", **NOISE),
    "N044": pairs("N044", pw.adjusted_mutual_information, average="arithmetic"),
    "N045": pairs("N045", pw.adjusted_mutual_information, average="max"),
    "N047": pairs("N047", pw.adjusted_mutual_information, average="geometric"),
    "N048": pairs("N048", pw.adjusted_rand_index),
    "N049": pairs("N049", pw.pair_precision, pw.pair_recall, keys=("truth", "found")),
    "N050": pairs("N050", pw.rand_index),
    "N056": lambda: [pw.purity(*given("N056", "a", "b"), weights=given("N056", "w")[0])],
    "N058": pairs("N058", pw.purity, pw.inverse_purity),
    "N059": lambda: [
        pw.adapted_rand_error(*given("N059", "a", "b"), self_pairs=own) for own in (True, False)
    ],
    "N061": pairs(
        "N061",
        pw.purity,
        pw.inverse_purity,
        missing_labels=(0, None),
        missing=("drop", "error"),
    ),
    "N067": is_match,
    "N069": frame,
    "N071": pairs("N071", pw.adjusted_rand_index),
    "N075": lambda: [
        pw.adjusted_rand_index([0, 0, 0, 1, 1, 1], text_of_arrow(given("N075", "b")[0]))
    ],
    "N076": pairs("N076", pw.adjusted_rand_index),
}


def text_of_arrow(values):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    return pd.Series([str(value) for value in values], dtype="string[pyarrow]")


@pytest.mark.parametrize("name", VALUES)
def test_the_right_value(name):
    values = VALUES[name]()
    right = fractions(name)
    assert len(values) == len(right)
    for value, wanted in zip(values, right, strict=True):
        assert value == pytest.approx(float(wanted), rel=1e-13, abs=1e-15)


REFUSED = {
    "N031": (
        lambda: pw.adjusted_rand_index(*given("N031", "a", "b"), unmatched="drop"),
        r"no item is left to compare: 2 reference items .*'AA-1'.*'AA'.*=\"singletons\"",
    ),
    "N032": (
        lambda: pw.adjusted_rand_index(*given("N032", "a", "b")),
        r"'AA-1' at index 0; .*look like one id.*unmatched=\"drop\"",
    ),
    "N033": (
        lambda: pw.adjusted_rand_index(*given("N033", "a", "b")),
        "reference has 3 labels, the candidate 2",
    ),
    "N039": (
        lambda: pw.adjusted_rand_index(
            given("N039", "a")[0],
            category(["0", "0", "1", "1", "-1", "-1"]),
            missing="singletons",
            **NOISE,
        ),
        r"missing_labels=-1 .*candidate are text.*declare '-1'",
    ),
    "N051": (
        lambda: pw.f_measure([{1, 2}, {2, 3}], [{1, 2, 3}]),
        "item 2 in cluster 0 and in cluster 1 .*overlap",
    ),
    "N072": (
        lambda: pw.rand_index([0, 0, 1, 1], category([1, 1, "1", 2.5])),
        r"1 \(int\) at index 0; '1' \(str\) at index 2; 2.5 \(float\) at index 3",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_place_and_way_out(name):
    call, sentence = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=sentence):
        call()


def test_what_n039_declares_in_its_own_type_has_the_right_value():
    noise = category(["0", "0", "1", "1", "-1", "-1"])
    value = pw.adjusted_rand_index(
        given("N039", "a")[0], noise, missing_labels=(None, "-1"), missing="singletons"
    )
    assert value == pytest.approx(float(Fraction(CASES["N039"]["right"])), rel=1e-14)


def test_continuous_labels_are_noted():
    with pytest.warns(InputWarning, match="each of the 3 items has a label of its own"):
        value = pw.normalized_mutual_information(*given("N043", "a", "b"))
    assert value == 1.0


def test_states_of_a_sweep_at_thresholds():
    # the case names its file only; its edges and three values stand here in full
    edges = [("r1", "r2", 5.1), ("r2", "r3", -1.0), ("r3", "r4", 3.2), ("r4", "r5", -7.5)]
    gold = {"r1": 1, "r2": 1, "r3": 1, "r4": 2, "r5": 2}
    found = pw.sweep(gold, edges, scores="similarity", measures="adjusted_rand_index")
    for threshold, pairs_joined in ((4, [{"r1", "r2"}]), (0, [{"r1", "r2"}, {"r3", "r4"}])):
        joined = set().union(*pairs_joined)
        alone = [{item} for item in gold if item not in joined]
        wanted = pw.adjusted_rand_index(gold, [*pairs_joined, *alone])
        assert found["adjusted_rand_index"][found.index_at(threshold)] == wanted


def test_a_class_has_a_row_in_the_diagnosis():
    found = pw.diagnose(*given("N070", "a", "b"))
    assert found.reference.labels.tolist() == [0, 1]
    assert found.reference.pieces.tolist() == [2, 2]


def test_every_case_in_python_is_tried():
    elsewhere = {
        "N024": "a file",
        "N055": "a file",
        "N052": "measures of covers",
        "N043": "noted",
        "N062": "label images",
        "N065": "a sweep",
        "N070": "a diagnosis",
    }
    tried = VALUES.keys() | REFUSED.keys() | elsewhere.keys()
    assert tried | FILES == CASES.keys()


def test_label_images_of_one_shape_are_their_pixels():
    """N062: two images of one shape."""
    image = np.array(given("N062", "a")[0])
    assert pw.variation_of_information(image, image) == 0
    turned = pw.variation_of_information(image, image.T)
    assert turned == pw.variation_of_information(image.ravel(), image.T.ravel()) > 0
