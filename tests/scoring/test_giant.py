"""What a diagnosis says of a component that holds most items."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.scoring.diagnose import worst


def noisy(seed, noise=0.05, n_types=9):
    """Types and clusters: two merged, one split in two, and some items anywhere."""
    own = np.random.default_rng(seed)
    types = np.repeat(np.arange(n_types), own.integers(60, 200, n_types))
    clusters = np.where(types == 3, 2, types)
    clusters[(types == 5) & (own.random(len(types)) < 0.4)] = 20
    stray = own.random(len(types)) < noise
    clusters[stray] = own.choice([0, 1, 2, 4, 5, 6, 7, 8, 20], stray.sum())
    return types, clusters


def by_definition(a, b):
    """Strays, thin cells and what is left, from labels and dicts alone."""
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    cells = {cell: pairs.count(cell) for cell in set(pairs)}
    rows = {k: int((a == k).sum()) for k, _ in cells}
    cols = {j: int((b == j).sum()) for _, j in cells}

    def main(cluster, side):
        own = [cell for cell in cells if cell[side] == cluster]
        return min(own, key=lambda cell: (-cells[cell], cell))

    main_rows = {k: main(k, 0) for k in rows}
    main_cols = {j: main(j, 1) for j in cols}
    strays = {cell: n for cell, n in cells.items() if main_rows[cell[0]] != cell}
    thin = {
        cell
        for cell, n in cells.items()
        if main_rows[cell[0]] != cell
        and main_cols[cell[1]] != cell
        and (10 * n < rows[cell[0]] or 10 * n < cols[cell[1]])
    }
    parts = []
    for cell in cells.keys() - thin:
        near = [
            part for part in parts if any({*cell[:1]} & {x[0]} or cell[1] == x[1] for x in part)
        ]
        parts = [part for part in parts if part not in near]
        parts.append({cell}.union(*near))
    return cells, strays, thin, parts, main_rows, main_cols


@pytest.mark.parametrize("seed", range(5))
def test_flows_and_parts_by_their_definition(seed):
    a, b = noisy(seed)
    giant = pw.diagnose(a, b, worst=500).giant
    cells, strays, thin, parts, main_rows, main_cols = by_definition(a, b)
    assert (giant.n_items, giant.n_reference, giant.n_candidate) == (len(a), 9, 9)
    assert {(x.reference, x.candidate): x.count for x in giant.strays} == strays
    assert [x.count for x in giant.strays] == sorted(strays.values(), reverse=True)
    for one in giant.strays:
        assert one.main_candidate == main_rows[one.reference][1]
        assert one.main_reference == main_cols[one.candidate][0]
        assert one.reference_size == (a == one.reference).sum()
        assert one.candidate_size == (b == one.candidate).sum()
    assert (giant.n_strays, giant.n_stray_items) == (len(strays), sum(strays.values()))
    assert giant.thin_cells == len(thin)
    assert giant.thin_items == sum(cells[cell] for cell in thin)
    kinds = {"identical": 0, "split": 0, "merge": 0, "mixed": 0}
    shown = []
    for part in parts:
        sides = {x for x, _ in part}, {x for _, x in part}
        many = len(sides[1]) > 1, len(sides[0]) > 1
        kind = {(0, 0): "identical", (1, 0): "split", (0, 1): "merge", (1, 1): "mixed"}[many]
        kinds[kind] += 1
        if kind != "identical":
            shown.append((sum(cells[cell] for cell in part), kind, *map(sorted, sides)))
    assert giant.kinds == kinds
    assert kinds == {"identical": 6, "split": 1, "merge": 1, "mixed": 0}
    found = [(x.n_items, x.kind, sorted(x.reference), sorted(x.candidate)) for x in giant.parts]
    assert found == sorted(shown, reverse=True)


@pytest.mark.one_backend
@pytest.mark.parametrize("block", [3, 64])
@given(st.lists(st.integers(0, 4), max_size=40), st.integers(0, 12), st.booleans())
def test_the_largest_by_their_definition(block, values, count, in_doubles):
    values = np.array(values, dtype=np.float64 if in_doubles else np.int64)
    wanted = sorted(np.flatnonzero(values).tolist(), key=lambda i: (-values[i], i))[:count]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worst, "_BLOCK", block)
        assert worst.largest(values, count).tolist() == wanted


@pytest.mark.one_backend
def test_counts_near_the_largest_and_another_component():
    """Counts of which ten would pass 2^63, in one of two components, numbered anew."""
    huge = 2**59
    n = 9
    rows = [*range(n), *range(n), n + 5]
    cols = [*range(n), *((k + 1) % n for k in range(n)), n + 7]
    counts = [huge] * n + [huge // 20] * n + [3]
    table = pw.Contingency.from_counts(rows, cols, counts)
    found = pw.diagnose(table, worst=3).giant
    assert (found.n_items, found.n_reference, found.n_candidate) == (sum(counts) - 3, n, n)
    assert (found.thin_cells, found.thin_items) == (n, huge // 20 * n)
    assert found.kinds == {"identical": n, "split": 0, "merge": 0, "mixed": 0}
    assert [(x.reference, x.candidate) for x in found.strays] == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.one_backend
def test_a_cell_of_which_ten_would_pass_the_largest_integer_is_not_thin():
    huge = 2**60
    rows, cols = [0, 0, 1, 1, 2, 2, 3], [0, 1, 1, 2, 2, 3, 3]
    counts = [huge + 1, huge, huge + 1, 1, 5, 1, 5]
    giant = pw.diagnose(pw.Contingency.from_counts(rows, cols, counts)).giant
    assert (giant.thin_cells, giant.thin_items) == (1, 1)
    assert giant.kinds == {"identical": 0, "split": 0, "merge": 0, "mixed": 2}


@pytest.mark.one_backend
def test_text_html_and_json():
    a, b = noisy(2)
    found = pw.diagnose(a, b, worst=3)
    text = " ".join(str(found).split())
    assert "One component holds 100.0% of the items, 9 reference clusters" in text
    assert "outside the largest part of a reference cluster; the 3 largest" in text
    assert "it falls into 8 components: 6 identical, 1 split, 1 merge" in text
    assert max(map(len, str(found).splitlines())) <= 80
    assert "it falls into 8 components" in found._repr_html_()
    back = pw.Diagnosis.from_json(found.to_json())
    assert back.giant == found.giant
    assert str(back) == str(found)
    assert json.loads(found.to_json())["giant"]["thin_cells"] == found.giant.thin_cells


@pytest.mark.one_backend
def test_where_there_is_none():
    a, b = noisy(2, noise=0.0)
    assert pw.diagnose(a, b).giant is None  # components are what they are
    assert pw.diagnose([], []).giant is None
    assert pw.diagnose([0, 0, 1, 1], [0, 1, 1, 0]).giant is None  # few clusters
    halves = np.arange(40) % 2  # two clusters are enough on one side, one is not
    assert pw.diagnose(halves, np.arange(40) // 4).giant.n_reference == 2
    assert pw.diagnose(np.zeros(40), np.arange(40) // 4).giant is None
    ring = np.arange(40)  # each cluster shares half of its items with the next one
    found = pw.diagnose(ring // 4, (ring + 2) % 40 // 4)
    assert found.giant.thin_cells == 0
    assert found.giant.kinds == {"identical": 0, "split": 0, "merge": 0, "mixed": 1}
    assert "it is not noise that holds" in " ".join(str(found).split())
    assert pw.Diagnosis.from_json(pw.diagnose(a, b).to_json()).giant is None
