"""Coreference scores by slow definitions, and a small reader of CorefUD files: for tests."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from partwise.coreference.documents.documents import Side, Spans, Tokens


@dataclass
class Text:
    """A document by hand: words, and mentions as (entity, tokens, head)."""

    name: str = "d"
    mentions: list = field(default_factory=list)
    ids: list = field(default_factory=list)
    sentence: list = field(default_factory=list)
    dependencies: list = field(default_factory=list)


def read_corefud(path):
    """Return the documents of a CorefUD file (eid, etype, head are the first fields)."""
    texts, sentence, open_ = [], -1, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc"):
            texts.append(Text(line.partition("=")[2].strip()))
            sentence, open_ = -1, {}
        columns = line.split("\t")
        if len(columns) < 10 or "-" in columns[0]:
            continue
        text = texts[-1]
        sentence += columns[0] == "1"
        place = len(text.ids)
        text.ids.append(columns[0])
        text.sentence.append(sentence)
        text.dependencies.append(columns[8])
        entity = re.search(r"Entity=([^|]*)", columns[9])
        for begin, body, end in re.findall(r"(\(?)([^()]+)(\)?)", entity[1] if entity else ""):
            eid, _, rest = body.partition("-")
            eid, part, n_parts = *eid.partition("[")[::2], 1
            which, n_parts = (int(x) for x in part[:-1].split("/")) if part else (1, 1)
            if begin and which == 1:
                head = int(rest.split("-")[1]) if rest.count("-") else 1
                open_.setdefault(eid, []).append([eid, [], head, place])
            elif begin:
                open_[eid][-1][3] = place
            if end:
                mention = open_[eid][-1]
                mention[1] += range(mention[3], place + 1)
                if which == n_parts:
                    open_[eid].pop()
                    tokens = mention[1]
                    text.mentions.append((eid, tokens, tokens[mention[2] - 1]))
    return texts


def side_of(texts, *, discontinuous=None, minimum=None):
    """Return the documents as a side. ``discontinuous``: whether tokens are listed."""
    mentions = [(d, *mention) for d, text in enumerate(texts) for mention in text.mentions]
    entities = sorted({(d, eid) for d, eid, *_ in mentions}, key=lambda e: (e[0], str(e[1])))
    numbers = {entity: i for i, entity in enumerate(entities)}
    lists = [list(tokens) for _, _, tokens, _ in mentions]
    if discontinuous is None:
        discontinuous = any(x[-1] - x[0] + 1 != len(x) for x in lists)
    whole = [x for tokens in lists for x in tokens]

    def column(values):
        return np.array(list(values), dtype=np.int64)

    spans = Spans(
        column(x[0] for x in lists),
        column(x[-1] for x in lists),
        column(head for *_, head in mentions),
        None if minimum is None else np.array(minimum, dtype=np.int64).reshape(-1, 2),
        column(np.cumsum([0, *map(len, lists)])) if discontinuous else None,
        column(whole) if discontinuous else None,
    )
    tokens = [
        Tokens(
            ["w"] * len(text.ids),
            column(text.sentence),
            np.array(["." in x for x in text.ids], dtype=np.bool_),
            text.ids,
            text.dependencies,
        )
        if text.ids
        else None
        for text in texts
    ]
    return Side(
        [text.name for text in texts],
        column(d for d, *_ in mentions),
        column(numbers[d, eid] for d, eid, *_ in mentions),
        column(d for d, _ in entities),
        [eid for _, eid in entities],
        spans,
        tokens,
    )


# ---- measures, from which mention is which -----------------------------------------


def entities_of(key, response, partner):
    """Return, by document, the entities of both sides as lists of mentions with joint names."""
    names = [[("response", i) for i in range(len(response))]]
    names.insert(0, [("key", i) for i in range(len(key))])
    for row, other in enumerate(partner.tolist()):
        if other >= 0:
            names[0][row] = names[1][other] = ("both", row)
    documents = []
    for d in range(len(key.names)):
        pair = []
        for side, own in ((key, names[0]), (response, names[1])):
            found = {}
            for row in np.flatnonzero(side.document == d).tolist():
                found.setdefault(int(side.entity[row]), []).append(own[row])
            pair.append(list(found.values()))
        documents.append(pair)
    return documents


def _best(gains, n, m):
    from scipy.optimize import linear_sum_assignment

    if not n or not m:
        return Fraction(0)
    matrix = np.array([[float(gains[i][j]) for j in range(m)] for i in range(n)])
    return sum(
        (gains[i][j] for i, j in zip(*linear_sum_assignment(-matrix), strict=True)), Fraction(0)
    )


def _links(entities):
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def numerators(own, other, measure):
    """Return numerator and denominator of one side's share: recall for ``own`` the key."""
    home = {mention: j for j, entity in enumerate(other) for mention in entity}
    n = sum(map(len, own))
    if measure == "muc":
        above = 0
        for entity in own:
            twinless = sum(m not in home for m in entity)
            parts = twinless + len({home[m] for m in entity if m in home})
            above += len(entity) - parts
        return Fraction(above), Fraction(sum(len(entity) - 1 for entity in own))
    others = list(map(set, other))
    common = [[len(mentions & b) for b in others] for mentions in map(set, own)]
    if measure == "bcub":
        above = (
            Fraction(x * x, len(a))
            for a, row in zip(own, common, strict=True)
            for x in row
            if x
        )
        return sum(above, Fraction(0)), Fraction(n)
    if measure == "ceafm":
        return _best(common, len(own), len(other)), Fraction(n)
    if measure == "ceafe":
        gains = [
            [x and Fraction(2 * x, len(a) + len(b)) for x, b in zip(row, other, strict=True)]
            for a, row in zip(own, common, strict=True)
        ]
        return _best(gains, len(own), len(other)), Fraction(len(own))
    assert measure == "lea"
    above = Fraction(0)
    for entity in own:
        if len(entity) == 1:
            found = entity[0] in home and len(other[home[entity[0]]]) == 1
            above += found
            continue
        links = [(a, b) for a, b in combinations(entity, 2) if a in home and b in home]
        shared = sum(home[a] == home[b] for a, b in links)
        above += len(entity) * Fraction(shared, len(entity) * (len(entity) - 1) // 2)
    return above, Fraction(n)


def blanc_counts(key, response):
    """Return common, key and response links, then the same of links that are none."""
    links = [_links(key), _links(response)]
    pairs = []
    for entities in (key, response):
        mentions = [m for entity in entities for m in entity]
        pairs.append({frozenset(pair) for pair in combinations(mentions, 2)})
    apart = [every - linked for every, linked in zip(pairs, links, strict=True)]
    return (
        len(links[0] & links[1]),
        len(links[0]),
        len(links[1]),
        len(apart[0] & apart[1]),
        len(apart[0]),
        len(apart[1]),
    )


def entities_by_label(labels):
    """Group positions by label, those of label 0 being in no entity."""
    found = {}
    for mention, label in enumerate(labels):
        if label:
            found.setdefault(label, []).append(mention)
    return list(found.values())


def sides(documents):
    """Return key and response of pairs (key's entities, response's), documents d0, d1, ..."""
    return tuple({f"d{i}": pair[side] for i, pair in enumerate(documents)} for side in (0, 1))
