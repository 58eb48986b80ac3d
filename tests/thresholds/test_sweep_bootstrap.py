"""The bootstrap of a sweep against sweeping the drawn items."""

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import cases
import partwise as pw
from partwise import _kernels
from partwise.cli import main
from partwise.inference.draws import BOOTSTRAP, stream_of

FEBRL = cases.SHARED / "data" / "labels" / "febrl" / "dataset3.csv.gz"


def problem(n_units, seed, *, ties=True):
    """Return labels, units and edges; no edge leaves a unit."""
    own = np.random.default_rng(seed)
    unit = np.repeat(np.arange(n_units), own.integers(1, 9, n_units))
    labels = unit * 10 + own.integers(0, 3, len(unit))
    sizes = np.bincount(unit)
    a = own.integers(0, len(unit), 4 * len(unit))
    b = (np.cumsum(sizes) - sizes)[unit[a]] + own.integers(0, 1 << 30, len(a)) % sizes[unit[a]]
    inside = a != b
    a, b = a[inside], b[inside]
    close = labels[a] == labels[b]
    score = np.clip(own.normal(np.where(close, 0.7, 0.4), 0.2), 0, 1)
    return labels, unit, (a, b, score.round(2) if ties else score)


def drawn(labels, unit, edges, copies):
    """Return the problem with so many copies of each unit, copies apart."""
    a, b, score = edges
    new_labels, new_a, new_b, new_score = [], [], [], []
    n = 0
    for u, times in enumerate(copies.tolist()):
        items = np.flatnonzero(unit == u)
        place = np.full(len(labels), -1)
        inside = np.flatnonzero(unit[a] == u)
        for _ in range(times):
            place[items] = n + np.arange(len(items))
            n += len(items)
            number = len(new_labels)
            new_labels.append(np.where(labels[items] < 0, -1, labels[items] + 10**6 * number))
            new_a.append(place[a[inside]])
            new_b.append(place[b[inside]])
            new_score.append(score[inside])
    parts = (new_labels, new_a, new_b, new_score)
    x, a, b, score = (np.concatenate(part) for part in parts)
    return x, (a, b, score)


MEASURES = [
    *("adjusted_rand_index", "v_measure", "variation_of_information", "purity"),
    *("b_cubed_f1", "rand_index", "normalized_mutual_information", "nvi"),
]


def value_at(found, measure, threshold):
    return found[measure][found.index_at(threshold)]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("by", ["groups", "components"])
def test_draws_are_sweeps_of_the_drawn_items(measure, by):
    labels, unit, edges = problem(9, 4)
    groups = unit if by == "groups" else None
    options = {"scores": "similarity", "measures": [measure]}
    found = pw.sweep(labels, edges, groups=groups, **options)
    sure = found.bootstrap(measure, draws=12, seed=3)
    assert sure.by == by
    if by == "components":
        loosest = found.labels(len(found) - 1)
        join = pw.contingency(labels, loosest).components()
        unit = join.row_component[np.unique(labels, return_inverse=True)[1]]
    n_units = int(unit.max()) + 1
    assert sure.n_units == n_units
    lower = pw.catalogue()[measure].direction == "lower"
    # by how much the best value of a draw beats the data at the state it was found at
    above = np.mean(sure.best_values - found[measure][sure.best_states])
    assert sure.optimism == pytest.approx(-above if lower else above, abs=1e-12)
    for number in range(12):
        copies = _kernels.impl.resample(n_units, 3, stream_of(BOOTSTRAP, number), 1)[0]
        x, drawn_edges = drawn(labels, unit, edges, copies)
        again = pw.sweep(x, drawn_edges, **options)
        at_cut = value_at(again, measure, sure.best.cut)
        assert sure.values[number] == pytest.approx(at_cut, rel=1e-11, abs=1e-12)
        best = again.best(measure)
        assert sure.best_values[number] == pytest.approx(best.value, rel=1e-11, abs=1e-12)
        # its state is one that cuts the drawn items as their own best one does, or as well
        low, high = found.interval(int(sure.best_states[number]))
        inside = high if np.isfinite(high) else (low + 1)
        chosen = value_at(again, measure, inside)
        slack = 1e-10 * max(1.0, abs(best.value))
        assert chosen <= best.value + slack if lower else chosen >= best.value - slack


def test_labels_that_are_missing_and_start_clusters_are_seen_to():
    labels, unit, edges = problem(8, 5)
    labels = labels.astype(float)
    labels[::5] = np.nan
    start = 2 * unit + np.arange(len(unit)) % 2
    options = {
        "scores": "similarity",
        "measures": ["adjusted_rand_index"],
        "unlabelled": "ignore",
    }
    found = pw.sweep(labels, edges, groups=unit, start=start, **options)
    sure = found.bootstrap("adjusted_rand_index", draws=8, seed=3)
    codes = np.where(np.isnan(labels), -1, np.nan_to_num(labels, nan=-1)).astype(int)
    shown = np.unique(unit[codes >= 0])
    for number in range(8):
        times = _kernels.impl.resample(len(shown), 3, stream_of(BOOTSTRAP, number), 1)[0]
        copies = np.zeros(8, dtype=int)
        copies[shown] = times
        x, drawn_edges = drawn(codes, unit, edges, copies)
        again_start = np.concatenate(
            [
                start[unit == u] + 10**6 * (1000 * u + c)
                for u, count in enumerate(copies.tolist())
                for c in range(count)
            ]
        )
        again = pw.sweep(np.where(x < 0, np.nan, x), drawn_edges, start=again_start, **options)
        wanted = value_at(again, "adjusted_rand_index", sure.best.cut)
        assert sure.values[number] == pytest.approx(wanted, rel=1e-11, abs=1e-12)


def test_more_states_than_the_grid_holds():
    labels, _, edges = problem(350, 6, ties=False)
    measure = "adjusted_rand_index"
    found = pw.sweep(labels, edges, scores="similarity", measures=[measure])
    states = len(found)
    sure = found.bootstrap(measure, draws=50, seed=1)
    assert states > 1002 >= len(sure.states)
    assert sure.best.state in sure.states
    few = pw.sweep(labels, edges, scores="similarity", measures=[measure], thresholds=30)
    rough = few.bootstrap(measure, draws=50, seed=1)
    assert len(rough.states) <= 31
    assert abs(rough.best.value - sure.best.value) < 0.1
    at = found.index_at(rough.best.cut)
    assert found[measure][at] == rough.best.value


def test_the_intervals_hold_what_they_say():
    measure, hits, inside = "adjusted_rand_index", 0, 0
    optimism = []
    labels, unit, edges = problem(600, 11)
    whole = pw.sweep(labels, edges, scores="similarity", measures=[measure], groups=unit)
    own = np.random.default_rng(0)
    for seed in range(30):
        copies = np.bincount(own.integers(0, 600, 80), minlength=600)
        x, some = drawn(labels, unit, edges, copies)
        groups = np.repeat(np.arange(80), np.repeat(np.bincount(unit), copies))
        found = pw.sweep(x, some, scores="similarity", measures=[measure], groups=groups)
        sure = found.bootstrap(measure, draws=200, seed=seed, level=0.9)
        true = value_at(whole, measure, sure.best.cut)
        hits += sure.low <= true <= sure.high
        best = whole.best(measure)
        inside += sure.threshold_low <= best.high and best.low <= sure.threshold_high
        optimism.append(sure.optimism)
    assert np.mean(optimism) > 0
    assert hits >= 21
    assert inside >= 21


def test_workers_change_no_bit_and_seeds_count():
    labels, unit, edges = problem(30, 8)
    found = pw.sweep(labels, edges, scores="similarity", groups=unit)
    runs = [
        found.bootstrap("v_measure", draws=600, seed=seed, workers=workers)
        for seed, workers in ((1, 1), (1, 2), (2, 1))
    ]
    assert np.array_equal(runs[0].values, runs[1].values)
    assert np.array_equal(runs[0].best_states, runs[1].best_states)
    assert not np.array_equal(runs[0].values, runs[2].values)


def test_refusals_are_sentences():
    labels, unit, edges = problem(20, 9)
    measure = {"measures": ["adjusted_rand_index", "pair_sets_index"]}
    wide = (
        np.append(edges[0], 0),
        np.append(edges[1], len(unit) - 1),
        np.append(edges[2], 0.0),
    )
    closest = (wide[0], wide[1], np.append(edges[2], 2.0))
    crossing = pw.sweep(labels, closest, scores="similarity", groups=unit, **measure)
    with pytest.raises(
        ValueError, match=r"of the best state of adj.* holds items of the groups 0"
    ):
        crossing.bootstrap("adjusted_rand_index")
    found = pw.sweep(labels, edges, scores="similarity", groups=unit // 2, **measure)
    assert found.bootstrap("adjusted_rand_index", draws=5, seed=1).n_units == 10
    with pytest.raises(ValueError, match="pair_sets_index is no function of sums"):
        found.bootstrap("pair_sets_index")
    with pytest.raises(KeyError, match="was not asked for"):
        found.bootstrap("v_measure")
    giant = pw.sweep(
        np.where(np.arange(60) < 52, 0, np.arange(60)),
        [(i, i + 1, 0.9) for i in range(51)],
        scores="similarity",
    )
    with pytest.raises(
        ValueError, match=r"one component of the best .* 52 of 60 items.*groups="
    ):
        giant.bootstrap("adjusted_rand_index")
    one = pw.sweep([0, 0], [(0, 1, 0.5)], scores="similarity")
    with pytest.raises(ValueError, match="there is 1 component to draw"):
        one.bootstrap("adjusted_rand_index")
    with pytest.raises(ValueError, match="groups has shape"):
        pw.sweep(labels, edges, scores="similarity", groups=[1, 2])
    split = pw.sweep(labels, edges, scores="similarity", groups=np.arange(len(labels)))
    with pytest.raises(ValueError, match="of the reference holds items of the groups"):
        split.bootstrap("adjusted_rand_index")


def test_reports_and_groups_by_item():
    edges = [("a", "b", 0.9), ("c", "d", 0.7), ("e", "f", 0.2)]
    gold = pw.Clustering.from_clusters([["a", "b"], ["c", "d"], ["e"], ["f"]])
    groups = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3, "f": 3}
    found = pw.sweep(gold, edges, scores="similarity", groups=groups)
    assert found.groups.tolist() == [1, 1, 2, 2, 3, 3]
    sure = found.bootstrap("rand_index", draws=99, seed=7)
    text = str(sure)
    assert "99 draws of 3 groups with replacement, seed 7" in text
    assert "best threshold in [" in text
    plain = json.loads(sure.to_json())
    assert plain["units"] == 3
    assert plain["cut"] == sure.best.cut
    assert pw.sweep(gold, edges, scores="similarity").groups is None


def test_a_side_that_one_draw_leaves_a_single_cluster_has_its_defined_value():
    labels = [0, 0, 1, 1]
    edges = [(0, 1, 0.9), (2, 3, 0.5)]
    found = pw.sweep(labels, edges, scores="similarity", groups=labels, measures=["v_measure"])
    sure = found.bootstrap("v_measure", draws=40, seed=1)
    assert sure.values.tolist() == [1.0] * 40
    assert np.isfinite(sure.best_values).all()


# ---- on the command line, and on real records ---------------------------------------

RECORDS = ["examples/records.csv::person", "examples/pairs.csv", "--item", "record"]
COMMON = ["--scores", "similarity", "--measures", "pair_f1"]


@pytest.fixture
def at_root(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.mark.usefixtures("at_root")
def test_command_draws_components_or_groups(capsys, tmp_path):
    limits = ["--thresholds", "0.9,0.7,0.5,0.3"]
    draws = ["--bootstrap", "50", "--seed", "3"]
    assert main(["sweep", *RECORDS, *COMMON, *limits, *draws]) == 0
    assert "50 draws of 4 components with replacement, seed 3" in capsys.readouterr().out
    rows = Path("examples/records.csv").read_text().splitlines()[1:]
    groups = tmp_path / "groups.csv"
    lines = [f"{row.split(',')[0]},{'xy'[i >= 9]}" for i, row in enumerate(rows)]
    groups.write_text("\n".join(["record,half", *lines, ""]))
    arguments = ["sweep", *RECORDS, *COMMON, "--thresholds", "0.9,0.6", *draws, "--json"]
    assert main([*arguments, "--groups", f"{groups}::half"]) == 0
    report = json.loads(capsys.readouterr().out)
    (found,) = report["bootstrap"]
    assert (found["by"], found["units"], found["seed"]) == ("groups", 2, 3)


@pytest.mark.parametrize("by", ["groups", "components"])
def test_states_that_leave_too_little_to_draw_are_left_out(by):
    """The same as a sweep whose thresholds end where drawing still says something."""
    labels, unit, edges = problem(9, 4)
    n = len(unit)
    chain = np.arange(n - 1)  # at the loosest states every item is in one cluster
    below = edges[2].min() - 1 - chain / n
    ranked = tuple(
        np.concatenate(pair) for pair in zip(edges, (chain, chain + 1, below), strict=True)
    )
    options = {"scores": "similarity", "measures": ["adjusted_rand_index", "pair_f1"]}
    options["groups"] = unit if by == "groups" else None
    found = pw.sweep(labels, ranked, **options)
    sure = found.bootstrap("pair_f1", draws=40, seed=3)
    last = len(found) - 1 - sure.n_left_out
    assert sure.states.tolist() == list(range(last + 1))
    assert 0 < sure.n_left_out < len(found) - 1 - sure.best.state

    def leaves_enough(state):
        if by == "groups":
            clusters = found.labels(state)
            return all(len(set(unit[clusters == x])) == 1 for x in set(clusters))
        sizes = pw.contingency(labels, found.labels(state)).components().sizes
        return len(sizes) > 1 and 2 * max(sizes) <= n  # at the best state more than n / 50

    assert leaves_enough(last)
    assert not leaves_enough(last + 1)
    short = pw.sweep(labels, ranked, thresholds=found.thresholds[: last + 1], **options)
    same = short.bootstrap("pair_f1", draws=40, seed=3)
    assert same.n_left_out == 0
    assert same.n_units == sure.n_units
    assert np.array_equal(same.values, sure.values)
    assert np.array_equal(same.best_values, sure.best_values)
    assert "looser" not in same.header
    assert f"{sure.n_left_out} looser one" in sure.header


def test_a_ranked_list_is_cut_where_components_are_small():
    """The error is that of the clustering at the best threshold, drawn by its components."""
    own = np.random.default_rng(5)
    truth = np.repeat(np.arange(150), own.integers(1, 5, 150))
    n = len(truth)
    first = np.repeat(np.arange(n), 4)
    second = np.minimum(first + np.tile(np.arange(1, 5), n), n - 1)
    alike = truth[first] == truth[second]
    scores = np.where(alike, own.beta(8, 2, 4 * n), own.beta(2, 6, 4 * n))
    edges = (first, second, scores)
    found = pw.sweep(truth, edges, scores="similarity", measures="b_cubed_f1")
    sure = found.bootstrap("b_cubed_f1", draws=300, seed=1)
    last = len(found) - 1 - sure.n_left_out
    for state, small in ((last, True), (last + 1, False)):
        sizes = pw.contingency(truth, found.labels(state)).components().sizes
        assert (50 * max(sizes) <= n) == small
    assert sure.n_units > 50
    labels = found.labels(sure.best.state)
    alone = pw.bootstrap(
        truth, labels, measure="b_cubed_f1", by="components", draws=300, seed=1
    )
    assert sure.standard_error == pytest.approx(alone.standard_error[0], rel=0.35)


@pytest.mark.usefixtures("at_root")
@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--bootstrap", "9", "--csv"], "not for --csv"),
        (["--seed", "9"], "is for --bootstrap"),
        (["--bootstrap", "9", "--groups", "examples/records.csv::matched"], "of the groups"),
    ],
)
def test_command_refuses(capsys, options, fragment):
    assert main(["sweep", *RECORDS, *COMMON, *options]) == 2
    assert fragment in capsys.readouterr().err


@pytest.mark.skipif(
    not FEBRL.is_file(), reason="the records beside the repository are not here"
)
@pytest.mark.one_backend
def test_the_guide_tells_what_is_found_on_five_thousand_records():
    with gzip.open(FEBRL, "rt") as file:
        rows = list(csv.DictReader(file))
    true = [row["true"] for row in rows]
    names = [f"jaccard>=0.{k}" for k in range(8, 1, -1)]
    levels = {name: [int(row[name]) for row in rows] for name in names}
    found = pw.sweep(true, levels, kind="nested", measures=["pair_f1", "b_cubed_f1"])
    text = f"{found}\n{found.bootstrap('pair_f1', draws=2000, seed=1)}\n"
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "sweep.md").read_text()
    assert f"```text\n{text}```" in guide
