"""MMAX: words in one file, markables of each level in another (ARRAU, COREA and others)."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.annotations.mentions import (
    Mention,
    column,
    document_of,
    linked,
)
from partwise.coreference.formats.annotations.xml_files import Element, root_of
from partwise.coreference.formats.files import Notes, fault

WORDS_FILE = re.compile(r"(.+)[_.]words\.xml\Z", re.I)
#: The level that is meant where none is named and several have sets.
USUAL_LEVEL = "coref"

_LEVEL_FILE = re.compile(r"_(.+)_level\.xml\Z", re.I)
_FOLDERS = ("Basedata", "basedata", "words", "Words", "..")
_FOLDERS_OF_LEVELS = ("markables", "Markables", "Markable", "markable", "..")
_SET = re.compile(r"set_\S+\Z")
_POINTER = re.compile(r"(?:\w+:)?markable_\w+(?:[;,](?:\w+:)?markable_\w+)*\Z")
#: Attributes that are read; ``mmax_level`` names the level, which is the file's.
_READ = ("id", "span", "min_ids", "reference", "mmax_level")
_NO_SET = ("", "empty", "none")
#: What some tools write for no set, others for the first one: a set where markables share it.
_FIRST_SET = "set_0"
_NON_REFERRING = ("non_referring", "nonreferring", "non-referring")


def read_mmax(
    path: Path, notes: Notes, *, clusters: str = "auto", entity: str = "auto"
) -> Iterator[Document]:
    """Yield the document of a project (.mmax) or of its file of words, named after the file.

    Files of levels are ``NAME_LEVEL_level.xml`` beside the words or in a folder called
    markables. A span is a list of words and ranges: ``word_1..word_3,word_5``.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : str, default "auto"
        The level; by default "coref", or the only one with sets.
    entity : str, default "auto"
        The attribute that holds the entity: sets (``set_4``), or markables that each points to.
        By default the only one whose values are sets.

    Notes
    -----
    Markables whose ``reference`` is ``non_referring`` are left out and counted; those without a
    set are entities of one mention; ``empty``, ``none`` and a ``set_0`` of one markable are no
    set. ``min_ids`` is the minimum span.

    Raises
    ------
    ValueError
        Files that lack, levels or attributes of which several may be meant, words that do not
        stand; with file and line.
    """
    words_path, name = _words_file(path)
    words: list[str] = []
    word_at: dict[str, int] = {}
    for word in root_of(words_path).every("word"):
        key = word.attributes.get("id", "")
        if not key or key in word_at:
            what = f"the id {key} stands twice" if key else "<word> without id"
            raise fault(words_path, word.line, name, what)
        word_at[key] = len(words)
        words.append(word.text)
    levels = _levels(words_path, name)
    level_path, level = _chosen_level(path, name, levels, clusters)
    markables = [*root_of(level_path).every("markable")]
    project = _Project(level_path, name, word_at)
    attribute = _attribute_of_entities(project, markables, entity)
    notes.tell("field-taken", f"entities are the {attribute} of the level {level!r}")
    notes.count("documents-named", "documents named after their file")
    kept = []
    for markable in markables:
        if markable.attributes.get("reference", "").lower() in _NON_REFERRING:
            notes.count("not-scored", "markables that do not refer, left out")
        else:
            kept.append(markable)
    entities, alone = _entities(project, kept, attribute)
    if alone:
        notes.count(
            "mentions-interpreted", f"markables without {attribute}, entities of one", alone
        )
    mentions = [
        Mention(
            project.positions(markable, "span"),
            entities[markable.attributes["id"]],
            markable.line,
            project.minimum(markable),
            _details(markable, attribute),
        )
        for markable in kept
    ]
    sentence = _sentences(name, levels, word_at, len(words))
    yield document_of(name, mentions, Tokens(words, column(sentence)), named=False)


def _details(markable: Element, attribute: str) -> dict[str, str]:
    """Return the attributes of a markable that are not read as something else."""
    read = (*_READ, attribute)
    return {key: value for key, value in markable.attributes.items() if key not in read}


@dataclass(frozen=True, slots=True)
class _Project:
    """What positions of markables are read with."""

    path: Path
    name: str
    word_at: dict[str, int]

    def positions(self, markable: Element, attribute: str) -> list[int]:
        """Return the words of a markable, ascending."""
        value = markable.attributes.get(attribute, "")
        inside: set[int] = set()
        for part in re.split(r"[,;\s]+", value.strip()):
            ends = [self._word(markable, attribute, x) for x in part.split("..")]
            if len(ends) > 2 or ends[-1] < ends[0]:
                raise fault(
                    *(self.path, markable.line, self.name),
                    f"{attribute}={value!r} is no list of words and ranges word_1..word_3",
                )
            inside.update(range(ends[0], ends[-1] + 1))
        return sorted(inside)

    def _word(self, markable: Element, attribute: str, key: str) -> int:
        # the second end of a range may be a bare number
        at = self.word_at.get(key, self.word_at.get(f"word_{key}"))
        if at is None:
            raise fault(
                *(self.path, markable.line, self.name),
                f"{attribute}={markable.attributes.get(attribute, '')!r}: there is no word "
                f"{key!r}",
            )
        return at

    def minimum(self, markable: Element) -> tuple[int, int] | None:
        """Return the first and last word of the minimum span, None where there is none."""
        if not markable.attributes.get("min_ids", "").strip():
            return None
        inside = self.positions(markable, "min_ids")
        return inside[0], inside[-1]


def _words_file(path: Path) -> tuple[Path, str]:
    """Return the file of words, and what the document is called."""
    if match := WORDS_FILE.match(path.name):
        return path, match[1]
    stem = path.name.partition(".mmax")[0].partition(".MMAX")[0]
    stated = next(root_of(path).every("words"), None)
    file = f"{stem}_words.xml" if stated is None or not stated.text else stated.text
    for folder in (".", *_FOLDERS):
        if (words := path.parent / folder / file).is_file():
            match = WORDS_FILE.match(file)
            return words, match[1] if match else stem
    raise fault(
        *(path, None, stem),
        f"its file of words, {file}, is neither beside it nor in a folder Basedata",
    )


def _levels(words: Path, name: str) -> dict[str, Path]:
    """Return the files of levels of a document, by the name of the level."""
    levels: dict[str, Path] = {}
    for folder in (words.parent, words.parent.parent):
        for inner in (".", *_FOLDERS_OF_LEVELS):
            if not (folder / inner).is_dir():
                continue
            for file in sorted((folder / inner).iterdir()):
                match = _LEVEL_FILE.match(file.name.removeprefix(name))
                if file.name.startswith(name) and match:
                    levels.setdefault(match[1], file)
    return levels


def _chosen_level(
    path: Path, name: str, levels: dict[str, Path], clusters: str
) -> tuple[Path, str]:
    shown = ", ".join(levels) or "none"
    if clusters != "auto":
        if clusters not in levels:
            raise fault(path, None, name, f"no level {clusters!r}; its levels are: {shown}")
        return levels[clusters], clusters
    if USUAL_LEVEL in levels:
        return levels[USUAL_LEVEL], USUAL_LEVEL
    with_sets = [
        level
        for level, file in levels.items()
        if any(
            map(
                _SET.match, chain.from_iterable(x.attributes.values() for x in _markables(file))
            )
        )
    ]
    if len(with_sets) == 1:
        return levels[with_sets[0]], with_sets[0]
    what = f"levels with sets: {', '.join(with_sets)}" if with_sets else "no level with sets"
    raise fault(
        *(path, None, name),
        f"{what} (its levels: {shown}); name the one of coreference with clusters=...",
    )


def _markables(file: Path) -> Iterator[Element]:
    return root_of(file).every("markable")


def _attribute_of_entities(project: _Project, markables: Sequence[Element], entity: str) -> str:
    """Return the attribute that holds the entities."""
    names = dict.fromkeys(chain.from_iterable(x.attributes for x in markables))
    if entity != "auto":
        if entity not in names:
            raise fault(
                *(project.path, None, project.name),
                f"no markable has an attribute {entity!r}; there are: {', '.join(names)}",
            )
        return entity
    fitting = [
        name for name in names if any(_SET.match(x.attributes.get(name, "")) for x in markables)
    ]
    if len(fitting) == 1:
        return fitting[0]
    what = f"the sets {', '.join(fitting)} may all be meant" if fitting else "no sets (set_1)"
    raise fault(
        *(project.path, None, project.name),
        f"{what}; name the attribute of entities with entity=... (there are: "
        f"{', '.join(names)})",
    )


def _entities(
    project: _Project, markables: Sequence[Element], attribute: str
) -> tuple[dict[str, Hashable], int]:
    """Return the entity of each markable by its id, and how many have none."""
    ids: dict[str, Element] = {}
    for markable in markables:
        key = markable.attributes.get("id", "")
        if not key or key in ids:
            what = f"the id {key} stands twice" if key else "<markable> without id"
            raise fault(project.path, markable.line, project.name, what)
        ids[key] = markable
    values = {key: x.attributes.get(attribute, "").strip() for key, x in ids.items()}
    shared = sum(value.lower() == _FIRST_SET for value in values.values()) > 1
    no_set = _NO_SET if shared else (*_NO_SET, _FIRST_SET)
    own = {key: value for key, value in values.items() if value.lower() not in no_set}
    if own and all(map(_POINTER.match, own.values())):
        pointed = {
            key: [x.rpartition(":")[2] for x in re.split("[;,]", value)]
            for key, value in own.items()
        }
        for key, others in pointed.items():
            if lacking := next((x for x in others if x not in ids), None):
                raise fault(
                    *(project.path, ids[key].line, project.name),
                    f"{attribute} points to {lacking}, which is no markable of this level that "
                    "refers",
                )
        joined = [[key, *others] for key, others in pointed.items()]
        alone = len(ids) - len(set(chain.from_iterable(joined)))
        return {**linked(ids, joined)}, alone
    entity_of: dict[str, Hashable] = {x: own.get(x, f"{x} alone") for x in ids}
    return entity_of, len(ids) - len(own)


def _sentences(
    name: str, levels: dict[str, Path], word_at: dict[str, int], n: int
) -> list[int]:
    """Return the sentence of each word; one sentence where no level has sentences."""
    file = levels.get("sentence")
    if file is None:
        return [0] * n
    project = _Project(file, name, word_at)
    begins = {project.positions(x, "span")[0] for x in _markables(file)}
    number, sentence = 0, []
    for at in range(n):
        number += at in begins and at > 0
        sentence.append(number)
    return sentence
