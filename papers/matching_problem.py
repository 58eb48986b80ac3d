"""Solutions that F holds for equal and V does not (V, Figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from papers.outcomes import Outcome
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.homogeneity import v_measure
from partwise.measures.overlap.set_similarity import f_measure
from partwise.table.contingency import Contingency

_A = ((3, 1, 1), (1, 3, 1), (1, 1, 3))
_B = ((3, 2, 0), (0, 3, 2), (2, 0, 3))
_PAIRS = ((1, 1, 0), (0, 1, 1), (1, 0, 1))
_SINGLES = ((1, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 1, 1))
#: F in the figure, V in the figure, V in the text.
_PRINTED_TEXT = {
    "A": ("0.5", "0.14", "0.135"),
    "B": ("0.5", "0.39", "0.387"),
    "C": ("0.6", "0.30", "0.30"),
    "D": ("0.6", "0.41", "0.41"),
}
#: Classes are rows; what each solution prints: F in the text, V.
SOLUTIONS: dict[str, tuple[Any, float, float]] = {
    "A": (_A, 0.6, 0.14),
    "B": (_B, 0.6, 0.39),
    "C": (np.hstack([_B, _PAIRS]), 0.5, 0.30),
    "D": (np.hstack([_B, _SINGLES]), 0.5, 0.41),
}


def outcomes_of_solutions(table: ExperimentTable) -> list[Outcome]:
    """Return F and V of the four solutions, as in the text and as the figure labels them."""
    outcomes = []
    for row in table.to_dicts():
        name = row["solution"]
        of_figure, v_of_figure, v_of_text = _PRINTED_TEXT[name]
        why = "the text has F the other way round, and the counts of A and B give the text's"
        outcomes += [
            Outcome("Figure 2", f"{name}, F in the text", f"{row['printed F']:g}", row["F"]),
            Outcome(
                "Figure 2",
                f"{name}, F in the figure",
                of_figure,
                row["F"],
                print_is_wrong=True,
                why=why,
            ),
            Outcome("Figure 2", f"{name}, V in the figure", v_of_figure, row["V"]),
            Outcome("Figure 2", f"{name}, V in the text", v_of_text, row["V"]),
        ]
    return outcomes


@experiment("problem-of-matching", "V-measure", "Figure 2", outcomes=outcomes_of_solutions)
def problem_of_matching() -> ExperimentTable:
    """Compare solutions that the F-measure holds for equal, and V does not.

    Returns
    -------
    ExperimentTable
        solution, F, V, printed F, printed V.

    Notes
    -----
    The labels of the figure have F = 0.5 for A and B and 0.6 for C and D; the text has them
    the other way round, and is right. A and B are read off the figure. C and D are rebuilt
    (B with six more items, in three mixed pairs or as six single items): of the ways tried,
    the only one that gives both printed values of V.

    Examples
    --------
    >>> for solution, f, v, *_ in problem_of_matching().rows:
    ...     print(solution, round(f, 3), round(v, 3))
    A 0.6 0.135
    B 0.6 0.387
    C 0.5 0.3
    D 0.5 0.413
    """
    rows = []
    for name, (counts, printed_f, printed_v) in SOLUTIONS.items():
        table = Contingency.from_dense(np.asarray(counts))
        rows.append((name, f_measure(table), v_measure(table), printed_f, printed_v))
    return ExperimentTable(
        "Solutions of equal F and different V",
        ("solution", "F", "V", "printed F", "printed V"),
        tuple(rows),
        ("F as in the text: the labels of the figure are swapped. C and D are rebuilt.",),
    )
