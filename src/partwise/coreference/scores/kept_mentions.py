"""Mentions that are scored: singletons, verbs and nested mentions may be left out first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import without_singletons
from partwise.coreference.documents.suspicions import check_columns
from partwise.coreference.mentions.nested import without_nested
from partwise.coreference.syntax.mentions import NoSyntax, with_heads, without_verbs
from partwise.labels.notes import Note
from partwise.numbers.checks import one_of

KEEP_OR_DROP = ("keep", "drop")
_SIDES = ("key", "response")
#: The sides whose heads a way to match mentions goes by.
_HEADS_OF = {"head": _SIDES, "partial": _SIDES[:1]}


@dataclass(frozen=True, slots=True)
class Kept:
    """The mentions that are scored, and how many of each side were left out for what."""

    key: Side
    response: Side
    singletons: tuple[int, int]
    verbs: tuple[int, int]
    nested: tuple[int, int]


def kept_mentions(
    key: Side,
    response: Side,
    singletons: str,
    verbs: str,
    nested: str,
    paths: Sequence[str | None],
) -> Kept:
    """Leave out what the caller does not want scored.

    Entities of one mention go first; then verbs, by the syntax of the key; then mentions within
    others of their entity. Where entities of one mention are left out, so are those that came
    to have one through nested mentions.

    Raises
    ------
    ValueError
        Verbs cannot be told: the key has no syntax; with its path.
    """
    for name, policy in (("verbs", verbs), ("nested", nested)):
        one_of(policy, KEEP_OR_DROP, name)
    of_key = key
    kept = [key, response]
    counts = []
    steps: list[tuple[str, Callable[[Side], Side]]] = [
        (singletons, without_singletons),
        (verbs, lambda side: without_verbs(side, of_key)),
        (nested, lambda side: _without_nested(side, singletons)),
    ]
    for policy, without in steps:
        before = [len(side) for side in kept]
        if policy == "drop":
            try:
                kept = [without(side) for side in kept]
            except NoSyntax as error:
                raise ValueError(
                    f'{paths[0] or "key"}: verbs="drop" goes by the syntax of the key, and '
                    f'{error}; verbs="keep" needs none'
                ) from None
        counts.append((before[0] - len(kept[0]), before[1] - len(kept[1])))
    return Kept(kept[0], kept[1], *counts)


def _without_nested(side: Side, singletons: str) -> Side:
    side = without_nested(side)
    return without_singletons(side) if singletons == "drop" else side


def with_needed_heads(
    key: Side, response: Side, how: str, convention: str | None, paths: Sequence[str | None]
) -> tuple[Side, Side, list[Note]]:
    """Return the sides with the heads that a way to match goes by, from syntax if need be.

    Raises
    ------
    ValueError
        Mentions lack what the way to match goes by, and no syntax gives it.
    """
    sides = {"key": key, "response": response}
    notes = []
    for name in _HEADS_OF.get(how, ()):
        side = sides[name]
        if not isinstance(side.mentions, Spans) or side.mentions.head is not None:
            continue
        try:
            sides[name] = with_heads(side, key)
        except NoSyntax:
            continue  # the error below says what is needed
        text = "heads of mentions are those of the syntax, as the file names none"
        notes.append(Note("heads-derived", text, paths[_SIDES.index(name)] or name))
    check_columns(sides["key"], sides["response"], how, convention, paths)
    return sides["key"], sides["response"], notes
