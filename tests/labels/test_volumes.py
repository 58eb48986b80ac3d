"""Arrays of several dimensions: a label per element where both sides have one shape."""

import json
import struct

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

OWN = np.random.default_rng(3)
TRUTH = OWN.integers(0, 5, (4, 6, 5))
FOUND = np.where(OWN.random(TRUTH.shape) < 0.8, TRUTH, 7)


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.uint64, ">i4"])
@pytest.mark.parametrize("shape", [(4, 6, 5), (24, 5), (2, 2, 6, 5)])
def test_volumes_are_their_elements(dtype, shape):
    a, b = (x.reshape(shape).astype(dtype) for x in (TRUTH, FOUND))
    flat = a.ravel(), b.ravel()
    for options in ({}, {"missing_labels": ([0], None), "missing": "drop"}):
        table, expected = (pw.contingency(*two, **options) for two in ((a, b), flat))
        assert table.counts.tolist() == expected.counts.tolist()
        assert pw.variation_of_information(a, b, **options) == (
            pw.variation_of_information(*flat, **options)
        )
    assert pw.rand_index(np.asfortranarray(a), b) == pw.rand_index(*flat)
    assert pw.rand_index(a[::-1], b[::-1]) == pw.rand_index(*flat)
    assert pw.pair_f1(a > 1, b > 1) == pw.pair_f1(flat[0] > 1, flat[1] > 1)
    result = pw.compare(a, b, measures="purity")
    assert [note.code for note in result.account.notes] == ["arrays-flattened"]
    assert f"arrays of shape {shape} were read as one label per element" in " ".join(
        str(result).split()
    )
    weights = OWN.random(shape)
    assert pw.purity(a, b, weights=weights) == pw.purity(*flat, weights=weights.ravel())


def test_many_volumes():
    many = {"found": FOUND, "truth": TRUTH}
    flat = {name: x.ravel() for name, x in many.items()}
    names = ["rand_index", "pair_sets_index"]
    scores = pw.score_many(TRUTH, many, names)
    assert scores.values.tolist() == pw.score_many(TRUTH.ravel(), flat, names).values.tolist()
    assert "arrays-flattened" in {note.code for one in scores.accounts for note in one.notes}
    table = pw.pairwise(many, "nvi")
    assert table.tolist() == pw.pairwise(flat, "nvi").tolist()


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (TRUTH, FOUND[:3]),
        (TRUTH, FOUND.ravel()),
        (TRUTH.astype(float), FOUND.astype(float)),
        (np.eye(5, dtype=int), np.eye(5, dtype=int)),
        (np.eye(5, dtype=int)[[0, 1, 1, 2]], np.ones((4, 5), dtype=int)),
        (TRUTH.tolist(), FOUND.tolist()),
    ],
)
def test_what_stays_refused(a, b):
    with pytest.raises((TypeError, ValueError), match=r"must be 1-D|cannot be a label"):
        pw.compare(a, b)


@pytest.mark.one_backend
def test_masked_volumes_of_several():
    masked = np.ma.masked_array(TRUTH, TRUTH == 3)
    options = {"measures": "rand_index", "missing": "drop"}
    wanted = pw.rand_index(masked.ravel(), FOUND.ravel(), missing="drop")
    assert pw.score_many(masked, [FOUND], **options).values.tolist() == [[wanted]]
    assert pw.score_many(FOUND, [masked], **options).values.tolist() == [[wanted]]
    with pytest.raises(ValueError, match="missing labels"):
        pw.score_many(masked, [FOUND], "rand_index")


def test_masked_images_are_images_whatever_their_rows():
    """Rows with one 1 each are memberships, but for masks: memberships have none."""
    plain = np.eye(4, dtype=int)
    masked = np.ma.masked_array(plain, mask=np.eye(4, dtype=bool)[::-1])
    flat = masked.ravel().tolist()
    for a, b in ((masked, plain), (plain, masked), (masked, masked)):
        sides = [flat if x is masked else plain.ravel().tolist() for x in (a, b)]
        found = pw.align(a, b, missing="drop")
        assert found.table.counts.tolist() == (
            pw.contingency(*sides, missing="drop").counts.tolist()
        )
        assert "arrays-flattened" in [note.code for note in found.account.notes]
    with pytest.raises(ValueError, match="must be 1-D"):
        pw.align(plain, plain)


@pytest.mark.one_backend
def test_columns_stay_columns():
    assert pw.align(TRUTH.reshape(-1, 1), FOUND.reshape(-1, 1)).account.notes == ()


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, array in (("a", TRUTH), ("b", FOUND), ("c", FOUND[:3]), ("d", FOUND.ravel())):
        np.save(f"{name}.npy", array)
    np.save("e.npy", TRUTH[0]), np.save("f.npy", FOUND[0])


@pytest.mark.one_backend
@pytest.mark.usefixtures("files")
def test_the_command_line_takes_volumes_of_one_shape(capsys):
    arguments = ["--measures", "rand_index", "--json"]
    assert main(["compare", "a.npy", "b.npy", "--flatten", *arguments]) == 0
    expected = capsys.readouterr()
    assert expected.err == ""
    assert main(["compare", "a.npy", "b.npy", *arguments]) == 0
    out, err = capsys.readouterr()
    assert out == expected.out
    assert "note: arrays of shape (4, 6, 5) were read as one label per element" in err
    assert main(["diagnose", "a.npy", "b.npy"]) == 0
    for other in ("c.npy", "d.npy", "e.npy"):
        capsys.readouterr()
        assert main(["compare", "a.npy", other]) == 2
        assert "a.npy: an array of shape (4, 6, 5)" in capsys.readouterr().err
    assert main(["compare", "e.npy", "f.npy"]) == 2  # columns, of which none is named
    assert "say which" in capsys.readouterr().err


@pytest.mark.one_backend
def test_tiff_files_are_images_of_labels(tmp_path, monkeypatch, capsys):
    tifffile = pytest.importorskip("tifffile")
    monkeypatch.chdir(tmp_path)
    a, b = TRUTH.astype(np.uint16), FOUND.astype(np.uint16)
    for name, array in (("a", a), ("b", b), ("c", a.transpose(0, 2, 1)), ("d", a[0])):
        tifffile.imwrite(f"{name}.tif", array, photometric="minisblack")
    tifffile.imwrite("big.tiff", b, byteorder=">", bigtiff=True, photometric="minisblack")
    tifffile.imwrite("rgb.tif", np.zeros((4, 5, 3), np.uint8), photometric="rgb")
    assert pw.read("a.tif").labels.tolist() == a.ravel().tolist()
    assert pw.read("d.tif").labels.tolist() == a[0].ravel().tolist()
    np.save("a.npy", a.ravel())
    expected = pw.rand_index(a, b)
    for other in ("b.tif", "big.tiff"):
        for first in ("a.tif", "a.npy"):
            arguments = ["compare", first, other, "--measures", "rand_index", "--json"]
            assert main(arguments) == 0
            assert json.loads(capsys.readouterr().out)["scores"]["rand_index"] == expected
    for other, sentence in (
        ("c.tif", "compared in one shape: arrays of shape (4, 6, 5)"),
        ("rgb.tif", "rgb.tif: a picture in colours (3 numbers per pixel)"),
    ):
        assert main(["compare", "a.tif", other]) == 2
        assert sentence in capsys.readouterr().err
    (tmp_path / "bad.tif").write_bytes((tmp_path / "a.tif").read_bytes()[:60])
    assert main(["compare", "a.tif", "bad.tif"]) == 2
    assert "bad.tif: not readable as tiff" in capsys.readouterr().err


@pytest.mark.one_backend
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("back_to", [0, 1, 2])
def test_pages_of_a_tiff_that_follow_each_other_without_end(tmp_path, big, order, back_to):
    """tifffile would go round for hours, and log each turn."""
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "round.tif"
    pages = TRUTH[:3].astype(np.uint8)
    tifffile.imwrite(
        path, pages, byteorder=order, bigtiff=big, photometric="minisblack", metadata=None
    )
    assert pw.read(path).n_items == pages.size
    with tifffile.TiffFile(path) as file:
        offsets = [page.offset for page in file.pages]
    size, counted, tag = ("Q", "Q", 20) if big else ("I", "H", 12)
    content = bytearray(path.read_bytes())
    (tags,) = struct.unpack_from(order + counted, content, offsets[2])
    end = offsets[2] + struct.calcsize(order + counted) + tag * tags
    struct.pack_into(order + size, content, end, offsets[back_to])
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"page {back_to + 1} comes again after page 3"):
        pw.read(path)
