"""Documents as a text and a file of annotations beside it: brat, LitBank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

from partwise.coreference.documents.documents import Document, Tokens
from partwise.coreference.formats.writing.characters import text_of_words
from partwise.coreference.formats.writing.plain import (
    PART,
    are_numbers_from_0,
    plain_spans_of,
    sentences_of,
    words_for,
)
from partwise.coreference.formats.writing.tokens import Losses, members_of
from partwise.labels.files.compressed import OPENERS
from partwise.report.whole_files import write_whole_folder, write_whole_text

#: A text, and the lines of annotations.
Written = tuple[str, list[str]]

_BLANKS = re.compile(r"\s+")
_TYPE = re.compile(r"[^\s:;|]+\Z")
_NAME_OF_LITBANK = re.compile(r"[^\s][^\t\r\n]*\Z")
_OF_NO_FILE_NAME = re.compile(r"[^\w-]+")


def write_standoff(
    documents: Iterable[Document],
    path: Path,
    written: Callable[[Document], Written],
    lost: Losses,
) -> None:
    """Write documents as files .ann and .txt: one, or a folder with those of each document.

    Parameters
    ----------
    documents : iterable of Document
    path : Path
        Ends in .ann: the file of the one document that there is. Else a folder, which does not
        exist, or is empty.
    written : callable
        Returns the text and the lines of a document.
    lost : Losses

    Raises
    ------
    ValueError
        Several documents for one file; a folder that has files; a .txt with another text.
    """
    if path.suffix.lower() in OPENERS:
        raise ValueError(f"{path}: annotations and the text beside them are not compressed")
    if path.suffix.lower() == ".ann":
        _write_file(documents, path, written, lost)
    else:
        _write_folder(documents, path, written, lost)


def _write_file(
    documents: Iterable[Document],
    path: Path,
    written: Callable[[Document], Written],
    lost: Losses,
) -> None:
    only = None
    for document in documents:
        if only is not None:
            raise ValueError(
                f"{path}: {document.name!r} is a second document, and a file of annotations is "
                "of one; name a folder to write each to a file of its own"
            )
        only = document
    if only is None:
        raise ValueError(f"{path}: no document to write")
    stem = _stem_of(path)
    if only.named and stem != only.name:
        lost["documents that are called otherwise by the name of their file"] += 1
    text, lines = written(only)
    beside = path.with_name(f"{path.name[: -len(path.suffix)]}.txt")
    if beside.exists() and beside.read_bytes() != text.encode():
        raise ValueError(
            f"{beside} is there and holds another text; name another file, or move it"
        )
    write_whole_text(beside, text)
    write_whole_text(path, _text_of(lines))


def _write_folder(
    documents: Iterable[Document],
    path: Path,
    written: Callable[[Document], Written],
    lost: Losses,
) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ValueError(
            f"{path}: it is there and no empty folder; name a new one, or a file .ann for one "
            "document"
        )

    def fill(folder: Path) -> None:
        taken: set[str] = set()
        for document in documents:
            text, lines = written(document)
            stem = _free_name(document.name, taken)
            if document.named and stem != document.name:
                lost["documents that are called otherwise by the name of their file"] += 1
            (folder / f"{stem}.ann").write_bytes(_text_of(lines).encode())
            (folder / f"{stem}.txt").write_bytes(text.encode())
        if not taken:
            raise ValueError(f"{path}: no document to write")

    write_whole_folder(path, fill)


def _stem_of(path: Path) -> str:
    return path.name.partition(".")[0]


def _free_name(name: str, taken: set[str]) -> str:
    """Return a name of a file for a document; no two that differ by case alone.

    "(x); part 001" becomes "x_1", which is known for it when sides are paired.
    """
    part = PART.match(name)
    if part is not None:
        name = f"{part[1]}_{int(part[2])}"
    plain = _OF_NO_FILE_NAME.sub("_", name)[:100].strip("_") or "document"
    free, number = plain, 1
    while free.casefold() in taken:
        number += 1
        free = f"{plain}_{number}"
    taken.add(free.casefold())
    return free


def _text_of(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def brat_of(document: Document, lost: Losses) -> Written:
    """Return a document as brat has it: characters, entities as equivalences."""
    spans = plain_spans_of(document, lost, gaps=True)
    tokens = words_for(document, spans, "brat")
    text, begins, ends = text_of_words(tokens, "\n", lost)
    if not are_numbers_from_0(document):
        lost["documents whose names of entities are left out"] += 1
    types = document.attributes.get("type", [""] * len(spans))
    lines = []
    of_entity: list[list[str]] = [[] for _ in document.entity_names]
    for row, entity in enumerate(document.entity.tolist()):
        pieces, broken = _pieces(members_of(spans, row), tokens, begins, ends)
        if broken:
            lost["mentions of words of two lines, in pieces"] += 1
        type_of = types[row] if _TYPE.match(types[row]) else "Mention"
        if types[row] not in ("", type_of):
            lost["types of mentions with blanks or semicolons, left out"] += 1
        where = ";".join(f"{begin} {end}" for begin, end in pieces)
        words = " ".join(text[begin:end] for begin, end in pieces)
        lines.append(f"T{row + 1}\t{type_of} {where}\t{words}")
        of_entity[entity].append(f"T{row + 1}")
    lines += [f"*\tCoreference {' '.join(ids)}" for ids in of_entity if len(ids) > 1]
    if not any(len(ids) > 1 for ids in of_entity):
        # which says that mentions alone are entities of one
        lines += [f"*\tCoreference {ids[0]}" for ids in of_entity[:1]]
    return text, lines


def _pieces(
    members: list[int], tokens: Tokens, begins: list[int], ends: list[int]
) -> tuple[list[tuple[int, int]], bool]:
    """Return runs of characters of a mention, none over the end of a line, and if one was."""
    sentence = tokens.sentence
    cuts = [0]
    broken = False
    for at, (before, after) in enumerate(pairwise(members), 1):
        over = after == before + 1 and sentence[before] != sentence[after]
        broken |= bool(over)
        if over or after > before + 1:
            cuts.append(at)
    runs = [members[low:high] for low, high in pairwise([*cuts, len(members)])]
    return [(begins[run[0]], ends[run[-1]]) for run in runs], broken


def litbank_of(document: Document, lost: Losses) -> Written:
    """Return a document as LitBank has it: sentence and token, entities by name."""
    spans = plain_spans_of(document, lost)
    tokens = words_for(document, spans, "litbank")
    words = []
    for word in tokens.words:
        words.append("_".join(word.split()) or "_")
        if words[-1] != word:
            lost["words that are empty or hold blanks, with '_' in place of these"] += 1
    place: list[tuple[int, int]] = []
    sentences = []
    for number, (begin, end) in enumerate(sentences_of(tokens)):
        place += [(number, at) for at in range(end - begin)]
        sentences.append(" ".join(words[begin:end]))
    names = list(map(str, document.entity_names))
    if not all(map(_NAME_OF_LITBANK.match, names)) or len(set(names)) < len(names):
        lost["documents whose entities are written as numbers"] += 1
        names = list(map(str, range(len(names))))
    categories, forms = (
        document.attributes.get(name, [""] * len(spans)) for name in ("category", "form")
    )
    lines = []
    for row, (first, last) in enumerate(
        zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    ):
        where = [*place[first], *place[last]]
        inside = " ".join(words[first : last + 1])
        details = [_BLANKS.sub("_", x[row]) or "_" for x in (categories, forms)]
        cells = ["MENTION", f"T{row + 1}", *map(str, where), inside, *details]
        lines.append("\t".join(cells))
    lines += [
        f"COREF\tT{row + 1}\t{names[entity]}"
        for row, entity in enumerate(document.entity.tolist())
    ]
    return "".join(f"{sentence}\n" for sentence in sentences), lines
