"""What control variates save: the draws that a plain mean needs for the same error.

Run ``python -m bench.controls [--draws N]``. For each measure the squared ratio of the two
standard errors over the same random tables, on five pairs of margins. No times are taken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np

import partwise
from bench import measuring, stages
from partwise.inference.known_moments import controls, known_means, sharpened

DRAWS, QUICK_DRAWS = 2000, 200
MEASURES = ("pair_sets_index", "purity", "f_measure", "classification_accuracy", "b_cubed_f1")


def margins(seed: int) -> dict[str, tuple[object, object]]:
    """Return pairs of labels by name."""
    own = np.random.default_rng(seed)

    def pair(draw: object) -> tuple[object, object]:
        return draw(), draw()  # type: ignore[operator]

    return {
        "300 items, 3 x 3, skewed": pair(lambda: own.choice(3, 300, p=[0.75, 0.17, 0.08])),
        "1,000 items, 10 x 10": pair(lambda: own.integers(0, 10, 1000)),
        "10,000 items, 100 x 100": pair(lambda: own.integers(0, 100, 10**4)),
        "10,000 items, Zipf": pair(lambda: np.minimum(own.zipf(1.6, 10**4), 2000)),
        "5,000 items, clusters of 3": pair(lambda: own.integers(0, 1500, 5000)),
    }


def savings(draws: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield margins and, by measure, how many times the draws a plain mean needs."""
    for name, (a, b) in margins(0).items():
        table = partwise.contingency(a, b)
        extra = [one.of for one in controls()]
        null = partwise.null_distribution(
            table, measure=[*MEASURES, *extra], draws=draws, seed=3
        )
        drawn, means = null.values[:, len(MEASURES) :], known_means(table)
        found = {}
        for measure in MEASURES:
            values = null[measure]
            sharp = sharpened(values, drawn, means)
            plain = values.std(ddof=1) / np.sqrt(draws)
            found[measure] = 1.0 if sharp is None else float((plain / sharp.error) ** 2)
        yield name, found


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the draws of a plain mean over ours; nothing is timed."""
    draws = QUICK_DRAWS if quick else DRAWS
    for name, found in savings(draws):
        for measure, ratio in found.items():
            yield stages.Line(
                f"{measure}, {name}",
                "plain mean, same error",
                (ratio,),
                quantity="draws",
                note=f"from {draws:,} draws",
            )


def main(arguments: list[str] | None = None) -> None:
    """Draw and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.controls")
    parser.add_argument("--draws", type=measuring.positive, default=DRAWS)
    options = parser.parse_args(arguments)
    rows = [
        [name, str(options.draws), *(f"{ratio:.1f}" for ratio in found.values())]
        for name, found in savings(options.draws)
    ]
    print(measuring.markdown(("margins", "draws", *MEASURES), rows))


if __name__ == "__main__":
    main(sys.argv[1:])
