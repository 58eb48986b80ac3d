"""The split-merge paper (SM): its places in order, and what no experiment runs."""

from papers.outcomes import Outcome
from papers.paper import Paper

SPLIT_MERGE = Paper(
    name="Split-merge",
    short="SM",
    page="split_merge",
    places=(
        "Section 1",
        "Section 3.1",
        "Section 3.2",
        "Section 3.3",
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
        "Section 5.1",
        "Property 5.1",
        "Table 2",
        "Proposition 5.1",
        "Proposition 5.2",
        "Section 6",
        "Figure 3",
        "Supplement",
    ),
    not_run=(
        Outcome(
            "Section 4.5",
            "the hybrid measure of Coen et al. (2010), whose cost SM compares with",
            "O(n^2.6) on average",
            None,
            why="not implemented: the text has no formula of it",
        ),
        Outcome(
            "Section 5.1",
            "the normalization of Luo et al. (2009), by the extreme values against L",
            "named",
            None,
            why="not implemented: the text has no formula of it",
        ),
        Outcome(
            "Figure 3",
            "the curves of the ACE-2005 document",
            "a drawing",
            None,
            why="the corpus is licensed, and no value is printed as a number; its claims are "
            "looked at on two other documents",
        ),
        Outcome(
            "Supplement",
            "derivations of Tables 1 and 2, further properties",
            "referred to",
            None,
            why="of the supplement; both tables are checked on all small clusterings",
        ),
    ),
)
