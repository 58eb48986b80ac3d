"""Options on which files of coreference are read, how, and by what rules they are scored."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from partwise.cli.options import named_source
from partwise.coreference.documents.reading import Reading
from partwise.coreference.formats import READERS
from partwise.coreference.formats.json_lines import ENDS

#: Arguments of ``score`` and ``read`` by the options that set them.
OPTIONS = {
    "ends": "ends",
    "clusters": "clusters",
    "document": "document_column",
    "mention": "mention_column",
    "entity": "entity_column",
    "header": "header",
    "delimiter": "delimiter",
}
#: The options whose names are not those of their arguments, for the sentences of errors.
COLUMN_OPTIONS = {
    name: f"--{name}-column" for name, option in OPTIONS.items() if option.endswith("_column")
}


def add_reading_options(group: Any, *, sides: bool) -> None:
    """Add the options, each with one value or, of ``sides``, with one for each side."""
    both = "; KEY,RESPONSE sets each side" if sides else ""
    group.add_argument(
        "--ends",
        metavar="WORD",
        help=f"ends of mentions in JSON lines and tables: {', '.join(ENDS)}{both}",
    )
    group.add_argument(
        "--clusters",
        metavar="NAME",
        help="what holds the entities: field of JSON lines, column of CoNLL-UA, relation of "
        f"brat, level of MMAX, kind of ECB+, attribute of TEI{both}",
    )
    for role in ("document", "entity"):
        group.add_argument(
            f"--{role}-column",
            metavar="NAME",
            help=f"column of the {role} in tables (default: one of a usual name){both}",
        )
    four = "; four or six names set each side" if sides else ""
    group.add_argument(
        "--mention-column",
        metavar="NAME[,NAME]",
        help="column of the mention in tables, or of its first and last token, of the sentence "
        f"in front if they count within it{four}",
    )
    group.add_argument(
        "--header",
        metavar="WORD",
        help="whether the first row of a table names the columns: yes, no (default: judged by "
        f"the content){both}",
    )
    group.add_argument(
        "--delimiter",
        metavar="CHARACTER",
        help="what parts the fields of a table: a character, tab, or blanks (default: seen in "
        "the lines)",
    )


def reading_of(options: argparse.Namespace) -> Reading:
    """Return what was said about the files of key and responses."""
    said: dict[str, Any] = {"format": _one_or_pair(options.format, "--format")}
    for name, option in OPTIONS.items():
        text = getattr(options, option)
        if text is not None:
            shown = f"--{option.replace('_', '-')}"
            said[name] = _VALUES.get(name, _one_or_pair)(text, shown)
    formats = said["format"]
    for format in formats if isinstance(formats, tuple) else (formats,):
        if format not in ("auto", *READERS):
            raise ValueError(
                f"--format {format}: one of auto, {', '.join(READERS)} is expected, or "
                "KEY,RESPONSE"
            )
    return Reading(**said)


def single_reading_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of ``read`` for one file."""
    said = {
        name: value
        for name, option in OPTIONS.items()
        if (value := getattr(options, option)) is not None
    }
    if "mention" in said:
        said["mention"] = _fields(said["mention"])
    if "header" in said:
        said["header"] = _truth(said["header"])
    return said


def rules_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return convention and policies as arguments of ``score``."""
    repeats = tuple(options.repeats.split(","))
    return {
        "convention": options.convention,
        "mentions": options.mentions,
        "repeats": repeats[0] if len(repeats) == 1 else repeats,
        "missing_documents": options.missing_documents or "error",
        "extra_documents": options.extra_documents or "error",
        "double_documents": options.double_documents,
        "singletons": options.singletons,
        "verbs": options.verbs,
        "nested": options.nested,
        "zeros": options.zeros,
        "cross_document": "names" if options.global_ids else options.cross_document,
        "topics": options.topics,
        "other_tokens": options.other_tokens or "map",
    }


def named_responses(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return names and files of responses: of NAME=FILE, else short names of the files."""
    own = [named_source(text) for text in arguments]
    paths = [path for _, path in own]
    without = [path for text, path in zip(arguments, paths, strict=True) if text == path]
    short = iter(short_names(without))
    names = [
        next(short) if text == path else name
        for text, (name, path) in zip(arguments, own, strict=True)
    ]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated} is given twice; a line for each response is printed")
    return names, paths


def short_names(paths: Sequence[str]) -> list[str]:
    """Return names of files, whole paths where two files have one name."""
    names = [Path(path).name for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated} is given twice; a line for each response is printed")
    return names


def _fields(text: str) -> list[str]:
    return next(csv.reader([text]))  # quotes keep a comma in a name


def _one_or_pair(text: str, option: str) -> Any:
    fields = _fields(text)
    if len(fields) > 2:
        raise ValueError(f"{option} {text}: one value, or KEY,RESPONSE is expected")
    return fields[0] if len(fields) == 1 else tuple(fields)


def _mention(text: str, option: str) -> Any:
    fields = _fields(text)
    if len(fields) in (4, 6):
        return fields[: len(fields) // 2], fields[len(fields) // 2 :]
    if len(fields) > 3:
        raise ValueError(
            f"{option} {text}: one name, two for first and last token, three with the sentence "
            "in front, or four or six for both sides are expected"
        )
    return fields


def _header(text: str, option: str) -> Any:
    value = _one_or_pair(text, option)
    return tuple(map(_truth, value)) if isinstance(value, tuple) else _truth(value)


def _truth(word: str) -> bool:
    if word not in ("yes", "no"):
        raise ValueError(f"--header {word}: yes or no is expected")
    return word == "yes"


#: How the text of an option becomes a value, where it is not one word or a pair of them.
_VALUES: dict[str, Callable[[str, str], Any]] = {
    "mention": _mention,
    "header": _header,
    "delimiter": lambda text, _: text,
}
