"""ECB+: tokens, markables of events and entities, and what links them within a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.annotations.mentions import Mention, column, document_of
from partwise.coreference.formats.annotations.xml_files import Element, root_of
from partwise.coreference.formats.files import Notes, fault, stem_of

#: What may be read of a file.
KINDS = ("auto", "all", "events", "entities")

_SENTENCE = re.compile(r"[0-9]{1,18}\Z")
_EVENTS = ("ACTION_", "NEG_ACTION_")
_LINKS = ("CROSS_DOC_COREF", "INTRA_DOC_COREF")


def read_ecb_plus(path: Path, notes: Notes, *, clusters: str = "auto") -> Iterator[Document]:
    """Yield the document of a file, under the name that the file gives it.

    The entity of a markable is the ``note`` of the link across documents that it is a source
    of, which is one and the same in all documents; of a link within the document it is the
    link, and of a markable without a link it is the markable alone.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : {"auto", "all", "events", "entities"}
        Markables of actions (``ACTION_...``, ``NEG_ACTION_...``), the others, or all.

    Raises
    ------
    ValueError
        No XML, links to markables that are not there or without a target, markables in two
        links or with tokens that are not there; with file and line.
    """
    if clusters not in KINDS:
        raise ValueError(f"{path}: clusters={clusters!r} is not one of: {', '.join(KINDS)}")
    root = root_of(path)
    name = root.attributes.get("doc_name") or stem_of(path)
    if root.name != "Document":
        raise fault(path, root.line, name, f"<{root.name}>; ECB+ begins with <Document>")
    words: list[str] = []
    sentence: list[int] = []
    token_at: dict[str, int] = {}
    for token in root.every("token"):
        key = _attribute(path, name, token, "t_id")
        if key in token_at:
            raise fault(path, token.line, name, f"the token {key} stands twice")
        token_at[key] = len(words)
        words.append(token.text)
        number = token.attributes.get("sentence", "0")
        if not _SENTENCE.match(number):
            raise fault(path, token.line, name, f"the sentence {number!r} is no number")
        sentence.append(int(number))
    anchors: dict[str, Element] = {}
    markables: set[str] = set()  # those without tokens among them, which are targets
    for markable in (x for part in root.every("Markables") for x in part.elements):
        markables.add(markable.attributes.get("m_id", ""))
        if any(markable.every("token_anchor")):
            key = _attribute(path, name, markable, "m_id")
            if key in anchors:
                raise fault(path, markable.line, name, f"the markable {key} stands twice")
            anchors[key] = markable
    entity_of = _entities(path, name, root, anchors, markables)
    if clusters == "auto" and len({x.name.startswith(_EVENTS) for x in anchors.values()}) > 1:
        notes.tell(
            "field-taken",
            'events and entities are read; clusters="events" or "entities" takes one kind',
        )
    mentions = []
    for key, markable in anchors.items():
        event = markable.name.startswith(_EVENTS)
        if clusters in ("events", "entities") and event != (clusters == "events"):
            notes.count("not-scored", f"markables that are no {clusters}, left out")
            continue
        ids = [_attribute(path, name, x, "t_id") for x in markable.every("token_anchor")]
        if lacking := next((x for x in ids if x not in token_at), None):
            raise fault(
                path, markable.line, name, f"markable {key} is of token {lacking}, which lacks"
            )
        positions = sorted({token_at[x] for x in ids})
        entity = entity_of.get(key, f"{name} m{key}")
        mentions.append(
            Mention(positions, entity, markable.line, attributes={"type": markable.name})
        )
    if alone := sum(key not in entity_of for key in anchors):
        notes.count(
            "mentions-interpreted", "markables in no link, entities of their own", alone
        )
    named = "doc_name" in root.attributes
    if not named:
        notes.count("documents-named", "documents without doc_name, named after their file")
    tokens = Tokens(words, column(sentence))
    yield document_of(name, mentions, tokens, named=named, other_names=(stem_of(path),))


def _attribute(path: Path, name: str, element: Element, attribute: str) -> str:
    value = element.attributes.get(attribute)
    if not value:
        raise fault(path, element.line, name, f"<{element.name}> without {attribute}")
    return value


def _entities(
    path: Path, name: str, root: Element, anchors: dict[str, Element], markables: set[str]
) -> dict[str, str]:
    """Return the entity of each markable that a link has for a source.

    A target describes the entity and is no mention of it; it has to stand all the same.
    """
    entity_of: dict[str, str] = {}
    link_of: dict[str, Element] = {}
    for link in root.every(*_LINKS):
        across = link.name == _LINKS[0]
        entity = link.attributes.get("note") if across else None
        if not entity:
            entity = f"{name} r{_attribute(path, name, link, 'r_id')}"
        for source in link.every("source"):
            key = _attribute(path, name, source, "m_id")
            if key not in anchors:
                raise fault(
                    path, source.line, name, f"a link of markable {key}, which has no tokens"
                )
            if entity_of.setdefault(key, entity) != entity:
                raise fault(
                    *(path, source.line, name),
                    f"markable {key} is in this link and in that of line {link_of[key].line}, "
                    "which are two entities; remove it from one",
                )
            link_of[key] = link
        targets = list(link.every("target"))
        if not targets:
            raise fault(path, link.line, name, f"<{link.name}> without <target>")
        for target in targets:
            key = _attribute(path, name, target, "m_id")
            if key not in markables:
                raise fault(
                    path, target.line, name, f"a link to markable {key}, which is not there"
                )
    return entity_of
