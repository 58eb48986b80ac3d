"""Proofs of optimality, checked in exact integers."""

#: What the matching kernel is told: whether gains are tied, and its budget of scanned cells; or
#: what budgets are made of, so that a table that falls apart is taken apart, and threads.
WAYS = [(tied, budget) for tied in (False, True) for budget in (0, 40, 1 << 40)]
WAYS += [(False, (0, 0, 0)), (True, (0, 1, 1), 3), (False, (40, 2, 2), 2)]


def certified_total(indptr, cols, gains, n_cols, result):
    """The total, proved to be the largest by the duals, in exact integers."""
    matched, *duals = (x.tolist() for x in result)
    u, v = duals
    ends, values = cols.tolist(), gains.tolist()
    assert min(u, default=0) >= 0
    assert min(v, default=0) >= 0
    total = 0
    free = set(range(n_cols))
    for row, cell in enumerate(matched):
        cells = range(indptr[row], indptr[row + 1])
        assert all(u[row] + v[ends[c]] >= values[c] for c in cells)
        if cell < 0:
            assert u[row] == 0
            continue
        assert cell in cells
        assert u[row] + v[ends[cell]] == values[cell]
        free.remove(ends[cell])
        total += values[cell]
    assert all(v[col] == 0 for col in free)
    assert total == sum(u) + sum(v)
    return total
