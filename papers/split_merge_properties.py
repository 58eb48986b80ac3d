"""What SM says of its measures, on all pairs of clusterings of three to five items."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from papers.lower_bounds import lower_bound_holds
from papers.outcomes import Outcome
from papers.partitions import join_labels, join_parts
from papers.properties import (
    TOLERANCE,
    is_conditionally_normalized,
    is_join_weighted,
    is_normalized,
    is_subcomponent_consistent,
)
from papers.registry import experiment
from papers.search import Finding, Subject
from papers.table import ExperimentTable

ITEMS = (3, 4, 5)
#: The paper's letters, and the entries of the catalogue. K has at most two clusters a side:
#: the only k above 1 that is at most the square root of so few items. S* is taken as S_H.
MEASURES = {
    "R": "rand_index",
    "A": "classification_accuracy",
    "N": "van_dongen(normalized=True)",
    "I": "mutual_information",
    "NMI": "normalized_mutual_information(average=max)",
    "V": "vi_similarity_log_n",
    "K": "vi_similarity_log_k(k=2)",
    "S*": "s_entropy",
}


def _log(n: int) -> float:
    return math.log(n) if n > 1 else 0.0


#: w(J, n) of Table 1. b(J, n) is 1 - sum of w for R and V, 0 for the others but I.
_PRINTED_WEIGHTS: dict[str, Callable[[int, int], float]] = {
    "R": lambda size, n: size * (size - 1) / (n * (n - 1)),
    "I": lambda size, n: size / n,
    "V": lambda size, n: size * _log(size) / (n * _log(n)),
    **{name: lambda size, n: size / n for name in ("N", "A", "K", "S*")},
}


def printed_offset(measure: str, sizes: Sequence[int], n: int) -> float:
    """Return b(J, n) of Table 1."""
    if measure in ("R", "V"):
        return 1 - math.fsum(_PRINTED_WEIGHTS[measure](size, n) for size in sizes)
    if measure == "I":
        return _log(n) - math.fsum(size / n * _log(size) for size in sizes)
    return 0.0


def decomposes_as_printed(measure: str, n: int) -> bool:
    """Return whether equation (1) with the w and b of Table 1 gives the measure, for all pairs.

    Parameters
    ----------
    measure : str
        A letter of ``MEASURES`` that Table 1 lists.
    n : int
        Items, at most 6.

    Examples
    --------
    >>> decomposes_as_printed("R", 4), decomposes_as_printed("I", 4)
    (True, True)
    """
    subject = Subject.of(MEASURES[measure])
    weight = _PRINTED_WEIGHTS[measure]

    def similarity(reference: Sequence[int], candidate: Sequence[int]) -> float:
        value = subject.value(tuple(reference), tuple(candidate))
        return 1 - value if subject.lower_is_better else value

    for a in subject.clusterings(n):
        for b in subject.clusterings(n):
            parts = join_parts(a, b)
            sizes = [len(part.reference) for part in parts]
            terms = [weight(len(p.reference), n) * similarity(*p) for p in parts]
            total = math.fsum(terms) + printed_offset(measure, sizes, n)
            if abs(total - similarity(a, b)) > TOLERANCE:
                return False
    return True


def pairs_alike_in_parts(measure: str, n: int) -> tuple[str, str] | None:
    """Return two pairs of clusterings that only a measure without equation (1) tells apart.

    Parameters
    ----------
    measure : str
        A letter of ``MEASURES``.
    n : int
        Items, at most 6.

    Returns
    -------
    tuple of str, or None
        Both pairs have the same join, and the measure is the same on every component of it;
        yet it is not the same on all items. So no w(J, n) and b(J, n) exist.

    Examples
    --------
    >>> pairs_alike_in_parts("NMI", 4)
    ('0001 / 0012', '0001 / 0123')
    >>> pairs_alike_in_parts("R", 4) is None
    True
    """
    subject = Subject.of(MEASURES[measure])
    seen: dict[object, tuple[float, str]] = {}
    for a in subject.clusterings(n):
        for b in subject.clusterings(n):
            scores = tuple(round(subject.value(*part), 9) for part in join_parts(a, b))
            name = " / ".join("".join(map(str, side)) for side in (a, b))
            value = subject.value(a, b)
            first = seen.setdefault((join_labels(a, b), scores), (value, name))
            if abs(first[0] - value) > 1e-6:
                return first[1], name
    return None


@dataclass(frozen=True)
class Claim:
    """What SM says of measures: ``holds_of`` those letters, and of the others not."""

    place: str
    text: str
    holds_of: tuple[str, ...]
    measures: tuple[str, ...]
    check: Callable[[str, int], bool]


def _of_entry(check: Callable[..., Finding]) -> Callable[[str, int], bool]:
    return lambda measure, n: bool(check(MEASURES[measure], n=n))


CLAIMS = (
    Claim(
        "Table 1",
        "w and b as printed re-add",
        tuple(_PRINTED_WEIGHTS),
        tuple(_PRINTED_WEIGHTS),
        decomposes_as_printed,
    ),
    Claim(
        "Table 1",
        "some w(J, n) and b(J, n) re-add",
        (),
        ("NMI",),
        lambda measure, n: pairs_alike_in_parts(measure, n) is None,
    ),
    Claim(
        "Table 2",
        "smallest where the condition is met, nowhere else",
        tuple(MEASURES),
        tuple(MEASURES),
        _of_entry(lower_bound_holds),
    ),
    Claim(
        "Proposition 5.1",
        "normalized",
        ("R", "NMI", "V", "K", "S*"),
        tuple(MEASURES),
        _of_entry(is_normalized),
    ),
    Claim(
        "Proposition 5.1",
        "conditionally normalized",
        ("S*",),
        tuple(MEASURES),
        _of_entry(is_conditionally_normalized),
    ),
    Claim(
        "Proposition 5.2",
        "join-weighted",
        ("N", "A", "K", "S*"),
        tuple(MEASURES),
        _of_entry(is_join_weighted),
    ),
    Claim(
        "Proposition 5.2",
        "subcomponent-consistent",
        ("A", "S*"),
        tuple(MEASURES),
        _of_entry(is_subcomponent_consistent),
    ),
)
_REASONS = {
    ("Table 1", "NMI"): (
        "0001 / 0012 and 0001 / 0123 have the same components and the same scores in them, "
        "but another NMI"
    ),
    ("Table 2", "N"): (
        "no two clusterings of 3 items have the printed minimum (1 + 2) / 6; the true one is "
        "ceil(2 sqrt n) / 2n, above the print at n = 3, 7, 8, ..."
    ),
    ("Table 2", "K"): (
        "H(L, C) = 2 log k and independence need k x k equal cells: n a multiple of k squared"
    ),
    ("Proposition 5.1", "K"): (
        "K is 0 only for k x k equal cells: normalized where k squared divides n, nowhere else"
    ),
}


def outcomes_of_properties(table: ExperimentTable) -> list[Outcome]:
    """Return an outcome for each measure of each property."""
    outcomes = []
    for row in table.to_dicts():
        holds_at = [n for n in ITEMS if row[f"n = {n}"]]
        agrees = row["printed"] == (len(holds_at) == len(ITEMS))
        reason = _REASONS.get((row["place"], row["measure"]), "")
        outcomes.append(
            Outcome(
                row["place"],
                f"{row['measure']}: {row['property']}",
                "yes" if row["printed"] else "no",
                _in_words(holds_at),
                holds=agrees,
                print_is_wrong=not agrees,
                why=reason if not agrees or row["measure"] == "NMI" else "",
            )
        )
    return outcomes


def _in_words(holds_at: list[int]) -> str:
    if len(holds_at) == len(ITEMS):
        return "yes"
    return f"for n = {', '.join(map(str, holds_at))} only" if holds_at else "no"


@experiment(
    "split-merge-properties",
    "Split-merge",
    "Tables 1 and 2, Propositions 5.1 and 5.2",
    outcomes=outcomes_of_properties,
)
def split_merge_properties() -> ExperimentTable:
    """Check the properties of SM's measures on all pairs of clusterings of 3, 4 and 5 items.

    Returns
    -------
    ExperimentTable
        place, property, measure, printed (whether the paper says that it has the property),
        and whether it holds for n = 3, 4 and 5.

    Notes
    -----
    S* stands for any measure of the framework; here it is S_H. K is taken with k = 2. That
    NMI has no decomposition of the form of equation (1) is shown by two pairs of clusterings
    with the same join and the same score in every component, whose NMI differs.

    A second.
    """
    rows = tuple(
        (
            claim.place,
            claim.text,
            measure,
            measure in claim.holds_of,
            *(claim.check(measure, n) for n in ITEMS),
        )
        for claim in CLAIMS
        for measure in claim.measures
    )
    return ExperimentTable(
        "Properties of SM's measures on all pairs of clusterings of 3, 4 and 5 items",
        ("place", "property", "measure", "printed", *(f"n = {n}" for n in ITEMS)),
        rows,
        (
            "K is normalized only where k squared divides n; the printed minimum of N is wrong "
            "for n = 3.",
        ),
    )
