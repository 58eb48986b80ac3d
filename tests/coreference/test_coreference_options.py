"""Options that act or are refused, names of measures, where documents are objects."""

import json

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
        (["--unmatched", "drop", "--measures", "muc"], "and --measures names none"),
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


def test_a_document_that_scorer_pl_would_not_find_is_told(capsys, tmp_path):
    texts = dict.fromkeys(("k.conll", "r.conll"), conll("(wsj_1); part 000", "(0)"))
    options = ["--compat", "perl", "--document", "wsj_1"]
    _, _, err = run(capsys, *written(tmp_path, texts), *options)
    assert "no document 'wsj_1' is scored; there is '(wsj_1); part 000'" in err


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
    documents = {f"e{i}": collection([(i, i + 1)]) for i in range(3)}
    codes = {note.code for note in score(documents, documents).input_report.notes}
    assert codes == {"entities-like-spans"}
