"""Scores of one cluster by the sizes of its parts, as measures of the catalogue are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence


def entropy_score(parts: Sequence[int]) -> float:
    """Return 1 - H(parts) / ln size: 1 for a cluster that is whole, 0 for single items."""
    size = sum(parts)
    if len(parts) == 1:
        return 1.0
    return math.fsum(x * math.log(x) for x in parts) / (size * math.log(size))


def max_share(parts: Sequence[int]) -> float:
    """Return the share of the largest part."""
    return max(parts) / sum(parts)


def log_k_score(parts: Sequence[int], k: int) -> float:
    """Return 1 - H(parts) / ln k.

    SM, section 4.4, prints log k^2; with that S' is 1 - VI / (2 log k^2) and not K.
    """
    size = sum(parts)
    entropy = math.fsum(x / size * math.log(size / x) for x in parts)
    return 1.0 if k == 1 else 1.0 - entropy / math.log(k)
