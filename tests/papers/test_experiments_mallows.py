"""What the Mallows paper prints and claims, from the public experiments."""

import math
from collections import Counter

import numpy as np
import pytest

import partwise as pw
from papers import experiments, mallows
from papers.clusterers import gaussian_mixture, kmeans, mixture_start
from papers.mallows_data import satellites

pytestmark = pytest.mark.one_backend
SEEDS = range(1, 6)


def close(value, wanted, digits):
    """The same to so many printed digits."""
    assert value == pytest.approx(wanted, abs=0.5000001 * 10**-digits)


def outcomes_of(name, *arguments, **options):
    item = experiments()[name]
    return item.outcomes(item.run(*arguments, **options))


def statuses(name, **options):
    return Counter(x.status for x in outcomes_of(name, **options))


# ---- clustering methods --------------------------------------------------------------


def test_k_means_ends_where_all_its_steps_end():
    """It stops when the centres stay, and nothing else changes."""
    vq = pytest.importorskip("scipy.cluster.vq")
    for seed in SEEDS:
        points, _ = satellites(np.random.default_rng(seed))
        labels = kmeans(points, 5, np.random.default_rng(seed), restarts=1, spread=False)
        start = points[np.random.default_rng(seed).choice(len(points), size=5, replace=False)]
        _, wanted = vq.kmeans2(points, start, iter=40, minit="matrix", missing="raise")
        assert (labels == wanted).all()


def test_a_mixture_of_gaussians_against_its_formula():
    random = np.random.default_rng(7)
    points = np.concatenate([random.normal(0, 1, (60, 2)), random.normal(9, 2, (40, 2))])
    start = mixture_start(points, 2, random)
    assert sorted(start.sum(axis=0)) == [40, 60]
    fit = gaussian_mixture(points, start, hard=True)
    own = fit.memberships.argmax(axis=1)
    wanted = 0.0
    for k in range(2):
        part = points[own == k]
        spread = part.var(axis=0)
        each = -0.5 * ((part - part.mean(axis=0)) ** 2 / spread + np.log(2 * np.pi * spread))
        wanted += each.sum() + len(part) * math.log(len(part) / len(points))
    assert fit.log_likelihood == pytest.approx(wanted, rel=1e-9)
    assert fit.memberships.sum(axis=1) == pytest.approx(np.ones(100))


def test_em_never_loses_likelihood():
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        points, _ = satellites(random, 300, 75)
        start = mixture_start(points, 5, random)
        for hard in (False, True):
            steps = [
                gaussian_mixture(points, start, hard=hard, steps=n).log_likelihood
                for n in range(1, 30)
            ]
            assert (np.diff(steps) > -1e-6).all()
            assert steps[-1] > steps[0]


# ---- Table 1, Figs 6 and 7 -----------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_em_and_classification_em_from_the_same_starts(seed):
    """Table 1: CC of DS1 is below that of DS2, and both methods all but agree."""
    table = mallows.em_starts(seed)
    one, several = (table.where(start=x) for x in ("one for both", "likeliest of 5"))
    first, second = several.to_dicts()
    assert (first["points"], second["points"], first["draws"]) == ("DS1", "DS2", 20)
    assert first["in_order"] >= 16  # 18 to 20
    assert one.column("in_order")[0] < first["in_order"]  # a start of its own decides
    assert first["CC"] < 0.5 * second["CC"]
    assert first["CC_low"] < 0.0068 < 0.39  # what is printed of DS1 and DS2
    assert second["CC_high"] < 0.1
    for row in table.to_dicts():
        assert row["CC_low"] <= row["CC"] <= row["CC_high"]
        assert row["VI"] < row["VI_itself"]  # EM is farther from itself than from the other
    assert one.column("CC_high")[0] > 0.02 > several.column("CC_high")[0]


def test_five_clusters_on_both_sides_are_not_as_far_apart_as_printed():
    """CC / n <= (K + J - 2) / (K J) for equal weights, .32 for 5 and 5; printed is .39."""
    random = np.random.default_rng(5)
    for _ in range(200):
        k, j = random.integers(1, 6, 2)
        p, q = (random.dirichlet(np.full(x, 0.1), 12) for x in (k, j))
        bound = (k + j - 2) / (k * j)
        assert pw.mallows_distance(p, q, normalize=True) <= bound + 1e-12
    even = pw.Contingency.from_dense(np.full((5, 5), 3))
    assert pw.mallows_distance(even, normalize=True) == pytest.approx(0.32)
    printed = [x.printed for x in outcomes_of("mallows-starts", draws=3) if "DS2" in x.item]
    assert "0.39" in printed


def test_table_1_is_told_whole():
    outcomes = outcomes_of("mallows-starts", draws=3)
    numbers = [x for x in outcomes if x.item.endswith(("VI", "CC / n"))]
    assert len(numbers) == 12
    assert Counter(x.status for x in numbers)["not run"] == 8
    assert outcomes[-1].printed == "smaller on DS1 than on DS2"
    assert outcomes[-1].status == "claim holds"
    assert "in 3 of 3 draws" in outcomes[-1].ours


def test_draws_and_starts_that_cannot_be():
    with pytest.raises(ValueError, match="draws=0; at least 1 is needed"):
        mallows.em_starts(draws=0)
    with pytest.raises(ValueError, match="starts=0; at least 1 is needed"):
        mallows.soft_pairs(starts=0)


def test_vi_of_soft_clusterings_is_most_of_it_there_without_a_difference():
    for seed in SEEDS:
        rows = {row["points"]: row for row in mallows.soft_pairs(seed).to_dicts()}
        assert list(rows) == ["DS1", "DS2", "apart", "overlapping", "six columns"]
        assert rows["apart"]["CC"] < 0.001
        assert all(row["VI"] > 0.8 * row["VI_itself"] > 0 for row in rows.values())
        assert rows["six columns"]["CC"] < 0.01 < 0.1 < rows["six columns"]["VI"]


def test_cc_goes_with_what_em_and_cem_label_otherwise():
    for seed in SEEDS:
        first, second = mallows.soft_labels(seed).to_dicts()
        assert (first["points"], second["points"]) == ("DS1", "DS2")
        assert first["relabelled"] / first["n"] < second["relabelled"] / second["n"] < 0.05
        assert first["CC"] < second["CC"]
        both = mallows.soft_pairs(seed).to_dicts()[:2]
        assert [row["CC"] for row in both] == [first["CC"], second["CC"]]


# ---- Fig. 1, Table 2 -----------------------------------------------------------------


def test_items_moved_to_a_near_and_to_a_far_cluster():
    for seed in SEEDS:
        table = mallows.moved_to_neighbour((127, 133, 134), seed)
        near, far = (table.where(target=x) for x in "BC")
        for name in ("VI", "Rand", "CC"):
            assert near.column(name) == far.column(name)
        close(near.column("VI"), [0.2052, 0.2100, 0.2108], 4)
        close(near.column("Rand"), [0.8812, 0.8767, 0.8759], 4)
        third = near.to_dicts()[1]
        assert third["CC"] * 1200 == pytest.approx(2 * 133 / 3)
        for one, other in zip(near.column("CSS"), far.column("CSS"), strict=True):
            assert 1.8 < other / one < 2.2  # C is twice as far as B; 2.29 in print


def test_vi_and_rand_do_not_see_which_cluster():
    near, far = mallows.moved_to_neighbour((7,), size=20).to_dicts()
    assert near["Rand"] == far["Rand"] == 513 / 590
    assert near["VI"] == far["VI"]
    close(near["VI"] * 2 * math.log(3), 0.4733, 4)
    assert near["CSS"] < far["CSS"]
    with pytest.raises(ValueError, match="21 items moved; from 0 to 20"):
        mallows.moved_to_neighbour((21,), size=20)


def test_no_single_number_of_items_gives_the_printed_table_2():
    table = mallows.moved_to_neighbour(tuple(range(100, 151))).where(target="B")
    moved = table.column("moved")
    by_vi, by_rand = (
        {n for n, x in zip(moved, table.column(name), strict=True) if round(x, 3) == printed}
        for name, printed in (("VI", 0.202), ("Rand", 0.881))
    )
    assert (by_vi, by_rand) == ({123}, {127})
    assert statuses("mallows-moved") == {"print is wrong": 4, "differs": 2, "claim holds": 2}


def test_k_means_is_nearer_than_density_clusters_on_three_clusters():
    for seed in SEEDS:
        near, far = mallows.three_cluster_clusterings(seed).to_dicts()
        assert (near["clustering"], far["clustering"]) == ("k-means", "density")
        for name in ("VI", "CC", "CSS"):
            assert near[name] < far[name]
        assert near["Rand"] > far["Rand"]
        assert statuses("mallows-three-clusters", seed=seed)["claim holds"] == 1


# ---- Fig. 2, Table 3 -----------------------------------------------------------------


def test_the_printed_sizes_do_not_give_table_3_and_one_other_size_does():
    table = mallows.satellite_sizes()
    rows = {row["value"]: row for row in table.to_dicts()}
    both = rows["VI / (ln K + ln J), and Rand"]
    assert (both["cores"], both["core_low"], both["satellite"]) == (1, 1484, 129)
    assert rows["VI / (2 ln 5), and Rand"]["cores"] == 0
    assert rows["VI / (2 ln 5)"]["largest"] == pytest.approx(0.5)
    for core, size, vi, rand in ((1484, 129, 0.577, 0.567), (1000, 250, 0.861, 0.312)):
        one = pw.Contingency.from_dense([[core, *[size] * 4]])
        close(pw.variation_of_information(one) / math.log(5), vi, 3)
        close(pw.rand_index(one), rand, 3)
    (outcome,) = outcomes_of("mallows-satellite-sizes")
    assert (outcome.ours, outcome.status) == ("1484 and 129", "print is wrong")
    with pytest.raises(ValueError, match="items=4; a core and four satellites need at least 5"):
        mallows.satellite_sizes(4)
    assert mallows.satellite_sizes(6).column("cores")[0] in (0, 1)


def test_orders_of_table_3_come_with_the_sizes_that_its_first_column_implies():
    for seed in SEEDS:
        table = mallows.satellite_clusterings(seed)
        for sizes, as_printed in (("1000 + 4 x 250", False), ("1484 + 4 x 129", True)):
            rows = table.where(sizes=sizes).to_dicts()
            assert [row["clustering"] for row in rows] == ["one label", "density", "k-means"]
            one, density, means = rows
            assert (one["Rand"] > density["Rand"] > means["Rand"]) == as_printed
            assert (means["Rand"] > max(one["Rand"], density["Rand"])) != as_printed
            assert (max(one["CSS"], density["CSS"]) < means["CSS"]) == as_printed
        assert abs(means["VI"] - 0.48) < 0.02
        assert abs(one["VI"] - one["VI_printed"]) < 0.005
        assert abs(one["Rand"] - one["Rand_printed"]) < 0.005
        # by hand: two thirds of what the satellites are away from the middle
        assert one["CSS"] == pytest.approx(2 / 3 * 4 * 129 * 2.6 / 100, rel=0.05)


def test_core_and_outskirts():
    table = mallows.core_and_outskirts((200, 600, 900, 1000))
    assert table.column("CC") == pytest.approx([0.8, 0.8, 0.8, 0])
    assert table.column("CC by size") == pytest.approx([0.8, 0.6, 0.1875, 0])
    assert table.column("1 - A") == pytest.approx([0.8, 0.4, 0.1, 0])
    assert table.column("VI")[0] == pytest.approx(1)
    assert statuses("mallows-core") == {"differs": 1, "claim holds": 1}
    with pytest.raises(ValueError, match="a core of 1200; from 0 to 1000"):
        mallows.core_and_outskirts((1200,))


# ---- sections 4.1 and 6, Fig. 3 ------------------------------------------------------


def test_one_to_one_matching_is_optimal_for_equal_weights():
    for seed in SEEDS:
        table = mallows.matching_identity(seed=seed)
        assert len(table.rows) == 100
        assert len(set(table.column("clusters"))) > 4
        assert max(table.column("CC")) > 1
        # both are one rounding of the same fraction
        assert table.column("CC") == table.column("matched")
    assert statuses("mallows-matching") == {"claim holds": 1}


def test_border_items():
    table = mallows.border_points((0.0, 0.1, 0.5))
    assert table.column("CC hard") == (0.0, 0.1, 0.5)
    assert table.column("CC soft") == pytest.approx([0, 0.002, 0.01], abs=1e-15)
    assert table.column("VI hard")[2] == pytest.approx(1)
    assert table.column("VI soft")[2] > 0.8
    assert mallows.border_points((0.1,), tilt=0.2).column("CC soft")[0] > 0.03
    assert statuses("mallows-border") == {"claim holds": 2}
    with pytest.raises(ValueError, match=r"a share of 0\.6 at the border; from 0 to 0\.5"):
        mallows.border_points((0.6,))


def test_statements():
    """Identity of soft VI fails, its triangle inequality does not; CSS is no metric."""
    for seed in SEEDS:
        table = mallows.statements(seed, triples=40)
        value = dict(zip(table.column("statement"), table.column("value"), strict=True))
        assert value["triangle inequality, CC"] < 1e-12
        assert value["triangle inequality, soft VI"] < 1e-12
        assert value["itself, soft VI"] > 1
        assert value["different clusterings, CSS"] == 0
        assert value["triangle inequality, CSS"] > 1
    assert statuses("mallows-statements") == {"claim holds": 2, "print is wrong": 2}
    soft = np.array([[0.51, 0.49], [0.3, 0.7], [1.0, 0.0]])
    assert pw.soft_variation_of_information(soft, soft) > 0.5
    assert pw.mallows_distance(soft, soft) == 0.0
    with pytest.raises(ValueError, match="triples=0; at least 1 is needed"):
        mallows.statements(triples=0)


def test_css_of_a_soft_clustering_and_itself():
    """0 for two clusters of equal weight: each matched with the other, L(k, k) = 0 is left."""
    random = np.random.default_rng(3)
    for _ in range(50):
        two, three = (random.dirichlet(np.full(k, 0.7), 6) for k in (2, 3))
        features = random.normal(size=(6, 2))
        assert pw.css_distance(two, two, features=features) == pytest.approx(0, abs=1e-12)
        assert pw.css_distance(three, three, features=features) > 0.01
        uneven = ([0.3, 0.7], [0.3, 0.7])
        assert pw.css_distance(two, two, features=features, cluster_weights=uneven) > 1e-4


def test_every_experiment_says_what_comes_out():
    own = {name: x for name, x in experiments().items() if x.paper == "Mallows distance"}
    assert len(own) == 11
    for name, item in own.items():
        assert item.outcomes is not None, name
