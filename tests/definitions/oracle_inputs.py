"""Pairs of clusterings of many kinds, drawn by a number that gives the same pair again."""

import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

#: Sizes of what has items: none, one, two, and up to forty.
SIZES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 23, 30, 40)
#: Largest count of a cell of a large table, by how far its total is from what doubles hold.
LARGE = (10, 1000, 10**6, 10**9, 10**13, 10**16)


#: What is done to rows of small dyadic numbers, no two sets of which have one mean.
FEATURES = {
    "apart": lambda rows: rows,
    "far": lambda rows: rows + 2.0**20,
    "tiny": lambda rows: rows * 2.0**-300,
    "thirds": lambda rows: rows / 3,
    "places": lambda rows: np.round(rows),  # few, so that items and centroids coincide
    "line": lambda rows: np.round(rows) * [1, 0],
    "one": lambda rows: rows * 0 + 1,
}


@dataclass(frozen=True)
class Pair:
    """Labels of items, or counts of cells where there would be too many items; masses."""

    kind: str
    labels: tuple[list[int], list[int]] | None
    counts: dict[tuple[int, int], int]
    #: The mass of each item, or of each cell where there are no labels.
    weights: list[float] | None = None
    #: Whether it is one of the few for definitions that take seconds.
    rare: bool = False
    #: How often each item comes; None: once.
    multiplicity: list[int] | None = None
    #: How the features of the items lie, a name of ``FEATURES``.
    layout: str = "apart"

    def masses(self):
        """Return exact masses of cells, or None."""
        if self.weights is None:
            return None
        cells = zip(*self.labels, strict=True) if self.labels else self.counts
        times = self.multiplicity or [1] * len(self.weights)
        sums = {}
        for cell, weight, count in zip(cells, self.weights, times, strict=True):
            sums[cell] = sums.get(cell, Fraction(0)) + count * Fraction(weight)
        return {cell: mass for cell, mass in sums.items() if self.counts.get(cell)}


def of_labels(kind, a, b, weights=None, rare=False, multiplicity=None):
    counts = Counter()
    for i, cell in enumerate(zip(a, b, strict=True)):
        counts[cell] += 1 if multiplicity is None else multiplicity[i]
    counts = {cell: count for cell, count in counts.items() if count}
    return Pair(kind, (a, b), counts, weights, rare, multiplicity)


# ---- of items: (draw, number of items) to two lists of labels ----------------------------


def labels(draw, n, k):
    return [draw.randrange(k) for _ in range(n)]


def free(draw, n):
    most = draw.choice([2, 3, 4, 7, 12])
    return labels(draw, n, most), labels(draw, n, draw.choice([2, 3, 5, most]))


def one_cluster(draw, n):
    sides = [0] * n, labels(draw, n, draw.choice([1, 2, 5]))
    return sides[:: draw.choice([1, -1])]


def singletons(draw, n):
    sides = list(range(n)), labels(draw, n, draw.choice([1, 3, n + 1]))
    return sides[:: draw.choice([1, -1])]


def identical(draw, n):
    a = labels(draw, n, draw.choice([1, 2, 4, n + 1]))
    return a, [7 - x for x in a]


def refinement(draw, n):
    a = labels(draw, n, draw.choice([2, 4, 9]))
    b = [x // 2 for x in a]
    return (a, b) if draw.random() < 0.5 else (b, a)


def blocks(draw, n):
    """Clusters of either side stay inside blocks, so the table falls into parts."""
    block = [i // 6 for i in range(n)]
    return tuple([3 * x + draw.randrange(3) for x in block] for _ in range(2))


def giant_and_dust(draw, n):
    a = [0 if i < n // 2 else i for i in range(n)]
    b = [0 if draw.random() < 0.6 else i for i in range(n)]
    return a, b


def equal_sizes(draw, n):
    k, j = draw.choice([1, 2, 3, 5]), draw.choice([1, 2, 3, 5])
    a, b = [i % k for i in range(n)], [(i // k) % j for i in range(n)]
    return a, b


def disjoint(draw, n):
    a, b = free(draw, n)
    return a, [x + 100 for x in b]


def few_moved(draw, n):
    a = [i // 5 for i in range(n)]
    b = list(a)
    for _ in range(draw.choice([1, 2, 4])):
        if n:
            b[draw.randrange(n)] = draw.randrange(n)
    return a, b


OF_ITEMS = (
    *(free, one_cluster, singletons, identical, refinement, blocks, giant_and_dust),
    *(equal_sizes, disjoint, few_moved),
)


def small(number):
    """Return a pair of clusterings of at most forty items."""
    draw = random.Random(number)
    kind = OF_ITEMS[number % len(OF_ITEMS)]
    n = SIZES[number // len(OF_ITEMS) % len(SIZES)]
    a, b = kind(draw, n)
    return of_labels(kind.__name__, a, b, rare=number % 23 == 0)


def weighted(number):
    """Return a pair of clusterings of items whose masses are floats of several scales.

    Some weigh nothing; of some pairs the lightest weighs 10^-12 times what the heaviest does.
    """
    pair, draw = small(number), random.Random(-number)
    a, b = pair.labels
    scale = draw.choice([1.0, 1e-6, 1e9])
    weights = [draw.choice([1.0, 0.1, draw.random(), 1e-3 * draw.random()]) * scale for _ in a]
    if weights and number % 5 == 1:
        weights = [x * draw.choice([0.0, 1.0, 1.0, 1.0, 1e-12]) for x in weights]
        weights[draw.randrange(len(weights))] = scale
    return of_labels(f"{pair.kind}, weights", a, b, weights)


def repeated(number):
    """Return a pair of clusterings of items that come many times or never; some have masses."""
    pair, draw = small(number), random.Random(f"repeated {number}")
    a, b = pair.labels
    most = draw.choice([2, 9, 1000])
    times = [draw.choice([0, 1, 1, 2, draw.randint(1, most)]) for _ in a]
    if times:
        times[draw.randrange(len(times))] = most
    weights = [draw.choice([1.0, draw.random()]) for _ in a] if number % 2 else None
    return of_labels(f"{pair.kind}, repeated", a, b, weights, multiplicity=times)


def many(number):
    """Return a pair of clusterings of a hundred items and more; every other one has masses."""
    draw = random.Random(f"many {number}")
    kind, n = OF_ITEMS[number % len(OF_ITEMS)], draw.randint(60, 240)
    if kind in (singletons, giant_and_dust):  # every item a cluster: no more than this
        n = 60
    a, b = kind(draw, n)
    weights = [draw.random() * draw.choice([1.0, 1e-4]) for _ in a] if number % 2 else None
    return of_labels(f"{kind.__name__} of many", a, b, weights)


# ---- of tables ---------------------------------------------------------------------------


def count(draw, most):
    return draw.choice([1, draw.randint(1, most), draw.randint(1, max(1, most // 1000)), most])


def large(number):
    """Return a table with counts that no list of labels could hold."""
    draw = random.Random(f"large {number}")
    most = LARGE[number % len(LARGE)]
    shape = number // len(LARGE) % 7
    k, j = draw.choice([2, 3, 6, 12]), draw.choice([2, 3, 5, 11])
    cells = [(i, x) for i in range(k) for x in range(j)]
    if shape == 0:
        counts = {cell: count(draw, most) for cell in cells}
    elif shape == 1:  # nearly the same clusterings
        counts = {cell: most if cell[0] == cell[1] else 1 for cell in cells}
    elif shape == 2:  # nearly independent ones
        counts = {cell: most for cell in cells}
        counts[draw.choice(cells)] += 1
    elif shape == 3:  # a chain
        counts = {(i, i + s): count(draw, most) for i in range(k) for s in (0, 1)}
    elif shape == 4:  # a giant and single items
        counts = {(0, 0): most, **{(i, i % 3): 1 for i in range(1, 30)}}
    elif shape == 5:
        counts = {cell: count(draw, most) for cell in draw.sample(cells, max(2, k * j // 2))}
    else:  # many classes in few clusters
        counts = {(i, i % 3): count(draw, most) for i in range(60)}
    return Pair(f"large {shape}, counts to {most:g}", None, counts)


def heavy(number):
    """Return a table whose cells have masses of up to twenty scales."""
    pair, draw = large(number), random.Random(f"heavy {number}")
    scale = draw.choice([1.0, 1e3, 1e10])
    weights = [draw.random() * scale ** draw.uniform(-1, 1) for _ in pair.counts]
    return Pair(f"{pair.kind}, masses", None, pair.counts, weights)


# ---- hostile -----------------------------------------------------------------------------

WHOLE = 2**53


def weighted_far_apart(number):
    """Return a pair whose smallest weight is 2^-60 of the largest, at any scale."""
    pair, draw = small(number), random.Random(f"far {number}")
    scale = 2.0 ** draw.choice([-700, 0, 700])
    pool = [1.0, 2.0**-60, 2.0**-59, 2.0**-30, draw.uniform(2.0**-60, 1)]
    weights = [draw.choice(pool) * scale for _ in pair.labels[0]]
    return of_labels(f"{pair.kind}, weights far apart", *pair.labels, weights)


def hostile(number):
    """Return a table at the end of what doubles tell apart: huge, skewed, hardly different."""
    draw = random.Random(f"hostile {number}")
    kind = number % 8
    if kind == 0:  # independent but for one item
        counts = {(0, 0): WHOLE, (0, 1): WHOLE - 1, (1, 0): WHOLE + 1, (1, 1): WHOLE}
    elif kind == 1:
        k = draw.choice([2, 3, 5])
        counts = {(i, j): WHOLE // k for i in range(k) for j in range(k)}
        counts[0, 0] += 1
    elif kind == 2:  # as many items as can be, three of them elsewhere
        counts = {(0, 0): 2**62, (1, 1): 1, (2, 2): 1, (2, 0): 1}
    elif kind == 3:
        counts = {(0, 0): 2**62 - 1, (0, 1): 1, (1, 0): 1, (1, 1): 2**60}
    elif kind == 4:  # the same clusters but for one item
        counts = {(i, i): WHOLE // 16 + draw.randrange(3) for i in range(16)}
        counts[0, 1] = 1
    elif kind == 5:  # counts of all sizes
        cells = [(i, j) for i in range(4) for j in range(4) if draw.random() < 0.7]
        counts = {(0, 0): 1, **{cell: 10 ** draw.randrange(17) for cell in cells}}
    elif kind == 6:  # one cluster on a side, the others nearly of one size
        counts = {(i, 0): WHOLE // 8 + draw.randrange(-1, 2) for i in range(8)}
    else:  # a giant and single items
        counts = {(0, 0): WHOLE - 7, (0, 1): 3, (1, 0): 2, (1, 1): 2}
        counts |= {(i, i): 1 for i in range(2, 20)}
    return Pair(f"hostile {kind}", None, counts)
