"""The experiments of the papers, and the properties of measures on all small clusterings.

Every experiment is a function that returns an ``ExperimentTable``; ``experiments()`` lists
them.
"""

from papers import mallows, nvi, nvi_sizes, nvi_text, psi
from papers.dom import dom_properties, dom_sample
from papers.dom_generator import dom_contingency
from papers.lower_bounds import lower_bound_holds
from papers.matching_problem import problem_of_matching
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
from papers.split_merge_graphs import (
    DerivationGraph,
    SubcomponentPair,
    derivation_graph,
    subcomponent_pairs,
)
from papers.split_merge_properties import split_merge_properties
from papers.split_merge_series import (
    series_summary,
    split_merge_series,
    split_merge_series_litbank,
    split_then_merge,
)
from papers.split_merge_structure import split_merge_structure
from papers.split_merge_text import split_merge_text
from papers.sweeps import v_sweep
from papers.table import ExperimentTable
from papers.v_text import v_text

__all__ = [
    "DerivationGraph",
    "Experiment",
    "ExperimentTable",
    "Finding",
    "MissingData",
    "SubcomponentPair",
    "Witness",
    "derivation_graph",
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
    "nvi_sizes",
    "nvi_text",
    "problem_of_matching",
    "properties_of",
    "psi",
    "series_summary",
    "split_merge_properties",
    "split_merge_series",
    "split_merge_series_litbank",
    "split_merge_structure",
    "split_merge_text",
    "split_then_merge",
    "subcomponent_pairs",
    "v_sweep",
    "v_text",
]
