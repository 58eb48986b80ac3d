"""Measures as functions of sums, against the measures themselves; wide integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise import _kernels
from partwise._kernels.wide_integers import WideIntegers
from partwise.inference.additive import values_of_sums
from partwise.inference.statistics import Statistic
from partwise.measures.catalogue import find
from partwise.measures.formulas import SUMS, Formula, States, of_pairs

OPTIONS = [
    *("adjusted_rand_index(maximum=min)", "adjusted_rand_index(maximum=max)"),
    *("adjusted_rand_index(maximum=all)", "hubert_gamma(normalized=False)"),
    *("mirkin(normalized=True)", "v_measure(beta=0)", "v_measure(beta=0.1)"),
    *("b_cubed_f1(beta=0.3)", "mutual_information(base=2)", "nvi(base=2)", "nvi_k(base=10)"),
    *("joint_entropy(base=2)", "conditional_entropy(base=3)", "v_measure(beta=1e400)"),
    *("variation_of_information(base=10)", "b_cubed_f1(beta=0)", "b_cubed_f1(beta=inf)"),
]
ROWS = {
    name: row for name, row in pw.catalogue().items() if row.computation.formula is not None
}
ROWS |= {name: find(name) for name in OPTIONS}


def sums_of(table):
    """The sums of one table, each by its definition on Python integers."""
    rows, cols = table.row_sizes.tolist(), table.col_sizes.tolist()
    cells = list(
        zip(table.rows.tolist(), table.cols.tolist(), table.counts.tolist(), strict=True)
    )

    def xlogx(values):
        return _kernels.impl.sum_xlogx(np.array(values, dtype=np.int64), 64)

    def largest(side, of):
        return sum(max(c[2] for c in cells if c[side] == k) for k in range(of))

    def b_cubed(side, sizes):
        squares = [sum(c[2] ** 2 for c in cells if c[side] == k) for k in range(len(sizes))]
        return sum((x << 64) // size for x, size in zip(squares, sizes, strict=True))

    counts = [count for _, _, count in cells]
    found = {
        "n": table.n_items,
        "rows": len(rows),
        "cols": len(cols),
        "cells": len(cells),
        "squares": sum(x * x for x in counts),
        "row_squares": sum(x * x for x in rows),
        "col_squares": sum(x * x for x in cols),
        "cell_xlogx": xlogx(counts),
        "row_xlogx": xlogx(rows),
        "col_xlogx": xlogx(cols),
        "row_maxima": largest(0, len(rows)),
        "col_maxima": largest(1, len(cols)),
        "b_cubed_precision": b_cubed(1, cols),
        "b_cubed_recall": b_cubed(0, rows),
        "exact_matches": sum(rows[i] == cols[j] == x for i, j, x in cells),
    }
    assert tuple(found) == SUMS
    return found


def states_of(tables):
    listed = [sums_of(table) for table in tables]
    return States(
        {name: WideIntegers.of([one[name] for one in listed]) for name in SUMS}, len(tables)
    )


def floats_of(tables):
    """The same in doubles, x ln x in nats."""
    scale = {name: 2.0**64 for name in SUMS if "xlogx" in name or "b_cubed" in name}
    listed = [sums_of(table) for table in tables]
    return np.array([[one[name] / scale.get(name, 1.0) for name in SUMS] for one in listed])


labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=25)
counts = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 10**9)), min_size=1
)


def table_of_pairs(pairs):
    return pw.contingency([x for x, _ in pairs], [y for _, y in pairs])


def table_of_counts(cells):
    return pw.Contingency.from_counts(*(list(part) for part in zip(*cells, strict=True)))


SPECIAL = [
    *([], [(0, 0)], [(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 0), (1, 1)]),
    *([(0, 0)] * 3, [(i, i) for i in range(4)], [(i, 0) for i in range(4)]),
    [(i, j) for i in range(2) for j in range(2)],  # independent
    [(i, j) for i in range(2) for j in range(2)] * 2,
    [(0, 0), (0, 0), (1, 1), (1, 2)],
]


def check(tables):
    states, doubles = states_of(tables), floats_of(tables)
    for name, row in ROWS.items():
        wanted = np.array([row(table) for table in tables])
        values, singly = row.computation.formula.values(states, row.options)
        assert values.dtype == np.float64
        same = (values == wanted) | singly
        assert same.all(), (name, np.flatnonzero(~same)[0], values[~same], wanted[~same])
        statistic = Statistic(name, row, row.direction, None, row)
        values, slow = values_of_sums(doubles, statistic)
        close = np.abs(values - wanted) <= 1e-12 * np.maximum(np.abs(wanted), 1)
        if max(table.n_items for table in tables) < 1000:
            assert (close | slow).all(), name


def test_special_tables():
    tables = [table_of_pairs(pairs) for pairs in SPECIAL]
    check(tables)
    for row in ROWS.values():  # next to nothing is left to single evaluation
        assert row.computation.formula.values(states_of(tables), row.options)[1].sum() <= 2


@given(st.lists(labels, min_size=1, max_size=8))
def test_every_formula_is_its_measure(lists):
    check([table_of_pairs(pairs) for pairs in lists])


@given(st.lists(counts, min_size=1, max_size=4))
def test_every_formula_is_its_measure_on_large_counts(lists):
    check([table_of_counts(cells) for cells in lists])


@pytest.mark.one_backend
def test_constants_may_be_integers():
    tables = [table_of_pairs(pairs) for pairs in SPECIAL if len(pairs) == 4]
    listed = [sums_of(table) for table in tables]
    sums = {name: WideIntegers.of([one[name] for one in listed]) for name in SUMS} | {"n": 4}
    states = States(sums, len(tables))
    for name, row in ROWS.items():
        values, singly = row.computation.formula.values(states, row.options)
        wanted = [row(table) for table in tables]
        assert ((values == wanted) | singly).all(), name


@pytest.mark.one_backend
def test_which_sums_are_asked_for():
    asked = {name: row.computation.formula.sums(row.options) for name, row in ROWS.items()}
    assert asked["purity"] == ("n", "row_maxima", "col_maxima")
    assert set(asked["rand_index"]) <= {
        *("n", "rows", "cols", "cells", "squares", "row_squares", "col_squares")
    }
    assert asked["cluster_recall"] == ("rows", "cols", "exact_matches")
    assert "cell_xlogx" in asked["nvi"]


@pytest.mark.one_backend
def test_options_without_a_form_have_no_formula():
    assert find("adjusted_rand_index(maximum=geometric)").computation.formula is None
    assert find("adjusted_rand_index(model=num)").computation.formula is None
    assert find("adjusted_rand_index(maximum=max)").computation.formula is not None
    assert find("adjusted_mutual_information").computation.formula is None
    with pytest.raises(AttributeError):
        States({}, 1).nothing  # noqa: B018
    assert isinstance(of_pairs(lambda p: p.n11), Formula)


# ---- wide integers -----------------------------------------------------------------

wide = st.integers(-(2**127), 2**127 - 1) | st.integers(-5, 5)
pairs_of_wide = st.lists(st.tuples(wide, wide), min_size=1, max_size=12)


def listed(value):
    return value.tolist() if isinstance(value, WideIntegers) else list(value)


@pytest.mark.one_backend
@given(pairs_of_wide, wide)
def test_arithmetic_of_wide_integers(pairs, number):
    a, b = (list(part) for part in zip(*pairs, strict=True))
    x, y = WideIntegers.of(a), WideIntegers.of(b)
    assert x.tolist() == a
    assert listed(x + y) == [p + q for p, q in pairs]
    assert listed(x - y) == [p - q for p, q in pairs]
    assert listed(x * y) == [p * q for p, q in pairs]
    assert listed(-x) == [-p for p in a]
    for one in (number, number << 70, np.int64(7)):
        one = int(one)
        assert listed(x + one) == [p + one for p in a]
        assert listed(one - x) == [one - p for p in a]
        assert listed(one * x) == [one * p for p in a]
        assert (x < one).tolist() == [p < one for p in a]
        assert (x >= one).tolist() == [p >= one for p in a]
        assert (x == one).tolist() == [p == one for p in a]
        assert (x != one).tolist() == [p != one for p in a]
    objects = (x + y) * y + x  # of either kind
    assert listed(objects) == [(p + q) * q + p for p, q in pairs]
    assert listed(x.half()) == [p >> 1 for p in a]
    assert (x < y).tolist() == [p < q for p, q in pairs]
    assert (x <= y).tolist() == [p <= q for p, q in pairs]
    assert (x > y).tolist() == [p > q for p, q in pairs]
    assert (x == y).tolist() == [p == q for p, q in pairs]
    assert x.to_floats() == pytest.approx([float(p) for p in a], rel=2.0**-52)
    divided = x.over(WideIntegers.of([q or 1 for q in b]))
    assert divided.tolist() == [p / (q or 1) for p, q in pairs]


@pytest.mark.one_backend
@given(st.integers(2**52, 2**53), st.integers(2**59, 2**60), st.integers(-1, 1), st.booleans())
def test_quotients_next_to_the_middle_between_doubles(double, below, off, negative):
    above = (2 * double + 1) * below + off
    above = -above if negative else above
    tie = WideIntegers.of([above]).over(WideIntegers.of([2 * below]))
    assert tie.tolist() == [above / (2 * below)]
    power = (1 << 60) * below - 1  # just below a power of two doubles are twice as close
    assert WideIntegers.of([power]).over(below).tolist() == [power / below]


@pytest.mark.one_backend
def test_narrow_arrays_and_the_widest_values():
    narrow = np.array([-(2**63), -1, 0, 2**63 - 1])
    x = WideIntegers.of(narrow)
    assert x.tolist() == narrow.tolist()
    assert (x * narrow).tolist() == [int(v) ** 2 for v in narrow]
    assert WideIntegers.of(np.array([2**64 - 1], np.uint64)).tolist() == [2**64 - 1]
    least = WideIntegers.of([-(2**127)])
    assert listed(-least) == [2**127]
    assert least.over(1).tolist() == [-(2.0**127)]
    with pytest.raises(OverflowError):
        WideIntegers.of([2**127])
    assert x[2:].tolist() == [0, 2**63 - 1]
    assert len(x) == 4


@pytest.mark.parametrize(
    ("base", "most"), [(2, 12), (3, 8), (5, 6), (6, 5), (7, 5), (10, 5), (2.5, 1), (12, 4)]
)
def test_a_whole_number_of_digits_is_that_number(base, most):
    """In a base, equal clusters have a whole entropy: of one table and of many states."""
    names = [
        *(f"{name}(base={base})" for name in ("mutual_information", "joint_entropy", "nvi_k")),
        *(f"{name}(base={base})" for name in ("variation_of_information", "merge_entropy")),
        f"information_distance(base={base})",
    ]
    rows = [find(name) for name in names if isinstance(base, int)]
    for power in range(1, most + 1):
        n = round(base**power) if isinstance(base, int) else 5
        alone, together = list(range(n)), [0] * n
        wanted = power if isinstance(base, int) else pytest.approx(np.log(5) / np.log(2.5))
        assert pw.entropy(alone, base=base) == wanted
        assert pw.mutual_information(alone, alone, base=base) == wanted
        assert pw.conditional_entropy(alone, together, base=base) == wanted
        assert pw.variation_of_information(alone, together, base=base) == wanted
        assert pw.joint_entropy(alone, together, base=base) == wanted
        tables = [pw.contingency(alone, alone), pw.contingency(alone, together)]
        if n <= 1000:
            for row in rows:
                values, singly = row.computation.formula.values(states_of(tables), row.options)
                for value, skipped, table in zip(values, singly, tables, strict=True):
                    assert skipped or value == row(table)
                    assert value in (0, power) or skipped
