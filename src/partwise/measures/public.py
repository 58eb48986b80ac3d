"""The public measures and what stands beside them, module by module."""

from partwise.measures.association import chi_squared as chi_squared_module
from partwise.measures.association import goodman_kruskal as goodman_kruskal_module
from partwise.measures.association.chi_squared import *
from partwise.measures.association.goodman_kruskal import *
from partwise.measures.centroids import centroid_indices as centroid_indices_module
from partwise.measures.centroids import centroids as centroids_module
from partwise.measures.centroids.centroid_indices import *
from partwise.measures.centroids.centroids import *
from partwise.measures.chance import adjusted as adjusted_module
from partwise.measures.chance import expected as expected_module
from partwise.measures.chance.adjusted import *
from partwise.measures.chance.expected import *
from partwise.measures.information import distance as distance_module
from partwise.measures.information import homogeneity as homogeneity_module
from partwise.measures.information import information as information_module
from partwise.measures.information import reduced as reduced_module
from partwise.measures.information import soft as soft_module
from partwise.measures.information import variation as variation_module
from partwise.measures.information.distance import *
from partwise.measures.information.homogeneity import *
from partwise.measures.information.information import *
from partwise.measures.information.reduced import *
from partwise.measures.information.soft import *
from partwise.measures.information.variation import *
from partwise.measures.overlap import accuracies as accuracies_module
from partwise.measures.overlap import b_cubed as b_cubed_module
from partwise.measures.overlap import closest_cluster as closest_cluster_module
from partwise.measures.overlap import cluster_similarity as cluster_similarity_module
from partwise.measures.overlap import element_centric as element_centric_module
from partwise.measures.overlap import pair_sets as pair_sets_module
from partwise.measures.overlap import pairing as pairing_module
from partwise.measures.overlap import purity as purity_module
from partwise.measures.overlap import set_similarity as set_similarity_module
from partwise.measures.overlap import talburt_wang as talburt_wang_module
from partwise.measures.overlap.accuracies import *
from partwise.measures.overlap.b_cubed import *
from partwise.measures.overlap.closest_cluster import *
from partwise.measures.overlap.cluster_similarity import *
from partwise.measures.overlap.element_centric import *
from partwise.measures.overlap.pair_sets import *
from partwise.measures.overlap.pairing import *
from partwise.measures.overlap.purity import *
from partwise.measures.overlap.set_similarity import *
from partwise.measures.overlap.talburt_wang import *
from partwise.measures.pairs import modified_rand as modified_rand_module
from partwise.measures.pairs import pair_coefficients as pair_coefficients_module
from partwise.measures.pairs import pair_indices as pair_indices_module
from partwise.measures.pairs import pair_precision_recall as pair_precision_recall_module
from partwise.measures.pairs import pairs as pairs_module
from partwise.measures.pairs import permutation_moments as permutation_moments_module
from partwise.measures.pairs.modified_rand import *
from partwise.measures.pairs.pair_coefficients import *
from partwise.measures.pairs.pair_indices import *
from partwise.measures.pairs.pair_precision_recall import *
from partwise.measures.pairs.pairs import *
from partwise.measures.pairs.permutation_moments import *
from partwise.measures.segmentation import diarization as diarization_module
from partwise.measures.segmentation import objects as objects_module
from partwise.measures.segmentation.diarization import *
from partwise.measures.segmentation.objects import *
from partwise.measures.split_merge import merge_distance as merge_distance_module
from partwise.measures.split_merge import split_merge as split_merge_module
from partwise.measures.split_merge import subcomponent_checks as subcomponent_checks_module
from partwise.measures.split_merge.merge_distance import *
from partwise.measures.split_merge.split_merge import *
from partwise.measures.split_merge.subcomponent_checks import *
from partwise.measures.transport import css as css_module
from partwise.measures.transport import transport as transport_module
from partwise.measures.transport.css import *
from partwise.measures.transport.transport import *

__all__ = [
    *centroid_indices_module.__all__,
    *centroids_module.__all__,
    *adjusted_module.__all__,
    *expected_module.__all__,
    *homogeneity_module.__all__,
    *information_module.__all__,
    *soft_module.__all__,
    *variation_module.__all__,
    *b_cubed_module.__all__,
    *cluster_similarity_module.__all__,
    *pair_sets_module.__all__,
    *pairing_module.__all__,
    *purity_module.__all__,
    *set_similarity_module.__all__,
    *pair_coefficients_module.__all__,
    *pair_indices_module.__all__,
    *pair_precision_recall_module.__all__,
    *pairs_module.__all__,
    *permutation_moments_module.__all__,
    *split_merge_module.__all__,
    *subcomponent_checks_module.__all__,
    *css_module.__all__,
    *transport_module.__all__,
    *chi_squared_module.__all__,
    *goodman_kruskal_module.__all__,
    *distance_module.__all__,
    *reduced_module.__all__,
    *accuracies_module.__all__,
    *closest_cluster_module.__all__,
    *element_centric_module.__all__,
    *talburt_wang_module.__all__,
    *modified_rand_module.__all__,
    *diarization_module.__all__,
    *objects_module.__all__,
    *merge_distance_module.__all__,
]
