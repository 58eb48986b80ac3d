"""Files of documents: what is read, what is refused, and with which words."""

import gzip
import itertools
import json
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cases
import partwise as pw
from partwise.cli import main
from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats import conll_2012
from partwise.coreference.formats.files import whole_documents

SHARED = cases.SHARED / "data" / "coref"
CASES = cases.SHARED / "reference" / "bugs" / "coref-bug-cases.json"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the corpora beside the repository are not here"
)


def conll(*columns, name="(d); part 000", end="#end document\n"):
    """Return a document with these coreference columns; "" is a sentence break."""
    lines = [f"#begin document {name}"]
    for number, column in enumerate(columns):
        lines.append(f"d\t0\t{number}\tw{number}\t{column}" if column else "")
    return "\n".join([*lines, end])


def entities(document):
    """Return {entity: [(first, last), ...]} in the order of the file."""
    found = {}
    spans = document.mentions
    for first, last, entity in zip(spans.first, spans.last, document.entity, strict=True):
        found.setdefault(document.entity_names[entity], []).append((int(first), int(last)))
    return found


def partition(document):
    return {frozenset(mentions) for mentions in entities(document).values()}


def naive(text):
    """Return [(name, {entity: [span, ...]}, words, sentences)], line by line."""
    found = []
    for line in text.splitlines():
        if line.startswith("#begin document"):
            name, mentions, waiting, words, sentence = line[15:].strip(), {}, {}, [], [0]
            sentences = []
        elif line.startswith("#end document"):
            found.append((name, mentions, words, sentences))
        elif not line.strip():
            sentence[0] += bool(words) and sentences[-1] == sentence[0]
        else:
            fields = line.split()
            token = len(words)
            words.append(fields[3])
            sentences.append(sentence[0])
            for part in fields[-1].split("|") if fields[-1] != "-" else []:
                entity = part.strip("()")
                if part.startswith("("):
                    mentions.setdefault(entity, []).append([token, token])
                    waiting.setdefault(entity, []).append(mentions[entity][-1])
                if part.endswith(")"):
                    waiting[entity].pop()[1] = token
    return found


@pytest.fixture
def write(tmp_path):
    def _write(content, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return _write


@pytest.fixture
def read(write):
    return lambda content, **options: pw.coreference.read(write(content), **options)


# ---- corpora -----------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("side", ["key", "head"])
def test_litbank_is_the_same_from_both_formats(side):
    of_conll, of_json = (
        pw.coreference.read(SHARED / "litbank" / f"litbank.{side}.{ending}")
        for ending in ("conll", "jsonlines")
    )
    assert (of_conll.format, of_json.format) == ("conll-2012", "jsonlines")
    assert len(of_conll) == 12
    for a, b in zip(of_conll, of_json, strict=True):
        assert a.name == b.name
        assert len(a) == len(b)
        assert partition(a) == partition(b)


@needs_shared
def test_litbank_agrees_with_a_naive_reader():
    path = SHARED / "litbank" / "litbank.key.conll"
    documents = pw.coreference.read(path)
    for document, (name, mentions, words, sentences) in zip(
        documents, naive(path.read_text()), strict=True
    ):
        assert document.name == name
        assert entities(document) == {e: list(map(tuple, m)) for e, m in mentions.items()}
        assert list(document.tokens.words) == words
        assert document.tokens.sentence.tolist() == sentences


@needs_shared
def test_paths_are_scored_as_their_documents_are():
    key, response = (SHARED / "perl_text" / f"{side}.conll" for side in ("key", "response"))
    scores = pw.coreference.score(key, response)
    assert (
        scores["muc"].f1
        == pw.coreference.score(pw.coreference.read(key), pw.coreference.read(response))[
            "muc"
        ].f1
    )


@needs_shared
def test_small_official_layout():
    documents = pw.coreference.read(SHARED / "perl_text" / "key.conll")
    letters, harbour = documents
    assert letters.name == "(letters); part 000"
    assert entities(letters) == {"0": [(0, 0), (3, 3)], "1": [(4, 4), (6, 6)], "2": [(8, 9)]}
    assert letters.mentions.line.tolist() == [2, 5, 6, 9, 11]
    assert letters.tokens.sentence.tolist() == [0] * 6 + [1] * 5
    assert harbour.tokens.words[2] == "boat"
    assert documents.notes == ()


@needs_shared
def test_litbanks_own_layout_has_an_empty_last_column(read):
    path = SHARED / "litbank" / "original_layout_sample.conll"
    with pytest.raises(
        ValueError, match=r"sample\.conll:15: .* entity '4' is opened at token 13"
    ):
        pw.coreference.read(path)  # the sample stops within a mention
    documents = read(path.read_text().replace("(4\n", "(4)\n"))
    (document,) = documents
    assert entities(document)["4"] == [(13, 13)]
    assert len(document.tokens) == 14
    assert documents.notes[0].startswith("tokens with an empty last column")


# ---- CoNLL-2012 --------------------------------------------------------------------


def test_layouts_of_the_same_document_are_the_same(read, write):
    tabs = conll("(1|(2)", "-", "1)", "", "(2)", "_")
    want = {"1": [(0, 2)], "2": [(0, 0), (3, 3)]}
    layouts = [
        tabs,
        tabs.replace("\t", "   "),
        tabs.replace("\t0\t", " 0  "),
        tabs.replace("\n", "\r\n"),
        "\ufeff" + tabs,
        tabs.replace("\t-", "\t"),
        tabs.replace("\t_", "\t- "),
        tabs.replace("|", ""),
        tabs.replace("part 000", "part 000  "),
        tabs.removesuffix("\n"),
        "\n\n" + tabs + "\n\n",
        tabs.replace("\n\n", "\n \n"),
    ]
    for text in layouts:
        (document,) = read(text)
        assert document.name == "(d); part 000"
        assert entities(document) == want, text
        assert document.tokens.sentence.tolist() == [0, 0, 0, 1, 1], text
        assert list(document.tokens.words) == ["w0", "w1", "w2", "w4", "w5"], text
    (document,) = pw.coreference.read(write(gzip.compress(tabs.encode()), "f.conll.gz"))
    assert entities(document) == want


def test_brackets_without_bars_nest(read):
    (document,) = read(conll("(1(1", "-", "1)1)"))
    assert entities(document) == {"1": [(0, 2), (0, 2)]}
    (document,) = read(conll("(1", "(1", "1)", "1)"))
    assert entities(document) == {"1": [(0, 3), (1, 2)]}
    (document,) = read(conll("(1", "(2", "1)", "2)"))  # of two entities, they may cross
    assert entities(document) == {"1": [(0, 2)], "2": [(1, 3)]}


def test_words_that_look_like_brackets(read):
    lines = [f"d   0   {i}   (99)   {column}" for i, column in enumerate(["(0)", "-", "(0)"])]
    (document,) = read("\n".join(["#begin document d", *lines, "#end document"]))
    assert entities(document) == {"0": [(0, 0), (2, 2)]}
    assert document.tokens.words[1] == "(99)"


def test_entities_that_end_like_no_mention(read):
    (document,) = read(conll("(a_", "(b-", "b-)", "a_)"))
    assert entities(document) == {"a_": [(0, 3)], "b-": [(1, 2)]}


def test_comments_are_counted_and_words_are_not_comments(read):
    documents = read(conll("(1)").replace("\nd", "\n# a remark\nd"))
    assert documents.notes == (
        "lines that begin with # and hold no tab, skipped as comments: 1",
    )
    (document,) = read("#begin document d\n#\t(1)\nx\t-\n#end document\n")
    assert entities(document) == {"1": [(0, 0)]}
    assert list(document.tokens.words) == ["#", "x"]


def test_no_mentions_no_tokens_and_names_twice(read):
    documents = read(conll("-") + conll(name="(e); part 1") + conll("(0)") + conll("(0)"))
    assert [document.name for document in documents][2:] == ["(d); part 000"] * 2
    assert [len(document) for document in documents] == [0, 0, 1, 1]
    assert [len(document.tokens) for document in documents] == [1, 0, 1, 1]
    with pytest.raises(ValueError, match="stands twice"):
        pw.coreference.score(documents, documents)


FAULTS = {
    "cut off": (conll("(0)", end=""), ":1: document .* no #end document up to the end"),
    "end lacks": (
        conll("(0)", end="") + conll("(0)"),
        ":1: document .* no #end document before line 3",
    ),
    "end alone": (
        "#begin document d\n#end document\n#end document\n",
        ":3: #end document without",
    ),
    "outside": (conll("-") + "d\t0\t0\tw\t(0)\n" + conll("-"), ":4: a token outside"),
    "wrong column": (conll("-", "word"), ":3: document .* last column is 'word'"),
    "line cut": (conll("-", "(1"), ":3: document .* entity '1' is opened at token 1 and never"),
    "not open": (conll("-", "", "0)"), ":4: document .* entity '0' is closed at token 1 but"),
    "closed twice": (conll("(0", "0)", "0)"), ":4: document .* closed at token 2"),
    "not over documents": (conll("(0") + conll("0)"), ":2: document .* never closed"),
    "split": (conll("(0+1)"), ":2: document .* two antecedents"),
    "missing value": (conll("(nan)"), ":2: document .* missing value"),
    "one column": (
        "#begin document d\n(0)\n#end document\n",
        ":2: document 'd': one column only",
    ),
    "shifted": (conll("-", "(0)\t"), ":3: document .* the last column is empty"),
    "shifted, blanks": (conll("-", "(0)\t  "), ":3: document .* the last column is empty"),
    "odd brackets": (conll("(0)x"), ":2: document .* last column is"),
    "bars only": (conll("|"), ":2: document .* last column is"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_conll_name_line_and_document(read, name):
    text, message = FAULTS[name]
    for content in (text, text.replace("\n", "\r\n")):
        with pytest.raises(ValueError, match=r"file\.txt" + message):
            read(content, format="conll-2012")


def test_every_truncation_within_a_document_is_refused(write):
    text = conll("(0", "(1)", "0)") + "\n" + conll("(2)", "-")
    end = text.index("#end document") + len("#end document")
    for cut in range(1, len(text)):
        path = write(text[:cut])
        rest = text[end:cut].strip() if cut >= end else None
        if rest in ("", "#") or text[:cut].endswith("#end document"):
            documents = pw.coreference.read(path, format="conll-2012")
            assert len(documents) == text[:cut].count("#end document")
            assert bool(documents.notes) == (rest == "#")
        else:
            with pytest.raises(ValueError, match=r"file\.txt:"):
                pw.coreference.read(path, format="conll-2012")


@st.composite
def documents(draw):
    text = []
    for number in range(draw(st.integers(1, 4))):
        n = draw(st.integers(1, 12))
        columns = [[] for _ in range(n)]
        spans = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 3))
        for a, b, entity in draw(st.lists(spans, max_size=6)):
            a, b = min(a, b), max(a, b)
            if a == b:
                columns[a].append(f"({entity})")
            else:
                columns[a].append(f"({entity}")
                columns[b].insert(0, f"{entity})")
        rows = ["|".join(column) or "-" for column in columns]
        for at in sorted(draw(st.sets(st.integers(0, n - 1), max_size=2)), reverse=True):
            rows.insert(at, "")
        text.append(conll(*rows, name=f"(d{number}); part 0"))
    return "".join(text)


@settings(max_examples=40, deadline=None)
@given(text=documents(), size=st.integers(20, 200))
def test_pieces_of_any_size_read_as_line_by_line(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("conll") / "x.conll"
    path.write_text(text)
    pieces = list(whole_documents(path, (b"#end document",), size))
    assert b"".join(data for data, _ in pieces) == text.encode()
    before = conll_2012.PIECE
    conll_2012.PIECE = size
    try:
        found = list(pw.coreference.read(path))
    finally:
        conll_2012.PIECE = before
    lines = text.splitlines()
    for document, (name, mentions, words, sentences) in zip(found, naive(text), strict=True):
        assert document.name == name
        assert entities(document) == {e: list(map(tuple, m)) for e, m in mentions.items()}
        assert list(document.tokens.words) == words
        assert document.tokens.sentence.tolist() == sentences
        for first, line in zip(document.mentions.first, document.mentions.line, strict=True):
            assert lines[line - 1].split()[3] == words[first]


def test_large_files(write):
    n = 200_000
    body = "".join(f"d\t0\t{i}\tw\t{'(7)' if i % 4 == 0 else '-'}\n" for i in range(n))
    (document,) = pw.coreference.read(
        write(f"#begin document (d); part 0\n{body}#end document\n")
    )
    assert len(document.tokens) == n
    assert document.mentions.first.tolist() == list(range(0, n, 4))
    many = "".join(conll("(0)", "-", "(0)", name=f"({i}); part 0") for i in range(20_000))
    stream = pw.coreference.iter_documents(write(many))
    assert sum(len(document) for document in stream) == 40_000


# ---- JSON lines --------------------------------------------------------------------


def record(clusters, **fields):
    return json.dumps({"doc_key": "d", "clusters": clusters, **fields})


def test_ends_are_told_proved_or_by_default(read):
    wide = record([[[0, 1], [3, 5]]], sentences=[["a", "b"], ["c", "d", "e", "f"]])
    documents = read(wide)
    assert entities(documents.documents[0]) == {0: [(0, 1), (3, 5)]}
    assert "by default" in documents.notes[0]
    assert documents.documents[0].tokens.sentence.tolist() == [0, 0, 1, 1, 1, 1]
    (document,) = read(wide, ends="exclusive")
    assert entities(document) == {0: [(0, 0), (3, 4)]}
    documents = read(record([[[0, 1], [3, 6]]], tokens=list("abcdef")))
    assert entities(documents.documents[0]) == {0: [(0, 0), (3, 5)]}
    assert documents.notes == ("ends of mentions taken as exclusive, as the file proves",)
    documents = read(wide + "\n" + record([[[2, 2]]], doc_key="e"))
    assert "inclusive, as the file proves" in documents.notes[0]


def test_fields_of_json_lines(read):
    documents = read(record([[[1, 1]], []]) + "\n\n" + record([], doc_key="e"))
    assert [len(document) for document in documents] == [1, 0]
    assert documents.notes[1:] == ("entities without mentions, left out: 1",)
    line = record([[[1, 1]]], predicted_clusters=[[[2, 2]]])
    with pytest.raises(ValueError, match=r":1: document 'd': both 'clusters' and"):
        read(line)
    (document,) = read(line, clusters="predicted_clusters")
    assert entities(document) == {0: [(2, 2)]}
    (document,) = read('{"doc_key": "d", "predicted_clusters": [[[2, 2]]]}')
    assert entities(document) == {0: [(2, 2)]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (record([[[0, 0]]]) + '\n{"doc_key": "e", "clus', ":2: not JSON"),
        ("[1]", ":1: a JSON list"),
        ('{"doc_key": "d"}', ":1: document 'd': no 'clusters'"),
        (record({"a": 1}), "a list of entities is expected"),
        (record([3]), "entity 0 of 'clusters' is 3"),
        (record([[[1, 2, 3]]]), "not a pair of whole numbers"),
        (record([[[1, 2.5]]]), "not a pair of whole numbers"),
        (record([[[1, True]]]), "not a pair of whole numbers"),
        (record([[[float("nan"), 2]]]), "not a pair of whole numbers"),
        (record([[[1, 2**70]]]), "more than 64 bits"),
        (record([[[0, 0]], [[3, 2]]]), r"\[3, 2\] of entity 1 ends before it begins"),
        (record([[[-1, 0], [0, 0]]]), r"\[-1, 0\] of entity 0 .* begins before token 0"),
        (record([[[0, 0], [1, 2]]], tokens=["a", "b"]), "beyond the document's 2 tokens"),
    ],
)
def test_faults_of_json_lines(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text, format="jsonlines")


def test_exclusive_ends_refuse_empty_mentions(read):
    with pytest.raises(ValueError, match=r"the mention \[2, 2\] of entity 0 ends before"):
        read(record([[[2, 2]]]), ends="exclusive")


# ---- CoNLL-U with Entity -----------------------------------------------------------


def corefud(*rows, fields="eid-etype-head-other", start="# newdoc id = d\n"):
    """Return a document from rows "id Entity" ("" ends a sentence)."""
    lines = [f"{start}# global.Entity = {fields}"]
    for row in rows:
        number, _, entity = row.partition(" ")
        misc = f"Entity={entity}" if entity else "_"
        lines.append(f"{number}\tw{number}" + "\t_" * 7 + f"\t{misc}" if row else "")
    return "\n".join(lines) + "\n\n"


@needs_shared
@pytest.mark.parametrize("response", ["head", "string"])
@pytest.mark.parametrize("how", ["exact", "head", "partial"])
def test_gum_has_the_scores_of_its_own_scorer(response, how):
    folder = SHARED / "gum"
    want = json.loads((folder / "reference_scores.json").read_text())
    want = want[f"{response}|{how}|without_singletons"]
    key = pw.coreference.read(folder / "gum.key.conllu")
    assert (key.format, key.notes) == ("corefud", ())
    assert (len(key), sum(map(len, key))) == (4, 1178)
    scores = pw.coreference.score(
        key, folder / f"gum.{response}.conllu", convention="corefud-1.2", mentions=how
    )
    for ours, theirs in (("muc", "muc"), ("b_cubed", "bcub"), ("ceaf_e", "ceafe")):
        found = scores[ours]
        for name, value in (("rn", found.recall_numerator), ("rd", found.recall_denominator)):
            assert float(value) == pytest.approx(want[theirs][name], rel=1e-9)
        assert found.f1 == pytest.approx(want[theirs]["f"], rel=1e-9)


def test_mentions_of_conll_u(read):
    rows = ["1 (e1-person-2-x:y-z(e2-place", "2 e1)e2)", "3 (e1-person)", "", "1 (e3", "2 e3)"]
    documents = read(corefud(*rows))
    (document,) = documents
    assert entities(document) == {"e1": [(0, 1), (2, 2)], "e2": [(0, 1)], "e3": [(3, 4)]}
    assert document.mentions.head.tolist() == [1, 0, 2, 3]
    assert document.mentions.line.tolist() == [3, 3, 5, 7]
    assert document.mentions.minimum is None
    assert document.tokens.sentence.tolist() == [0, 0, 0, 1, 1]
    assert document.tokens.empty is None
    assert documents.notes == (
        "mentions of several words without a head, taken as the first: 2",
    )


def test_empty_nodes_are_tokens_and_heads_count_them(read):
    rows = ["0.1 (e2-x-1)", "1 (e1-x-3", "1.1 (e2-x-1)", "2 e1)"]
    (document,) = read(corefud(*rows, fields="eid-etype-head"))
    assert entities(document) == {"e2": [(0, 0), (2, 2)], "e1": [(1, 3)]}
    assert document.mentions.head.tolist() == [0, 3, 2]
    assert document.tokens.empty.tolist() == [True, False, True, False]
    assert document.tokens.ids == ["0.1", "1", "1.1", "2"]


def test_minimum_spans_count_words_only(read):
    rows = ["1 (person-e1-2,3", "1.1", "2", "3", "4 e1)", "5 (x-e2-_)"]
    documents = read(corefud(*rows, fields="etype-GRP-minspan"))
    (document,) = documents
    assert entities(document) == {"e1": [(0, 4)], "e2": [(5, 5)]}
    assert document.mentions.minimum.tolist() == [[2, 3], [5, 5]]
    assert document.mentions.head is None
    assert documents.notes == ("mentions without a minimum span, taken as whole: 1",)


def test_discontinuous_mentions(read):
    rows = ["1 (e1[1/2]-x-2", "2 e1[1/2])", "3 (e2-x-1)", "4 (e1[2/2])", "5 (e1-x-1)"]
    (document,) = read(corefud(*rows))
    spans = document.mentions
    assert entities(document) == {"e1": [(0, 3), (4, 4)], "e2": [(2, 2)]}
    parts = [spans.tokens[a:b].tolist() for a, b in itertools.pairwise(spans.token_ends)]
    assert parts == [[0, 1, 3], [2], [4]]
    assert spans.head.tolist() == [1, 2, 4]
    (whole,) = read(corefud("1 (e1-x-1", "2", "3", "4 e1)"))
    assert whole.mentions.tokens is None


def test_multiword_lines_are_no_tokens_and_sentences_may_begin_with_them(read):
    rows = ["1 (e1)", "", "1-2", "1", "2 (e1)", "", "1"]
    (document,) = read(corefud(*rows))
    assert document.tokens.sentence.tolist() == [0, 1, 1, 2]
    assert entities(document) == {"e1": [(0, 0), (2, 2)]}
    text = corefud(*rows).rstrip() + "\n" + corefud("1 (e1)", start="# newdoc id = e\n")
    one, two = read(text)  # no blank line between them
    assert one.tokens.sentence.tolist() == [0, 1, 1, 2]
    assert two.tokens.sentence.tolist() == [0]


def test_relations_of_entities_that_are_not_there_are_counted(read):
    text = corefud("1 (e1)").replace(
        "Entity=(e1)", "Bridge=e1<e2:part|Entity=(e1)|SplitAnte=e1<e2"
    )
    documents = read(text)
    assert documents.notes == (
        "split antecedents of entities without mentions, left out: 1 (the first: document 'd', "
        "line 3, 'e2')",
        "bridging references from or to a mention that is not there, left out: 1 (the first: "
        "document 'd', line 3, 'e2')",
    )
    assert entities(documents.documents[0]) == {"e1": [(0, 0)]}


FAULTS_OF_CONLL_U = {
    "no fields": (
        corefud("1 (e1)").replace("# global", "# other"),
        ":3: document 'd': Entity, but no '# global.Entity",
    ),
    "no eid": (corefud("1", fields="head-other"), ":2: global.Entity = 'head-other' has to"),
    "columns": (corefud("1") + "1\tw\n", ":5: document 'd': 2 columns"),
    "number": (corefud("one"), ":3: document 'd': 'one' is not the number"),
    "number 0": (corefud("0"), ":3: document 'd': '0' is not the number"),
    "multiword": (corefud("1-2 (e1)"), ":3: document 'd': Entity on the line of a multiword"),
    "brackets": (corefud("1 e1"), ":3: document 'd': Entity=e1 does not consist"),
    "bars": (corefud("1 ()"), ":3: document 'd': Entity=\\(\\) does not consist"),
    "lacks": (corefud("1 (x)", fields="etype-eid"), ":3: document 'd': .* lacks the field eid"),
    "not open": (corefud("1", "2 e1)"), ":4: document 'd': a mention of entity 'e1' is closed"),
    "not closed": (corefud("1 (e1", "2"), ":3: document 'd': .* 'e1' is opened and never"),
    "over documents": (
        corefud("1 (e1") + corefud("1 e1)"),
        ":3: document 'd': .* 'e1' is opened and never",
    ),
    "parts 1, 3": (corefud("1 (e1[1/3])", "2 (e1[3/3])"), ":4: .* no mention with part 2/3"),
    "parts 2": (corefud("1 (e1[2/2])"), ":3: .* no mention with part 1/2"),
    "parts 1": (corefud("1 (e1[1/2])"), ":3: .* has 1 of its 2 parts"),
    "parts 3/2": (corefud("1 (e1[3/2])"), ":3: .* part 3 of 2"),
    "head beyond": (corefud("1 (e1-x-2)"), ":3: .* head '2' of .* not among its words 1 to 1"),
    "head 0": (corefud("1 (e1-x-0)"), ":3: .* head '0'"),
    "head word": (corefud("1 (e1-x-first)"), ":3: .* head 'first'"),
    "missing value": (corefud("1 (NaN)"), ":3: .* missing value"),
}


@pytest.mark.parametrize("name", FAULTS_OF_CONLL_U)
def test_faults_of_conll_u_name_line_and_document(read, name):
    text, message = FAULTS_OF_CONLL_U[name]
    for content in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        with pytest.raises(ValueError, match=r"file\.txt" + message):
            read(content, format="corefud")


# ---- writing -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    spans=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 3)), max_size=12
    ),
    breaks=st.sets(st.integers(1, 9), max_size=3),
    format=st.sampled_from(("conll-2012", "corefud", "jsonlines", "conll-ua")),
)
def test_documents_come_back_or_the_loss_is_told(tmp_path_factory, spans, breaks, format):
    rows = [(min(a, b), max(a, b), entity) for a, b, entity in spans]
    codes = {}
    entity = [codes.setdefault(e, len(codes)) for _, _, e in rows]
    first, last = (np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1))
    sentence = np.cumsum([i in breaks for i in range(10)])
    tokens = Tokens([f"w{i}" for i in range(10)], sentence)
    entity = np.array(entity, dtype=np.int64)
    document = Document("d", Spans(first, last), entity, list(range(len(codes))), tokens)
    path = tmp_path_factory.mktemp("write") / "file"
    lost = pw.coreference.write([document], path, format)
    (found,) = pw.coreference.read(path, format)
    assert list(found.tokens.words) == list(tokens.words)
    assert found.tokens.sentence.tolist() == sentence.tolist()
    crosses = any(
        a[2] == b[2] and a[0] < b[0] < a[1] < b[1] for a, b in itertools.product(rows, rows)
    )
    assert bool(lost) == (crosses and format in ("conll-2012", "corefud"))
    assert not any(sentence.endswith(": 0") for sentence in lost)
    if not lost:
        bags = [sorted(map(sorted, entities(x).values())) for x in (document, found)]
        assert bags[0] == bags[1]


@needs_shared
def test_litbank_survives_both_formats(tmp_path):
    source = SHARED / "litbank" / "litbank.key.conll"
    paths = [tmp_path / "a.jsonl.gz", tmp_path / "b.conll"]
    assert main(["convert", str(source), str(paths[0])]) == 0
    assert main(["convert", str(paths[0]), str(paths[1])]) == 0
    for a, b in zip(pw.coreference.read(source), pw.coreference.read(paths[1]), strict=True):
        assert a.name == b.name
        assert partition(a) == partition(b)
        assert list(a.tokens.words) == list(b.tokens.words)
        assert a.tokens.sentence.tolist() == b.tokens.sentence.tolist()


def test_what_a_format_cannot_hold_is_told(write, tmp_path, capsys):
    rows = ["0.1 (e2)", "1 (e1[1/2]-x-1)", "2", "3 (e1[2/2])", "4 (e1-x-1)"]
    source, target = write(corefud(*rows)), tmp_path / "out.conll"
    assert main(["convert", str(source), str(target)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [
        f"{target}: warning: attributes 'etype' of mentions, left out: 2",
        f"{target}: warning: mentions whose head is left out: 3",
        f"{target}: warning: discontinuous mentions, written from first to last token: 1",
        f"{target}: warning: empty nodes, written as words: 1",
    ]
    (document,) = pw.coreference.read(target)
    assert entities(document) == {"e2": [(0, 0)], "e1": [(1, 3), (4, 4)]}
    named = tmp_path / "out.jsonl"
    pw.coreference.write(pw.coreference.read(source), named, "jsonlines")
    assert main(["convert", str(named), str(target), "--ends", "inclusive"]) == 0
    assert capsys.readouterr().err == ""


def test_names_and_words_that_brackets_cannot_hold(tmp_path):
    one = np.arange(3)
    spans = Spans(one, one)
    path = tmp_path / "x.conll"
    tokens = Tokens(["a b", "", "#"], np.zeros(3, dtype=np.int64))
    for names in (["a|b", "c", "d"], ["1", 1, "d"], ["nan", "c", "d"], ["a+b", "c", "d"]):
        lost = pw.coreference.write(
            [Document("(a b); part 3", spans, one, names, tokens)], path, "conll-2012"
        )
        assert lost == (
            "documents whose entities are written as numbers: 1",
            "words that are empty or hold blanks, with '_' in place of these: 2",
        )
        (document,) = pw.coreference.read(path)
        assert document.name == "(a b); part 3"
        assert entities(document) == {"0": [(0, 0)], "1": [(1, 1)], "2": [(2, 2)]}
        assert list(document.tokens.words) == ["a_b", "_", "#"]
    (lost,) = pw.coreference.write([Document("d", spans, one, list("abc"))], path, "conll-2012")
    assert lost == "documents without words, written as '_': 1"
    assert "d\t0\t2\t_\t(c)\n" in path.read_text()


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text("old")
    nothing = np.empty(0, dtype=np.int64)
    good = Document("d", Spans(nothing, nothing), nothing, [])
    objects = Document("d", ["a"], np.zeros(1, dtype=np.int64), ["e"])
    at = np.array([2])
    beyond = Document("d", Spans(at, at), at - 2, ["e"], Tokens([], nothing))
    for bad, message in (
        (objects, "no spans of tokens"),
        (beyond, "ends at token 2, but there are 0"),
        (replace(good, name="a\nb"), "line breaks"),
        (replace(good, name=""), "without a name"),
    ):
        with pytest.raises(ValueError, match=message):
            pw.coreference.write([good, bad], path, "conll-2012")
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match="format='muc' "):
        pw.coreference.write([good], path, "muc")


def test_convert_refuses_with_one_sentence(write, tmp_path, capsys):
    source = write(conll("(0"))
    assert main(["convert", str(source), str(tmp_path / "x.conll")]) == 2
    assert "file.txt:2: document" in capsys.readouterr().err
    assert main(["convert", str(source), str(tmp_path / "x.txt")]) == 2
    assert "its ending tells no format; say --to" in capsys.readouterr().err
    assert [x.name for x in tmp_path.iterdir()] == ["file.txt"]


# ---- any format --------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_empty_files_are_said_to_be_empty(read, content):
    with pytest.raises(ValueError, match="no document in it"):
        read(content)
    with pytest.raises(ValueError, match="no document in it"):
        read(content, format="conll-2012")


@pytest.mark.parametrize("spans", ["mention", "first,last", "begin,end"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n\r\n"])
@pytest.mark.parametrize("tabs", [False, True])
def test_a_table_without_rows_has_no_document(read, spans, end, tabs):
    header = f"document,{spans},entity{end}"
    with pytest.raises(ValueError, match="no document in it"):
        read(header.replace(",", "\t") if tabs else header)


def test_unknown_formats_and_options(read, write, tmp_path):
    with pytest.raises(ValueError, match=r"no known format begins with 'a,b'"):
        read("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"format='muc6' is not one of: auto, conll-2012"):
        read("x", format="muc6")
    with pytest.raises(ValueError, match="ends= is not for files of format conll-2012"):
        read(conll("-"), ends="inclusive")
    with pytest.raises(ValueError, match="not JSON"):
        read(conll("(0)"), format="jsonlines")
    with pytest.raises(ValueError, match=r":2: document .* columns apart by tabs"):
        read(conll("(0)"), format="corefud")
    with pytest.raises(ValueError, match="the last column is"):
        read(corefud("1 (e1)"), format="conll-2012")
    with pytest.raises(ValueError, match="the last column is"):
        read(record([[[0, 0]]]) + " x", format="conll-2012")
    with pytest.raises(ValueError, match="damaged compressed file"):
        pw.coreference.read(write(gzip.compress(conll("-").encode())[:-9], "x.gz"))
    with pytest.raises(FileNotFoundError):
        pw.coreference.read(tmp_path / "not there")


@pytest.mark.skipif(not CASES.is_file(), reason="cases beside the repository are not here")
def test_cases_of_other_scorers(read):
    listed = {case["id"]: case for case in json.loads(CASES.read_text())["cases"]}
    lines = listed["spaces-or-tabs"]["input"]["lines"]
    documents = read("\n".join(["#begin document (d); part 000", *lines, "#end document"]))
    scores = pw.coreference.score(documents, documents)
    assert (scores["muc"].recall_numerator, scores["muc"].recall_denominator) == (2, 2)
    assert (scores["b_cubed"].recall_numerator, scores["b_cubed"].recall_denominator) == (4, 4)
    blank = listed["document-name-blank"]["input"]
    sides = [
        read(conll(*blank["column"], name=blank[header].removeprefix("#begin document ")))
        for header in ("key_header", "response_header")
    ]
    assert pw.coreference.score(*sides)["muc"].f1 == 1
    lines = listed["empty-node-head"]["input"]["conllu"]
    (document,) = read("\n".join(lines))
    assert document.tokens.ids[int(document.mentions.head[0])] == "2"
    twice = listed["document-name-twice"]["input"]
    text = "".join(
        conll(*column, name=name)
        for name, column in zip(twice["headers"], twice["columns"], strict=True)
    )
    with pytest.raises(ValueError, match="stands twice"):
        pw.coreference.score(read(text), read(text))
    with pytest.raises(ValueError, match=r"file\.txt:2: document .* entity '0' is closed at"):
        read(conll(*listed["close-without-open"]["input"]["column"]))


def test_positions_are_whole_numbers_of_64_bits(read):
    for text in (conll("(0)"), record([[[0, 0]]])):
        (document,) = read(text)
        spans = document.mentions
        for column in (spans.first, spans.last, spans.line, document.entity):
            assert column.dtype == np.int64


# ---- SemEval-2010, Scorch, neleval, tables, folders --------------------------------


def semeval(*columns):
    rows = [
        f"{number}\tw{number}\tlemma\t_\tPOS\t_\t_\t_\t0\t{column}"
        for number, column in enumerate(columns, 1)
    ]
    return "\n".join(["#begin document nw/wsj/2300", *rows, "", "#end document nw/wsj/2300"])


def test_semeval_is_recognised_and_its_words_are_in_the_second_column(read):
    documents = read(semeval("(1", "(2)|1)", "_", "(1)") + "\n")
    assert documents.format == "semeval-2010"
    (document,) = documents
    assert document.name == "nw/wsj/2300"
    assert entities(document) == {"1": [(0, 1), (3, 3)], "2": [(1, 1)]}
    assert list(document.tokens.words) == ["w1", "w2", "w3", "w4"]


def test_a_document_called_1_is_still_conll_2012(read):
    text = conll("(1)", "-").replace("\nd\t", "\n1\t")
    documents = read(text)
    assert documents.format == "conll-2012"
    assert list(documents.documents[0].tokens.words) == ["w0", "w1"]


def test_semeval_faults_name_file_line_and_document(read):
    with pytest.raises(ValueError, match=r"file.txt:3: document 'nw/wsj/2300': entity '1'"):
        read(semeval("_", "1)") + "\n")


CLUSTERS = {"type": "clusters", "clusters": {"a": ["m1", "m2"], "b": [3]}}
GRAPH = {
    "type": "graph",
    "mentions": ["m1", "m2", 3, "m4", "m5"],
    "links": [["m1", "m2"], ["m5", "m2"]],
}


@pytest.mark.parametrize("indent", [None, 2])
def test_scorch_clusters_on_one_line_or_many(write, indent):
    path = write(json.dumps(CLUSTERS, indent=indent), "letters.json")
    documents = pw.coreference.read(path)
    assert documents.format == "scorch-json"
    (document,) = documents
    assert document.name == "letters"
    assert document.mentions == ["m1", "m2", 3]
    assert document.entity.tolist() == [0, 0, 1]
    assert document.entity_names == ["a", "b"]


def test_scorch_links_make_entities_and_lone_mentions_are_singletons(write):
    (document,) = pw.coreference.read(write(json.dumps(GRAPH), "g.json"))
    sets = {}
    for mention, entity in zip(document.mentions, document.entity.tolist(), strict=True):
        sets.setdefault(entity, set()).add(mention)
    assert {frozenset(x) for x in sets.values()} == {
        frozenset({"m1", "m2", "m5"}),
        frozenset({3}),
        frozenset({"m4"}),
    }


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('{"type": "clusters"', "not JSON"),
        ('{"type": "clusters", "clusters": {"a": ["m"], "a": ["n"]}}', "'a' stands twice"),
        ('{"type": "clusters"}', "'clusters' is missing"),
        ('{"type": "clusters", "clusters": {"a": [[1, 2]]}}', "number 0 is \\[1, 2\\]"),
        ('{"type": "clusters", "clusters": {"a": [true]}}', "an id"),
        ('{"type": "graph", "mentions": ["a"], "links": [["a", "b"]]}', "names 'b'"),
        ('{"type": "graph", "mentions": ["a", "a"], "links": []}', "'a' stands twice"),
        ('{"type": "graph", "mentions": ["a"]}', "'links' is missing"),
        ('{"type": "graph", "mentions": ["a"], "links": [["a"]]}', "link 0"),
    ],
)
def test_scorch_faults_name_file_and_document(write, record, message):
    path = write(record, "faulty.json")
    with pytest.raises(ValueError, match=f"faulty.json(:1)?: document 'faulty': .*{message}"):
        pw.coreference.read(path)


def test_a_folder_is_one_set_of_documents_in_the_order_of_names(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps(CLUSTERS))
    (tmp_path / ".hidden").write_text("nothing")
    documents = pw.coreference.read(tmp_path)
    assert [x.name for x in documents] == ["a", "b"]
    scores = pw.coreference.score(tmp_path, tmp_path)
    assert scores["b_cubed"].f1 == 1.0
    (tmp_path / "c.conll").write_text(conll("(1)"))
    with pytest.raises(ValueError, match=r"c.conll is a file of format conll-2012"):
        pw.coreference.read(tmp_path)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no files"):
        pw.coreference.read(tmp_path)


NELEVAL = "d1\t0\t4\tE1\t1.0\tPER\nd2\t3\t3\tE1\t1.0\tPER\nd1\t9\t12\tNIL7\t1.0\tORG\n"


def test_neleval_documents_may_be_mixed_and_entities_cross_them(read):
    documents = read(NELEVAL)
    assert documents.format == "neleval"
    first, second = documents
    assert (first.name, second.name) == ("d1", "d2")
    assert entities(first) == {"E1": [(0, 4)], "NIL7": [(9, 12)]}
    assert entities(second) == {"E1": [(3, 3)]}
    assert first.mentions.line.tolist() == [1, 3]


def test_neleval_counts_further_candidates(read):
    documents = read("d\t0\t4\tE1\t0.9\tPER\tE2\t0.1\tPER\n")
    assert entities(documents.documents[0]) == {"E1": [(0, 4)]}
    assert any("further candidates" in note and "1" in note for note in documents.notes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("d\t1\t2\n", "file.txt:2: 3 columns"),
        ("d\tx\t2\tE\n", "file.txt:2: document 'd': 'x' to '2'"),
        ("d\t5\t2\tE\n", "from 5 to 2 is impossible"),
        ("d\t1\t2\tNIL\n", "has no entity"),
        ("d\t1\t2\t \n", "has no entity"),
    ],
)
def test_neleval_faults(read, line, message):
    with pytest.raises(ValueError, match=message):
        read("d\t0\t4\tE1\t1.0\tPER\n" + line)


def test_tables_with_one_mention_column(write):
    path = write("document,mention,entity\nd1,m1,a\nd2,m1,a\nd1,m2,a\nd1,m3,b\n", "t.csv")
    documents = pw.coreference.read(path)
    assert documents.format == "table"
    first, second = documents
    assert (first.name, second.name) == ("d1", "d2")
    assert list(first.mentions) == ["m1", "m2", "m3"]
    assert first.entity.tolist() == [0, 0, 1]
    assert first.entity_names == ["a", "b"]
    assert second.entity_names == ["a"]


def test_tables_with_spans_and_other_names(write):
    text = "who\tbegin\tend\ttext\nx\t3\t4\td\ny\t0\t0\td\n"
    documents = pw.coreference.read(
        write(text, "t.tsv"), document="text", mention=("begin", "end"), entity="who"
    )
    assert entities(documents.documents[0]) == {"x": [(3, 4)], "y": [(0, 0)]}
    (document,) = pw.coreference.read(write("first,last,entity\n0,1,e\n", "one.csv"))
    assert document.name == "one"
    assert entities(document) == {"e": [(0, 1)]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,mention\nd,m\n", "no column 'entity'"),
        ("document,mention,entity\nd,,e\n", "t.csv:2: empty mention"),
        ("document,mention,entity\n,m,e\n", "t.csv:2: empty document"),
        ("document,mention,entity\nd,m,\n", "t.csv:2: empty entity"),
        ("first,last,entity\n4,2,e\n", "t.csv:2: the mention from 4 to 2"),
        ("first,last,entity\nx,2,e\n", "whole numbers"),
    ],
)
def test_table_faults(write, text, message):
    with pytest.raises(ValueError, match=message):
        pw.coreference.read(write(text, "t.csv"))


# ---- writing CorefUD ---------------------------------------------------------------


def all_of(document):
    """Return everything a document says of its mentions, as a multiset."""
    spans = document.mentions
    if spans.token_ends is None:
        tokens = [range(a, b + 1) for a, b in zip(spans.first, spans.last, strict=True)]
    else:
        tokens = np.split(spans.tokens, spans.token_ends[1:-1])
    return sorted(
        (
            str(document.entity_names[entity]),
            tuple(map(int, tokens[i])),
            None if spans.head is None else int(spans.head[i]),
            None if spans.minimum is None else tuple(spans.minimum[i].tolist()),
        )
        for i, entity in enumerate(document.entity.tolist())
    )


@needs_shared
@pytest.mark.parametrize("side", ["key", "head", "string"])
def test_gum_is_written_whole(tmp_path, side):
    source = SHARED / "gum" / f"gum.{side}.conllu"
    target = tmp_path / "out.conllu"
    assert pw.coreference.write(pw.coreference.iter_documents(source), target, "corefud") == ()
    for a, b in zip(pw.coreference.read(source), pw.coreference.read(target), strict=True):
        assert a.name == b.name
        assert all_of(a) == all_of(b)
        assert a.tokens.ids == b.tokens.ids
        assert a.tokens.sentence.tolist() == b.tokens.sentence.tolist()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_discontinuous_mentions_heads_and_empty_nodes_come_back_or_the_loss_is_told(
    tmp_path_factory, data
):
    n = 8
    mentions = data.draw(
        st.lists(
            st.tuples(st.sets(st.integers(0, n - 1), min_size=1), st.integers(0, 2)), max_size=6
        )
    )
    tokens = [sorted(found) for found, _ in mentions]
    heads = [data.draw(st.sampled_from(found)) for found in tokens]
    empty = np.array([data.draw(st.booleans()) for _ in range(n)])
    codes = {}
    entity = np.array([codes.setdefault(e, len(codes)) for _, e in mentions], dtype=np.int64)
    spans = Spans(
        np.array([x[0] for x in tokens], dtype=np.int64),
        np.array([x[-1] for x in tokens], dtype=np.int64),
        np.array(heads, dtype=np.int64),
        None,
        np.cumsum([0, *map(len, tokens)]).astype(np.int64),
        np.array([t for x in tokens for t in x], dtype=np.int64),
    )
    words = Tokens([f"w{i}" for i in range(n)], np.zeros(n, dtype=np.int64), empty)
    document = Document("d", spans, entity, list(codes), words)
    path = tmp_path_factory.mktemp("write") / "file.conllu"
    lost = pw.coreference.write([document], path, "corefud")
    (found,) = pw.coreference.read(path)
    empty_back = [False] * n if found.tokens.empty is None else found.tokens.empty.tolist()
    assert empty_back == empty.tolist()
    if mentions:
        assert (all_of(found) == all_of(document)) or lost
    if not lost:
        assert all_of(found) == all_of(document)


def test_minimum_spans_and_odd_names_are_written(tmp_path):
    spans = Spans(
        np.array([0, 2]),
        np.array([2, 2]),
        minimum=np.array([[1, 2], [2, 2]]),
        head=np.array([1, 2]),
    )
    tokens = Tokens(["a\tb", "b", ""], np.array([0, 0, 1]))
    document = Document("d", spans, np.array([0, 1]), ["x-1", "(y)"], tokens)
    path = tmp_path / "out.conllu"
    lost = pw.coreference.write([document], path, "corefud")
    assert lost == (
        "documents whose entities are written as e1, e2, ...: 1",
        "words that are empty or hold tabs, with '_' in place of these: 2",
    )
    (found,) = pw.coreference.read(path)
    assert found.mentions.minimum.tolist() == [[1, 2], [2, 2]]
    assert found.mentions.head.tolist() == [1, 2]
    assert list(found.entity_names) == ["e1", "e2"]


def test_nested_mentions_take_memory_for_their_ends_only(tmp_path):
    """3,000 mentions of one head in each other have 4.5 million tokens between them."""
    n = 3000
    opened = "".join(f"(e{i}--1-" for i in range(n, 0, -1))
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
    for i in range(1, n + 1):
        entity = f"{opened if i == 1 else ''}e{i})"
        lines.append(f"{i}\tw\t_\tX\t_\t_\t0\tx\t_\tEntity={entity}")
    path = tmp_path / "nested.conllu"
    path.write_text("\n".join([*lines, "", ""]))
    tracemalloc.start()
    try:
        (document,) = pw.coreference.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert document.mentions.first.tolist() == [0] * n
    assert sorted(document.mentions.last.tolist()) == list(range(n))
    assert peak < 20_000_000


def nested(n):
    """Return a CorefUD file of n mentions each within the one before, around an empty node."""
    tokens = [str(at) for at in range(1, n + 1)] + [f"{n}.1"]
    tokens += [str(at) for at in range(n + 1, 2 * n + 1)]
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-minspan", "# sent_id = 1"]
    for at, token in enumerate(tokens):
        entity = "_"
        if at < n:
            entity = f"Entity=(e{at}-x-{n - at + 1}-{n - at},{n - at + 1}"
        elif at > n:
            entity = f"Entity=e{2 * n - at})"
        lines.append("\t".join([token, "w", "_", "_", "_", "_", "_", "_", "_", entity]))
    return "\n".join([*lines, "", ""])


@pytest.mark.one_backend
def test_nested_mentions_take_memory_by_their_number(tmp_path):
    path = tmp_path / "key.conllu"
    peaks = []
    for n in (500, 2000):
        path.write_text(nested(n))
        tracemalloc.start()
        try:
            (document,) = pw.coreference.read(path)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        spans = document.mentions
        assert spans.first.tolist() == list(range(n))
        assert spans.last.tolist() == [2 * n - at for at in range(n)]
        assert spans.head.tolist() == [n] * n
        assert spans.minimum.tolist() == [[n - 1, n + 1]] * n
    assert peaks[1] < 6 * peaks[0]
