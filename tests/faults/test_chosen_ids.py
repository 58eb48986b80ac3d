"""Ids that somebody chose so that they collide cost about what random ones do."""

import time

import numpy as np
import pytest

import partwise as pw

#: Multipliers of the hashes in pw_wide.c, pw_items.c and pw_sparse_hash.h.
WIDE, SLOT, SPARSE = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x9E3779B1
FIRST = 0x243F6A8885A308D3


def unshifted(x, shift):
    """Return y with y ^ y >> shift = x."""
    y = x
    for _ in range(64 // shift):
        y = x ^ y >> np.uint64(shift)
    return y


def inverse(odd, bits=64):
    return pow(odd, -1, 1 << bits)


def ids_of_one_slot(n):
    """Ids whose slot is 0 in a table of pw_wide.c, whatever its size."""
    rng = np.random.default_rng(n)
    hashes = np.arange(n, dtype=np.uint64) << np.uint64(30) | rng.integers(0, 8, n).astype("u8")
    h = unshifted(hashes, 29) * np.uint64(inverse(SLOT))
    return (unshifted(h, 32) * np.uint64(inverse(WIDE))).view(np.int64)


def ids_of_one_part(n):
    """Ids whose hash in pw_wide.c is below n: they are all of one part."""
    return (np.arange(n, dtype=np.uint64) * np.uint64(inverse(WIDE))).view(np.int64)


def keys_of_few_slots(n):
    """Numbers below 2^28 whose product in pw_sparse_hash.h begins with zeros."""
    keys = np.arange(1 << 28, dtype=np.uint32)
    keys = keys[keys * np.uint32(SPARSE) < np.uint32(2**32 // 512)]
    return np.resize(keys, n).astype(np.int64)


def mixed(state, words):
    """The step of the hash of pw_items.c: both halves of a product of 128 bits, as one."""
    low_half = np.uint64(2**32 - 1)
    x = state ^ words
    a, b = x >> np.uint64(32), x & low_half
    c, d = np.uint64(WIDE >> 32), np.uint64(WIDE & (2**32 - 1))
    middle = (b * d >> np.uint64(32)) + (a * d & low_half) + (b * c & low_half)
    high = (
        a * c + (a * d >> np.uint64(32)) + (b * c >> np.uint64(32)) + (middle >> np.uint64(32))
    )
    return x * np.uint64(WIDE) ^ high


def text_of_one_hash(n, seed=0):
    """Ids of 16 bytes with one hash, for somebody who knows the seed."""
    first = np.random.default_rng(n).integers(1, 2**62, n).astype("u8")
    state = np.full(n, FIRST ^ seed ^ 16, dtype="u8")
    second = mixed(state, first) ^ np.uint64(0x0123456789ABCDEF)
    return np.frombuffer(np.stack([first, second], 1).tobytes(), "S16")


def random_text(n):
    words = np.random.default_rng(n + 1).integers(1, 2**62, (n, 2)).astype("u8")
    return np.frombuffer(words.tobytes(), "S16")


def random_ids(n, seed=1):
    return np.random.default_rng(seed).integers(-(2**63), 2**63, n)


def least_seconds(call, *arguments, times=3):
    """Seconds of the processor, by all threads, in the best of some calls."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        call(*arguments)
        seconds.append(time.process_time() - start)
    return min(seconds)


def test_text_chosen_without_the_seed_does_not_collide(both):
    """With the seed it does: then the numbers come another way, and are the same."""
    numbering = pytest.importorskip("partwise._kernels.compiled.numbering")
    values = np.resize(text_of_one_hash(3000), 5000)
    wanted = [part.tolist() for part in both["numpy"].number_fixed(values, 1)]
    seed = numbering.seed_of_hashes(0)
    try:
        for workers in (1, 3):
            # every item collides with all before it: only the other way ends soon
            codes, firsts = both["compiled"].number_fixed(values, workers)
            assert [codes.tolist(), firsts.tolist()] == wanted
    finally:
        numbering.seed_of_hashes(seed)
    assert numbering.seed_of_hashes() == seed != 0
    codes, firsts = both["compiled"].number_fixed(values, 1)
    assert [codes.tolist(), firsts.tolist()] == wanted


@pytest.mark.one_backend
def test_integers_past_64_bits_with_one_hash():
    """Python's own hash of them is 0: a dict of so many would take ten seconds."""
    modulus = 2**61 - 1
    rng = np.random.default_rng(4)
    order = rng.permutation(30_000)
    labels = [modulus * (k + 9) for k in order.tolist()]
    assert {hash(label) for label in labels} == {0}
    start = time.perf_counter()
    table = pw.contingency(labels, [-label for label in labels])
    assert time.perf_counter() - start < 5
    assert table.row_labels.tolist() == sorted(labels)
    assert table.col_labels.tolist() == sorted(-label for label in labels)
    assert pw.adjusted_rand_index(table) == 1
    beside_missing = pw.Clustering([2**90, None, -(2**80), 2**90])
    assert pw.contingency(beside_missing, [0, 0, 1, 0], missing="drop").n_items == 3


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_ids_that_collide_cost_what_random_ones_do(kernels, workers):
    """At most three times, 2^20 of them, in every hash table that there is."""
    if kernels == "numpy":
        pytest.skip("the NumPy kernels sort")
    n = 1 << 20
    zeros, others = np.zeros(n, dtype=np.int64), random_ids(n, seed=2)
    thousands = np.arange(n) % 1000

    def live(ids):
        table = pw.scale.streaming.LiveTable()
        for start in range(0, n, 1 << 14):
            part = ids[start : start + (1 << 14)]
            table.insert(part, part)

    def joined(ids):
        one = pw.Clustering(thousands, items=ids)
        pw.align(one, pw.Clustering(thousands, items=ids[::-1]))

    chosen = {"one slot": ids_of_one_slot(n), "one part": ids_of_one_part(n)}
    calls = {
        "meet": lambda ids: pw.contingency(ids, zeros, workers=workers),
        "meet of two": lambda ids: pw.contingency(ids, others, workers=workers),
        "live": live,
        "items": joined,
    }
    ratios = {}
    for call, function in calls.items():
        times = 3 if call.startswith("meet") else 1
        base = least_seconds(function, random_ids(n), times=times)
        for name, ids in chosen.items():
            ratios[call, name] = least_seconds(function, ids, times=times) / base
    for name, sample, crafted in (
        ("text", random_text(n), text_of_one_hash(n)),
        ("text list", random_text(n).tolist(), text_of_one_hash(n).tolist()),
    ):
        base = least_seconds(calls["meet"], sample)
        ratios[name, "one hash"] = least_seconds(calls["meet"], crafted) / base
    # pairs (row, column) below 2^14 each, in parts that are counted by hashing
    keys = keys_of_few_slots(n)
    even = np.resize(np.random.default_rng(8).choice(1 << 28, len(np.unique(keys))), n)
    halves = [(np.r_[k >> 14, 1 << 14], np.r_[k & 0x3FFF, 1 << 14]) for k in (even, keys)]
    base, crafted = (
        least_seconds(lambda pair: pw.contingency(*pair, workers=workers), pair)
        for pair in halves
    )
    ratios["pairs", "few slots"] = crafted / base
    print({f"{call}, {name}": round(ratio, 2) for (call, name), ratio in ratios.items()})
    assert max(ratios.values()) <= 3, ratios


def test_seeded_keys_of_a_live_table_do_not_repeat():
    """Two tables place the same keys differently, unless nobody seeded them."""
    keys = ids_of_one_slot(64)
    places = set()
    for _ in range(8):
        table = pw.scale.streaming.hashed_keys.HashedKeys()
        table.make_room(64, above=-1)
        places.add(tuple(table.find(keys, 0, 1).tolist()))
    assert len(places) > 1
