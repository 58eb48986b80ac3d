"""Measures of covers beside their definitions, on covers drawn by a number."""

import random
from fractions import Fraction
from functools import lru_cache
from itertools import product

import cover_definitions as definitions
import partwise as pw
from stated_bounds import stated

NORMALIZERS = ("max", "sum", "lfk", "lfk_global")
BOUNDS = stated(
    "omega_index",
    "overlapping_mutual_information",
    "extended_b_cubed",
    "average_f1",
    "element_centric_similarity",
)


def covers(number):
    """Return a number of items and two covers: of many kinds, half of them alike."""
    draw = random.Random(f"cover {number}")
    n = (0, 1, 2, 3, 4, 6, 9, 14, 20)[number % 9]
    kind = number // 9 % 5

    def cover():
        if kind == 0:  # any sets
            return [
                [i for i in range(n) if draw.random() < draw.choice([0.2, 0.5, 0.9])]
                for _ in range(draw.randint(0, 6))
            ]
        if kind == 1:  # a partition with a few items that are in two clusters
            k = draw.randint(1, 5)
            clusters = [[] for _ in range(k)]
            for i in range(n):
                for at in {draw.randrange(k), draw.randrange(k) if i % 4 == 0 else 0}:
                    clusters[at].append(i)
            return clusters
        if kind == 2:  # windows on a line
            wide = draw.randint(1, 5)
            return [
                list(range(i, min(n, i + wide))) for i in range(0, n, draw.randint(1, wide))
            ]
        if kind == 3:  # the whole, single items, and what stands twice
            return [list(range(n)), *([i] for i in range(0, n, 2)), list(range(n // 2))] * 2
        return [[i] for i in range(n)][: draw.randint(0, n)]

    first, second = cover(), cover()
    if draw.random() < 0.5:
        second = second[1:] + draw.sample(first, len(first) // 2)
    return n, [[x for x in side if x] for side in (first, second)]


# the slow definitions once for all kernels


@lru_cache(maxsize=16)
def information(number, normalizer, constraint):
    n, (a, b) = covers(number)
    at_least = constraint == "at_least"
    return definitions.overlapping_information(a, b, n, normalizer, at_least=at_least)


@lru_cache(maxsize=1)
def similarity_of_walks(number, alpha):
    n, sides = covers(number)
    alone = (pw.Cover(side, n_items=n).with_singletons() for side in sides)
    lists = (list(side.clusters().values()) for side in alone)
    by_item = definitions.element_centric(*lists, n, alpha)
    return sum(by_item) / n if n else Fraction(1)


def comparisons(number):
    n, (a, b) = covers(number)
    sides = pw.Cover(a, n_items=n), pw.Cover(b, n_items=n)
    yield "omega_index", pw.omega_index(*sides), definitions.omega(a, b, n)
    for normalizer, constraint in product(NORMALIZERS, ("strict", "at_least")):
        options = {"normalizer": normalizer, "constraint": constraint}
        yield (
            f"overlapping_mutual_information({normalizer}, {constraint})",
            pw.overlapping_mutual_information(*sides, **options),
            information(number, normalizer, constraint),
        )
    scores, (precision, recall) = pw.extended_b_cubed(*sides), definitions.b_cubed(a, b, n)
    yield "extended_b_cubed precision", scores.precision, precision
    yield "extended_b_cubed recall", scores.recall, recall
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    yield "extended_b_cubed f", scores.f, f1
    best, of_sides = pw.average_f1(*sides), definitions.average_f1(a, b)
    yield "average_f1 reference", best.reference, of_sides[0]
    yield "average_f1 candidate", best.candidate, of_sides[1]
    yield "average_f1 mean", best.mean, sum(of_sides) / 2
    if n <= 9:  # a system of equations in fractions
        alpha = (0.9, 0.5, 0.05)[number % 3]
        alone = [side.with_singletons() for side in sides]
        yield (
            f"element_centric_similarity(alpha={alpha})",
            pw.element_centric_similarity(*alone, alpha=alpha),
            similarity_of_walks(number, alpha),
        )
