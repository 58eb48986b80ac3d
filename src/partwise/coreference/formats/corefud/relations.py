"""Relations between entities of CorefUD: bridging and split antecedents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from partwise.coreference.documents.documents import Document, References
from partwise.coreference.formats.conll_ua.layers import tell_missing
from partwise.coreference.formats.corefud.mentions import Mention
from partwise.coreference.formats.files import Notes

BRIDGE = "Bridge"
SPLIT = "SplitAnte"

_LINK = re.compile(r"([^<,]+)<([^<,:]+)(?::([^<,]*))?\Z")


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridging reference that is being read: of a mention that begins at a token."""

    line: int
    token: int
    antecedent: str
    anaphor: str
    relation: str


def links_of(
    name: str, value: str, line: int, fail: Callable[[int, str], NoReturn]
) -> list[tuple[str, str, str]]:
    """Return (antecedent, entity that is related to it, kind of relation).

    Examples
    --------
    >>> links_of("Bridge", "e1<e3,e2<e3:part", 7, lambda line, what: exit(what))
    [('e1', 'e3', ''), ('e2', 'e3', 'part')]
    """
    links = []
    for pair in value.split(","):
        match = _LINK.match(pair)
        if match is None:
            fail(line, f"{name}={value} does not consist of antecedent<entity, apart by ','")
        links.append((match[1], match[2], match[3] or ""))
    return links


def split_antecedents(
    made_of: Mapping[str, Mapping[str, int]],
    codes: Mapping[str, int],
    notes: Notes,
    document: str,
) -> dict[int, tuple[int, ...]]:
    """Return split antecedents by positions of entities, those that have mentions.

    Parameters
    ----------
    made_of : mapping of str to mapping of str to int
        By an entity, those that it is made of, with their lines.
    codes : mapping of str to int
        Position of each entity that has mentions.
    notes : Notes
    document : str
        What the document is called.
    """
    antecedents = {}
    for made, elements in made_of.items():
        inside = tuple(codes[name] for name in elements if name in codes)
        if made in codes and inside:
            antecedents[codes[made]] = inside
            what = "entities with split antecedents, which split_antecedent_scores alone uses"
            notes.count("not-scored", what)
        tell_missing(made, elements, codes, notes, document)
    return antecedents


def references_of(
    document: Document, mentions: Sequence[Mention], bridges: Sequence[Bridge], notes: Notes
) -> References | None:
    """Return bridging as that of mentions; None: there is none.

    The antecedent is an entity, read as its first mention, as it is in CoNLL-UA.
    """
    first_of: dict[str, int] = {}
    beginning: dict[tuple[str, int], int] = {}
    for at, mention in enumerate(mentions):
        first_of.setdefault(mention.entity, at)
        beginning.setdefault((mention.entity, mention.runs[0][0]), at)
    relations: dict[tuple[int, int], str] = {}
    bridging: dict[int, int] = {}
    for bridge in bridges:
        antecedent = first_of.get(bridge.antecedent)
        anaphor = beginning.get((bridge.anaphor, bridge.token))
        if anaphor is None and bridge.anaphor in first_of:
            anaphor = _anaphor_elsewhere(bridge, mentions, first_of)
            what = "Bridge where no mention of its entity begins, read as of another one"
            notes.count("mentions-interpreted", what)
        if anaphor is None or antecedent is None:
            what = "bridging references from or to a mention that is not there, left out"
            lacking = bridge.anaphor if anaphor is None else bridge.antecedent
            first = f"document {document.name!r}, line {bridge.line}, {lacking!r}"
            notes.count("not-scored", what, first=first)
            continue
        if anaphor in bridging:
            what = "further bridging references of one mention, of which the last is taken"
            notes.count("mentions-interpreted", what)
        relations.pop((anaphor, antecedent), None)
        relations[anaphor, antecedent] = bridge.relation
        bridging[anaphor] = antecedent
    if not bridging:
        return None
    what = "bridging references to an entity, read as to its first mention"
    notes.count("mentions-interpreted", what, len(relations))
    what = "bridging references, which universal_anaphora_scores alone uses"
    notes.count("not-scored", what, len(bridging))
    return References(document, frozenset(), bridging, relations)


def _anaphor_elsewhere(
    bridge: Bridge, mentions: Sequence[Mention], first_of: Mapping[str, int]
) -> int:
    """Return the first mention of an entity that holds a token, else the first of all."""
    holding = (
        at
        for at, mention in enumerate(mentions)
        if mention.entity == bridge.anaphor
        and any(first <= bridge.token <= last for first, last in mention.runs)
    )
    return next(holding, first_of[bridge.anaphor])
