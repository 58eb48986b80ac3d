"""The experiments of the papers, each a function that returns an ``ExperimentTable``."""

from partwise.experiments import mallows, nvi, psi
from partwise.experiments.registry import Experiment, MissingData, experiment, experiments
from partwise.experiments.table import ExperimentTable

__all__ = [
    "Experiment",
    "ExperimentTable",
    "MissingData",
    "experiment",
    "experiments",
    "mallows",
    "nvi",
    "psi",
]
