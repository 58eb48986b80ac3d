"""The NVI paper: its places in order, and what no experiment runs."""

from papers.outcomes import Outcome
from papers.paper import Paper

NVI = Paper(
    name="NVI",
    short="NVI",
    page="nvi",
    places=(
        "Section 2",
        "Section 3",
        "Section 4",
        "Section 5",
        "Table 1",
        "Section 6",
        "Table 2",
        "Table 3",
        "Table 4",
    ),
    not_run=(
        Outcome(
            "Section 2",
            "micro-averaged precision and recall (Dhillon et al., 2003)",
            "named",
            None,
            why="no formula is printed: micro_precision is taken as "
            "purity and micro_recall as inverse purity",
        ),
        Outcome(
            "Section 5",
            "30 people prefer solution R to singletons",
            "all of them",
            None,
            why="a judgement of people",
        ),
        Outcome(
            "Table 2",
            "numbers of labels by size",
            "36 numbers",
            None,
            why="the corpora are licensed; that the numbers add up is looked at",
        ),
        Outcome(
            "Section 6",
            "constituents in labels of less than 10, of less than 100 (WSJ10, MDL)",
            "14.4 %, 30.7 %",
            None,
            why="the corpus is licensed; of clusterings of your own, "
            "Comparison.item_profiles has these shares",
        ),
        Outcome(
            "Table 3",
            "VI of nine labelings",
            "1.4 to 3.83",
            None,
            why="the corpora are licensed; NVI, NVIK and V are derived from it",
        ),
        Outcome(
            "Table 4",
            "H(C) and H(K)",
            "12 numbers",
            None,
            why="the corpora are licensed; Table 3 is derived from them",
        ),
    ),
)
