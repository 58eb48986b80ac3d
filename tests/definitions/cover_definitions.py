"""Literal definitions of the measures of covers: every pair of items, exact where possible.

A cover is a list of collections of items 0 to n - 1.
"""

from fractions import Fraction
from itertools import combinations

import mpmath
from mpmath import mpf

from table_definitions import NOTHING, none_below, real


def memberships(cover, n):
    return [{k for k, cluster in enumerate(cover) if i in cluster} for i in range(n)]


def omega(a, b, n):
    """Collins and Dent 1988: agreement in the number of common clusters, less chance."""
    sides = memberships(a, n), memberships(b, n)
    levels = [[len(of[i] & of[j]) for i, j in combinations(range(n), 2)] for of in sides]
    pairs = len(levels[0])
    if not pairs:
        return Fraction(1)
    agreed = Fraction(sum(x == y for x, y in zip(*levels, strict=True)), pairs)
    chance = sum(
        Fraction(levels[0].count(j) * levels[1].count(j), pairs**2) for j in set(levels[0])
    )
    return Fraction(1) if chance == 1 else (agreed - chance) / (1 - chance)


def _h(count, n):
    share = Fraction(count, n)
    return -real(share) * mpmath.log(real(share)) if count else mpf(0)


def _entropy(cluster, n):
    return _h(len(cluster), n) + _h(n - len(cluster), n)


def _conditional(x, others, n, at_least):
    least = _entropy(x, n)
    for y in others:
        a, b, c = len(x & y), len(x - y), len(y - x)
        d = n - a - b - c
        terms = [_h(v, n) for v in (a, b, c, d)]
        gap = terms[0] + terms[3] - terms[1] - terms[2]
        if gap > NOTHING or (at_least and gap > -NOTHING):
            least = min(least, sum(terms) - _entropy(y, n))
    return none_below(least)


def overlapping_information(a, b, n, normalizer="max", at_least=False):
    """Lancichinetti et al. 2009, appendix B, and McDaid et al. 2011."""
    a, b = [set(x) for x in a if x], [set(x) for x in b if x]
    if not a or not b:  # 0/0 of that side
        return mpf(not a and not b)
    sides = (a, b), (b, a)
    own = [[_entropy(x, n) for x in side] for side, _ in sides]
    left = [[_conditional(x, other, n, at_least) for x in side] for side, other in sides]
    if normalizer == "lfk":
        shares = []
        for (side, other), hs, ls in zip(sides, own, left, strict=True):
            of_side = (
                rest / h if h > 0 else mpf(x not in other)
                for x, h, rest in zip(side, hs, ls, strict=True)
            )
            shares.append(sum(of_side) / len(side))
        return none_below(1 - sum(shares) / 2)
    h, r = [sum(x, mpf(0)) for x in own], [sum(x, mpf(0)) for x in left]
    same = set(map(frozenset, a)) == set(map(frozenset, b))
    if h == [0, 0]:
        return mpf(same)
    if normalizer == "lfk_global":
        shares = [
            r[k] / h[k] if h[k] else mpf(any(x not in sides[k][1] for x in sides[k][0]))
            for k in (0, 1)
        ]
        return none_below(1 - sum(shares) / 2)
    shared = (h[0] - r[0] + h[1] - r[1]) / 2
    return none_below(shared / (max(h) if normalizer == "max" else sum(h) / 2))


def b_cubed(a, b, n):
    """Amigo et al. 2009, 4.3: (precision, recall); pairs of an item with itself count."""

    def mean(own, other):
        values = []
        for i in range(n):
            s = [len(own[i] & own[j]) for j in range(n)]
            t = [len(other[i] & other[j]) for j in range(n)]
            if any(s):
                parts = [Fraction(min(x, y), x) for x, y in zip(s, t, strict=True) if x]
                values.append(sum(parts) / len(parts))
        return sum(values) / len(values) if values else Fraction(1)

    of_a, of_b = memberships(a, n), memberships(b, n)
    return mean(of_b, of_a), mean(of_a, of_b)


def average_f1(a, b):
    """Yang and Leskovec 2013: (mean over the reference, over the candidate)."""
    a, b = [set(x) for x in a if x], [set(x) for x in b if x]
    if not a or not b:
        return (Fraction(not a and not b),) * 2

    def best(x, others):
        return max(Fraction(2 * len(x & y), len(x) + len(y)) for y in others)

    return (
        sum(best(x, b) for x in a) / len(a),
        sum(best(y, a) for y in b) / len(b),
    )


def element_centric(a, b, n, alpha):
    """Gates et al. 2019: the walk of each item solved exactly, one value an item."""
    alpha = Fraction(alpha)

    def walks(cover):
        of = memberships(cover, n)
        step = [
            [
                sum(
                    (Fraction(1, len(of[i]) * len(cover[k])) for k in of[i] & of[j]),
                    Fraction(0),
                )
                for j in range(n)
            ]
            for i in range(n)
        ]
        system = [[Fraction(i == j) - alpha * step[i][j] for j in range(n)] for i in range(n)]
        return [[(1 - alpha) * x for x in row] for row in _inverse(system)]

    p, q = walks(a), walks(b)
    return [
        1 - sum(abs(x - y) for x, y in zip(*rows, strict=True)) / (2 * alpha)
        for rows in zip(p, q, strict=True)
    ]


def _inverse(matrix):
    n = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for i in range(n):
        lead = next(k for k in range(i, n) if rows[k][i])
        rows[i], rows[lead] = rows[lead], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[n:] for row in rows]
