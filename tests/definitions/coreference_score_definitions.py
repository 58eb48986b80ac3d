"""Scores of coreference by definition, in fractions: from counts of documents to R, P and F1.

A document is a pair (key, response) of lists of entities, which are lists of mentions; the
counts are those of ``coreference_definitions``.
"""

from fractions import Fraction

from coreference_definitions import blanc_counts, numerators

MEASURES = {"muc": "muc", "b_cubed": "bcub", "ceaf_m": "ceafm", "ceaf_e": "ceafe", "lea": "lea"}


def quotient(above, below):
    return Fraction(above) / below if below else Fraction(0)


def f1(recall, precision):
    return quotient(2 * recall * precision, recall + precision)


def with_f1(recall, precision):
    return recall, precision, f1(recall, precision)


def mentions_of(entities):
    return [mention for entity in entities for mention in entity]


def counts(name, document):
    """Recall numerator and denominator, then those of precision, of a document."""
    key, response = document
    if name == "mentions":
        own, other = map(mentions_of, document)
        common = len(set(own) & set(other))
        return common, len(own), common, len(other)
    return *numerators(key, response, MEASURES[name]), *numerators(
        response, key, MEASURES[name]
    )


def moved_counts(name, document):
    """The same after twinless mentions were moved (Cai and Strube 2010, sys)."""
    key, response = document
    own, other = (set(mentions_of(side)) for side in document)
    missed = [[mention] for mention in mentions_of(key) if mention not in other]
    common = [[m for m in entity if m in own] for entity in response]
    for_recall = key, [*filter(None, common), *missed]
    added, kept = [], []
    for entity in response:
        spurious = [m for m in entity if m not in own]
        if len(entity) == 1 and spurious:
            continue  # a singleton that the key does not have
        kept.append(entity)
        added += [[m] for m in spurious]
    for_precision = [*key, *added], [*kept, *missed]
    return *counts(name, for_recall)[:2], *counts(name, for_precision)[2:]


def added_up(rows):
    return [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]


def score(name, documents, *, moved=False):
    """Recall, precision and F1 of counts that are added over documents."""
    count = moved_counts if moved and name in ("b_cubed", "ceaf_m", "ceaf_e") else counts
    above, below, right, all_of_it = added_up([count(name, one) for one in documents])
    return with_f1(quotient(above, below), quotient(right, all_of_it))


def blanc(documents, rule="other kind"):
    """BLANC of links that are added over documents.

    Means over coreference links and others (Recasens and Hovy 2011); of a kind that the key
    lacks, or, for "zero", both sides (Luo et al. 2014), there is no mean.
    """
    links = added_up([blanc_counts(*one) for one in documents])
    kinds = []
    for common, in_key, in_response in (links[:3], links[3:]):
        if in_key or (rule == "zero" and in_response):
            recall, precision = quotient(common, in_key), quotient(common, in_response)
            kinds.append((recall, precision, f1(recall, precision)))
    if not kinds:
        sides = [
            set().union(*(mentions_of(one[at]) for one in numbered(documents))) for at in (0, 1)
        ]
        other = len(sides[0]) == len(sides[1]) == 1 and sides[0] != sides[1]
        perfect = rule == "scorch" and not links[5] and not other
        return (Fraction(int(perfect)),) * 3
    return tuple(sum(part) / len(kinds) for part in zip(*kinds, strict=True))


def numbered(documents):
    """Documents whose mentions say where they stand."""
    return [
        tuple([[(at, m) for m in entity] for entity in side] for side in document)
        for at, document in enumerate(documents)
    ]


def as_one(documents):
    """One document of all of them."""
    return tuple([x for one in numbered(documents) for x in one[at]] for at in (0, 1))


def mean(scores):
    return tuple(sum(part) / len(scores) for part in zip(*scores, strict=True))


def every_score(documents, rule="other kind", *, moved=False):
    """By measure: over all documents; their means; their means by mentions."""
    names = ("mentions", *MEASURES)
    by_document = [
        {name: score(name, [one], moved=moved) for name in names}
        | {"blanc": blanc([one], rule)}
        for one in documents
    ]
    micro = {name: score(name, documents, moved=moved) for name in names}
    micro["blanc"] = blanc(documents, rule)
    sizes = [[len(mentions_of(side)) for side in one] for one in documents]
    weights = [(key, response, key + response) for key, response in sizes]
    macro, weighted = {}, {}
    for name in micro:
        rows = [one[name] for one in by_document]
        macro[name] = mean(rows)
        weighted[name] = tuple(
            quotient(sum(w[at] * row[at] for w, row in zip(weights, rows, strict=True)), total)
            for at, total in enumerate(added_up(weights))
        )
    for scores in (micro, macro, weighted):
        scores["conll"] = mean([scores[name] for name in ("muc", "b_cubed", "ceaf_e")])
    return micro, macro, weighted
