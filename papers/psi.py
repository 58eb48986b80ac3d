"""The experiments of the PSI paper (TKDE 2016, sections 4 and 7.2 to 7.8).

What the paper says of its measures and what does not hold:

- Theorem 1, AMI = NMI = NVI = AVI, is false: for {01}{23}{45} against {01}{25}{34} AMI is 1/6
  and NMI 0.579. True are AVI = AMI (arithmetic mean) and 1 - NVI = NMI (arithmetic mean).
- "ARI is bounded by zero" is false (it reaches -1/2 for four items), and so are "Rand of random
  partitions is 0.5" and "purity is the classification accuracy" (1 against 1/2 for {01}{23}
  against singletons).
- In the centroid ratio the subscripts are lost; D_ij^2 > D_i D_j, the reading taken here, is a
  guess from the first definition of that ratio.
- Its F-measure sums over the clusters of the candidate, which is ``f_measure`` with the
  arguments exchanged; its NVI is VI / (H(P) + H(G)), not ``nvi``.
- The supplement's proof that PSI's distance is a metric concerns the simplified form; the full
  form breaks the triangle inequality.
"""

from papers.psi_applied import (
    unbalance,
    unbalance_k_means,
    unbalance_single_link,
)
from papers.psi_indexes import INDEXES, index_values
from papers.psi_matching import too_few_too_many
from papers.psi_partitions import (
    cluster_similarities,
    enlarged_first,
    enlarged_second,
    growing_error,
    purity_exchanged,
    random_labels,
)
from papers.psi_points import dimensionality, expected_overlap, overlap
from papers.psi_sizes import READINGS, number_of_clusters, size_imbalance
from papers.psi_stability import stability
from papers.psi_statements import statements
from papers.psi_yeast import YEAST, yeast

__all__ = [
    "INDEXES",
    "READINGS",
    "YEAST",
    "cluster_similarities",
    "dimensionality",
    "enlarged_first",
    "enlarged_second",
    "expected_overlap",
    "growing_error",
    "index_values",
    "number_of_clusters",
    "overlap",
    "purity_exchanged",
    "random_labels",
    "size_imbalance",
    "stability",
    "statements",
    "too_few_too_many",
    "unbalance",
    "unbalance_k_means",
    "unbalance_single_link",
    "yeast",
]
