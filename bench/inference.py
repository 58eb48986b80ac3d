"""Inference: random tables against shuffling labels, resampling, and what controls save.

``python -m bench.inference``. Both sides do the same draws, or the peer a share of them, and
end with the same measure.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage
from bench.harness.workloads import Pair

Labels = NDArray[np.int64]

# ---- draws ---------------------------------------------------------------------------

SHUFFLE = "NumPy's permutation alone"
RECOUNT = "NumPy's permutation, our table and measure"
DRAWS = 20  # of ours; the peer makes one, which is multiplied
RESAMPLES, SHARE = 1000, 100

#: Problem, labels, the least ratios that the project aims at.
RANDOM_TABLES: tuple[tuple[str, Callable[[int], Pair], dict[str, float]], ...] = (
    ("zipf(1e6,.2)", lambda by: workloads.zipf(10**6 // by, 0.2), {}),
    (
        "noisy(100,1e4,.3)",
        lambda by: workloads.noisy(100, max(1, 10**4 // by), 0.3),
        {RECOUNT: 6},
    ),
    (
        "noisy(10,1e5,.3)",
        lambda by: workloads.noisy(10, 10**5 // by, 0.3),
        {RECOUNT: 6, SHUFFLE: 6},
    ),
)


def draws(divisor: int) -> Iterator[Contest]:
    """Yield the other ways to draw over ours."""
    for name, generate, asked in RANDOM_TABLES:
        for peer in (SHUFFLE, RECOUNT):
            prepare = partial(_random_tables, generate, divisor, peer == RECOUNT)
            yield Contest(f"random table {name}", peer, prepare, asked.get(peer))
    documents = max(20, 1000 // divisor)
    yield Contest(
        f"bootstrap of {documents} documents of 40 items",
        f"our compare on the resampled labels, 1/{SHARE} of the draws",
        partial(_documents, documents, 40),
        1,
    )


def _random_tables(generate: Callable[[int], Pair], divisor: int, recount: bool) -> Sides:
    """Return mutual information of random tables, against a permutation in NumPy."""
    partwise = need("partwise")
    a, b = generate(divisor)
    table = partwise.contingency(a, b)
    rng = np.random.default_rng(workloads.SEED)

    def ours() -> Any:
        seed = int(rng.integers(1 << 40))
        return partwise.null_distribution(
            table, measure="mutual_information", draws=DRAWS, seed=seed
        )

    def peer() -> Any:
        shuffled = rng.permutation(b)
        return partwise.mutual_information(a, shuffled) if recount else shuffled

    return Sides(ours, peer, times=DRAWS)


def _documents(count: int, size: int) -> Sides:
    """Return resampled documents by their sums, against labels resampled and scored."""
    partwise = need("partwise")
    rng = np.random.default_rng(workloads.SEED)
    document = np.repeat(np.arange(count), size)
    a = document * 100 + rng.integers(0, 8, count * size)
    b = np.where(rng.random(len(a)) < 0.3, document * 100 + rng.integers(0, 9, len(a)), a)
    offsets, copies = np.arange(size), document * count * 100

    def ours() -> Any:
        return partwise.bootstrap(
            a, b, measure="b_cubed_f1", groups=document, draws=RESAMPLES, seed=1
        )

    def rescore() -> None:
        for _ in range(RESAMPLES // SHARE):
            picks = rng.integers(0, count, count)
            items = (picks[:, None] * size + offsets).ravel()
            partwise.compare(a[items] + copies, b[items] + copies, measures="b_cubed_f1")

    return Sides(ours, rescore)


# ---- control variates ----------------------------------------------------------------

CONTROL_DRAWS, LEAST_DRAWS = 2000, 200
CONTROLLED = (
    *("pair_sets_index", "purity", "f_measure"),
    *("classification_accuracy", "b_cubed_f1"),
)


@cache
def margins() -> dict[str, Pair]:
    """Return the labels of both sides, by name."""
    rng = np.random.default_rng(workloads.SEED)

    def pair(draw: Callable[[], Labels]) -> Pair:
        return draw(), draw()

    return {
        "300 items, 3 x 3, skewed": pair(lambda: rng.choice(3, 300, p=[0.75, 0.17, 0.08])),
        "1,000 items, 10 x 10": pair(lambda: rng.integers(0, 10, 1000)),
        "10,000 items, 100 x 100": pair(lambda: rng.integers(0, 100, 10**4)),
        "10,000 items, Zipf": pair(lambda: np.minimum(rng.zipf(1.6, 10**4), 2000)),
        "5,000 items, clusters of 3": pair(lambda: rng.integers(0, 1500, 5000)),
    }


def controls(divisor: int) -> Iterator[Contest]:
    """Yield the draws that a plain mean needs for our standard error; nothing is timed."""
    count = max(LEAST_DRAWS, CONTROL_DRAWS // divisor)
    for name in margins():
        for measure in CONTROLLED:
            prepare = partial(_saved, name, measure, count)
            yield Contest(
                f"{measure}, {name}",
                "plain mean, same error",
                prepare,
                quantity="draws",
                note=f"from {count:,} draws",
            )


def _saved(name: str, measure: str, count: int) -> Counted:
    from partwise.inference.known_moments import known_means, sharpened

    null, table = _null(name, count)
    values, drawn = null[measure], null.values[:, len(CONTROLLED) :]
    sharp = sharpened(values, drawn, known_means(table))
    plain = values.std(ddof=1) / np.sqrt(count)
    return Counted(1.0 if sharp is None else float((plain / sharp.error) ** 2))


@lru_cache(maxsize=1)
def _null(name: str, count: int) -> tuple[Any, Any]:
    """Return the random tables' values of all measures and controls, and the table."""
    from partwise.inference.known_moments import controls as extra

    partwise = need("partwise")
    table = partwise.contingency(*margins()[name])
    measures = [*CONTROLLED, *(one.of for one in extra())]
    null = partwise.null_distribution(table, measure=measures, draws=count, seed=3)
    return null, table


STAGES = (
    Stage("draws", "Draws", draws),
    Stage("controls", "Draws that control variates save", controls),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.inference"))
