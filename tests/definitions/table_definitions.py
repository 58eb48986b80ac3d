"""Definitions of the measures on tables of counts of any size, exact or with 60 digits.

``DEFINITIONS[name](table, **options)`` gives a Fraction or an mpf; nothing here shares code
with the library. ``definitions`` has the same measures item by item; the tests compare the two
on small inputs, and the library with these on large ones. With masses in place of counts they
are what weighted measures mean.
"""

from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache

import mpmath
from mpmath import mp, mpf

from field_definitions import ln_tables

mp.dps = 60
#: What is smaller than this is a 0 that 60 digits do not show.
NOTHING = mpf(10) ** -45
#: Sums of so many fractions are taken exactly.
FEW = 400


def real(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def total(terms):
    """A sum of fractions: exact where there are few, else to 60 digits."""
    terms = list(terms)
    if len(terms) <= FEW and all(isinstance(x, (int, Fraction)) for x in terms):
        return sum(terms, Fraction(0))
    return mpmath.fsum(map(real, terms))


def over(above, below):
    """A quotient, exact where both are."""
    if isinstance(above, mpf) or isinstance(below, mpf):
        return real(above) / real(below)
    return Fraction(above) / Fraction(below)


class Table:
    """Cells by (row, column): counts of items, or masses in their place where there are any."""

    def __init__(self, counts, masses=None):
        self.counts = {cell: count for cell, count in counts.items() if count}
        self.weighted = masses is not None
        self.cells = {c: masses[c] if masses else self.counts[c] for c in self.counts}

    def _summed(self, cells, side):
        sums = {}
        for cell, value in cells.items():
            sums[cell[side]] = sums.get(cell[side], 0) + value
        return sums

    @cached_property
    def rows(self):
        return self._summed(self.cells, 0)

    @cached_property
    def cols(self):
        return self._summed(self.cells, 1)

    @cached_property
    def n(self):
        return sum(self.cells.values())

    @cached_property
    def items(self):
        return sum(self.counts.values())

    @cached_property
    def k(self):
        return len(self.rows)

    @cached_property
    def j(self):
        return len(self.cols)

    @cached_property
    def same(self):
        return len(self.counts) == self.k == self.j

    @cached_property
    def independent(self):
        full = len(self.counts) == self.k * self.j
        return full and all(
            self.n * x == self.rows[i] * self.cols[j] for (i, j), x in self.cells.items()
        )

    @cached_property
    def turned(self):
        def swap(cells):
            return {(j, i): x for (i, j), x in cells.items()}

        return Table(swap(self.counts), swap(self.cells) if self.weighted else None)

    @cached_property
    def pairs(self):
        """N11, pairs together in the reference, in the candidate, all."""
        sides = self.cells.values(), self.rows.values(), self.cols.values()
        n11, p, q = (sum(x * (x - 1) // 2 for x in side) for side in sides)
        return n11, p, q, self.n * (self.n - 1) // 2

    def entropy_of(self, values):
        """Sum of x ln (n / x) over n."""
        if not self.n:
            return mpf(0)
        n = real(self.n)
        counted = Counter(x for x in values if x and x != self.n)
        return mpmath.fsum(m * (real(x) / n) * ln(n / real(x)) for x, m in counted.items())

    @cached_property
    def h_rows(self):
        return self.entropy_of(self.rows.values())

    @cached_property
    def h_cols(self):
        return self.entropy_of(self.cols.values())

    @cached_property
    def h_joint(self):
        return self.entropy_of(self.cells.values())

    def _conditional(self, sums, side):
        """Entropy of the cells inside the clusters of one side."""
        pairs = Counter(
            (x, sums[cell[side]])
            for cell, x in self.cells.items()
            if x and x != sums[cell[side]]
        )
        parts = (m * real(x) * ln(real(y) / real(x)) for (x, y), m in pairs.items())
        return mpmath.fsum(parts) / real(self.n) if self.n else mpf(0)

    @cached_property
    def split(self):
        return self._conditional(self.rows, 0)

    @cached_property
    def merge(self):
        return self._conditional(self.cols, 1)

    @cached_property
    def information(self):
        if self.independent:
            return mpf(0)
        return self.h_rows - self.merge

    @cached_property
    def expected(self):
        return expected_mutual_information(self)


@lru_cache(maxsize=100_000)
def ln(x):
    return mpmath.log(x)


def identical(t):
    return Fraction(int(t.same))


# ---- pairs -------------------------------------------------------------------------------


def quotient(above, below, t):
    return over(above, below) if below else identical(t)


def rand_index(t):
    n11, p, q, every = t.pairs
    return Fraction(every - p - q + 2 * n11, every) if every else Fraction(1)


def adjusted_rand_index(t):
    n11, p, q, every = t.pairs
    if not every or p == q == every or p == q == 0:
        return Fraction(1)
    expected = Fraction(p * q, every)
    return (n11 - expected) / (Fraction(p + q, 2) - expected)


def expected_rand_index(t):
    _, p, q, every = t.pairs
    if not every:
        return Fraction(1)
    p, q = Fraction(p, every), Fraction(q, every)
    return p * q + (1 - p) * (1 - q)


def ordered(x, steps):
    """x (x - 1) ..., so many factors."""
    value = 1
    for i in range(steps):
        value *= x - i
    return value


def moments_of_pairs(t):
    """Mean and variance of N11 over all permutations of the labels of a side.

    Pairs of pairs that share 0, 1 or 2 items are alike under permutation.
    """
    _, p, q, every = t.pairs
    mean, square = Fraction(p * q, every), Fraction(0)
    alike = []
    for sizes, together in ((t.rows, p), (t.cols, q)):
        three = sum(ordered(x, 3) for x in sizes.values())
        alike.append((together, three, together**2 - together - three))
    of_all = (every, ordered(t.n, 3), every**2 - every - ordered(t.n, 3))
    for x, y, z in zip(*alike, of_all, strict=True):
        square += Fraction(x * y, z) if z else 0
    return mean, square - mean**2


def standardized_rand_index(t):
    if not t.pairs[3]:
        return Fraction(0)
    n11, (mean, variance) = t.pairs[0], moments_of_pairs(t)
    if variance == 0 or n11 == mean:
        return Fraction(0)
    return real(n11 - mean) / mpmath.sqrt(real(variance))


def jaccard(t):
    n11, p, q, _ = t.pairs
    return Fraction(n11, p + q - n11) if p + q - n11 else Fraction(1)


def fowlkes_mallows(t):
    n11, p, q, _ = t.pairs
    if not p * q or t.same:
        return identical(t)
    return n11 / mpmath.sqrt(mpf(p * q))


def hubert_gamma(t, normalized=True):
    n11, p, q, every = t.pairs
    if not normalized:
        return Fraction(n11, every) if every else Fraction(0)
    square = p * q * (every - p) * (every - q)
    if not square or t.same:
        return identical(t)
    above = every * n11 - p * q
    return above / mpmath.sqrt(mpf(square)) if above else Fraction(0)


def mirkin(t, normalized=False):
    n11, p, q, _ = t.pairs
    apart = 2 * (p + q - 2 * n11)
    return over(apart, t.n**2 if normalized and t.n else 1)


def pair_precision(t):
    n11, _, q, _ = t.pairs
    return quotient(n11, q, t)


def pair_recall(t):
    return pair_precision(t.turned)


def pair_f1(t):
    n11, p, q, _ = t.pairs
    return quotient(2 * n11, p + q, t)


def wallace(t, direction="reference", adjusted=False):
    if direction == "candidate":
        t = t.turned
    n11, p, q, every = t.pairs
    if not adjusted:
        return quotient(n11, p, t)
    if not p or q == every:
        return identical(t)
    return (Fraction(n11, p) - Fraction(q, every)) / (1 - Fraction(q, every))


def four(t):
    n11, p, q, every = t.pairs
    return n11, p - n11, q - n11, every - p - q + n11


def rogers_tanimoto(t):
    a, b, c, d = four(t)
    return quotient(a + d, a + d + 2 * (b + c), t)


def sokal_sneath_1(t):
    a, b, c, _ = four(t)
    return quotient(a, a + 2 * (b + c), t)


def sokal_sneath_2(t):
    a, b, c, d = four(t)
    return quotient(2 * (a + d), 2 * (a + d) + b + c, t)


def sokal_sneath_3(t):
    a, b, c, d = four(t)
    terms = (a, a + b), (a, a + c), (d, b + d), (d, c + d)
    return sum(quotient(x, y, t) for x, y in terms) / 4


def kulczynski(t):
    return (pair_precision(t) + pair_recall(t)) / 2


def russell_rao(t):
    return quotient(t.pairs[0], t.pairs[3], t)


def adjusted_fowlkes_mallows(t):
    n11, p, q, every = t.pairs
    if t.same:
        return Fraction(1)
    if not p * q or p == q == every or n11 * every == p * q:
        return Fraction(0)
    expected = mpf(p * q) / every
    return (n11 - expected) / (mpmath.sqrt(mpf(p * q)) - expected)


def squares(values):
    return sum(x * x for x in values)


def adapted_rand_error(t, self_pairs=True, alpha=0.5):
    if not self_pairs:
        return 1 - pair_f1(t)
    if not t.n:
        return Fraction(0)
    sides = squares(t.rows.values()), squares(t.cols.values())
    mean = Fraction(alpha) * sides[0] + (1 - Fraction(alpha)) * sides[1]
    return 1 - squares(t.cells.values()) / mean


def modified_adjusted_rand_index(t, raw=False):
    if t.n < 4:
        return Fraction(0) if raw else identical(t)
    n11, p, q, every = t.pairs
    one = sum(x * (t.rows[i] - 1) * (t.cols[j] - 1) for (i, j), x in t.cells.items()) - 2 * n11
    apart, ways = p * q - one - n11, every * ((t.n - 2) * (t.n - 3) // 2)
    expected = Fraction(apart, ways) * every
    if raw:
        return (n11 - expected) / every
    below = Fraction(p + q, 2) - expected
    return (n11 - expected) / below if below else Fraction(1)


# ---- information -------------------------------------------------------------------------


def in_base(value, base):
    return value / ln(mpf(base)) if base else value


def joint_entropy(t):
    return t.h_joint


def conditional_entropy(t):
    return t.merge


def split_entropy(t):
    return t.split


def merge_entropy(t):
    return t.merge


def mutual_information(t):
    return t.information


def mean_entropy(t, average):
    x, y = t.h_rows, t.h_cols
    return {
        "arithmetic": lambda: (x + y) / 2,
        "geometric": lambda: mpmath.sqrt(x * y),
        "min": lambda: min(x, y),
        "max": lambda: max(x, y),
        "joint": lambda: t.h_joint,
    }[average]()


def flat(t):
    """Whether a side has no entropy: one cluster, or one that has all the mass."""
    return t.h_rows == 0 or t.h_cols == 0


def normalized_mutual_information(t, average="arithmetic"):
    if t.same:
        return Fraction(1)
    if flat(t) or t.independent:
        return Fraction(0)
    if average == "min" and min(t.split, t.merge) == 0:
        smaller = "merge" if t.h_rows <= t.h_cols else "split"
        if getattr(t, smaller) == 0:
            return Fraction(1)
    return t.information / mean_entropy(t, average)


def expected_mutual_information(t):
    """Hypergeometric overlaps of every two sizes, each chance from the one before."""
    n, sum_ = t.n, mpf(0)
    for x, times in Counter(t.rows.values()).items():
        for y, others in Counter(t.cols.values()).items():
            low, high = max(0, x + y - n), min(x, y)
            chance = mpmath.binomial(y, low) * mpmath.binomial(n - y, x - low)
            chance /= mpmath.binomial(n, x)
            inner = mpf(0)
            for m in range(low, high + 1):
                if m:
                    inner += chance * m * ln(mpf(n) * m / (x * y))
                chance *= (
                    mpf((x - m) * (y - m)) / ((m + 1) * (n - x - y + m + 1)) if m < high else 1
                )
            sum_ += times * others * inner / n
    return sum_ if abs(sum_) > NOTHING else mpf(0)


def never_changes(t):
    return {1, t.n} & {t.k, t.j}


def adjusted_mutual_information(t, average="arithmetic"):
    if t.same:
        return Fraction(1)
    if never_changes(t):
        return Fraction(0)
    expected = t.expected
    above, below = t.information - expected, mean_entropy(t, average) - expected
    return Fraction(0) if abs(above) < NOTHING else above / below


def adjusted_variation_of_information(t):
    return adjusted_mutual_information(t)


def variation_of_information(t):
    return t.split + t.merge


def normalized_variation_of_information(t, norm="joint"):
    if t.same:
        return Fraction(0)
    below = {
        "joint": t.h_joint,
        "sum": t.h_rows + t.h_cols,
        "log_n": ln(mpf(t.items)),
    }[norm]
    if norm != "log_n" and (t.independent or flat(t)):
        return Fraction(1)  # 0/0, too: clusters of no mass are clusters
    return at_most_one(variation_of_information(t) / below)


def at_most_one(x):
    return mpf(1) if abs(x - 1) < NOTHING else x


def none_below(x):
    return mpf(0) if abs(x) < NOTHING else x


def vi_similarity_log_n(t):
    if t.same:
        return Fraction(1)
    return none_below(1 - variation_of_information(t) / ln(mpf(t.items)))


def vi_similarity_log_k(t, k):
    if t.same:
        return Fraction(1)
    return none_below(1 - variation_of_information(t) / (2 * ln(mpf(k))))


def nvi(t):
    if not t.h_rows:
        return t.h_cols
    return at_most_one(variation_of_information(t) / t.h_rows)


def nvi_k(t):
    return nvi(t.turned)


def homogeneity(t):
    if t.k < 2 or not t.h_rows or not t.merge:
        return Fraction(1)
    return Fraction(0) if t.independent else t.information / t.h_rows


def completeness(t):
    return homogeneity(t.turned)


def v_measure(t, beta=1):
    h, c = homogeneity(t), completeness(t)
    if not h or not c:
        return Fraction(0)
    if h == c == 1:
        return Fraction(1)
    return (1 + mpf(beta)) * real(h) * real(c) / (beta * real(h) + real(c))


def cluster_entropy(t):
    return t.merge / ln(mpf(t.k)) if t.k > 1 else Fraction(0)


def code_length(sizes, classes, n):
    counted = Counter(sizes).items()
    terms = (m * ln_binomial(x + classes - 1, classes - 1) for x, m in counted)
    return mpmath.fsum(terms) / max(n, 1)


def ln_factorial(x):
    return mpmath.loggamma(mpf(x) + 1)


def ln_binomial(x, y):
    if y < 2000:  # the product itself: no cancellation
        return mpmath.log(mpmath.binomial(x, y))
    with mp.workdps(90):
        return ln_factorial(x) - ln_factorial(y) - ln_factorial(x - y)


def dom_q0(t, base=None):
    return in_base(t.merge + code_length(t.cols.values(), t.k, t.n), base)


def dom_q2(t):
    if t.k < 2:
        return Fraction(1)
    return at_most_one(code_length(t.rows.values(), t.k, t.n) / dom_q0(t))


def information_distance(t):
    return max(t.split, t.merge)


def normalized_information_distance(t):
    if t.same:
        return Fraction(0)
    if t.independent:
        return Fraction(1)
    most = max(t.h_rows, t.h_cols)
    return max(t.split, t.merge) / most if most else Fraction(0)


def uncertainty_coefficient(t, direction="reference"):
    return completeness(t) if direction == "reference" else homogeneity(t)


def reduced_mutual_information(t, model="flat", count="ec", normalizer=None):
    if normalizer and t.same:
        return Fraction(1)
    if min(t.k, t.j) <= 1:
        return Fraction(0)
    rows, cols = list(t.rows.values()), list(t.cols.values())
    if model == "flat":
        value = flat_reduction(rows, cols, t.cells.values(), count)
        below = flat_reduction(rows, rows, rows, count) if normalizer else None
    else:
        own = shortest(t.k, [t.n], rows)
        value = own - shortest(t.k, cols, t.cells.values())
        below = own - shortest(t.k, rows, rows) if normalizer else None
    if below is None:
        return none_below(value)
    return value / below if abs(below) > NOTHING else Fraction(0)


def flat_reduction(rows, cols, cells, count):
    with mp.workdps(90):
        value = ln_factorial(sum(rows)) + sums_of(ln_factorial, cells)
        return (
            value
            - sums_of(ln_factorial, rows)
            - sums_of(ln_factorial, cols)
            - ln_tables(rows, cols, count)
        )


def sums_of(function, values):
    return mpmath.fsum(m * function(x) for x, m in Counter(values).items())


def shortest(k, columns, cells):
    """Shortest description of columns whose cells are drawn with one concentration."""
    columns, cells = Counter(columns), Counter(cells)
    limits = [sum(x * m for x, m in columns.items()) * mpmath.log(k)]
    if sum(cells.values()) == sum(columns.values()):
        limits.append(sum(columns.values()) * mpmath.log(k))

    def rising(start, steps):
        return mpmath.loggamma(start + steps) - mpmath.loggamma(start)

    def cost(power):
        alpha = mpf(10) ** power
        drawn = sum(m * rising(k * alpha, x) for x, m in columns.items())
        return drawn - sum(m * rising(alpha, x) for x, m in cells.items())

    with mp.workdps(40):
        grid = [mpf(step) / 4 for step in range(-20, 40)]
        values = [cost(power) for power in grid]
        at = values.index(min(values))
        left, right = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
        for _ in range(45):  # thirds: the minimum lies in the better two
            first, second = left + (right - left) / 3, right - (right - left) / 3
            if cost(first) <= cost(second):
                right = second
            else:
                left = first
        return min(*limits, cost((left + right) / 2))


# ---- matching of sets --------------------------------------------------------------------


def largest(t, side):
    best = {}
    for cell, x in t.cells.items():
        best[cell[side]] = max(best.get(cell[side], 0), x)
    return best


def purity(t):
    return over(sum(largest(t, 1).values()), t.n) if t.n else Fraction(1)


def inverse_purity(t):
    return purity(t.turned)


def micro_precision(t):
    return purity(t)


def micro_recall(t):
    return purity(t.turned)


def van_dongen(t, normalized=False):
    outside = 2 * t.n - sum(largest(t, 0).values()) - sum(largest(t, 1).values())
    return over(outside, 2 * t.n if normalized and t.n else 1)


def dice(t, cell):
    return over(2 * t.cells[cell], t.rows[cell[0]] + t.cols[cell[1]])


def similarity_of(kind, x, rows, cols):
    """PSI, equations (9) to (11)."""
    if kind == "jaccard":
        return over(x, rows + cols - x)
    return over(2 * x, rows + cols) if kind == "sorensen_dice" else over(x, max(rows, cols))


def best_by(t, side, value):
    best = {}
    for cell in t.cells:
        best[cell[side]] = max(best.get(cell[side], Fraction(0)), value(cell))
    return best


def f_measure(t):
    if not t.n:
        return Fraction(1)
    best = best_by(t, 0, lambda cell: dice(t, cell) if t.rows[cell[0]] else Fraction(0))
    return total(over(t.rows[i], t.n) * x for i, x in best.items())


def larsen_aone(t):
    if not t.items:
        return Fraction(1)
    best = best_by(t, 0, lambda c: dice(t, c) if t.rows[c[0]] + t.cols[c[1]] else Fraction(0))
    return over(total(best.values()), t.k)


def best_pairing(t, gain):
    """The largest sum of gains over one-to-one pairings.

    Over all subsets of the smaller side where it has eight clusters at most; else by the
    Hungarian method.
    """
    if t.j > t.k:
        return best_pairing(t.turned, lambda cell: gain(cell[::-1]))
    gains = {cell: gain(cell) for cell in t.cells}
    columns = {name: 1 << at for at, name in enumerate(t.cols)}
    if t.j > 8:
        return assigned(t, gains)
    by_row = {}
    for (i, j), value in gains.items():
        by_row.setdefault(i, []).append((columns[j], value))
    best = {0: Fraction(0)}
    for row in by_row.values():
        after = dict(best)
        for used, value in best.items():
            for bit, more in row:
                if not used & bit and after.get(used | bit, -1) < value + more:
                    after[used | bit] = value + more
        best = after
    return max(best.values())


def assigned(t, gains):
    """The same by the Hungarian method, in exact numbers; t has no more columns than rows."""
    rows, cols = list(t.cols), list(t.rows)
    cost = [[-gains.get((j, i), 0) for j in cols] for i in rows]
    u, v = [0] * (len(rows) + 1), [0] * (len(cols) + 1)
    row_of, before = [0] * (len(cols) + 1), [0] * (len(cols) + 1)
    for i in range(1, len(rows) + 1):
        row_of[0], at = i, 0
        least, used = [None] * (len(cols) + 1), [False] * (len(cols) + 1)
        while True:
            used[at], delta, after = True, None, 0
            for j in range(1, len(cols) + 1):
                if used[j]:
                    continue
                slack = cost[row_of[at] - 1][j - 1] - u[row_of[at]] - v[j]
                if least[j] is None or slack < least[j]:
                    least[j], before[j] = slack, at
                if delta is None or least[j] < delta:
                    delta, after = least[j], j
            for j in range(len(cols) + 1):
                if used[j]:
                    u[row_of[j]] += delta
                    v[j] -= delta
                elif least[j] is not None:
                    least[j] -= delta
            at = after
            if not row_of[at]:
                break
        while at:
            row_of[at] = row_of[before[at]]
            at = before[at]
    chosen = ((j, row_of[j]) for j in range(1, len(cols) + 1) if row_of[j])
    return total(gains.get((cols[j - 1], rows[i - 1]), 0) for j, i in chosen)


def classification_accuracy(t):
    return over(best_pairing(t, lambda cell: t.cells[cell]), t.n) if t.n else Fraction(1)


def misclassification_index(t):
    return 1 - classification_accuracy(t)


def criterion_h(t, matching="optimal"):
    if matching == "optimal":
        return misclassification_index(t)
    if not t.n:
        return Fraction(0)
    order = sorted(t.cells, key=lambda cell: (-t.cells[cell], cell))
    rows, cols, paired = set(), set(), 0
    for i, j in order:
        if i not in rows and j not in cols:
            rows.add(i)
            cols.add(j)
            paired += t.cells[i, j]
    return 1 - over(paired, t.n)


def expected_pair_sets(t, similarity="braun_banquet"):
    if not t.n:
        return Fraction(1)
    sides = (sorted(x.values(), reverse=True) for x in (t.rows, t.cols))
    pairs = zip(*sides, strict=False)
    return total(similarity_of(similarity, Fraction(x * y, t.n), x, y) for x, y in pairs)


def pair_sets_index(t, simplified=False, similarity="braun_banquet", clipped=True):
    most = max(t.k, t.j)
    if most <= 1:
        return Fraction(1)

    def gain(cell):
        return similarity_of(similarity, t.cells[cell], t.rows[cell[0]], t.cols[cell[1]])

    paired = best_pairing(t, gain)
    expected = Fraction(1) if simplified else expected_pair_sets(t, similarity)
    if clipped and paired <= expected + (0 if isinstance(paired, Fraction) else NOTHING):
        return Fraction(0)
    return over(paired - expected, most - expected)


def pair_sets_distance(t, simplified=False):
    return 1 - pair_sets_index(t, simplified)


def corrected(accuracy, m):
    return over(accuracy - Fraction(1, m), 1 - Fraction(1, m))


def normalized_clustering_accuracy(t):
    most = max(t.k, t.j)
    if most <= 1:
        return Fraction(1)
    if t.k == 1:
        return Fraction(0)
    recall = best_pairing(t, lambda cell: over(t.cells[cell], t.rows[cell[0]]))
    return corrected(over(recall, t.k), most)


def normalized_pivoted_accuracy(t):
    most = max(t.k, t.j)
    return corrected(classification_accuracy(t), most) if most > 1 else Fraction(1)


def jaccard_of(t, cell):
    return similarity_of("jaccard", t.cells[cell], t.rows[cell[0]], t.cols[cell[1]])


def closest_cluster_recall(t):
    if not t.n:
        return Fraction(1)
    return over(total(best_by(t, 0, lambda cell: jaccard_of(t, cell)).values()), t.k)


def closest_cluster_precision(t):
    return closest_cluster_recall(t.turned)


def closest_cluster_f1(t):
    p, r = closest_cluster_precision(t), closest_cluster_recall(t)
    return over(2 * p * r, p + r)


def talburt_wang_index(t):
    if t.same:
        return Fraction(1)
    return mpmath.sqrt(mpf(t.k * t.j)) / len(t.cells)


# ---- B-cubed, items ----------------------------------------------------------------------


def b_cubed_precision(t, cluster_weights="size"):
    if not t.n:
        return Fraction(1)
    if cluster_weights == "uniform":
        terms = (over(x * x, t.rows[i] * t.cols[j]) for (i, j), x in t.cells.items())
        return over(total(terms), t.k)
    terms = (over(x * x, t.cols[j]) for (_, j), x in t.cells.items() if x)
    return over(total(terms), t.n)


def b_cubed_recall(t, cluster_weights="size"):
    if not t.n:
        return Fraction(1)
    if cluster_weights == "uniform":
        terms = (over(x * x, t.rows[i] ** 2) for (i, _), x in t.cells.items())
        return over(total(terms), t.k)
    return b_cubed_precision(t.turned)


def b_cubed_f1(t, beta=1, cluster_weights="size"):
    p, r = b_cubed_precision(t, cluster_weights), b_cubed_recall(t, cluster_weights)
    square = Fraction(beta) ** 2
    return over((1 + square) * p * r, square * p + r)


def whole_clusters(t):
    parts = Counter(i for i, _ in t.counts), Counter(j for _, j in t.counts)
    return sum(parts[0][i] == parts[1][j] == 1 for i, j in t.counts)


def cluster_precision(t):
    """Clusters of the candidate that stand in the reference; their masses where there are."""
    return Fraction(whole_clusters(t), t.j) if t.items else Fraction(1)


def cluster_recall(t):
    return cluster_precision(t.turned)


def cluster_f1(t):
    return Fraction(2 * whole_clusters(t), t.k + t.j) if t.items else Fraction(1)


def element_centric_similarity(t, adjusted=False):
    if not t.n:
        return Fraction(1)
    terms = (over(x * x, max(t.rows[i], t.cols[j])) for (i, j), x in t.cells.items())
    value = over(total(terms), t.n)
    if not adjusted:
        return value
    expected = []
    for x, times in Counter(t.rows.values()).items():
        for y, others in Counter(t.cols.values()).items():
            mean = Fraction(x * y, t.n)  # of the overlap, and of its square:
            falling = Fraction(ordered(x, 2) * ordered(y, 2), ordered(t.n, 2)) if t.n > 1 else 0
            expected.append(times * others * (mean + falling) / max(x, y))
    expected = over(total(expected), t.n)
    return Fraction(1) if expected == 1 else over(value - expected, 1 - expected)


# ---- split and merge ---------------------------------------------------------------------


def entropy_score(parts, items):
    """1 - H(parts) / ln of the items; 1 for what is whole."""
    if len(parts) == 1:
        return Fraction(1)
    size = sum(parts)
    if size == items == len(parts):
        return Fraction(0)
    if not size:
        parts, size = [Fraction(1)] * len(parts), len(parts)
    n = real(size)
    h = mpmath.fsum(m * real(x) / n * ln(n / real(x)) for x, m in Counter(parts).items() if x)
    return none_below(1 - h / ln(mpf(items)))


def max_share(parts, items):
    return over(max(parts), sum(parts)) if sum(parts) else Fraction(1)


def of_parts(t, score, combine):
    """Each cell's split and merge score, combined; the mean over items or mass."""
    if not t.n:
        return Fraction(1)
    scores = []
    for side in (0, 1):
        parts, items = {}, {}
        for cell, x in t.cells.items():
            parts.setdefault(cell[side], []).append(x)
            items[cell[side]] = items.get(cell[side], 0) + t.counts[cell]
        scores.append({name: score(x, items[name]) for name, x in parts.items()})

    def both(i, j):
        x, y = scores[0][i], scores[1][j]
        if not isinstance(x, Fraction) or not isinstance(y, Fraction):
            x, y = real(x), real(y)
        return x * y if combine == "product" else (x + y) / 2

    # a Fraction times an mpf is no number of mpmath
    return over(total(real_or_exact(x, both(i, j)) for (i, j), x in t.cells.items()), t.n)


def real_or_exact(x, y):
    return x * y if isinstance(y, Fraction) else real(x) * y


def s_entropy(t, combine="product"):
    return of_parts(t, entropy_score, combine)


def split_merge(t, score="entropy", combine="product"):
    return of_parts(t, entropy_score if score == "entropy" else max_share, combine)


def merge_distance(t, cost="unit", split=1.0, merge=1.0):
    """Cuts into parts and joins of parts, whose costs add up in any order."""
    sums = {0: 0, 1: 0}
    for side, sizes in ((0, t.rows), (1, t.cols)):
        parts = {}
        for cell, x in t.cells.items():
            parts.setdefault(cell[side], []).append(x)
        for name, one in parts.items():
            if cost == "unit":
                sums[side] += len(one) - 1
            elif cost == "pairs":
                sums[side] += (sizes[name] ** 2 - squares(one)) // 2
    if cost == "entropy":
        return Fraction(0) if t.same else mpf(split) * t.split + mpf(merge) * t.merge
    return Fraction(split) * sums[0] + Fraction(merge) * sums[1]


# ---- association -------------------------------------------------------------------------


def mean_square(t):
    if not t.n:
        return Fraction(0)
    terms = (over(x * x, t.rows[i] * t.cols[j]) for (i, j), x in t.cells.items())
    value = total(terms) - 1
    return value if isinstance(value, Fraction) else none_below(value)


def chi_squared(t):
    return t.n * mean_square(t)


def one_each(t):
    return Fraction(int(t.k == t.j)) if min(t.k, t.j) <= 1 else None


def cramer_v(t):
    if min(t.k, t.j) <= 1:
        return one_each(t)
    square = over(mean_square(t), min(t.k, t.j) - 1)
    nested = len(t.cells) == max(t.k, t.j)  # every cluster inside one of the other side
    return (
        Fraction(1)
        if nested or square == 1
        else square
        if not square
        else mpmath.sqrt(real(square))
    )


def tschuprow_t(t):
    if min(t.k, t.j) <= 1:
        return one_each(t)
    if t.same or t.independent:
        return identical(t)
    below = mpmath.sqrt(mpf((t.k - 1) * (t.j - 1)))
    return mpmath.sqrt(real(mean_square(t)) / below)


def goodman_kruskal_tau(t, direction="reference"):
    if direction == "candidate":
        t = t.turned
    if t.j <= 1:
        return Fraction(1)
    blind = 1 - over(squares(t.cols.values()), t.n**2)
    inside = over(total(over(x * x, t.rows[i]) for (i, _), x in t.cells.items()), t.n)
    seen = 1 - inside
    if not isinstance(seen, Fraction) and len(t.cells) == t.k:
        return Fraction(1)
    if t.independent:
        return Fraction(0)
    return over(blind - seen, blind)


def goodman_kruskal_lambda(t, direction="reference"):
    if direction == "candidate":
        t = t.turned
    if t.j <= 1:
        return Fraction(1)
    most = max(t.cols.values())
    return Fraction(sum(largest(t, 0).values()) - most, t.n - most)


# ---- segments ----------------------------------------------------------------------------


def panoptic_quality(t):
    if not t.n:
        return Fraction(1)
    matched = [x for x in (jaccard_of(t, cell) for cell in t.cells) if x > Fraction(1, 2)]
    return over(total(matched), len(matched) + Fraction(t.k + t.j - 2 * len(matched), 2))


def object_average_precision(t):
    if not t.n:
        return Fraction(1)
    overlaps, sum_ = [jaccard_of(t, cell) for cell in t.cells], Fraction(0)
    for bound in (Fraction(k, 100) for k in range(50, 100, 5)):
        matched = sum(x > bound for x in overlaps)
        sum_ += Fraction(matched, t.k + t.j - matched)
    return sum_ / 10


def diarization_error_rate(t):
    return misclassification_index(t)


def jaccard_error_rate(t, mapping="jaccard"):
    if not t.items:
        return Fraction(0)

    def index(cell):
        return jaccard_of(t, cell) if t.rows[cell[0]] + t.cols[cell[1]] else Fraction(0)

    if mapping == "jaccard":
        return 1 - over(best_pairing(t, index), t.k)
    scale = Fraction(10) ** 60  # the most mass, then the largest sum of Jaccard indices
    both = best_pairing(t, lambda cell: over(scale * t.cells[cell], t.n) + index(cell))
    return 1 - (both - classification_accuracy(t) * scale) / t.k


HELPERS = {
    *("identical", "four", "mean_entropy", "flat", "never_changes", "largest", "dice"),
    *("best_by", "best_pairing", "assigned", "jaccard_of", "whole_clusters", "of_parts"),
    *("mean_square", "one_each", "moments_of_pairs"),
}
DEFINITIONS = {
    name: function
    for name, function in list(globals().items())
    if getattr(function, "__module__", None) == __name__
    and hasattr(function, "__code__")
    and function.__code__.co_varnames[:1] == ("t",)
    and name not in HELPERS
}
