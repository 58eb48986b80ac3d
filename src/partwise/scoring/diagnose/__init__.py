"""What was split, what was merged, and what it costs."""

from partwise.scoring.diagnose.diagnose import Diagnosis, diagnose
from partwise.scoring.diagnose.structure import ClusterTable, ComponentTable
from partwise.scoring.diagnose.worst import Broken, BrokenCluster, Cell, WorstComponent

__all__ = [
    "Broken",
    "BrokenCluster",
    "Cell",
    "ClusterTable",
    "ComponentTable",
    "Diagnosis",
    "WorstComponent",
    "diagnose",
]
