"""The public names of partwise for type checkers; generated, do not edit.

``python -m typing_tests.stubs`` writes this file.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Unpack, overload

from scipy.sparse import csr_array

from partwise import coreference as coreference
from partwise import interop as interop
from partwise import scale as scale
from partwise import solvers as solvers
from partwise._kernels.workers import free_scratch as free_scratch
from partwise._kernels.workers import set_workers as set_workers
from partwise.consensus.credible_ball import CredibleBall as CredibleBall
from partwise.consensus.credible_ball import credible_ball as credible_ball
from partwise.consensus.expected_loss import Medoid as Medoid
from partwise.consensus.expected_loss import expected_loss as expected_loss
from partwise.consensus.expected_loss import medoid as medoid
from partwise.consensus.point_estimate import PointEstimate as PointEstimate
from partwise.consensus.point_estimate import point_estimate as point_estimate
from partwise.consensus.similarity import similarity_matrix as similarity_matrix
from partwise.consensus.vote import MajorityVote as MajorityVote
from partwise.consensus.vote import majority_vote as majority_vote
from partwise.inference.blocks import Crossing
from partwise.inference.bootstrap import Bootstrap as Bootstrap
from partwise.inference.bootstrap import Interval, Unit
from partwise.inference.draws import Draws as Draws
from partwise.inference.jackknife import Jackknife as Jackknife
from partwise.inference.null_models import NullDistribution as NullDistribution
from partwise.inference.paired import PairedMethod
from partwise.inference.paired import PairedTest as PairedTest
from partwise.inference.permutation import Alternative
from partwise.inference.permutation import Significance as Significance
from partwise.inference.sampled.estimates import SampleEstimates as SampleEstimates
from partwise.inference.sampled.estimates import SampleInterval
from partwise.inference.standardized import StandardizedInformation as StandardizedInformation
from partwise.inference.statistics import Statistics
from partwise.installation import config as config
from partwise.installation import show_config as show_config
from partwise.labels import Account as Account
from partwise.labels import Clustering as Clustering
from partwise.labels.covers.cover import Cover as Cover
from partwise.labels.files.read import read as read
from partwise.labels.hierarchies.hierarchy import Hierarchy as Hierarchy
from partwise.labels.notes import InputWarning as InputWarning
from partwise.measures.catalogue import catalogue as catalogue
from partwise.measures.centroids.centroids import centroids as centroids
from partwise.measures.chance.adjusted import AdjustedAverage, Normalizer
from partwise.measures.chance.adjusted import adjust as adjust
from partwise.measures.chance.random_models import RandomModel, RandomSides
from partwise.measures.covers.average_f1 import AverageF1 as AverageF1
from partwise.measures.covers.average_f1 import average_f1 as average_f1
from partwise.measures.covers.extended_b_cubed import ExtendedBCubed as ExtendedBCubed
from partwise.measures.covers.extended_b_cubed import extended_b_cubed as extended_b_cubed
from partwise.measures.covers.information import (
    overlapping_mutual_information as overlapping_mutual_information,
)
from partwise.measures.covers.omega import omega_index as omega_index
from partwise.measures.entry import Computation as Computation
from partwise.measures.entry import Measure as Measure
from partwise.measures.extremes import best_clustering as best_clustering
from partwise.measures.extremes import worst_clustering as worst_clustering
from partwise.measures.hierarchies.b_k import CutSimilarities as CutSimilarities
from partwise.measures.hierarchies.b_k import b_k as b_k
from partwise.measures.hierarchies.correlations import baker_gamma as baker_gamma
from partwise.measures.hierarchies.correlations import (
    cophenetic_correlation as cophenetic_correlation,
)
from partwise.measures.information.information import Average
from partwise.measures.information.information import entropy as entropy
from partwise.measures.information.soft import soft_contingency as soft_contingency
from partwise.measures.information.soft import (
    soft_mutual_information as soft_mutual_information,
)
from partwise.measures.information.soft import (
    soft_normalized_mutual_information as soft_normalized_mutual_information,
)
from partwise.measures.information.soft import (
    soft_normalized_variation_of_information as soft_normalized_variation_of_information,
)
from partwise.measures.information.soft import (
    soft_variation_of_information as soft_variation_of_information,
)
from partwise.measures.overlap.b_cubed import b_cubed as b_cubed
from partwise.measures.overlap.closest_cluster import closest_cluster as closest_cluster
from partwise.measures.overlap.cluster_similarity import (
    cluster_similarity_matrix as cluster_similarity_matrix,
)
from partwise.measures.overlap.pair_sets import PairSimilarity
from partwise.measures.overlap.pairing import match_clusters as match_clusters
from partwise.measures.overlap.purity import split_join as split_join
from partwise.measures.overlap.set_similarity import set_matching as set_matching
from partwise.measures.pairs.pair_indices import Maximum
from partwise.measures.pairs.pairs import pair_confusion as pair_confusion
from partwise.measures.pairs.permutation_moments import pair_count_moments as pair_count_moments
from partwise.measures.register import measure as measure
from partwise.measures.segmentation.diarization import diarization_errors as diarization_errors
from partwise.measures.segmentation.objects import object_matches as object_matches
from partwise.measures.split_merge.split_merge import ClusterScore, Combination
from partwise.measures.split_merge.subcomponent_checks import (
    SubcomponentCheck as SubcomponentCheck,
)
from partwise.measures.split_merge.subcomponent_checks import (
    check_subcomponent_score as check_subcomponent_score,
)
from partwise.measures.split_merge.subcomponent_scores import ScoreFunction
from partwise.measures.transport.css import CssMetric
from partwise.measures.transport.plans import ClusterWeights
from partwise.report.page.render import ReportPage as ReportPage
from partwise.scoring.compare import compare as compare
from partwise.scoring.compare import pairwise as pairwise
from partwise.scoring.compare import score_many as score_many
from partwise.scoring.consistency import element_consistency as element_consistency
from partwise.scoring.covers import CoverComparison as CoverComparison
from partwise.scoring.covers import compare_covers as compare_covers
from partwise.scoring.decompose import Decomposition as Decomposition
from partwise.scoring.decompose import decompose as decompose
from partwise.scoring.diagnose.diagnose import Diagnosis as Diagnosis
from partwise.scoring.diagnose.diagnose import diagnose as diagnose
from partwise.scoring.from_sums import from_sums as from_sums
from partwise.scoring.hierarchies import HierarchyComparison as HierarchyComparison
from partwise.scoring.hierarchies import compare_hierarchies as compare_hierarchies
from partwise.scoring.page.pair import report_page as report_page
from partwise.scoring.pairwise_table import PairwiseTable as PairwiseTable
from partwise.scoring.results import Comparison as Comparison
from partwise.scoring.results import ScoreTable as ScoreTable
from partwise.table.alignment import Alignment as Alignment
from partwise.table.alignment import align as align
from partwise.table.arguments import Reference
from partwise.table.components import Components as Components
from partwise.table.contingency import Contingency as Contingency
from partwise.table.count import contingency as contingency
from partwise.table.structures import bipartite_graph as bipartite_graph
from partwise.table.structures import components as components
from partwise.table.structures import induced_clustering as induced_clustering
from partwise.table.structures import induced_subgraph as induced_subgraph
from partwise.table.structures import join as join
from partwise.table.structures import meet as meet
from partwise.table.structures import merge_subcomponents as merge_subcomponents
from partwise.table.structures import refines as refines
from partwise.table.structures import split_subcomponents as split_subcomponents
from partwise.thresholds.best import Best as Best
from partwise.thresholds.result import Sweep as Sweep
from partwise.thresholds.stability import Stability as Stability
from partwise.thresholds.stability import stability as stability
from partwise.thresholds.sweep import sweep as sweep
from partwise.typing import Candidate, Column, Labels, Policies

__version__: str

def adapted_rand_error(
    reference: Reference,
    candidate: Candidate = None,
    *,
    self_pairs: bool = True,
    alpha: float = 0.5,
    **policies: Unpack[Policies],
) -> float: ...
def adjusted_fowlkes_mallows(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def adjusted_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    average: AdjustedAverage = "arithmetic",
    model: RandomModel = "perm",
    sides: RandomSides = "both",
    normalizer: Normalizer = "maximum",
    **policies: Unpack[Policies],
) -> float: ...
def adjusted_rand_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    maximum: Maximum = "arithmetic",
    model: RandomModel = "perm",
    sides: RandomSides = "both",
    **policies: Unpack[Policies],
) -> float: ...
def adjusted_variation_of_information(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def b_cubed_f1(
    reference: Reference,
    candidate: Candidate = None,
    *,
    beta: float = 1.0,
    cluster_weights: Literal["size", "uniform"] = "size",
    **policies: Unpack[Policies],
) -> float: ...
def b_cubed_precision(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cluster_weights: Literal["size", "uniform"] = "size",
    **policies: Unpack[Policies],
) -> float: ...
def b_cubed_recall(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cluster_weights: Literal["size", "uniform"] = "size",
    **policies: Unpack[Policies],
) -> float: ...
def bootstrap(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Unit | None = None,
    crossing: Crossing = "error",
    interval: Interval | None = None,
    draws: int | Draws = 1000,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> Bootstrap: ...
def centroid_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    centroids: tuple[Column, Column] | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def centroid_index_one_way(
    reference: Reference,
    candidate: Candidate = None,
    *,
    centroids: tuple[Column, Column] | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def centroid_ratio(
    reference: Reference,
    candidate: Candidate = None,
    *,
    centroids: tuple[Column, Column] | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def centroid_similarity_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    centroids: tuple[Column, Column] | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def chi_squared(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def classification_accuracy(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def closest_cluster_f1(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def closest_cluster_precision(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def closest_cluster_recall(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def cluster_entropy(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def cluster_f1(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def cluster_precision(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def cluster_recall(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def completeness(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def conditional_entropy(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def cramer_v(
    reference: Reference,
    candidate: Candidate = None,
    *,
    corrected: bool = False,
    **policies: Unpack[Policies],
) -> float: ...
def criterion_h(
    reference: Reference,
    candidate: Candidate = None,
    *,
    matching: Literal["optimal", "greedy"] = "optimal",
    **policies: Unpack[Policies],
) -> float: ...
def css_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cluster_weights: ClusterWeights = "uniform",
    centroids: tuple[Column, Column] | None = None,
    distances: Any = None,
    metric: CssMetric = "euclidean",
    **policies: Unpack[Policies],
) -> float: ...
def diarization_error_rate(
    reference: Reference,
    candidate: Candidate = None,
    *,
    silence: Any = None,
    **policies: Unpack[Policies],
) -> float: ...
def dom_q0(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def dom_q2(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def element_centric_similarity(
    reference: Reference | Cover | Hierarchy,
    candidate: Candidate | Cover | Hierarchy = None,
    *,
    adjusted: bool = False,
    average: Literal["items"] | None = "items",
    alpha: float = 0.9,
    r: float = 1.0,
    levels: Literal["max", "min", "linkage", "linkage_rescaled"] = "max",
    **policies: Unpack[Policies],
) -> float: ...
def estimate_from_sample(
    prediction: Labels,
    sample: Column | Iterable[Column],
    *,
    weights: Literal["uniform", "size"] | Column | Mapping[Any, float],
    measures: str | Iterable[str] = "all",
    interval: SampleInterval = "normal",
    population_clusters: int | None = None,
    draws: int | Draws = 1000,
    seed: int | None = None,
    level: float = 0.95,
) -> SampleEstimates: ...
def expected_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    model: RandomModel = "perm",
    sides: RandomSides = "both",
    **policies: Unpack[Policies],
) -> float: ...
def expected_pair_sets(
    reference: Reference,
    candidate: Candidate = None,
    *,
    similarity: PairSimilarity = "braun_banquet",
    **policies: Unpack[Policies],
) -> float: ...
def expected_rand_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    model: RandomModel = "perm",
    sides: RandomSides = "both",
    **policies: Unpack[Policies],
) -> float: ...
def f_measure(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def fowlkes_mallows(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def goodman_kruskal_lambda(
    reference: Reference,
    candidate: Candidate = None,
    *,
    direction: Literal["reference", "candidate"] = "reference",
    **policies: Unpack[Policies],
) -> float: ...
def goodman_kruskal_tau(
    reference: Reference,
    candidate: Candidate = None,
    *,
    direction: Literal["reference", "candidate"] = "reference",
    **policies: Unpack[Policies],
) -> float: ...
def homogeneity(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def hubert_gamma(
    reference: Reference,
    candidate: Candidate = None,
    *,
    normalized: bool = True,
    **policies: Unpack[Policies],
) -> float: ...
def information_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def inverse_purity(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def jaccard(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def jaccard_error_rate(
    reference: Reference,
    candidate: Candidate = None,
    *,
    silence: Any = None,
    mapping: Literal["jaccard", "overlap"] = "jaccard",
    **policies: Unpack[Policies],
) -> float: ...
def jackknife(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Literal["groups", "components"] | None = None,
    crossing: Crossing = "error",
    draws: Draws | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> Jackknife: ...
def joint_entropy(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def kulczynski(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def larsen_aone(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
@overload
def mallows_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cluster_weights: ClusterWeights = "uniform",
    normalize: bool = False,
    return_plan: Literal[False] = False,
    workers: int | None = None,
    p: float = 1,
    **policies: Unpack[Policies],
) -> float: ...
@overload
def mallows_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cluster_weights: ClusterWeights = "uniform",
    normalize: bool = False,
    return_plan: Literal[True],
    workers: int | None = None,
    p: float = 1,
    **policies: Unpack[Policies],
) -> tuple[float, csr_array]: ...
def merge_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    cost: str | Callable[[int, int], float] = "unit",
    split: float = 1.0,
    merge: float = 1.0,
    **policies: Unpack[Policies],
) -> float: ...
def merge_entropy(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def micro_precision(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def micro_recall(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def mirkin(
    reference: Reference,
    candidate: Candidate = None,
    *,
    normalized: bool = False,
    **policies: Unpack[Policies],
) -> float: ...
def misclassification_index(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def modified_adjusted_rand_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    raw: bool = False,
    **policies: Unpack[Policies],
) -> float: ...
def mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def normalized_clustering_accuracy(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def normalized_information_distance(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def normalized_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    average: Average = "arithmetic",
    **policies: Unpack[Policies],
) -> float: ...
def normalized_pivoted_accuracy(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def normalized_variation_of_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    norm: Literal["joint", "sum", "log_n"] = "joint",
    **policies: Unpack[Policies],
) -> float: ...
def null_distribution(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    draws: int | Draws = 1000,
    seed: int | None = None,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> NullDistribution: ...
def nvi(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def nvi_k(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def object_average_precision(
    reference: Reference,
    candidate: Candidate = None,
    *,
    background: Any = None,
    **policies: Unpack[Policies],
) -> float: ...
def pair_f1(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def pair_precision(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def pair_recall(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def pair_sets_distance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    simplified: bool = False,
    similarity: PairSimilarity = "braun_banquet",
    **policies: Unpack[Policies],
) -> float: ...
def pair_sets_index(
    reference: Reference,
    candidate: Candidate = None,
    *,
    simplified: bool = False,
    similarity: PairSimilarity = "braun_banquet",
    clipped: bool = True,
    **policies: Unpack[Policies],
) -> float: ...
def paired_test(
    reference: Labels,
    system1: Labels,
    system2: Labels,
    *,
    measure: Statistics,
    groups: Labels | None = None,
    by: Unit | None = None,
    method: PairedMethod | None = None,
    crossing: Crossing = "error",
    draws: int | Draws = 1999,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> PairedTest: ...
def panoptic_quality(
    reference: Reference,
    candidate: Candidate = None,
    *,
    threshold: float = 0.5,
    background: Any = None,
    **policies: Unpack[Policies],
) -> float: ...
def purity(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def rand_index(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def reduced_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    model: Literal["flat", "dirichlet"] = "flat",
    count: Literal["ec", "newman", "exact"] = "ec",
    normalizer: Literal["reference"] | None = None,
    base: float | None = None,
    bounds: Any = None,
    **policies: Unpack[Policies],
) -> float: ...
def rogers_tanimoto(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def russell_rao(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def s_entropy(
    reference: Reference,
    candidate: Candidate = None,
    *,
    combine: Combination = "product",
    **policies: Unpack[Policies],
) -> float: ...
def s_mse(
    reference: Reference,
    candidate: Candidate = None,
    *,
    combine: Combination = "product",
    **policies: Unpack[Policies],
) -> float: ...
def significance(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measure: Statistics,
    alternative: Alternative = "agreement",
    direction: Literal["higher", "lower"] | None = None,
    best: float | None = None,
    draws: int | Draws = 999,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> Significance: ...
def sokal_sneath_1(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def sokal_sneath_2(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def sokal_sneath_3(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def split_entropy(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def split_merge(
    reference: Reference,
    candidate: Candidate = None,
    *,
    score: ClusterScore | ScoreFunction = "entropy",
    combine: Combination | Callable[..., Any] = "product",
    k: int | None = None,
    distances: Any = None,
    **policies: Unpack[Policies],
) -> float: ...
def standardized_mutual_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    draws: int | Draws = 1000,
    seed: int | None = None,
    workers: int | None = None,
    **policies: Unpack[Policies],
) -> StandardizedInformation: ...
def standardized_rand_index(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def talburt_wang_index(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def tschuprow_t(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def uncertainty_coefficient(
    reference: Reference,
    candidate: Candidate = None,
    *,
    direction: Literal["reference", "candidate"] = "reference",
    **policies: Unpack[Policies],
) -> float: ...
def v_measure(
    reference: Reference,
    candidate: Candidate = None,
    *,
    beta: float = 1.0,
    **policies: Unpack[Policies],
) -> float: ...
def van_dongen(
    reference: Reference,
    candidate: Candidate = None,
    *,
    normalized: bool = False,
    **policies: Unpack[Policies],
) -> float: ...
def variation_of_information(
    reference: Reference,
    candidate: Candidate = None,
    *,
    base: float | None = None,
    **policies: Unpack[Policies],
) -> float: ...
def vi_similarity_log_k(
    reference: Reference, candidate: Candidate = None, *, k: int, **policies: Unpack[Policies]
) -> float: ...
def vi_similarity_log_n(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> float: ...
def wallace(
    reference: Reference,
    candidate: Candidate = None,
    *,
    direction: Literal["reference", "candidate"] = "reference",
    adjusted: bool = False,
    **policies: Unpack[Policies],
) -> float: ...

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
