"""What ``pairwise`` returns: one measure between all pairs of several clusterings, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise.report.json_documents import JsonResult
from partwise.report.plots.matrices import draw_matrix
from partwise.report.plots.style import saved
from partwise.report.table import Table, Tabular
from partwise.report.tables import pandas_module

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseTable(Tabular, JsonResult):
    """One measure between all pairs of several clusterings.

    NumPy takes it for its values: ``np.asarray(table)``; ``table[i, j]`` takes numbers and
    names.

    Attributes
    ----------
    names : list of str
        The clusterings.
    measure : str
    values : ndarray of float64, shape (m, m)
        [i, j] = measure(reference=i, candidate=j).
    direction : {"higher", "lower", None}
        Which values are better.
    symmetric : bool
        Whether [i, j] and [j, i] are one number.
    options : dict
        What was asked for: policies.
    """

    _schema: ClassVar[str] = "pairwise/1"

    names: list[str]
    measure: str
    values: NDArray[np.float64]
    direction: str | None
    symmetric: bool
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of ``values``."""
        return self.values.shape

    def __len__(self) -> int:
        return len(self.names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:  # refused by NumPy where another dtype needs a copy
            return np.array(self.values, dtype=dtype, copy=False)
        return np.array(self.values, dtype=dtype, copy=True)

    def __getitem__(self, at: Any) -> Any:
        """Return values; a clustering may be named."""
        parts = at if isinstance(at, tuple) else (at,)
        return self.values[tuple(self._position(x) if isinstance(x, str) else x for x in parts)]

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(
                f"no clustering is called {name!r}; there is {', '.join(self.names)}"
            )
        return self.names.index(name)

    def tolist(self) -> list[list[float]]:
        """Return the values as lists."""
        lists: list[list[float]] = self.values.tolist()
        return lists

    def heading(self) -> list[str]:
        """Return what the lines and the columns are."""
        better = f"; {self.direction} is better" if self.direction else ""
        sides = "" if self.symmetric else "; references are lines, candidates columns"
        return [f"{self.measure} between {len(self)} clusterings{better}{sides}"]

    def table(self) -> Table:
        """Return the table, a reference a line."""
        rows = [(name, *row) for name, row in zip(self.names, self.tolist(), strict=True)]
        return Table(("reference", *self.names), rows)

    def plot(self, path: str | None = None, *, ax: Any = None) -> Any:
        """Draw the values as a heat map, like clusterings beside each other.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        order = self.order()
        names = [self.names[i] for i in order]
        lower = self.direction == "lower"
        return saved(
            draw_matrix(
                self.values[np.ix_(order, order)],
                names,
                names,
                xlabel="candidate, like beside like (average linkage)",
                ylabel="reference",
                unit=f"{self.measure} ({self.direction} is better)",
                reverse=lower,
                lightest=0 if lower else None,
                ax=ax,
            ),
            path,
        )

    def order(self) -> list[int]:
        """Return the clusterings in the order of an average-linkage dendrogram."""
        from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
        from scipy.spatial.distance import squareform

        if len(self) < 3:
            return list(range(len(self)))
        both = (self.values + self.values.T) / 2
        apart = both if self.direction == "lower" else np.nanmax(both) - both
        pairs = squareform(np.maximum(apart, 0.0), checks=False)
        leaves: list[int] = leaves_list(
            optimal_leaf_ordering(linkage(pairs, "average"), pairs)
        ).tolist()
        return leaves

    def __str__(self) -> str:
        return "\n".join([*self.heading(), "", self.table().text()])

    def __repr__(self) -> str:
        return f"PairwiseTable({self.measure}, {len(self)} clusterings)"

    def to_dict(self) -> dict[str, Any]:
        """Return {reference: {candidate: value}}."""
        return {
            name: dict(zip(self.names, row, strict=True))
            for name, row in zip(self.names, self.tolist(), strict=True)
        }

    def _options(self) -> dict[str, Any]:
        return self.options

    def _document(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "better": self.direction,
            "symmetric": self.symmetric,
            "names": self.names,
            "values": self.tolist(),
            "notes": [],
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        m = len(document["names"])
        rows = [[float(x) for x in row] for row in document["values"]]
        return cls(
            names=document["names"],
            measure=document["measure"],
            values=np.array(rows, dtype=np.float64).reshape(m, m),
            direction=document["better"],
            symmetric=document["symmetric"],
            options=document["options"],
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame with the names (needs ``partwise[frames]``)."""
        frame = pandas_module().DataFrame(self.values, index=self.names, columns=self.names)
        return frame.rename_axis(index="reference", columns="candidate")
