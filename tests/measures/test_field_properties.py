"""What the measures of the field promise beyond their values: identities, borders, errors."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage

import field_definitions
import partwise as pw
from partwise.measures.information.dirichlet import conditional_cost
from partwise.measures.overlap.element_centric import expected_sum
from partwise.measures.quotients import QuotientSum
from strategies import clusterings, labelings, partitions

FIELD = [
    name
    for name, entry in pw.catalogue().items()
    if entry.function.__module__.rpartition(".")[2]
    in {
        *("chi_squared", "goodman_kruskal", "distance", "reduced", "accuracies"),
        *("closest_cluster", "element_centric", "talburt_wang", "modified_rand"),
        *("objects", "diarization", "merge_distance"),
    }
]


# ---- element-centric -----------------------------------------------------------------------


def walk(labels, item, alpha):
    """Personalised PageRank of an item, exactly: of its cluster all but itself are alike."""
    size = labels.count(labels[item])
    rank = [Fraction(0)] * len(labels)
    for other, label in enumerate(labels):
        if label == labels[item]:
            rank[other] = alpha / size + (1 - alpha) * (other == item)
    # it is stationary: p = (1 - alpha) e + alpha W p
    for other, label in enumerate(labels):
        inside = sum((r for r, x in zip(rank, labels, strict=True) if x == label), Fraction(0))
        step = alpha * inside / labels.count(label)
        assert rank[other] == (1 - alpha) * (other == item) + step
    return rank


@pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(9, 10)])
@given(pair=labelings())
def test_items_are_as_alike_as_their_walks(alpha, pair):
    a, b = pair
    values = pw.element_centric_similarity(a, b, average=None, alpha=float(alpha))
    for item in range(len(a)):
        apart = sum(
            abs(x - y) for x, y in zip(walk(a, item, alpha), walk(b, item, alpha), strict=True)
        )
        assert math.isclose(values[item], 1 - apart / (2 * alpha), rel_tol=1e-15)


@given(pair=clusterings())
def test_an_item_has_the_smaller_of_its_b_cubed_precision_and_recall(pair):
    a, b = (side.tolist() for side in pair)
    values = pw.element_centric_similarity(a, b, average=None)
    assert values.shape == (len(a),)
    for item, value in enumerate(values):
        left, right = (field_definitions.own_cluster(x, item) for x in (a, b))
        common = len(left & right)
        assert value == min(common / len(right), common / len(left))
    mean = pw.element_centric_similarity(a, b)
    assert mean <= pw.b_cubed_precision(a, b)
    assert mean <= pw.b_cubed_recall(a, b)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_adjusted_similarity_is_0_on_average_over_all_orders(n):
    for a in partitions(n):
        for b in partitions(n):
            expected = expected_sum(pw.contingency(a, b))
            orders = [[b[k] for k in order] for order in permutations(range(n))]
            sums = [sum(field_definitions.similarity_of_items(a, x)) for x in orders]
            assert expected == sum(sums) / len(sums)
            if expected == n:
                assert pw.element_centric_similarity(a, b, adjusted=True) == 1
            elif n < 5:
                values = [pw.element_centric_similarity(a, x, adjusted=True) for x in orders]
                assert abs(math.fsum(values)) < 1e-12


def test_the_expectation_is_exact_for_many_sizes():
    rng = np.random.default_rng(4)
    a, b = rng.zipf(1.7, 400) % 40, rng.integers(0, 25, 400)
    table = pw.contingency(a, b)
    n, total = 400, Fraction(0)
    for x in table.row_sizes.tolist():
        for y in table.col_sizes.tolist():
            mean = Fraction(x * y, n)
            square = mean**2 + mean * Fraction((n - x) * (n - y), n * (n - 1))
            total += square / max(x, y)
    assert expected_sum(table) == total


def test_per_item_follows_items_and_policies():
    reference, candidate = {"x": 1, "y": 1, "z": 2}, {"z": 5, "x": 5, "y": 6}
    values = pw.element_centric_similarity(reference, candidate, average=None)
    assert values.tolist() == [0.5, 0.5, 0.5]
    dropped = pw.element_centric_similarity(
        [0, 0, None, 1], [0, 0, 0, 1], average=None, missing="drop"
    )
    assert dropped.tolist() == [1, 1, 1]
    aligned = pw.align([0, 0, 1], [0, 1, 1])
    assert pw.element_centric_similarity(aligned, average=None).tolist() == [0.5] * 3
    with pytest.raises(TypeError, match="needs the items"):
        pw.element_centric_similarity(aligned.table, average=None)


@pytest.mark.parametrize("alpha", [0, -1, 1, 1.5])
def test_alpha_lies_between_0_and_1(alpha):
    with pytest.raises(ValueError, match=r"alpha=.* must lie between 0 and 1"):
        pw.element_centric_similarity([0], [0], alpha=alpha)
    with pytest.raises(ValueError, match="alpha"):
        pw.element_centric_similarity([0], [0], alpha=alpha, average=None)


def test_options_that_exclude_each_other():
    with pytest.raises(ValueError, match="average='clusters' must be"):
        pw.element_centric_similarity([0], [0], average="clusters")
    with pytest.raises(ValueError, match="has no value per item"):
        pw.element_centric_similarity([0, 0], [0, 1], average=None, adjusted=True)
    with pytest.raises(ValueError, match="with alpha= is no weighted sum"):
        pw.decompose([0, 0], [0, 1], measure="element_centric_similarity", alpha=0.5)


# ---- consistency ---------------------------------------------------------------------------


@settings(max_examples=20)
@given(many=clusterings(max_size=20, sides=4), times=st.lists(st.integers(0, 3), min_size=4))
def test_consistency_is_the_mean_over_pairs(many, times):
    times = [*times[:3], 1]
    listed = [side for side, often in zip(many, times, strict=True) for _ in range(often)]
    found = pw.element_consistency(many, weights=times)
    pairs = [(i, j) for i in range(len(listed)) for j in range(i)]
    wanted = np.ones(len(many[0]))
    if pairs:
        each = [
            pw.element_centric_similarity(listed[i], listed[j], average=None) for i, j in pairs
        ]
        wanted = np.mean(each, axis=0)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    assert pw.element_consistency(listed).tolist() == found.tolist()
    assert pw.element_consistency(listed[::-1]).tolist() == found.tolist()


def test_consistency_of_many_clusters_and_by_item():
    rng = np.random.default_rng(3)
    many = [rng.integers(0, 300, 500) for _ in range(3)]  # more pairs of clusters than items
    pairs = [
        pw.element_centric_similarity(many[i], many[j], average=None)
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    np.testing.assert_allclose(pw.element_consistency(many), np.mean(pairs, axis=0))
    by_item = [{"x": 0, "y": 0, "z": 1}, {"z": 1, "y": 0, "x": 0}, {"y": 1, "x": 0, "z": 0}]
    shuffled = [by_item[0], by_item[2], by_item[1]]
    assert pw.element_consistency(by_item).tolist() == pw.element_consistency(shuffled).tolist()
    assert pw.element_consistency([[0, 1, 1]]).tolist() == [1, 1, 1]
    assert pw.element_consistency([[], []]).tolist() == []


def _exact_consistency(many, times):
    pairs = Fraction(sum(times) * (sum(times) - 1), 2)
    means = []
    for i in range(len(many[0])):
        blocks = [{k for k, label in enumerate(side) if label == side[i]} for side in many]
        total = sum(Fraction(often * (often - 1), 2) for often in times)
        for first in range(len(many)):
            for second in range(first):
                larger = max(len(blocks[first]), len(blocks[second]))
                similarity = Fraction(len(blocks[first] & blocks[second]), larger)
                total += times[first] * times[second] * similarity
        means.append(float(total / pairs))
    return means


@pytest.mark.parametrize("scale", [1, 40_000, 2**31, 10**9 + 7, 2**61, 10**30, 10**200])
def test_consistency_counts_more_pairs_than_64_bits_hold(scale):
    many = [[0, 0, 1, 1, 2], [0, 1, 1, 1, 2], [0, 1, 2, 3, 4], [0, 0, 0, 0, 1]]
    times = [2 * scale, scale, 3, scale + 1]
    found = pw.element_consistency(many, weights=times)
    np.testing.assert_allclose(found, _exact_consistency(many, times), rtol=4e-16)
    assert found.max() <= 1
    halves = pw.element_consistency(many[:2] + many[:2], weights=[scale] * 4)
    assert halves.tolist() == pw.element_consistency(many[:2], weights=[2 * scale] * 2).tolist()
    assert halves[4] == 1  # every clustering has this item alone


@pytest.mark.parametrize(
    ("many", "weights", "fragment"),
    [
        ([], None, "got no clustering"),
        ([[0, 1], [0, 1, 2]], None, "clustering '1' has 3 labels for 2 items of"),
        ([[0, 1], [0, None]], None, "everywhere: clustering '1' has no label for"),
        ([{"a": 0}, [0]], None, "clustering '0' has item ids, clustering '1' has none"),
        ([{"a": 0, "b": 0}, {"a": 0, "c": 0}], None, "clustering '1' has item 'c', which"),
        ([[0], [0]], np.ma.masked_array([1, 2], [False, True]), "weights have masked entries"),
        ([[0], [0]], [1], "one number for each of the 2 clusterings"),
        ([[0], [0]], [1, 0.5], r"weights\[1\] = .* is no whole number"),
        ([[0], [0]], [1, -1], "at least 0 and not all 0"),
        ([[0], [0]], [0, 0], "at least 0 and not all 0"),
    ],
)
def test_consistency_says_what_is_wrong(many, weights, fragment):
    with pytest.raises(ValueError, match=fragment):
        pw.element_consistency(many, weights=weights)


def test_several_clusterings_have_one_index():
    pd = pytest.importorskip("pandas")
    series = pd.Series([0, 0, 1], list("abc"))
    many = [[0, 1, 1], series, series.iloc[::-1]]
    for call in (pw.element_consistency, pw.similarity_matrix):
        with pytest.raises(ValueError, match=r"'1' and .*'2' have different pandas indexes"):
            call(many)
        call([[0, 1, 1], series, series])


# ---- exact numbers -------------------------------------------------------------------------


def test_sums_of_quotients_tell_equality_from_nearly():
    thirds = np.array([1, 1, 1])
    third = QuotientSum(thirds, thirds, np.array([3, 3, 3]))
    assert third.total < 1
    assert third.less(Fraction(1)) == 0
    gap = Fraction(1, 10**60)
    assert third.less(1 - gap) > 0
    assert third.less(1 + gap) < 0
    wide = QuotientSum(thirds, thirds, np.array([3, 3, 3], dtype=object) * 2**70)
    assert wide.total == Fraction(3 * (2**126 // (3 * 2**70)), 2**126)


def test_counts_beyond_63_bits_are_exact():
    big = 1 << 40
    table = pw.Contingency.from_dense([[big, 0], [big, 2 * big]])
    small = pw.Contingency.from_dense([[1, 0], [1, 2]])
    for name in ("cramer_v", "goodman_kruskal_tau", "element_centric_similarity"):
        assert pw.catalogue()[name](table) == pw.catalogue()[name](small)
    assert pw.chi_squared(table) == big * pw.chi_squared(small)
    uniform = "b_cubed_precision(cluster_weights=uniform)"
    assert pw.catalogue()[uniform](table) == pw.catalogue()[uniform](small)
    ours = pw.modified_adjusted_rand_index(table)
    assert math.isclose(ours, pw.adjusted_rand_index(table), rel_tol=1e-9)


#: Fractions of counts for every table; roots and logarithms are such for some tables only.
RATIONAL = [
    name
    for name in FIELD
    if not name.startswith(("reduced", "merge_distance(cost=entropy)", "cramer", "tschuprow"))
    and "information" not in name
    and "uncertainty" not in name
    and "entropy" not in name
    and "talburt" not in name
]


@pytest.mark.parametrize("name", RATIONAL)
@settings(max_examples=25)
@given(pair=labelings())
def test_rational_entries_are_one_division_of_integers(name, pair):
    """The double nearest to the fraction: nothing is rounded before."""
    entry = pw.catalogue()[name]
    definition = field_definitions.DEFINITIONS[entry.function.__name__]
    wanted = definition(*pair, **entry.options)
    assert isinstance(wanted, (Fraction, int))
    assert entry(pw.contingency(*pair)) == float(wanted)


@pytest.mark.one_backend
def test_most_entries_of_the_field_are_rational():
    assert len(RATIONAL) > 20


@settings(max_examples=25)
@given(pair=clusterings(max_size=60), bounds=st.sampled_from([None, (1e-4, 1e4), (0.3, 2.0)]))
def test_no_concentration_is_better_than_the_one_found(pair, bounds):
    """On a grid four times as fine as the search's own, with the cost summed term by term."""
    table = pw.contingency(*pair)
    k = table.shape[0]
    found = conditional_cost(k, table.col_sizes, table.counts, bounds)
    low, high = (-9, 12) if bounds is None else np.log10(bounds)
    for alpha in 10.0 ** np.linspace(low, high, 340):
        columns = sum(
            math.fsum(np.log(k * alpha + np.arange(m))) for m in table.col_sizes.tolist()
        )
        cells = sum(math.fsum(np.log(alpha + np.arange(c))) for c in table.counts.tolist())
        assert k == 1 or found <= (columns - cells) * (1 + 1e-12) + 1e-11


@given(pair=clusterings(max_size=30))
def test_unclipped_pair_sets_index_is_clipped_at_0(pair):
    free = pw.pair_sets_index(*pair, clipped=False)
    assert pw.pair_sets_index(*pair) == max(free, 0.0)


@given(pair=clusterings())
def test_names_for_what_was_there(pair):
    a, b = pair
    split, merge = pw.split_entropy(a, b), pw.merge_entropy(a, b)
    assert split == pw.conditional_entropy(b, a)
    assert merge == pw.conditional_entropy(a, b)
    assert pw.information_distance(a, b) == max(split, merge)
    assert pw.uncertainty_coefficient(a, b) == pw.completeness(a, b)
    assert pw.uncertainty_coefficient(a, b, direction="candidate") == pw.homogeneity(a, b)
    assert math.isclose(
        pw.normalized_information_distance(a, b),
        1 - pw.normalized_mutual_information(a, b, average="max"),
        abs_tol=1e-14,
    )
    pairs = pw.pair_confusion(a, b)
    assert pw.merge_distance(a, b, cost="pairs") == pairs.n10 + pairs.n01
    free = pw.merge_distance(a, b, cost=lambda x, y: x * y, split=2, merge=3)
    assert free == 2 * pairs.n10 + 3 * pairs.n01
    entropy = pw.merge_distance(a, b, cost="entropy")
    assert math.isclose(entropy, pw.variation_of_information(a, b), abs_tol=1e-15)


# ---- objects and speakers ------------------------------------------------------------------


def test_thresholds_are_read_as_they_are_written():
    truth = [1] * 19 + [2]  # an IoU of exactly 19/20
    found = [1] * 20
    assert pw.object_matches(truth, found, threshold=0.95).true_positives == 0
    assert pw.object_matches(truth, found, threshold=0.9).true_positives == 1
    # nine thresholds below .95
    assert pw.object_average_precision(truth, found) == pytest.approx(0.9 * 1 / 2)
    half = pw.object_matches([1, 1], [1, 2], threshold=0.5)
    assert half.true_positives == 0


def test_below_one_half_as_many_objects_as_possible_are_matched():
    # one pair of IoU 1/2 against two pairs of less
    table = pw.Contingency.from_dense([[4, 2], [2, 0]])
    matches = pw.object_matches(table, threshold=0.1)
    assert matches.true_positives == 2
    assert matches.iou.tolist() == [2 / 6, 2 / 6]


def test_no_object_is_not_a_number():
    nothing = pw.object_matches([0, 0], [0, 0], background=0)
    assert math.isnan(nothing.panoptic_quality)
    assert math.isnan(pw.panoptic_quality([0, 0], [0, 0], background=0))
    assert math.isnan(pw.object_average_precision([0, 0], [0, 0], background=0))
    assert pw.object_matches([], []).panoptic_quality == 1
    one_side = pw.object_matches([1, 1], [0, 0], background=0)
    assert (one_side.precision, one_side.recall, one_side.f1) == (0, 0, 0)


@pytest.mark.parametrize("function", [pw.object_matches, pw.panoptic_quality])
def test_objects_say_what_is_wrong(function):
    for threshold in (-0.1, 1, 2):
        with pytest.raises(ValueError, match="must be at least 0 and below 1"):
            function([0], [0], threshold=threshold)
    with pytest.raises(ValueError, match="did you mean '0'"):
        function(["0", "a"], ["0", "b"], background=0)
    with pytest.raises(ValueError, match="weights"):
        function([0, 1], [0, 1], weights=[1.0, 2.0])
    pair = function([0, 1, 1], ["none", "a", "a"], background=(0, "none"))
    assert getattr(pair, "panoptic_quality", pair) == 1


def test_silence_alone():
    assert pw.diarization_error_rate([0, 0], [0, 0], silence=0) == 0
    assert math.isnan(pw.diarization_error_rate([0, 0], [0, 1], silence=0))
    assert math.isnan(pw.jaccard_error_rate([0, 0], [0, 1], silence=0))
    parts = pw.diarization_errors([0, 0], [0, 1], silence=0)
    assert (parts.false_alarm, parts.total) == (1, 0)
    assert pw.diarization_error_rate([1, 0], [0, 1], silence=0) == 2  # can exceed 1
    with pytest.raises(ValueError, match="mapping='best'"):
        pw.jaccard_error_rate([0], [0], mapping="best")


@given(pair=clusterings(max_size=25), seed=st.integers(0, 99))
def test_seconds_count_as_repeated_items(pair, seed):
    times = np.random.default_rng(seed).integers(1, 5, len(pair[0]))
    for mapping in ("jaccard", "overlap"):
        for function in (
            lambda a, b, **c: pw.diarization_error_rate(a, b, silence=0, **c),
            lambda a, b, **c: pw.jaccard_error_rate(a, b, silence=0, mapping=mapping, **c),  # noqa: B023
        ):
            by_mass = function(*pair, weights=times.astype(float))
            by_item = function(*(np.repeat(side, times) for side in pair))
            assert math.isclose(by_mass, by_item, rel_tol=1e-12) or math.isnan(by_item)


# ---- costs of cuts and joins, models -------------------------------------------------------


def test_a_cost_that_depends_on_the_order_is_refused():
    a, b = [0, 0, 0, 1, 1], [0, 1, 2, 2, 2]
    with pytest.raises(ValueError, match="the distance would depend on an order"):
        pw.merge_distance(a, b, cost=lambda x, y: x + y)
    with pytest.raises(ValueError, match="cost='size' is not one of"):
        pw.merge_distance(a, b, cost="size")
    with pytest.raises(ValueError, match="split=-1 must be a finite number"):
        pw.merge_distance(a, b, split=-1)
    assert pw.merge_distance(a, b, merge=0) == 2
    assert pw.merge_distance(a, b, cost=lambda x, y: 1) == pw.merge_distance(a, b)


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"model": "free"}, "model='free'"),
        ({"count": "all"}, "count='all'"),
        ({"normalizer": "candidate"}, "normalizer='candidate'"),
        ({"bounds": (0, 1)}, "0 < low <= high"),
        ({"bounds": 3}, "two numbers"),
        ({"base": 1}, "base=1"),
    ],
)
def test_reduced_information_says_what_is_wrong(options, fragment):
    with pytest.raises(ValueError, match=fragment):
        pw.reduced_mutual_information([0, 1], [0, 1], **options)


def test_reduced_information_of_what_tells_nothing_is_exactly_0():
    a, singles = [0, 0, 1, 1, 2], [0, 1, 2, 3, 4]
    for options in ({}, {"count": "exact"}, {"model": "dirichlet"}):
        assert pw.reduced_mutual_information(a, singles, **options) == 0
        assert pw.reduced_mutual_information(a, [0] * 5, **options) == 0
        assert pw.reduced_mutual_information(singles, singles, **options) == 0
    nats = pw.reduced_mutual_information(a, a)
    assert pw.reduced_mutual_information(a, a, base=2) == pytest.approx(nats / math.log(2))


# ---- everything that takes a measure by name -------------------------------------------------


@pytest.mark.one_backend
@pytest.mark.parametrize("name", FIELD)
def test_whatever_takes_a_measure_takes_these(name):
    a, b = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2, 2, 0]
    value = pw.catalogue()[name](pw.contingency(a, b))
    assert pw.compare(a, b, measures=name).scores == {name: value}
    assert pw.pairwise([a, b], name)[0, 1] == value
    assert pw.score_many(a, {"b": b}, name).values.ravel().tolist() == [value]
    assert pw.bootstrap(a, b, measure=name, draws=5, seed=1).observed.tolist() == [value]
    drawn = pw.significance(a, b, measure=name, draws=9, seed=1)
    assert drawn.results[name].value == value
    merges = linkage(np.arange(8.0)[:, None] ** 1.5)
    states = pw.sweep(a, merges, measures=name)
    assert np.isfinite(states[name]).all()
    if pw.catalogue()[name].computation.decomposition is not None:
        assert pw.decompose(a, b, measure=name).total == pytest.approx(value, abs=1e-12)


@pytest.mark.one_backend
def test_none_of_these_is_in_the_default_set():
    default = pw.compare([0, 0, 1], [0, 1, 1]).scores
    everything = pw.compare([0, 0, 1], [0, 1, 1], measures="all").scores
    assert not set(FIELD) & set(default)
    assert set(FIELD) <= set(everything)
    assert len(FIELD) > 30


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weighted", [False, True])
def test_split_join_by_its_definition(seed, weighted):
    """Items, or their masses, outside the largest part of each cluster."""
    own = np.random.default_rng(seed)
    a, b = own.integers(0, 6, (2, 40))
    weights = own.integers(0, 9, 40) / 8 if weighted else np.ones(40)

    def outside(labels, others):
        apart = 0.0
        for label in set(labels.tolist()):
            mine = labels == label
            parts = [weights[mine & (others == other)].sum() for other in set(others.tolist())]
            apart += sum(parts) - max(parts)
        return apart

    options = {"weights": weights} if weighted else {}
    parts = pw.split_join(a, b, **options)
    assert (parts.split, parts.join) == (outside(a, b), outside(b, a))
    assert parts.split + parts.join == pw.van_dongen(a, b, **options)
    turned = pw.split_join(b, a, **options)
    assert (turned.split, turned.join) == (parts.join, parts.split)


@pytest.mark.one_backend
def test_split_join_of_nothing_and_what_it_refuses():
    assert pw.split_join([], []) == pw.split_join([1, 2], [3, 4])
    with pytest.raises(TypeError, match="split_join takes two clusterings"):
        pw.split_join([1, 2])
    with pytest.raises(TypeError, match="split_join has no option 'side'"):
        pw.split_join([1, 2], [1, 2], side=1)
