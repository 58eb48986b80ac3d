"""Dom's generator of clusterings with noise classes and noise clusters (V, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import FloatArray
from partwise.numbers.checks import one_of
from partwise.table.contingency import Contingency

USEFUL_CLASSES = 5


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the four masses of a solution go: arrays of shape (clusters, classes).

    Each sums to 1, or to 0 where there is no such place.
    """

    matches: FloatArray
    other_pairs: FloatArray
    noise_clusters: FloatArray
    noise_classes: FloatArray

    def masses(self, error_1: Any, error_2: Any, error_3: Any) -> FloatArray:
        """Return the masses of solutions; errors without a place stay on the matches."""
        errors = zip(
            np.broadcast_arrays(error_1, error_2, error_3),
            (self.other_pairs, self.noise_clusters, self.noise_classes),
            strict=True,
        )
        wrong: FloatArray = np.zeros(())
        correct: FloatArray = np.ones(())
        for error, cells in errors:
            error = error[..., None, None] * (1.0 if cells.any() else 0.0)
            wrong = wrong + error * cells
            correct = correct - error
        total: FloatArray = wrong + correct * self.matches
        return total


def dom_layout(
    useful_clusters: int,
    useful_classes: int = USEFUL_CLASSES,
    noise_clusters: int = 0,
    noise_classes: int = 0,
    matching: str = "blocks",
) -> Layout:
    """Return where the masses of Dom's solutions go.

    Parameters
    ----------
    useful_clusters, useful_classes : int
        Matched with each other in order; at least one of each.
    noise_clusters, noise_classes : int
        A noise cluster takes from every useful class, a noise class gives to every useful
        cluster.
    matching : {"blocks", "first"}, default "blocks"
        Where the numbers differ, what is left over is matched in blocks as equal as can be,
        or all with the first. The paper leaves this open; Figure 3 fits both.

    Returns
    -------
    Layout
    """
    shape = useful_clusters + noise_clusters, useful_classes + noise_classes
    matches, others, clusters, classes = (np.zeros(shape) for _ in range(4))
    longer = np.arange(max(useful_clusters, useful_classes))
    matches[tuple(_dealt(longer, k, matching) for k in (useful_clusters, useful_classes))] = 1.0
    others[:useful_clusters, :useful_classes] = 1.0 - matches[:useful_clusters, :useful_classes]
    clusters[useful_clusters:, :useful_classes] = 1.0
    classes[:useful_clusters, useful_classes:] = 1.0
    parts = (x / max(x.sum(), 1.0) for x in (matches, others, clusters, classes))
    return Layout(*parts)


def _dealt(numbers: NDArray[np.int64], k: int, matching: str) -> NDArray[np.int64]:
    """Return which of k gets each place."""
    one_of(matching, ("blocks", "first"), "matching")
    if matching == "blocks":
        return numbers * k // len(numbers)
    return np.maximum(numbers - (len(numbers) - k), 0)


def dom_contingency(
    n: int,
    useful_clusters: int,
    useful_classes: int = USEFUL_CLASSES,
    noise_clusters: int = 0,
    noise_classes: int = 0,
    errors: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Contingency:
    """Return the table of one of Dom's solutions with n items: classes times clusters.

    Parameters
    ----------
    n : int
        Number of items; every cell must come out whole.
    useful_clusters, useful_classes, noise_clusters, noise_classes : int
        See ``dom_layout``.
    errors : three floats
        Mass on useful pairs that do not match, on noise clusters, on noise classes.

    Returns
    -------
    Contingency

    Raises
    ------
    ValueError
        A cell is not a whole number of items.

    References
    ----------
    V-measure (EMNLP 2007), section 4 and Figure 3. The caption's ``|C|`` = 3 counts useful
    classes only; the table has four columns.

    Examples
    --------
    >>> table = dom_contingency(60, 2, 3, 1, 1, errors=(0.1, 0.2, 0.1))
    >>> table.to_scipy().toarray().T
    array([[12, 12,  2,  3],
           [ 2,  2, 12,  3],
           [ 4,  4,  4,  0]])
    """
    layout = dom_layout(useful_clusters, useful_classes, noise_clusters, noise_classes)
    counts = n * layout.masses(*errors)
    integers = np.rint(counts)
    wrong = np.argwhere(np.abs(counts - integers) > 1e-6)
    if len(wrong):
        k, c = wrong[0].tolist()
        raise ValueError(
            f"n={n}: cluster {k} would hold {counts[k, c]:.6g} items of class {c}; choose n so "
            "that every cell is whole"
        )
    return Contingency.from_dense(integers.astype(np.int64).T)
