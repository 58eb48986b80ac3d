"""Which document of the response is which of the key, where formats name them differently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from partwise.coreference.documents.columns import (
    ChosenDocuments,
    chosen_documents,
    names_of,
)
from partwise.coreference.documents.documents import Documents, columns_in
from partwise.coreference.documents.topics import Alike, Topics, topics_of
from partwise.labels.notes import Note
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

MissingDocuments = Literal["error", "empty", "ignore"]
DOCUMENTS: tuple[str, ...] = get_args(MissingDocuments)

_PART = re.compile(r"\(?(.*?)\)?;\s*part\s*([0-9]+)\s*\Z")
_PARENTHESES = re.compile(r"\((.*)\)\s*;?\s*\Z")
_NUMBERED = re.compile(r"(.+)_([0-9]+)\Z")
_ENDINGS = re.compile(
    r"(\.([a-z0-9_]*conll[a-z0-9_]*|jsonl|jsonlines|json|xml|txt|csv|tsv|ann))+\Z", re.I
)

#: Folders of data sets that were split: a document of one is none of another.
_SPLITS = frozenset(
    {"train", "training", "dev", "devel", "development", "val", "valid", "validation", "test"}
)

_NO_PART = -1

#: A document's name as formats understand it: stem, and part.
_Form = tuple[str, int]
_Forms = Callable[["_Label"], Iterable[_Form]]


@dataclass(frozen=True, slots=True)
class PairedDocuments:
    """The documents to score, one of each side for one, in the key's order.

    Attributes
    ----------
    key, response : ChosenDocuments
        Those of the response have the key's names.
    positions : (int64 array, int64 array)
        Where each document stands on its side, -1 for one that the side lacks.
    lacking, beyond : tuple of str
        Names in the key alone, and in the response alone.
    notes : list of Note
        On documents paired though their names differ, and on topics.
    topics : Topics or None
        Where these are asked for; documents then stand topic by topic.
    """

    key: ChosenDocuments
    response: ChosenDocuments
    positions: tuple[IntArray, IntArray]
    lacking: tuple[str, ...]
    beyond: tuple[str, ...]
    notes: list[Note]
    topics: Topics | None


def paired_documents(
    key: Documents, response: Documents, missing: str, extra: str, topics: Any = None
) -> PairedDocuments:
    """Return the documents to score, under the policies for those on one side only.

    With ``topics`` (see ``topics_of``) documents of one topic stand together.
    """
    one_of(missing, DOCUMENTS, "missing_documents")
    one_of(extra, DOCUMENTS, "extra_documents")
    of_key, of_response = _by_name(key, "key"), _by_name(response, "response")
    renamed, notes = _renamed(key, response, of_key, of_response)
    if renamed:
        of_response = {renamed.get(name, name): at for name, at in of_response.items()}
    lacking = tuple(name for name in of_key if name not in of_response)
    beyond = tuple(name for name in of_response if name not in of_key)
    for absent, others, policy, option, what in (
        (lacking, beyond, missing, "missing_documents", "the response lacks"),
        (beyond, lacking, extra, "extra_documents", "the key lacks"),
    ):
        if absent and policy == "error":
            more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
            there = f" (it has {others[0]!r}, which the other side lacks)" if others else ""
            raise ValueError(
                f'{what} document {absent[0]!r}{more}{there}; pass {option}="empty" to score '
                f'it as without mentions there, {option}="ignore" to leave it out'
                + how_named(key, response)
            )
    names = [name for name in of_key if name in of_response or missing == "empty"]
    if extra == "empty":
        names += beyond
    if not names and (lacking or beyond):
        raise ValueError(
            "no document is left to score: none is on both sides "
            f"(key: {', '.join(map(repr, lacking[:3])) or 'none'}; "
            f"response: {', '.join(map(repr, beyond[:3])) or 'none'}) and the rest is left out "
            'by missing_documents="ignore" and extra_documents="ignore"'
        )
    grouped = None
    if topics is not None:
        grouped = topics_of(topics, names, _topic_names(key, response, renamed))
        names, notes = grouped.documents, [*notes, *([grouped.note] if names else [])]
    rows, response_rows = (_positions(x, names) for x in (of_key, of_response))
    return PairedDocuments(
        key=chosen_documents(key, response, rows, response_rows, names, "key"),
        response=chosen_documents(response, key, response_rows, rows, names, "response"),
        positions=(rows, response_rows),
        lacking=lacking,
        beyond=beyond,
        notes=notes,
        topics=grouped,
    )


def _positions(by_name: dict[str, int], names: list[str]) -> IntArray:
    """Return the position of each name, -1 for one that is not there."""
    if list(by_name) == names:
        return np.arange(len(names))
    return np.array([by_name.get(name, -1) for name in names], dtype=np.int64)


def how_named(*sides: Documents) -> str:
    """Return how documents were named whose files do not, for the end of a sentence."""
    return "".join(
        f"; {documents.path}: {note.text}"
        for documents in sides
        if any(note.code == "documents-named" for note in documents.notes)
        for note in documents.notes
        if note.code in ("documents-named", "columns-unused")
    )


def _by_name(documents: Documents, side: str) -> dict[str, int]:
    """Return the position of each document by its name."""
    names = names_of(documents)
    positions = {name: at for at, name in enumerate(names)}
    if len(positions) < len(names):
        first = dict(zip(reversed(names), range(len(names) - 1, -1, -1), strict=True))
        double = next(name for at, name in enumerate(names) if first[name] != at)
        raise ValueError(
            f"{documents.path or side}: document {double!r} stands twice in the "
            f'{side}; pass double_documents="first" or "last" to keep one of each, '
            'double_documents="merge" to score their mentions as one document\'s'
        )
    return positions


class _Label(NamedTuple):
    """What a document is called."""

    name: str
    named: bool
    other_names: tuple[str, ...]


def _labels(documents: Documents) -> list[_Label]:
    columns = columns_in(documents)
    if columns is None:
        return [_Label(x.name, x.named, x.other_names) for x in documents]
    others = columns.other_names
    return [
        _Label(name, named, others.get(at, ()))
        for at, (name, named) in enumerate(
            zip(columns.side.names, columns.named.tolist(), strict=True)
        )
    ]


def _renamed(
    key: Documents,
    response: Documents,
    of_key: dict[str, int],
    of_response: dict[str, int],
) -> tuple[dict[str, str], list[Note]]:
    """Return {name in the response: name in the key} of documents whose names differ.

    Equal names come first. Of the rest, two documents are one if their names say the same in
    the words of their formats, and no other document of either side fits: "(x); part 000" of
    CoNLL-2012, "x_0" of JSON lines, "x", the name of a file; then without the folder that all
    of a side share, or without any where one side has none. Parts of other numbers are never
    one document. Last, a document without a name of its own that is the only one of its side
    is the only one of the other side.
    """
    if of_key.keys() >= of_response.keys() or of_key.keys() <= of_response.keys():
        return {}, []
    sides = [_labels(key), _labels(response)]
    renamed = _said_alike(sides)
    alone = not renamed and [len(documents) for documents in sides] == [1, 1]
    if alone and not all(document.named for (document,) in sides):
        renamed[sides[1][0].name] = sides[0][0].name
    if not renamed:
        return renamed, []
    theirs, ours = next(iter(renamed.items()))
    more = f" ({len(renamed)} documents were paired so)" if len(renamed) > 1 else ""
    text = f"document {ours!r} of the key is taken to be {theirs!r} of the response{more}"
    return renamed, [Note("documents-paired", text)]


def _topic_names(key: Documents, response: Documents, renamed: Mapping[str, str]) -> Alike:
    """Return how names of documents are found among those of a list of topics.

    A document of both sides may be called there as either side calls it.
    """
    called = {label.name: label for label in _labels(response)}
    called = {renamed.get(name, name): label for name, label in called.items()}
    own = {label.name: label for label in _labels(key)}

    def alike(documents: Sequence[str], others: Sequence[str]) -> dict[str, str]:
        labels = []
        for name in documents:
            sides = [labels_of[name] for labels_of in (own, called) if name in labels_of]
            more = dict.fromkeys(x for label in sides for x in (label.name, *label.other_names))
            labels.append(_Label(name, True, tuple(more)))
        listed = [_Label(name, True, ()) for name in others]
        return {theirs: ours for ours, theirs in _said_alike([labels, listed]).items()}

    return alike


def _said_alike(sides: Sequence[Sequence[_Label]]) -> dict[str, str]:
    """Return {name on the second side: name on the first} of other names that say the same."""
    names = [{document.name for document in side} for side in sides]
    rest = [
        [document for document in side if document.name not in others]
        for side, others in zip(sides, reversed(names), strict=True)
    ]
    renamed: dict[str, str] = {}
    for forms, same_part in _ways(sides):
        lone = None if same_part else _stems_of_one_part(sides, forms)
        renamed |= _unique_pairs(rest, forms, lone)
        taken = set(renamed.values())
        rest = [
            [document for document in rest[0] if document.name not in taken],
            [document for document in rest[1] if document.name not in renamed],
        ]
    return renamed


def _ways(sides: Sequence[Sequence[_Label]]) -> Iterator[tuple[list[_Forms], bool]]:
    """Yield how names may say the same: their forms on each side, whether with the part."""
    yield [_other_names, _other_names], True
    yield [_parts, _parts], True
    yield [_parts, _parts], False
    folders = [[_folders_of(document) for document in side] for side in sides]
    ways = [[partial(_parts_below, depth=_shared_folders(side)) for side in folders]]
    if not all(map(any, folders)):
        deepest = max(len(path) for side in folders for path in side)
        ways.append([partial(_parts_below, depth=deepest)] * 2)
    for forms in ways:
        yield [*forms], True
        yield [*forms], False


def _stems_of_one_part(sides: Sequence[Sequence[_Label]], forms: Sequence[_Forms]) -> set[str]:
    """Return the stems of which no two documents of either side name different parts."""
    parts: dict[str, set[int]] = {}
    for side, forms_of in zip(sides, forms, strict=True):
        for document in side:
            for stem, part in forms_of(document):
                parts.setdefault(stem, set()).update({part} - {_NO_PART})
    return {stem for stem, numbers in parts.items() if len(numbers) <= 1}


def _unique_pairs(
    sides: Sequence[Sequence[_Label]], forms: Sequence[_Forms], lone_stems: set[str] | None
) -> dict[str, str]:
    """Return {response: key} of documents with a form in common that no other one has.

    With ``lone_stems``, a name without a part is that of the only part of such a stem.
    """
    holders: list[dict[_Form, list[str]]] = [{}, {}]
    for by_form, documents, forms_of in zip(holders, sides, forms, strict=True):
        for document in documents:
            for form in dict.fromkeys(forms_of(document)):
                if lone_stems is None:
                    by_form.setdefault(form, []).append(document.name)
                elif form[0] in lone_stems:
                    by_form.setdefault((form[0], _NO_PART), []).append(document.name)
    pairs = {
        (theirs, ours)
        for form, names in holders[0].items()
        for theirs in holders[1].get(form, ())
        for ours in names
    }
    of_theirs = Counter(theirs for theirs, _ in pairs)
    of_ours = Counter(ours for _, ours in pairs)
    return {
        theirs: ours
        for theirs, ours in sorted(pairs)
        if of_theirs[theirs] == of_ours[ours] == 1 and not _of_other_splits(theirs, ours)
    }


def _of_other_splits(*names: str) -> bool:
    """Return whether names stand in the folders of two splits, as train/x and test/x do."""
    splits = [_SPLITS.intersection(name.casefold().split("/")[:-1]) for name in names]
    return all(splits) and splits[0] != splits[1]


def _other_names(document: _Label) -> list[_Form]:
    return [(name.strip(), _NO_PART) for name in (document.name, *document.other_names)]


def _parts(document: _Label) -> list[_Form]:
    """Return stem and part, as far as the name may say them."""
    name = document.name
    if match := _PART.match(name):
        return [(match[1], int(match[2]))]
    if match := _PARENTHESES.match(name):
        return [(match[1], _NO_PART)]
    if match := _NUMBERED.match(name):
        return [(name, _NO_PART), (match[1], int(match[2]))]
    return [(name, _NO_PART)]


def _folders_of(document: _Label) -> tuple[str, ...]:
    """Return the folders in the name of a document."""
    return tuple(_parts(document)[0][0].split("/")[:-1])


def _shared_folders(paths: Sequence[tuple[str, ...]]) -> int:
    """Return how many leading folders all paths have in common."""
    return sum(
        1 for _ in takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    )


def _parts_below(document: _Label, depth: int) -> list[_Form]:
    """Return stem and part without the first folders and without the endings of files."""
    forms = []
    for stem, part in _parts(document):
        *folders, name = stem.split("/")
        bare = "/".join([*folders[depth:], _ENDINGS.sub("", name)])
        forms.append((bare, part))
        if part == _NO_PART and bare != stem:
            forms += _parts(document._replace(name=bare))
    return forms
