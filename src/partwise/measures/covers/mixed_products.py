"""The sign of sums of x ln x over few integers, decided exactly.

With f(x) = x ln x and f(0) = 0, ``sign_of_gap`` compares f(n) (a + d - b - c) / n + f(b) + f(c)
with f(a) + f(d): the side of the constraint of overlapping information on which four counts
stand. Equality of the products n^(a+d) b^b c^c and n^(b+c) a^a d^d is a question of their prime
factors; where they differ, logarithms with enough digits tell which is larger.
"""

from __future__ import annotations

from collections import Counter
from decimal import Context, Decimal, localcontext
from functools import lru_cache

_DIGITS = 50


def _factors(x: int) -> Counter[int]:
    """Return the prime factors of an integer with their multiplicities."""
    factors: Counter[int] = Counter()
    prime = 2
    while prime * prime <= x:
        while x % prime == 0:
            factors[prime] += 1
            x //= prime
        prime += 1 if prime == 2 else 2
    if x > 1:
        factors[x] += 1
    return factors


@lru_cache(maxsize=1 << 16)
def sign_of_gap(a: int, b: int, c: int, d: int) -> int:
    """Return the sign of h(a/n) + h(d/n) - h(b/n) - h(c/n), with n the sum of all four.

    h(x) = -x ln x. 0 only where both sides are equal.
    """
    n = a + b + c + d
    powers = Counter({n: a + d - b - c})
    for base, exponent in ((a, -a), (d, -d), (b, b), (c, c)):
        if base > 1:
            powers[base] += exponent
    exponents: Counter[int] = Counter()
    for base, exponent in powers.items():
        if exponent:
            for prime, times in _factors(base).items():
                exponents[prime] += exponent * times
    left = {prime: times for prime, times in exponents.items() if times}
    if not left:
        return 0
    digits = _DIGITS
    while True:
        with localcontext(Context(prec=digits)):
            terms = [times * Decimal(prime).ln() for prime, times in left.items()]
            total, scale = sum(terms, Decimal(0)), sum(map(abs, terms), Decimal(0))
            if abs(total) > scale.scaleb(8 - digits):
                return 1 if total > 0 else -1
        digits *= 2  # the logarithms of primes have no relation, so this ends
