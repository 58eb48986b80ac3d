"""The best state of a measure, and the thresholds that cut to it."""

from __future__ import annotations

from dataclasses import dataclass

from partwise.labels.account import counted


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of a measure, and the thresholds that give it.

    Attributes
    ----------
    measure : str
    value : float
    state : int
        Its number; of several best ones the last, which has the fewest clusters.
    low, high : float
        All thresholds between these two cut into the same clusters.
    includes : {"low", "high"}
        Which of the two ends belongs to them.
    cut : float
        A threshold to use: the middle, where both ends are finite.
    n_clusters : int
    tied : int
        States that have this value.
    """

    measure: str
    value: float
    state: int
    low: float
    high: float
    includes: str
    cut: float
    n_clusters: int
    tied: int

    def __str__(self) -> str:
        opening, closing = ("[", ")") if self.includes == "low" else ("(", "]")
        ties = f", {self.tied} states tied" if self.tied > 1 else ""
        return (
            f"{self.measure} {self.value:.4f} at thresholds in {opening}{self.low:g}, "
            f"{self.high:g}{closing} (cut at {self.cut:g}): "
            f"{counted(self.n_clusters, 'cluster')}{ties}"
        )
