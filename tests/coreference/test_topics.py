"""Scores by topic: each topic is scored as its documents alone are, all of them as one set."""

import json
import re

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import score

pytestmark = pytest.mark.one_backend

MEASURES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")


def corpus(seed, names):
    """Return {document: {entity: mentions}} of a key and a response over the same mentions."""
    draw = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        side = {}
        for name in names:
            entities = {}
            for mention in range(int(draw.integers(1, 9))):
                entities.setdefault(f"e{draw.integers(0, 4)}", []).append(mention)
            side[name] = entities
        sides.append(side)
    return sides


NAMES = ["1_a", "2_a", "1_b", "3_a", "2_b", "1_c"]
TOPICS = {name: name[0] for name in NAMES}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_a_topic_is_scored_as_its_documents_alone(seed, singletons):
    key, response = corpus(seed, NAMES)
    scores = score(key, response, topics=TOPICS, singletons=singletons)
    assert scores.documents == ["1", "2", "3"]
    alone = {}
    for topic in scores.documents:
        inside = [name for name in NAMES if TOPICS[name] == topic]
        alone[topic] = score(
            {name: key[name] for name in inside},
            {name: response[name] for name in inside},
            cross_document=True,
            singletons=singletons,
        )
        for measure in MEASURES:
            ours, theirs = scores.per_document[topic][measure], alone[topic][measure]
            assert (ours.recall, ours.precision, ours.f1) == (
                theirs.recall,
                theirs.precision,
                theirs.f1,
            )
    for measure in ("muc", "b_cubed", "lea", "ceaf_e"):
        means = np.mean([alone[topic][measure].f1 for topic in alone])
        assert scores.macro[measure].f1 == pytest.approx(means)
        for part in ("recall_numerator", "precision_denominator"):
            total = sum(getattr(one[measure], part) for one in alone.values())
            assert getattr(scores[measure], part) == pytest.approx(total)


def test_one_topic_is_cross_document_and_a_topic_a_document_is_not():
    key, response = corpus(3, NAMES)
    one = score(key, response, topics=lambda _: "all")
    for measure in MEASURES:
        assert one[measure] == score(key, response, cross_document=True)[measure]
    each = score(key, response, topics=r"(.*)")
    for measure in MEASURES:
        assert each[measure] == score(key, response)[measure]


def test_patterns_files_and_functions_agree(tmp_path):
    key, response = corpus(5, NAMES)
    wanted = score(key, response, topics=TOPICS)
    for number, delimiter in enumerate("\t, "):
        path = tmp_path / str(number)
        rows = [("document", "topic"), *TOPICS.items()]
        path.write_text("\n\n".join(delimiter.join(row) for row in rows))
        assert score(key, response, topics=path).to_dict() == wanted.to_dict()
    for topics in (r"^(\d)_", lambda name: name[0]):
        assert score(key, response, topics=topics).to_dict() == wanted.to_dict()
    notes = {note.code: note.text for note in wanted.input_report.notes}
    assert notes["topics-taken"] == (
        "6 documents in 3 topics (of 1 to 3 documents), the first '1'"
    )
    finer = score(key, response, topics=r"^(\d)_([ab])|^(\d)")
    assert finer.documents == ["1 a", "2 a", "1 b", "3 a", "2 b", "1"]


def test_extra_and_missing_documents_have_topics():
    key, response = corpus(1, NAMES)
    del key["1_b"], response["2_b"]
    options = {"missing_documents": "empty", "extra_documents": "empty"}
    scores = score(key, response, topics=r"^(\d)_", **options)
    assert scores.documents == ["1", "2", "3"]
    response["9_x"] = {"e": [1]}
    assert score(key, response, topics=r"^(\d)_", **options).documents == ["1", "2", "3", "9"]


@pytest.mark.parametrize(
    ("topics", "error", "said"),
    [
        (
            "[0-9]",
            ValueError,
            "topics='[0-9]' is no file that is there, and as a pattern has no group; put what",
        ),
        ("([0-9]", ValueError, "is no regular expression"),
        (r"^([12])_", ValueError, r"document '3_a' has no topic in topics='^([12])_'"),
        ({"1_a": "x"}, ValueError, "document '2_a' has no topic in topics=a dict"),
        (5, TypeError, "topics= is a int; a pattern"),
    ],
)
def test_documents_without_a_topic_are_refused(topics, error, said):
    key, response = corpus(0, NAMES)
    with pytest.raises(error, match=re.escape(said)):
        score(key, response, topics=topics)


def test_names_of_no_document_are_told(tmp_path):
    key, response = corpus(0, NAMES)
    path = tmp_path / "topics.tsv"
    rows = "document\ttopic\n" + "".join(f"{x}\t{y}\n" for x, y in TOPICS.items())
    counts = "6 documents in 3 topics (of 1 to 3 documents), the first '1'"
    for text, told in (
        (rows, ""),
        ("1_aa\t1\n" + rows, ": 2, the first '1_aa'"),  # titles are those of the first row
        (rows + "7_x\t1\n8_x\t1\n", ": 2, the first '7_x'"),
    ):
        path.write_text(text)
        (note,) = [
            x.text
            for x in score(key, response, topics=path).input_report.notes
            if x.code == "topics-taken"
        ]
        said = f"; names there that are of no document that is scored{told}"
        assert note == counts + (said if told else "")
    path.write_text(rows.replace("2_b", "2_bb"))
    said = f"document '2_b' has no topic in topics={str(path)!r}, which has '2_bb'; every"
    with pytest.raises(ValueError, match=re.escape(said)):
        score(key, response, topics=path)
    path.write_text(rows.replace("2_b", "something else"))
    with pytest.raises(ValueError, match="which begins with 'document'; every"):
        score(key, response, topics=path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1_a\tx\n1_a\ty\n", ":2: document '1_a' is of topic 'y' here and of 'x' on line 1"),
        ("1_a\tx\n2_a\n", ":2: 1 fields; a document and its topic"),
        ("1_a\tx\tz\n", ":1: 3 fields"),
    ],
)
def test_damaged_files_of_topics(tmp_path, text, said):
    key, response = corpus(0, NAMES)
    path = tmp_path / "topics.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(f"topics.tsv{said}")):
        score(key, response, topics=path)


def test_topics_need_names_of_entities():
    with pytest.raises(ValueError, match="have no names that could be the same"):
        score({"a": [["x"]]}, {"a": [["x"]]}, topics="(.)")
    named, some = {"a": {"e": ["x"]}, "b": {"e": ["y"]}}, {"a": {"e": ["x"]}, "b": [["y"]]}
    assert score(named, named, topics="(.)")["b_cubed"].f1 == 1.0
    for sides in ((named, some), (some, named)):  # one document without names is enough
        with pytest.raises(ValueError, match="have no names that could be the same"):
            score(*sides, topics="(.)")
    with pytest.raises(ValueError, match="topics= is not for the convention cai-strube"):
        score({"a": {"e": ["x"]}}, {"a": {"e": ["x"]}}, topics="(.)", convention="cai-strube")


def test_the_command_scores_by_topic(tmp_path, capsys):
    table = tmp_path / "k.csv"
    rows = [f"{name},{at},e{at % 2}" for name in ("1_a", "1_b", "2_a") for at in range(3)]
    table.write_text("\n".join(["document,mention,entity", *rows]))
    topics = tmp_path / "topics.txt"
    topics.write_text("1_a one\n1_b one\n2_a two\n")
    for said in (r"^(\d)_", str(topics)):
        arguments = ["coref", str(table), str(table), "--topics", said]
        assert main([*arguments, "--per-document"]) == 0
        out = capsys.readouterr().out
        assert "documents of a topic as one" in out.splitlines()[0]
        assert len(re.findall("100.00", out)) > 8
        assert main([*arguments, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["topics"], report["cross_document"]) == (said, True)
    assert main(["coref", str(table), str(table), "--topics", r"^(9)"]) == 2
    error = capsys.readouterr().err
    assert "document '1_a' has no topic in --topics" in error
    assert main(["coref", str(table), str(table), "--topics", "(.)", "--cross-document"]) == 2
    assert "leave out it or --topics" in capsys.readouterr().err


def write_ecb_plus(folder):
    """Write an ECB+ corpus of four documents in two topics, and return its folder."""
    folder = folder / "ecb"
    folder.mkdir()
    documents = {
        "1_1ecb": [("Ann", "HUM1"), ("enters", "ACT1"), ("rehab", None)],
        "1_2ecb": [("Ann", "HUM1"), ("entered", "ACT1")],
        "1_1ecbplus": [("Bo", "HUM2"), ("entered", "ACT2")],
        "2_1ecb": [("Iran", "LOC1"), ("shook", "ACT3"), ("fell", "ACT4")],
    }
    for name, words in documents.items():
        lines = [f'<Document doc_name="{name}.xml">']
        lines += [
            f'<token t_id="{at}" sentence="0" number="{at}">{word}</token>'
            for at, (word, _) in enumerate(words, 1)
        ]
        lines.append("<Markables>")
        for at, (_, chain) in enumerate(words, 1):
            kind = "ACTION_OCCURRENCE" if str(chain).startswith("ACT") else "HUMAN_PART"
            lines.append(f'<{kind} m_id="{at}"><token_anchor t_id="{at}"/></{kind}>')
            lines.append(f'<{kind} m_id="{at}9" TAG_DESCRIPTOR="{chain}"/>')
        lines.append("</Markables><Relations>")
        for at, (_, chain) in enumerate(words, 1):
            if chain:
                lines.append(
                    f'<CROSS_DOC_COREF r_id="{at}" note="{chain}"><source m_id="{at}"/>'
                    f'<target m_id="{at}9"/></CROSS_DOC_COREF>'
                )
        lines.append("</Relations></Document>")
        (folder / f"{name}.xml").write_text("\n".join(lines))
    return folder


#: Events of the corpus as a system may find them: the fourth is of the wrong entity.
ROWS = [
    {"document": "1_1ecb", "first": 1, "last": 1, "entity": "a"},
    {"document": "1_2ecb", "first": 1, "last": 1, "entity": "a"},
    {"document": "1_1ecbplus", "first": 1, "last": 1, "entity": "a"},
    {"document": "2_1ecb", "first": 1, "last": 1, "entity": "a"},
    {"document": "2_1ecb", "first": 2, "last": 2, "entity": "b"},
]


def test_rows_in_memory_are_a_table_of_mentions(tmp_path):
    table = tmp_path / "events.csv"
    rows = [",".join(map(str, row.values())) for row in ROWS]
    table.write_text("\n".join([",".join(ROWS[0]), *rows]))
    key = write_ecb_plus(tmp_path)
    scores = [
        score(key, response, clusters=("events", None), topics=r"^(\d+)_")
        for response in (table, ROWS, tuple(ROWS))
    ]
    assert scores[0].documents == ["1", "2"]
    # of three mentions of topic 1 two are of one event of the key; topic 2 is as in the key
    assert scores[0].per_document["1"]["b_cubed"].precision == pytest.approx(
        (2 * 2 / 3 + 1 / 3) / 3
    )
    assert scores[0].per_document["2"]["b_cubed"].precision == 1
    for other in scores[1:]:
        assert {name: other[name] for name in other} == {
            name: scores[0][name] for name in other
        }
    # a list of documents stays what it is, whatever its entities are called
    documents = [{"mention": [(0, 1), (2, 2)], "entity": [(3, 4)]}, {"mention": [(5, 5)]}]
    assert score(documents, documents).documents == ["0", "1"]
    assert score(documents[:1], documents[:1]).input_report.mentions == (3, 3)


def test_lists_of_topics_may_use_the_names_of_either_side(tmp_path):
    key = write_ecb_plus(tmp_path)
    options = {"clusters": ("events", None)}
    wanted = score(key, ROWS, topics=r"^(\d+)_", **options)
    names = [row["document"] for row in ROWS]
    path = tmp_path / "topics.tsv"
    for form in ("{}", "{}.xml", "corpus/{}.xml"):
        topics = {form.format(name): name[0] for name in names}
        path.write_text("".join(f"{name}\t{topic}\n" for name, topic in topics.items()))
        for given in (topics, path, str(path)):
            found = score(key, ROWS, topics=given, **options)
            assert found.documents == ["1", "2"]
            assert {x: found[x] for x in found} == {x: wanted[x] for x in wanted}
            (note,) = [x for x in found.input_report.notes if x.code == "topics-taken"]
            first = form.format(names[0])
            told = f"'1_1ecb.xml' is taken to be {first!r} there (4 documents were found so)"
            assert (told in note) == (form != "{}.xml")
    # the response's own name goes before names that are alike
    sides = [{"x": {"e": ["m"]}, "y": {"e": ["m"]}}, {"a/x": {"e": ["m"]}, "a/y": {"e": ["m"]}}]
    found = score(*sides, topics={"b/x": "3", "a/x": "1", "a/y": "2"})
    assert found.documents == ["1", "2"]
    # a name that two documents could have is none of either's
    with pytest.raises(ValueError, match="has no topic in topics=a dict, which begins with"):
        score(
            {"a/x": {"e": ["m"]}, "b/x": {"e": ["m"]}},
            {"a/x": {"e": ["m"]}, "b/x": {"e": ["m"]}},
            topics={"x": "1"},
        )


def test_tables_draws_and_pages_are_of_topics(tmp_path, capsys):
    pytest.importorskip("jinja2")
    key = write_ecb_plus(tmp_path)
    table = tmp_path / "events.csv"
    rows = [",".join(map(str, row.values())) for row in ROWS]
    table.write_text("\n".join([",".join(ROWS[0]), *rows]))
    said = [str(key), str(table), "--clusters", "events", "--topics", r"^(\d+)_", "-q"]
    assert main(["coref", *said, "--per-document", "--measures", "lea"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^response +topic ", text, re.MULTILINE)
    assert re.search(r"^events.csv +mean of topics +", text, re.MULTILINE)
    assert re.search(r"^events.csv +all topics +", text, re.MULTILINE)
    assert main(["coref", *said, "--bootstrap", "50", "--seed", "1"]) == 0
    assert "50 draws of 2 topics with replacement" in " ".join(capsys.readouterr().out.split())
    assert main(["report-coref", *said, "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "Topics in %, the lowest CoNLL F1 first" in page
    assert (
        main(["coref", str(key), str(table), "--clusters", "events", "-q", "--per-document"])
        == 0
    )
    assert "mean of documents" in capsys.readouterr().out
