"""What the PSI paper prints of partitions made for it, from the public experiments."""

import numpy as np
import pytest

import partwise as pw
from papers import psi

pytestmark = pytest.mark.one_backend

INDEXES = ("ARI", "NMI", "NVD", "CH", "Purity", "PSI")


def close(found, wanted, digits=3):
    """The same to so many printed digits."""
    assert found == pytest.approx(wanted, abs=0.5000001 * 10**-digits)


def linear(values):
    return np.abs(np.diff(values, 2)).max()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ARI", [1.0, 0.64, 0.566, 0.571, 0.129, 0.0]),
        ("NMI", [1.0, 0.74, 0.715, 0.734, 0.283, 0.0]),
        ("NVD", [1.0, 0.833, 0.833, 0.833, 0.667, 0.667]),
        ("CH", [1.0, 0.833, 0.683, 0.667, 0.5, 0.333]),
        ("Purity", [1.0, 0.833, 0.683, 0.667, 0.5, 0.333]),
        ("PSI", [1.0, 0.615, 0.38, 0.357, 0.16, 0.0]),
    ],
)
def test_first_enlarged(name, wanted):
    close(psi.enlarged_first((1000, 1500, 1950, 2000, 2500, 3000)).column(name), wanted)


def test_shape_of_figure_12():
    table = psi.enlarged_first()
    at = dict(zip(table.column("size"), table.to_dicts(), strict=True))
    assert {at[x]["NVD"] for x in range(1500, 2001, 50)} == {at[2000]["NVD"]}
    close(at[2000]["NVD"], 0.83, 2)
    assert {at[x]["NVD"] for x in range(2500, 3001, 50)} == {at[3000]["NVD"]}
    for name in ("CH", "Purity"):
        assert linear(table.column(name)) < 1e-12
        close(at[3000][name], 1 / 3, 15)
    for name in ("ARI", "NMI"):
        assert at[1950][name] < at[2000][name] > at[2050][name]
    both = psi.purity_exchanged()
    assert max(both.column("off_line")) < 1e-12
    close(max(both.column("exchanged_off_line")), 0.167)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ARI", [1.0, 0.545, 0.247, 0.222, 0.049, 0.0]),
        ("NMI", [1.0, 0.622, 0.431, 0.412, 0.23, 0.0]),
        ("NVD", [1.0, 0.833, 0.683, 0.667, 0.667, 0.667]),
        ("CH", [1.0, 0.833, 0.683, 0.667, 0.5, 0.333]),
        ("Purity", [1.0, 0.833, 0.683, 0.667, 0.5, 0.333]),
        ("PSI", [1.0, 0.615, 0.38, 0.357, 0.16, 0.0]),
    ],
)
def test_second_enlarged(name, wanted):
    close(psi.enlarged_second((1000, 1500, 1950, 2000, 2500, 3000)).column(name), wanted)


def test_psi_has_the_same_curve_in_figures_12_and_14():
    first, second = psi.enlarged_first(), psi.enlarged_second()
    assert first.column("PSI") == pytest.approx(second.column("PSI"), abs=2e-16)
    assert len(first.rows) == 41
    assert max(np.abs(np.subtract(first.column("ARI"), second.column("ARI")))) > 0.3


def test_sizes_that_cannot_be():
    with pytest.raises(ValueError, match="a size of 950; from 1000 to 3000"):
        psi.enlarged_first([950])
    with pytest.raises(ValueError, match="a size of 3001"):
        psi.enlarged_second([3001])
    with pytest.raises(ValueError, match="a cluster of 3 cannot contain one of 4 items"):
        psi.cluster_similarities(4, [3])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ARI", [1.0, 0.856, 0.302, 0.009, 0.0, -0.001]),
        ("NMI", [1.0, 0.788, 0.255, 0.009, 0.001, 0.0]),
        ("NVD", [1.0, 0.95, 0.7, 0.4, 0.35, 0.334]),
        ("CH", [1.0, 0.95, 0.7, 0.4, 0.35, 0.334]),
        ("Purity", [1.0, 0.95, 0.7, 0.4, 0.35, 0.334]),
        ("PSI", [1.0, 0.925, 0.55, 0.1, 0.025, 0.001]),
    ],
)
def test_growing_error(name, wanted):
    close(psi.growing_error((0, 50, 300, 600, 650, 667)).column(name), wanted)


def test_shape_of_figure_16():
    table = psi.growing_error()
    last = len(table.rows) - 1  # 667 is not a step of 50
    for name in ("NVD", "CH", "Purity", "PSI"):
        assert linear(table.column(name)[:last]) < 1e-12
    assert table.column("NVD") == pytest.approx(table.column("CH"), abs=1e-15)
    assert table.column("CH") == pytest.approx(table.column("Purity"), abs=1e-15)
    for row in table.to_dicts()[1:last]:
        assert max(row["ARI"], row["NMI"]) < row["PSI"] < row["NVD"]


@pytest.mark.parametrize(
    ("reading", "ari", "other"),
    [
        ("200 each way", [0.8293, 0.6798, 0.3892], [0.8, 0.8, 0.8]),
        ("200 one way", [0.904, 0.821, 0.657], [0.821, 0.823, 0.825]),
        ("tenth each way", [0.904, 0.82, 0.656], [0.9, 0.9, 0.9]),
        ("200 to the third", [0.701, 0.627, 0.633], [0.73, 0.679, 0.413]),
    ],
)
def test_size_imbalance(reading, ari, other):
    table = psi.size_imbalance((2000, 1000, 50), reading)
    close(table.column("ARI"), ari)
    close(table.column("PSI"), other)


def test_shape_of_figure_18():
    for reading in ("200 each way", "tenth each way"):
        table = psi.size_imbalance(reading=reading)
        assert len(set(np.round(table.column("PSI"), 14))) == 1
        for name in ("ARI", "NMI", "NVD"):
            assert table.column(name)[0] - table.column(name)[-1] > 0.04
    close(psi.size_imbalance((50,)).column("ARI")[0], 0.66, 2)
    strict = psi.size_imbalance((2000, 1000, 50), "200 each way")
    close(strict.column("NMI"), [0.7594, 0.6963, 0.3827], 4)
    for name in ("NVD", "CH", "Purity"):
        close(strict.column(name), [0.9, 0.8667, 0.8049], 4)
    with pytest.raises(ValueError, match="reading 'half' is not one of tenth each way, 200"):
        psi.size_imbalance((50,), "half")


@pytest.mark.parametrize(
    ("spread", "ari", "nmi"),
    [
        (False, [0.36, 0.52, 0.573, 0.644, 0.663], [0.278, 0.545, 0.639, 0.783, 0.833]),
        (True, [0.36, 0.49, 0.537, 0.605, 0.623], [0.278, 0.418, 0.481, 0.592, 0.636]),
    ],
)
def test_number_of_clusters(spread, ari, nmi):
    table = psi.number_of_clusters((2, 3, 4, 10, 20), spread)
    close(table.column("ARI"), ari)
    close(table.column("NMI"), nmi)
    close(table.column("PSI"), [0.6, 0.7, 0.733, 0.778, 0.789])
    for name in ("NVD", "CH", "Purity"):
        assert table.column(name) == pytest.approx([0.8] * 5, abs=1e-15)


def test_random_labels():
    table = psi.random_labels()
    assert table.column("clusters") == tuple(range(1, 21))
    for name in ("ARI", "NMI", "PSI"):
        assert max(np.abs(table.column(name))) < 0.03
    for name in ("NVD", "CH", "Purity"):
        assert min(table.column(name)) > 0.05
    one = table.to_dicts()[0]
    close([one[name] for name in INDEXES], [0.0, 0.0, 0.667, 0.333, 0.333, 0.0])
    printed = {2: (0.424, 0.336, 0.336), 5: (0.278, 0.211, 0.345), 10: (0.234, 0.112, 0.356)}
    for k, wanted in (printed | {20: (0.23, 0.074, 0.386)}).items():
        row = table.to_dicts()[k - 1]
        assert [row[x] for x in ("NVD", "CH", "Purity")] == pytest.approx(wanted, abs=0.03)
    assert psi.random_labels(seed=2) != table
    assert psi.random_labels() == table


def test_similarities_of_nested_clusters():
    table = psi.cluster_similarities(4, (4, 5, 16))
    assert table.column("jaccard") == (1.0, 0.8, 0.25)
    assert table.column("braun_banquet") == (1.0, 0.8, 0.25)
    close(table.column("sorensen_dice"), [1.0, 0.889, 0.4])


def test_theorem_1_is_false():
    """The docstring's counterexample, as far as it needs no chance adjustment."""
    pair = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 1]
    close(pw.normalized_mutual_information(*pair), 0.5794, 4)
    nvi = pw.normalized_variation_of_information(*pair, norm="sum")
    assert 1 - nvi == pytest.approx(pw.normalized_mutual_information(*pair))


# ---- clusterings of points -----------------------------------------------------------


def test_values_expected_at_an_overlap():
    row = psi.expected_overlap((0.15,)).to_dicts()[0]
    for name in ("NVD", "CH", "Purity"):
        assert row[name] == pytest.approx(0.85, abs=1e-15)
    close(row["PSI"], 0.7, 4)
    assert psi.expected_overlap((0.0,)).rows[0][1:] == (1.0,) * 6


def test_overlap():
    table = psi.overlap((0.01, 0.15, 0.3), size=400, restarts=2)
    assert table == psi.overlap((0.01, 0.15, 0.3), size=400, restarts=2)
    for row in table.to_dicts():
        assert row["NVD"] == pytest.approx(row["expected_NVD"], abs=0.02)
        assert row["PSI"] == pytest.approx(row["expected_PSI"], abs=0.06)
        assert row["expected_NVD"] == 1 - row["overlap"]
        assert row["NVD"] == pytest.approx(row["CH"]) == pytest.approx(row["Purity"])
    assert table.column("overlap") == tuple(sorted(table.column("overlap")))
    with pytest.raises(ValueError, match=r"overlap=0; more than 0 and at most 0.5"):
        psi.overlap((0,))


def test_dimensionality():
    table = psi.dimensionality((1, 8, 32, 512), restarts=2)
    for row in table.to_dicts()[:3]:
        assert row["NVD"] == pytest.approx(0.85, abs=0.02)
        assert row["PSI"] == pytest.approx(0.70, abs=0.05)
    assert table.column("NVD")[3] < 0.8  # the best sum of squares is another


@pytest.mark.parametrize(
    ("orphan", "wanted"),
    [
        ("a big cluster", [0.9986, 0.9919, 0.9922, 0.7861]),
        ("another small cluster", [0.9988, 0.9921, 0.9922, 0.7848]),
        ("a merged cluster", [0.9988, 0.9921, 0.9923, 0.7880]),
    ],
)
def test_single_link_of_table_6(orphan, wanted):
    row = psi.unbalance_single_link().where(orphan_from=orphan).to_dicts()[0]
    close([row[name] for name in ("ARI", "NMI", "NVD", "PSI")], wanted, 4)
    for name in ("ARI", "NMI", "NVD"):
        close(row[name], row[f"{name}_printed"], 2)
    assert (round(row["PSI"], 2) == row["PSI_printed"]) == (orphan == "another small cluster")


def test_k_means_of_table_6():
    row = psi.unbalance_k_means().to_dicts()[0]
    for name in ("ARI", "NMI", "NVD"):
        close(row[name], row[f"{name}_printed"], 2)
    assert row["PSI"] == pytest.approx(row["PSI_printed"], abs=0.01)


def test_unbalance():
    """Points of the paper's description, drawn so that the same happens to them."""
    for row in psi.unbalance().to_dicts():
        for name in ("ARI", "NMI", "NVD", "PSI"):
            assert row[name] == pytest.approx(row[f"{name}_printed"], abs=0.01)


def test_yeast():
    table = psi.yeast()
    assert sum(psi.YEAST) == 1484
    rows = {row["clusters"]: row for row in table.to_dicts()}
    wanted = {
        9: [0.9964, 0.9922, 0.997, 0.8852],
        8: [0.985, 0.9642, 0.9845, 0.7479],
        7: [0.9647, 0.9246, 0.9663, 0.6117],
    }
    for k, values in wanted.items():
        close([rows[k][name] for name in ("ARI", "NMI", "NVD", "PSI")], values, 4)
        for name in ("ARI", "NMI", "NVD"):
            assert rows[k][name] == pytest.approx(rows[k][f"{name}_printed"], abs=0.01)
    assert rows[9]["PSI"] == pytest.approx(0.88, abs=0.01)
    assert rows[8]["PSI"] == pytest.approx(0.74, abs=0.01)
    assert psi.yeast((1, 9)).column("clusters") == (9, 1)
    assert psi.yeast((1,)).column("ARI_printed") == (None,)
    with pytest.raises(ValueError, match="10 clusters; from 1 to 9 can be left"):
        psi.yeast((10,))


def test_stability():
    table = psi.stability((2, 6, 8, 12), subsets=3)
    for name in ("ARI", "NMI", "NVD", "PSI"):
        assert table.column(name)[2] == max(table.column(name))
        assert table.column(name)[3] < 0.98
    row = table.to_dicts()[1]
    assert row["PSI"] < min(row["ARI"], row["NMI"], row["NVD"]) - 0.02
