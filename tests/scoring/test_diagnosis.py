"""Diagnosis: against a literal reading of splits, merges and costs, and on real data."""

import json
import math
import pickle
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cases
import partwise as pw
from partwise.scoring.diagnose.report_cells import aligned
from partwise.scoring.diagnose.worst import LISTED, LISTED_ITEMS, largest

LABELS = st.integers(0, 20).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(0, max(n // 2, 1)), min_size=n, max_size=n) for _ in range(2)]
    )
)


def close(found, wanted):
    return math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-14)


# ---- the definitions, slowly -------------------------------------------------------


def clusters(labels):
    found = defaultdict(set)
    for item, label in enumerate(labels):
        found[label].add(item)
    return dict(sorted(found.items()))


def components(a, b):
    """Sets of items that no cluster of either side crosses, in order of reference label."""
    left = set(range(len(a)))
    sides = [*clusters(a).values(), *clusters(b).values()]
    found = []
    for start in clusters(a).values():
        if not start <= left:
            continue
        block = set(start)
        while True:
            wider = block.union(*(c for c in sides if c & block))
            if wider == block:
                break
            block = wider
        found.append(block)
        left -= block
    return found


def kind(block, a, b):
    rows, cols = {a[i] for i in block}, {b[i] for i in block}
    if len(rows) == 1:
        return "identical" if len(cols) == 1 else "split"
    return "merge" if len(cols) == 1 else "mixed"


def pieces(cluster, other):
    return Counter(other[i] for i in cluster)


def entropy(counts):
    n = sum(counts)
    return -sum(x / n * math.log(x / n) for x in counts)


def score(cluster, other):
    if len(cluster) == 1:
        return 1.0
    return 1 - entropy(pieces(cluster, other).values()) / math.log(len(cluster))


def item_losses(a, b, combine):
    """1 - s t of each item over n, or half of (1 - s) + (1 - t)."""
    rows = {label: score(c, b) for label, c in clusters(a).items()}
    cols = {label: score(c, a) for label, c in clusters(b).items()}
    of = {"product": lambda s, t: 1 - s * t, "mean": lambda s, t: 1 - (s + t) / 2}[combine]
    return [of(rows[x], cols[y]) / len(a) for x, y in zip(a, b, strict=True)]


def partner(cluster, other):
    """The label of highest F, the first of equals, and the items shared with it."""
    whole = clusters(other)
    found = pieces(cluster, other)
    f = {x: Fraction(2 * c, len(cluster) + len(whole[x])) for x, c in found.items()}
    best = min(label for label in f if f[label] == max(f.values()))
    return best, found[best]


# ---- on random clusterings ---------------------------------------------------------


@given(LABELS)
def test_components(pair):
    a, b = pair
    found = pw.diagnose(a, b, worst=3).components
    blocks = components(a, b)
    losses = item_losses(a, b, "product")
    lost = [math.fsum(losses[i] for i in block) for block in blocks]
    kinds = ["identical", "split", "merge", "mixed"]
    assert [kinds[k] for k in found.kind] == [kind(block, a, b) for block in blocks]
    assert found.items.tolist() == [len(block) for block in blocks]
    assert found.reference_clusters.tolist() == [len({a[i] for i in x}) for x in blocks]
    assert found.candidate_clusters.tolist() == [len({b[i] for i in x}) for x in blocks]
    assert found.cells.tolist() == [len({(a[i], b[i]) for i in x}) for x in blocks]
    assert all(map(close, found.loss, lost))
    total = math.fsum(lost)
    if total > 1e-9:
        assert all(map(close, found.share, [x / total for x in lost]))
        assert close(math.fsum(found.share), 1)
    else:
        assert not found.share.any()


@given(LABELS)
def test_kinds_add_up(pair):
    a, b = pair
    found = pw.diagnose(a, b)
    blocks = components(a, b)
    for name, of in found.kinds.items():
        chosen = [x for x in blocks if kind(x, a, b) == name]
        assert (of["components"], of["items"]) == (len(chosen), sum(map(len, chosen)))
    assert found.loss == pytest.approx(1 - pw.s_entropy(a, b), abs=1e-14)
    shares = [of["share"] for of in found.kinds.values()]
    assert sum(shares) == pytest.approx(1 if found.loss else 0, abs=1e-12)
    assert found.kinds["identical"]["share"] == 0


@given(LABELS, st.sampled_from(["product", "mean"]))
def test_cluster_tables(pair, combine):
    a, b = pair
    name = "s_entropy" if combine == "product" else "s_entropy(combine=mean)"
    found = pw.diagnose(a, b, by=name)
    losses = item_losses(a, b, combine)
    total = math.fsum(losses)
    blocks = components(a, b)
    for table, own, other in ((found.reference, a, b), (found.candidate, b, a)):
        mine = clusters(own)
        assert table.labels.tolist() == list(mine)
        for i, cluster in enumerate(mine.values()):
            parts = pieces(cluster, other)
            assert table.sizes[i] == len(cluster)
            assert table.pieces[i] == len(parts)
            assert table.largest[i] == max(parts.values())
            assert close(table.entropy[i], entropy(parts.values()))
            assert (table.partner_labels[i], table.overlaps[i]) == partner(cluster, other)
            assert table.partner_labels[i] == sorted(set(other))[table.partners[i]]
            assert cluster <= blocks[table.components[i]]
            if total > 1e-9:
                cost = math.fsum(losses[j] for j in cluster) / total
                assert close(table.costs[i], cost)
        if total > 1e-9:
            assert close(math.fsum(table.costs), 1)


@given(LABELS, st.integers(0, 4))
def test_splits_and_merges(pair, worst):
    a, b = pair
    found = pw.diagnose(a, b, worst=worst)
    blocks = components(a, b)
    sides = (
        (found.splits, a, b, found.reference),
        (found.merges, b, a, found.candidate),
    )
    for broken, own, other, table in sides:
        mine = clusters(own)
        apart = {x: c for x, c in mine.items() if len(pieces(c, other)) > 1}
        mixed = {
            x
            for x, c in apart.items()
            if any(c <= j and kind(j, a, b) == "mixed" for j in blocks)
        }
        assert broken.count == len(apart)
        assert broken.items == sum(map(len, apart.values()))
        assert (broken.mixed, broken.mixed_items) == (
            len(mixed),
            sum(len(mine[x]) for x in mixed),
        )
        order = sorted(
            apart, key=lambda x: (max(pieces(mine[x], other).values()) - len(mine[x]), x)
        )
        assert [one.label for one in broken.worst] == order[:worst]
        for one in broken.worst:
            parts = pieces(mine[one.label], other)
            wanted = sorted(parts.items(), key=lambda x: (-x[1], x[0]))
            place = table.labels.tolist().index(one.label)
            assert one.parts == wanted[:LISTED]
            assert one.size == len(mine[one.label])
            assert one.n_parts == len(parts) == len(one.parts) + one.parts_left_out
            assert one.parts_left_out_items == one.size - sum(n for _, n in one.parts)
            assert one.apart == one.size - wanted[0][1]
            assert one.mixed == (one.label in mixed)
            assert close(one.entropy, entropy(parts.values()))
            assert close(one.cost, table.costs[place])


@given(LABELS, st.integers(0, 4), st.integers(1, 3))
def test_worst_components_and_their_items(pair, worst, n_items):
    a, b = pair
    ids = [f"m{i}" for i in range(len(a))]
    sides = [pw.Clustering(x, items=ids) for x in (a, b)]
    found = pw.diagnose(*sides, worst=worst, items=n_items)
    blocks = components(a, b)
    losing = [j for j in range(len(blocks)) if found.components.loss[j] > 0]
    order = sorted(losing, key=lambda j: (-found.components.loss[j], j))
    assert [one.number for one in found.worst] == order[:worst]
    assert found.n_costly == len(losing)
    for one in found.worst:
        block = blocks[one.number]
        cells = defaultdict(list)
        for i in sorted(block):
            cells[a[i], b[i]].append(ids[i])
        wanted = sorted(cells.items(), key=lambda x: (-len(x[1]), x[0]))
        shown = [
            (x, len(members), members[:n_items], len(members) - len(members[:n_items]))
            for x, members in wanted[:LISTED]
        ]
        assert shown == [
            ((c.reference, c.candidate), c.count, c.items, c.items_left_out) for c in one.cells
        ]
        assert one.n_cells == len(cells) == len(one.cells) + one.cells_left_out
        assert one.n_items == len(block)
        assert one.cells_left_out_items == len(block) - sum(c.count for c in one.cells)
        assert (one.kind, one.share) == (
            kind(block, a, b),
            found.components.share[one.number],
        )


DECOMPOSABLE = [
    name
    for name, row in pw.catalogue().items()
    if row.computation.decomposition is not None and not row.requires
]


@pytest.mark.parametrize("name", DECOMPOSABLE)
@settings(max_examples=6)
@given(pair=LABELS)
def test_any_measure_that_has_a_decomposition(name, pair):
    a, b = pair
    found = pw.diagnose(a, b, by=name)
    parts = pw.decompose(a, b, measure=name)
    assert found.by == name
    assert found.value == parts.value
    assert (found.components.loss == parts.loss).all()
    assert found.components.share.sum() == pytest.approx(1 if found.loss else 0, abs=1e-12)
    has_cells = name.startswith(("s_entropy", "split_merge", "split_entropy", "merge_entropy"))
    has_cells |= name in ("variation_of_information", "conditional_entropy")
    assert (found.reference.costs is not None) == (has_cells and bool(a))
    assert bool(found.note) == (not has_cells and found.loss > 0)


@pytest.mark.one_backend
@pytest.mark.parametrize("n", [0, 1, 255, 256, 5000])
@pytest.mark.parametrize("top", [1, 3, 40])
def test_the_largest_of_many(n, top):
    for values in (np.random.default_rng(n).integers(0, top, n), np.zeros(n)):
        for count in (0, 1, 7, 300):
            wanted = sorted(np.flatnonzero(values), key=lambda i: (-values[i], i))[:count]
            assert largest(values, count).tolist() == wanted


@given(LABELS)
def test_costs_of_other_split_merge_scores(pair):
    a, b = pair
    where = np.arange(len(a)) ** 2.0
    for name in ("s_mse", "split_merge(score=max_share)", "split_merge(score=log_k, k=99)"):
        found = pw.diagnose(a, b, by=name, features=where)
        wanted = pw.decompose(a, b, measure=name, features=where)
        assert close(found.loss, wanted.best - wanted.value)
        for table in (found.reference, found.candidate):
            if not a:
                assert table.costs is None
                continue
            by_component = np.zeros(len(wanted))
            np.add.at(by_component, table.components, table.costs)
            assert np.allclose(by_component, found.components.share, rtol=1e-12, atol=1e-12)


# ---- forms and errors --------------------------------------------------------------


def test_what_a_table_and_an_alignment_give():
    a, b = [0, 0, 1, 1, 2], ["x", "y", "y", "y", "z"]
    aligned, table = pw.align(a, b), pw.contingency(a, b)
    wanted = pw.diagnose(a, b).to_dict()
    for one in (pw.diagnose(aligned).to_dict(), pw.diagnose(table).to_dict()):
        assert one == wanted
    assert str(pw.diagnose(table)) == str(pw.diagnose(a, b))
    with pytest.raises(TypeError, match=r"items=.* needs the items, which a Contingency"):
        pw.diagnose(table, items=True)
    with pytest.raises(TypeError, match="unmatched= beside a Contingency"):
        pw.diagnose(table, unmatched="drop")
    with pytest.raises(TypeError, match="no option 'wrost'"):
        pw.diagnose(a, b, wrost=3)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"by": "adjusted_rand_index"}, "adjusted_rand_index is no .*s_entropy"),
        ({"by": "fowlkes_mallows"}, "fowlkes_mallows is no .*rand_index"),
        ({"by": "s_entrop"}, "did you mean s_entropy"),
        ({"worst": -1}, "worst=-1 must be a whole number"),
        ({"worst": 2.5}, "worst=2.5 must be a whole number"),
        ({"items": "yes"}, "items='yes' must be a whole number"),
    ],
)
def test_errors(options, text):
    with pytest.raises(ValueError, match=text):
        pw.diagnose([0, 0], [0, 1], **options)


def test_labels_in_text_tell_clusters_apart():
    text = str(pw.diagnose([0.1234567] * 2, ["", "b"]))
    assert "0.1234567" in text
    assert '""' in text
    only_counts = str(pw.diagnose([0, 0, 1], [0, 1, 1], worst=0))
    assert "Splits: 1 reference cluster (2 items) broken" in only_counts
    assert "the 0 with" not in only_counts


def test_pickling():
    found = pw.diagnose([0, 0, 1, 1, 2], ["x", "y", "y", "y", "z"], items=True)
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    assert again.reference.costs.tolist() == found.reference.costs.tolist()


def test_nothing_to_say():
    for a in ([], [0], [0, 0, 1]):
        found = pw.diagnose(a, a, items=bool(a))
        assert (found.loss, found.worst, found.splits.worst, found.merges.worst) == (
            0,
            [],
            [],
            [],
        )
        assert "no reference cluster broken" in str(found)
        assert found.value == 1
        json.loads(found.to_json())
        assert found.reference.sizes.tolist() == found.candidate.sizes.tolist()


def test_multiplicity_and_weights():
    a, b = [9, 0, 0, 1, 1, 1], [7, 0, 1, 1, 1, 2]
    times = [0, 3, 1, 1, 2, 1]
    repeated = [np.repeat(x, times) for x in (a, b)]
    found = pw.diagnose(a, b, multiplicity=times, items=True)
    plain = pw.diagnose(*repeated)
    assert found.components.loss.tolist() == plain.components.loss.tolist()
    cells = {(c.reference, c.candidate): c for one in found.worst for c in one.cells}
    assert cells[0, 0].count == 3
    assert cells[0, 0].items == [1]  # listed once, whatever it counts
    assert cells[1, 1].items == [3, 4]
    assert cells[1, 1].items_left_out == 0
    weighted = pw.diagnose(a, b, weights=times)
    assert close(weighted.loss, 1 - pw.s_entropy(a, b, weights=times))
    for table in (weighted.reference, weighted.candidate):
        assert close(math.fsum(table.costs), 1)
    with pytest.raises(ValueError, match="takes no weights"):
        pw.diagnose(a, b, by="rand_index", weights=times)


@pytest.mark.parametrize("more", [0, 1, LISTED + 3])
def test_parts_beyond_those_that_are_listed_are_counted(more):
    """A cluster of parts with 1, 2, 3, ... items; the smallest are not listed."""
    n = LISTED + more
    a, b = np.zeros(n * (n + 1) // 2, int), np.repeat(np.arange(n), np.arange(1, n + 1))
    for sides, broken in (((a, b), "splits"), ((b, a), "merges")):
        (one,) = getattr(pw.diagnose(*sides), broken).worst
        assert one.parts == [(x, x + 1) for x in range(n - 1, more - 1, -1)]
        assert (one.n_parts, one.parts_left_out) == (n, more)
        assert one.parts_left_out_items == more * (more + 1) // 2


def test_the_text_shows_what_is_left_out():
    a = np.zeros(40, dtype=int)
    b = np.repeat(np.arange(12), [20, 10, *[1] * 10])
    found = pw.diagnose(a, b, items=True)
    text = str(found)
    assert "4 (1), and 7 more (7)" in " ".join(text.split())
    assert "and 2 further cells of 2 items in all" in text
    assert "and 10 more" in text
    assert found.worst[0].cells[0].items == list(range(LISTED_ITEMS))
    assert "(alone)" in str(pw.diagnose({"x": 1, "y": 1}, {"x": 1}, unmatched="singletons"))


@pytest.mark.one_backend
@pytest.mark.parametrize("width", range(20, 60))
def test_a_last_column_without_room_stands_in_lines_of_its_own(width):
    """80 characters; it needs 28, behind the others and two blanks after each."""
    words = [f"word{i}" for i in range(12)]
    lines = aligned(("n", "name", "parts"), [(1, "x" * width, " ".join(words))], right=1)
    beside = 80 - (1 + 2 + width + 2) >= 28
    first, *others = lines.splitlines()[1 if beside else 2 :]  # below the names of the columns
    assert max(map(len, (first, *others))) <= 80
    assert " ".join([first, *others]).split() == ["1", "x" * width, *words]
    assert ("word0" in first) == beside
    indent = 1 + 2 + width + 2 if beside else 4
    assert all(line[:indent].isspace() and line[indent] == "w" for line in others)


@pytest.mark.one_backend
def test_a_last_column_may_be_empty():
    lines = aligned(("n", "parts"), [(7, ""), (12, "a b"), (5, "")], right=1).splitlines()
    assert lines == [" n  parts", " 7", "12  a b", " 5"]


@pytest.mark.one_backend
def test_the_worst_components_are_numbered_from_the_worst():
    b = np.repeat(np.arange(6), [9, 3, 4, 2, 2, 1])
    found = pw.diagnose(np.repeat(np.arange(3), [12, 6, 3]), b, by="mirkin")
    titles = [line for line in str(found).splitlines() if " of the loss, " in line]
    shares = [f"{one.share:.1%}" for one in found.worst]
    assert len(titles) == len(shares) == 3
    for rank, (title, share) in enumerate(zip(titles, shares, strict=True), 1):
        assert title.startswith(f"{rank}. {share} of the loss, split")


def test_long_labels_and_common_parts():
    name = "a document with a long name, written by somebody"
    a = {(name, str(i)): (name, "e0") for i in range(3)}
    b = {(name, str(i)): (name, f"r{i % 2}") for i in range(3)}
    found = pw.diagnose(a, b, items=True)
    text = str(found)
    assert f"1 reference cluster, 2 candidate clusters in {name} " in " ".join(text.split())
    assert "  a docume…mebody,e0\n    r0 (2), r1 (1)" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["2", "e0", "r0", "0,", "2"] in lines
    assert max(map(len, text.splitlines())) <= 80
    assert json.loads(found.to_json())["worst"][0]["cells"][0]["items"] == [
        [name, "0"],
        [name, "2"],
    ]


def test_frames_and_html():
    pytest.importorskip("pandas")
    a, b = [0, 0, 1, 1, 2], ["<x>", "y", "y", "y", "z"]
    found = pw.diagnose(a, b, items=True)
    frames = found.to_pandas()
    assert list(frames) == ["components", "reference", "candidate", "cells"]
    assert frames["components"]["kind"].tolist() == ["mixed", "identical"]
    assert frames["reference"]["cost"].sum() == pytest.approx(1)
    assert frames["reference"]["partner"].tolist() == ["<x>", "y", "z"]
    assert frames["cells"]["ids"].tolist() == [[2, 3], [0], [1]]
    assert "cost" not in pw.diagnose(a, b, by="purity").to_pandas()["reference"]
    html = found._repr_html_()
    assert "&lt;x&gt;" in html
    assert "<x>" not in html


# ---- real data ---------------------------------------------------------------------


def check_worst_ten(found, n_items):
    assert len(found.worst) == 10
    assert math.fsum(found.components.share) == pytest.approx(1, abs=1e-12)
    assert math.fsum(found.components.loss) == pytest.approx(1 - found.value, rel=1e-12)
    assert sum(found.components.items) == n_items
    shares = [one.share for one in found.worst]
    assert shares == sorted(shares, reverse=True)
    for one in found.worst:
        assert one.cells
        for cell in one.cells:
            assert cell.count == len(cell.items) + cell.items_left_out
            assert len(set(cell.items)) == len(cell.items) > 0


def test_litbank():
    folder = cases.shared("data", "labels", "litbank")
    key, response = (
        pw.read(folder / f"{x}.tsv.gz", item=["doc", "mention"], label=["doc", "cluster"])
        for x in ("key", "response")
    )
    found = pw.diagnose(key, response, unmatched="singletons", worst=10, items=True)
    check_worst_ten(found, found.account.items)
    pieces = {key: set(members) for key, members in key.clusters().items()}
    for one in found.worst:
        for cell in one.cells:
            if cell.reference in pieces:  # not a mention of the response alone
                assert set(cell.items) <= pieces[cell.reference]


def test_febrl():
    path = cases.shared("data", "labels", "febrl", "dataset3.csv.gz")
    true, found_by = (pw.read(path, item="rec_id", label=x) for x in ("true", "jaccard>=0.3"))
    for by in ("s_entropy", "variation_of_information", "rand_index"):
        found = pw.diagnose(true, found_by, by=by, worst=10, items=True)
        if by == "variation_of_information":
            assert found.loss == pytest.approx(found.value, rel=1e-12)
            continue
        check_worst_ten(found, 5000)
        for one in found.worst:
            for cell in one.cells:
                assert all(item.startswith(f"rec-{cell.reference}-") for item in cell.items)


@pytest.mark.parametrize("name", ["variation_of_information", "split_entropy", "merge_entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_costs_of_clusters_by_entropies(name, weighted):
    """The shares of a side's clusters add up to 1; each is what its items add."""
    own = np.random.default_rng(8)
    a, b = own.integers(0, 5, (2, 60))
    weights = own.integers(0, 7, 60) / 4 if weighted else np.ones(60)
    options = {"weights": weights} if weighted else {}
    found = pw.diagnose(a, b, by=name, **options)
    value = pw.catalogue()[name](pw.align(a, b, **options))
    for side, labels in ((found.reference, a), (found.candidate, b)):
        assert math.fsum(side.costs) == pytest.approx(1, rel=1e-12)
        for label, cost in zip(side.labels.tolist(), side.costs.tolist(), strict=True):
            added = 0.0
            for item in np.flatnonzero((labels == label) & (weights > 0)):
                cell = weights[(a == a[item]) & (b == b[item])].sum()
                split = math.log(weights[a == a[item]].sum() / cell)
                merge = math.log(weights[b == b[item]].sum() / cell)
                counts = {"split_entropy": (1, 0), "merge_entropy": (0, 1)}.get(name, (1, 1))
                added += weights[item] * (counts[0] * split + counts[1] * merge)
            assert cost == pytest.approx(added / weights.sum() / value, rel=1e-11)
    assert found.note == ""
    in_bits = pw.diagnose(a, b, by=f"{name}(base=2)", **options)
    assert np.allclose(in_bits.reference.costs, found.reference.costs, rtol=1e-12)
    assert all(one.cost is not None for one in found.splits.worst)
