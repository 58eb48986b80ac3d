"""The experiments of the papers, and the properties of measures on all small clusterings.

Every experiment is a function that returns an ``ExperimentTable``; ``experiments()`` lists
them.
"""

from papers import mallows, nvi, psi
from papers.dom import dom_contingency, dom_properties, dom_sample
from papers.lower_bounds import lower_bound_holds
from papers.properties import (
    is_conditionally_normalized,
    is_join_weighted,
    is_metric,
    is_normalized,
    is_subcomponent_consistent,
    properties_of,
)
from papers.registry import Experiment, MissingData, experiment, experiments
from papers.search import Finding, Witness
from papers.split_merge_series import (
    series_summary,
    split_merge_series,
    split_merge_series_litbank,
    split_then_merge,
)
from papers.split_merge_structure import split_merge_structure
from papers.sweeps import problem_of_matching, v_sweep
from papers.table import ExperimentTable

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
