"""What the arguments of a public function mean: two clusterings, an alignment or a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.table.alignment import Alignment, align, align_views
from partwise.table.contingency import Contingency
from partwise.table.plain_arrays import counted_table_of_arrays, table_of_arrays
from partwise.typing import Labels

#: Two clusterings as a measure of items takes them.
Clusterings = Alignment | Contingency
#: What stands first in a call: a clustering, or what was made of two.
Reference: TypeAlias = "Labels | Alignment | Contingency"

#: What says how often items count.
COUNTING = frozenset(("weights", "multiplicity"))
#: What rides along with the items and a measure may need, with the words that ask for it.
COLUMNS = {"features": "one row of numbers per item"}


def alignment_of(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    name: str,
    *,
    groups: Any = None,
    snapshot: bool = True,
) -> Alignment:
    """Return the alignment that the arguments of a function that needs items mean.

    It holds labels of its own, as items are looked up in the table again and again, unless
    ``snapshot`` is False: then the table must be all that is asked of it.
    """
    if isinstance(reference, Contingency) or isinstance(candidate, Contingency):
        raise TypeError(
            f"{name} needs the items, which a Contingency does not hold; pass two "
            "clusterings or an Alignment"
        )
    if isinstance(reference, Alignment):
        _refuse_beside(reference, candidate, policies, name)
        return reference
    if candidate is None:
        raise TypeError(
            f"{name} takes two clusterings (reference, candidate), or one Alignment or "
            "Contingency"
        )
    unknown = [key for key in policies if key not in POLICIES]
    if unknown:
        raise TypeError(
            f"{name} has no option {unknown[0]!r}; policies are: {', '.join(POLICIES)}"
        )
    aligned = align if snapshot else align_views
    return aligned(reference, candidate, groups=groups, **policies)


def clusterings_of(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    name: str,
    *,
    looks_at_items: bool = False,
) -> Clusterings:
    """Return the alignment or table that the arguments of a measure mean.

    ``looks_at_items``: more than its table will be asked of an alignment. Policies look at the
    labels more than once, too; how often items count is asked together with the labels.
    """
    if isinstance(reference, Contingency):
        _refuse_beside(reference, candidate, policies, name)
        return reference
    snapshot = looks_at_items or not _looks_once(policies)
    return alignment_of(reference, candidate, policies, name, snapshot=snapshot)


def _looks_once(policies: Mapping[str, Any]) -> bool:
    """Return whether labels are looked at once, to count them or to drop items without one."""
    missing = policies.get("missing", "error")
    words = missing if isinstance(missing, tuple) else (missing,)
    return all(name in COUNTING or name == "missing" for name in policies) and all(
        word in ("error", "drop") for word in words
    )


def as_table(clusterings: Clusterings) -> Contingency:
    """Return the table of two clusterings."""
    return clusterings if isinstance(clusterings, Contingency) else clusterings.table


def table_of(
    reference: Any, candidate: Any, policies: Mapping[str, Any], name: str
) -> Contingency:
    """Return the table that the arguments of a measure mean."""
    plain = None
    if not policies:
        plain = table_of_arrays(reference, candidate)
    elif COUNTING.issuperset(policies):
        plain = counted_table_of_arrays(reference, candidate, **policies)
    if plain is not None:
        return plain
    return as_table(clusterings_of(reference, candidate, policies, name))


def item_columns_of(reference: Any, policies: Mapping[str, Any]) -> tuple[str, ...]:
    """Return which of ``COLUMNS`` come with the arguments of a measure."""
    if isinstance(reference, Alignment):
        return tuple(name for name in COLUMNS if getattr(reference, name) is not None)
    return tuple(name for name in COLUMNS if policies.get(name) is not None)


def _refuse_beside(
    first: object, candidate: Any, policies: Mapping[str, Any], name: str
) -> None:
    kind = type(first).__name__
    if candidate is not None:
        raise TypeError(f"{name} takes one {kind} alone, or two clusterings")
    if policies:
        raise TypeError(
            f"{name} got {next(iter(policies))}= beside a {kind}; policies apply where "
            "labels are aligned: give them to align or contingency"
        )
