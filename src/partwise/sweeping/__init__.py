"""Every threshold at once: scores of all the states that merging clusters goes through."""

from partwise.sweeping.stability import Stability, stability
from partwise.sweeping.sweep import Best, Sweep, sweep

__all__ = ["Best", "Stability", "Sweep", "stability", "sweep"]
