"""Mentions of one side matched with those of the other."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import cases
from coreference_definitions import (
    Text,
    blanc_counts,
    entities_of,
    numerators,
    read_corefud,
    side_of,
)
from partwise import _kernels
from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import (
    without_singletons,
    without_zeros,
    zero_mentions,
)
from partwise.coreference.documents.zeros import zero_anaphors
from partwise.coreference.mentions import assignment, candidates
from partwise.coreference.mentions.assignment import best_pairs
from partwise.coreference.mentions.identity import packed
from partwise.coreference.mentions.matching import match_mentions
from partwise.coreference.mentions.word_overlap import word_overlap

WAYS = ("exact", "head", "partial", "minimum_span")


# ---- GUM against corefud-scorer ----------------------------------------------------


def close(value, wanted):
    return abs(float(value) - wanted) <= 1e-9 * max(1.0, abs(wanted))


def f_score(recall, precision):
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


@cache
def side_of_gum(path, singletons):
    side = side_of(read_corefud(path))
    return side if singletons == "with" else without_singletons(side)


@pytest.mark.parametrize("response", ["head", "string"])
@pytest.mark.parametrize("how", ["exact", "head", "partial"])
@pytest.mark.parametrize("singletons", ["with", "without"])
def test_gum(response, how, singletons, both, monkeypatch):
    folder = cases.shared("data", "coref", "gum")
    wanted = json.loads((folder / "reference_scores.json").read_text())
    wanted = wanted[f"{response}|{how}|{singletons}_singletons"]
    sides = [
        side_of_gum(folder / f"gum.{name}.conllu", singletons) for name in ("key", response)
    ]
    by_kernel = []
    for backend in both.values():
        monkeypatch.setattr(_kernels, "impl", backend)
        by_kernel.append(match_mentions(*sides, how, zeros="dependencies"))
    found, again = by_kernel
    assert np.array_equal(found.partner, again.partner)
    assert np.array_equal(found.overlap, again.overlap)
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

            def value(choice, shares=shares, ranks=ranks):
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


# ---- order changes nothing ---------------------------------------------------------


def shuffled(rng, texts, order):
    """The same documents in another order, mentions shuffled, entities renamed."""
    found = []
    for i in order:
        names = dict(zip("abcdefgh", rng.permutation(list("abcdefgh")), strict=True))
        mentions = [texts[i].mentions[j] for j in rng.permutation(len(texts[i].mentions))]
        renamed = [(names[eid], tokens, head) for eid, tokens, head in mentions]
        found.append(Text(texts[i].name, renamed))
    return found


def matched_spans(key, response, how, zeros="position"):
    """Matched pairs as sets of tokens, by name of the document."""
    found = match_mentions(key, response, how, zeros=zeros)
    spans = [
        {
            row: (side.names[side.document[row]], *sorted(t for _, t in tokens_of(side, row)))
            for row in range(len(side))
        }
        for side in (key, response)
    ]
    return {(spans[0][a], spans[1][b]) for a, b in pairs_of(found)}


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("how", WAYS)
def test_order_changes_nothing(how, gaps):
    rng = np.random.default_rng(11)
    for _ in range(12):
        sides = [[random_text(rng, 8, 14, gaps, f"d{d}") for d in range(4)] for _ in range(2)]
        for texts in sides:
            for text in texts:  # few heads, so that there are ties
                text.mentions = [("a", t, t[len(t) // 2]) for _, t, _ in text.mentions]
        sets = []
        for _ in range(3):
            order = rng.permutation(4)
            moved = [shuffled(rng, texts, order) for texts in sides]
            key, response = (side_of(own, minimum=least_of(own)) for own in moved)
            sets.append(matched_spans(key, response, how))
        assert sets[0] == sets[1] == sets[2]
        assert sets[0]


# ---- equal mentions ----------------------------------------------------------------


def objects(documents):
    """A side of hashables: one list of mentions a document, one entity each."""
    document = [d for d, own in enumerate(documents) for _ in own]
    codes = np.array(document, dtype=np.int64)
    numbers = np.arange(len(documents))
    names = [str(number) for number in numbers]
    mentions = [mention for own in documents for mention in own]
    return Side(names, codes, codes, numbers, names, mentions, [None] * len(names))


def test_objects_are_matched_within_their_document():
    key = objects([["x", ("y", 1)], ["x", 2]])
    response = objects([[("y", 1), "z"], [2.0, "x", "y"]])
    assert match_mentions(key, response).partner.tolist() == [-1, 0, 3, 2]
    assert match_mentions(key, response).overlap.tolist() == [0, 1, 1, 1]


def test_repeats_are_paired_in_the_order_of_rows():
    found = match_mentions(objects([["x", "y", "x", "x"]]), objects([["x", "y", "x"]]))
    assert found.partner.tolist() == [0, 1, 2, -1]
    text = Text("d", [("a", [1], 1), ("b", [1], 1), ("c", [2], 2)])
    side = side_of([text])
    assert match_mentions(side, side).partner.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n_documents", [1, 40])
def test_many_spans_are_matched_as_by_a_dictionary(n_documents):
    rng = np.random.default_rng(5)
    sides = []
    for _ in range(2):
        document = np.sort(rng.integers(0, n_documents, 3000))
        first = rng.integers(0, 60, 3000)
        rows = np.unique(np.stack([document, first, first + rng.integers(0, 9, 3000)]), axis=1)
        rng.shuffle(block := np.split(rows.T, np.flatnonzero(np.diff(rows[0])) + 1)[0])
        rows[:, : len(block)] = block.T
        codes = np.zeros(rows.shape[1], dtype=np.int64)
        spans = Spans(rows[1].copy(), rows[2].copy())
        names = list(map(str, range(n_documents)))
        tokens = [None] * n_documents
        sides.append(Side(names, rows[0].copy(), codes, codes[:1], ["e"], spans, tokens))

    def triples(side):
        columns = (side.document, side.mentions.first, side.mentions.last)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    places = {triple: row for row, triple in enumerate(triples(sides[1]))}
    wanted = [places.get(triple, -1) for triple in triples(sides[0])]
    assert match_mentions(*sides).partner.tolist() == wanted


def test_far_positions_and_long_spans_are_told_apart():
    # first, last and head do not fit one 64-bit code as they are
    far = 1 << 40
    first = np.array([0, far, far, 5], dtype=np.int64)
    last = np.array([far * 2, far * 2, far, 5], dtype=np.int64)
    codes = np.zeros(4, dtype=np.int64)

    def side(order):
        spans = Spans(first[order], last[order], last[order])
        return Side(["d"], codes, codes, codes[:1], ["e"], spans, [None])

    for how in ("exact", "head", "partial"):
        found = match_mentions(side([0, 1, 2, 3]), side([3, 2, 0, 1]), how)
        assert found.partner.tolist() == [2, 3, 1, 0]


def test_codes_ascend_with_rows():
    rng = np.random.default_rng(6)
    columns = [
        rng.integers(0, 1 << 61, 300),
        rng.integers(0, 3, 300),
        rng.integers(0, 1 << 60, 300),
    ]
    columns[0][:150] = columns[0][150:]
    order = np.lexsort(columns[::-1])
    assert packed(columns)[order].tolist() == sorted(packed(columns).tolist())
    assert len(set(packed(columns).tolist())) == len(
        set(zip(*(c.tolist() for c in columns), strict=True))
    )


@pytest.mark.parametrize("how", ["exact", "head"])
def test_documents_lie_apart(how):
    # either side reaches further in one of the documents
    near, far = [("e", [1], 1)], [("e", [3], 3)]
    for texts in ((far, near), (near, far)):
        key = side_of([Text("a", texts[0]), Text("b", near)])
        response = side_of([Text("a", texts[1]), Text("b", near)])
        assert match_mentions(key, response, how).partner.tolist() == [-1, 1]
        shifted = side_of([Text("a", texts[1]), Text("b", [("e", [0], 0), ("e", [2], 2)])])
        assert match_mentions(key, shifted, how).partner.tolist() == [-1, -1]
    key = side_of([Text("a", far), Text("b", [])])
    response = side_of([Text("a", []), Text("b", far)])
    assert match_mentions(key, response, how).partner.tolist() == [-1]
    response = side_of([Text("a", near), Text("b", [("e", [x], x) for x in range(4)])])
    assert match_mentions(key, response, how).partner.tolist() == [-1]


def test_empty_sides():
    empty, one = side_of([Text("d")]), side_of([Text("d", [("e", [1], 1)])])
    for how in ("exact", "head", "partial"):
        for key, response in ((empty, one), (one, empty), (empty, empty)):
            found = match_mentions(key, response, how, zeros="dependencies")
            assert found.partner.tolist() == [-1] * len(key)
    assert word_overlap(empty, one).response.tolist() == [1]
    assert zero_anaphors(empty, one, match_mentions(empty, one)).right.tolist() == [0]
    none = objects([])
    assert len(match_mentions(none, none).partner) == 0


# ---- ways that differ --------------------------------------------------------------


def test_what_each_way_takes():
    key = side_of([Text("d", [("e", [1, 2, 3, 4], 3)])], minimum=[[2, 3]])

    def partners(tokens, head):
        other = side_of([Text("d", [("e", tokens, head)])])
        return [match_mentions(key, other, how).overlap[0] for how in WAYS]

    assert partners([1, 2, 3, 4], 3) == [1, 1, 1, 1]
    assert partners([1, 2, 3, 4], 2) == [1, 0, 1, 1]  # same words, another head
    assert partners([2, 3], 3) == [0, 0.5, 0.5, 0.5]
    assert partners([3], 3) == [0, 0.25, 0.25, 0]  # lacks a word of the minimum span
    assert partners([2, 3, 4, 5], 3) == [0, 0.75, 0, 0]  # goes beyond the key's
    assert partners([1, 3], 3) == [0, 0.5, 0.5, 0]  # discontinuous
    assert partners([1, 2], 2) == [0, 0, 0, 0]


def test_equal_mentions_come_first():
    # the equal pair has share 1; leaving it would give 2 x 0.75
    key = side_of([Text("d", [("e", [0, 1, 2, 3], 2), ("e", [1, 2, 3, 4], 2)])])
    response = side_of([Text("d", [("e", [1, 2, 3, 4], 2)])])
    assert match_mentions(key, response, "head").partner.tolist() == [-1, 0]


def test_rounded_shares_where_no_denominator_is_common():
    rng = np.random.default_rng(2)
    below = rng.integers(10**6, 10**7, 30)
    rows, cols = np.divmod(np.arange(30), 5)
    above = rng.integers(1, below)
    cells = assignment._Cells.of(np.arange(30), rows, cols)
    assert assignment._common_multiples(rows * 0, below, 1).tolist() == [0]
    assert cells.components[2] == 1
    taken = best_pairs(rows, cols, above, below)
    shares = {
        (r, c): Fraction(int(a), int(b))
        for r, c, a, b in zip(rows.tolist(), cols.tolist(), above, below, strict=True)
    }
    best = max(
        sum(shares[r, c] for c, r in enumerate(chosen)) for chosen in permutations(range(6), 5)
    )
    mine = sum(
        shares[r, c] for r, c in zip(rows[taken].tolist(), cols[taken].tolist(), strict=True)
    )
    assert abs(mine - best) < Fraction(1, 1 << 45)


def test_sums_that_doubles_cannot_tell_apart_are_ties():
    # 1/3 + 3/6 = 2/3 + 1/6: the rule of order decides, not a rounding
    rows, cols = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    below = np.array([3, 3, 6, 6])
    assert best_pairs(rows, cols, np.array([1, 2, 1, 3]), below).tolist() == [0, 3]
    assert best_pairs(rows, cols, np.array([2, 1, 3, 1]), below).tolist() == [0, 3]
    assert best_pairs(rows, cols, np.array([1, 2, 2, 3]), below).tolist() == [1, 2]


def test_common_multiples():
    rng = np.random.default_rng(4)
    component = rng.integers(0, 20, 200)
    component = np.unique(component, return_inverse=True)[1]
    below = rng.integers(1, 30, 200)
    found = assignment._common_multiples(component, below, int(component.max()) + 1)
    for number, multiple in enumerate(found.tolist()):
        assert multiple == np.lcm.reduce(below[component == number])


def test_nests_too_deep_are_refused(monkeypatch):
    monkeypatch.setattr(candidates, "PAIRS_MOST", 50)
    monkeypatch.setattr(candidates, "PAIRS_A_MENTION", 1)
    inner = [("e", list(range(19 - i, 21 + i)), 20) for i in range(9)]
    outer = [("e", list(range(19 - i, 22 + i)), 20) for i in range(9)]
    key, response = side_of([Text("deep", inner)]), side_of([Text("deep", outer)])
    with pytest.raises(ValueError, match=r"'deep', tokens .* goes with 9 of the resp") as error:
        match_mentions(key, response, "head")
    # what people say is the option of ``score``
    assert str(error.value).startswith('mentions="head": ')
    assert str(error.value).endswith('; mentions="exact" takes them')
    with pytest.raises(ValueError, match="overlap of words"):
        word_overlap(key, response)
    assert (match_mentions(key, key, "head").partner >= 0).all()


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(8)
    sides = [side_of([random_text(rng, 40, 60, True)]) for _ in range(2)]
    wanted = [match_mentions(*sides, how).partner.tolist() for how in ("head", "partial")]
    words = word_overlap(*sides)
    for block in (1, 7):
        monkeypatch.setattr(candidates, "BLOCK", block)
        found = [match_mentions(*sides, how).partner.tolist() for how in ("head", "partial")]
        assert found == wanted
        assert word_overlap(*sides).common.tolist() == words.common.tolist()


@pytest.mark.parametrize("gaps", [False, True])
def test_word_overlap_of_all_choices(gaps):
    rng = np.random.default_rng(13)
    for _ in range(40):
        sides = [side_of([random_text(rng, 8, 5, gaps)]) for _ in range(2)]
        key, response = sides
        common = {
            (a, b): len(tokens_of(key, a) & tokens_of(response, b))
            for a in range(len(key))
            for b in range(len(response))
        }
        allowed = {a: list(range(len(response))) for a in range(len(key))}
        choices = all_choices(list(range(len(key))), allowed)
        best = max(sum(common[pair] for pair in choice) for choice in choices)
        assert word_overlap(key, response).common.tolist() == [best]


# ---- zeros -------------------------------------------------------------------------


def with_zeros(ids, sentence, mentions, dependencies=None):
    dependencies = dependencies or ["_"] * len(ids)
    return side_of([Text("d", mentions, ids, sentence, dependencies)])


def test_positions_differ_where_empty_nodes_do():
    # word 2 is token 2 of the key and token 1 of the response
    key = with_zeros(["1", "1.1", "2"], [0, 0, 0], [("e", [2], 2), ("e", [1], 1)])
    response = with_zeros(["1", "2"], [0, 0], [("e", [1], 1)])
    assert match_mentions(key, response).partner.tolist() == [0, -1]
    assert match_mentions(response, key).partner.tolist() == [0]


def test_a_span_holds_no_empty_nodes_of_the_other_side():
    key = with_zeros(["1", "1.1", "2"], [0, 0, 0], [("e", [0, 1, 2], 0)])
    response = with_zeros(["1", "2"], [0, 0], [("e", [0, 1], 0)])
    assert match_mentions(key, response).partner.tolist() == [-1]
    assert match_mentions(key, response, "head").overlap.tolist() == [2 / 3]
    assert match_mentions(response, key, "head").overlap.tolist() == [1.0]
    assert match_mentions(key, response, "partial").overlap.tolist() == [2 / 3]
    assert match_mentions(response, key, "partial").overlap.tolist() == [0.0]
    holes = with_zeros(["1", "1.1", "2"], [0, 0, 0], [("e", [0, 2], 0)])
    assert match_mentions(holes, response).partner.tolist() == [0]


def test_empty_nodes_before_a_sentence_are_none_of_the_one_before():
    ids, sentence = ["1", "1.1", "1"], [0, 0, 1]
    key = with_zeros(ids, sentence, [("e", [1], 1)])
    response = with_zeros(["1", "0.1", "1"], [0, 1, 1], [("e", [1], 1)])
    assert match_mentions(key, response).partner.tolist() == [-1]
    assert match_mentions(response, response).partner.tolist() == [0]


def test_empty_nodes_without_ids_are_counted():
    for ids, sentence in ((["1", "1.1", "1.2", "2"], [0] * 4), (["0.1", "0.2", "1"], [0] * 3)):
        numbered = with_zeros(ids, sentence, [("e", [1], 1), ("e", [2], 2)])
        tokens = numbered.tokens[0]
        bare = type(tokens)(tokens.words, tokens.sentence, tokens.empty)
        plain = replace(numbered, tokens=[bare])
        assert match_mentions(plain, numbered).partner.tolist() == [0, 1]


def test_zeros_by_dependencies():
    # what TC-ZG of corefud-scorer asks for: one agreeing arc beats three agreeing parents
    dependencies = ["_", "13:a|14:b|15:c", "_"]
    key = with_zeros(["15", "15.1", "16"], [0] * 3, [("e", [1], 1)], dependencies)
    ids, sentence = ["15", "15.1", "15.2", "16"], [0] * 4
    mentions = [("f", [1], 1), ("e", [2], 2)]
    response = with_zeros(ids, sentence, mentions, ["_", "13:x|14:y|15:z", "13:a", "_"])
    assert match_mentions(key, response).partner.tolist() == [0]
    found = match_mentions(key, response, zeros="dependencies")
    assert found.partner.tolist() == [1]
    assert found.zeros == "dependencies"
    # 10 x F(1 of 3, 1 of 1) + the same, over 11
    assert found.overlap.tolist() == [0.5]


def test_zeros_by_dependencies_do_not_cross_sentences():
    ids, sentence = ["1", "1.1", "1", "1.1"], [0, 0, 1, 1]
    arcs = ["_", "1:nsubj", "_", "1:nsubj"]
    key = with_zeros(ids, sentence, [("e", [1], 1)], arcs)
    response = with_zeros(ids, sentence, [("e", [3], 3)], arcs)
    assert match_mentions(key, response, zeros="dependencies").partner.tolist() == [-1]
    assert match_mentions(key, key, zeros="dependencies").overlap.tolist() == [1.0]
    bare = with_zeros(ids, sentence, [("e", [1], 1)])  # no dependencies: by place
    assert match_mentions(bare, key, zeros="dependencies").partner.tolist() == [0]


def test_zero_anaphors_by_hand():
    # zeros at 1.1, 2.1, 3.1 of the key refer back to word 1; the response misses one, links one
    # to another entity, has one too many
    ids = ["1", "1.1", "2", "2.1", "3", "3.1", "4", "4.1"]
    sentence = [0] * 8
    key = with_zeros(
        ids, sentence, [("a", [0], 0), ("a", [1], 1), ("a", [3], 3), ("a", [5], 5)]
    )
    response = with_zeros(
        ids,
        sentence,
        [("a", [0], 0), ("a", [1], 1), ("b", [2], 2), ("b", [3], 3), ("b", [7], 7)],
    )
    found = zero_anaphors(key, response, match_mentions(key, response))
    assert found.right.tolist() == [1]  # 1.1
    assert found.wrong_link.tolist() == [1]  # 2.1: no earlier mention of a is in b
    assert found.missed.tolist() == [1]  # 3.1
    assert found.spurious.tolist() == [1]  # 4.1
    assert found.recall_below.tolist() == found.precision_below.tolist() == [3]


def test_zeros_with_the_head_elsewhere_are_none():
    side = with_zeros(["1", "1.1", "2"], [0] * 3, [("e", [0, 1], 0), ("f", [1, 2], 1)])
    assert zero_mentions(side).tolist() == [False, True]
    assert without_zeros(side).entity_names == ["e"]
    headless = replace(side, mentions=replace(side.mentions, head=None))
    assert zero_mentions(headless).tolist() == [False, True]


# ---- sides -------------------------------------------------------------------------


def test_without_singletons():
    side = side_of(
        [
            Text("a", [("e", [1], 1), ("f", [2, 4], 2), ("e", [3], 3)]),
            Text("b", [("e", [1], 1)]),
            Text("c", [("g", [1, 3], 1), ("g", [2], 2)]),
        ]
    )
    left = without_singletons(side)
    assert left.names == side.names
    assert left.document.tolist() == [0, 0, 2, 2]
    assert left.entity.tolist() == [0, 0, 1, 1]
    assert left.entity_names == ["e", "g"]
    assert left.entity_document.tolist() == [0, 2]
    assert left.mentions.first.tolist() == [1, 3, 1, 2]
    assert left.mentions.token_ends.tolist() == [0, 1, 2, 4, 5]
    assert left.mentions.tokens.tolist() == [1, 3, 1, 3, 2]
    assert without_singletons(left) is left
    few = without_singletons(objects([["x"], ["y", "z"]]))
    assert (few.mentions, few.entity_names) == (["y", "z"], ["1"])


# ---- what is refused ---------------------------------------------------------------


def test_errors():
    one = side_of([Text("d", [("e", [1], 1)])])
    bare = replace(one, mentions=replace(one.mentions, head=None))
    with pytest.raises(ValueError, match="'heads'"):
        match_mentions(one, one, "heads")
    with pytest.raises(ValueError, match="zeros"):
        match_mentions(one, one, zeros="linear")
    with pytest.raises(ValueError, match="needs heads, which the response does not have"):
        match_mentions(one, bare, "head")
    with pytest.raises(ValueError, match="needs heads, which the key does not have"):
        match_mentions(bare, one, "partial")
    assert match_mentions(one, bare, "partial").partner.tolist() == [0]
    with pytest.raises(ValueError, match="minimum spans"):
        match_mentions(one, one, "minimum_span")
    with pytest.raises(ValueError, match="same documents"):
        match_mentions(one, replace(one, names=["other"]))
    with pytest.raises(TypeError, match="key are spans and those of the response objects"):
        match_mentions(one, replace(one, mentions=["x"]))
    with pytest.raises(TypeError, match="spans of tokens"):
        match_mentions(objects([["x"]]), objects([["x"]]), "head")
    with pytest.raises(TypeError, match="response cannot be hashed"):
        match_mentions(objects([["x"]]), objects([[["x"]]]))
    with pytest.raises(TypeError, match="are objects"):
        word_overlap(objects([["x"]]), objects([["x"]]))
    turned = replace(one, mentions=Spans(np.array([3]), np.array([1]), line=np.array([7])))
    with pytest.raises(ValueError, match=r"document 'd', line 7\) goes from token 3 to 1"):
        match_mentions(one, turned)
    listless = replace(
        one, mentions=Spans(*np.ones((3, 1), int), None, np.zeros(2, int), np.zeros(0, int))
    )
    with pytest.raises(ValueError, match="lists no tokens"):
        match_mentions(listless, one)
    far = np.array([(1 << 62) - 1])
    with pytest.raises(ValueError, match="can be told apart"):
        match_mentions(one, replace(one, mentions=Spans(far, far)))
    farthest = np.array([(1 << 63) - 1])
    with pytest.raises(ValueError, match="has token 9223372036854775807"):
        match_mentions(one, replace(one, mentions=Spans(farthest, farthest)))


def test_errors_of_documents_with_empty_nodes():
    key = with_zeros(["1", "1.1", "2"], [0] * 3, [("e", [1], 1)])
    with pytest.raises(ValueError, match="'d' has 2 words in the key and 3 in the response"):
        match_mentions(key, with_zeros(["1", "2", "3"], [0] * 3, []))
    with pytest.raises(ValueError, match="token 5 of document 'd', which has tokens 0 to 2"):
        match_mentions(key, with_zeros(["1", "1.1", "2"], [0] * 3, [("e", [5], 5)]))
    alone = with_zeros(["1", "1.1", "2"], [0] * 3, [("e", [5], 5)])
    with pytest.raises(ValueError, match=r"mention 0 \(document .d.\) has its head at token 5"):
        zero_mentions(alone)
    with pytest.raises(ValueError, match="out of order or twice"):
        match_mentions(key, with_zeros(["1", "1.2", "1.1", "2"], [0] * 4, []))
    with pytest.raises(ValueError, match=r"id '1\.x'"):
        match_mentions(key, with_zeros(["1", "1.x", "2"], [0] * 3, []))
