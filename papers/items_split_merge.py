"""The split-merge paper (SM): its places in order, and what no experiment runs."""

from papers.paper import Paper

SPLIT_MERGE = Paper(
    name="Split-merge",
    short="SM",
    page="split_merge",
    places=(
        "Section 3",
        "Figure 1",
        "Table 1",
        "Property 4.1",
        "Figure 2",
        "Proposition 4.1",
        "Proposition 4.2",
        "Property 4.4",
        "Proposition 4.3",
        "Section 4.4",
        "Section 4.5",
        "Property 5.1",
        "Table 2",
        "Proposition 5.1",
        "Proposition 5.2",
        "Section 6",
        "Figure 3",
        "Supplement",
    ),
)
