"""Other tokens on the two sides: mentions are mapped by characters, or the pair is refused."""

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import score

pytestmark = pytest.mark.one_backend


def cut(text, draw, share):
    """Return a text in pieces, cut at random places."""
    pieces, begin = [], 0
    for at in range(1, len(text)):
        if draw.random() < share:
            pieces.append(text[begin:at])
            begin = at
    return [*pieces, text[begin:]]


def record(name, words, clusters):
    return {"doc_key": name, "sentences": [words], "clusters": clusters}


def characters_of(words):
    """Return (first, last) character of each word."""
    places, begin = [], 0
    for word in words:
        places.append((begin, begin + len(word) - 1))
        begin += len(word)
    return places


def in_other_words(span, words, others):
    """Return the words of another cut that have a character of a span."""
    places, theirs = characters_of(words), characters_of(others)
    inside = range(places[span[0]][0], places[span[1]][1] + 1)
    hit = [at for at, (a, b) in enumerate(theirs) if any(a <= c <= b for c in inside)]
    return [hit[0], hit[-1]]


def random_clusters(draw, n):
    spans = {}
    for _ in range(n):
        first = int(draw.integers(n))
        spans[first, min(n - 1, first + int(draw.integers(3)))] = int(draw.integers(4))
    clusters = {}
    for span, entity in spans.items():
        clusters.setdefault(entity, []).append(list(span))
    return list(clusters.values())


@pytest.mark.parametrize("seed", range(25))
def test_mentions_are_where_their_characters_are(seed):
    draw = np.random.default_rng(seed)
    text = "".join(draw.choice(list("abcdé"), 60))
    own, other = cut(text, draw, 0.4), cut(text, draw, 0.25)
    if len(own) == len(other):
        own = (
            [own[0][0], own[0][1:], *own[1:]]
            if len(own[0]) > 1
            else [*own[:-2], "".join(own[-2:])]
        )
    key = record("d", own, random_clusters(draw, len(own)))
    clusters = random_clusters(draw, len(other))
    mapped = [[in_other_words(span, other, own) for span in one] for one in clusters]
    options = {"ends": "inclusive", "repeats": "first"}
    scores = score(key, record("d", other, clusters), **options)
    wanted = score(key, record("d", own, mapped), **options)
    for name in scores:
        assert scores[name] == wanted[name], name
    (note,) = [x for x in scores.input_report.notes if x.code == "other-words"]
    starts, ends = ({place[end] for place in characters_of(own)} for end in (0, 1))
    places = characters_of(other)
    within = sum(
        places[first][0] not in starts or places[last][1] not in ends
        for one in clusters
        for first, last in one
    )
    assert f"({within} of them began or ended within one)" in note
    assert f"has {len(own)} words in the key, {len(other)} in the response" in note


KEY = record(
    "d",
    ["Don't", "tell", "Ann", "(", "or", '"', "Bo", '"', ")"],
    [[[2, 2], [6, 6]], [[0, 0], [1, 1]]],
)


def test_contractions_escapes_and_blanks():
    words = ["Do", "n't", "tell", "Ann", "-LRB-", "or", "``", "B", "o", "''", "-RRB-"]
    response = record("d", words, [[[3, 3], [7, 8]], [[0, 1], [2, 2]]])
    assert score(KEY, response, ends="inclusive")["conll"].f1 == 1
    as_it_is = score(KEY, response, ends="inclusive", other_tokens="position")
    assert as_it_is["conll"].f1 < 1
    assert "mapped" not in as_it_is.input_report.notes[-1]


def test_a_text_may_end_before_the_other():
    short = record("d", ["Do", "n't", "tell", "Ann"], [[[3, 3]], [[0, 1], [2, 2]]])
    scores = score(KEY, short, ends="inclusive")
    assert scores["mentions"].precision == 1
    longer = record("d", [*KEY["sentences"][0], "and", "others"], [[[2, 2], [10, 10]]])
    scores = score(KEY, longer, ends="inclusive")
    assert scores["mentions"].recall_numerator == 1
    assert scores["mentions"].precision_denominator == 2


def test_a_text_that_ends_early_is_told():
    whole = record("d", ["Ann", "saw", "An", "n"], [[[0, 0], [2, 3]]])
    cut = record("d", ["Ann"], [[[0, 0]]])
    for key, response, side in ((whole, cut, "response"), (cut, whole, "key")):
        scores = score(key, response, ends="inclusive")
        (note,) = [x for x in scores.input_report.notes if x.code == "text-ends-early"]
        assert f"'d' ends early in the {side}, which has the first 3 of 9 characters" in note
    other = record("d", ["Ann", "saw", "Ann"], [[[0, 0], [2, 2]]])
    scores = score(whole, other, ends="inclusive")
    assert "text-ends-early" not in {note.code for note in scores.input_report.notes}


def test_other_characters_are_refused(tmp_path, capsys):
    response = record("d", ["Tell", "Ann"], [[[0, 0], [1, 1]]])
    with pytest.raises(ValueError, match="other characters from character 0 on") as error:
        score(KEY, response, ends="inclusive")
    assert "document 'd' has 9 words in the key, 2 in the response" in str(error.value)
    assert 'other_tokens="position"' in str(error.value)
    assert score(KEY, response, ends="inclusive", other_tokens="position")["muc"].f1 > 0
    key, other = tmp_path / "k.conll", tmp_path / "r.conll"
    key.write_text("#begin document (d);\nd 0 0 Ann (0)\nd 0 1 ran (0)\n#end document\n")
    other.write_text("#begin document (d);\nd 0 0 Bo (0)\n#end document\n")
    assert main(["coref", str(key), str(other)]) == 2
    assert "--other-tokens" in capsys.readouterr().err
    assert main(["coref", str(key), str(other), "--other-tokens", "position"]) == 0
    assert main(["coref", str(key), str(other), "--compat", "perl", "--metric", "muc"]) == 0
    with pytest.raises(ValueError, match="other_tokens"):
        score(KEY, KEY, other_tokens="words")


def test_a_file_without_real_words_is_compared_by_position(tmp_path):
    key = "#begin document (d);\nd 0 0 Ann (0)\nd 0 1 met -\nd 0 2 her (0)\n#end document\n"
    response = "#begin document (d);\nd 0 0 _ (0)\nd 0 1 _ (0)\n#end document\n"
    scores = score(key, response)
    assert scores["mentions"].recall_numerator == 1
    assert "mapped" not in scores.input_report.notes[-1]


UA = "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n"


def test_gaps_and_minimum_spans_are_mapped():
    key = UA + (
        "1 cannot (EntityID=1|MarkableID=a|Min=1\n2 see m=a)\n3 you (EntityID=2|MarkableID=b)\n"
        "4 there (EntityID=1|MarkableID=a)\n"
    )
    response = UA + (
        "1 can (EntityID=1|MarkableID=a|Min=1,2\n2 not _\n3 see m=a)\n"
        "4 you (EntityID=2|MarkableID=b)\n5 th (EntityID=1|MarkableID=a\n6 ere m=a)\n"
    )
    for how in ("exact", "minimum_span"):
        scores = score(key, response, mentions=how, convention="ua-2.0")
        assert scores["mentions"].f1 == 1
    assert scores["b_cubed"].f1 == 1


CONLLU = "# global.Entity = eid-etype-head-other\n# newdoc id = d\n"


def test_empty_nodes_have_no_characters():
    line = "\t_\t_\t_\t_\t0\t_\t_\t"
    key = f"{CONLLU}1\tab{line}Entity=(e1-x-1-)\n1.1\t_{line}Entity=(e1-x-1-)\n\n"
    response = f"{CONLLU}1\ta{line}Entity=(e1-x-1-\n2\tb{line}Entity=e1)\n\n"
    with pytest.raises(ValueError, match="empty nodes, so that mentions cannot be mapped"):
        score(key, response)
    with pytest.raises(ValueError, match=r"corefud-1\.2 refuses them"):
        score(key, response, convention="corefud-1.2")


def test_two_mentions_in_one_word_are_a_repeat():
    key = record("d", ["seeing", "it"], [[[0, 0], [1, 1]]])
    response = record("d", ["see", "ing", "it"], [[[0, 0]], [[1, 1], [2, 2]]])
    with pytest.raises(ValueError, match="is in entity"):
        score(key, response, ends="inclusive")
    assert score(key, response, ends="inclusive", repeats="last")["muc"].f1 == 1
