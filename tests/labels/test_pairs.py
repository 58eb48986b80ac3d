"""``Clustering.from_pairs``: connected components of pairs in every form."""

import numpy as np
import pytest

import partwise as pw

PAIRS = [("b", "a"), ("c", "d"), ("a", "e"), ("d", "c"), ("f", "f")]


def components(pairs, items):
    """Group items by repeated joining, as the definition says."""
    clusters = [{item} for item in items]
    for first, second in pairs:
        one = next(x for x in clusters if first in x)
        other = next(x for x in clusters if second in x)
        if one is not other:
            clusters.remove(other)
            one |= other
    return sorted(map(sorted, clusters))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["text", "integers", "tuples"])
def test_components_of_random_pairs(seed, kind):
    random = np.random.default_rng(seed)
    names = {
        "text": [f"r{i}" for i in range(30)],
        "integers": [7 * i - 50 for i in range(30)],
        "tuples": [("doc", i) for i in range(30)],
    }[kind]
    pairs = [(names[i], names[j]) for i, j in random.integers(0, 30, (18, 2))]
    linked = pw.Clustering.from_pairs(pairs, names)
    assert linked.items.tolist() == names
    assert sorted(map(sorted, linked.clusters().values())) == components(pairs, names)
    # labels count from 0 in the order of the items
    labels = linked.labels.tolist()
    assert list(dict.fromkeys(labels)) == list(range(linked.n_clusters))
    own = list(dict.fromkeys(item for pair in pairs for item in pair))
    alone = pw.Clustering.from_pairs(pairs)
    assert alone.items.tolist() == own
    assert sorted(map(sorted, alone.clusters().values())) == components(pairs, own)


@pytest.mark.one_backend
def test_every_form_gives_the_same_clusters():
    pandas, polars, arrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    first, second = map(list, zip(*PAIRS, strict=True))
    columns = {"left": first, "right": second}
    wide = {"score": [0.5] * 5, "right": second, "left": first}
    forms = [
        PAIRS,
        [list(pair) for pair in PAIRS],
        iter(PAIRS),
        np.array(PAIRS),
        (first, second),
        (np.array(first), np.array(second)),
        pandas.DataFrame(columns),
        pandas.DataFrame(wide),
        polars.DataFrame(wide),
        arrow.table(wide),
        np.array([*PAIRS], dtype=[("left", "U1"), ("right", "U1")]),
    ]
    for form in forms:
        linked = pw.Clustering.from_pairs(form)
        assert sorted(map(sorted, linked.clusters().values())) == [
            ["a", "b", "e"],
            ["c", "d"],
            ["f"],
        ]


@pytest.mark.one_backend
def test_no_pairs():
    assert pw.Clustering.from_pairs([]).n_items == 0
    assert pw.Clustering.from_pairs([], ["a", "b"]).labels.tolist() == [0, 1]
    empty = np.empty((0, 2), dtype=np.int64)
    assert pw.Clustering.from_pairs(empty, [3, 4]).labels.tolist() == [0, 1]


@pytest.mark.one_backend
def test_what_is_refused_and_how():
    make = pw.Clustering.from_pairs
    with pytest.raises(TypeError, match=r"pairs is a str; rows \(item, item\)"):
        make("ab")
    with pytest.raises(ValueError, match=r"pair 1 is \('a', 'b', 0.5\); pairs are"):
        make([("a", "b"), ("a", "b", 0.5)])
    with pytest.raises(ValueError, match=r"rows \(item, item\); this array has shape \(4, 3\)"):
        make(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="pair 1 names item 'z', which is not among the items"):
        make([("a", "b"), ("b", "z")], ["a", "b", "c"])
    with pytest.raises(ValueError, match="item 'a' stands twice among the items"):
        make([("a", "b")], ["a", "b", "a"])
    with pytest.raises(ValueError, match="pair 1 has no id"):
        make([("a", "b"), (None, "b")])
    fields = np.ma.array([("a", "b"), ("b", "c")], dtype="O,O")
    fields["f1"][1] = np.ma.masked
    for masked in (fields, (["a", "b"], np.ma.array(["b", "c"], mask=[0, 1]))):
        with pytest.raises(ValueError, match="pair 1 has no id"):
            make(masked)
    with pytest.raises(ValueError, match="item 0 has no id"):
        make([("a", "b")], [None, "b", "a"])
    with pytest.raises(ValueError, match="have lengths 2 and 1"):
        make((["a", "b"], ["a"]))
    with pytest.raises(TypeError, match="items of pairs mixes"):
        make([("a", 1)])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": ["a"], "y": ["b"], "z": [1]})
    with pytest.raises(ValueError, match=r"has the columns x, y, z; pass the two"):
        make(frame)
