"""Files as people have them: what is read is told, what has two readings is refused."""

import json

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import read, score

pytestmark = pytest.mark.one_backend

H = "document,mention,entity\n"
PAIRS = [[(0, 0), (3, 3)], [(1, 2)]]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and returns its path."""

    def _write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return _write


@pytest.fixture
def told(capsys):
    """Return a function that runs a command and returns its code and what it says."""

    def _told(*arguments):
        code = main([str(x) for x in arguments])
        return code, capsys.readouterr().err

    return _told


def entities(document):
    """Return the mentions of each entity."""
    mentions = document.mentions
    if not isinstance(mentions, list):
        mentions = list(zip(mentions.first.tolist(), mentions.last.tolist(), strict=True))
    return [
        [mentions[row] for row in np.flatnonzero(document.entity == e).tolist()]
        for e in range(len(document.entity_names))
    ]


def codes(documents, suspicious=None):
    return [x.code for x in documents.notes if suspicious in (None, x.suspicious)]


CELLS = ["(0)", "(1", "1)", "(0)"]


def tokens(parted, columns, cells=CELLS):
    """Return a sentence of CoNLL-2012 without a line that begins a document."""
    rows = [[*columns(at), cell] for at, cell in enumerate(cells)]
    return "".join(parted.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("end", ["\n", "\t\n"])
@pytest.mark.parametrize("name", ["k.conll", "k.txt", "k.tsv"])
@pytest.mark.parametrize(
    "columns",
    [
        lambda at: ["d", "0", str(at), f"w{at}"],
        lambda at: ["d", "0", str(at), f"w{at}", "NNP"],
        lambda at: ["d", "0", str(at), f"w{at}", "NN", "*", "-", "-", "-", "-", "*"],
        lambda at: [str(at), f"w{at}"],
    ],
)
def test_brackets_in_the_last_column_are_conll(write, told, name, columns, end):
    path = write(name, tokens("\t", columns).replace("\n", end))
    documents = read(path)
    assert documents.format == "conll-2012"
    assert entities(documents.documents[0]) == PAIRS
    code, _ = told("convert", path, path.with_suffix(".jsonl"))
    assert code == 0
    assert entities(read(path.with_suffix(".jsonl")).documents[0]) == PAIRS


def test_tokens_without_a_mention_are_conll(write):
    text = tokens("\t", lambda at: ["d", "0", str(at), f"w{at}", "NN"], "-_--")
    assert read(write("k.conll", text)).format == "conll-2012"


def test_mentions_of_neleval_stay_what_they_are(write):
    for text in (
        "d\t0\t3\tE1\nd\t5\t8\tE1\n",
        "d\t0\t3\tE1\t1.0\t-\nd\t5\t8\tE2\t0.5\tPER\n",
        "d\t0\t3\tE1\t\t\nd\t5\t8\tE2\t\t\n",
    ):
        assert read(write("k.tab", text)).format == "neleval"


@pytest.mark.parametrize(
    "text",
    [
        "d\t0\t0\t(0)\nd\t0\t1\t(0)\n",
        "d\t0\t0\tAnn\t-\nd\t0\t1\tmet\t-\n",
        "d\t0\t0\t1.5\t2\t(0)\nd\t0\t1\tE\t1\t-\n",
    ],
)
def test_rows_that_are_tokens_or_mentions_are_refused(write, told, text):
    path = write("k.conll", text)
    with pytest.raises(ValueError, match=r"CoNLL-2012 without .* or neleval"):
        read(path)
    assert "say --format conll-2012 or neleval" in told("coref", path, path)[1]
    assert "say --from conll-2012 or neleval" in told("convert", path, "x.jsonl")[1]
    assert read(path, "neleval").format == "neleval"


@pytest.mark.parametrize("word", ["NA", "NaN", "nan", "None", "null", "NULL", "<NA>", "#N/A"])
def test_words_for_missing_values_are_refused_as_empty_cells_are(write, told, word):
    for row, column in ((f"d,c,{word}", "entity"), (f"{word},c,1", "document")):
        path = write("k.csv", f"{H}d,a,1\n{row}\nd,e,2\n")
        with pytest.raises(ValueError, match=rf"k\.csv:3: empty {column} in column '{column}'"):
            read(path)
        assert f"{word!r} means a missing value" in told("coref", path, path)[1]
    with pytest.raises(ValueError, match=r"k\.tsv:2: empty mention in column 'm'"):
        read(write("k.tsv", f"doc\tm\tcluster\nd\t{word}\t1\n"), mention="m")


def test_nulls_of_parquet_name_file_row_and_column(write, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for name, column in (("a", "entity"), ("b", "document"), ("c", "mention")):
        rows = {"document": ["d", "d"], "mention": ["a", "b"], "entity": ["x", "y"]}
        rows[column][1] = None
        path = tmp_path / f"{name}.parquet"
        pandas.DataFrame(rows).to_parquet(path)
        with pytest.raises(ValueError, match=rf"{name}\.parquet: row 2: empty {column} in"):
            read(path)


@pytest.mark.parametrize("name", ["-", "_", ".", "-1", "none", "NIL", "noise"])
def test_several_mentions_of_an_entity_called_none_are_suspicious(write, name):
    twice = write("k.csv", f"{H}d,a,{name}\nd,b,{name}\n")
    assert codes(read(twice), True) == ["no-entity-text"]
    assert codes(read(write("r.csv", f"{H}d,a,{name}\nd,b,2\n")), True) == []
    assert score(twice, twice).input_report.notes[-1].suspicious


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("d,0,0,x1\nd,4,5,x1\nd,7,7,x2\n", (1, (2, 3), 4), [[(0, 0), (4, 5)], [(7, 7)]]),
        ("d,1,7\nd,2,7\nd,3,8\n", (1, 2, 3), [[1, 2], [3]]),
        (f"{H}d,a,x1\nd,b,x1\nd,c,x2\n", (1, 2, 3), [["a", "b"], ["c"]]),
    ],
)
def test_columns_by_number_eat_no_row(write, told, text, numbers, expected):
    path = write("k.csv", text)
    document, mention, entity = numbers
    mention = [str(x) for x in mention] if isinstance(mention, tuple) else str(mention)
    documents = read(path, document=str(document), mention=mention, entity=str(entity))
    assert entities(documents.documents[0]) == expected
    named = mention if isinstance(mention, str) else ",".join(mention)
    options = [
        *("--document-column", document, "--mention-column", named, "--entity-column", entity)
    ]
    assert told("coref", path, path, *options)[0] == 0


def test_a_first_row_that_may_be_a_header_is_refused(write, told):
    path = write("k.csv", "d,a,x1\nd,b,x1\nd,c,x2\n")
    columns = {"document": "1", "mention": "2", "entity": "3"}
    with pytest.raises(ValueError, match="say so with header=True or False"):
        read(path, **columns)
    assert len(read(path, header=False, **columns).documents[0]) == 3
    assert len(read(path, header=True, **columns).documents[0]) == 2
    options = ["--document-column", "1", "--mention-column", "2", "--entity-column", "3"]
    assert "say so with --header yes or no" in told("coref", path, path, *options)[1]
    code, said = told("coref", path, path, *options, "--header", "no")
    assert code == 0
    assert "'1' as document, '2' as mention, '3' as entity" in said
    assert "with --header no and" in told("coref", path, path)[1]
    assert told("coref", path, path, *options, "--header", "maybe")[0] == 2
    scores = score(
        path, path, header=(False, None), document="1", mention="2", entity=("3", "x1")
    )
    assert scores.input_report.mentions == (3, 2)


@pytest.mark.parametrize(
    "name",
    ["filename", "file", "File_Name", "fname", "text_id", "article", "article_id", "book"],
)
def test_usual_names_of_columns_of_documents(write, name):
    documents = read(write("k.csv", f"{name},mention,entity\nx,a,0\ny,a,0\n"))
    assert [x.name for x in documents] == ["x", "y"]
    both = read(write("r.csv", f"{name},doc_id,mention,entity\nx,1,a,0\ny,1,b,0\n"))
    assert [x.name for x in both] == ["1"]


@pytest.mark.parametrize("name", ["title", "path", "source", "page", "topic", "sent_id"])
def test_columns_that_may_tell_documents_apart_are_noted(write, told, name):
    path = write("k.csv", f"{name},mention,entity\nx,a,0\ny,b,0\n")
    assert codes(read(path), True) == ["unused-column"]
    assert f"{name!r} may tell documents apart" in told("coref", path, path)[1]
    other = write("r.csv", f"{H}x,a,0\ny,b,0\n")
    assert f"columns not used: {name!r}" in told("coref", other, path)[1]
    named = write("d.csv", f"document,{name},mention,entity\nd,x,a,0\nd,y,b,0\n")
    assert codes(read(named), True) == []


TWO = "d1 0 0 Ann (0)\nd1 0 1 she (0)\n{}{} {} 0 Bob (0)\n{} {} 1 he (0)\n"


@pytest.mark.parametrize("blank", ["\n", ""])
@pytest.mark.parametrize(("name", "part"), [("d2", 0), ("d1", 1)])
def test_documents_and_parts_of_the_first_columns(write, blank, name, part):
    text = TWO.format(blank, name, part, name, part)
    path = write("k.conll", f"{text}{blank}{name} {part} 0 who -\n")
    documents = read(path)
    assert [x.name for x in documents] == ["(d1); part 000", f"({name}); part {part:03}"]
    assert [entities(x) for x in documents] == [[[(0, 0), (1, 1)]]] * 2
    assert codes(documents) == ["documents-named"]


def test_first_columns_that_name_no_documents(write):
    words = write("k.conll", "Ann NN (0)\nmet VB -\n\nShe PR (0)\nleft VB -\n")
    assert [x.name for x in read(words)] == ["k"]
    with pytest.raises(ValueError, match=r"may name documents or sentences \('d1', 'd2'\)"):
        read(write("r.conll", "d1 Ann (0)\nd1 met -\n\nd2 She (0)\nd2 left -\n"))
    with pytest.raises(ValueError, match="column 2 may number parts or sentences"):
        read(write("s.conll", TWO.format("", "d1", 1, "d1", 1)))
    with pytest.raises(ValueError, match="column 1 may number documents or sentences"):
        read(write("s.conll", TWO.replace("d1", "7").format("\n", "8", 0, "8", 0)))


@pytest.mark.parametrize("name", ["sentence", "sent_id", "utterance"])
@pytest.mark.parametrize("columns", ["start,end", "first,last"])
def test_positions_that_may_begin_anew_in_each_sentence(write, told, name, columns):
    path = write("k.csv", f"document,{name},{columns},entity\nd,0,0,0,1\nd,1,0,0,1\n")
    with pytest.raises(ValueError, match=f"the beginning of the document or of each '{name}'"):
        read(path)
    (document,) = read(path, mention=[name, *columns.split(",")])
    assert entities(document) == [[(0, 0, 0), (1, 0, 0)]]
    said = told("coref", path, path)[1]
    assert f"--mention-column ... ({columns.replace(',', ', ')}) if they" in said
    assert told("coref", path, path, "--mention-column", f"{name},{columns}")[0] == 0
    assert (
        f"columns not used: {name!r}"
        in told(*("coref", path, path, "--mention-column", columns))[1]
    )


def test_positions_that_go_on_where_sentences_end(write):
    rows = "".join(f"d,{at},{3 * at},{3 * at},1\n" for at in range(12))
    path = write("k.csv", f"document,sentence,start,end,entity\n{rows}")
    assert len(read(path).documents[0].mentions.first) == 12
    assert "mentions-interpreted" in codes(read(path))


@pytest.mark.parametrize(
    "records",
    [
        [{"clusters": [[[0, 0]]], "predicted_clusters": []}, {"predicted_clusters": []}],
        [{"clusters": []}, {"predicted_clusters": [[[0, 0]]]}],
        [{"predicted_clusters": []}, {"clusters": [], "predicted_clusters": []}],
    ],
)
def test_one_field_of_entities_for_a_whole_file(write, told, records):
    lines = [json.dumps({"doc_key": f"d{at}", **x}) for at, x in enumerate(records)]
    path = write("k.jsonl", "\n".join(lines))
    other = write(
        "r.jsonl", "".join(f'{{"doc_key": "d{x}", "clusters": []}}\n' for x in (0, 1))
    )
    with pytest.raises(ValueError, match=r"k\.jsonl:2: document 'd1': its entities are in"):
        score(path, other)
    assert "say which field with --clusters" in told("coref", path, other)[1]


def test_a_key_of_predictions_is_noted(write):
    path = write("k.jsonl", '{"doc_key": "d", "predicted_clusters": [[[0, 0], [1, 1]]]}')
    notes = score(path, path).input_report.notes
    assert [x.code for x in notes if x.suspicious] == ["predicted-key"]


# ---- one reading -------------------------------------------------------------------

TABLE = "document\tfirst\tlast\tentity\nd\t0\t0\ta\nd\t1\t2\tb\nd\t3\t3\ta\n"
RECORD = {"doc_key": "d", "sentences": [["w"] * 4], "clusters": [[[0, 0], [3, 3]], [[1, 2]]]}
ROWS = [
    {"document": "d", "first": a, "last": b, "entity": e}
    for a, b, e in ((0, 0, "a"), (1, 2, "b"), (3, 3, "a"))
]
CONLL = (
    "#begin document d\n"
    + tokens("\t", lambda at: ["d", "0", str(at), f"w{at}"])
    + "#end document\n"
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("k.txt", TABLE),
        ("k.txt", TABLE.replace("\t", "  ")),
        ("k.csv", TABLE.replace("\t", "|")),
        ("k.txt", TABLE.replace("\t", " ").replace("\nd", "\n7 d").replace("7 d 0", "6 d 0")
         .replace("7 d 1", "8 d 1")),
        ("k.dat", TABLE.replace("\t", ";")),
        ("k.conll", CONLL.encode("utf-16")),
        ("k.conll", CONLL.replace("\n", "\r")),
        ("k.conll", CONLL.replace("\n", "\t\n").replace("document d\t", "document d")),
        ("k.csv", TABLE.replace("\t", ",").replace("\n", "\r")),
        ("k.csv", TABLE.replace("0\t0", "0.0\t0.0").replace("1\t2", "1.0\t2.0").replace(
            "3\t3", "3.0\t3.0").replace("\t", ",")),
        ("k.json", json.dumps([RECORD])),
        ("k.jsonl", json.dumps({**RECORD, "clusters": [[[0.0, 0.0], [3, 3.0]], [[1.0, 2.0]]]})),
        ("k.json", json.dumps([RECORD], indent=1)),
        ("k.jsonl", json.dumps(RECORD, indent=1)),
        ("k.jsonl", json.dumps(RECORD).encode("utf-16")),
        ("k.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("k.json", json.dumps(ROWS)),
        ("k.jsonl", json.dumps({**RECORD, "subtoken_map": [0, 1, 2, 3]})),
        ("k.jsonl", json.dumps({
            **RECORD, "sentences": [["[CLS]", *"abcd", "[SEP]"]],
            "subtoken_map": [None, 0, 1, 2, 3, None], "clusters": [[[1, 1], [4, 4]], [[2, 3]]],
        })),
    ],
)  # fmt: skip
def test_files_of_one_reading(write, told, name, content):
    path = write(name, content)
    (document,) = read(path)
    assert document.name == "d"
    assert sorted(entities(document)) == PAIRS
    code, _ = told("coref", path, write("other.conll", CONLL))
    assert code == 0


def test_files_of_columns(write, tmp_path):
    columns = {name: np.array([row[name] for row in ROWS]) for name in ROWS[0]}
    np.savez(tmp_path / "k.npz", **columns)
    paths = [tmp_path / "k.npz"]
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(ROWS)
    frame.to_feather(tmp_path / "k.feather")
    frame.to_feather(tmp_path / "k.conll")
    frame.astype({"first": float, "last": float}).to_parquet(tmp_path / "k.parquet")
    for path in (*paths, *(tmp_path / x for x in ("k.feather", "k.conll", "k.parquet"))):
        assert sorted(entities(read(path).documents[0])) == PAIRS


@pytest.mark.parametrize("longer", ["document", "first", "last", "entity"])
def test_columns_of_different_lengths_are_refused(tmp_path, longer):
    columns = {name: np.array([row[name] for row in ROWS]) for name in ROWS[0]}
    n = len(ROWS)
    for rows in (n - 1, n + 1):
        unequal = {**columns, longer: np.resize(columns[longer], rows)}
        np.savez(tmp_path / "k.npz", **unequal)
        with pytest.raises(ValueError, match=r"k\.npz: columns of different lengths") as error:
            read(tmp_path / "k.npz")
        assert f"{longer!r} {rows}" in str(error.value)
        assert str(error.value).count(f" {n}") == len(columns) - 1


def test_a_column_of_mentions_that_is_too_short_is_refused(tmp_path):
    mentions = {"document": np.array(["d", "d"]), "mention": np.array([7])}
    np.savez(tmp_path / "k.npz", **mentions, entity=np.array(["a", "a"]))
    with pytest.raises(ValueError, match="'document' 2, 'mention' 1, 'entity' 2"):
        read(tmp_path / "k.npz")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"document": "d", "first": 0,\n"last', "k.json:2: not JSON (Unterminated string"),
        (
            '[{"document": "d", "first": 0}\n {"document": "d", "first": 2}]',
            "k.json:2: not JSON (Expecting ',' delimiter: line 2 column 2",
        ),
        ('[{"document": "d",\n "entity": "Ren\xe9"}]', "k.json:2: not UTF-8 text (byte 0xe9)"),
        (f"[{'[' * 100_000}", "k.json: lists or objects of JSON within one another"),
        ("[[1, 2], [3]]", "k.json: this is one JSON list that is not one of records"),
    ],
)
def test_damaged_lists_of_json_say_what_is_wrong_and_where(write, content, said):
    path = write("k.json", content.encode("latin-1"))
    with pytest.raises(ValueError, match=r"k\.json") as error:
        read(path)
    assert said in str(error.value)


def test_a_damaged_list_of_json_that_is_said_to_be_a_table(write):
    path = write("k.json", '[{"document": "d"},\n{"document": ')
    with pytest.raises(ValueError, match=r"k\.json:2: not a list in JSON \(Expecting value"):
        read(path, format="table")


def test_whole_numbers_with_a_point_name_the_same_documents(write):
    one = write("k.csv", f"{H}1,7,1\n1,8,1\n2,9,1\n")
    other = write("r.csv", f"{H}1.0,7.0,1.0\n1.0,8.0,1.0\n2.0,9.0,1.0\n")
    assert score(one, other)["muc"].f1 == 1.0
    assert "whole-numbers" in codes(read(other))


FIRST, AGAIN = '"clusters": [[[0, 0]]]', '"clusters": [[[1, 1]]]'


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (f'{{"doc_key": "d", {FIRST}, {AGAIN}}}\n', 1),
        (f'{{"doc_key": "c", {FIRST}}}\n{{"doc_key": "d", {FIRST}, {AGAIN}}}\n', 2),
        (f'\n{{"doc_key": "d",\n {FIRST},\n {AGAIN}}}\n', 2),
        (f'[{{"doc_key": "d", {FIRST}, {AGAIN}}}]', 1),
    ],
)
def test_a_field_that_stands_twice_in_a_record(write, content, line):
    said = rf"k\.jsonl:{line}: the field 'clusters' stands twice in one object; remove one"
    with pytest.raises(ValueError, match=said):
        read(write("k.jsonl", content))


PLACE = "document,start,end,entity\nd,{},e\n"


@pytest.mark.parametrize(
    ("span", "ends", "said"),
    [
        ("1,1", "exclusive", 'from 1 to 1 holds no token, as ends="exclusive" makes'),
        ("2,1", "exclusive", "from 2 to 1 ends before it begins$"),
        ("2,1", "inclusive", "from 2 to 1 ends before it begins$"),
        ("-1,1", "exclusive", "from -1 to 1 begins before token 0$"),
        (f"0,{2**62}", "inclusive", f"has a token that is not below {2**62}$"),
        (f"0,{2**62 + 1}", "exclusive", f"from 0 to {2**62 + 1} has a token that is not below"),
    ],
)
def test_a_span_that_is_none_is_shown_as_it_stands_in_the_file(write, span, ends, said):
    with pytest.raises(ValueError, match=rf"k\.csv:2: the mention .*{said}"):
        read(write("k.csv", PLACE.format(span)), ends=ends)


def test_documents_with_marks_are_no_table_of_mentions(write):
    path = write("k.conll", CONLL)
    with pytest.raises(
        ValueError, match=r"k\.conll: the file marks mentions .* leave format= out"
    ):
        read(path, format="table")
    for name in ("k.conll", "k.csv"):
        assert len(read(write(name, CONLL))) == len(read(path))


@pytest.mark.parametrize(
    "cells", ["0.0 1.0 2.0 3.0", "0 1.0 2 3", "0.0 0.0 2.00 03", "0 0 2 2.0"]
)
def test_positions_are_whole_numbers_however_they_are_written(write, cells):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    cells = cells.split()
    first, last = cells[::2], cells[1::2]
    rows = "".join(f"d,{x},{y},e\n" for x, y in zip(first, last, strict=True))
    path = write("k.csv", f"document,first,last,entity\n{rows}")
    columns = {"document": ["d", "d"], "first": [float(x) for x in first]}
    columns |= {"last": [float(x) for x in last], "entity": ["e", "e"]}
    other = path.with_suffix(".parquet")
    parquet.write_table(pyarrow.table(columns), other)
    assert score(path, other)["muc"].f1 == 1.0
    assert "whole-numbers" in codes(read(path))
    with pytest.raises(ValueError, match=r"k\.csv:3: column 'last' holds '0.5'; whole numbers"):
        read(write("k.csv", "document,first,last,entity\nd,0,0,e\nd,0,0.5,e\n"))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("k.conll", CONLL.encode("utf-16-le"), "UTF-16LE text without a byte order mark"),
        ("k.conll", b"%PDF-1.4\n", "this is a PDF file"),
        ("k.conll", CONLL.replace("document d", "document d\xe9").encode("latin-1"),
         r"k\.conll:1: not UTF-8 text \(byte 0xe9\); convert it, for instance with iconv"),
        ("k.jsonl", '{"doc_key": "\xe9", "clusters": []}'.encode("latin-1"), "iconv -f LATIN1"),
        ("k.csv", "document,mention,entity,entity\nd,a,1,1\nd,b,1,2\n",
         r"'entity \(column 3\)' and 'entity \(column 4\)' may both be the column"),
        ("k.csv", f"{H}d,a,1\nd,b\n", "mend the line, or say delimiter="),
    ],
)  # fmt: skip
def test_sentences(write, name, content, said):
    with pytest.raises(ValueError, match=said):
        read(write(name, content))


def test_other_encodings_and_records_without_names_are_told(write, told):
    latin = write("k.conll", CONLL.replace("w1", "\xe9").encode("latin-1"))
    assert codes(read(latin), True) == ["other-encoding"]
    nameless = write("r.jsonl", '{"clusters": [[[0, 0]]]}\n{"clusters": [[[0, 0]]]}\n')
    code, said = told("coref", latin, nameless)
    assert code == 2
    assert "documents without a name ('doc_key', " in said
    unproven = write("u.jsonl", '{"doc_key": "d", "clusters": [[[0, 1]]]}')
    said = told("coref", latin, unproven)[1]
    assert said.splitlines()[-1].count("u.jsonl") == 1
    assert "say --ends inclusive" in said


def sentence_of(n_fields, between="\t"):
    """Return a sentence of CoNLL-2012 whose rows have these numbers of fields."""
    rows = [["d", "0", str(at), "w", *["-"] * (n - 4)] for at, n in enumerate(n_fields)]
    return "".join(between.join(row) + "\n" for row in rows) + "\n"


@pytest.mark.parametrize("between", ["\t", " ", "   "])
@pytest.mark.parametrize("n_fields", [[6, 6, 5], [5, 6, 6], [6, 5, 6, 6, 6, 5], [7, 9, 9]])
def test_rows_with_fewer_fields_than_others_of_their_sentence(write, between, n_fields):
    whole = sentence_of([8] * 9, between) + sentence_of([6], between)
    head = f"#begin document (d);\n{whole}# a remark\n"
    text = f"{head}{sentence_of(n_fields, between)}{whole}#end document\n"
    documents = read(write("k.conll", text))
    (note,) = [note for note in documents.notes if note.code == "rows-shorter"]
    most, first = max(n_fields), next(x for x in n_fields if x < max(n_fields))
    lines = [15 + n_fields.index(x) for x in (first, most)]
    assert note.suspicious
    assert note.text == (
        "rows with fewer fields than others of their sentence, whose last one was taken as "
        f"coreference: {sum(x < most for x in n_fields)} (the first: line {lines[0]} has "
        f"{first} fields, line {lines[1]} has {most})"
    )


def test_rows_of_as_many_fields_are_not_told_however_they_are_written(write):
    ragged = "".join(f"d  0 {at} w{' ' * (at % 3 + 1)}-  -\n" for at in range(5)) + "\n"
    named = "d\t0\t0\tNew York\t-\n" + "d\t0\t1\tsaid\t-\n\n"  # a word with a blank in it
    for sentence in (ragged, named):
        text = f"#begin document (d);\n{sentence * 30}#end document\n"
        assert "rows-shorter" not in codes(read(write("k.conll", text)))


@pytest.mark.parametrize("between", ["\t", " "])
def test_last_columns_of_any_length(write, between):
    names = ["x" * size for size in (1, 29, 30, 31, 300)]
    rows = [f"d{between}{at}{between}({name})\n" for at, name in enumerate(names)]
    text = f"#begin document (d);\n{''.join(rows)}#end document\n"
    (document,) = read(write("k.conll", text))
    assert list(document.entity_names) == names
    text = text.replace(rows[2], f"({'y' * 60})\n")
    with pytest.raises(ValueError, match=r"k\.conll:4: .*one column only"):
        read(write("k.conll", text))
