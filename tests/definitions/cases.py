"""Reference cases: small ones live beside the tests, bulky ones in ../shared if present."""

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parents[1]
SHARED = Path(os.environ.get("PARTWISE_SHARED", HERE.parent.parent / "shared"))


def shared(*parts):
    """A path in the shared data, or a skip that says what is missing."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(parts)} of the shared data ({SHARED} is not there)")
    return path


def load(name):
    path = HERE / "reference" / name
    return json.loads((path if path.exists() else shared("reference", name)).read_text())


def expand(labels):
    """Labels of a bug case: a list, or one of the generators its file describes."""
    if isinstance(labels, list):
        return labels
    if "runs" in labels:
        return [label for label, count in labels["runs"] for _ in range(count)]
    if "arange" in labels:
        return list(range(labels["arange"]))
    if "mod" in labels:
        return [i % labels["mod"] for i in range(labels["n"])]
    if "floordiv" in labels:
        return [i // labels["floordiv"] for i in range(labels["n"])]
    if "block" in labels:
        return [
            value + labels["width"] * repeat
            for repeat in range(labels["times"])
            for value in labels["block"]
        ]
    raise AssertionError(f"unknown label generator {labels}")


def exact(case, name):
    """The exact value of a reference case as a Fraction, or None."""
    found = case.get("exact", {}).get(name)
    return None if found is None else Fraction(int(found[0]), int(found[1]))


def within_ulp(value, wanted, ulps=2):
    import math

    return abs(value - wanted) <= ulps * math.ulp(abs(float(wanted)))


def features(n):
    """Fixed rows of dyadic numbers for n items; no two sets of them have one mean."""
    return np.round(np.random.default_rng(7).normal(size=(400, 2)) * 1024)[:n] / 1024


def required(row, **values):
    """A value for every option or column that a catalogue row asks for."""
    return {option: values[option] for option in row.requires}
