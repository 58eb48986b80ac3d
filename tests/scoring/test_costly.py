"""Sets of measures leave out what can cost far more than the table; names bring it back."""

import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main
from partwise.measures.catalogue import catalogue
from partwise.scoring import costly

MATCHING = {"classification_accuracy", "pair_sets_index"}


@pytest.fixture
def few_cells(monkeypatch):
    """Let every table of more than 20 cells count as large."""
    monkeypatch.setattr(costly, "MOST_CELLS", 20)


def random_pair(n=300, k=12, j=9, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, k, n), rng.integers(0, j, n)


def left_out(result):
    return {note.place for note in result.notes if note.code == "left-out"}


def test_default_leaves_the_matching_out(few_cells):
    a, b = random_pair()
    result = pw.compare(a, b)
    assert left_out(result) == MATCHING
    assert not MATCHING & result.scores.keys()
    kept = [name for name, row in catalogue().items() if row.default and not row.requires]
    assert set(result.scores) == set(kept) - MATCHING


def test_the_limit_is_the_number_of_cells(monkeypatch):
    a, b = random_pair()
    n_cells = pw.contingency(a, b).n_cells
    monkeypatch.setattr(costly, "MOST_CELLS", n_cells)
    assert not left_out(pw.compare(a, b, measures="all"))
    monkeypatch.setattr(costly, "MOST_CELLS", n_cells - 1)
    assert left_out(pw.compare(a, b)) == MATCHING


@pytest.mark.parametrize(
    "measures",
    [
        "default, pair_sets_index",
        "pair_sets_index, default",
        "default, psi",
        ["default", "pair_sets_index"],
        ("psi", "default"),
    ],
)
def test_what_is_named_is_computed(measures, few_cells):
    a, b = random_pair()
    result = pw.compare(a, b, measures=measures)
    assert left_out(result) == MATCHING - {"pair_sets_index"}
    assert result["pair_sets_index"] == pw.pair_sets_index(a, b)
    assert list(result.scores).count("pair_sets_index") == 1


def test_names_alone_leave_nothing_out(few_cells):
    a, b = random_pair()
    names = [*sorted(MATCHING), "mallows_distance"]
    result = pw.compare(a, b, measures=names)
    assert list(result.scores) == names
    assert result.notes == []
    for name in names:
        assert result[name] == getattr(pw, name)(a, b)


def test_the_note_says_how_to_have_it(few_cells):
    a, b = random_pair()
    for chosen in ("default", "all"):
        for note in pw.compare(a, b, measures=chosen).notes:
            if note.code != "left-out":
                continue
            named = note.text.split('measures="')[1].rstrip('"')
            assert named == f"{chosen}, {note.place}"
            again = pw.compare(a, b, measures=named)
            assert note.place in again.scores
            assert note.place not in left_out(again)


def test_all_leaves_out_every_entry_with_a_solver(few_cells):
    a, b = random_pair()
    result = pw.compare(a, b, measures="all")
    expected = {name for name, entry in catalogue().items() if entry.computation.solver}
    assert left_out(result) == expected - set(result.skipped)
    assert {"mallows_distance", "criterion_h"} <= left_out(result)
    assert "criterion_h(matching=greedy)" in result.scores
    assert not left_out(result) & set(result.scores)


def test_every_entry_that_calls_a_solver_says_so(monkeypatch):
    """An entry that matches or packs without saying so would be computed at any size."""
    from partwise import _kernels

    called = []

    class Spy:
        def __getattr__(self, name):
            if name in ("match", "pack"):
                called.append(name)
            return getattr(backend, name)

    backend = _kernels.impl
    monkeypatch.setattr(_kernels, "impl", Spy())
    rng = np.random.default_rng(1)
    n = 400
    features = rng.normal(size=(n, 2))
    sides = [rng.integers(0, k, n) for k in (150, 150, 140)]
    for name, entry in catalogue().items():
        if entry.required_options:
            continue
        columns = {"features": features} if "features" in entry.requires else {}
        used = set()
        for candidate in sides[1:]:
            called.clear()
            entry(pw.align(sides[0], candidate, **columns))
            used |= set(called)
        assert bool(used) == (entry.computation.solver is not None), (name, used)


def test_tables_close_to_a_forest_keep_their_matching(few_cells):
    """Noisy copies: up to 1.25 cells a cluster."""
    rng = np.random.default_rng(2)
    a = np.repeat(np.arange(50), 10)
    b = np.where(rng.random(len(a)) < 0.04, rng.integers(0, 50, len(a)), a)
    table = pw.contingency(a, b)
    assert 20 < table.n_cells <= 1.25 * sum(table.shape)
    result = pw.compare(table)
    assert not left_out(result)
    assert result["pair_sets_index"] == pw.pair_sets_index(a, b)
    # packings are left out all the same
    assert {"mallows_distance", "mallows_distance(cluster_weights=size)"} <= left_out(
        pw.compare(table, measures="all")
    )


def test_sets_beside_names():
    a, b = random_pair(60)
    default = pw.compare(a, b)
    both = pw.compare(a, b, measures="default, misclassification_index")
    assert list(both.scores) == [*default.scores, "misclassification_index"]
    assert pw.compare(a, b, measures=["default", "default"]).scores == default.scores
    everything = pw.compare(a, b, measures=["default", "all"])
    assert set(everything.scores) == set(pw.compare(a, b, measures="all").scores)
    assert everything.skipped
    with pytest.raises(ValueError, match="unknown measure 'defaults'"):
        pw.compare(a, b, measures="defaults, purity")


def test_a_set_beside_a_name_refuses_no_weights_of_its_own():
    a, b = random_pair(60)
    weights = np.linspace(1, 2, 60)
    result = pw.compare(a, b, measures="default, purity", weights=weights)
    assert result["purity"] == pw.purity(a, b, weights=weights)
    assert result.skipped["rand_index"] == "takes no weights"
    with pytest.raises((TypeError, ValueError), match="weights"):
        pw.compare(a, b, measures="default, rand_index", weights=weights)


def test_the_command_line_says_the_same(few_cells, tmp_path, capsys):
    a, b = random_pair()
    files = []
    for name, labels in (("a", a), ("b", b)):
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(f"c{label}\n" for label in labels))
        files.append(str(path))
    assert main(["compare", *files]) == 0
    told = capsys.readouterr().out
    assert "pair_sets_index: not computed" in told
    assert "--measures 'default, pair_sets_index'" in " ".join(told.split())
    assert main(["compare", *files, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    notes = [note for note in document["notes"] if note["code"] == "left-out"]
    assert {note["place"] for note in notes} == MATCHING
    assert "pair_sets_index" not in document["scores"]
    assert main(["compare", *files, "--json", "--measures", "default, pair_sets_index"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["scores"]["pair_sets_index"] == pw.pair_sets_index(a, b)


@pytest.mark.one_backend
def test_large_random_tables_have_the_rest():
    """A real size: more than 100,000 cells, nothing in common."""
    a, b = random_pair(150_000, 1000, 1000)
    table = pw.contingency(a, b)
    assert table.n_cells > costly.MOST_CELLS == 100_000
    assert left_out(pw.compare(table)) == MATCHING
