"""Numbering, grouping and looking up of many integers, in calls that an interrupt ends."""

import subprocess
import sys

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise._kernels import long_columns, workers

DRAW = np.random.default_rng(7)
COLUMNS = {
    "none": np.empty(0, dtype=np.int64),
    "one": np.array([5]),
    "equal": np.full(50, -3),
    "few": DRAW.integers(-4, 9, 3000),
    "bytes": DRAW.integers(-100, 100, 500).astype(np.int8),
    "large": DRAW.integers(-(2**63), 2**63 - 1, 2000),
    "unsigned": DRAW.integers(2**63, 2**64 - 1, 800, dtype=np.uint64),
    "extremes": np.array([2**63 - 1, -(2**63), 0, -1, 2**63 - 1, -(2**63)]),
    "every other": DRAW.integers(0, 50, 900)[::2],
}


@pytest.fixture(params=[long_columns.BLOCK, 7])
def block(request, monkeypatch):
    """Blocks that hold all, and blocks that cut the columns of these tests."""
    monkeypatch.setattr(long_columns, "BLOCK", request.param)


@pytest.mark.parametrize("name", COLUMNS)
def test_numbered_is_unique(kernels, name):
    values = COLUMNS[name]
    before = values.copy()
    distinct, first, codes = long_columns.numbered(values)
    wanted = np.unique(values, return_index=True, return_inverse=True)
    for got, expected in zip((distinct, first, codes), wanted, strict=True):
        assert np.array_equal(got, expected)
    assert distinct.dtype == values.dtype
    assert first.dtype == codes.dtype == np.int64
    assert np.array_equal(values, before)


@pytest.mark.parametrize("n", [0, 1, 6, 7, 8, 100])
def test_taken_and_placed_are_indexing(kernels, block, n):
    values, places = DRAW.integers(0, 10**12, 40), DRAW.integers(0, 40, n)
    assert np.array_equal(long_columns.taken(values, places), values[places])
    order = DRAW.permutation(n)
    placed = long_columns.placed(np.arange(n) * 3, order, n)
    assert placed[order].tolist() == list(range(0, 3 * n, 3))


def test_what_is_taken_keeps_its_type(kernels, block):
    values = np.array([3, 1, 2], dtype=np.int32)
    taken = long_columns.taken(values, np.array([2, 0] * 9))
    assert (taken.dtype, taken.tolist()) == (np.int32, [2, 3] * 9)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 90])
def test_what_is_made_of_each_item_is_made_in_blocks(kernels, block, n):
    x, y = DRAW.integers(0, 50, n), DRAW.integers(1, 50, n)
    made = long_columns.by_blocks(lambda a, b: (b - a) / b, x, y)
    assert made.dtype == np.float64
    assert np.array_equal(made, (y - x) / y)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 90])
def test_repeated_and_added_up(kernels, block, n):
    values, times, groups = DRAW.integers(0, 99, n), DRAW.integers(0, 5, n), np.arange(n) % 4
    assert np.array_equal(long_columns.repeated(values, times), np.repeat(values, times))
    sums = long_columns.added_up(values, groups, 5)
    assert sums.dtype == values.dtype
    assert sums.tolist() == [int(values[groups == k].sum()) for k in range(5)]


def test_threads_share_what_is_taken(kernels, block, monkeypatch):
    monkeypatch.setattr(workers, "WORKER_ITEMS", 10)
    values, places = DRAW.integers(0, 10**12, 40), DRAW.integers(0, 40, 95)
    with workers.working(3):
        assert np.array_equal(long_columns.taken(values, places), values[places])


@pytest.mark.parametrize("n", [1, 8, 90])
def test_ascending_is_a_sort_of_places(kernels, block, n):
    places = DRAW.permutation(n)[: n // 2 + 1]
    assert long_columns.ascending(places, n).tolist() == sorted(places.tolist())


@pytest.mark.parametrize("name", ["none", "one", "equal", "few", "every other"])
def test_equal_codes_keep_their_order(kernels, name):
    codes = COLUMNS[name]
    wanted = np.argsort(codes, kind="stable")
    assert np.array_equal(long_columns.stable_order(codes), wanted)


#: One call; signals are handled where it looks out for them, so their distances are how long an
#: interrupt can wait. Seconds of the processor, as other work on the machine does not count.
ONE_CALL = """
import signal, sys, time
import numpy as np
from partwise._kernels import impl, long_columns
n = 1 << 25
draw = np.random.default_rng(1)
codes = draw.integers(0, n // 2, n)
one = np.ones(n, dtype=np.int64)
rows = np.arange(n + 1)
wide, order = codes * 0x1234567, draw.permutation(n)
sizes = np.maximum(np.bincount(codes, minlength=n // 2), 1)
calls = {
    "encode": lambda: impl.encode(codes),
    "encode, wide": lambda: impl.encode(wide),
    "first_places": lambda: impl.first_places(codes, n // 2),
    "first_appearance": lambda: impl.first_appearance(codes, n // 2),
    "stable_order": lambda: long_columns.stable_order(codes),
    "taken": lambda: long_columns.taken(codes, codes),
    "placed": lambda: long_columns.placed(codes, order, n),
    "transpose": lambda: impl.transpose(rows, codes, one, n // 2),
    "locate": lambda: impl.locate(rows, codes, rows[:-1], codes),
    "tally": lambda: impl.tally(codes, order, (impl.Scratch(),)),
    "tally, wide": lambda: impl.tally(wide, order * 0x7654321, (impl.Scratch(),)),
    "margins": lambda: impl.margins(rows, codes, one, n // 2),
    "maxima": lambda: impl.maxima(rows, codes, one, n // 2),
    "join": lambda: impl.join(rows, codes, n // 2),
    "split_scores": lambda: impl.split_scores(rows, codes, one, one, sizes, 64),
    "b_cubed_sums": lambda: impl.b_cubed_sums(rows, codes, one, one, sizes),
    "nearest_cells": lambda: impl.nearest_cells(rows, codes, one, one, sizes, "jaccard"),
    "sum_similarities": lambda: impl.sum_similarities(
        rows, codes, one, one, sizes, rows[:-1], "jaccard", False
    ),
    "divergence_terms": lambda: impl.divergence_terms(rows, codes, one, one, sizes, n),
    "similarity_gains": lambda: impl.similarity_gains(
        rows, codes, one, one, sizes, "jaccard", False, 40
    ),
    "sum_xlogx": lambda: impl.sum_xlogx(codes + 100, 64),
    "match": lambda: impl.match(rows, codes, one, n // 2, True, (16, 64, 16), 1),
}
seen = []
signal.signal(signal.SIGPROF, lambda *_: seen.append(time.process_time()))
signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
seen.append(time.process_time())
calls[sys.argv[1]]()
seen.append(time.process_time())
signal.setitimer(signal.ITIMER_PROF, 0)
print(seen[-1] - seen[0], max(np.diff(seen)))
"""
#: Seconds: what is promised.
WAIT = 1


@pytest.mark.long
@pytest.mark.one_backend
@pytest.mark.skipif(pw.config()["kernels"] != "compiled", reason="NumPy cannot be ended")
@pytest.mark.parametrize(
    "call",
    [
        *("encode", "encode, wide", "first_places", "first_appearance", "stable_order"),
        *(
            "taken",
            "placed",
            "transpose",
            "locate",
            "tally",
            "tally, wide",
            "margins",
            "maxima",
        ),
        *("join", "split_scores", "b_cubed_sums", "nearest_cells", "sum_similarities"),
        *("divergence_terms", "similarity_gains", "sum_xlogx", "match"),
    ],
)
def test_an_interrupt_waits_for_a_short_part_of_a_long_call(call):
    command = [sys.executable, "-c", ONE_CALL, call]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    whole, longest = map(float, done.stdout.split())
    print(f"{call}: {whole:.2f} s, longest wait {longest:.2f} s")
    assert longest < WAIT


def test_edges_by_numbers_and_by_objects_are_one(kernels):
    """Items that are integers of two types, near the end of what doubles tell apart."""
    items = np.array([2**60, 2**60 + 1, 5, -7])
    reference = pw.Clustering([0, 0, 1, 1], items=items)
    columns = np.array([2**60, 5], dtype=np.uint64), np.array([2**60 + 1, 2**60 + 1])
    scores = np.array([0.5, 0.25])
    by_numbers = pw.sweep(reference, (*columns, scores), scores="similarity")
    lists = [column.tolist() for column in columns]
    by_objects = pw.sweep(reference, (*lists, scores.tolist()), scores="similarity")
    for state in range(len(by_objects)):
        assert np.array_equal(by_numbers.labels(state), by_objects.labels(state))
    assert by_numbers.labels(1).tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("make", [np.array, list])
def test_an_item_that_stands_twice_is_refused_in_any_form_of_edges(kernels, make):
    reference = pw.Clustering([0, 0, 1], items=np.array([5, 7, 7]))
    with pytest.raises(ValueError, match="item 7 stands twice in the reference"):
        pw.sweep(reference, (make([5]), make([7]), make([0.5])), scores="similarity")


# ---- what is added block by block ----------------------------------------------------------

#: More than four million cells, between two polls: 100,000 rows, one of which has most cells.
PER_ROW, LONG_ROW = 10, 4_500_000


@pytest.fixture(scope="module")
def many_cells():
    """A table past two blocks, whose first and last rows are short, and its halves."""
    lengths = np.full(100_000, PER_ROW)
    lengths[40_000] = LONG_ROW
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    cols = np.concatenate([np.arange(n) for n in lengths.tolist()])
    counts = np.arange(len(cols)) % 97 + 1
    return indptr, cols, counts


def add_up_pieces(function, *columns):
    return sum(
        function(*(x[at : at + 10**6] for x in columns))
        for at in range(0, len(columns[0]), 10**6)
    )


@pytest.mark.one_backend
@pytest.mark.skipif(pw.config()["kernels"] != "compiled", reason="NumPy has no blocks")
def test_sums_past_one_block_are_those_of_pieces(many_cells):
    counts = many_cells[2]
    large = counts + (2**40)
    impl = _kernels.impl
    assert impl.sum_squares(large) == add_up_pieces(impl.sum_squares, large)
    assert impl.sum_squares(large) > 2**64
    whole = impl.sum_xlogx(counts, 64)
    assert whole == add_up_pieces(lambda x: impl.sum_xlogx(x, 64), counts) > 2**64
    halves = counts - 50.5
    for values in (halves, -halves - 1):
        found = impl.sum_doubles(values, 60)
        assert found == int(values.sum() * 2) << 59
    squares = int((counts * counts).sum())
    assert impl.sum_weighted(counts, large) == squares + int(counts.sum()) * 2**40 > 2**64
    above, below = counts.astype(np.uint64), large.astype(np.uint64)
    whole = impl.sum_ratios(counts, above, below)
    assert whole == add_up_pieces(impl.sum_ratios, counts, above, below) > 2**64


@pytest.mark.one_backend
@pytest.mark.skipif(pw.config()["kernels"] != "compiled", reason="NumPy has no blocks")
def test_rows_past_one_block_are_those_of_pieces(many_cells):
    """Rows before, of and after the long one by themselves, in tables of their own."""
    indptr, cols, counts = many_cells
    impl, n_cols = _kernels.impl, LONG_ROW
    row_sizes, col_sizes = impl.margins(indptr, cols, counts, n_cols)
    n = int(counts.sum())
    parts = [slice(0, 40_000), slice(40_000, 40_001), slice(40_001, 100_000)]
    tables = []
    for part in parts:
        first, last = indptr[part.start], indptr[part.stop]
        own = indptr[part.start : part.stop + 1] - first
        tables.append((own, cols[first:last], counts[first:last], row_sizes[part]))
    assert row_sizes.sum() == col_sizes.sum() == n
    by_part = [impl.margins(*table[:3], n_cols) for table in tables]
    assert np.array_equal(row_sizes, np.concatenate([rows for rows, _ in by_part]))
    assert np.array_equal(col_sizes, sum(columns for _, columns in by_part))
    row_maxima, col_maxima = impl.maxima(indptr, cols, counts, n_cols)
    by_part = [impl.maxima(*table[:3], n_cols) for table in tables]
    assert np.array_equal(row_maxima, np.concatenate([rows for rows, _ in by_part]))
    assert np.array_equal(col_maxima, np.max([columns for _, columns in by_part], axis=0))
    cells = indptr, cols, counts, row_sizes, col_sizes
    for similarity in ("overlap", "jaccard"):
        nearest = impl.nearest_cells(*cells, similarity)
        found = [impl.nearest_cells(*table, col_sizes, similarity) for table in tables]
        found = [x + indptr[part.start] for x, part in zip(found, parts, strict=True)]
        assert np.array_equal(nearest, np.concatenate(found))
    whole = impl.sum_similarities(*cells, np.arange(len(cols)), "jaccard", True)
    above = counts.astype(np.uint64)
    rows = np.repeat(np.arange(len(row_sizes)), np.diff(indptr))
    below = (row_sizes[rows] + col_sizes[cols] - counts).astype(np.uint64)
    assert whole == impl.sum_ratios(row_sizes[rows], above, below)
    scores, others = row_sizes % 1000, col_sizes % 1000
    whole = impl.sum_products(indptr, cols, counts, scores, others)
    assert whole == int((counts * scores[rows] * others[cols]).sum())
    terms, covered = impl.divergence_terms(*cells, n)
    found = [impl.divergence_terms(*table, col_sizes, n) for table in tables]
    assert covered == sum(part for _, part in found)
    assert np.array_equal(terms, np.concatenate([part for part, _ in found]))
    expected = row_sizes[rows[::997]].astype(float) * col_sizes[cols[::997]]
    x = (n * counts[::997].astype(float) - expected) / expected
    literal = expected * ((1 + x) * np.log1p(x) - x)
    assert np.allclose(terms[::997], literal, rtol=1e-6)
    assert not impl.is_proportional(*cells, n)


@pytest.mark.one_backend
@pytest.mark.skipif(pw.config()["kernels"] != "compiled", reason="NumPy has no blocks")
def test_a_table_past_one_block_is_proportional_to_its_last_row():
    """Three million rows of two equal cells; then the last is another, by the same sizes."""
    n = 3_000_000
    indptr, cols = np.arange(0, 2 * n + 1, 2), np.tile([0, 1], n)
    counts = np.ones(2 * n, dtype=np.int64)
    sizes = _kernels.impl.margins(indptr, cols, counts, 2)
    for last in (1, 2):
        counts[-1] = last
        whole = _kernels.impl.is_proportional(indptr, cols, counts, *sizes, 2 * n)
        assert whole == (last == 1)
