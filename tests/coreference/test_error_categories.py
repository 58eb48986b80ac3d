"""Errors by category: the steps are done one by one, and make the key."""

import ast
import json
from collections import Counter

import numpy as np
import pytest

from partwise import coreference
from partwise.cli import main

pytestmark = pytest.mark.one_backend


def random_documents(seed):
    """Return two sides of some documents whose mentions are numbers."""
    draw = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        side = {}
        for name in "abc":
            entities = {}
            for mention in np.flatnonzero(draw.random(16) < 0.7).tolist():
                entities.setdefault(int(draw.integers(0, 5)), []).append(mention)
            side[name] = list(entities.values())
        sides.append(side)
    return sides


def steps_by_definition(key, response):
    """Return how many errors of each category lie between two lists of sets of mentions.

    Each step is done: entities are split, mentions removed, introduced and merged, and what
    comes out is the key.
    """
    counts = Counter()
    home = {mention: number for number, entity in enumerate(key) for mention in entity}
    pieces = []
    for entity in response:
        left = set(entity)
        extra = {mention for mention in left if mention not in home}
        if extra == left:  # splits and removals that leave nothing of the entity
            counts["extra entity"] += 1
            continue
        for _ in extra:  # a split and a removal
            counts["extra mention"] += 1
        left -= extra
        own = []
        while left:
            number = home[min(left)]
            part = {mention for mention in left if home[mention] == number}
            left -= part
            own.append(part)
            if left:  # what is left is split from this part
                counts["conflated entities"] += 1
        pieces += own
    made = []
    for entity in key:
        parts = [piece for piece in pieces if piece <= set(entity)]
        there = set().union(*parts)
        introduced = set(entity) - there
        if not parts:  # all of its mentions are introduced and merged
            counts["missing entity"] += 1
            made.append(introduced)
            continue
        while len(parts) > 1:
            parts[0] = parts[0] | parts.pop()
            counts["divided entity"] += 1
        for mention in introduced:
            parts[0] = parts[0] | {mention}
            counts["missing mention"] += 1
        made.append(parts[0])
    assert sorted(map(sorted, made)) == sorted(map(sorted, key))
    return counts


@pytest.mark.parametrize("seed", range(30))
def test_the_steps_make_the_key(seed):
    key, response = random_documents(seed)
    wanted = Counter()
    for name in key:
        wanted += steps_by_definition(key[name], response[name])
    errors = coreference.error_categories(coreference.score(key, response), examples=1000)
    assert {name: one.errors for name, one in errors.items() if one.errors} == dict(wanted)
    assert errors.spans == "none"
    assert all(len(one.examples) == one.errors for one in errors.values())
    missing = sum(len(x) for document in key.values() for x in document) - sum(
        len({m for x in key[name] for m in x} & {m for x in response[name] for m in x})
        for name in key
    )
    assert errors["missing mention"].mentions + errors["missing entity"].mentions == missing
    flipped = coreference.error_categories(coreference.score(response, key))
    for one, other in (
        ("missing entity", "extra entity"),
        ("missing mention", "extra mention"),
        ("divided entity", "conflated entities"),
    ):
        assert errors[one].errors == flipped[other].errors
        assert errors[other].errors == flipped[one].errors


@pytest.mark.parametrize("seed", range(10))
def test_a_key_has_no_errors_against_itself(seed):
    key, _ = random_documents(seed)
    errors = coreference.error_categories(coreference.score(key, key))
    assert not any(one.errors for one in errors.values())


def record(clusters, words=12):
    """Return a record of JSON lines; each cluster is a list of (first, last)."""
    return {
        "doc_key": "d",
        "sentences": [[f"w{i}" for i in range(words)]],
        "clusters": [list(map(list, cluster)) for cluster in clusters],
    }


def test_a_span_error_is_one_error_and_not_two():
    key = record([[(0, 1), (5, 5), (7, 9)]])
    response = record([[(0, 0), (5, 5), (8, 11)]])
    scores = coreference.score(key, response, ends="inclusive")
    errors = coreference.error_categories(scores)
    counts = {name: one.errors for name, one in errors.items() if one.errors}
    # w7 to w9 and w8 to w11 share two of five words, w0 is half of its partner
    assert counts == {"span error": 1, "missing mention": 1, "extra mention": 1}
    (example,) = errors["span error"].examples
    assert [place.text for place in (*example.mentions, *example.others)] == ["w0", "w0 w1"]
    assert errors.spans == "overlap"
    text = " ".join(str(errors).split())
    assert 'd, entity 0: "w0" (0), in the key: "w0 w1" (0-1)' in text
    assert 'd, entity 0: "w7 w8 w9" (7-9), beside: ' in text


def test_span_errors_are_paired_at_best_and_one_to_one():
    key = record([[(0, 3), (5, 5)], [(1, 3), (6, 6)]])
    response = record([[(1, 2), (5, 5)], [(0, 2), (6, 6)]])
    scores = coreference.score(key, response, ends="inclusive")
    errors = coreference.error_categories(scores, examples=5)
    pairs = {
        (x.mentions[0].span[0], x.mentions[0].span[1], *x.others[0].span)
        for x in errors["span error"].examples
    }
    assert pairs == {(0, 2, 0, 3), (1, 2, 1, 3)}
    assert errors["divided entity"].errors == 2
    assert errors["conflated entities"].errors == 2


CONLLU = """# global.Entity = eid-etype-head-other
# newdoc id = d
1\tthe\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-2-
2\tking\t_\t_\t_\t_\t0\t_\t_\t{closes}
3\tof\t_\t_\t_\t_\t0\t_\t_\t_
4\tSpain\t_\t_\t_\t_\t0\t_\t_\t{last}
5\the\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)

"""


def test_heads_are_what_counts_where_there_are_heads():
    key = CONLLU.format(closes="_", last="Entity=e1)")
    response = CONLLU.format(closes="Entity=e1)", last="Entity=(e2-x-1-)")
    scores = coreference.score(key, response)
    errors = coreference.error_categories(scores)
    counts = {name: one.errors for name, one in errors.items() if one.errors}
    assert errors.spans == "heads"
    assert counts == {"span error": 1, "extra entity": 1}
    (example,) = errors["span error"].examples
    assert (example.mentions[0].text, example.others[0].text) == (
        "the king",
        "the king of Spain",
    )


def test_no_mention_on_a_side():
    key = record([[(0, 1), (5, 5)], [(7, 7)]])
    none = coreference.score(key, record([]), ends="inclusive")
    counts = {name: one.errors for name, one in coreference.error_categories(none).items()}
    assert counts["missing entity"] == 2
    assert sum(counts.values()) == 2
    flipped = coreference.score(record([]), key, ends="inclusive")
    assert coreference.error_categories(flipped)["extra entity"].mentions == 3


def test_topics_join_the_entities_of_documents():
    key = {"1_a": {"Ann": [[0, 0]]}, "1_b": {"Ann": [[3, 3]]}}
    response = {"1_a": {"x": [[0, 0]]}, "1_b": {"y": [[3, 3]]}}
    scores = coreference.score(key, response, topics=r"^(\d)_")
    assert coreference.error_categories(scores)["divided entity"].errors == 1


def test_forms_and_faults(capsys):
    key, response = random_documents(1)
    scores = coreference.score(key, response)
    errors = coreference.error_categories(scores)
    assert coreference.ErrorCategories.from_json(errors.to_json()) == errors
    assert errors.to_csv().count("\n") == 8
    assert all(len(one.examples) <= 3 for one in errors.values())
    assert not coreference.error_categories(scores, 0)["extra mention"].examples
    with pytest.raises(ValueError, match="examples=-1"):
        coreference.error_categories(scores, -1)
    with pytest.raises(KeyError, match="span error"):
        errors["split"]
    with pytest.raises(ValueError, match="read from JSON"):
        coreference.error_categories(coreference.CoreferenceScores.from_json(scores.to_json()))
    words = ["coref", "examples/key.conll", "examples/response.conll"]
    assert main([*words, "--error-categories", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["responses"]["response.conll"]
    by_name = {x["category"]: x for x in found["error_categories"]["categories"]}
    assert by_name["conflated entities"]["errors"] == 2
    assert len(by_name["conflated entities"]["examples"]) == 1
    assert main([*words, "--error-categories", "--latex"]) == 2
    assert "--error-categories is for text and --json" in capsys.readouterr().err
    assert main([*words, "--error-categories", "-1"]) == 2
    assert "--error-categories -1" in capsys.readouterr().err
    assert main([*words, "--error-categories", "--compat", "perl"]) == 2
    assert "leave out --error-categories" in capsys.readouterr().err


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sizes", [(3, 2, 1), (1, 2, 3), (2, 4, 3), (2, 0, 1)])
def test_of_objects_the_largest_piece_stays(sizes, turned):
    """Pieces of an entity, and two mentions that the other side lacks; order says nothing."""
    pieces = [
        [f"{letter}{i}" for i in range(n)] for letter, n in zip("xyz", sizes, strict=True)
    ]
    whole = [mention for piece in pieces for mention in piece]
    sides = {"d": [piece for piece in pieces if piece]}, {"d": [["lost", *whole, "gone"]]}
    scores = coreference.score(*sides[:: -1 if turned else 1])
    errors = coreference.error_categories(scores, examples=9)
    parts, single = (
        ("divided entity", "missing mention")
        if turned
        else ("conflated entities", "extra mention")
    )
    assert {name: one.errors for name, one in errors.items() if one.errors} == {
        parts: sum(n > 0 for n in sizes) - 1,
        single: 2,
    }
    stays = max(pieces, key=len)
    split = [[ast.literal_eval(x.text) for x in one.mentions] for one in errors[parts].examples]
    assert sorted(split) == sorted(x for x in pieces if x and x != stays)
    for one in [*errors[parts].examples, *errors[single].examples]:
        assert {ast.literal_eval(x.text) for x in one.others} <= set(stays)
