"""All partitions of a few items, and the components of every pair of them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

Labels = tuple[int, ...]

#: More items take minutes (877^2 pairs) and memory; the field's claims break at five.
LARGEST = 6


class Part(NamedTuple):
    """Two clusterings restricted to one component of their join."""

    reference: Labels
    candidate: Labels


def check_size(n: int) -> int:
    """Return n if all partitions of n items can be gone through."""
    if not 1 <= n <= LARGEST:
        raise ValueError(
            f"n={n}: all pairs of partitions are searched, which takes n from 1 to {LARGEST}"
        )
    return n


@lru_cache(maxsize=LARGEST + 1)
def partitions(n: int) -> tuple[Labels, ...]:
    """Return all partitions of n items, each numbered by first appearance.

    Examples
    --------
    >>> partitions(3)
    ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    """
    extended: list[Labels] = [()]
    for _ in range(n):
        extended = [(*p, x) for p in extended for x in range(max(p, default=-1) + 2)]
    return tuple(extended)


def renumbered(labels: Labels) -> Labels:
    """Return the same partition, numbered by first appearance."""
    seen: dict[int, int] = {}
    return tuple(seen.setdefault(x, len(seen)) for x in labels)


@lru_cache(maxsize=50_000)
def join_labels(reference: Labels, candidate: Labels) -> Labels:
    """Return the join: each item with the smallest item of its component.

    Examples
    --------
    >>> join_labels((0, 1, 1, 2), (0, 0, 1, 2))
    (0, 0, 0, 3)
    """
    component = list(range(len(reference)))
    for side in (reference, candidate):
        for label in set(side):
            inside = {component[i] for i, x in enumerate(side) if x == label}
            least = min(inside)
            component = [least if x in inside else x for x in component]
    return tuple(component)


@lru_cache(maxsize=50_000)
def join_parts(reference: Labels, candidate: Labels) -> tuple[Part, ...]:
    """Return both clusterings on every component of their join, by their smallest item.

    Examples
    --------
    >>> join_parts((0, 0, 1), (0, 1, 2))
    (Part(reference=(0, 0), candidate=(0, 1)), Part(reference=(0,), candidate=(0,)))
    """
    component = join_labels(reference, candidate)
    return tuple(
        Part(
            *(
                renumbered(tuple(x for x, at in zip(side, component, strict=True) if at == c))
                for side in (reference, candidate)
            )
        )
        for c in sorted(set(component))
    )
