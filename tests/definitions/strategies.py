"""Random inputs that several test files draw."""

import numpy as np
from hypothesis import strategies as st


def partitions(n):
    """All partitions of n items as restricted growth strings."""
    found = [[]]
    for _ in range(n):
        found = [[*p, x] for p in found for x in range(max(p, default=-1) + 2)]
    return found


@st.composite
def clusterings(draw, max_size=60, sides=2):
    """Label arrays of one length: few or many clusters, shared structure or none."""
    n = draw(st.integers(0, max_size))
    k = draw(st.sampled_from([1, 2, 3, 8, 60]))
    labels = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    found = [draw(labels)]
    for _ in range(sides - 1):
        kind = draw(st.sampled_from(["free", "same", "coarser", "noisy"]))
        other = draw(labels)
        base = found[0]
        found.append(
            {
                "free": other,
                "same": [k - x for x in base],
                "coarser": [x // 2 for x in base],
                "noisy": [
                    y if i % 5 == 0 else x
                    for i, (x, y) in enumerate(zip(base, other, strict=True))
                ],
            }[kind]
        )
    return [np.array(x, dtype=np.int64) for x in found]


def labelings(max_size=12, max_labels=5):
    """Two label lists of one length, often nested, equal or independent."""
    pair = st.tuples(st.integers(0, max_labels - 1), st.integers(0, max_labels - 1))
    free = st.lists(pair, max_size=max_size).map(
        lambda ps: ([p for p, _ in ps], [q for _, q in ps])
    )
    nested = st.lists(st.integers(0, 3), max_size=max_size).map(
        lambda x: (x, [v // 2 for v in x])
    )
    equal = st.lists(st.integers(0, 3), max_size=max_size).map(
        lambda x: (x, [3 - v for v in x])
    )
    grid = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2)).map(
        lambda s: (
            [i for i in range(s[0]) for _ in range(s[1] * s[2])],
            [j for _ in range(s[0]) for j in range(s[1]) for _ in range(s[2])],
        )
    )
    return st.one_of(free, nested, equal, grid)


@st.composite
def edge_lists(draw):
    n = draw(st.integers(2, 12))
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    score = st.integers(0, 5).map(lambda x: x / 4)
    edges = draw(st.lists(st.tuples(item, item, score), max_size=20))
    return labels, edges, draw(st.sampled_from(["distance", "similarity"]))


@st.composite
def forests(draw, most=14):
    """Return labels (some -1), left, right, and a state for each merge."""
    n = draw(st.integers(1, most))
    labels = draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n))
    known = sorted({x for x in labels if x >= 0})
    labels = [known.index(x) if x >= 0 else -1 for x in labels]
    roots, left, right = list(range(n)), [], []
    for k in range(draw(st.integers(0, n - 1))):
        a, b = (roots.pop(draw(st.integers(0, len(roots) - 1))) for _ in range(2))
        left.append(a)
        right.append(b)
        roots.append(n + k)
    steps = draw(st.lists(st.integers(0, 2), min_size=len(left), max_size=len(left)))
    wanted = np.cumsum(steps, dtype=np.int64)
    return np.array(labels), np.array(left, dtype=np.int64), np.array(right, np.int64), wanted


@st.composite
def covers(draw, max_items=9, sides=2):
    """Covers of one set of items: few or many clusters, equal ones, whole and half ones."""
    n = draw(st.integers(0, max_items))
    cluster = st.lists(st.booleans(), min_size=n, max_size=n).map(
        lambda inside: [i for i in range(n) if inside[i]]
    )
    drawn = [draw(st.lists(cluster, max_size=6)) for _ in range(sides)]
    if draw(st.booleans()):
        drawn[-1] = drawn[-1] + draw(st.permutations(drawn[0]))[:2]
    return [n, *drawn]


@st.composite
def hierarchies(draw, least=2, most=8, sides=2, inversions=True, roots=True):
    """Trees of the same items as parents and heights: ties, inversions, parts of any number."""
    n = draw(st.integers(least, most))
    trees = []
    for _ in range(sides):
        tops, parents, heights = list(range(n)), [-1] * n, []
        while len(tops) > 1 and not (roots and draw(st.integers(0, 7)) == 0):
            taken = draw(st.integers(2, min(len(tops), 3)))
            own = [tops.pop(draw(st.integers(0, len(tops) - 1))) for _ in range(taken)]
            below = max([0.0, *(heights[k - n] for k in own if k >= n)])
            height = draw(st.integers(0, 4)) / 2
            heights.append(height if inversions else below + height)
            for k in own:
                parents[k] = len(parents)
            parents.append(-1)
            tops.append(len(parents) - 1)
        trees.append((parents, heights))
    return n, *trees
