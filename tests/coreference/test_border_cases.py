"""Inputs after public reports: the right value, or a refusal that names place and way out."""

import io
import json
import os
import sys
import threading

import pytest

import cases
import coreference_border_inputs as border_inputs
import partwise as pw
from coreference_border_inputs import conll, conllu, lines, record, table
from partwise.cli import main
from partwise.coreference import score

IDS = [case["id"] for case in cases.load("coref_border_cases.json")]


def run(capsys, *arguments):
    code = main(["coref", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def written(folder, files):
    paths = []
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        paths.append(path)
    paths.sort(key=lambda path: path.name[0] == "r")  # the response comes last
    return paths if len(paths) == 2 else paths * 2


def check(scores, wanted):
    for measure, value in wanted.items():
        got = scores[measure]
        if isinstance(value, tuple):
            assert (got["recall"], got["precision"]) == pytest.approx(value)
        else:
            assert got["f1"] == pytest.approx(value)


def test_every_case_is_tested():
    assert set(IDS) == set(border_inputs.CASES) | set(border_inputs.ELSEWHERE)


@pytest.mark.parametrize("name", border_inputs.CASES)
def test_case(capsys, tmp_path, name):
    files, options, wanted = border_inputs.CASES[name]
    code, out, err = run(capsys, *written(tmp_path, files), *options, "--json")
    if isinstance(wanted, list):
        assert (code, out) == (2, "")
        for words in wanted:
            assert words in err
    else:
        assert code == 0, err
        (result,) = json.loads(out)["responses"].values()
        check(result["scores"], wanted)


def read(tmp_path, text, name="x.conllu", **options):
    path = tmp_path / name
    path.write_text(text)
    return pw.coreference.read(path, **options)


def spans(documents):
    (document,) = documents
    return list(
        zip(document.mentions.first.tolist(), document.mentions.last.tolist(), strict=True)
    )


def test_mention_to_entity():
    """C111: {mention: entity} is one entity for each mention, not a list of entities."""
    key = {"d": {(0, 1): "E1", (3, 4): "E1"}}
    scores = score(key, {"d": {(0, 1): "E1", (3, 4): "E2"}})
    assert scores["muc"].recall == 0
    assert (scores["b_cubed"].recall, scores["b_cubed"].precision) == (0.5, 1)
    assert scores.input_report.mentions == (2, 2)


def test_blanks_behind_names(capsys, tmp_path):
    """C122: scorer.pl prints the name of a document with the blank behind it."""
    text = lines("#begin document (LuoTestCase); ", "x\t0\t0\ta\t(0)", "#end document")
    path = tmp_path / "k.conll"
    path.write_text(text)
    code, out, _ = run(capsys, path, path, "--compat", "perl", "--metric", "muc")
    assert code == 0
    assert "\n====> (LuoTestCase); :\nFile (LuoTestCase); :\n" in out
    assert "\n(LuoTestCase); :\n" in out
    code, out, _ = run(capsys, path, path, "--per-document")
    assert "(LuoTestCase);  " in out  # elsewhere the name has no blank behind it


def test_right_before(tmp_path):
    """C124, C125, C126, C128, C133: read and scored as before."""
    nested = conllu(
        ("1", "a", "_", "(e1--1"),
        ("2", "b", "_", "(e1--1"),
        ("3", "c", "_", "e1)"),
        ("4", "d", "_", "e1)"),
    )
    assert spans(read(tmp_path, nested)) == [(0, 3), (1, 2)]
    split = conllu(("1", "a", "_", "(e1--1)|SplitAnte=e2<e1"))
    assert read(tmp_path, split).notes == (
        "split antecedents of entities without mentions, left out: 1 (the first: document 'd', "
        "line 3, 'e2')",
    )
    parts = conllu(
        ("1", "a", "_", "(e2[1/2]--1)"),
        ("2", "b", "_", ""),
        ("3", "c", "_", "(e2[2/2]--1"),
        ("4", "d", "_", "e2[2/2])"),
    )
    assert read(tmp_path, parts).documents[0].mentions.tokens.tolist() == [0, 2, 3]
    scores = score({"a": [], "b": [[0, 1]]}, {"a": [[0]], "b": [[0, 1]]})
    assert (scores["muc"].f1, scores["b_cubed"].precision) == (1, pytest.approx(2 / 3))
    key = {"1": [[(4, 6), (8, 9)]], "2": [[(0, 1), (4, 6)]]}
    scores = score(key, {name: [[(4, 6), (8, 9)]] for name in key})
    assert scores.macro["conll"].f1 == pytest.approx(0.625)


# ---- kind 8: documents ---------------------------------------------------------------------

ROWS = [("d1", "a", "e"), ("d1", "b", "e"), ("d2", "c", "e"), ("d2", "d", "f")]


@pytest.mark.parametrize(
    "name",
    ["doc", "doc_id", "Document", "doc_key", "docname", "document_id", "DocID", "doc no"],
)
def test_document_columns_of_usual_names(capsys, tmp_path, name):
    files = {
        "k.tsv": table(("document", "mention", "entity"), *ROWS),
        "r.tsv": table((name, "mention", "entity"), *ROWS),
    }
    code, out, err = run(capsys, *written(tmp_path, files), "--json")
    (result,) = json.loads(out)["responses"].values()
    assert (code, result["input"]["documents"]) == (0, 2)
    assert result["scores"]["conll"]["f1"] == 1
    assert f"'{name}' as document" in err or name == "Document"


def test_columns_named_by_options(capsys, tmp_path):
    longer = [(*row, "n") for row in ROWS]
    files = {
        "k.tsv": table(("text", "markup", "group"), *ROWS),
        "r.tsv": table(("document", "mention", "entity", "note"), *longer),
    }
    paths = written(tmp_path, files)
    code, _, err = run(capsys, *paths)
    assert code == 2
    assert "name the one of entities with --entity-column" in err
    named = ["--document-column", "text,document", "--entity-column", "group,entity"]
    key = pw.coreference.read(paths[0], document="text", mention="markup", entity="group")
    assert [x.name for x in key] == ["d1", "d2"]
    code, _, err = run(capsys, *paths, *named)
    assert code == 2
    assert "name the one of mentions with --mention-column" in err
    scores = score(
        *paths,
        document=("text", "document"),
        mention=(["markup"], ["mention"]),
        entity=("group", None),
    )
    assert scores["conll"].f1 == 1
    assert "columns-unused" in [note.code for note in scores.input_report.notes]


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [
        ("doc_id doc_name mention entity", ["a a m e", "a b n e"], "--document-column"),
        ("document mention entity cluster", ["a m e x", "a n e y"], "--entity-column"),
        ("document mention markable entity", ["a m m e", "a m n e"], "--mention-column"),
        ("part mention entity", ["0 m e", "1 m e"], "--document-column"),
        ("document start end begin entity", ["a 0 1 0 e", "a 4 5 3 e"], "--mention-column"),
    ],
)
def test_columns_that_may_both_be_meant(capsys, tmp_path, columns, rows, said):
    path = tmp_path / "k.tsv"
    path.write_text(table(columns.split(), *(row.split() for row in rows)))
    code, out, err = run(capsys, path, path)
    assert (code, out) == (2, "")
    assert said in err
    assert str(path) in err


def test_files_without_documents_pair(capsys, tmp_path):
    rows = [row[1:] for row in ROWS]
    header = ("mention", "entity")
    files = {
        "gold.tsv": table(header, *rows),
        "run.csv": table(header, *rows).replace("\t", ","),
    }
    code, out, err = run(capsys, *written(tmp_path, files), "--json")
    assert code == 0
    assert [note["code"] for note in json.loads(out)["notes"]].count("documents-named") == 2
    assert "document 'gold' of the key is taken to be 'run' of the response" in err


def clusters(**fields):
    return record(type="clusters", clusters={"0": ["a", "b"]}, **fields)


def test_scorch_files_pair_by_name_else_alone(capsys, tmp_path):
    for key, response, paired in (
        ({}, {}, True),
        ({"name": "X"}, {}, True),
        ({"name": "X"}, {"name": "X"}, True),
        ({"name": "X"}, {"name": "Y"}, False),
    ):
        files = {"gold.json": clusters(**key), "run.json": clusters(**response)}
        code, _, err = run(capsys, *written(tmp_path, files))
        assert code == (0 if paired else 2)
        if not paired:
            assert "the response lacks document 'X' (it has 'Y'" in err
    for folder in ("gold", "run"):  # in folders files pair by their names, as scorch does it
        written(tmp_path, {f"{folder}/{x}.json": clusters(name="same") for x in "ab"})
    code, out, _ = run(capsys, tmp_path / "gold", tmp_path / "run", "--json")
    assert code == 0
    assert next(iter(json.loads(out)["responses"].values()))["input"]["documents"] == 2


NAMES = [
    ("(x); part 000", "x_0"),
    ("(x); part 000", "x"),
    ("(x); part 012", "x_12"),
    ("(a/b/x); part 003", "a/b/x_3"),
    ("(x); part 0", "(x); part 000"),
    ("(x);", "x"),
    ("(a/b/x); part 000", "x"),
    ("x.conll", "x"),
]


@pytest.mark.parametrize(("ours", "theirs"), NAMES)
def test_names_of_formats(tmp_path, ours, theirs):
    other = "(y); part 001"
    key = conll(ours, "(0)", "(0)") + conll(other, "(1)", "-", "(1)")
    response = record(doc_key=theirs, clusters=[[[0, 0], [1, 1]]])
    response += record(doc_key="y_1", clusters=[[[0, 0], [2, 2]]])
    paths = written(tmp_path, {"k.conll": key, "r.jsonl": response})
    scores = score(*paths)
    assert scores["conll"].f1 == 1
    assert scores.documents == [ours, other]
    assert "documents-paired" in [note.code for note in scores.input_report.notes]
    assert score(*reversed(paths))["conll"].f1 == 1


def test_names_that_may_be_two_documents_are_refused(tmp_path):
    key = conll("(x); part 000", "(0)") + conll("(x); part 001", "(0)")
    response = record(doc_key="x", clusters=[[[0, 0]]])
    with pytest.raises(ValueError, match=r"lacks document '\(x\); part 000' and 1 more"):
        score(*written(tmp_path, {"k.conll": key, "r.jsonl": response}))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["wsj_0001", "wsj_0003"], ["wsj_0001", "wsj_0004"]),
        (["(x); part 001"], ["(x); part 002"]),
        (["chap_1"], ["chap_2"]),
        (["x_0", "x_1", "x_2"], ["x_1", "x_2", "x_3"]),
        (["x", "x_0"], ["x_0", "x_1"]),
        (["train/x", "dev/y"], ["test/x", "dev/y"]),
    ],
)
def test_names_of_other_numbers_are_other_documents(ours, theirs):
    key, response = ({name: [["a", "b"]] for name in names} for names in (ours, theirs))
    both = len({*ours} & {*theirs})
    with pytest.raises(ValueError, match="the response lacks document"):
        score(key, response)
    policies = {"missing_documents": "empty", "extra_documents": "empty"}
    scores = score(key, response, **policies)
    assert len(scores.documents) == len({*ours, *theirs})
    assert scores["muc"].recall == both / len(ours)
    assert scores["muc"].precision == both / len(theirs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["pred/wsj_1", "pred/wsj_2"], ["wsj_1", "wsj_2"]),
        (["gold/a/wsj_1", "gold/b/wsj_2"], ["run/a/wsj_1.conll", "run/b/wsj_2.conll"]),
        (
            ["(bc/00/c_0000); part 000", "(nw/c_0001); part 001"],
            ["bc/00/c_0000_0", "nw/c_0001_1"],
        ),
        (["(bc/00/c_0000); part 000", "(nw/c_0001); part 000"], ["c_0000", "c_0001.conll"]),
    ],
)
def test_names_below_folders(ours, theirs):
    key, response = ({name: [["a", name[-7:]]] for name in ours}, {})
    for our, their in zip(ours, theirs, strict=True):
        response[their] = key[our]
    scores = score(key, dict(reversed(response.items())))
    assert scores["muc"].f1 == 1
    assert scores.documents == ours
    assert score(response, key)["muc"].f1 == 1


def test_parts_of_wl_coref(tmp_path):
    key = conll("(x); part 000", "(0)", "(0)") + conll("(x); part 001", "(0)", "-", "(0)")
    response = record(document_id="x", part_id=0, clusters=[[[0, 0], [1, 1]]])
    response += record(document_id="x", part_id=1, clusters=[[[0, 0], [2, 2]]])
    assert score(*written(tmp_path, {"k.conll": key, "r.jsonl": response}))["conll"].f1 == 1


def test_parts_in_a_table(tmp_path):
    rows = [("x", part, at, at, 0) for part in (0, 1) for at in (0, part + 1)]
    path = tmp_path / "r.tsv"
    path.write_text(table(("doc", "part", "first", "last", "entity"), *rows))
    assert [x.name for x in pw.coreference.read(path)] == ["(x); part 000", "(x); part 001"]


@pytest.mark.parametrize(
    "text",
    [
        conll("d", "(0)", "(0)", begin="# begin document", end="# end document"),
        conll("", "(0)", "(0)"),
        conll("", "(0)", "(0)", begin="#  begin document", end="#end document"),
        conll("d", "(0)", "(0)", begin="#begin document", end="# end document"),
        lines("d 0 0 a (0)", "d 0 1 b (0)"),
    ],
)
def test_bounds_of_documents(tmp_path, text):
    document = read(tmp_path, text, "x.conll")
    assert spans(document) == [(0, 0), (1, 1)]
    assert score(document, document)["conll"].f1 == 1


def test_newdoc_without_id_is_numbered(tmp_path):
    token = ("1", "a", "_", "(e1--1)")
    documents = read(tmp_path, conllu(token, name="") + conllu(token, name=" id ="))
    assert [x.name for x in documents] == ["document 1", "document 2"]
    assert documents.notes == ("documents without a name, named by their number: 2",)
    bare = conllu(token).partition("\n")[2]
    assert [x.name for x in read(tmp_path, bare)] == ["x"]


def test_options_for_each_side(capsys, tmp_path):
    key = record(doc_key="d", gold=[[[0, 1], [4, 6]]])
    response = record(doc_key="d", run=[[[0, 2], [4, 7]]])
    paths = written(tmp_path, {"k.jsonl": key, "r.jsonl": response})
    code, out, _ = run(
        *(capsys, *paths, "--clusters", "gold,run", "--ends", "inclusive,exclusive"), "--json"
    )
    assert code == 0
    (result,) = json.loads(out)["responses"].values()
    assert result["scores"]["conll"]["f1"] == 1
    scores = score(*paths, clusters=("gold", "run"), ends=("inclusive", "exclusive"))
    assert scores["conll"].f1 == 1
    assert run(capsys, *paths, "--format", "jsonlines,conll-2012", "--clusters", "gold")[0] == 2
    assert "--format nonsense" in run(capsys, *paths, "--format", "nonsense")[2]
    with pytest.raises(TypeError, match="no argument 'end'; did you mean ends="):
        score(*paths, end="inclusive")


def test_ends_that_nothing_proves_beside_certain_ones(capsys, tmp_path):
    key = conll("d", "(0", "0)", "-", "-", "(0", "0)")
    response = record(doc_key="d", clusters=[[[0, 2], [4, 6]]])
    paths = written(tmp_path, {"k.conll": key, "r.jsonl": response})
    code, out, err = run(capsys, *paths)
    assert (code, out) == (2, "")
    assert "say --ends inclusive or --ends exclusive (of the response)" in err
    assert run(capsys, *paths, "--ends", "exclusive")[0] == 0
    code, _, err = run(capsys, paths[1], paths[1])  # both sides are read alike
    assert code == 0
    assert "by default" in err


def test_other_words_are_noted(tmp_path):
    key = conll("d", "(0)", "-", "(0)", words=("Don't", "tell", "Ann"))
    split = conll("d", "(0)", "-", "-", "(0)", words=("Do", "n't", "tell", "Ann"))
    other = conll("d", "(0)", "-", "(0)", words=("He", "was", "seen"))
    for text, said in ((split, "has 3 words in the key, 4"), (other, "is 'Don't' in the key")):
        scores = score(*written(tmp_path, {"k.conll": key, "r.conll": text}))
        (note,) = scores.input_report.notes
        assert note.code == "other-words"
        assert said.replace("'", "") in note.replace("'", "").replace('"', "")
        assert note.suspicious
        assert note in " ".join(str(scores).split())


@pytest.mark.parametrize(
    ("mention", "other"),
    [
        ((0, 1), "0-1"),
        ((0, 1), ("0", "1")),
        (1, "1"),
        ((0, 1), (0, 1, "d")),
        ("a", b"a"),
    ],
)
def test_mentions_of_other_types_are_refused(mention, other):
    with pytest.raises(ValueError, match="none can be the same"):
        score({"d": [[mention]]}, {"d": [[other]]})


def test_no_mention_in_common_is_noted():
    (note,) = score({"d": [["a", "b"]]}, {"d": [["c"]]}).input_report.notes
    assert (note.code, note.suspicious) == ("no-mention-matches", True)
    assert score({"d": [[1, 2]]}, {"d": [[1.0, 2.0]]})["conll"].f1 == 1


def test_cross_document_on_local_ids(capsys, tmp_path):
    numbered = conll("a", "(0)", "(0)") + conll("b", "(0)", "(1)")
    path = tmp_path / "k.conll"
    path.write_text(numbered)
    code, _, err = run(capsys, path, path, "--cross-document")
    assert code == 2
    assert "the id '0' stands in document 'a' and in 'b'" in err
    assert "say --global-ids" in err
    code, out, err = run(capsys, path, path, "--cross-document", "--global-ids", "--json")
    assert code == 0
    assert "names-joined" in [note["code"] for note in json.loads(out)["notes"]]
    path.write_text(numbered.replace("0)", "Ann)").replace("1)", "Bob)"))
    assert run(capsys, path, path, "--cross-document")[0] == 0
    path.write_text(conll("a", "(0)", "(0)") + conll("b", "(2)", "(1)"))
    assert run(capsys, path, path, "--cross-document")[0] == 0
    assert "--global-ids is for" in run(capsys, path, path, "--global-ids")[2]


def test_by_topic(capsys, tmp_path):
    """C123: the column of topics taken for the documents gives scores by topic."""
    files, _, _ = border_inputs.CASES["C123"]
    code, out, err = run(
        capsys, *written(tmp_path, files), "--document-column", "topic", "--json"
    )
    assert code == 0, err
    (result,) = json.loads(out)["responses"].values()
    check(result["scores"], {"muc": (2 / 4, 2 / 3), "b_cubed": (17 / 24, 5 / 6)})


def test_nothing_left_is_an_error(capsys, tmp_path):
    paths = written(tmp_path, {"k.conll": conll("a", "(0)"), "r.conll": conll("b", "(0)")})
    ignore = ("--missing-documents", "ignore", "--extra-documents", "ignore")
    code, out, err = run(capsys, *paths, *ignore)
    assert (code, out) == (2, "")
    assert "no document is left to score" in err
    assert "--missing-documents ignore" in err


@pytest.mark.parametrize("side", [0, 1])
def test_a_side_without_any_mention_is_noted(capsys, tmp_path, side):
    full = conllu(("1", "a", "_", "(e1--1)"), ("2", "b", "_", "(e1--1)"))
    bare = "\n".join(line.replace("Entity=(e1--1)", "_") for line in full.split("\n"))
    bare = bare.replace("# global.Entity = eid-etype-head-other\n", "")
    texts = [full, full]
    texts[side] = bare
    paths = written(tmp_path, dict(zip(("k.conllu", "r.conllu"), texts, strict=True)))
    code, _, err = run(capsys, *paths)
    assert code == 0
    assert f"{paths[side]}: no mention in any document" in err


def test_ids_that_are_numbers_on_one_side_alone(tmp_path):
    """A text among the ids makes the other side's column text, too: 7 is "7"."""
    header = ("document", "mention", "entity")
    key = table(header, *(("d", at, "e") for at in (7, 8, 9)))
    response = table(header, *(("d", at, "e") for at in (7, 8, "x")))
    paths = written(tmp_path, {"k.tsv": key, "r.tsv": response})
    for pair in (paths, paths[::-1]):
        scores = score(*pair)
        assert scores["mentions"].recall_numerator == 2
        assert scores["muc"].recall == 1 / 2
        assert [note.code for note in scores.input_report.notes] == ["mentions-interpreted"]


# ---- kind 7: Python forms ------------------------------------------------------------------

GOLD = [[(0, 0), (2, 2)], [(4, 5), (7, 7)]]


@pytest.mark.parametrize(
    "form",
    [
        lambda x: {"d": x},
        lambda x: {"d": tuple(tuple(entity) for entity in x)},
        lambda x: {"d": [set(entity) for entity in x]},
        lambda x: {"d": [frozenset(entity) for entity in x]},
        lambda x: {"d": (iter(entity) for entity in x)},
        lambda x: {"d": dict(enumerate(x)).values()},
        lambda x: {"d": {f"e{at}": entity for at, entity in enumerate(x)}},
        lambda x: {"d": {f"e{at}": tuple(entity) for at, entity in enumerate(x)}},
        lambda x: {"d": {mention: at for at, entity in enumerate(x) for mention in entity}},
        lambda x: {
            "d": {mention: f"e{at}" for at, entity in enumerate(x) for mention in entity}
        },
    ],
)
def test_python_forms(form):
    scores = score(form(GOLD), {"d": [[(0, 0), (2, 2), (4, 5)], [(7, 7)]]})
    wanted = score({"d": GOLD}, {"d": [[(0, 0), (2, 2), (4, 5)], [(7, 7)]]})
    assert {name: scores[name].f1 for name in scores} == {
        name: wanted[name].f1 for name in wanted
    }


@pytest.mark.parametrize(
    ("key", "error", "said"),
    [
        (GOLD, TypeError, "for the clusters of one document write {'document': clusters}"),
        ([{"d": GOLD}], TypeError, "for a list of documents"),
        (["#begin document d"], ValueError, "<key>:1: document 'd': no #end document"),
        ({"d": {"a": "e", "b": ["c"]}}, TypeError, "partly collections"),
        ({"d": {"a": (0, 1), "b": (0, 1)}}, TypeError, "may be the id of the entity"),
        ({"d": {"a": float("nan")}}, ValueError, "has no entity"),
        ({"d": [[]]}, ValueError, "has no mentions"),
        ({"d": {"a": None}}, TypeError, "'a' has None for an entity"),
        ({"d": {"a": 1, "b": 1, "c": None}}, TypeError, "'c' has None for an entity"),
    ],
)
def test_python_forms_that_are_refused(key, error, said):
    with pytest.raises(error, match=said.replace("{", r"\{").replace("}", r"\}")):
        score(key, {"d": GOLD})


def test_exhausted_iterators_are_refused():
    used = iter([(0, 0)])
    list(used)
    with pytest.raises(ValueError, match="an iterator that was read before is empty"):
        score({"d": [used]}, {"d": GOLD})


def test_pairs_of_numbers_as_entities_are_noted():
    clusters = {"d": [(0, 1), (3, 4)]}
    codes = [note.code for note in score(clusters, clusters).input_report.notes]
    assert codes == ["entities-like-spans", "entities-like-spans"]


# ---- kind 11: pipes, standard input, files cut off -------------------------------------------


def test_pipes_are_read_once_and_whole(capsys, tmp_path):
    text = conll("(x); part 000", "(0)", "-", "(0)")
    path = tmp_path / "r.conll"
    path.write_text(text)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    code, out, err = run(capsys, pipe, path)
    writer.join()
    assert (code, err) == (0, "")
    assert "mentions 2 in the key, 2 in the response" in out


@pytest.mark.parametrize(
    "text",
    [
        conll("d", "(0)", "-", "(0)"),
        record(doc_key="d", clusters=[[[0, 0], [2, 2]]]),
        conllu(("1", "a", "_", "(e1--1)"), ("2", "b", "_", ""), ("3", "c", "_", "(e1--1)")),
        table(("d", 0, 0, "e"), ("d", 2, 2, "e")),
        clusters(name="d"),
    ],
)
def test_standard_input(capsys, monkeypatch, tmp_path, text):
    path = tmp_path / "key"
    path.write_text(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, _ = run(capsys, path, "-")
    assert code == 0
    assert "100.00" in out
    assert "can be read once" in run(capsys, "-", "-")[2]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("k.conll", "", "the file is empty"),
        ("k.conll", "\n\n", "the file is empty"),
        ("k.conll", conll("d", "(0)").replace("#end document\n", ""), "no #end document"),
        ("k.jsonl", '{"doc_key": "d", "clus', ":1: not JSON"),
        ("k.json", '{"type": "clusters",\n "clusters": {"0": ["a"', "not JSON"),
        ("k.xml", "<html></html>", "this is XML"),
        ("k.json", '[{"doc_key": "d"}]', "no 'clusters' or"),
        ("k.json", "[[1, 2], [3]]", "one JSON list that is not one of records"),
    ],
)
def test_files_cut_off_or_of_another_kind(capsys, tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    code, out, err = run(capsys, path, path)
    assert (code, out) == (2, "")
    assert said in err
    assert str(path) in err
