"""64 threads on one object each get what one thread gets; a fork after use computes on."""

import multiprocessing
import os
import threading
import warnings

import numpy as np
import pytest

import partwise as pw

THREADS = 64
rng = np.random.default_rng(64)
REFERENCE, CANDIDATE = rng.integers(0, 40, (2, 3000))
NAMES = [f"name {label}" for label in CANDIDATE.tolist()]
MEASURES = [
    "adjusted_rand_index",
    "v_measure",
    "adjusted_mutual_information",
    "purity",
    "pair_sets_index",
    "van_dongen",
]


def in_threads(function):
    """Return what each thread gets; they begin together."""
    barrier = threading.Barrier(THREADS)
    results, errors = [None] * THREADS, []

    def work(number):
        barrier.wait()
        try:
            results[number] = function(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors, errors[0]
    assert not any(thread.is_alive() for thread in threads)
    return results


def scores_of(table):
    catalogue = pw.catalogue()
    return [catalogue[name](table) for name in MEASURES]


def test_one_table_by_many_threads():
    """What a table computes once is computed by whoever comes first."""
    wanted = scores_of(pw.contingency(REFERENCE, CANDIDATE))
    shared = pw.contingency(REFERENCE, NAMES)
    order = [MEASURES[i:] + MEASURES[:i] for i in range(len(MEASURES))]

    def scores(number):
        values = {name: pw.catalogue()[name](shared) for name in order[number % len(MEASURES)]}
        return [values[name] for name in MEASURES]

    assert all(values == wanted for values in in_threads(scores))


def test_structure_and_results_by_many_threads():
    table = pw.contingency(REFERENCE, CANDIDATE)
    comparison = pw.compare(REFERENCE, CANDIDATE)
    wanted = [
        str(pw.compare(REFERENCE, CANDIDATE)),
        pw.contingency(REFERENCE, CANDIDATE).components().n_components,
        pw.contingency(REFERENCE, CANDIDATE).T.counts.tolist(),
        pw.solvers.match(pw.contingency(REFERENCE, CANDIDATE)).total,
    ]

    def parts(_):
        return [
            str(comparison),
            table.components().n_components,
            table.T.counts.tolist(),
            pw.solvers.match(table).total,
        ]

    assert all(values == wanted for values in in_threads(parts))


def test_a_clustering_and_columns_of_text_by_many_threads():
    """A shared column is read by many; each has a table of its own."""
    clustering = pw.Clustering(NAMES, items=np.arange(len(NAMES)))
    wanted = scores_of(pw.align(clustering, clustering).table)

    def own(number):
        return scores_of(pw.align(clustering, clustering, workers=1 + number % 3).table)

    assert all(values == wanted for values in in_threads(own))


def test_readers_by_many_threads(tmp_path):
    path = tmp_path / "table.npz"
    pw.contingency(REFERENCE, NAMES).save(path)
    wanted = pw.contingency(REFERENCE, NAMES)

    def load(_):
        table = pw.Contingency.load(path)
        return (table.counts.tolist(), table.col_labels.tolist())

    expected = (wanted.counts.tolist(), wanted.col_labels.tolist())
    assert all(values == expected for values in in_threads(load))


def test_a_live_table_with_a_lock_by_many_threads():
    live = pw.scale.streaming.LiveTable()
    lock = threading.Lock()
    n = 640

    def insert(number):
        part = slice(number * n // THREADS, (number + 1) * n // THREADS)
        with lock:
            live.insert(REFERENCE[part], NAMES[part])
        return number

    in_threads(insert)
    assert live.n_items == n
    one = pw.adjusted_rand_index(REFERENCE[:n], NAMES[:n])
    assert in_threads(lambda _: live.score("adjusted_rand_index")) == [one] * THREADS


def by_two_workers(labels):
    return pw.adjusted_rand_index(pw.contingency(labels, labels[::-1], workers=2))


def score_in_child(queue, labels):
    queue.put(by_two_workers(labels))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_after_workers_computes_on():
    """Threads of the parent are not there in the child; it starts its own."""
    labels = np.resize(CANDIDATE, 600_000)
    wanted = by_two_workers(labels)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside other threads
        children = [
            context.Process(target=score_in_child, args=(queue, labels)) for _ in range(3)
        ]
        for child in children:
            child.start()
    values = [queue.get(timeout=30) for _ in children]
    for child in children:
        child.join(30)
        assert child.exitcode == 0
    assert values == [wanted] * 3
    assert by_two_workers(labels) == wanted
