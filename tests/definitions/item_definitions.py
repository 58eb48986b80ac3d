"""Measures of items with features, by definition, on items that count for any mass.

``DEFINITIONS[name](items, features=rows, **options)`` gives a Fraction or an mpf. With every
item once and a mass of 1 they are those of ``definitions``; the tests compare the two.
"""

from fractions import Fraction

import mpmath

import definitions
from definitions import (
    centroid_ratio_of,
    clusters,
    nearest_places,
    squared,
)
from transport_definitions import css_of_shared, real, weights_of


class Items:
    """Labels of both sides, how often each item comes, and what it counts for each time."""

    def __init__(self, a, b, multiplicity=None, weights=None):
        times = [1] * len(a) if multiplicity is None else multiplicity
        self.kept = [i for i, count in enumerate(times) if count]
        self.a, self.b = ([side[i] for i in self.kept] for side in (a, b))
        self.times = [times[i] for i in self.kept]
        each = [Fraction(1) if weights is None else Fraction(weights[i]) for i in self.kept]
        self.masses = [count * x for count, x in zip(self.times, each, strict=True)]

    def rows(self, features):
        return [[Fraction(float(x)) for x in features[i]] for i in self.kept]

    def centres(self, features):
        """Centroids of both sides, clusters in ascending order of their labels."""
        rows = self.rows(features)
        return [definitions.mean_rows(side, rows, self.masses) for side in (self.a, self.b)]

    def sums(self):
        """Masses of rows and columns in ascending order, and of the pairs of labels."""
        whole = {}, {}, {}
        for x, y, mass in zip(self.a, self.b, self.masses, strict=True):
            for sums, name in zip(whole, (x, y, (x, y)), strict=True):
                sums[name] = sums.get(name, Fraction(0)) + mass
        return dict(sorted(whole[0].items())), dict(sorted(whole[1].items())), whole[2]


# ---- centroids ---------------------------------------------------------------------------


def centroid_index_one_way(items, features):
    left, right = items.centres(features)
    return Fraction(len(right) - len(set(nearest_places(left, right))))


def centroid_index(items, features):
    left, right = items.centres(features)
    forth, back = nearest_places(left, right), nearest_places(right, left)
    return Fraction(max(len(right) - len(set(forth)), len(left) - len(set(back))))


def centroid_similarity_index(items, features):
    if not items.kept:
        return Fraction(1)
    left, right = items.centres(features)
    rows, cols, cells = items.sums()
    names = list(rows), list(cols)
    forth, back = nearest_places(left, right), nearest_places(right, left)
    common = sum(
        cells.get((names[0][i], names[1][j]), Fraction(0)) for i, j in enumerate(forth)
    )
    common += sum(
        cells.get((names[0][i], names[1][j]), Fraction(0)) for j, i in enumerate(back)
    )
    return common / (2 * sum(items.masses))


def centroid_ratio(items, features):
    return centroid_ratio_of(*items.centres(features))


def css_distance(items, features, cluster_weights="uniform", metric="euclidean"):
    if not items.kept:
        return Fraction(0)
    left, right = items.centres(features)
    rows, cols, cells = items.sums()
    shared = []
    for i, x in enumerate(rows):
        shared.append([])
        for j, y in enumerate(cols):
            far = real(squared(left[i], right[j]))
            length = mpmath.sqrt(far) if metric == "euclidean" else far
            shared[-1].append(real(cells.get((x, y), Fraction(0))) * length)
    weights = (weights_of(side, cluster_weights) for side in (rows, cols))
    return css_of_shared(shared, *weights)


# ---- squared errors ----------------------------------------------------------------------


def squared_error(members, rows, masses):
    """About the mean; of what weighs nothing about the plain mean, for 0."""
    if not any(masses[i] for i in members):
        return Fraction(0)
    whole = sum(masses[i] for i in members)
    centre = [
        sum(masses[i] * rows[i][c] for i in members) / whole
        for c in range(len(rows[members[0]]))
    ]
    return sum(masses[i] * squared(rows[i], centre) for i in members)


def kept_spread(members, other, items, rows):
    parts = clusters([other[i] for i in members])
    if len(parts) == 1:
        return Fraction(1)
    whole = squared_error(members, rows, items.masses)
    if whole == 0:
        count = sum(items.times[i] for i in members)
        return Fraction(count - len(parts), count - 1)
    inside = ([members[i] for i in part] for part in parts)
    return sum(squared_error(part, rows, items.masses) for part in inside) / whole


def s_mse(items, features, combine="product"):
    if not items.kept:
        return Fraction(1)
    rows, of_item = items.rows(features), []
    for own, other in ((items.a, items.b), (items.b, items.a)):
        scores = {
            own[members[0]]: kept_spread(members, other, items, rows)
            for members in map(sorted, clusters(own))
        }
        of_item.append([scores[label] for label in own])
    combined = definitions.COMBINE[combine]
    terms = (m * combined(x, y) for m, x, y in zip(items.masses, *of_item, strict=True))
    return sum(terms) / sum(items.masses)


#: Those that have no value where a cluster weighs nothing.
OF_CENTROIDS = {
    *("centroid_index_one_way", "centroid_index", "centroid_similarity_index"),
    *("centroid_ratio", "css_distance"),
}
DEFINITIONS = {name: globals()[name] for name in (*sorted(OF_CENTROIDS), "s_mse")}
