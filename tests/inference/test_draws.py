"""The options of draws: one ``Draws``, or loose keywords, for every function that draws."""

import inspect

import numpy as np
import pytest

import partwise as pw
from partwise.inference.draws import takes_draws

A = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
B = np.array([0, 0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7])
C = np.array([0, 0, 1, 1, 3, 3, 4, 5, 5, 6, 7, 8])
GROUPS = np.repeat(["x", "y", "z"], 4)
KEY = {f"d{i}": [["a", "b", "c"], ["d", "e"]] for i in range(6)}
RESPONSE = {f"d{i}": [["a", "b"], ["c", "d", "e"][i % 2 :]] for i in range(6)}


def coreference_scores():
    return pw.coreference.score(KEY, RESPONSE)


def swept():
    edges = [(0, 1, 0.9), (2, 3, 0.8), (4, 5, 0.3), (6, 7, 0.7), (8, 9, 0.6), (0, 2, 0.4)]
    return pw.sweep(A, edges, scores="similarity", groups=GROUPS)


#: Each function as a call by keywords of draws; the array of all that was drawn.
CALLS = {
    "bootstrap": lambda **x: pw.bootstrap(A, B, measure="rand_index", **x).values,
    "bootstrap of groups": lambda **x: (
        pw.bootstrap(A, B, measure="rand_index", groups=GROUPS, **x).values
    ),
    "null_distribution": lambda **x: (
        pw.null_distribution(A, B, measure="rand_index", **x).values
    ),
    "significance": lambda **x: pw.significance(A, B, measure="rand_index", **x).null.values,
    "paired_test": lambda **x: pw.paired_test(A, B, C, measure="rand_index", **x).differences,
    "standardized_mutual_information": lambda **x: np.array(
        pw.standardized_mutual_information(A, B, **x).standard_deviation
    ),
    "Sweep.bootstrap": lambda **x: swept().bootstrap("rand_index", **x).best_values,
    "coreference.bootstrap": lambda **x: (
        pw.coreference.bootstrap(coreference_scores(), measure="lea", **x).values
    ),
    "coreference.paired_test": lambda **x: (
        pw.coreference.paired_test(
            coreference_scores(), pw.coreference.score(KEY, KEY), measure="lea", **x
        ).differences
    ),
}
FUNCTIONS = [
    pw.bootstrap,
    pw.null_distribution,
    pw.significance,
    pw.paired_test,
    pw.standardized_mutual_information,
    pw.Sweep.bootstrap,
    pw.coreference.bootstrap,
    pw.coreference.paired_test,
]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_one_object_means_what_the_loose_keywords_mean(call):
    loose = call(draws=20, seed=7, workers=2)
    assert (loose == call(draws=pw.Draws(20, seed=7, workers=2))).all()
    assert (loose != call(draws=pw.Draws(20, seed=8))).any()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_both_at_once_are_an_error(call):
    with pytest.raises(TypeError, match=r"draws=Draws\(\.\.\.\) beside seed=, workers="):
        call(draws=pw.Draws(20), seed=7, workers=2)


def test_the_level_of_the_object_is_that_of_the_intervals():
    loose = pw.bootstrap(A, B, measure="rand_index", draws=50, seed=1, level=0.5)
    one = pw.bootstrap(A, B, measure="rand_index", draws=pw.Draws(50, seed=1, level=0.5))
    assert (one.level, one.low, one.high) == (0.5, loose.low, loose.high)


def test_without_a_number_the_function_has_its_own():
    assert pw.bootstrap(A, B, measure="rand_index", draws=pw.Draws(seed=1)).draws == 1000
    assert pw.significance(A, B, measure="rand_index", draws=pw.Draws(seed=1)).draws == 999


def test_without_a_seed_each_call_draws_anew():
    draws = pw.Draws(20)
    one, other = (pw.bootstrap(A, B, measure="rand_index", draws=draws) for _ in range(2))
    assert one.seed != other.seed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"number": 0}, r"number=0 must be a whole number of at least 1"),
        ({"number": 2.5}, r"number=2\.5 must be a whole number"),
        ({"number": True}, r"number=True must be a whole number"),
        ({"seed": -1}, r"seed=-1 must be a whole number of at least 0"),
        ({"seed": 1 << 64}, r"must be below 2\^64"),
        ({"level": 1}, r"level=1 must lie between 0 and 1"),
        ({"level": "0.9"}, r"level='0\.9' must be a number"),
        ({"workers": 0}, r"workers=0 must be at least 1, or -1 for one per core"),
    ],
)
def test_fields_are_checked_when_the_object_is_made(fields, message):
    with pytest.raises(ValueError, match=message):
        pw.Draws(**fields)


def test_too_few_draws_for_a_function():
    with pytest.raises(ValueError, match="draws=1 must be a whole number of at least 2"):
        pw.standardized_mutual_information(A, B, draws=pw.Draws(1))


def test_jackknife_takes_level_and_workers():
    loose = pw.jackknife(A, B, measure="rand_index", level=0.5, workers=2)
    one = pw.jackknife(A, B, measure="rand_index", draws=pw.Draws(level=0.5, workers=2))
    assert (one.level, one.low, one.high) == (0.5, loose.low, loose.high)
    with pytest.raises(TypeError, match="jackknife draws nothing at random: draws=100"):
        pw.jackknife(A, B, measure="rand_index", draws=100)


@pytest.mark.one_backend
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__qualname__)
def test_help_shows_every_option(function):
    names = [name for name in inspect.signature(function).parameters if name != "drawing"]
    lines = [line.strip() for line in function.__doc__.splitlines()]
    default = inspect.signature(function).parameters["draws"].default
    assert f"draws : int or Draws, default {default}" in lines
    for name in ("seed", "level", "workers", "progress"):
        assert (name in names) == any(line.startswith(f"{name} : ") for line in lines)
    assert "drawing" not in inspect.signature(function).parameters


@pytest.mark.one_backend
def test_docstring_frame_keeps_what_stands_around_it():
    @takes_draws(5, "seed")
    def function(*, drawing):
        """Do a thing.

        Parameters
        ----------
        draws
            How to draw: see ``Draws``.

        Returns
        -------
        int
        """
        return drawing.draws

    text = inspect.getdoc(function)
    assert text.startswith("Do a thing.\n\nParameters\n----------\ndraws : int or Draws, def")
    assert text.endswith("the one that was used.\n\nReturns\n-------\nint")
    assert function() == 5
    with pytest.raises(TypeError, match="workers"):
        function(workers=2)
