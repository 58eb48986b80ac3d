"""The Mallows distance paper (CC): its places in order, and what no experiment runs."""

from papers.paper import Paper

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
)
