"""Pictures: on the axes that are passed, with names and units, legend outside, few lines."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import every_result
import partwise as pw
from partwise import coreference
from partwise.report.plots.curves import Curve, draw_curves
from partwise.report.plots.style import MOST_LINES, shortened
from partwise.scoring.candidate_curves import numbers_of

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure

pytestmark = pytest.mark.one_backend

RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.integers(0, 8, 300)
FOUND = np.where(RANDOM.random(300) < 0.8, TRUTH, RANDOM.integers(0, 9, 300))
EDGES = (RANDOM.integers(0, 300, 200), RANDOM.integers(0, 300, 200), RANDOM.random(200))
LEVELS = {f"resolution_{k}": TRUTH % k + (FOUND % 2) * 10 for k in (2, 4, 8)}
CURVE = pw.sweep(TRUTH, EDGES, scores="similarity")
BY_GROUP = pw.sweep(
    np.arange(60) // 3,
    np.stack([np.arange(60) // 2, np.arange(60) // 6], axis=1),
    kind="nested",
    measures=["pair_f1", "nvi"],
    groups=np.arange(60) // 6,
)
KEY = every_result.documents(0)
SCORES = {
    name: coreference.score(KEY, every_result.documents(k)) for k, name in ((1, "a"), (2, "b"))
}
DRAWN = {name: coreference.bootstrap(one, draws=50, seed=1) for name, one in SCORES.items()}
TABLE = coreference.CoreferenceTable.of(SCORES, bootstraps=DRAWN)
SIGNIFICANCE = pw.significance(TRUTH, FOUND, measure=["purity", "nvi"], draws=50, seed=1)
TREES = [
    pw.Hierarchy.from_linkage(linkage(RANDOM.random((40, 2)), word))
    for word in ("ward", "single")
]

PLOTS = {
    "sweep": CURVE.plot,
    "sweep against clusters": lambda path=None, ax=None: CURVE.plot(
        path, against="n_clusters", ax=ax
    ),
    "sweep with a band": lambda path=None, ax=None: BY_GROUP.plot(
        path,
        measures=["pair_f1"],
        bootstraps=[BY_GROUP.bootstrap("pair_f1", draws=40, seed=1)],
        ax=ax,
    ),
    "candidates": pw.score_many(TRUTH, LEVELS, ["purity", "pair_f1", "nvi"]).plot,
    "table": pw.contingency(TRUTH, FOUND).plot,
    "components": pw.contingency(np.arange(40) // 3, np.arange(40) // 3).components().plot,
    "worst": pw.diagnose(TRUTH, FOUND).plot,
    "tree": pw.stability(LEVELS).plot,
    "pairwise": pw.pairwise(LEVELS, "nvi").plot,
    "null": SIGNIFICANCE.null.plot,
    "significance": SIGNIFICANCE.plot,
    "bootstrap": pw.bootstrap(TRUTH, FOUND, measure=["purity", "nvi"], draws=40, seed=1).plot,
    "jackknife": pw.jackknife(TRUTH, FOUND, measure=["purity", "nvi"]).plot,
    "systems": TABLE.plot,
    "documents": SCORES["a"].plot,
    "cuts of hierarchies": pw.b_k(*TREES).plot,
}
#: Pictures whose places need no axis.
WITHOUT_AXES = ("worst", "tree")


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_draws_on_the_axes_that_are_passed_and_returns_them(name):
    ax = Figure().add_subplot()
    assert PLOTS[name](ax=ax) is ax
    assert ax.has_data() or ax.patches or ax.texts


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_has_its_own_figure_and_saves_it(name, tmp_path):
    path = tmp_path / "plot.png"
    ax = PLOTS[name](str(path))
    assert path.read_bytes()[:4] == b"\x89PNG"
    if name not in WITHOUT_AXES:
        assert ax.get_xlabel()
        assert ax.get_ylabel() or ax.get_yticklabels()
    legend = ax.get_legend()
    if legend is not None:
        assert legend.get_bbox_to_anchor().transformed(ax.transAxes.inverted()).x0 >= 1
    assert len([x for x in ax.get_lines() if len(x.get_xdata()) > 2]) <= 12


def test_the_default_sweep_has_a_few_similarities_of_one_scale():
    ax = CURVE.plot()
    curves = [x for x in ax.get_lines() if not str(x.get_label()).startswith(("best", "_"))]
    assert [x.get_label() for x in curves] == ["pair_f1", "b_cubed_f1", "v_measure", "purity"]
    assert len({x.get_linestyle() for x in curves}) == 4
    assert len({x.get_color() for x in curves}) == 4
    assert ax.get_ylabel() == "value, higher is better"
    assert ax.get_xlabel() == "threshold of similarity"


def test_the_chosen_cut_and_the_band_are_those_of_the_results():
    drawn = BY_GROUP.bootstrap("pair_f1", draws=40, seed=1)
    best = BY_GROUP.best("pair_f1")
    ax = BY_GROUP.plot(measures=["pair_f1"], bootstraps=[drawn])
    labels = [x.get_label() for x in ax.get_lines()]
    assert f"best: {best.value:.3f} at {best.cut:.4g}" in labels
    assert any(x.get_label() == "95% of bootstrap draws" for x in ax.collections)
    at = np.searchsorted(drawn.states, best.state)
    assert drawn.curve_low[at] == drawn.low
    assert drawn.curve_high[at] == drawn.high
    assert (drawn.curve_low <= drawn.curve_high).all()


def test_more_lines_than_can_be_told_apart_are_refused():
    line = Curve("x", np.arange(3), np.arange(3.0))
    draw_curves([line] * MOST_LINES, xlabel="x", ylabel="y")
    with pytest.raises(ValueError, match="6 curves in one picture cannot be told apart"):
        draw_curves([line] * (MOST_LINES + 1), xlabel="x", ylabel="y")


def test_similarities_and_distances_do_not_go_together():
    with pytest.raises(ValueError, match="similarities and distances do not go into one"):
        CURVE.plot(measures=["pair_f1", "mirkin"])
    table = pw.score_many(TRUTH, LEVELS, ["purity", "nvi"])
    with pytest.raises(ValueError, match="similarities and distances do not go into one"):
        table.plot(measures=["purity", "nvi"])
    with pytest.raises(ValueError, match="against='x'"):
        CURVE.plot(against="x")


def test_the_heat_map_has_matched_clusters_on_its_diagonal():
    labels = np.repeat(np.arange(5), [9, 7, 5, 3, 1])
    renamed = np.array(list("edcba"))[labels]
    ax = pw.contingency(labels, renamed).plot()
    (image,) = ax.get_images()
    assert np.ma.filled(image.get_array(), 0).tolist() == (100 * np.eye(5)).tolist()
    assert [x.get_text() for x in ax.get_yticklabels()] == list("01234")
    assert [x.get_text() for x in ax.get_xticklabels()] == list("edcba")
    ax = pw.contingency(labels, renamed).plot(most=2)
    assert ax.get_ylabel() == "reference clusters by size, 3 smaller ones left out"
    with pytest.raises(ValueError, match="most=0 must be at least 1"):
        pw.contingency(labels, renamed).plot(most=0)


def test_like_clusterings_stand_beside_each_other():
    runs = {"x": TRUTH, "y": np.zeros(300), "z": TRUTH + 1, "w": np.ones(300)}
    table = pw.pairwise(runs, "variation_of_information")
    names = [table.names[k] for k in table.order()]
    assert abs(names.index("x") - names.index("z")) == 1
    assert abs(names.index("y") - names.index("w")) == 1
    similar = pw.pairwise(runs, "rand_index")
    names = [similar.names[k] for k in similar.order()]
    assert abs(names.index("x") - names.index("z")) == 1


def test_what_no_picture_shows_is_refused_in_words():
    many = {"a": np.arange(100), "b": np.arange(100)}
    with pytest.raises(ValueError, match="level 'a' has 100 clusters"):
        pw.stability(many).plot()
    with pytest.raises(ValueError, match="no component has a loss"):
        pw.diagnose(TRUTH, TRUTH).plot()
    with pytest.raises(ValueError, match="'a' has no interval of conll"):
        coreference.CoreferenceTable.of(SCORES).plot()


def test_names_of_candidates_with_numbers_are_places():
    assert numbers_of(["r_0.5", "r_2", "r_1e3"]).tolist() == [0.5, 2.0, 1000.0]
    assert numbers_of(["a_1", "b_2"]) is None
    assert numbers_of(["a_1", "b"]) is None
    ax = pw.score_many(TRUTH, LEVELS, ["purity"]).plot(xlabel="resolution")
    assert ax.get_lines()[0].get_xdata().tolist() == [2, 4, 8]


def test_labels_of_users_are_no_formulas():
    assert shortened("a$b$ c" + "d" * 40, 12) == r"a\$b\$ …dddddd"
    ax = pw.contingency(np.array(["$x_$", "b"]), np.array(["$\\y", "c"])).plot()
    ax.figure.canvas.draw()
    assert ax.get_yticklabels()[0].get_text() in (r"\$x_\$", "b")


def test_documents_have_the_worst_first():
    ax = SCORES["a"].plot(measure="muc")
    texts = [x.get_text() for x in ax.get_legend().get_texts()]
    f1s = [float(x.split("F1 ")[1].split(":")[0]) for x in texts if x[0] in "12345"]
    assert len(f1s) == 5
    assert f1s == sorted(f1s)
    assert f"{100 * SCORES['a']['muc'].recall:.1f}" in texts[-1]
    assert ax.get_xlabel() == "recall of MUC, %"
