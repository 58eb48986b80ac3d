"""Matching, packing and transport, each with the proof that it is best: for toolkit authors."""

from partwise.solvers.matching import Matching, match
from partwise.solvers.packing import Packing, pack
from partwise.solvers.transport import Transport, transport

__all__ = ["Matching", "Packing", "Transport", "match", "pack", "transport"]
