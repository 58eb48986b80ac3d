"""What every engine is tested on: items and labels of many kinds on two sides, and policies."""

import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

import partwise as pw

#: A column's type, and its value for a small number.
KINDS = {
    "int64": (pa.int64(), lambda x: x - 3),
    "int8": (pa.int8(), lambda x: x),
    "uint64 near 2^64": (pa.uint64(), lambda x: 2**64 - 1 - x),
    "text": (
        pa.string(),
        lambda x: ("a", "A", "é", "", "07", "7", " 7", "\u0065\u0301")[x % 8],
    ),
    "decimal": (pa.decimal128(20, 2), lambda x: Decimal(x) / 4 + 2**55),
    "date": (pa.date32(), lambda x: datetime.date(2020, 1, 1 + x)),
    "bool": (pa.bool_(), lambda x: bool(x % 2)),
    "float": (pa.float64(), lambda x: (0.0, -0.0, float("nan"), 2.5, -1.5)[x % 5]),
    "bytes": (pa.binary(), lambda x: b"\xff%d" % x),
}
ID_KINDS = ("int64", "int8", "uint64 near 2^64", "date", "names")
KINDS_OF_IDS = {**KINDS, "names": (pa.string(), lambda x: f"item {x}")}
WORDS = {
    "unmatched": ("error", "drop", "singletons"),
    "missing": ("error", "drop", "singletons", "cluster"),
    "duplicates": ("error", "first", "last"),
}


@st.composite
def sides(draw, kind_of_ids, most_items=10, repeats=True):
    """Return a table of items and labels, some missing, some items again."""
    numbers = st.lists(st.integers(0, most_items), max_size=12, unique=not repeats)
    of_id = KINDS_OF_IDS[kind_of_ids]
    of_label = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    items = draw(numbers)
    label = st.integers(0, 4)
    if draw(st.booleans()):
        label = st.one_of(st.none(), label, label, label)
    labels = draw(st.lists(label, min_size=len(items), max_size=len(items)))
    return pa.table(
        {
            "item": pa.array([of_id[1](x) for x in items], of_id[0]),
            "label": pa.array(
                [None if x is None else of_label[1](x) for x in labels], of_label[0]
            ),
        }
    )


@st.composite
def joins(draw, **options):
    """Return two sides with ids of one kind."""
    kind = draw(st.sampled_from(ID_KINDS))
    return draw(sides(kind, **options)), draw(sides(kind, **options))


def pairs_of(words):
    """Return pairs (reference, candidate) of a policy."""
    return st.tuples(st.sampled_from(words), st.sampled_from(words))


def policies(**words):
    """Return policies of both sides; words narrow them down."""
    return st.fixed_dictionaries({k: pairs_of(v) for k, v in {**WORDS, **words}.items()})


def in_memory(reference, candidate, **policy):
    """Return the table of two sides that ``pw.contingency`` makes."""
    clusterings = (pw.Clustering(x["label"], items=x["item"]) for x in (reference, candidate))
    return pw.contingency(*clusterings, **policy)


def outcome(make, *arguments, **keywords):
    """Return a table, or the kind and the sentence of what is raised."""
    try:
        return make(*arguments, **keywords)
    except (ValueError, TypeError) as error:
        return type(error), str(error)


def assert_same(one, other, *, account=True):
    """Two outcomes are the same, bit for bit."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        assert one == other
        return
    if account:
        assert one.account == other.account
    for name in ("indptr", "cols", "counts", "row_sizes", "col_sizes"):
        values = getattr(one, name), getattr(other, name)
        assert values[0].dtype == values[1].dtype
        assert np.array_equal(*values), name
    for name in ("row_labels", "col_labels"):
        labels = getattr(one, name), getattr(other, name)
        assert labels[0].dtype == labels[1].dtype, name
        assert labels[0].tolist() == labels[1].tolist(), name
