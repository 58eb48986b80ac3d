"""Errors by kind, scores by group: what they share out adds up to the score."""

import json

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import (
    error_analysis,
    score,
    scores_by_entity_size,
    scores_by_mention,
)

MEASURES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")


def documents(seed):
    """Return two random sides of some documents, with mentions that one side lacks."""
    draw = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        side = {}
        for name in "abc":
            inside = np.flatnonzero(draw.random(14) < 0.8).tolist()
            entities = {}
            for mention in inside:
                entities.setdefault(int(draw.integers(0, 6)), []).append((mention, mention + 1))
            side[name] = list(entities.values())
        sides.append(side)
    return sides


def kinds_by_definition(own, other, kinds):
    """Return {kind: [entities, mentions]}, entity by entity."""
    counts = {kind: [0, 0] for kind in kinds}
    for name, entities in own.items():
        home = {x: number for number, entity in enumerate(other[name]) for x in entity}
        for entity in entities:
            homes = {home[x] for x in entity if x in home}
            lacking = any(x not in home for x in entity)
            at = 0 if not homes else 1 if len(homes) > 1 else 2 if lacking else 3
            counts[kinds[at]][0] += 1
            counts[kinds[at]][1] += len(entity)
    return counts


@pytest.mark.parametrize("seed", range(6))
def test_kinds_of_entities_and_their_losses_add_up(seed):
    key, response = documents(seed)
    scores = score(key, response)
    for measure in MEASURES:
        errors = error_analysis(scores, measure)
        whole = scores[measure]
        for kinds, own, other, part, names in (
            (errors.key, key, response, "recall", ["missed", "split", "short", "together"]),
            (
                *(errors.response, response, key, "precision"),
                ["invented", "merged", "extended", "together"],
            ),
        ):
            assert [one.kind for one in kinds] == names
            counts = kinds_by_definition(own, other, names)
            assert {one.kind: [one.entities, one.mentions] for one in kinds} == counts
            lacks = getattr(whole, f"{part}_denominator") - getattr(whole, f"{part}_numerator")
            assert sum(one.loss for one in kinds) == pytest.approx(lacks)
            assert sum(one.share for one in kinds) == pytest.approx(1.0 if lacks else 0.0)
            for one in kinds:
                assert len(one.examples) <= 3
                assert sum(x.cost for x in one.examples) <= one.loss + 1e-9
                assert one.entities or not one.examples
    of_both = {(name, x) for name in key for entity in key[name] for x in entity} & {
        (name, x) for name in response for entity in response[name] for x in entity
    }
    n_key = sum(len(entity) for entities in key.values() for entity in entities)
    assert errors.missing_mentions == n_key - len(of_both)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sizes", [(1, 2, 3, 6, 11), (1,), (1, 4)])
def test_groups_of_sizes_add_up_to_the_score(seed, sizes):
    scores = score(*documents(seed))
    groups = scores_by_entity_size(scores, sizes, MEASURES)
    for measure in MEASURES:
        for part in (
            *("recall_numerator", "recall_denominator"),
            *("precision_numerator", "precision_denominator"),
        ):
            total = sum(getattr(one[measure], part) for one in groups.values())
            assert total == pytest.approx(getattr(scores[measure], part))
    if sizes == (1,):
        (one,) = groups.values()
        for measure in MEASURES:
            assert one[measure].f1 == pytest.approx(scores[measure].f1)
    assert sum(n for n, _ in groups.counts.values()) == scores.input_report.entities[0]


@pytest.mark.one_backend
def test_entities_of_a_size_are_scored_as_such():
    key = {"d": [["a"], ["b", "c"], ["d", "e", "f"]]}
    scores = score(key, {"d": [["a"], ["b"], ["c"], ["d", "e", "f"]]})
    groups = scores_by_entity_size(scores)
    assert list(groups) == ["1", "2", "3-5"]
    assert groups.counts == {"1": (1, 3), "2": (1, 0), "3-5": (1, 1)}
    assert (groups["2"]["b_cubed"].recall, groups["2"]["muc"].recall) == (0.5, 0.0)
    assert groups["2"]["muc"].undefined == ("precision", "f1")
    assert groups["1"]["b_cubed"].precision == 1.0
    assert groups["3-5"]["lea"].f1 == 1.0
    blocks = [block.splitlines() for block in str(groups).split("\n\n")]
    assert blocks[0][0].split()[:3] == ["entities", "key", "response"]
    for block in blocks[:-1]:
        assert [line.split()[0] for line in block[1:]] == ["1", "2", "3-5"]
    assert blocks[-1] == ["* is 0 / 0"]
    assert "0.00 *" in str(groups)
    assert groups.to_dict()["2"]["scores"]["b_cubed"]["recall"] == 0.5


@pytest.mark.parametrize("seed", range(6))
def test_kinds_of_mentions_add_up_to_the_score(seed):
    scores = score(*documents(seed))
    groups = scores_by_mention(scores, lambda mention: mention.text[1])
    for measure in ("mentions", "b_cubed"):
        for part in ("recall_numerator", "precision_numerator", "precision_denominator"):
            total = sum(getattr(one[measure], part) for one in groups.values())
            assert total == pytest.approx(getattr(scores[measure], part))


@pytest.mark.one_backend
def test_lengths_of_mentions_are_grouped_as_the_guide_says():
    spans = [(at, at + n - 1) for n in range(1, 9) for at in (n * (n - 1) // 2,)]
    document = {
        "doc_key": "d",
        "sentences": [[f"w{i}" for i in range(36)]],
        "clusters": [spans],
    }
    groups = scores_by_mention(score(document, document, ends="inclusive"))
    wanted = {"1": 1, "2": 1, "3-5": 3, "6+": 3}
    assert groups.counts == {name: (n, n) for name, n in wanted.items()}


@pytest.mark.one_backend
def test_mentions_by_their_length_and_zeros():
    rows = [
        "# newdoc id = d",
        "# global.Entity = eid-etype-head",
        "1\tthe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--2",
        "2\tcat\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)",
        "2.1\t_\t_\t_\t_\t_\t_\t_\t1:x\tEntity=(e1--1)",
        "3\tits\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2--1)(e1--1)",
    ]
    response = [row.replace("(e1--1)", "(e3--1)") for row in rows]
    scores = score(rows, response, repeats="first", singletons="keep")
    groups = scores_by_mention(scores)
    assert list(groups) == ["1", "2", "zero"]
    assert groups.counts == {"1": (1, 1), "2": (1, 1), "zero": (1, 1)}
    assert groups["zero"]["b_cubed"].recall == 0.5
    assert groups["zero"]["mentions"].recall == 1.0
    words = scores_by_mention(scores, lambda x: "pronoun" if x.text == "its" else "other")
    assert words.counts == {"other": (2, 2), "pronoun": (1, 1)}


@pytest.mark.one_backend
def test_what_is_no_sum_over_entities_is_refused():
    scores = score({"d": [["a", "b"]]}, {"d": [["a", "b"]]})
    for measure in ("blanc", "conll", "x"):
        with pytest.raises(ValueError, match=f"measure='{measure}' is no sum over entities"):
            error_analysis(scores, measure)
    assert error_analysis(scores, "B3").measure == "b_cubed"
    with pytest.raises(ValueError, match="examples=-1"):
        error_analysis(scores, examples=-1)
    for sizes in ((), (2, 3), (1, 3, 3)):
        with pytest.raises(ValueError, match="that rise from 1"):
            scores_by_entity_size(scores, sizes)
    with pytest.raises(
        ValueError, match=r"'a', whose number of words is not known; pass kind_"
    ):
        scores_by_mention(scores)
    moved = score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, convention="cai-strube")
    with pytest.raises(ValueError, match="under the convention cai-strube"):
        error_analysis(moved, "b_cubed")
    with pytest.raises(ValueError, match="under the convention cai-strube"):
        scores_by_mention(moved)
    assert error_analysis(moved, "muc").key[3].entities == 1
    with pytest.raises(KeyError, match="missed, split, short, invented, merged, extended"):
        error_analysis(scores)["together"]


@pytest.mark.one_backend
def test_nothing_at_all_has_no_errors():
    scores = score({"d": []}, {"d": []})
    errors = error_analysis(scores)
    assert [one.entities for one in (*errors.key, *errors.response)] == [0] * 8
    assert len(scores_by_entity_size(scores)) == 0
    assert len(scores_by_mention(scores)) == 0
    assert "B-cubed lacks (0)" in str(errors)


@pytest.mark.one_backend
def test_the_command_prints_errors(tmp_path, capsys):
    key, response = tmp_path / "k.jsonl", tmp_path / "r.jsonl"
    record = {"doc_key": "d", "sentences": [["Ann", "saw", "Bo", "and", "him"]]}
    key.write_text(json.dumps({**record, "clusters": [[[0, 0]], [[2, 2], [4, 4]]]}))
    response.write_text(json.dumps({**record, "clusters": [[[0, 0], [4, 4]], [[2, 2]]]}))
    assert main(["coref", str(key), str(response), "--errors", "lea"]) == 0
    out = capsys.readouterr().out
    assert "entities of the key by what recall of LEA lacks (3)" in out
    assert 'd, entity 1 of 2: 1 in 0: "him"; 1 in 1: "Bo"' in out
    assert main(["coref", str(key), str(response), "--errors", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["responses"]["r.jsonl"]["errors"]
    assert report["measure"] == "b_cubed"
    assert [one["kind"] for one in report["key"]] == ["missed", "split", "short", "together"]
    assert main(["coref", str(key), str(response), "--errors", "blanc"]) == 2
    assert "is no sum over entities" in capsys.readouterr().err
    assert main(["coref", str(key), str(response), "--errors", "--csv"]) == 2
    assert "--errors is for text and --json" in capsys.readouterr().err


@pytest.mark.one_backend
def test_mentions_without_words_are_shown_by_their_positions(tmp_path, capsys):
    key, response = tmp_path / "k.jsonl", tmp_path / "r.jsonl"
    record = {"doc_key": "d"}
    key.write_text(json.dumps({**record, "clusters": [[[8, 8], [10, 12]]]}))
    response.write_text(json.dumps({**record, "clusters": [[[8, 8]], [[10, 12]]]}))
    assert main(["coref", str(key), str(response), "--errors", "muc"]) == 0
    assert "d, entity 0 of 2: 1 in 0: (8); 1 in 1: (10-12)" in capsys.readouterr().out
