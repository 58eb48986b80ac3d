"""Bootstrap and jackknife against slow definitions, coverage, and what they refuse."""

import numpy as np
import pytest
from scipy import stats

import partwise as pw
from partwise import _kernels
from partwise.inference.additive import block_sums, is_additive
from partwise.inference.blocks import component_blocks
from partwise.inference.draws import BOOTSTRAP, stream_of
from partwise.inference.statistics import Statistic
from partwise.measures.catalogue import find

ADDITIVE = sorted(
    name for name, row in pw.catalogue().items() if row.computation.formula is not None
)
MEANS = [
    *("f_measure", "classification_accuracy", "misclassification_index", "criterion_h"),
    *("s_entropy", "s_entropy(combine=mean)"),
]
OWN = [name for name, row in pw.catalogue().items() if row.computation.over_blocks is not None]
OTHERS = ["mallows_distance", *OWN, *MEANS]


def documents(n_documents, size, seed, noise=0.4):
    """Labels of items in documents; no cluster crosses a document."""
    own = np.random.default_rng(seed)
    n = n_documents * size
    document = np.repeat(np.arange(n_documents), size)
    a = document * 100 + own.integers(0, 4, n)
    b = np.where(own.random(n) < noise, document * 100 + own.integers(0, 5, n), a)
    return document, a, b


def copied(document, a, b, picks):
    """Labels of picked documents, copies apart."""
    parts = [np.flatnonzero(document == d) for d in picks]
    places = np.concatenate(parts)
    copy = np.repeat(np.arange(len(parts)), [len(part) for part in parts]) * 10**6
    return a[places] + copy, b[places] + copy


def picks_of(seed, draw, n):
    """The places that a draw of n meets, ascending."""
    times = _kernels.impl.resample(n, seed, stream_of(BOOTSTRAP, draw), 1)[0]
    return np.repeat(np.arange(n), times)


@pytest.mark.parametrize("name", [*ADDITIVE, *OTHERS])
def test_draws_of_groups_by_relabelling_the_copies(name):
    document, a, b = documents(7, 12, 1)
    found = pw.bootstrap(a, b, measure=name, groups=document, draws=6, seed=5)
    row = pw.catalogue()[name]
    assert found.observed[0] == row(pw.contingency(a, b))
    for draw in range(6):
        x, y = copied(document, a, b, picks_of(5, draw, 7))
        assert found.values[draw, 0] == pytest.approx(row(pw.contingency(x, y)), rel=1e-12)


@pytest.mark.parametrize("name", ["b_cubed_f1", "nvi", "pair_sets_index"])
def test_draws_of_items_by_repeating_them(name, kernels):
    _, a, b = documents(5, 10, 2)
    table = pw.contingency(a, b)
    found = pw.bootstrap(table, measure=name, draws=4, seed=3)
    order = np.lexsort((b, a))  # items cell by cell
    row = pw.catalogue()[name]
    for draw in range(4):
        places = order[picks_of(3, draw, 50)]
        assert found.values[draw, 0] == row(pw.contingency(a[places], b[places]))
    assert "copies of one item" in str(found)


def test_many_items_in_few_cells_are_drawn_by_cell():
    table = pw.Contingency.from_counts([0, 0, 1], [0, 1, 1], [500, 300, 200])
    found = pw.bootstrap(table, measure=lambda t: t.counts.max(), draws=400, seed=3)
    assert found.values.mean() == pytest.approx(500, abs=4)
    assert found.standard_error[0] == pytest.approx(np.sqrt(1000 / 4), rel=0.12)


@pytest.mark.parametrize("by", ["groups", "components"])
@pytest.mark.parametrize("name", ["b_cubed_f1", "rand_index", "pair_sets_index"])
def test_jackknife_by_leaving_out(name, by):
    document, a, b = documents(6, 8, 4)
    row = pw.catalogue()[name]
    if by == "components":
        document = pw.components(a, b).item_component
        found = pw.jackknife(a, b, measure=name, by=by)
    else:
        found = pw.jackknife(a, b, measure=name, groups=document)
    wanted = []
    for one in range(document.max() + 1):
        rest = document != one
        wanted.append(row(pw.contingency(a[rest], b[rest])))
    wanted = np.array(wanted)
    k = len(wanted)
    assert found.values[:, 0] == pytest.approx(wanted, rel=1e-12)
    assert found.bias[0] == pytest.approx((k - 1) * (wanted.mean() - found.observed[0]))
    error = np.sqrt((k - 1) / k * ((wanted - wanted.mean()) ** 2).sum())
    assert found.standard_error[0] == pytest.approx(error)
    ends = found.observed[0] + error * np.array(stats.t(k - 1).interval(found.level))
    assert [found.low[0], found.high[0]] == pytest.approx(ends)
    assert np.array_equal(found[name], found.values[:, 0])


def test_jackknife_of_items_by_leaving_each_out():
    _, a, b = documents(3, 8, 4)
    found = pw.jackknife(a, b, measure="nvi")
    singly = np.array([pw.nvi(np.delete(a, i), np.delete(b, i)) for i in range(len(a))])
    assert found.n_units == len(a)
    assert np.allclose(np.sort(np.repeat(found.values[:, 0], found.copies)), np.sort(singly))
    k = len(a)
    error = np.sqrt((k - 1) / k * ((singly - singly.mean()) ** 2).sum())
    assert found.standard_error[0] == pytest.approx(error)


def test_jackknife_is_the_bootstrap_error_of_documents():
    document, a, b = documents(60, 10, 8)
    left_out = pw.jackknife(a, b, measure="b_cubed_f1", groups=document)
    drawn = pw.bootstrap(a, b, measure="b_cubed_f1", groups=document, draws=1500, seed=1)
    assert drawn.standard_error[0] == pytest.approx(left_out.standard_error[0], rel=0.1)


@pytest.mark.one_backend
def test_intervals_cover_the_true_value():
    """Documents of varying difficulty; the truth from very many of them."""

    def sample(k, seed):
        own = np.random.default_rng(seed)
        document = np.repeat(np.arange(k), 10)
        noise = np.repeat(own.random(k), 10)
        a = document * 100 + own.integers(0, 3, 10 * k)
        b = np.where(own.random(10 * k) < noise, document * 100 + own.integers(0, 4, 10 * k), a)
        return document, a, b

    names = ["b_cubed_f1", "pair_sets_index"]
    _, a, b = sample(40000, 99)
    truth = np.array([find(name)(pw.contingency(a, b)) for name in names])
    tries, covered = 400, np.zeros(2)
    for i in range(tries):
        document, a, b = sample(40, i)
        found = pw.bootstrap(a, b, measure=names, groups=document, draws=200, seed=i, level=0.9)
        covered += (found.low <= truth) & (truth <= found.high)
    # binomial(400, 0.9): standard deviation 0.015; levels 0.8 and 0.95 are outside
    assert (covered / tries >= 0.86).all()
    assert (covered / tries <= 0.93).all()


def test_degenerate_draws_have_the_measures_own_values():
    # drawing only group "x" gives equal sides, only "y" a single reference cluster
    a = np.array([0, 0, 1, 1, 5, 5, 5])
    b = np.array([0, 0, 1, 1, 5, 6, 6])
    groups = list("xxxxyyy")
    found = pw.bootstrap(a, b, measure=ADDITIVE, groups=groups, draws=40, seed=1)
    picks = [picks_of(1, draw, 2) for draw in range(40)]
    assert {tuple(np.sort(pick)) for pick in picks} == {(0, 0), (0, 1), (1, 1)}
    codes = np.array([0, 0, 0, 0, 1, 1, 1])
    for draw, pick in enumerate(picks):
        table = pw.contingency(*copied(codes, a, b, pick))
        wanted = [pw.catalogue()[name](table) for name in ADDITIVE]
        assert found.values[draw] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("size", [3, 6, 22, 39, 49])
def test_a_single_cluster_left_has_the_measures_own_values(size):
    a = np.repeat([0, 1], size)
    b = np.repeat([0, 1, 2], [size - 1, 1, size])
    for x, y in ((a, b), (b, a)):
        found = pw.jackknife(x, y, measure=ADDITIVE, groups=a)
        for j in (0, 1):
            table = pw.contingency(x[a != j], y[a != j])
            wanted = [pw.catalogue()[name](table) for name in ADDITIVE]
            assert found.values[j] == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_result_does_not_depend_on_workers_or_kernels(both, monkeypatch):
    document, a, b = documents(20, 9, 6)
    found = []
    for impl in both.values():
        monkeypatch.setattr(_kernels, "impl", impl)
        for workers in (1, 3):
            options = {"seed": 4, "draws": 300, "workers": workers}
            names = ["b_cubed_f1", "rand_index", "pair_sets_index"]
            one = pw.bootstrap(a, b, measure=names, groups=document, **options)
            two = pw.bootstrap(a, b, measure=names, by="components", **options)
            options["draws"] = 20
            three = pw.bootstrap(a, b, measure=names, **options)
            found.append([x.values for x in (one, two, three)])
    for others in found[1:]:
        assert all(np.array_equal(x, y) for x, y in zip(found[0], others, strict=True))


def test_groups_by_item_follow_the_policies():
    document, a, b = documents(4, 6, 7)
    names = [f"i{i}" for i in range(len(a))]
    by_item = dict(zip(names, document.tolist(), strict=True))
    left = dict(zip(names, a.tolist(), strict=True))
    right = dict(zip(names, b.tolist(), strict=True))
    plain = pw.bootstrap(a, b, measure="rand_index", groups=document, draws=5, seed=1)
    shuffled = dict(sorted(right.items(), reverse=True))
    mapped = pw.bootstrap(left, shuffled, measure="rand_index", groups=by_item, draws=5, seed=1)
    assert np.array_equal(plain.values, mapped.values)
    aligned = pw.align(left, shuffled)
    for groups in (by_item, document):
        again = pw.bootstrap(aligned, measure="rand_index", groups=groups, draws=5, seed=1)
        assert np.array_equal(plain.values, again.values)
    del right["i3"]
    dropped = pw.bootstrap(
        left, right, measure="rand_index", groups=by_item, draws=5, seed=1, unmatched="drop"
    )
    rest = np.delete(np.arange(24), 3)
    wanted = pw.bootstrap(
        a[rest], b[rest], measure="rand_index", groups=document[rest], draws=5, seed=1
    )
    assert np.array_equal(dropped.values, wanted.values)


def test_multiplicity_is_repeating_items():
    document, a, b = documents(4, 6, 7)
    times = np.random.default_rng(1).integers(0, 3, 24)
    times[document == 2] = 0
    short = pw.bootstrap(
        a, b, measure="nvi", groups=document, multiplicity=times, draws=5, seed=1
    )
    repeated = [np.repeat(x, times) for x in (a, b, document)]
    long = pw.bootstrap(*repeated[:2], measure="nvi", groups=repeated[2], draws=5, seed=1)
    assert short.n_units == 3
    assert np.array_equal(short.observed, long.observed)
    assert np.array_equal(short.values, long.values)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("noise", [0.2, 1.0])
def test_pair_sets_of_draws_without_components_of_their_own(name, noise):
    own = np.random.default_rng(11)
    document = np.repeat(np.arange(40), own.integers(1, 30, 40))
    a = document * 100 + own.integers(0, 6, len(document))
    b = np.where(own.random(len(a)) < noise, document * 100 + own.integers(0, 9, len(a)), a)
    row = pw.catalogue()[name]
    found = pw.bootstrap(a, b, measure=name, groups=document, draws=30, seed=2)
    for draw in range(30):
        x, y = copied(document, a, b, picks_of(2, draw, 40))
        assert found.values[draw, 0] == pytest.approx(row(pw.contingency(x, y)), abs=1e-13)


@pytest.mark.one_backend
def test_pair_sets_are_paired_once(monkeypatch):
    document, a, b = documents(30, 10, 5)
    calls = []
    solve = _kernels.impl.match
    monkeypatch.setattr(_kernels.impl, "match", lambda *x: calls.append(1) or solve(*x))
    pw.bootstrap(a, b, measure="pair_sets_index", groups=document, draws=100, seed=1)
    assert len(calls) <= 2


@pytest.mark.one_backend
def test_means_over_components_are_solved_once(monkeypatch):
    document, a, b = documents(30, 10, 5)
    calls = []
    solve = _kernels.impl.match
    monkeypatch.setattr(_kernels.impl, "match", lambda *x: calls.append(1) or solve(*x))
    pw.bootstrap(a, b, measure="classification_accuracy", groups=document, draws=100, seed=1)
    assert len(calls) <= 2
    for name in MEANS:
        assert is_additive(Statistic(name, None, None, None, pw.catalogue()[name]))
    for name in ("vi_similarity_log_k(k=99)", "criterion_h(matching=greedy)", "larsen_aone"):
        assert not is_additive(Statistic(name, None, None, None, find(name)))


def test_crossing_clusters_are_refused_or_cut():
    a, b = [0, 0, 1, 1, 2, 2], [5, 5, 5, 6, 7, 7]
    groups = ["x", "x", "x", "y", "y", "y"]
    with pytest.raises(ValueError, match=r"reference cluster 1 holds items of the groups 'x'"):
        pw.bootstrap(a, b, measure="purity", groups=groups)
    cut = pw.bootstrap(a, b, measure="rand_index", groups=groups, crossing="split", seed=1)
    assert cut.observed[0] == pw.rand_index([0, 0, 1, 3, 2, 2], b)
    assert "1 cluster cut at the groups' borders" in str(cut)


def test_components_are_blocks():
    _, a, b = documents(5, 10, 2)
    table = pw.contingency(a, b)
    blocks = component_blocks(table)
    wanted = list(table.components().tables())
    sums = block_sums(blocks)
    assert len(blocks) == len(wanted)
    for j, one in enumerate(wanted):
        found = blocks.stacked(np.arange(len(wanted)) == j)
        assert np.array_equal(found.to_scipy().toarray(), one.to_scipy().toarray())
        assert sums[j, 0] == one.n_items
    both = blocks.followed_by(blocks)
    assert np.array_equal(block_sums(both), np.concatenate((sums, sums)))


def test_intervals():
    document, a, b = documents(12, 10, 3)
    found = {
        kind: pw.bootstrap(
            a, b, measure="nvi", groups=document, draws=500, seed=1, interval=kind, level=0.8
        )
        for kind in ("percentile", "centered", "basic")
    }
    values = found["basic"]["nvi"]
    low, high = np.quantile(values, [0.1, 0.9])
    x, mean = found["basic"].observed[0], values.mean()
    assert found["percentile"].low[0] == pytest.approx(low)
    assert found["centered"].high[0] == pytest.approx(high + x - mean)
    assert found["basic"].low[0] == pytest.approx(2 * x - high)
    assert found["basic"].bias[0] == pytest.approx(mean - x)


def test_reports():
    document, a, b = documents(5, 6, 3)
    found = pw.bootstrap(a, b, measure=["nvi", "purity"], groups=document, draws=20, seed=4)
    assert "20 draws of 5 groups with replacement, seed 4" in str(found)
    assert found.to_dict()["measures"]["nvi"]["value"] == pw.nvi(a, b)
    assert list(found.to_pandas().columns) == ["value", "standard_error", "low", "high", "bias"]
    left = pw.jackknife(a, b, measure="nvi", groups=document)
    assert "jackknife over 5 groups" in str(left)
    assert left.to_dict()["units"] == 5
    assert list(left.to_pandas().index) == ["nvi"]


@pytest.mark.one_backend
def test_results_say_which_measures_they_hold():
    a, b, groups = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 3, 3], [0, 0, 1, 1, 2, 2]
    options = {"measure": ["nvi", "purity"], "draws": 5, "seed": 1}
    for result in (
        pw.bootstrap(a, b, groups=groups, **options),
        pw.jackknife(a, b, measure=options["measure"], groups=groups),
        pw.null_distribution(a, b, **options),
        pw.significance(a, b, **options),
        pw.paired_test(a, b, a, groups=groups, **options),
    ):
        with pytest.raises(
            KeyError, match="'nope' was not asked for; the result holds nvi, purity"
        ):
            result["nope"]
        assert result["purity"] is not None


@pytest.mark.one_backend
def test_errors():
    a, b = [0, 0, 1, 1], [0, 1, 2, 2]
    groups = [0, 0, 1, 1]
    with pytest.raises(TypeError, match="Contingency holds none"):
        pw.bootstrap(pw.contingency(a, b), measure="nvi", groups=groups)
    with pytest.raises(ValueError, match="groups has shape"):
        pw.bootstrap(a, b, measure="nvi", groups=[0, 0, 1])
    with pytest.raises(ValueError, match="groups has 3 values"):
        pw.bootstrap(pw.align(a, b), measure="nvi", groups=[0, 0, 1])
    with pytest.raises(ValueError, match="groups has no value at index 1"):
        pw.bootstrap(a, b, measure="nvi", groups=[0, None, 1, 1])
    with pytest.raises(ValueError, match="groups has no value for item"):
        pw.bootstrap({"p": 1, "q": 1}, {"p": 1, "q": 2}, measure="nvi", groups={"p": 1})
    with pytest.raises(ValueError, match='by="groups" needs groups='):
        pw.bootstrap(a, b, measure="nvi", by="groups")
    with pytest.raises(ValueError, match='groups= beside by="items"'):
        pw.bootstrap(a, b, measure="nvi", by="items", groups=groups)
    with pytest.raises(ValueError, match="there is 1 group"):
        pw.bootstrap(a, b, measure="nvi", groups=[3, 3, 3, 3])
    with pytest.raises(ValueError, match="there are 0 items"):
        pw.bootstrap([], [], measure="nvi")
    with pytest.raises(ValueError, match="takes no weights"):
        pw.bootstrap(a, b, measure="nvi", groups=groups, weights=[1, 1, 2, 2])
    with pytest.raises(ValueError, match="by='pairs' is not one of"):
        pw.bootstrap(a, b, measure="nvi", by="pairs")
    with pytest.raises(ValueError, match="crossing='drop' is not one of"):
        pw.bootstrap(a, b, measure="nvi", groups=groups, crossing="drop")
    for by in ("items", "components"):
        for call in (pw.bootstrap, pw.jackknife):
            with pytest.raises(ValueError, match="crossing='splt' is not one of: error, split"):
                call(a, b, measure="nvi", by=by, crossing="splt")
    with pytest.raises(ValueError, match="crossing='splt' is not one of: error, split"):
        pw.paired_test(a, b, a, measure="nvi", crossing="splt")
    with pytest.raises(ValueError, match="interval='bca' is not one of"):
        pw.bootstrap(a, b, measure="nvi", groups=groups, interval="bca")


# ---- groups of an alignment --------------------------------------------------------


def test_an_alignment_carries_groups_through_every_policy():
    document, a, b = documents(12, 20, 3)
    items = np.array([f"i{place:03d}" for place in range(len(a))])
    order = np.random.default_rng(0).permutation(len(a))[:200]
    left = dict(zip(items.tolist(), a.tolist(), strict=True))
    right = dict(zip(items[order].tolist(), b[order].tolist(), strict=True))
    by_item = dict(zip(items.tolist(), (f"d{x:02}" for x in document), strict=True))
    aligned = pw.align(left, right, groups=by_item, unmatched="drop")
    place = {item: at for at, item in enumerate(items.tolist())}
    rest = np.array([place[item] for item in aligned.items.tolist()])
    assert aligned.groups.tolist() == [f"d{x:02}" for x in document[rest]]
    for function, options in ((pw.bootstrap, {"draws": 6, "seed": 2}), (pw.jackknife, {})):
        plain = function(
            a[rest], b[rest], measure="b_cubed_f1", groups=document[rest], **options
        )
        for by in (None, "groups"):
            found = function(aligned, measure="b_cubed_f1", by=by, **options)
            assert np.array_equal(found.values, plain.values)
            assert found.by == "groups"


def test_groups_of_an_alignment_may_be_left_aside_but_not_doubled():
    document, a, b = documents(12, 20, 3)
    aligned = pw.align(a, b, groups=document)
    bare = pw.align(a, b)
    for by in ("items", "components"):
        options = {"measure": "nvi", "by": by, "draws": 5, "seed": 1}
        found, plain = pw.bootstrap(aligned, **options), pw.bootstrap(bare, **options)
        assert np.array_equal(found.values, plain.values)
        assert found.by == by
    with pytest.raises(TypeError, match="an Alignment that has groups; leave one away"):
        pw.bootstrap(aligned, measure="nvi", groups=document)
    with pytest.raises(ValueError, match='by="groups" needs groups='):
        pw.bootstrap(bare, measure="nvi", by="groups")
    assert bare.groups is None


def test_groups_repeat_with_items_alone_on_their_side():
    aligned = pw.align(
        ["p", None, "q"],
        ["x", "x", "y"],
        missing="singletons",
        multiplicity=[1, 3, 2],
        groups=["d", "e", "f"],
    )
    assert aligned.groups.tolist() == ["d", "e", "e", "e", "f"]


@pytest.mark.parametrize(
    ("groups", "kind", "fragment"),
    [
        ([0, 1], ValueError, r"groups has shape \(2,\); one value per reference item \(3\)"),
        ([0, None, 1], ValueError, "groups has no value at index 1"),
        ({0: "d", 1: "d"}, ValueError, "groups has no value for item 2"),
        ("doc", TypeError, "groups"),
    ],
)
def test_bad_groups_of_an_alignment(groups, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.align([1, 1, 2], [1, 2, 2], groups=groups)


# ---- what is drawn by default ----------------------------------------------------------


def records(n_entities, seed):
    """Records of entities, of which some are split and some are merged two by two."""
    own = np.random.default_rng(seed)
    truth = np.repeat(np.arange(n_entities), own.integers(1, 5, n_entities))
    matched = np.where(own.random(len(truth)) < 0.1, truth + 2 * n_entities, truth)
    return truth, np.where((matched % 20 == 0) & (matched < n_entities), matched + 1, matched)


def test_records_are_drawn_by_components(kernels):
    truth, matched = records(60, 4)
    options = {"measure": ["pair_f1", "cluster_precision"], "draws": 50, "seed": 2}
    drawn = pw.bootstrap(truth, matched, **options)
    named = pw.bootstrap(truth, matched, by="components", **options)
    assert (drawn.by, drawn.n_units, drawn.interval) == (
        "components",
        named.n_units,
        "percentile",
    )
    assert np.array_equal(drawn.values, named.values)
    assert "components of clusters were drawn, as they are many and small" in str(drawn)
    assert named.notes == []
    assert pw.bootstrap(truth, matched, by="items", **options).by == "items"
    table = pw.bootstrap(pw.contingency(truth, matched), **options)
    assert np.array_equal(table.values, drawn.values)


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("sizes", "unit"),
    [
        ([1] * 29, "items"),  # too few
        ([1] * 30, "components"),
        ([10] * 30, "components"),
        ([10] * 29 + [11], "items"),  # too large on average
        ([1] * 90 + [10], "components"),
        ([1] * 90 + [11], "items"),  # one has more than a tenth
    ],
)
def test_when_components_are_drawn(sizes, unit):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    assert pw.bootstrap(labels, labels, measure="purity", draws=2, seed=1).by == unit


@pytest.mark.one_backend
def test_the_default_interval_of_records_covers_the_value_of_all():
    """Draws of items are biased here; those of components are not."""
    own = np.random.default_rng(7)
    everything = records(20_000, 3)
    value = pw.cluster_precision(*everything)
    # two entities that may be merged come together, so that a sample has whole components
    first = np.searchsorted(everything[0], 2 * np.arange(10_001))
    covered = 0
    for seed in range(60):
        some = own.choice(10_000, 150, replace=False)
        rows = np.concatenate([np.arange(first[e], first[e + 1]) for e in some])
        sample = [side[rows] for side in everything]
        drawn = pw.bootstrap(*sample, measure="cluster_precision", draws=200, seed=seed)
        assert drawn.by == "components"
        covered += drawn.low[0] <= value <= drawn.high[0]
    assert 52 <= covered < 60
