"""Lines of comment at the top of a text file.

A line is a comment if its mark says so: # or % before a blank, another mark, or nothing. A line
such as "#ai" may be a label or the name of a column as well; what the other lines look like
decides, or the file is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from partwise.labels.notes import Note

LINE_END = re.compile(r"\r\n|\n|\r")
_MARKS = ("#", "%")


@dataclass(frozen=True, slots=True)
class Top:
    """What stands above the rows of a text file.

    Attributes
    ----------
    comments : list of str
    unclear : list of tuple of (int, str)
        Lines with their numbers that may be comments or rows.
    text : str
        Everything after the comments, unclear lines included.
    line : int
        The line on which ``text`` begins.
    blank : bool
        Whether empty lines stand at the very top.
    """

    comments: list[str]
    unclear: list[tuple[int, str]]
    text: str
    line: int
    blank: bool = False

    def without_unclear(self, n: int) -> Top:
        """Return the same file with the first ``n`` unclear lines as comments."""
        text, line = self.text, self.line
        for _ in range(n):
            end = LINE_END.search(text)
            text, line = (text[end.end() :] if end else ""), line + 1
        dropped = [content for _, content in self.unclear[:n]]
        return Top([*self.comments, *dropped], self.unclear[n:], text, line, self.blank)


def is_comment(content: str, comment: str | None) -> bool | None:
    """Return whether a line is a comment, None where it may be a row as well.

    Parameters
    ----------
    content : str
    comment : str or None
        How a comment begins; "": there are none; None: # or % with a mark of a comment.
    """
    if comment is not None:
        return bool(comment) and content.startswith(comment)
    if not content.startswith(_MARKS):
        return False
    return True if content[1:2] in ("", " ", "\t", "#", "%", "!") else None


def split_top(text: str, comment: str | None) -> Top:
    """Split the comments at the top from the rows."""
    comments: list[str] = []
    start, line = 0, 1
    while start < len(text):
        content, after = _line_at(text, start)
        if content.strip() and not is_comment(content, comment):
            break
        if content.strip():
            comments.append(content)
        start, line = after, line + 1
    unclear: list[tuple[int, str]] = []
    place = start
    while place < len(text):
        content, place = _line_at(text, place)
        if is_comment(content, comment) is not None:
            break
        unclear.append((line + len(unclear), content))
    return Top(comments, unclear, text[start:], line, start > 0 and not comments)


def _line_at(text: str, start: int) -> tuple[str, int]:
    end = LINE_END.search(text, start)
    return (text[start:], len(text)) if end is None else (text[start : end.start()], end.end())


def check_labels(path: Path, top: Top) -> None:
    """Check that what stands above one label a line are labels too.

    Raises
    ------
    ValueError
        Nothing tells; the text names the option that does.
    """
    if top.blank and top.text.strip():
        raise ValueError(
            f"{path}:1: nothing tells whether the empty line above the labels is a missing "
            "label; take it out of the file, or write NA on it"
        )
    if not top.unclear:
        return
    words = all(len(content.split()) == 1 for _, content in top.unclear)
    marked = sum(content.startswith(_MARKS) for content in LINE_END.split(top.text))
    if words and marked > 1:
        return
    line, content = top.unclear[0]
    raise ValueError(
        f"{path}:{line}: nothing tells whether {content!r} is a comment or a label; say so "
        f'with comment="{content[0]}" (a comment) or comment="" (a label)'
    )


def below_vertices(top: Top) -> tuple[Top, int | None]:
    """Return the rows below "*Vertices 34", with which Pajek begins a partition, and the 34."""
    first = LINE_END.split(top.text, maxsplit=1)[0]
    begins = re.match(r"\*vertices\b[ \t]*([0-9]*)", first, re.IGNORECASE)
    if begins is None:
        return top, None
    below = Top([], [(top.line, first)], top.text, top.line).without_unclear(1)
    number = int(begins[1]) if begins[1] else None
    return Top(top.comments, [], below.text, below.line), number


def check_vertices(path: Path, line: int, vertices: int | None, rows: int) -> list[Note]:
    """Check that as many rows as announced follow, and tell what the line was taken for."""
    if vertices is None:
        return []
    if vertices != rows:
        raise ValueError(
            f"{path}:{line}: *Vertices {vertices} announces {vertices} labels, and {rows} "
            "follow; the file is cut off, or not of these vertices"
        )
    return [Note("format-found", f"read as a partition of Pajek, of {vertices} vertices")]
