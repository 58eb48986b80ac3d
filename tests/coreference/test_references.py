"""Bridging and mentions that refer to nothing, against their definitions on plain sets."""

import csv
import json
from fractions import Fraction

import numpy as np
import pytest

from partwise import coreference
from partwise.cli import main

pytestmark = pytest.mark.one_backend

COLUMNS = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
)


def random_side(draw, name, n=14):
    """Return a document by hand: spans with entities, those of no reference, bridging."""
    spans = {}
    for at in range(n):
        if draw.random() < 0.75:
            spans[at, min(n - 1, at + int(draw.integers(0, 2)))] = int(draw.integers(1, 5))
    silent = {span for span in spans if draw.random() < 0.3}
    inside = sorted(spans)
    bridging = {
        span: inside[int(draw.integers(len(inside)))]
        for span in inside
        if len(inside) > 1 and draw.random() < 0.4
    }
    return {"name": name, "n": n, "spans": spans, "silent": silent, "bridging": bridging}


def text_of(document, *, by_entity=False):
    """Return CoNLL-UA lines; marks count from 1 in the order of the spans."""
    marks = {span: f"markable_{i}" for i, span in enumerate(sorted(document["spans"]), 1)}
    names = {
        span: f"{100 + i}-Pseudo" if span in document["silent"] else str(entity)
        for i, (span, entity) in enumerate(sorted(document["spans"].items()))
    }
    opened, closed, bridges = {}, {}, {}
    for span in sorted(document["spans"], key=lambda x: (x[0], -x[1])):
        first, last = span
        alone = ")" if first == last else ""
        text = f"(EntityID={names[span]}|MarkableID={marks[span]}|Min={first + 1}{alone}"
        opened[first] = opened.get(first, "") + text
        if last > first:
            closed[last] = closed.get(last, "") + f"{marks[span]})"
        if span in document["bridging"]:
            to = document["bridging"][span]
            anchor = f"EntityAnchor={names[to]}" if by_entity else f"MentionAnchor={marks[to]}"
            bridges[first] = (
                f"{bridges.get(first, '')}(MarkableID={marks[span]}|Rel=x|{anchor})"
            )
    rows = [COLUMNS, f"# newdoc id = {document['name']}"]
    for at in range(document["n"]):
        cell = closed.get(at, "") + opened.get(at, "")
        rows.append(f"{at + 1}\tw{at}" + "\t_" * 8 + f"\t{cell or '_'}\t{bridges.get(at, '_')}")
    return "\n".join([*rows, "", ""])


def by_definition(key, response):
    """Return {name: (common, of the key, of the response)} of documents in pairs."""
    sums = {
        name: [0, 0, 0]
        for name in (
            *("non_referring", "bridging_anaphors"),
            *("bridging_mentions", "bridging_entities"),
        )
    }
    for ours, theirs in zip(key, response, strict=True):
        common = [len(ours["silent"] & theirs["silent"])]
        both = set(ours["bridging"]) & set(theirs["bridging"])
        common.append(len(both))
        common.append(sum(ours["bridging"][x] == theirs["bridging"][x] for x in both))

        def entity(span, document=ours):
            if span in document["silent"]:
                return ("alone", span)
            return document["spans"].get(span)

        common.append(
            sum(
                entity(theirs["bridging"][x]) is not None
                and entity(theirs["bridging"][x]) == entity(ours["bridging"][x])
                for x in both
            )
        )
        for name, n in zip(sums, common, strict=True):
            part = "silent" if name == "non_referring" else "bridging"
            sums[name][0] += n
            sums[name][1] += len(ours[part])
            sums[name][2] += len(theirs[part])
    return sums


@pytest.mark.parametrize("seed", range(25))
def test_scores_are_those_of_the_definitions(seed, tmp_path):
    draw = np.random.default_rng(seed)
    key, response = ([random_side(draw, name) for name in ("a", "b", "c")] for _ in range(2))
    wanted = by_definition(key, response)
    paths = []
    for at, side in enumerate((key, response)):
        paths.append(tmp_path / f"{at}.CONLLUA")
        order = side if at == 0 else side[::-1]
        paths[-1].write_text("".join(map(text_of, order)))
    scores = coreference.universal_anaphora_scores(*paths)
    assert list(scores) == list(wanted)
    for name, (common, of_key, of_response) in wanted.items():
        score = scores[name]
        assert (score.recall_numerator, score.recall_denominator) == (common, of_key)
        assert (score.precision_numerator, score.precision_denominator) == (common, of_response)
        assert score.recall == (float(Fraction(common, of_key)) if of_key else 0)
        assert ("recall" in score.undefined) == (of_key == 0)
    head, *rows = csv.reader(scores.to_csv().splitlines())
    printed = scores.table().cells()
    for row, (name, (common, of_key, of_response)) in zip(rows, wanted.items(), strict=True):
        values = dict(zip(head, row, strict=True))
        shares = [Fraction(common, n) if n else Fraction(0) for n in (of_key, of_response)]
        shares.append(2 * shares[0] * shares[1] / sum(shares) if sum(shares) else Fraction(0))
        for part, share in zip(("R", "P", "F1"), shares, strict=True):
            assert float(values[part]) == pytest.approx(float(share), abs=1e-15)
        cells = next(cells for cells in printed if cells[0] == name)
        for text, share in zip(cells[1:4], shares, strict=True):
            assert abs(Fraction(text) - 100 * share) <= Fraction(51, 10000)
        assert [int(x) for x in row[-3:]] == [common, of_key, of_response]
    read = coreference.read(paths[0])
    same = coreference.universal_anaphora_scores(read, read)
    assert all(score.f1 == 1 for score in same.values() if not score.undefined)


def document(**parts):
    base = {"name": "d", "n": 6, "spans": {}, "silent": set(), "bridging": {}}
    return {**base, **parts}


KEY = document(
    spans={(0, 0): 1, (1, 1): 1, (2, 3): 2, (4, 4): 3, (5, 5): 9},
    silent={(5, 5)},
    bridging={(2, 3): (0, 0), (4, 4): (2, 3)},
)


def test_an_anchor_that_names_an_entity_means_its_first_mention():
    text = text_of(KEY, by_entity=True)
    scores = coreference.universal_anaphora_scores(text_of(KEY), text)
    assert scores["bridging_mentions"].f1 == 1
    (note,) = [x for x in coreference.read(text).notes if x.code == "mentions-interpreted"]
    assert note == "bridging references to an entity, read as to its first mention: 2"


def test_a_minimum_span_matches_more():
    wide = {**KEY, "spans": {(0, 0): 1, (1, 1): 1, (2, 3): 2, (4, 4): 3, (5, 5): 9}}
    narrow = document(
        spans={(0, 0): 1, (1, 1): 1, (2, 2): 2, (4, 4): 3, (5, 5): 9},
        silent={(5, 5)},
        bridging={(2, 2): (0, 0), (4, 4): (2, 2)},
    )
    texts = text_of(wide), text_of(narrow)
    exact = coreference.universal_anaphora_scores(*texts)
    least = coreference.universal_anaphora_scores(*texts, mentions="minimum_span")
    assert exact["bridging_anaphors"].recall_numerator == 1
    assert exact["bridging_mentions"].recall_numerator == 0
    assert least["bridging_mentions"].f1 == 1


def test_documents_of_one_side_alone_follow_the_policies():
    other = text_of({**KEY, "name": "e"})
    both = text_of(KEY) + other
    with pytest.raises(ValueError, match="the response lacks document 'e'"):
        coreference.universal_anaphora_scores(both, text_of(KEY))
    scores = coreference.universal_anaphora_scores(
        both, text_of(KEY), missing_documents="empty"
    )
    assert scores["non_referring"].recall == 0.5
    assert scores["bridging_mentions"].recall == 0.5
    left = coreference.universal_anaphora_scores(both, text_of(KEY), missing_documents="ignore")
    assert left["bridging_mentions"].recall == 1


def test_formats_without_these_have_none():
    scores = coreference.universal_anaphora_scores({"d": [["a", "b"]]}, {"d": [["a", "b"]]})
    assert all(score.recall_denominator == 0 for score in scores.values())
    with pytest.raises(TypeError, match="no argument 'formt'"):
        coreference.universal_anaphora_scores({}, {}, formt="auto")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("MarkableID=markable_3|Rel", "Markable=markable_3|Rel"), "needs MarkableID"),
        (("|MentionAnchor=markable_1)", ")"), "one of MentionAnchor and EntityAnchor"),
    ],
)
def test_damaged_bridging(change, said):
    text = text_of(KEY)
    assert change[0] in text
    with pytest.raises(ValueError, match=said) as error:
        coreference.read(text.replace(*change))
    assert "document 'd'" in str(error.value)


def test_anchors_that_are_not_there_or_contradict_each_other_are_named():
    rows = [
        "# global.columns = ID FORM IDENTITY BRIDGING",
        "# newdoc id = d",
        "1 house (EntityID=1|MarkableID=a) _",
        "2 car (EntityID=2-Pseudo|MarkableID=b) _",
        "3 door (EntityID=3|MarkableID=c) (MarkableID=c|MentionAnchor=a|EntityAnchor=2)",
    ]
    text = "\n".join(rows) + "\n"
    contradiction = (
        "bridging references whose EntityAnchor is not the entity of their MentionAnchor, read "
        "as to the mention: 1 (the first: document 'd', line 5, MentionAnchor=a is of '1', "
        "EntityAnchor=2)"
    )
    lacking = "bridging references from or to a mention that is not there, left out: 1 (the "
    for old, new, said in (
        ("", "", contradiction),
        ("EntityAnchor=2", "EntityAnchor=1", None),
        ("Anchor=a|EntityAnchor=2", "Anchor=b|EntityAnchor=2", None),  # is of 2-Pseudo
        ("=a|Ent", "=x|Ent", f"{lacking}first: document 'd', line 5, MentionAnchor=x)"),
        ("MentionAnchor=a|", "", f"{lacking}first: document 'd', line 5, EntityAnchor=2)"),
        (
            "(MarkableID=c|",
            "(MarkableID=y|",
            f"{lacking}first: document 'd', line 5, MarkableID=y)",
        ),
    ):
        told = [x.text for x in coreference.read(text.replace(old, new)).notes]
        found = [x for x in told if "(the first: " in x]
        assert (said in found) if said else (found == [])


@pytest.mark.parametrize(
    ("change", "said", "left"),
    [
        (("Anchor=markable_1)", "Anchor=markable_8)"), "a mention that is not there", 1),
        (
            (
                "Anchor=markable_1)",
                "Anchor=markable_1)(MarkableID=markable_3|MentionAnchor=markable_2)",
            ),
            "the last is taken",
            2,
        ),
        (("(MarkableID=markable_3|Rel=x|MentionAnchor=markable_1)", "_"), "alone uses: 1", 1),
        (("(MarkableID=markable_3", "MarkableID=markable_3"), "alone uses: 2", 2),
    ],
)
def test_odd_bridging_is_told(change, said, left):
    text = text_of(KEY)
    assert change[0] in text
    documents = coreference.read(text.replace(*change))
    assert any(said in note for note in documents.notes)
    scores = coreference.universal_anaphora_scores(documents, documents)
    assert scores["bridging_mentions"].recall_numerator == left


def test_the_command_line_and_what_other_files_lose(tmp_path, capsys):
    paths = [tmp_path / "key.conllua", tmp_path / "response.conllua"]
    paths[0].write_text(text_of(KEY))
    paths[1].write_text(text_of({**KEY, "bridging": {(2, 3): (1, 1)}}))
    words = ["coref", *map(str, paths), "--convention", "ua-2.0", "--bridging"]
    assert main(words) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["bridging_mentions", "0.00", "0.00", "0.00", "0", "2", "1"] in lines
    assert ["bridging_entities", "50.00", "100.00", "66.67", "1", "2", "1"] in lines
    assert main([*words, "--json"]) == 0
    document_of = json.loads(capsys.readouterr().out)
    beside = document_of["responses"]["response.conllua"]["beside_identity"]
    assert beside["non_referring"]["f1"] == 1
    assert main([*words, "--csv"]) == 2
    assert "--bridging is for text and --json" in capsys.readouterr().err
    assert main([*words, "--cross-document"]) == 2
    assert "--bridging is within documents" in capsys.readouterr().err
    left = coreference.write(coreference.read(paths[0]), tmp_path / "x.jsonl", "jsonlines")
    assert "bridging references left out: 2" in left
    assert "mentions that refer to nothing, left out: 1" in left


UA = [
    "# global.columns = ID FORM IDENTITY BRIDGING",
    "# newdoc id = d",
    "1\thouse\t(EntityID=1|MarkableID=a)\t_",
    "2\tdoor\t(EntityID=2|MarkableID=c)\t(MarkableID=c|MentionAnchor=a)",
]
UD = [
    "# global.Entity = eid-etype-head-other",
    "# newdoc id = d",
    "1\thouse\thouse\tNOUN\t_\t_\t0\troot\t_\tEntity=(e1--1)",
    "2\tdoor\tdoor\tNOUN\t_\t_\t1\tdep\t_\tBridge=e1<e2|Entity=(e2--1)",
    "",
]
WORDS = ["#begin document (d); part 000", "d 0 0 house -", "d 0 1 door -", "", "#end document"]
NO_UA = [*UA[:2], "1\thouse\t_\t_", "2\tdoor\t_\t_"]
NO_UD = [*UD[:2], *(f"{row.rsplit(chr(9), 1)[0]}\t_" for row in UD[2:4]), ""]


@pytest.mark.parametrize("full", [UA, UD], ids=["conllua", "conllu"])
@pytest.mark.parametrize("empty", [NO_UA, NO_UD, WORDS], ids=["conllua", "conllu", "conll"])
def test_a_side_without_mentions(full, empty):
    """Nothing is common, and the counts of the other side stand."""
    for key, response in ((full, empty), (empty, full), (empty, empty)):
        scores = coreference.universal_anaphora_scores(key, response)
        for name, score in scores.items():
            counted = name != "non_referring"
            assert score.recall_numerator == 0
            assert score.recall_denominator == (counted and key is full)
            assert score.precision_denominator == (counted and response is full)
