"""Tables of labels that come in blocks: any blocks, any source, any tree of merges."""

import io
from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels.suspicions import OF_LABELS
from partwise.scale import blocks
from partwise.scale.sources import boxes
from partwise.table import merge as merging

Table = pw.Contingency

KINDS = {
    "small integers": st.integers(-3, 4),
    "near 2^64": st.integers(2**64 - 5, 2**64 - 1),
    "either sign": st.integers(-(2**63), 2**63 - 1),
    "text": st.sampled_from(["a", "b", "é", "zz", "日本", "a "]),
    "bytes": st.sampled_from([b"a", b"\xff", b"zz"]),
    "floats": st.sampled_from([0.0, -0.0, 1.5, -2.25, 1e300]),
    "bools": st.booleans(),
    "days": st.dates(date(2024, 1, 1), date(2024, 1, 9)),
}
names = st.sampled_from(sorted(KINDS))


def content(table):
    parts = (*table.cells, table.row_labels, table.col_labels, table.row_sizes, table.col_sizes)
    return [part.tolist() for part in parts]


@st.composite
def streams(draw, missing=False):
    """Two columns, and where they are cut."""
    columns = []
    n = draw(st.integers(0, 60))
    for _ in range(2):
        label = KINDS[draw(names)]
        if missing:
            label = st.one_of(label, st.none())
        columns.append(draw(st.lists(label, min_size=n, max_size=n)))
    cuts = draw(st.lists(st.integers(0, n), max_size=8))
    return (*columns, sorted({0, n, *cuts}))


def without_notes_on_labels(table):
    """Of blocks, they are on the labels that are left when policies are done."""
    notes = [note for note in table.account.notes if note.code not in OF_LABELS]
    return replace(table.account, notes=tuple(notes))


def of_triples(triples):
    return Table.from_counts(*([triple[i] for triple in triples] for i in range(3)))


def in_blocks(a, b, edges):
    return [(a[i:j], b[i:j]) for i, j in pairwise(edges)] or [([], [])]


@given(stream=streams(), few=st.booleans())
def test_any_blocks_are_the_table_at_once(stream, few):
    """Also pair by pair where all at once would do."""
    a, b, edges = stream
    before = merging._FEW_CELLS
    merging._FEW_CELLS = before if few else 0
    try:
        table = blocks.contingency(in_blocks(a, b, edges), expected_items=len(a))
        tables = [pw.contingency(*block) for block in in_blocks(a, b, edges)]
        merged = Table.merge(*tables)
    finally:
        merging._FEW_CELLS = before
    whole = pw.contingency(a, b)
    assert content(table) == content(whole) == content(merged)
    assert table.row_labels.dtype == whole.row_labels.dtype
    assert table.account == whole.account


@given(
    stream=streams(missing=True),
    missing=st.sampled_from(["drop", "singletons", "cluster", ("drop", "cluster")]),
    workers=st.integers(1, 3),
)
def test_policies_hold_across_blocks(stream, missing, workers):
    a, b, edges = stream
    try:
        whole = pw.contingency(a, b, missing=missing)
    except ValueError:
        with pytest.raises(ValueError, match="no item is left to compare"):
            blocks.contingency(in_blocks(a, b, edges), missing=missing)
        return
    table = blocks.contingency(in_blocks(a, b, edges), missing=missing, workers=workers)
    assert content(table) == content(whole)
    assert without_notes_on_labels(table) == without_notes_on_labels(whole)


@given(
    parts=st.lists(
        st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 2**40))),
        min_size=1,
        max_size=6,
    ),
    seed=st.integers(0, 99),
)
def test_any_merge_tree_of_counts_above_32_bits(parts, seed, kernels):
    before, merging._FEW_CELLS = merging._FEW_CELLS, 0
    try:
        tables = [of_triples(x) for x in parts]
        rng = np.random.default_rng(seed)
        todo = [tables[i] for i in rng.permutation(len(tables))]
        while len(todo) > 1:
            i = int(rng.integers(len(todo) - 1))
            todo[i : i + 2] = [Table.merge(*todo[i : i + 2])]
    finally:
        merging._FEW_CELLS = before
    every = [triple for part in parts for triple in part]
    whole = of_triples(every)
    assert content(todo[0]) == content(whole)


def test_tables_that_were_merged_stay_as_they_are():
    """A stack grows its own memory only."""
    rng = np.random.default_rng(3)
    tables = [pw.contingency(*rng.integers(0, 400, (2, 60000))) for _ in range(5)]
    before = [content(table) for table in tables]
    whole = Table.merge(*tables)
    again = Table.merge(whole, *tables)
    assert [content(table) for table in tables] == before
    assert again.n_items == 2 * whole.n_items
    assert (again.counts == 2 * whole.counts).all()


def test_blocks_of_unlike_integers():
    """int8 beside int64 beside uint64: labels are compared as values, never as floats."""
    big = 2**63 + 1
    parts = [
        (np.array([1, 2], np.int8), np.array([7, 7], np.uint16)),
        (np.array([2, -5], np.int64), np.array([7, 8], np.int64)),
        (np.array([big, 2], np.uint64), np.array([9, 7], np.uint64)),
    ]
    table = blocks.contingency(parts)
    assert table.row_labels.tolist() == [-5, 1, 2, big]
    assert table.col_labels.tolist() == [7, 8, 9]
    assert table.to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 0], [3, 0, 0], [0, 0, 1]]
    odd = [(np.array([2**53], np.int64), [1]), (np.array([2**53 + 1], np.uint64), [1])]
    assert blocks.contingency(odd).row_labels.tolist() == [2**53, 2**53 + 1]


def test_numbers_and_text_do_not_mix():
    with pytest.raises(TypeError, match=r"row labels are of different kinds: integer .* text"):
        blocks.contingency([([1], [1]), (["1"], [1])])


def test_a_block_of_background_is_no_error():
    """Of a volume, whole blocks may hold nothing that is compared."""
    a, b = np.array([0, 0, 5, 5, 0, 0]), np.array([1, 2, 3, 3, 4, 4])
    options = {"missing": "drop", "missing_labels": ([0], None)}
    table = blocks.contingency([(a[i : i + 2], b[i : i + 2]) for i in (0, 2, 4)], **options)
    whole = pw.contingency(a, b, **options)
    assert content(table) == content(whole)
    assert table.account == whole.account
    nothing = [(a[:2], b[:2]), (a[4:], b[4:])]
    with pytest.raises(ValueError, match=r"no item is left to compare: .* dropped"):
        blocks.contingency(nothing, **options)


def test_a_missing_label_that_does_not_occur_is_noted_once_it_is_sure():
    parts = [([1, -1], [1, 1]), ([1, 2], [1, 1])]
    table = blocks.contingency(parts, missing="drop", missing_labels=([-1], None))
    assert table.account.notes == ()
    table = blocks.contingency(parts, missing="drop", missing_labels=([-7], None))
    assert [note.code for note in table.account.notes] == ["missing-label-unused"]


def test_weights_come_with_the_blocks():
    rng = np.random.default_rng(1)
    a, b, w = rng.integers(0, 9, 500), rng.integers(0, 7, 500), rng.random(500)
    table = blocks.contingency((a[i:][:30], b[i:][:30], w[i:][:30]) for i in range(0, 500, 30))
    whole = pw.contingency(a, b, weights=w)
    assert content(table) == content(whole)
    assert np.allclose(table.masses, whole.masses, rtol=5e-16, atol=0)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers_change_nothing(workers):
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 500, (2, 40000))
    table = blocks.contingency(a, b, block_items=1000, workers=workers)
    assert content(table) == content(pw.contingency(a, b))
    with pytest.raises(ValueError, match=r"block 1: .* missing labels|block 1: missing labels"):
        blocks.contingency([([1], [1]), ([None], [1]), ([1], [1])], workers=workers)


def test_no_more_blocks_are_asked_for_than_workers():
    asked, done = [], []

    def stream():
        for i in range(20):
            asked.append(i)
            yield [i], [i]

    def told(n):
        done.append(n)
        assert len(asked) - len(done) < 3

    merging.from_blocks(stream(), {}, workers=3, told=told)
    assert len(done) == 20


# ---- sources -----------------------------------------------------------------------


@given(
    shape=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    chunk=st.integers(1, 5),
    most=st.integers(1, 90),
    ordered=st.booleans(),
)
def test_boxes_cover_an_array_once(shape, chunk, most, ordered):
    array = np.arange(np.prod(shape)).reshape(shape)
    parts = [array[box].ravel() for box in boxes(shape, [chunk] * len(shape), most, ordered)]
    every = np.concatenate(parts)
    assert max(map(len, parts)) <= most
    assert sorted(every.tolist()) == list(range(array.size))
    if ordered:
        assert every.tolist() == list(range(array.size))


def volume():
    rng = np.random.default_rng(5)
    a = rng.integers(0, 40, (7, 11, 13)).astype(np.uint64) + np.uint64(2**64 - 50)
    return a, (a // np.uint64(3)).astype(np.uint64)


def test_npy_that_cannot_be_mapped(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.arange(99))
    whole = path.read_bytes()
    for size in (len(whole) - 1, 20):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"a\.npy: no NumPy file .* damaged or cut off"):
            blocks.contingency(path, path)
    np.save(path, np.array(["a", 1], dtype=object))
    with pytest.raises(ValueError, match=r"a\.npy: an array of Python objects.* save .* as"):
        blocks.contingency(path, path)


def test_memory_maps_and_npy(tmp_path):
    a, b = volume()
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    whole = pw.contingency(a.ravel(), b.ravel())
    maps = np.load(tmp_path / "a.npy", mmap_mode="r"), np.load(tmp_path / "b.npy", "r")
    for source in (maps, (tmp_path / "a.npy", str(tmp_path / "b.npy"))):
        assert content(blocks.contingency(*source, block_items=100)) == content(whole)
    table = np.stack([a.ravel(), b.ravel()], axis=1)
    np.save(tmp_path / "both.npy", table)
    both = blocks.contingency(tmp_path / "both.npy", label=(1, 2), block_items=64)
    assert content(both) == content(whole)
    np.savez(tmp_path / "both.npz", x=a, y=b)
    both = blocks.contingency(tmp_path / "both.npz", label=("x", "y"), block_items=64)
    assert content(both) == content(whole)
    with pytest.raises(ValueError, match="no array 'z'; there are: x, y"):
        blocks.contingency(tmp_path / "both.npz", label=("x", "z"))


@pytest.mark.parametrize("library", ["zarr", "h5py"])
def test_chunks_of_volumes(library, tmp_path):
    module = pytest.importorskip(library)
    a, b = volume()
    if library == "zarr":
        sides = [
            module.create_array(str(tmp_path / name), data=x, chunks=(3, 4, 5))
            for name, x in (("a", a), ("b", b))
        ]
    else:
        file = module.File(tmp_path / "v.h5", "w")
        sides = [
            file.create_dataset(name, data=x, chunks=(3, 4, 5))
            for name, x in (("a", a), ("b", b))
        ]
    for most in (20, 60, 200, 10**6):
        table = blocks.contingency(*sides, block_items=most)
        assert content(table) == content(pw.contingency(a.ravel(), b.ravel()))
    zero = 2**64 - 50
    options = {"missing": "singletons", "missing_labels": ([zero], None)}
    table = blocks.contingency(*sides, block_items=20, **options)
    assert content(table) == content(pw.contingency(a.ravel(), b.ravel(), **options))


def test_parquet_in_row_groups_and_folders(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rng = np.random.default_rng(6)
    number = rng.integers(0, 50, 2000)
    text = arrow.array([None if x % 11 == 0 else f"c{x // 2}" for x in number.tolist()])
    frame = arrow.table({"truth": number, "found": text, "n": arrow.array(range(2000))})
    whole = pw.contingency(number, text, missing="cluster")
    path = tmp_path / "one.parquet"
    parquet.write_table(frame, path, row_group_size=170)
    options = {"label": ("truth", "found"), "missing": "cluster"}
    for most in (64, 1000, 10**6):
        table = blocks.contingency(path, block_items=most, **options)
        assert content(table) == content(whole)
        assert table.account == whole.account
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(4):  # each file with a dictionary of its own
        part = frame.slice(500 * i, 500)
        part = part.set_column(1, "found", part.column("found").dictionary_encode())
        parquet.write_table(part, folder / f"{i}.parquet", row_group_size=130)
    table = blocks.contingency(folder, folder, block_items=300, workers=2, **options)
    assert content(table) == content(whole)
    mixed = blocks.contingency(path, text, label=("truth", None), missing="cluster")
    assert content(mixed) == content(whole)
    with pytest.raises(ValueError, match="no column 'truht'; the columns are: truth, found, n"):
        blocks.contingency(path, label=("truht", "found"))
    with pytest.raises(ValueError, match=r"has 2000 labels, .* 1999"):
        blocks.contingency(path, number[:-1], label=("truth", None))
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"damaged\.parquet: not readable as parquet"):
        blocks.contingency(damaged, damaged, label=("truth", "found"))


def test_a_block_may_be_of_a_number_of_numpy():
    a, b = np.arange(900) % 7, np.arange(900) % 4
    table = blocks.contingency(a, b, block_items=np.uint8(200))  # whose sums would wrap around
    assert table.counts.tolist() == pw.contingency(a, b).counts.tolist()


def test_what_cannot_be_cut_is_refused(tmp_path):
    a = np.arange(6)
    with pytest.raises(ValueError, match="must be of one shape"):
        blocks.contingency(a, a.reshape(2, 3))
    with pytest.raises(TypeError, match="pass the candidate beside the reference"):
        blocks.contingency(a)
    with pytest.raises(TypeError, match="the candidate is an int"):
        blocks.contingency(a, 5)
    with pytest.raises(TypeError, match="one path holds both sides where label= is the pair"):
        blocks.contingency("x.parquet")
    with pytest.raises(ValueError, match="the blocks hold 6 items to compare, not"):
        blocks.contingency(a, a, expected_items=7)
    with pytest.raises(TypeError, match="expected_items='5' must be an integer"):
        blocks.contingency(a, a, expected_items="5")
    with pytest.raises(ValueError, match="block_items=0"):
        blocks.contingency(a, a, block_items=0)
    with pytest.raises(FileNotFoundError):
        blocks.contingency(tmp_path / "none.npy", a)
    with pytest.raises(ValueError, match="nothing left in it"):
        blocks.contingency(iter(()))


def test_progress_is_shown_on_request(capsys):
    a = np.arange(5000) % 7
    table = blocks.contingency(a, a, block_items=500, progress=True)
    assert table.n_items == 5000
    assert capsys.readouterr().out == ""


@pytest.mark.one_backend
def test_memory_follows_the_cells_and_not_the_items():
    """1,000 blocks that are made as they are asked for: nothing of them stays."""
    resource = pytest.importorskip("resource")
    block = np.arange(40000) % 100, np.arange(40000) % 97
    blocks.contingency([block])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table = blocks.contingency((block[0].copy(), block[1].copy()) for _ in range(1000))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert table.n_items == 40_000_000
    assert grown < 50_000  # kilobytes; all blocks would be 640,000
    assert io.StringIO(str(table)).read().startswith("Contingency(40000000 items, 100 x 97")
