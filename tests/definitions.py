"""Slow, literal definitions: pairs of items in loops, sets, 50-digit logarithms.

``DEFINITIONS[name](a, b, **options)`` takes two lists of labels and gives a Fraction or an
mpf. Nothing here shares code with the library.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import mpmath
from mpmath import mp, mpf

mp.dps = 50


def clusters(labels):
    found = {}
    for item, label in enumerate(labels):
        found.setdefault(label, set()).add(item)
    return list(found.values())


def partition(labels):
    return frozenset(map(frozenset, clusters(labels)))


def same(a, b):
    return partition(a) == partition(b)


def pairs(a, b):
    n11 = n10 = n01 = n00 = 0
    for i, j in combinations(range(len(a)), 2):
        in_a, in_b = a[i] == a[j], b[i] == b[j]
        n11 += in_a and in_b
        n10 += in_a and not in_b
        n01 += in_b and not in_a
        n00 += not in_a and not in_b
    return n11, n10, n01, n00


def rand_index(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    total = n11 + n10 + n01 + n00
    return Fraction(n11 + n00, total) if total else Fraction(1)


def adjusted_rand_index(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    total = n11 + n10 + n01 + n00
    if total == 0:
        return Fraction(1)
    p, q = Fraction(n11 + n10, total), Fraction(n11 + n01, total)
    expected = p * q + (1 - p) * (1 - q)
    if expected == 1:
        return Fraction(1)
    return (Fraction(n11 + n00, total) - expected) / (1 - expected)


def jaccard(a, b):
    n11, n10, n01, _ = pairs(a, b)
    return Fraction(n11, n11 + n10 + n01) if n11 + n10 + n01 else Fraction(1)


def fowlkes_mallows(a, b):
    n11, n10, n01, _ = pairs(a, b)
    if n11 + n10 == 0 or n11 + n01 == 0:
        return Fraction(int(same(a, b)))
    if same(a, b):
        return Fraction(1)
    return n11 / mpmath.sqrt(mpf(n11 + n10) * (n11 + n01))


def hubert_gamma(a, b, normalized=True):
    """Pearson's correlation of the two 0/1 vectors over pairs."""
    both = list(combinations(range(len(a)), 2))
    x = [int(a[i] == a[j]) for i, j in both]
    y = [int(b[i] == b[j]) for i, j in both]
    if not normalized:
        return Fraction(sum(map(lambda p, q: p * q, x, y)), len(both)) if both else Fraction(0)
    if len(set(x)) < 2 or len(set(y)) < 2:
        return Fraction(int(same(a, b)))
    if x == y:
        return Fraction(1)
    mean_x, mean_y = Fraction(sum(x), len(x)), Fraction(sum(y), len(y))
    above = sum((p - mean_x) * (q - mean_y) for p, q in zip(x, y, strict=True))
    below = sum((p - mean_x) ** 2 for p in x) * sum((q - mean_y) ** 2 for q in y)
    return Fraction(0) if above == 0 else to_mpf(above) / mpmath.sqrt(to_mpf(below))


def mirkin(a, b, normalized=False):
    disagreeing = sum(
        (a[i] == a[j]) != (b[i] == b[j]) for i in range(len(a)) for j in range(len(a))
    )
    if not normalized:
        return Fraction(disagreeing)
    return Fraction(disagreeing, len(a) ** 2) if a else Fraction(0)


def to_mpf(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def entropy(a):
    n = len(a)
    return -sum((mpf(c) / n * mpmath.log(mpf(c) / n) for c in Counter(a).values()), mpf(0))


def joint_entropy(a, b):
    return entropy(list(zip(a, b, strict=True)))


def conditional_entropy(a, b):
    """H(a | b) = sum over clusters of b of their share times the entropy of a inside."""
    n = len(a)
    return sum(
        (mpf(len(items)) / n * entropy([a[i] for i in items]) for items in clusters(b)),
        mpf(0),
    )


def independent(a, b):
    n, x, y, xy = len(a), Counter(a), Counter(b), Counter(zip(a, b, strict=True))
    return all(n * xy[i, j] == x[i] * y[j] for i in x for j in y)


def mutual_information(a, b):
    if independent(a, b):
        return mpf(0)
    n, x, y = len(a), Counter(a), Counter(b)
    return sum(
        (
            mpf(c) / n * mpmath.log(mpf(n) * c / (x[i] * y[j]))
            for (i, j), c in Counter(zip(a, b, strict=True)).items()
        ),
        mpf(0),
    )


def normalized_mutual_information(a, b, average="arithmetic"):
    if same(a, b):
        return Fraction(1)
    x, y = entropy(a), entropy(b)
    if x == 0 or y == 0 or independent(a, b):
        return Fraction(0)
    mean = {
        "arithmetic": (x + y) / 2,
        "geometric": mpmath.sqrt(x * y),
        "min": min(x, y),
        "max": max(x, y),
        "joint": joint_entropy(a, b),
    }[average]
    return mutual_information(a, b) / mean


def variation_of_information(a, b):
    return conditional_entropy(a, b) + conditional_entropy(b, a)


def normalized_variation_of_information(a, b, norm="joint"):
    if same(a, b):
        return Fraction(0)
    below = {
        "joint": joint_entropy(a, b),
        "sum": entropy(a) + entropy(b),
        "log_n": mpmath.log(len(a)),
    }[norm]
    return variation_of_information(a, b) / below


def vi_similarity_log_n(a, b):
    if same(a, b):
        return Fraction(1)
    score = 1 - variation_of_information(a, b) / mpmath.log(len(a))
    return mpf(0) if abs(score) < mpf(10) ** -45 else score


def vi_similarity_log_k(a, b, k):
    if same(a, b):
        return Fraction(1)
    score = 1 - variation_of_information(a, b) / (2 * mpmath.log(k))
    return mpf(0) if abs(score) < mpf(10) ** -45 else score


def nvi(a, b):
    x = entropy(a)
    return entropy(b) if x == 0 else variation_of_information(a, b) / x


def nvi_k(a, b):
    return nvi(b, a)


def homogeneity(a, b):
    if len(set(a)) < 2:
        return Fraction(1)
    if independent(a, b):
        return Fraction(0)
    return 1 - conditional_entropy(a, b) / entropy(a)


def completeness(a, b):
    return homogeneity(b, a)


def v_measure(a, b, beta=1):
    h, c = to_mpf(homogeneity(a, b)), to_mpf(completeness(a, b))
    if beta == 0:
        return h
    if beta == float("inf"):
        return c
    if h == 0 or c == 0:
        return mpf(0)
    return (1 + mpf(beta)) * h * c / (beta * h + c)


def purity(a, b):
    if not a:
        return Fraction(1)
    best = (max(Counter(a[i] for i in items).values()) for items in clusters(b))
    return Fraction(sum(best), len(a))


def inverse_purity(a, b):
    return purity(b, a)


def van_dongen(a, b, normalized=False):
    n = len(a)
    if n == 0:
        return Fraction(0)
    outside = n * (2 - purity(a, b) - purity(b, a))
    return outside / (2 * n) if normalized else outside


def entropy_score(parts):
    """1 - H(parts) / ln |L|; 1 for a singleton."""
    size = sum(parts)
    if len(parts) == 1:
        return Fraction(1)
    if max(parts) == 1:
        return Fraction(0)
    h = -sum(mpf(p) / size * mpmath.log(mpf(p) / size) for p in parts)
    return 1 - h / mpmath.log(size)


def s_entropy(a, b, combine="product"):
    n = len(a)
    if n == 0:
        return Fraction(1)
    split = {
        x: entropy_score(list(Counter(q for p, q in zip(a, b, strict=True) if p == x).values()))
        for x in set(a)
    }
    merge = {
        y: entropy_score(list(Counter(p for p, q in zip(a, b, strict=True) if q == y).values()))
        for y in set(b)
    }
    if combine == "product":
        terms = [to_mpf(split[x]) * to_mpf(merge[y]) for x, y in zip(a, b, strict=True)]
    else:
        terms = [(to_mpf(split[x]) + to_mpf(merge[y])) / 2 for x, y in zip(a, b, strict=True)]
    return sum(terms, mpf(0)) / n


def meet(a, b):
    number = {}
    return [number.setdefault(pair, len(number)) for pair in zip(a, b, strict=True)]


def join(a, b):
    """Merge clusters that share items until nothing changes."""
    found = [set(c) for c in clusters(a)]
    for other in clusters(b):
        touched = [c for c in found if c & other]
        found = [c for c in found if not c & other] + [set().union(*touched)]
    of_item = {item: place for place, c in enumerate(found) for item in c}
    number = {}
    return [number.setdefault(of_item[i], len(number)) for i in range(len(a))]


DEFINITIONS = {
    function.__name__: function
    for function in (
        rand_index,
        adjusted_rand_index,
        jaccard,
        fowlkes_mallows,
        hubert_gamma,
        mirkin,
        joint_entropy,
        conditional_entropy,
        mutual_information,
        normalized_mutual_information,
        variation_of_information,
        normalized_variation_of_information,
        vi_similarity_log_n,
        vi_similarity_log_k,
        nvi,
        nvi_k,
        homogeneity,
        completeness,
        v_measure,
        purity,
        inverse_purity,
        van_dongen,
        s_entropy,
    )
}
