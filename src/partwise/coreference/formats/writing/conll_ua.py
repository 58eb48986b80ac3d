"""Documents as CoNLL-UA of Universal Anaphora."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.conll_ua.layers import HELD, MARKABLE_ID, is_pseudo
from partwise.coreference.formats.conll_ua.tokens import (
    BRIDGING,
    DISCOURSE_DEIXIS,
    IDENTITY,
    SPLIT,
)
from partwise.coreference.formats.writing.plain import words_or_blanks
from partwise.coreference.formats.writing.tokens import (
    NOTHING,
    Losses,
    columns_of,
    lines_before,
    relations_of,
)
from partwise.coreference.syntax.token_numbers import numbers_of

_COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    # where the scorer of Universal Anaphora looks for them
    *(IDENTITY, BRIDGING, DISCOURSE_DEIXIS, "REFERENCE", "NOM_SEM"),
)
#: Columns that are read as something else than values of tokens.
_OF_MENTIONS = (IDENTITY, BRIDGING, DISCOURSE_DEIXIS, "NEAR_IDENTITY", SPLIT)
_ENTITY = re.compile(r"[^()|=@,;\s]+\Z")
_IN_VALUES = re.compile(r"[()|@\s]+")
_ATTRIBUTE = re.compile(r"[^()|=@\s]+\Z")
_COLUMN = re.compile(r"\S+\Z")
_BLANKS = re.compile(r"\s+")


def conll_ua_lines(document: Document, spans: Spans, lost: Losses) -> Iterator[str]:
    """Yield the lines of a document; count what they do not hold.

    Tokens are numbered over the document. Mentions keep their ``MarkableID``, those without one
    are numbered in the order in which they open. Where mentions cross, closing brackets carry
    it; else they are plain, as most readers expect. Bridging has both anchors: the mention, and
    its entity.
    """
    tokens = words_or_blanks(document, spans, lost)
    if spans.head is not None:
        lost["mentions whose head is left out"] += len(spans)
    numbers = numbers_of(tokens, over_document=True)
    references = document.references
    markables = document if references is None else references.markables
    silent: Set[int] = frozenset() if references is None else references.non_referring
    names = _entity_names(markables, silent, lost)
    of_mentions = [names[entity] for entity in markables.entity.tolist()]
    for at in silent:
        if not is_pseudo(of_mentions[at]):
            of_mentions[at] += "-Pseudo"
            what = (
                "mentions that refer to nothing, with '-Pseudo' behind the name of their entity"
            )
            lost[what] += 1
    elements = _elements(document, dict(zip(markables.entity_names, names, strict=True)))
    layers = {
        IDENTITY: _layer(markables, of_mentions, "m", numbers, elements, lost),
        BRIDGING: _bridging(document, markables, of_mentions, lost),
    }
    if references is not None and references.discourse_deixis is not None:
        deixis = references.discourse_deixis
        own_names = _entity_names(deixis, range(len(deixis)), lost)
        of_deixis = [own_names[entity] for entity in deixis.entity.tolist()]
        layers[DISCOURSE_DEIXIS] = _layer(deixis, of_deixis, "dd", numbers, {}, lost)
    yield from _lines(document.name, tokens, numbers, layers, lost)


def _lines(
    name: str,
    tokens: Tokens,
    numbers: Sequence[str],
    layers: Mapping[str, Mapping[int, str]],
    lost: Losses,
) -> Iterator[str]:
    columns = {
        own: column
        for own, column in columns_of(tokens, numbers, _BLANKS, lost).items()
        if _is_writable(own, column, lost)
    }
    columns["ID"] = list(numbers)
    header = [*_COLUMNS, *(own for own in columns if own not in _COLUMNS)]
    before_tokens = lines_before(tokens, lost, words_of_several_tokens=False)
    yield f"# global.columns = {' '.join(header)}"
    yield f"# newdoc id = {name}"
    nothing = ["_"] * len(tokens)
    cells = [columns.get(own, nothing) for own in header]
    before = None
    for at, sentence in enumerate(tokens.sentence.tolist()):
        if before not in (None, sentence):
            yield ""
        before = sentence
        yield from before_tokens.get(at, ())
        yield "\t".join(
            layers[own].get(at, "_") if own in layers else column[at]
            for own, column in zip(header, cells, strict=True)
        )
    yield from before_tokens.get(len(tokens), ())
    yield ""


def _is_writable(name: str, column: Sequence[str], lost: Losses) -> bool:
    """Return whether a column can stand beside the others; count what is lost if not."""
    if _COLUMN.match(name) and name not in _OF_MENTIONS and name != "ID":
        return True
    lost[f"values of the column {name!r}, left out"] += sum(x not in NOTHING for x in column)
    return False


def _entity_names(document: Document, silent: Set[int] | range, lost: Losses) -> list[str]:
    """Return names that brackets can hold; of mentions that refer, none of a pseudo-entity."""
    names = list(map(str, document.entity_names))
    refer = {e for at, e in enumerate(document.entity.tolist()) if at not in silent}
    if (
        any(not _ENTITY.match(name) for name in names)
        or any(is_pseudo(names[entity]) for entity in refer)
        or len(set(names)) < len(names)
    ):
        lost["documents whose entities are written as numbers"] += 1
        names = list(map(str, range(1, len(names) + 1)))
    return names


def _elements(document: Document, name_of: Mapping[Hashable, str]) -> dict[str, str]:
    """Return what the first mention of an entity says: which others are made of it."""
    made_of: dict[str, list[str]] = {}
    entities = [name_of[entity] for entity in document.entity_names]
    for entity, antecedents in document.antecedents.items():
        for antecedent in antecedents:
            made_of.setdefault(entities[antecedent], []).append(entities[entity])
    return {entity: f"|ElementOf={','.join(made)}" for entity, made in made_of.items()}


def _layer(
    document: Document,
    names: Sequence[str],
    prefix: str,
    numbers: Sequence[str],
    elements: dict[str, str],
    lost: Losses,
) -> dict[int, str]:
    """Return the cells of a column of mentions, by token."""
    spans = document.mentions
    assert isinstance(spans, Spans)
    details = _attributes(document, lost)
    ids = _ids(document, prefix, lost)
    opening = [
        f"(EntityID={name}|MarkableID={ids[i]}{_minimum(spans, i, numbers)}"
        f"{details[i]}{elements.pop(name, '')}"
        for i, name in enumerate(names)
    ]
    return _cells([_runs(spans, i) for i in range(len(spans))], opening, ids)


def _ids(document: Document, prefix: str, lost: Losses) -> list[str]:
    """Return the id of each mention: its own, where all can be written, else numbers."""
    n = len(document)
    own = document.attributes.get(MARKABLE_ID, [""] * n)
    given = [x for x in own if x]
    if len({*given}) < len(given) or not all(map(_ENTITY.match, given)):
        lost[f"attributes {MARKABLE_ID!r} of mentions, numbered anew"] += len(given)
        own, given = [""] * n, []
    taken = {*given}
    ids = list(own)
    spans = document.mentions
    assert isinstance(spans, Spans)
    begins = [(first, -last) for first, last in (_runs(spans, i)[0] for i in range(n))]
    for number, i in enumerate(sorted(range(n), key=begins.__getitem__), 1):
        if not ids[i]:
            ids[i] = f"{prefix}{number}"
            while ids[i] in taken:
                ids[i] += "x"
            taken.add(ids[i])
    return ids


def _attributes(document: Document, lost: Losses) -> list[str]:
    """Return what each bracket says of the attributes of its mention."""
    details = [""] * len(document)
    for name, column in document.attributes.items():
        if name == MARKABLE_ID:
            continue
        if not _ATTRIBUTE.match(name) or name.lower().replace("_", "") in HELD:
            lost[f"attributes {name!r} of mentions, left out"] += sum(map(bool, column))
            continue
        for i, value in enumerate(column):
            written = _IN_VALUES.sub("_", value)
            if written != value:
                what = "attributes of mentions with blanks, bars or brackets"
                lost[f"{what}, with '_' in place of these"] += 1
            details[i] += f"|{name}={written}" if written else ""
    return details


def _bridging(
    document: Document, markables: Document, names: Sequence[str], lost: Losses
) -> dict[int, str]:
    """Return the cells of bridging references, by the token where the anaphor begins."""
    spans = markables.mentions
    assert isinstance(spans, Spans)
    cells: dict[int, str] = {}
    ids = _ids(markables, "m", Counter())  # what is lost was counted with the mentions
    for (anaphor, antecedent), relation in relations_of(document).items():
        written = _IN_VALUES.sub("_", relation)
        if written != relation:
            what = "kinds of bridging with blanks, bars or brackets"
            lost[f"{what}, with '_' in place of these"] += 1
        kind = f"|Rel={written}" if written else ""
        at = int(spans.first[anaphor])
        cells[at] = (
            f"{cells.get(at, '')}(MarkableID={ids[anaphor]}{kind}"
            f"|MentionAnchor={ids[antecedent]}|EntityAnchor={names[antecedent]})"
        )
    return cells


def _runs(spans: Spans, i: int) -> list[tuple[int, int]]:
    """Return the runs of a mention's tokens."""
    if spans.token_ends is None or spans.tokens is None:
        return [(int(spans.first[i]), int(spans.last[i]))]
    inside = spans.tokens[spans.token_ends[i] : spans.token_ends[i + 1]].tolist()
    breaks = [at for at, (a, b) in enumerate(pairwise(inside), 1) if b > a + 1]
    return [
        (inside[begin], inside[end - 1])
        for begin, end in zip([0, *breaks], [*breaks, len(inside)], strict=True)
    ]


def _minimum(spans: Spans, i: int, numbers: Sequence[str]) -> str:
    if spans.minimum is None:
        return ""
    first, last = (numbers[x] for x in spans.minimum[i].tolist())
    return f"|Min={first}" if first == last else f"|Min={first},{last}"


def _cells(
    runs: Sequence[Sequence[tuple[int, int]]], opening: Sequence[str], ids: Sequence[str]
) -> dict[int, str]:
    """Return the brackets of each token: closing ones of wide runs, then opening ones."""
    pieces = [(first, -last, i) for i, own in enumerate(runs) for first, last in own]
    pieces.sort()
    plain = _nested(pieces)
    opened: dict[int, list[str]] = {}
    closed: dict[int, list[tuple[int, int, str]]] = {}
    for order, (first, minus_last, i) in enumerate(pieces):
        last = -minus_last
        alone = ")" if last == first else ""
        opened.setdefault(first, []).append(f"{opening[i]}{alone}")
        if last > first:
            mark = ")" if plain else f"{ids[i]})"
            closed.setdefault(last, []).append((-order, i, mark))
    return {
        at: "".join(mark for _, _, mark in sorted(closed.get(at, ())))
        + "".join(opened.get(at, ()))
        for at in {*opened, *closed}
    }


def _nested(pieces: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether runs, sorted by where they begin, the wide first, do not cross."""
    waiting: list[int] = []
    for first, minus_last, _ in pieces:
        while waiting and waiting[-1] < first:
            waiting.pop()
        if waiting and waiting[-1] < -minus_last:
            return False
        waiting.append(-minus_last)
    return True
