"""Split antecedents: what is read, and scores with them."""

import json
from itertools import combinations, permutations

import numpy as np
import pytest

from partwise.cli import main
from partwise.coreference import read, score, split_antecedent_scores, write

pytestmark = pytest.mark.one_backend

COLUMNS = "# global.columns = ID FORM IDENTITY"
MEASURES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")


def document(entities, antecedents, name="d"):
    """Return lines; entities are {name: mentions as letters}, antecedents {name: names}."""
    of = {mention: entity for entity, mentions in entities.items() for mention in mentions}
    rows = [COLUMNS, f"# newdoc id = {name}"]
    written = set()
    for at, letter in enumerate("abcdefghijkl"):
        cell = "_"
        if letter in of:
            entity = of[letter]
            inside = [made for made, parts in antecedents.items() if entity in parts]
            element = (
                f"|ElementOf={','.join(inside)}" if inside and entity not in written else ""
            )
            written.add(entity)
            cell = f"(EntityID={entity}|MarkableID=m{letter}{element})"
        rows.append(f"{at + 1} {letter} {cell}")
    return rows


KEY = ({"1": "ab", "2": "cd", "3": "e", "4": "fg"}, {"4": "12"})


def scores_of(response, antecedents=None, key=KEY):
    scores = score(document(*key), document(response, antecedents or {}), convention="ua-2.0")
    return split_antecedent_scores(scores)


def test_antecedents_are_read_in_both_ways():
    lines = document(*KEY)
    (by_mention,) = read(lines)
    assert by_mention.antecedents == {3: (0, 1)}
    rows = [
        f"{COLUMNS} SPLIT",
        "# newdoc id = d",
        "1\ta\t(EntityID=1|MarkableID=a)\tEntityID=1|ElementOf=3",
        "2\tb\t(EntityID=2|MarkableID=b)\tEntityID=2|ElementOf=3;9",
        "3\tc\t(EntityID=3|MarkableID=c)\t_",
    ]
    documents = read(rows)
    assert documents.documents[0].antecedents == {2: (0, 1)}
    assert [note.text for note in documents.notes] == [
        "entities with split antecedents, which split_antecedent_scores alone uses: 1",
        "split antecedents of entities without mentions, left out: 1 (the first: document 'd', "
        "line 4, '9')",
    ]
    with pytest.raises(ValueError, match=r"<text>:3: document 'd': ElementOf without EntityID"):
        read([*rows[:2], rows[2].replace("EntityID=1|Elem", "Elem")])


def test_antecedents_are_written_or_their_loss_is_told(tmp_path):
    documents = read(document(*KEY))
    for format, ending in (("conll-ua", "conllua"), ("corefud", "conllu")):
        target = tmp_path / f"d.{ending}"
        assert write(documents, target, format) == ()
        (again,) = read(target)
        assert again.antecedents == {3: (0, 1)}
    for format in ("conll-2012", "jsonlines"):
        lost = write(documents, tmp_path / "d", format)
        assert "entities whose split antecedents are left out: 1" in lost


def test_without_split_antecedents_the_scores_are_the_same():
    draw = np.random.default_rng(4)
    sides = []
    for _ in range(2):
        rows = []
        for name in "xyz":
            entities = {}
            for letter in "abcdefghijkl":
                entities.setdefault(str(draw.integers(1, 6)), []).append(letter)
            rows += document(entities, {}, name)
        sides.append(rows)
    scores = score(*sides, convention="ua-2.0")
    with_splits = split_antecedent_scores(scores)
    assert (with_splits.key, with_splits.response) == (0, 0)
    for measure in (*MEASURES, "conll"):
        ours, theirs = with_splits[measure], scores[measure]
        for part in ("recall", "precision", "f1"):
            assert getattr(ours, part) == pytest.approx(getattr(theirs, part))
        assert measure == "conll" or with_splits.alone[measure].f1 == 0
    assert list(with_splits) == [*MEASURES, "conll"]


@pytest.mark.parametrize(
    ("response", "antecedents"),
    [
        (KEY[0], {"4": "12"}),
        # the plural is made of the same entities, whichever mentions say so
        ({"1": "cd", "2": "ab", "3": "e", "9": "fg"}, {"9": "21"}),
        # two plurals with the same antecedents are one entity
        ({"1": "ab", "2": "cd", "3": "e", "8": "f", "9": "g"}, {"8": "12", "9": "21"}),
    ],
)
def test_equal_split_antecedents_are_perfect(response, antecedents):
    scores = scores_of(response, antecedents)
    for measure in MEASURES:
        assert scores[measure].f1 == pytest.approx(1.0)
        assert scores.alone[measure].f1 == pytest.approx(1.0)
    assert (scores.key, scores.response) == (1, 1)


@pytest.mark.parametrize(
    ("antecedents", "measure", "recall", "precision"),
    [
        # fg alone: 4 / 3 of the 3 mentions of the key's entity
        ({}, "b_cubed", (5 + 4 / 3) / 8, 1),
        ({}, "muc", 3 / 4, 1),
        ({}, "ceaf_m", 7 / 8, 1),
        ({}, "ceaf_e", 3.8 / 4, 3.8 / 4),
        ({}, "lea", 6 / 8, 1),
        # one antecedent too many: all is found, 4 of its 5 mentions are right
        ({"4": "123"}, "b_cubed", 1, (5 + 2.8**2 / 3) / 8),
        ({"4": "123"}, "muc", 1, (3 + 2 / 3) / 4),
        ({"4": "123"}, "lea", 1, (5 + 1 + 2 * 0.8) / 8),
        ({"4": "123"}, "ceaf_m", (7 + 8 / 9) / 8, (7 + 8 / 9) / 8),
        ({"4": "123"}, "ceaf_e", (3 + 2.8 / 3) / 4, (3 + 2.8 / 3) / 4),
        # one of two is another one
        ({"4": "13"}, "b_cubed", (5 + 2.5**2 / 3) / 8, (5 + (2 + 2 / 3) ** 2 / 3) / 8),
        ({"4": "13"}, "muc", 3.5 / 4, 3.5 / 4),
    ],
)
def test_shares_of_split_antecedents(antecedents, measure, recall, precision):
    one = scores_of(KEY[0], antecedents)[measure]
    assert one.recall == pytest.approx(recall)
    assert one.precision == pytest.approx(precision)


@pytest.mark.parametrize(
    ("measure", "share"),
    [
        # the split is the one mention of three that the plurals have in common: no link
        ("b_cubed", (5 + 1 / 3) / 8),
        ("muc", 2 / 4),
        ("ceaf_m", 6 / 8),
        ("ceaf_e", (3 + 2 / 6) / 4),
        ("lea", 5 / 8),
    ],
)
def test_plurals_may_have_the_split_alone_in_common(measure, share):
    response = {"1": "ab", "2": "cd", "3": "e", "9": "hi"}
    one = scores_of(response, {"9": "12"})[measure]
    assert (one.recall, one.precision) == (pytest.approx(share), pytest.approx(share))


def test_what_is_made_of_a_plural_is_made_of_its_parts():
    key = ({"1": "ab", "2": "c", "3": "d", "4": "e", "5": "f"}, {"4": "12", "5": "43"})
    flat = ({"1": "ab", "2": "c", "3": "d", "4": "e", "5": "f"}, {"4": "12", "5": "123"})
    scores = scores_of(*flat, key=key)
    assert scores["b_cubed"].f1 == pytest.approx(1.0)
    assert (scores.key, scores.response) == (2, 2)


def pairing_by_definition(key_splits, response_splits):
    """Return the largest sum of F1 of B-cubed over one-to-one pairs, all of them tried."""

    def f1(own, other):
        halves = []
        for first, second in ((own, other), (other, own)):
            above = sum(len(a & b) ** 2 / len(a) for a in first for b in second)
            halves.append(above / sum(map(len, first)))
        return 2 * halves[0] * halves[1] / sum(halves) if sum(halves) else 0.0

    small, large = sorted((key_splits, response_splits), key=len)
    return max(
        sum(f1(a, b) for a, b in zip(small, chosen, strict=True))
        for chosen in permutations(large, len(small))
    )


@pytest.mark.parametrize("seed", range(12))
def test_split_antecedents_are_paired_at_best(seed):
    draw = np.random.default_rng(seed)
    sides, splits = [], []
    for _ in range(2):
        entities = {}
        for letter in "abcdefgh":
            entities.setdefault(str(draw.integers(1, 5)), []).append(letter)
        names = sorted(entities)
        made_of = [set(x) for n in (1, 2) for x in combinations(names, n)]
        chosen = draw.permutation(len(made_of))[: int(draw.integers(1, 4))]
        antecedents = {f"p{at}": sorted(made_of[one]) for at, one in enumerate(chosen.tolist())}
        entities |= {name: "jkl"[at] for at, name in enumerate(antecedents)}
        sides.append((entities, antecedents))
        splits.append([[set(entities[x]) for x in parts] for parts in antecedents.values()])
    key, response = sides
    scores = score(document(*key), document(*response), convention="ua-2.0")
    alone = split_antecedent_scores(scores).alone["b_cubed"]
    wanted = pairing_by_definition(*splits)
    # sums over the pairs that were chosen are at most those of any pairs that are as good
    assert (alone.f1 > 0) == (wanted > 0)
    assert alone.recall_denominator == sum(len(x) for parts in splits[0] for x in parts)
    swapped = score(document(*response), document(*key), convention="ua-2.0")
    other = split_antecedent_scores(swapped)
    for measure in MEASURES:
        ours = split_antecedent_scores(scores)[measure]
        assert ours.f1 == pytest.approx(other[measure].f1)


def test_what_cannot_be_scored_is_refused():
    key = document(*KEY)
    with pytest.raises(ValueError, match='mentions, as singletons="drop" was said'):
        split_antecedent_scores(score(key, key, singletons="drop"))
    with pytest.raises(ValueError, match="of one document; score without cross_document"):
        split_antecedent_scores(score(key, key, cross_document=True))
    circle = document({"1": "a", "2": "b", "3": "c"}, {"2": "3", "3": "2"})
    for key, response, side in ((circle, KEY, "key"), (KEY, circle, "response")):
        sides = [document(*x) if x is KEY else x for x in (key, response)]
        with pytest.raises(ValueError, match="has itself among") as error:
            split_antecedent_scores(score(*sides))
        assert str(error.value) == (
            f"the {side}, document 'd', line 4: the entity '2' has itself among its "
            "antecedents, directly or over others; take it out of those that its file names "
            "(SplitAnte, ElementOf)"
        )


def test_the_command_prints_split_antecedents(tmp_path, capsys):
    key, response = tmp_path / "k.conllua", tmp_path / "r.conllua"
    key.write_text("\n".join(document(*KEY)))
    response.write_text("\n".join(document(KEY[0], {"4": "13"})))
    arguments = ["coref", str(key), str(response), "--split-antecedents"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "r.conllua: entities with split antecedents: 1 in the key, 1 in the" in out
    assert [*out.splitlines()[-6].split()][:2] == ["muc", "87.50"]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["responses"]["r.conllua"]["split_antecedents"]
    assert report["scores"]["muc"]["recall"] == report["scores"]["muc"]["precision"] == 3.5 / 4
    assert report["alone"]["muc"]["recall"] == 0.5
    assert main([*arguments, "--csv"]) == 2
    assert "--split-antecedents is for text and --json" in capsys.readouterr().err


COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = d
1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)
2\tBo\t_\t_\t_\t_\t0\t_\t_\tEntity=(e2-x-1-)
3\tthey\t_\t_\t_\t_\t0\t_\t_\tEntity=(e3-x-1-)|SplitAnte=e1<e3,e2<e3

"""


def test_corefud_has_split_antecedents_and_holds_them(tmp_path):
    documents = read(COREFUD)
    (document,) = documents.documents
    assert document.antecedents == {2: (0, 1)}
    (note,) = documents.notes
    assert "split_antecedent_scores" in note
    scores = score(COREFUD, COREFUD.replace(",e2<e3", ""), convention="ua-2.0")
    ua = [
        "# global.columns = ID FORM IDENTITY",
        "# newdoc id = d",
        "1 Ann (EntityID=1|MarkableID=a|ElementOf=3)",
        "2 Bo (EntityID=2|MarkableID=b|ElementOf=3)",
        "3 they (EntityID=3|MarkableID=c)",
    ]
    other = [line.replace("b|ElementOf=3", "b") for line in ua]
    wanted = split_antecedent_scores(score(ua, other, convention="ua-2.0"))
    found = split_antecedent_scores(scores)
    assert dict(found) == dict(wanted)
    assert found["b_cubed"].recall < 1
    for format, ending in (("corefud", "conllu"), ("conll-ua", "conllua")):
        target = tmp_path / f"d.{ending}"
        left = write(documents, target, format)
        assert not any("split" in what for what in left)
        assert read(target).documents[0].antecedents == {2: (0, 1)}
    assert "entities whose split antecedents are left out: 1" in write(
        documents, tmp_path / "d.conll", "conll-2012"
    )


@pytest.mark.parametrize("value", ["e1", "e1<", "<e3", "e1<e3,", "e1<e2<e3"])
def test_damaged_split_antecedents_of_corefud(value):
    with pytest.raises(ValueError, match=r"document 'd': SplitAnte=.* does not consist of"):
        read(COREFUD.replace("SplitAnte=e1<e3,e2<e3", f"SplitAnte={value}"))
