"""Permutation tests: is the agreement more than chance gives, and how much more."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, Self, Unpack, get_args

import numpy as np

from partwise.inference.draws import Drawing, Draws, takes_draws
from partwise.inference.known_moments import controls, known_means, known_moments, sharpened
from partwise.inference.null_models import NullDistribution, null_distribution
from partwise.inference.report import Report, position_of
from partwise.inference.statistics import Statistic, Statistics, counted_table, read_statistics
from partwise.labels import Account
from partwise.measures.aliases import takes
from partwise.measures.chance.expected import constant
from partwise.numbers.arrays import FloatArray
from partwise.numbers.checks import number, one_of
from partwise.report.numbers import show_probability
from partwise.report.plots.distributions import draw_null
from partwise.report.plots.style import saved
from partwise.table.arguments import Reference
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

Alternative = Literal["agreement", "disagreement", "two-sided"]
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)
#: Values that differ by less than this part of the largest count as equal: a tie is a tie, in
#: whatever order its terms were rounded.
_TIE = 1e-12


@dataclass(frozen=True)
class MeasureSignificance:
    """One measure against its values on random tables.

    Attributes
    ----------
    value : float
        On the table itself.
    p_value : float
        (1 + draws at least as extreme) / (1 + draws).
    p_low, p_high : float
        Clopper-Pearson interval of the share of all random tables that are at least as extreme
        (which the p-value estimates).
    z : float
        (value - mean) / standard deviation; 0 where the measure does not vary.
    mean, standard_deviation : float
        Over all permutations where they are known, else over the random tables; the mean then
        by regression on what is known, where that is sharper.
    adjusted : float or None
        (value - mean) / (best - mean): 1 for identical clusterings, 0 on average by chance.
        None where the best value is not known.
    adjusted_error : float or None
        Its standard error, from the finite number of draws; 0 where the mean is exact.
    moments : {"exact", "exact mean", "sampled", "controlled"}
        Where mean and standard deviation come from; "controlled" is sampled, with a mean that
        uses the exact ones of the pairs and of the mutual information.
    """

    value: float
    p_value: float
    p_low: float
    p_high: float
    z: float
    mean: float
    standard_deviation: float
    adjusted: float | None
    adjusted_error: float | None
    moments: str


@dataclass(frozen=True, eq=False, repr=False)
class Significance(Report):
    """Measures against their values on random tables.

    Attributes
    ----------
    results : dict of str to MeasureSignificance
    alternative : str
    draws, seed : int
    level : float
        Of the intervals.
    null : NullDistribution
        All draws.
    accounts : tuple of one Account
        What came in and what the policies did.
    notes : list of str
        What a reader should know.
    """

    _schema: ClassVar[str] = "significance/1"

    results: dict[str, MeasureSignificance]
    alternative: str
    draws: int
    seed: int
    level: float
    null: NullDistribution
    accounts: tuple[Account, ...]
    notes: list[str] = field(default_factory=list)

    def __getitem__(self, measure: str) -> MeasureSignificance:
        position_of(measure, self.results)
        return self.results[measure]

    def _single(self) -> MeasureSignificance:
        if len(self.results) > 1:
            raise ValueError(f"several measures: ask for one of {', '.join(self.results)}")
        return next(iter(self.results.values()))

    @property
    def p_value(self) -> float:
        """The p-value, where there is one measure."""
        return self._single().p_value

    @property
    def z(self) -> float:
        """The standardised value, where there is one measure."""
        return self._single().z

    @property
    def adjusted(self) -> float | None:
        """The chance-adjusted value, where there is one measure."""
        return self._single().adjusted

    @property
    def header(self) -> str:
        """What was done, as one line."""
        return (
            f"{self.draws} random tables of {self.null.n_items} items, both sides' sizes kept, "
            f"seed {self.seed}; alternative: {self.alternative}; p = (1 + extreme) / (1 + "
            f"draws), with its Clopper-Pearson interval of level {self.level:g}"
        )

    def plot(
        self, path: str | None = None, *, measure: str | None = None, ax: Any = None
    ) -> Any:
        """Draw a measure on random tables, with the observed value and its p-value.

        Parameters
        ----------
        measure : str, optional
            By default the first.
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        at = 0 if measure is None else position_of(measure, self.results)
        name = list(self.results)[at]
        drawn = draw_null(
            self.null[name],
            self.results[name].value,
            measure=name,
            what="random tables",
            remark=f", {show_probability(self.results[name].p_value)}",
            ax=ax,
        )
        return saved(drawn, path)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain dicts and numbers."""
        return {
            "account": self.accounts[0].to_dict(),
            "n_items": self.null.n_items,
            "draws": self.draws,
            "seed": self.seed,
            "alternative": self.alternative,
            "level": self.level,
            "interval": "Clopper-Pearson",
            "measures": {name: asdict(one) for name, one in self.results.items()},
            "notes": list(self.notes),
        }

    def _options(self) -> dict[str, Any]:
        names = ("alternative", "draws", "seed", "level")
        return {name: getattr(self, name) for name in names}

    def _document(self) -> dict[str, Any]:
        return {**self.to_dict(), "null": self.null._document()}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        lines = document["measures"]
        return cls(
            results={name: MeasureSignificance(**line) for name, line in lines.items()},
            alternative=document["alternative"],
            draws=document["draws"],
            seed=document["seed"],
            level=document["level"],
            null=NullDistribution._from_document(document["null"]),
            accounts=(Account.from_dict(document["account"]),),
            notes=document["notes"],
        )


def clopper_pearson(hits: int, trials: int, level: float) -> tuple[float, float]:
    """Return the exact interval of a share of which ``hits`` of ``trials`` were seen."""
    from scipy.special import betaincinv

    half = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, half))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - half))
    return low, high


def as_extreme(values: FloatArray, observed: float, higher: bool) -> int:
    """Return how many values are at least as high (low) as the observed one."""
    slack = _TIE * max(float(np.abs(values).max(initial=0.0)), abs(observed))
    if higher:
        return int((values >= observed - slack).sum())
    return int((values <= observed + slack).sum())


def p_value_of(
    values: FloatArray, observed: float, direction: str, alternative: str, level: float
) -> tuple[float, float, float]:
    """Return a p-value by the +1 rule and the interval of what it estimates."""
    draws = len(values)
    higher, lower = (as_extreme(values, observed, side) for side in (True, False))
    if alternative == "two-sided":
        hits = min(higher, lower)
        low, high = clopper_pearson(hits, draws, level)
        return min(1.0, 2 * (1 + hits) / (1 + draws)), min(1.0, 2 * low), min(1.0, 2 * high)
    hits = higher if (direction == "higher") == (alternative == "agreement") else lower
    return (1 + hits) / (1 + draws), *clopper_pearson(hits, draws, level)


def _adjusted(
    table: Contingency, value: float, mean: float, mean_error: float, best: float | None
) -> tuple[float | None, float | None]:
    """Return the chance-adjusted value and its standard error, exact where nothing varies."""
    rows, cols = table.shape
    if table.n_cells == rows == cols:
        return 1.0, 0.0
    if constant(table):
        return 0.0, 0.0
    if best is None:
        return None, None
    if best == mean:  # every draw had the best value
        return (1.0 if value == best else 0.0), None
    slope = abs(value - best) / (best - mean) ** 2
    return (value - mean) / (best - mean), slope * mean_error


def _direction(statistic: Statistic, override: str | None, alternative: str) -> str:
    direction = override if override is not None else statistic.direction
    if direction is None and alternative != "two-sided":
        raise ValueError(
            f"{statistic.name} does not say which values mean agreement; pass "
            'direction="higher" or "lower", or alternative="two-sided"'
        )
    return direction or "higher"


@takes("measure")
@takes_draws(999)
def significance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    alternative: Alternative = "agreement",
    direction: Literal["higher", "lower"] | None = None,
    best: float | None = None,
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> Significance:
    """Test whether two clusterings agree more than chance gives, by any measures.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    measure : str, callable, or several
        Names of the catalogue, or functions that take a ``Contingency`` and return a number.
    alternative : {"agreement", "disagreement", "two-sided"}
        What a small p-value speaks for.
    direction : {"higher", "lower"}, optional
        Which values mean agreement, for functions and for measures that do not say.
    best : float, optional
        Value for identical clusterings, for functions and for measures where it varies.
    draws
        How to draw: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    Significance

    Raises
    ------
    ValueError
        As ``null_distribution``; a measure does not say which values mean agreement.

    Notes
    -----
    The null model is that of ``null_distribution``. p = (1 + b) / (1 + draws), b the draws at
    least as extreme (equal ones count, with room for rounding of 1e-12): a valid test for any
    number of draws, and never 0. Its interval is Clopper and Pearson's for b of draws.
    Two-sided: twice the smaller side, at most 1. All measures share the draws; p-values are not
    corrected for their number.
    Mean and standard deviation are exact where they are known: for measures that are linear in
    the pairs together on both sides for given sizes (Rand and its relatives, Fowlkes-Mallows,
    Hubert, Mirkin) both, by ``pair_count_moments``; for those linear in mutual information the
    mean, by ``expected_mutual_information``, and 0 for adjusted ones. All others are sampled,
    and from 100 draws on their mean is that of a regression on N11 and the mutual information
    of the same tables at their exact means (control variates: as good as 1 to several
    hundred times the draws; its bias is O(1 / draws)), unless the plain mean is sharper;
    ``moments`` says which.
    Adjusted value: (value - mean) / (best - mean), with the standard error that the finite
    number of draws leaves. Decided without draws: 1 for identical clusterings, else 0
    where a side is one cluster or all singletons (every random table is then the same). For
    the adjusted Rand index use the measure itself, which is exact.

    References
    ----------
    Phipson and Smyth, Permutation p-values should never be zero (2010).

    Examples
    --------
    >>> import partwise as pw
    >>> a = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> b = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 1]
    >>> test = pw.significance(a, b, measure="purity", draws=999, seed=3)
    >>> test.p_value < 0.05
    True
    """
    one_of(alternative, ALTERNATIVES, "alternative")
    if direction is not None:
        one_of(direction, ("higher", "lower"), "direction")
    statistics = read_statistics(measure, "significance")
    if isinstance(measure, str) and measure in ("default", "all") and direction is None:
        statistics = [one for one in statistics if one.direction or alternative == "two-sided"]
    best_value = None if best is None else number(best, "best")
    directions = [_direction(one, direction, alternative) for one in statistics]
    table = counted_table(reference, candidate, policies, "significance")
    exact = [known_moments(table, statistic.entry) for statistic in statistics]
    extra = [] if constant(table) or all(exact) else controls()
    everything = null_distribution(
        table,
        measure=[*statistics, *extra],
        draws=Draws(
            drawing.draws,
            seed=drawing.seed,
            workers=drawing.workers,
            progress=drawing.progress,
        ),
    )
    null = everything.first(len(statistics))
    means = known_means(table) if extra else None
    results = {}
    columns = zip(
        statistics,
        directions,
        exact,
        null.observed,
        null.mean,
        null.standard_deviation,
        strict=True,
    )
    for statistic, way, exact_moments, observed, mean, sd in columns:
        values = null[statistic.name]
        p, low, high = p_value_of(values, float(observed), way, alternative, drawing.level)
        ideal = best_value if best_value is not None else statistic.best
        mean_error, moments = float(sd) / math.sqrt(null.draws), "sampled"
        if exact_moments is None and means is not None and sd > 0:
            drawn = everything.values[:, len(statistics) :]
            if (sharp := sharpened(values, drawn, means)) is not None:
                (mean, mean_error), moments = sharp, "controlled"
        if exact_moments is not None:
            mean, mean_error, moments = exact_moments.mean, 0.0, "exact mean"
            if exact_moments.deviation is not None:
                sd, moments = exact_moments.deviation, "exact"
        adjusted, adjusted_error = _adjusted(
            table, float(observed), float(mean), mean_error, ideal
        )
        z = (observed - mean) / sd if sd > 0 else 0.0
        results[statistic.name] = MeasureSignificance(
            value=float(observed),
            p_value=p,
            p_low=low,
            p_high=high,
            z=float(z),
            mean=float(mean),
            standard_deviation=float(sd),
            adjusted=adjusted,
            adjusted_error=adjusted_error,
            moments=moments,
        )
    return Significance(
        results=results,
        alternative=alternative,
        draws=null.draws,
        seed=null.seed,
        level=drawing.level,
        null=null,
        accounts=(table.account,),
    )
