"""Measures of trees beside their definitions, on trees drawn by a number."""

import random
from collections import Counter
from fractions import Fraction

import mpmath

import hierarchy_definitions as definitions
import partwise as pw
from stated_bounds import stated
from table_definitions import Table, moments_of_pairs, real

BOUNDS = stated("b_k", "cophenetic_correlation", "baker_gamma", "element_centric_similarity")


def trees(number):
    """Return two trees of the same items: ties, several roots, inversions where asked for."""
    draw = random.Random(f"tree {number}")
    n = (2, 3, 4, 5, 7, 9, 12, 16)[number % 8]
    inversions, roots = number // 8 % 2 == 1, number // 16 % 2 == 1
    sides = []
    for _ in range(2):
        tops, parents, heights = list(range(n)), [-1] * n, []
        while len(tops) > 1 and not (roots and draw.random() < 0.1):
            taken = draw.randint(2, min(len(tops), 3))
            own = [tops.pop(draw.randrange(len(tops))) for _ in range(taken)]
            below = max([0.0, *(heights[k - n] for k in own if k >= n)])
            height = draw.choice([draw.randint(0, 4) / 2, draw.random()])
            heights.append(height if inversions else below + height)
            for k in own:
                parents[k] = len(parents)
            parents.append(-1)
            tops.append(len(parents) - 1)
        sides.append(pw.Hierarchy.from_parents(parents, heights))
    if number % 5 == 4:
        sides[1] = sides[0]
    return n, *sides, not roots


def comparisons(number):
    n, a, b, one_root = trees(number)
    curve = pw.b_k(a, b, ties=("skip", "order")[number % 2])
    for at, k in enumerate(curve.k.tolist()):
        cuts = [side.cut(k, ("skip", "order")[number % 2]).tolist() for side in (a, b)]
        yield "b_k", float(curve.values[at]), definitions.fowlkes_mallows(*cuts)
        table = Table(Counter(zip(*cuts, strict=True)))
        mean, variance = moments_of_pairs(table)
        _, p, q, _ = table.pairs
        yield "b_k mean", float(curve.mean[at]), real(mean) / mpmath.sqrt(real(Fraction(p * q)))
        yield "b_k variance", float(curve.variance[at]), variance / (p * q)
    if one_root:
        heights = [definitions.cophenetic(side) for side in (a, b)]
        yield (
            "cophenetic_correlation",
            pw.cophenetic_correlation(a, b),
            definitions.pearson(*heights),
        )
    levels = [definitions.levels(side) for side in (a, b)]
    yield "baker_gamma", pw.baker_gamma(a, b), definitions.gamma(*levels)
    ranks = [definitions.ranks(side) for side in levels]
    yield (
        "baker_gamma(spearman)",
        pw.baker_gamma(a, b, statistic="spearman"),
        definitions.pearson(*ranks),
    )
    if n <= 9:  # inverses of matrices with 60 digits
        alpha, r = (0.9, 0.5, 0.1)[number % 3], (0, 1, -2, 5)[number % 4]
        by_item = definitions.element_centric(
            a, b, alpha, lambda tree: definitions.weights_by_longest_way(tree, r)
        )
        yield (
            "element_centric_similarity",
            pw.element_centric_similarity(a, b, alpha=alpha, r=r),
            sum(by_item) / n,
        )
