"""Reference cases: small ones live beside the tests, bulky ones in ../shared if present."""

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import partwise as pw

ENTRIES = pw.catalogue()
HERE = Path(__file__).parents[1]
SHARED = Path(os.environ.get("PARTWISE_SHARED", HERE.parent.parent / "shared"))


def shared(*parts):
    """A path in the shared data, or a skip that says what is missing."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(
            f"needs {'/'.join(parts)} of the shared data ({SHARED} is not there)",
            allow_module_level=True,
        )
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


def required(entry, **values):
    """A value for every option or column that an entry of the catalogue asks for."""
    return {option: values[option] for option in entry.requires}


def clusters(*sides):
    """A number of clusters that no side passes."""
    return max([len(np.unique(side)) for side in sides] + [1]) + 2


def values(names, a, b, *, k=None, rows=None, **columns):
    """Values of entries of the catalogue on two clusterings, whose table is made once.

    ``k`` and ``rows`` (features of the items) are for the entries that need them; ``columns``
    are weights or multiplicities.
    """
    table = pw.contingency(a, b, **columns)
    needed = {
        "k": clusters(a, b) if k is None else k,
        "features": features(len(a)) if rows is None else rows,
    }
    by_name = {}
    for name in names:
        entry = ENTRIES[name]
        options = {**entry.options, **required(entry, **needed)}
        if entry.computation.items:
            by_name[name] = entry.function(a, b, **columns, **options)
        else:
            by_name[name] = entry.function(table, **options)
    return by_name
