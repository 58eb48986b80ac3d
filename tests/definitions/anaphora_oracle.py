"""Split antecedents, shared words and zeros beside their definitions, drawn by a number."""

import random
from fractions import Fraction
from itertools import combinations, product

import anaphora_definitions as definitions
from coreference_definitions import Text, side_of
from coreference_score_definitions import f1, quotient
from partwise.coreference import score, split_antecedent_scores
from partwise.coreference.documents.zeros import zero_anaphors
from partwise.coreference.mentions.matching import match_mentions
from partwise.coreference.mentions.word_overlap import word_overlap

MEASURES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
#: Units in the last place, and an absolute part, by the beginning of names.
BOUNDS = {"": (8, 0)}


# ---- split antecedents -------------------------------------------------------------------


def split_side(draw, n_words):
    """Entities by name, mentions being words, and what some of them are made of."""
    entities = {}
    for word in range(n_words):
        if draw.random() < 0.9:
            entities.setdefault(f"e{draw.randrange(5)}", []).append(word)
    names, antecedents = sorted(entities), {}
    made = [parts for count in (1, 2, 3) for parts in combinations(names, count)]
    for at, parts in enumerate(draw.sample(made, min(len(made), draw.randint(0, 3)))):
        name, parts = f"p{at}", list(parts)
        if at and draw.random() < 0.3:  # made of one that is made of others
            parts.append("p0")
        entities[name] = list(range(n_words + 3 * at, n_words + 3 * at + draw.randint(1, 3)))
        antecedents[name] = parts
    return entities, antecedents


def lines_of(name, entities, antecedents, n_words):
    of_word = {word: entity for entity, words in entities.items() for word in words}
    rows, written = [f"# newdoc id = {name}"], set()
    for word in range(n_words):
        cell = "_"
        if word in of_word:
            entity = of_word[word]
            inside = [made for made, parts in antecedents.items() if entity in parts]
            first = entity not in written and inside
            element = f"|ElementOf={','.join(inside)}" if first else ""
            written.add(entity)
            cell = f"(EntityID={entity}|MarkableID=m{word}{element})"
        rows.append(f"{word + 1} w {cell}")
    return rows


def split_comparisons(number):
    draw = random.Random(f"split {number}")
    n_words = draw.choice([2, 5, 8, 12])
    texts, drawn = ([], []), []
    for document in range(draw.choice([1, 1, 2])):
        pair = [split_side(draw, n_words) for _ in range(2)]
        if draw.random() < 0.3:  # the same but for one antecedent that is left out
            entities, antecedents = pair[0]
            pair[1] = (
                entities,
                {
                    name: parts[1:] if len(parts) > 1 and draw.random() < 0.5 else parts
                    for name, parts in antecedents.items()
                },
            )
        drawn.append(pair)
        for text, (entities, antecedents) in zip(texts, pair, strict=True):
            text += lines_of(f"d{document}", entities, antecedents, n_words + 9)
    header = ["# global.columns = ID FORM IDENTITY"]
    scores = score(*(header + text for text in texts), convention="ua-2.0")
    found = split_antecedent_scores(scores)
    for measure in MEASURES:
        by_document = [
            definitions.split_counts(
                measure, *(definitions.with_splits(*side) for side in pair)
            )
            for pair in drawn
        ]
        # equally good pairings of split antecedents may have other values: one of them it is
        for which, one in enumerate((found[measure], found.alone[measure])):
            possible = []
            for chosen in product(*by_document):
                a, b, c, d = (
                    sum(column) for column in zip(*(x[which] for x in chosen), strict=True)
                )
                recall, precision = quotient(a, b), quotient(c, d)
                possible.append((recall, precision, f1(recall, precision)))
            own = one.recall, one.precision, one.f1

            def apart(values, own=own):
                return sum(abs(Fraction(x) - y) for x, y in zip(own, values, strict=True))

            nearest = min(possible, key=apart)
            for part, x, y in zip(("recall", "precision", "f1"), own, nearest, strict=True):
                yield f"split antecedents{' alone' * which}: {measure} {part}", x, Fraction(y)


# ---- words and zeros ---------------------------------------------------------------------


def text(draw, name, ids):
    """A text with mentions of distinct places; empty nodes are mentions often."""
    n, mentions, taken = len(ids), [], set()
    for _ in range(draw.randint(0, 9)):
        first = draw.randrange(n)
        last = first if "." in ids[first] else min(n - 1, first + draw.choice([0, 0, 1, 3]))
        if (first, last) not in taken:
            taken.add((first, last))
            mentions.append((f"e{draw.randrange(4)}", list(range(first, last + 1)), first))
    return Text(name, mentions, ids, [0] * n, ["0:root"] * n)


def word_comparisons(number):
    draw = random.Random(f"words {number}")
    pairs = []
    for document in range(draw.choice([1, 2])):
        ids = []
        for word in range(1, draw.choice([2, 5, 11])):
            ids.append(str(word))
            if draw.random() < 0.4:
                ids.append(f"{word}.1")
        pairs.append([text(draw, f"d{document}", ids) for _ in range(2)])
    sides = [side_of([pair[at] for pair in pairs]) for at in (0, 1)]
    words, match = word_overlap(*sides), match_mentions(*sides)
    zeros, places = zero_anaphors(*sides, match), [0, 0]
    for at, pair in enumerate(pairs):
        sets = [[set(tokens) for _, tokens, _ in one.mentions] for one in pair]
        below = [sum(map(len, side)) for side in sets]
        exact = definitions.shared_words(*sets), *below
        found = (int(x[at]) for x in (words.common, words.key, words.response))
        for part, x, y in zip(("common", "key", "response"), found, exact, strict=True):
            yield f"mention overlap {part}", float(x), Fraction(y)
        mentions = [
            [
                (e, tokens[0], tokens[-1], "." in one.ids[head])
                for e, tokens, head in one.mentions
            ]
            for one in pair
        ]
        own = match.partner[places[0] : places[0] + len(mentions[0])]
        partner = [int(x) - places[1] if x >= 0 else -1 for x in own]
        places = [place + len(side) for place, side in zip(places, mentions, strict=True)]
        exact = definitions.zero_counts(*mentions, partner)
        parts = "right", "wrong_link", "missed", "spurious"
        for part, y in zip(parts, exact, strict=True):
            yield f"zero anaphors {part}", float(getattr(zeros, part)[at]), Fraction(y)


def comparisons(number):
    yield from split_comparisons(number)
    yield from word_comparisons(number)
