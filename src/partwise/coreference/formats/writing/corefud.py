"""Documents as CoNLL-U with the Entity attribute of CorefUD."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.corefud import read_lines
from partwise.coreference.formats.corefud.mentions import OF_ENTITY
from partwise.coreference.formats.corefud.relations import BRIDGE, SPLIT
from partwise.coreference.formats.files import Notes
from partwise.coreference.formats.writing.plain import words_or_blanks
from partwise.coreference.formats.writing.tokens import (
    NOTHING,
    Losses,
    columns_of,
    lines_before,
    members_of,
    relations_of,
)
from partwise.coreference.syntax.token_numbers import numbers_of

_ENTITY = re.compile(r"[^()|\[\]\s-]+\Z")
#: What a name that stands in Bridge or SplitAnte cannot hold.
_OF_LINKS = re.compile(r"[,<:]")
_RELATION = re.compile(r"[^<,|\s]*\Z")
_MISSING = ("nan", "none", "null")
_LINE_BREAKS = re.compile(r"[\t\n\r\f\v]+")
_FIELD = re.compile(r"[^\s()|-]+\Z")
_IN_VALUES = re.compile(r"[()|\s]+")
_OF_MENTIONS = re.compile(rf"(Entity|{BRIDGE}|{SPLIT})=.")
_COLUMNS = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS")


def corefud_lines(document: Document, spans: Spans, lost: Losses) -> Iterator[str]:
    """Yield the lines of a document; count what they do not hold.

    Heads, minimum spans, empty nodes, discontinuous mentions, attributes of mentions, split
    antecedents, bridging, the columns of tokens and comments are written. Bridging is between
    entities there, so a mention that refers to nothing has none.
    """
    tokens = words_or_blanks(document, spans, lost)
    members = [members_of(spans, i) for i in range(len(spans))]
    spans = _with_writable_minima(spans, members, tokens, lost)
    attributes = _attributes(document, lost)
    fields = ["eid", "etype"]
    if spans.head is not None:
        fields.append("head")
    if spans.minimum is not None:
        fields.append("minspan")
    fields += [name for name in attributes if name not in ("etype", "other")]
    # what holds a hyphen has to stand last
    last = [name for name, column in attributes.items() if any("-" in x for x in column)]
    last = last[:1] if last[:1] != ["etype"] else []
    fields = [name for name in fields if name not in last]
    fields += [*(["other"] if last != ["other"] else []), *last]
    bridging = _bridging(document, lost)
    names = _entity_names(document, bool(bridging or document.antecedents), lost)
    of_mentions = [names[e] for e in document.entity.tolist()]
    details = [
        _details(fields[1:], spans, i, members[i], tokens, attributes, lost)
        for i in range(len(spans))
    ]
    links = _links(document, spans, of_mentions, names, bridging, lost)
    lines = [f"# newdoc id = {document.name}", f"# global.Entity = {'-'.join(fields)}"]
    lines += _token_lines(tokens, _brackets(members, of_mentions, details), links, lost)
    _count_misread(lines, _mentions(of_mentions, spans), bridging, of_mentions, members, lost)
    yield from lines


def _entity_names(document: Document, linked: bool, lost: Losses) -> list[str]:
    names = list(map(str, document.entity_names))
    if (
        any(not _ENTITY.match(x) or x.lower() in _MISSING for x in names)
        or len(set(names)) < len(names)
        or (linked and any(map(_OF_LINKS.search, names)))
    ):
        lost["documents whose entities are written as e1, e2, ..."] += 1
        names = [f"e{number}" for number in range(1, len(names) + 1)]
    return names


def _attributes(document: Document, lost: Losses) -> dict[str, list[str]]:
    """Return the attributes of mentions that brackets can hold."""
    attributes = {}
    for name, column in document.attributes.items():
        if _FIELD.match(name) and name not in (*OF_ENTITY, "head", "minspan"):
            attributes[name] = list(column)
        else:
            lost[f"attributes {name!r} of mentions, left out"] += sum(map(bool, column))
    return attributes


def _with_writable_minima(
    spans: Spans, members: list[list[int]], tokens: Tokens, lost: Losses
) -> Spans:
    """Return spans whose minimum spans begin and end at words, or are the whole mention."""
    if spans.minimum is None:
        return spans
    minimum = spans.minimum.copy()
    for i, all_tokens in enumerate(members):
        ends = (all_tokens[0], all_tokens[-1])
        if (
            tuple(minimum[i].tolist()) != ends
            and not np.isin(minimum[i], _words_of(all_tokens, tokens)).all()
        ):
            lost["minimum spans that begin or end at no word of the mention, left out"] += 1
            minimum[i] = ends
    return replace(spans, minimum=minimum)


def _words_of(members: list[int], tokens: Tokens) -> list[int]:
    """Return the tokens of a mention that ``minspan`` counts."""
    empty = tokens.empty
    return [t for t in members if empty is None or not empty[t]] or members


def _details(
    fields: Sequence[str],
    spans: Spans,
    i: int,
    members: list[int],
    tokens: Tokens,
    attributes: Mapping[str, Sequence[str]],
    lost: Losses,
) -> str:
    """Return the fields of a mention behind its entity."""
    values = []
    for field in fields:
        if field == "head" and spans.head is not None:
            value = str(members.index(int(spans.head[i])) + 1)
        elif field == "minspan" and spans.minimum is not None:
            value = _minimum(spans.minimum[i].tolist(), _words_of(members, tokens))
        else:
            value = attributes[field][i] if field in attributes else ""
            written = _IN_VALUES.sub("_", value)
            if field != fields[-1]:
                written = written.replace("-", "_")
            if written != value:
                what = "attributes of mentions with '-', blanks, bars or brackets"
                lost[f"{what}, with '_' in place of these"] += 1
            value = written
        values.append(value)
    return "-" + "-".join(values)


def _minimum(ends: Sequence[int], words: Sequence[int]) -> str:
    """Return a minimum span by the numbers of words within the mention."""
    low, high = ends
    if low not in words or high not in words:
        return "_"  # the whole mention
    return ",".join(str(words.index(x) + 1) for x in sorted({low, high}))


def _brackets(
    members: list[list[int]], names: list[str], details: list[str]
) -> dict[int, list[str]]:
    """Return the brackets of each token: closing ones first, wide mentions around others."""
    # a mention that ends first has to be the latest that was opened
    opening: list[tuple[int, int, int, str]] = []
    closing: list[tuple[int, int, int, str]] = []
    for tokens, name, detail in zip(members, names, details, strict=True):
        cuts = [at for at, (a, b) in enumerate(pairwise(tokens), 1) if b > a + 1]
        runs = [tokens[i:j] for i, j in pairwise([0, *cuts, len(tokens)])]
        for number, run in enumerate(runs, 1):
            key = f"{name}[{number}/{len(runs)}]" if len(runs) > 1 else name
            first, last = run[0], run[-1]
            more = detail if number == 1 else ""
            opening.append(
                (first, -last, -tokens[-1], f"({key}{more}{')' if first == last else ''}")
            )
            if last > first:
                closing.append((last, -first, 0, f"{key})"))
    brackets: dict[int, list[str]] = {}
    for part in (closing, opening):
        for token, _, _, text in sorted(part, key=lambda x: x[:3]):
            brackets.setdefault(token, []).append(text)
    return brackets


def _bridging(document: Document, lost: Losses) -> dict[tuple[int, int], str]:
    """Return bridging by positions of the document's mentions."""
    references = document.references
    relations = relations_of(document)
    if references is None:
        return {}
    silent = references.non_referring
    position: dict[int, int] = {}
    for at in range(len(references.markables)):
        if at not in silent:
            position[at] = len(position)
    kept = {}
    for (anaphor, antecedent), relation in relations.items():
        if anaphor not in position or antecedent not in position:
            lost["bridging of or to mentions that refer to nothing, left out"] += 1
        else:
            kept[position[anaphor], position[antecedent]] = relation
    if silent:
        lost["mentions that refer to nothing, left out"] += len(silent)
    if references.discourse_deixis is not None:
        lost["mentions of discourse deixis, left out"] += len(references.discourse_deixis)
    return kept


def _links(
    document: Document,
    spans: Spans,
    of_mentions: Sequence[str],
    names: Sequence[str],
    bridging: Mapping[tuple[int, int], str],
    lost: Losses,
) -> dict[int, str]:
    """Return Bridge and SplitAnte of each token that has them."""
    written: dict[int, dict[str, list[str]]] = {}
    for (anaphor, antecedent), relation in bridging.items():
        pair = f"{of_mentions[antecedent]}<{of_mentions[anaphor]}"
        if not _RELATION.match(relation):
            lost["kinds of bridging with blanks, bars or '<', left out"] += 1
        elif relation:
            pair = f"{pair}:{relation}"
        at = int(spans.first[anaphor])
        written.setdefault(at, {}).setdefault(BRIDGE, []).append(pair)
    for entity, made_of in document.antecedents.items():
        row = int(np.flatnonzero(document.entity == entity)[0])
        pairs = [f"{names[one]}<{names[entity]}" for one in made_of]
        at = int(spans.first[row])
        written.setdefault(at, {}).setdefault(SPLIT, []).extend(pairs)
    return {
        at: "|".join(f"{name}={','.join(pairs)}" for name, pairs in sorted(own.items()))
        for at, own in written.items()
    }


def _token_lines(
    tokens: Tokens, brackets: dict[int, list[str]], links: dict[int, str], lost: Losses
) -> Iterator[str]:
    numbers = numbers_of(tokens, over_document=False)
    own_numbers = tokens.ids is None or list(tokens.ids) == numbers
    if not own_numbers:
        lost["documents whose tokens are numbered anew"] += 1
    columns = columns_of(tokens, numbers, _LINE_BREAKS, lost)
    for name, column in columns.items():
        if name not in (*_COLUMNS, "MISC"):
            lost[f"values of the column {name}, left out"] += sum(
                x not in NOTHING for x in column
            )
    before_tokens = lines_before(tokens, lost, words_of_several_tokens=own_numbers)
    nothing = ["_"] * len(tokens)
    cells = [columns.get(name, nothing) for name in _COLUMNS]
    misc = columns.get("MISC", nothing)
    before = None
    for at, sentence in enumerate(tokens.sentence.tolist()):
        if sentence != before and before is not None:
            yield ""
        before = sentence
        yield from before_tokens.get(at, ())
        entity = "".join(brackets.get(at, ()))
        further = [f"Entity={entity}"] if entity else []
        further += [links[at]] if at in links else []
        for item in misc[at].split("|") if misc[at] != "_" else ():
            if _OF_MENTIONS.match(item):
                lost["entities in MISC of another format, left out"] += 1
            else:
                further.append(item)
        row = (column[at] for column in cells)
        yield "\t".join((numbers[at], *row, "|".join(further) or "_"))
    yield from before_tokens.get(len(tokens), ())
    yield ""


def _mentions(names: Sequence[str], spans: Spans) -> list[tuple[object, ...]]:
    """Return mentions as entity, tokens, head and minimum span."""
    return [
        (
            name,
            *members_of(spans, i),
            -1 if spans.head is None else int(spans.head[i]),
            () if spans.minimum is None else tuple(spans.minimum[i].tolist()),
        )
        for i, name in enumerate(names)
    ]


def _count_misread(
    lines: list[str],
    written: Sequence[tuple[object, ...]],
    bridging: Mapping[tuple[int, int], str],
    names: Sequence[str],
    members: Sequence[Sequence[int]],
    lost: Losses,
) -> None:
    """Count what is read back as something else: crossing mentions, bridging to a mention."""
    numbered = enumerate((line.encode() for line in lines), 1)
    (document,) = read_lines(Path("lines"), numbered, Notes())
    spans = document.mentions
    assert isinstance(spans, Spans)
    read_names = [str(document.entity_names[entity]) for entity in document.entity.tolist()]
    misread = Counter(written) - Counter(_mentions(read_names, spans))
    if misread:
        what = "mentions that cross another one of their entity, read back as others"
        lost[what] += misread.total()
    read_members = [members_of(spans, i) for i in range(len(spans))] if bridging else []
    pairs = [
        Counter(
            tuple((own_names[at], tuple(own_members[at])) for at in pair) for pair in relations
        )
        for own_names, own_members, relations in (
            (names, members, bridging),
            (read_names, read_members, relations_of(document)),
        )
    ]
    if changed := (pairs[0] - pairs[1]).total():
        what = "bridging to a mention, read back as that of the first one of its entity"
        lost[what] += changed
