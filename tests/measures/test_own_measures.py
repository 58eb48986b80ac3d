"""Measures from outside: registered, they take part everywhere; what is wrong is told."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import partwise as pw
from partwise.measures import catalogue, register

GOOD = {
    "family": "own",
    "range": (0, 1),
    "direction": "higher",
    "value_if_identical": 1,
    "source": "a test",
}
A = [0, 0, 0, 1, 1, 1, 2, 2]
B = [0, 0, 1, 1, 1, 1, 2, 0]


def overlap(table, power: float = 1.0):
    """Share of the items in the largest cell of their row."""
    rows = np.maximum.reduceat(table.counts, table.indptr[:-1]) if table.n_cells else []
    return (np.sum(rows) / table.n_items) ** power if table.n_items else 1.0


@pytest.fixture
def registered():
    return pw.measure(**GOOD)(overlap)


def test_it_takes_what_every_measure_takes(registered):
    assert registered(A, B) == pw.inverse_purity(A, B) == 0.75
    assert type(registered(A, B)) is float
    assert registered(pw.contingency(A, B)) == registered(pw.align(A, B)) == 0.75
    by_item = ({"x": 0, "y": 0}, {"y": 5, "x": 5, "z": 1})
    assert registered(*by_item, unmatched="drop") == 1.0
    assert registered(A, B, power=2) == 0.75**2
    with pytest.raises(TypeError, match="has no option 'powr'"):
        registered(A, B, powr=2)
    with pytest.raises(ValueError, match="overlap counts whole items and takes no weights"):
        registered(A, B, weights=np.ones(8))
    assert "reference, candidate" in registered.__doc__


def test_it_takes_part_by_name(registered):
    assert pw.compare(A, B, measures="overlap").scores == {"overlap": 0.75}
    assert pw.compare(A, B, measures=["overlap(power=2)"]).scores == {
        "overlap(power=2)": 0.5625
    }
    assert "overlap" in pw.catalogue()
    assert list(pw.catalogue())[-1] == "overlap"
    scores = pw.score_many(A, {"b": B, "a": A}, ["overlap", "rand_index"])
    assert scores.values[:, 0].tolist() == [0.75, 1.0]
    assert pw.pairwise([A, B], "overlap").tolist() == [[1.0, 0.75], [registered(B, A), 1.0]]
    drawn = pw.bootstrap(A, B, measure="overlap", draws=50, seed=3)
    assert drawn.values.shape == (50, 1)
    assert drawn.values.std() > 0
    p_value = (
        pw.significance(A, B, measure="overlap", draws=99, seed=3).results["overlap"].p_value
    )
    assert 0 < p_value <= 1
    tested = pw.paired_test(A, B, A, measure="overlap", draws=99, seed=3)
    assert tested.results["overlap"].difference == pytest.approx(0.25)


def test_a_sweep_has_it_on_its_grid(registered):
    from scipy.cluster.hierarchy import linkage

    merges = linkage(np.array([[0], [1], [2], [8], [9], [10], [20], [22]]))
    swept = pw.sweep(A, merges, measures=["overlap", "rand_index"])
    for state in range(len(swept)):
        assert swept["overlap"][state] == registered(A, swept.labels(state))


def test_the_default_of_others_is_not_its_business(registered):
    assert "overlap" not in pw.compare(A, B).scores
    assert "overlap" in pw.compare(A, B, measures="all").scores


def test_it_may_be_part_of_the_default():
    pw.measure(**GOOD, default=True)(overlap)
    assert pw.compare(A, B).scores["overlap"] == 0.75


def test_weights_and_items():
    @pw.measure(**GOOD, weights=True, requires=("features",), items=True)
    def mean_feature(given):
        return float(np.average(given.features[:, 0], weights=given.weights))

    value = mean_feature(A, A, features=np.arange(8.0), weights=np.arange(8.0))
    assert value == 5.0
    with pytest.raises(ValueError, match=r"mean_feature needs features: pass features="):
        pw.compare(A, A, measures="mean_feature")


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"family": "mine"}, ValueError, "family='mine' is not one of: pairs"),
        ({"family": 3}, ValueError, "family=3"),
        ({"direction": "up"}, ValueError, "direction='up'"),
        ({"range": (1, 0)}, ValueError, "begins above its end"),
        ({"range": 1}, TypeError, "range=1 must be a pair"),
        ({"range": ("a", 1)}, TypeError, "must be a pair of numbers"),
        ({"value_if_identical": "1"}, TypeError, "value_if_identical='1' must be a number"),
        ({"source": " "}, TypeError, "source=' ' must say"),
        ({"requires": ("colour",)}, ValueError, "requires='colour'"),
        ({"famly": "own"}, TypeError, "famly"),
    ],
)
def test_what_is_wrong_is_said_at_registration(changed, error, says):
    before = list(pw.catalogue())
    with pytest.raises(error, match=says):
        pw.measure(**{**GOOD, **changed})(overlap)
    assert list(pw.catalogue()) == before


@pytest.mark.parametrize("missing", GOOD)
def test_every_property_must_be_said(missing):
    properties = {name: value for name, value in GOOD.items() if name != missing}
    with pytest.raises(TypeError, match=f"argument: '{missing}'"):
        pw.measure(**properties)


#: Registers a measure of a taken name before anything of the package was used.
FIRST = """
import partwise as pw

def {name}(table):
    "One."
    return 1.0

try:
    pw.measure(**{properties})({name})
except ValueError as error:
    print(error)
"""


@pytest.mark.one_backend
@pytest.mark.parametrize("name", ["rand_index", "element_centric_similarity", "dom_q2"])
def test_a_name_is_taken_before_the_catalogue_was_asked_for(name):
    command = [sys.executable, "-c", FIRST.format(name=name, properties=GOOD)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "already" in said
    assert name in said


def test_a_name_is_taken_once(registered):
    with pytest.raises(ValueError, match="called overlap is in the catalogue already"):
        pw.measure(**GOOD)(overlap)
    with pytest.raises(ValueError, match="called rand_index is in the catalogue already"):
        pw.measure(**GOOD)(type(overlap)(overlap.__code__, {}, "rand_index"))
    with pytest.raises(TypeError, match="a named function"):
        pw.measure(**GOOD)(lambda table: 1.0)


@pytest.mark.one_backend
@pytest.mark.parametrize("name", ["pairs.pair_indices", "chance.adjusted"])
def test_an_import_that_was_interrupted_can_be_made_again(name, monkeypatch):
    """A module that is gone before its end has left entries, which the next import replaces."""
    module = importlib.import_module(f"partwise.measures.{name}")
    left = {
        key
        for key, entry in pw.catalogue().items()
        if entry.function.__module__ == module.__name__
    }
    assert left
    package, _, last = module.__name__.rpartition(".")
    monkeypatch.setattr(sys.modules[package], last, module)  # as it is afterwards
    monkeypatch.setattr(catalogue, "ENTRIES", dict(catalogue.ENTRIES))
    monkeypatch.setattr(register, "ENTRIES", catalogue.ENTRIES)
    monkeypatch.delitem(sys.modules, module.__name__)
    again = importlib.import_module(module.__name__)
    assert again is not module
    for key in left:
        assert catalogue.ENTRIES[key].computation.on_table.__globals__ is again.__dict__
    with pytest.raises(ValueError, match="in the catalogue already"):
        catalogue.add(catalogue.ENTRIES[min(left)])


@pytest.mark.parametrize("result", [None, "1", [0.5, 1], np.ones(2), 1j])
def test_a_measure_returns_one_number(result):
    @pw.measure(**GOOD)
    def returns(table):
        return result

    with pytest.raises(TypeError, match="a measure returns one number"):
        returns(A, B)
