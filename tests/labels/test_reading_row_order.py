"""Ids that were not used, in another order on the two sides: refused, with the way out."""

import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main
from partwise.labels.indexes import IdsInPieces, row_ids
from partwise.scale import parquet, text

pytestmark = pytest.mark.one_backend

TRUTH = dict(zip("abcdefgh", "xxxyyzzy", strict=True))
FOUND = dict(zip("dbhaceg", "2131223", strict=True)) | {"f": "3"}
NUMBERS = {item: str(100 - 7 * j) for j, item in enumerate(TRUTH)}


def written(path, labels, first, numbers):
    """Write one side: ids, then labels."""
    ids = [NUMBERS[item] if numbers else item for item in labels]
    name = "truth" if labels is TRUTH else "found"
    if path.suffix == ".parquet":
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        frame = pandas.DataFrame({name: list(labels.values())}, index=ids)
        frame.rename_axis(first or None).to_parquet(path)
    elif path.suffix == ".jsonl":
        rows = [{"id": item, name: x} for item, x in zip(ids, labels.values(), strict=True)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        head = [] if first is None else [f"{first},{name}"]
        rows = [f"{item},{x}" for item, x in zip(ids, labels.values(), strict=True)]
        path.write_text("\n".join([*head, *rows, ""]))
    return path


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(
    ("ending", "first", "item"),
    [
        ("csv", "", 1),
        ("csv", "id", "id"),
        ("csv", "gene", "gene"),
        ("csv", None, 1),
        ("parquet", "", "__index_level_0__"),
        ("parquet", "cell", "cell"),
        ("jsonl", "id", "id"),
    ],
)
def test_rows_in_another_order(reader, tmp_path, capsys, ending, first, item, numbers):
    one = written(tmp_path / f"one.{ending}", TRUTH, first, numbers)
    other = written(tmp_path / f"other.{ending}", FOUND, first, numbers)
    by_number = first is None
    header = False if by_number else None
    columns = [2, 2] if by_number else ["truth", "found"]
    sides = [
        pw.read(path, label=column, header=header)
        for path, column in zip((one, other), columns, strict=True)
    ]
    for measure in (pw.compare, pw.adjusted_rand_index):
        with pytest.raises(ValueError, match=r"the same ids in another order.*item=.*\.labels"):
            measure(*sides)
    with pytest.raises(ValueError, match="the same ids in another order"):
        pw.score_many(sides[0], {"b": sides[1], "c": sides[0]})
    right = pw.adjusted_rand_index(TRUTH, FOUND)
    by_item = [
        pw.read(path, label=column, item=item, header=header)
        for path, column in zip((one, other), columns, strict=True)
    ]
    assert pw.adjusted_rand_index(*by_item) == right
    by_position = pw.adjusted_rand_index(sides[0].labels, sides[1].labels)
    assert by_position != right
    command = [
        *("compare", f"{one}::{columns[0]}", f"{other}::{columns[1]}"),
        *("--measures", "ari", "--json"),
        *(("--header", "no") if by_number else ()),
    ]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert f"--item {2 if item == '__index_level_0__' else item} to align" in error
    assert "take the column out" in error
    assert main([*command, "--item", str(item)]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores["adjusted_rand_index"] == right


def test_groups_whose_rows_are_in_another_order(tmp_path):
    one = written(tmp_path / "one.csv", TRUTH, "id", False)
    other = written(tmp_path / "other.csv", FOUND, "id", False)
    sides = [pw.read(one, label="truth"), pw.read(one, label="truth")]
    groups = pw.read(other, label="found")
    for call in (
        lambda: pw.align(*sides, groups=groups),
        lambda: pw.bootstrap(*sides, measure="ri", by="groups", groups=groups, draws=9),
    ):
        with pytest.raises(ValueError, match="of groups hold the same ids in another order"):
            call()
    by_item = pw.align(
        *(pw.read(one, label="truth", item="id") for _ in range(2)),
        groups=pw.read(other, label="found", item="id"),
    )
    assert dict(zip(by_item.items.tolist(), by_item.groups.tolist(), strict=True)) == {
        item: int(label) for item, label in FOUND.items()
    }


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("endings", ["csv csv", "parquet parquet", "csv parquet"])
@pytest.mark.parametrize("size", [5, 3000])
def test_rows_in_another_order_are_seen_in_blocks(
    tmp_path, monkeypatch, capsys, endings, numbers, size
):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for name, value in (("_TOP", 400), ("_LEAST_PIECE", 2000)):
        monkeypatch.setattr(text, name, value)
    monkeypatch.setattr(parquet, "_IDS_AT_ONCE", 700)
    ids = [7 * j if numbers else f"i{j}" for j in range(size)]
    frame = pandas.DataFrame({"id": ids, "k": [j % 3 for j in range(size)]})
    turned = frame.iloc[[*range(1, size), 0]]
    other = turned.assign(id=[*ids[: size - 1], -1 if numbers else "other"])

    def file(name, rows, ending):
        path = tmp_path / f"{name}.{ending}"
        write = rows.to_csv if ending == "csv" else rows.to_parquet
        write(path, index=False)
        return path

    one = file("one", frame, endings.split()[0])
    same, moved, others = (
        file(name, rows, endings.split()[1])
        for name, rows in (("same", frame), ("moved", turned), ("others", other))
    )
    blocks = pw.scale.blocks.contingency
    with pytest.raises(ValueError, match=r"column 'id' of the reference and .* another order"):
        blocks(one, moved, label="k", block_items=900)
    for path in (same, others):  # the same order, or other items
        assert blocks(one, path, label="k", block_items=900).n_items == size
    command = [f"{one}::k", f"{moved}::k"]
    for way in (["table", *command, "-o", str(tmp_path / "t.npz")], ["compare", *command]):
        assert main([*way, "--memory-limit", "1"]) == 2
        assert "--item id to align them by item" in capsys.readouterr().err


def test_named_ids_of_parquet_in_one_order_are_not_hashed(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"k": [1, 1, 2, 2], "id": list("abcd"), "item": [1, 1, 1, 1]})
    for name in ("one", "other"):
        frame.to_parquet(tmp_path / f"{name}.parquet", index=False)
    paths = tmp_path / "one.parquet", tmp_path / "other.parquet"
    with monkeypatch.context() as patch:
        patch.setattr(parquet, "ids_of_columns", None)
        assert pw.scale.blocks.contingency(*paths, label="k").n_items == 4
    # equal columns that hold no ids decide nothing
    turned = frame[["item", "id", "k"]]
    turned.to_parquet(paths[0], index=False)
    turned.assign(id=list("bacd")).to_parquet(paths[1], index=False)
    with pytest.raises(ValueError, match="column 'id' of the reference"):
        pw.scale.blocks.contingency(*paths, label="k")


def test_rows_of_arrays_in_another_order_are_seen_in_blocks(tmp_path):
    rows = np.array([[7, 0], [8, 0], [9, 1], [10, 1]])
    np.save(tmp_path / "one.npy", rows)
    np.save(tmp_path / "moved.npy", rows[::-1])
    kind = [("id", "i8"), ("k", "i8")]
    for name, some in (("fields", rows), ("turned", rows[::-1])):
        np.save(tmp_path / f"{name}.npy", np.array([tuple(x) for x in some.tolist()], kind))
        np.savez(tmp_path / f"{name}.npz", id=some[:, 0], k=some[:, 1])
    blocks = pw.scale.blocks.contingency
    for one, other, label in (
        ("one.npy", "moved.npy", 2),
        ("fields.npy", "turned.npy", "k"),
        ("fields.npz", "turned.npz", "k"),
        ("fields.npz", "turned.npy", "k"),
    ):
        with pytest.raises(ValueError, match="the same ids in another order"):
            blocks(tmp_path / one, tmp_path / other, label=label)
        assert blocks(tmp_path / one, tmp_path / one, label=label).n_items == 4


def test_ids_in_pieces_are_those_of_the_whole():
    rng = np.random.default_rng(0)
    ids = rng.permutation(50_000)
    pieces = IdsInPieces()
    for part in np.split(ids, [1, 1, 9000, 20_000]):
        pieces.add(pw.Clustering(part).column)
    assert pieces.row_ids("id", 1, 0) == row_ids(pw.Clustering(ids).column, "id", 1, 0)
    pieces.add(pw.Clustering(ids[:9000]).column)
    assert pieces.row_ids("id", 1, 0) is None


def test_a_sample_with_its_rows_in_another_order(tmp_path, capsys):
    one = written(tmp_path / "one.csv", TRUTH, "id", False)
    other = written(tmp_path / "other.csv", FOUND, "id", False)
    command = ["estimate", f"{one}::truth", f"{other}::found", "--weights", "uniform"]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert f"column 'id' of {one} and column 'id' of {other} hold the same ids" in error
    assert main([*command, "--item", "id"]) == 0


def test_rows_in_one_order_or_of_other_items(reader, tmp_path):
    one = written(tmp_path / "one.csv", TRUTH, "", False)
    same = written(tmp_path / "same.csv", dict(TRUTH), "", False)
    first = pw.read(one)
    assert [note.code for note in first.notes] == ["header-taken", "index-column"]
    assert pw.adjusted_rand_index(first, pw.read(same)) == 1
    others = {item.upper(): label for item, label in FOUND.items()}
    path = tmp_path / "others.csv"
    path.write_text("\n".join([",k", *(f"{item},{x}" for item, x in others.items())]))
    assert pw.adjusted_rand_index(first, pw.read(path)) < 1


def test_a_first_column_of_labels_is_no_column_of_ids(reader, tmp_path):
    for name, cells in (("one", "0011"), ("other", "1100")):
        (tmp_path / f"{name}.csv").write_text(
            "".join(f"{x},{j % 2}\n" for j, x in enumerate(cells))
        )
    sides = [pw.read(tmp_path / f"{name}.csv", label=2) for name in ("one", "other")]
    assert pw.adjusted_rand_index(*sides) == 1


def test_named_ids_in_one_order_outweigh_an_index_left_over(tmp_path):
    for name, index in (("one", "012"), ("other", "201")):
        rows = [f"{i},{item},{x}" for i, item, x in zip(index, "abc", "xxy", strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join([",id,k", *rows]))
    sides = [pw.read(tmp_path / f"{name}.csv", label="k") for name in ("one", "other")]
    assert pw.adjusted_rand_index(*sides) == 1


def test_other_ids_with_the_same_sums_are_other_ids():
    """Numbers with an even and with an odd count of bits: with the same sums of powers."""
    for first in range(40):
        for n in (8, 16):
            parity = [bin(i).count("1") % 2 for i in range(n)]
            sides = [[first + i for i in range(n) if parity[i] == odd] for odd in (0, 1)]
            assert sum(sides[0]) == sum(sides[1])
            assert sum(x * x for x in sides[0]) == sum(x * x for x in sides[1])
            made = [row_ids(pw.Clustering(x).column, "id", 1, 0) for x in sides]
            assert made[0].content != made[1].content
            turned = row_ids(pw.Clustering(sides[0][::-1]).column, "id", 1, 0)
            assert turned.content == made[0].content
            assert turned.order != made[0].order


def test_an_id_that_comes_again_is_looked_for_among_some_four_thousand():
    ids = np.arange(10_000)  # every third is looked at
    assert row_ids(pw.Clustering(ids).column, "id", 1, 0) is not None
    ids[6] = ids[3]
    assert row_ids(pw.Clustering(ids).column, "id", 1, 0) is None
    ids = np.arange(10_000)
    ids[4] = ids[2]
    assert row_ids(pw.Clustering(ids).column, "id", 1, 0) is not None


LABELS = "id,a,b\n1,x,1\n2,x,1\n3,x,2\n4,y,3\n5,y,3\n6,y,3\n"
FEATURES = "id,u,v\n6,9,9\n5,9,8\n4,8,9\n3,4,1\n2,0,1\n1,0,0\n"
GROUPS = "id,doc\n6,d1\n1,d1\n2,d1\n3,d2\n4,d2\n5,d2\n"
SHARES = "id,p,q\n1,1,0\n2,1,0\n3,0,1\n4,1,0\n5,0,1\n6,0,1\n"
DRAWS = "--seed 1 --groups groups.csv::doc --crossing split"


@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        (
            f"{command} --features features.csv::u,v{more}",
            "the reference",
            "--features features.csv",
        )
        for command, more in (
            ("compare labels.csv::a labels.csv::b", " --measures s_mse"),
            ("score labels.csv --reference a --candidates b", " --measures s_mse"),
            ("diagnose labels.csv::a labels.csv::b", ""),
        )
    ]
    + [
        (f"{command} {DRAWS}", "the labels", "--groups groups.csv")
        for command in (
            "compare labels.csv::a labels.csv::b --bootstrap 9",
            "paired labels.csv::a labels.csv::b labels.csv::a --draws 9",
        )
    ]
    + [
        ("compare --memberships shares.csv::p,q moved.csv::p,q", "shares.csv", "moved.csv"),
        ("compare --memberships turned.csv::a shares.csv::p,q", "turned.csv", "shares.csv"),
        (
            "compare --memberships shares.csv::p,q labels.csv::a --features features.csv::u,v",
            "shares.csv",
            "--features features.csv",
        ),
    ],
)
def test_what_rides_along_in_another_order(tmp_path, monkeypatch, capsys, line, first, second):
    monkeypatch.chdir(tmp_path)

    def turned(rows):
        head, one, *others = rows.splitlines()
        return "\n".join([head, *others, one, ""])

    files = {"labels": LABELS, "features": FEATURES, "groups": GROUPS, "shares": SHARES}
    files |= {"moved": turned(SHARES), "turned": turned(LABELS)}
    for name, rows in files.items():
        (tmp_path / f"{name}.csv").write_text(rows)
    assert main(line.split()) == 2
    told = f"column 'id' of {first} and column 'id' of {second} hold the same ids in another"
    assert told in (error := capsys.readouterr().err)
    assert "--item id to align them by item" in error
    assert main([*line.split(), "--item", "id"]) == 0
    by_item = capsys.readouterr().out
    for name in files:  # all in one order
        head, *rows = files[name].splitlines()
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *sorted(rows), ""]))
    assert main(line.split()) == 0
    by_position = capsys.readouterr().out
    assert [x for x in by_item.splitlines() if "." in x and "csv" not in x] == [
        x for x in by_position.splitlines() if "." in x and "csv" not in x
    ]
