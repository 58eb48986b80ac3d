"""The experiments of the papers, and the properties of measures on all small clusterings.

Every experiment is a function that returns an ``ExperimentTable``; ``experiments()`` lists
them.
"""

from partwise.experiments import mallows, nvi, psi
from partwise.experiments.dom import dom_contingency, dom_properties, dom_sample
from partwise.experiments.lower_bounds import lower_bound_holds
from partwise.experiments.properties import (
    is_conditionally_normalized,
    is_join_weighted,
    is_metric,
    is_normalized,
    is_subcomponent_consistent,
    properties_of,
)
from partwise.experiments.registry import Experiment, MissingData, experiment, experiments
from partwise.experiments.search import Finding, Witness
from partwise.experiments.split_merge_series import (
    series_summary,
    split_merge_series,
    split_merge_series_litbank,
    split_then_merge,
)
from partwise.experiments.split_merge_structure import split_merge_structure
from partwise.experiments.sweeps import problem_of_matching, v_sweep
from partwise.experiments.table import ExperimentTable

__all__ = [
    "Experiment",
    "ExperimentTable",
    "Finding",
    "MissingData",
    "Witness",
    "dom_contingency",
    "dom_properties",
    "dom_sample",
    "experiment",
    "experiments",
    "is_conditionally_normalized",
    "is_join_weighted",
    "is_metric",
    "is_normalized",
    "is_subcomponent_consistent",
    "lower_bound_holds",
    "mallows",
    "nvi",
    "problem_of_matching",
    "properties_of",
    "psi",
    "series_summary",
    "split_merge_series",
    "split_merge_series_litbank",
    "split_merge_structure",
    "split_then_merge",
    "v_sweep",
]
