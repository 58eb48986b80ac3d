"""Every threshold at once: scores of all the states that merging clusters goes through."""

from partwise.thresholds.best import Best
from partwise.thresholds.result import Sweep
from partwise.thresholds.stability import Stability, stability
from partwise.thresholds.sweep import sweep

__all__ = ["Best", "Stability", "Sweep", "stability", "sweep"]
