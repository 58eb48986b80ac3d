"""Bridging references of CoNLL-UA: which mention they relate to which."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from partwise.coreference.formats.conll_ua.layers import Markable, fields_of
from partwise.coreference.formats.files import Notes


def bridging_of(
    cell: str, line: int, fail: Callable[[int, str], NoReturn]
) -> list[dict[str, str]]:
    """Return the attributes of the bridging references that begin at a token."""
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
        found.append(values)
    return found


def relations_of(
    references: Sequence[Mapping[str, str]], markables: Sequence[Markable], notes: Notes
) -> tuple[dict[int, int], dict[tuple[int, int], str]]:
    """Return bridging by positions of mentions: what is scored, and all of it with its kinds.

    Parameters
    ----------
    references : sequence of mappings of str to str
        As of ``bridging_of``.
    markables : sequence of Markable
        All mentions of the document.
    notes : Notes
    """
    position = {markable.key: at for at, markable in enumerate(markables)}
    first_of: dict[str, int] = {}
    for at, markable in enumerate(markables):
        first_of.setdefault(markable.entity, at)
    bridging: dict[int, int] = {}
    relations: dict[tuple[int, int], str] = {}
    for fields in references:
        anaphor = position.get(fields["markableid"])
        if fields.get("mentionanchor"):
            antecedent = position.get(fields["mentionanchor"])
        else:
            antecedent = first_of.get(fields["entityanchor"])
            what = "bridging references to an entity, read as to its first mention"
            notes.count("mentions-interpreted", what)
        if anaphor is None or antecedent is None:
            what = "bridging references from or to a mention that is not there, left out"
            notes.count("not-scored", what)
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
