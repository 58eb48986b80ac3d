"""compare, score_many, pairwise and the forms of their results."""

import json
from itertools import combinations

import numpy as np
import pytest

import partwise as pw

A = [0, 0, 1, 1, 2]
B = [0, 1, 1, 1, 2]
RUNS = {"same": A, "other": B, "all one": [7] * 5}


def test_compare_gives_the_measures_themselves():
    result = pw.compare(A, B, measures="all")
    for name, row in pw.catalogue().items():
        if row.requires:
            assert name in result.skipped
        else:
            assert result[name] == row.function(A, B, **row.options)
    assert (result.shape, result.n_cells, result.n_components) == ((3, 3), 4, 2)


def test_one_table_serves_all_measures(monkeypatch):
    from partwise import _kernels

    calls = []
    real = _kernels.impl.sum_xlogx

    class Spy:
        def __getattr__(self, name):
            return getattr(backend, name)

        def sum_xlogx(self, *arguments):
            calls.append(1)
            return real(*arguments)

    backend = _kernels.impl
    monkeypatch.setattr(_kernels, "impl", Spy())
    pw.compare(A, B, measures="all")
    assert len(calls) == 4  # n, rows, columns, cells: once each for all measures


def test_forms_of_a_comparison():
    result = pw.compare(A, B, measures=["purity", "rand_index"])
    assert json.loads(result.to_json()).items() >= result.to_dict().items()
    assert result.to_dict()["account"]["items"] == 5
    assert result.to_markdown().count("\n") == 7
    assert "<table>" in result._repr_html_()
    assert result.to_csv().splitlines()[1] == "set matching,purity,0.8,higher"
    pandas = pytest.importorskip("pandas")
    assert result.to_pandas().equals(pandas.Series(result.scores, name="score"))


@pytest.mark.one_backend
@pytest.mark.parametrize(
    "beside", [(), ("weights",), ("multiplicity",), ("features",), ("weights", "features")]
)
def test_the_document_says_what_was_asked_for(beside):
    values = {
        "weights": [1.0, 2.0, 1.0, 1.0, 0.5],
        "multiplicity": [1, 2, 1, 1, 3],
        "features": [[1.0], [2.0], [4.0], [7.0], [7.5]],
    }
    columns = {name: values[name] for name in beside}
    name = "css_distance" if "features" in beside else "b_cubed_f1"
    wanted = {"measures": [name], **({"columns": list(beside)} if beside else {})}
    for result in (
        pw.compare(A, B, measures=name, **columns),
        pw.score_many(A, [B], [name], **columns),
        pw.pairwise([A, B], name, **columns),
    ):
        assert json.loads(result.to_json())["options"] == wanted


def test_html_escapes_labels_of_candidates():
    table = pw.score_many(A, {"<b>": B}, ["purity"])
    assert "&lt;b&gt;" in table._repr_html_()


def test_score_many():
    table = pw.score_many(A, RUNS, ["rand_index", "v_measure(beta=2)"])
    assert table.names == list(RUNS)
    for i, labels in enumerate(RUNS.values()):
        assert table.values[i, 0] == pw.rand_index(A, labels)
        assert table.values[i, 1] == pw.v_measure(A, labels, beta=2)
    assert table["rand_index"][0] == 1.0
    assert table.to_dict()["same"]["rand_index"] == 1.0
    assert json.loads(table.to_json())["accounts"]["same"]["items"] == 5
    assert str(table).splitlines()[0] == "5 items compared, aligned by position"
    assert len(table.to_csv().splitlines()) == len(table.table().markdown().splitlines()) - 1
    pytest.importorskip("pandas")
    assert table.to_pandas().loc["other", "rand_index"] == pw.rand_index(A, B)


def test_progress_changes_no_score(capsys):
    """A line on a terminal, nothing elsewhere; never on standard output."""
    table = pw.score_many(A, RUNS, ["rand_index"], progress=True)
    assert table.to_dict() == pw.score_many(A, RUNS, ["rand_index"]).to_dict()
    runs = list(RUNS.values())
    assert pw.pairwise(runs, progress=True) == pw.pairwise(runs)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("form", ["list", "array", "pandas", "polars", "pyarrow"])
def test_many_clusterings_in_any_form(form):
    runs = list(RUNS.values())
    if form == "array":
        runs = np.array(runs).T
    elif form != "list":
        module = pytest.importorskip(form)
        runs = module.table(RUNS) if form == "pyarrow" else module.DataFrame(RUNS)
    wanted = [pw.rand_index(A, x) for x in RUNS.values()]
    table = pw.score_many(A, runs, ["rand_index"])
    assert table["rand_index"].tolist() == wanted
    assert table.names == (["0", "1", "2"] if form in ("list", "array") else list(RUNS))


def test_pairwise_is_reference_by_candidate():
    runs = list(RUNS.values())
    for measure in ("variation_of_information", "homogeneity", "v_measure(beta=0)"):
        found = pw.pairwise(runs, measure)
        row = pw.catalogue().get(measure)
        for i, a in enumerate(runs):
            for j, b in enumerate(runs):
                wanted = row.function(a, b) if row else pw.v_measure(a, b, beta=0)
                assert found[i, j] == wanted


def neighbours_by_average_linkage(apart):
    """Return the sets of clusterings that are joined, nearest first, of a symmetric matrix."""
    groups, joined = [{i} for i in range(len(apart))], []
    while len(groups) > 1:
        one, other = min(
            combinations(groups, 2),
            key=lambda pair: np.mean([apart[i, j] for i in pair[0] for j in pair[1]]),
        )
        groups = [group for group in groups if group not in (one, other)] + [one | other]
        joined.append(one | other)
    return joined


@pytest.mark.one_backend
@pytest.mark.parametrize(
    "measure",
    ["variation_of_information", "rand_index", "b_cubed_recall", "mutual_information"],
)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_joined_stands_beside_each_other(measure, seed):
    pytest.importorskip("scipy")
    rng = np.random.default_rng(seed)
    runs = [rng.integers(0, k, 40) for k in (2, 3, 3, 4, 6, 9, 12)]
    table = pw.pairwise(runs, measure)
    both = (table.values + table.values.T) / 2
    apart = both if pw.catalogue()[measure].direction == "lower" else -both
    place = {clustering: i for i, clustering in enumerate(table.order())}
    assert sorted(place) == list(range(len(runs)))
    for group in neighbours_by_average_linkage(apart):
        places = [place[i] for i in group]
        assert max(places) - min(places) == len(group) - 1


@pytest.mark.one_backend
def test_two_clusterings_stay_in_their_order():
    for n in range(3):
        assert pw.pairwise([A, B][:n], "rand_index").order() == list(range(n))


def test_errors_name_the_candidate():
    with pytest.raises(ValueError, match="candidate 'short': the reference has 5 labels"):
        pw.score_many(A, {"short": [1]}, ["purity"])
    with pytest.raises(ValueError, match="columns of a 2-D array"):
        pw.score_many(A, np.array(B), ["purity"])
    with pytest.raises(ValueError, match="needs k"):
        pw.pairwise([A, B], "vi_similarity_log_k")


def test_entropy_conventions():
    table = pw.contingency(A, B)
    with pytest.raises(TypeError, match="side="):
        pw.entropy(table)
    with pytest.raises(TypeError, match="only with"):
        pw.entropy(A, side="reference")
    with pytest.raises(ValueError, match="side='left'"):
        pw.entropy(table, side="left")
    with pytest.raises(ValueError, match="base=1"):
        pw.entropy(A, base=1)
    assert pw.entropy(pw.align(A, B), side="reference") == pw.entropy(A)


def test_ties_are_reported():
    result = pw.compare([0, 0, 1, 1], [0, 1, 0, 1], measures="criterion_h(matching=greedy)")
    note = "criterion_h(matching=greedy): a tie was broken by the order of labels"
    assert result.notes == [note]
    assert note in str(result)
    clear = pw.compare([0, 0, 0, 1], [0, 0, 0, 1], measures="criterion_h(matching=greedy)")
    assert clear.notes == []


def test_tables_and_results_can_be_pickled():
    import pickle

    table = pw.contingency(A, B, weights=[1, 2, 3, 4, 5])
    result = pw.compare(table)
    for thing in (table, result, pw.catalogue()["purity"], pw.align(A, B)):
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing)
    assert pw.compare(pickle.loads(pickle.dumps(table))).scores == result.scores


def test_series_with_other_indexes_are_refused_everywhere():
    pandas = pytest.importorskip("pandas")
    a = pandas.Series([0, 0, 1, 1], index=list("wxyz"))
    b = a.iloc[[0, 2, 1, 3]]
    for call in (
        lambda: pw.score_many(a, {"b": b}, ["rand_index"]),
        lambda: pw.pairwise([a, b], "rand_index"),
        lambda: pw.rand_index(a, pw.Clustering(b)),
    ):
        with pytest.raises(ValueError, match="different indexes"):
            call()


def test_wrong_kinds_of_measures():
    for wrong in (5, None, [pw.rand_index]):
        with pytest.raises(TypeError, match="name"):
            pw.compare(A, B, measures=wrong)
    with pytest.raises(TypeError, match="vi_similarity_log_k needs k="):
        pw.vi_similarity_log_k(A, B)
    with pytest.raises(ValueError, match="the same as text"):
        pw.score_many(A, {1: A, "1": B}, ["purity"])


@pytest.mark.parametrize(
    ("call", "fragment"),
    [
        (lambda: pw.v_measure(A, B, beta=-1), "beta=-1"),
        (lambda: pw.v_measure(A, B, beta=float("nan")), "beta=nan"),
        (lambda: pw.vi_similarity_log_k(A, B, k=2), "k=2 is below"),
        (
            lambda: pw.normalized_mutual_information(A, B, average="mean"),
            "average='mean'",
        ),
        (lambda: pw.normalized_variation_of_information(A, B, norm="n"), "norm='n'"),
        (lambda: pw.s_entropy(A, B, combine="sum"), "combine='sum'"),
        (lambda: pw.nvi(A, B, base=-2), "base=-2"),
        (lambda: pw.nvi(A, B, base=0.5), r"base=0\.5"),
        (lambda: pw.nvi(A, B, base="e"), "base='e' must be a number"),
        (lambda: pw.mirkin(A, B, normalized="no"), "normalized='no' must be True or False"),
        (lambda: pw.wallace(A, B, direction="up"), "direction='up'"),
        (lambda: pw.b_cubed_f1(A, B, beta=10**400), "must be a number"),
    ],
)
def test_options_out_of_range(call, fragment):
    with pytest.raises(ValueError, match=fragment):
        call()


def test_k_must_be_an_integer():
    with pytest.raises(TypeError, match=r"k=3\.5"):
        pw.vi_similarity_log_k(A, B, k=3.5)


def test_the_induced_subgraph_is_the_graph_of_the_induced_clusterings():
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 5, (2, 30))
    items = rng.permutation(30)[:12]
    graph = pw.induced_subgraph(a, b, items)
    wanted = pw.bipartite_graph(a[items], b[items])
    assert list(graph.edges()) == list(wanted.edges())
    assert graph.row_labels.tolist() == sorted({*a[items].tolist()})
    for number, part in enumerate(pw.components(a, b).tables()):
        inside = np.flatnonzero(pw.components(a, b).item_component == number)
        assert len(pw.induced_subgraph(a, b, inside).rows) == part.n_cells
    named = pw.induced_subgraph({"x": 0, "y": 0, "z": 1}, {"z": 4, "y": 5, "x": 5}, {"y", "z"})
    assert named.counts.tolist() == [1, 1]
    with pytest.raises(ValueError, match="item 9 at index 1 is not in the clustering"):
        pw.induced_subgraph([0, 1], [0, 1], [0, 9])


def test_induced_clustering_names_unknown_items():
    with pytest.raises(ValueError, match="item 9 at index 1"):
        pw.induced_clustering(A, [0, 9])
    with pytest.raises(ValueError, match="asked for again"):
        pw.induced_clustering(A, [0, 1, 0])
    assert pw.induced_clustering({"x": 1}, []).n_items == 0


def test_families_that_share_threads_give_the_same_scores(monkeypatch):
    monkeypatch.setattr("partwise.scoring.compare._SHARED_CELLS", 1)
    rng = np.random.default_rng(8)
    a, b = rng.integers(0, 40, (2, 900))
    for measures in ("default", "all"):
        one = pw.compare(a, b, measures=measures)
        several = pw.compare(a, b, measures=measures, workers=3)
        assert list(several.scores.items()) == list(one.scores.items())
        assert several.notes == one.notes
    with pytest.raises(ValueError, match="all weights are 0"):
        pw.compare(a, b, weights=np.zeros(900), workers=2)
