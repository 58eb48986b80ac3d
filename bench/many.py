"""Many clusterings: all pairs, and all against one, against a loop with scikit-learn.

Run ``python -m bench.many [--quick] [--repetitions R] [--json FILE]``. The loop is measured on
a part of the pairs and multiplied; every pair costs the same.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import measuring, peers, stages
from bench.__main__ import main

CLUSTERINGS, QUICK = 200, 5
ITEMS = (2000, 20_000)
CLUSTERS, NOISE = 50, 0.3
#: Pairs that the loop is measured on.
SAMPLE = 40
ASKED = 50
RELATIVE, ABSOLUTE = 1e-9, 1e-12

#: Our name of a measure, scikit-learn's.
MEASURES = {
    "adjusted_rand_index": "adjusted_rand_score",
    "v_measure": "v_measure_score",
}
Labels = NDArray[np.int64]


def clusterings(count: int, items: int) -> list[Labels]:
    """Return noisy copies of one clustering."""
    rng = np.random.default_rng(items)
    first = rng.integers(CLUSTERS, size=items)
    drawn = rng.integers(CLUSTERS, size=(count, items))
    return list(np.where(rng.random((count, items)) < NOISE, drawn, first))


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield scikit-learn's loop over one call of ours."""
    count = CLUSTERINGS // QUICK if quick else CLUSTERINGS
    for items in ITEMS:
        given = clusterings(count, items)
        pairs = list(combinations(range(count), 2))
        sample = pairs[:: max(1, len(pairs) // SAMPLE)]
        for name, theirs in MEASURES.items():
            yield _pairwise(given, name, theirs, pairs, sample, repetitions)
        yield _against_one(given, repetitions)


def _pairwise(
    given: list[Labels],
    name: str,
    theirs: str,
    pairs: list[tuple[int, int]],
    sample: list[tuple[int, int]],
    repetitions: int,
) -> stages.Line:
    score = getattr(peers.need("sklearn.metrics"), theirs)

    def ours() -> Any:
        return peers.need("partwise").pairwise(given, name)

    def loop() -> list[float]:
        return [score(given[i], given[j]) for i, j in sample]

    _check(name, [float(ours()[i, j]) for i, j in sample], loop())
    problem = f"pairwise {name}, {len(given)} clusterings of {len(given[0]):,} items"
    pair = measuring.paired(ours, loop, repetitions)
    times = len(pairs) / len(sample)
    return stages.line(problem, "loop of scikit-learn", pair, asked=ASKED, times=times)


def _against_one(given: list[Labels], repetitions: int) -> stages.Line:
    metrics = peers.need("sklearn.metrics")
    reference, *others = given
    sample = others[:: max(1, len(others) // SAMPLE)]

    def ours() -> Any:
        return peers.need("partwise").score_many(reference, others, list(MEASURES))

    def loop() -> list[list[float]]:
        scores = [getattr(metrics, name) for name in MEASURES.values()]
        return [[score(reference, other) for score in scores] for other in sample]

    found = ours().values[:: max(1, len(others) // SAMPLE)]
    _check("score_many", found.ravel().tolist(), np.ravel(loop()).tolist())
    problem = f"score_many, ARI and V, {len(others)} candidates of {len(reference):,} items"
    times = len(others) / len(sample)
    return stages.line(
        problem, "loop of scikit-learn", measuring.paired(ours, loop, repetitions), times=times
    )


def _check(name: str, ours: list[float], theirs: list[float]) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        if not math.isclose(mine, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            raise SystemExit(f"{name}: partwise finds {mine!r}, scikit-learn {other!r}")


if __name__ == "__main__":
    sys.exit(main(["--only", "many", *sys.argv[1:]]))
