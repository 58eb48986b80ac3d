"""Mutual information in standard deviations under permutation, by random tables."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from partwise.inference.draws import Drawing, takes_draws
from partwise.inference.null_models import null_distribution
from partwise.inference.statistics import counted_table
from partwise.measures.chance.expected import constant, expected_mutual_information
from partwise.measures.formulas import ratio
from partwise.measures.information.entropy_sums import information
from partwise.report.json_documents import JsonResult
from partwise.report.numbers import show
from partwise.report.table import Table, Tabular
from partwise.table.arguments import Reference
from partwise.typing import Candidate, Policies


@dataclass(frozen=True, eq=False, repr=False)
class StandardizedInformation(Tabular, JsonResult):
    """Mutual information in standard deviations from what chance gives.

    Attributes
    ----------
    value : float
        (I - E[I]) / sd(I).
    standard_error : float
        Of ``value``, from the finite number of draws.
    information, expected : float
        I and E[I] in nats, both exact.
    standard_deviation : float
        Of I over the random tables, about its exact mean.
    draws, seed : int
    """

    _schema: ClassVar[str] = "standardized-information/1"

    value: float
    standard_error: float
    information: float
    expected: float
    standard_deviation: float
    draws: int
    seed: int

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return (
            f"StandardizedInformation({show(self.value)}, standard error "
            f"{show(self.standard_error)}; {self.draws} random tables)"
        )

    def __str__(self) -> str:
        return Table(("", "value"), list(asdict(self).items())).text()

    def table(self) -> Table:
        """Return the table of the numbers."""
        return Table(("", "value"), list(asdict(self).items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers by name."""
        return asdict(self)

    def _options(self) -> dict[str, Any]:
        return {"draws": self.draws, "seed": self.seed}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls(**{one.name: document[one.name] for one in fields(cls)})


@takes_draws(1000, "seed", "workers", least=2)
def standardized_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    drawing: Drawing,
    **policies: Unpack[Policies],
) -> StandardizedInformation:
    """Mutual information in standard deviations from its mean under permutation of the items.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    draws
        How to draw, at least 2 random tables: see ``Draws``.
    **policies
        See ``align``.

    Returns
    -------
    StandardizedInformation
        Its value is 0 where all permutations give the same I (a side is a single cluster or
        all singletons, say), as for ``standardized_rand_index``.

    Raises
    ------
    ValueError
        The table has weights, or 2^32 items or more.

    Notes
    -----
    (I - E[I]) / sd(I). E[I] is exact, see ``expected_mutual_information``; the exact variance
    has a term for every four cells, so the deviation is that of ``draws`` random tables (see
    ``null_distribution``) about the exact mean. Its relative error, and that of the value,
    is near sqrt((k - 1) / draws) / 2, k the kurtosis of the draws: about 2 % for 1000. The
    same number for every measure that is linear in I for given sizes (NMI, V-measure, AMI);
    that of the variation of information is its negative. Cost: ``draws`` shuffles of the items.

    References
    ----------
    Romano, Bailey, Nguyen, Verspoor: Standardized mutual information for clustering
    comparisons (ICML 2014).

    Examples
    --------
    >>> import partwise as pw
    >>> a = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> b = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 1]
    >>> standardized = pw.standardized_mutual_information(a, b, draws=2000, seed=1)
    >>> bool(abs(standardized.value - 3.26) < 0.5)
    True
    """
    draws, seed = drawing.draws, drawing.seed
    table = counted_table(reference, candidate, policies, "standardized_mutual_information")
    shared, expected = ratio(*information(table)), expected_mutual_information(table)
    if constant(table):
        return StandardizedInformation(
            value=0.0,
            standard_error=0.0,
            information=shared,
            expected=shared,
            standard_deviation=0.0,
            draws=draws,
            seed=seed,
        )
    null = null_distribution(
        table, measure="mutual_information", draws=draws, seed=seed, workers=drawing.workers
    )
    squares = (null.values[:, 0] - expected) ** 2
    variance = float(squares.mean())
    if variance == 0:  # no draw fell elsewhere
        return StandardizedInformation(
            value=0.0,
            standard_error=math.inf,
            information=shared,
            expected=expected,
            standard_deviation=0.0,
            draws=draws,
            seed=seed,
        )
    deviation = math.sqrt(variance)
    value = (shared - expected) / deviation
    # of a root of a mean of squares: half the relative error of the mean
    relative = float(np.std(squares)) / math.sqrt(draws) / (2 * variance)
    return StandardizedInformation(
        value=value,
        standard_error=abs(value) * relative,
        information=shared,
        expected=expected,
        standard_deviation=deviation,
        draws=draws,
        seed=seed,
    )
