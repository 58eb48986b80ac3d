"""Split antecedents, shared words and zeros by definition: in fractions, over all pairings."""

from fractions import Fraction
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from coreference_score_definitions import f1, quotient

# ---- entities that are made of others ----------------------------------------------------


def atoms(name, antecedents):
    """Entities that one is made of, which are made of no others."""
    if name not in antecedents:
        return frozenset([name])
    return frozenset().union(*(atoms(one, antecedents) for one in antecedents[name]))


def with_splits(entities, antecedents):
    """Pairs (mentions, what it is made of or None); equal split antecedents are one entity."""
    plain = [(set(entities[name]), None) for name in entities if name not in antecedents]
    made = {}
    for name in antecedents:
        made.setdefault(atoms(name, antecedents), set()).update(entities[name])
    return plain + [
        (mentions, [set(entities[one]) for one in parts]) for parts, mentions in made.items()
    ]


def size(entity):
    return len(entity[0]) + (entity[1] is not None)


def half(measure, own, other, shares, *, of_splits=False):
    """Numerator and denominator of one side; shares: of a mention, by a pair of splits."""
    above = below = Fraction(0)
    for i, entity in enumerate(own):
        common = {}
        for j, another in enumerate(other):
            count, share = len(entity[0] & another[0]), shares.get((i, j), Fraction(0))
            if count or share:
                common[j] = count, share
        n = size(entity)
        alone = [x + y for j, (x, y) in common.items() if size(other[j]) == 1]
        if measure == "b_cubed":
            above += sum((x + y) ** 2 for x, y in common.values()) / Fraction(n)
            below += n
        elif measure == "muc" and of_splits and n == 1:
            above += bool(alone)
            below += 1
        elif measure == "muc":
            above += sum(x - 1 + y for x, y in common.values() if x)
            below += n - 1
        elif n == 1:  # LEA
            above += max(alone, default=0)
            below += 1
        else:
            links = sum(Fraction(x * (x - 1), 2) + x * y for x, y in common.values())
            above += 2 * links / (n - 1)
            below += n
    return above, below


def counts(measure, key, response, shares, *, of_splits=False):
    """Recall's numerator and denominator, then precision's; shares by recall, precision, F1."""
    if measure in ("muc", "b_cubed", "lea"):
        turned = {pair[::-1]: share for pair, share in shares[1].items()}
        options = {"of_splits": of_splits}
        recall = half(measure, key, response, shares[0], **options)
        return *recall, *half(measure, response, key, turned, **options)
    gains = [
        [
            (len(a[0] & b[0]) + shares[2].get((i, j), Fraction(0)))
            * (Fraction(2, size(a) + size(b)) if measure == "ceaf_e" else 1)
            for j, b in enumerate(response)
        ]
        for i, a in enumerate(key)
    ]
    best = Fraction(0)
    if key and response:
        rows, cols = linear_sum_assignment(-np.array(gains, dtype=np.float64))
        best = sum((gains[i][j] for i, j in zip(rows, cols, strict=True)), Fraction(0))
    if measure == "ceaf_e":
        return best, len(key), best, len(response)
    return best, sum(map(size, key)), best, sum(map(size, response))


def split_counts(measure, key, response):
    """For each best pairing of split antecedents: the counts with them, and of them alone."""
    splits = [
        [i for i, entity in enumerate(side) if entity[1] is not None]
        for side in (key, response)
    ]
    parts = [
        [[(atom, None) for atom in side[i][1]] for i in own]
        for side, own in zip((key, response), splits, strict=True)
    ]
    nothing = ({}, {}, {})
    scores, of_pair = {}, {}
    for i, of_key in enumerate(parts[0]):
        for j, of_response in enumerate(parts[1]):
            of_pair[i, j] = counts(measure, of_key, of_response, nothing, of_splits=True)
            a, b, c, d = of_pair[i, j]
            recall, precision = quotient(a, b), quotient(c, d)
            scores[i, j] = recall, precision, f1(recall, precision)
    few, many = sorted((range(len(parts[0])), range(len(parts[1]))), key=len)
    turned = len(parts[0]) > len(parts[1])
    pairings = [
        [(j, i) if turned else (i, j) for i, j in zip(few, chosen, strict=True)]
        for chosen in permutations(many, len(few))
    ]
    best = max(sum(scores[pair][2] for pair in pairing) for pairing in pairings)
    found = []
    for pairing in pairings:
        if sum(scores[pair][2] for pair in pairing) < best:
            continue
        shares = [
            {(splits[0][i], splits[1][j]): scores[i, j][at] for i, j in pairing}
            for at in range(3)
        ]
        below = [
            sum(counts(measure, part, [], nothing, of_splits=True)[1] for part in parts[0]),
            sum(counts(measure, [], part, nothing, of_splits=True)[3] for part in parts[1]),
        ]
        above = [sum((of_pair[pair][at] for pair in pairing), Fraction(0)) for at in (0, 2)]
        alone = above[0], below[0], above[1], below[1]
        found.append((counts(measure, key, response, shares), alone))
    return found


# ---- words and zeros ---------------------------------------------------------------------


def shared_words(key, response):
    """The most words that mentions, sets of tokens, have in common when paired one to one."""
    if not key or not response:
        return 0
    common = np.array([[len(a & b) for b in response] for a in key])
    return int(common[linear_sum_assignment(-common)].sum())


def zero_counts(key, response, partner):
    """Right, wrong, missed and spurious zeros; mentions are (entity, first, last, is zero).

    partner: of each mention of the key, -1 where there is none.
    """

    def earlier(side, i):
        return [
            j
            for j, other in enumerate(side)
            if other[0] == side[i][0] and other[1:3] < side[i][1:3]
        ]

    right = wrong = missed = 0
    covered = set()
    for i, mention in enumerate(key):
        if not mention[3] or not earlier(key, i):
            continue
        own = partner[i]
        covered.add(own)
        if own < 0 or not earlier(response, own):
            missed += 1
        elif any(
            partner[j] >= 0 and response[partner[j]][0] == response[own][0]
            for j in earlier(key, i)
        ):
            right += 1
        else:
            wrong += 1
    spurious = sum(
        mention[3] and bool(earlier(response, i)) and i not in covered
        for i, mention in enumerate(response)
    )
    return right, wrong, missed, spurious
