"""A score as a weighted sum over the components of the join: who contributes what."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import order_free
from partwise.labels.account import counted
from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.measures.aliases import takes
from partwise.measures.catalogue import catalogue, find
from partwise.measures.components.sums import components_of
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import JsonResult
from partwise.report.numbers import show
from partwise.report.table import Table, Tabular
from partwise.report.tables import pandas_module, text_table
from partwise.table.arguments import Reference, as_table, clusterings_of
from partwise.typing import Candidate

if TYPE_CHECKING:
    import pandas

_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Tabular, JsonResult):
    """A measure's value as sum of weights x scores over components, plus an offset.

    Components are those of ``components``: numbered by their smallest row of the table.

    Attributes
    ----------
    measure : str
        Name with its options.
    value : float
        The measure's value.
    weights : ndarray of float64, shape (components,)
        Weight of each component; 0 where its score cannot count (a single item has no pairs).
    scores : ndarray of float64, shape (components,)
        The measure on each component alone, with its degenerate values.
    offset : float
        What does not depend on the components' scores; 0 for join-weighted measures.
    loss : ndarray of float64, shape (components,)
        What each component takes from the best value: at least 0, and in sum ``best`` - value
        (the value itself for a distance).
    best : float
        The value if the candidate were equal to the reference.
    sizes : ndarray of int64, shape (components,)
        Items in each component.
    loss_numerators, loss_denominator : ndarray of integers and int, or None
        The loss as exact fractions, where the measure is a quotient of integers.
    """

    _schema: ClassVar[str] = "decomposition/1"

    measure: str
    value: float
    weights: FloatArray
    scores: FloatArray
    offset: float
    loss: FloatArray
    best: float
    sizes: IntArray
    loss_numerators: NDArray[Any] | None = None
    loss_denominator: int | None = None

    def heading(self) -> list[str]:
        """Return the measure and its value."""
        return [
            f"{self.measure} = {show(self.value)}: {counted(len(self), 'component')}, "
            f"offset {show(self.offset)}"
        ]

    def table(self) -> Table:
        """Return the table of all components, those that lose most first."""
        order = np.argsort(-self.loss, kind="stable")
        columns = (order, self.sizes[order], *(x[order] for x in self._numbers))
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        return Table(("component", "items", "weight", "score", "loss"), rows)

    @property
    def contributions(self) -> FloatArray:
        """Weights x scores."""
        return self.weights * self.scores

    @property
    def total(self) -> float:
        """The sum of contributions and offset: the value again, up to rounding."""
        terms = np.append(self.contributions, self.offset)
        return float(order_free.total(terms))

    def worst(self, count: int = _SHOWN) -> IntArray:
        """Return the components that lose most, worst first; none that loses nothing.

        Parameters
        ----------
        count : int, default 10
            At most so many.
        """
        order = np.argsort(-self.loss, kind="stable")[: max(count, 0)]
        costly: IntArray = order[self.loss[order] > 0]
        return costly

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers."""
        return {
            "measure": self.measure,
            "value": self.value,
            "best": self.best,
            "offset": self.offset,
            "weights": self.weights.tolist(),
            "scores": self.scores.tolist(),
            "loss": self.loss.tolist(),
            "sizes": self.sizes.tolist(),
        }

    def _options(self) -> dict[str, Any]:
        return {"measure": self.measure}

    def _document(self) -> dict[str, Any]:
        document = {**self.to_dict(), "notes": []}
        if self.loss_numerators is not None:
            document["loss_numerators"] = self.loss_numerators.tolist()
            document["loss_denominator"] = self.loss_denominator
        return document

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        numerators = document.get("loss_numerators")
        columns: dict[str, Any] = {
            name: np.array(document[name], dtype=np.float64)
            for name in ("weights", "scores", "loss")
        }
        columns |= {name: float(document[name]) for name in ("value", "best", "offset")}
        return cls(
            **columns,
            measure=document["measure"],
            sizes=np.array(document["sizes"], dtype=np.int64),
            loss_numerators=None if numerators is None else _integers(numerators),
            loss_denominator=document.get("loss_denominator"),
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row for each component (needs the extra ``partwise[frames]``)."""
        columns = {
            "items": self.sizes,
            "weight": self.weights,
            "score": self.scores,
            "contribution": self.contributions,
            "loss": self.loss,
        }
        index = pandas_module().RangeIndex(len(self), name="component")
        return pandas_module().DataFrame(columns, index=index)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        parts = counted(len(self), "component")
        return f"Decomposition({self.measure} = {show(self.value)}, {parts})"

    def __str__(self) -> str:
        worst = self.worst()
        (head,) = self.heading()
        if not len(worst):
            return f"{head}, nothing is lost"
        columns = (worst, self.sizes[worst], *(x[worst] for x in self._numbers))
        rows = zip(*(column.tolist() for column in columns), strict=True)
        table = text_table(rows, ["component", "items", "weight", "score", "loss"])
        n_hidden = int((self.loss > 0).sum()) - len(worst)
        more = f"\nand {n_hidden} more that lose no more than these" if n_hidden else ""
        return f"{head}\n{table}{more}"

    @property
    def _numbers(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.weights, self.scores, self.loss


def _integers(numbers: list[int]) -> NDArray[Any]:
    """Return whole numbers as an array, of Python integers beyond 64 bits."""
    large = any(abs(number) >= 1 << 63 for number in numbers)
    return np.array(numbers, dtype=object if large else np.int64)


@takes("measure")
def decompose(
    reference: Reference, candidate: Candidate = None, *, measure: str, **keywords: Any
) -> Decomposition:
    """Split a measure's value into what the components of the join contribute.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``; or ``CoreferenceScores``, for
        MUC, CEAF and others of its measures (see ``CoreferenceScores.decompose``).
    measure : str
        Name, with options as in ``"vi_similarity_log_k(k=5)"``.
    **keywords
        Options of the measure that a name cannot carry, and policies: see ``align``.

    Returns
    -------
    Decomposition

    Raises
    ------
    ValueError
        The measure is no sum over components (the others are listed), or unknown.
    TypeError
        An unknown keyword, or a policy beside an ``Alignment`` or ``Contingency``.

    Notes
    -----
    S = sum_J w(J) S(J) + b over the clusters J of the join. Table 1 of SM: Rand has w =
    |J| (|J| - 1) / (n (n - 1)), ``vi_similarity_log_n`` |J| ln |J| / (n ln n), both with b = 1
    minus their sum; mutual information has |J| / n and b = H(join); join-weighted measures
    have |J| / n and b = 0. Further measures are 1 - L / B where L is a sum over components:
    then w = B_J / B, for pair precision the share of the candidate's pairs; where B is an
    entropy (V-measure), b is the join's share of it. The loss is w (1 - S(J)), for distances
    w S(J). The best value of mutual information is H(reference), that of N11 / T the share of
    the reference's pairs. No items: no components, and b is the value. With weights |J| is
    mass. O(cells) beside the measure.

    References
    ----------
    Split-merge (ICML 2012), section 4.1, equation (1), Table 1.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.decompose([0, 0, 1, 1, 2], [0, 1, 2, 2, 2], measure="purity")
    >>> found.weights.tolist(), found.scores.round(3).tolist(), found.total
    ([0.4, 0.6], [1.0, 0.667], 0.8)
    """
    own_way = getattr(type(reference), "decompose", None)
    if own_way is not None:  # scores that know their parts themselves, as those of coreference
        if candidate is not None or keywords:
            kind = type(reference).__name__
            raise TypeError(f"decompose: {kind} takes a measure and nothing else")
        parts: Decomposition = own_way(reference, measure)
        return parts
    entry = find(measure)
    own = set(entry.defaults) | set(entry.requires)
    options = {key: keywords.pop(key) for key in list(keywords) if key in own - set(POLICIES)}
    entry = _checked(entry, options)
    clusterings = clusterings_of(
        reference, candidate, keywords, "decompose", looks_at_items=True
    )
    return decomposition_of(entry, clusterings, options)


def _checked(entry: Measure, options: dict[str, Any]) -> Measure:
    """Return the row, if it is a sum over components and has all it needs."""
    if entry.computation.decomposition is None:
        able = [
            name
            for name, other in catalogue().items()
            if other.computation.decomposition is not None
        ]
        raise ValueError(
            f"{entry.name} is no weighted sum over components; these are: {', '.join(able)}"
        )
    accepted = inspect.signature(entry.computation.decomposition).parameters
    for name in options:
        if name not in accepted:
            raise ValueError(
                f"{entry.name} with {name}= is no weighted sum over components; leave it out"
            )
    for name in entry.required_options:
        if name not in options:
            raise ValueError(f"{entry.name} needs {name}: write {entry.name}({name}=...)")
    return entry


def decomposition_of(
    entry: Measure, clusterings: Any, options: dict[str, Any] | None = None
) -> Decomposition:
    """Return the decomposition of a catalogue row on an alignment or a table."""
    assert entry.computation.decomposition is not None
    table = as_table(clusterings)
    entry.check_weights(table)
    argument = clusterings if entry.computation.items else table
    chosen = {**entry.options, **(options or {})}
    value = entry.computation.on_table(argument, **chosen)
    sizes = components_of(table).sizes
    if len(sizes) == 0:
        none = np.empty(0)
        return Decomposition(entry.name, value, none, none, value, none, value, sizes)
    parts = entry.computation.decomposition(argument, **chosen)
    best = 0.0 if entry.direction == "lower" else entry.value_if_identical
    if best is None:
        best = float(value + float(order_free.total(parts.loss)))
    return Decomposition(
        entry.name,
        value,
        parts.weights,
        parts.scores,
        parts.offset,
        parts.loss,
        float(best),
        sizes,
        parts.loss_numerators,
        parts.loss_denominator,
    )
