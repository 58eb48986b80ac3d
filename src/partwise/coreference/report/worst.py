"""The entities and mentions that cost most, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from partwise.coreference.scores.worst import (
    Part,
    Place,
    Worst,
    WorstEntity,
    WorstMention,
    positions_of,
)


def text(worst: Worst) -> str:
    """Return the lists of a response."""
    lines = []
    for title, other, side, missed in (
        ("entities of the key by the recall", "response", worst.key, worst.missed[0]),
        ("entities of the response by the precision", "key", worst.response, worst.missed[1]),
    ):
        lines.append(f"{title} that B-cubed misses ({missed:.6g} mentions in all)")
        lines += _entities(side, other)
        lines.append("")
    lines.append("mentions by what B-cubed misses of recall and precision")
    lines += [_mention(one) for one in worst.mentions] or ["  none"]
    return "\n".join(lines)


def _entities(entities: Sequence[WorstEntity], other: str) -> Iterator[str]:
    if not entities:
        yield "  none"
    for one in entities:
        yield (
            f"  {one.cost:.2f} ({one.share:.1%})  {one.document}, entity {one.entity}: "
            f"{_counted(one.size, 'mention')}, in {one.n_parts} of the {other}"
        )
        for part in one.parts:
            yield f"      {_part(part, one.document)}"
        left = one.size - sum(part.count for part in one.parts)
        if left:
            yield f"      {left} in others"


def _part(part: Part, document: str) -> str:
    where = "without a partner" if part.entity is None else f"in {part.entity}"
    more = ", ..." if part.count > len(part.mentions) else ""
    shown = (_place(mention, document) for mention in part.mentions)
    return f"{part.count} {where}: {', '.join(shown)}{more}"


def _mention(one: WorstMention) -> str:
    if one.key_entity is None:
        why = f"only in the response, {_entity(one.response_entity, one.response_size)}"
    elif one.response_entity is None:
        why = f"only in the key, {_entity(one.key_entity, one.key_size)}"
    else:
        why = (
            f"key {_entity(one.key_entity, one.key_size)}, response "
            f"{_entity(one.response_entity, one.response_size)}, {one.together} in both"
        )
    return f"  {one.cost:.2f}  {one.mention.document}, {_place(one.mention)}: {why}"


def _entity(name: Any, size: int) -> str:
    return f"entity {name} of {_counted(size, 'mention')}"


def _place(place: Place, document: str | None = None) -> str:
    """Return words and place, the document only where it is another one."""
    if place.span is None:
        where = "" if document in (None, place.document) else f" ({place.document})"
        return f"{place.text}{where}"
    where = positions_of(place.span)
    if document not in (None, place.document):
        where = f"{place.document}: {where}"
    return f'"{place.text}" ({where})' if place.text else f"({where})"


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
