"""The catalogue: one entry per measure, found by its name and options."""

from __future__ import annotations

import ast
import difflib
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal, NamedTuple

from partwise.measures.aliases import ALIASES, plain_name, split_names
from partwise.measures.entry import Computation, Measure
from partwise.table.arguments import COLUMNS

#: The order of the catalogue: families, in each the modules that have an entry of it, in each
#: module the entries as they are written; modules from elsewhere come last. What is imported
#: first plays no part.
ORDER = {
    "pairs": (
        *("pair_indices", "expected", "permutation_moments"),
        *("pair_precision_recall", "pair_coefficients", "modified_rand"),
    ),
    "information": (
        *("expected", "adjusted", "homogeneity", "information", "variation"),
        *("distance", "reduced"),
    ),
    "set matching": (
        *("purity", "set_similarity", "pairing", "pair_sets"),
        *("accuracies", "closest_cluster", "talburt_wang"),
    ),
    "b-cubed": ("b_cubed", "element_centric"),
    "split-merge": ("split_merge", "merge_distance"),
    "association": ("chi_squared", "goodman_kruskal"),
    "segmentation": ("objects", "diarization"),
    "centroids": ("centroid_indices",),
    "transport": ("css", "transport"),
    "own": (),
}
Family = Literal[
    "pairs",
    "information",
    "set matching",
    "b-cubed",
    "split-merge",
    "association",
    "segmentation",
    "centroids",
    "transport",
    "own",
]
#: The last one is for measures from outside that belong to no other.
FAMILIES = tuple(ORDER)

#: The words that stand for several measures.
SETS = ("default", "all")

#: Every entry by name; ``catalogue()`` gives them in order.
ENTRIES: dict[str, Measure] = {}
_UNSET = object()
_CLAIMS = (
    "symmetric",
    "metric",
    "join_weighted",
    "conditionally_normalized",
    "normalized",
    "subcomponent_consistent",
)


def add(entry: Measure) -> None:
    """Put an entry into the catalogue.

    Raises
    ------
    ValueError
        Its family is unknown, or its name is taken.
    """
    if entry.family not in FAMILIES:
        raise ValueError(
            f"measure {entry.name}: family={entry.family!r} is unknown; the families are: "
            f"{', '.join(FAMILIES)}"
        )
    if entry.name in ENTRIES and _left_by_a_broken_import(ENTRIES[entry.name]):
        del ENTRIES[entry.name]
    if entry.name in ENTRIES:
        raise ValueError(
            f"a measure called {entry.name} is in the catalogue already; take another name"
        )
    ENTRIES[entry.name] = entry


def _left_by_a_broken_import(entry: Measure) -> bool:
    """Return whether an own module registered an entry, and was then not imported to its end.

    An interrupt during the first import does that: the module is gone, and comes anew.
    """
    function = inspect.unwrap(entry.computation.on_table)
    if not str(function.__module__).startswith("partwise.measures."):
        return False
    module = sys.modules.get(function.__module__)
    return module is None or function.__globals__ is not module.__dict__


# ---- looking up --------------------------------------------------------------------


class Selection(NamedTuple):
    """Rows of the catalogue, those skipped with the reason, and what is known of the rows.

    ``runs`` are functions of a table of counts that give the values; empty where a row looks at
    items. ``tie_dependent`` are the rows that can tell whether they broke a tie.
    """

    entries: tuple[Measure, ...]
    skipped: dict[str, str]
    families: dict[str, str]
    directions: dict[str, str | None]
    runs: tuple[tuple[str, Callable[[Any], float]], ...]
    looks_at_items: bool
    tie_dependent: tuple[Measure, ...]

    @classmethod
    def of(cls, entries: Iterable[Measure], skipped: dict[str, str]) -> Selection:
        """Return what is known of some rows."""
        entries = tuple(entries)
        looks_at_items = any(entry.computation.items for entry in entries)
        return cls(
            entries,
            skipped,
            {entry.name: entry.family for entry in entries},
            {entry.name: entry.direction for entry in entries},
            () if looks_at_items else tuple((entry.name, entry.run) for entry in entries),
            looks_at_items,
            tuple(entry for entry in entries if entry.computation.tie_broken is not None),
        )


class _Order(NamedTuple):
    """The entries in order by name, how many there are, the newest, and what names mean.

    ``selected`` holds what ``select`` has worked out, by the names and what comes with the
    items.
    """

    number: int
    newest: Measure | None
    by_name: dict[str, Measure]
    selected: dict[tuple[tuple[str, ...], frozenset[str]], Selection]


#: So many lists of names are remembered.
_REMEMBERED = 64
#: Worked out anew when an entry is new.
_orders: list[_Order] = [_Order(0, None, {}, {})]
_loaded: list[bool] = []


def complete() -> None:
    """Load every module of measures, each of which registers its own."""
    if not _loaded:
        import_module("partwise.measures.public")
        _loaded.append(True)


def catalogue() -> dict[str, Measure]:
    """Return the entries of the catalogue by name, in order of family.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.catalogue()["rand_index"].metric
    True
    """
    return dict(_order().by_name)


def _order() -> _Order:
    """Return the entries in order."""
    complete()
    order = _orders[0]
    newest = next(reversed(ENTRIES.values()), None)
    # entries come in at the end only, so that these two tell of any that came or went
    if len(ENTRIES) != order.number or newest is not order.newest:
        by_name = {entry.name: entry for entry in sorted(ENTRIES.values(), key=_place)}
        order = _orders[0] = _Order(len(ENTRIES), newest, by_name, {})
    return order


def _place(entry: Measure) -> tuple[int, int, str]:
    """Return what sorts the rows of different modules; a module not in ``ORDER`` comes last."""
    module = entry.function.__module__ or ""  # none: it was run from a text
    modules = ORDER[entry.family]
    name = module.rpartition(".")[2]
    at = modules.index(name) if name in modules else len(modules)
    return FAMILIES.index(entry.family), at, module


def split_name(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``"name(option=value, ...)"``."""
    match = re.fullmatch(r"\s*(\w[\w -]*?)\s*(?:\((.*)\))?\s*", text)
    if match is None:
        raise ValueError(f"{text!r} is no measure name; write name or name(option=value, ...)")
    name, inside = match.groups()
    options: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in (inside or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(f"{text!r}: {part!r} is not of the form option=value")
        if key in options:
            raise ValueError(f"{text!r} gives {key} twice")
        options[key] = _read_value(value)
    return name, options


def _read_value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        pass
    try:
        return float(Fraction(text)) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError):
        return {"true": True, "false": False}.get(text.lower(), text)


def find(text: str) -> Measure:
    """Return the row of a name, which may carry options; see ``ALIASES`` for other names.

    Raises
    ------
    TypeError
        Not a name.
    ValueError
        No such measure (near names are offered) or option.
    """
    if not isinstance(text, str):
        raise TypeError(f"a measure is asked for by name, not by {text!r}")
    complete()
    if text in ENTRIES:
        return ENTRIES[text]
    written, options = split_name(text)
    name = written if written in ENTRIES else plain_name(written)
    name = ALIASES.get(name, name) if name not in ENTRIES else name
    if name not in ENTRIES:
        raise ValueError(
            f"unknown measure {written!r}{_suggestion(name)} (partwise.catalogue() and "
            "'partwise measures' list all)"
        )
    entry = ENTRIES[name]
    if not options:
        return entry
    for option in options:
        if option not in entry.defaults and option not in entry.required_options:
            accepted = ", ".join([*entry.required_options, *entry.defaults]) or "none"
            raise ValueError(f"{name} has no option {option!r}; its options: {accepted}")
        if option in entry.computation.call_only:
            raise ValueError(
                f"{option}= cannot stand in a name; call partwise.{name}({option}=...)"
            )
    return _with_options(entry, options)


def name_among(names: Collection[str], text: str) -> str:
    """Return the name in a result that a text means, by an alias or another way to write it."""
    if text in names:
        return text
    try:
        name = find(text).name
    except (ValueError, TypeError):
        return text
    return name if name in names else text


def _suggestion(name: str) -> str:
    """Return the entries that an unknown name comes near to, as a question; "": none does.

    Names of two or three letters come near to many entries by chance, so they get none.
    """
    bases = [entry.name for entry in ENTRIES.values() if not entry.options]
    near = difflib.get_close_matches(name, [*bases, *ALIASES], n=3) if len(name) > 3 else []
    near = near or [base for base in bases if name in base.split("_") or base in name][:3]
    meant = dict.fromkeys(ALIASES.get(one, one) for one in near)
    return f"; did you mean {' or '.join(meant)}?" if meant else ""


def _with_options(entry: Measure, options: dict[str, Any]) -> Measure:
    """Return the row of a measure with other options.

    Where no row is registered for them, no property is claimed: v_measure is symmetric, but
    not for every beta.
    """
    inside = ", ".join(f"{key}={value}" for key, value in options.items())
    name = f"{entry.name}({inside})"
    changed = {k: v for k, v in options.items() if entry.defaults.get(k, _UNSET) != v}
    for registered in ENTRIES.values():
        if registered.function is entry.function and dict(registered.options) == changed:
            return replace(registered, name=name)
    if entry.required_options:  # its claims hold for any value of what it needs
        missing = tuple(option for option in entry.requires if option not in options)
        return replace(entry, name=name, options=changed, requires=missing)
    no_claims: dict[str, Any] = dict.fromkeys(_CLAIMS, False)
    no_claims |= {"range": (None, None), "value_if_identical": None}
    computation = _computed_with(entry.computation, changed)
    return replace(entry, name=name, options=changed, computation=computation, **no_claims)


def _computed_with(computation: Computation, options: Mapping[str, Any]) -> Computation:
    """Return what is left of the ways to compute a measure with other options."""
    formula = computation.formula
    if formula is not None and not formula.covers(options):
        formula = None
    return replace(
        computation,
        formula=formula,
        decomposition=_if_it_takes(options, computation.decomposition),
        over_blocks=_if_it_takes(options, computation.over_blocks),
        cluster_score=None,
        under_chance=None if formula is None else computation.under_chance,
    )


def _if_it_takes(
    options: Mapping[str, Any], function: Callable[..., Any] | None
) -> Callable[..., Any] | None:
    """Return the function if it has parameters of all these names."""
    if function is None:
        return None
    accepted = inspect.signature(function).parameters
    return function if options.keys() <= accepted.keys() else None


def select(
    measures: str | Iterable[str], columns: Iterable[str] = ()
) -> tuple[list[Measure], dict[str, str]]:
    """Return the rows that ``measures=`` means, and the skipped ones with the reason.

    Parameters
    ----------
    measures : {"default", "all"}, names with commas between, or an iterable of names
        "default" or "all" may be among the names; a row that it holds already comes once.
    columns : iterable of str
        Which of ``COLUMNS`` come with the items.
    """
    chosen = selection(measures, columns)
    return list(chosen.entries), dict(chosen.skipped)


def selection(measures: str | Iterable[str], columns: Iterable[str] = ()) -> Selection:
    """Return the same with what is known of the rows. It is shared: change nothing in it."""
    names = tuple(names_of(measures))
    key = names, frozenset(columns)
    if not all(type(name) is str for name in names):
        return Selection.of(*_select(*key))
    selected = _order().selected
    if key in selected:
        return selected[key]
    if len(selected) >= _REMEMBERED:
        selected.clear()
    chosen = selected[key] = Selection.of(*_select(*key))
    return chosen


def _select(
    names: tuple[str, ...], columns: frozenset[str]
) -> tuple[list[Measure], dict[str, str]]:
    entries: list[Measure] = []
    left_out: dict[str, str] = {}
    for name in names:
        if name in SETS:
            ready, skipped = _set_of(name, columns)
            entries += ready
            left_out |= skipped
            continue
        entry = find(name)
        if why := _why_skipped(entry, columns):
            raise ValueError(f"{entry.name} {why}")
        entries.append(entry)
    if any(name in SETS for name in names):
        entries = list({entry.name: entry for entry in entries}.values())
    return entries, left_out


def set_among(measures: Any) -> str:
    """Return "default" or "all" where ``measures=`` is or holds it; "": only names."""
    sets = [name for name in names_of(measures) if name in SETS]
    return "all" if "all" in sets else "default" if sets else ""


def named_among(measures: Any) -> set[str]:
    """Return the rows that ``measures=`` names one by one."""
    return {find(name).name for name in names_of(measures) if name not in SETS}


def names_of(measures: Any) -> list[str]:
    """Return what ``measures=`` names, "default" and "all" as they are."""
    if isinstance(measures, str) and measures in SETS:
        return [measures]
    if not isinstance(measures, Iterable):
        raise TypeError(
            f"measures={measures!r}: a name, several names, or one of default, all is expected"
        )
    names = split_names(measures) if isinstance(measures, str) else list(measures)
    if not names:
        raise ValueError('measures is empty; name some, or take "default" or "all"')
    return names


def _set_of(name: str, columns: frozenset[str]) -> tuple[list[Measure], dict[str, str]]:
    """Return the rows of "default" or "all", and those skipped."""
    rows = [entry for entry in _order().by_name.values() if entry.default or name == "all"]
    skipped = {entry.name: why for entry in rows if (why := _why_skipped(entry, columns))}
    ready = [entry for entry in rows if entry.name not in skipped]
    return ready, (skipped if name == "all" else {})


def _why_skipped(entry: Measure, columns: frozenset[str]) -> str:
    """Return what a row still needs, beside the columns that are there; "": nothing."""
    lacking = [name for name in entry.required_columns if name not in columns]
    options = entry.required_options
    if not options and not lacking:
        return ""
    ways = [f"pass {name}= ({COLUMNS[name]})" for name in lacking]
    if options:
        wanted = ", ".join(f"{option}=..." for option in options)
        ways.append(f"ask for {entry.name}({wanted})")
    return f"needs {', '.join([*options, *lacking])}: {' and '.join(ways)}"
