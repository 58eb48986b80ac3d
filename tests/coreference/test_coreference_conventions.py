"""Named conventions: scorch, cai-strube, and what the guide says that each fixes."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from cases import shared
from coreference_border_inputs import CASES
from coreference_definitions import entities_by_label, numerators, sides
from partwise.coreference import score
from partwise.coreference.scores.conventions import CONVENTIONS

SOURCE = Path(pw.__file__).parent / "coreference"

SHORT = {"b_cubed": "bcub", "ceaf_m": "ceafm", "ceaf_e": "ceafe"}


partitions = st.lists(st.integers(0, 4), max_size=8).map(entities_by_label)
pairs = st.lists(st.tuples(partitions, partitions), min_size=1, max_size=3)


# ---- Cai and Strube --------------------------------------------------------------------


def moved(key, response):
    """Return (key, response) for recall and for precision, by the words of the paper."""
    of_key = {m for entity in key for m in entity}
    of_response = {m for entity in response for m in entity}
    missed = [[m] for m in sorted(of_key - of_response)]
    for_recall = [[m for m in entity if m in of_key] for entity in response]
    for_recall = [entity for entity in for_recall if entity] + missed
    kept = [x for x in response if len(x) > 1 or x[0] in of_key]
    spurious = sorted({m for entity in kept for m in entity} - of_key)
    return (key, for_recall), (key + [[m] for m in spurious], kept + missed)


@given(pairs)
def test_cai_strube(documents):
    scores = score(*sides(documents), convention="cai-strube", exact=True)
    plain = score(*sides(documents), exact=True)
    for name in plain:
        if name in SHORT:
            continue
        if name != "conll":
            assert scores[name] == plain[name]
    for name, short in SHORT.items():
        totals = np.zeros(4, dtype=object)
        for place, pair in enumerate(documents):
            of_recall, of_precision = moved(*pair)
            own = [
                *numerators(*of_recall, short),
                *numerators(*of_precision[::-1], short),
            ]
            totals += np.array(own, dtype=object)
            alone = scores.per_document[f"d{place}"][name]
            assert math.isclose(alone.recall_numerator, own[0], rel_tol=1e-12)
            assert alone.precision_denominator == own[3]
        one = scores[name]
        assert [
            *(one.recall_numerator, one.recall_denominator),
            *(one.precision_numerator, one.precision_denominator),
        ] == totals.tolist()


def test_cai_strube_of_an_example_by_hand():
    """Key {a b c}; the response has a, b and a spurious x, and a singleton y."""
    scores = score(
        {"d": [["a", "b", "c"]]},
        {"d": [["a", "b", "x"], ["y"]]},
        convention="cai-strube",
        exact=True,
    )
    b_cubed = scores["b_cubed"]
    # recall: {a b} {c} against {a b c}; precision: {a b x} {c} against {a b c} {x}
    assert (b_cubed.recall_numerator, b_cubed.recall_denominator) == (Fraction(5, 3), 3)
    assert (b_cubed.precision_numerator, b_cubed.precision_denominator) == (Fraction(8, 3), 4)
    for call in (
        lambda: scores.alignment("ceaf_e"),
        lambda: pw.decompose(scores, measure="ceaf_m"),
    ):
        with pytest.raises(ValueError, match="under the convention cai-strube"):
            call()
    assert pw.decompose(scores, measure="muc").value == scores["muc"].f1


# ---- scorch ----------------------------------------------------------------------------

SCORCH = {"muc": "muc", "b_cubed": "b_cubed", "ceaf_m": "ceaf_m", "ceaf_e": "ceaf_e"}


def check_scorch(scorch, key, response):
    """Every document by scorch's functions, and the means of its command line."""
    scores = score(key, response, convention="scorch")
    found = {name: [] for name in (*SCORCH, "blanc")}
    for document in key:
        sets = [list(map(set, side[document])) for side in (key, response)]
        for name, values in found.items():
            common = set().union(*sets[0]) & set().union(*sets[1])
            if name.startswith("ceaf") and not common:
                # its mean of two NumPy zeros stops there: StatisticsError
                wanted = (0.0, 0.0, 0.0)
            else:
                wanted = getattr(scorch, name)(*sets)
            values.append(wanted)
            one = scores.per_document[document][name]
            np.testing.assert_allclose(
                (one.recall, one.precision, one.f1), wanted, rtol=1e-9, atol=1e-12
            )
    sizes = [[sum(map(len, side[document])) for document in key] for side in (key, response)]
    weights = (*sizes, np.add(*sizes))
    if all(map(sum, sizes)):
        for name, values in found.items():
            one = scores.weighted[name]
            for part, column, weight in zip(
                ("recall", "precision", "f1"), zip(*values, strict=True), weights, strict=True
            ):
                wanted = np.average(column, weights=weight)
                assert math.isclose(getattr(one, part), wanted, rel_tol=1e-9, abs_tol=1e-12)


@given(pairs)
def test_scorch_on_random_documents(documents):
    check_scorch(pytest.importorskip("scorch.scores"), *sides(documents))


@pytest.mark.parametrize("name", ["string", "goldhead"])
def test_scorch_on_litbank(name):
    scorch = pytest.importorskip("scorch.scores")
    folder = shared("data", "coref", "litbank")
    both = []
    for side in ("key", name):
        rows = (folder / f"litbank.{side}.jsonlines").read_text().splitlines()[:6]
        both.append(
            {
                row["doc_key"]: [[tuple(m) for m in entity] for entity in row["clusters"]]
                for row in map(json.loads, rows)
            }
        )
    check_scorch(scorch, *both)


@pytest.mark.parametrize(
    ("key", "response", "value"),
    [
        ([["a"]], [["a"]], 1.0),
        ([["a"]], [["b"]], 0.0),
        ([], [["a", "b"]], 1.0),
        ([["a"]], [["a", "b"]], 1.0),
        ([], [["a"], ["b"]], 0.0),
        ([], [], 1.0),
    ],
)
def test_blanc_of_scorch_where_there_are_no_links(key, response, value):
    scores = score({"d": key}, {"d": response}, convention="scorch")
    assert scores["blanc"].f1 == scores.whole_blanc.f1 == value
    assert "f1" in scores["blanc"].undefined
    assert score({"d": key}, {"d": response})["blanc"].f1 == 0.0


GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "coreference.md"


def test_the_guide_says_what_conventions_fix():
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        for line in GUIDE.read_text().splitlines()
        if line.startswith("| `") and line.count("|") == 8
    ]
    assert [row[0] for row in rows] == list(CONVENTIONS)
    for name, mentions, zeros, singletons, words, blanc, further in rows:
        rules = CONVENTIONS[name]
        assert (rules.mentions, rules.zeros, rules.blanc) == (mentions, zeros, blanc)
        assert rules.drop_singletons == (singletons == "drop")
        assert rules.same_words == (words == "refused")
        assert rules.further == tuple(further.split(", ") if further else ())


@pytest.mark.parametrize(
    ("how", "value"),
    [
        ({"convention": "corefud-1.2"}, 1.0),
        ({"convention": "corefud-1.2", "zeros": "position"}, 0.0),
        ({"convention": "ua-2.0"}, 0.0),
        ({"convention": "ua-2.0", "zeros": "dependencies"}, 1.0),
    ],
)
def test_conventions_match_zeros_as_their_scorers_do(tmp_path, how, value):
    """The zeros stand in the other order: by dependencies they are the same ones."""
    paths = []
    for name, text in CASES["C101"][0].items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text)
    key, response = paths
    assert score(key, response, **how)["muc"].f1 == value
