"""Transport and CSS distances by definition, on tables and on items that count for any mass.

``cheapest_plan`` solves in whole numbers: costs and weights are scaled to them, numbers of many
digits (square roots) by 10^60, and flow is moved round cycles that save until there is none.
``DEFINITIONS[name](table, **options)`` are those of a ``table_definitions.Table``.
"""

import math
from fractions import Fraction

import mpmath
from mpmath import mpf

#: What the largest of numbers that are no fractions becomes.
DIGITS = 10**60


def real(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


# ---- plans -------------------------------------------------------------------------------


def whole(rows):
    """Lists of numbers times what makes all of them whole, and this factor."""
    if any(isinstance(x, mpf) for row in rows for x in row):
        largest = max(abs(real(x)) for row in rows for x in row) or mpf(1)
        factor = DIGITS / largest
        return [[int(mpmath.nint(real(x) * factor)) for x in row] for row in rows], factor
    factor = math.lcm(*(Fraction(x).denominator for row in rows for x in row))
    return [[int(x * factor) for x in row] for row in rows], factor


def greedy_plan(costs, supply, demand):
    """Any plan will do: as much as there is on the cheapest pair, then on the next."""
    supply, demand = list(supply), list(demand)
    plan = [[0 for _ in demand] for _ in supply]
    pairs = ((c, i, j) for i, line in enumerate(costs) for j, c in enumerate(line))
    for _, i, j in sorted(pairs):
        moved = min(supply[i], demand[j])
        plan[i][j] += moved
        supply[i] -= moved
        demand[j] -= moved
    return plan


def cheaper_cycle(costs, plan):
    """A way to move flow round that saves, by Bellman and Ford; None: the plan is cheapest."""
    k, j = len(plan), len(plan[0])
    edges = [(r, k + c, costs[r][c]) for r in range(k) for c in range(j)]
    edges += [(k + c, r, -costs[r][c]) for r in range(k) for c in range(j) if plan[r][c] > 0]
    distance, before = [0] * (k + j), [None] * (k + j)
    last = None
    for _ in range(k + j):
        last = None
        for x, y, cost in edges:
            if distance[x] + cost < distance[y]:
                distance[y], before[y], last = distance[x] + cost, x, y
        if last is None:
            return None
    for _ in range(k + j):
        last = before[last]
    cycle, x = [], last
    while True:
        cycle.append((before[x], x))
        x = before[x]
        if x == last:
            return cycle


def cheapest_plan(costs, supply, demand):
    """Optimal transport plan: cancel cycles that save until there is none."""
    costs, _ = whole(costs)
    (supply, demand), factor = whole([supply, demand])
    plan = greedy_plan(costs, supply, demand)
    k = len(plan)
    while (cycle := cheaper_cycle(costs, plan)) is not None:
        moved = min(plan[y][x - k] for x, y in cycle if x >= k)
        for x, y in cycle:
            if x < k:
                plan[x][y - k] += moved
            else:
                plan[y][x - k] -= moved
    return [[Fraction(amount, factor) for amount in line] for line in plan]


def cost_of(plan, costs):
    pairs = [
        (x, c) for line in zip(plan, costs, strict=True) for x, c in zip(*line, strict=True)
    ]
    if any(isinstance(c, mpf) for _, c in pairs):  # a Fraction times an mpf is no number
        return sum((real(x) * c for x, c in pairs), mpf(0))
    return sum((x * c for x, c in pairs), Fraction(0))


def css_of_shared(shared, alpha, beta):
    """CC, equations (3) to (5): what clusters share times how far apart their centres are."""
    gains = [
        [-2 * c / real(alpha[i] + beta[j]) for j, c in enumerate(line)]
        for i, line in enumerate(shared)
    ]
    plan = cheapest_plan(gains, alpha, beta)
    all_of_it = sum((real(c) for line in shared for c in line), mpf(0))
    value = all_of_it + sum(
        real(plan[i][j]) * real(g) for i, line in enumerate(gains) for j, g in enumerate(line)
    )
    return value if value > all_of_it / mpf(10) ** 40 else Fraction(0)


# ---- of tables ---------------------------------------------------------------------------


def weights_of(sums, kind):
    if kind == "uniform":
        return [Fraction(1, len(sums)) for _ in sums]
    return [Fraction(x) / sum(sums.values()) for x in sums.values()]


def mallows_distance(t, cluster_weights="uniform", normalize=False):
    """CC, equation (1): 0/1 columns of two clusters differ where one alone has an item."""
    if not t.items:
        return Fraction(0)
    costs = [
        [x + y - 2 * t.cells.get((i, j), 0) for j, y in t.cols.items()]
        for i, x in t.rows.items()
    ]
    weights = [weights_of(side, cluster_weights) for side in (t.rows, t.cols)]
    value = cost_of(cheapest_plan(costs, *weights), costs)
    return value / t.n if normalize else value


DEFINITIONS = {"mallows_distance": mallows_distance}
