"""The experiments of the V-measure and the split-merge paper, against what they print."""

import dataclasses
import math
import sys
from itertools import pairwise, product

import numpy as np
import pytest

import cases
import partwise as pw
from papers import (
    ExperimentTable,
    MissingData,
    derivation_graph,
    dom_contingency,
    dom_properties,
    dom_sample,
    experiment,
    experiments,
    problem_of_matching,
    series_summary,
    split_merge_properties,
    split_merge_series,
    split_merge_series_litbank,
    split_merge_structure,
    split_merge_text,
    split_then_merge,
    subcomponent_pairs,
    v_sweep,
    v_text,
)
from papers.dom import (
    DESIRABLE,
    dom_grid,
    draw_dom_properties,
    satisfied,
)
from papers.dom_generator import dom_layout
from papers.dom_measures import MEASURES, similarities
from papers.dom_outcomes import PRINTED_RATES
from papers.matching_problem import SOLUTIONS
from papers.seeds import how_often, tables_of
from papers.split_merge_properties import (
    decomposes_as_printed,
    outcomes_of_properties,
    pairs_alike_in_parts,
)
from papers.split_merge_series import draw_series, outcomes_of_simulated
from papers.split_merge_structure import draw_structure, outcomes_of_structure
from papers.sweep_outcomes import outcomes_of_sweep
from papers.sweeps import draw_sweep
from papers.v_points import DOCUMENTS, TOPICS, class_labels
from partwise.measures.split_merge.cluster_scores import entropy_score

pytestmark = pytest.mark.one_backend
text = sys.modules["papers.split_merge_text"]
weights_of = sys.modules["papers.split_merge_properties"]


def data():
    return cases.shared("data", "labels")


# ---- V, Figure 2 --------------------------------------------------------------------


def test_the_problem_of_matching():
    table = problem_of_matching()
    for row in table.to_dicts():
        assert math.isclose(row["F"], row["printed F"], rel_tol=1e-15)
        assert abs(row["V"] - row["printed V"]) <= 0.005
    wanted = {"A": 0.1350, "B": 0.3874, "C": 0.3004, "D": 0.4128}
    found = dict(zip(table.column("solution"), table.column("V"), strict=True))
    assert {name: round(x, 4) for name, x in found.items()} == wanted


def test_solutions_have_the_sizes_of_the_figure():
    for name, items in (("A", 15), ("B", 15), ("C", 21), ("D", 21)):
        counts = np.asarray(SOLUTIONS[name][0])
        assert counts.sum() == items
        assert len(set(counts.sum(axis=1))) == 1


# ---- V, Figure 3 --------------------------------------------------------------------


def test_the_sample_solution():
    table = dom_contingency(60, 2, 3, 1, 1, errors=(0.1, 0.2, 0.1))
    printed = [[12, 12, 2, 3], [2, 2, 12, 3], [4, 4, 4, 0]]
    assert table.to_scipy().toarray().T.tolist() == printed
    found = dict(
        zip(dom_sample().column("quantity"), dom_sample().column("value"), strict=True)
    )
    assert found["n"] == 60
    assert [found[f"error mass {i}"] for i in (1, 2, 3)] == [0.1, 0.2, 0.1]
    wanted = {
        "homogeneity": 0.1555,
        "completeness": 0.1969,
        "V-measure": 0.1738,
        "VI": 1.9427,
        "Q0": 1.4757,
        "Q2": 0.2938,
        "F-measure": 0.5250,
        "Rand": 0.6232,
    }
    assert {name: round(found[name], 4) for name in wanted} == wanted


def test_a_solution_needs_whole_items():
    with pytest.raises(ValueError, match=r"cluster 0 would hold 11\.8 items of class 0"):
        dom_contingency(59, 2, 3, 1, 1, errors=(0.1, 0.2, 0.1))


# ---- V, Table 2 ---------------------------------------------------------------------

# what this reading of the generator gives, to two digits
RATES = {
    "P1": (9408, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00),
    "P2": (18816, 0.75, 0.75, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00),
    "P3": (20160, 0.15, 0.15, 0.31, 0.23, 0.34, 0.17, 1.00, 1.00, 1.00),
    "P4": (23520, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00),
    "P5": (23520, 0.88, 0.88, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00),
    "P6": (20160, 0.15, 0.15, 0.30, 0.20, 0.36, 1.00, 1.00, 1.00, 1.00),
    "P7": (23520, 0.84, 0.84, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00),
}
PAIRS = MEASURES[:5]


@pytest.fixture(scope="module")
def rates():
    return dom_properties()


def test_rates_of_the_desirable_properties(rates):
    for row in rates.where(source="here").to_dicts():
        steps, *wanted = RATES[row["property"]]
        assert row["steps"] == steps
        assert [round(row[name], 2) for name in MEASURES] == wanted


def test_noise_that_is_there_already_gives_more_of_p3_as_printed(rates):
    there = rates.where(source="here, noise there")
    assert there.column("property") == ("P3", "P6")
    assert there.column("steps") == (16800, 16800)
    rounded = [[round(row[name], 2) for name in MEASURES] for row in there.to_dicts()]
    assert rounded[0] == [0.0, 0.0, 0.17, 0.07, 0.21, 0.0, 1.0, 1.0, 1.0]
    assert rounded[1] == [0.0, 0.0, 0.16, 0.04, 0.23, 1.0, 1.0, 1.0, 1.0]
    told = {
        one.item
        for one in experiments()["dom-properties"].outcomes_of(rates)
        if one.why.startswith("as printed without the step")
    }
    assert told == {"P3, Rand", "P3, Mirkin", "P3, Jaccard", "P3, F-measure"}


def test_the_verdict_of_the_paper(rates):
    """V, VI and Q0 obey everything, the others break P3 and P6 (F: P3)."""
    here = rates.where(source="here")
    always = {name for name in MEASURES if set(here.column(name)) == {1.0}}
    assert always == {"V-measure", "VI", "Q0"}
    for name in PAIRS:
        assert here.where(property="P3").column(name)[0] < 1
        assert here.where(property="P6").column(name)[0] < 1
    agree = {
        (row["property"], name)
        for row in here.to_dicts()
        for name, printed in zip(MEASURES, PRINTED_RATES[row["property"]], strict=True)
        if row[name] == float(printed)
    }
    assert {(p, m) for p in PRINTED_RATES for m in ("V-measure", "VI", "Q0")} <= agree
    assert {("P4", m) for m in MEASURES} <= agree
    steady = ("Fowlkes-Mallows", "Gamma", "Jaccard", "F-measure")
    assert {(p, m) for p in ("P1", "P5", "P7") for m in steady} <= agree
    assert ("P2", "Gamma") in agree


def test_the_verdict_does_not_hang_on_the_matching():
    """All clusters that are left over with the first class: what the docstring says of it."""
    here = dom_properties(matching="first").where(source="here")
    assert {name for name in MEASURES if set(here.column(name)) == {1.0}} == {
        "V-measure",
        "VI",
        "Q0",
    }
    rand = [round(x, 2) for x in here.column("Rand")]
    assert rand == [1.0, 1.0, 0.09, 0.8, 0.58, 0.09, 0.6]
    with pytest.raises(ValueError, match="matching"):
        dom_layout(2, 3, matching="last")


@pytest.mark.parametrize(
    "sizes", [(2, 3, 1, 1), (3, 5, 2, 1), (5, 5, 0, 0), (7, 5, 1, 0), (10, 5, 2, 4)]
)
def test_laws_agree_with_the_librarys_measures(sizes):
    """Many items, so that pairs with and without replacement are the same."""
    clusters, classes, noise_clusters, noise_classes = sizes
    n = 3 * 5 * 7 * 16 * 81 * 25_000
    errors = (0.1, 0.2 * bool(noise_clusters), 0.2 * bool(noise_classes))
    table = dom_contingency(n, *sizes, errors=errors)
    law = dom_layout(clusters, classes, noise_clusters, noise_classes).masses(*errors)
    found = similarities(law, n_items=n)
    wanted = {
        "Rand": pw.rand_index(table),
        "Mirkin": -pw.mirkin(table, normalized=True),
        "Fowlkes-Mallows": pw.fowlkes_mallows(table),
        "Gamma": pw.hubert_gamma(table),
        "Jaccard": pw.jaccard(table),
        "F-measure": pw.f_measure(table),
        "Q0": -pw.dom_q0(table),
        "VI": -pw.variation_of_information(table),
        "V-measure": pw.v_measure(table),
    }
    assert tuple(found) == tuple(wanted) == MEASURES
    for name, value in wanted.items():
        assert math.isclose(found[name], value, rel_tol=1e-6, abs_tol=1e-7), name


def test_q0_of_a_law_is_that_of_its_items():
    table = dom_contingency(1000, 5, 5, 1, 0, errors=(0.1, 0.2, 0.0))
    law = dom_layout(5, 5, 1, 0).masses(0.1, 0.2, 0.0)
    assert math.isclose(-similarities(law)["Q0"], pw.dom_q0(table), rel_tol=1e-12)


def test_where_masses_go():
    layout = dom_layout(2, 5, 1, 2)
    law = layout.masses(0.1, 0.2, 0.3)
    assert math.isclose(law.sum(), 1)
    assert np.count_nonzero(layout.matches) == 5
    assert math.isclose(law[2, :5].sum(), 0.2)
    assert math.isclose(law[:2, 5:].sum(), 0.3)
    assert (law[2, 5:] == 0).all()
    homeless = dom_layout(2, 5).masses(0.1, 0.2, 0.3)
    assert np.allclose(homeless, dom_layout(2, 5).masses(0.1, 0.0, 0.0), atol=0)
    assert dom_layout(10).matches.sum(axis=0).tolist() == [0.2] * 5
    assert (dom_layout(7, matching="first").matches > 0).sum(axis=0).tolist() == [3, 1, 1, 1, 1]


def test_satisfied_sees_direction_steps_and_conditions():
    """On a measure that is the sum of the six parameters' places."""
    axes = np.meshgrid(*(np.arange(k) for k in (10, 7, 7, 4, 4, 4)), indexing="ij")
    rising = sum(axes).astype(float)
    for wanted in DESIRABLE:
        obeyed = satisfied(wanted, rising)
        assert obeyed.size == RATES[wanted.name][0]
        assert obeyed.all() == wanted.rises
        falls = satisfied(wanted, -rising)
        share = {"P5": 6 / 7, "P7": 6 / 7, "P1": 0.0}.get(wanted.name, 1.0)
        assert math.isclose(falls.mean(), share)
    assert set(dom_grid()) == set(MEASURES)


# ---- V, Figures 4 and 5 -------------------------------------------------------------


def test_sweeps_on_real_labels():
    table = v_sweep(data())
    assert set(table.column("data")) == {"digits", "pbmc"}
    assert table.where(data="digits", method="kmeans").column("k") == (1, 5, 10, 20, 60, 1797)
    assert table.where(data="pbmc").column("k") == (1, 2, 6, 10, 16, 700)
    for name in ("digits", "pbmc"):
        rows = table.where(data=name, method="kmeans")
        v, q2, vi = (rows.column(x) for x in ("V", "Q2", "VI"))
        assert vi[-1] == max(vi)
        assert np.argmax(v) == np.argmax(q2)
        assert q2[-1] / max(q2) < v[-1] / max(v)
    row = table.where(data="digits", method="kmeans", k=10).to_dicts()[0]
    path = data() / "uci" / "digits.csv.gz"
    sides = [pw.read(path, label=column) for column in ("true", "kmeans_10")]
    assert row["V"] == pw.v_measure(*sides)
    assert row["VI"] == pw.variation_of_information(*sides, base=2)
    nats = v_sweep(data(), base=None).where(data="digits", method="kmeans", k=10).to_dicts()[0]
    assert nats["VI"] == pw.variation_of_information(*sides)
    assert {name: nats[name] for name in ("V", "Q2")} == {
        name: row[name] for name in ("V", "Q2")
    }


# ---- SM, Figure 3 -------------------------------------------------------------------

# measure -> start, at the bottom clustering, end, strictly decreasing, never increasing
SERIES = {
    "S_H": (1.000, 0.200, 0.000, True, True),
    "R": (1.000, 0.895, 0.891, True, True),
    "A": (1.000, 0.340, 0.240, False, True),
    "N": (1.000, 0.670, 0.620, False, True),
    "NMI": (1.000, 0.614, 0.600, True, True),
    "V": (1.000, 0.614, 0.579, True, True),
    "S'_H": (1.000, 0.600, 0.500, True, True),
}


def test_series_of_the_simulated_document():
    series = split_merge_series()
    assert series.column("step").count("split") == 33
    assert series.column("clusters")[0] == 17
    assert series.column("clusters")[33] == 50
    for name, *values in series_summary(series).rows:
        start, bottom, end, strictly, never = SERIES[name]
        assert np.allclose(values[:3], (start, bottom, end), atol=0.0005, rtol=0)
        assert values[3:] == [strictly, never]
    assert series.column("S_H")[0] == 1.0
    assert series.column("S_H")[-1] == 0.0


def test_series_of_a_literary_document():
    series = split_merge_series_litbank(data())
    summary = {name: values for name, *values in series_summary(series).rows}
    assert {name: values[3:] for name, values in summary.items()} == {
        name: list(values[3:]) for name, values in SERIES.items()
    }
    assert [summary[name][2] == 0 for name in SERIES] == [name == "S_H" for name in SERIES]
    with pytest.raises(ValueError, match="no document 'x'"):
        split_merge_series_litbank(data(), "x")


@pytest.mark.parametrize("labels", [[0, 0], [0, 1], [0, 0, 0, 1], [0, 1, 2], list("aabbbccd")])
def test_every_series_ends_at_a_worst_clustering(labels):
    found = list(split_then_merge(labels))
    assert found[0][0] == "start"
    assert pw.s_entropy(labels, found[0][1]) == 1.0
    assert pw.s_entropy(labels, found[-1][1]) == 0.0
    for (_, before), (step, after) in pairwise(found):
        first, second = (before, after) if step == "merge" else (after, before)
        assert pw.refines(first, second)
        assert abs(len(set(before)) - len(set(after))) == 1
    splits = [step for step, _ in found].count("split")
    assert splits == len(labels) - len(set(labels))


def test_the_largest_cluster_is_halved_and_the_last_single_item_joins_any():
    steps = list(split_then_merge([0] * 5 + [1] * 3 + [2]))
    assert steps[1][1].tolist() == [0, 0, 0, 3, 3, 1, 1, 1, 2]
    ends = {tuple(list(split_then_merge([0, 0, 0, 1], seed))[-1][1]) for seed in range(20)}
    assert len(ends) == 3
    with pytest.raises(ValueError, match="one clustering only"):
        next(split_then_merge([1]))


# ---- SM, Figures 1 and 2 ------------------------------------------------------------


def test_structure_lists_the_pairs_of_subcomponents():
    table = split_merge_structure()
    assert table.column("component") == (0, 0, 1, 1, 2, 2, 2, 2, 3)
    assert table.column("reference")[:4] == ("{0 1 2}", "{0 1 2}", "{3}", "{4}")
    assert table.column("meet")[4:8] == ("{5}", "{6}", "{7}", "{8}")
    assert table.column("candidate")[4:8] == ("{5 7}", "{6 8}", "{5 7}", "{6 8}")


def test_structure_of_any_clusterings():
    rng = np.random.default_rng(3)
    for _ in range(10):
        a, b = rng.integers(0, 6, (2, 30))
        table = split_merge_structure(a, b)
        wanted = pw.contingency(a, b)
        assert len(table.rows) == wanted.n_cells
        assert sum(table.column("size")) == 30
        assert len(set(table.column("reference"))) == wanted.shape[0]
        assert len(set(table.column("candidate"))) == wanted.shape[1]
        components = pw.components(a, b)
        assert len(set(table.column("component"))) == components.n_components
    named = split_merge_structure({"x": 0, "y": 0, "z": 1}, {"x": 0, "y": 1, "z": 1})
    assert named.column("reference") == ("{x y}", "{x y}", "{z}")
    long = split_merge_structure([0] * 9, [0] * 9)
    assert long.column("meet") == ("{0 1 ... (9 items)}",)
    assert split_merge_structure([], []).rows == ()


# ---- tables, registry, drawings -----------------------------------------------------


def test_a_table_is_text_markdown_csv_and_a_frame():
    table = ExperimentTable("T", ("a", "b"), ((1, 0.1 + 0.2), ("x|y", None)), ("n1", "n2"))
    assert str(table).splitlines() == ["T", "a    b", "1    0.3", "x|y", "n1", "n2"]
    assert table.to_markdown().splitlines() == [
        "## T",
        "",
        "| a | b |",
        "| --- | --- |",
        "| 1 | 0.3 |",
        "| x\\|y |  |",
        "",
        "- n1",
        "- n2",
    ]
    assert table.to_csv() == "a,b\n1,0.30000000000000004\nx|y,\n"
    assert table.where(a=1).rows == ((1, 0.1 + 0.2),)
    frame = table.to_pandas()
    assert list(frame.columns) == ["a", "b"]
    assert frame.attrs == {"title": "T", "notes": ["n1", "n2"]}
    with pytest.raises(ValueError, match="row 1 has 1 values for 2 columns"):
        ExperimentTable("T", ("a", "b"), ((1, 2), (3,)))
    with pytest.raises(KeyError, match="no column 'c'; there are a, b"):
        table.where(c=1)


def test_the_registry():
    found = experiments()
    for name in (
        "dom-sample",
        "dom-properties",
        "problem-of-matching",
        "v-sweep",
        "split-merge-series",
        "split-merge-series-litbank",
        "split-merge-structure",
    ):
        assert found[name].summary.endswith(".")
        assert found[name].paper in ("V-measure", "Split-merge")
        assert found[name].figure.startswith(("Figure", "Table"))

    def dom_sample():
        """Another."""

    with pytest.raises(ValueError, match="two experiments are called 'dom-sample'"):
        experiment("dom-sample", "-", "-")(dom_sample)
    for name, row in found.items():
        if row.data is not None:
            assert row.run().rows, "runs on what comes along"
            with pytest.raises(MissingData, match=r"nowhere.*columns .*: .*, or leave out"):
                row.run(data="nowhere")
        assert name == row.name


def test_drawings_show_the_numbers(rates, tmp_path):
    pytest.importorskip("matplotlib")
    series = split_merge_series()
    figure = draw_series(series)
    drawn = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert drawn["S_H"].get_ydata().tolist() == list(series.column("S_H"))
    texts = [text.get_text() for text in draw_dom_properties(rates).axes[0].texts]
    assert texts[:2] == ["1.00 (0.18)", "1.00 (0.22)"]
    assert len(texts) == len(DESIRABLE) * len(MEASURES)
    figure = draw_structure(split_merge_structure())
    above, below = figure.axes
    assert len(above.texts) == 6 + 6
    assert len(below.texts) == 6 + 6 + 9
    path = tmp_path / "structure.png"
    figure.savefig(path)
    assert path.stat().st_size > 5000
    with pytest.raises(ValueError, match="41 parts do not fit"):
        draw_structure(split_merge_structure(range(41), [0] * 41))


def test_drawing_a_sweep():
    pytest.importorskip("matplotlib")
    table = v_sweep(data())
    figure = draw_sweep(table)
    assert len(figure.axes) == 4
    assert figure.axes[0].get_title().startswith("digits")


def test_without_matplotlib_the_table_is_left(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match="install partwise"):
        draw_series(split_merge_series())


# ---- V: text and simulated sweeps ---------------------------------------------------------


def test_simulated_sweeps_have_the_printed_class_sizes():
    table = v_sweep()
    assert table.column("k") == (1, 2, 5, 12, 35, 100, 1884, 1, 2, 5, 10, 30, 100, 1000)
    assert "simulated" in table.notes[0]
    assert table.notes[1] == "VI in bits."
    sizes = np.bincount(class_labels(TOPICS, DOCUMENTS))
    assert sizes.sum() == DOCUMENTS
    assert np.allclose(100 * sizes / DOCUMENTS, TOPICS, atol=0.06)
    one_cluster = table.where(data="topics", k=1).column("VI")[0]
    shares = np.array(TOPICS) / sum(TOPICS)
    assert abs(one_cluster + (shares * np.log2(shares)).sum()) < 0.01
    assert v_sweep() == table
    assert v_sweep(seed=2).column("V") != table.column("V")
    assert v_sweep(base=None).notes[1] == "VI in nats."
    tens = v_sweep(base=10).to_dicts()[3]
    assert v_sweep(base=10).notes[1] == "VI in logarithms of base 10."
    assert math.isclose(tens["VI"], table.to_dicts()[3]["VI"] * math.log10(2), rel_tol=1e-12)


def outcome(outcomes, item):
    (one,) = [one for one in outcomes if one.item == item]
    return one


def test_outcomes_of_a_sweep_follow_the_table():
    table = v_sweep()
    outcomes = outcomes_of_sweep(table)
    topics = table.where(data="topics").to_dicts()[1:-1]
    best = max(topics, key=lambda row: row["Q2"])
    found = [one for one in outcomes if one.item == "Q2 is largest at k ="]
    assert [one.printed for one in found] == ["35", "10"]
    assert found[0].ours == best["k"]
    assert {one.place for one in outcomes_of_sweep(v_sweep(data()))} == {
        "Figure 4, digits",
        "Figure 4, pbmc",
    }
    flat = ExperimentTable(
        "T",
        table.columns,
        tuple(
            ("accents", "kmeans", k, 0.5, 0.5, v, q2, 3.0)
            for k, v, q2 in (
                (1, 0, 0),
                (2, 0.2, 0.1),
                (30, 0.3, 0.2),
                (100, 0.1, 0.3),
                (9, 0, 0),
            )
        ),
    )
    claims = outcomes_of_sweep(flat)
    assert outcome(claims, "Q2 is largest at k =").ours == 100
    assert outcome(claims, "V rises from about 30 clusters on").status == "differs"
    steady = "from there homogeneity increases, completeness is stable"
    assert outcome(claims, steady).status == "differs"


def test_what_the_page_says_of_the_sweeps_over_seeds():
    item = experiments()["v-sweep"]
    counted = how_often(item, tables_of(item, item.run, 5))
    held = {(one.place, one.item): seeds for one, seeds in counted}
    assert held.pop(("Figure 5, accents", "Q2 is largest at k =")) == "0 of 5"
    del held["Figure 4, topics", "V is largest at k ="]
    del held["Figure 4, topics", "V and Q2 are largest at the same k"]
    assert len(held) == 9
    assert set(held.values()) == {"5 of 5"}


def test_the_text_of_v():
    rows = {row["claim"]: row for row in v_text().to_dicts()}
    assert rows["VI / (1/2 log k*), {01}{23} and {02}{13}"]["value"] == pytest.approx(4)
    assert rows["sum of the shares of the 12 topics"]["value"] == "99.95 %"
    assert rows["sum of the shares of the 5 pitch accents"]["value"] == "117.9 %"
    assert [row["value"] for row in rows.values()][:2] == [1.0, 1.0]


# ---- SM: structure, properties, text -------------------------------------------------------


def test_the_derivation_graph_splits_and_merges():
    graph = derivation_graph({"x": 0, "y": 0, "z": 1, "w": 1}, {"x": 0, "y": 1, "z": 1, "w": 1})
    assert graph.reference == (("x", "y"), ("z", "w"))
    assert graph.meet == (("x",), ("y",), ("z", "w"))
    assert graph.candidate == (("x",), ("y", "z", "w"))
    assert graph.splits == ((0, 0), (0, 1), (1, 2))
    assert graph.merges == ((0, 0), (1, 1), (2, 1))
    assert graph.component == (0, 0, 0)
    assert derivation_graph([], []).meet == ()
    aligned = pw.align([0, 0, 1], [0, 1, 1])
    assert derivation_graph(aligned) == derivation_graph([0, 0, 1], [0, 1, 1])
    assert subcomponent_pairs(aligned) == subcomponent_pairs([0, 0, 1], [0, 1, 1])


def test_subcomponent_pairs_are_the_edges_of_the_bipartite_graph():
    rng = np.random.default_rng(5)
    for _ in range(10):
        a, b = rng.integers(0, 5, (2, 25))
        pairs = subcomponent_pairs(a, b)
        assert len(pairs) == pw.contingency(a, b).n_cells
        for pair in pairs:
            assert sorted(pair.meet) == sorted({*pair.reference} & {*pair.candidate})
            assert sorted(sum(pair.split, ())) == sorted(pair.reference)
            assert sorted(sum(pair.merge, ())) == sorted(pair.candidate)
            assert pair.meet in pair.split
            assert pair.meet in pair.merge
        total = sum(
            len(pair.meet)
            / 25
            * entropy_score([len(part) for part in pair.split])
            * entropy_score([len(part) for part in pair.merge])
            for pair in pairs
        )
        assert math.isclose(total, pw.s_entropy(a, b), rel_tol=1e-12)


def test_a_wrong_structure_is_seen(monkeypatch):
    """The three checks fail on a graph with one cluster of the meet too few, or one twice."""
    a, b = (0, 0, 1, 2), (0, 1, 1, 2)
    assert text.components_are_the_join(a, b)
    assert text.sinks_are_sources(a, b)
    assert text.pairs_are_one_to_one(a, b)
    graph, pairs = derivation_graph(a, b), subcomponent_pairs(a, b)
    broken = dataclasses.replace(graph, splits=graph.splits[:-1], component=(0, 1, 0, 1))
    monkeypatch.setattr(text, "derivation_graph", lambda *sides: broken)
    assert not text.components_are_the_join(a, b)
    assert not text.sinks_are_sources(a, b)
    for wrong in ((*pairs[:1], *pairs[2:]), (*pairs, pairs[0])):
        monkeypatch.setattr(text, "subcomponent_pairs", lambda *sides, wrong=wrong: wrong)
        assert not text.pairs_are_one_to_one(a, b)


def test_the_properties_of_split_merge():
    table = split_merge_properties()
    k = table.where(measure="K", property="normalized").to_dicts()[0]
    assert [k[f"n = {n}"] for n in (3, 4, 5)] == [False, True, False]
    n = table.where(measure="N", place="Table 2").to_dicts()[0]
    assert [n[f"n = {n_items}"] for n_items in (3, 4, 5)] == [False, True, True]
    assert {one.status for one in outcomes_of_properties(table)} == {
        "claim holds",
        "print is wrong",
    }


def test_k_reaches_zero_where_its_square_divides_the_items():
    eight = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    assert pw.vi_similarity_log_k(*eight, k=2) == 0
    labels = list(product((0, 1), repeat=6))
    smallest = min(
        pw.vi_similarity_log_k(pw.contingency(a, b), k=2) for a in labels for b in labels
    )
    assert 0.01 < smallest < 0.1


def test_a_wrong_weight_does_not_re_add(monkeypatch):
    assert decomposes_as_printed("V", 4)
    weights = weights_of._PRINTED_WEIGHTS
    monkeypatch.setitem(weights, "V", weights["R"])
    assert not decomposes_as_printed("V", 4)
    for name in ("R", "I", "V", "N", "A", "K", "S*"):
        assert pairs_alike_in_parts(name, 4) is None
    first, second = pairs_alike_in_parts("NMI", 4)
    values = []
    for pair in (first, second):
        a, b = ([*map(int, side)] for side in pair.split(" / "))
        values.append(pw.normalized_mutual_information(a, b, average="max"))
        assert pw.join(a, b).tolist() == [0, 0, 0, 1]
    assert abs(values[0] - values[1]) > 0.1


def test_the_text_of_split_merge():
    rows = split_merge_text().to_dicts()
    assert [row["claim"] for row in rows if not row["holds"]] == [
        "S' is K, s = 1 - H / log k^2, k = 2",
        "smallest S*(L, bottom), L other than bottom",
    ]
    assert {row["value"] for row in rows if row["place"].startswith("Proposition 4")} == {
        "225 of 225 pairs"
    }


def test_figure_2_as_outcomes():
    outcomes = outcomes_of_structure(split_merge_structure())
    assert [one.status for one in outcomes] == ["claim holds"] * 2
    other = outcomes_of_structure(split_merge_structure([0, 0, 1, 1, 2, 3], [0, 0, 1, 2, 3, 3]))
    assert not any(one.holds for one in other)


def test_claims_of_figure_3_can_fail():
    outcomes = outcomes_of_simulated(split_merge_series([0, 0, 1, 2]))
    assert outcomes[0].status == "differs"
    assert outcomes[0].ours == 1
    assert [one.agrees for one in outcomes if one.item == "A falls"] == [False]


def test_the_document_that_comes_along_is_that_of_litbank():
    assert split_merge_series_litbank() == split_merge_series_litbank(data())
    with pytest.raises(MissingData, match="only 1400_great_expectations_brat comes with"):
        split_merge_series_litbank(document="x")
