"""One thread scores while another writes the arrays: no crash, and no value out of range.

    python tests/races.py --seconds 60              # every group for a minute
    python tests/races.py --groups labels sparse    # some groups
    python tests/races.py --list

Every group runs in a process of its own, so that one that dies is reported by its name. A value
may be that of any mixture of the states that the arrays go through, so what is checked is that
it lies in the range of its measure; an input that is refused (``ValueError``) is as good.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import partwise as pw

Call = tuple[str, Callable[[], Any]]

#: Policies under which columns of ids may hold anything.
_ANY = {"duplicates": "first", "unmatched": "drop"}


class Group(NamedTuple):
    """Arrays that are written, the states they go through, and the calls that read them."""

    arrays: list[np.ndarray]
    states: list[list[np.ndarray]]
    calls: list[Call]


def in_range(value: Any, low: float | None, high: float | None) -> bool:
    """Return whether a value is a number in its range, an ulp or two aside."""
    if not isinstance(value, float) or math.isnan(value):
        return False
    slack = 1e-9 * max(1.0, abs(value))
    return (low is None or value >= low - slack) and (high is None or value <= high + slack)


def measured(name: str, *given: Any, **options: Any) -> Call:
    """Return the call of a measure, which fails where the value leaves the measure's range."""
    row = pw.catalogue()[name]

    def call() -> None:
        value = row.function(*given, **dict(row.options), **options)
        if not in_range(value, *row.range):
            raise AssertionError(f"{name} = {value!r}, outside {row.range}")

    return name, call


def on_tables(*given: Any, **policies: Any) -> list[Call]:
    """Return the calls of all measures of a table that need no option."""
    rows = pw.catalogue().values()
    weighted = "weights" in policies
    return [
        measured(row.name, *given, **policies)
        for row in rows
        if not row.requires
        and not row.required_options
        and (row.computation.weights or not weighted)
    ]


def random_labels(n: int, seed: int) -> list[list[np.ndarray]]:
    """Return states of two columns of labels: few clusters, many, far apart, sorted, equal."""
    rng = np.random.default_rng(seed)

    def pair(low: int, high: int) -> list[np.ndarray]:
        return [rng.integers(low, high, n), rng.integers(low, high, n)]

    ordered = [np.sort(column) for column in pair(0, n)]
    same = [np.zeros(n, dtype=np.int64), np.arange(n)]
    return [pair(0, 5), pair(0, n), pair(-(2**62), 2**62), ordered, same, pair(0, n // 8 + 2)]


# ---- the groups --------------------------------------------------------------------------


def labels(n: int = 4000) -> Group:
    """Columns of integers in every call that makes a table of them."""
    states = random_labels(n, 1)
    a, b = (column.copy() for column in states[0])
    ones = np.ones(n, dtype=np.int64)
    calls: list[Call] = [
        ("contingency", lambda: pw.contingency(a, b)),
        ("contingency, 2 workers", lambda: pw.contingency(a, b, workers=2)),
        (
            "contingency, missing",
            lambda: pw.contingency(a, b, missing_labels=0, missing="drop"),
        ),
        ("align", lambda: pw.align(a, b).table),
        ("from_counts", lambda: pw.Contingency.from_counts(a, b, ones)),
        ("Clustering", lambda: pw.Clustering(a, items=np.arange(n)).n_clusters),
        ("entropy", lambda: pw.entropy(a)),
        ("refines", lambda: pw.refines(a, b)),
        ("from_membership", lambda: pw.Clustering.from_membership(a).n_clusters),
        ("compare", lambda: pw.compare(a, b)),
        ("pair_confusion", lambda: pw.pair_confusion(a, b)),
        ("match_clusters", lambda: pw.match_clusters(a, b)),
        *on_tables(a, b),
    ]
    return Group([a, b], states, calls)


def long_labels() -> Group:
    """Columns that are long enough for every path of the meet, and for several threads."""
    states = random_labels(600_000, 2)
    rng = np.random.default_rng(3)
    states += [[rng.integers(0, 30_000, 600_000) for _ in range(2)] for _ in range(2)]
    a, b = (column.copy() for column in states[0])
    calls: list[Call] = [
        ("contingency", lambda: pw.contingency(a, b)),
        ("contingency, 2 workers", lambda: pw.contingency(a, b, workers=2)),
        ("join", lambda: pw.join(a, b)),
        ("meet", lambda: pw.meet(a, b)),
        ("worst_clustering", lambda: pw.worst_clustering(a)),
        ("narrow", lambda: pw.contingency(a.view(np.int32)[::2].copy(), a)),
        ("ids, 2 workers", lambda: pw.align(*sides_of(a, b), workers=2, **_ANY)),
        ("compare, 2 workers", lambda: pw.compare(a, b, measures="purity", workers=2)),
    ]
    return Group([a, b], states, calls)


def sides_of(labels: np.ndarray, ids: np.ndarray) -> list[pw.Clustering]:
    """Return two clusterings of the same items in other orders."""
    return [pw.Clustering(labels, items=ids), pw.Clustering(labels, items=ids[::-1])]


def items(n: int = 3000) -> Group:
    """Columns of integers in every call that looks items up in the table again."""
    states = random_labels(n, 4)
    a, b = (column.copy() for column in states[0])
    features = np.random.default_rng(5).normal(size=(n, 2))
    groups = np.arange(n) // 10
    calls: list[Call] = [
        ("meet", lambda: pw.meet(a, b)),
        ("join", lambda: pw.join(a, b)),
        ("components", lambda: pw.components(a, b).item_component),
        ("split_subcomponents", lambda: pw.split_subcomponents(a, b)),
        ("merge_subcomponents", lambda: pw.merge_subcomponents(a, b)),
        ("worst_clustering", lambda: pw.worst_clustering(a)),
        ("induced_clustering", lambda: pw.induced_clustering(a, np.arange(0, n, 3))),
        ("diagnose", lambda: pw.diagnose(a, b, items=3).to_dict()),
        ("decompose", lambda: pw.decompose(a, b, measure="variation_of_information")),
        ("centroids", lambda: pw.centroids(a, features)),
        ("features", lambda: pw.centroid_index(a, b, features=features)),
        ("groups", lambda: pw.bootstrap(a, b, measure="purity", groups=groups, draws=5)),
        ("jackknife", lambda: pw.jackknife(a, b, measure="purity", groups=groups)),
        ("significance", lambda: pw.significance(a, b, measure="rand_index", draws=3)),
        ("null", lambda: pw.null_distribution(a, b, measure="rand_index", draws=3)),
        ("paired", lambda: pw.paired_test(a, b, a[::-1], measure="purity", draws=3)),
        ("score_many", lambda: pw.score_many(a, [b, a, b])),
        ("pairwise", lambda: pw.pairwise([a, b, a, b])),
        ("ids", lambda: pw.align(pw.Clustering(a, items=b), pw.Clustering(a, items=b), **_ANY)),
    ]
    return Group([a, b], states, calls)


def text(n: int = 4000) -> Group:
    """Columns of text, bytes and objects."""
    rng = np.random.default_rng(6)
    states = [
        [
            np.array([f"{prefix}{x}" for x in rng.integers(0, k, n)], dtype="U24"),
            np.array([f"{prefix}{x}".encode() for x in rng.integers(0, k, n)], dtype="S24"),
            np.array([f"{prefix}{x}" for x in rng.integers(0, k, n)], dtype=object),
        ]
        for prefix, k in (("", 5), ("x" * 18, n), ("é", 300), ("long-label-", 7))
    ]
    unicode, raw, objects = (column.copy() for column in states[0])
    calls: list[Call] = [
        ("U, S", lambda: pw.contingency(unicode, raw)),
        ("U, object", lambda: pw.contingency(unicode, objects)),
        ("join", lambda: pw.join(unicode, raw)),
        ("ids", lambda: pw.align(*[pw.Clustering(raw, items=unicode)] * 2, **_ANY)),
        *on_tables(unicode, objects)[:12],
    ]
    return Group([unicode, raw, objects], states, calls)


def long_text(n: int = 150_000) -> Group:
    """Columns of text that are long enough for several threads, with few and many names."""
    rng = np.random.default_rng(8)
    states = [
        [
            np.array([f"{prefix}{x}" for x in rng.integers(0, k, n)], dtype="U16"),
            np.array([f"{prefix}{x}".encode() for x in rng.integers(0, k, n)], dtype="S16"),
        ]
        for prefix, k in (("", 50), ("name-", n), ("", n // 3), ("x" * 9, 900))
    ]
    unicode, raw = (column.copy() for column in states[0])
    calls: list[Call] = [
        ("U, S, 2 workers", lambda: pw.contingency(unicode, raw, workers=2)),
        ("S, U, 3 workers", lambda: pw.contingency(raw, unicode, workers=3)),
        ("ids, 2 workers", lambda: pw.align(*sides_of(raw, unicode), workers=2, **_ANY)),
    ]
    return Group([unicode, raw], states, calls)


def riding(n: int = 2000) -> Group:
    """Weights, multiplicities, features and groups."""
    rng = np.random.default_rng(7)
    states = [
        [rng.random(n) * scale, rng.integers(0, most, n), rng.normal(size=(n, 2)) * scale]
        for scale, most in ((1.0, 3), (1e9, 10**6), (1e-9, 2), (3.0, 1 << 40))
    ]
    weights, times, features = (column.copy() for column in states[0])
    a, b = rng.integers(0, 9, n), rng.integers(0, 7, n)
    calls: list[Call] = [
        ("weights", lambda: pw.contingency(a, b, weights=weights)),
        ("both", lambda: pw.contingency(a, b, weights=weights, multiplicity=times)),
        ("compare", lambda: pw.compare(a, b, weights=weights, features=features)),
        ("groups", lambda: pw.bootstrap(a, b, measure="purity", groups=times, draws=3)),
        ("mse", lambda: pw.split_merge(a, b, score="mse", features=features)),
        measured("centroid_index", a, b, features=features),
        measured("centroid_ratio", a, b, features=features),
        measured("css_distance", a, b, features=features),
        *on_tables(a, b, weights=weights),
        *on_tables(a, b, multiplicity=times)[:10],
    ]
    return Group([weights, times, features], states, calls)


def counts() -> Group:
    """Tables that come as numbers."""
    rng = np.random.default_rng(8)
    m = 3000
    states = [
        [rng.integers(low, 50, m), rng.integers(0, k, m), rng.integers(low, k, m)]
        for low, k in ((0, 9), (-3, 200), (1, 2**40))
    ]
    cells, rows, cols = (column.copy() for column in states[0])
    calls: list[Call] = [
        ("from_counts", lambda: pw.f_measure(pw.Contingency.from_counts(rows, cols, cells))),
        ("from_dense", lambda: pw.f_measure(pw.Contingency.from_dense(cells.reshape(60, 50)))),
        ("weights", lambda: pw.Contingency.from_counts(rows, cols, cells, weights=cells)),
    ]
    return Group([cells, rows, cols], states, calls)


def sparse() -> Group:
    """SciPy matrices whose arrays are written: indices, ends and values."""
    from scipy import sparse as scipy_sparse

    rng = np.random.default_rng(9)
    k, m = 200, 6000
    ends = np.sort(rng.integers(0, m, k + 1))
    ends[[0, -1]] = 0, m
    places = np.arange(m, dtype=np.int32)
    states = [
        [rng.integers(0, k, m, dtype=np.int32), ends.astype(np.int32), rng.integers(1, 99, m)],
        [
            rng.integers(-9, 2**31 - 1, m, dtype=np.int32),
            ends[::-1].astype(np.int32),
            -ends[:1],
        ],
        *(
            [(places + turn) % k, (np.arange(k + 1) * (m // k)).astype(np.int32), places + 1]
            for turn in range(3)
        ),
    ]
    matrix = scipy_sparse.csr_array((k, k), dtype=np.int64)
    matrix.indices, matrix.indptr = states[0][0].copy(), states[0][1].copy()
    matrix.data = states[0][2].copy()
    gains = np.ones(m)
    ones = np.ones(k)
    hard = np.arange(k) % 7
    calls: list[Call] = [
        ("match", lambda: pw.solvers.match(matrix)),
        ("match gains", lambda: pw.solvers.match(matrix, gains)),
        ("pack", lambda: pw.solvers.pack(matrix, None, ones, ones)),
        ("from_scipy", lambda: pw.Contingency.from_scipy(matrix)),
        ("soft", lambda: pw.soft_variation_of_information(matrix, hard)),
        ("mallows", lambda: pw.mallows_distance(matrix, hard)),
    ]
    return Group([matrix.indices, matrix.indptr, matrix.data], states, calls)


def soft() -> Group:
    """Dense and sparse memberships."""
    from scipy import sparse as scipy_sparse

    rng = np.random.default_rng(10)
    n, k = 1500, 6
    states = []
    for concentration in (0.05, 1.0, 30.0):
        rows = rng.dirichlet(np.full(k, concentration), n)
        states.append([rows, rng.permutation(rows)])
    states.append([np.eye(k)[rng.integers(0, k, n)] for _ in range(2)])
    p, q = (rows.copy() for rows in states[0])
    matrix = scipy_sparse.csr_array(p)
    matrix.data = p.ravel()  # shares memory with what is written
    matrix.indices = np.tile(np.arange(k, dtype=np.int32), n)
    matrix.indptr = np.arange(0, n * k + 1, k, dtype=np.int32)
    features = rng.normal(size=(n, 2))
    names = [name for name in dir(pw) if name.startswith("soft_")]
    calls: list[Call] = []
    for name in names:
        calls.append((name, lambda name=name: getattr(pw, name)(p, q)))
        calls.append((f"{name}, sparse", lambda name=name: getattr(pw, name)(matrix, q)))
    calls += [
        ("mallows", lambda: pw.mallows_distance(p, q)),
        ("mallows, 2 workers", lambda: pw.mallows_distance(p, q, workers=2)),
        ("mallows, sparse", lambda: pw.mallows_distance(matrix, q)),
        ("css", lambda: pw.css_distance(p, q, features=features)),
    ]
    return Group([p, q], states, calls)


def solvers() -> Group:
    """Gains, capacities, masses and costs."""
    from scipy import sparse as scipy_sparse

    rng = np.random.default_rng(11)
    k = 60
    cells = scipy_sparse.csr_array(rng.integers(1, 9, (k, k)))
    states = [
        [rng.random(k * k) * scale, rng.random(k) * scale, rng.random((k, k)) - shift]
        for scale, shift in ((1.0, 0.0), (1e12, 5.0), (1e-12, -1e9))
    ]
    gains, caps, costs = (values.copy() for values in states[0])
    whole = np.arange(1, k + 1)
    calls: list[Call] = [
        ("match", lambda: pw.solvers.match(cells, gains)),
        ("pack", lambda: pw.solvers.pack(cells, gains, caps, caps)),
        ("pack whole", lambda: pw.solvers.pack(cells, None, whole, caps)),
        ("transport", lambda: pw.solvers.transport(caps, caps, costs)),
        ("transport whole", lambda: pw.solvers.transport(whole, whole[::-1], costs)),
        ("distances", lambda: pw.css_distance(whole % 7, whole % 5, distances=costs[:7, :5])),
        ("weights", lambda: pw.mallows_distance(whole, whole, cluster_weights=(caps, caps))),
    ]
    return Group([gains, caps, costs], states, calls)


def thresholds(n: int = 1500) -> Group:
    """Edges, linkages, nested clusterings and what a sweep starts from."""
    from scipy.cluster.hierarchy import linkage

    rng = np.random.default_rng(12)
    m = 2 * n
    states = [
        [
            rng.integers(0, top, m),
            rng.integers(0, top, m),
            rng.random(m),
            linkage(rng.normal(size=(n, 2)), "average"),
            rng.integers(0, k, n),
        ]
        for top, k in ((n, 3), (10**9, n), (n, n), (50, 2**40))
    ]
    u, v, score, tree, truth = (values.copy() for values in states[0])
    fixed = rng.integers(0, 20, n)
    calls: list[Call] = [
        ("edges", lambda: pw.sweep(truth, (u, v, score), scores="similarity")),
        ("distances", lambda: pw.sweep(fixed, (u, v, score), scores="distance")),
        ("start", lambda: pw.sweep(fixed, (u, v, score), scores="distance", start=truth)),
        ("linkage", lambda: pw.sweep(fixed, tree)),
        ("reference", lambda: pw.sweep(truth, tree)),
        ("nested", lambda: pw.sweep(fixed, [truth, truth % 7, truth * 0], kind="nested")),
        ("stability", lambda: pw.stability([truth, fixed, truth])),
        ("consistency", lambda: pw.element_consistency([truth, fixed, truth])),
        ("levels", lambda: pw.Hierarchy.from_levels([truth, truth % 7, truth * 0])),
    ]
    return Group([u, v, score, tree, truth], states, calls)


def kernels() -> Group:
    """Numbering: codes and values must agree whatever was read."""
    from partwise import _kernels

    states = random_labels(300_000, 13)
    column = states[0][0].copy()

    def encode() -> None:
        names, codes = _kernels.impl.encode(column)
        if len(codes) and not (codes.min() >= 0 and codes.max() < len(names)):
            raise AssertionError(f"a code outside the {len(names)} values")

    def tally() -> None:
        table = pw.contingency(column, column[::-1])
        if int(table.counts.sum()) != len(column):
            raise AssertionError(f"{table.counts.sum()} items counted of {len(column)}")

    return Group(
        [column], [state[:1] for state in states], [("encode", encode), ("tally", tally)]
    )


GROUPS: dict[str, Callable[[], Group]] = {
    group.__name__: group
    for group in (
        labels,
        long_labels,
        items,
        text,
        long_text,
        riding,
        counts,
        sparse,
        soft,
        solvers,
        thresholds,
        kernels,
    )
}


# ---- running -----------------------------------------------------------------------------


def written(group: Group, stop: threading.Event) -> Iterator[int]:
    """Write state after state until it is stopped."""
    turn = 0
    while not stop.is_set():
        turn += 1
        mixed = turn % 4 == 0  # else all arrays are of one state, once they are written
        for place, array in enumerate(group.arrays):
            array[...] = group.states[(turn + mixed * place) % len(group.states)][place]
        if turn % 3 == 0:
            time.sleep(0)
    yield turn


def run(name: str, seconds: float) -> int:
    """Run a group for so many seconds and print what happened; return the exit code."""
    warnings.simplefilter("ignore")
    group = GROUPS[name]()
    stop = threading.Event()
    turns: list[int] = []
    writer = threading.Thread(target=lambda: turns.extend(written(group, stop)))
    refused: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    done = 0
    writer.start()
    end = time.monotonic() + seconds
    try:
        while True:
            for call, function in group.calls:
                done += 1
                try:
                    function()
                except ValueError:
                    refused[call] += 1
                except Exception as error:
                    wrong[f"{call}: {type(error).__name__}: {error}"[:160]] += 1
                if time.monotonic() > end:
                    break
            else:
                continue
            break
    finally:
        stop.set()
        writer.join()
    print(
        f"{name}: {done} calls of {len(group.calls)} kinds, {turns[0]} states written, "
        f"{sum(refused.values())} refused, {sum(wrong.values())} wrong"
    )
    for sentence, times in wrong.most_common(10):
        print(f"  {times} times {sentence}")
    return 1 if wrong else 0


def main() -> int:
    """Run every group in a process of its own; return 1 where one failed or died."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each group")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--here", action="store_true", help="one group, in this process")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(GROUPS))
        return 0
    if options.here:
        return max(run(name, options.seconds) for name in options.groups)
    failed = []
    for name in options.groups:
        command = [sys.executable, __file__, "--here", "--groups", name]
        code = subprocess.run(
            [*command, "--seconds", str(options.seconds)], check=False
        ).returncode
        if code:
            failed.append(f"{name} (exit code {code})")
    print(f"{len(options.groups)} groups; failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
