"""Notes on suspicious labels and ids: in accounts, as warnings, on standard error, in JSON."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main
from partwise.labels.notes import CODES, InputWarning, Note


def codes(reference, candidate, **policies):
    return {note.code for note in pw.align(reference, candidate, **policies).account.notes}


ARRAY = np.array
SUSPICIOUS = {
    "all-distinct": [
        ([0.1, 0.2, 0.3], [0.5, 0.1, 0.9]),
        (ARRAY([1, 2, 3]), ARRAY([3, 1, 2])),
        (["x", "y"], [7, 8]),
        ({"p": 1, "q": 2}, {"q": 5, "p": 6}),
        ([{1}, {2}], [{2}, {1}]),
        (ARRAY(["a", "b", "c"]), ARRAY([b"x", b"y", b"z"])),
    ],
    "no-label-text": [
        (["x", "NA", "x"], [1, 1, 2]),
        (["x", "x", "y"], ["u", "", "u"]),
        (ARRAY(["x", "nan", "x"]), [1, 1, 2]),
        ({"p": "None", "q": "x", "r": "x"}, {"p": 1, "q": 1, "r": 1}),
        (ARRAY(["x", " null ", "x"], dtype=object), [1, 1, 2]),
        ([b"x", b"n/a", b"x"], [1, 1, 2]),
    ],
    "labels-alike": [
        (["caf\u00e9", "cafe\u0301", "x"], [1, 1, 2]),
        (["x", "x ", "y"], [1, 1, 2]),
        ([1, 1, 2], ["Noise", "noise", "a"]),
        (ARRAY(["a", " a", "b"]), [1, 1, 2]),
        (["a", "b", "b\t"], [1, 1, 2]),
        (["a\0", "A\0", "b"], [1, 1, 2]),
        ({1: "T cell", 2: "T Cell", 3: "B"}, {1: 0, 2: 0, 3: 0}),
        ([b"x", b"X", b"y"], [1, 1, 2]),
    ],
    "infinite-label": [
        ([1.0, np.inf, 2.0], [1, 1, 2]),
        ([1, 1, 2], ARRAY([-np.inf, 0.5, 0.5])),
        (ARRAY([np.inf, 1, 1], dtype=np.float32), [1, 1, 2]),
        ([float("inf"), float("-inf"), 0.0], [1, 1, 2]),
        ({1: np.inf, 2: 0.5}, {1: 0, 2: 0}),
    ],
    "ids-alike": [
        ({"caf\u00e9": 0, "x": 1}, {"cafe\u0301": 1, "x": 1}),
        ({"AA-1": 0, "BB-1": 0, "C": 1}, {"AA": 0, "BB": 1, "C": 1}),
        ({"5": 0, "6": 0}, {"5.0": 1, "6.0": 1}),
        ({"r1 ": 0, "r2": 0}, {"r1": 1, "r2": 1}),
        ({"S1": 0, "s2": 0}, {"s1": 1, "s2": 1}),
        ({"cell": 0, "x": 1}, {"run1/cell": 1, "x": 1}),
        ({"007": 0, "x": 1}, {"7": 1, "x": 1}),
    ],
}
EXAMPLES = [(code, pair) for code, pairs in SUSPICIOUS.items() for pair in pairs]


@pytest.mark.parametrize(("code", "pair"), EXAMPLES)
def test_suspicious_input_is_noted_and_warned_of(code, pair):
    policies = {"unmatched": "singletons"} if code == "ids-alike" else {}
    assert code in codes(*pair, **policies)
    assert code in {note.code for note in pw.compare(*pair, **policies).account.notes}
    with pytest.warns(InputWarning) as caught:
        pw.rand_index(*pair, **policies)
    assert len(caught) == 1
    assert Path(caught[0].filename) == Path(__file__)


@pytest.mark.parametrize(
    "pair",
    [
        ([0, 0, 1], [0, 1, 1]),
        (ARRAY([1, 2, 3]), ARRAY([1, 1, 2])),
        (["x", "y", "y"], ["NATO", "Nancy", "Nancy"]),
        ([None, "x", "x"], [1, 1, 2]),
        ([0.5, 1.5, 1.5], [1, 1, 2]),
        ({"doc-1": 0, "doc-2": 0}, {"doc-1": 1, "doc-2": 1}),
        ([1], [1]),
        ([], []),
    ],
)
def test_ordinary_input_has_no_note(pair):
    assert codes(*pair, missing="singletons") == set()


def test_unmatched_ids_of_their_own_are_not_alike():
    reference = dict.fromkeys(["a-1", "a-2", "a-3"], 0)
    candidate = dict.fromkeys(["a-1", "a-4"], 0)
    assert codes(reference, candidate, unmatched="singletons") == set()


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ("AA-1", "'AA' (reference) and 'AA-1' (candidate) look like one id with another begin"),
        ("run.BB", "'BB' (reference) and 'run.BB' (candidate) look like one id with another b"),
        ("aa", "'AA' (reference) and 'aa' (candidate) look like one id with another spelling"),
    ],
)
def test_an_id_of_one_side_alone_may_be_one_that_both_have(more, text):
    few = {"AA": 0, "BB": 0, "C": 1}
    turned = re.sub(r"('\S+) \(reference\) and ('\S+)", r"\2 (reference) and \1", text)
    for pair, wanted in (((few, {more: 1, **few}), text), (({more: 1, **few}, few), turned)):
        notes = pw.align(*pair, unmatched="drop").account.notes
        assert [note.code for note in notes] == ["ids-alike"]
        assert notes[0].text.startswith(wanted)


@pytest.mark.parametrize(
    ("labels", "declared"),
    [
        ([0, 0, 1], -1),
        (["x", "noise", "x"], "Noise"),
        ([0.5, 0.5, 1.5], -1),
        ([0, 0, 1], [-1, 0]),
        ([b"x", b"x", b"y"], b"z"),
    ],
)
def test_a_declared_label_that_never_occurs_is_noted(labels, declared):
    policies = {"missing": "singletons", "missing_labels": (declared, None)}
    notes = pw.align(labels, [1, 1, 1], **policies).account.notes
    assert [note.code for note in notes].count("missing-label-unused") == 1
    assert notes[-1].place == "reference"


def test_a_label_declared_for_both_sides_need_occur_on_one():
    assert codes([0, -1, 1, 1], [5, 5, 6, 6], missing="drop", missing_labels=-1) == set()
    noted = codes([0, 0, 1, 1], [5, 5, 6, 6], missing="drop", missing_labels=-1)
    assert noted == {"missing-label-unused"}


def test_a_label_declared_for_both_sides_may_be_of_one_sides_type():
    value = pw.rand_index(["x", "x", "y"], [0, -1, 1], missing="singletons", missing_labels=-1)
    assert value == pw.rand_index(["x", "x", "y"], [0, 7, 1])


def test_declared_text_is_no_longer_noted():
    pair = (["x", "NA", "x"], [1, 1, 2])
    assert codes(*pair, missing="drop", missing_labels=("NA", None)) == set()


@pytest.mark.parametrize(
    ("different", "items", "noted"),
    [
        (1000, 1000, True),
        (1001, 1001, False),
        (1001, 1001 * 31, False),
        (1001, 1001 * 32, True),
    ],
)
def test_labels_are_looked_at_where_few_items_have_one_of_their_own(different, items, noted):
    """At most 1000, or one in 32 items: more would take longer than to read them."""
    labels = ["NA", *(f"cluster {i}" for i in range(different - 1))]
    column = (labels * -(-items // different))[:items]
    assert len(set(column)) == different
    assert codes(column, [0] * items) == ({"no-label-text"} if noted else set())


def test_labels_that_do_not_occur_are_not_noted():
    pd = pytest.importorskip("pandas")
    column = pd.Categorical(["x", "x", "y"], categories=["NA", "x", "X", "y"])
    assert codes(column, [1, 1, 2]) == set()


def test_every_road_has_the_same_notes():
    pair = (["NA", "x", "y"], [1, 2, 3])
    wanted = pw.align(*pair).account.notes
    assert {note.code for note in wanted} == {"no-label-text", "all-distinct"}
    assert pw.contingency(*pair).account.notes == wanted
    assert pw.compare(*pair).account.notes == wanted
    assert pw.score_many(pair[0], {"a": pair[1]}).accounts[0].notes == wanted
    assert pw.diagnose(*pair).account.notes == wanted
    assert pw.significance(*pair, measure="ri", draws=9).accounts[0].notes == wanted


def test_notes_in_json():
    notes = json.loads(pw.compare(["NA", "x", "x"], [1, 1, 2]).to_json())["account"]["notes"]
    assert [(note["code"], note["place"]) for note in notes] == [("no-label-text", "reference")]
    assert notes[0]["text"].startswith("'NA' kept as a label")


@pytest.mark.one_backend
@pytest.mark.parametrize("command", ["compare", "diagnose", "significance"])
@pytest.mark.parametrize("shape", [[], ["--json"]])
def test_the_command_line_tells_once(tmp_path, capsys, command, shape):
    for name, text in (("a.txt", "x\nX\nx\n"), ("b.txt", "1\n1\n2\n")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    assert main([command, *files, *shape]) == 0
    told = capsys.readouterr().err.splitlines()
    noted = [line for line in told if line.startswith("partwise: note:")]
    assert len(noted) == 1
    assert "'x'" in noted[0].lower()


@pytest.mark.one_backend
def test_every_suspicious_code_is_tried():
    suspicious = {code for code, kind in CODES.items() if kind.suspicious}
    assert SUSPICIOUS.keys() | {"missing-label-unused"} <= suspicious
    with pytest.raises(KeyError):
        Note("no such code", "")


def test_an_infinite_label_is_noted_beside_gaps_in_every_form():
    for labels in (
        [1.0, None, np.inf, 1.0],
        [0, None, float("-inf"), 0.5],
        ARRAY([1, np.nan, np.inf, 1]),
    ):
        assert "infinite-label" in codes(labels, [1, 1, 2, 2], missing="drop")
