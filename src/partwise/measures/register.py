"""Registration: a function of a table becomes a measure with an entry in the catalogue."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import wraps
from numbers import Real
from typing import Any, Literal

from partwise.measures.calling_convention import with_convention
from partwise.measures.catalogue import ENTRIES, FAMILIES, Family, add, complete, split_name
from partwise.measures.entry import Computation, Measure
from partwise.numbers.checks import one_of
from partwise.table.arguments import COLUMNS

Function = Callable[..., float]
_OF_COMPUTATION = {field.name for field in fields(Computation)}


def register(
    *, variants: Mapping[str, Mapping[str, Any]] | None = None, **properties: Any
) -> Callable[[Function], Function]:
    """Register a function of a table as a measure and give it the calling convention.

    Parameters
    ----------
    variants : mapping of option text to properties, optional
        Further entries, e.g. ``{"average=max": {"metric": True}}``: same function, other
        options, properties changed as said.
    **properties
        Fields of ``Measure`` and of ``Computation``.
    """

    def registered(on_table: Function) -> Function:
        public = with_convention(on_table, ENTRIES, items=properties.get("items", False))
        parameters = list(inspect.signature(on_table).parameters.values())[1:]
        claims, ways = _parted(properties)
        columns = claims.pop("requires", ())
        entry = Measure(
            name=on_table.__name__,
            function=public,
            computation=Computation(on_table=on_table, **ways),
            defaults={p.name: p.default for p in parameters if p.default is not p.empty},
            requires=(*(p.name for p in parameters if p.default is p.empty), *columns),
            **claims,
        )
        add(entry)
        for text, changes in (variants or {}).items():
            add(_variant(entry, text, changes))
        return public

    return registered


def _parted(properties: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what belongs to the entry, and what to its computation."""
    ways = {name: value for name, value in properties.items() if name in _OF_COMPUTATION}
    return {name: properties[name] for name in properties if name not in ways}, ways


def _variant(entry: Measure, text: str, changes: Mapping[str, Any]) -> Measure:
    """Return the entry of a measure with other options."""
    name = f"{entry.name}({text})"
    claims, ways = _parted(changes)
    claims = {"default": False, "requires": entry.required_columns, **claims}
    computation = replace(entry.computation, **ways)
    options = split_name(name)[1]
    return replace(entry, name=name, options=options, computation=computation, **claims)


def measure(
    *,
    family: Family,
    range: tuple[float | None, float | None],
    direction: Literal["higher", "lower"] | None,
    value_if_identical: float | None,
    source: str,
    symmetric: bool = False,
    metric: bool = False,
    normalized: bool = False,
    tie_dependent: bool = False,
    weights: bool = False,
    items: bool = False,
    requires: tuple[str, ...] = (),
    default: bool = False,
) -> Callable[[Function], Function]:
    """Register a measure of one's own: a decorator for a function of a table.

    The function then takes what every measure takes (two clusterings, or one ``Alignment`` or
    ``Contingency``, options, policies) and is known by its name to ``compare``,
    ``score_many``, ``pairwise``, ``bootstrap``, ``significance``, ``sweep`` (on its grid of
    states) and the command line of a program that has registered it.

    Parameters
    ----------
    family : str
        Where it stands in the catalogue: "pairs", "information", "set matching", "b-cubed",
        "split-merge", "association", "segmentation", "centroids", "transport", or "own".
    range : pair of float or None
        Least and largest value for any input; None where there is no bound.
    direction : {"higher", "lower", None}
        Which values mean more agreement.
    value_if_identical : float or None
        Value for identical clusterings, None where it depends on the clustering.
    source : str
        Where it is defined: paper and place, or your own note.
    symmetric, metric, normalized, tie_dependent : bool, default False
        Properties that it has; what is not said is not claimed.
    weights : bool, default False
        Whether it uses the table's masses; otherwise it refuses ``weights=``.
    items : bool, default False
        Whether the function takes the ``Alignment`` (with its items) instead of the table.
    requires : tuple of str, default ()
        ``("features",)`` where it needs the features of the items.
    default : bool, default False
        Whether ``measures="default"`` holds it too.

    Returns
    -------
    callable
        The decorator. The function it takes gets the ``Contingency`` first, then its options
        as keywords, and returns one number.

    Raises
    ------
    TypeError
        A property is missing or of the wrong type; the function returns no number.
    ValueError
        Unknown family or direction, a name that is taken, a range that is upside down.

    Examples
    --------
    >>> import partwise as pw
    >>> @pw.measure(
    ...     family="own",
    ...     range=(0, 1),
    ...     direction="higher",
    ...     value_if_identical=1,
    ...     source="share of items in the largest cell of all",
    ... )
    ... def share_of_largest_cell(table):
    ...     return table.counts.max() / table.n_items if table.n_items else 1.0
    >>> pw.compare([0, 0, 1, 1], [0, 1, 1, 1], measures="share_of_largest_cell").scores
    {'share_of_largest_cell': 0.5}
    """
    complete()  # so that a name that is taken is found out
    low, high = _checked_range(range)
    one_of(family, FAMILIES, "family")
    if direction is not None:
        one_of(direction, ("higher", "lower"), "direction")
    if value_if_identical is not None and not isinstance(value_if_identical, Real):
        raise TypeError(f"value_if_identical={value_if_identical!r} must be a number or None")
    if not isinstance(source, str) or not source.strip():
        raise TypeError(f"source={source!r} must say in words where the measure is defined")
    for column in requires:
        one_of(column, tuple(COLUMNS), "requires")
    register_checked = register(
        family=family,
        range=(low, high),
        direction=direction,
        value_if_identical=value_if_identical,
        source=source,
        symmetric=symmetric,
        metric=metric,
        normalized=normalized,
        tie_dependent=tie_dependent,
        exactness="2 ulp",
        error_bound=None,
        weights=weights,
        items=items,
        requires=tuple(requires),
        default=default,
    )

    def registered(function: Function) -> Function:
        if not callable(function) or not getattr(function, "__name__", "").isidentifier():
            raise TypeError("a measure is a named function of a table")
        return register_checked(_giving_a_float(function))

    return registered


def _checked_range(bounds: Any) -> tuple[float | None, float | None]:
    try:
        low, high = bounds
    except (TypeError, ValueError):
        raise TypeError(f"range={bounds!r} must be a pair of numbers or Nones") from None
    for bound in (low, high):
        if bound is not None and (not isinstance(bound, Real) or math.isnan(bound)):
            raise TypeError(f"range={bounds!r} must be a pair of numbers or Nones")
    if low is not None and high is not None and low > high:
        raise ValueError(f"range={bounds!r} begins above its end")
    return low, high


def _giving_a_float(function: Function) -> Function:
    """Return the function with its result as a plain float, as every measure gives it."""

    @wraps(function)
    def checked(*arguments: Any, **options: Any) -> float:
        value = function(*arguments, **options)
        if isinstance(value, Real) or getattr(value, "shape", None) == ():
            return float(value)
        raise TypeError(
            f"measure {function.__name__} returned {type(value).__name__} {value!r:.60}; a "
            "measure returns one number"
        )

    return checked
