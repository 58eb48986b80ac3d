"""Errors of spans in a text: the steps of Kummerfeld and Klein, with pronouns and spans."""

from collections import Counter

import numpy as np
import pytest

from partwise import coreference
from partwise.coreference.scores.analysis.categories import CATEGORIES

pytestmark = pytest.mark.one_backend

PRONOUNS = {"she", "it", "his"}


def errors_of(words, key, response, **options):
    """Return the errors that are there; entities are lists of (first, last)."""
    sides = [
        {"doc_key": "d", "sentences": [words], "clusters": [list(map(list, x)) for x in side]}
        for side in (key, response)
    ]
    scores = coreference.score(*sides, ends="inclusive", **options)
    return counts_of(coreference.error_categories(scores))


def counts_of(errors):
    assert list(errors) == list(CATEGORIES)
    return {name: one.errors for name, one in errors.items() if one.errors}


def errors_by_definition(words, key, response):
    """Return the errors of two lists of sets of words' positions, by steps that are listed.

    Splits and merges are pairs (piece, entity), removals and introductions mentions.
    """
    in_key, in_response = set().union(*key), set().union(*response)
    splits, pieces = [], []
    for entity in response:
        parts = [entity & other for other in key if entity & other]
        parts += [{mention} for mention in entity - in_key]
        splits += [(part, entity) for part in parts if part != entity or not part & in_key]
        pieces += parts
    removals = in_response - in_key
    introductions = in_key - in_response
    pieces = [piece for piece in pieces if not piece & removals]
    pieces += [{mention} for mention in introductions]
    merges = [
        (piece, entity)
        for entity in key
        for piece in pieces
        if piece <= entity and (piece != entity or piece & introductions)
    ]

    def sorted_out(steps, entities, changed):
        """Return whole entities, single mentions and further steps."""
        whole = single = 0
        for entity in entities:
            own = entity & changed
            others = entity - changed
            if own == entity or (len(own) > 1 and all(words[x] in PRONOUNS for x in others)):
                whole += 1
                steps = [x for x in steps if not (x[1] == entity and x[0] & own)]
            names = [x for x in entity if words[x] not in PRONOUNS]
            first = min(names or entity)
            steps = [x for x in steps if not (x[1] == entity and first in x[0])]
        for piece, _ in steps:
            single += bool(piece & changed)
        return whole, single, len(steps) - single

    counts = Counter()
    (
        counts["extra entity"],
        counts["extra mention"],
        counts["conflated entities"],
    ) = sorted_out(splits, response, removals)
    (
        counts["missing entity"],
        counts["missing mention"],
        counts["divided entity"],
    ) = sorted_out(merges, key, introductions)
    return {name: number for name, number in counts.items() if number}


@pytest.mark.parametrize("seed", range(40))
def test_steps_are_listed_and_counted(seed):
    draw = np.random.default_rng(seed)
    words = draw.choice(["Ann", "Bo", *sorted(PRONOUNS)], 40).tolist()
    sides = []
    for _ in range(2):
        entity_of = draw.integers(0, 9, len(words))
        there = draw.random(len(words)) < 0.7
        entities = (set(np.flatnonzero(there & (entity_of == x)).tolist()) for x in range(9))
        sides.append([entity for entity in entities if entity])
    listed = [[sorted((x, x) for x in entity) for entity in side] for side in sides]
    assert errors_of(words, *listed) == errors_by_definition(words, *sides)


WORDS = ["Ann", "said", "she", "saw", "Bo", ".", "It", "was", "his", "dog", "."]
ANN, SHE, BO, IT, HIS, DOG = ((at, at) for at in (0, 2, 4, 6, 8, 9))


@pytest.mark.parametrize(
    ("key", "response", "errors"),
    [
        # a merge that is left is a divided entity, a split that is left conflated entities
        ([[ANN, SHE, BO]], [[ANN], [SHE], [BO]], {"divided entity": 2}),
        ([[ANN, SHE], [BO, HIS]], [[ANN, SHE, BO, HIS]], {"conflated entities": 1}),
        # a split and a removal of one mention, an introduction and a merge of one
        ([[ANN, SHE]], [[ANN, SHE, BO]], {"extra mention": 1}),
        ([[ANN, SHE, BO]], [[ANN, SHE]], {"missing mention": 1}),
        # whole entities
        ([[ANN, SHE]], [[ANN, SHE], [BO, DOG]], {"extra entity": 1}),
        ([[ANN, SHE], [BO, DOG]], [[ANN, SHE]], {"missing entity": 1}),
        # with a pronoun of another entity, which is a step of its own
        (
            [[ANN, SHE]],
            [[ANN], [BO, SHE, DOG]],
            {"extra entity": 1, "conflated entities": 1, "divided entity": 1},
        ),
        (
            [[ANN], [BO, SHE, DOG]],
            [[ANN, SHE]],
            {"missing entity": 1, "conflated entities": 1, "divided entity": 1},
        ),
        # a name of another entity keeps it from being an extra one
        (
            [[ANN, SHE]],
            [[SHE], [ANN, BO, DOG]],
            {"extra mention": 2, "divided entity": 1},
        ),
        # the piece with the first mention that is no pronoun stays, though the key lacks it
        ([[SHE, BO, HIS]], [[ANN, SHE, BO, HIS]], {"conflated entities": 1}),
        ([[ANN, SHE, BO, HIS]], [[SHE, BO, HIS]], {"divided entity": 1}),
        # a pronoun before it does not
        ([[BO, HIS]], [[SHE, BO, HIS]], {"extra mention": 1}),
        # of pronouns alone, the first one
        ([[IT, HIS]], [[SHE, IT, HIS]], {"conflated entities": 1}),
        # one mention is an entity, too
        ([[ANN, SHE], [DOG]], [[ANN, SHE], [BO]], {"missing entity": 1, "extra entity": 1}),
    ],
)
def test_definitions(key, response, errors):
    assert errors_of(WORDS, key, response) == errors


def test_the_order_of_mentions_in_a_file_changes_nothing():
    key, response = [[SHE, BO, HIS]], [[ANN, SHE, BO, HIS]]
    turned = [[*reversed(entity)] for entity in response]
    assert errors_of(WORDS, key, response) == errors_of(WORDS, key, turned)


def test_marks_and_articles_at_the_ends_are_span_errors():
    words = [
        "``",
        "The",
        "king",
        "'s",
        "dog",
        ",",
        "''",
        "he",
        "said",
        "of",
        "Ann",
        ",",
        "7",
        "and",
        "the",
        "other",
        ".",
    ]
    key = [[(2, 2), (7, 7)], [(10, 10), (15, 15)], [(12, 12), (0, 0)]]
    # "The king 's" is king, "Ann ," is Ann, "the other ." is other; one word stays of "``"
    response = [[(1, 3), (7, 7)], [(10, 11), (14, 16)], [(12, 12), (0, 0)]]
    assert errors_of(words, key, response) == {"span error": 3}
    # "the" behind and "'s" before are no such marks, and a third is below a half
    words = ["'s", "king", "the"]
    assert errors_of(words, [[(1, 1)]], [[(0, 2)]]) == {"missing entity": 1, "extra entity": 1}


def test_a_span_error_is_of_the_mention_that_has_it():
    words = ["the", "king", "and", "she", "both", "ran"]
    key = [[(0, 0), (5, 5)], [(1, 1), (3, 3)]]
    # "king" is the third mention of the key, "the king" the first of the response; what is
    # introduced is "the", to which "ran" is merged
    response = [[(0, 1), (3, 3)], [(5, 5)]]
    assert errors_of(words, key, response) == {"span error": 1, "divided entity": 1}


def corefud(*cells):
    """Return a document of a token for each cell: its word, and what stands after Entity=."""
    rows = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
    for at, (word, entity) in enumerate(cells, 1):
        last = f"Entity={entity}" if entity else "_"
        rows.append("\t".join([str(at), word, *"_______", last]))
    return [*rows, ""]


def test_span_errors_of_mentions_with_gaps():
    before = [("he", "(e1--1)"), ("and", ""), ("she", "(e3--1)"), ("it", "(e2--1)")]
    key = corefud(
        *before, ("took", "(e1[1/2]--1)"), ("it", ""), ("off", "(e1[2/2]--1)"), (".", "")
    )
    response = corefud(
        *before, ("took", "(e1[1/2]--1)"), ("it", ""), ("off", "(e1[2/2]--1"), (".", "e1[2/2])")
    )
    scores = coreference.score(key, response, singletons="keep")
    assert counts_of(coreference.error_categories(scores)) == {"span error": 1}


PARSED = [
    ("the", "DT", "(TOP(S(NP(NP*"),
    ("house", "NN", "*)"),
    ("of", "IN", "(PP*"),
    ("the", "DT", "(NP*"),
    ("king", "NN", "*)))"),
    ("burns", "VBZ", "(VP*)"),
    ("there", "RB", "(ADVP*)))"),
]


def conll(*mentions, rows=PARSED):
    """Return a document of CoNLL-2012; mentions are (first, last, entity)."""
    lines = ["#begin document (d); part 000"]
    for at, (word, tag, parse) in enumerate(rows):
        opens = [f"({e}" for a, b, e in mentions if a == at < b]
        whole = [f"({e})" for a, b, e in mentions if a == at == b]
        closes = [f"{e})" for a, b, e in mentions if a < b == at]
        cell = "|".join([*closes, *opens, *whole]) or "-"
        lines.append("\t".join(["d", "0", str(at), word, tag, parse, "-", cell]))
    return [*lines, "", "#end document"]


def test_heads_of_the_parse_show_span_errors():
    errors = coreference.error_categories(
        coreference.score(
            conll((0, 4, 1), (6, 6, 1)),
            [
                line.replace("(TOP", "*").replace("NN", "X")
                for line in conll((0, 1, 1), (6, 6, 1))
            ],
        )
    )
    # two of five words, but the house is the head of both by the key's parse
    assert counts_of(errors) == {"span error": 1}
    assert errors.spans == "heads"


def test_a_head_of_several_mentions_shows_nothing():
    scores = coreference.score(
        conll((0, 4, 1), (6, 6, 1)), conll((0, 1, 1), (0, 2, 1), (6, 6, 1))
    )
    assert counts_of(coreference.error_categories(scores)) == {
        "extra mention": 1,  # the first of the two stays, and so does the missing one
        "conflated entities": 1,
        "divided entity": 1,
    }


@pytest.mark.parametrize(("tag", "lost"), [("PRP", "extra entity"), ("NN", "extra mention")])
def test_pronouns_are_known_by_their_tags(tag, lost):
    rows = [*PARSED[:6], ("celui", tag, PARSED[6][2])]
    key = conll((6, 6, 1), (5, 5, 1), rows=rows)
    response = conll((6, 6, 2), (1, 1, 2), (4, 4, 2), rows=rows)
    # of a pronoun and two mentions that the key lacks these are an entity; where the first is
    # no pronoun, one of these stays and the other is split
    errors = counts_of(coreference.error_categories(coreference.score(key, response)))
    assert errors.pop(lost) == 1
    assert errors == {"conflated entities": 1, "divided entity": 1}


def spans_of(*mentions):
    """Return a document in memory, which has no text; mentions are (first, last, entity)."""
    first, last, entity = (np.array(column) for column in zip(*mentions, strict=True))
    names = list(range(max(entity) + 1))
    found = coreference.Document("(d); part 000", coreference.Spans(first, last), entity, names)
    return coreference.Documents([found])


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("behind", [0, 1, 90])
def test_a_mention_behind_the_text_of_the_key_is_no_pronoun(behind, length):
    at = len(PARSED) + behind
    key = conll((0, 1, 1), (6, 6, 1))
    response = spans_of((0, 1, 0), (at, at + length - 1, 0))
    errors = coreference.error_categories(coreference.score(key, response))
    assert counts_of(errors) == {"extra mention": 1, "missing mention": 1}


@pytest.mark.parametrize("turned", [False, True])
def test_where_one_side_has_no_heads_spans_are_compared_by_their_words(turned):
    rows = [
        "# newdoc id = (d); part 000",
        "# global.Entity = eid-etype-head",
        "1\tTom\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1)",
        "2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_",
        "3\tthe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--4",
        "4\tlarge\t_\t_\t_\t_\t_\t_\t_\t_",
        "5\tblack\t_\t_\t_\t_\t_\t_\t_\t_",
        "6\tcat\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)",
    ]
    # the first two of four words, without their head, are half of them; one is not
    for last, wanted in (
        (3, {"span error": 1}),
        (2, {"extra mention": 1, "missing mention": 1}),
    ):
        sides = [rows, spans_of((0, 0, 0), (2, last, 0))]
        errors = coreference.error_categories(coreference.score(*sides[:: -1 if turned else 1]))
        assert (errors.spans, counts_of(errors)) == ("overlap", wanted)
