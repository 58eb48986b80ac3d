"""Every threshold at once: scores of all the states that merging clusters goes through."""

from partwise.sweeping.best import Best
from partwise.sweeping.result import Sweep
from partwise.sweeping.stability import Stability, stability
from partwise.sweeping.sweep import sweep

__all__ = ["Best", "Stability", "Sweep", "stability", "sweep"]
