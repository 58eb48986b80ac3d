"""The V-measure paper: its places in order, and what no experiment runs."""

from papers.outcomes import Outcome
from papers.paper import Paper

V_MEASURE = Paper(
    name="V-measure",
    short="V",
    page="v_measure",
    places=(
        "Section 2",
        "Figure 1",
        "Figure 2",
        "Section 3",
        "Section 4",
        "Figure 3",
        "Table 1",
        "Table 2",
        "Section 5.1",
        "Figure 4",
        "Section 5.2",
        "Figure 5",
    ),
    not_run=(
        Outcome(
            "Section 3",
            "micro-averaged precision and recall (Dhillon et al., 2003)",
            "named",
            None,
            why="no formula is printed: micro_precision is taken as "
            "purity and micro_recall as inverse purity",
        ),
        Outcome(
            "Section 3",
            "baselines: Fowlkes-Mallows .6 to 0, adjusted Rand .5 to .95",
            "cited",
            None,
            why="simulations of Fowlkes and Mallows (1983), which are not described",
        ),
        Outcome(
            "Figure 4",
            "k-means on 1884 documents of TDT-4",
            "a drawing",
            None,
            why="the corpus is licensed, and no value is printed as a number; its claims are "
            "looked at on simulated points with the printed class sizes",
        ),
        Outcome(
            "Figure 5",
            "k-means on accented words of the Boston Directions Corpus",
            "a drawing",
            None,
            why="the corpus is licensed, and no value is printed as a number; its claims are "
            "looked at on simulated points with the printed class sizes",
        ),
    ),
)
