"""What the NVI paper prints, from the public experiments."""

import math

import pytest

from papers import nvi, nvi_sizes, nvi_text

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
