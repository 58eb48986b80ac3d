"""CoNLL-UA: everything that a file holds is read, written and read back."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_content import content_of, details_of, mentions_of, relations_of, spans_of
from partwise.cli import main
from partwise.coreference import (
    read,
    score,
    split_antecedent_scores,
    universal_anaphora_scores,
    write,
)
from partwise.coreference.documents.documents import Document, References, Spans, Tokens

pytestmark = pytest.mark.one_backend

COLUMNS = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING "
    "DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def row(number, form, *cells, **named):
    """Return a token line: cells from IDENTITY on, named ones before it."""
    names = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
    before = [named.get(name, "_") for name in names]
    return "\t".join([number, form, *before, *cells, *["_"] * (5 - len(cells))])


WHOLE = "\n".join(
    [
        COLUMNS,
        "# newdoc id = d",
        "# sent_id = d-1",
        "# text = Ann saw ... the house with Bo there .",
        row(
            *("1", "Ann", "(EntityID=1|MarkableID=m1|Min=1|SemType=dn|ElementOf=5)", "_"),
            *("(EntityID=1-DD|MarkableID=dd_1|Min=2", "Ann_Smith", "Entity_Type=person"),
            **{"lemma": "Ann", "upos": "PROPN", "xpos": "NNP", "head": "2", "deps": "2:nsubj"},
        ),
        row("2", "saw", upos="VERB", head="0", deprel="root", misc="Note=a"),
        row("2.1", "_", "(EntityID=5|MarkableID=zero)", deps="2:obl"),
        row("3", "the", "(EntityID=2|MarkableID=m2|Min=3,4|SemType=dn", upos="DET", head="4"),
        row("4", "house", ")", upos="NOUN", head="2"),
        row("5", "with", upos="ADP", head="6"),
        row("6", "Bo", "(EntityID=3|MarkableID=m3|ElementOf=5)", upos="PROPN", head="2"),
        row("7", "there", "(EntityID=2|MarkableID=m2)", upos="ADV", head="4"),
        row("8", ".", "_", "_", ")", upos="PUNCT", head="2"),
        "",
        "# sent_id = d-2",
        row(
            *("9", "It", "(EntityID=9-Pseudo|MarkableID=m4|SemType=expletive)", "_"),
            "(EntityID=1-DD|MarkableID=dd_2)",
            **{"upos": "PRON", "head": "10"},
        ),
        row("10", "has", upos="VERB", head="0"),
        row(
            *("11", "the", "(EntityID=4|MarkableID=m5(EntityID=6|MarkableID=m6|Min=12"),
            "(MarkableID=m5|Rel=poss|MentionAnchor=m2|EntityAnchor=2)"
            "(MarkableID=m6|Rel=part|MentionAnchor=m1)(MarkableID=m6|MentionAnchor=m4)",
            **{"upos": "DET", "head": "12"},
        ),
        row("12", "door", "m5)", upos="NOUN", head="10"),
        row("13", "there", "m6)", upos="ADV", head="10"),
        "",
        COLUMNS.replace(" NOM_SEM", " NOM_SEM RST"),
        "# newdoc id = e",
        row("1", "x") + "\tROOT",
        "# the end",
        "",
    ]
)


def path_of(tmp_path, text, name="file.conllua"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_is_read(tmp_path):
    documents = read(path_of(tmp_path, WHOLE))
    first, second = documents
    assert mentions_of(first) == [
        *[("1", (0,)), ("5", (2,)), ("2", (3, 4, 7)), ("3", (6,))],
        *[("4", (11, 12)), ("6", (11, 12, 13))],
    ]
    assert first.attributes == {
        "SemType": ["dn", "", "dn", "", "", ""],
        "MarkableID": ["m1", "zero", "m2", "m3", "m5", "m6"],
    }
    assert first.tokens.columns["REFERENCE"][0] == "Ann_Smith"
    assert first.tokens.columns["NOM_SEM"][0] == "Entity_Type=person"
    assert first.tokens.columns["MISC"][1] == "Note=a"
    assert first.tokens.tags[:3] == ["PROPN", "VERB", "_"]
    assert first.tokens.parents.tolist()[:4] == [1, -1, 1, 4]
    assert first.tokens.lines[9] == ("# sent_id = d-2",)
    beside = relations_of(first)
    assert beside["silent"] == [("9-Pseudo", (9,))]
    door, narrow = ("6", (11, 12, 13)), ("4", (11, 12))
    it, ann, house = ("9-Pseudo", (9,)), ("1", (0,)), ("2", (3, 4, 7))
    assert beside["bridging"] == {narrow: house, door: it}
    assert beside["relations"] == [(narrow, house, "poss"), (door, ann, "part"), (door, it, "")]
    deixis = first.references.discourse_deixis
    assert mentions_of(deixis) == [("1-DD", tuple(range(9))), ("1-DD", (9,))]
    assert deixis.mentions.minimum.tolist() == [[1, 1], [9, 9]]
    assert second.tokens.columns == {"RST": ["ROOT"]}
    assert second.tokens.lines == {1: ("# the end",)}
    assert "tokens with discourse deixis, which no score uses: 3" in documents.notes


def test_everything_is_written_and_read_back(tmp_path):
    source = path_of(tmp_path, WHOLE)
    target = tmp_path / "again.conllua"
    assert write(read(source), target, "conll-ua") == ()
    assert "MarkableID=zero" in target.read_text()
    for before, after in zip(read(source), read(target), strict=True):
        assert content_of(before) == content_of(after)
    third = tmp_path / "third.conllua.xz"
    assert write(read(target), third, "conll-ua") == ()
    assert [content_of(x) for x in read(third)] == [content_of(x) for x in read(source)]


def test_mentions_keep_their_ids(tmp_path):
    def written(*ids, attributes=None):
        given = [f"|MarkableID={x}" if x else "" for x in ids]
        rows = [
            "# global.columns = ID FORM IDENTITY BRIDGING",
            "# newdoc id = d",
            f"1 a (EntityID=1{given[0]}) _",
            f"2 b (EntityID=1{given[1]}(EntityID=2{given[2]}) (MarkableID=b|MentionAnchor=a)",
            "3 c ) _",
        ]
        (document,) = read("\n".join(rows) + "\n")
        if attributes is not None:
            document = replace(document, attributes=attributes, references=None)
        target = tmp_path / "ids.conllua"
        lost = write([document], target, "conll-ua")
        text = target.read_text()
        bridging = re.findall(r"\(MarkableID=([^|]*)\|MentionAnchor=([^|]*)\|", text)
        return re.findall(r"EntityID=\d\|MarkableID=([^|)(\s]*)", text), bridging, lost

    assert written("a", "b", "c") == (["a", "b", "c"], [("b", "a")], ())
    # those of the file, though it has the ones that numbers give, in another order
    assert written("m3", "m1", "m2") == (["m3", "m1", "m2"], [], ())
    assert written("a", "b", "") == (["a", "b", "m3"], [("b", "a")], ())
    assert written("", "m1", "b") == (["m1x", "m1", "b"], [], ())
    # of another format, ids that brackets cannot hold or that mentions share
    for ids in (["a b", "x", "y"], ["x", "y", "x"]):
        assert written("a", "b", "c", attributes={"MarkableID": ids}) == (
            *(["m1", "m2", "m3"], []),
            ("attributes 'MarkableID' of mentions, numbered anew: 3",),
        )


def test_what_is_written_has_the_columns_where_other_scorers_look_for_them(tmp_path):
    target = tmp_path / "again.conllua"
    write(read(path_of(tmp_path, WHOLE)), target, "conll-ua")
    for line in target.read_text().splitlines():
        if line and not line.startswith("#"):
            cells = line.split()
            assert len(cells) in (15, 16)
            assert cells[10] == "_" or "EntityID" in cells[10] or cells[10].endswith(")")
            assert cells[11] == "_" or cells[11].startswith("(MarkableID=")
            assert cells[12] in ("_", "dd1)", ")") or cells[12].startswith("(EntityID=1-DD")


def test_the_scores_are_those_of_the_file_that_was_read(tmp_path):
    source = path_of(tmp_path, WHOLE)
    target = tmp_path / "again.conllua"
    write(read(source), target, "conll-ua")
    response = path_of(
        tmp_path, WHOLE.replace("MentionAnchor=m4", "MentionAnchor=m3"), "response.conllua"
    )
    wanted = universal_anaphora_scores(source, response)
    assert wanted["bridging_mentions"].recall_numerator == 1
    assert universal_anaphora_scores(target, response) == wanted
    sides = [score(x, response, convention="ua-2.0") for x in (source, target)]
    assert dict(split_antecedent_scores(sides[0])) == dict(split_antecedent_scores(sides[1]))


def test_corefud_keeps_what_it_can(tmp_path, capsys):
    source, target = path_of(tmp_path, WHOLE), tmp_path / "d.conllu"
    assert main(["convert", str(source), str(target)]) == 0
    warnings = [x.partition("warning: ")[2] for x in capsys.readouterr().err.splitlines()]
    assert [x for x in warnings if x] == [
        "bridging of or to mentions that refer to nothing, left out: 1",
        "mentions that refer to nothing, left out: 1",
        "mentions of discourse deixis, left out: 2",
        "documents whose tokens are numbered anew: 1",
        "values of the column REFERENCE, left out: 1",
        "values of the column NOM_SEM, left out: 1",
        "values of the column RST, left out: 1",
    ]
    before, after = read(source).documents[0], read(target).documents[0]
    assert details_of(before) == details_of(after)
    assert after.tokens.ids[-2:] == ["4", "5"]
    assert after.tokens.dependencies[:3] == ["2:nsubj", "_", "2:obl"]
    for name in ("sentence", "empty", "parents"):
        ours, theirs = (getattr(x.tokens, name).tolist() for x in (before, after))
        assert ours == theirs
    assert before.antecedents == after.antecedents
    door, narrow = ("6", (11, 12, 13)), ("4", (11, 12))
    assert relations_of(after)["bridging"] == {narrow: ("2", (3, 4, 7)), door: ("1", (0,))}


@pytest.mark.parametrize(
    ("format", "name"), [("conll-2012", "d.conll"), ("jsonlines", "d.jsonl")]
)
def test_plain_formats_tell_what_they_lose(tmp_path, format, name):
    lost = write(read(path_of(tmp_path, WHOLE)), tmp_path / name, format)
    for sentence in (
        "entities whose split antecedents are left out: 1",
        "attributes 'SemType' of mentions, left out: 2",
        "values of the column NOM_SEM, left out: 1",
        "comments and lines of words of several tokens, left out: 4",
        "mentions that refer to nothing, left out: 1",
        "bridging references left out: 3",
        "mentions of discourse deixis, left out: 2",
        "empty nodes, written as words: 1",
    ):
        assert sentence in lost


def test_corefud_in_conll_ua_and_back_loses_heads_alone(tmp_path):
    lines = [
        "# newdoc id = d",
        "# global.Entity = eid-etype-head-minspan-other",
        "# sent_id = 1",
        "1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1-1-)",
        "2\tcame\tcome\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No",
        "",
        "1\tThe\tthe\tDET\t_\t_\t2\tdet\t2:det\tBridge=e1<e2:poss|Entity=(e2[1/2]--2-1,2-",
        "2\tcat\tcat\tNOUN\t_\t_\t3\tnsubj\t3:nsubj|3.1:nsubj\tEntity=e2[1/2])",
        "3\tslept\tsleep\tVERB\t_\t_\t0\troot\t0:root\t_",
        "3.1\t_\t_\tVERB\t_\t_\t_\t_\t3:conj\tEntity=(e2[2/2])",
        "",
    ]
    source = path_of(tmp_path, "\n".join(lines), "d.conllu")
    middle, target = tmp_path / "d.conllua", tmp_path / "e.conllu"
    assert write(read(source), middle, "conll-ua") == ("mentions whose head is left out: 2",)
    (between,) = read(middle)
    assert between.tokens.ids == ["1", "2", "3", "4", "5", "5.1"]
    assert between.tokens.dependencies[3] == "5:nsubj|5.1:nsubj"
    assert write([between], target, "corefud") == (
        "documents whose tokens are numbered anew: 1",
    )
    before, after = (content_of(*read(x)) for x in (source, target))
    for content in (before["beside"].pop("all"), after["beside"].pop("all")):
        assert len(content) == 2
    heads = [mention[2] for mention in before["mentions"]]
    assert heads == [0, 3]
    without = [(*mention[:2], None, *mention[3:]) for mention in before.pop("mentions")]
    assert without == after.pop("mentions")
    assert before == after


def test_lines_of_words_of_several_tokens_are_lost_and_told(tmp_path):
    text = "# newdoc id = d\n1-2\tam\t_\t_\t_\t_\t_\t_\t_\t_\n"
    text += "".join(f"{n}\tx\t_\t_\t_\t_\t_\t_\t_\t_\n" for n in (1, 2))
    lost = write(read(text), tmp_path / "d.conllua", "conll-ua")
    assert lost == ("lines of words of several tokens, left out: 1",)


def test_deixis_that_is_damaged_does_not_stop_identity():
    for damaged in ("dd_1)", "(EntityID=1-DD", "(MarkableID=dd_3)", "x"):
        text = WHOLE.replace("(EntityID=1-DD|MarkableID=dd_2)", damaged)
        documents = read(text)
        assert documents.documents[0].references.discourse_deixis is None
        assert any(
            "discourse deixis of a document, left out: <text>:" in x for x in documents.notes
        )
        assert len(documents.documents[0]) == 6


def test_entities_of_mentions_that_refer_to_nothing_are_named_so(tmp_path):
    tokens = Tokens(["it", "rains"], np.zeros(2, dtype=np.int64))
    none = np.array([], dtype=np.int64)
    here = np.array([0])
    references = References(
        Document("d", Spans(here, here), here, ["x"], tokens), frozenset([0]), {}
    )
    document = Document("d", Spans(none, none), none, [], tokens, references=references)
    target = tmp_path / "d.conllua"
    what = "mentions that refer to nothing, with '-Pseudo' behind the name of their entity: 1"
    assert write([document], target, "conll-ua") == (what,)
    (found,) = read(target)
    assert len(found) == 0
    assert relations_of(found)["silent"] == [("x-Pseudo", (0,))]


@settings(max_examples=50)
@given(data=st.data())
def test_random_documents_come_back(tmp_path_factory, data):
    n = 7
    index = st.integers(0, n - 1)
    rows = data.draw(
        st.lists(
            st.tuples(st.sets(index, min_size=1), st.integers(0, 5)), min_size=1, max_size=6
        )
    )
    tokens_of = [sorted(found) for found, _ in rows]
    silent = {at for at, (_, entity) in enumerate(rows) if entity > 3}
    names = [f"{at}_pseudo" if at in silent else str(e) for at, (_, e) in enumerate(rows)]
    empty = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    sentence = np.cumsum(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    tokens = Tokens(list("abcdefg"), sentence - sentence[0], empty, tags=list("TUVWXYZ"))

    def document_of(chosen):
        codes = {}
        inside = [tokens_of[at] for at in chosen]
        return Document(
            "d",
            Spans(
                np.array([x[0] for x in inside], dtype=np.int64),
                np.array([x[-1] for x in inside], dtype=np.int64),
                token_ends=np.cumsum([0, *map(len, inside)]),
                tokens=np.array([t for x in inside for t in x], dtype=np.int64),
            ),
            np.array(
                [codes.setdefault(names[at], len(codes)) for at in chosen], dtype=np.int64
            ),
            list(codes),
            tokens,
        )

    at = st.integers(0, len(rows) - 1)
    pairs = dict(data.draw(st.lists(st.tuples(at, at), max_size=4)))
    relations = {pair: data.draw(st.sampled_from(["", "part"])) for pair in pairs.items()}
    everything = document_of(range(len(rows)))
    deixis = document_of(sorted(data.draw(st.sets(at, max_size=2))))
    references = References(
        everything, frozenset(silent), pairs, relations, deixis if len(deixis) else None
    )
    whole = document_of([at for at in range(len(rows)) if at not in silent])
    document = Document(
        *(whole.name, whole.mentions, whole.entity, whole.entity_names, tokens),
        references=references,
    )
    path = tmp_path_factory.mktemp("write") / "file.conllua"
    assert write([document], path, "conll-ua") == ()
    (found,) = read(path)
    assert sorted(mentions_of(found)) == sorted(mentions_of(document))
    assert (found.tokens.empty is not None) == bool(empty.any())
    assert found.tokens.empty is None or found.tokens.empty.tolist() == empty.tolist()
    assert found.tokens.tags == tokens.tags
    if silent or pairs or len(deixis):
        ours, theirs = relations_of(document), relations_of(found)
        assert ours["all"] == theirs["all"]
        for part in ("silent", "relations", "deixis"):
            assert ours[part] == theirs[part]
    else:
        assert found.references is None
    assert len(spans_of(found)) == len(whole)
