"""CorefUD and CoNLL-UA files that are damaged or odd: read right, or refused with the place."""

import gzip
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from document_content import content_of, mentions_of, relations_of
from partwise.coreference import read, score, universal_anaphora_scores, write

pytestmark = pytest.mark.one_backend

COREFUD = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1-)
2\tmet\tmeet\tVERB\t_\t_\t0\troot\t0:root\t_
3\tthe\tthe\tDET\t_\t_\t4\tdet\t4:det\tEntity=(e2--2-(e3[1/2]--1-
4\tcat\tcat\tNOUN\t_\t_\t2\tobj\t2:obj\tEntity=e3[1/2])
4.1\t_\t_\tPRON\t_\t_\t_\t_\t2:obj\tEntity=(e1-person-1-)
5\tof\tof\tADP\t_\t_\t6\tcase\t6:case\tBridge=e1<e3:part|Entity=e2)
6\tBo\tBo\tPROPN\t_\t_\t4\tnmod\t4:nmod\tEntity=(e3[2/2])|SplitAnte=e1<e2,e3<e2

"""
CONLL_UA = (
    "# newdoc id = d\n# global.columns = ID FORM IDENTITY BRIDGING\n# sent_id = 1\n"
    + "".join(
        "\t".join(cells) + "\n"
        for cells in (
            ("1", "Ann", "(EntityID=1|MarkableID=m1|Min=1|ElementOf=2)", "_"),
            ("2", "met", "_", "_"),
            ("3", "the", "(EntityID=2|MarkableID=m2|Min=4", "_"),
            ("4", "cat", "(EntityID=3|MarkableID=m3", "_"),
            ("4.1", "_", "(EntityID=1|MarkableID=m4)", "_"),
            ("5", "of", "m2)", "_"),
            ("6", "Bo", "m3)", "(MarkableID=m3|Rel=part|MentionAnchor=m1)"),
        )
    )
    + "\n"
)
TEXTS = {"corefud": COREFUD, "conll-ua": CONLL_UA}
MENTIONS = {
    "corefud": [("e1", (0,)), ("e2", (2, 3, 4, 5)), ("e3", (2, 3, 6)), ("e1", (4,))],
    "conll-ua": [("1", (0,)), ("2", (2, 3, 4, 5)), ("3", (3, 4, 5, 6)), ("1", (4,))],
}
both = pytest.mark.parametrize("format", TEXTS)


@pytest.fixture(name="file")
def file_with_content(tmp_path):
    def write_file(content, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def refusal_of(call):
    """Return what a call is refused with; None: it is not. Other errors are raised."""
    try:
        call()
    except UnicodeError:
        raise  # which is a ValueError, but says no line
    except (ValueError, TypeError, OSError) as error:
        return str(error)
    return None


@both
def test_the_files_as_such(file, format):
    documents = read(file(TEXTS[format]))
    assert documents.format == format
    assert mentions_of(documents.documents[0]) == MENTIONS[format]


@both
def test_encodings_and_line_ends(file, format):
    text = TEXTS[format].replace("Ann", "Änn")
    wanted = [content_of(x) for x in read(file(text))]
    for content in (
        text.replace("\n", "\r\n"),
        "\ufeff" + text,
        ("\ufeff" + text).encode("utf-16"),
        gzip.compress(text.encode()),
        text.replace("\n", "\r"),
    ):
        assert [content_of(x) for x in read(file(content), format)] == wanted


@both
def test_bytes_that_are_no_text_are_refused_with_their_line(file, format):
    text = TEXTS[format].encode()
    with pytest.raises(ValueError, match=r"file\.txt:4: document 'd': not UTF-8 .* iconv"):
        read(file(text.replace(b"Ann", "Änn".encode("latin-1"))), format)
    with pytest.raises(ValueError, match=r"file\.txt:5: .*NUL"):
        read(file(text.replace(b"met", b"m\0t")), format)
    with pytest.raises(ValueError, match=r"file\.txt: damaged compressed file"):
        read(file(gzip.compress(text)[:-12]), format)


@both
@pytest.mark.parametrize("content", ["", "\n\n", "# newdoc\n"[:1], "# a comment\n"])
def test_files_without_a_document(file, format, content):
    with pytest.raises(ValueError, match=r"file\.txt: (no document in it|the file is empty)"):
        read(file(content), format)


@both
def test_documents_of_one_name_are_two_and_scores_ask(file, format):
    path = file(TEXTS[format] * 2)
    assert [document.name for document in read(path)] == ["d", "d"]
    with pytest.raises(ValueError, match="double_documents"):
        score(path, path)
    assert score(path, path, double_documents="first")["muc"].f1 == 1


@both
def test_comments_behind_a_document_stay_with_it(file, format):
    text = TEXTS[format]
    behind = f"{text.rstrip()}\n# behind\n\n# before\n{text}"
    first, second = (document.tokens.lines for document in read(file(behind)))
    assert first == {0: ("# sent_id = 1",), 7: ("# behind",)}
    assert second == {0: ("# before", "# sent_id = 1")}


@both
def test_a_line_that_is_missing_is_told(file, format):
    text = TEXTS[format]
    lines = text.splitlines(keepends=True)
    documents = read(file("".join(line for line in lines if not line.startswith("2\t"))))
    assert [note.code for note in documents.notes if note.suspicious] == ["tokens-uncounted"]
    assert not any(note.suspicious for note in read(file(text)).notes)


@both
def test_a_mention_that_stands_twice_is_read_twice_and_scores_ask(file, format):
    bracket = {
        "corefud": ("Entity=(e1-person-1-)", "Entity=(e1-person-1-)(e1-person-1-)"),
        "conll-ua": ("ElementOf=2)", "ElementOf=2)(EntityID=1|MarkableID=m9)"),
    }[format]
    path = file(TEXTS[format].replace(*bracket, 1))
    assert mentions_of(read(path).documents[0])[:2] == MENTIONS[format][:1] * 2
    with pytest.raises(ValueError, match=r"the mention \(0, 0\) is in entity .* and again in"):
        score(path, path)


@both
def test_a_cut_anywhere_is_read_or_refused_with_the_line(file, format):
    text = TEXTS[format].encode()
    said = [
        refusal_of(lambda end=end: read(file(text[:end]), format)) for end in range(len(text))
    ]
    refused = [sentence for sentence in said if sentence is not None]
    for sentence in refused:
        assert re.search(r"file\.txt(:\d+: |: no document|: the file is empty)", sentence)
    # whole lines are a whole file, where no mention is open
    assert len(refused) > len(text) // 2


CASES = {
    "a line cut off": ("corefud", "\t0:root\t_", "", r":5: .* 8 columns .* a line cut off"),
    "a column too many": ("corefud", "\t0:root\t_", "\t0:root\t_\t_", ":5: .* 11 columns"),
    "blanks for tabs": ("corefud", "2\tmet\tmeet", "2 met meet", ":5: .* 8 columns"),
    "never closed": ("corefud", "Entity=e2)", "X=y", ":6: .* 'e2' is opened and never"),
    "closed twice": ("corefud", "Entity=e2)", "Entity=e2)e2)", ":9: .* 'e2' is closed but not"),
    "no second part": ("corefud", "(e3[2/2])", "(e4)", r":6: .* 'e3' has 1 of its 2 parts"),
    "no first part": (
        "corefud",
        "(e3[1/2]--1-",
        "(e3[2/2]",
        ":6: .* with part 1/2",
    ),
    "a third part": ("corefud", "(e3[2/2])", "(e3[3/3])", r":10: .* no mention with part 2/3"),
    "part 3 of 2": ("corefud", "(e3[2/2])", "(e3[3/2])", r":10: .* part 3 of 2"),
    "huge numbers": ("corefud", "person-1-", f"person-{'9' * 5000}-", r":4: .* head '9+"),
    "a head in another place": ("corefud", "(e2--2-", "(e2--5-", r":6: .* its words 1 to 4"),
    "Entity twice": ("corefud", "Entity=e2)", "Entity=e2)|Entity=x)", ":9: .* stands twice"),
    "an unknown header": ("corefud", "eid-etype", "id-etype", r":2: global.Entity = 'id-etype"),
    "a field twice": ("corefud", "etype-head", "etype-etype", ":2: .* and each once"),
    "an empty field": ("corefud", "etype-head", "etype--head", ":2: .* and each once"),
    "no header": ("corefud", "# global", "# local", ":4: .* no '# global.Entity = eid-...'"),
    "a token twice": ("corefud", "2\tmet", "1\tmet", ":5: .* a second token 1 in one sentence"),
    "entities on 1-2": ("corefud", "1\tAnn", "1-2\tAnn", ":4: .* write it on its words"),
    "a node without a line": ("corefud", "4.1\t_", "4,1\t_", ":8: .* '4,1' is not the number"),
    "brackets inside out": ("corefud", "Entity=e2)", "Entity=)e2(", ":9: .* does not consist"),
    "a link to nothing": ("corefud", "e3<e2", "e3<", ":10: .* does not consist of antecedent<"),
    "too few columns": ("conll-ua", "2\tmet\t_\t_", "2\tmet", ":5: .* 2 columns; IDENTITY is"),
    "too many columns": ("conll-ua", "2\tmet\t_\t_", "2\tmet\t_\t_\tx", ":5: .* names 4"),
    "UA never closed": ("conll-ua", "m2)", "_", ":6: .* '2' is opened and never closed"),
    "UA closed twice": ("conll-ua", "m2)", "m2)m2)", ":9: .* 'm2' is closed but not open"),
    "UA Min elsewhere": ("conll-ua", "Min=4", "Min=6", r":6: .* Min=6 of m2 names token 6"),
    "UA Min of no zero": ("conll-ua", "Min=4", "Min=8.1", r":6: .* names token 8.1, which is"),
    "UA no entity": ("conll-ua", "EntityID=3|", "", r":7: .* has no EntityID"),
    "UA two entities": ("conll-ua", "EntityID=3|", "EntityID=3|EntityID=4|", ":7: .* twice"),
    "UA bridge of nobody": ("conll-ua", "(MarkableID=m3|Rel", "(Rel", ":10: .* needs Mark"),
    "UA no columns": ("conll-ua", "# global", "# local", ":4: a token before '# global.col"),
    "UA column twice": ("conll-ua", "FORM IDENTITY", "FORM FORM IDENTITY", ":2: .* twice"),
    "UA other columns": ("conll-ua", "IDENTITY", "IDENTITÄT", ":2: .* IDENTITY are expected"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_refused_names_file_line_and_document(file, name):
    format, old, new, said = CASES[name]
    assert old in TEXTS[format]
    path = file(TEXTS[format].replace(old, new, 1))
    with pytest.raises(ValueError, match=said) as error:
        read(path, format)
    line = int(re.search(r"file\.txt:(\d+):", str(error.value))[1])
    assert line == 2 or "document 'd'" in str(error.value) or "before '# global" in said


def test_one_id_for_two_runs_is_a_mention_with_a_gap(file):
    documents = read(file(TEXTS["conll-ua"].replace("=m4)", "=m1)")), "conll-ua")
    assert ("1", (0, 4)) in mentions_of(documents.documents[0])


def test_headers_in_another_order_and_a_later_one(file):
    text = COREFUD.replace("eid-etype-head-other", "head-x-eid-etype")
    text = text.replace("(e1-person-1-)", "(1--e1-person)").replace("(e2--2-", "(2-new-e2")
    text = text.replace("(e3[1/2]--1-", "(1--e3[1/2]").replace("(e3[2/2])", "(--e3[2/2])")
    (document,) = read(file(text))
    assert mentions_of(document) == MENTIONS["corefud"]
    assert document.mentions.head.tolist() == [0, 3, 2, 4]
    assert document.attributes == {
        "x": ["", "new", "", ""],
        "etype": ["person", "", "", "person"],
    }
    later = COREFUD.replace("5\tof", "# global.Entity = etype-GRP\n5\tof")
    later = later.replace("(e3[2/2])", "(-e3[2/2])(place-e9)")
    (document,) = read(file(later))
    assert mentions_of(document) == [*MENTIONS["corefud"], ("e9", (6,))]
    assert document.attributes["etype"] == ["person", "", "", "person", "place"]


def test_parts_with_fields_of_their_own_are_told(file):
    documents = read(file(COREFUD.replace("(e3[2/2])", "(e3[2/2]-place)")))
    text = "parts of mentions with other fields than the first part, whose were taken: 1"
    assert text in documents.notes
    assert set(documents.documents[0].attributes["etype"]) == {"person", ""}


@pytest.mark.parametrize(
    ("format", "old", "new", "said"),
    [
        ("corefud", "Bridge=e1<e3", "Bridge=e7<e3", "that is not there, left out: 1"),
        ("corefud", "Bridge=e1<e3", "Bridge=e1<e7", "that is not there, left out: 1"),
        ("corefud", "e1<e2,e3<e2", "e1<e2,e7<e2", "without mentions, left out: 1"),
        ("corefud", "e1<e2,e3<e2", "e1<e7,e3<e7", "without mentions, left out: 2"),
        ("conll-ua", "MentionAnchor=m1", "MentionAnchor=m7", "that is not there, left out: 1"),
        ("conll-ua", "(MarkableID=m3|", "(MarkableID=m7|", "that is not there, left out: 1"),
        ("conll-ua", "ElementOf=2", "ElementOf=7", "without mentions, left out: 1"),
        ("conll-ua", "2\tmet\t_\t_", "2\tmet\t_", "lines with fewer columns than"),
    ],
)
def test_relations_to_what_is_not_there_are_told(file, format, old, new, said):
    documents = read(file(TEXTS[format].replace(old, new)), format)
    assert any(said in note for note in documents.notes)
    assert mentions_of(documents.documents[0]) == MENTIONS[format]


def test_dependencies_on_a_node_that_is_not_there(file, tmp_path):
    path = file(COREFUD.replace("\t2:obj\tEntity=(e1", "\t8.1:obj\tEntity=(e1"))
    (document,) = read(path)
    assert document.tokens.parents.tolist()[4] == -1
    target = tmp_path / "d.conllua"
    lost = write([document], target, "conll-ua")
    # numbers of sentences and of the document are the same in the first sentence
    assert lost == ("mentions whose head is left out: 4",)
    later = file(
        f"{COREFUD}{COREFUD.partition('# sent_id = 1')[2]}".replace("2:obj\tE", "8.1:obj\tE")
    )
    lost = write(read(later), target, "conll-ua")
    assert "enhanced dependencies on tokens that are not there, left out: 4" in lost


def test_bridging_in_hostile_files_is_scored(file):
    for text, anaphor in ((COREFUD, ("e3", (2, 3, 6))), (CONLL_UA, ("3", (3, 4, 5, 6)))):
        (document,) = read(file(text))
        ((found, _),) = relations_of(document)["bridging"].items()
        assert found == anaphor
        assert universal_anaphora_scores(text, text)["bridging_mentions"].f1 == 1


@pytest.mark.parametrize(
    ("format", "old", "new"),
    [
        ("corefud", "Entity=e2)", "Entity=" + "(ab)" * 5000 + "("),
        ("corefud", "Entity=e2)", "Entity=" + "a" * 100_000),
        ("conll-ua", "m2)", "@)" * 5000 + "x"),
        ("conll-ua", "m2)", "@" * 100_000 + "x"),
    ],
)
def test_cells_that_patterns_take_exponential_time_for(file, format, old, new):
    with pytest.raises(ValueError, match=r"file\.txt:9: .* does not consist of"):
        read(file(TEXTS[format].replace(old, new)), format)


PIECES = [b"(", b")", b"[1/2]", b"[9/", b"|", b"-", b"=", b"<", b",", b":", b"@", b"\t", b" "]
PIECES += [b"\r", b"\0", b"\xff", b"\xc3", b"#", b"1", b"4.1", b"e1", b"m1", b"\n", b"_", b""]
edits = st.tuples(
    st.sampled_from(["bytes", "cut line", "drop line", "repeat line", "swap lines", "end"]),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
    st.integers(0, 5),
    st.sampled_from(PIECES),
)


def edited(content, edit):
    """Return content after one edit at a place that depends on two numbers."""
    kind, a, b, size, piece = edit
    if kind == "bytes":
        at = a % (len(content) + 1)
        return content[:at] + piece + content[at + size :]
    if kind == "end":
        return content[: a % (len(content) + 1)]
    lines = content.split(b"\n")
    at, to = a % len(lines), b % len(lines)
    if kind == "cut line":
        lines[at] = lines[at][: b % (len(lines[at]) + 1)]
    elif kind == "drop line":
        del lines[at]
    elif kind == "repeat line":
        lines.insert(to, lines[at])
    else:
        lines[at], lines[to] = lines[to], lines[at]
    return b"\n".join(lines)


@settings(max_examples=60)
@given(format=st.sampled_from(sorted(TEXTS)), made=st.lists(edits, min_size=1, max_size=4))
@example(format="corefud", made=[("bytes", 0, 0, 0, b"\0")])
def test_edited_files_are_read_or_refused_and_come_back(tmp_path_factory, format, made):
    content = TEXTS[format].encode()
    for edit in made:
        content = edited(content, edit)
    folder = tmp_path_factory.mktemp("edited")
    path = folder / "file.txt"
    path.write_bytes(content)
    documents = []
    said = refusal_of(lambda: documents.extend(read(path, format)))
    if said is not None:
        whole = r"no document in it|the file is empty|without a byte order mark"
        assert re.search(rf"file\.txt(:\d+: |: .*({whole}))", said)
        return
    target = folder / "again"
    if any("\r" in document.name for document in documents):
        return
    if write(documents, target, format):
        return
    for before, after in zip(documents, read(target, format), strict=True):
        ours, theirs = content_of(before), content_of(after)
        assert ours["mentions"] == theirs["mentions"]
        assert ours["antecedents"] == theirs["antecedents"]
        assert ours["beside"] == theirs["beside"]
        for part in ("sentence", "empty", "tags", "parents", "lines"):
            assert ours["tokens"][part] == theirs["tokens"][part]
        words = [word or "_" for word in ours["tokens"]["words"]]
        assert words == theirs["tokens"]["words"]
