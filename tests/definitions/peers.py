"""Functions of other packages that are defined as entries of the catalogue are.

``functions(package)`` lists the name of the entry, what it is called there, and a function of
two lists of labels; ``installed`` says whether a package is there.
"""

import importlib.util
import math

import numpy as np

MEANS = ("min", "geometric", "arithmetic", "max")


def scikit_learn():
    from sklearn import metrics

    yield "rand_index", "rand_score", metrics.rand_score
    yield "adjusted_rand_index", "adjusted_rand_score", metrics.adjusted_rand_score
    yield "fowlkes_mallows", "fowlkes_mallows_score", metrics.fowlkes_mallows_score
    yield "mutual_information", "mutual_info_score", metrics.mutual_info_score
    yield "homogeneity", "homogeneity_score", metrics.homogeneity_score
    yield "completeness", "completeness_score", metrics.completeness_score
    for beta in ("0.5", "2"):
        called = f"v_measure_score(beta={beta})"

        def v_measure(a, b, beta=float(beta)):
            return metrics.v_measure_score(a, b, beta=beta)

        yield f"v_measure(beta={beta})", called, v_measure
    yield "v_measure", "v_measure_score", metrics.v_measure_score
    for mean in MEANS:

        def normalized(a, b, mean=mean):
            return metrics.normalized_mutual_info_score(a, b, average_method=mean)

        def adjusted(a, b, mean=mean):
            return metrics.adjusted_mutual_info_score(a, b, average_method=mean)

        option = "" if mean == "arithmetic" else f"(average={mean})"
        there = f"mutual_info_score(average_method={mean!r})"
        yield f"normalized_mutual_information{option}", f"normalized_{there}", normalized
        yield f"adjusted_mutual_information{option}", f"adjusted_{there}", adjusted


def igraph():
    import igraph as package

    names = {
        "vi": "variation_of_information",
        "nmi": "normalized_mutual_information",
        "split-join": "van_dongen",
        "rand": "rand_index",
        "adjusted_rand": "adjusted_rand_index",
    }
    for method, name in names.items():

        def compared(a, b, method=method):
            return package.compare_communities(a, b, method=method)

        yield name, f"compare_communities(method={method!r})", compared


def genieclust():
    from genieclust import compare_partitions as package

    names = {
        "rand_score": "rand_index",
        "adjusted_rand_score": "adjusted_rand_index",
        "fm_score": "fowlkes_mallows",
        "adjusted_fm_score": "adjusted_fowlkes_mallows",
        "mi_score": "mutual_information",
        "normalized_mi_score": "normalized_mutual_information",
        "adjusted_mi_score": "adjusted_mutual_information",
        "pair_sets_index": "pair_sets_index",
        "normalized_clustering_accuracy": "normalized_clustering_accuracy",
        "normalized_pivoted_accuracy": "normalized_pivoted_accuracy",
    }
    for there, name in names.items():
        yield name, there, getattr(package, there)


def scipy():
    from scipy.optimize import linear_sum_assignment
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    def table(a, b):
        counts = np.zeros((len(set(a)), len(set(b))), dtype=np.int64)
        places = ({x: i for i, x in enumerate(sorted(set(side)))} for side in (a, b))
        rows, cols = places
        for x, y in zip(a, b, strict=True):
            counts[rows[x], cols[y]] += 1
        return counts

    def chi_squared(a, b):
        return chi2_contingency(table(a, b), correction=False).statistic

    def cramer(a, b):
        return association(table(a, b), method="cramer")

    def tschuprow(a, b):
        return association(table(a, b), method="tschuprow")

    def assigned(a, b):
        counts = table(a, b)
        return counts[linear_sum_assignment(counts, maximize=True)].sum() / len(a)

    yield "classification_accuracy", "linear_sum_assignment of the table", assigned
    yield "chi_squared", "chi2_contingency(correction=False)", chi_squared
    yield "cramer_v", 'association(method="cramer")', cramer
    yield "tschuprow_t", 'association(method="tschuprow")', tschuprow


def pot():
    import ot

    def distance(a, b, sizes=False):
        columns = [[[x == name for x in side] for name in sorted(set(side))] for side in (a, b)]
        left, right = (np.array(side, dtype=float) for side in columns)
        costs = np.abs(left[:, None, :] - right[None, :, :]).sum(axis=2)
        weights = [
            side.sum(axis=1) / len(a) if sizes else np.full(len(side), 1 / len(side))
            for side in (left, right)
        ]
        return ot.emd2(*weights, costs)

    def by_sizes(a, b):
        return distance(a, b, sizes=True)

    yield "mallows_distance", "emd2 of 0/1 columns", distance
    yield "mallows_distance(cluster_weights=size)", "emd2 weighted by sizes", by_sizes


def clusim():
    from clusim import sim
    from clusim.clustering import Clustering

    names = {
        "rand_index": "rand_index",
        "adjrand_index": "adjusted_rand_index",
        "jaccard_index": "jaccard",
        "fowlkes_mallows_index": "fowlkes_mallows",
        "czekanowski_index": "pair_f1",
        "fmeasure": "pair_f1",
        "rogers_tanimoto_index": "rogers_tanimoto",
        "nmi": "normalized_mutual_information",
        "adj_mi": "adjusted_mutual_information",
        "vi": "variation_of_information",
        "element_sim": "element_centric_similarity",
    }

    def calling(there, **options):
        def compared(a, b):
            sides = [Clustering().from_membership_list(list(side)) for side in (a, b)]
            value = getattr(sim, there)(*sides, **options)
            return value * math.log(2) if there == "vi" else value  # bits there

        return compared

    for there, name in names.items():
        yield name, f"sim.{there}", calling(there)
    for mean, there in {"geometric": "sqrt", "min": "min", "max": "max"}.items():
        nmi, ami = "normalized_mutual_information", "adjusted_mutual_information"
        yield f"{nmi}(average={mean})", f"sim.nmi({there})", calling("nmi", norm_type=there)
        yield (
            f"{ami}(average={mean})",
            f"sim.adj_mi({there})",
            calling("adj_mi", norm_type=there),
        )


def scikit_image():
    from skimage import metrics

    def image(labels):  # 0 is ignored by default there
        return np.array([labels]) + 1

    def error(a, b):
        return metrics.adapted_rand_error(image(a), image(b))[0]

    def split(a, b):  # bits there
        return metrics.variation_of_information(image(a), image(b))[0] * math.log(2)

    def merge(a, b):
        return metrics.variation_of_information(image(a), image(b))[1] * math.log(2)

    yield "adapted_rand_error(self_pairs=False)", "adapted_rand_error, error", error
    yield "split_entropy", "variation_of_information, first", split
    yield "merge_entropy", "variation_of_information, second", merge


def clustering_mi():
    from clustering_mi import mutual_information

    def flat(a, b):
        return mutual_information(a, b, variation="reduced_flat") * math.log(2)

    yield "reduced_mutual_information", 'mutual_information(variation="reduced_flat")', flat


def er_evaluation():
    import pandas
    from er_evaluation import metrics

    names = {
        "pairwise_precision": "pair_precision",
        "pairwise_recall": "pair_recall",
        "pairwise_f": "pair_f1",
        "b_cubed_precision": "b_cubed_precision(cluster_weights=uniform)",
        "b_cubed_recall": "b_cubed_recall(cluster_weights=uniform)",
        "cluster_precision": "cluster_precision",
        "cluster_recall": "cluster_recall",
        "cluster_f": "cluster_f1",
        "cluster_homogeneity": "homogeneity",
        "cluster_completeness": "completeness",
        "cluster_v_measure": "v_measure",
        "rand_score": "rand_index",
        "adjusted_rand_score": "adjusted_rand_index",
    }
    for there, name in names.items():

        def compared(a, b, there=there):
            reference, prediction = (pandas.Series(list(side)) for side in (a, b))
            return getattr(metrics, there)(prediction, reference)

        yield name, f"metrics.{there}", compared


PEERS = {
    "scikit-learn": ("sklearn", scikit_learn),
    "igraph": ("igraph", igraph),
    "genieclust": ("genieclust", genieclust),
    "SciPy": ("scipy", scipy),
    "POT": ("ot", pot),
    "clusim": ("clusim", clusim),
    "scikit-image": ("skimage", scikit_image),
    "clustering-mi": ("clustering_mi", clustering_mi),
    "er-evaluation": ("er_evaluation", er_evaluation),
}


def installed(package):
    return importlib.util.find_spec(PEERS[package][0]) is not None


def functions(package):
    return list(PEERS[package][1]())
