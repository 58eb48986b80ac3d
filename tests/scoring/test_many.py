"""Sums of many clusterings at once: the kernel, and what score_many and pairwise make of it."""

import threading

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise.measures.catalogue import find
from partwise.numbers import kernel_sums
from partwise.scoring import compare as comparison
from partwise.scoring import many

WANTED = (0, *(1 << bit for bit in range(5)), 31)
SUMS = [name for name, row in pw.catalogue().items() if many.has_sums(row)]
SOME = [name for name in SUMS if not find(name).requires]


def clusterings(seed, m, n, clusters):
    """Clusterings with something in common, each with labels of its own."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, clusters, n)
    found = []
    for i in range(m):
        moved = rng.random(n) < rng.choice([0.0, 0.1, 0.5, 1.0])
        labels = np.where(moved, rng.integers(0, clusters + i, n), base)
        found.append(labels * (7 * i + 1) - 3)
    return found


def packed(columns, dtype):
    encoded = [np.unique(column, return_inverse=True)[1] for column in columns]
    sizes = [np.bincount(codes) for codes in encoded]
    starts = np.concatenate(([0], np.cumsum([len(part) for part in sizes])))
    return np.array(encoded, dtype=dtype), np.concatenate(sizes), starts


def sums_by_dict(a, b, wanted, bits):
    """The sums from a dictionary of cells, by the functions of the other kernels."""
    table = pw.contingency(a, b)
    impl = _kernels.impl
    counts = {}
    for pair in zip(a.tolist(), b.tolist(), strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    found = {"cells": len(counts), "squares": sum(x * x for x in counts.values())}
    if wanted & kernel_sums.XLOGX:
        found["xlogx"] = impl.sum_xlogx(np.array(list(counts.values())), bits)
    if wanted & kernel_sums.MAXIMA:
        for name, side in (("row_maxima", 0), ("col_maxima", 1)):
            best = {}
            for pair, count in counts.items():
                best[pair[side]] = max(best.get(pair[side], 0), count)
            found[name] = sum(best.values())
    if wanted & kernel_sums.MATCHES:
        clusters = [{frozenset(np.flatnonzero(x == k)) for k in set(x)} for x in (a, b)]
        found["matches"] = len(clusters[0] & clusters[1])
    sizes = (table.row_sizes, table.col_sizes)
    if wanted & kernel_sums.B_CUBED:
        found["by_row"], found["by_col"] = impl.b_cubed_sums(*table.cells, *sizes)
    if wanted & kernel_sums.SPLIT_MERGE:
        scores = impl.split_scores(*table.cells, *sizes, bits)
        found["products"] = impl.sum_products(*table.cells, *scores)
        found["row_scores"], found["col_scores"] = map(impl.sum_weighted, sizes, scores)
    return found


@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize(
    ("n", "clusters", "dtype"),
    [
        (1, 1, np.uint8),
        (300, 5, np.uint8),
        (300, 5, np.uint32),
        (4000, 1, np.uint16),
        (4000, 3, np.uint8),  # counts beyond the table of terms
        (3000, 220, np.uint8),  # row by row
        (1500, 1400, np.uint16),  # rows shorter than their counters
        (700, 600, np.uint32),
    ],
)
def test_sums_of_a_table(n, clusters, dtype, wanted):
    columns = clusterings(3, 4, n, clusters)
    columns.append(np.arange(n) if dtype != np.uint8 else np.zeros(n, dtype=np.int64))
    codes, sizes, starts = packed(columns, dtype)
    before = codes.copy()
    others = np.array([3, 0, 1, 4, 2, 1])
    for reference in range(len(columns)):
        found = _kernels.impl.many_sums(codes, sizes, starts, reference, others, wanted, 64)
        assert found.shape == (len(others), kernel_sums.WORDS_A_ROW)
        for words, other in zip(found.tolist(), others.tolist(), strict=True):
            expected = sums_by_dict(columns[reference], columns[other], wanted, 64)
            for name, (first, count) in kernel_sums.WORDS_OF_SUM.items():
                value = sum(words[first + k] << 64 * k for k in range(count))
                assert value == expected.get(name, 0), name
    assert (codes == before).all()
    empty = np.empty(0, dtype=np.int64)
    assert len(_kernels.impl.many_sums(codes, sizes, starts, 0, empty, wanted, 64)) == 0


@pytest.mark.one_backend
def test_backends_agree(both):
    codes, sizes, starts = packed(clusterings(5, 6, 900, 40), np.uint8)
    for bits in (56, 64):
        arguments = (codes, sizes, starts, 2, np.arange(6), 31, bits)
        first, second = (kernel.many_sums(*arguments) for kernel in both.values())
        assert first.dtype == second.dtype == np.uint64
        assert (first == second).all()


# ---- from the outside ------------------------------------------------------------------


def spied(monkeypatch):
    """Count the calls that align one pair."""
    calls = []
    real = comparison.clusterings_of

    def counting(*arguments):
        calls.append(1)
        return real(*arguments)

    monkeypatch.setattr(comparison, "clusterings_of", counting)
    return calls


@pytest.mark.parametrize(("n", "workers"), [(1, 1), (2, 3), (3, 1), (60, 1), (60, 3)])
def test_every_measure_of_sums_has_its_own_bits(n, workers, monkeypatch):
    calls = spied(monkeypatch)
    columns = clusterings(n, 4, n, max(n // 6, 1))
    columns += [np.zeros(n, dtype=np.int64), np.arange(n)]
    if n == 60:  # independent of one another, by design
        columns += [np.arange(n) % 4, np.arange(n) % 3]
    for name in SOME:
        row = find(name)
        found = pw.pairwise(columns, name, workers=workers)
        expected = [[row.function(a, b, **row.options) for b in columns] for a in columns]
        assert found.tolist() == expected, name
    few = sum(
        find(name).computation.formula is not None
        and find(name).computation.formula.unsure_near_independence
        for name in SOME
    )
    assert len(calls) <= few * len(columns) ** 2
    table = pw.score_many(columns[0], columns[1:], SOME, workers=workers)
    for j, name in enumerate(SOME):
        row = find(name)
        wanted = [row.function(columns[0], b, **row.options) for b in columns[1:]]
        assert table.values[:, j].tolist() == wanted, name


def test_no_pair_is_aligned_by_itself(monkeypatch):
    calls = spied(monkeypatch)
    columns = clusterings(1, 5, 80, 6)
    for name in ("adjusted_rand_index", "variation_of_information", "v_measure", "s_entropy"):
        pw.pairwise(columns, name)
        pw.score_many(columns[0], columns[1:], [name])
    assert calls == []
    pw.pairwise(columns, "pair_sets_index")
    assert len(calls) == 15  # each pair of a symmetric measure once


def test_measures_with_and_without_sums_together():
    columns = clusterings(2, 5, 90, 5)
    measures = ["pair_sets_index", "rand_index", "adjusted_mutual_information", "s_entropy"]
    for workers in (1, 2):
        table = pw.score_many(columns[0], columns, measures, workers=workers)
        for i, b in enumerate(columns):
            wanted = [find(name).function(columns[0], b) for name in measures]
            assert table.values[i].tolist() == wanted


@pytest.mark.parametrize("policy", ["error", "drop", "singletons"])
def test_accounts_are_those_of_the_pair(policy):
    a = pw.Clustering([0, 0, 1], items=list("xyz"))
    b = pw.Clustering.from_clusters([{"z"}, set(), {"x", "y"}])
    wanted = pw.align(a, b, unmatched=policy, missing=policy, duplicates="first").account
    table = pw.score_many(
        a, [b], ["rand_index"], unmatched=policy, missing=policy, duplicates="first"
    )
    assert table.accounts == [wanted]
    plain = pw.score_many([0, 0, 1], [[1, 1, 2]], ["rand_index"])
    assert plain.accounts == [pw.align([0, 0, 1], [1, 1, 2]).account]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_items_that_are_all_distinct_are_told_as_for_a_pair(n):
    a, b = list(range(n)), list(range(n))[::-1]
    wanted = pw.compare(a, b).account.notes
    assert pw.score_many(a, {"b": b}).accounts[0].notes == wanted
    assert ("all-distinct" in [note.code for note in wanted]) == (n > 1)


def test_items_in_other_orders_are_matched_once(monkeypatch):
    rng = np.random.default_rng(9)
    ids = np.array([f"item {i}" for i in range(50)])
    runs = []
    for labels in clusterings(4, 4, 50, 4):
        order = rng.permutation(50)
        runs.append(pw.Clustering(labels[order], items=ids[order]))
    expected = [[pw.v_measure(a, b) for b in runs] for a in runs]
    calls = spied(monkeypatch)
    assert pw.pairwise(runs, "v_measure").tolist() == expected
    assert calls == []
    short = pw.Clustering(np.zeros(49, dtype=int), items=ids[:49])
    with pytest.raises(ValueError, match="reference '0', candidate '4': 1 reference item"):
        pw.pairwise([*runs, short], "v_measure")
    found = pw.pairwise([*runs, short], "v_measure", unmatched="drop")
    assert found[0, 4] == pw.v_measure(runs[0], short, unmatched="drop")
    assert found[0, 1] == expected[0][1]


def test_repeated_items_and_missing_labels_go_to_the_policies():
    twice = [
        pw.Clustering([0, 1, 1], items=[1, 2, 2]),
        pw.Clustering([0, 1, 1], items=[1, 2, 2]),
    ]
    with pytest.raises(ValueError, match="item 2 at index 1 and again"):
        pw.pairwise(twice, "rand_index")
    gaps = [["x", None, "y"], ["x", "x", "y"]]
    with pytest.raises(ValueError, match="missing labels: 1 in the reference"):
        pw.pairwise(gaps, "rand_index")
    assert pw.pairwise(gaps, "rand_index", missing="drop")[0, 1] == 1.0
    noise = [[0, -1, 1], [0, 0, 1]]
    found = pw.pairwise(noise, "rand_index", missing_labels=-1, missing="drop")
    assert found.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert pw.pairwise(noise, "rand_index")[0, 1] < 1.0


def test_weights_and_multiplicity_count():
    columns = [[0, 0, 1], [0, 1, 1]]
    for name in ("weights", "multiplicity"):
        found = pw.pairwise(columns, "purity", **{name: [5, 1, 1]})
        assert found[0, 1] == pw.purity(*columns, **{name: [5, 1, 1]})


def test_no_items_and_no_clusterings():
    assert pw.pairwise([[], []], "rand_index").tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert pw.pairwise([], "rand_index").shape == (0, 0)
    assert pw.score_many([0], [], ["rand_index"]).values.shape == (0, 1)


def test_errors_say_which_pair():
    with pytest.raises(ValueError, match="candidate 'x': candidate must be 1-D"):
        pw.score_many([0, 1], {"x": np.zeros((2, 2))}, ["rand_index"])
    with pytest.raises(ValueError, match="reference '0', candidate '1': the reference has 2"):
        pw.pairwise([[0, 1], [0]], "rand_index")
    with pytest.raises(TypeError, match="has no option 'colour'"):
        pw.pairwise([[0, 1]], "rand_index", colour=1)
    with pytest.raises(ValueError, match="unmatched='keep'"):
        pw.pairwise([[0, 1]], "rand_index", unmatched="keep")
    with pytest.raises(ValueError, match="combine='sum'"):
        pw.pairwise([[0, 1]], "s_entropy(combine=sum)")
    for wrong in (0, -2):
        with pytest.raises(ValueError, match=f"workers={wrong}"):
            pw.pairwise([[0, 1]], workers=wrong)
        with pytest.raises(ValueError, match=f"workers={wrong}"):
            pw.score_many([0, 1], [[0, 1]], workers=wrong)


def test_an_error_in_a_thread_reaches_the_caller():
    before = threading.active_count()
    with pytest.raises(ValueError, match="candidate '7': the reference has 3 labels"):
        pw.score_many([0, 1, 1], [[0, 1, 1]] * 7 + [[0]], ["pair_sets_index"], workers=3)
    assert threading.active_count() == before


DAYS = np.array(["2020-01-01", "2021-05-05", "2022-02-02", "2023-03-03"], "datetime64[D]")
IDS = {
    "integers": [np.array([7, 8, 9, 2**62]), np.array([7, 8, 9, 2**62], dtype=np.uint64)],
    "text": [["a", "b", "c", "d"], np.array(["a", "b", "c", "d"])],
    "times": [DAYS, DAYS.astype("datetime64[s]")],
    "pairs": [[(0, 1), (0, 2), (1, 1), (1, 2)], [(0, 1), (0, 2), (1, 1), (1, 2)]],
    "of two kinds": [[1, 2, 3, 4], ["1", "2", "3", "4"]],
}


def taken(ids, order):
    return ids[order] if isinstance(ids, np.ndarray) else [ids[i] for i in order]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1], [0, 1, 2, 2]])
@pytest.mark.parametrize("kind", IDS)
def test_ids_of_any_kind_are_met_in_any_order(kind, order):
    first, second = IDS[kind]
    a = pw.Clustering([0, 0, 1, 1], first)
    others = [
        pw.Clustering([0, 1, 1, 1], taken(second, order)),
        pw.Clustering([3, 4, 4, 3], taken(first, order)),
    ]

    def outcome(call):
        try:
            return call()
        except ValueError as error:
            return str(error)

    wanted = [outcome(lambda other=other: pw.rand_index(a, other)) for other in others]
    for other, value in zip(others, wanted, strict=True):
        found = outcome(
            lambda other=other: pw.score_many(a, [other], ["rand_index"]).values[0, 0]
        )
        assert str(value) in str(found)
        turned = outcome(lambda other=other: pw.pairwise([a, other], "rand_index")[0, 1])
        assert str(value) in str(turned)
    if all(isinstance(value, float) for value in wanted):
        assert pw.score_many(a, others, ["rand_index"]).values[:, 0].tolist() == wanted


@pytest.mark.parametrize("name", ["id", "Item ID", "index"])
def test_a_column_of_item_ids_is_no_clustering(name):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({name: list("abc"), "x": [0, 0, 1], "y": [0, 1, 1]})
    for call in (
        pw.pairwise,
        pw.medoid,
        pw.majority_vote,
        pw.element_consistency,
        pw.Hierarchy.from_levels,
        lambda several: pw.score_many([0, 0, 1], several, "rand_index"),
        lambda several: pw.sweep([0, 0, 1], several, kind="nested"),
    ):
        with pytest.raises(ValueError, match=f"'{name}' is a name of item ids; leave that"):
            call(frame)
    assert pw.pairwise(frame.set_index(name)).values.shape == (2, 2)


def test_two_clusterings_of_one_name():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[0, 0, 1], [0, 1, 1], [1, 1, 1]], columns=["x", "y", "x"])
    for call in (
        lambda: pw.score_many([0, 0, 1], frame, "rand_index"),
        lambda: pw.score_many([0, 0, 1], {1: [0, 0, 1], "1": [0, 1, 1]}, "rand_index"),
        lambda: pw.pairwise(frame, "rand_index"),
        lambda: pw.element_consistency(frame),
        lambda: pw.sweep([0, 0, 1], frame, kind="nested"),
        lambda: pw.Hierarchy.from_levels(frame),
    ):
        with pytest.raises(ValueError, match=r"are the same as text, '[x1]' \(1 such names\)"):
            call()
