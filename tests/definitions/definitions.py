"""Slow, literal definitions: pairs of items in loops, sets, 50-digit logarithms.

``DEFINITIONS[name](a, b, **options)`` takes two lists of labels and gives a Fraction or an
mpf. Nothing here shares code with the library.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import mpmath
from mpmath import mp, mpf

import field_definitions
from transport_definitions import cheapest_plan, cost_of, css_of_shared

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


def expected_rand_index(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    total = n11 + n10 + n01 + n00
    if total == 0:
        return Fraction(1)
    p, q = Fraction(n11 + n10, total), Fraction(n11 + n01, total)
    return p * q + (1 - p) * (1 - q)


def standardized_rand_index(a, b):
    """Pairs of pairs that share 0, 1 or 2 items are alike under permutation."""
    every = list(combinations(range(len(a)), 2))
    if not every:
        return Fraction(0)
    together = [[x[i] == x[j] for i, j in every] for x in (a, b)]
    mean = Fraction(sum(together[0]) * sum(together[1]), len(every))
    square = Fraction(0)
    for common in range(3):
        alike = [
            (e, f)
            for e in range(len(every))
            for f in range(len(every))
            if len({*every[e]} & {*every[f]}) == common
        ]
        both = [sum(x[e] and x[f] for e, f in alike) for x in together]
        square += Fraction(both[0] * both[1], max(len(alike), 1))
    variance = square - mean**2
    if variance == 0:
        return Fraction(0)
    return to_mpf(pairs(a, b)[0] - mean) / mpmath.sqrt(to_mpf(variance))


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


def expected_mutual_information(a, b, base=None):
    """Hypergeometric overlaps of every pair of clusters, term by term."""
    n, total = len(a), mpf(0)
    for x in Counter(a).values():
        for y in Counter(b).values():
            for m in range(max(1, x + y - n), min(x, y) + 1):
                ways = mpmath.binomial(y, m) * mpmath.binomial(n - y, x - m)
                share = mpf(m) / n * mpmath.log(mpf(n) * m / (x * y))
                total += ways / mpmath.binomial(n, x) * share
    return total / mpmath.log(base) if base else total


def adjusted_mutual_information(a, b, average="arithmetic"):
    if same(a, b):
        return Fraction(1)
    if {1, len(a)} & {len(set(a)), len(set(b))}:  # every permutation has the same I
        return Fraction(0)
    x, y, expected = entropy(a), entropy(b), expected_mutual_information(a, b)
    mean = {
        "arithmetic": (x + y) / 2,
        "geometric": mpmath.sqrt(x * y),
        "min": min(x, y),
        "max": max(x, y),
    }[average]
    return (mutual_information(a, b) - expected) / (mean - expected)


def adjusted_variation_of_information(a, b):
    if same(a, b):
        return Fraction(1)
    if {1, len(a)} & {len(set(a)), len(set(b))}:
        return Fraction(0)
    expected = entropy(a) + entropy(b) - 2 * expected_mutual_information(a, b)
    return 1 - variation_of_information(a, b) / expected


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


def max_share_score(parts):
    return Fraction(max(parts), sum(parts))


def log_k_score(parts, k):
    size = sum(parts)
    if len(parts) == 1:
        return Fraction(1)
    h = -sum(mpf(p) / size * mpmath.log(mpf(p) / size) for p in parts)
    return 1 - h / mpmath.log(k)


COMBINE = {"product": lambda x, y: x * y, "mean": lambda x, y: (x + y) / 2}


def mean_over_items(a, b, score, combine):
    """Each item's split and merge score, combined; the mean over items."""
    n = len(a)
    if n == 0:
        return Fraction(1)
    of_a = {x: [i for i in range(n) if a[i] == x] for x in a}
    of_b = {y: [i for i in range(n) if b[i] == y] for y in b}
    split = {x: score(items, b) for x, items in of_a.items()}
    merge = {y: score(items, a) for y, items in of_b.items()}
    pairs = [(split[x], merge[y]) for x, y in zip(a, b, strict=True)]
    if not all(isinstance(z, Fraction) for pair in pairs for z in pair):
        pairs = [(to_mpf(x), to_mpf(y)) for x, y in pairs]
    return sum(COMBINE[combine](x, y) for x, y in pairs) / n


def of_parts(score):
    """A score of part sizes, as one of a cluster's items and the other side's labels."""
    return lambda items, other: score(list(Counter(other[i] for i in items).values()))


def squared_error(items, features):
    rows = [[Fraction(float(x)) for x in features[i]] for i in items]
    centre = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return sum((x - c) ** 2 for row in rows for x, c in zip(row, centre, strict=True))


def mse_score(features):
    def score(items, other):
        parts = clusters([other[i] for i in items])
        if len(parts) == 1:
            return Fraction(1)
        whole = squared_error(items, features)
        if whole == 0:
            return Fraction(len(items) - len(parts), len(items) - 1)
        return sum(squared_error([items[i] for i in p], features) for p in parts) / whole

    return score


def s_mse(a, b, features, combine="product"):
    return mean_over_items(a, b, mse_score(features), combine)


def split_merge(a, b, score="entropy", combine="product", k=None, features=None):
    scores = {
        "entropy": of_parts(entropy_score),
        "max_share": of_parts(max_share_score),
        "log_k": of_parts(lambda parts: log_k_score(parts, k)),
        "mse": mse_score(features),
    }
    return mean_over_items(a, b, scores[score], combine)


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


def quotient(above, below, a, b):
    """0/0 is 1 for equal partitions, else 0."""
    return Fraction(above, below) if below else Fraction(int(same(a, b)))


def pair_precision(a, b):
    n11, _, n01, _ = pairs(a, b)
    return quotient(n11, n11 + n01, a, b)


def pair_recall(a, b):
    return pair_precision(b, a)


def pair_f1(a, b):
    n11, n10, n01, _ = pairs(a, b)
    return quotient(2 * n11, 2 * n11 + n10 + n01, a, b)


def wallace(a, b, direction="reference", adjusted=False):
    if direction == "candidate":
        a, b = b, a
    n11, n10, n01, n00 = pairs(a, b)
    total = n11 + n10 + n01 + n00
    if not adjusted:
        return quotient(n11, n11 + n10, a, b)
    if n11 + n10 == 0 or n11 + n01 == total:
        return Fraction(int(same(a, b)))
    expected = Fraction(n11 + n01, total)
    return (Fraction(n11, n11 + n10) - expected) / (1 - expected)


def rogers_tanimoto(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    return quotient(n11 + n00, n11 + n00 + 2 * (n10 + n01), a, b)


def sokal_sneath_1(a, b):
    n11, n10, n01, _ = pairs(a, b)
    return quotient(n11, n11 + 2 * (n10 + n01), a, b)


def sokal_sneath_2(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    return quotient(2 * (n11 + n00), 2 * (n11 + n00) + n10 + n01, a, b)


def sokal_sneath_3(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    terms = [(n11, n11 + n10), (n11, n11 + n01), (n00, n10 + n00), (n00, n01 + n00)]
    return sum(quotient(x, y, a, b) for x, y in terms) / 4


def kulczynski(a, b):
    return (pair_precision(a, b) + pair_recall(a, b)) / 2


def russell_rao(a, b):
    return quotient(pairs(a, b)[0], sum(pairs(a, b)), a, b)


def adjusted_fowlkes_mallows(a, b):
    n11, n10, n01, n00 = pairs(a, b)
    total, x, y = n11 + n10 + n01 + n00, n11 + n10, n11 + n01
    if same(a, b):
        return Fraction(1)
    if x * y == 0 or (x == y == total) or n11 * total == x * y:
        return Fraction(0)
    expected = mpf(x) * y / total
    return (n11 - expected) / (mpmath.sqrt(mpf(x) * y) - expected)


def adapted_rand_error(a, b, self_pairs=True, alpha=0.5):
    if not self_pairs:
        return 1 - pair_f1(a, b)
    left, right = (sum(x == y for x in side for y in side) for side in (a, b))
    both = sum(a[i] == a[j] and b[i] == b[j] for i in range(len(a)) for j in range(len(a)))
    mean = Fraction(alpha) * left + (1 - Fraction(alpha)) * right
    return 1 - Fraction(both) / mean if a else Fraction(0)


def mean_of_clusters(a, share):
    """The mean over a's clusters of the mean share of their items."""
    means = [Fraction(sum(share(i) for i in c)) / len(c) for c in clusters(a)]
    return sum(means) / len(means) if means else Fraction(1)


def common(a, b, i):
    """Items that are with an item in both clusterings."""
    return sum(x == a[i] and y == b[i] for x, y in zip(a, b, strict=True))


def b_cubed_precision(a, b, cluster_weights="size"):
    if cluster_weights == "uniform":
        return mean_of_clusters(a, lambda i: Fraction(common(a, b, i), b.count(b[i])))
    if not a:
        return Fraction(1)
    terms = (Fraction(sum(a[j] == a[i] for j in c), len(c)) for c in clusters(b) for i in c)
    return sum(terms, Fraction(0)) / len(a)


def b_cubed_recall(a, b, cluster_weights="size"):
    if cluster_weights == "uniform":
        return mean_of_clusters(a, lambda i: Fraction(common(a, b, i), a.count(a[i])))
    return b_cubed_precision(b, a)


def b_cubed_f1(a, b, beta=1, cluster_weights="size"):
    p, r = (side(a, b, cluster_weights) for side in (b_cubed_precision, b_cubed_recall))
    return (1 + beta**2) * p * r / (beta**2 * p + r)


def cluster_precision(a, b):
    both = len(partition(a) & partition(b))
    return Fraction(both, len(partition(b))) if a else Fraction(1)


def cluster_recall(a, b):
    return cluster_precision(b, a)


def cluster_f1(a, b):
    x, y = partition(a), partition(b)
    return Fraction(2 * len(x & y), len(x) + len(y)) if a else Fraction(1)


def micro_precision(a, b):
    return purity(a, b)


def micro_recall(a, b):
    return purity(b, a)


def cluster_entropy(a, b):
    q = len(set(a))
    return conditional_entropy(a, b) / mpmath.log(q) if q > 1 else Fraction(0)


def code_length(labels, classes):
    choices = (mpmath.binomial(len(c) + classes - 1, classes - 1) for c in clusters(labels))
    return sum(map(mpmath.log, choices), mpf(0)) / max(len(labels), 1)


def dom_q0(a, b, base=None):
    found = conditional_entropy(a, b) + code_length(b, len(set(a)))
    return found / mpmath.log(base) if base else found


def dom_q2(a, b):
    if len(set(a)) < 2:
        return Fraction(1)
    return code_length(a, len(set(a))) / dom_q0(a, b)


def sorensen_dice(x, y):
    return Fraction(2 * len(x & y), len(x) + len(y))


def f_measure(a, b):
    if not a:
        return Fraction(1)
    return sum(
        Fraction(len(x), len(a)) * max(sorensen_dice(x, y) for y in clusters(b))
        for x in clusters(a)
    )


def larsen_aone(a, b):
    if not a:
        return Fraction(1)
    best = [max(sorensen_dice(x, y) for y in clusters(b)) for x in clusters(a)]
    return sum(best) / len(best)


def best_pairing(a, b, gain):
    """The largest sum of gains over one-to-one pairings, by trying all of them."""
    left, right = clusters(a), clusters(b)
    if len(left) > len(right):
        left, right = right, left
    sums = (
        sum((gain(x, y) for x, y in zip(left, chosen, strict=True)), Fraction(0))
        for chosen in permutations(right, len(left))
    )
    return max(sums, default=Fraction(0))


def classification_accuracy(a, b):
    paired = best_pairing(a, b, lambda x, y: Fraction(len(x & y)))
    return paired / len(a) if a else Fraction(1)


def misclassification_index(a, b):
    return 1 - classification_accuracy(a, b)


def of_sizes(similarity, common, x, y):
    """PSI, equations (9) to (11): sets of x and y items with so many in common."""
    below = {"jaccard": x + y - common, "sorensen_dice": Fraction(x + y, 2)}
    return Fraction(common) / below.get(similarity, max(x, y))


def expected_pair_sets(a, b, similarity="braun_banquet"):
    """PSI, equation (16), with any of the three similarities."""
    left, right = (sorted(map(len, clusters(x)), reverse=True) for x in (a, b))
    if not a:
        return Fraction(1)
    pairs = zip(left, right, strict=False)
    return sum(
        (of_sizes(similarity, Fraction(x * y, len(a)), x, y) for x, y in pairs), Fraction(0)
    )


def pair_sets_index(a, b, simplified=False, similarity="braun_banquet", clipped=True):
    k, j = len(clusters(a)), len(clusters(b))
    if max(k, j) <= 1:
        return Fraction(1)
    paired = best_pairing(a, b, lambda x, y: of_sizes(similarity, len(x & y), len(x), len(y)))
    expected = Fraction(1) if simplified else expected_pair_sets(a, b, similarity)
    if clipped and paired <= expected:
        return Fraction(0)
    return (paired - expected) / (max(k, j) - expected)


def pair_sets_distance(a, b, simplified=False, similarity="braun_banquet"):
    return 1 - pair_sets_index(a, b, simplified, similarity)


def criterion_h(a, b, matching="optimal"):
    """Greedy: the largest free overlap first, ties by lowest row, then column."""
    if matching == "optimal":
        return misclassification_index(a, b)
    if not a:
        return Fraction(0)
    rows, cols = sorted(set(a)), sorted(set(b))
    cells = Counter(zip(a, b, strict=True))
    free = {(i, j): cells[x, y] for i, x in enumerate(rows) for j, y in enumerate(cols)}
    paired = 0
    while free and max(free.values()):
        i, j = min(free, key=lambda cell: (-free[cell], cell))
        paired += free[i, j]
        free = {(p, q): c for (p, q), c in free.items() if p != i and q != j}
    return 1 - Fraction(paired, len(a))


def mean_rows(labels, features, weights=None):
    """Exact centroids, in ascending order of the labels."""
    rows = [[Fraction(x) for x in row] for row in features]
    weights = [Fraction(w) for w in (weights if weights is not None else [1] * len(rows))]
    found = []
    for label in sorted(set(labels)):
        members = [i for i, x in enumerate(labels) if x == label]
        whole = sum(weights[i] for i in members)
        columns = range(len(rows[members[0]]))
        found.append([sum(weights[i] * rows[i][j] for i in members) / whole for j in columns])
    return found


def squared(p, q):
    return sum(((x - y) ** 2 for x, y in zip(p, q, strict=True)), Fraction(0))


def nearest_places(queries, points):
    return [min(range(len(points)), key=lambda j: (squared(q, points[j]), j)) for q in queries]


def centroid_index_one_way(a, b, features):
    if not len(a):
        return Fraction(0)
    left, right = mean_rows(a, features), mean_rows(b, features)
    return Fraction(len(set(range(len(right))) - set(nearest_places(left, right))))


def centroid_index(a, b, features):
    ways = centroid_index_one_way(a, b, features), centroid_index_one_way(b, a, features)
    return max(ways)


def centroid_similarity_index(a, b, features):
    if not len(a):
        return Fraction(1)
    left, right = mean_rows(a, features), mean_rows(b, features)
    names = sorted(set(a)), sorted(set(b))
    table = Counter(zip(a, b, strict=True))
    forth, back = nearest_places(left, right), nearest_places(right, left)
    total = sum(table[names[0][i], names[1][j]] for i, j in enumerate(forth))
    total += sum(table[names[0][i], names[1][j]] for j, i in enumerate(back))
    return Fraction(total, 2 * len(a))


def greedy_centroid_pairs(left, right):
    """All pairs in order of distance, row, column; each cluster once."""
    order = sorted(
        (squared(p, q), i, j) for i, p in enumerate(left) for j, q in enumerate(right)
    )
    rows, cols, pairs = set(), set(), []
    for distance, i, j in order:
        if i not in rows and j not in cols:
            rows.add(i)
            cols.add(j)
            pairs.append((i, j, distance))
    return pairs


def centroid_ratio_of(left, right):
    most = max(len(left), len(right))
    if most == 0:
        return Fraction(1)

    def own(points, i):
        return min(squared(points[i], p) for k, p in enumerate(points) if k != i)

    stable = 0
    for i, j, distance in greedy_centroid_pairs(left, right):
        lone = len(left) == 1 or len(right) == 1
        stable += lone or not distance**2 > own(left, i) * own(right, j)
    return Fraction(stable, most)


def centroid_ratio(a, b, features):
    return centroid_ratio_of(mean_rows(a, features), mean_rows(b, features))


# ---- transport ---------------------------------------------------------------------


def weights_of(labels, kind):
    names = sorted(set(labels))
    if kind == "uniform":
        return [Fraction(1, len(names)) for _ in names]
    return [Fraction(list(labels).count(name), len(labels)) for name in names]


def membership_columns(labels):
    """One 0/1 column of all items for each cluster, clusters in ascending label order."""
    return [[int(x == name) for x in labels] for name in sorted(set(labels))]


def mallows_of_columns(left, right, alpha, beta, power=1):
    """CC, section 3 and equation (1), on columns of memberships, before the root."""
    costs = [
        [sum(abs(x - y) ** power for x, y in zip(p, q, strict=True)) for q in right]
        for p in left
    ]
    return cost_of(cheapest_plan(costs, alpha, beta), costs)


def mallows_distance(a, b, cluster_weights="uniform", normalize=False, p=1):
    if not len(a):
        return Fraction(0)
    value = mallows_of_columns(
        membership_columns(a),
        membership_columns(b),
        weights_of(a, cluster_weights),
        weights_of(b, cluster_weights),
        p,
    )
    value = value / len(a) if normalize else value
    return value if p == 1 else to_mpf(value) ** (1 / mpf(p))


def css_of_columns(left, right, alpha, beta, distances):
    """CC, equations (3) to (5), on columns of memberships."""
    shared = [
        [
            sum(x * y for x, y in zip(p, q, strict=True)) * distances[i][j]
            for j, q in enumerate(right)
        ]
        for i, p in enumerate(left)
    ]
    return css_of_shared(shared, alpha, beta)


def css_distance(a, b, features, cluster_weights="uniform", metric="euclidean"):
    if not len(a):
        return Fraction(0)
    left, right = mean_rows(a, features), mean_rows(b, features)
    distances = [[to_mpf(squared(p, q)) for q in right] for p in left]
    if metric == "euclidean":
        distances = [[mpmath.sqrt(x) for x in line] for line in distances]
    alpha, beta = (weights_of(side, cluster_weights) for side in (a, b))
    return css_of_columns(membership_columns(a), membership_columns(b), alpha, beta, distances)


# Every function above that takes (a, b) and is a measure; test_definitions compares the
# names with the catalogue.
HELPERS = {"mean_over_items", "best_pairing", "pairs", "same", "independent", "meet", "join"}
HELPERS |= {"common"}
DEFINITIONS = {
    name: function
    for name, function in list(globals().items())
    if getattr(function, "__module__", None) == __name__
    and function.__code__.co_varnames[:2] == ("a", "b")
    and name not in HELPERS
}
DEFINITIONS |= field_definitions.DEFINITIONS
