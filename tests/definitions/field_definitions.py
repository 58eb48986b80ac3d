"""Literal definitions of the measures that other packages have: sets, loops, fractions.

As in ``definitions``: two lists of labels in, a Fraction or an mpf out, no code of the library.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial, prod

import mpmath
from mpmath import mpf


def clusters(labels):
    by_label = {}
    for item, label in enumerate(labels):
        by_label.setdefault(label, set()).add(item)
    return list(by_label.values())


def same(a, b):
    return {frozenset(c) for c in clusters(a)} == {frozenset(c) for c in clusters(b)}


def own_cluster(labels, item):
    return {other for other, label in enumerate(labels) if label == labels[item]}


def to_mpf(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


# ---- items -------------------------------------------------------------------------------


def similarity_of_items(a, b):
    values = []
    for item in range(len(a)):
        left, right = own_cluster(a, item), own_cluster(b, item)
        values.append(Fraction(len(left & right), max(len(left), len(right))))
    return values


def expected_similarity(a, b):
    """The mean over all orders: hypergeometric overlaps of every pair of clusters."""
    n, total = len(a), Fraction(0)
    for x, y in product(map(len, clusters(a)), map(len, clusters(b))):
        for m in range(max(0, x + y - n), min(x, y) + 1):
            chance = Fraction(comb(x, m) * comb(n - x, y - m), comb(n, y))
            total += chance * Fraction(m * m, max(x, y))
    return total / n


def element_centric_similarity(a, b, adjusted=False):
    if not a:
        return Fraction(1)
    value = sum(similarity_of_items(a, b)) / len(a)
    if not adjusted:
        return value
    expected = expected_similarity(a, b)
    return Fraction(1) if expected == 1 else (value - expected) / (1 - expected)


# ---- association -------------------------------------------------------------------------


def mean_square(a, b):
    """Chi squared over n: squared deviations from what sizes suggest, over that."""
    n, total = len(a), Fraction(0)
    for left, right in product(clusters(a), clusters(b)):
        chance = Fraction(len(left) * len(right), n)
        total += (len(left & right) - chance) ** 2 / chance
    return total / n if n else Fraction(0)


def chi_squared(a, b):
    return len(a) * mean_square(a, b)


def degenerate(a, b):
    k, j = len(set(a)), len(set(b))
    if min(k, j) > 1:
        return None
    return Fraction(int(k == j))


def cramer_v(a, b):
    value = degenerate(a, b)
    if value is not None:
        return value
    square = mean_square(a, b) / (min(len(set(a)), len(set(b))) - 1)
    return square if square in (0, 1) else mpmath.sqrt(to_mpf(square))


def tschuprow_t(a, b):
    value = degenerate(a, b)
    if value is not None:
        return value
    below = mpmath.sqrt(mpf((len(set(a)) - 1) * (len(set(b)) - 1)))
    if same(a, b) or mean_square(a, b) == 0:
        return Fraction(int(same(a, b)))
    return mpmath.sqrt(to_mpf(mean_square(a, b)) / below)


def guessed(a, b, direction):
    return (a, b) if direction == "reference" else (b, a)


def goodman_kruskal_tau(a, b, direction="reference"):
    """Errors of guesses that follow the shares, without and with the known cluster."""
    known, wanted = guessed(a, b, direction)
    n = len(known)
    if len(set(wanted)) <= 1:
        return Fraction(1)
    blind = 1 - sum(Fraction(len(c), n) ** 2 for c in clusters(wanted))
    seen = Fraction(0)
    for cell in clusters(known):
        parts = [Fraction(len(cell & c), len(cell)) for c in clusters(wanted)]
        seen += Fraction(len(cell), n) * (1 - sum(p**2 for p in parts))
    return (blind - seen) / blind


def goodman_kruskal_lambda(a, b, direction="reference"):
    known, wanted = guessed(a, b, direction)
    if len(set(wanted)) <= 1:
        return Fraction(1)
    blind = len(known) - max(len(c) for c in clusters(wanted))
    seen = sum(len(k) - max(len(k & c) for c in clusters(wanted)) for k in clusters(known))
    return Fraction(blind - seen, blind)


# ---- information -------------------------------------------------------------------------


def entropy(sets, n):
    shares = [mpf(len(s)) / n for s in sets if s]
    return -sum((p * mpmath.log(p) for p in shares), mpf(0))


def meet(a, b):
    return [left & right for left, right in product(clusters(a), clusters(b)) if left & right]


def split_entropy(a, b, base=None):
    """H(b | a): the mean entropy of the parts of a's clusters."""
    total = mpf(0)
    for cluster in clusters(a):
        parts = [cluster & c for c in clusters(b)]
        total += mpf(len(cluster)) / len(a) * entropy(parts, len(cluster))
    return total / (mpmath.log(base) if base else 1)


def merge_entropy(a, b, base=None):
    return split_entropy(b, a, base)


def shared(a, b):
    n = len(a)
    return entropy(clusters(a), n) + entropy(clusters(b), n) - entropy(meet(a, b), n)


def independent(a, b):
    n = len(a)
    pairs = product(clusters(a), clusters(b))
    return all(n * len(x & y) == len(x) * len(y) for x, y in pairs)


def information_distance(a, b, base=None):
    if same(a, b):
        return Fraction(0)
    n = len(a)
    most = max(entropy(clusters(a), n), entropy(clusters(b), n))
    return (most - shared(a, b)) / (mpmath.log(base) if base else 1)


def normalized_information_distance(a, b):
    if same(a, b):
        return Fraction(0)
    if independent(a, b):
        return Fraction(1)
    n = len(a)
    most = max(entropy(clusters(a), n), entropy(clusters(b), n))
    return 1 - shared(a, b) / most


def uncertainty_coefficient(a, b, direction="reference"):
    known, wanted = guessed(a, b, direction)
    if len(set(wanted)) <= 1:
        return Fraction(1)
    if independent(known, wanted):
        return Fraction(0)
    below = entropy(clusters(wanted), len(a))
    if all(any(k <= w for w in clusters(wanted)) for k in clusters(known)):
        return Fraction(1)
    return shared(a, b) / below


def ln_choose(top, bottom):
    """ln of the binomial coefficient of real numbers."""
    gamma = mpmath.loggamma
    return gamma(top + 1) - gamma(bottom + 1) - gamma(top - bottom + 1)


@cache
def count_tables(rows, cols):
    """The number of tables of counts: fill the first row in all ways."""
    if not rows:
        return 1
    ways = product(*(range(min(rows[0], c) + 1) for c in cols))
    fits = (w for w in ways if sum(w) == rows[0])
    return sum(
        count_tables(rows[1:], tuple(sorted(c - x for c, x in zip(cols, w, strict=True))))
        for w in fits
    )


def ln_tables_newman(rows, cols):
    n, k, j = sum(rows), len(rows), len(cols)
    w = n / (n + mpf(k * j) / 2)
    x = [(1 - w) / k + w * a / n for a in rows]
    y = [(1 - w) / j + w * b / n for b in cols]
    mu = (k + 1) / (k * sum(v**2 for v in y)) - mpf(1) / k
    nu = (j + 1) / (j * sum(v**2 for v in x)) - mpf(1) / j
    gamma = mpmath.loggamma
    value = (k - 1) * (j - 1) * mpmath.log(n + mpf(k * j) / 2)
    value += (k + nu - 2) / 2 * sum(map(mpmath.log, y))
    value += (j + mu - 2) / 2 * sum(map(mpmath.log, x))
    value += (gamma(mu * k) + gamma(nu * j)) / 2
    return value - (j * (gamma(nu) + gamma(k)) + k * (gamma(mu) + gamma(j))) / 2


def ln_tables_by_columns(rows, cols):
    n, m = sum(rows), len(rows)
    squares = sum(b * b for b in cols)
    if squares == n:
        return mpmath.log(mpf(factorial(n)) / prod(map(factorial, rows)))
    alpha = (n * n - n + mpf(n * n - squares) / m) / (squares - n)
    value = -ln_choose(n + m * alpha - 1, m * alpha - 1)
    value += sum(ln_choose(a + alpha - 1, alpha - 1) for a in rows)
    return value + sum(ln_choose(mpf(b + m - 1), m - 1) for b in cols)


def ln_tables(rows, cols, count):
    if min(len(rows), len(cols)) <= 1:
        return mpf(0)
    if count == "exact":
        return mpmath.log(count_tables(tuple(sorted(rows)), tuple(sorted(cols))))
    return (ln_tables_newman if count == "newman" else ln_tables_by_columns)(rows, cols)


def flat(rows, cols, cells, count):
    ways = Fraction(factorial(sum(rows)) * prod(map(factorial, cells)))
    ways /= prod(map(factorial, rows)) * prod(map(factorial, cols))
    return mpmath.log(to_mpf(ways)) - ln_tables(rows, cols, count)


def description(k, columns, cells):
    """Shortest description of columns whose cells are drawn with one concentration."""

    def rising(start, steps):
        return sum((mpmath.log(start + i) for i in range(steps)), mpf(0))

    def cost(power):
        alpha = mpf(10) ** power
        drawn = sum(rising(k * alpha, size) for size in columns)
        return drawn - sum(rising(alpha, size) for size in cells)

    limits = [sum(columns) * mpmath.log(k)]
    if len(cells) == len(columns):
        limits.append(len(columns) * mpmath.log(k))
    grid = [mpf(step) / 8 for step in range(-40, 65)]
    values = [cost(power) for power in grid]
    at = values.index(min(values))
    left, right = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    for _ in range(70):  # thirds: the minimum lies in the better two
        first, second = left + (right - left) / 3, right - (right - left) / 3
        if cost(first) <= cost(second):
            right = second
        else:
            left = first
    return min(*limits, cost((left + right) / 2))


def reduced_mutual_information(a, b, model="flat", count="ec", normalizer=None):
    if normalizer and same(a, b):
        return Fraction(1)
    if min(len(set(a)), len(set(b))) <= 1:
        return Fraction(0)
    value = reduced(a, b, model, count)
    if not normalizer:
        return value
    below = reduced(a, a, model, count)
    return value / below if below else Fraction(0)


def reduced(a, b, model, count):
    rows, cols, cells = (
        [len(s) for s in sets] for sets in (clusters(a), clusters(b), meet(a, b))
    )
    if model == "flat":
        return flat(rows, cols, cells, count)
    return description(len(rows), [len(a)], rows) - description(len(rows), cols, cells)


# ---- pairs of pairs ----------------------------------------------------------------------


def modified_adjusted_rand_index(a, b, raw=False):
    """Chance from every two pairs of four different items, one looked at on each side."""
    n = len(a)
    if n < 4:
        return Fraction(0 if raw else int(same(a, b)))
    every = list(combinations(range(n), 2))
    left = [p for p in every if a[p[0]] == a[p[1]]]
    right = [p for p in every if b[p[0]] == b[p[1]]]
    apart = sum(1 for p in left for q in right if not {*p} & {*q})
    ways = sum(1 for p in every for q in every if not {*p} & {*q})
    expected = Fraction(apart, ways) * len(every)
    above = len({*left} & {*right}) - expected
    if raw:
        return above / len(every)
    below = Fraction(len(left) + len(right), 2) - expected
    return above / below if below else Fraction(1)


# ---- clusters ----------------------------------------------------------------------------


def jaccard_of(x, y):
    return Fraction(len(x & y), len(x | y))


def mean_best(side, other):
    if not side:
        return Fraction(1)
    return sum(max(jaccard_of(x, y) for y in other) for x in side) / Fraction(len(side))


def closest_cluster_precision(a, b):
    return mean_best(clusters(b), clusters(a))


def closest_cluster_recall(a, b):
    return mean_best(clusters(a), clusters(b))


def closest_cluster_f1(a, b):
    p, r = closest_cluster_precision(a, b), closest_cluster_recall(a, b)
    return 2 * p * r / (p + r)


def best_assignment(left, right, gain):
    """The largest sum over all ways to give each of the fewer clusters one of the others."""
    if len(left) > len(right):
        return best_assignment(right, left, lambda y, x: gain(x, y))
    return max(
        sum((gain(x, y) for x, y in zip(left, chosen, strict=True)), Fraction(0))
        for chosen in permutations(right, len(left))
    )


def corrected(accuracy, m):
    return (accuracy - Fraction(1, m)) / (1 - Fraction(1, m))


def normalized_clustering_accuracy(a, b):
    left, right = clusters(a), clusters(b)
    m = max(len(left), len(right))
    if m <= 1:
        return Fraction(1)
    if len(left) == 1:
        return Fraction(0)
    recall = best_assignment(left, right, lambda x, y: Fraction(len(x & y), len(x)))
    return corrected(recall / len(left), m)


def normalized_pivoted_accuracy(a, b):
    left, right = clusters(a), clusters(b)
    m = max(len(left), len(right))
    if m <= 1:
        return Fraction(1)
    right_items = best_assignment(left, right, lambda x, y: len(x & y))
    return corrected(Fraction(right_items) / len(a), m)


def talburt_wang_index(a, b):
    if not a:
        return Fraction(1)
    overlaps = len(meet(a, b))
    if same(a, b):
        return Fraction(1)
    return mpmath.sqrt(mpf(len(clusters(a)) * len(clusters(b)))) / overlaps


def merge_distance(a, b, cost="unit", split=1.0, merge=1.0):
    """Cut every reference cluster to its parts one by one, then join them one by one."""
    n = len(a)

    def whole(x):
        return mpf(x) * mpmath.log(x) / n if x else mpf(0)

    prices = {
        "unit": lambda x, y: 1,
        "pairs": lambda x, y: x * y,
        "entropy": lambda x, y: whole(x + y) - whole(x) - whole(y),
    }
    price = prices[cost]
    total = 0
    for weight, side, other in ((split, a, b), (merge, b, a)):
        for cluster in clusters(side):
            parts = [len(cluster & c) for c in clusters(other) if cluster & c]
            done = parts[0]
            for part in parts[1:]:
                total += Fraction(weight) * price(done, part)
                done += part
    return Fraction(total) if cost != "entropy" or same(a, b) else total


# ---- segments ----------------------------------------------------------------------------


def panoptic_quality(a, b, threshold=0.5):
    left, right = clusters(a), clusters(b)
    if not left:
        return Fraction(1)
    found = [
        jaccard_of(x, y) for x in left for y in right if jaccard_of(x, y) > Fraction(threshold)
    ]
    extra, missed = len(right) - len(found), len(left) - len(found)
    return sum(found, Fraction(0)) / (len(found) + Fraction(extra + missed, 2))


def object_average_precision(a, b):
    left, right = clusters(a), clusters(b)
    if not left:
        return Fraction(1)
    total = Fraction(0)
    for bound in (Fraction(k, 100) for k in range(50, 100, 5)):
        found = sum(jaccard_of(x, y) > bound for x in left for y in right)
        total += Fraction(found, len(left) + len(right) - found)
    return total / 10


def diarization_error_rate(a, b):
    if not a:
        return Fraction(0)
    right = best_assignment(clusters(a), clusters(b), lambda x, y: len(x & y))
    return 1 - Fraction(right) / len(a)


def jaccard_error_rate(a, b, mapping="jaccard"):
    left, right = clusters(a), clusters(b)
    if not left:
        return Fraction(0)
    if mapping == "jaccard":
        return 1 - best_assignment(left, right, jaccard_of) / len(left)

    def lexicographic(x, y):  # the most items, then the largest sum of Jaccard indices
        return 10**6 * len(x & y) + jaccard_of(x, y)

    return 1 - best_assignment(left, right, lexicographic) % 10**6 / len(left)


HELPERS = {
    *("same", "similarity_of_items", "expected_similarity", "mean_square", "degenerate"),
    *("guessed", "meet", "shared", "independent", "reduced"),
}
DEFINITIONS = {
    name: function
    for name, function in list(globals().items())
    if getattr(function, "__module__", None) == __name__
    and hasattr(function, "__code__")
    and function.__code__.co_varnames[:2] == ("a", "b")
    and name not in HELPERS
}
