"""XML as elements that know their line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from partwise.coreference.formats.files import fault, not_utf8, opened

#: What opens a declaration that names an encoding of two or four bytes a character: the bytes
#: were made UTF-8 when the file was opened, whatever it declares.
_WIDE = (b"utf-16", b"utf-32", b"ucs-2", b"ucs-4")
_DECLARED = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']""")


@dataclass(slots=True)
class Element:
    """An element: its name and attributes without namespaces, and what is in it, in order."""

    name: str
    attributes: dict[str, str]
    line: int
    content: list[Element | str] = field(default_factory=list)

    @property
    def elements(self) -> Iterator[Element]:
        """The elements directly in it."""
        return (x for x in self.content if isinstance(x, Element))

    def every(self, *names: str, outside: frozenset[str] = frozenset()) -> Iterator[Element]:
        """Yield the elements of some names in it, at any depth, in the order of the file.

        Those ``outside`` elements of some other names only, where these are given.
        """
        waiting = list(self.elements)[::-1]
        while waiting:
            element = waiting.pop()
            if element.name in names:
                yield element
            if element.name not in outside:
                waiting += list(element.elements)[::-1]

    @property
    def text(self) -> str:
        """All text in it, without the blanks around."""
        parts: list[str] = []
        waiting: list[Element | str] = self.content[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                parts.append(part)
            else:
                waiting += part.content[::-1]
        return "".join(parts).strip()


def root_of(path: Path) -> Element:
    """Return the root element of a file.

    Raises
    ------
    ValueError
        The file is no XML, or is damaged; with the line. A file that declares entities of its
        own is refused: these may grow without bounds.
    """
    with opened(path) as file:
        data = file.read()
    wide = any(word in data[:100].lower() for word in _WIDE)
    parser = expat.ParserCreate("utf-8" if wide else None)
    parser.buffer_text = True
    top = Element("", {}, 0)
    stack = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        plain = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(":")[2], plain, parser.CurrentLineNumber)
        stack[-1].content.append(element)
        stack.append(element)

    def entity(*declared: Any) -> None:
        raise fault(
            *(path, parser.CurrentLineNumber, None),
            f"the XML declares the entity {declared[0]!r}, which is not read; write its text "
            "where it is used",
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = lambda text: stack[-1].content.append(text)
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        line, remedy = error.lineno, "is it cut off?"
        if not wide and (other := _not_utf8(data)):
            line, byte = other
            remedy = f"it is read as UTF-8 and {not_utf8(byte)}, or declare its encoding"
        raise fault(path, line, None, f"not XML ({what}); {remedy}") from None
    except (LookupError, ValueError) as error:
        if str(error).startswith(str(path)):
            raise
        raise fault(
            *(path, parser.CurrentLineNumber, None),
            f"the XML declares an encoding that cannot be read ({error}); convert the file to "
            "UTF-8 and declare that",
        ) from None
    return next(top.elements)


def _not_utf8(data: bytes) -> tuple[int, int] | None:
    """Return line and value of the first byte that is no UTF-8, where that is the encoding.

    None: there is none, or the file declares another encoding.
    """
    declared = _DECLARED.match(data)
    if declared is not None and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return 1 + data.count(b"\n", 0, error.start), data[error.start]
    return None
