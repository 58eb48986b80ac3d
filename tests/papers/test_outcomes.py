"""Outcomes: status by rounding, order of the paper, tables; all of them are explained."""

import doctest
import importlib
import json
import pkgutil
from pathlib import Path

import pytest

import papers
from papers import experiments, outcome_tables
from papers.cli import main
from papers.outcome_tables import PAPERS, OutcomeRow, in_order, outcome_table, outcomes_of_paper
from papers.outcomes import Outcome, check_explained, rounds_to
from papers.paper import Paper

pytestmark = pytest.mark.one_backend

MODULES = [f"papers.{module.name}" for module in pkgutil.iter_modules(papers.__path__)]
WITH_EXAMPLES = [
    name
    for name in MODULES
    if ">>> " in (Path(papers.__path__[0]) / f"{name.partition('.')[2]}.py").read_text()
]
ROOT = Path(papers.__path__[0]).parent
OURS = list(PAPERS)


def test_there_are_examples():
    assert len(WITH_EXAMPLES) > 10


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstring_examples(name):
    result = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("value", "printed", "rounds"),
    [
        (0.00684, ".0068", True),
        (0.00686, ".0068", False),
        (0.5, "1", True),
        (1.5, "1", True),
        (1.51, "1", False),
        (0.575, "0.58", True),
        (0.585, "0.58", True),
        (0.5749, "0.58", False),
        (33, "33", True),
        (float("nan"), "1", False),
        (float("inf"), "1", False),
        (3.0, "above 0", False),
    ],
)
def test_rounding_to_printed_digits(value, printed, rounds):
    assert rounds_to(value, printed) is rounds


def test_the_status_follows_from_the_values():
    def status(ours, **options):
        return Outcome("Table 1", "x", "0.81", ours, **options).status

    assert status(0.812) == "as printed"
    assert status(0.817) == "differs"
    assert status(0.817, holds=True) == "claim holds"
    assert status(0.817, print_is_wrong=True) == "print is wrong"
    assert status(0.812, print_is_wrong=True) == "as printed"
    assert status(None) == "not run"
    assert status("yes", holds=False) == "differs"


def test_what_comes_out_has_a_digit_more_than_the_print():
    def shown(printed, ours):
        return Outcome("Table 1", "x", printed, ours).shown

    assert shown("0.587", 0.59155) == "0.5916"
    assert shown(".39", 0.00944) == "0.009"
    assert shown("35", 100) == "100"
    assert shown("2 log N", 1.6094379) == "1.609"
    assert shown("yes", None) == ""


def test_what_differs_needs_a_reason():
    check_explained([Outcome("Table 1", "x", "0.81", 0.81)])
    check_explained([Outcome("Table 1", "x", "0.81", 0.9, why="seven")])
    with pytest.raises(ValueError, match=r"Table 1, x: printed 0\.81, ours 0\.9; say why="):
        check_explained([Outcome("Table 1", "x", "0.81", 0.9)])
    with pytest.raises(ValueError, match="ours None"):
        check_explained([Outcome("Table 1", "x", "0.81", None)])


def test_places_come_in_the_order_of_the_paper():
    paper = Paper(
        "A", "A", "a", ("Section 1", "Figure 2", "Table 1", "Table 12", "Section 5.2")
    )
    assert paper.position("Figs 2, 3") == paper.position("Fig. 2") == 1
    assert paper.position("Table 1, right half") == 2
    assert paper.position("Table 12") == 3
    assert paper.position("Section 1.4") == 0
    assert paper.position("Section 5") is None
    assert paper.position("Table 13") is None
    places = ("Table 13", "Table 12", "Section 1", "Table 1, b", "Table 1, a")
    outcomes = [Outcome(place, "x", "1", 1) for place in places]
    ordered = [one.place for one in paper.in_order(outcomes)]
    assert ordered == ["Section 1", "Table 1, b", "Table 1, a", "Table 12", "Table 13"]


def test_every_experiment_belongs_to_a_paper():
    names = {paper.name for paper in PAPERS}
    assert {item.paper for item in experiments().values()} == names
    with pytest.raises(KeyError, match="no paper is called 'X'; there are Split-merge, NVI"):
        outcome_tables.paper_called("X")


@pytest.mark.long
@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.short)
def test_outcomes_are_explained(paper):
    """``outcomes_of_paper`` raises where a reason is missing."""
    for row in outcomes_of_paper(paper):
        assert row.outcome.agrees or row.outcome.why
    assert all(one.status == "not run" and one.why for one in paper.not_run)


@pytest.mark.parametrize("paper", OURS, ids=lambda paper: paper.short)
def test_each_item_is_listed_once_at_a_known_place(paper):
    items = [(row.outcome.place, row.outcome.item) for row in outcomes_of_paper(paper)]
    assert len(set(items)) == len(items)
    assert not [place for place, _ in items if paper.position(place) is None]
    for item in experiments().values():
        if item.paper == paper.name:
            assert item.outcomes is not None, f"{item.name} says nothing of what is printed"


@pytest.mark.parametrize("paper", OURS, ids=lambda paper: paper.short)
def test_each_experiment_is_on_the_page_of_its_paper(paper):
    text = (ROOT / "docs" / "papers" / f"{paper.page}.md").read_text()
    names = [item.name for item in experiments().values() if item.paper == paper.name]
    assert names
    assert not [name for name in names if f"`{name}`" not in text]
    assert f"../generated/papers_{paper.page}.txt" in text


# what is printed and is not so: all of it, by paper
WRONG = {
    "SM": {
        ("Section 4.4", "S' is K, s = 1 - H / log k^2, k = 2"),
        ("Table 2", "N: smallest where the condition is met, nowhere else"),
        ("Table 2", "K: smallest where the condition is met, nowhere else"),
        ("Proposition 5.1", "K: normalized"),
        ("Proposition 5.1, proof", "smallest S*(L, bottom), L other than bottom"),
    },
    "NVI": {
        ("Section 3", "largest VI, n = 5, where 2 log N = 3.219"),
        ("Table 1", "solution R, V"),
        ("Table 1", "solution R, NVI"),
        ("Table 1", "solution R, NVIK"),
        ("Table 3", "WSJ10, T, V from VI, H(C), H(K)"),
        ("Table 3", "WSJ10, P, V from VI, H(C), H(K)"),
        ("Table 3", "NEGRA10, MDL, V from VI, H(C), H(K)"),
        ("Table 3", "CTB10, MDL, NVI from VI, H(C), H(K)"),
        ("Table 3", "CTB10, P, V from VI, H(C), H(K)"),
    },
    "V": {
        (
            "Section 2",
            "one class, three clusters: h, which is 1 if H(C, K) = 0",
        ),
        (
            "Section 2",
            "three classes, one cluster: c, which is 1 if H(K, C) = 0",
        ),
        ("Figure 2", "A, F in the figure"),
        ("Figure 2", "B, F in the figure"),
        ("Figure 2", "C, F in the figure"),
        ("Figure 2", "D, F in the figure"),
        ("Section 3", "VI / (1/2 log k*), {01}{23} and {02}{13}"),
        ("Figure 3", "|C|, with one noise class"),
        ("Section 5.2", "sum of the shares of the 5 pitch accents"),
    },
    "PSI": {
        ("Section 3", "ARI is bounded by zero"),
        ("Section 3", "Rand of random partitions"),
        ("Section 4", "Purity is the classification accuracy"),
        ("Section 5, Theorem 1", "AMI = NMI"),
        ("Section 6.3", "the distance of PSI, eq. (19), is a metric"),
    },
    "CC": {
        ("Section 1", "soft VI does not keep the triangle inequality"),
        ("Section 5, DS2", "points of the core and of each satellite"),
        ("Table 2", "L_ab, VI"),
        ("Table 2", "L_ab, Rand"),
        ("Table 2", "L_ac, VI"),
        ("Table 2", "L_ac, Rand"),
        ("Table 3", "one label, VI"),
        ("Table 3", "one label, Rand"),
        ("Section 6", "CSS is positive and transitive (a metric)"),
    },
}


@pytest.mark.parametrize("paper", OURS, ids=lambda paper: paper.short)
def test_where_the_print_is_wrong(paper):
    wrong = {
        (row.outcome.place, row.outcome.item)
        for row in outcomes_of_paper(paper)
        if row.outcome.status == "print is wrong"
    }
    assert wrong == WRONG[paper.short]


def test_what_differs_without_a_wrong_print():
    differs = {
        (row.paper.short, row.outcome.place)
        for paper in OURS
        for row in outcomes_of_paper(paper)
        if row.outcome.status == "differs"
    }
    assert differs == {
        ("SM", "Figure 3, LitBank"),
        ("V", "Section 4"),
        ("V", "Table 2"),
        ("V", "Figure 4, topics"),
        ("V", "Figure 5, accents"),
        ("PSI", "Figure 12"),
        ("PSI", "Figure 18"),
        ("PSI", "Table 7"),
        ("PSI", "Figure 25"),
        ("CC", "Figure 2"),
        ("CC", "Table 1"),
        ("CC", "Table 2"),
        ("CC", "Table 3"),
    }


# ---- the table ---------------------------------------------------------------------------


def rows():
    first, _, third = PAPERS[:3]
    return [
        OutcomeRow(third, Outcome("Table 2", "a", "0.50", 0.88, why="open")),
        OutcomeRow(first, Outcome("Table 1", "b", "yes", "yes", holds=True)),
        OutcomeRow(third, Outcome("Table 2", "c", "0.57", 0.881, why="open")),
        OutcomeRow(third, Outcome("Figure 2", "d", "0.14", 0.1351)),
    ]


def test_the_table_of_outcomes():
    ordered = in_order(rows())
    assert [row.outcome.item for row in ordered] == ["b", "d", "a", "c"]
    readable = outcome_table(ordered, rounded=True)
    assert readable.columns == ("paper", "place", "item", "printed", "ours", "status")
    assert readable.column("ours") == ("yes", "0.135", "0.880", "0.881")
    assert readable.notes == (
        "4 items: as printed 1, claim holds 1, differs 2.",
        "V, Table 2, a; c: open",
    )
    exact = outcome_table(ordered, rounded=False)
    assert exact.column("ours") == ("yes", 0.1351, 0.88, 0.881)
    assert exact.column("why") == ("", "", "open", "open")
    drawn = outcome_table([OutcomeRow(PAPERS[0], rows()[1].outcome, "7 of 9")], rounded=False)
    assert drawn.to_dicts()[0]["seeds"] == "7 of 9"
    assert drawn.notes == ("1 item: claim holds 1.",)
    assert outcome_table([], rounded=True).notes == ("Nothing is printed of these.",)


def shell(capsys, *arguments):
    code = main([*map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_outcomes_from_the_shell(capsys, tmp_path):
    code, out, err = shell(capsys, "nvi-solution-r", "--outcomes")
    assert code == 0
    assert err.startswith("[1/1] nvi-solution-r: ")
    assert out.splitlines()[1].split() == [
        "paper",
        "place",
        "item",
        "printed",
        "ours",
        "status",
    ]
    assert "NVI    Table 1  solution R, V     0.587       0.5916      print is wrong" in out
    assert "NVI, Table 1, solution R, V: the VI beside it gives" in out
    _, out, _ = shell(capsys, "nvi-solution-r", "--outcomes", "--json", "-q")
    line = json.loads(out)["rows"][4]
    assert (line["item"], line["printed"]) == ("solution R, V", "0.587")
    assert line["ours"] == pytest.approx(0.59157, abs=5e-6)
    _, out, _ = shell(capsys, "nvi-solution-r", "--outcomes", "--csv", "-q")
    assert out.splitlines()[0] == "paper,place,item,printed,ours,status,why"
    assert len(out.splitlines()) == 13
    _, out, _ = shell(capsys, "nvi-solution-r", "--outcomes", "--markdown", "-q")
    assert "| NVI | Table 1 | solution R, V | 0.587 | 0.5916 | print is wrong |" in out
    code, out, err = shell(capsys, "nvi-solution-r", "--outcomes", "-o", tmp_path)
    assert (code, out) == (0, "")
    assert err.endswith(
        "outcomes.csv, outcomes.md: 12 items: as printed 5, claim holds 4, print is wrong 3.\n"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"outcomes.csv", "outcomes.md"}


def test_all_outcomes_have_what_is_not_run(capsys, monkeypatch):
    kept = {"nvi-solution-r": experiments()["nvi-solution-r"]}
    monkeypatch.setattr(papers.registry, "_experiments", kept)
    for names in ((), ("all",)):
        _, out, _ = shell(capsys, *names, "--outcomes", "--json", "-q")
        statuses = [row["status"] for row in json.loads(out)["rows"]]
        assert statuses.count("not run") == sum(len(paper.not_run) for paper in PAPERS)
        assert statuses.count("print is wrong") == 3
    _, out, _ = shell(capsys, "nvi-*", "--outcomes", "--json", "-q")
    assert "not run" not in out
