"""partwise: compare clusterings.

Two clusterings of the same items go in; agreement measures, the structure of the disagreement
and an account of what was compared come out. ``compare`` is the way in.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "Account",
    "Alignment",
    "AverageF1",
    "Best",
    "Bootstrap",
    "Clustering",
    "Comparison",
    "Components",
    "Computation",
    "Contingency",
    "Cover",
    "CoverComparison",
    "CredibleBall",
    "CutSimilarities",
    "Decomposition",
    "Diagnosis",
    "Draws",
    "ExtendedBCubed",
    "Hierarchy",
    "HierarchyComparison",
    "InputWarning",
    "Jackknife",
    "MajorityVote",
    "Measure",
    "Medoid",
    "NullDistribution",
    "PairedTest",
    "PairwiseTable",
    "PointEstimate",
    "ReportPage",
    "SampleEstimates",
    "ScoreTable",
    "Significance",
    "Stability",
    "StandardizedInformation",
    "SubcomponentCheck",
    "Sweep",
    "adapted_rand_error",
    "adjust",
    "adjusted_fowlkes_mallows",
    "adjusted_mutual_information",
    "adjusted_rand_index",
    "adjusted_variation_of_information",
    "align",
    "average_f1",
    "b_cubed",
    "b_cubed_f1",
    "b_cubed_precision",
    "b_cubed_recall",
    "b_k",
    "baker_gamma",
    "best_clustering",
    "bipartite_graph",
    "bootstrap",
    "catalogue",
    "centroid_index",
    "centroid_index_one_way",
    "centroid_ratio",
    "centroid_similarity_index",
    "centroids",
    "check_subcomponent_score",
    "chi_squared",
    "classification_accuracy",
    "closest_cluster",
    "closest_cluster_f1",
    "closest_cluster_precision",
    "closest_cluster_recall",
    "cluster_entropy",
    "cluster_f1",
    "cluster_precision",
    "cluster_recall",
    "cluster_similarity_matrix",
    "compare",
    "compare_covers",
    "compare_hierarchies",
    "completeness",
    "components",
    "conditional_entropy",
    "config",
    "contingency",
    "cophenetic_correlation",
    "coreference",
    "cramer_v",
    "credible_ball",
    "criterion_h",
    "css_distance",
    "decompose",
    "diagnose",
    "diarization_error_rate",
    "diarization_errors",
    "dom_q0",
    "dom_q2",
    "element_centric_similarity",
    "element_consistency",
    "entropy",
    "estimate_from_sample",
    "expected_loss",
    "expected_mutual_information",
    "expected_pair_sets",
    "expected_rand_index",
    "extended_b_cubed",
    "f_measure",
    "fowlkes_mallows",
    "free_scratch",
    "from_sums",
    "goodman_kruskal_lambda",
    "goodman_kruskal_tau",
    "homogeneity",
    "hubert_gamma",
    "induced_clustering",
    "induced_subgraph",
    "information_distance",
    "interop",
    "inverse_purity",
    "jaccard",
    "jaccard_error_rate",
    "jackknife",
    "join",
    "joint_entropy",
    "kulczynski",
    "larsen_aone",
    "majority_vote",
    "mallows_distance",
    "match_clusters",
    "measure",
    "medoid",
    "meet",
    "merge_distance",
    "merge_entropy",
    "merge_subcomponents",
    "micro_precision",
    "micro_recall",
    "mirkin",
    "misclassification_index",
    "modified_adjusted_rand_index",
    "mutual_information",
    "normalized_clustering_accuracy",
    "normalized_information_distance",
    "normalized_mutual_information",
    "normalized_pivoted_accuracy",
    "normalized_variation_of_information",
    "null_distribution",
    "nvi",
    "nvi_k",
    "object_average_precision",
    "object_matches",
    "omega_index",
    "overlapping_mutual_information",
    "pair_confusion",
    "pair_count_moments",
    "pair_f1",
    "pair_precision",
    "pair_recall",
    "pair_sets_distance",
    "pair_sets_index",
    "paired_test",
    "pairwise",
    "panoptic_quality",
    "point_estimate",
    "purity",
    "rand_index",
    "read",
    "reduced_mutual_information",
    "refines",
    "report_page",
    "rogers_tanimoto",
    "russell_rao",
    "s_entropy",
    "s_mse",
    "scale",
    "score_many",
    "set_matching",
    "set_workers",
    "show_config",
    "significance",
    "similarity_matrix",
    "soft_contingency",
    "soft_mutual_information",
    "soft_normalized_mutual_information",
    "soft_normalized_variation_of_information",
    "soft_variation_of_information",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sokal_sneath_3",
    "solvers",
    "split_entropy",
    "split_join",
    "split_merge",
    "split_subcomponents",
    "stability",
    "standardized_mutual_information",
    "standardized_rand_index",
    "sweep",
    "talburt_wang_index",
    "tschuprow_t",
    "uncertainty_coefficient",
    "v_measure",
    "van_dongen",
    "variation_of_information",
    "vi_similarity_log_k",
    "vi_similarity_log_n",
    "wallace",
    "worst_clustering",
]

#: Where the public names live. A module is loaded when one of its names is first asked for, so
#: that importing partwise costs next to nothing. Type checkers read ``__init__.pyi``, which
#: ``python -m typing_tests.stubs`` writes.
_MODULES = {
    "installation": "config show_config",
    "_kernels.workers": "free_scratch set_workers",
    "labels": "Account Clustering",
    "labels.covers.cover": "Cover",
    "labels.files.read": "read",
    "labels.hierarchies.hierarchy": "Hierarchy",
    "labels.notes": "InputWarning",
    "table.alignment": "Alignment align",
    "table.components": "Components",
    "table.contingency": "Contingency",
    "table.count": "contingency",
    "table.structures": (
        "bipartite_graph components induced_clustering induced_subgraph join meet "
        "merge_subcomponents refines split_subcomponents"
    ),
    "measures.catalogue": "catalogue",
    "measures.centroids.centroid_indices": (
        "centroid_index centroid_index_one_way centroid_ratio centroid_similarity_index"
    ),
    "measures.centroids.centroids": "centroids",
    "measures.chance.adjusted": (
        "adjust adjusted_mutual_information adjusted_variation_of_information"
    ),
    "measures.chance.expected": "expected_mutual_information expected_rand_index",
    "measures.covers.average_f1": "AverageF1 average_f1",
    "measures.covers.extended_b_cubed": "ExtendedBCubed extended_b_cubed",
    "measures.covers.information": "overlapping_mutual_information",
    "measures.covers.omega": "omega_index",
    "measures.hierarchies.b_k": "CutSimilarities b_k",
    "measures.hierarchies.correlations": "baker_gamma cophenetic_correlation",
    "measures.entry": "Computation Measure",
    "measures.extremes": "best_clustering worst_clustering",
    "measures.information.homogeneity": (
        "cluster_entropy completeness dom_q0 dom_q2 homogeneity v_measure"
    ),
    "measures.information.information": (
        "conditional_entropy entropy joint_entropy mutual_information "
        "normalized_mutual_information"
    ),
    "measures.information.soft": (
        "soft_contingency soft_mutual_information soft_normalized_mutual_information "
        "soft_normalized_variation_of_information soft_variation_of_information"
    ),
    "measures.information.variation": (
        "normalized_variation_of_information nvi nvi_k variation_of_information "
        "vi_similarity_log_k vi_similarity_log_n"
    ),
    "measures.overlap.b_cubed": (
        "b_cubed b_cubed_f1 b_cubed_precision b_cubed_recall cluster_f1 cluster_precision "
        "cluster_recall"
    ),
    "measures.overlap.cluster_similarity": "cluster_similarity_matrix",
    "measures.overlap.pair_sets": "expected_pair_sets pair_sets_distance pair_sets_index",
    "measures.overlap.pairing": (
        "classification_accuracy match_clusters misclassification_index"
    ),
    "measures.overlap.purity": (
        "inverse_purity micro_precision micro_recall purity split_join van_dongen"
    ),
    "measures.overlap.set_similarity": "criterion_h f_measure larsen_aone set_matching",
    "measures.pairs.pair_coefficients": (
        "adapted_rand_error adjusted_fowlkes_mallows kulczynski rogers_tanimoto "
        "russell_rao sokal_sneath_1 sokal_sneath_2 sokal_sneath_3"
    ),
    "measures.pairs.pair_indices": (
        "adjusted_rand_index fowlkes_mallows hubert_gamma jaccard mirkin rand_index"
    ),
    "measures.pairs.pair_precision_recall": "pair_f1 pair_precision pair_recall wallace",
    "measures.pairs.pairs": "pair_confusion",
    "measures.pairs.permutation_moments": "pair_count_moments standardized_rand_index",
    "measures.association.chi_squared": "chi_squared cramer_v tschuprow_t",
    "measures.association.goodman_kruskal": "goodman_kruskal_lambda goodman_kruskal_tau",
    "measures.information.distance": (
        "information_distance merge_entropy normalized_information_distance split_entropy "
        "uncertainty_coefficient"
    ),
    "measures.information.reduced": "reduced_mutual_information",
    "measures.overlap.accuracies": "normalized_clustering_accuracy normalized_pivoted_accuracy",
    "measures.overlap.closest_cluster": (
        "closest_cluster closest_cluster_f1 closest_cluster_precision closest_cluster_recall"
    ),
    "measures.overlap.element_centric": "element_centric_similarity",
    "measures.overlap.talburt_wang": "talburt_wang_index",
    "measures.pairs.modified_rand": "modified_adjusted_rand_index",
    "measures.segmentation.diarization": (
        "diarization_error_rate diarization_errors jaccard_error_rate"
    ),
    "measures.segmentation.objects": "object_average_precision object_matches panoptic_quality",
    "measures.split_merge.merge_distance": "merge_distance",
    "measures.register": "measure",
    "measures.split_merge.split_merge": "s_entropy s_mse split_merge",
    "measures.split_merge.subcomponent_checks": "SubcomponentCheck check_subcomponent_score",
    "measures.transport.css": "css_distance",
    "measures.transport.transport": "mallows_distance",
    "report.page.render": "ReportPage",
    "scoring.compare": "compare pairwise score_many",
    "scoring.consistency": "element_consistency",
    "scoring.covers": "CoverComparison compare_covers",
    "scoring.hierarchies": "HierarchyComparison compare_hierarchies",
    "scoring.decompose": "Decomposition decompose",
    "scoring.diagnose.diagnose": "Diagnosis diagnose",
    "scoring.from_sums": "from_sums",
    "scoring.page.pair": "report_page",
    "scoring.pairwise_table": "PairwiseTable",
    "scoring.results": "Comparison ScoreTable",
    "consensus.credible_ball": "CredibleBall credible_ball",
    "consensus.expected_loss": "Medoid expected_loss medoid",
    "consensus.point_estimate": "PointEstimate point_estimate",
    "consensus.similarity": "similarity_matrix",
    "consensus.vote": "MajorityVote majority_vote",
    "inference.bootstrap": "Bootstrap bootstrap",
    "inference.draws": "Draws",
    "inference.jackknife": "Jackknife jackknife",
    "inference.null_models": "NullDistribution null_distribution",
    "inference.paired": "PairedTest paired_test",
    "inference.permutation": "Significance significance",
    "inference.sampled.estimates": "SampleEstimates estimate_from_sample",
    "inference.standardized": "StandardizedInformation standardized_mutual_information",
    "thresholds.best": "Best",
    "thresholds.result": "Sweep",
    "thresholds.stability": "Stability stability",
    "thresholds.sweep": "sweep",
}
_PACKAGES = ("coreference", "interop", "scale", "solvers")
_MODULE_OF = {
    name: f"partwise.{module}" for module, names in _MODULES.items() for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value = version("partwise")
    elif name in _PACKAGES:
        value = import_module(f"partwise.{name}")
    elif name in _MODULE_OF:
        value = getattr(import_module(_MODULE_OF[name]), name)
    else:
        raise AttributeError(f"module 'partwise' has no attribute {name!r}{_meant_by(name)}")
    globals()[name] = value
    return value


def _meant_by(name: str) -> str:
    """Return the public name of a measure that is known by another one, for an error."""
    from partwise.measures.aliases import ALIASES, plain_name

    meant = ALIASES.get(plain_name(name))
    if meant is None:
        return ""
    told = f"; here it is partwise.{meant}"
    if name.endswith("_score"):
        told += ", and scikit-learn's own names are in partwise.interop.sklearn"
    return told


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, *_PACKAGES, "__version__"})
