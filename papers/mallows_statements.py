"""What the Mallows paper says of its measures, checked (ICML 2005, sections 2, 4.1, 5.1, 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from papers.mallows_soft import PAPER
from papers.outcomes import Outcome
from papers.partitions import partitions
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.soft import soft_variation_of_information
from partwise.measures.transport.css import css_distance
from partwise.measures.transport.transport import mallows_distance
from partwise.table.contingency import Contingency

if TYPE_CHECKING:
    from numpy.random import Generator

_ROUNDING = 1e-12
"""What a difference of three values may be by rounding alone."""


@reasons_where_needed
def outcomes_of_statements(table: ExperimentTable) -> list[Outcome]:
    """Return what the paper says beside what was found."""
    value = dict(zip(table.column("statement"), table.column("value"), strict=True))
    cases = table.column("cases")[0]
    by_cc, by_vi = value["triangle inequality, CC"], value["triangle inequality, soft VI"]
    return [
        Outcome(
            "Section 4.1",
            "CC keeps the triangle inequality",
            "stated",
            f"no violation in {cases} triples" if by_cc <= _ROUNDING else f"off by {by_cc:.3g}",
            holds=by_cc <= _ROUNDING,
            why="a violation",
        ),
        Outcome(
            "Section 1",
            "soft VI does not keep the triangle inequality",
            "stated",
            f"no violation in {cases} triples" if by_vi <= _ROUNDING else f"off by {by_vi:.3g}",
            holds=by_vi > _ROUNDING,
            print_is_wrong=True,
            why="it keeps it, as all pairs of labels come from one joint law; what it loses is "
            f"identity: VI of a clustering and itself is up to {value['itself, soft VI']:.2f}",
        ),
        Outcome(
            "Section 6",
            "CSS is positive and transitive (a metric)",
            "stated",
            f"{value['different clusterings, CSS']:.0f} between different clusterings; off the "
            f"triangle inequality by {value['triangle inequality, CSS']:.2f}",
            holds=value["different clusterings, CSS"] > 0,
            print_is_wrong=True,
            why="two centres coincide: items at 0, 1, 5, 6.5, {02}{13} against {013}{2}",
        ),
        Outcome(
            "Section 5.1",
            "CC is at most n",
            "stated",
            f"CC / n is {value['no cell preferred, CC / n']:.2f} at most for five against five "
            "clusters with equal weights",
            holds=value["no cell preferred, CC / n"] <= 1,
            why="CC is larger than n",
        ),
    ]


@experiment(
    "mallows-statements", PAPER, "Sections 1, 4.1, 5.1, 6", outcomes=outcomes_of_statements
)
def statements(seed: int = 1, *, triples: int = 100) -> ExperimentTable:
    """Check what the paper says of CC, CSS and soft VI (sections 1, 4.1, 5.1, 6).

    Parameters
    ----------
    seed : int, default 1
    triples : int, default 100
        Random triples of soft clusterings.

    Returns
    -------
    ExperimentTable
        ``statement``; ``value``: of the triangle inequality the largest D(x, z) - D(x, y) -
        D(y, z), which is above 0 if it is broken; ``cases``.

    Notes
    -----
    The plan that spreads all weight evenly costs (K + J - 2) / (K J) of n at most, so CC / n
    with equal weights is no larger; independent clusterings reach it: .32 for five and five.
    """
    if triples < 1:
        raise ValueError(f"triples={triples}; at least 1 is needed")
    random = np.random.default_rng(seed)
    drawn = [[_memberships(random) for _ in range(3)] for _ in range(triples)]

    def cc(one: Any, other: Any) -> float:
        return mallows_distance(one, other, normalize=True)

    where = [0.0, 1.0, 5.0, 6.5]

    def css(one: Any, other: Any) -> float:
        return css_distance(one, other, features=where)

    coinciding = [0, 1, 0, 1], [0, 0, 1, 0]
    around = [(*order, z) for order in (coinciding, coinciding[::-1]) for z in partitions(4)]
    even = Contingency.from_dense(np.full((5, 5), 4))
    rows = (
        ("triangle inequality, CC", _excess(cc, drawn), triples),
        (
            "triangle inequality, soft VI",
            _excess(soft_variation_of_information, drawn),
            triples,
        ),
        (
            "itself, soft VI",
            max(soft_variation_of_information(x, x) for x, _, _ in drawn),
            triples,
        ),
        ("different clusterings, CSS", css(*coinciding), 1),
        ("triangle inequality, CSS", _excess(css, around), len(around)),
        ("no cell preferred, CC / n", mallows_distance(even, normalize=True), 1),
    )
    return ExperimentTable(
        "Statements about CC, soft VI and CSS",
        ("statement", "value", "cases"),
        rows,
        (
            "As stated: CC is a metric. Not as stated: soft VI keeps the triangle inequality, "
            "CSS does not and is 0 between different clusterings.",
        ),
    )


def _memberships(random: Generator) -> Any:
    """Return a soft clustering of six items into one to four clusters."""
    k = int(random.integers(1, 5))
    return random.dirichlet(np.full(k, 0.4), 6)


def _excess(distance: Callable[[Any, Any], float], triples: Any) -> float:
    """Return the largest D(x, z) - D(x, y) - D(y, z)."""
    return max(distance(x, z) - distance(x, y) - distance(y, z) for x, y, z in triples)
