"""Damaged and hostile versions of a file, from one list for every format."""

from __future__ import annotations

import gzip
import re

DEPTH = 100_000

#: What may stand where a whole number is expected.
NO_NUMBERS = {
    "negative": b"-1",
    "float": b"1.5",
    "text": b'"x"',
    "null": b"null",
    "true": b"true",
    "not a number": b"NaN",
    "infinite": b"1e400",
    "beyond the document": b"99",
    "63 bits": b"9223372036854775807",
    "64 bits": b"18446744073709551616",
    "10**30": b"1" + b"0" * 30,
    "5000 digits": b"9" * 5000,
    "list": b"[]",
    "object": b"{}",
    "arabic digit": "\u0661".encode(),
    "superscript": "\u00b2".encode(),
}

_NUMBER = re.compile(rb"[0-9]+")
_LAUGHS = b"".join(
    b'<!ENTITY %c "%s">' % (ord("b") + at, b"&%c;" % (ord("a") + at) * 10) for at in range(9)
)


def whole_files(data, others, places):
    """Yield (what, bytes): everything but other numbers.

    Parameters
    ----------
    data : bytes
        A valid file.
    others : iterable of bytes
        Files of other formats.
    places : int
        At how many places, evenly spread, bytes are put in and files are cut off.
    """
    yield "empty", b""
    yield "blank", b" \n\t\n"
    yield "byte order mark", b"\xef\xbb\xbf" + data
    yield "CRLF", data.replace(b"\n", b"\r\n")
    yield "CR", data.replace(b"\n", b"\r")
    yield "UTF-16", data.decode().encode("utf-16")
    yield "UTF-32", data.decode().encode("utf-32")
    yield "gz", gzip.compress(data)
    yield "gz cut off", gzip.compress(data)[:-9]
    yield "gz of gz", gzip.compress(gzip.compress(data))
    for at in range(1, len(data), max(1, len(data) // places)):
        yield f"cut off at {at}", data[:at]
        yield f"NUL at {at}", data[:at] + b"\0" + data[at:]
        yield f"no UTF-8 at {at}", data[:at] + b"\xff" + data[at:]
    yield "twice", data + data
    lines = data.splitlines(keepends=True)
    for number, other in enumerate(others):
        line = other.splitlines(keepends=True)[0]
        at = (0, len(lines) // 2, len(lines))[number % 3]
        parts = [*lines[:at], line, *lines[at:]]
        yield f"line of format {number} at {at}", b"".join(parts)
    for at in range(0, len(lines), max(1, len(lines) // places)):
        yield f"without line {at}", b"".join(lines[:at] + lines[at + 1 :])
        yield f"line {at} twice", b"".join(lines[: at + 1] + lines[at:])
    for old, new in (
        *((b"[[", b"["), (b"]]", b"]"), (b'"', b""), (b",", b""), (b"\t", b" ")),
        *((b"\t", b""), (b"(", b"(("), (b")", b"))"), (b"(", b""), (b")", b"")),
        *((b"[", b"{"), (b":", b""), (b"\n", b""), (b"=", b""), (b"0", b"")),
    ):
        yield f"{old!r} is {new!r}", data.replace(old, new)
        yield f"the first {old!r} is {new!r}", data.replace(old, new, 1)
    yield "deep lists", b"[" * DEPTH + b"]" * DEPTH
    yield "deep lists behind it", data + b"[" * DEPTH + b"]" * DEPTH
    yield "deep lists, never closed", b"[" * DEPTH
    yield "deep objects", b'{"a":' * DEPTH + b"1" + b"}" * DEPTH
    yield "deep elements", b"<TEI>" * DEPTH + b"</TEI>" * DEPTH
    match = _NUMBER.search(data)
    deep = b"[" * DEPTH + b"1" + b"]" * DEPTH
    if match is not None:
        yield "deep lists within it", data[: match.start()] + deep + data[match.end() :]
    laughs = b'<!DOCTYPE x [<!ENTITY a "lol">%s]>' % _LAUGHS
    yield "billion laughs", laughs + data.replace(b"Ann", b"&j;")
    outside = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    yield "external entity", outside + data.replace(b"Ann", b"&a;")
    parameter = b'<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/passwd">%a;]>'
    yield "external parameter entity", parameter + data
    yield "unknown entity", data.replace(b"Ann", b"&nowhere;")
    yield "unknown encoding", b'<?xml version="1.0" encoding="nowhere"?>' + data


def other_numbers(data, places):
    """Yield (what, bytes): numbers of a file, each replaced by each of ``NO_NUMBERS``.

    At so many places, evenly spread.
    """
    matches = [*_NUMBER.finditer(data)]
    for match in matches[:: max(1, len(matches) // places)]:
        for what, number in NO_NUMBERS.items():
            changed = data[: match.start()] + number + data[match.end() :]
            yield f"{what} at {match.start()}", changed
