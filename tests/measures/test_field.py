"""Values of the oracle of the field: measures that other packages have, case by case.

A call of the file is an expression or prose. ``CALLS`` says which function of ours each one
means; ``ELSEWHERE`` lists what is not a measure of one table.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.measures.information.table_counts import Margins, ln_tables

FIELD = cases.load("field.json")


def pairs_cost(x, y):
    return x * y


def reduced(a, b):
    values = [pw.reduced_mutual_information(a, b, count=count) for count in ("ec", "newman")]
    if len(a) >= 60:  # more tables than can be counted: the file has no value
        with pytest.raises(ValueError, match='take count="ec"'):
            pw.reduced_mutual_information(a, b, count="exact")
        return [math.nan, *values]
    return [pw.reduced_mutual_information(a, b, count="exact"), *values]


def matches(threshold):
    def matched(a, b):
        result = pw.object_matches(a, b, threshold=threshold, background=0)
        assert result.panoptic_quality == pytest.approx(
            pw.panoptic_quality(a, b, threshold=threshold, background=0), nan_ok=True
        )
        return {
            "tp": result.true_positives,
            "fp": result.false_positives,
            "fn": result.false_negatives,
            "precision": result.precision,
            "recall": result.recall,
            "f1": result.f1,
            "accuracy": result.accuracy,
            "segmentation_quality": result.segmentation_quality,
            "panoptic_quality": result.panoptic_quality,
        }

    return matched


def diarization(a, b, weights):
    parts = pw.diarization_errors(a, b, weights=weights, silence=0)
    rate = pw.diarization_error_rate(a, b, weights=weights, silence=0)
    assert rate == parts.rate or (math.isnan(rate) and math.isnan(parts.rate))
    return [parts.rate, parts.missed, parts.false_alarm, parts.confusion, parts.total]


def closest(a, b):
    scores = pw.closest_cluster(a, b)
    return [scores.precision, scores.recall, scores.f1]


def equal_clusters(a, b):
    scores = pw.b_cubed(a, b, weights="clusters")
    uniform = {"cluster_weights": "uniform"}
    assert scores.f1 == pw.b_cubed_f1(a, b, **uniform)
    return [pw.b_cubed_precision(a, b, **uniform), pw.b_cubed_recall(a, b, **uniform)]


def tables(a, b):
    """Number, its exact logarithm, both counts by effective columns, Newman's."""
    rows, cols = np.array(a), np.array(b)
    margins = Margins(rows, cols)
    exact = as_nats(ln_tables(margins, "exact"))
    return [
        round(math.exp(exact)),
        exact,
        as_nats(ln_tables(margins, "ec")),
        as_nats(ln_tables(Margins(cols, rows), "ec")),
        as_nats(ln_tables(margins, "newman")),
    ]


def as_nats(value):
    return value / 2**120 if isinstance(value, int) else value


#: The expressions of the file, and its prose.
CALLS = {
    "element_centric_similarity(a, b)": pw.element_centric_similarity,
    "element_centric_similarity(a, b, average=None)": lambda a, b: list(
        pw.element_centric_similarity(a, b, average=None)
    ),
    "element_consistency(many)": lambda a, _: list(pw.element_consistency(a)),
    "conditional_entropy of b given a: vi_split(a, b)": pw.split_entropy,
    "conditional_entropy of a given b: vi_merge(a, b)": pw.merge_entropy,
    "split_join(a, b)  [a onto b, b onto a]": lambda a, b: [
        *(pw.split_join(a, b).split, pw.split_join(a, b).join)
    ],
    "information_distance(a, b)": pw.information_distance,
    "normalized_information_distance(a, b)": pw.normalized_information_distance,
    "modified_adjusted_rand_index(a, b)": pw.modified_adjusted_rand_index,
    "modified_adjusted_rand_index(a, b, raw=True)": lambda a, b: (
        pw.modified_adjusted_rand_index(a, b, raw=True)
    ),
    "chi_squared(a, b)": pw.chi_squared,
    "cramer_v(a, b)": pw.cramer_v,
    "cramer_v(a, b, corrected=True)": lambda a, b: pw.cramer_v(a, b, corrected=True),
    "tschuprow_t(a, b)": pw.tschuprow_t,
    "goodman_kruskal_tau(a, b)  [predict b]": pw.goodman_kruskal_tau,
    "goodman_kruskal_lambda(a, b)  [predict b]": pw.goodman_kruskal_lambda,
    "uncertainty_coefficient(a, b)  [predict b]": pw.uncertainty_coefficient,
    "normalized_clustering_accuracy(a, b)": pw.normalized_clustering_accuracy,
    "normalized_pivoted_accuracy(a, b)": pw.normalized_pivoted_accuracy,
    "merge_distance(a, b)  [unit costs]": pw.merge_distance,
    "merge_distance(a, b, cost=entropy)  [= VI in nats]": lambda a, b: pw.merge_distance(
        a, b, cost="entropy"
    ),
    "merge_distance(a, b, split=x*y, merge=x*y)  [= pairs split + pairs joined]": lambda a, b: (
        pw.merge_distance(a, b, cost=pairs_cost)
    ),
    "talburt_wang_index(a, b)": pw.talburt_wang_index,
    "b_cubed(a, b, weights='clusters')  [precision, recall]": equal_clusters,
    "closest_cluster(a, b)  [precision, recall, f1]": closest,
    "reduced_mutual_information(a, b, count='exact'|'ec'|'newman')  [nats, whole table]": (
        reduced
    ),
    # the file's concentrations lie in a box; without one the value differs by some 1e-4
    "reduced_mutual_information(a, b, model='dirichlet')  [b tells of a, nats]": lambda a, b: (
        pw.reduced_mutual_information(a, b, model="dirichlet", bounds=(1e-4, 1e4))
    ),
    "adapted_rand_error(a, b, alpha=1/4)": lambda a, b: pw.adapted_rand_error(
        a, b, alpha=1 / 4
    ),
    "adapted_rand_error(a, b, alpha=1/4, self_pairs=False)": lambda a, b: pw.adapted_rand_error(
        a, b, alpha=1 / 4, self_pairs=False
    ),
    "object_matches(a, b, threshold=0, background=0)": matches(0),
    "object_matches(a, b, threshold=1/2, background=0)": matches(1 / 2),
    "object_matches(a, b, threshold=3/4, background=0)": matches(3 / 4),
    "purity/inverse_purity(a, b, weights=w)": lambda a, b, weights: [
        pw.purity(a, b, weights=weights),
        pw.inverse_purity(a, b, weights=weights),
    ],
    "diarization_error_rate(a, b, weights=w, silence=0)  "
    "[rate, missed, false alarm, confusion, total]": diarization,
    "jaccard_error_rate(a, b, weights=w, silence=0)": lambda a, b, weights: (
        pw.jaccard_error_rate(a, b, weights=weights, silence=0)
    ),
    "log of the number of tables with these margins "
    "[count, exact log, EC(a,b), EC(b,a), Newman 2020]": tables,
}
#: Covers, dendrograms, one clustering for many, samples: see ``inference``.
ELSEWHERE = {"cover", "hierarchy", "posterior", "sample"}


def identical(a, b):
    return float(pw.rand_index(a, b) == 1)


def association(a, b):
    """One cluster on both sides, or on one of them."""
    return float(len(set(a)) == len(set(b)))


def corrected(a, b):
    return association(a, b) if 1 in (len(set(a)), len(set(b))) else math.nan


def no_speech(a, b):
    return 0.0 if set(b) == {0} else math.nan


#: Our choice where the file has "undefined", by the start of the call; else not a number.
UNDEFINED = {
    "modified_adjusted_rand_index(a, b)": identical,
    "modified_adjusted_rand_index(a, b, raw=True)": lambda a, b: 0.0,
    "cramer_v(a, b)": association,
    "cramer_v(a, b, corrected=True)": corrected,
    "tschuprow_t(a, b)": association,
    "normalized_clustering_accuracy(a, b)": identical,
    "uncertainty_coefficient(a, b)  [predict b]": lambda a, b: 1.0,
    "adapted_rand_error(a, b, alpha=1/4, self_pairs=False)": lambda a, b: 1 - identical(a, b),
    "diarization_error_rate(a, b, weights=w, silence=0)  "
    "[rate, missed, false alarm, confusion, total]": no_speech,
    "jaccard_error_rate(a, b, weights=w, silence=0)": no_speech,
}

#: Integers in quotients: two units in the last place, and 0 and 1 exactly.
RATIONAL = (
    *("element_centric", "element_consistency", "split_join", "modified_adjusted"),
    *("chi_squared", "goodman_kruskal", "normalized_clustering", "normalized_pivoted"),
    *("talburt", "b_cubed", "closest", "adapted", "object_matches", "purity"),
    *("diarization", "jaccard", "merge_distance(a, b)  [unit", "merge_distance(a, b, split"),
    *("cramer", "tschuprow"),
)


def numbers(value):
    """A value of the file as plain numbers: fractions where it is one."""
    if isinstance(value, list):
        return [numbers(x) for x in value]
    if isinstance(value, dict):
        return {name: numbers(x) for name, x in value.items()}
    return None if value == "undefined" else Fraction(value)


def close(call, value, wanted):
    if wanted in (0, 1) and call.startswith(RATIONAL):
        return value == wanted
    if call.startswith(RATIONAL):
        return cases.within_ulp(value, wanted)
    loose = call.startswith(("reduced", "log of"))
    relative, absolute = (1e-11, 1e-12) if loose else (1e-13, 1e-15)
    return math.isclose(value, wanted, rel_tol=relative, abs_tol=absolute)


def check(case, value, wanted):
    call = case["call"]
    if isinstance(wanted, dict):
        assert value.keys() == wanted.keys()
        for name in wanted:
            check(case, value[name], wanted[name])
    elif isinstance(wanted, list):
        assert len(value) == len(wanted)
        for one, other in zip(value, wanted, strict=True):
            check(case, one, other)
    elif wanted is None:
        ours = UNDEFINED.get(call, lambda a, b: math.nan)(case["a"], case["b"])
        assert value == ours or (math.isnan(ours) and math.isnan(value)), (value, ours)
    else:
        assert close(call, float(value), wanted), (value, float(wanted))


OURS = [case for case in FIELD if case["kind"] not in ELSEWHERE]


@pytest.mark.one_backend
def test_every_call_of_the_file_is_ours_or_elsewhere():
    assert {case["call"] for case in OURS} == set(CALLS)
    assert len(OURS) > 500


@pytest.mark.parametrize("call", CALLS)
def test_values(call):
    checked = 0
    for case in OURS:
        if case["call"] == call:
            columns = {}
            if "weights" in case:
                columns["weights"] = [float(Fraction(x)) for x in case["weights"]]
            value = CALLS[call](case["a"], case["b"], **columns)
            check(case, value, numbers(case["value"]))
            checked += 1
    assert checked


@pytest.mark.parametrize("measure", [pw.diarization_error_rate, pw.jaccard_error_rate])
def test_a_silence_of_another_type_is_refused_after_one_that_equals_it(measure):
    """What is remembered of a table for 0 does not stand for False."""
    table = pw.contingency([0, 1, 1, 2], [0, 3, 3, 4])
    assert measure(table, silence=0) == 0
    with pytest.raises(ValueError, match=r"another kind than the labels of the reference\. A"):
        measure(table, silence=False)
