"""Literal definitions of the measures of hierarchies: slow, obvious, in fractions."""

import math
from fractions import Fraction
from itertools import combinations, permutations

import mpmath
from mpmath import mpf

from table_definitions import none_below, real


def members_of(tree):
    """Items of every node."""
    members = [{i} for i in range(tree.n_items)] + [set() for _ in range(tree.n_clusters)]
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0:
            members[parent] |= members[node]
    return members


def smallest(members, *items):
    """The smallest node with all of the items; None where there is none."""
    return min(
        (k for k, inside in enumerate(members) if inside.issuperset(items)),
        key=lambda k: len(members[k]),
        default=None,
    )


def cut_height(tree, members, node):
    """The largest height at or below a node."""
    n = tree.n_items
    return max(
        float(tree.heights[k - n])
        for k in range(n, len(members))
        if members[k] <= members[node]
    )


def cophenetic(tree):
    members = members_of(tree)
    return [
        Fraction(float(tree.heights[smallest(members, *pair) - tree.n_items]))
        for pair in combinations(range(tree.n_items), 2)
    ]


def levels(tree):
    """Of each pair of items, the height from which on a cut has it; infinite where none has."""
    members = members_of(tree)
    values = []
    for pair in combinations(range(tree.n_items), 2):
        node = smallest(members, *pair)
        values.append(math.inf if node is None else cut_height(tree, members, node))
    return values


def pearson(x, y):
    n = len(x)
    if n == 0:
        return math.nan
    mean_x, mean_y = sum(x) / n, sum(y) / n
    xx = sum((v - mean_x) ** 2 for v in x)
    yy = sum((v - mean_y) ** 2 for v in y)
    if not xx * yy:
        return math.nan
    xy = sum((v - mean_x) * (w - mean_y) for v, w in zip(x, y, strict=True))
    return real(xy) / mpmath.sqrt(real(xx) * real(yy)) if xy else Fraction(0)


def ranks(values):
    return [
        Fraction(sum(w < v for w in values)) + Fraction(sum(w == v for w in values) + 1, 2)
        for v in values
    ]


def gamma(x, y):
    same = opposite = 0
    for p, q in combinations(range(len(x)), 2):
        order = ((x[p] > x[q]) - (x[p] < x[q])) * ((y[p] > y[q]) - (y[p] < y[q]))
        same += order > 0
        opposite += order < 0
    return Fraction(same - opposite, same + opposite) if same + opposite else math.nan


def fowlkes_mallows(a, b):
    pairs = list(combinations(range(len(a)), 2))
    in_a = sum(a[i] == a[j] for i, j in pairs)
    in_b = sum(b[i] == b[j] for i, j in pairs)
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    return both / mpmath.sqrt(mpf(in_a * in_b))


def null_moments(a, b):
    """Mean and variance over all orders of the labels of b."""
    values = [
        fowlkes_mallows(a, [b[i] for i in order]) for order in permutations(range(len(b)))
    ]
    mean = sum(values) / len(values)
    return mean, none_below(sum((x - mean) ** 2 for x in values) / len(values))


def element_centric(a, b, alpha, weigh):
    """Similarity of each item by the walks themselves; weigh: the weight of every node."""
    alpha, walks, n = mpf(alpha), [], a.n_items
    for tree in (a, b):
        members, weights = members_of(tree), weigh(tree)
        matrix = mpmath.eye(n)
        for i in range(n):
            total = sum(w for w, inside in zip(weights, members, strict=True) if i in inside)
            for w, inside in zip(weights, members, strict=True):
                if i in inside:
                    for j in inside:
                        matrix[i, j] -= alpha * w / total / len(inside)
        walks.append((1 - alpha) * matrix**-1)
    gaps = walks[0] - walks[1]
    return [1 - sum(abs(gaps[i, j]) for j in range(n)) / (2 * alpha) for i in range(n)]


def weights_by_longest_way(tree, r):
    """exp(r level), the level depth / (depth + height) by the longest way down."""
    members = members_of(tree)

    def chain(node, inside):
        nodes = [
            k
            for k, other in enumerate(members)
            if (other < members[node] if inside else other > members[node])
        ]
        return 1 + max((chain(k, inside) for k in nodes), default=-1)

    levels_of = []
    for node in range(len(members)):
        height, depth = chain(node, True), chain(node, False)
        levels_of.append(Fraction(1) if height == 0 else Fraction(depth, depth + height))
    return [mpmath.exp(r * real(level)) for level in levels_of]
