"""Sides of an evaluation from paths or objects, with what is said about reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from partwise.coreference.documents.documents import Document, Documents
from partwise.coreference.documents.lists import (
    is_list_of_documents,
    is_record,
    is_row,
    numbered,
    record_lines,
)
from partwise.coreference.documents.objects import documents_of_mapping, refuse_form
from partwise.coreference.documents.pipelines import document_of_pipeline, is_of_pipeline
from partwise.coreference.formats import OPTIONS, iter_documents, read
from partwise.coreference.formats.files import STANDARD_INPUT, held, text_in_memory
from partwise.labels.notes import Note

SIDES = ("key", "response")
#: What can be said about files; a pair says it for key and response apart.
READING = (
    *("format", "ends", "clusters", "document", "mention", "entity"),
    *("header", "delimiter"),
)


class Reading:
    """What is said about the files of key and response.

    A single value holds for both sides, as far as the formats of their files can use it; a pair
    (key, response) holds for each side alone, None or "auto" for nothing said.

    Parameters
    ----------
    **options
        ``format``, and the options of ``read``.
    """

    def __init__(self, **options: Any) -> None:
        for name in options:
            if name not in READING:
                near = get_close_matches(name, READING, 1)
                meant = f"; did you mean {near[0]}=?" if near else ""
                raise TypeError(f"score() has no argument {name!r}{meant}")
        self._of_side: dict[str, dict[str, Any]] = {side: {} for side in SIDES}
        self._of_both: dict[str, Any] = {}
        self._used: set[str] = set()
        self._refused: dict[str, str] = {}
        for name, value in options.items():
            if _is_pair(name, value):
                for side, own in zip(SIDES, value, strict=True):
                    self._of_side[side][name] = own
            else:
                self._of_both[name] = value

    def documents(self, source: Any, side: str) -> Documents:
        """Return the documents of one side, given as such, as a path or as a mapping.

        Raises
        ------
        TypeError, ValueError
            Another form, a fault in the file, an option that its format does not have.
        """
        if isinstance(source, Documents):
            self._say_no_file(side, "was read before")
            return source
        if isinstance(source, (str, Path)):
            return self.file(text_in_memory(source, side), side)
        if is_record(source):
            source = [source]
        if isinstance(source, (list, tuple)) and source:
            return self._of_list(source, side)
        if isinstance(source, Mapping):
            return self._of_mapping(source, side)
        if is_of_pipeline(source):
            return self._of_mapping({"document": source}, side, named=False)
        raise refuse_form(source, side)

    def _of_list(self, source: Sequence[Any], side: str) -> Documents:
        """Return the documents of a list: documents, records, rows, lines of a file."""
        if all(isinstance(x, Document) for x in source):
            self._say_no_file(side, "is no file")
            return Documents(list(source))
        if all(isinstance(x, str) for x in source):
            if "\n" not in source[0] and Path(source[0]).is_file():
                raise TypeError(
                    f"the {side} is a list of paths ({source[0]!r} ...); pass one path, or the "
                    "folder that holds them"
                )
            return self.file(text_in_memory(source, side), side)
        if all(map(is_record, source)) or all(map(is_row, source)):
            return self.file(text_in_memory(record_lines(source), side), side)
        if all(map(is_of_pipeline, source)) or is_list_of_documents(source):
            return self._of_mapping(numbered(source), side, named=False)
        raise refuse_form(source, side)

    def _of_mapping(
        self, source: Mapping[Any, Any], side: str, *, named: bool = True
    ) -> Documents:
        """Return documents by their names."""
        if source and all(map(is_of_pipeline, source.values())):
            clusters = self._of_side[side].get("clusters") or self._of_both.get("clusters")
            self._used.add("clusters")
            self._say_no_file(side, "is no file", ("clusters",))
            read = [
                document_of_pipeline(document, str(name), named, clusters, side)
                for name, document in source.items()
            ]
            notes = tuple(dict.fromkeys(note for _, note in read))
            documents = Documents([document for document, _ in read], notes=notes)
        else:
            self._say_no_file(side, "is no file")
            documents = documents_of_mapping(source, side)
        if named:
            return documents
        text = f"documents of a list, numbered from 0: {len(source)}"
        note = Note("documents-named", text)
        unnamed = [replace(document, named=False) for document in documents]
        return Documents(unnamed, notes=(*documents.notes, note))

    def _say_no_file(self, side: str, why: str, but: Sequence[str] = ()) -> None:
        """Take note of a side that no option can be for, and refuse those for it alone."""
        for name, value in self._of_side[side].items():
            if _said(value) and name not in but:
                raise ValueError(
                    f"{name}={value!r} (of the {side}) says how a file is read, and the {side} "
                    f"{why}; leave it out"
                )
        for name, value in self._of_both.items():
            if _said(value) and name not in but:
                self._refused.setdefault(name, f"the {side} {why}")

    def file(self, path: str | Path, side: str) -> Documents:
        """Return the documents of a file or a folder."""
        own = {name: value for name, value in self._of_side[side].items() if _said(value)}
        shared = {name: value for name, value in self._of_both.items() if _said(value)}
        format = own.pop("format", shared.pop("format", "auto"))
        self._used.add("format")
        source = held(path if isinstance(path, Path) else Path(path))
        own_format = format
        if shared:
            own_format = iter_documents(source, format).format
            for name in list(shared):
                if name in OPTIONS.get(own_format, ()):
                    self._used.add(name)
                else:
                    self._refused[name] = f"{path} is of format {own_format}"
                    del shared[name]
        return read(source, format, side=side, **shared, **own)

    def documents_like(self, documents: Documents) -> None:
        """Take note of a side that was read before: its format may be what options are for."""
        for name in self._of_both:
            if name in OPTIONS.get(documents.format, ()):
                self._used.add(name)

    def check_used(self) -> None:
        """Raise ValueError where something was said that no file could use."""
        for name, why in self._refused.items():
            if name not in self._used:
                formats = [format for format, options in OPTIONS.items() if name in options]
                of_format = f" of format {' or '.join(formats)}" if formats else ""
                raise ValueError(
                    f"{name}={self._of_both[name]!r} is for files{of_format}, and {why}; leave "
                    "it out"
                )


def check_standard_input(*paths: Any) -> None:
    """Raise ValueError where standard input is to be read twice."""
    files = [str(path) for path in paths if isinstance(path, (str, Path))]
    if files.count(STANDARD_INPUT) > 1:
        raise ValueError(
            "'-' is standard input, which can be read once; give one of the files a path"
        )


def _said(value: Any) -> bool:
    return value is not None and value != "auto"


def _is_pair(name: str, value: Any) -> bool:
    """Return whether a value is one for the key and one for the response."""
    if not isinstance(value, (tuple, list)):
        return False
    if name != "mention":
        if len(value) != 2:
            raise ValueError(f"{name}={value!r}: one value, or a pair for key and response")
        return True
    return len(value) == 2 and any(x is None or isinstance(x, (tuple, list)) for x in value)
