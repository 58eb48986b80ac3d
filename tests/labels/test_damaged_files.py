"""Whatever bytes a file holds: it is read, or a ValueError names it."""

import bz2
import gzip
import json
import lzma
import random
import zipfile

import numpy as np
import pytest

import partwise as pw
from partwise.labels.files.compressed import opened

pytestmark = pytest.mark.one_backend
COLUMNS = {
    "document": ["a", "a", "b", "b"],
    "mention": ["1-2", "3-4", "1-1", "2-2"],
    "entity": ["x", "x", "y", "z"],
}


def npz(path, save=np.savez):
    save(path, **{name: np.array(values) for name, values in COLUMNS.items()})


def frame():
    return pytest.importorskip("pandas").DataFrame(COLUMNS)


def as_parquet(path):
    frame().to_parquet(path)


def as_feather(path):
    pytest.importorskip("pyarrow.feather").write_feather(frame(), path)


def as_table(path):
    pw.contingency(["a", "b", "b"], [1, 2, 2]).save(path)


WRITERS = {
    "a.npz": npz,
    "packed.npz": lambda path: npz(path, np.savez_compressed),
    "a.npy": lambda path: np.save(path, np.array([1, 2, 2, 3])),
    "a.parquet": as_parquet,
    "a.feather": as_feather,
    "table.npz": as_table,
    "table.parquet": as_table,
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(b"id,k\na,1\nb,1\nc,2\n", mtime=0)),
    "a.jsonl": lambda path: path.write_text(
        json.dumps({"doc_key": "d", "clusters": [[[0, 1], [2, 3]]], "sentences": [["a"] * 4]})
    ),
}


def damaged(content, rng):
    """Bytes changed, cut off, put in or taken out."""
    content, place = bytearray(content), rng.randrange(len(content))
    how = rng.choice(["changed", "changed", "changed", "cut", "put in", "taken out"])
    if how == "changed":
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif how == "cut":
        del content[place:]
    elif how == "put in":
        content[place:place] = rng.randbytes(rng.randint(1, 8))
    else:
        del content[place : place + rng.randint(1, 16)]
    return bytes(content)


def readers(name):
    if name.endswith(("npz", "parquet")):
        yield pw.Contingency.load
    yield pw.read
    yield lambda path: pw.read(path, label="entity", item="mention")
    yield pw.coreference.read


def refusals(path):
    """What the readers say of a file; any other error than a ValueError ends the test."""
    for read in readers(path.name):
        try:
            read(path)
        except ValueError as error:
            yield str(error)


@pytest.mark.parametrize("name", WRITERS)
def test_damage_is_a_value_error_that_names_the_file(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path)
    content, rng = path.read_bytes(), random.Random(name)
    said = []
    for _ in range(150):
        path.write_bytes(damaged(content, rng))
        said += refusals(path)
    assert len(said) > 50
    assert [sentence for sentence in said if name not in sentence] == []


@pytest.mark.parametrize("member", ["a.npy", "a.csv"])
def test_an_archive_of_a_later_version_is_refused(member, tmp_path):
    import zipfile

    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "1\n2\n")
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 6] = 241  # the version that it takes to unpack it
    path.write_bytes(content)
    for read in (pw.read, pw.coreference.read, pw.Contingency.load):
        with pytest.raises(ValueError, match=r"a\.npz"):
            read(path)


def test_offsets_that_leave_the_text_are_refused(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    path = tmp_path / "a.feather"
    offsets = np.array([0, 1, 2, 3], dtype=np.int32)
    text = arrow.StringArray.from_buffers(3, arrow.py_buffer(offsets), arrow.py_buffer(b"abc"))
    feather.write_feather(arrow.table({"k": text}), path, compression="uncompressed")
    assert pw.read(path).labels.tolist() == ["a", "b", "c"]
    content = bytearray(path.read_bytes())
    at = content.index(offsets.tobytes())
    content[at + 8 : at + 12] = np.int32(9999).tobytes()
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.feather: not readable as feather"):
        pw.read(path)


@pytest.mark.parametrize("codes", [[0, 1, 2], [[0], [1], [1]], 1.0])
def test_codes_without_a_category_are_refused(codes, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5ad"
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "_index"
        obs["_index"] = np.arange(3)
        obs["k/categories"] = np.array([7, 9])
        obs["k/codes"] = np.array(codes)
        obs.attrs["column-order"] = ["k"]
    with pytest.raises(ValueError, match=r"a\.h5ad: not readable as h5ad .*column /obs/k has"):
        pw.read(path, label="k")


@pytest.mark.parametrize(
    ("put", "sentence"),
    [
        ({"k/values": [1, 2, 3], "k/mask": [True, False]}, r"a mask of \(2,\)"),
        ({"k/values/deeper": [1, 2, 3], "k/mask": [False] * 3}, "not readable as h5ad"),
        ({"k/categories": [1], "k/codes/deeper": [0, 0, 0]}, "not readable as h5ad"),
    ],
)
def test_columns_of_obs_that_are_no_columns_are_refused(put, sentence, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5ad"
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs["_index"] = np.arange(3)
        obs.attrs["column-order"] = ["k"]
        for name, values in put.items():
            obs[name] = np.array(values)
    with pytest.raises(ValueError, match=rf"a\.h5ad: .*{sentence}"):
        pw.read(path, label="k")


@pytest.mark.parametrize("order", "<>")
def test_text_beyond_unicode_is_refused(order, tmp_path):
    labels = np.array(["a", "b", "cd", "cd"]).astype(f"{order}U2")
    fields = np.zeros(4, dtype=[("k", "<i4"), ("id", f"{order}U2")])
    for path, save in {
        tmp_path / "a.npy": lambda path: np.save(path, labels),
        tmp_path / "b.npy": lambda path: np.save(path, fields),
        tmp_path / "c.npz": lambda path: np.savez(path, k=np.arange(4), id=labels),
    }.items():
        labels.view(f"{order}u4")[5] = ord("d")
        fields["id"] = labels
        save(path)
        item = None if path.name == "a.npy" else "id"
        assert pw.read(path, item=item).n_items == 4
        labels.view(f"{order}u4")[5] = 0x110000
        fields["id"] = labels
        save(path)
        with pytest.raises(ValueError, match=rf"{path.name}: text with numbers above 0x10ffff"):
            pw.read(path, item=item)
    with pytest.raises(
        ValueError, match=r"reference: the text at index 2 .* 0x110000 .* damage"
    ):
        pw.rand_index(labels, [1, 2, 3, 4])


def test_a_nan_that_signals_is_a_missing_label():
    bits = np.array([0x7FF0000000000001, 0, 0, 0], dtype=np.uint64)
    labels = bits.view(np.complex128)
    assert pw.Clustering(labels).column.missing.tolist() == [True, False]


def test_a_table_of_mentions_with_a_single_value_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, count=np.array(3), mention=np.array(["a", "b"]), entity=np.array(["x", "y"]))
    with pytest.raises(ValueError, match=r"a\.npz: 'count' is a single value"):
        pw.coreference.read(path)


def test_columns_of_several_lengths_make_no_label(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, k=np.arange(3), d=np.array(["a", "b"]))
    with pytest.raises(ValueError, match=r"a\.npz: columns of 3, 2 rows"):
        pw.read(path, label=["k", "d"])


@pytest.mark.parametrize(("above", "line"), [("", 1), ("\n", 2), ("\n\n", 3), ("x\n\ny\n", 4)])
def test_the_line_of_a_byte_that_is_no_text(tmp_path, above, line):
    path = tmp_path / "a.txt"
    path.write_bytes(above.encode() + b"M\xfcnchen\nx\n")
    with pytest.raises(ValueError, match=rf"a\.txt:{line}: not UTF-8 text \(byte 0xfc\)"):
        pw.read(path)


@pytest.mark.parametrize("ending", ["bz2", "gz", "xz"])
def test_what_is_wrong_with_a_compressed_file(tmp_path, ending):
    """Its content is damaged, or the system cannot read it: two kinds of errors."""
    module = {"bz2": bz2, "gz": gzip, "xz": lzma}[ending]
    packed = module.compress(b"".join(b"%d\n" % (i % 7) for i in range(3000)))
    path = tmp_path / f"a.txt.{ending}"
    path.write_bytes(packed)
    assert pw.read(path).n_clusters == 7
    for place in (len(packed) // 2, len(packed) - 3):
        changed = bytearray(packed)
        changed[place] ^= 0xFF
        path.write_bytes(bytes(changed))
        with pytest.raises(ValueError, match=rf"a\.txt\.{ending}: damaged compressed file"):
            pw.read(path)
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(ValueError, match=rf"a\.txt\.{ending}: damaged compressed file"):
        pw.read(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pw.read(path)
    with pytest.raises(FileNotFoundError), opened(path):
        pass


def test_text_of_arrow_that_is_no_utf8_is_refused(tmp_path):
    """pyarrow makes an array of it, and a file; where it comes in, the first is told."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    offsets = arrow.py_buffer(np.array([0, 1, 2, 4, 6], dtype=np.int32))
    text = arrow.StringArray.from_buffers(4, offsets, arrow.py_buffer(b"aa\xc3\x28\xffz"))
    calls = {
        "labels": lambda: pw.Clustering(text),
        "candidate": lambda: pw.compare([1, 2, 3, 4], text),
        "items": lambda: pw.Clustering([1, 2, 3, 4], items=text).items,
        "rows": lambda: pw.Contingency.from_counts(text, [0, 0, 0, 1], [1, 1, 1, 1]),
        "labels, among its categories": lambda: pw.Clustering(
            arrow.DictionaryArray.from_arrays([0, 1, 2, 3], text)
        ),
    }
    for what, call in calls.items():
        with pytest.raises(ValueError, match=rf"^{what}: the text at index 2 is no UTF-8"):
            call()
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"k": text}), path)
    with pytest.raises(ValueError, match=r"a\.parquet: the text at index 2 is no UTF-8 \(b'"):
        pw.read(path)
    parquet.write_table(arrow.table({"row": text, "col": text, "count": [1] * 4}), path)
    with pytest.raises(
        ValueError, match=r"a\.parquet: no table of partwise \(rows: the text at"
    ):
        pw.Contingency.load(path)
    raw = text.view(arrow.binary())
    assert pw.Clustering(raw).labels.tolist() == [b"a", b"a", b"\xc3(", b"\xffz"]


def test_a_time_zone_that_is_no_utf8(tmp_path):
    """Its name means nothing for the instants, which are in UTC."""
    arrow, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    path = tmp_path / "a.feather"
    for zone in ("zzzzzz", "+01:00"):
        times = arrow.array([0, 60_000_000, 0], arrow.timestamp("us", tz=zone))
        feather.write_feather(arrow.table({"k": times}), path, compression="uncompressed")
        path.write_bytes(path.read_bytes().replace(b"zzzzzz", b"zz\x80zzz"))
        read = pw.read(path)
        assert pw.rand_index(read, ["a", "b", "a"]) == 1
        assert [str(time)[:16] for time in read.labels] == [
            "1970-01-01 00:00",
            "1970-01-01 00:01",
            "1970-01-01 00:00",
        ]


@pytest.mark.parametrize("ending", ["zip", "csv.zip", "npz", "csv"])
def test_an_archive_with_a_name_that_is_no_utf8(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("\u00e4bc.csv", "a,b\n1,2\n")
    content = path.read_bytes()
    assert content.count("\u00e4".encode()) == 2
    path.write_bytes(content.replace("\u00e4".encode(), b"\x8d\x8d"))
    damaged = rf"a\.{ending}: (damaged compressed file .*no UTF-8|no NumPy file .* is damaged)"
    with pytest.raises(ValueError, match=damaged):
        pw.read(path)
    with pytest.raises(ValueError, match=rf"a\.{ending}: "):
        pw.coreference.read(path)
