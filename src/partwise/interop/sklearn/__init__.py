"""scikit-learn's supervised clustering metrics: its names, signatures, values and refusals.

Change one import, and code that scores clusterings with scikit-learn runs on partwise::

    from partwise.interop.sklearn import adjusted_rand_score, v_measure_score

The functions work in ``make_scorer`` and ``GridSearchCV``. scikit-learn itself is not needed.
Labels are taken by position, an index of pandas or items of partwise play no part. What
partwise decides otherwise is decided here as scikit-learn does: NaN and infinity are refused,
``entropy([])`` is 1, and ``fowlkes_mallows_score`` is 0 where no pair is together.
"""

from partwise.interop.sklearn.checks import InvalidParameterError, check_clusterings
from partwise.interop.sklearn.counts import contingency_matrix
from partwise.interop.sklearn.information import (
    adjusted_mutual_info_score,
    completeness_score,
    entropy,
    expected_mutual_information,
    homogeneity_completeness_v_measure,
    homogeneity_score,
    mutual_info_score,
    normalized_mutual_info_score,
    v_measure_score,
)
from partwise.interop.sklearn.pairs import (
    adjusted_rand_score,
    fowlkes_mallows_score,
    pair_confusion_matrix,
    rand_score,
)

__all__ = [
    "InvalidParameterError",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "check_clusterings",
    "completeness_score",
    "contingency_matrix",
    "entropy",
    "expected_mutual_information",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "v_measure_score",
]
