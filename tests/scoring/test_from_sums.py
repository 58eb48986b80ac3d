"""Measures from sums are those of the table, bit for bit where the sums are exact."""

import contextlib
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partwise as pw
from partwise.measures.catalogue import catalogue, complete
from partwise.scoring.from_sums import b_cubed_of_clusters, sums_of_sizes

pytestmark = pytest.mark.one_backend

complete()
FORMULAS = [name for name, x in catalogue().items() if x.computation.formula is not None]


def sums_of(table, *, exact=True):
    """Return the sums of a table as an engine gives them: counted by size, or as doubles."""
    sides = []
    dense = table.to_scipy().toarray()
    for axis, sizes in ((1, table.row_sizes), (0, table.col_sizes)):
        sums = sums_of_sizes(*np.unique(sizes, return_counts=True))
        sums["maxima"] = int(dense.max(axis=axis).sum()) if dense.size else 0
        squares = (dense * dense).sum(axis=axis)
        alike = Counter(zip(sizes.tolist(), squares.tolist(), strict=True))
        columns = zip(*((*pair, times) for pair, times in alike.items()), strict=True)
        sums["b_cubed"] = b_cubed_of_clusters(*columns) if alike else Fraction(0)
        if not exact:
            sums["xlogx"] = float(np.sum(sizes * np.log(sizes)))
            sums["b_cubed"] = float(np.sum(squares / sizes))
        sides.append(sums)
    cells = sums_of_sizes(*np.unique(table.counts, return_counts=True))
    if not exact:
        cells["xlogx"] = float(np.sum(table.counts * np.log(table.counts)))
    same = (table.counts == table.row_sizes[table.rows]) & (
        table.counts == table.col_sizes[table.cols]
    )
    cells["exact_matches"] = int(same.sum())
    return {
        "n_items": table.n_items,
        "row_sums": sides[0],
        "col_sums": sides[1],
        "cell_sums": cells,
    }


def value_on(table, name):
    entry = catalogue()[name]
    return entry.computation.on_table(table, **entry.options)


def told(table, *, exact):
    """Return the measures that the sums of a table tell."""
    sums = sums_of(table, exact=exact)
    with contextlib.suppress(ValueError):
        return pw.from_sums(**sums, measures=FORMULAS)
    values = {}
    for name in FORMULAS:  # some of them are told by the table alone
        try:
            values |= pw.from_sums(**sums, measures=name)
        except ValueError:
            with pytest.raises(ValueError, match="so close to independent"):
                pw.from_sums(**sums, measures=name)
    return values


@pytest.mark.parametrize(
    ("exact", "n_tables"),
    [pytest.param(True, 1000, marks=pytest.mark.long), (True, 100), (False, 60)],
)
def test_random_tables(exact, n_tables):
    random = np.random.default_rng(7)
    n_told = 0
    for _ in range(n_tables):
        n, k, m = random.integers(1, 60), random.integers(1, 8), random.integers(1, 8)
        reference = random.integers(0, k, n)
        kept = random.random(n) < random.random()
        moved = np.where(kept, reference, random.integers(0, m, n))
        table = pw.contingency(reference, moved)
        values = told(table, exact=exact)
        n_told += len(values)
        for name, value in values.items():
            wanted = value_on(table, name)
            if not exact:
                wanted = pytest.approx(wanted, abs=1e-9, rel=1e-9)
            assert value == wanted, name
    assert n_told > 0.9 * n_tables * len(FORMULAS)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 2**61)),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=25)
def test_sums_beyond_64_bits(cells):
    table = pw.Contingency.from_counts(*zip(*cells, strict=True))
    sums = sums_of_sizes(*np.unique(table.counts, return_counts=True))
    assert sums["squares"] == sum(x * x for x in table.counts.tolist())
    rows = sums_of_sizes(*np.unique(table.row_sizes, return_counts=True))
    cols = sums_of_sizes(*np.unique(table.col_sizes, return_counts=True))
    try:
        values = pw.from_sums(
            n_items=table.n_items, row_sums=rows, col_sums=cols, cell_sums=sums, measures="all"
        )
    except ValueError as error:
        assert "so close to independent" in str(error)  # noqa: PT017
        assert 0 < value_on(table, "mutual_information") < 2**-10
        return
    assert len(values) > 20
    for name, value in values.items():
        assert value == value_on(table, name), name


def test_all_takes_what_the_sums_tell():
    sums = {"clusters": 2, "squares": 8}
    values = pw.from_sums(
        n_items=4, row_sums=sums, col_sums=sums, cell_sums=sums, measures="all"
    )
    assert values["adjusted_rand_index"] == 1.0
    assert "variation_of_information" not in values
    assert "purity" not in values


SUMS = {"clusters": 2, "squares": 8}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"measures": "f_measure"}, "f_measure is no formula of sums; it needs the table"),
        ({"measures": "purity"}, "purity needs row_sums['maxima'] and col_sums['maxima']"),
        (
            {"row_sums": {"sizes": 3}},
            "row_sums has no sum 'sizes'; it takes: clusters",
        ),
        (
            {"row_sums": {"squares": 7, "clusters": 2}},
            "cell_sums['squares'] is 8, more than",
        ),
        ({"row_sums": {"squares": 17, "clusters": 2}}, "of 4 items it is between 4 and 16"),
        ({"cell_sums": {"squares": 2.5}}, "cell_sums['squares']=2.5 is not a whole number"),
        ({"cell_sums": {"squares": 2.0**54}}, "is a double above 2^53, which has lost digits"),
        ({"cell_sums": {"xlogx": math.inf}}, "cell_sums['xlogx']=inf is not a finite number"),
        ({"cell_sums": {"xlogx": -1.0}}, "cell_sums['xlogx']=-1.0 is negative"),
        ({"n_items": -4}, "n_items=-4 is no count"),
    ],
)
def test_what_is_wrong_is_said(changed, words):
    arguments = {"n_items": 4, "row_sums": SUMS, "col_sums": SUMS, "cell_sums": SUMS}
    with pytest.raises(ValueError, match=re.escape(words)):
        pw.from_sums(**{**arguments, "measures": "rand_index", **changed})


def test_near_independence_is_said():
    table = pw.Contingency.from_dense([[1000, 1000], [1000, 1001]])
    sums = sums_of(table)
    sums["cell_sums"]["xlogx"] = float(sums["cell_sums"]["xlogx"])
    with pytest.raises(ValueError, match="so close to independent"):
        pw.from_sums(**sums, measures="mutual_information")
    assert isinstance(sums["row_sums"]["xlogx"], Fraction)


def test_exact_sums_tell_nearer_to_independence_than_doubles():
    table = pw.Contingency.from_dense([[1000, 1000], [1000, 1008]])
    for name in ("mutual_information", "normalized_mutual_information"):
        sums = sums_of(table)
        assert pw.from_sums(**sums, measures=name) == {name: value_on(table, name)}
        sums["cell_sums"]["xlogx"] = float(sums["cell_sums"]["xlogx"])
        with pytest.raises(ValueError, match="so close to independent"):
            pw.from_sums(**sums, measures=name)
