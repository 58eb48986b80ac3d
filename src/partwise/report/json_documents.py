"""Results as JSON: what each document says of itself, arrays in it, and the way back.

A document has ``schema`` (``partwise.NAME/NUMBER``), ``version`` (of the program that wrote
it), ``options`` (what was asked for), ``notes``, and what the result's ``to_dict`` returns.
"""

from __future__ import annotations

import base64
import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray


@cache
def _version() -> str:
    return version("partwise")


def json_text(value: Any, indent: int | None) -> str:
    """Return JSON text; labels that JSON has no form for become text, as do inf and nan."""
    try:
        return json.dumps(value, indent=indent, default=_plain, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), indent=indent, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":  # of times, a number
        item = value.item()
        return str(value) if isinstance(item, np.generic) else _finite(item)
    return str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def plain_records(value: Any, *kinds: type) -> Any:
    """Return records of these data classes as dicts, and labels in them as they are.

    ``dataclasses.asdict`` would take a label that is a data class apart as well.
    """
    if isinstance(value, kinds):
        record: Any = value
        shown = {one.name: getattr(record, one.name) for one in fields(record)}
        return {name: plain_records(inner, *kinds) for name, inner in shown.items()}
    if type(value) in (list, tuple):
        return type(value)(plain_records(inner, *kinds) for inner in value)
    return value


def head_of(schema: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that every document begins with."""
    return {"schema": f"partwise.{schema}", "version": _version(), "options": dict(options)}


#: Types of arrays that results write; NumPy would make one of much more.
_NUMBERS = re.compile("bool|float(?:16|32|64)|u?int(?:8|16|32|64)")


def packed(array: NDArray[Any]) -> dict[str, Any]:
    """Return a long array in a form that JSON holds in one line: little-endian, base64."""
    plain = np.ascontiguousarray(array)
    plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    return {
        "type": plain.dtype.name,
        "shape": list(plain.shape),
        "base64": base64.b64encode(plain.tobytes()).decode("ascii"),
    }


def unpacked(document: Mapping[str, Any]) -> NDArray[Any]:
    """Return the array of ``packed``."""
    name = document["type"]
    if not isinstance(name, str) or not _NUMBERS.fullmatch(name):
        raise ValueError(f"an array has the type {name!r}, which is none of numbers")
    kind = np.dtype(name).newbyteorder("<")
    flat = np.frombuffer(base64.b64decode(document["base64"]), dtype=kind)
    return flat.reshape(document["shape"]).astype(kind.newbyteorder("="))


def label_of(value: Any) -> Any:
    """Return a label as it was before JSON made a list of a tuple."""
    return tuple(map(label_of, value)) if isinstance(value, list) else value


class JsonResult(ABC):
    """A result that JSON holds, and that is equal to what is read back from it."""

    __slots__ = ()
    #: name and number of the form of the document
    _schema: ClassVar[str]

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""

    def _options(self) -> dict[str, Any]:
        """Return what was asked for."""
        return {}

    def _document(self) -> dict[str, Any]:
        """Return what JSON holds beside the head, where it is more than ``to_dict``."""
        return {"notes": [], **self.to_dict()}

    @classmethod
    @abstractmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        """Return the result that a document is of."""

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON text, from which ``from_json`` makes an equal result.

        Parameters
        ----------
        indent : int or None, default 2
            Blanks before each deeper level; None for one line.
        """
        return json_text({**head_of(self._schema, self._options()), **self._document()}, indent)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the result that ``to_json`` wrote.

        Parameters
        ----------
        text : str
            The JSON text.

        Returns
        -------
        Self
            Equal to the result that was written; labels that JSON has no form for are text.

        Raises
        ------
        ValueError
            The text is no JSON, or that of another result or of another form.
        """
        try:
            document = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"{cls.__name__}.from_json: no JSON: {error}") from error
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema != f"partwise.{cls._schema}":
            written = "no schema" if schema is None else f"schema {schema!r}"
            raise ValueError(
                f"{cls.__name__}.from_json: the text has {written}; "
                f"'partwise.{cls._schema}' is expected, as {cls.__name__}.to_json writes it"
            )
        try:
            result = cls._from_document(document)
            result._document()  # parts that do not fit each other fail here
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise ValueError(
                f"{cls.__name__}.from_json: the text lacks a part of the document, or it has "
                f"another form ({type(error).__name__}: {error}); write it again with to_json"
            ) from error
        return result

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or self.to_json(None) == other.to_json(None)

    def __hash__(self) -> int:
        return hash(self.to_json(None))
