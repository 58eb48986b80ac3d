"""Scores of coreference beside their definitions, on documents drawn by a number."""

import random
from fractions import Fraction
from functools import lru_cache

import coreference_score_definitions as definitions
import partwise as pw
from coreference_definitions import sides

#: Units in the last place, and an absolute part, by the beginning of names.
BOUNDS = {"": (4, 0)}
CONVENTIONS = {
    "perl-8.01": "other kind",
    "luo-2014": "zero",
    "ua-2.0": "zero",
    "scorch": "scorch",
    "cai-strube": "other kind",
}
ENDS = (
    *("recall_numerator", "recall_denominator"),
    *("precision_numerator", "precision_denominator"),
)


def entities(draw, mentions, kind):
    """Group some of the mentions: into any entities, few, single ones, one, or chains."""
    share = draw.choice([1.0, 0.9, 0.5])
    found = [m for m in mentions if draw.random() < share]
    if kind == "single":
        return [[m] for m in found]
    if kind == "chains":  # neighbours, cut at random places
        groups = []
        for m in found:
            if groups and draw.random() < 0.7:
                groups[-1].append(m)
            else:
                groups.append([m])
        return groups
    most = {"one": 1, "few": 3, "any": max(len(mentions), 1)}[kind]
    groups = {}
    for m in found:
        groups.setdefault(draw.randrange(most), []).append(m)
    return list(groups.values())


def documents(number):
    """Return pairs of key and response; some responses are the key with mentions moved."""
    draw = random.Random(f"documents {number}")
    kinds = ("any", "few", "single", "one", "chains")
    pairs = []
    for _ in range((1, 1, 2, 4)[number % 4]):
        names = [f"m{i}" for i in range(draw.choice([0, 1, 2, 3, 4, 8, 14, 25]))]
        key = entities(draw, names, draw.choice(kinds))
        if draw.random() < 0.4:
            response = [list(entity) for entity in key]
            for _ in range(draw.randint(0, 4)):
                if len(response) > 1:
                    own, other = draw.sample(range(len(response)), 2)
                    response[other].append(response[own].pop())
                    response = [entity for entity in response if entity]
        else:
            response = entities(draw, names, draw.choice(kinds))
        pairs.append((key, response))
    return pairs


def of_score(name, found, wanted):
    for part, exact in zip(("recall", "precision", "f1"), wanted, strict=True):
        yield f"{name} {part}", getattr(found, part), exact


@lru_cache(maxsize=len(CONVENTIONS))
def defined(number, rule, moved):
    return definitions.every_score(documents(number), rule, moved=moved)


def comparisons(number):
    pairs = documents(number)
    for convention, rule in CONVENTIONS.items():
        moved = convention == "cai-strube"
        scores = pw.coreference.score(*sides(pairs), convention=convention, exact=not moved)
        wanted = defined(number, rule, moved)
        found = ({name: scores[name] for name in wanted[0]}, scores.macro, scores.weighted)
        for how, own, exact in zip(("", " macro", " weighted"), found, wanted, strict=True):
            for name, parts in exact.items():
                if name == "blanc" or moved or convention == "perl-8.01":  # else the same
                    yield from of_score(f"{convention}: {name}{how}", own[name], parts)
        if not moved:
            whole = definitions.blanc([definitions.as_one(pairs)], rule)
            yield from of_score(f"{convention}: blanc of one set", scores.whole_blanc, whole)
        if convention == "perl-8.01":
            for name in ("mentions", *definitions.MEASURES):
                counts = definitions.added_up([definitions.counts(name, one) for one in pairs])
                same = [Fraction(getattr(scores[name], end)) for end in ENDS] == counts
                yield f"{name} counts as fractions", float(same), Fraction(1)
