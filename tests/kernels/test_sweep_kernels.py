"""The sweep's kernels against recomputation at every state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise import _kernels
from partwise.measures.information.entropy_sums import fraction_bits
from strategies import forests


def _join(n, left, right):
    """Return the candidate's labels after each merge, from none to all."""
    now = list(range(n))
    yield np.array(now)
    for k in range(len(left)):
        now = [n + k if c in (left[k], right[k]) else c for c in now]
        yield np.array(now)


def _number(wide, at):
    high, low = wide
    return (int(high[at]) << 64) + int(low[at])


def curves_of(labels, left, right, state):
    n_labels = int(labels.max(initial=-1)) + 1
    events = _kernels.impl.sweep_events(labels, n_labels, left, right)
    n_states = int(state[-1]) + 1 if len(state) else 1
    bits = fraction_bits(len(labels))
    return events, _kernels.impl.sweep_curves(
        labels, n_labels, left, right, state, n_states, events, bits, True, True
    )


def check_states(labels, left, right, state):
    events, curves = curves_of(labels, left, right, state)
    n, bits = len(labels), fraction_bits(len(labels))
    shown = labels >= 0
    after = list(_join(n, left, right))
    assert len(events[1]) == shown.sum() - curves["cells"][-1]
    for s in range(len(curves["cells"])):
        joined = after[int(np.searchsorted(state, s, side="right"))]
        assert curves["all_clusters"][s] == len(set(joined.tolist()))
        table = pw.contingency(labels[shown], joined[shown])
        row_maxima, col_maxima = _kernels.impl.maxima(*table.cells, table.shape[1])
        b_cubed = _kernels.impl.b_cubed_sums(*table.cells, table.row_sizes, table.col_sizes)
        whole = (table.counts == table.row_sizes[table.rows]) & (
            table.counts == table.col_sizes[table.cols]
        )
        narrow = {
            "cells": table.n_cells,
            "clusters": table.shape[1],
            "largest": table.col_sizes.max(initial=0),
            "row_maxima": row_maxima.sum(),
            "col_maxima": col_maxima.sum(),
            "exact_matches": whole.sum(),
        }
        wide = {
            "squares": _kernels.impl.sum_squares(table.counts),
            "col_squares": _kernels.impl.sum_squares(table.col_sizes),
            "cell_xlogx": _kernels.impl.sum_xlogx(table.counts, bits),
            "col_xlogx": _kernels.impl.sum_xlogx(table.col_sizes, bits),
            "b_cubed_recall": b_cubed[0],
            "b_cubed_precision": b_cubed[1],
        }
        assert {name: curves[name][s] for name in narrow} == narrow
        assert {name: _number(curves[name], s) for name in wide} == wide
        assert set(curves) == {"all_clusters", *narrow, *wide}


@given(forests())
def test_every_state_has_the_sums_of_its_table(forest):
    check_states(*forest)


@pytest.mark.parametrize("shape", ["chain", "balanced", "random"])
def test_larger_trees(shape):
    rng = np.random.default_rng(5)
    n = 60
    labels = rng.integers(0, 7, n)
    labels[:7] = range(7)
    roots, left, right = list(range(n)), [], []
    for k in range(n - 1):
        picks = {"chain": (-1, 0), "balanced": (0, 0)}.get(shape)
        if picks is None:
            picks = rng.integers(0, len(roots)), rng.integers(0, len(roots) - 1)
        left.append(roots.pop(picks[0]))
        right.append(roots.pop(picks[1]))
        roots.append(n + k)
    state = np.arange(1, n)
    check_states(labels, np.array(left), np.array(right), state)


def test_what_is_not_asked_for_is_not_there():
    labels, none = np.array([0, 0, 1]), np.empty(0, np.int64)
    events = _kernels.impl.sweep_events(labels, 2, none, none)
    curves = _kernels.impl.sweep_curves(
        labels, 2, none, none, none, 1, events, 64, False, False
    )
    assert "cell_xlogx" not in curves
    assert "b_cubed_recall" not in curves


def test_no_items_and_no_labels():
    none = np.empty(0, np.int64)
    _, curves = curves_of(none, none, none, none)
    assert curves["cells"].tolist() == [0]
    _, curves = curves_of(np.array([-1, -1]), np.array([0]), np.array([1]), np.array([1]))
    assert curves["all_clusters"].tolist() == [2, 1]
    assert curves["clusters"].tolist() == [0, 0]


@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=False), st.sampled_from([0.0, -0.0, np.inf, -np.inf, 5e-324])
        )
    )
)
def test_an_order_is_stable_and_has_one_zero(values):
    values = np.array(values, dtype=np.float64)
    found = _kernels.impl.stable_order(values)
    assert found.tolist() == np.argsort(values, kind="stable").tolist()


def test_a_long_order():
    values = np.random.default_rng(5).integers(-300, 300, 5000) / 7
    found = _kernels.impl.stable_order(values)
    assert found.tolist() == np.argsort(values, kind="stable").tolist()


@given(forests())
def test_sizes_first_items_and_heights_of_subtrees(forest):
    labels, left, right, _ = forest
    n = len(labels)
    heights = np.random.default_rng(n).integers(0, 5, len(left)).astype(np.float64)
    items, highest = [[i] for i in range(n)], [-np.inf] * n
    for a, b, height in zip(left.tolist(), right.tolist(), heights, strict=True):
        items.append(items[a] + items[b])
        highest.append(max(highest[a], highest[b], height))
    counts = (labels >= 0).astype(np.int64)
    sizes = _kernels.impl.sweep_sizes(counts, left, right)
    assert sizes.tolist() == [sum(counts[i] for i in held) for held in items]
    first, found = _kernels.impl.sweep_subtrees(n, left, right, heights)
    assert all(item in held for item, held in zip(first.tolist(), items, strict=True))
    assert found.tolist() == highest[n:]
