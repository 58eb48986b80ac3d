"""Coreference scores against stored counts of scorers and exact fractions."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

import partwise as pw
from cases import shared

NAMES = {
    "mentions": "mentions",
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_m": "ceafm",
    "ceaf_e": "ceafe",
    "lea": "lea",
}
PARTS = {
    "rn": "recall_numerator",
    "rd": "recall_denominator",
    "pn": "precision_numerator",
    "pd": "precision_denominator",
    "r": "recall",
    "p": "precision",
    "f": "f1",
}


def load(*parts):
    return json.loads(shared("data", "coref", *parts).read_text())


def check(score, expected):
    """Every stored number agrees to 1e-9."""
    assert expected
    for short, value in expected.items():
        if short in PARTS:
            got = getattr(score, PARTS[short])
            assert math.isclose(got, Fraction(value), rel_tol=1e-9, abs_tol=1e-12), short


def test_the_reference_scorers_own_cases():
    cases = load("reference_cases.json")["cases"]
    assert len(cases) == 36
    for case in cases:
        sides = ({"d": case["key"]}, {"d": case["response"]})
        scores = pw.coreference.score(*sides, repeats="first")
        for name, short in NAMES.items():
            check(scores[name], case["expected"][short]["exact"])
        blanc = case["expected"]["blanc"]
        check(scores["blanc"], blanc["exact"])
        luo = pw.coreference.score(*sides, repeats="first", convention="luo-2014")
        check(luo["blanc"], blanc["exact_luo2014"])
        assert math.isclose(scores["conll"].f1, Fraction(case["expected"]["conll_f"]))


def test_random_documents_in_exact_fractions():
    cases = load("random_cases.json")["cases"]
    assert len(cases) == 60
    for case in cases:
        key, response = (
            {str(i): document[side] for i, document in enumerate(case["documents"])}
            for side in ("key", "response")
        )
        scores = pw.coreference.score(key, response, exact=True)
        for name, short in NAMES.items():
            expected = case["expected"][short]
            check(scores[name], expected)
            for part in ("rn", "rd", "pn", "pd"):
                assert getattr(scores[name], PARTS[part]) == Fraction(expected[part])
        check(scores["blanc"], case["expected"]["blanc"])
        assert math.isclose(scores["conll"].f1, Fraction(case["expected"]["conll_f"]))


def litbank(name):
    path = shared("data", "coref", "litbank", f"litbank.{name}.jsonlines")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {
        row["doc_key"]: [[tuple(mention) for mention in entity] for entity in row["clusters"]]
        for row in rows
    }


def without_singletons(documents):
    return {name: [x for x in entities if len(x) > 1] for name, entities in documents.items()}


@pytest.mark.parametrize("name", ["string", "head", "nearest", "goldhead"])
def test_litbank(name):
    expected = load("litbank", "reference_scores.json")[name]
    key, response = litbank("key"), litbank(name)
    scores = pw.coreference.score(key, response)
    larger = pw.coreference.score(without_singletons(key), without_singletons(response))
    one = {short: expected["one_document"][short] for short in ("muc", "ceafe", "lea")}
    for measure, short in (*NAMES.items(), ("blanc", "blanc")):
        check(scores[measure], expected["micro_with_singletons"][short])
        check(larger[measure], expected["micro_without_singletons"][short])
        if short in one:
            check(scores[measure], one[short])
        if measure != "mentions":
            check(scores.macro[measure], expected["macro_with_singletons"][short])
            for document, values in expected["per_document_f"].items():
                got = scores.per_document[document][measure].f1
                assert math.isclose(got, values[short], rel_tol=1e-9, abs_tol=1e-12)
    check(scores.whole_blanc, expected["one_document"]["blanc"])
    assert math.isclose(scores["conll"].f1, expected["micro_with_singletons"]["conll_f"])


#: Case after a public issue: where in it the right values for the default convention stand.
RIGHT = {
    "blanc-two-conventions": "recasens_hovy_2011_as_perl",
    "ceafe-overmerge": None,
    "ceafe-singleton-asymmetry": "keep",
    "counter-never-reset": "policy_first",
    "cross-document-offsets": None,
    "dup-many": "policy_first",
    "lea-singleton": None,
    "missing-keys": "policy_twinless",
    "muc-singletons": "compat",
    "one-mention-blanc": "perl_compat",
    "partial-gold": "unrestricted",
}


def issue(name):
    found = json.loads(shared("reference", "bugs", "coref-bug-cases.json").read_text())["cases"]
    (case,) = (case for case in found if case["id"] == name)
    return case


def of_issue(given, **options):
    """Score the sides of a case as one document; lists in place of mentions become tuples."""
    sides = (
        {
            "d": [
                [tuple(x) if isinstance(x, list) else x for x in entity]
                for entity in given[side]
            ]
        }
        for side in ("key", "response")
    )
    return pw.coreference.score(*sides, **options)


def check_all(scores, right):
    expected = {short: value for short, value in right.items() if isinstance(value, dict)}
    assert expected
    for measure, short in (*NAMES.items(), ("blanc", "blanc")):
        check(scores[measure], expected.pop(short, {"f": scores[measure].f1}))
    assert not expected
    if "conll_f" in right:
        assert math.isclose(scores["conll"].f1, Fraction(right["conll_f"]), abs_tol=1e-12)


@pytest.mark.parametrize("name", RIGHT)
def test_cases_after_public_issues(name):
    case = issue(name)
    right = case["right"] if RIGHT[name] is None else case["right"][RIGHT[name]]
    scores = of_issue(case["input"], repeats="first")
    check_all(scores, right)
    undefined = case["right"].get("undefined", [])
    assert all(scores[measure].undefined for measure in undefined)


@pytest.mark.parametrize("name", ["dup-many", "dup-key-self"])
def test_repeats_of_public_issues_are_refused(name):
    with pytest.raises(ValueError, match="again in"):
        of_issue(issue(name)["input"])


def test_the_other_convention_of_blanc():
    case = issue("blanc-two-conventions")
    scores = of_issue(case["input"], convention="luo-2014")
    check(scores["blanc"], case["right"]["luo_2014"])


def test_micro_and_macro_are_two_numbers():
    case = issue("micro-macro")
    key, response = (
        {str(i): document[side] for i, document in enumerate(case["input"]["documents"])}
        for side in ("key", "response")
    )
    scores = pw.coreference.score(key, response)
    check_all(scores, case["right"]["micro"])
    for name, short in (*NAMES.items(), ("blanc", "blanc")):
        if short in case["right"]["macro_f"]:
            check(scores.macro[name], {"f": case["right"]["macro_f"][short]})


def test_alignment_of_many_small_components():
    """The layout of the case ceaf-sparse: 3/4 of either CEAF, at a size both kernels take."""
    n = 2000
    key = [[2 * i, 2 * i + 1] for i in range(n)]
    response = [
        [8 * block + m for m in pair]
        for block in range(n // 4)
        for pair in ((0, 1), (2, 4), (3, 5), (6, 7))
    ]
    scores = pw.coreference.score({"d": key}, {"d": response}, exact=True)
    assert scores["ceaf_e"].recall_numerator == Fraction(3 * n, 4)
    assert scores["ceaf_m"].recall_numerator == 3 * n // 2


def test_order_and_names_change_no_bit():
    key = {"d": [[1, 2, 3], [4, 5], [6], [7, 8, 9, 10]], "e": [["x", "y", "z"]]}
    response = {"d": [[1, 2, 4], [3, 5, 6], [7, 8], [9, 10, 11]], "e": [["x"], ["y", "z"]]}
    first = pw.coreference.score(key, response).to_dict()

    def turned(documents):
        return {
            name: [entity[::-1] for entity in reversed(documents[name])]
            for name in reversed(documents)
        }

    assert pw.coreference.score(turned(key), turned(response)).to_dict() == first


def test_undefined_is_zero_and_said():
    scores = pw.coreference.score({"d": [["a"], ["b"]]}, {"d": [["a"], ["b"]]})
    assert scores["muc"].f1 == 0.0
    assert scores["muc"].undefined == ("recall", "precision", "f1")
    assert scores["b_cubed"].f1 == scores["ceaf_e"].f1 == scores["lea"].f1 == 1.0
    silent = pw.coreference.score({"d": [["a", "b"]]}, {"d": []})
    assert silent["blanc"].undefined == ("precision", "f1")
    empty = pw.coreference.score({"d": []}, {"d": []})
    assert empty["conll"].f1 == 0.0
    assert empty["conll"].undefined == ("recall", "precision", "f1")


def test_the_alignment_of_ceaf_is_given():
    scores = pw.coreference.score(
        {"d": [["a", "b", "c"], ["d", "e"]]}, {"d": [["d", "e", "c"], ["a", "b"]]}
    )
    assert sorted(scores.alignment("ceaf_e")) == [("d", 0, 1, 2), ("d", 1, 0, 2)]
    assert scores.per_document["d"]["ceaf_e"] == scores["ceaf_e"]
    with pytest.raises(KeyError, match="only ceaf_m, ceaf_e"):
        scores.alignment("muc")


def test_spans_are_scored_like_tuples():
    import numpy as np

    def spans(entities):
        rows = [(f, last, e) for e, mentions in enumerate(entities) for f, last in mentions]
        first, last, entity = (
            np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)
        )
        found = pw.coreference.Spans(first, last)
        names = list(range(len(entities)))
        return pw.coreference.Documents([pw.coreference.Document("d", found, entity, names)])

    nothing = pw.coreference.score({"d": []}, spans([[(0, 1)]]))
    assert nothing.input_report.twinless == (0, 1)
    key = [[(0, 1), (3, 3)], [(5, 9), (6, 6)]]
    response = [[(0, 1), (5, 9)], [(3, 3)], [(6, 7)]]
    by_columns = pw.coreference.score(spans(key), spans(response))
    assert by_columns.to_dict() == pw.coreference.score({"d": key}, {"d": response}).to_dict()


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        ([["a"]], {"d": []}, "the key is a list"),
        ({"d": ["ab"]}, {"d": []}, "key, document 'd', entity 0 is 'ab'"),
        ({"d": "ab"}, {"d": []}, "key, document 'd': a str"),
        ({"d": [[]]}, {"d": []}, "entity 0 has no mentions"),
        ({"d": []}, {"d": [[["a"]]]}, "response, document 'd', entity 0: the mention"),
        ({"d": []}, {}, "the response lacks document 'd'"),
        ({"d": []}, {"d": [], "e": []}, "the key lacks document 'e'"),
        ({"d": [["a"], ["a"]]}, {"d": []}, "the mention 'a' is in entity 0 and again in 1"),
        ({1: [["a"]]}, {"d": []}, "the name of a document is text, not int"),
    ],
)
def test_refused_input(key, response, message):
    with pytest.raises((TypeError, ValueError), match=message):
        pw.coreference.score(key, response)


def test_policies_are_reported():
    key = {"d": [["a", "b"], ["a", "c"]], "e": [["x", "y"]]}
    response = {"d": [["a", "b", "c"]], "f": [["q"]]}
    options = {"missing_documents": "empty", "extra_documents": "ignore"}
    first = pw.coreference.score(key, response, repeats="first", **options)
    report = first.input_report
    assert (report.documents, report.missing_documents) == (2, ("e",))
    assert report.extra_documents == ("f",)
    assert (report.repeated_mentions, report.twinless) == ((1, 0), (2, 0))
    assert first["mentions"].recall_denominator == 5
    last = pw.coreference.score(key, response, repeats="last", **options)
    assert [row[1:3] for row in first.alignment("ceaf_m")] == [(0, 0)]
    assert [row[1:3] for row in last.alignment("ceaf_m")] == [(1, 0)]
    with pytest.raises(ValueError, match="convention="):
        pw.coreference.score(key, response, convention="perl")
