"""Mentions of one side matched with those of the other."""

import json
from fractions import Fraction
from itertools import permutations

import cases
import numpy as np
import pytest
from coreference_definitions import (
    Text,
    blanc_counts,
    entities_of,
    numerators,
    read_corefud,
    side_of,
)

from partwise.coreference.documents import Side, Spans
from partwise.coreference.matching import match_mentions
from partwise.coreference.sides import without_singletons
from partwise.coreference.word_overlap import word_overlap
from partwise.coreference.zeros import zero_anaphors

WAYS = ("exact", "head", "partial", "minimum_span")


# ---- GUM against corefud-scorer ----------------------------------------------------


def close(value, wanted):
    return abs(float(value) - wanted) <= 1e-9 * max(1.0, abs(wanted))


def f_score(recall, precision):
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


@pytest.mark.parametrize("response", ["head", "string"])
@pytest.mark.parametrize("how", ["exact", "head", "partial"])
@pytest.mark.parametrize("singletons", ["with", "without"])
def test_gum(response, how, singletons):
    folder = cases.shared("data", "coref", "gum")
    wanted = json.loads((folder / "reference_scores.json").read_text())
    wanted = wanted[f"{response}|{how}|{singletons}_singletons"]
    sides = [side_of(read_corefud(folder / f"gum.{name}.conllu")) for name in ("key", response)]
    if singletons == "without":
        sides = [without_singletons(side) for side in sides]
    found = match_mentions(*sides, how, zeros="dependencies")
    counts = wanted["counts"]
    assert [len(side) for side in sides] == [counts["key_mentions"], counts["sys_mentions"]]
    assert [len(side.entity_names) for side in sides] == [
        counts["key_entities"],
        counts["sys_entities"],
    ]
    documents = entities_of(*sides, found.partner)
    for measure in ("muc", "bcub", "ceafm", "ceafe", "lea"):
        parts = [
            (numerators(key, other, measure), numerators(other, key, measure))
            for key, other in documents
        ]
        for name, number in (("r", 0), ("p", 1)):
            above, below = (sum(part[number][place] for part in parts) for place in (0, 1))
            assert close(above, wanted[measure][f"{name}n"])
            assert close(below, wanted[measure][f"{name}d"])
    blanc = np.sum([blanc_counts(*pair) for pair in documents], axis=0)
    recall = [blanc[0] / blanc[1], blanc[3] / blanc[4]]
    precision = [blanc[0] / blanc[2], blanc[3] / blanc[5]]
    scores = zip(recall, precision, strict=True)
    assert close(sum(recall) / 2, wanted["blanc_luo2014"]["r"])
    assert close(sum(precision) / 2, wanted["blanc_luo2014"]["p"])
    assert close(sum(f_score(*pair) for pair in scores) / 2, wanted["blanc_luo2014"]["f"])
    words = word_overlap(*sides)
    mor = wanted["mor"]
    assert [words.common.sum(), words.key.sum(), words.response.sum()] == [
        mor["rn"],
        mor["rd"],
        mor["pd"],
    ]
    anaphors = zero_anaphors(*sides, found)
    assert anaphors.recall_below.sum() == anaphors.precision_below.sum() == 0
    unequal = np.sum((found.partner >= 0) & (found.overlap < 1))
    assert unequal <= counts["aligned"]


# ---- small files against corefud-scorer --------------------------------------------

COREFUD = cases.load("coreference_matching.json")["cases"]


def texts_of(documents):
    return [
        Text(
            f"d{number}",
            [tuple(mention) for mention in document["mentions"]],
            document["ids"],
            document["sentence"],
            document["dependencies"],
        )
        for number, document in enumerate(documents)
    ]


def choices(case, name):
    how, zeros, singletons = name.split("|")
    sides = [side_of(texts_of(case[side])) for side in ("key", "response")]
    rows = [np.arange(len(side)) for side in sides]
    if singletons == "without_singletons":
        rows = [np.flatnonzero(np.bincount(side.entity)[side.entity] > 1) for side in sides]
        sides = [without_singletons(side) for side in sides]
    return how, zeros, sides, rows


def tokens_of(side, row):
    spans = side.mentions
    if spans.token_ends is None:
        tokens = range(spans.first[row], spans.last[row] + 1)
    else:
        tokens = spans.tokens[spans.token_ends[row] : spans.token_ends[row + 1]].tolist()
    tokens_file = side.tokens[side.document[row]]
    document = int(side.document[row])
    if tokens_file is None:
        return {(document, token) for token in tokens}
    return {
        (document, int(tokens_file.sentence[token]), tokens_file.ids[token]) for token in tokens
    }


@pytest.mark.parametrize("number", range(len(COREFUD)))
def test_small_files_of_corefud(number):
    case = COREFUD[number]
    for name, wanted in case["expected"].items():
        how, zeros, sides, rows = choices(case, name)
        found = match_mentions(*sides, how, zeros=zeros)
        pairs = [
            [int(rows[0][row]), int(rows[1][other])]
            for row, other in enumerate(found.partner.tolist())
            if other >= 0
        ]
        words = word_overlap(*sides)
        overlap = [words.common.sum(), words.key.sum(), words.response.sum()]
        assert overlap == wanted["mor"], name
        if name not in case.get("tied", ()):
            assert pairs == wanted["pairs"], name
            anaphors = zero_anaphors(*sides, found)
            below = [anaphors.recall_below.sum(), anaphors.precision_below.sum()]
            agrees = [anaphors.right.sum(), *below] == wanted["zeros"]
            assert agrees == (name not in case["confused"]), name
        elif zeros == "position":
            place = [{int(row): i for i, row in enumerate(own)} for own in rows]
            others = [[place[0][a], place[1][b]] for a, b in wanted["pairs"]]
            assert share_sum(*sides, others) == share_sum(*sides, pairs_of(found)), name


def pairs_of(found):
    return [[row, other] for row, other in enumerate(found.partner.tolist()) if other >= 0]


def share(key, response, row, other):
    own, theirs = tokens_of(key, row), tokens_of(response, other)
    return Fraction(len(own & theirs), len(own))


def share_sum(key, response, pairs):
    return sum((share(key, response, *pair) for pair in pairs), Fraction(0))


# ---- against all ways to pair ------------------------------------------------------


def random_text(rng, n_tokens, n_mentions, gaps, name="d"):
    mentions = {}
    for _ in range(n_mentions):
        first = int(rng.integers(n_tokens))
        tokens = list(range(first, min(n_tokens, first + int(rng.integers(1, 6)))))
        if gaps:
            tokens = [x for x in tokens if rng.random() < 0.7] or tokens[:1]
        head = int(rng.choice(tokens))
        mentions[tuple(tokens)] = (f"e{rng.integers(3)}", tokens, head)
    return Text(name, list(mentions.values()))


def least_of(texts):
    """A minimum span for each mention: from its head to the next token."""
    return [[head, min(head + 1, tokens[-1])] for t in texts for _, tokens, head in t.mentions]


def eligible(key, response, row, other, how):
    """Whether a pair that is not equal may be matched."""
    spans, others = key.mentions, response.mentions
    own, theirs = tokens_of(key, row), tokens_of(response, other)
    document = int(key.document[row])
    if document != response.document[other]:
        return False
    if how == "head":
        return spans.head[row] == others.head[other]
    first, last = {
        "partial": lambda: (spans.head[row], spans.head[row]),
        "minimum_span": lambda: spans.minimum[row],
    }[how]()
    least = {(document, token) for token in range(first, last + 1)}
    return least <= theirs <= own


def equal(key, response, row, other, how):
    same = tokens_of(key, row) == tokens_of(response, other)
    return same and (how != "head" or key.mentions.head[row] == response.mentions.head[other])


def all_choices(rows, allowed):
    """Every one-to-one set of allowed pairs."""
    if not rows:
        yield []
        return
    for rest in all_choices(rows[1:], allowed):
        yield rest
        taken = {b for _, b in rest}
        yield from ([(rows[0], b), *rest] for b in allowed[rows[0]] if b not in taken)


def ranks_of(side):
    """Rank of each mention by first token, last token, number of tokens."""

    def by_place(row):
        tokens = sorted(token for _, token in tokens_of(side, row))
        return tokens[0], tokens[-1], len(tokens)

    keys = [by_place(row) for row in range(len(side))]
    ordered = sorted(set(keys))
    return [ordered.index(key) for key in keys]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("how", WAYS[1:])
def test_best_of_all_choices(how, gaps):
    rng = np.random.default_rng(7 + gaps)
    n_chosen = 0
    for _ in range(25):
        texts = [[random_text(rng, 7, 6, gaps, f"d{d}") for d in (0, 1)] for _ in range(2)]
        key, response = (side_of(own, minimum=least_of(own)) for own in texts)
        found = match_mentions(key, response, how)
        partner = dict(pairs_of(found))
        ranks = ranks_of(key), ranks_of(response)
        for document in (0, 1):
            rows = np.flatnonzero(key.document == document).tolist()
            others = np.flatnonzero(response.document == document).tolist()
            same = {a: [b for b in others if equal(key, response, a, b, how)] for a in rows}
            assert all(partner[a] == hits[0] for a, hits in same.items() if hits)
            left = [a for a in rows if not same[a]]
            used = {hits[0] for hits in same.values() if hits}
            allowed = {
                a: [b for b in others if b not in used and eligible(key, response, a, b, how)]
                for a in left
            }
            shares = {(a, b): share(key, response, a, b) for a in left for b in allowed[a]}

            def value(choice, shares=shares):
                total = sum((shares[pair] for pair in choice), Fraction(0))
                early = -sum(ranks[0][a] + ranks[1][b] for a, b in choice)
                return total, len(choice), early

            mine = [(a, partner[a]) for a in left if a in partner]
            assert value(mine) == max(map(value, all_choices(left, allowed)))
            n_chosen += len(mine)
            assert all(found.overlap[a] == float(shares[a, b]) for a, b in mine)
    assert n_chosen > 20


def test_nested_ties_pair_in_order():
    # three key mentions inside each of three larger response mentions: all shares are 1
    inner = [("e", list(range(4 - i, 6 + i)), 5) for i in range(3)]
    outer = [("e", list(range(i, 12 - i)), 5) for i in range(3)]
    for a in permutations(range(3)):
        for b in permutations(range(3)):
            key = side_of([Text("d", [inner[i] for i in a])])
            response = side_of([Text("d", [outer[i] for i in b])])
            found = match_mentions(key, response, "head").partner.tolist()
            pairs = {(len(inner[a[i]][1]), len(outer[b[j]][1])) for i, j in enumerate(found)}
            assert pairs == {(6, 12), (4, 10), (2, 8)}
            assert match_mentions(key, response, "head").overlap.tolist() == [1, 1, 1]
