"""What the NVI and the Mallows paper print, from the public experiments."""

import math

import numpy as np
import pytest

import partwise as pw
from papers import mallows, nvi, nvi_sizes, nvi_text

pytestmark = pytest.mark.one_backend


def close(found, wanted, digits):
    """The same to so many printed digits."""
    assert found == pytest.approx(wanted, abs=0.5000001 * 10**-digits)


# ---- NVI -----------------------------------------------------------------------------


def test_solution_r():
    table = nvi.solution_r()
    assert table.shape == (10, 10)
    assert set(table.row_sizes.tolist()) == set(table.col_sizes.tolist()) == {10}
    assert sorted(set(table.counts.tolist())) == [1, 7]
    singletons, solution = nvi.compare_solution_r().to_dicts()
    close([singletons[x] for x in ("V", "VI", "NVI", "NVIK")], [0.6667, 2.3026, 1, 0.5], 4)
    for name, digits in (("V", 3), ("VI", 3), ("NVI", 0), ("NVIK", 1)):
        close(singletons[name], singletons[f"{name}_printed"], digits)
    close([solution[x] for x in ("V", "VI")], [0.5916, 1.8809], 4)
    close([solution[x] for x in ("NVI", "NVIK")], [0.8169, 0.8169], 4)
    close(solution["VI"], solution["VI_printed"], 2)
    assert singletons["V"] > solution["V"]
    assert singletons["NVI"] > solution["NVI"]
    assert singletons["NVIK"] < solution["NVIK"]


def test_the_printed_v_of_solution_r_contradicts_the_printed_vi():
    row = nvi.compare_solution_r().to_dicts()[1]
    close(1 - row["VI_printed"] / (2 * math.log(10)), row["V"], 3)
    assert abs(row["V_printed"] - row["V"]) > 0.004


DERIVED = {
    ("WSJ10", "MDL"): ("2.205..2.223", "0.810..0.813", "0.405..0.408"),
    ("WSJ10", "T"): ("1.334..1.348", "0.856..0.863", "0.474..0.479"),
    ("WSJ10", "P"): ("1.092..1.104", "1.196..1.210", "0.423..0.429"),
    ("NEGRA10", "MDL"): ("1.507..1.522", "0.759..0.765", "0.491..0.495"),
    ("NEGRA10", "T"): ("1.059..1.071", "0.957..0.968", "0.492..0.497"),
    ("NEGRA10", "P"): ("0.823..0.834", "1.077..1.093", "0.527..0.533"),
    ("CTB10", "MDL"): ("1.697..1.712", "0.867..0.872", "0.422..0.426"),
    ("CTB10", "T"): ("1.255..1.268", "1.052..1.062", "0.422..0.428"),
    ("CTB10", "P"): ("1.045..1.057", "1.242..1.258", "0.426..0.432"),
}
CONTRADICTED = {
    ("WSJ10", "T", "V"),
    ("WSJ10", "P", "V"),
    ("NEGRA10", "MDL", "V"),
    ("CTB10", "P", "V"),
    ("CTB10", "MDL", "NVI"),
}


def test_tables_3_and_4():
    table = nvi.consistency()
    found = {}
    for row in table.to_dicts():
        place = (row["corpus"], row["labels"])
        found.setdefault(place, []).append(f"{row['low']:.3f}..{row['high']:.3f}")
    assert {place: tuple(bounds) for place, bounds in found.items()} == DERIVED
    wrong = {row[:3] for row in table.rows if not row[-1]}
    assert wrong == CONTRADICTED
    printed = {row[:3]: row[3] for row in table.rows}
    assert printed["CTB10", "MDL", "NVI"] == 1.72
    assert printed["NEGRA10", "P", "V"] == 0.5


def test_the_text_of_nvi():
    rows = {row["claim"]: row for row in nvi_text.nvi_text().to_dicts()}
    wrong = [claim for claim, row in rows.items() if not row["holds"]]
    assert wrong == ["largest VI, n = 5, where 2 log N = 3.219"]
    assert rows[wrong[0]]["value"] == pytest.approx(math.log(5))
    assert rows["no knowledge: NVI"]["value"] == pytest.approx(1 + math.log(3) / math.log(2))
    assert rows["NVI below 1 where VI is better than the single cluster's, n = 5"]["value"] == (
        "52 of 52 references"
    )
    assert rows["NVI is a metric"]["value"] == "no"


def test_numbers_of_labels_by_size():
    table = nvi_sizes.label_sizes()
    assert table.column("sum") == table.column("L")
    assert len(table.rows) == 9
    assert nvi_sizes.items_below((3, 1, 2, 3, 0), "under 10") == (3, 10)
    assert nvi_sizes.items_below((3, 1, 2, 3, 0), "under 100") == (13, 109)
    low, high = nvi_sizes.constituents_left()
    assert pytest.approx(low, abs=1) == 3266 / 0.1445
    assert pytest.approx(high, abs=1) == 6710 / 0.1435
    (share,) = [x for x in nvi_sizes.outcomes_of_sizes(table) if x.place == "Section 6"]
    assert share.holds


def test_outcomes_of_table_3_know_what_is_contradicted():
    outcomes = nvi.outcomes_of_consistency(nvi.consistency())
    wrong = {one.item for one in outcomes if one.print_is_wrong}
    assert wrong == {
        f"{corpus}, {labels}, {name} from VI, H(C), H(K)"
        for corpus, labels, name in CONTRADICTED
    }
    assert len(outcomes) == 27 + 15
    assert all(one.holds for one in outcomes[27:])
    (row,) = [x for x in outcomes if x.item.startswith("CTB10, MDL, NVI from")]
    assert (row.printed, row.ours) == ("1.72", "1.697 to 1.712")


# ---- Mallows -------------------------------------------------------------------------


def test_items_moved_to_a_near_and_to_a_far_cluster():
    table = mallows.moved_to_neighbour((127, 133, 134))
    near, far = (table.where(target=x) for x in "BC")
    for name in ("VI", "Rand", "CC"):
        assert near.column(name) == far.column(name)
    close(near.column("VI"), [0.2052, 0.2100, 0.2108], 4)
    close(near.column("Rand"), [0.8812, 0.8767, 0.8759], 4)
    third = near.to_dicts()[1]
    assert third["CC"] * 1200 == pytest.approx(2 * 133 / 3)
    for one, other in zip(near.column("CSS"), far.column("CSS"), strict=True):
        assert 1.8 < other / one < 2.3  # 1.98 and 2.29 elsewhere: the order is what counts


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
    vi = {
        n
        for n, x in zip(table.column("moved"), table.column("VI"), strict=True)
        if round(x, 3) == 0.202
    }
    rand = {
        n
        for n, x in zip(table.column("moved"), table.column("Rand"), strict=True)
        if round(x, 3) == 0.881
    }
    assert rand == {127}
    assert not vi & rand


def test_one_label_against_a_core_with_satellites():
    row = mallows.satellite_clusterings().to_dicts()[0]
    assert row["clustering"] == "one label"
    close([row["VI_nats"], row["VI_of_logs"], row["VI"]], [1.386, 0.861, 0.431], 3)
    close(row["Rand"], 0.3122, 4)
    for name in ("VI_nats", "VI_of_logs", "VI"):
        assert abs(row[name] - row["VI_printed"]) > 0.1
    assert abs(row["Rand"] - row["Rand_printed"]) > 0.2


def test_k_means_is_nearer_than_density_clusters_on_three_clusters():
    near, far = mallows.three_cluster_clusterings().to_dicts()
    assert (near["clustering"], far["clustering"]) == ("k-means", "density")
    for name in ("VI", "CC", "CSS"):
        assert near[name] < far[name]
    assert near["Rand"] > far["Rand"]


def test_one_to_one_matching_is_optimal_for_equal_weights():
    table = mallows.matching_identity()
    assert len(table.rows) == 100
    assert len(set(table.column("clusters"))) > 4
    assert max(table.column("CC")) > 1
    for found, wanted in zip(table.column("CC"), table.column("matched"), strict=True):
        assert found == wanted  # both are one rounding of the same fraction


def test_border_items():
    table = mallows.border_points((0.0, 0.1, 0.5))
    assert table.column("CC hard") == (0.0, 0.1, 0.5)
    assert table.column("CC soft") == pytest.approx([0, 0.002, 0.01], abs=1e-15)
    assert table.column("VI hard")[2] == pytest.approx(1)
    assert table.column("VI soft")[2] > 0.8
    assert mallows.border_points((0.1,), tilt=0.2).column("CC soft")[0] > 0.03
    with pytest.raises(ValueError, match=r"a share of 0\.6 at the border; from 0 to 0\.5"):
        mallows.border_points((0.6,))


def test_a_soft_clustering_is_apart_from_itself_by_soft_vi():
    """E12: identity fails, the triangle inequality does not."""
    soft = np.array([[0.51, 0.49], [0.3, 0.7], [1.0, 0.0]])
    assert pw.soft_variation_of_information(soft, soft) > 0.5
    assert pw.mallows_distance(soft, soft) == 0.0
    table = mallows.soft_pairs()
    assert all(x > 0 for x in table.column("VI_itself"))
    cc = dict(zip(table.column("points"), table.column("CC"), strict=True))
    vi = dict(zip(table.column("points"), table.column("VI"), strict=True))
    assert cc["apart"] < 0.001
    assert cc["DS2"] < 0.05 < 0.2 < cc["DS1"]
    assert vi["overlapping"] > vi["DS1"]  # VI has them the other way round
    assert cc["overlapping"] < cc["DS1"]


def test_css_is_no_metric():
    """E13: two centres coincide."""
    near = pw.css_distance([0, 1, 0, 1], [0, 0, 1, 0], features=[[0.0], [1.0], [5.0], [6.5]])
    assert near == 0


def test_core_and_outskirts():
    table = mallows.core_and_outskirts((200, 600, 1000))
    assert table.column("CC") == pytest.approx([0.8, 0.8, 0])
    assert table.column("CC by size") == pytest.approx([0.8, 0.6, 0])
    assert table.column("1 - A") == pytest.approx([0.8, 0.4, 0])
    assert table.column("VI")[0] == pytest.approx(1)
    with pytest.raises(ValueError, match="a core of 1200; from 0 to 1000"):
        mallows.core_and_outskirts((1200,))


def test_cc_goes_with_what_em_and_cem_label_otherwise():
    first, second = mallows.soft_labels().to_dicts()
    assert (first["points"], second["points"]) == ("DS1", "DS2")
    assert first["relabelled"] / first["n"] > 0.2 > 0.1 > second["relabelled"] / second["n"]
    assert first["CC"] > 10 * second["CC"]
    assert first["VI"] < 2 * second["VI"]
    both = mallows.soft_pairs().to_dicts()[:2]
    assert [row["CC"] for row in both] == [first["CC"], second["CC"]]
