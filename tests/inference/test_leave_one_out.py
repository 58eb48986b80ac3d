"""The jackknife over items in closed form, against the tables without each item."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.inference import jackknife as jackknife_module
from partwise.measures.catalogue import ENTRIES, complete

complete()
FORMULAS = sorted(
    name for name, entry in ENTRIES.items() if entry.computation.formula is not None
)


def without_each(a, b, names):
    """Return the values of the measures without each item, in the order of the cells."""
    table = pw.contingency(a, b)
    row_of = {label: i for i, label in enumerate(table.row_labels.tolist())}
    col_of = {label: j for j, label in enumerate(table.col_labels.tolist())}
    cells = list(zip(table.rows.tolist(), table.cols.tolist(), strict=True))
    values = {}
    for i in range(len(a)):
        cell = row_of[a[i]], col_of[b[i]]
        if cell not in values:
            rest = pw.contingency(a[:i] + a[i + 1 :], b[:i] + b[i + 1 :])
            values[cell] = [ENTRIES[name](rest) for name in names]
    return [values[cell] for cell in cells]


columns = st.integers(2, 14).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(0, 3), min_size=n, max_size=n) for _ in range(2)]
    )
)


@given(columns)
def test_every_formula_has_the_bits_of_the_table_without_the_item(pair):
    found = pw.jackknife(*pair, measure=FORMULAS).values
    assert found.tolist() == without_each(*pair, FORMULAS)


@pytest.mark.parametrize(
    "pair",
    [
        ([0, 0, 1], [0, 1, 2]),  # a cell that vanishes makes its neighbour equal on both sides
        ([0, 0, 1, 1], [0, 1, 1, 2]),
        ([0, 0, 1, 2], [0, 1, 0, 2]),
        ([0, 0, 0, 0, 1], [5, 5, 6, 6, 6]),  # two largest cells
        ([0] * 6, [0] * 6),
        (list(range(6)), list(range(6))),
        ([0] * 5, list(range(5))),
        (np.repeat(range(3), 9).tolist(), np.tile(range(3), 9).tolist()),  # independent
    ],
    ids=str,
)
def test_corners(pair):
    found = pw.jackknife(*pair, measure=FORMULAS).values
    assert found.tolist() == without_each(*pair, FORMULAS)


def test_counts_near_2_to_the_62():
    table = pw.Contingency.from_counts([0, 0, 1], [0, 1, 1], [1 << 61, 1 << 60, 3])
    names = ["adjusted_rand_index", "variation_of_information", "b_cubed_f1", "purity"]
    found = pw.jackknife(table, measure=names).values
    for cell in range(3):
        counts = [1 << 61, 1 << 60, 3]
        counts[cell] -= 1
        rest = pw.Contingency.from_counts([0, 0, 1], [0, 1, 1], counts)
        assert found[cell].tolist() == [ENTRIES[name](rest) for name in names]


def test_only_what_is_no_formula_makes_tables(monkeypatch):
    made = []
    with_counts = jackknife_module.with_counts
    monkeypatch.setattr(
        jackknife_module, "with_counts", lambda *x: made.append(1) or with_counts(*x)
    )
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 5, (2, 60))
    pw.jackknife(a, b, measure=["rand_index", "nvi"])
    assert not made
    both = pw.jackknife(a, b, measure=["rand_index", "pair_sets_index"])
    n_cells = pw.contingency(a, b).n_cells
    assert len(made) == n_cells
    alone = pw.jackknife(a, b, measure="pair_sets_index")
    assert both.values[:, 1].tolist() == alone.values[:, 0].tolist()
