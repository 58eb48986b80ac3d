"""Tables of scores are in percent, CSV holds shares; against fractions of the counts."""

import csv
from fractions import Fraction

import pytest

from partwise.coreference import (
    bootstrap,
    paired_test,
    score,
    scores_by_entity_size,
    split_antecedent_scores,
)

pytestmark = pytest.mark.one_backend

PARTS = ("recall", "precision", "f1")
COUNTED = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
KEY = {"d": [[1, 2, 3], [4, 5], [6, 7, 8, 9]], "e": [["x", "y"], ["z", "v", "w"]]}
RESPONSE = {"d": [[1, 2], [3, 4, 5], [6, 7, 8, 0]], "e": [["x", "y", "z"], ["v", "w"]]}
OTHER = {"d": [[1, 2, 3], [4, 6], [5, 7, 8, 9]], "e": [["x", "z"], ["y", "v"]]}


def shares(one):
    """Return recall, precision and F1 as fractions, of the counts of a score."""
    recall, precision = (
        Fraction(getattr(one, f"{part}_numerator"))
        / (Fraction(getattr(one, f"{part}_denominator")) or 1)
        for part in ("recall", "precision")
    )
    total = recall + precision
    return [recall, precision, 2 * recall * precision / total if total else Fraction(0)]


def check_percents(cells, wanted):
    """Two digits behind the point, rounded, of a hundred times each share."""
    for text, share in zip(cells, wanted, strict=True):
        assert len(text.partition(".")[2]) == 2
        assert abs(Fraction(text) - 100 * share) <= Fraction(51, 10000)


def check_shares(cells, wanted):
    for text, share in zip(cells, wanted, strict=True):
        assert float(text) == pytest.approx(float(share), abs=1e-15)


@pytest.mark.parametrize("exact", [False, True])
def test_scores(exact):
    scores = score(KEY, RESPONSE, exact=exact)
    table = scores.table()
    assert list(table.header) == ["measure, in %", *PARTS]
    printed = {name: cells for name, *cells in table.cells()}
    in_csv = {name: cells for name, *cells in csv.reader(scores.to_csv().splitlines())}
    assert in_csv.pop("measure") == list(PARTS)
    assert list(printed) == list(in_csv) == [*COUNTED[:5], "blanc", "lea", "conll"]
    for name in COUNTED:
        check_percents(printed[name], shares(scores[name]))
        check_shares(in_csv[name], shares(scores[name]))
    conll = [
        sum(shares(scores[x])[i] for x in ("muc", "b_cubed", "ceaf_e")) / 3 for i in (0, 1, 2)
    ]
    check_percents(printed["conll"], conll)
    check_shares(in_csv["conll"], conll)
    blanc = [Fraction(getattr(scores["blanc"], part)) for part in PARTS]
    check_percents(printed["blanc"], blanc)


def test_groups():
    scores = score(KEY, RESPONSE)
    groups = scores_by_entity_size(scores, (1, 3), ("muc", "b_cubed"))
    rows = list(csv.reader(groups.to_csv().splitlines()))[1:]
    for cells, row in zip(groups.table().cells(), rows, strict=True):
        assert cells[:3] == row[:3] == [cells[0], *map(str, groups.counts[cells[0]])]
        wanted = [x for name in ("muc", "b_cubed") for x in shares(groups[cells[0]][name])]
        check_percents(cells[3:], wanted)
        check_shares(row[3:], wanted)


def in_conll_ua(entities, split):
    """Return lines; mentions are letters, the last entity is made of the first two."""
    of = {letter: name for name, letters in entities.items() for letter in letters}
    rows, written = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d"], set()
    for at, letter in enumerate("abcdefgh"):
        name = of.get(letter)
        part_of = "|ElementOf=4" if name in split and name not in written else ""
        written.add(name)
        cell = f"(EntityID={name}|MarkableID=m{letter}{part_of})" if name else "_"
        rows.append(f"{at + 1} {letter} {cell}")
    return rows


def test_split_antecedents():
    entities = {"1": "ab", "2": "cd", "3": "eh", "4": "fg"}
    sides = in_conll_ua(entities, "12"), in_conll_ua(entities, "13")
    scores = split_antecedent_scores(score(*sides, convention="ua-2.0"))
    rows = list(csv.reader(scores.to_csv().splitlines()))[1:]
    printed = [line.split() for line in str(scores).splitlines()[-len(rows) :]]
    for cells, row, line in zip(scores.table().cells(), rows, printed, strict=True):
        name = cells[0]
        assert name == row[0] == line[0]
        wanted = [Fraction(getattr(scores[name], part)) for part in PARTS]
        if name in scores.alone:
            wanted += [Fraction(getattr(scores.alone[name], part)) for part in PARTS]
        assert any(0 < share < 1 for share in wanted)
        for texts in (cells, line):
            check_percents([text for text in texts[1:] if text], wanted)
        check_shares([text for text in row[1:] if text], wanted)


def test_draws():
    scores = [score(KEY, response) for response in (RESPONSE, OTHER)]
    measures = ["b_cubed", "lea.recall"]
    drawn = bootstrap(scores[0], measure=measures, draws=15, seed=1)
    (head, *rows), cells = csv.reader(drawn.to_csv().splitlines()), drawn.table().cells()
    observed = [shares(scores[0]["b_cubed"])[2], shares(scores[0]["lea"])[0]]
    check_percents([line[1] for line in cells], observed)
    check_shares([row[1] for row in rows], observed)
    for line, row in zip(cells, rows, strict=True):
        for name, text, share in zip(head[1:], line[1:], row[1:], strict=True):
            assert name in ("value", "standard_error", "low", "high", "bias")
            check_percents([text], [Fraction(share)])
    test = paired_test(*scores, measure=measures, draws=15, seed=1)
    (head, *rows), cells = csv.reader(test.to_csv().splitlines()), test.table().cells()
    second = [shares(scores[1]["b_cubed"])[2], shares(scores[1]["lea"])[0]]
    for line, row, one, other in zip(cells, rows, observed, second, strict=True):
        wanted = {"first": one, "second": other, "difference": other - one}
        for name, share in wanted.items():
            at = head.index(name)
            check_percents([line[at]], [share])
            check_shares([row[at]], [share])
        at = head.index("p_value")  # no score: it is a share in both
        assert float(line[at]) == pytest.approx(float(row[at]), abs=1e-4)
