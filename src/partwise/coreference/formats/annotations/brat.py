"""brat's standoff: mentions as spans of characters in .ann, the text in .txt beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from partwise.coreference.documents.documents import Document
from partwise.coreference.formats.annotations.mentions import (
    Mention,
    document_of,
    linked,
    position_of,
)
from partwise.coreference.formats.files import (
    Notes,
    fault,
    numbered_lines,
    opened,
    stem_of,
    text_of,
)

#: Characters of an annotation in pieces, which are held one by one.
_CHARACTERS = 10_000_000
#: Types of annotations in place of links.
TYPES = "types"

_MENTION = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\s*(?:\t(.*))?\Z", re.S)
_RELATION = re.compile(r"(R\S+)\t(\S+) \S+?:(\S+) \S+?:(\S+)\s*\Z")
_EQUIVALENCE = re.compile(r"\*\t(\S+)((?: \S+)+)\s*\Z")
_OF_COREFERENCE = re.compile(r"coref|ident|equiv|same|alias|anaphor", re.I)
#: How LitBank writes an entity as a type: a name, a hyphen and a number.
_NUMBERED = re.compile(r".+-[0-9]+\Z")
_OTHERS = {
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "N": "normalisations",
    "#": "remarks",
}


@dataclass(frozen=True, slots=True)
class _Annotation:
    """A line that marks a span of text."""

    type: str
    positions: list[int] | range
    line: int


def read_brat(path: Path, notes: Notes, *, clusters: str = "auto") -> Iterator[Document]:
    """Yield the document of a file with the ending .ann, named after the file.

    Lines are ``T1<tab>Type 0 4<tab>text`` (characters from 0, the end exclusive, further pieces
    after ``;``), ``R1<tab>Type Arg1:T1 Arg2:T2`` and ``*<tab>Type T1 T2 ...``. The file of the
    same name that ends in .txt, if there is one, is held against the texts.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : str, default "auto"
        Name of the relation whose mentions are of one entity, or "types": the type of an
        annotation is the name of its entity. By default all equivalences (``*``) and the one
        relation whose name speaks of coreference. Annotations in no link are entities of one
        mention.

    Raises
    ------
    ValueError
        A line of another form, an annotation that is linked and not there, spans outside
        of the text or with another text, no relation or several that may be meant; with file
        and line. Whether any document has the relation that was named, the notes check.
    """
    name = stem_of(path)
    annotations, links = _annotations_and_links(path, name, notes)
    characters = _checked_text(path, name, annotations)
    if characters is None and annotations:
        notes.count(
            "positions-are-characters",
            "documents without their text (.txt) beside them, so that positions could not be "
            "checked",
        )
    if clusters == TYPES:
        entity_of: dict[str, Hashable] = _numbered_types(
            {key: x.type for key, (x, _) in annotations.items()}, notes
        )
    elif not annotations and not links:
        entity_of = {}
        notes.count("mentions-interpreted", "files without annotations, read as no mentions")
    else:
        chosen = _chosen(path, name, links, clusters, notes)
        joined = [ids for line, ids in chosen if _all_there(path, name, line, ids, annotations)]
        entity_of = {**linked(annotations, joined)}
        linked_ids = set(chain.from_iterable(joined))
        if alone := len(annotations) - len(linked_ids):
            notes.count(
                "mentions-interpreted",
                "annotations in no link of coreference, taken as entities of one mention",
                alone,
            )
    notes.tell("positions-are-characters", "positions are characters of the text")
    notes.count("documents-named", "documents named after their file")
    mentions = [
        Mention(
            annotation.positions,
            entity,
            annotation.line,
            attributes={} if clusters == TYPES else {"type": annotation.type},
        )
        for (annotation, _), entity in ((annotations[x], y) for x, y in entity_of.items())
    ]
    yield document_of(name, mentions, None, named=False, characters=characters)


_Annotations = dict[str, tuple[_Annotation, str | None]]
_Links = dict[str, list[tuple[int, list[str]]]]


def _annotations_and_links(path: Path, name: str, notes: Notes) -> tuple[_Annotations, _Links]:
    """Return annotations by id, with their texts, and links by their kinds."""
    annotations: _Annotations = {}
    links: _Links = {}
    for line, data in numbered_lines(path):
        text = text_of(data, path, line, name).rstrip("\r\n")
        if not text.strip():
            continue
        if match := _MENTION.match(text):
            if match[1] in annotations:
                raise fault(
                    path, line, name, f"the id {match[1]} stands twice; give it another"
                )
            positions = _positions(path, line, name, match[3])
            annotations[match[1]] = _Annotation(match[2], positions, line), match[4]
        elif match := _RELATION.match(text):
            links.setdefault(match[2], []).append((line, [match[3], match[4]]))
        elif match := _EQUIVALENCE.match(text):
            links.setdefault(f"*{match[1]}", []).append((line, match[2].split()))
        elif text[0] in _OTHERS and "\t" in text:
            notes.count("not-scored", f"{_OTHERS[text[0]]} of brat, not read")
        else:
            raise fault(
                *(path, line, name),
                f"{text[:60]!r} is no line of brat's; expected are 'T1<tab>Type 0 4<tab>text', "
                "'R1<tab>Type Arg1:T1 Arg2:T2' and '*<tab>Type T1 T2'",
            )
    return annotations, links


def _positions(path: Path, line: int, name: str, spans: str) -> list[int] | range:
    pairs = []
    for span in spans.split(";"):
        first, end = (position_of(path, line, name, digits) for digits in span.split())
        pairs.append((first, end))
    for first, end in pairs:
        if end <= first:
            raise fault(
                path, line, name, f"the span from {first} to {end} is empty; ends are exclusive"
            )
    if len(pairs) == 1:
        return range(*pairs[0])
    if sum(end - first for first, end in pairs) > _CHARACTERS:
        raise fault(
            path,
            line,
            name,
            f"an annotation in pieces has more than {_CHARACTERS} characters; correct its ends",
        )
    return sorted(set(chain.from_iterable(range(*pair) for pair in pairs)))


def _checked_text(path: Path, name: str, annotations: _Annotations) -> int | None:
    """Return the length of the text beside the file; None where there is none.

    Raises
    ------
    ValueError
        It has other words than an annotation, or ends before it.
    """
    beside = path.with_name(re.sub(r"\.ann\b.*\Z", "", path.name) + ".txt")
    if beside == path or not beside.is_file():
        return None
    with opened(beside) as file:
        text = text_of(file.read().removeprefix(b"\xef\xbb\xbf"), beside, 1)
    for key, (annotation, written) in annotations.items():
        positions = annotation.positions
        if positions[-1] >= len(text):
            raise fault(
                *(path, annotation.line, name),
                f"{key} ends at character {positions[-1] + 1}; the text in {beside.name} has "
                f"{len(text)}",
            )
        own = "".join(text[at] for at in positions)
        if written is not None and _letters(own) != _letters(written):
            raise fault(
                *(path, annotation.line, name),
                f"{key} is {own[:60]!r} in {beside.name} and {written[:60]!r} here; the two "
                "files do not belong together, or positions count something else (bytes, line "
                "ends of two characters)",
            )
    return len(text)


def _letters(text: str) -> str:
    """Return a text without blanks: brat writes those of line ends and gaps in several ways."""
    return "".join(text.split())


def _numbered_types(types: dict[str, str], notes: Notes) -> dict[str, Hashable]:
    """Return the types that are entities: where some end in a number, as in LitBank, these."""
    entities: dict[str, Hashable] = {
        key: type for key, type in types.items() if _NUMBERED.match(type)
    }
    if not entities:
        return {**types}
    if others := len(types) - len(entities):
        notes.count(
            "not-scored",
            "annotations whose type does not end in a number as those of entities do, left out",
            others,
        )
    return entities


def _chosen(
    path: Path, name: str, links: _Links, clusters: str, notes: Notes
) -> list[tuple[int, list[str]]]:
    """Return the links of coreference, each with its line."""
    if clusters != "auto":
        notes.look_for("relation", clusters, (kind.removeprefix("*") for kind in links))
        named = [*links.get(clusters, []), *links.get(f"*{clusters}", [])]
        if not named:
            notes.count("option-unused", f"documents without a relation called {clusters!r}")
        return named
    equivalences = [kind for kind in links if kind[0] == "*"]
    relations = [kind for kind in links if kind[0] != "*"]
    fitting = [kind for kind in relations if _OF_COREFERENCE.search(kind)]
    if len(fitting) > 1 or not (fitting or equivalences):
        kinds = ", ".join(
            f"{kind} ({count})"
            for kind, count in Counter({x: len(links[x]) for x in fitting or relations}).items()
        )
        what = (
            f"the relations {kinds} may all be of coreference"
            if fitting
            else f"no relation is called as one of coreference (there are: {kinds or 'none'})"
        )
        raise fault(
            *(path, None, name),
            f'{what}; name the one that links mentions of one entity with clusters="NAME", or '
            f'say clusters="{TYPES}" where the type of an annotation is its entity',
        )
    taken = [*equivalences, *fitting]
    shown = " and ".join(kind.replace("*", "equivalences ") for kind in taken)
    notes.tell("field-taken", f"entities are what {shown} link")
    if left := sum(len(links[kind]) for kind in links if kind not in taken):
        notes.count("not-scored", "relations that are none of coreference, not read", left)
    return list(chain.from_iterable(links[kind] for kind in taken))


def _all_there(
    path: Path, name: str, line: int, ids: list[str], annotations: _Annotations
) -> bool:
    """Raise ValueError for a link to an annotation that is not in the file."""
    for key in ids:
        if key not in annotations:
            what = "is an event" if key[0] == "E" else "is not in the file"
            raise fault(
                path, line, name, f"a link to {key}, which {what}; link annotations (T...)"
            )
    return True
