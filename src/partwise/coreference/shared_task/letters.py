"""Classes of submissions that do not differ for sure, as letters beside their names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, count, product
from string import ascii_lowercase


def shared_letters(
    names: Sequence[str], different: Collection[tuple[str, str]]
) -> dict[str, str]:
    """Return the letters of each name: two share one if, and only if, they do not differ.

    Parameters
    ----------
    names : sequence of str
        In the order of their ranks.
    different : collection of (str, str)
        Pairs that differ for sure, in either order.

    Notes
    -----
    A letter stands for names of which no two differ (a compact letter display, Piepho 2004).
    Each pair that has no letter yet opens one, and all names that differ from none of its
    names join in the order of the ranks; letters that add nothing go. The names of a letter
    need not be neighbours: a difference of two ranks may be sure where a larger one is not.
    O(names^4), less where few letters are needed.
    """
    apart = {frozenset(pair) for pair in different}
    groups: list[list[str]] = []
    covered: set[frozenset[str]] = set()
    for pair in [*combinations(names, 2), *((name, name) for name in names)]:
        links = frozenset(pair)
        alone = len(links) == 1 and any(links <= set(group) for group in groups)
        if links in apart or links in covered or alone:
            continue
        group = list(dict.fromkeys(pair))
        for name in names:
            if name not in group and not any(frozenset((name, x)) in apart for x in group):
                group.append(name)
        covered |= {frozenset(x) for x in combinations(group, 2)}
        groups.append(sorted(group, key=list(names).index))
    kept = _without_idle(groups)
    kept.sort(key=lambda group: [list(names).index(name) for name in group])
    letters = dict.fromkeys(names, "")
    for letter, group in zip(_letters(), kept, strict=False):
        for name in group:
            letters[name] += letter
    return letters


def _without_idle(groups: list[list[str]]) -> list[list[str]]:
    """Return the groups without those whose names and pairs all stand in others."""
    kept = list(groups)
    for group in reversed(groups):
        others = [x for x in kept if x is not group]
        pairs = list(combinations(group, 2)) or [(group[0], group[0])]
        if all(any({*pair} <= {*other} for other in others) for pair in pairs):
            kept = others
    return kept


def _letters() -> Iterator[str]:
    """Yield a, b, ..., z, then (aa), (ab) and so on."""
    for size in count(1):
        for letters in product(ascii_lowercase, repeat=size):
            yield "".join(letters) if size == 1 else f"({''.join(letters)})"
