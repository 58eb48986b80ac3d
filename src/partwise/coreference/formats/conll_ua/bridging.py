"""Bridging references of CoNLL-UA: which mention they relate to which."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from partwise.coreference.formats.conll_ua.layers import Markable, fields_of, without_pseudo
from partwise.coreference.formats.files import Notes


def bridging_of(
    cell: str, line: int, fail: Callable[[int, str], NoReturn]
) -> list[tuple[int, dict[str, str]]]:
    """Return line and attributes of the bridging references that begin at a token."""
    found = []
    for reference in re.split(r"[()]", cell):
        if "=" not in reference:
            continue  # what closes, or nothing
        fields = fields_of(reference, lambda what: fail(line, what))
        values = {name: value for name, (_, value) in fields.items()}
        anchored = values.get("mentionanchor") or values.get("entityanchor")
        if not values.get("markableid") or not anchored:
            fail(
                line,
                f"the bridging reference {reference!r} needs MarkableID and one of "
                "MentionAnchor and EntityAnchor",
            )
        found.append((line, values))
    return found


def relations_of(
    references: Sequence[tuple[int, Mapping[str, str]]],
    markables: Sequence[Markable],
    notes: Notes,
    document: str,
) -> tuple[dict[int, int], dict[tuple[int, int], str]]:
    """Return bridging by positions of mentions: what is scored, and all of it with its kinds.

    Parameters
    ----------
    references : sequence of (int, mapping of str to str)
        As of ``bridging_of``.
    markables : sequence of Markable
        All mentions of the document.
    notes : Notes
    document : str
        What the document is called.
    """
    position = {markable.key: at for at, markable in enumerate(markables)}
    first_of: dict[str, int] = {}
    for at, markable in enumerate(markables):
        first_of.setdefault(markable.entity, at)
    bridging: dict[int, int] = {}
    relations: dict[tuple[int, int], str] = {}
    for line, fields in references:
        where = f"document {document!r}, line {line}"
        anaphor = position.get(fields["markableid"])
        entity = fields.get("entityanchor", "")
        if fields.get("mentionanchor"):
            anchor = f"MentionAnchor={fields['mentionanchor']}"
            antecedent = position.get(fields["mentionanchor"])
            if entity and antecedent is not None:
                said = markables[antecedent].entity
                if without_pseudo(said) != without_pseudo(entity):
                    notes.count(
                        "mentions-interpreted",
                        "bridging references whose EntityAnchor is not the entity of their "
                        "MentionAnchor, read as to the mention",
                        first=f"{where}, {anchor} is of {said!r}, EntityAnchor={entity}",
                    )
        else:
            anchor = f"EntityAnchor={entity}"
            antecedent = first_of.get(entity)
            what = "bridging references to an entity, read as to its first mention"
            notes.count("mentions-interpreted", what)
        if anaphor is None or antecedent is None:
            what = "bridging references from or to a mention that is not there, left out"
            lacking = f"MarkableID={fields['markableid']}" if anaphor is None else anchor
            notes.count("not-scored", what, first=f"{where}, {lacking}")
            continue
        if anaphor in bridging:
            what = "further bridging references of one mention, of which the last is taken"
            notes.count("mentions-interpreted", what)
        relations.pop((anaphor, antecedent), None)
        relations[anaphor, antecedent] = fields.get("rel", "")
        bridging[anaphor] = antecedent
    if bridging:
        what = "bridging references, which universal_anaphora_scores alone uses"
        notes.count("not-scored", what, len(bridging))
    return bridging, relations
