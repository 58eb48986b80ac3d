"""What a table is made of, read off the items of each cluster."""

from collections import Counter

import pytest
from hypothesis import given

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
