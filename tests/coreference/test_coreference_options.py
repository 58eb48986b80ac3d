"""Options that act or are refused, names of measures, where documents are objects."""

import io
import json
import re
import types
import unicodedata

import numpy as np
import pytest

import partwise as pw
from coreference_border_inputs import conll, record
from partwise.cli import main
from partwise.coreference import Document, Documents, score


def run(capsys, *arguments):
    code = main(["coref", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def written(folder, files):
    for name, text in files.items():
        (folder / name).write_text(text)
    paths = [folder / name for name in files]
    return paths if len(paths) == 2 else paths * 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--unmatched", "drop"], "--unmatched drop is for measures of partitions"),
        (["--unmatched", "drop", "--measures", "muc"], "name some with --measures"),
        (["--level", "0.9"], "--level is for --bootstrap"),
        (["--workers", "4"], "--workers is for --bootstrap"),
        (["--measures", ""], "--measures is empty"),
        (["--measures", "ari", "--per-document"], "--per-document is for the measures of"),
        (["--measures", "ari", "--bootstrap", "9"], "--bootstrap is for the measures of"),
        (["--measures", "ceafx"], "--measures ceafx: neither one of mentions, muc"),
    ],
)
def test_options_that_would_do_nothing(capsys, tmp_path, options, said):
    key, response = written(
        tmp_path, dict.fromkeys(("k.conll", "r.conll"), conll("(d);", "(0)"))
    )
    code, _, err = run(capsys, key, response, *options)
    assert code == 2
    assert said in err


@pytest.mark.parametrize(
    "options",
    [
        *(["--seed", "1"], ["--level", "0.9"], ["--workers", "2"], ["--average", "macro"]),
        *(["--method", "bootstrap"], ["--unmatched", "drop"]),
    ],
)
def test_the_text_of_scorer_pl_draws_nothing(capsys, tmp_path, options):
    texts = dict.fromkeys(("k.conll", "r.conll"), conll("(d);", "(0)"))
    code, out, err = run(capsys, *written(tmp_path, texts), "--compat", "perl", *options)
    assert (code, out) == (2, "")
    assert f"--compat perl prints one text; leave out {options[0]}" in err


@pytest.mark.parametrize(
    "reading",
    [
        {"ends": "inclusive"},
        {"format": "nonsense"},
        {"entity": "y"},
        {"format": ("conll-2012", None)},
        {"clusters": (None, "x")},
    ],
)
def test_options_of_files_are_refused_beside_objects(reading):
    documents = {"d": [["a", "b"]]}
    (name,) = reading
    with pytest.raises(ValueError, match=rf"{name}=.* is no file; leave it out"):
        score(documents, documents, **reading)
    read = Documents([Document("d", ["a"], np.zeros(1, np.int64), ["e"], None)])
    with pytest.raises(ValueError, match=rf"{name}=.* was read before; leave it out"):
        score(read, read, **reading)


def test_an_option_of_the_file_beside_an_object(tmp_path):
    path, _ = written(tmp_path, {"r.jsonl": record(doc_key="d", clusters=[[[0, 0], [1, 1]]])})
    documents = {"d": [[(0, 0), (1, 1)]]}
    with pytest.raises(ValueError, match="key"):
        score(documents, path, ends=("inclusive", None))


@pytest.mark.parametrize(
    "text", ["MUC", "B-cubed", "b3", "bcub", "CEAF-e", "ceafm", "CoNLL", "LEA"]
)
def test_names_of_measures_in_other_words(capsys, tmp_path, text):
    own = {"MUC": "muc", "CEAF-e": "ceaf_e", "ceafm": "ceaf_m", "CoNLL": "conll", "LEA": "lea"}
    name = own.get(text, "b_cubed")
    scores = score({"d": [["a", "b"], ["c"]]}, {"d": [["a"], ["b", "c"]]})
    assert scores[text] == scores[name]
    twice = score(*[{x: [["a", "b"], ["c"]] for x in "de"}] * 2)
    drawn = pw.coreference.bootstrap(twice, measure=f"{text}.recall", draws=9, seed=1)
    assert drawn.measures == (f"{name}.recall",)
    texts = dict.fromkeys(("k.conll", "r.conll"), conll("(d);", "(0)", "(0)"))
    code, out, _ = run(capsys, *written(tmp_path, texts), "--measures", text, "--json")
    assert code == 0
    (response,) = json.loads(out)["responses"].values()
    assert name in response["scores"]


@pytest.mark.parametrize("name", ["wsj_1", "TYPO", "(wsj_1); part 001"])
def test_a_document_that_scorer_pl_would_not_find_is_refused(capsys, tmp_path, name):
    texts = dict.fromkeys(("k.conll", "r.conll"), conll("(wsj_1); part 000", "(0)"))
    options = ["--compat", "perl", "--document", name]
    code, out, err = run(capsys, *written(tmp_path, texts), *options)
    assert (code, out) == (2, "")
    assert f"--document {name}: no document of that name is scored" in err
    assert "there is '(wsj_1); part 000'" in err


@pytest.mark.parametrize(
    ("options", "file", "said"),
    [
        (["--mentions", "head"], "k", "--mentions head goes by heads of mentions, and the key"),
        (["--mentions", "partial"], "k", "--mentions exact needs none"),
        (["--mentions", "minimum_span"], "k", "goes by minimum spans of mentions"),
        (["--convention", "corefud-1.2"], "k", "the convention corefud-1.2 goes by heads"),
        (["--repeats", "foo"], None, "--repeats foo is not one of: error"),
    ],
)
def test_faults_are_of_the_file_or_of_the_option(capsys, tmp_path, options, file, said):
    texts = dict.fromkeys(("k.conll", "r.conll"), conll("(d);", "(0)"))
    paths = written(tmp_path, texts)
    code, _, err = run(capsys, *paths, *options)
    assert code == 2
    assert err.startswith(f"partwise: {paths[0]}: " if file else "partwise: --")
    assert said in err


@pytest.mark.parametrize("side", [0, 1])
def test_what_stands_twice_is_said_of_its_file(capsys, tmp_path, side):
    once = conll("(d);", "(0)", "(0)")
    twice = [once + once, conll("(d);", "(0)|(1)", "(0)")]
    for text, option in zip(twice, ("--double-documents", "--repeats"), strict=True):
        texts = {"k.conll": once, "r.conll": once, f"{'kr'[side]}.conll": text}
        paths = written(tmp_path, texts)
        err = run(capsys, *paths)[2]
        assert err.startswith(f"partwise: {paths[side]}: ")
        assert f"{option} merge" in err


@pytest.mark.parametrize("text", ["caf\u00e9", "\u00c5sa", "se\u00f1or"])
def test_normal_forms_of_mentions_and_zeros_that_are_none_are_noted(text):
    other = unicodedata.normalize("NFD", text)
    scores = score({"d": [[text, "b"]]}, {"d": [[other, "b"]]}, zeros="dependencies")
    notes = {note.code: note.text for note in scores.input_report.notes}
    assert list(notes) == ["option-unused", "mentions-alike"]
    assert ascii(other) in notes["mentions-alike"]
    assert not score({"d": [[text, "b"]]}, {"d": [[text, "c"]]}).input_report.notes
    assert not score({"d": [[text], [other]]}, {"d": [[text, other]]}).input_report.notes


@pytest.mark.parametrize("option", ["--per-document", "--bootstrap"])
def test_partitions_have_one_score_over_all_documents(capsys, tmp_path, option):
    text = "".join(conll(f"({name});", "(0)", "(0)") for name in "ab")
    paths = written(tmp_path, dict.fromkeys(("k.conll", "r.conll"), text))
    code, _, err = run(capsys, *paths, "--measures", "ari,muc", option)
    assert code == 0
    assert f"note: {option} is for the measures of coreference; ari" in err


@pytest.mark.parametrize(("key", "response"), [("train/x", "test/x"), ("a/dev/x", "a/train/x")])
def test_splits_of_a_data_set_are_other_documents(key, response):
    with pytest.raises(ValueError, match="the response lacks document"):
        score({key: [["a", "b"]]}, {response: [["a", "b"]]})
    assert score({f"gold/{key}": [["a"]]}, {f"run/{key}": [["a"]]}).documents == [f"gold/{key}"]


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ("#begin document (d);\nd 0 0 a (0)\n" * 200, "<key>:1: document '(d);': no #end"),
        ("{}\n", "<key>:1: document 'line 1': no 'clusters' or"),
        (io.StringIO("x"), "pass the path of the file"),
        ({1: [["a"]]}, "the name of a document is text, not int; write {str(name)"),
        ({"d": [[[0, 1], (2, 3)]]}, "use the tuple (0, 1)"),
        ({"d": [[[0, 1], "x"]]}, "use the tuple (0, 1)"),
        (
            types.SimpleNamespace(columns=["document"]),
            'frame.to_dict("records") or frame.to_dicts() in polars',
        ),
    ],
)
def test_objects_in_other_forms_are_told_the_form_that_works(documents, said):
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        score(documents, documents)


@pytest.mark.parametrize("mention", [2, "2", [2]])
def test_a_column_of_mentions_by_number(tmp_path, mention):
    path, _ = written(tmp_path, {"k.csv": "d,m,e\nx,a,1\nx,b,1\n"})
    reading = {"document": 1, "mention": mention, "entity": 3, "header": True}
    assert score(path, path, **reading)["muc"].recall_denominator == 1


def test_a_conversion_to_standard_output(capsys, tmp_path, monkeypatch):
    path, _ = written(tmp_path, {"k.conll": conll("(d); part 000", "(0)", "(0)")})
    monkeypatch.chdir(tmp_path)
    assert main(["convert", str(path), "-"]) == 2
    assert "-: standard output; say --to" in capsys.readouterr().err
    assert main(["convert", str(path), "-", "--to", "jsonlines"]) == 0
    assert json.loads(capsys.readouterr().out)["clusters"] == [[[0, 0], [1, 1]]]
    assert [x.name for x in tmp_path.iterdir()] == ["k.conll"]


@pytest.mark.parametrize("collection", [list, tuple, set, frozenset])
def test_one_document_in_place_of_several_is_noted(collection):
    documents = {"e1": collection([(0, 1), (3, 4)]), "e2": collection([(6, 7)])}
    codes = {note.code for note in score(documents, documents).input_report.notes}
    assert codes == {"entities-like-spans"}
    rows = {name: np.array(list(pairs)) for name, pairs in documents.items()}
    codes = {note.code for note in score(rows, rows).input_report.notes}
    assert codes == {"entities-like-spans"}
    documents = {f"e{i}": collection([(i, i + 1)]) for i in range(3)}
    codes = {note.code for note in score(documents, documents).input_report.notes}
    assert codes == {"entities-like-spans"}
