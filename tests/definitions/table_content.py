"""What two tables of counts are compared by, and random items for them."""

from hypothesis import strategies as st

#: Pairs of labels, an item each.
items = st.lists(st.tuples(st.integers(-3, 4), st.integers(0, 5)), max_size=40)


def content(table):
    """Return cells, labels and sizes as lists."""
    parts = (*table.cells, table.row_labels, table.col_labels, table.row_sizes, table.col_sizes)
    return [part.tolist() for part in parts]


def columns(found):
    """Return the labels of either side of pairs."""
    return [x for x, _ in found], [y for _, y in found]
