"""What the arguments of a measure mean: two clusterings, an alignment or a table; policies."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

from partwise.contingency import Contingency
from partwise.labels import Alignment
from partwise.labels.alignment import align_views
from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.memberships import is_soft
from partwise.plain_arrays import table_of_arrays

if TYPE_CHECKING:
    from partwise.catalogue import Measure

#: What rides along with the items and a measure may need, with the words that ask for it.
COLUMNS = {"features": "one row of numbers per item"}


def alignment_of(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    name: str,
    *,
    groups: Any = None,
) -> Alignment:
    """Return the alignment that the arguments of a function that needs items mean."""
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
    return align_views(reference, candidate, groups=groups, **policies)


def given_of(
    reference: Any, candidate: Any, policies: Mapping[str, Any], name: str
) -> Alignment | Contingency:
    """Return the alignment or table that the arguments of a measure mean."""
    if isinstance(reference, Contingency):
        _refuse_beside(reference, candidate, policies, name)
        return reference
    return alignment_of(reference, candidate, policies, name)


def as_table(given: Alignment | Contingency) -> Contingency:
    """Return the table of what was given."""
    return given if isinstance(given, Contingency) else given.table


def table_of(
    reference: Any, candidate: Any, policies: Mapping[str, Any], name: str
) -> Contingency:
    """Return the table that the arguments of a measure mean."""
    plain = None if policies else table_of_arrays(reference, candidate)
    if plain is not None:
        return plain
    return as_table(given_of(reference, candidate, policies, name))


def columns_of(reference: Any, policies: Mapping[str, Any]) -> tuple[str, ...]:
    """Return which of ``COLUMNS`` come with the arguments of a measure."""
    if isinstance(reference, Alignment):
        return tuple(name for name in COLUMNS if getattr(reference, name) is not None)
    return tuple(name for name in COLUMNS if policies.get(name) is not None)


def _second_door(reference: Any, candidate: Any) -> bool:
    """Return whether a side holds memberships rather than labels."""
    if isinstance(reference, (Alignment, Contingency)):
        return False
    return is_soft(reference) or is_soft(candidate)


def _refuse_beside(
    given: object, candidate: Any, policies: Mapping[str, Any], name: str
) -> None:
    kind = type(given).__name__
    if candidate is not None:
        raise TypeError(f"{name} takes one {kind} alone, or two clusterings")
    if policies:
        raise TypeError(
            f"{name} got {next(iter(policies))}= beside a {kind}; policies apply where "
            "labels are aligned: give them to align or contingency"
        )


def with_convention(
    on_table: Callable[..., float], rows: Mapping[str, Measure]
) -> Callable[..., float]:
    """Return the public function of a measure, whose row stands under its name when called."""
    name = on_table.__name__
    own = list(inspect.signature(on_table).parameters.values())[1:]
    names = [p.name for p in own]

    @wraps(on_table)
    def public(reference: Any, candidate: Any = None, **keywords: Any) -> float:
        options = {key: keywords.pop(key) for key in names if key in keywords}
        for key in keywords:
            if key not in POLICIES:
                raise TypeError(
                    f"{name} has no option {key!r}; it takes: {', '.join([*names, *POLICIES])}"
                )
        row = rows[name]
        if row.soft is not None and _second_door(reference, candidate):
            found: float = row.soft(reference, candidate, keywords, **options)
            return found
        for key in row.required_options:
            if key not in options:
                raise TypeError(f"{name} needs {key}=")
        if not row.items:
            table = table_of(reference, candidate, keywords, name)
            row.check_weights(table)
            return on_table(table, **options)
        given = given_of(reference, candidate, keywords, name)
        row.check_weights(as_table(given))
        return on_table(given, **options)

    keyword_only = inspect.Parameter.KEYWORD_ONLY
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    public.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("reference", either, annotation=Any),
            inspect.Parameter("candidate", either, default=None, annotation=Any),
            *(p.replace(kind=keyword_only) for p in own),
            *(
                inspect.Parameter(key, keyword_only, default=value, annotation=Any)
                for key, value in POLICIES.items()
            ),
        ],
        return_annotation=float,
    )
    return public
