"""Measures of soft clusterings beside their definitions, on memberships drawn by a number."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import scipy.sparse

import definitions
import partwise as pw
import soft_definitions
from stated_bounds import stated
from table_definitions import none_below, real

BOUNDS = {
    **stated(
        "soft_mutual_information",
        "soft_variation_of_information",
        "soft_normalized_variation_of_information",
        "soft_normalized_mutual_information",
    ),
    "mallows_distance(uniform": (4, 0),
    "mallows_distance(size": (4, 1e-15),  # weights are rounded to 2^-60 of all mass
    "mallows_distance(size, p=2)^2": (8, 1e-15),
    "css_distance": (4, 4e-14),
}


def _root(cost):
    return mpmath.sqrt(real(cost)) if cost else cost


def memberships(draw, n, k, kind):
    """Rows of multiples of 2^-20 that add up to 1: any, few above 0, nearly hard, hard."""
    rows = []
    for _ in range(n):
        if kind == "hard":
            shares = [0] * k
        else:
            most = {"any": 2**20, "few": 2**20, "near": 8}[kind]
            cuts = sorted(draw.randint(0, most) for _ in range(k - 1))
            shares = [y - x for x, y in zip([0, *cuts], [*cuts, most], strict=True)]
            if kind == "few":
                shares = [x if draw.random() < 0.4 else 0 for x in shares]
        shares[draw.randrange(k)] += 2**20 - sum(shares)
        rows.append([x / 2**20 for x in shares])
    return np.array(rows)


def pair(number):
    draw = random.Random(f"soft {number}")
    n = (1, 2, 3, 5, 9, 30, 80)[number % 7]
    kinds = ("any", "few", "near", "hard")
    sides = [
        memberships(draw, n, draw.randint(1, 6), kinds[at])
        for at in (number // 7 % 4, number // 28 % 4)
    ]
    if number % 11 == 0:
        sides[1] = sides[0]
    return sides


def comparisons(number):
    a, b = pair(number)
    stored = scipy.sparse.csr_array if number % 2 else np.array
    sides = stored(a), stored(b)
    for name in soft_definitions.NAMES:
        base, _, average = name.partition(" ")
        options = {"average": average} if average else {}
        value = getattr(pw, base)(*sides, **options)
        yield name, value, none_below(soft_definitions.defined(name, a, b))
    left, right = ([[Fraction(x) for x in column] for column in side.T] for side in (a, b))
    for kind in ("uniform", "size"):
        weights = [
            [Fraction(1, len(side)) if kind == "uniform" else sum(c) / len(c) for c in side]
            for side in (left, right)
        ]
        for p in (1, 2):
            cost = definitions.mallows_of_columns(left, right, *weights, p)
            value = pw.mallows_distance(*sides, cluster_weights=kind, p=p)
            if p == 1:
                yield f"mallows_distance({kind}, p=1)", value, cost
            elif kind == "size":
                yield "mallows_distance(size, p=2)^2", Fraction(value) ** 2, cost
            else:
                yield "mallows_distance(uniform, p=2)", value, _root(cost)
        if all(map(any, (*left, *right))):  # every cluster has items
            lengths = np.add.outer(np.arange(len(left)), np.arange(len(right))) / 4
            fractions = [[Fraction(x) for x in line] for line in lengths]
            yield (
                f"css_distance({kind})",
                pw.css_distance(*sides, distances=lengths, cluster_weights=kind),
                definitions.css_of_columns(left, right, *weights, fractions),
            )
