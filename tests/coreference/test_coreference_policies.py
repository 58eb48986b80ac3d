"""Policies of coreference.score, and the further measures of corefud-1.2."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import partwise as pw
from cases import shared
from partwise.coreference import Document, Documents, score

NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_m": "ceafm",
    "ceaf_e": "ceafe",
    "lea": "lea",
    "mention_overlap": "mor",
    "zero_anaphors": "als_zeros",
}
PARTS = {
    "recall_numerator": "rn",
    "recall_denominator": "rd",
    "precision_numerator": "pn",
    "precision_denominator": "pd",
    "recall": "r",
    "precision": "p",
    "f1": "f",
}


@pytest.mark.parametrize("response", ["head", "string"])
@pytest.mark.parametrize("how", ["exact", "head", "partial"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_gum(response, how, singletons):
    """Every stored count of corefud-scorer, read from its files."""
    folder = shared("data", "coref", "gum")
    wanted = json.loads((folder / "reference_scores.json").read_text())
    word = "with" if singletons == "keep" else "without"
    wanted = wanted[f"{response}|{how}|{word}_singletons"]
    scores = score(
        *(folder / f"gum.{name}.conllu" for name in ("key", response)),
        convention="corefud-1.2",
        mentions=how,
        singletons=singletons,
        zeros="dependencies",
    )
    for measure, short in NAMES.items():
        for part, place in PARTS.items():
            got = getattr(scores[measure], part)
            assert math.isclose(got, wanted[short][place], rel_tol=1e-9, abs_tol=1e-12)
    for part in ("recall", "precision", "f1"):
        expected = wanted["blanc_luo2014"][PARTS[part]]
        assert math.isclose(getattr(scores["blanc"], part), expected, rel_tol=1e-9)
    assert math.isclose(scores["conll"].f1, wanted["conll_f"], rel_tol=1e-9)
    report, counts = scores.input_report, wanted["counts"]
    assert report.mentions == (counts["key_mentions"], counts["sys_mentions"])
    assert report.entities == (counts["key_entities"], counts["sys_entities"])
    assert (sum(report.dropped_singletons) > 0) == (singletons == "drop")
    assert list(scores)[-2:] == ["mention_overlap", "zero_anaphors"]
    assert scores["zero_anaphors"].undefined == ("recall", "precision", "f1")


def test_singletons_are_dropped_under_any_convention():
    key = {"d": [["a", "b"], ["c"], ["x"]]}
    response = {"d": [["a", "b", "c"], ["y"]]}
    kept, dropped = (score(key, response, singletons=word) for word in ("keep", "drop"))
    assert kept.to_dict() == score(key, response).to_dict()
    alone = score({"d": [["a", "b"]]}, {"d": [["a", "b", "c"]]})
    assert dropped.to_dict() == alone.to_dict()
    assert dropped.input_report.dropped_singletons == (2, 1)
    assert "singletons dropped before matching: 2 of the key, 1" in str(dropped.input_report)
    by_rule = score(key, response, convention="corefud-1.2", mentions="exact")
    assert by_rule.input_report.dropped_singletons == (2, 1)
    against = score(
        key, response, convention="corefud-1.2", mentions="exact", singletons="keep"
    )
    assert against["mentions"].recall_denominator == 4
    with pytest.raises(ValueError, match="singletons"):
        score(key, response, singletons="some")


def united(entities):
    """Merge sets that meet, the slow way."""
    found = []
    for entity in map(set, entities):
        apart = [other for other in found if not other & entity]
        joined = entity.union(*(other for other in found if other & entity))
        found = [*apart, joined]
    return [sorted(entity) for entity in found]


def test_repeats_are_merged_as_by_the_definition():
    random = np.random.default_rng(7)
    for _ in range(50):
        key = {
            name: [
                random.choice(12, random.integers(1, 4), replace=False).tolist()
                for _ in range(random.integers(1, 7))
            ]
            for name in ("d", "e")
        }
        response = {name: [[0, 1, 2], [3, 4], [5, 6, 7, 8]] for name in key}
        expected = {name: united(entities) for name, entities in key.items()}
        got = score(key, response, repeats=("merge", "error"))
        assert got.to_dict() == score(expected, response).to_dict()
        back = score(response, key, repeats=("error", "merge"))
        assert back.to_dict() == score(response, expected).to_dict()
        report = got.input_report
        n = sum(map(len, key.values())) - sum(map(len, expected.values()))
        assert report.merged_entities == (n, 0)
        mentions = sum(len(x) for y in key.values() for x in y)
        assert report.repeated_mentions == (mentions - report.mentions[0], 0)


def documents(*given):
    return Documents(
        [
            Document(
                name,
                [mention for entity in entities for mention in entity],
                np.repeat(np.arange(len(entities)), [len(entity) for entity in entities]),
                list(range(len(entities))),
            )
            for name, entities in given
        ]
    )


def test_double_documents():
    first, second = [["a", "b"], ["c"]], [["d", "e", "f"]]
    key = documents(("d", first), ("x", [["q", "r"]]), ("d", second))
    response = {"d": [["a", "b", "d"], ["e", "f"]], "x": [["q"], ["r"]]}
    with pytest.raises(ValueError, match="document 'd' stands twice in the key"):
        score(key, response)
    for policy, entities in (
        ("first", first),
        ("last", second),
        ("merge", first + second),
    ):
        got = score(key, response, double_documents=policy)
        alone = score({"d": entities, "x": [["q", "r"]]}, response)
        assert got.to_dict() == alone.to_dict()
        assert got.documents == ["d", "x"]
        assert got.input_report.double_documents == (1, 0)
    twice = documents(("d", first), ("d", [["b", "g"]]))
    with pytest.raises(ValueError, match="again in"):
        score(twice, {"d": first}, double_documents="merge")
    both = score(twice, {"d": first}, double_documents="merge", repeats="merge")
    assert both["mentions"].recall_denominator == 4
    assert both["muc"].recall_denominator == 2
    with pytest.raises(ValueError, match="double_documents"):
        score(twice, {"d": first}, double_documents="all")


def test_merged_documents_of_spans_keep_their_words():
    from partwise.coreference import Spans, Tokens

    def part(first, last, n):
        words = Tokens([str(i) for i in range(n)], np.zeros(n, dtype=np.int64))
        spans = Spans(np.array(first), np.array(last))
        return Document("d", spans, np.zeros(len(first), dtype=np.int64), ["e"], words)

    key = Documents([part([0, 2], [1, 2], 3), part([3, 4], [3, 5], 6)])
    response = Documents([part([0, 2, 3, 4], [1, 2, 3, 5], 6)])
    scores = score(
        key, response, convention="corefud-1.2", mentions="exact", double_documents="merge"
    )
    assert scores["mention_overlap"].recall_numerator == 6
    assert scores["muc"].recall == 1.0
    assert scores["muc"].precision_denominator == 3


def test_to_pandas():
    pytest.importorskip("pandas")
    key = {"d": [["a", "b", "c"]], "e": [["x"]]}
    scores = pw.coreference.score(key, {"d": [["a", "b"], ["c"]], "e": [["x"]]})
    frame = scores.to_pandas()
    assert list(frame.index) == list(scores)
    for name in scores:
        assert frame.loc[name, "f1"] == scores[name].f1
        assert frame.loc[name, "recall"] == scores[name].recall
    by_document = scores.to_pandas(per_document=True)
    assert by_document.loc[("e", "muc"), "undefined"]
    assert not by_document.loc[("d", "muc"), "undefined"]
    assert by_document.loc[("d", "b_cubed"), "f1"] == scores.per_document["d"]["b_cubed"].f1
