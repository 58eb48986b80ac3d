"""Documents that are objects in memory: of pipelines, lists, records, lines of files."""

import re
import types

import numpy as np
import pytest

from partwise.coreference import Document, Documents, Spans, read, score

pytestmark = pytest.mark.one_backend

CONLL = [
    "#begin document (d); part 000",
    "d 0 0 Ann (0)",
    "d 0 1 met -",
    "d 0 2 her (1|(0)",
    "d 0 3 son 1)",
    "",
    "d 0 0 He (1)",
    "#end document",
]
RECORD = {
    "doc_key": "d_0",
    "sentences": [["Ann", "met", "her", "son"], ["He"]],
    "clusters": [[[0, 0], [2, 2]], [[2, 3], [4, 4]]],
}


class Token(types.SimpleNamespace):
    """A token of spaCy's."""


class Doc:
    """What of spaCy's Doc is read: its tokens, groups of spans and extension attributes."""

    def __init__(self, words, starts=(0,), spans=None, attribute=None, text=None):
        self.words, self.starts = words, starts
        self.user_data = {}
        self.spans = {
            key: [types.SimpleNamespace(start=first, end=end) for first, end in group]
            for key, group in (spans or {}).items()
        }
        self._ = types.SimpleNamespace(coref_clusters=attribute)
        self.has = attribute is not None

    def __iter__(self):
        return (
            Token(text=word, is_sent_start=at in self.starts)
            for at, word in enumerate(self.words)
        )

    def has_extension(self, name):
        return self.has and name == "coref_clusters"

    def char_span(self, first, end):
        begins = np.cumsum([0, *(len(word) + 1 for word in self.words)])
        ends = begins[1:] - 1
        if first not in begins or end not in ends:
            return None
        return types.SimpleNamespace(
            start=int(np.flatnonzero(begins == first)[0]),
            end=int(np.flatnonzero(ends == end)[0]) + 1,
        )


WORDS = ["Ann", "met", "her", "son", "He"]
GROUPS = {"coref_clusters_2": [(2, 4), (4, 5)], "coref_clusters_10": [], "sc": [(0, 1)]}


def spacy_doc(**options):
    return Doc(WORDS, (0, 4), **options)


def stanza_doc(mentions=((0, 0, 1), (0, 2, 3)), coref=True):
    chains = [[*mentions], [(0, 2, 4), (1, 0, 1)]]
    names = ("sentence", "start_word", "end_word")
    return types.SimpleNamespace(
        sentences=[
            types.SimpleNamespace(words=[types.SimpleNamespace(text=word) for word in words])
            for words in (WORDS[:4], WORDS[4:])
        ],
        coref=[
            types.SimpleNamespace(
                index=number,
                mentions=[
                    types.SimpleNamespace(**dict(zip(names, mention, strict=True)))
                    for mention in chain
                ],
            )
            for number, chain in enumerate(chains)
        ]
        if coref
        else None,
    )


def perfect(scores):
    return scores["conll"].f1 == scores["lea"].f1 == 1.0 and scores["muc"].recall_numerator == 2


def codes(scores):
    return [note.code for note in scores.input_report.notes]


@pytest.mark.parametrize(
    "response",
    [
        spacy_doc(spans={"coref_clusters_1": [(0, 1), (2, 3)], **GROUPS}),
        spacy_doc(attribute=[[(0, 3), (8, 11)], [(8, 15), (16, 18)]]),
        spacy_doc(
            attribute=[
                types.SimpleNamespace(
                    mentions=[types.SimpleNamespace(start=a, end=b) for a, b in cluster]
                )
                for cluster in ([(0, 1), (2, 3)], [(2, 4), (4, 5)])
            ]
        ),
        stanza_doc(),
    ],
    ids=["groups of spans", "characters", "clusters of spans", "stanza"],
)
def test_documents_of_pipelines(response):
    for given in (response, {"d_0": response}, [response]):
        scores = score(CONLL, given)
        assert perfect(scores)
        assert scores.documents == ["(d); part 000"]
        assert "field-taken" in codes(scores)
        assert "other-words" not in codes(scores)
    assert perfect(score(response, response))
    assert perfect(score([response, response], [response, response])) is False  # 4 links


def test_groups_of_another_name_are_named():
    document = spacy_doc(spans={"chains_1": [(0, 1), (2, 3)], "chains_2": [(2, 4), (4, 5)]})
    with pytest.raises(ValueError, match=r"chains_1, chains_2\); say clusters="):
        score(CONLL, document)
    assert perfect(score(CONLL, document, clusters="chains"))
    assert perfect(score(document, document, clusters=("chains", "chains")))
    with pytest.raises(ValueError, match="format='corefud' is for files, and the key"):
        score(spacy_doc(), spacy_doc(), format="corefud")


def test_a_document_without_groups_has_no_mention():
    scores = score(CONLL, spacy_doc())
    assert scores["muc"].recall == 0
    assert "no-mentions" in codes(scores)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            spacy_doc(attribute=[[(0, 2)]]),
            "character 0 to 2 does not begin",
        ),
        (
            spacy_doc(spans={"coref_clusters_1": [(3, 9)]}),
            "token 3 to 8 is not within its 5",
        ),
        (spacy_doc(spans={"coref_clusters_1": [(3, 3)]}), "from token 3 to 2 is not within"),
        (stanza_doc(mentions=[(0, 2, 9)]), "from word 2 to 9 of sentence 0, which has 4 words"),
        (stanza_doc(mentions=[(7, 0, 1)]), "a mention of chain 0 is at (7, 0, 1)"),
        (stanza_doc(coref=False), "add the processor 'coref' to the pipeline"),
    ],
)
def test_damaged_documents_of_pipelines(document, said):
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        score(document, CONLL)
    assert "key, document 'document'" in str(error.value)


def test_a_prefix_is_not_for_stanza():
    with pytest.raises(ValueError, match="groups of spans of spaCy, and this is a document of"):
        score(stanza_doc(), CONLL, clusters="chains")


@pytest.mark.parametrize(
    "response",
    [
        "\n".join(CONLL),
        [f"{line}\n" for line in CONLL],
        tuple(CONLL),
        RECORD,
        [RECORD],
        [{**RECORD, "clusters": [np.array(x) for x in RECORD["clusters"]]}],
        '{"doc_key": "d_0", "clusters": [[[0, 0], [2, 2]], [[2, 3], [4, 4]]]}',
    ],
    ids=lambda x: type(x).__name__,
)
def test_files_in_memory(response):
    assert perfect(score(CONLL, response))
    assert perfect(score(response, CONLL))


@pytest.mark.parametrize(
    "response",
    [
        {"d": RECORD["clusters"]},
        [RECORD["clusters"]],
        [{0: [(0, 0), (2, 2)], 1: [(2, 3), (4, 4)]}],
        {"d": [[np.array(x) for x in cluster] for cluster in RECORD["clusters"]]},
        {"d": {"Ann": RECORD["clusters"][0], "Bo": RECORD["clusters"][1]}},
    ],
    ids=lambda x: type(x).__name__,
)
def test_mentions_that_are_lists(response):
    key = {"d": [[(0, 0), (2, 2)], [(2, 3), (4, 4)]]}
    assert perfect(score(key, response))
    assert perfect(score(response, key))


def test_lines_can_be_read_and_faults_name_the_side_and_the_line():
    documents = read(CONLL)
    assert (documents.format, documents.path) == ("conll-2012", "<text>")
    assert read("\n".join(CONLL)).documents[0].name == "(d); part 000"
    broken = [*CONLL[:2], "d 0 1 met 7)", *CONLL[3:]]
    with pytest.raises(ValueError, match="<response>:3: document"):
        score(CONLL, broken)
    with pytest.raises(TypeError, match="line 1 is a int; text is expected"):
        read(["#begin document d", 5])
    with pytest.raises(TypeError, match="a dict; a path, text with line breaks or a list"):
        read({"d": []})


def test_a_list_of_documents_is_numbered_and_told():
    key = [[[[0, 0], [2, 2]]], [[[1, 1], [2, 4]], [[5, 5]]]]
    scores = score(key, {"0": [[(0, 0), (2, 2)]], "1": [[(1, 1), (2, 4)], [(5, 5)]]})
    assert scores.documents == ["0", "1"]
    assert scores["mentions"].f1 == 1.0
    texts = [str(note) for note in scores.input_report.notes]
    assert "key: documents of a list, numbered from 0: 2" in texts
    assert "key: mentions that are lists of numbers, taken as tuples: 5" in texts


def test_a_list_of_document_objects():
    spans = Spans(np.array([0, 2]), np.array([0, 2]))
    documents = [Document("d", spans, np.array([0, 0]), ["e"])]
    assert score(documents, Documents(documents))["muc"].f1 == 1.0


@pytest.mark.parametrize(
    "documents",
    [
        [[[0, 1], [2, 3]]],  # clusters of one document, or documents of numbers
        [[["a"]]],
        [["a"], ["b"]],
        [{"d": [["a"]]}, 5],
        [{"d": [["a"], ["b", "c"]]}],  # {document: clusters} in a list
        [{"d": [[(0, 1)], [(2, 3)]]}],
        [],
    ],
)
def test_lists_that_may_be_several_things_are_refused(documents):
    with pytest.raises(TypeError, match=r"the key is a list; .*write \{'document': clusters\}"):
        score(documents, {"d": [["a"]]})


def test_a_list_of_paths_is_refused(tmp_path):
    path = tmp_path / "k.conll"
    path.write_text("\n".join(CONLL))
    with pytest.raises(TypeError, match=r"the response is a list of paths"):
        score(path, [str(path)])


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ({"d": [[(0, 1), [2, 3]]]}, "the mention [2, 3] cannot be hashed"),
        ({"d": [[["a"]]]}, "the mention ['a'] cannot be hashed"),
        ({"d": [[[0]]]}, "the mention [0] cannot be hashed"),
        ({"d": [[[0, True]]]}, "cannot be hashed"),
    ],
)
def test_mentions_that_are_lists_of_other_things_are_refused(documents, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        score(documents, {"d": [[(0, 1)]]})


def test_named_entities_across_documents():
    key = {"a": {"Ann": [[0, 0], [4, 4]], "Bo": [[2, 2]]}, "b": {"Ann": [[1, 1]]}}
    response = {"a": {"x": [(0, 0)], "y": [(4, 4)]}, "b": {"x": [(1, 1)]}}
    scores = score(key, response, cross_document=True)
    assert (scores["muc"].recall_numerator, scores["muc"].recall_denominator) == (1, 2)
    assert scores.input_report.entities == (2, 2)
