"""An entry of the catalogue: what a measure is, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from partwise.measures.error_bound import USUAL, ErrorBound
from partwise.measures.formulas import Formula
from partwise.table.arguments import COLUMNS, Clusterings, as_table
from partwise.table.contingency import Contingency


@dataclass(frozen=True, slots=True)
class Computation:
    """How a measure is computed, from a table or from many sums at once.

    Attributes
    ----------
    on_table : callable
        The arithmetic: ``on_table(table, **options) -> float``; with ``items`` its first
        argument is what was given, an ``Alignment`` or a ``Contingency``.
    weights : bool
        Whether item weights (masses) may stand for counts.
    items : bool
        Whether the arithmetic looks at the items, not only at their table.
    features_refused : callable or None
        ``features_refused(**options)``: why ``features=`` would not be used with these options,
        "" where they are; for a measure that looks at features with some options only.
    soft : callable or None
        ``soft(reference, candidate, policies, **options)`` takes over where a side holds
        memberships.
    per_item : callable or None
        ``per_item(alignment, **options)``: one number per item, where ``average=None`` asks for
        that.
    covers : callable or None
        ``covers(reference, candidate, **options)`` takes over where a side is a ``Cover``.
    hierarchies : callable or None
        Its value on two hierarchies, where it has one.
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
    solver : {"matching", "packing", None}
        The solver that it rests on. Its cost can grow faster than the table, so that sets of
        measures leave it out beyond some size; see ``scoring.costly``.
    under_chance : {"pairs", "information", "zero", None}
        What is known of it when items are permuted: for given sizes it is a linear function of
        N11, or of the mutual information, or its mean is 0.
    """

    on_table: Callable[..., float]
    weights: bool = True
    items: bool = False
    features_refused: Callable[..., str] | None = None
    soft: Callable[..., Any] | None = None
    per_item: Callable[..., Any] | None = None
    covers: Callable[..., Any] | None = None
    hierarchies: Callable[..., Any] | None = None
    call_only: tuple[str, ...] = ()
    tie_broken: Callable[[Any], bool] | None = None
    decomposition: Callable[..., Any] | None = None
    formula: Formula | None = None
    over_blocks: Callable[..., Any] | None = None
    cluster_score: Callable[..., float] | None = None
    solver: str | None = None
    under_chance: str | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """One entry of the catalogue.

    Attributes
    ----------
    name : str
        Name with its options, e.g. ``"v_measure(beta=2)"``.
    family : str
    function : callable
        The public function: ``function(reference, candidate, **options)``.
    computation : Computation
        How it is computed.
    source : str
        Paper and place.
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
    error_bound : ErrorBound or None
        How far a value may be from the exact one; None for a measure of one's own.
    default : bool
        Part of ``measures="default"``.
    options : mapping
        Options of this entry; ``defaults`` gives those of the function.
    """

    name: str
    family: str
    function: Callable[..., float]
    computation: Computation
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
    error_bound: ErrorBound | None = USUAL
    default: bool = True
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

    @property
    def uses_features(self) -> bool:
        """Whether features that ride along with the items change the value."""
        refused = self.computation.features_refused
        return self.computation.items and (refused is None or not refused(**self.options))

    def __call__(self, clusterings: Clusterings) -> float:
        """Return the value on an alignment or a table."""
        return self.value(clusterings, as_table(clusterings))

    def value(self, clusterings: Clusterings, table: Contingency) -> float:
        """Return the value on an alignment or a table, where the table is at hand."""
        if table.masses is not None or table.n_items == 0:
            self.check_weights(table)
        computation = self.computation
        argument = clusterings if computation.items else table
        return computation.on_table(argument, **self.options)

    @property
    def run(self) -> Callable[[Any], float]:
        """The function of a table (or of clusterings) that gives the value."""
        on_table = self.computation.on_table
        return partial(on_table, **self.options) if self.options else on_table

    def broke_tie(self, clusterings: Clusterings) -> bool:
        """Return whether the value rests on the order of labels, where that can be."""
        if self.computation.tie_broken is None:
            return False
        return self.computation.tie_broken(
            clusterings if self.computation.items else as_table(clusterings)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        from partwise.measures.catalogue import find

        return find, (self.name,)

    def check_weights(self, table: Contingency) -> None:
        """Raise if the measure has no use for the table's weights, or they are all 0."""
        if table.masses is not None and not self.computation.weights:
            raise ValueError(
                f"{self.name} counts whole items and takes no weights; multiplicity= repeats "
                "items a whole number of times"
            )
        if table.total_mass == 0 and table.n_items:
            raise ValueError(f"{self.name}: all weights are 0, there is nothing to compare")
