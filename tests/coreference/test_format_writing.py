"""Every format as every other: mentions and entities stay, or the loss is told and counted."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coreference_format_files import SAMPLES, SENTENCES, TEXT, WORDS, mentions_of, put
from partwise.cli import main
from partwise.coreference import read, score, write
from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats import WRITABLE
from partwise.coreference.formats.catalogue import CATALOGUE, read_as

pytestmark = pytest.mark.one_backend

OF_CHARACTERS = ("brat", "fastcoref")
STANDOFF = ("brat", "litbank")
AS_TEXT = "documents whose words are written as a text, with blanks between them"
NO_WORDS = "it has no words, only positions( of characters)?"
NO_SPANS = "no spans of tokens"


def target_of(folder, format):
    return folder / ("out" if format in STANDOFF else "out.txt")


def columns(*values):
    return np.array(values, dtype=np.int64)


def document(mentions, *, name="d", entity=None, **fields):
    """Return a document of WORDS with mentions (first, last), each an entity of its own."""
    first, last = (columns(*(x[at] for x in mentions)) for at in (0, 1))
    entity = range(len(mentions)) if entity is None else entity
    names = fields.pop("entity_names", list(range(max(entity, default=-1) + 1)))
    tokens = Tokens(WORDS, columns(*[0] * 5, *[1] * 4))
    kept = {"tokens": tokens} | fields
    return Document(name, Spans(first, last), columns(*entity), names, **kept)


def counted(lost):
    """Return {what: count} of the sentences of a writer."""
    return {what: int(number) for what, _, number in (x.rpartition(": ") for x in lost)}


def in_words(mentions, words, between):
    """Return mentions of characters as words, for words with one character between them.

    Written out: word by word, where each begins and ends in the text.
    """
    word_at, at = {}, 0
    for number, word in enumerate(words):
        for _ in word:
            word_at[at] = number
            at += 1
        at += len(between)
    return [tuple(dict.fromkeys(word_at[x] for x in own if x in word_at)) for own in mentions]


def partition(document, words=None):
    """Return the entities as a multiset of multisets; of characters as words where given."""
    return Counter(
        tuple(sorted(in_words(mentions, words, " ") if words else mentions))
        for mentions in mentions_of(document).values()
    )


def without_gaps(partitioned):
    return Counter(
        {
            tuple(sorted(tuple(range(x[0], x[-1] + 1)) for x in mentions)): count
            for mentions, count in partitioned.items()
        }
    )


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_format_as_every_other(tmp_path, name, format):
    sample = SAMPLES[name]
    documents = read(put(sample, tmp_path), **sample.options).documents
    target = target_of(tmp_path, format)
    if not isinstance(documents[0].mentions, Spans):
        with pytest.raises(ValueError, match=NO_SPANS):
            write(documents, target, format)
        return
    no_words = documents[0].tokens is None
    if no_words and format not in ("conll-2012", "corefud", "conll-ua", "jsonlines"):
        with pytest.raises(ValueError, match=f"document .*{NO_WORDS}, and {format} has"):
            write(documents, target, format)
        assert not target.exists()
        return
    lost = counted(write(documents, target, format))
    back = read(target, read_as(format)).documents
    assert len(back) == len(documents)
    for before, after in zip(documents, back, strict=True):
        words = before.tokens.words if format in OF_CHARACTERS else None
        wanted = partition(before)
        if "discontinuous mentions, written from first to last token" in lost:
            wanted = without_gaps(wanted)
        assert partition(after, words) == wanted
        if format == "fastcoref":
            assert AS_TEXT in lost
        elif format != "brat":
            assert list(after.tokens.words if after.tokens else WORDS) == list(
                before.tokens.words
                if before.tokens
                else (after.tokens.words if after.tokens else WORDS)
            )
    renamed = "documents that are called otherwise by the name of their file"
    assert (Counter(x.name for x in back) == Counter(x.name for x in documents)) or (
        lost[renamed] > 0
    )


#: What a document may have, the field of the catalogue, and the sentence of its loss.
KINDS = {
    "gaps": ("gaps", "discontinuous mentions, written from first to last token"),
    "zeros": ("zeros", "empty nodes, written as words"),
    "split antecedents": ("split_antecedents", "entities whose split antecedents are left out"),
}


def with_kind(kind):
    plain = document([(0, 0), (2, 3), (5, 5)])
    if kind == "gaps":
        spans = Spans(
            columns(0, 2, 5),
            columns(0, 4, 5),
            token_ends=columns(0, 1, 3, 4),
            tokens=columns(0, 2, 4, 5),
        )
        return replace(plain, mentions=spans)
    if kind == "zeros":
        empty = np.array([word == "it" for word in WORDS])
        return replace(plain, tokens=replace(plain.tokens, empty=empty))
    return replace(plain, antecedents={2: (0, 1)})


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_catalogue_says_is_held_comes_back_and_the_rest_is_counted(
    tmp_path, kind, format
):
    one = with_kind(kind)
    field, sentence = KINDS[kind]
    target = target_of(tmp_path, format)
    lost = counted(write([one], target, format))
    (back,) = read(target, read_as(format))
    if not getattr(CATALOGUE[format], field):
        assert lost[sentence] == 1
        return
    assert sentence not in lost
    if kind == "gaps":
        words = WORDS if format in OF_CHARACTERS else None
        assert partition(back, words) == partition(one)
        assert back.mentions.token_ends is not None
    elif kind == "zeros":
        assert back.tokens.empty.tolist() == one.tokens.empty.tolist()
    else:
        assert len(back.antecedents) == 1


@pytest.mark.parametrize("format", WRITABLE)
def test_columns_of_tokens_are_held_or_counted(tmp_path, format):
    plain = document([(0, 0)])
    phrases = ["(TOP*", "*", "*", "*", "*)", "(TOP*", "*", "*", "*)"]
    tags = ["NNP", "VBD", "PRP$", "NN", ".", "PRP", "VBD", "PRP", "."]
    parents = columns(1, -1, 3, 1, 1, 6, -1, 6, 6)
    lemmas = [word.lower() for word in WORDS]
    held = {
        "tags": replace(plain.tokens, tags=tags),
        "phrases": replace(plain.tokens, tags=tags, parse=phrases),
        "parents": replace(plain.tokens, parents=parents),
        "lemmas": replace(plain.tokens, columns={"LEMMA": lemmas}),
    }
    left_out = {
        "tags": "tokens whose part of speech is left out",
        "phrases": "tokens whose brackets of phrases (parse) are left out",
        "parents": "tokens whose governor (dependency) is left out",
        "lemmas": "values of the column LEMMA, left out",
    }
    of_format = {
        "conll-2012": {"phrases"},
        "corefud": {"tags", "parents", "lemmas"},
        "conll-ua": {"tags", "parents", "lemmas"},
    }.get(format, set())
    for what, tokens in held.items():
        folder = tmp_path / what
        folder.mkdir()
        target = target_of(folder, format)
        lost = counted(write([replace(plain, tokens=tokens)], target, format))
        if what not in of_format:
            assert lost[left_out[what]] == 9, what
            continue
        assert left_out[what] not in lost
        (back,) = read(target, format)
        if what == "tags":
            assert list(back.tokens.tags) == tags
        elif what == "phrases":
            assert (list(back.tokens.tags), list(back.tokens.parse)) == (tags, phrases)
        elif what == "parents":
            assert back.tokens.parents.tolist() == parents.tolist()
        else:
            assert list(back.tokens.columns["LEMMA"]) == lemmas


@settings(max_examples=60, deadline=None)
@given(
    spans=st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(0, 3)), max_size=8
    ),
    words=st.lists(
        st.text(st.sampled_from('ab "\\#é\U0001f600\u2028\t<&|(-_'), max_size=3),
        min_size=9,
        max_size=9,
    ),
    breaks=st.sets(st.integers(1, 8), max_size=3),
    format=st.sampled_from(WRITABLE),
)
def test_random_documents_come_back_or_the_loss_is_told(
    tmp_path_factory, spans, words, breaks, format
):
    codes = {}
    rows = [(min(a, b), max(a, b)) for a, b, _ in spans]
    entity = [codes.setdefault(x, len(codes)) for _, _, x in spans]
    sentence = columns(*np.cumsum([at in breaks for at in range(9)]))
    one = document(rows, entity=entity, tokens=Tokens(words, sentence))
    target = target_of(tmp_path_factory.mktemp("write"), format)
    lost = counted(write([one], target, format))
    options = {"ends": "inclusive"} if format == "jsonlines" else {}
    (back,) = read(target, read_as(format), **options)
    changed = [what for what in lost if "in place of these" in what]
    if format not in OF_CHARACTERS and not changed:
        assert list(back.tokens.words) == words
    moved = [what for what in lost if "read back as" in what or "two sentences" in what]
    if moved:
        return
    if format not in OF_CHARACTERS:
        assert partition(back) == partition(one)
    elif not changed and not any(set(word) & {" ", "\t", "\u2028"} for word in words):
        assert partition(back, words) == partition(one)
    if format not in ("scico", *OF_CHARACTERS) and not changed:
        assert back.tokens.sentence.tolist() == sentence.tolist()


# ---- the forms of files, written out -----------------------------------------------

ANN = document([(0, 0), (2, 2), (2, 3), (5, 5), (7, 7)], entity=[0, 0, 1, 1, 2])


def record(tmp_path, format, one=ANN):
    target = tmp_path / "x.jsonl"
    assert write([one], target, format) == () or format in ("fastcoref", "scico")
    return json.loads(target.read_text(encoding="utf-8"))


def test_wl_coref(tmp_path):
    one = replace(ANN, name="(a/b); part 003")
    assert record(tmp_path, "wl-coref", one) == {
        "document_id": "a/b",
        "part_id": 3,
        "cased_words": WORDS,
        "sent_id": [0] * 5 + [1] * 4,
        "span_clusters": [[[0, 1], [2, 3]], [[2, 4], [5, 6]], [[7, 8]]],
    }
    (back,) = read(tmp_path / "x.jsonl")
    assert back.name == "(a/b); part 003"
    assert back.tokens.sentence.tolist() == [0] * 5 + [1] * 4


def test_wl_coref_before_heads_has_exclusive_ends_in_clusters(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(
        json.dumps({"document_id": "d", "cased_words": WORDS, "clusters": [[[2, 4], [5, 6]]]})
    )
    documents = read(path)
    assert mentions_of(documents.documents[0]) == {0: [(2, 3), (5,)]}
    assert "as files with 'cased_words' have them" in documents.notes[0]


def test_fastcoref(tmp_path):
    assert record(tmp_path, "fastcoref") == {
        "doc_key": "d",
        "text": "Ann met her son . He left it .",
        "clusters": [[[0, 3], [8, 11]], [[8, 15], [18, 20]], [[26, 28]]],
        "clusters_strings": [["Ann", "her"], ["her son", "He"], ["it"]],
    }


def test_preco(tmp_path):
    assert record(tmp_path, "preco") == {
        "id": "d",
        "sentences": SENTENCES,
        "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [1, 0, 1]], [[1, 2, 3]]],
    }


def test_preco_has_no_place_for_mentions_over_the_end_of_a_sentence(tmp_path):
    one = document([(3, 5), (7, 7), (0, 1)], entity=[0, 0, 1])
    assert write([one], tmp_path / "x.jsonl", "preco") == (
        "mentions of words of two sentences, left out: 1",
    )
    (back,) = read(tmp_path / "x.jsonl")
    assert mentions_of(back) == {0: [(7,)], 1: [(0, 1)]}


def test_scico(tmp_path):
    one = replace(ANN, entity_names=[7, 2, 9])
    assert record(tmp_path, "scico", one) == {
        "id": "d",
        "flatten_tokens": WORDS,
        "flatten_mentions": [[0, 0, 7], [2, 2, 7], [2, 3, 2], [5, 5, 2], [7, 7, 9]],
    }
    (back,) = read(tmp_path / "x.jsonl")
    assert list(back.entity_names) == [7, 2, 9]


def test_brat(tmp_path):
    one = replace(ANN, attributes={"type": ["PER", "", "a b", "PER", "x"]})
    lost = write([one], tmp_path / "d.ann", "brat")
    assert counted(lost) == {
        "documents whose words are written as a text, with blanks between them": 1,
        "types of mentions with blanks or semicolons, left out": 1,
    }
    assert (tmp_path / "d.txt").read_text() == TEXT.rstrip()
    assert (tmp_path / "d.ann").read_text().splitlines() == [
        "T1\tPER 0 3\tAnn",
        "T2\tMention 8 11\ther",
        "T3\tMention 8 15\ther son",
        "T4\tPER 18 20\tHe",
        "T5\tx 26 28\tit",
        "*\tCoreference T1 T2",
        "*\tCoreference T3 T4",
    ]


def test_litbank(tmp_path):
    one = replace(
        ANN,
        entity_names=["Ann-0", "son 1", "it"],
        attributes={"category": ["PER"] * 4 + [""], "form": ["PROP"] * 5},
    )
    assert write([one], tmp_path / "d.ann", "litbank") == ()
    assert (tmp_path / "d.txt").read_text() == TEXT
    assert (tmp_path / "d.ann").read_text().splitlines() == [
        "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
        "MENTION\tT2\t0\t2\t0\t2\ther\tPER\tPROP",
        "MENTION\tT3\t0\t2\t0\t3\ther son\tPER\tPROP",
        "MENTION\tT4\t1\t0\t1\t0\tHe\tPER\tPROP",
        "MENTION\tT5\t1\t2\t1\t2\tit\t_\tPROP",
        "COREF\tT1\tAnn-0",
        "COREF\tT2\tAnn-0",
        "COREF\tT3\tson 1",
        "COREF\tT4\tson 1",
        "COREF\tT5\tit",
    ]
    (back,) = read(tmp_path / "d.ann")
    assert back.attributes == one.attributes


@pytest.mark.parametrize("format", STANDOFF)
def test_several_documents_go_into_a_folder(tmp_path, format):
    none = document([], name="(a/b); part 001")
    documents = [ANN, none, replace(ANN, name="D"), replace(none, name="../../x")]
    lost = counted(write(documents, tmp_path / "out", format))
    assert lost["documents that are called otherwise by the name of their file"] == 3
    files = sorted(x.name for x in (tmp_path / "out").iterdir())
    stems = ["D_2", "a_b_1", "d", "x"]
    assert files == [f"{stem}.{ending}" for stem in stems for ending in ("ann", "txt")]
    assert [x.name for x in tmp_path.iterdir()] == ["out"]
    back = read(tmp_path / "out")
    assert (back.format, [len(x) for x in back]) == (format, [5, 0, 5, 0])
    assert "files without annotations, read as no mentions: 2" in back.notes


@pytest.mark.parametrize("format", STANDOFF)
def test_files_that_are_there_are_not_overwritten(tmp_path, format):
    (tmp_path / "d.txt").write_text("another text")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for documents, name, said in (
        ([ANN], "d.ann", r"d\.txt is there and holds another text"),
        ([ANN, replace(ANN, name="e")], "e.ann", "'e' is a second document"),
        ([], "e.ann", "no document to write"),
        ([], "folder", "no document to write"),
        ([ANN], "full", "no empty folder"),
        ([ANN], "d.txt", "no empty folder"),
        ([ANN], "d.ann.gz", "are not compressed"),
        ([ANN, replace(ANN, name="e", tokens=None)], "folder", NO_WORDS),
    ):
        with pytest.raises(ValueError, match=said):
            write(documents, tmp_path / name, format)
        assert sorted(x.name for x in tmp_path.iterdir()) == ["d.txt", "full"]
    assert (tmp_path / "d.txt").read_text() == "another text"


@pytest.mark.parametrize("format", ["conll-2012", "corefud", "conll-ua", "jsonlines"])
def test_a_text_that_is_not_kept_is_counted(tmp_path, format):
    for name in ("a", "b"):
        (tmp_path / f"{name}.ann").write_text("T1\tX 0 3\tAnn\n*\tSame T1\n")
    (tmp_path / "a.txt").write_text("Ann saw her.")
    (tmp_path / "c.jsonl").write_text('{"text": "Ann saw her.", "clusters": [[[0, 3]]]}\n' * 2)
    (tmp_path / "d.jsonl").write_text('{"sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    lost = {}
    for source in ("a.ann", "b.ann", "c.jsonl", "d.jsonl"):
        documents = read(tmp_path / source)
        lost[source] = counted(write(documents, tmp_path / f"{source}.out", format))
    what = "documents whose text, of which mentions count characters, is not kept"
    assert {source: x.get(what, 0) for source, x in lost.items()} == {
        "a.ann": 1,
        "b.ann": 0,  # there is none to keep
        "c.jsonl": 2,
        "d.jsonl": 0,
    }


@pytest.mark.parametrize(
    ("format", "said"),
    [
        ("brat", "brat has a text of words"),
        ("fastcoref", "fastcoref has a text of words"),
        ("litbank", "litbank has mentions of words"),
    ],
)
def test_positions_of_characters_without_words_are_refused(tmp_path, format, said):
    (tmp_path / "c.jsonl").write_text('{"text": "Ann saw her.", "clusters": [[[0, 3]]]}')
    with pytest.raises(ValueError, match=f"no words, only positions of characters, and {said}"):
        write(read(tmp_path / "c.jsonl"), target_of(tmp_path, format), format)


@pytest.mark.parametrize("format", WRITABLE)
def test_half_of_a_character_is_refused(tmp_path, format):
    tokens = replace(ANN.tokens, words=["\ud83d", *WORDS[1:]])
    with pytest.raises(ValueError, match=r"document 'd': .*U\+D83D, which is half") as error:
        write([replace(ANN, tokens=tokens)], target_of(tmp_path, format), format)
    assert not isinstance(error.value, UnicodeError)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("format", ["conll-2012", "corefud", "conll-ua"])
def test_words_that_are_not_there_are_not_written_without_end(tmp_path, format):
    far = document([(0, 10**15)], tokens=None)
    with pytest.raises(ValueError, match="document 'd': it has no words, and a mention ends"):
        write([far], tmp_path / "x", format)


@pytest.mark.parametrize(
    ("row", "name", "unread"),
    [
        ("d 0 {} {} NN (NP*) lemma 01 - speaker (PER) (0)", "conll-2012", "7, 8, 10, 11"),
        ("d 0 {} {} NN (NP*) - - - - * (0)", "conll-2012", None),
        ("d 0 {} {} NN (0)", "conll-2012", "5"),
        ("{1} {0} lemma _ NN _ f=x _ 0 _ nsubj (0)", "semeval-2010", "3, 7, 11"),
    ],
)
def test_the_command_tells_columns_that_are_not_read(tmp_path, capsys, row, name, unread):
    rows = "\n".join(row.format(1, "w") for _ in range(1))
    source = tmp_path / "x.txt"
    source.write_text(f"#begin document d\n{rows}\n#end document\n")
    target = tmp_path / "x.jsonl"
    assert main(["convert", str(source), str(target), "--from", name]) == 0
    said = capsys.readouterr().err
    assert (f"columns of words that are not read: {unread}\n" in said) == (unread is not None)
    assert ("not read" in said) == (unread is not None)


def test_the_command_writes_folders_and_refuses_standard_output(tmp_path, capsys):
    source = put(SAMPLES["conll-2012"], tmp_path)
    for format in STANDOFF:
        out = tmp_path / format
        assert main(["convert", str(source), str(out), "--to", format]) == 0
        assert "called otherwise by the name of their file: 2" in capsys.readouterr().err
        assert len([*out.iterdir()]) == 4
        assert main(["convert", str(source), "-", "--to", format]) == 2
        assert "is two files" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "litbank"), str(tmp_path / "x.conll")]) == 0
    (one, _) = read(tmp_path / "x.conll")
    assert mentions_of(one) == {k: v for k, v in SAMPLES["conll-2012"].entities[0].items()}


def test_a_file_that_is_converted_onto_itself_tells_what_was_in_it(tmp_path, capsys):
    path = tmp_path / "a.conll"
    rows = ["d 0 0 Ann NN * - - - Ann1 * (1)", "d 0 1 won VB * - - - Ann1 * -"]
    path.write_text("\n".join(["#begin document (d); part 000", *rows, "", "#end document\n"]))
    other = tmp_path / "b.conll"
    assert main(["convert", str(path), str(other)]) == 0
    apart = capsys.readouterr().err.replace(str(other), str(path))
    assert main(["convert", str(path), str(path)]) == 0
    assert capsys.readouterr().err == apart
    assert "columns of words that are not read: 10" in apart


@pytest.mark.parametrize("format", ["brat", "litbank"])
def test_documents_of_conll_are_known_again_by_the_names_of_their_files(tmp_path, format):
    rows = "d 0 0 Ann (1)\nd 0 1 won -\nd 0 2 Ann (1)"
    path = tmp_path / "a.conll"
    path.write_text(
        "".join(
            f"#begin document (doc); part 00{part}\n{rows}\n#end document\n" for part in (0, 1)
        )
    )
    folder = tmp_path / "out"
    write(read(path), folder, format)
    scores = score(path, folder) if format == "litbank" else None
    assert sorted(file.stem for file in folder.glob("*.ann")) == ["doc_0", "doc_1"]
    if scores is not None:
        assert scores["muc"].f1 == 1
        assert "documents-paired" in {note.code for note in scores.input_report.notes}


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("where", ["word", "name"])
def test_a_nul_is_written_by_json_alone(tmp_path, format, where):
    word, name = ("b\0c", "d") if where == "word" else ("b", "d\0")
    lines = [json.dumps({"doc_key": name, "tokens": ["a", word], "clusters": [[[0, 0]]]})]
    documents = read(lines)
    path = tmp_path / "out"
    if format in ("jsonlines", "wl-coref", "fastcoref", "preco", "scico"):
        write(documents, path, format)
        assert "\0" not in path.read_text()
        return
    if where == "name" and format in ("brat", "litbank"):
        return  # it is a name of files there
    said = "token 1 .'b.x00c'. holds a NUL" if where == "word" else "it holds a NUL character"
    with pytest.raises(ValueError, match=rf"document 'd.*': {said}"):
        write(documents, path, format)
    assert not path.exists()
