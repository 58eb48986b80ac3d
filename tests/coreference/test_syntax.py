"""What the parse or the dependencies of the key say of mentions: spans, heads, verbs."""

import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main
from partwise.coreference import Tokens
from partwise.coreference.syntax.heads import (
    HEAD_RULES,
    head_by_dependencies,
    head_by_rules,
)
from partwise.coreference.syntax.minimum_words import minimum_words
from partwise.coreference.syntax.trees import phrase_marks, sentence_trees

pytestmark = pytest.mark.one_backend


def tokens_of(text):
    """The tokens of one sentence: "word/TAG/BRACKETS", apart by blanks."""
    rows = [token.rsplit("/", 2) for token in text.split()]
    words, tags, parse = (list(column) for column in zip(*rows, strict=True))
    return Tokens(words, np.zeros(len(words), dtype=np.int64), tags=tags, parse=parse)


def conll(text, *spans):
    """A document of one sentence; spans are (first, last, entity)."""
    lines = ["#begin document (d); part 000"]
    for at, token in enumerate(text.split()):
        cells = [f"{e})" for a, b, e in reversed(spans) if b == at > a]
        cells += [f"({e}{')' if a == b else ''}" for a, b, e in spans if a == at]
        lines.append(
            "\t".join(["d", "0", str(at), *token.rsplit("/", 2), "|".join(cells) or "-"])
        )
    # a column behind the parse, as there always is
    lines[1:] = ["\t".join([*x.split("\t")[:6], "-", x.split("\t")[6]]) for x in lines[1:]]
    return [*lines, "#end document"]


IN_BLACK = "the/DT/(NP(NP* man/NN/*) in/IN/(PP* black/NN/(NP*)))"
AND = "the/DT/(NP(NP* dog/NN/*) and/CC/* the/DT/(NP* cat/NN/*))"
SALE = (
    "He/PRP/(TOP(S(NP*) sold/VBD/(VP* the/DT/(NP(NP* old/JJ/* house/NN/*) of/IN/(PP* "
    "Ann/NNP/(NP*)))) ././*))"
)


@pytest.mark.parametrize(
    ("text", "minimum"),
    [
        (IN_BLACK, [0, 1]),
        (AND, [0, 1, 3, 4]),
        ("the/DT/(NP*)", [0]),  # a determiner alone: the mention as it is
        ("bought/VBD/(VP* it/PRP/(NP*))", [0]),
        ("to/TO/(S(VP* buy/VB/(VP* it/PRP/(NP*))))", [0]),
        ("one/CD/(TOP(S(NP(NP*) of/IN/(PP* them/PRP/(NP*)))))", [0]),
        (",/,/(NP* %/NN/(NML*))", [1]),
        ("-LRB-/-LRB-/(NP(NML* x/NN/*) -RRB-/-RRB-/*)", [0, 1]),
        ("U.S./NNP/(NP* the/DT/(ADJP* x/JJ/*))", [0]),
        ("in/IN/(PP* town/NN/(NP*))", [1]),
        ("quickly/RB/(ADVP* and/CC/* well/RB/(ADVP*))", [0, 1]),
    ],
)
def test_minimum_spans(text, minimum):
    tokens = tokens_of(text)
    marks = phrase_marks(tokens, "d")
    assert minimum_words(tokens, marks, range(len(tokens))) == minimum


@pytest.mark.parametrize(
    ("text", "members", "head"),
    [
        (SALE, range(2, 7), 4),
        (SALE, range(2, 5), 4),
        (SALE, range(3, 6), 4),  # no phrase: the parts that are there
        (SALE, range(8), 1),
        (SALE, [2, 4], 4),
        (AND, range(5), 1),
        ("the/DT/(NP(NP* man/NN/* 's/POS/*) hat/NN/*)", range(4), 3),
        ("the/DT/(NP(NP* man/NN/* 's/POS/*) hat/NN/*)", range(3), 2),
        ("more/JJR/(NP(QP* than/IN/* 3/CD/*) %/NN/*)", range(4), 3),
        ("the/DT/(NP* rich/JJ/*)", range(2), 1),
        ("in/IN/(PP* town/NN/(NP*))", range(2), 0),
        ("x/FW/(X* y/FW/*)", range(2), 1),  # a label without a rule
        (",/,/(NP*)", range(1), 0),
    ],
)
def test_heads_by_rules(text, members, head):
    tokens = tokens_of(text)
    (tree,) = sentence_trees(phrase_marks(tokens, "d"))
    assert head_by_rules(tokens, tree, members) == head


def test_the_table_of_rules_names_a_side_for_each_phrase():
    assert {side for side, _ in HEAD_RULES.values()} == {"left", "right"}
    assert len(HEAD_RULES) == 23
    assert "NP" not in HEAD_RULES


def test_heads_by_dependencies():
    parents = np.array([1, 4, 1, 2, -1, 4])
    assert head_by_dependencies(parents, [0, 1, 2]) == 1
    assert head_by_dependencies(parents, [2, 3]) == 2
    assert head_by_dependencies(parents, [3, 5]) == 5  # apart: the higher one
    assert head_by_dependencies(np.array([1, 0]), [0, 1]) == 0  # a circle


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a/DT/(NP* b/NN/*", "leaves 1 phrases open"),
        (
            "a/DT/(NP*) b/NN/*)",
            "token 1 of the document: the parse closes a phrase that is not",
        ),
        ("a/DT/(NP* b/NN/-)", r"the parse is '-\)'; '\*' between what opens"),
    ],
)
def test_broken_brackets_are_refused_where_they_are_asked_for(text, said):
    lines = conll(text, (0, 1, 0))
    assert pw.coreference.score(lines, lines)["mentions"].f1 == 1.0
    with pytest.raises(ValueError, match=said):
        pw.coreference.score(lines, lines, mentions="mina")
    with pytest.raises(ValueError, match=r"document '\(d\); part 000', sentence 0"):
        pw.coreference.score(lines, lines, verbs="drop")


def test_mentions_of_one_minimum_span_are_partners():
    key = conll(SALE, (2, 6, 0), (0, 0, 0))
    response = conll(SALE, (2, 4, 0), (0, 0, 0))
    assert pw.coreference.score(key, response)["muc"].f1 == 0
    assert pw.coreference.score(key, response, mentions="mina")["muc"].f1 == 1
    scores = pw.coreference.score(key, response, mentions="head")
    assert scores["muc"].f1 == 1
    assert [note.code for note in scores.input_report.notes].count("heads-derived") == 2
    assert pw.coreference.score(key, response, mentions="partial")["muc"].f1 == 1


def test_one_mention_is_the_partner_of_one():
    key = conll(SALE, (2, 6, 0), (2, 4, 1), (6, 6, 1))
    response = conll(SALE, (2, 4, 1), (6, 6, 1))
    scores = pw.coreference.score(key, response, mentions="mina")
    assert scores["mentions"].recall_numerator == 2
    assert scores["b_cubed"].precision == 1.0  # equal mentions go first


def test_the_response_needs_no_parse():
    key = conll(SALE, (2, 6, 0), (0, 0, 0))
    words = [token.split("/")[0] for token in SALE.split()]
    record = {"doc_key": "d_0", "sentences": [words], "clusters": [[[2, 4], [0, 0]]]}
    for how in ("mina", "head"):
        assert pw.coreference.score(key, [record], mentions=how)["muc"].f1 == 1
    with pytest.raises(
        ValueError, match=r"goes by the parse of the key, and document '.*' lacks"
    ):
        pw.coreference.score([record], key, mentions="mina")


def test_dependencies_give_heads_and_verbs():
    rows = ["the\tDET\t2", "man\tNOUN\t3", "left\tVERB\t0", "him\tPRON\t3"]
    entities = ["Entity=(e1--", "Entity=e1)", "Entity=(e2--)", "Entity=(e1--)(e2--)"]

    def document(entities):
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-other"]
        for at, (row, entity) in enumerate(zip(rows, entities, strict=True), 1):
            word, tag, head = row.split("\t")
            lines.append(f"{at}\t{word}\t_\t{tag}\t_\t_\t{head}\tx\t_\t{entity}")
        return [*lines, ""]

    key = document(["Entity=(e1--", "Entity=e1)", "Entity=(e2--)", "Entity=(e1--)"])
    response = document(["_", "Entity=(e1--)", "Entity=(e2--)", "Entity=(e1--)"])
    assert pw.coreference.score(key, response, mentions="head")["muc"].f1 == 1
    scores = pw.coreference.score(key, response, verbs="drop")
    assert scores.input_report.mentions == (2, 2)
    assert scores.input_report.dropped_verbs == (1, 1)
    both = document(entities)
    report = pw.coreference.score(both, both, verbs="drop", repeats="merge").input_report
    assert report.dropped_verbs == (1, 1)


def test_semeval_and_conll_ua_have_dependencies(tmp_path):
    rows = [("1", "the", "2"), ("2", "man", "0")]
    cells = ["(1", "1)"]
    path = tmp_path / "key.txt"
    lines = ["#begin document d"]
    for (number, word, head), cell in zip(rows, cells, strict=True):
        lines.append("\t".join([number, word, *["_"] * 6, head, *["_"] * 4, cell]))
    path.write_text("\n".join([*lines, "#end document", ""]))
    (document,) = pw.coreference.read(path, "semeval-2010")
    assert document.tokens.parents.tolist() == [1, -1]
    lines = ["# global.columns = ID FORM UPOS HEAD IDENTITY", "# newdoc id = d"]
    lines += [
        "1\tthe\tDET\t2\t(EntityID=1|MarkableID=a",
        "2\tman\tNOUN\t0\t)",
    ]
    (document,) = pw.coreference.read(lines)
    assert document.tokens.parents.tolist() == [1, -1]
    assert document.tokens.tags == ["DET", "NOUN"]


VERBS = (
    "We/PRP/(TOP(S(NP*) grew/VBD/(VP*) ;/:/* the/DT/(NP* growth/NN/*) helped/VBD/(VP* "
    "us/PRP/(NP*))))"
)


def test_verbs_leave_with_what_is_left_of_their_entity():
    key = conll(VERBS, (0, 0, 0), (1, 1, 1), (3, 4, 1), (6, 6, 0))
    scores = pw.coreference.score(key, key, verbs="drop")
    assert scores.input_report.mentions == (2, 2)
    assert scores.input_report.dropped_verbs == (2, 2)
    assert "dropped as verbs, or left alone by these: 2 of the key" in str(scores.input_report)
    more = conll(VERBS, (0, 0, 1), (1, 1, 1), (3, 4, 1))
    assert pw.coreference.score(more, more, verbs="drop").input_report.mentions == (2, 2)


def test_nested_mentions_of_an_entity_are_dropped():
    key = conll(SALE, (2, 6, 0), (3, 4, 0), (6, 6, 1), (0, 0, 1))
    scores = pw.coreference.score(key, key, nested="drop")
    assert scores.input_report.dropped_nested == (1, 1)
    assert scores.input_report.mentions == (3, 3)
    dropped = pw.coreference.score(key, key, nested="drop", singletons="drop")
    assert dropped.input_report.mentions == (2, 2)
    ids = {"d": [["a", "b"]]}
    with pytest.raises(TypeError, match="goes by positions, and mentions are objects"):
        pw.coreference.score(ids, ids, nested="drop")


@pytest.mark.parametrize("seed", range(20))
def test_nested_mentions_by_comparison_of_all(seed):
    from partwise.coreference.documents.documents import Side, Spans
    from partwise.coreference.mentions.nested import without_nested

    rng = np.random.default_rng(seed)
    rows = sorted(
        {(*sorted(rng.integers(0, 9, 2).tolist()), int(rng.integers(2))) for _ in range(12)}
    )
    first, last, entity = (
        np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)
    )
    names = np.unique(entity)
    entity = np.searchsorted(names, entity)
    gaps = None, None
    if seed % 2:
        sizes = last - first + 1
        gaps = (
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([np.arange(a, b + 1) for a, b in zip(first, last, strict=True)]),
        )
    side = Side(
        ["d"],
        np.zeros(len(rows), dtype=np.int64),
        entity,
        np.zeros(len(names), dtype=np.int64),
        list(names),
        Spans(first, last, token_ends=gaps[0], tokens=gaps[1]),
        [None],
    )
    wanted = [
        (a, b)
        for a, b, e in rows
        if not any(e == g and c <= a and b <= d and (a, b) != (c, d) for c, d, g in rows)
    ]
    left = without_nested(side).mentions
    assert list(zip(left.first.tolist(), left.last.tolist(), strict=True)) == wanted


def test_the_command_line_takes_the_options(tmp_path, capsys):
    paths = []
    for name, last in (("key", 6), ("response", 4)):
        path = tmp_path / f"{name}.conll"
        path.write_text("\n".join([*conll(SALE, (2, last, 0), (0, 0, 0)), ""]))
        paths.append(str(path))
    options = ["--mentions", "mina", "--verbs", "drop", "--nested", "drop", "--json"]
    assert main(["coref", *paths, *options]) == 0
    (one,) = json.loads(capsys.readouterr().out)["responses"].values()
    assert one["scores"]["muc"]["f1"] == 1
    assert main(["coref", *paths, "--mentions", "mina", "--measures", "muc"]) == 0
    assert "mentions matched: mina" in capsys.readouterr().out


def test_the_first_run_of_a_mention_with_gaps():
    def document(cells):
        lines = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d"]
        lines += [f"{at}\tw{at}\t{cell}" for at, cell in enumerate(cells, 1)]
        return lines

    gap = document(
        [
            "(EntityID=1|MarkableID=a)",
            "_",
            "(EntityID=1|MarkableID=a)",
            "(EntityID=1|MarkableID=b)",
        ]
    )
    plain = document(["(EntityID=1|MarkableID=a)", "_", "_", "(EntityID=1|MarkableID=b)"])
    behind = document(["_", "_", "(EntityID=1|MarkableID=a)", "(EntityID=1|MarkableID=b)"])
    assert pw.coreference.score(gap, plain)["mentions"].f1 == 0.5
    assert pw.coreference.score(gap, plain, mentions="first_run")["muc"].f1 == 1
    assert pw.coreference.score(gap, behind, mentions="first_run")["muc"].f1 == 0


def test_notes_on_heads_say_of_which_file_or_side(tmp_path):
    sides = {"key": conll(SALE, (2, 6, 0)), "response": conll(SALE, (2, 4, 0))}
    paths, documents = [], []
    for name, lines in sides.items():
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text("\n".join(lines) + "\n")
        documents.append(pw.coreference.Documents(pw.coreference.read(lines).documents))
    for given, places in (
        (paths, list(map(str, paths))),
        (documents, ["key", "response"]),
        ([paths[0], documents[1]], [str(paths[0]), "response"]),
    ):
        notes = pw.coreference.score(*given, mentions="head").input_report.notes
        assert [note.place for note in notes if note.code == "heads-derived"] == places
