"""What was split, what was merged, and what it costs."""

from partwise.diagnosis.report import Diagnosis, diagnose
from partwise.diagnosis.structure import ClusterTable, ComponentTable
from partwise.diagnosis.worst import Broken, BrokenCluster, Cell, WorstComponent

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
