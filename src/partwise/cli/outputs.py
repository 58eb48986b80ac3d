"""Files that commands write: none takes the place of what the same call reads."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from partwise.cli.options import STANDARD_INPUT, named_source, split_source

#: The options that name a file to write.
_OUTPUTS = ("output", "plot")


def check_outputs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse to write where an input lies, however each of them is named.

    ``partwise convert``, whose OUT may be its IN, has no such option.
    """
    for name in _OUTPUTS:
        output = getattr(options, name, None)
        # a terminal or a pipe may be read and written
        if not output or not Path(output).is_file():
            continue
        for source in _inputs(options, parser):
            if _is_same_file(source, output):
                raise ValueError(
                    f"{output}: --{name} names an input, which it would replace; name another "
                    "file"
                )


def _inputs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the files that a call may read: its arguments, and what options of files name."""
    for action in parser._actions:
        of_file = not action.option_strings or "FILE" in str(action.metavar)
        if action.dest in _OUTPUTS or not of_file:
            continue
        value = getattr(options, action.dest, None)
        for source in value if isinstance(value, list) else [value]:
            if isinstance(source, str):
                yield source
                yield _path_of(source)


def _path_of(source: str) -> str:
    """Return the file of FILE, FILE::COLUMN or NAME=FILE."""
    if source == "-":
        return STANDARD_INPUT
    try:
        return split_source(named_source(source)[1])[0]
    except ValueError:  # the command says what is wrong with it
        return source


def _is_same_file(first: str, second: str) -> bool:
    """Return whether two paths lead to one file, through links, too."""
    try:
        return os.path.samefile(first, second)
    except (OSError, ValueError):  # one is not there, or no path at all
        return False
