"""The public function of a measure: its arguments, its options, policies."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from partwise.labels.communities import FOR_COVERS, FOR_HIERARCHIES
from partwise.labels.covers.cover import Cover
from partwise.labels.hierarchies.hierarchy import Hierarchy
from partwise.labels.memberships import is_soft
from partwise.labels.notes import warn_of
from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.measures.short_columns import ShortFormula
from partwise.table.alignment import Alignment
from partwise.table.arguments import alignment_of, as_table, clusterings_of, table_of
from partwise.table.contingency import Contingency
from partwise.table.plain_arrays import table_of_arrays

if TYPE_CHECKING:
    from partwise.measures.entry import Measure


def _holds_memberships(reference: Any, candidate: Any) -> bool:
    """Return whether a side holds memberships rather than labels."""
    if isinstance(reference, (Alignment, Contingency)):
        return False
    return is_soft(reference) or is_soft(candidate)


def _check_features(entry: Measure, options: Mapping[str, Any]) -> None:
    """Refuse features that the measure would not look at."""
    name = entry.name
    if not entry.computation.items:
        raise TypeError(f"{name} has no use for features=; leave them out")
    if entry.computation.features_refused is not None:
        if why := entry.computation.features_refused(**options):
            raise TypeError(why)
        return
    for instead in ("centroids", "distances"):
        if options.get(instead) is not None:
            raise TypeError(
                f"{name} takes {instead}= in place of features=; pass one of the two"
            )


def _of_covers(
    entry: Measure, reference: Any, candidate: Any, options: Mapping[str, Any]
) -> Any:
    """Return the value of a measure on covers, if it has one."""
    if entry.computation.covers is None:
        raise TypeError(f"{entry.name} compares partitions; {FOR_COVERS}")
    return entry.computation.covers(reference, candidate, **options)


def _of_hierarchies(
    entry: Measure, reference: Any, candidate: Any, options: Mapping[str, Any]
) -> Any:
    """Return the value of a measure on hierarchies, if it has one."""
    if entry.computation.hierarchies is None:
        raise TypeError(f"{entry.name} compares partitions; {FOR_HIERARCHIES}")
    return entry.computation.hierarchies(reference, candidate, **options)


def with_convention(
    on_table: Callable[..., float], entries: Mapping[str, Measure], *, items: bool
) -> Callable[..., float]:
    """Return the public function of a measure, whose entry stands under its name when called.

    ``items`` says whether it looks at the items, not only at their table.
    """
    name = on_table.__name__
    own = list(inspect.signature(on_table).parameters.values())[1:]
    names = [p.name for p in own]
    takes_tables = not items and all(p.default is not p.empty for p in own)

    short: ShortFormula | Literal[False] | None = False  # not looked for yet

    @wraps(on_table)
    def public(reference: Any, candidate: Any = None, **keywords: Any) -> float:
        kind = type(reference)
        if takes_tables and not keywords and (kind is list or kind is np.ndarray):
            # the short ways of two plain columns of integers
            nonlocal short
            if short is False:  # the entry is there by now
                short = ShortFormula.of(entries[name].computation.formula)
            if short is not None:
                of_sums = short.value(reference, candidate)
                if of_sums is not None:
                    return of_sums
            table = table_of_arrays(reference, candidate)
            if table is not None:
                if table.account.notes:
                    warn_of(table.account.notes)
                return on_table(table)
        if isinstance(reference, Cover) or isinstance(candidate, Cover):
            of_covers: float = _of_covers(entries[name], reference, candidate, keywords)
            return of_covers
        if isinstance(reference, Hierarchy) or isinstance(candidate, Hierarchy):
            of_trees: float = _of_hierarchies(entries[name], reference, candidate, keywords)
            return of_trees
        options = {key: keywords.pop(key) for key in names if key in keywords}
        for key in keywords:
            if key not in POLICIES:
                raise TypeError(
                    f"{name} has no option {key!r}; it takes: {', '.join([*names, *POLICIES])}"
                )
        entry = entries[name]
        if keywords.get("features") is not None:
            _check_features(entry, options)
        computation = entry.computation
        if computation.soft is not None and _holds_memberships(reference, candidate):
            value: float = computation.soft(reference, candidate, keywords, **options)
            return value
        for key in entry.required_options:
            if key not in options:
                raise TypeError(f"{name} needs {key}=")
        if computation.per_item is not None and options.get("average", "") is None:
            aligned = alignment_of(reference, candidate, keywords, f"{name}(average=None)")
            entry.check_weights(aligned.table)
            if aligned is not reference:
                warn_of(aligned.account.notes)
            per_item: float = computation.per_item(aligned, **options)
            return per_item
        if not items:
            table = table_of(reference, candidate, keywords, name)
            entry.check_weights(table)
            if table.account.notes and table is not reference:
                warn_of(table.account.notes)
            return on_table(table, **options)
        clusterings = clusterings_of(reference, candidate, keywords, name, looks_at_items=True)
        entry.check_weights(as_table(clusterings))
        if clusterings is not reference:
            warn_of(clusterings.account.notes)
        return on_table(clusterings, **options)

    public.__doc__ = framed(on_table.__doc__)
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


#: What every measure takes before its own options, and behind them.
_SIDES = """\
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment`` or
        ``Contingency``.
"""
_POLICIES = """\
    unmatched, missing, missing_labels, duplicates
        What to do with items on one side only, without a label, or that come again: see
        ``align``. Only beside two clusterings.
    weights, multiplicity, features
        Columns that go with the items: see ``align``. Only beside two clusterings.
"""
_HEADING = "    Parameters\n    ----------\n"


def framed(doc: str | None) -> str | None:
    """Return the docstring of a measure with what all of them take in its parameters."""
    if doc is None:  # python -OO
        return None
    summary, *sections = re.split(r"(?m)^(?=    [A-Z][A-Za-z ]+\n    -{3,}\n)", doc)
    own = ""
    if sections and sections[0].startswith(_HEADING):
        own = sections.pop(0).removeprefix(_HEADING).rstrip() + "\n"
    return "".join([summary, _HEADING, _SIDES, own, _POLICIES, "\n", *sections])
