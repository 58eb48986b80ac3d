"""CorefUD: everything that a file holds is read, written and read back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_content import content_of, mentions_of, relations_of
from partwise import coreference
from partwise.coreference import read, universal_anaphora_scores, write
from partwise.coreference.documents.documents import Document, References, Spans, Tokens

pytestmark = pytest.mark.one_backend

WHOLE = """# generator = by hand
# newdoc id = d
# global.Entity = eid-etype-head-minspan-infstat-identity-other
# sent_id = d-1
# text = Zum Haus kam Ann. Die Tür ging auf.
1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_
1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t3:case\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t3:det\tEntity=(e1-object-2-2-new--
3\tHaus\tHaus\tNOUN\tNN\tCase=Dat\t4\tobl\t4:obl\tEntity=e1)
4\tkam\tkommen\tVERB\tVVFIN\t_\t0\troot\t0:root\t_
5\tAnn\tAnn\tPROPN\tNE\t_\t4\tnsubj\t4:nsubj|6:nsubj\tEntity=(e2-person-1-1-new-Ann--)|SpaceAfter=No
6\t.\t.\tPUNCT\t$.\t_\t4\tpunct\t4:punct\t_

# newpar
# sent_id = d-2
1\tdie\tder\tDET\tART\t_\t2\tdet\t2:det\tBridge=e1<e3:part,e2<e3|Entity=(e3[1/2]-object-2-2,3-acc:inf--Gender:Fem
2\tTür\tTür\tNOUN\tNN\t_\t3\tnsubj\t3:nsubj\tEntity=e3[1/2])
3\tging\tgehen\tVERB\tVVFIN\t_\t0\troot\t0:root\t_
4\tdort\tdort\tADV\tADV\t_\t2\tadvmod\t2:advmod\tEntity=(e3[2/2])
4.1\t_\t_\tPRON\t_\t_\t_\t_\t3:nsubj\tEntity=(e4--1-1---)|SplitAnte=e1<e4,e2<e4
5\tauf\tauf\tADP\tPTKVZ\t_\t3\tcompound\t3:compound\tEntity=(e2--1-1-giv-Ann-the_first-)

# newdoc id = e
# global.Entity = etype-GRP
1\tx\t_\t_\t_\t_\t_\t_\t_\tBridge=2<1|Entity=(a-1(b-2
2\ty\t_\t_\t_\t_\t_\t_\t_\tEntity=2)1)

"""


def path_of(tmp_path, text, name="file.conllu"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_is_read(tmp_path):
    first, second = read(path_of(tmp_path, WHOLE))
    found = content_of(first)
    assert dict(zip(mentions_of(first), first.mentions.head.tolist(), strict=True)) == {
        ("e1", (1, 2)): 2,
        ("e2", (4,)): 4,
        ("e3", (6, 7, 9)): 7,
        ("e4", (10,)): 10,
        ("e2", (11,)): 11,
    }
    assert first.attributes == {
        "etype": ["object", "person", "object", "", ""],
        "infstat": ["new", "new", "acc:inf", "", "giv"],
        "identity": ["", "Ann", "", "", "Ann"],
        "other": ["", "-", "Gender:Fem", "", "the_first-"],
    }
    assert first.tokens.lines == {
        0: (
            "# generator = by hand",
            "# sent_id = d-1",
            "# text = Zum Haus kam Ann. Die Tür ging auf.",
            "1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_",
        ),
        6: ("# newpar", "# sent_id = d-2"),
    }
    assert first.tokens.columns["LEMMA"][:3] == ["zu", "der", "Haus"]
    assert first.tokens.columns["DEPREL"][10] == "_"
    assert first.tokens.columns["MISC"][4] == "SpaceAfter=No"
    assert first.tokens.parents.tolist()[8:11] == [-1, 7, 8]
    assert found["antecedents"] == {"e4": ["e1", "e2"]}
    house, door, ann = ("e1", (1, 2)), ("e3", (6, 7, 9)), ("e2", (4,))
    assert found["beside"]["relations"] == [(door, house, "part"), (door, ann, "")]
    assert found["beside"]["bridging"] == {door: ann}
    assert second.attributes == {"etype": ["a", "b"]}
    assert relations_of(second)["bridging"] == {("1", (0, 1)): ("2", (0, 1))}


def test_everything_is_written_and_read_back(tmp_path):
    source = path_of(tmp_path, WHOLE)
    target = tmp_path / "again.conllu"
    assert write(read(source), target, "corefud") == ()
    for before, after in zip(read(source), read(target), strict=True):
        assert content_of(before) == content_of(after)
    third = tmp_path / "third.conllu.gz"
    assert write(read(target), third, "corefud") == ()
    assert [content_of(x) for x in read(third)] == [content_of(x) for x in read(source)]


def test_bridging_of_both_formats_has_the_same_scores(tmp_path):
    key = path_of(tmp_path, WHOLE)
    response = path_of(tmp_path, WHOLE.replace("e2<e3", "e1<e3").replace("e1<e3:part,", ""))
    scores = universal_anaphora_scores(WHOLE, response)
    assert scores["bridging_anaphors"].recall_numerator == 2
    assert scores["bridging_entities"].recall_numerator == 1
    assert scores["bridging_mentions"].recall_numerator == 1
    paths = [tmp_path / "key.conllua", tmp_path / "response.conllua"]
    for text, target in zip((WHOLE, response), paths, strict=True):
        write(read(text), target, "conll-ua")
    assert universal_anaphora_scores(*paths) == scores
    assert key == response


def test_the_notes_of_bridging(tmp_path):
    texts = [note.text for note in read(path_of(tmp_path, WHOLE)).notes]
    assert texts == [
        "entities with split antecedents, which split_antecedent_scores alone uses: 1",
        "further bridging references of one mention, of which the last is taken: 1",
        "bridging references to an entity, read as to its first mention: 3",
        "bridging references, which universal_anaphora_scores alone uses: 2",
    ]


BRIDGES = """# newdoc id = d
# global.Entity = eid
1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)
2\tb\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2
3\tc\t_\t_\t_\t_\t_\t_\t_\tEntity=e2)
4\td\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2)

"""


@pytest.mark.parametrize(
    ("line", "misc", "anaphor", "note"),
    [
        (2, "Bridge=e1<e2", (1, 2), None),
        (4, "Bridge=e1<e2", (3,), None),
        (3, "Bridge=e1<e2", (1, 2), "no mention of its entity begins"),
        (1, "Bridge=e1<e2", (1, 2), "no mention of its entity begins"),
        *(
            (
                2,
                bridge,
                None,
                "that is not there, left out: 1 (the first: document 'd', line 4, 'e9')",
            )
            for bridge in ("Bridge=e9<e2", "Bridge=e1<e9")
        ),
        (2, "SplitAnte=e7<e2", None, "left out: 1 (the first: document 'd', line 4, 'e7')"),
        (2, "SplitAnte=e1<e7", None, "left out: 1 (the first: document 'd', line 4, 'e7')"),
    ],
)
def test_which_mention_bridges(line, misc, anaphor, note):
    rows = BRIDGES.split("\n")
    rows[line + 1] += f"|{misc}"
    documents = read("\n".join(rows))
    (document,) = documents
    if anaphor is None:
        assert document.references is None
    else:
        assert relations_of(document)["bridging"] == {("e2", anaphor): ("e1", (0,))}
    assert note is None or any(note in one for one in documents.notes)


@pytest.mark.parametrize("value", ["e1", "e1<", "<e2", "e1<e2,", "e1<e2<e3", ",e1<e2"])
def test_damaged_bridges(value):
    text = BRIDGES.replace("Entity=(e1)", f"Entity=(e1)|Bridge={value}")
    with pytest.raises(ValueError, match=r"<text>:3: document 'd': Bridge=.* does not consist"):
        read(text)


def marked(at):
    """Return a mention of one token a time."""
    return Spans(np.array(at), np.array(at))


def test_what_corefud_cannot_hold_of_references_is_told(tmp_path):
    tokens = Tokens(list("abcd"), np.zeros(4, dtype=np.int64))
    document = Document("d", marked([0, 1, 3]), np.array([0, 0, 1]), ["x", "y"], tokens)
    markables = Document(
        "d", marked([0, 1, 2, 3]), np.array([0, 0, 1, 2]), ["x", "9-Pseudo", "y"], tokens
    )
    deixis = Document("d", marked([2]), np.array([0]), ["z"], tokens)
    relations = {(3, 1): "a b", (2, 0): "part", (0, 3): "part"}
    references = References(markables, frozenset([2]), {3: 1, 0: 3}, relations, deixis)
    path = tmp_path / "d.conllu"
    lost = write(
        [Document(**{**fields_of(document), "references": references})], path, "corefud"
    )
    assert lost == (
        "bridging of or to mentions that refer to nothing, left out: 1",
        "mentions that refer to nothing, left out: 1",
        "mentions of discourse deixis, left out: 1",
        "kinds of bridging with blanks, bars or '<', left out: 1",
        # "y" bridges to the second mention of "x", Bridge says "x"
        "bridging to a mention, read back as that of the first one of its entity: 1",
    )
    (found,) = read(path)
    x, y = ("x", (0,)), ("y", (3,))
    assert relations_of(found)["relations"] == [(x, y, "part"), (y, x, "")]


def fields_of(document):
    return {name: getattr(document, name) for name in document.__dataclass_fields__}


def test_columns_of_another_format_are_told(tmp_path):
    tokens = Tokens(
        ["a", "b"],
        np.zeros(2, dtype=np.int64),
        tags=["NN", "VB"],
        parse=["(S*", "*)"],
        parents=np.array([1, -1]),
        columns={"REFERENCE": ["Ann", "_"], "LEMMA": ["a\tb", ""], "MISC": ["Entity=(1)", "_"]},
        lines={0: ("# newdoc id = x", "# sent_id = 1"), 2: ("# the end",)},
    )
    spans = marked([0])
    attributes = {"eid": ["a"], "etype": ["a-b"], "infstat": ["new (x)"], "a b": ["c"]}
    document = Document("d", spans, np.array([0]), ["e"], tokens, attributes=attributes)
    path = tmp_path / "d.conllu"
    assert write([document], path, "corefud") == (
        "attributes 'eid' of mentions, left out: 1",
        "attributes 'a b' of mentions, left out: 1",
        "attributes of mentions with '-', blanks, bars or brackets, with '_' in place of these:"
        " 2",
        "parts of speech beside a parse, written as XPOS: 2",
        "tokens whose brackets of phrases (parse) are left out: 2",
        "values of LEMMA with blanks or tabs, with '_' in place of these: 1",
        "values of the column REFERENCE, left out: 1",
        "comments that would be read as other lines, left out: 1",
        "entities in MISC of another format, left out: 1",
    )
    (found,) = read(path)
    assert found.attributes == {"etype": ["a_b"], "infstat": ["new_x_"]}
    assert found.tokens.columns == {"LEMMA": ["a_b", "_"], "XPOS": ["NN", "VB"]}
    assert found.tokens.parents.tolist() == [1, -1]
    assert found.tokens.lines == {0: ("# sent_id = 1",), 2: ("# the end",)}


def test_documents_of_a_caller_who_changed_the_mentions_have_no_references(tmp_path):
    (document,) = read(BRIDGES.replace("Entity=(e2)", "Bridge=e1<e2|Entity=(e2)"))
    one = Document(
        **{
            **fields_of(document),
            "mentions": marked([0]),
            "entity": np.array([0]),
            "entity_names": ["e1"],
        }
    )
    for format in ("corefud", "conll-ua", "conll-2012"):
        lost = write([one], tmp_path / "x", format)
        assert "documents with references of other mentions, which are left out: 1" in lost


@settings(max_examples=50)
@given(data=st.data())
def test_random_relations_come_back_or_their_loss_is_told(tmp_path_factory, data):
    n = 6
    rows = data.draw(
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, 2), st.integers(0, 2)),
            min_size=1,
            max_size=7,
        )
    )
    codes = {}
    entity = np.array([codes.setdefault(e, len(codes)) for _, _, e in rows], dtype=np.int64)
    first = np.array([first for first, _, _ in rows])
    last = np.minimum(first + [size for _, size, _ in rows], n - 1)
    empty = np.array([data.draw(st.booleans()) for _ in range(n)])
    tokens = Tokens(list("abcdef"), np.zeros(n, dtype=np.int64), empty)
    kinds = [data.draw(st.sampled_from(["", "a", "b-c"])) for _ in rows]
    document = Document("d", Spans(first, last), entity, [f"e{x}" for x in codes], tokens)
    document = Document(**{**fields_of(document), "attributes": {"kind": kinds}})
    at = st.integers(0, len(rows) - 1)
    pairs = data.draw(st.lists(st.tuples(at, at), max_size=5, unique=True))
    relations = {pair: data.draw(st.sampled_from(["", "part", "x:y"])) for pair in pairs}
    references = References(document, frozenset(), dict(pairs), relations)
    document = Document(**{**fields_of(document), "references": references})
    format = data.draw(st.sampled_from(["corefud", "conll-ua"]))
    path = tmp_path_factory.mktemp("write") / "file"
    lost = write([document], path, format)
    (found,) = coreference.read(path, format)
    assert found.tokens.empty is None or found.tokens.empty.tolist() == empty.tolist()
    if not lost:
        assert content_of(found)["mentions"] == content_of(document)["mentions"]
        if pairs:
            assert relations_of(found)["relations"] == relations_of(document)["relations"]
        assert pairs or found.references is None
