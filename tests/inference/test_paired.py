"""Paired tests against slow definitions; p-values under the hypothesis and away from it."""

import numpy as np
import pytest
from scipy import stats

import partwise as pw
from partwise import _kernels
from partwise.inference.draws import BOOTSTRAP, stream_of
from partwise.inference.paired import coins


def systems(n_documents, size, seed, noise=(0.4, 0.4)):
    """A reference and two noisy copies; no cluster crosses a document."""
    own = np.random.default_rng(seed)
    n = n_documents * size
    document = np.repeat(np.arange(n_documents), size)
    gold = document * 100 + own.integers(0, 4, n)
    found = [
        np.where(own.random(n) < one, document * 100 + own.integers(0, 5, n), gold)
        for one in noise
    ]
    return document, gold, *found


def picks_of(seed, draw, n):
    """The places that a draw of n meets, ascending."""
    times = _kernels.impl.resample(n, seed, stream_of(BOOTSTRAP, draw), 1)[0]
    return np.repeat(np.arange(n), times)


@pytest.mark.parametrize("name", ["b_cubed_f1", "rand_index", "pair_sets_index"])
def test_swaps_by_exchanging_documents(name):
    document, gold, one, two = systems(9, 8, 1, (0.2, 0.6))
    found = pw.paired_test(gold, one, two, measure=name, groups=document, draws=8, seed=3)
    row = pw.catalogue()[name]
    assert found[name].first == row(pw.contingency(gold, one))
    assert found[name].difference == found[name].second - found[name].first
    for draw in range(8):
        swapped = coins(3, draw, 9)[document].astype(bool)
        values = [
            row(pw.contingency(gold, np.where(swapped, x, y)))
            for x, y in ((two, one), (one, two))
        ]
        assert found.differences[draw, 0] == pytest.approx(values[1] - values[0], abs=1e-12)
    hits = (np.abs(found.differences) >= abs(found[name].difference) - 1e-12).sum()
    assert found.p_value == (1 + hits) / 9


@pytest.mark.parametrize("name", ["b_cubed_f1", "nvi", "pair_sets_index"])
def test_items_by_repeating_them(name):
    _, gold, one, two = systems(5, 8, 2, (0.3, 0.6))
    found = pw.paired_test(gold, one, two, measure=name, draws=6, seed=4)
    order = np.lexsort((two, one, gold))
    row = pw.catalogue()[name]
    for draw in range(6):
        places = order[picks_of(4, draw, len(gold))]
        values = [row(pw.contingency(gold[places], x[places])) for x in (one, two)]
        assert found.differences[draw, 0] == pytest.approx(values[1] - values[0], abs=1e-12)
    off = np.abs(found.differences - found[name].difference)
    hits = (off >= abs(found[name].difference)).sum()
    assert found.p_value == (1 + hits) / 7
    assert found.method == "bootstrap"
    assert found[name].low <= found[name].high


def test_p_values_are_uniform_for_equal_systems():
    tests, draws = 120, 59
    jitter = np.random.default_rng(3).random(tests)
    found = []
    for i in range(tests):
        document, gold, one, two = systems(25, 8, i)
        result = pw.paired_test(
            gold, one, two, measure="b_cubed_f1", groups=document, draws=draws, seed=i
        )
        found.append(result.p_value - jitter[i] / (draws + 1))
    assert stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize("method", ["randomization", "bootstrap"])
def test_a_difference_is_found(method):
    document, gold, one, two = systems(40, 10, 5, (0.5, 0.3))
    names = ["b_cubed_f1", "variation_of_information", "classification_accuracy"]
    found = pw.paired_test(
        gold, one, two, measure=names, groups=document, method=method, draws=399, seed=1
    )
    for name in names:
        assert found[name].p_value < 0.02
    assert found["b_cubed_f1"].difference > 0
    assert found["variation_of_information"].difference < 0
    if method == "bootstrap":
        assert found["b_cubed_f1"].low > 0


def test_equal_systems_do_not_differ():
    document, gold, one, _ = systems(6, 8, 5)
    renamed = one * 3 + 1
    for options in ({"groups": document}, {"groups": document, "method": "bootstrap"}, {}):
        found = pw.paired_test(
            gold, one, renamed, measure=["nvi", "purity"], draws=50, seed=1, **options
        )
        assert found["nvi"].difference == 0
        assert found["nvi"].p_value == 1.0


def test_result_does_not_depend_on_workers_or_kernels(both, monkeypatch):
    document, gold, one, two = systems(12, 8, 6)
    found = []
    for impl in both.values():
        monkeypatch.setattr(_kernels, "impl", impl)
        for workers in (1, 3):
            for groups in (document, None):
                result = pw.paired_test(
                    gold,
                    one,
                    two,
                    measure=["b_cubed_f1", "pair_sets_index"],
                    groups=groups,
                    draws=270 if groups is not None else 30,
                    seed=4,
                    workers=workers,
                )
                found.append(result.differences)
    for other in found[2:]:
        assert any(x.shape == other.shape and np.array_equal(x, other) for x in found[:2])


def test_items_are_aligned_and_multiplicity_repeats_them():
    document, gold, one, two = systems(5, 6, 7)
    names = [f"i{i}" for i in range(30)]

    def named(labels):
        return dict(zip(names, labels.tolist(), strict=True))

    plain = pw.paired_test(gold, one, two, measure="nvi", groups=document, draws=9, seed=1)
    mapped = pw.paired_test(
        named(gold),
        dict(sorted(named(one).items(), reverse=True)),
        named(two),
        measure="nvi",
        groups=named(document),
        draws=9,
        seed=1,
    )
    assert np.array_equal(plain.differences, mapped.differences)
    times = np.random.default_rng(1).integers(0, 3, 30)
    short = pw.paired_test(gold, one, two, measure="nvi", multiplicity=times, draws=9, seed=1)
    repeated = [np.repeat(x, times) for x in (gold, one, two)]
    long = pw.paired_test(*repeated, measure="nvi", draws=9, seed=1)
    assert np.array_equal(short.differences, long.differences)
    assert short["nvi"].first == long["nvi"].first


def test_crossing_clusters_are_refused_or_cut():
    gold, one, two = [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]
    groups = ["x", "x", "y", "y"]
    with pytest.raises(ValueError, match="system 2: candidate cluster 0 holds items of"):
        pw.paired_test(gold, one, two, measure="purity", groups=groups)
    cut = pw.paired_test(
        gold, one, two, measure="rand_index", groups=groups, crossing="split", seed=1
    )
    assert cut["rand_index"].second == pw.rand_index(gold, [0, 0, 2, 1])
    assert "1 cluster cut" in str(cut)


def test_reports():
    document, gold, one, two = systems(5, 6, 3)
    found = pw.paired_test(
        gold, one, two, measure=["nvi", "purity"], groups=document, draws=20, seed=4
    )
    assert "20 swaps of 5 groups, seed 4" in str(found)
    assert found.to_dict()["measures"]["nvi"]["first"] == pw.nvi(gold, one)
    assert list(found.to_pandas().index) == ["nvi", "purity"]
    items = pw.paired_test(gold, one, two, measure="nvi", draws=20, seed=4)
    assert "20 resamples of 30 items" in str(items)
    with pytest.raises(ValueError, match="several measures"):
        _ = found.p_value


@pytest.mark.one_backend
def test_errors():
    gold, one, two = [0, 0, 1, 1], [0, 1, 2, 2], [0, 0, 1, 2]
    with pytest.raises(ValueError, match="items cannot be exchanged"):
        pw.paired_test(gold, one, two, measure="nvi", method="randomization")
    with pytest.raises(ValueError, match="components of two systems are not the same"):
        pw.paired_test(gold, one, two, measure="nvi", by="components")
    with pytest.raises(ValueError, match="method='sign' is not one of"):
        pw.paired_test(gold, one, two, measure="nvi", method="sign")
    with pytest.raises(TypeError, match="needs the items"):
        pw.paired_test(pw.contingency(gold, one), one, two, measure="nvi")
    with pytest.raises(ValueError, match="compared on different items"):
        pw.paired_test(
            {"p": 1, "q": 1, "r": 2},
            {"p": 1, "q": 1},
            {"p": 1, "r": 1},
            measure="nvi",
            unmatched="drop",
        )
    with pytest.raises(ValueError, match="takes no weights"):
        pw.paired_test(gold, one, two, measure="nvi", weights=[1, 2, 1, 1])


def test_two_clusterings_in_one_are_refused_with_what_to_pass():
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]
    with pytest.raises(TypeError, match=r"pass \.reference and \.candidate, with groups="):
        pw.paired_test(pw.align(a, b), a, b, measure="nvi")
    with pytest.raises(TypeError, match="needs the items of three clusterings"):
        pw.paired_test(a, pw.contingency(a, b), b, measure="nvi")
    with pytest.raises(ValueError, match=r"at the borders$"):
        pw.paired_test(a, b, a, measure="nvi", groups=[0, 1, 1, 1])
