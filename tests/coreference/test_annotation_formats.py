"""Formats of annotation tools and corpora: read right, or refused with file and line."""

import gzip

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import iter_documents, read, score, write

pytestmark = pytest.mark.one_backend


def lines(*rows):
    return "\n".join(rows) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes files and returns the folder."""

    def _folder(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return _folder


def entities(document):
    """Return {entity: mentions as (first, last), or as tokens where one has gaps}."""
    spans = document.mentions
    mentions = list(zip(spans.first.tolist(), spans.last.tolist(), strict=True))
    if spans.token_ends is not None:
        ends = spans.token_ends.tolist()
        mentions = [
            tuple(spans.tokens[ends[row] : ends[row + 1]].tolist()) for row in range(len(spans))
        ]
    return {
        name: [mentions[row] for row in np.flatnonzero(document.entity == number).tolist()]
        for number, name in enumerate(document.entity_names)
    }


def only(documents):
    (document,) = documents
    return document


def notes(documents):
    return {note.code: note.text for note in documents.notes}


# ---- CoNLL-UA ----------------------------------------------------------------------

UA_COLUMNS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"


def ua(*tokens, columns=UA_COLUMNS, name="# newdoc id = d"):
    """Return a document; a token is a word with its cells from IDENTITY on."""
    rows = []
    for number, (word, *cells) in enumerate(tokens, 1):
        rows.append("\t".join([str(number), word, *"_" * 8, *cells]))
    return lines(columns, name, *rows)


UA = ua(
    ("Ann", "(EntityID=1|MarkableID=m1|Min=1|SemType=dn)"),
    ("met", "_"),
    ("her", "(EntityID=2|MarkableID=m2|Min=4(EntityID=1|MarkableID=m3|Min=3|SemType=do)"),
    ("son", ")"),
)


def test_conll_ua(folder):
    documents = read(folder({"d.CONLLUA": UA}) / "d.CONLLUA")
    document = only(documents)
    assert (documents.format, document.name, document.named) == ("conll-ua", "d", True)
    assert entities(document) == {"1": [(0, 0), (2, 2)], "2": [(2, 3)]}
    assert document.mentions.minimum.tolist() == [[0, 0], [3, 3], [2, 2]]
    assert document.mentions.line.tolist() == [3, 5, 5]
    assert document.tokens.words == ["Ann", "met", "her", "son"]
    assert documents.notes == ()


def test_conll_ua_behind_newdoc_with_sentences_and_other_spellings(folder):
    text = lines(
        "# newdoc id = a",
        UA_COLUMNS,
        "1 They _ _ _ _ _ _ _ _ (EntityId=3|Markable_ID=m1|Min=1)",
        "2 saw _ _ _ _ _ _ _ _ _",
        "",
        "# sent_id = a-2",
        "1 the _ _ _ _ _ _ _ _ (EntityID=4|MarkableID=m2|Min=2@(EntityID=5|MarkableID=m3)",
        "2 cat _ _ _ _ _ _ _ _ m2)",
        "# newdoc",
        "1 x _ _ _ _ _ _ _ _ _",
    )
    documents = read(folder({"x.txt": text}) / "x.txt")
    first, second = documents
    assert entities(first) == {"3": [(0, 0)], "4": [(2, 3)], "5": [(2, 2)]}
    assert first.mentions.minimum.tolist() == [[0, 0], [3, 3], [2, 2]]
    assert first.tokens.sentence.tolist() == [0, 0, 1, 1]
    assert (second.name, len(second)) == ("document 2", 0)
    assert "documents-named" in notes(documents)


def test_conll_ua_discontinuous_and_crossing(folder):
    text = ua(
        ("a", "(EntityID=1|MarkableID=m1"),
        ("b", "(EntityID=2|MarkableID=m2"),
        ("c", "m1)"),
        ("d", "m2)"),
        ("e", "(EntityID=1|MarkableID=m1)"),
    )
    document = only(read(folder({"d.conllua": text}) / "d.conllua"))
    assert entities(document) == {"1": [(0, 1, 2, 4)], "2": [(1, 2, 3)]}


def test_conll_ua_has_zeros_that_do_not_move_words(folder):
    line = "{}\t{}" + "\t_" * 8 + "\t{}"
    rows = [
        ("1", "saw", "_"),
        ("1.1", "pro", "(EntityID=1|MarkableID=m1)"),
        ("2", "her", "(EntityID=1|MarkableID=m2)"),
        ("3", "there", "(EntityID=1|MarkableID=m3)"),
    ]
    key, response = (
        lines(UA_COLUMNS, "# newdoc id = d", *(line.format(*row) for row in side))
        for side in (rows, [rows[0], *rows[2:]])
    )
    paths = folder({"k.conllua": key, "r.conllua": response})
    document = only(read(paths / "k.conllua"))
    assert document.tokens.empty.tolist() == [False, True, False, False]
    scores = score(paths / "k.conllua", paths / "r.conllua", convention="ua-2.0")
    mentions = scores["mentions"]
    assert (mentions.recall_numerator, mentions.recall_denominator) == (2, 3)
    assert mentions.precision == 1


def test_conll_ua_tells_what_it_leaves_out(folder):
    columns = f"{UA_COLUMNS} BRIDGING DISCOURSE_DEIXIS"
    text = ua(
        ("a", "(EntityID=1|MarkableID=m1|ElementOf=3)", "_", "_"),
        ("b", "(EntityID=9-Pseudo|MarkableID=m2)", "(MarkableID=m2|MentionAnchor=m1)", "_"),
        ("c", "_", "_", "(EntityID=7|MarkableID=m5)"),
        columns=columns,
    )
    path = folder({"d.conllua": text}) / "d.conllua"
    documents = read(path)
    assert entities(only(documents)) == {"1": [(0, 0)]}
    texts = [note.text for note in documents.notes if note.code == "not-scored"]
    assert texts == [
        "tokens with discourse deixis, which no score uses: 1",
        "mentions that refer to nothing (pseudo-entities), left out: 1",
        "split antecedents of entities without mentions, left out: 1 (the first: document 'd', "
        "line 3, '3')",
        "bridging references, which universal_anaphora_scores alone uses: 1",
    ]
    deixis = read(path, clusters="DISCOURSE_DEIXIS")
    assert entities(only(deixis)) == {"7": [(2, 2)]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ua(("a", "(EntityID=1|MarkableID=m1")),
            "d.x:3: document 'd': a mention of",
        ),
        (ua(("a", ")")), "d.x:3: document 'd': a mention is closed but not open"),
        (ua(("a", "m4)")), "'m4' is closed but not open"),
        (ua(("a", "(MarkableID=m1)")), "has no EntityID"),
        (ua(("a", "EntityID=1")), "does not consist of"),
        (ua(("a", "_"), ("b",)), "d.x:4: document 'd': 10 columns; IDENTITY is column 11"),
        (
            ua(("a", "(EntityID=1|MarkableID=m)"), ("b", "(EntityID=2|MarkableID=m)")),
            "m is of entity '2' here and of '1' on line 3",
        ),
        (
            ua(
                ("a", "(EntityID=1|MarkableID=m"),
                ("b", "(EntityID=1|MarkableID=m"),
                ("c", "))"),
            ),
            "m opens again within itself",
        ),
        (ua(("a", "(EntityID=1|MarkableID=m|Min=7)")), "Min=7 of m names token 7"),
        (ua(("a", "(EntityID=1|MarkableID=m|Min=x)")), "Min=x of m names token x"),
        (
            ua(("a", "_"), columns="# global.columns = ID FORMS IDENTITY"),
            "FORM and IDENTITY are expected",
        ),
    ],
)
def test_damaged_conll_ua(folder, text, said):
    path = folder({"d.x": text}) / "d.x"
    with pytest.raises(ValueError, match=r"d\.x:") as error:
        read(path)
    assert said in str(error.value)


def test_conll_ua_is_written_and_read_back(folder):
    text = ua(
        ("a", "(EntityID=1|MarkableID=m1|Min=2"),
        ("b", "(EntityID=2|MarkableID=m2"),
        ("c", "m1)(EntityID=2|MarkableID=m4|Min=3,4"),
        ("d", "m2)m4)"),
        ("e", "(EntityID=1|MarkableID=m1)(EntityID=x|MarkableID=m5)"),
    )
    path = folder({"d.conllua": text}) / "d.conllua"
    documents = read(path)
    target = path.with_name("e.conllua")
    assert write(documents, target, "conll-ua") == ()
    again = read(target)
    for before, after in zip(documents, again, strict=True):
        assert (before.name, entities(before)) == (after.name, entities(after))
        assert before.mentions.minimum.tolist() == after.mentions.minimum.tolist()
        assert list(before.tokens.words) == list(after.tokens.words)
    assert main(["convert", str(path), str(target.with_name("f.conllua"))]) == 0
    assert target.with_name("f.conllua").read_text() == target.read_text()


def test_what_conll_ua_cannot_hold_is_told(folder):
    text = (
        "# newdoc id = d\n# global.Entity = eid-etype-head\n"
        "1\ta b\t_\t_\t_\t_\t0\troot\t_\tEntity=(x=1--1)\n"
        "1.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(y--1)\n"
    )
    path = folder({"d.conllu": text}) / "d.conllu"
    lost = write(read(path), path.with_name("d.conllua"), "conll-ua")
    assert [sentence.rpartition(":")[0] for sentence in lost] == [
        "mentions whose head is left out",
        "documents whose entities are written as numbers",
        "words that are empty or hold blanks, with '_' in place of these",
    ]


# ---- brat --------------------------------------------------------------------------

TEXT = "Ann met her son. He left.\n"
BRAT = lines(
    "T1\tPER 0 3\tAnn",
    "T2\tPER 8 11\ther",
    "T3\tPER 8 15\ther son",
    "T4\tPER 17 19\tHe",
    "R1\tCoref Arg1:T2 Arg2:T1\t",
)


def test_brat(folder):
    path = folder({"a.ann": f"{BRAT}*\tEquiv T3 T4\nA1\tx T1\n", "a.txt": TEXT}) / "a.ann"
    documents = read(path)
    document = only(documents)
    assert (documents.format, document.name, document.named) == ("brat", "a", False)
    assert list(entities(document).values()) == [[(0, 2), (8, 10)], [(8, 14), (17, 18)]]
    assert (
        notes(documents)["field-taken"] == "entities are what equivalences Equiv and Coref link"
    )
    assert notes(documents)["not-scored"] == "attributes of brat, not read: 1"
    assert "positions-are-characters" in notes(documents)


def test_brat_without_text_with_gaps_and_mentions_in_no_link(folder):
    text = lines("T1\tX 0 3;8 11\tAnn her", "T2\tX 4 7\tmet", "T3\tX 4 5\tm", "*\tSame T1 T2")
    documents = read(folder({"a.ann": text}) / "a.ann")
    assert list(entities(only(documents)).values()) == [
        [(0, 1, 2, 8, 9, 10), (4, 5, 6)],
        [(4,)],
    ]
    assert "in no link of coreference" in notes(documents)["mentions-interpreted"]
    unchecked = "documents without their text (.txt) beside them, so that positions"
    assert f"{unchecked} could not be checked: 1" in [note.text for note in documents.notes]
    checked = read(folder({"a.ann": BRAT, "a.txt": TEXT}) / "a.ann")
    assert not any(unchecked in note.text for note in checked.notes)


def test_relations_of_brat_are_chosen_by_name(folder):
    text = BRAT.replace("Coref", "Antecedent")
    path = folder({"a.ann": text, "a.txt": TEXT}) / "a.ann"
    with pytest.raises(ValueError, match=r'Antecedent \(1\).*clusters="NAME"'):
        read(path)
    named = read(path, clusters="Antecedent")
    assert [len(x) for x in entities(only(named)).values()] == [2, 1, 1]
    both = f"{BRAT}R2\tIdentity Arg1:T3 Arg2:T4\nR3\tWorksFor Arg1:T1 Arg2:T3\n"
    path = folder({"b.ann": both}) / "b.ann"
    with pytest.raises(ValueError, match=r"Coref \(1\), Identity \(1\) may all be of coref"):
        read(path)


def test_a_relation_of_brat_that_no_document_has_is_refused(folder, capsys):
    path = folder({"a.ann": BRAT, "b.ann": BRAT.replace("Coref", "Equal")})
    for name in ("Coref", "Equal"):
        documents = read(path, clusters=name)
        assert "option-unused" in notes(documents)
        assert sorted(map(len, entities(documents.documents[name == "Equal"]).values())) == [
            *(1, 1, 2)
        ]
    said = r"no document has the relation 'coref' \(there are: Coref, Equal\); name the one of "
    with pytest.raises(ValueError, match=said + "entities with clusters="):
        read(path, clusters="coref")
    with pytest.raises(ValueError, match=said):
        list(iter_documents(path, clusters="coref"))
    target = path / "out.jsonl"
    assert main(["convert", str(path), str(target), "--clusters", "coref"]) == 2
    assert "name the one of entities with --clusters ..." in capsys.readouterr().err
    assert not target.exists()
    # where nothing else links mentions, they may all be entities of one
    no_link = folder({"c/c.ann": "T1\tPER 0 3\tAnn\n"}) / "c"
    assert "option-unused" in notes(read(no_link, clusters="Coref"))


def test_types_of_brat_as_entities(folder):
    text = lines("T1\tPER 0 3\tAnn", "T2\tAnn-1 0 3\tAnn", "T3\tAnn-1 8 11\ther")
    documents = read(folder({"a.ann": text}) / "a.ann", clusters="types")
    assert entities(only(documents)) == {"Ann-1": [(0, 2), (8, 10)]}
    assert "does not end in a number" in notes(documents)["not-scored"]
    plain = read(
        folder({"b.ann": "T1\tAnn 0 3\tAnn\nT2\tBo 4 6\tBo\n"}) / "b.ann", clusters="types"
    )
    assert entities(only(plain)) == {"Ann": [(0, 2)], "Bo": [(4, 5)]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "T1\tPER 0 3\tAnn\nR1\tCoref Arg1:T1 Arg2:T7\n",
            ":2: document 'a': a link to T7",
        ),
        ("T1\tPER 0 3\tAnn\nR1\tCoref Arg1:T1 Arg2:E1\n", "E1, which is an event"),
        (
            "T1\tPER 0 3\tAnn\nT1\tPER 4 7\tmet\n",
            ":2: document 'a': the id T1 stands twice",
        ),
        ("T1\tPER 0 3\tBob\n*\tx T1 T1\n", "T1 is 'Ann' in a.txt and 'Bob' here"),
        ("T1\tPER 0 300\tAnn\n*\tx T1 T1\n", "ends at character 300; the text in a.txt has 26"),
        ("T1\tPER 3 3\t\n", "the span from 3 to 3 is empty"),
        ("T1\tPER 0 3\tAnn\nT2 PER 0 3\n", "a.ann:2: document 'a': 'T2 PER 0 3' is no line"),
        ("T1\tPER 0 3\tAnn\n", "there are: none"),
        (b"T1\tPER 0 3\tA\xffn\n", "not UTF-8"),
    ],
)
def test_damaged_brat(folder, text, said):
    path = folder({"a.ann": text, "a.txt": TEXT}) / "a.ann"
    with pytest.raises(ValueError, match=r"a\.ann") as error:
        read(path)
    assert said in str(error.value)


def test_a_folder_of_brat(folder):
    files = {"a.ann": BRAT, "a.txt": TEXT, "b.ann": BRAT, "annotation.conf": "[entities]\n"}
    documents = read(folder(files))
    assert [x.name for x in documents] == ["a", "b"]
    assert notes(documents)["not-scored"] == (
        "files that are the text or the settings of others, not read: 2"
    )


# ---- LitBank -----------------------------------------------------------------------

LITBANK = lines(
    "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
    "MENTION\tT2\t0\t2\t0\t3\ther son\tPER\tNOM",
    "MENTION\tT3\t1\t0\t1\t0\tHe\tPER\tPRON",
    "MENTION\tT4\t0\t2\t0\t2\ther\tPER\tPRON",
    "COREF\tT1\tAnn-0",
    "COREF\tT2\tson-1",
    "COREF\tT3\tson-1",
    "COP\tT2\tT1",
)
LITBANK_TEXT = "Ann met her son .\nHe left .\n"


def test_litbank_names_an_entity_before_its_mention(folder):
    """As ten of its hundred documents do."""
    rows = LITBANK.splitlines()
    files = {"x.ann": lines(*rows[4:7], *rows[:4]), "x.txt": LITBANK_TEXT}
    as_usual = {"x.ann": LITBANK, "x.txt": LITBANK_TEXT}
    turned, usual = (only(read(folder(x) / "x.ann")) for x in (files, as_usual))
    assert entities(turned) == entities(usual)


def test_litbank(folder):
    path = folder({"x_brat.ann": LITBANK, "x_brat.txt": LITBANK_TEXT}) / "x_brat.ann"
    documents = read(path)
    document = only(documents)
    assert (documents.format, document.name) == ("litbank", "x_brat")
    assert entities(document) == {
        "Ann-0": [(0, 0)],
        "son-1": [(2, 3), (5, 5)],
        "T4 alone": [(2, 2)],
    }
    assert document.tokens.sentence.tolist() == [0] * 5 + [1] * 3
    assert notes(documents)["not-scored"].startswith("copulas and appositions")
    assert "mentions without COREF" in notes(documents)["mentions-interpreted"]


@pytest.mark.parametrize(
    ("text", "beside", "said"),
    [
        (LITBANK, None, "x.txt, is not beside it"),
        (LITBANK.replace("T3\t1\t0\t1\t0", "T3\t1\t0\t1\t9"), LITBANK_TEXT, "x.ann:3: "),
        (LITBANK.replace("T3\t1\t0\t1\t0", "T3\t1\t1\t1\t0"), LITBANK_TEXT, "ends before"),
        (LITBANK.replace("T3\t1", "T1\t1"), LITBANK_TEXT, "the id T1 stands twice"),
        (f"{LITBANK}COREF\tT1\tson-1\n", LITBANK_TEXT, "x.ann:9: document 'x': the mention T1"),
        (f"{LITBANK}COREF\tT8\tson-1\n", LITBANK_TEXT, "the mention T8, which is not there"),
        (f"{LITBANK}MENTIONED\n", LITBANK_TEXT, "is no line of LitBank's"),
        (
            LITBANK.replace("\tAnn\t", "\tZoe\t"),
            LITBANK_TEXT,
            "x.ann:1: document 'x': the mention T1 is 'Ann' in the text beside it and 'Zoe'",
        ),
    ],
)
def test_damaged_litbank(folder, text, beside, said):
    files = {"x.ann": text} | ({} if beside is None else {"x.txt": beside})
    path = folder(files) / "x.ann"
    with pytest.raises(ValueError, match=r"x\.ann") as error:
        read(path)
    assert said in str(error.value)


def test_a_folder_of_litbank_with_the_ending_tsv(folder):
    files = {"a.tsv": LITBANK, "a.txt": LITBANK_TEXT, "b.tsv": "", "b.txt": "He left .\n"}
    path = folder(files)
    documents = read(path)
    assert documents.format == "litbank"
    assert [(x.name, len(x), len(x.tokens)) for x in documents] == [("a", 4, 8), ("b", 0, 3)]
    assert "files that are the text or the settings of others, not read: 2" in [
        note.text for note in documents.notes
    ]
    named = read(path, format="litbank")
    assert [x.name for x in named] == ["a", "b"]
    with pytest.raises(ValueError, match=r"a\.txt: document 'a': this is a text; give the"):
        read(path / "a.txt", format="litbank")


def test_a_folder_of_tables_with_the_ending_tsv_keeps_its_txt(folder):
    table = lines("document\tmention\tentity", "d\t1\ta")
    path = folder({"a.tsv": table, "b.txt": table.replace("d\t", "e\t")})
    assert [x.name for x in read(path)] == ["d", "e"]


# ---- ECB+ --------------------------------------------------------------------------

ECB = """<?xml version="1.0" encoding="UTF-8"?>
<Document doc_name="1_2ecb.xml" doc_id="7">
<token t_id="1" sentence="0" number="0">Ann</token>
<token t_id="2" sentence="0" number="1">fell</token>
<token t_id="3" sentence="1" number="0">Her</token>
<token t_id="4" sentence="1" number="1">fall</token>
<Markables>
<HUMAN_PART_PER m_id="20"><token_anchor t_id="1"/></HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="21"><token_anchor t_id="2"/></ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="22"><token_anchor t_id="3"/></HUMAN_PART_PER>
<NEG_ACTION_OCCURRENCE m_id="23"><token_anchor t_id="4"/></NEG_ACTION_OCCURRENCE>
<ACTION_STATE m_id="24"><token_anchor t_id="1"/><token_anchor t_id="4"/></ACTION_STATE>
<ACTION_OCCURRENCE m_id="30" RELATED_TO="" TAG_DESCRIPTOR="fall" instance_id="ACT1"/>
<HUMAN_PART_PER m_id="31" RELATED_TO="" TAG_DESCRIPTOR="ann" />
</Markables>
<Relations>
<CROSS_DOC_COREF r_id="5" note="ACT1"><source m_id="21"/><source m_id="23"/><target m_id="30"/>
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="6"><source m_id="20"/><source m_id="22"/><target m_id="31"/>
</INTRA_DOC_COREF>
</Relations>
</Document>
"""


def test_ecb_plus(folder):
    path = folder({"1/1_2ecb.xml": ECB}) / "1" / "1_2ecb.xml"
    documents = read(path)
    document = only(documents)
    assert (documents.format, document.name, document.named) == ("ecb-plus", "1_2ecb.xml", True)
    assert entities(document) == {
        "1_2ecb.xml r6": [(0,), (2,)],
        "ACT1": [(1,), (3,)],
        "1_2ecb.xml m24": [(0, 3)],
    }
    assert document.tokens.sentence.tolist() == [0, 0, 1, 1]
    assert 'clusters="events" or "entities"' in notes(documents)["field-taken"]
    events = read(path, clusters="events")
    assert [len(x) for x in entities(only(events)).values()] == [2, 1]
    assert [*entities(only(read(path, clusters="entities")))] == ["1_2ecb.xml r6"]
    with pytest.raises(ValueError, match="clusters='event' is not one of"):
        read(path, clusters="event")


def test_events_are_joined_across_documents(folder):
    other = ECB.replace("1_2ecb", "1_3ecb")
    path = folder({"1/1_2ecb.xml": ECB, "1/1_3ecb.xml": other})
    scores = score(path, path, clusters="events", cross_document=True)
    assert scores.input_report.entities == (3, 3)
    assert scores["muc"].recall_denominator == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<source m_id="21"/>', '<source m_id="77"/>', ":17: document '1_2ecb.xml': a link"),
        ('<target m_id="30"/>', '<target m_id="77"/>', ":17: document '1_2ecb.xml': a link to"),
        ('<target m_id="30"/>', "<target/>", ":17: document '1_2ecb.xml': <target> without m_"),
        ('<target m_id="31"/>', "", "ecb.xml': <INTRA_DOC_COREF> without <target>"),
        (
            '<source m_id="20"/>',
            '<source m_id="21"/>',
            "markable 21 is in this link and in that",
        ),
        (
            '<token_anchor t_id="2"/>',
            '<token_anchor t_id="99"/>',
            "is of token 99, which lacks",
        ),
        ('m_id="22"', 'm_id="20"', "the markable 20 stands twice"),
        ("</Relations>", "", "not XML (mismatched tag)"),
        ('sentence="1" number="0"', 'sentence="b" number="0"', "the sentence 'b' is no number"),
        ('<token t_id="3"', "<token", "<token> without t_id"),
        ("<Document", '<!DOCTYPE x [<!ENTITY e "x">]><Document', "declares the entity 'e'"),
    ],
)
def test_damaged_ecb_plus(folder, old, new, said):
    path = folder({"e.xml": ECB.replace(old, new, 1)}) / "e.xml"
    with pytest.raises(ValueError, match=r"e\.xml") as error:
        read(path, format="ecb-plus")
    assert said in str(error.value)


# ---- MMAX --------------------------------------------------------------------------

WORDS = '<?xml version="1.0"?>\n<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n' + lines(
    *(
        f'<word id="word_{at}">{word}</word>'
        for at, word in enumerate(["Ann", "met", "her", "son", "and", "it", "rained"], 1)
    ),
    "</words>",
)
LEVEL = lines(
    '<markables xmlns="www.eml.org/NameSpaces/coref">',
    '<markable id="markable_1" span="word_1" coref_set="set_1" min_ids="word_1"/>',
    '<markable id="markable_2" span="word_3" coref_set="set_1"/>',
    '<markable id="markable_3" span="word_3..word_4" coref_set="empty" min_ids="word_4"/>',
    '<markable id="markable_4" span="word_6" coref_set="" reference="non_referring"/>',
    '<markable id="markable_5" span="word_1,word_4..5" coref_set="set_2"/>',
    "</markables>",
)
SENTENCES = lines(
    "<markables>",
    '<markable id="markable_1" span="word_1..word_4"/>',
    '<markable id="markable_2" span="word_5..word_7"/>',
    "</markables>",
)
MMAX = {
    "x.mmax": "<?xml version='1.0'?><mmax_project><words>x_words.xml</words></mmax_project>",
    "Basedata/x_words.xml": WORDS,
    "markables/x_coref_level.xml": LEVEL,
    "markables/x_sentence_level.xml": SENTENCES,
}


@pytest.mark.parametrize("path", ["x.mmax", "Basedata/x_words.xml", "."])
def test_mmax(folder, path):
    documents = read(folder(MMAX) / path)
    document = only(documents)
    assert (documents.format, document.name) == ("mmax", "x")
    assert entities(document) == {
        "set_1": [(0,), (2,)],
        "markable_3 alone": [(2, 3)],
        "set_2": [(0, 3, 4)],
    }
    assert document.mentions.minimum.tolist() == [[0, 0], [2, 2], [3, 3], [0, 4]]
    assert document.tokens.sentence.tolist() == [0] * 4 + [1] * 3
    told = [note.text for note in documents.notes]
    assert "entities are the coref_set of the level 'coref'" in told
    assert "markables that do not refer, left out: 1" in told


def test_mmax_by_pointers_and_by_level(folder):
    level = lines(
        "<markables>",
        '<markable id="markable_1" span="word_1"/>',
        '<markable id="markable_2" span="word_3" ref="markable_1"/>',
        '<markable id="markable_3" span="word_4" ref="empty"/>',
        "</markables>",
    )
    files = MMAX | {"markables/x_np_level.xml": level}
    path = folder(files) / "x.mmax"
    documents = read(path, clusters="np", entity="ref")
    assert list(entities(only(documents)).values()) == [[(0, 0), (2, 2)], [(3, 3)]]
    with pytest.raises(ValueError, match="no level 'xy'; its levels are: coref, np, sentence"):
        read(path, clusters="xy")
    with pytest.raises(ValueError, match=r"no sets \(set_1\); name the attribute"):
        read(path, clusters="np")
    (path.parent / "markables" / "x_coref_level.xml").unlink()
    with pytest.raises(ValueError, match=r"no level with sets .*clusters="):
        read(path)


def test_a_first_set_of_mmax_is_a_set_where_markables_share_it(folder):
    first = LEVEL.replace('"set_1"', '"set_0"')
    path = folder(MMAX | {"markables/x_coref_level.xml": first}) / "x.mmax"
    documents = read(path)
    assert entities(only(documents)) == {
        "set_0": [(0,), (2,)],
        "markable_3 alone": [(2, 3)],
        "set_2": [(0, 3, 4)],
    }
    told = [note.text for note in documents.notes]
    assert "markables without coref_set, entities of one: 1" in told  # the empty one alone
    # one markable of set_0, and the one that is empty
    alone = LEVEL.replace('"set_1" min_ids', '"set_0" min_ids')
    documents = read(folder(MMAX | {"markables/x_coref_level.xml": alone}) / "x.mmax")
    assert entities(only(documents))["set_1"] == [(2,)]
    assert "markables without coref_set, entities of one: 2" in [
        x.text for x in documents.notes
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("markables/x_coref_level.xml", "word_6", "word_60", "there is no word 'word_60'"),
        ("markables/x_coref_level.xml", "word_3..word_4", "word_4..word_3", "no list of words"),
        ("markables/x_coref_level.xml", "markable_2", "markable_1", "markable_1 stands twice"),
        ("markables/x_coref_level.xml", "</markables>", "", "not XML (no element found)"),
        ("Basedata/x_words.xml", 'id="word_2"', 'id="word_1"', "the id word_1 stands twice"),
        ("x.mmax", "x_words.xml", "y_words.xml", "y_words.xml, is neither beside it"),
        (
            "markables/x_coref_level.xml",
            'coref_set="set_2"',
            'other="set_2"',
            "the sets coref_set, other may all be meant",
        ),
    ],
)
def test_damaged_mmax(folder, file, old, new, said):
    changed = MMAX | {file: MMAX[file].replace(old, new)}
    if said.startswith("there is no word"):  # of a markable that refers
        changed[file] = changed[file].replace('reference="non_referring"', "")
    path = folder(changed) / "x.mmax"
    with pytest.raises(ValueError, match="x") as error:
        read(path)
    assert said in str(error.value)


def test_one_level_of_mmax_is_refused(folder):
    path = folder(MMAX) / "markables" / "x_coref_level.xml"
    with pytest.raises(ValueError, match=r"one level of MMAX; give the project"):
        read(path)


def test_notes_speak_of_the_options_of_each_command(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder({"key/1.xml": ECB, "response/1.xml": ECB}))
    said = "--clusters events or entities takes one kind"
    assert 'clusters="events" or "entities" takes' in notes(read("key"))["field-taken"]
    for command in (
        ["coref", "key", "response"],
        ["coref", "key", "response", "--json", "--quiet"],
        ["convert", "key", "-", "--to", "jsonlines"],
        ["leaderboard", "key", "response", "--seed", "1", "--json"],
    ):
        assert main(command) == 0
        told = capsys.readouterr()
        assert said in told.out + told.err
    assert main(["report-coref", "key", "response", "--output", "page.html"]) == 0
    assert said in capsys.readouterr().err
    with open("page.html", encoding="utf-8") as page:
        assert said in page.read()
    assert main(["coref", "key", "response", "--mentions", "head"]) == 2
    assert said in capsys.readouterr().err


# ---- TEI ---------------------------------------------------------------------------

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="t1"><teiHeader>
<name ref="#no">No</name></teiHeader><text><body><p><persName ref="#a"> Ann </persName> met
  <rs ref="#b"><rs ref="#a">her</rs> son</rs><note><rs ref="#a">x</rs></note>.</p>
<p><rs>It</rs> rained.</p></body></text></TEI>
"""
TEI_WORDS = """<TEI><text><s><rs corresp="#a"><w>Ann</w></rs> <w>met</w>
<rs corresp="#b"><rs corresp="#a"><w>her</w></rs> <w>son</w></rs><pc>.</pc></s>
<s><w>It</w></s></text></TEI>
"""


def test_tei_by_characters(folder):
    documents = read(folder({"x.xml": TEI}) / "x.xml")
    document = only(documents)
    assert (documents.format, document.name, document.named) == ("tei", "t1", True)
    # "Ann met her son." with one blank for each run of blanks
    spans = entities(document)
    assert spans.pop("#a") == [(0, 2), (8, 10)]
    assert spans.pop("#b") == [(8, 14)]
    assert list(spans.values()) == [[(17, 18)]]
    codes = [note.code for note in documents.notes]
    assert codes == ["field-taken", "positions-are-characters", "mentions-interpreted"]


def test_tei_by_words(folder):
    documents = read(folder({"x.xml": TEI_WORDS}) / "x.xml")
    document = only(documents)
    assert (document.name, document.named) == ("x", False)
    assert entities(document) == {"#a": [(0, 0), (2, 2)], "#b": [(2, 3)]}
    assert document.tokens.words == ["Ann", "met", "her", "son", ".", "It"]
    assert document.tokens.sentence.tolist() == [0] * 5 + [1]


def test_pointers_of_tei_to_several_entities_are_split_antecedents(folder):
    text = TEI.replace("<rs>It", '<rs ref="#b  #a">It').replace(
        "</body>", '<p><rs ref="#a #b">They</rs> or <rs ref="#a #c">these</rs></p></body>'
    )
    documents = read(folder({"x.xml": text}) / "x.xml")
    document = only(documents)
    assert list(entities(document)) == ["#a", "#b", "#b #a", "#a #c"]
    assert len(entities(document)["#b #a"]) == 2  # in any order
    assert document.antecedents == {2: (0, 1), 3: (0,)}
    assert [note.text for note in documents.notes][-2:] == [
        "mentions with several pointers in ref, of an entity made of these (split "
        "antecedents): 3 (the first: document 't1', line 4, '#b #a')",
        "split antecedents of entities without mentions, left out: 1 (the first: document "
        "'t1', line 4, '#c')",
    ]
    # a name with a blank is no list of pointers
    key = TEI.replace('ref="#a"', 'ref="Ann Lee"')
    named = read(folder({"x.xml": key}) / "x.xml")
    assert "Ann Lee" in entities(only(named))
    assert not any("pointers" in note or "split" in note for note in named.notes)


def test_an_attribute_of_tei_that_no_mention_has_is_refused(folder):
    path = folder({"x.xml": TEI, "y.xml": TEI_WORDS})
    with pytest.raises(
        ValueError, match=r"no document has the attribute 'Ref' \(there are: corresp, ref\)"
    ):
        read(path, clusters="Ref")
    assert len(read(path, clusters="corresp")) == 2
    alone = TEI.replace(' ref="#a"', "").replace(' ref="#b"', "")
    document = only(read(folder({"z/z.xml": alone}) / "z", clusters="ref"))
    assert {len(x) for x in entities(document).values()} == {1}


def test_tei_corpus_in_another_encoding(folder):
    text = f'<?xml version="1.0" encoding="ISO-8859-1"?><teiCorpus>{TEI}{TEI_WORDS}</teiCorpus>'
    data = text.replace("Ann", "Zo\xeb").encode("latin-1")
    path = folder({"c.xml.gz": gzip.compress(data)}) / "c.xml.gz"
    first, second = read(path, clusters="ref")
    assert (first.name, second.name) == ("t1", "c 2")
    assert len(entities(second)) == 3  # the entities of the second are in another attribute


@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="UTF-8"?>'])
def test_xml_in_another_encoding_than_it_declares(folder, declared):
    data = (declared + TEI.replace("son", "s\xf6n")).encode("latin-1")
    path = folder({"x.xml": data}) / "x.xml"
    with pytest.raises(ValueError, match=r"x\.xml:3: not XML \(not well-formed") as error:
        read(path)
    assert str(error.value).endswith(
        "; it is read as UTF-8 and not UTF-8 text (byte 0xf6); convert it, for instance with "
        "iconv -f LATIN1 -t UTF-8, or declare its encoding"
    )
    cut = data[: data.index(b"s\xf6n")]
    with pytest.raises(ValueError, match=r"x\.xml:3: not XML .*; is it cut off\?\Z"):
        read(folder({"x.xml": cut}) / "x.xml", "tei")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEI.replace("</body>", ""), "not XML (mismatched tag)"),
        (TEI.replace("<rs>It", '<rs key="k">It'), "in the attributes ref (3), key (1)"),
        (TEI.replace(' ref="#a"', "").replace(' ref="#b"', ""), "in its text has an entity"),
        (TEI.replace(">her</rs>", "> </rs>"), "x.xml:3: document 't1': <rs> has no word"),
        ("<TEI><teiHeader/></TEI>", "in its text has an entity"),
    ],
)
def test_damaged_tei(folder, text, said):
    path = folder({"x.xml": text}) / "x.xml"
    with pytest.raises(ValueError, match=r"x\.xml") as error:
        read(path)
    assert said in str(error.value)


# ---- the command -------------------------------------------------------------------


def test_the_command_takes_the_formats(folder, capsys):
    path = folder({"a.ann": BRAT.replace("Coref", "Antecedent"), "a.txt": TEXT}) / "a.ann"
    assert main(["coref", str(path), str(path)]) == 2
    assert "--clusters" in capsys.readouterr().err
    assert main(["coref", str(path), str(path), "--clusters", "Antecedent"]) == 0
    assert "100.00" in capsys.readouterr().out


def test_characters_beside_tokens_are_refused(folder):
    files = {"a.ann": BRAT, "a.conll": "#begin document a\na 0 0 Ann (0)\n#end document\n"}
    path = folder(files)
    with pytest.raises(ValueError, match="spans of characters, those of the other side spans"):
        score(path / "a.ann", path / "a.conll")
