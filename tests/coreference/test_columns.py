"""Documents in columns: the same as documents that are objects, whatever the mentions are."""

from __future__ import annotations

import copy
import pickle
import re
from collections import namedtuple
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from coreference_columns import numbered, read_conll
from partwise import _kernels
from partwise.coreference import Document, Documents, Spans, iter_documents, read, score
from partwise.coreference.documents.documents import columns_in
from partwise.coreference.formats import conll_2012


def outcome(function):
    """Return what a call returns, or its error as text."""
    try:
        return function()
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def all_of(scores):
    """Return everything that can be seen of scores."""
    report = scores.input_report
    return (
        {name: scores[name] for name in scores},
        list(scores.in_turn()),
        scores.alignment("ceaf_m"),
        scores.alignment("ceaf_e"),
        str(report),
        report.notes,
    )


def values_of(scores):
    """Return the scores, and how many mentions and entities were there."""
    report = scores.input_report
    counts = (report.mentions, report.entities, report.twinless, report.repeated_mentions)
    return list(scores.in_turn()), counts


# ---- mentions of all kinds -------------------------------------------------------------


class Opaque:
    """A mention that is equal to those of equal values, and of no kind that is known."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return repr(self.value)


small = st.integers(-3, 4)
numbers = st.one_of(
    small,
    st.sampled_from([2**31, 2**31 + 1, 2**40, -(2**62), 2**62, 2**63 - 1, -(2**63)]),
)
beyond = st.sampled_from([2**63, 2**64 + 1, -(2**63) - 1])
KINDS = {
    "int": small,
    "wide": numbers,
    "beyond": numbers | beyond,
    "pair": st.tuples(small, small),
    "wide pair": st.tuples(numbers, numbers),
    "beyond pair": st.tuples(numbers | beyond, numbers),
    "np.int64": small.map(np.int64),
    "int and np.int64": small | small.map(np.int64),
    "int and bool": small | st.booleans(),
    "int and float": small | small.map(float),
    "pair of np.int64": st.tuples(small.map(np.int64), small),
    "pair of bool": st.tuples(st.booleans(), small),
    "pair and triple": st.tuples(small, small) | st.tuples(small, small, small),
    "pair and int": st.tuples(small, small) | small,
    "pair of pairs": st.tuples(st.tuples(small, small), small),
    "text": st.sampled_from(["a", "b", "ab", "é", "é", ""]),
    "text and bytes": st.sampled_from(["a", "b", b"a", b"b"]),
    "mixed": st.one_of(
        small,
        st.booleans(),
        small.map(np.int64),
        st.tuples(small, small),
        st.text("ab"),
        beyond,
    ),
}


def side_of(mentions):
    entities = st.lists(st.lists(mentions, min_size=1, max_size=4), max_size=4)
    return st.fixed_dictionaries({"a": entities, "b": entities, "c": entities})


@pytest.mark.parametrize("kind", KINDS)
def test_mentions_are_the_same_where_they_are_equal(kind):
    sides = side_of(KINDS[kind])

    @given(sides, sides, st.sampled_from(["first", "last", "merge"]))
    def check(key, response, repeats):
        by_text = score(*numbered(key, response), repeats=repeats)
        by_hash = score(
            *(
                {
                    name: [list(map(Opaque, x)) for x in entities]
                    for name, entities in side.items()
                }
                for side in (key, response)
            ),
            repeats=repeats,
        )
        own = outcome(lambda: values_of(score(key, response, repeats=repeats)))
        if isinstance(own, str):  # no mention of one side is of a kind of the other's
            assert "none can be the same" in own
            assert not values_of(by_hash)[0][0][1]["mentions"].recall_numerator
        else:
            assert own == values_of(by_text) == values_of(by_hash)

    check()


@given(*[side_of(st.tuples(numbers, numbers))] * 2)
def test_pairs_have_the_numbers_of_their_parts(key, response):
    scores = outcome(lambda: values_of(score(key, response)))
    wrapped = [
        {n: [[("span", *m) for m in x] for x in entities] for n, entities in side.items()}
        for side in (key, response)
    ]
    others = outcome(lambda: values_of(score(*wrapped)))
    if isinstance(scores, str):
        others = others.replace("('span', ", "(")
        assert scores.partition(" again")[0] == others.partition(" again")[0]
    else:
        assert scores == others


def test_a_repeat_is_shown_as_it_was_given():
    key = {"d": [[(2**40, 2**40 + 1), (3, 4)], [(3, 4)]]}
    text = r"key, document 'd': the mention \(3, 4\) is in entity 0 and again in 1 \(1 repeats"
    with pytest.raises(ValueError, match=text):
        score(key, {"d": []})
    key = {"d": [[5, 7], [7]]}
    with pytest.raises(ValueError, match="the mention 7 is in entity 0 and again in 1"):
        score(key, {"d": []})


def test_collections_that_are_used_up_are_read_once():
    def generated():
        return {
            "a": ([(i, i + j) for j in range(2)] for i in range(3)),
            "b": iter([iter([(0, 1)]), {(2, 3): None}, ((4, 5), (6, 7))]),
            "c": [],
        }

    lists = {
        "a": [[(i, i + j) for j in range(2)] for i in range(3)],
        "b": [[(0, 1)], [(2, 3)], [(4, 5), (6, 7)]],
        "c": [],
    }
    response = {"a": [[(0, 0), (1, 1)]], "b": [[(0, 1), (4, 5)]], "c": [[(9, 9)]]}
    scores = score(generated(), response)
    assert all_of(scores)[:4] == all_of(score(lists, response))[:4]
    assert scores["mentions"].recall_numerator == 4
    assert score(response, generated())["mentions"].precision_numerator == 4


@pytest.mark.parametrize(
    ("entities", "error"),
    [
        ([[(0, 1)], []], "entity 1 has no mentions"),
        ([[(0, 1), [2, 3]]], r"entity 0: the mention \[2, 3\] cannot be hashed; use the tuple"),
        ([[(0, [1])]], "cannot be hashed"),
        ([[0], "ab"], "entity 1 is 'ab'; a list of mentions is expected"),
        ([[0], 5], "entity 1 is 5; a list of mentions is expected"),
        ("ab", "a str; a list of entities is expected"),
    ],
)
def test_faults_of_lists_name_document_and_entity(entities, error):
    good = {"first": [[(0, 1)]]}
    with pytest.raises((TypeError, ValueError), match=f"response, document 'odd'.*{error}"):
        score(good | {"odd": []}, good | {"odd": entities})


def test_entities_like_spans_are_noted_where_they_are_tuples():
    spans, lists = {"d": [(0, 1), (3, 5)]}, {"d": [[0, 1], [3, 5]]}
    noted = score(spans, spans).input_report.notes
    assert {note.code for note in noted} == {"entities-like-spans"}
    assert score(lists, lists).input_report.notes == ()


# ---- documents that become objects when somebody looks ----------------------------------


def text_of(documents):
    """Return a CoNLL file of (name, coreference columns)."""
    lines = []
    for name, columns in documents:
        rows = [f"{name}\t0\t{i}\tw{i}\t{column}" for i, column in enumerate(columns)]
        lines += [f"#begin document ({name}); part 000", *rows, "", "#end document"]
    return "\n".join([*lines, ""])


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text(text_of([("a", ["(1", "(2)", "1)"]), ("b", []), ("c", ["-", "(7)"])]))
    return path


def test_documents_look_like_a_list_of_objects(path):
    documents = read(path)
    assert columns_in(documents) is not None
    assert len(documents) == 3
    assert columns_in(documents) is not None
    first = documents.documents[0]
    assert type(documents.documents) is list
    assert columns_in(documents) is None
    assert documents.documents[0] is first is next(iter(documents))
    assert type(first) is Document
    assert type(first.mentions) is Spans
    assert first.entity.dtype == np.int64
    assert (first.name, first.named, first.other_names) == ("(a); part 000", True, ())
    assert first.entity_names == ["1", "2"]
    assert first.mentions.line.tolist() == [2, 3]
    assert first.mentions.last.tolist() == [2, 1]
    assert list(documents.documents[2].tokens.words) == ["w0", "w1"]
    assert [len(x) for x in documents] == [2, 0, 1]
    assert repr(documents).startswith("Documents(documents=3, format=conll-2012, path=")
    assert documents == documents
    assert [x.name for x in documents] == [x.name for x in iter_documents(path)]


def test_documents_are_copied_pickled_and_replaced(path):
    documents = read(path)
    others = [
        pickle.loads(pickle.dumps(documents)),
        copy.copy(read(path)),
        copy.deepcopy(read(path)),
        replace(read(path), path="elsewhere"),
        Documents(read(path).documents, "conll-2012", str(path)),
    ]
    for other in others:
        assert [x.name for x in other] == [x.name for x in documents]
        assert other.format == "conll-2012"
        assert score(documents, other)["b_cubed"].f1 == 1.0
    assert others[3].path == "elsewhere"
    with pytest.raises(AttributeError):
        documents.documents = []


def test_a_list_that_was_changed_is_what_is_scored(path):
    documents = read(path)
    del documents.documents[0]
    assert len(documents) == 2
    assert score(documents, documents).documents == ["(b); part 000", "(c); part 000"]


# ---- columns against objects -------------------------------------------------------------


@st.composite
def brackets(draw):
    """Documents of a CoNLL file: brackets that pair, on several levels, of several entities."""
    documents = []
    for number in range(draw(st.integers(0, 4))):
        columns, open_ = [], []
        n = draw(st.integers(0, 6))
        for at in range(n):
            cell = []
            for _ in range(draw(st.integers(0, 3))):
                entity, how = draw(st.integers(0, 2)), draw(st.sampled_from("()1"))
                if how == "1":
                    cell.append(f"({entity})")
                elif how == "(":
                    cell.append(f"({entity}")
                    open_.append(entity)
                elif open_:
                    cell.append(f"{open_.pop(draw(st.integers(0, len(open_) - 1)))})")
            if at == n - 1:
                cell += [f"{open_.pop()})" for _ in range(len(open_))]
            columns.append("|".join(cell) or "-")
        documents.append((f"d{number}", columns))
    return documents


@given(brackets(), st.sampled_from([20, 150, 1 << 20]))
def test_brackets_are_read_as_line_by_line(tmp_path_factory, documents, piece):
    path = tmp_path_factory.mktemp("read") / "key.conll"
    path.write_text(text_of(documents) or "# nothing\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll_2012, "PIECE", piece)
        one_by_one = list(iter_documents(path, "conll-2012"))
        together = read(path, "conll-2012").documents if documents else []
    for found in (one_by_one, together):
        assert [
            (
                x.name,
                [
                    (first, last, x.entity_names[entity])
                    for first, last, entity in zip(
                        *(x.mentions.first.tolist(), x.mentions.last.tolist()),
                        x.entity.tolist(),
                        strict=True,
                    )
                ],
                x.entity_names,
            )
            for x in found
        ] == read_conll(path.read_text())
        assert [list(x.tokens.words) for x in found] == [
            [f"w{i}" for i in range(len(columns))] for _, columns in documents
        ]


POLICIES = [
    {},
    {"missing_documents": "empty", "extra_documents": "ignore"},
    {"missing_documents": "ignore", "extra_documents": "empty", "repeats": "first"},
    {"missing_documents": "empty", "extra_documents": "empty", "repeats": "merge"},
    {"cross_document": "names", "repeats": "last", "missing_documents": "ignore"},
    {"convention": "cai-strube", "repeats": "first", "extra_documents": "ignore"},
]


@given(brackets(), brackets(), st.randoms(use_true_random=False), st.sampled_from(POLICIES))
def test_columns_and_objects_score_alike(tmp_path_factory, key, response, random, policies):
    folder = tmp_path_factory.mktemp("score")
    random.shuffle(response)
    paths = [folder / "key.conll", folder / "response.conll"]
    for path, documents in zip(paths, (key, response), strict=True):
        path.write_text(text_of(documents or [("none", [])]))

    def sides(as_objects):
        read_sides = [read(path) for path in paths]
        for side, listed in zip(read_sides, as_objects, strict=True):
            assert (side.documents if listed else columns_in(side)) is not None
        return read_sides

    found = [
        outcome(lambda form=form: all_of(score(*sides(form), **policies)))
        for form in ((False, False), (True, False), (False, True), (True, True))
    ]
    assert found.count(found[0]) == 4


def test_other_words_are_found_in_columns_and_objects(tmp_path):
    paths = [tmp_path / "key.conll", tmp_path / "response.conll"]
    text = text_of([(f"d{i}", ["(1)", "-", "(2)"]) for i in range(40)])
    paths[0].write_text(text)
    paths[1].write_text(text.replace("\tw2\t", "\tv2\t"))
    notes = []
    for looked_at in (False, True):
        sides = [read(path) for path in paths]
        if looked_at:
            assert all(side.documents for side in sides)
        notes.append(score(*sides).input_report.notes)
        # the same documents on both sides have the same words
        assert score(sides[0], sides[0]).input_report.notes == ()
    assert notes[0] == notes[1]
    assert "is 'w2' in the key, 'v2' in the response" in notes[0][0]
    paths[1].write_text(text.replace("d7\t0\t2\tw2\t(2)\n", ""))
    assert score(*paths).input_report.notes[0].code == "other-words"
    assert "'(d7); part 000' has 3 words in the key, 2 in" in str(score(*paths).input_report)


@pytest.mark.parametrize(
    ("columns", "line", "what"),
    [
        (["(1", "2)", "(3"], 8, "entity '2' is closed at token 1 but not open"),
        (["(1", "-", "(3|(1)"], 7, "entity '1' is opened at token 0 and never closed"),
        (["(3", "(1", "-", "3)"], 8, "entity '1' is opened at token 1 and never closed"),
        (["1)", "(1"], 7, "entity '1' is closed at token 0 but not open"),
        (["(1", "x", "2)"], 8, "the last column is 'x'"),
    ],
)
def test_the_first_fault_is_named(tmp_path, columns, line, what):
    path = tmp_path / "key.conll"
    good, late = ("good", ["(1", "1)"]), ("late", ["4)", "x", "(1"])
    path.write_text(text_of([good, ("bad", columns), late]))
    for function in (read, lambda path: list(iter_documents(path))):
        with pytest.raises(ValueError, match=re.escape(what)) as error:
            function(path)
        assert str(error.value).startswith(f"{path}:{line}: document '(bad); part 000': {what}")


# ---- many documents ----------------------------------------------------------------------

MANY = 20_000


@pytest.mark.one_backend
def test_many_documents_are_read_and_scored_as_one_by_one(tmp_path):
    path = tmp_path / "many.conll"
    rows = ["(1", "(2)", "1)|(1)", "-"]
    path.write_text(
        text_of([(f"d{i}", rows[: 1 + i % 4 if i % 4 > 1 else 0]) for i in range(MANY)])
    )
    documents = read(path)
    assert len(documents) == MANY
    scores = score(documents, path)
    assert columns_in(documents) is not None
    assert scores["conll"].f1 == 1.0
    assert scores.input_report.mentions == (3 * MANY // 2, 3 * MANY // 2)
    made = documents.documents
    for at, other in zip(
        (0, 1, 2, 3, MANY - 1), (made[i] for i in (0, 1, 2, 3, -1)), strict=True
    ):
        assert other.name == f"(d{at}); part 000"
        assert len(other) == (3 if at % 4 > 1 else 0)
    lines_before = sum(3 + len(x.tokens) for x in made[:-1])
    assert made[-1].mentions.line.tolist() == [lines_before + n for n in (2, 3, 4)]


@pytest.mark.one_backend
def test_many_documents_of_objects_are_scored_as_one_by_one():
    key = {f"d{i}": [[(i, 2**33 + i), (-1, i)], [(2, 2)]] for i in range(MANY)}
    response = {f"d{i}": [[(i, 2**33 + i), (2, 2 + i % 2)], [(-1, i)]] for i in range(MANY)}
    scores = score(key, response)
    assert scores["mentions"].recall_numerator == 2 * MANY + MANY // 2
    few = score(
        {"d0": key["d0"], "d1": key["d1"]}, {"d0": response["d0"], "d1": response["d1"]}
    )
    for name in ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"):
        for at in range(2):
            assert scores.of_document(at, name) == few.of_document(at, name)
            assert scores.of_document(MANY - 2 + at, name) == few.of_document(at, name)
        if name in ("muc", "ceaf_m"):
            assert scores[name].recall_numerator == few[name].recall_numerator * MANY // 2


# ---- threads -----------------------------------------------------------------------------


def documents_of(rng, n, n_entities):
    names, entity = np.unique(rng.integers(0, n_entities, n), return_inverse=True)
    at = np.sort(rng.choice(2 * n, n, replace=False))
    return Documents([Document("d", Spans(at, at + 1), entity, names.tolist())])


@pytest.mark.one_backend
@pytest.mark.parametrize("n", [100, 60_000])
def test_threads_change_no_bit(n):
    rng = np.random.default_rng(n)
    sides = [documents_of(rng, n, n // 3) for _ in range(2)]
    one = score(*sides, workers=1)
    for workers in (2, 3, -1, None):
        assert all_of(score(*sides, workers=workers)) == all_of(one)


@pytest.mark.one_backend
def test_two_threads_share_the_measures(monkeypatch):
    from threading import get_ident

    from partwise.coreference.scores import measures

    idents = set()
    original = measures.best_matching

    def noted(*arguments, **options):
        idents.add(get_ident())
        return original(*arguments, **options)

    monkeypatch.setattr(measures, "best_matching", noted)
    rng = np.random.default_rng(1)
    sides = [documents_of(rng, 30_000, 10_000) for _ in range(2)]
    score(*sides)
    assert idents == {get_ident()}
    idents.clear()
    score(*sides, workers=2)
    assert get_ident() not in idents
    idents.clear()
    pw.set_workers(2)
    try:
        score(*sides)
    finally:
        pw.set_workers(1)
    assert get_ident() not in idents


@pytest.mark.parametrize(
    ("workers", "error"), [(0, ValueError), (-2, ValueError), (1.5, TypeError)]
)
def test_numbers_of_threads_are_checked_first(workers, error):
    with pytest.raises(error, match=f"workers={workers}"):
        score("no file", "no file", workers=workers)


# ---- the kernel --------------------------------------------------------------------------


@given(st.lists(st.tuples(numbers, numbers)))
def test_pairs_of_integers(pairs):
    rows = _kernels.impl.integer_pairs_of(pairs)
    assert rows.dtype == np.int64
    assert rows.shape == (len(pairs), 2)
    assert rows.tolist() == [list(pair) for pair in pairs]
    others = [(1,), (1, 2, 3), (1, True), (np.int64(1), 2), (2**63, 1), (1, -(2**63) - 1)]
    for other in [*others, [1, 2], "ab", 3, (1.0, 2), ()]:
        for at in {0, len(pairs)}:
            assert _kernels.impl.integer_pairs_of([*pairs[:at], other, *pairs[at:]]) is None


def test_pairs_of_subclasses_are_no_plain_pairs():
    Span = namedtuple("Span", "first last")
    assert _kernels.impl.integer_pairs_of([Span(1, 2)]) is None
    assert _kernels.impl.integer_pairs_of([(1, 2), Span(1, 2)]) is None
    key, response = {"d": [[Span(1, 2), (3, 4)]]}, {"d": [[(1, 2), (3, 4)]]}
    assert score(key, response)["muc"].f1 == score(response, key)["muc"].f1 == 1.0


@pytest.mark.one_backend
@pytest.mark.parametrize("ids", [True, False])
def test_rows_of_tables_are_documents_as_they_are_first_named(tmp_path, ids):
    rows = [("b", 3, "x"), ("a", 7, "y"), ("b", 1, "y"), ("a", 7, "x"), ("b", 2, "x")]
    head = "document,mention,entity" if ids else "document,first,last,entity"
    lines = [
        f"{name},{m},{entity}" if ids else f"{name},{m},{m + 1},{entity}"
        for name, m, entity in rows
    ]
    path = tmp_path / "key.csv"
    path.write_text("\n".join([head, *lines, ""]))
    documents = read(path)
    assert columns_in(documents) is not None
    assert [x.name for x in documents] == [x.name for x in iter_documents(path)] == ["b", "a"]
    b, a = documents
    assert (b.entity_names, b.entity.tolist()) == (["x", "y"], [0, 1, 0])
    assert (a.entity_names, a.entity.tolist()) == (["y", "x"], [0, 1])
    assert (b.tokens, b.named, a.tokens, a.named) == (None, True, None, True)
    if ids:
        assert (b.mentions, a.mentions) == ([3, 1, 2], [7, 7])
    else:
        assert (b.mentions.first.tolist(), b.mentions.last.tolist()) == ([3, 1, 2], [4, 2, 3])
        assert (b.mentions.line.tolist(), a.mentions.line.tolist()) == ([2, 4, 6], [3, 5])
    for side in (documents, path):
        scores = score(side, read(path), repeats="merge")
        assert scores["b_cubed"].f1 == 1.0
        assert scores.input_report.repeated_mentions == (1, 1)
