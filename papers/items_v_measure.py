"""The V-measure paper: its places in order, and what no experiment runs."""

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
)
