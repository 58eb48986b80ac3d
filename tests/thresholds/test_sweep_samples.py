"""``sweep(unlabelled="ignore")`` where the reference is a sample of the items of the edges."""

import numpy as np
import pytest

import partwise as pw

MEASURES = ["pair_f1", "b_cubed_f1", "variation_of_information", "pair_sets_index"]
SIMILAR = {"scores": "similarity", "unlabelled": "ignore"}


def problem(seed, form):
    """A truth of all items, which of them are sampled, and edges."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 12, 40)
    names = [f"r{i:02}" for i in range(40)] if form == "text" else list(range(100, 140))
    edges = [
        (names[i], names[j], float(round(random.uniform(), 2)))
        for i, j in random.integers(0, 40, (60, 2))
    ]
    return truth, names, np.flatnonzero(random.uniform(size=40) < 0.4), edges


@pytest.mark.parametrize("form", ["text", "integers"])
@pytest.mark.parametrize("as_columns", [False, True])
def test_items_of_edges_alone_are_as_items_without_a_label(form, as_columns):
    truth, names, sampled, edges = problem(3, form)
    sample = {names[i]: int(truth[i]) for i in sampled}
    with_all = {**sample, **{name: None for name in names if name not in sample}}
    in_edges = {item for edge in edges for item in edge[:2]}
    if as_columns:
        edges = tuple(np.array(column) for column in zip(*edges, strict=True))
    found = pw.sweep(sample, edges, measures=MEASURES, **SIMILAR)
    same = pw.sweep(with_all, edges, measures=MEASURES, **SIMILAR)
    assert np.array_equal(found.thresholds, same.thresholds)
    for name in MEASURES:
        assert np.array_equal(found[name], same[name])
    assert found.n_items == len(sample)
    assert found.n_ignored == len(in_edges - sample.keys())
    assert f"of {len(sample)} items with a label, {found.n_ignored} further" in str(found)


def test_each_state_is_a_comparison_of_the_sample():
    truth, names, sampled, edges = problem(4, "text")
    sample = {names[i]: int(truth[i]) for i in sampled}
    found = pw.sweep(sample, edges, measures=["rand_index", "purity"], **SIMILAR)
    for state in range(len(found)):
        at = found.thresholds[state]
        linked = pw.Clustering.from_pairs([x[:2] for x in edges if x[2] >= at], names)
        labels = pw.induced_clustering(linked, list(sample)).labels
        assert found["rand_index"][state] == pw.rand_index(list(sample.values()), labels)
        assert found["purity"][state] == pw.purity(list(sample.values()), labels)
        assert found.labels(state).shape == (len(sample),)
        assert pw.rand_index(found.labels(state), labels) == 1


def test_groups_and_start_are_those_of_the_reference():
    edges = [("a", "x", 0.9), ("x", "b", 0.8), ("c", "d", 0.7), ("d", "y", 0.1)]
    sample = {"a": 0, "b": 0, "c": 1, "d": 2}
    groups = ["g", "g", "h", "h"]
    found = pw.sweep(sample, edges, measures=["pair_f1"], groups=groups, **SIMILAR)
    assert found.groups.tolist() == groups
    assert found.bootstrap("pair_f1", draws=9, seed=1).n_units == 2
    assert found.labels(len(found) - 1).tolist() == [0, 0, 1, 1]
    begun = pw.sweep(sample, edges, start=[0, 0, 1, 2], **SIMILAR)
    assert begun.labels(0).tolist() == [0, 0, 1, 2]


def test_what_stays_refused():
    sample = {"a": 0, "b": 0}
    with pytest.raises(ValueError, match=r"names item 'x'.*unlabelled=\"ignore\" if .* sample"):
        pw.sweep(sample, [("a", "x", 0.5)], scores="similarity")
    with pytest.raises(ValueError, match="edge 0 names item nan"):
        pw.sweep(sample, [("a", float("nan"), 0.5)], **SIMILAR)
    with pytest.raises(TypeError, match="which cannot be an item"):
        pw.sweep(sample, [("a", ["b"], 0.5)], **SIMILAR)
    with pytest.raises(ValueError, match="edge 0 names item 5; the reference has items 0"):
        pw.sweep([0, 1], [(0, 5, 0.5)], **SIMILAR)
    with pytest.raises(TypeError, match="a linkage, edges or nested clusterings"):
        pw.sweep(sample, None, **SIMILAR)
