"""Objects of a JSON file: one a line, one after the other over several lines, or a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from partwise.coreference.formats.files import fault, numbered_lines, opened, text_of

_EXPECTED = (
    "each line holds one document as an object "
    '{"doc_key": ..., "clusters": [[[first, last], ...], ...]}'
)
_BLANK = re.compile(r"\s*")


def objects_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file, each with the line on which it begins.

    Raises
    ------
    ValueError
        Bad JSON, a field that stands twice in an object, or a value that is no object; with
        file and line.
    """
    alone = True
    for line, data in numbered_lines(path):
        if not data.strip():
            continue
        try:
            value = _document(text_of(data, path, line), path, line)
        except json.JSONDecodeError as error:
            values = _over_lines(path) if alone else None
            if values is None:
                raise fault(*(path, line, None), f"not JSON ({error}); {_EXPECTED}") from None
            yield from values
            return
        if alone and _is_of_records(value):
            yield from ((line, _checked(path, line, record)) for record in value)
        else:
            yield line, _checked(path, line, value)
        alone = False


class RepeatedFieldError(ValueError):
    """A field stands twice in an object: which of the two is meant, nothing says."""


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object, each of which stands once."""
    record = dict(pairs)
    if len(record) < len(pairs):
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise RepeatedFieldError(f"the field {repeated!r} stands twice in one object")
    return record


def parsed(text: str, path: Path, line: int | None, **options: Any) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    json.JSONDecodeError
        The text is no JSON.
    ValueError
        Lists within lists, or digits, beyond what Python reads; with file and line.
    """
    try:
        return json.loads(text, **options)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as error:
        raise _beyond_limits(path, line, error) from None


def _document(text: str, path: Path, line: int) -> Any:
    """Return the value of a line of JSON, in whose objects no field stands twice."""
    try:
        return parsed(text, path, line, object_pairs_hook=without_repeats)
    except RepeatedFieldError as error:
        raise fault(path, line, None, f"{error}; remove one") from None


def _beyond_limits(path: Path, line: int | None, error: Exception) -> ValueError:
    """Return the error for JSON that Python does not read; a hook's ValueError as it is."""
    if isinstance(error, RecursionError):
        return fault(
            *(path, line, None),
            "lists or objects of JSON within one another on more levels than can be read; a "
            "document has five",
        )
    if "integer string conversion" in str(error):
        return fault(
            *(path, line, None), "a number of more digits than can be read; correct it"
        )
    assert isinstance(error, ValueError)
    return error


def _is_of_records(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(x, dict) for x in value)


def _checked(path: Path, line: int, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise fault(path, line, None, f"a JSON {type(value).__name__}; an object is expected")
    return value


def _over_lines(path: Path) -> list[tuple[int, dict[str, Any]]] | None:
    """Return objects that are written over several lines, None where the text is none."""
    with opened(path) as file:
        text = text_of(file.read().removeprefix(b"\xef\xbb\xbf"), path, 1)
    values: list[tuple[int, Any]] = []
    decoder = json.JSONDecoder(object_pairs_hook=without_repeats)
    at, line = _end_of_blanks(text, 0), 1 + text.count("\n", 0, _end_of_blanks(text, 0))
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            return None
        except RepeatedFieldError as error:
            raise fault(path, line, None, f"{error}; remove one") from None
        except (RecursionError, ValueError) as error:
            raise _beyond_limits(path, line, error) from None
        values.append((line, value))
        end = _end_of_blanks(text, end)
        line += text.count("\n", at, end)
        at = end
    if len(values) == 1 and _is_of_records(values[0][1]):
        values = [(line_of, value) for line_of, records in values for value in records]
    return [(line_of, _checked(path, line_of, value)) for line_of, value in values]


def _end_of_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return at if match is None else match.end()
