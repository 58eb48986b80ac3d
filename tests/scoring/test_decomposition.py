"""Scores re-add from their components: reference values, definitions, laws."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cases
import partwise as pw
from partwise.measures.catalogue import find

ROWS = {
    name: row
    for name, row in pw.catalogue().items()
    if row.computation.decomposition and not row.computation.items
}
STRUCTURE = cases.load("structure.json")
# Names of the reference file, and what 1 - S is where the catalogue has the distance.
LETTERS = {
    "R": "rand_index",
    "I": "mutual_information",
    "V": "vi_similarity_log_n",
    "N": "van_dongen(normalized=True)",
    "A": "classification_accuracy",
    "S_H": "s_entropy",
    "K": "vi_similarity_log_k(k={k})",
}
JOIN_WEIGHTED = [name for name, row in ROWS.items() if row.join_weighted]


def full(name, k=16):
    return f"{name}(k={k})" if ROWS[name].required_options else name


@st.composite
def pairs(draw, max_size=16):
    n = draw(st.integers(0, max_size))
    k = draw(st.sampled_from([1, 2, 4, 9]))
    labels = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    a, other = draw(labels), draw(labels)
    kind = draw(st.sampled_from(["free", "noisy", "same", "refined", "blocks"]))
    b = {
        "free": other,
        "noisy": [
            y if i % 4 == 0 else x for i, (x, y) in enumerate(zip(a, other, strict=True))
        ],
        "same": a,
        "refined": [10 * x + y for x, y in zip(a, other, strict=True)],
        "blocks": [10 * (x // 3) + y % 2 for x, y in zip(a, other, strict=True)],
    }[kind]
    number = {}
    return a, [number.setdefault(y, len(number)) for y in b]


def close(x, y):
    return math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-13)


@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case["id"])
def test_reference_values(case):
    table = pw.contingency(case["a"], case["b"])
    # the file lists components by their first item
    first = {}
    for item, j in enumerate(pw.components(case["a"], case["b"]).item_component.tolist()):
        first.setdefault(j, item)
    order = sorted(first, key=first.get)
    checked = 0
    for key, wanted in case["values"].items():
        if not key.startswith("decomposition("):
            continue
        letter, _, k = key[len("decomposition(") : -1].partition(",k=")
        found = pw.decompose(table, measure=LETTERS[letter].format(k=k))
        if letter == "N":
            value, scores = 1 - found.value, 1 - found.scores
        else:
            value, scores = found.value, found.scores
            assert close(found.offset, wanted["offset"])
        assert close(value, wanted["score"])
        assert np.allclose(found.weights[order], wanted["weights"], rtol=1e-13, atol=1e-15)
        assert np.allclose(scores[order], wanted["component_scores"], rtol=1e-12, atol=1e-13)
        checked += 1
    assert checked >= 6


def able(weighted):
    return {name: row for name, row in ROWS.items() if row.computation.weights or not weighted}


@pytest.mark.parametrize("weighted", [False, True])
@given(pair=pairs())
def test_scores_are_the_measures_own_and_readd(weighted, pair):
    weights = [1 / (1 + i % 5) for i in range(len(pair[0]))] if weighted else None
    table = pw.contingency(*pair, weights=weights)
    parts = list(table.components().tables())
    for name in able(weighted):
        found = pw.decompose(table, measure=full(name))
        assert found.value == find(full(name))(table), name
        assert close(found.total, found.value), name
        assert found.sizes.tolist() == [part.n_items for part in parts]
        for part, score in zip(parts, found.scores, strict=True):
            assert close(find(full(name))(part), score), name
        assert (found.weights >= 0).all(), name


@pytest.mark.parametrize("weighted", [False, True])
@given(pair=pairs())
def test_losses_are_what_is_missing(weighted, pair):
    a, b = pair
    weights = np.arange(1.0, len(a) + 1) if weighted else None
    table, same = (pw.contingency(a, x, weights=weights) for x in (b, a))
    whole = [part.shape == (1, 1) for part in table.components().tables()]
    for name, row in able(weighted).items():
        found = pw.decompose(table, measure=full(name))
        assert (found.loss >= 0).all(), name
        if row.direction == "higher":
            assert close(found.best, find(full(name))(same)), name
            missing = found.best - found.value
        else:
            assert found.best == 0
            missing = found.value
        assert close(found.loss.sum(), missing), name
        # a component on which both sides agree loses nothing
        assert not found.loss[np.array(whole, dtype=bool)].any(), name


@given(pair=pairs())
def test_integers_readd_exactly(pair):
    """The loss as a fraction: 1 - its sum is the measure, correctly rounded."""
    n_exact = 0
    for name, row in ROWS.items():
        found = pw.decompose(*pair, measure=full(name))
        if found.loss_numerators is None:
            continue
        n_exact += 1
        lost = Fraction(int(found.loss_numerators.sum()), found.loss_denominator)
        wanted = lost if row.direction == "lower" else 1 - lost
        if name in ("russell_rao", "hubert_gamma(normalized=False)"):
            continue  # their best value is not 1
        assert found.value == float(wanted), name
    assert n_exact >= 20 or not pair[0]


@given(pair=pairs())
def test_table_1(pair):
    """The weights and offsets that Table 1 of SM prints."""
    n = len(pair[0])
    assume(n >= 2)
    sizes = [part.n_items for part in pw.contingency(*pair).components().tables()]
    share = [x / n for x in sizes]
    of_pairs = [x * (x - 1) / (n * (n - 1)) for x in sizes]
    logs = [x * math.log(x) / (n * math.log(n)) for x in sizes]
    join = math.log(n) - sum(x / n * math.log(x) for x in sizes)
    printed = {
        "rand_index": (of_pairs, 1 - sum(of_pairs)),
        "mutual_information": (share, join),
        "vi_similarity_log_n": (logs, 1 - sum(logs)),
    }
    printed |= dict.fromkeys([x for x in JOIN_WEIGHTED if x != "van_dongen"], (share, 0))
    for name, (weights, offset) in printed.items():
        found = pw.decompose(*pair, measure=full(name))
        assert np.allclose(found.weights, weights, rtol=1e-13, atol=1e-15), name
        assert close(found.offset, offset)
        if offset == 0 and name in JOIN_WEIGHTED:
            assert found.offset == 0


def restricted(labels, items):
    return [labels[i] for i in items]


@given(pair=pairs(), seed=st.integers(0, 9))
def test_convex_additivity_and_additivity_of_composition(pair, seed):
    """Over any clustering that both refine, and over L itself where C refines L."""
    a, b = pair
    n = len(a)
    assume(n)
    join = pw.join(a, b)
    coarser = np.random.default_rng(seed).integers(0, 3, n)[join]
    for over, other in (
        (coarser, b),
        (np.array(a), [x * 100 + y for x, y in zip(a, b, strict=True)]),
    ):
        for name in JOIN_WEIGHTED:
            if name == "van_dongen" or ROWS[name].tie_dependent:
                continue
            options = {**ROWS[name].options}
            if ROWS[name].required_options:
                options["k"] = n
            total = 0.0
            for x in set(over.tolist()):
                items = np.flatnonzero(over == x)
                inner = ROWS[name].function(
                    restricted(a, items), restricted(other, items), **options
                )
                total += len(items) / n * inner
            assert close(ROWS[name].function(a, other, **options), total), name


def test_scores_of_items_readd():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 12, 60)
    b = np.where(rng.random(60) < 0.8, a, a // 2 + 20)
    rows = rng.normal(size=(60, 2))
    weights = rng.random(60)
    for extra in ({}, {"weights": weights}):
        aligned = pw.align(a, b, features=rows, **extra)
        of_item = pw.components(aligned).item_component
        for name in ("s_mse", "s_mse(combine=mean)"):
            found = pw.decompose(aligned, measure=name)
            assert close(found.total, found.value)
            assert close(found.loss.sum(), 1 - found.value)
            for j in range(len(found)):
                own = of_item == j
                mass = {"weights": weights[own]} if extra else {}
                inner = find(name).function(
                    a[own], b[own], features=rows[own], **find(name).options, **mass
                )
                assert close(inner, found.scores[j])


def test_split_merge_takes_its_options_as_keywords():
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 2]

    def score(sizes, indptr, parts):
        return np.maximum.reduceat(parts, indptr[:-1]) / sizes

    own = pw.decompose(a, b, measure="split_merge", score=score, combine="mean")
    word = pw.decompose(a, b, measure="split_merge(score=max_share, combine=mean)")
    distance = pw.decompose(a, b, measure="van_dongen(normalized=True)")
    for found in (own, word):
        assert np.allclose(found.loss, distance.loss, rtol=1e-14)
        assert np.allclose(found.weights, distance.weights, rtol=1e-14)


def test_counts_beyond_31_bits_stay_exact():
    big = 2**40
    table = pw.Contingency.from_counts([0, 0, 1, 2], [0, 1, 1, 2], [big, big + 7, 5, big])
    for name in ("rand_index", "mirkin", "jaccard", "purity", "adapted_rand_error"):
        found = pw.decompose(table, measure=name)
        lost = Fraction(int(found.loss_numerators.sum()), found.loss_denominator)
        value = lost if ROWS[name].direction == "lower" else 1 - lost
        assert found.value == float(value)
        assert close(found.total, found.value)
    lost = pw.decompose(table, measure="mirkin").loss_numerators.tolist()
    assert lost == [2 * (big * (big + 7) + (big + 7) * 5), 0]


def test_components_without_mass_do_not_count():
    a, b, weights = [0, 0, 1, 1, 2], [0, 1, 2, 3, 4], [1, 2, 0, 0, 3]
    for name in JOIN_WEIGHTED:
        if not ROWS[name].computation.weights:
            continue
        found = pw.decompose(a, b, measure=full(name), weights=weights)
        assert close(found.total, found.value)
        if name != "van_dongen":
            assert found.weights.tolist() == [0.5, 0, 0.5]
        assert found.loss[1] == 0


def test_no_items():
    for name, row in ROWS.items():
        found = pw.decompose([], [], measure=full(name))
        assert len(found) == 0
        assert (
            found.total
            == found.value
            == found.offset
            == row.function([], [], **find(full(name)).options)
        )


@pytest.mark.one_backend
def test_reports():
    a, b = [0, 0, 1, 1, 2, 3], [0, 1, 2, 2, 2, 4]
    found = pw.decompose(a, b, measure="s_entropy")
    assert repr(found) == "Decomposition(s_entropy = 0.3770, 3 components)"
    lines = str(found).splitlines()
    assert lines[0] == "s_entropy = 0.3770: 3 components, offset 0.0000"
    assert lines[1].split() == ["component", "items", "weight", "score", "loss"]
    assert [line.split()[0] for line in lines[2:]] == ["0", "1"]
    assert found.worst(1).tolist() == [0]
    assert "nothing is lost" in str(pw.decompose(a, a, measure="s_entropy"))
    many = pw.decompose(np.repeat(np.arange(20), 2), np.arange(40), measure="purity")
    assert "nothing is lost" in str(many)
    many = pw.decompose(np.repeat(np.arange(20), 2), np.arange(40), measure="inverse_purity")
    assert str(many).endswith("and 10 more that lose no more than these")
    plain = found.to_dict()
    assert plain["measure"] == "s_entropy"
    assert plain["loss"] == found.loss.tolist()
    frame = pytest.importorskip("pandas") and found.to_pandas()
    assert frame.index.name == "component"
    assert frame["contribution"].tolist() == (found.weights * found.scores).tolist()


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("keywords", "kind", "fragment"),
    [
        ({"measure": "adjusted_rand_index"}, ValueError, "is no weighted sum.*rand_index, jac"),
        ({"measure": "wallace(adjusted=True)"}, ValueError, "is no weighted sum"),
        ({"measure": "hubert_gamma"}, ValueError, "is no weighted sum"),
        (
            {"measure": "wallace(adjusted=True, direction=candidate)"},
            ValueError,
            "is no weighted sum",
        ),
        ({"measure": "normalized_mutual_information(average=max)"}, ValueError, "no weighted"),
        ({"measure": "purety"}, ValueError, "did you mean purity"),
        ({"measure": "vi_similarity_log_k"}, ValueError, r"write vi_similarity_log_k\(k=...\)"),
        ({"measure": "vi_similarity_log_k(k=1)"}, ValueError, "k=1 is below the number"),
        ({"measure": "purity", "beta": 2}, TypeError, "no option 'beta'"),
        ({"measure": "s_mse"}, ValueError, "needs features="),
        ({"measure": 3}, TypeError, "asked for by name"),
        ({}, TypeError, "measure"),
    ],
)
def test_bad_calls_are_sentences(keywords, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.decompose([0, 0, 1], [0, 1, 1], **keywords)
    table = pw.contingency([0], [0])
    with pytest.raises(TypeError, match="beside a Contingency"):
        pw.decompose(table, measure="purity", missing="drop")
    with pytest.raises(ValueError, match="takes no weights"):
        pw.decompose([0], [0], weights=[1], measure="rand_index")


@pytest.mark.one_backend
def test_a_table_keeps_no_reference_to_itself():
    table = pw.contingency([0, 0, 1], [0, 1, 1])
    before = sys.getrefcount(table)
    for name in ROWS:
        pw.decompose(table, measure=full(name))
    assert sys.getrefcount(table) == before


@pytest.mark.one_backend
@pytest.mark.parametrize("name", ["jaccard", "pair_precision", "pair_recall"])
def test_nothing_of_nothing_is_lost_where_no_pair_is_together(name):
    labels = [0, 1, 2, 3]
    found = pw.decompose(labels, labels, measure=name)
    assert found.loss.tolist() == [0.0] * 4
    assert found.loss_numerators.tolist() == [0] * 4
    assert found.loss_denominator == 1
