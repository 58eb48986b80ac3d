"""Coreference scores on random documents: what has to hold whatever the documents are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from coreference_definitions import entities_by_label, numerators, sides
from partwise.coreference import score

MEASURES = {"muc": "muc", "b_cubed": "bcub", "ceaf_m": "ceafm", "ceaf_e": "ceafe", "lea": "lea"}


partitions = st.lists(st.integers(0, 4), max_size=9).map(entities_by_label)
pairs = st.lists(st.tuples(partitions, partitions), min_size=1, max_size=3)


@given(pairs)
def test_the_slow_definitions(documents):
    scores = score(*sides(documents), exact=True)
    for name, short in MEASURES.items():
        one = scores[name]
        for part, turn in (("recall", 1), ("precision", -1)):
            found = [numerators(*pair[::turn], short) for pair in documents]
            above, below = (sum(Fraction(x[i]) for x in found) for i in (0, 1))
            assert getattr(one, f"{part}_numerator") == above
            assert getattr(one, f"{part}_denominator") == below
            got = getattr(one, part)
            assert math.isclose(got, above / below if below else 0.0, rel_tol=1e-12)


@given(pairs)
def test_exchange_of_sides_exchanges_recall_and_precision(documents):
    key, response = sides(documents)
    one, other = score(key, response), score(response, key)
    for name in ("mentions", *MEASURES):
        assert one[name].recall == other[name].precision
        assert one[name].precision == other[name].recall
        assert one[name].f1 == other[name].f1
    luo, turned = (
        score(*pair, convention="luo-2014")["blanc"]
        for pair in ((key, response), (response, key))
    )
    assert (luo.recall, luo.precision, luo.f1) == (turned.precision, turned.recall, turned.f1)


@given(pairs, st.randoms(use_true_random=False))
def test_names_and_order_change_no_bit(documents, random):
    key, response = sides(documents)
    before = score(key, response)
    names = list(range(9))
    random.shuffle(names)

    def shuffled(side):
        found = {}
        for name in random.sample(sorted(side), len(side)):
            here = [[names[m] for m in entity] for entity in side[name]]
            for entity in here:
                random.shuffle(entity)
            random.shuffle(here)
            found[name] = here
        return found

    after = score(shuffled(key), shuffled(response))
    assert after.to_dict() == before.to_dict()
    assert after.macro == before.macro
    for name in key:
        assert after.per_document[name] == before.per_document[name]


@given(st.lists(partitions, min_size=1, max_size=3))
def test_the_key_itself_is_perfect(documents):
    key = {f"d{i}": document for i, document in enumerate(documents)}
    scores = score(key, key)
    for name in scores:
        one = scores[name]
        if name != "conll" and not one.undefined:
            assert (one.recall, one.precision, one.f1) == (1.0, 1.0, 1.0)
    if any(len(entity) > 1 for document in documents for entity in document):
        assert scores["conll"].f1 == 1.0


# ---- partitions ------------------------------------------------------------------------


def labels_of(documents, unmatched):
    """Return labels of both sides over all mentions, by the words of the policy."""
    columns = [], []
    for d, pair in enumerate(documents):
        owners = [{m: i for i, entity in enumerate(side) for m in entity} for side in pair]
        every, both = owners[0].keys() | owners[1].keys(), owners[0].keys() & owners[1].keys()
        for mention in sorted(both if unmatched == "drop" else every):
            for column, owner in zip(columns, owners, strict=True):
                own = owner.get(mention)
                column.append((d, "alone", mention) if own is None else (d, "entity", own))
    codes = []
    for column in columns:
        numbers = {label: i for i, label in enumerate(dict.fromkeys(column))}
        codes.append(np.array([numbers[label] for label in column], dtype=np.int64))
    return codes


@given(pairs, st.sampled_from(["drop", "singletons"]))
def test_measures_of_partitions(documents, unmatched):
    scores = score(*sides(documents))
    codes = labels_of(documents, unmatched)
    table = scores.contingency(unmatched=unmatched)
    assert table.n_items == len(codes[0])
    if len(codes[0]):
        for measure in (pw.s_entropy, pw.rand_index, pw.variation_of_information):
            assert measure(table) == measure(*codes)
    report = scores.input_report
    assert (table.account.reference.unmatched, table.account.candidate.unmatched) == (
        report.twinless
    )
    parts = [
        scores.contingency(unmatched=unmatched, document=name) for name in scores.documents
    ]
    assert sum(part.n_items for part in parts) == table.n_items
    assert sum(part.n_cells for part in parts) == table.n_cells


def test_twinless_mentions_are_refused_unless_something_is_said():
    scores = score({"d": [["a", "b"]], "e": [["x"]]}, {"d": [["a", "c", "d"]], "e": [["x"]]})
    with pytest.raises(ValueError, match="1 mentions of the key and 2 of the response"):
        scores.contingency()
    assert scores.contingency(document="e").n_items == 1
    dropped = scores.contingency(unmatched="drop")
    assert dropped.account.dropped == 3
    assert "2 candidate items not in the reference (dropped)" in dropped.account.describe()
    with pytest.raises(KeyError, match="no such document"):
        scores.contingency(document="f")
    with pytest.raises(ValueError, match="unmatched"):
        scores.contingency(unmatched="keep")


# ---- components ------------------------------------------------------------------------


@given(pairs)
def test_components_add_up_to_the_score(documents):
    scores = score(*sides(documents))
    names = ["muc", "ceaf_m", "ceaf_e", "mentions"]
    names += [
        f"{m}_{part}" for m in (*MEASURES, "mentions") for part in ("recall", "precision")
    ]
    for name in names:
        found = pw.decompose(scores, measure=name)
        measure, _, part = found.measure.rpartition("_")
        assert found.value == getattr(scores[measure], part)
        assert math.isclose(found.total, found.value, rel_tol=1e-12, abs_tol=1e-15)
        lost = math.fsum(found.loss.tolist())
        assert math.isclose(found.best - lost, found.value, rel_tol=1e-12, abs_tol=1e-12)
        if found.loss_numerators is not None and found.loss_denominator:
            exact = 1 - Fraction(int(found.loss_numerators.sum()), found.loss_denominator)
            assert math.isclose(found.value, exact, rel_tol=1e-12, abs_tol=1e-15)
        mentions = scores["mentions"]
        n = mentions.recall_denominator + mentions.precision_denominator
        assert found.sizes.sum() == n - mentions.recall_numerator


@given(partitions, partitions)
def test_the_score_of_a_component_is_that_of_its_entities(key, response):
    found = pw.decompose(score({"d": key}, {"d": response}), measure="ceaf_e_recall")
    blocks = []
    for entity in map(set, key):
        blocks.append((entity, [sorted(entity)], []))
    for entity in response:
        met = [block for block in blocks if block[0] & set(entity)]
        blocks = [block for block in blocks if not block[0] & set(entity)]
        union = set(entity).union(*(block[0] for block in met))
        keys = [x for block in met for x in block[1]]
        blocks.append((union, keys, [entity, *(x for block in met for x in block[2])]))
    wanted = [
        score({"d": keys}, {"d": responses})["ceaf_e"].recall for _, keys, responses in blocks
    ]
    np.testing.assert_allclose(sorted(found.scores), sorted(wanted), rtol=1e-12)


def test_what_is_no_sum_is_refused():
    scores = score({"d": [["a", "b"]]}, {"d": [["a", "b"]]})
    for name in ("blanc", "conll", "sums"):
        with pytest.raises(ValueError, match="no weighted sum over components; these are"):
            pw.decompose(scores, measure=name)
    with pytest.raises(ValueError, match="b_cubed_recall and b_cubed_precision are"):
        pw.decompose(scores, measure="b_cubed")
    with pytest.raises(TypeError, match="nothing else"):
        pw.decompose(scores, measure="muc", unmatched="drop")
