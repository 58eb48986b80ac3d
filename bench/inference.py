"""Inference: random tables against shuffling labels, resampled documents against re-scoring.

Run ``python -m bench.inference [--quick] [--only PATTERN] [--repetitions R] [--json FILE]``.
Both sides do the same number of draws and end with the same measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench import contests, generators, measuring, stages
from bench.contests import QUICK
from bench.measuring import Call
from bench.peers import need

RESAMPLES = 1000
SHUFFLE = "NumPy's permutation alone"
RECOUNT = "NumPy's permutation, our table and measure"
RESCORE = "our compare on the resampled labels"


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the JSON file if one was asked for."""
    options = contests.parser("python -m bench.inference").parse_args(arguments)
    head = measuring.header(["numpy"])
    print("\n".join(["# Inference", "", *(f"- {key}: {text}" for key, text in head.items())]))
    print("- one thread; ms of CPU a call, medians; ratio: user CPU of the peer / ours, paired")
    if options.quick:
        print(f"- QUICK RUN: sizes / {QUICK}; not comparable with full runs")
    rows = []
    for name, make, asked in ROWS:
        if not options.only.search(name):
            continue
        contests.say(name)
        for peer, ours, theirs in make(QUICK if options.quick else 1):
            ours()
            pair = measuring.paired(ours, theirs, options.repetitions)
            measured = contests.in_milliseconds(pair, ("ours", "peer"))
            rows.append({"problem": name, "peer": peer, "asked": asked.get(peer), **measured})
    contests.section("Draws", rows, contests.table)
    contests.write(options.json, {**head, "quick": options.quick, "rows": rows})


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the other ways to draw over ours."""
    for name, make, asked in ROWS:
        for peer, ours, theirs in make(QUICK if quick else 1):
            ours()
            pair = measuring.paired(ours, theirs, repetitions)
            yield stages.line(name, peer, pair, asked=asked.get(peer))


Sides = list[tuple[str, Call, Call]]


def _draws(pair: generators.Pair) -> Sides:
    """Return a random table with its mutual information, against two ways in NumPy."""
    partwise = need("partwise")
    a, b = pair
    table = partwise.contingency(a, b)
    seeds = iter(range(1 << 40))

    def ours() -> Any:
        from partwise.inference.null_models import random_table

        return partwise.mutual_information(random_table(table, 1, next(seeds)))

    def shuffle() -> Any:
        return np.random.default_rng(next(seeds)).permutation(b)

    def recount() -> Any:
        return partwise.mutual_information(a, shuffle())

    return [(SHUFFLE, ours, shuffle), (RECOUNT, ours, recount)]


def _documents(count: int, size: int) -> Sides:
    """Return resampled documents by their sums, against labels resampled and scored."""
    partwise = need("partwise")
    own = np.random.default_rng(generators.SEED)
    document = np.repeat(np.arange(count), size)
    a = document * 100 + own.integers(0, 8, count * size)
    b = np.where(own.random(len(a)) < 0.3, document * 100 + own.integers(0, 9, len(a)), a)
    starts = np.arange(size)
    from partwise.inference.additive import values_of_draws
    from partwise.inference.blocks import group_blocks
    from partwise.inference.bootstrap import drawn_blocks
    from partwise.inference.statistics import read_statistics

    joined = partwise.align(a, b)
    blocks = group_blocks(joined, document, np.arange(count), "error", "bench")
    statistics = read_statistics("b_cubed_f1", "bench")

    def ours() -> Any:
        return values_of_draws(
            blocks,
            statistics,
            lambda first, last: drawn_blocks(1, first, last, count),
            RESAMPLES,
            1,
        )

    def rescore() -> Any:
        for _ in range(RESAMPLES // 100):
            picks = own.integers(0, count, count)
            places = (picks[:, None] * size + starts).ravel()
            copy = np.repeat(np.arange(count) * (count * 100), size)
            partwise.compare(a[places] + copy, b[places] + copy, measures="b_cubed_f1")

    return [(f"{RESCORE}, a hundredth of the draws", ours, rescore)]


ROWS: list[tuple[str, Callable[[int], Sides], dict[str, float]]] = [
    ("random table zipf(1e6,.2)", lambda by: _draws(generators.zipf(10**6 // by, 0.2)), {}),
    (
        "random table noisy(100,1e4,.3)",
        lambda by: _draws(generators.noisy(100, 10**4 // by, 0.3)),
        {RECOUNT: 6},
    ),
    (
        "random table noisy(10,1e5,.3)",
        lambda by: _draws(generators.noisy(10, 10**5 // by, 0.3)),
        {RECOUNT: 6, SHUFFLE: 6},
    ),
    (
        "bootstrap of 1000 documents of 40 items",
        lambda by: _documents(1000 // by, 40),
        {f"{RESCORE}, a hundredth of the draws": 1},
    ),
]


if __name__ == "__main__":
    main()
