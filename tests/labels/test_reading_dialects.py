"""A random labelling in a random dialect: the same partition comes back, or a refusal."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import zipfile

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from partwise.cli import main

pytestmark = pytest.mark.one_backend

LABELS = {
    "whole numbers": ["0", "1", "2", "-1", "10"],
    "floats": ["0.5", "1.0", "2.25", "-3.5"],
    "words": ["B", "T", "NK", "mono", "x7", "Unassigned"],
    "with blanks": ["T cell", "B cell", "CD4 T", "CD8 T", "stem"],
    "hashtags": ["#ai", "#ml", "nlp", "#1", "%x"],
    "with delimiters": ["a,b", "a;b", "a|b", "c", 'say "x"', "d,e;f"],
    "numbers as text": ["01", "1", "1.0", "1.10", "1.1"],
    "letters of all kinds": ["größe", "naïve", "細胞", "β"],
    "like names": ["cluster", "label", "id", "leiden", "B"],
}
MISSING = ["", "NA", "nan", "NaN", "None", "null", "N/A"]
NAMES = ["cluster", "leiden", "k3", "my labels", "2", "10", "x", "0.5", "Truth", "a"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]


def packed(data, compression):
    """Compress data."""
    if compression == "zip":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("labels.txt", data)
        return file.getvalue()
    if compression == "zst":
        return pytest.importorskip("zstandard").compress(data)
    return {"": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[
        compression
    ](data)


def quoted(cell, delimiter, quoting):
    """Return a cell as a writer of tables would put it."""
    needs = any(c in cell for c in f'{delimiter}"\r\n') or (delimiter == " " and not cell)
    if quoting == "never" or not (needs or quoting == "all"):
        return cell
    return '"' + cell.replace('"', '""') + '"'


@st.composite
def tables(draw):
    """Return bytes, ending, arguments, the labels (None where missing), how they are told."""
    n = draw(st.integers(2, 9))
    pool = LABELS[draw(st.sampled_from(sorted(LABELS)))]
    labels = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    mark = draw(st.sampled_from([None, None, *MISSING]))
    if mark is not None:
        gone = draw(st.sets(st.integers(0, n - 1), max_size=n - 1))
        labels = [None if i in gone else label for i, label in enumerate(labels)]
    others = draw(st.integers(0, 2))
    if mark == "" and not others:
        mark = "NA"  # empty lines at the end are nothing, by the rule for one label a line
    columns = [[mark if x is None else x for x in labels]]
    for _ in range(others):
        kind = draw(st.sampled_from(["012", "uvw"]))
        cells = draw(st.lists(st.sampled_from(kind), min_size=n, max_size=n))
        columns.insert(draw(st.integers(0, len(columns))), cells)
    names = draw(st.permutations(NAMES))[: len(columns)]
    at = next(
        i
        for i, cells in enumerate(columns)
        if len(cells) == n and cells == [mark if x is None else x for x in labels]
    )
    index = draw(st.sampled_from(["none", "none", "unnamed", "short", "id"]))
    header = draw(st.booleans()) or index in ("unnamed", "short")
    wanted = names[at] if header else str(at + 1 + (index != "none"))
    first = [names] if header else []
    if index != "none":
        ids = draw(
            st.sampled_from(
                [
                    [str(i) for i in range(n)],
                    [f"r{i + 1}" for i in range(n)],
                    [f"{i + 5}.5" for i in range(n)],
                ]
            )
        )
        columns.insert(0, ids)
        if header and index != "short":
            first = [["" if index == "unnamed" else "id", *names]]
    rows = [*first, *zip(*columns, strict=True)]
    delimiter = draw(st.sampled_from([",", ";", "\t", "|", " "]))
    quoting = draw(st.sampled_from(["minimal", "all"]))
    beside = draw(st.sampled_from(["", "", "", " ", "  "])) if delimiter != " " else ""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [
        (delimiter + beside).join(quoted(cell, delimiter, quoting) for cell in row)
        for row in rows
    ]
    top = draw(st.sampled_from(["", "", "", "# by hand", "% v 1.2"]))
    text = end.join([*([top] if top else []), *lines]) + draw(st.sampled_from(["", end]))
    arguments = []
    if draw(st.booleans()):
        word = {"\t": "tab", " ": "blanks"}.get(delimiter, delimiter)
        arguments += ["--delimiter", word]
    if draw(st.integers(0, 3)) == 0:
        arguments += ["--header", "yes" if header else "no"]
    # nothing tells a name above one column from its labels, if it looks as they do
    alone = header and len(columns) == 1
    numbers = header and all(name.replace(".", "").isdigit() for name in names)
    ask = len(columns) > 1 or draw(st.booleans())
    if alone and (not ask or names[at].isdigit()) and "--header" not in arguments:
        arguments += ["--header", "yes"]
    elif numbers and "--header" not in arguments:
        arguments += ["--header", "yes"]  # numbers that do not rise are data by any reading
    column = f"::{wanted}" if ask else ""
    return text, draw(st.sampled_from(["txt", "csv", "tsv", "dat"])), column, arguments, labels


@st.composite
def lines(draw):
    """Return one label a line."""
    n = draw(st.integers(2, 9))
    pool = LABELS[draw(st.sampled_from(sorted(LABELS)))]
    labels = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    top = draw(st.sampled_from(["", "", "# by hand", "% v 1.2"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join([*([top] if top else []), *labels]) + end
    arguments = ["--format", "lines"] if draw(st.booleans()) else []
    return text, draw(st.sampled_from(["txt", "labels", "dat", "csv"])), "", arguments, labels


def expected(labels, policy):
    """Return the partition as numbers under the policy for missing labels."""
    numbers = {label: i for i, label in enumerate(dict.fromkeys(labels)) if label is not None}
    alone = iter(range(100, 200))
    return [
        numbers[label] if label is not None else 99 if policy == "cluster" else next(alone)
        for label in labels
    ]


EXAMPLES = int(os.environ.get("PARTWISE_DIALECTS", "500"))


@pytest.mark.long
@settings(max_examples=EXAMPLES // 2)
@given(
    case=st.one_of(tables(), tables(), lines()),
    encoding=st.sampled_from([*ENCODINGS[:1] * 5, *ENCODINGS]),
    compression=st.sampled_from(["", "", "", "", "gz", "bz2", "xz", "zst", "zip"]),
    policy=st.sampled_from(["singletons", "cluster"]),
)
def test_never_another_partition(reader, tmp_path, capsys, case, encoding, compression, policy):
    text, ending, column, arguments, labels = case
    path = tmp_path / f"candidate.{ending}"
    path.write_bytes(packed(text.encode(encoding), compression))
    reference = tmp_path / "reference.npy"
    np.save(reference, np.array(expected(labels, policy)))
    options = ["--measures", "rand_index", "--json", "--missing", f"error,{policy}"]
    code, out, err = read_and_compare(capsys, reference, f"{path}{column}", arguments, options)
    event("read" if code == 0 else "refused: " + err.strip().splitlines()[-1][-60:])
    if code == 0:
        result = json.loads(out)
        assert result["account"]["items"] == len(labels)
        assert result["scores"]["rand_index"] == 1, (text, arguments, column)
    else:
        assert code == 2
        assert err.strip().splitlines()[-1].startswith("partwise: ")
        assert "one length" not in err, (text, arguments, column)  # read, with another n


def read_and_compare(capsys, reference, candidate, arguments, options):
    """Compare through the command line; the reference is written in the same dialect."""
    numbers = np.load(reference).tolist()
    plain = reference.with_suffix(".json")
    plain.write_text(json.dumps(numbers))
    command = ["compare", str(plain), candidate, *options]
    if arguments:
        # the same options hold for both files: the reference is a table of that dialect
        given = dict(zip(arguments[::2], arguments[1::2], strict=True))
        plain = reference.with_suffix(".txt")
        header = given.get("--header") == "yes"
        mark = {"tab": "\t", "blanks": " "}.get(
            given.get("--delimiter", ","), given.get("--delimiter", ",")
        )
        rows = (
            [["first", "truth"], *([0, x] for x in numbers)]
            if header
            else [[0, x] for x in numbers]
        )
        if given.get("--format") == "lines":
            rows = [[x] for x in numbers]
        with plain.open("w", newline="") as file:
            csv.writer(file, delimiter=mark, lineterminator="\n").writerows(rows)
        side = str(plain) if given.get("--format") == "lines" else f"{plain}::2"
        command = ["compare", side, candidate, *options, *arguments]
    code = main(command)
    out, err = capsys.readouterr()
    return code, out, err
