"""Hostile files of every format: read right, or refused with the file and the way out."""

import contextlib
import gzip
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coreference_format_files import SAMPLES, mentions_of, put
from hostile_bytes import other_numbers, whole_files
from partwise.coreference import read, score
from partwise.labels.files import compressed

pytestmark = pytest.mark.one_backend

OTHERS = [sample.files[sample.main].encode() for sample in SAMPLES.values()]
#: At how many places files are damaged.
PLACES = pytest.mark.parametrize("places", [3, pytest.param(1000, marks=pytest.mark.long)])
#: Versions that are the same document, and have to be read as that.
SAME = ("byte order mark", "CRLF", "CR", "UTF-16", "UTF-32", "gz")
LONGEST_MESSAGE = 2000


def outcome(sample, folder, data, format, what):
    """Read a version of a file; return its documents, None where it was refused rightly."""
    path = put(sample, folder, data)
    refusal = None
    try:
        documents = read(path, format, **sample.options)
        list(documents)
    except (ValueError, TypeError, OSError) as error:
        refusal = error
    if refusal is None:
        return documents
    message = str(refusal)
    assert not isinstance(refusal, (UnicodeError, json.JSONDecodeError)), (
        what,
        format,
        message,
    )
    assert folder.name in message, (what, format, message)
    assert len(message) < LONGEST_MESSAGE, (what, format, message[:300])
    return None


@PLACES
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_are_read_or_refused(tmp_path, name, places):
    sample = SAMPLES[name]
    data = sample.files[sample.main].encode()
    refused = 0
    for what, version in whole_files(data, OTHERS, places):
        for format in ("auto", sample.format):
            documents = outcome(sample, tmp_path, version, format, what)
            refused += documents is None
            if what in SAME:
                assert documents is not None, what
                assert [mentions_of(x) for x in documents] == sample.entities, what
    assert refused > 20


@PLACES
@pytest.mark.parametrize("name", SAMPLES)
def test_numbers_that_are_none_are_read_or_refused(tmp_path, name, places):
    sample = SAMPLES[name]
    data = sample.files[sample.main].encode()
    for what, version in other_numbers(data, places):
        outcome(sample, tmp_path, version, sample.format, what)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_random_damage_is_read_or_refused(tmp_path_factory, data):
    sample = SAMPLES[data.draw(st.sampled_from(sorted(SAMPLES)))]
    content = bytearray(sample.files[sample.main].encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        kind = data.draw(st.sampled_from(["drop", "insert", "change", "swap", "digit", "cut"]))
        if kind == "drop":
            del content[at : at + data.draw(st.integers(1, 12))]
        elif kind == "insert":
            content[at:at] = data.draw(st.binary(min_size=1, max_size=4))
        elif kind == "change" and content:
            content[at] = data.draw(st.integers(0, 255))
        elif kind == "swap":
            lines = bytes(content).splitlines(keepends=True)
            a, b = (data.draw(st.integers(0, max(0, len(lines) - 1))) for _ in range(2))
            if lines:
                lines[a], lines[b] = lines[b], lines[a]
            content = bytearray(b"".join(lines))
        elif kind == "digit":
            digits = [at for at, x in enumerate(content) if chr(x).isdigit()]
            if digits:
                content[data.draw(st.sampled_from(digits))] = ord(
                    data.draw(st.sampled_from("0123456789-"))
                )
        else:
            del content[at:]
    folder = tmp_path_factory.mktemp("damage")
    format = data.draw(st.sampled_from(["auto", sample.format]))
    documents = outcome(sample, folder, bytes(content), format, bytes(content))
    if documents is None:
        return
    for document in documents:  # what is read is whole
        assert len(document.entity) == len(document.mentions)
        assert set(document.entity.tolist()) == set(range(len(document.entity_names)))
        if document.tokens is not None and hasattr(document.mentions, "last"):
            assert all(0 <= x < len(document.tokens) for x in document.mentions.last.tolist())
    with contextlib.suppress(ValueError):  # two documents of one name, a mention twice
        scores = score(documents, documents)
        assert scores["mentions"].f1 in (0, 1)


# ---- mentions that cannot be ------------------------------------------------------------

REFUSED = {
    ("jsonlines", "outside"): ("[2, 3]", "[2, 9]", "beyond the document's 9 tokens"),
    ("jsonlines", "backwards"): ("[2, 3]", "[3, 2]", "ends before it begins"),
    ("wl-coref", "outside"): ("[2, 4]", "[2, 11]", "beyond the document's 9 tokens"),
    ("wl-coref", "backwards"): ("[2, 4]", "[4, 2]", "ends before it begins"),
    ("wl-coref", "sentences"): ("[0, 0, 0, 0, 0, 1", "[0, 0, 0, 0, 1", "'sent_id' is"),
    ("fastcoref", "outside"): ("[17, 19]", "[17, 99]", "beyond the document's 28 characters"),
    ("fastcoref", "backwards"): ("[17, 19]", "[19, 17]", "ends before it begins"),
    ("preco", "outside"): ("[1, 0, 1]", "[1, 0, 5]", "is not within the 4 words"),
    ("preco", "sentence"): ("[1, 0, 1]", "[2, 0, 1]", "names no sentence"),
    ("preco", "backwards"): ("[1, 0, 1]", "[1, 1, 0]", "is not within"),
    ("scico", "outside"): ("[7, 7, 5]", "[7, 9, 5]", "beyond the document's 9 tokens"),
    ("scico", "backwards"): ("[2, 3, 4]", "[3, 2, 4]", "ends before it begins"),
    ("scico", "entity"): ("[2, 3, 4]", "[2, 3, {}]", "is not [first, last, entity]"),
    ("conll-2012", "open"): ("\t(1)\n", "\t(1\n", "never closed"),
    ("semeval-2010", "closed"): ("\t1)\n", "\t3)\n", "is closed at token"),
    ("brat", "outside"): ("T5\tThing 29 31", "T5\tThing 29 99", "ends at character 99"),
    ("brat", "backwards"): ("T5\tThing 29 31", "T5\tThing 31 29", "is empty"),
    ("brat", "astronomic"): ("8 11;16 19", "8 11;16 9999999999999999", "in pieces"),
    ("litbank", "outside"): ("T5\t1\t2\t1\t2", "T5\t1\t2\t1\t4", "not in the text"),
    ("litbank", "backwards"): ("T3\t0\t2\t0\t3", "T3\t0\t3\t0\t2", "ends before it begins"),
    ("litbank", "two entities"): ("COREF\tT2\tAnn-0", "COREF\tT1\tson-1", "is of 'Ann-0' and"),
    ("mmax", "outside"): ('span="word_6"', 'span="word_60"', "there is no word 'word_60'"),
    ("mmax", "backwards"): ("word_3..word_4", "word_4..word_3", "no list of words"),
    ("ecb-plus", "outside"): ('anchor t_id="6"', 'anchor t_id="60"', "is of token 60"),
    ("ecb-plus", "token twice"): ('<token t_id="4"', '<token t_id="3"', "token 3 stands twice"),
    ("ecb-plus", "two entities"): (
        '<source m_id="22"/>',
        '<source m_id="21"/>',
        "which are two entities",
    ),
    ("tei", "no word"): ("<w>He</w>", "", "has no word in it"),
    ("neleval", "backwards"): ("d\t17\t18", "d\t18\t17", "from 18 to 17 is impossible"),
    ("neleval", "no entity"): ("\tNIL1\t", "\tNIL\t", "has no entity"),
    ("scorch-json", "id"): ('"m3"', "1.5", "an id (text or whole number)"),
    ("table", "backwards"): ("d,2,3,b", "d,3,2,b", "ends before it begins"),
    ("table", "negative"): ("d,2,3,b", "d,-2,3,b", "begins before token 0"),
    ("table", "float"): ("d,2,3,b", "d,2,3.5,b", "d.csv:4: column 'last' holds '3.5'"),
}


@pytest.mark.parametrize(("name", "what"), REFUSED)
def test_impossible_mentions_are_refused(tmp_path, name, what):
    sample = SAMPLES[name]
    old, new, said = REFUSED[name, what]
    text = sample.files[sample.main]
    assert old in text
    path = put(sample, tmp_path, text.replace(old, new, 1).encode())
    with pytest.raises(ValueError) as error:  # noqa: PT011 the words are compared below
        read(path, sample.format)
    assert said in str(error.value)
    assert str(tmp_path) in str(error.value)
    if sample.format != "scorch-json":  # of which a document is one value
        assert ":" in str(error.value).partition(str(tmp_path))[2].split(" ")[0][:-1]


TWICE = {
    "jsonlines": ("[7, 7]", "[7, 7], [7, 7]"),
    "wl-coref": ("[7, 8]", "[7, 8], [7, 8]"),
    "fastcoref": ("[25, 27]", "[25, 27], [25, 27]"),
    "preco": ("[1, 2, 3]", "[1, 2, 3], [1, 2, 3]"),
    "scico": ("[7, 7, 5]", "[7, 7, 5], [7, 7, 5]"),
    "conll-2012": ("(2)", "(2)|(2)"),
    "semeval-2010": ("(2)", "(2)|(2)"),
    "brat": ("T5\tThing 29 31\tit\n", "T5\tThing 29 31\tit\nT6\tThing 29 31\tit\n"),
    "litbank": (
        "COREF\tT5\tit-2\n",
        "MENTION\tT6\t1\t2\t1\t2\tit\nCOREF\tT6\tit-2\nCOREF\tT5\tit-2\n",
    ),
    "neleval": ("d\t25\t26\tNIL1\t", "d\t25\t26\tNIL2\t1\tX\nd\t25\t26\tNIL1\t"),
    "scorch-json": ('"m3"', '"m3", "m3"'),
    "table": ("d,7,7,c\n", "d,7,7,c\nd,7,7,a\n"),
}


@pytest.mark.parametrize("name", TWICE)
def test_a_mention_that_stands_twice_is_read_and_not_scored_without_a_policy(tmp_path, name):
    sample = SAMPLES[name]
    old, new = TWICE[name]
    text = sample.files[sample.main]
    assert old in text
    path = put(sample, tmp_path, text.replace(old, new, 1).encode())
    documents = read(path)
    before = sum(len(x) for entities in sample.entities[:1] for x in entities.values())
    assert len(documents.documents[0]) == before + 1
    with pytest.raises(ValueError, match=r"again in|stands twice"):
        score(documents, documents)
    assert score(documents, documents, repeats="first")["mentions"].f1 == 1


@pytest.mark.parametrize("name", ["jsonlines", "wl-coref", "fastcoref", "preco"])
def test_empty_clusters_are_left_out_and_told(tmp_path, name):
    sample = SAMPLES[name]
    records = [json.loads(line) for line in sample.files[sample.main].splitlines()]
    field = next(x for x in records[0] if x.endswith("clusters"))
    records[0][field].insert(1, [])
    path = put(sample, tmp_path, "\n".join(map(json.dumps, records)).encode())
    documents = read(path)
    assert [*mentions_of(documents.documents[0]).values()] == [*sample.entities[0].values()]
    assert "entities without mentions, left out: 1" in documents.notes


@pytest.mark.parametrize("name", ["jsonlines", "wl-coref", "conll-2012", "tei"])
def test_two_documents_of_one_name_are_read_and_not_scored_without_a_policy(tmp_path, name):
    sample = SAMPLES[name]
    text = sample.files[sample.main]
    same = text.replace('"e"', '"d"').replace('"part_id": 1', '"part_id": 0')
    path = put(sample, tmp_path, same.replace("part 001", "part 000").encode())
    documents = read(path)
    assert len({x.name for x in documents}) == 1
    with pytest.raises(ValueError, match="stands twice"):
        score(documents, documents)


def test_fields_of_two_units_in_one_file_are_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    records = [
        {"doc_key": "a", "text": "Ann", "clusters": [[[0, 3]]]},
        {"doc_key": "b", "sentences": [["Ann", "met"]], "clusters": [[[0, 1]]]},
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    with pytest.raises(ValueError, match=r"x\.jsonl:2: document 'b': its mentions count"):
        read(path)


# ---- bombs ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_files_that_grow_without_measure_are_refused(tmp_path, monkeypatch, name, kind):
    monkeypatch.setattr(compressed, "MOST_BYTES", 1 << 16)
    sample = SAMPLES[name]
    data = sample.files[sample.main].encode()
    grown = data + b" " * (1 << 20)
    if kind == "gz":
        packed = gzip.compress(grown)
    else:
        with zipfile.ZipFile(tmp_path / "packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x", grown)
        packed = (tmp_path / "packed.zip").read_bytes()
    assert len(packed) < 1 << 12
    path = put(sample, tmp_path, packed)
    with pytest.raises(ValueError, match=r"grows to more than .* unpack it"):
        read(path, sample.format)


# ---- what is told -----------------------------------------------------------------------


def test_a_token_joined_to_the_name_of_its_document_is_refused(tmp_path):
    sample = SAMPLES["conll-2012"]
    text = sample.files[sample.main].replace("part 000\n", "part 000", 1)
    path = put(sample, tmp_path, text.encode())
    with pytest.raises(ValueError, match=r"d\.conll:1: the name .* holds a tab"):
        read(path)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("wl-coref", "'pos', 'head'"),
        ("fastcoref", "'clusters_strings'"),
        ("scico", "'tokens', 'sentences', 'doc_ids'"),
        ("preco", None),
        ("jsonlines", None),
    ],
)
def test_fields_of_records_that_are_not_read_are_told(tmp_path, name, fields):
    documents = read(put(SAMPLES[name], tmp_path))
    told = [note for note in documents.notes if note.code == "columns-unused"]
    assert told == ([] if fields is None else [f"fields not read: {fields}"])


def test_an_empty_file_of_annotations_is_a_document_without_mentions(tmp_path):
    (tmp_path / "a.ann").write_text("\n")
    with pytest.raises(ValueError, match="the file is empty"):
        read(tmp_path / "a.ann")
    (tmp_path / "a.txt").write_text("Ann met her .")
    for format in ("auto", "brat", "litbank"):
        documents = read(tmp_path / "a.ann", format)
        assert [len(x) for x in documents] == [0]
        assert "files without annotations, read as no mentions: 1" in documents.notes
