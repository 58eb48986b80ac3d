"""Other names of measures, as people write them in text; results carry the entry's own name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: The one table: other name -> entry of the catalogue. Capitals, and "-" or blanks for "_",
#: make no difference. ``nmi`` and ``ami`` mean the arithmetic average, as in scikit-learn.
ALIASES = {
    # short names of papers and tools
    "ari": "adjusted_rand_index",
    "ri": "rand_index",
    "mi": "mutual_information",
    "nmi": "normalized_mutual_information",
    "ami": "adjusted_mutual_information",
    "emi": "expected_mutual_information",
    "vi": "variation_of_information",
    "voi": "variation_of_information",
    "avi": "adjusted_variation_of_information",
    "fmi": "fowlkes_mallows",
    "afmi": "adjusted_fowlkes_mallows",
    "psi": "pair_sets_index",
    "acc": "classification_accuracy",
    "are": "adapted_rand_error",
    # longer forms of the same names
    "rand": "rand_index",
    "adjusted_rand": "adjusted_rand_index",
    "mutual_info": "mutual_information",
    "normalized_mutual_info": "normalized_mutual_information",
    "adjusted_mutual_info": "adjusted_mutual_information",
    "fowlkes_mallows_index": "fowlkes_mallows",
    "jaccard_index": "jaccard",
    "jaccard_coefficient": "jaccard",
    "mirkin_distance": "mirkin",
    "mirkin_metric": "mirkin",
    "clustering_accuracy": "classification_accuracy",
    "pairwise_precision": "pair_precision",
    "pairwise_recall": "pair_recall",
    "pairwise_f1": "pair_f1",
    "split_join": "van_dongen",
    "split_join_distance": "van_dongen",
    "mallows": "mallows_distance",
    "css": "css_distance",
    # scikit-learn
    "rand_score": "rand_index",
    "adjusted_rand_score": "adjusted_rand_index",
    "mutual_info_score": "mutual_information",
    "normalized_mutual_info_score": "normalized_mutual_information",
    "adjusted_mutual_info_score": "adjusted_mutual_information",
    "fowlkes_mallows_score": "fowlkes_mallows",
    "homogeneity_score": "homogeneity",
    "completeness_score": "completeness",
    "v_measure_score": "v_measure",
}


def plain_name(name: str) -> str:
    """Return a name in small letters, with "_" between its words."""
    return "_".join(name.strip().lower().replace("-", " ").split())


def split_names(text: str) -> list[str]:
    """Split names at the commas outside parentheses.

    Examples
    --------
    >>> split_names("purity, wallace(direction=candidate, adjusted=True)")
    ['purity', 'wallace(direction=candidate, adjusted=True)']
    """
    names, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += character
    return [name.strip() for name in names if name.strip()]


def takes(word: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function say which of ``measure=`` and ``measures=`` it takes, given the other."""
    other = {"measure": "measures", "measures": "measure"}[word]

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*arguments: P.args, **keywords: P.kwargs) -> R:
            if other in keywords:
                raise TypeError(f"{function.__name__} takes {word}=, not {other}=")
            return function(*arguments, **keywords)

        return called

    return decorate
