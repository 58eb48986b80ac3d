"""The Mallows distance paper (CC): its places in order, and what no experiment runs."""

from papers.outcomes import Outcome
from papers.paper import Paper

_TIMES = "times differ from machine to machine: measured by python -m bench.measures"

MALLOWS_DISTANCE = Paper(
    name="Mallows distance",
    short="CC",
    page="mallows",
    places=(
        "Section 1",
        "Figure 1",
        "Section 2",
        "Figure 2",
        "Figure 3",
        "Section 3",
        "Section 4.1",
        "Section 4.2",
        "Section 5",
        "Figure 4",
        "Figure 5",
        "Section 5.1",
        "Table 1",
        "Figure 6",
        "Figure 7",
        "Section 5.2",
        "Table 2",
        "Table 3",
        "Section 5.3",
        "Figure 8",
        "Figure 9",
        "Section 6",
    ),
    not_run=(
        Outcome(
            "Figure 7(b)",
            "VI, Rand and CSS on Sequoia, sonar, liver, diabetes",
            "bars",
            None,
            why="the data sets are not shipped, and no number is in the text",
        ),
        Outcome(
            "Figure 8", "runtime of CC and soft VI over n and K", "curves", None, why=_TIMES
        ),
        Outcome("Figure 9", "runtime of CSS and Rand over n and K", "curves", None, why=_TIMES),
    ),
)
