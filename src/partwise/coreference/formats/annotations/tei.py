"""TEI: mentions as elements within a text, their entity in an attribute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.annotations.mentions import Mention, column, document_of
from partwise.coreference.formats.annotations.xml_files import Element, root_of
from partwise.coreference.formats.files import Notes, fault, stem_of

#: Elements that are mentions of an entity.
MENTIONS = frozenset(
    {
        *("rs", "name", "persName", "placeName", "orgName", "geogName", "objectName"),
        *("settlement", "country", "region", "district", "geogFeat", "eventName"),
    }
)
#: Attributes that may hold the entity.
ENTITIES = ("ref", "key", "corresp", "sameAs", "ana")
#: In which of these blanks part the pointers of a list, of several entities.
_LISTS_OF_POINTERS = ("ref", "corresp", "ana")

_WORDS = ("w", "pc")
_SENTENCES = ("s", "p", "head", "l", "ab")
_STANDOFF = ("span", "link", "linkGrp", "spanGrp")
#: Text within these is no part of the text: remarks of editors.
_LEFT_OUT = frozenset({"note", "fw", "del", "figDesc", "teiHeader", "spanGrp", "standOff"})


def read_tei(path: Path, notes: Notes, *, clusters: str = "auto") -> Iterator[Document]:
    """Yield the documents of a file: each ``<TEI>`` in it, by its ``xml:id``.

    Mentions are elements such as ``<rs>``, ``<persName>``, ``<placeName>`` and ``<name>`` in
    ``<text>``, their entity is in ``ref``, ``key`` or ``corresp``. Where the text has words
    (``<w>``, ``<pc>``) these are the tokens, else positions are characters of the text, every
    run of blanks counted as one.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : str, default "auto"
        The attribute with the entity, by default the only one of ``ref``, ``key``, ``corresp``,
        ``sameAs`` and ``ana`` that elements of mentions have.

    Notes
    -----
    A mention with several pointers (``ref="#ann #bo"``, in any order) is of an entity of its
    own that is made of these: split antecedents, for ``split_antecedent_scores``.

    Raises
    ------
    ValueError
        No XML, no text, several attributes that may be meant, mentions without a word; with
        file and line.
    """
    root = root_of(path)
    texts = [root] if root.name == "TEI" else [*root.every("TEI")]
    if not texts:
        raise fault(path, root.line, None, f"<{root.name}> and no <TEI> in it")
    attribute = clusters
    if clusters == "auto":
        attribute = _attribute(path, texts)
    else:
        there = chain.from_iterable(x.attributes for x in _elements_of_mentions(texts))
        notes.look_for("attribute", clusters, there)
    notes.tell("field-taken", f"entities are the {attribute} of elements of mentions")
    for number, tei in enumerate(texts, 1):
        named = "id" in tei.attributes
        alone = stem_of(path) if len(texts) == 1 else f"{stem_of(path)} {number}"
        name = tei.attributes.get("id", alone)
        if not named:
            notes.count("documents-named", "documents without xml:id, named after their file")
        body = next((x for x in tei.elements if x.name == "text"), None)
        if body is None:
            raise fault(path, tei.line, name, "no <text> in <TEI>")
        of_words = any(body.every(*_WORDS))
        text = _Text(path, name, attribute, of_words)
        text.read(body)
        if not of_words:
            notes.tell("positions-are-characters", "positions are characters of the text")
        if text.without_entity:
            notes.count(
                "mentions-interpreted",
                f"mentions without {attribute}, entities of one",
                text.without_entity,
            )
        if standoff := sum(1 for _ in tei.every(*_STANDOFF)):
            notes.count("not-scored", "<span> and <link> of TEI, not read", standoff)
        tokens = Tokens(text.words, column(text.sentence)) if of_words else None
        document = document_of(name, text.mentions, tokens, named=named, other_names=(alone,))
        yield replace(document, antecedents=text.antecedents(document, notes))


def _attribute(path: Path, texts: list[Element]) -> str:
    """Return the attribute of mentions that holds the entity."""
    counts = dict.fromkeys(ENTITIES, 0)
    for element in _elements_of_mentions(texts):
        for name in ENTITIES:
            counts[name] += name in element.attributes
    used = [name for name, count in counts.items() if count]
    if len(used) == 1:
        return used[0]
    if not used:
        raise fault(
            *(path, None, None),
            f"no mention ({', '.join(sorted(MENTIONS))}) in its text has an entity "
            f"({', '.join(ENTITIES)}); name another attribute with clusters=...",
        )
    shown = ", ".join(f"{name} ({counts[name]})" for name in used)
    raise fault(
        *(path, None, None),
        f"entities may be in the attributes {shown}; say which with clusters=...",
    )


def _elements_of_mentions(texts: list[Element]) -> Iterator[Element]:
    for tei in texts:
        for body in (x for x in tei.elements if x.name == "text"):
            yield from body.every(*MENTIONS, outside=_LEFT_OUT)


def _pointers(attribute: str, value: str) -> frozenset[str]:
    """Return the pointers of an attribute that may list several, none if it holds a name."""
    parts = frozenset(value.split()) if attribute in _LISTS_OF_POINTERS else frozenset()
    return parts if all("#" in part or ":" in part for part in parts) else frozenset()


@dataclass(slots=True)
class _Text:
    """The text of a document while it is read."""

    path: Path
    name: str
    attribute: str
    of_words: bool
    words: list[str] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    without_entity: int = 0
    # entities of mentions with several pointers, by these pointers
    made_of: dict[frozenset[str], str] = field(default_factory=dict)
    _sentences: int = 0
    _characters: list[str] = field(default_factory=list)

    @property
    def _end(self) -> int:
        return len(self.words) if self.of_words else len(self._characters)

    def read(self, element: Element) -> None:
        """Read what is in an element, mentions in the order in which they begin."""
        # an element stands here twice: when it begins, and with its mention when it ends
        waiting: list[Element | str | tuple[Element, int, int]] = [element]
        slots: list[Mention | None] = []
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                self._add_characters(part)
            elif isinstance(part, tuple):
                slots[part[2]] = self._mention(part[0], part[1])
            elif part.name in _LEFT_OUT:
                continue
            elif part.name in _WORDS:
                self.words.append(part.text)
                self.sentence.append(self._sentences)
            else:
                if part.name in _SENTENCES and self.sentence[-1:] == [self._sentences]:
                    self._sentences += 1
                if part.name in MENTIONS:
                    waiting.append((part, self._end, len(slots)))
                    slots.append(None)
                waiting += part.content[::-1]
        self.mentions = [x for x in slots if x is not None]

    def _add_characters(self, text: str) -> None:
        if self.of_words:
            return
        for character in text:
            if not character.isspace():
                self._characters.append(character)
            elif self._characters[-1:] not in ([], [" "]):
                self._characters.append(" ")

    def _mention(self, element: Element, start: int) -> Mention:
        end = self._end
        if not self.of_words:  # blanks at its ends are none of the mention
            inside = "".join(self._characters[start:end])
            start += len(inside) - len(inside.lstrip())
            end -= len(inside) - len(inside.rstrip())
        if end <= start:
            raise fault(
                *(self.path, element.line, self.name),
                f"<{element.name}> has no word in it; a mention has one",
            )
        entity = element.attributes.get(self.attribute, "").strip()
        if not entity:
            self.without_entity += 1
            entity = f"line {element.line} {start} {end}"
        elif len(pointers := _pointers(self.attribute, entity)) > 1:
            entity = self.made_of.setdefault(pointers, " ".join(entity.split()))
        details = {"type": element.name}
        return Mention(range(start, end), entity, element.line, attributes=details)

    def antecedents(self, document: Document, notes: Notes) -> dict[int, tuple[int, ...]]:
        """Return split antecedents by positions of entities, those that have mentions."""
        codes = {str(name): at for at, name in enumerate(document.entity_names)}
        sizes = Counter(document.entity.tolist())
        antecedents = {}
        for pointers, name in self.made_of.items():
            inside = tuple(sorted(codes[x] for x in pointers if x in codes))
            if inside:
                antecedents[codes[name]] = inside
            notes.count(
                "mentions-interpreted",
                f"mentions with several pointers in {self.attribute}, of an entity made of "
                "these (split antecedents)",
                sizes[codes[name]],
                first=f"{self._where(document, codes[name])}, {name!r}",
            )
            if missing := len(pointers) - len(inside):
                what = "split antecedents of entities without mentions, left out"
                lacking = next(x for x in name.split() if x not in codes)
                first = f"{self._where(document, codes[name])}, {lacking!r}"
                notes.count("not-scored", what, missing, first=first)
        return antecedents

    def _where(self, document: Document, entity: int) -> str:
        """Return the document and line of the first mention of an entity."""
        at = document.entity.tolist().index(entity)
        return f"document {self.name!r}, line {self.mentions[at].line}"
