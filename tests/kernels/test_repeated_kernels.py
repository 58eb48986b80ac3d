"""No kernel is asked the same twice: what measures have in common is computed once."""

from collections import Counter

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels


class CountingBackend:
    """Notes every call of a kernel, with what it was given."""

    def __init__(self, backend):
        self.backend, self.calls = backend, Counter()

    def __getattr__(self, name):
        found = getattr(self.backend, name)
        if not callable(found) or isinstance(found, type):
            return found

        def counted(*arguments, **keywords):
            self.calls[name, fingerprint(arguments), fingerprint(sorted(keywords.items()))] += 1
            return found(*arguments, **keywords)

        return counted


def fingerprint(value):
    """Arrays by what they hold, not by where they are."""
    if isinstance(value, np.ndarray):
        held = tuple(value.tolist()) if value.dtype == object else value.tobytes()
        return value.dtype.str, value.shape, held
    if isinstance(value, (tuple, list)):
        return tuple(map(fingerprint, value))
    return type(value).__name__ if hasattr(value, "release") else repr(value)


def asked_again(monkeypatch, call):
    """Return the kernels that a call asks for the same twice or more, and how often."""
    counting = CountingBackend(_kernels.impl)
    with monkeypatch.context() as patch:
        patch.setattr(_kernels, "impl", counting)
        call()
    return Counter({key[0]: times for key, times in counting.calls.items() if times > 1})


# far apart and of many sizes, so that sums of different things are not equal by chance
RNG = np.random.default_rng(6)
N = 1500
A = RNG.integers(0, 61, N)
B = np.where(RNG.random(N) < 0.2, A, RNG.integers(0, 74, N))
C = np.where(RNG.random(N) < 0.3, A, RNG.integers(0, 47, N))
WEIGHTS = RNG.random(N) + 0.1
TIMES = RNG.integers(0, 4, N)
FEATURES = RNG.random((N, 2))
IDS = [f"item {i}" for i in range(N)]
ORDER = RNG.permutation(N)


def text(labels):
    return [f"cluster {x}" for x in labels]


def with_ids(labels, order=slice(None)):
    return pw.Clustering(labels[order], np.array(IDS)[order])


def by_item(values):
    return dict(zip(IDS, values.tolist(), strict=True))


CARRIED = {
    "nothing": {},
    "weights": {"weights": WEIGHTS},
    "multiplicity": {"multiplicity": TIMES},
    "features": {"features": FEATURES},
    "weights and multiplicity": {"weights": WEIGHTS, "multiplicity": TIMES},
    "features and weights": {"features": FEATURES, "weights": WEIGHTS},
    "features and multiplicity": {"features": FEATURES, "multiplicity": TIMES},
    "all": {"features": FEATURES, "multiplicity": TIMES, "weights": WEIGHTS},
}


@pytest.mark.parametrize("kind", ["integers", "text", "ids"])
@pytest.mark.parametrize("carried", CARRIED)
def test_compare_asks_each_kernel_once(carried, kind, monkeypatch):
    policies = CARRIED[carried]
    if kind == "ids":
        a, b = with_ids(A), with_ids(B, ORDER)
        policies = {name: by_item(values) for name, values in policies.items()}
    else:
        a, b = (A, B) if kind == "integers" else (text(A), text(B))
    again = asked_again(monkeypatch, lambda: pw.compare(a, b, measures="all", **policies))
    assert again == {}


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["counts", "masses"])
def test_tables_are_asked_once(weights, monkeypatch):
    def of_counts():
        masses = None if weights is None else weights * (TIMES > 0)
        table = pw.Contingency.from_counts(A, B, TIMES, weights=masses)
        pw.compare(table, measures="all")

    def of_blocks():
        columns = [A, B] if weights is None else [A, B, weights]
        parts = [slice(0, 40), slice(40, 130), slice(130, N)]
        blocks = [tuple(column[part] for column in columns) for part in parts]
        pw.compare(pw.Contingency.from_blocks(blocks), measures="all")

    assert asked_again(monkeypatch, of_counts) == {}
    assert asked_again(monkeypatch, of_blocks) == {}


def test_one_block_or_merged_ones_keep_their_account():
    one = pw.Contingency.from_blocks([(A.astype(np.int16), B)])
    two = pw.Contingency.from_blocks([(A[:200].astype(np.int16), B[:200]), (A[200:], B[200:])])
    assert one.row_labels.dtype == np.int16  # as the table at once
    assert two.row_labels.dtype == np.int64
    assert one.account == two.account
    np.testing.assert_array_equal(one.counts, two.counts)


@pytest.mark.parametrize("carried", CARRIED)
def test_a_measure_asked_again_costs_nothing(carried, monkeypatch):
    policies = CARRIED[carried]
    aligned = pw.align(A, B, **policies)
    for name, row in pw.catalogue().items():
        needs_more = set(row.requires) - policies.keys()
        if needs_more or ("weights" in policies and not row.computation.weights):
            continue

        def twice(row=row):
            row(aligned)
            row.function(aligned, **row.options)

        assert asked_again(monkeypatch, twice) == {}, name


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["counts", "masses"])
def test_options_asked_again_cost_nothing(weights, monkeypatch):
    def fresh():
        return (
            pw.contingency(A, B) if weights is None else pw.contingency(A, B, weights=weights)
        )

    similarities = ("jaccard", "braun_banquet", "size_sorensen_dice")
    matchings = ("nearest_both", "greedy", "optimal")
    ways = [
        (pw.split_merge, {"score": "log_k", "k": 80}),
        (pw.split_merge, {"score": "log_k", "k": 90}),
        (pw.split_merge, {"score": "log_k", "k": 80, "combine": "mean"}),
        (pw.split_merge, {"score": "max_share"}),
        (pw.mallows_distance, {"cluster_weights": "size", "normalize": True}),
        *(
            (pw.set_matching, {"similarity": similarity, "matching": matching})
            for similarity in similarities
            for matching in matchings
        ),
    ]
    wanted = [measure(fresh(), **options) for measure, options in ways]
    table, found = fresh(), []

    def ask_twice():
        found.extend(measure(table, **options) for measure, options in ways * 2)

    assert asked_again(monkeypatch, ask_twice) == {}
    assert found == wanted * 2


@pytest.mark.parametrize("carried", CARRIED)
def test_sharing_changes_no_bit(carried):
    policies = CARRIED[carried]
    result = pw.compare(A, B, measures="all", **policies)
    for name, value in result.scores.items():
        row = pw.catalogue()[name]
        own = {
            key: x for key, x in policies.items() if key != "features" or key in row.requires
        }
        assert value == row.function(A, B, **row.options, **own), name


# ---- many clusterings ------------------------------------------------------------------

#: What a formula does with sums is its own; whether ids are whole numbers is asked of each pair
#: of sides, and answered at the first id that is none.
ARITHMETIC = {"wide_sum", "wide_difference", "wide_product", "wide_ratio", "whole_spans"}


@pytest.mark.parametrize("kind", ["integers", "text", "ids", "ids in one order"])
@pytest.mark.parametrize("workers", [1, 2])
def test_score_many_asks_each_kernel_once(kind, workers, monkeypatch):
    """Sums of the reference serve all candidates, those of a candidate all measures."""
    columns = [A, B, C]
    if kind == "text":
        columns = list(map(text, columns))
    elif kind == "ids":
        orders = slice(None), ORDER, ORDER[::-1]
        columns = [with_ids(x, order) for x, order in zip(columns, orders, strict=True)]
    elif kind == "ids in one order":
        columns = [with_ids(x) for x in columns]
    reference, *others = columns
    again = asked_again(
        monkeypatch, lambda: pw.score_many(reference, others, "all", workers=workers)
    )
    # two at once may both find out
    assert all(times <= workers for name, times in again.items() if name not in ARITHMETIC)


def test_formulas_share_what_they_make_of_sums(monkeypatch):
    from partwise.scoring import many

    made = []

    class Noted(many.States):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(many, "States", Noted)
    pw.score_many(A, [B, C], "all")
    assert len(made) == 1
    pairs = {"n11", "total", "reference", "candidate", "identical", "n10", "n01", "n00"}
    assert vars(made[0].pairs).keys() == pairs


@pytest.mark.parametrize("kind", ["integers", "text"])
@pytest.mark.parametrize("carried", CARRIED)
def test_score_many_knows_the_reference_with_what_items_carry(carried, kind, monkeypatch):
    policies = CARRIED[carried]
    reference, *others = (A, B, C) if kind == "integers" else map(text, (A, B, C))
    again = asked_again(
        monkeypatch, lambda: pw.score_many(reference, others, "all", **policies)
    )
    assert again.keys() <= (set() if policies else ARITHMETIC)


@pytest.mark.parametrize("carried", CARRIED)
def test_what_is_known_of_one_reference_is_not_told_of_another(carried):
    """Items that a policy drops, or that are elsewhere, make another reference."""
    policies = CARRIED[carried]
    some = {i: int(x) for i, x in enumerate(B) if i % 7}
    others = [dict(enumerate(C.tolist())), some, {i: int(A[i]) for i in ORDER}]
    by_place = {name: dict(enumerate(values.tolist())) for name, values in policies.items()}
    reference = dict(enumerate(A.tolist()))
    found = pw.score_many(reference, others, "all", unmatched="drop", **by_place)
    for i, other in enumerate(others):
        alone = pw.compare(reference, other, measures="all", unmatched="drop", **by_place)
        assert found.values[i].tolist() == list(alone.scores.values())


def test_pairwise_weighs_the_reference_of_a_row_once(monkeypatch):
    """Each clustering once as reference, and as candidate of the others' rows."""
    counting = CountingBackend(_kernels.impl)
    columns = [A, B, C, A + 1000]
    with monkeypatch.context() as patch:
        patch.setattr(_kernels, "impl", counting)
        found = pw.pairwise(columns, "f_measure", weights=WEIGHTS)
    calls = Counter()
    for (name, *_), times in counting.calls.items():
        calls[name] += times
    assert calls["encode"] == 4 + 16
    assert calls["sum_groups"] == 4 * 2 + 16 * 2  # rows and all items; cells and columns
    for i, reference in enumerate(columns):
        for j, candidate in enumerate(columns):
            assert found[i, j] == pw.f_measure(reference, candidate, weights=WEIGHTS)


def test_a_changed_matrix_changes_no_score():
    table = pw.align(A, B, weights=WEIGHTS).table
    first = pw.cluster_similarity_matrix(table, similarity="jaccard")
    kept = first.data.copy()
    first.data[:] = 0
    again = pw.cluster_similarity_matrix(table, similarity="jaccard")
    assert again.data.tobytes() == kept.tobytes()
