"""The catalogue: one row per measure, found by its name and options."""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from partwise.measures.calling_convention import with_convention
from partwise.measures.formulas import Formula
from partwise.table.alignment import Alignment
from partwise.table.arguments import COLUMNS, as_table
from partwise.table.contingency import Contingency

#: The order of the catalogue: families, in each the modules of ``measures`` that have a row of
#: it, in each module the rows as they are written. What is imported first plays no part.
ORDER = {
    "pairs": (
        *("pair_indices", "expected", "permutation_moments"),
        *("pair_precision_recall", "pair_coefficients"),
    ),
    "information": ("expected", "adjusted", "homogeneity", "information", "variation"),
    "set matching": ("purity", "set_similarity", "pairing"),
    "b-cubed": ("b_cubed",),
    "split-merge": ("split_merge",),
    "centroids": ("centroid_indices",),
    "transport": ("css", "transport"),
}
FAMILIES = tuple(ORDER)

_ROWS: dict[str, Measure] = {}
_UNSET = object()
_CLAIMS = (
    "symmetric",
    "metric",
    "join_weighted",
    "conditionally_normalized",
    "normalized",
    "subcomponent_consistent",
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of the catalogue.

    Attributes
    ----------
    name : str
        Name with its options, e.g. ``"v_measure(beta=2)"``.
    family : str
    function : callable
        The public function: ``function(reference, candidate, **options)``.
    on_table : callable
        The arithmetic: ``on_table(table, **options) -> float``; with ``items`` its first
        argument is what was given, an ``Alignment`` or a ``Contingency``.
    options : mapping
        Options of this row; ``defaults`` gives those of the function.
    range : (float or None, float or None)
        Bounds for any input; None where there is none.
    direction : {"higher", "lower", None}
        Which values mean more agreement; None for a quantity without a direction.
    value_if_identical : float or None
        Value for identical clusterings; None where it depends on the clustering.
    symmetric, metric, join_weighted, conditionally_normalized, normalized, \
subcomponent_consistent, tie_dependent : bool
        Properties in the sense of SM (``metric``: of the distance, or of 1 - similarity;
        ``join_weighted``: of the similarity or the negative distance).
    requires : tuple of str
        What must be given beside the table: names of options without a default, and
        "features" where the items' features are needed.
    exactness : {"bits", "2 ulp"}
        Agreement of the two kernels.
    source : str
        Paper and place.
    default : bool
        Part of ``measures="default"``.
    weights : bool
        Whether item weights (masses) may stand for counts.
    items : bool
        Whether the arithmetic looks at the items, not only at their table.
    soft : callable or None
        The second door: ``soft(reference, candidate, policies, **options)`` takes over where
        a side holds memberships.
    call_only : tuple of str
        Options that a name cannot carry: they take arrays, or the result is then more than a
        number, or they only say how it is computed.
    tie_broken : callable or None
        Of a tie-dependent measure: whether a tie was broken on what ``on_table`` takes.
    decomposition : callable or None
        ``decomposition(table, **options)``: weights, scores and offset over the components of
        the join; None where the measure has none. See ``decompose``.
    formula : Formula or None
        The arithmetic as a function of sums, for many states at once; see ``formulas``.
    over_blocks : callable or None
        ``over_blocks(table, row_block, col_block, n_blocks, **options)``: sums over blocks that
        share no cluster, with the values of many sums of them; for measures without a formula.
    cluster_score : callable or None
        ``cluster_score(sizes of the parts, **options)``: the score of one cluster that the
        measure is made of, in the sense of SM.
    under_chance : {"pairs", "information", "zero", None}
        What is known of it when items are permuted: for given sizes it is a linear function of
        N11, or of the mutual information, or its mean is 0.
    """

    name: str
    family: str
    function: Callable[..., float]
    on_table: Callable[..., float]
    source: str
    range: tuple[float | None, float | None]
    direction: str | None
    value_if_identical: float | None = None
    symmetric: bool = False
    metric: bool = False
    join_weighted: bool = False
    conditionally_normalized: bool = False
    normalized: bool = False
    subcomponent_consistent: bool = False
    tie_dependent: bool = False
    requires: tuple[str, ...] = ()
    exactness: str = "bits"
    default: bool = True
    weights: bool = True
    items: bool = False
    soft: Callable[..., Any] | None = None
    call_only: tuple[str, ...] = ()
    tie_broken: Callable[[Any], bool] | None = None
    decomposition: Callable[..., Any] | None = None
    formula: Formula | None = None
    over_blocks: Callable[..., Any] | None = None
    cluster_score: Callable[..., float] | None = None
    under_chance: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """First line of the function's docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    @property
    def required_options(self) -> tuple[str, ...]:
        """Names of the options without a default that are not given."""
        return tuple(name for name in self.requires if name not in COLUMNS)

    @property
    def required_columns(self) -> tuple[str, ...]:
        """Names of what must ride along with the items."""
        return tuple(name for name in self.requires if name in COLUMNS)

    def __call__(self, given: Alignment | Contingency) -> float:
        """Return the value on an alignment or a table."""
        table = as_table(given)
        self.check_weights(table)
        return self.on_table(given if self.items else table, **self.options)

    def broke_tie(self, given: Alignment | Contingency) -> bool:
        """Return whether the value rests on the order of labels, where that can be."""
        if self.tie_broken is None:
            return False
        return self.tie_broken(given if self.items else as_table(given))

    def __reduce__(self) -> tuple[Any, ...]:
        return find, (self.name,)

    def check_weights(self, table: Contingency) -> None:
        """Raise if the measure has no use for the table's weights, or they are all 0."""
        if table.masses is not None and not self.weights:
            raise ValueError(
                f"{self.name} counts whole items and takes no weights; multiplicity= repeats "
                "items a whole number of times"
            )
        if table.total_mass == 0 and table.n_items:
            raise ValueError(f"{self.name}: all weights are 0, there is nothing to compare")


def measure(
    *, variants: Mapping[str, Mapping[str, Any]] | None = None, **properties: Any
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Register a function of a table as a measure and give it the calling convention.

    Parameters
    ----------
    variants : mapping of option text to properties, optional
        Further rows, e.g. ``{"average=max": {"metric": True}}``: same function, other
        options, properties changed as said.
    **properties
        Fields of ``Measure``.
    """

    def register(on_table: Callable[..., float]) -> Callable[..., float]:
        public = with_convention(on_table, _ROWS)
        parameters = list(inspect.signature(on_table).parameters.values())[1:]
        name = on_table.__name__
        row = Measure(
            name=name,
            function=public,
            on_table=on_table,
            defaults={p.name: p.default for p in parameters if p.default is not p.empty},
            requires=(
                *(p.name for p in parameters if p.default is p.empty),
                *properties.pop("requires", ()),
            ),
            **properties,
        )
        if name in _ROWS:
            raise ValueError(f"measure {name} is registered twice")
        _ROWS[name] = row
        for text, changes in (variants or {}).items():
            full = f"{name}({text})"
            _, options = _split_name(full)
            changed = {"default": False, "requires": row.required_columns, **changes}
            _ROWS[full] = replace(row, name=full, options=options, **changed)
        return public

    return register


# ---- looking up --------------------------------------------------------------------


def catalogue() -> dict[str, Measure]:
    """Return the rows of the catalogue by name, in order of family.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.catalogue()["rand_index"].metric
    True
    """
    return {row.name: row for row in sorted(_ROWS.values(), key=_place)}


def _place(row: Measure) -> tuple[int, int, str]:
    """Return what sorts the rows of different modules; a module not in ``ORDER`` comes last."""
    module = row.function.__module__
    modules = ORDER[row.family]
    name = module.rpartition(".")[2]
    at = modules.index(name) if name in modules else len(modules)
    return FAMILIES.index(row.family), at, module


def _split_name(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``"name(option=value, ...)"``."""
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", text)
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
    """Return the row of a name, which may carry options.

    Raises
    ------
    TypeError
        Not a name.
    ValueError
        No such measure (near names are offered) or option.
    """
    if not isinstance(text, str):
        raise TypeError(f"a measure is asked for by name, not by {text!r}")
    if text in _ROWS:
        return _ROWS[text]
    name, options = _split_name(text)
    if name not in _ROWS:
        bases = [row.name for row in _ROWS.values() if not row.options]
        near = difflib.get_close_matches(name, bases, n=3)
        near = near or [base for base in bases if name in base][:3]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(
            f"unknown measure {name!r}{hint} (partwise.catalogue() and "
            "'partwise measures' list all)"
        )
    row = _ROWS[name]
    for option in options:
        if option not in row.defaults and option not in row.required_options:
            known = ", ".join([*row.required_options, *row.defaults]) or "none"
            raise ValueError(f"{name} has no option {option!r}; its options: {known}")
        if option in row.call_only:
            raise ValueError(
                f"{option}= cannot stand in a name; call partwise.{name}({option}=...)"
            )
    return _with_options(row, options)


def _with_options(row: Measure, options: dict[str, Any]) -> Measure:
    """Return the row of a measure with other options.

    Where no row is registered for them, no property is claimed: v_measure is symmetric, but
    not for every beta.
    """
    inside = ", ".join(f"{key}={value}" for key, value in options.items())
    name = f"{row.name}({inside})"
    changed = {k: v for k, v in options.items() if row.defaults.get(k, _UNSET) != v}
    for known in _ROWS.values():
        if known.function is row.function and dict(known.options) == changed:
            return replace(known, name=name)
    if row.required_options:  # its claims hold for any value of what it needs
        missing = tuple(option for option in row.requires if option not in options)
        return replace(row, name=name, options=changed, requires=missing)
    no_claims: dict[str, Any] = dict.fromkeys(_CLAIMS, False)
    no_claims |= {"range": (None, None), "value_if_identical": None, "cluster_score": None}
    if row.formula is not None:
        no_claims["formula"] = row.formula if row.formula.covers(changed) else None
    if row.formula is None or not row.formula.covers(changed):
        no_claims["under_chance"] = None
    if row.decomposition is not None:
        accepted = inspect.signature(row.decomposition).parameters
        no_claims["decomposition"] = (
            row.decomposition if changed.keys() <= accepted.keys() else None
        )
    return replace(row, name=name, options=changed, **no_claims)


def select(
    measures: str | Iterable[str], columns: Iterable[str] = ()
) -> tuple[list[Measure], dict[str, str]]:
    """Return the rows that ``measures=`` means, and the skipped ones with the reason.

    Parameters
    ----------
    measures : {"default", "all"}, a name, or an iterable of names
    columns : iterable of str
        Which of ``COLUMNS`` come with the items.
    """
    given = set(columns)
    if isinstance(measures, str) and measures in ("default", "all"):
        rows = [row for row in catalogue().values() if row.default or measures == "all"]
        skipped = {row.name: why for row in rows if (why := _why_skipped(row, given))}
        ready = [row for row in rows if row.name not in skipped]
        return ready, (skipped if measures == "all" else {})
    if not isinstance(measures, Iterable):
        raise TypeError(
            f"measures={measures!r}: a name, several names, or one of default, all is expected"
        )
    names = [measures] if isinstance(measures, str) else list(measures)
    rows = [find(name) for name in names]
    if not rows:
        raise ValueError('measures is empty; name some, or take "default" or "all"')
    for row in rows:
        if why := _why_skipped(row, given):
            raise ValueError(f"{row.name} {why}")
    return rows, {}


def _why_skipped(row: Measure, columns: set[str]) -> str:
    """Return what a row still needs, beside the columns that are there; "": nothing."""
    lacking = [name for name in row.required_columns if name not in columns]
    options = row.required_options
    if not options and not lacking:
        return ""
    ways = [f"pass {name}= ({COLUMNS[name]})" for name in lacking]
    if options:
        wanted = ", ".join(f"{option}=..." for option in options)
        ways.append(f"ask for {row.name}({wanted})")
    return f"needs {', '.join([*options, *lacking])}: {' and '.join(ways)}"
