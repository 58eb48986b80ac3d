"""What a table is made of, read off the items of each cluster."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from strategies import labelings

pytestmark = pytest.mark.one_backend


def parts_of(labels, others):
    """The items of each cluster, counted by their label on the other side."""
    pairs = list(zip(labels, others, strict=True))
    return {x: Counter(y for own, y in pairs if own == x) for x in labels}


@given(pair=labelings())
def test_parts_of_each_cluster(pair):
    names = [f"cluster {x}" for x in pair[1]]
    for found, wanted in (
        (pw.split_subcomponents(pair[0], names), parts_of(pair[0], names)),
        (pw.merge_subcomponents(pair[0], names), parts_of(names, pair[0])),
    ):
        assert list(found) == sorted(wanted.items())
        assert len(found) == len(wanted)


@given(pair=labelings())
def test_an_edge_for_each_pair_of_clusters_with_items_in_common(pair):
    graph = pw.bipartite_graph(*pair)
    rows, cols = graph.row_labels.tolist(), graph.col_labels.tolist()
    edges = {(rows[i], cols[j]): count for i, j, count in graph.edges()}
    assert edges == Counter(zip(*pair, strict=True))
    assert (rows, cols) == (sorted({*pair[0]}), sorted({*pair[1]}))


@given(pair=labelings(), weighted=st.booleans())
def test_the_tables_of_the_components(pair, weighted):
    """Each has the items of one cluster of the join, and all of them."""
    weights = [2.0**i for i in range(len(pair[0]))]
    table = pw.contingency(*pair, **({"weights": weights} if weighted else {}))
    components = table.components()
    join = pw.join(*pair).tolist()
    wanted = [[i for i, own in enumerate(join) if own == x] for x in dict.fromkeys(join)]
    wanted.sort(key=lambda items: min(pair[0][i] for i in items))
    assert len(components) == len(wanted)
    for number, (part, items) in enumerate(zip(components.tables(), wanted, strict=True)):
        sides = [[side[i] for i in items] for side in pair]
        own = {"weights": [weights[i] for i in items]} if weighted else {}
        for found in (part, components.table(number)):
            assert same_cells(found, pw.contingency(*sides, **own))


def same_cells(one, other):
    """Whether two tables have the same labels, counts and masses."""
    arrays = ("indptr", "cols", "counts", "row_labels", "col_labels", "row_sizes", "col_sizes")
    masses = ("masses", "row_masses", "col_masses") if other.masses is not None else ()
    return all(
        getattr(one, name).tolist() == getattr(other, name).tolist()
        for name in (*arrays, *masses)
    )


@pytest.mark.parametrize("odd", [True, 0.0, "0", None, -1, 2])
def test_a_component_that_is_not_there(odd):
    components = pw.components([0, 0, 1], [5, 6, 7])
    assert len(components) == 2
    assert [components.rows(j).tolist() for j in (0, np.int8(1))] == [[0], [1]]
    for part in (components.rows, components.cols, components.items, components.table):
        with pytest.raises(ValueError, match=f"component {odd} does not exist; there are 2, "):
            part(odd)


@given(sizes=st.lists(st.sampled_from([1, 2, 3, 9, 10, 11, 99, 100, 101, 10**6])))
def test_how_many_clusters_and_items_are_in_small_clusters(sizes):
    """On the side of the reference; the other has one cluster."""
    table = pw.Contingency.from_counts(range(len(sizes)), [0] * len(sizes), sizes)

    def bins(sizes, weights):
        ends = {"1": (1, 1), "2-9": (2, 9), "10-99": (10, 99), "100 and more": (100, 1 << 62)}
        pairs = list(zip(sizes, weights, strict=True))
        return {
            name: sum(weight for size, weight in pairs if low <= size <= high)
            for name, (low, high) in ends.items()
        }

    total = [sum(sizes)] if sizes else []
    for side, own in enumerate((sizes, total)):
        assert table.profiles[side].bins == bins(own, [1] * len(own))
        assert table.item_profiles[side].bins == bins(own, own)


@pytest.mark.parametrize(
    "make", [pw.bipartite_graph, pw.split_subcomponents, pw.merge_subcomponents, pw.components]
)
def test_results_are_equal_to_themselves_alone(make):
    """They hold arrays, of which nobody can say whether they are equal in a word."""
    one, other = (make([0, 0, 1], [5, 6, 6]) for _ in range(2))
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2
