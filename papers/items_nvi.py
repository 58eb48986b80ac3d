"""The NVI paper: its places in order, and what no experiment runs."""

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
)
