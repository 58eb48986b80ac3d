"""Measures of soft clusterings by definition: the joint law in fractions, 50 digits."""

from fractions import Fraction

import mpmath
from mpmath import mpf

from table_definitions import real

#: Each measure, with the mean of the entropies where there are several.
NAMES = (
    "soft_mutual_information",
    "soft_variation_of_information",
    "soft_normalized_variation_of_information",
    *(
        f"soft_normalized_mutual_information {average}"
        for average in ("arithmetic", "geometric", "min", "max", "joint")
    ),
)


def law_of(a, b):
    """c_kj / (sum of c), as fractions of the given numbers."""
    n_rows, n_cols = len(a[0]), len(b[0])
    c = [
        [
            sum(
                Fraction(float(p[k])) * Fraction(float(q[j])) for p, q in zip(a, b, strict=True)
            )
            for j in range(n_cols)
        ]
        for k in range(n_rows)
    ]
    whole = sum(map(sum, c))
    return [[x / whole for x in row] for row in c]


def entropy(shares):
    terms = (real(x) for x in shares if x)
    return -sum((x * mpmath.log(x) for x in terms), mpf(0))


def defined(name, a, b):
    """The value of a measure by entropies of the joint law, 50 digits."""
    law = law_of(a, b)
    h_a = entropy([sum(row) for row in law])
    h_b = entropy([sum(col) for col in zip(*law, strict=True)])
    h_ab = entropy([x for row in law for x in row])
    shared = h_a + h_b - h_ab
    if name == "soft_mutual_information":
        return shared
    if name == "soft_variation_of_information":
        return 2 * h_ab - h_a - h_b
    if name == "soft_normalized_variation_of_information":
        kinds = sum(any(row) for row in law), sum(any(col) for col in zip(*law, strict=True))
        bound = sum(map(mpmath.log, kinds))
        return (2 * h_ab - h_a - h_b) / bound if bound else mpf(0)
    means = {
        "arithmetic": (h_a + h_b) / 2,
        "geometric": mpmath.sqrt(h_a * h_b),
        "min": min(h_a, h_b),
        "max": max(h_a, h_b),
        "joint": h_ab,
    }
    mean = means[name.partition(" ")[2]]
    if h_a == 0 or h_b == 0:
        return mpf(h_a == h_b)
    return shared / mean
