"""partwise: compare clusterings.

Two clusterings of the same items go in; agreement measures, the structure of the disagreement
and an account of what was compared come out. ``compare`` is the way in.
"""

from partwise.catalogue import Measure, catalogue
from partwise.comparison import Comparison, ScoreTable, compare, pairwise, score_many
from partwise.components import Components
from partwise.config import config, show_config
from partwise.contingency import Contingency, contingency
from partwise.labels import Account, Alignment, Clustering, align
from partwise.measures.information import (
    completeness,
    conditional_entropy,
    entropy,
    homogeneity,
    joint_entropy,
    mutual_information,
    normalized_mutual_information,
    normalized_variation_of_information,
    nvi,
    nvi_k,
    v_measure,
    variation_of_information,
    vi_similarity_log_k,
    vi_similarity_log_n,
)
from partwise.measures.matching import inverse_purity, purity, van_dongen
from partwise.measures.pairs import (
    adjusted_rand_index,
    fowlkes_mallows,
    hubert_gamma,
    jaccard,
    mirkin,
    pair_confusion,
    rand_index,
)
from partwise.measures.split_merge import s_entropy
from partwise.reading import read
from partwise.structures import (
    bipartite_graph,
    components,
    induced_clustering,
    join,
    meet,
    merge_subcomponents,
    refines,
    split_subcomponents,
)

__version__ = config()["version"]

__all__ = [
    "Account",
    "Alignment",
    "Clustering",
    "Comparison",
    "Components",
    "Contingency",
    "Measure",
    "ScoreTable",
    "adjusted_rand_index",
    "align",
    "bipartite_graph",
    "catalogue",
    "compare",
    "completeness",
    "components",
    "conditional_entropy",
    "config",
    "contingency",
    "entropy",
    "fowlkes_mallows",
    "homogeneity",
    "hubert_gamma",
    "induced_clustering",
    "inverse_purity",
    "jaccard",
    "join",
    "joint_entropy",
    "meet",
    "merge_subcomponents",
    "mirkin",
    "mutual_information",
    "normalized_mutual_information",
    "normalized_variation_of_information",
    "nvi",
    "nvi_k",
    "pair_confusion",
    "pairwise",
    "purity",
    "rand_index",
    "read",
    "refines",
    "s_entropy",
    "score_many",
    "show_config",
    "split_subcomponents",
    "v_measure",
    "van_dongen",
    "variation_of_information",
    "vi_similarity_log_k",
    "vi_similarity_log_n",
]
