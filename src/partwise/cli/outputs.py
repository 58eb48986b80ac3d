"""Files that commands write: over no input, and as what their names say."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from partwise.cli.options import STANDARD_INPUT, named_source, split_source
from partwise.labels.files.arrow_tables import files_of_folder
from partwise.labels.files.compressed import COMPRESSORS, ENDINGS
from partwise.labels.files.read import kind_of_file
from partwise.report.whole_files import write_whole

#: The options that name a file to write.
_OUTPUTS = ("output", "plot")


def check_outputs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse to write where an input lies, however each of them is named.

    ``partwise convert``, whose OUT may be its IN, has no such option.
    """
    for name in _OUTPUTS:
        output = getattr(options, name, None)
        # "-" is standard output; a terminal or a pipe may be read and written
        if output in (None, "-") or not Path(output).is_file():
            continue
        for source in _inputs(options, parser):
            if _is_same_file(source, output):
                raise ValueError(
                    f"{output}: --{name} names an input, which it would replace; name another "
                    "file"
                )


def check_csv_output(output: str) -> None:
    """Refuse a name by which a file of CSV would be read as something else."""
    path = Path(output)
    is_unknown = path.suffix.lower() in ENDINGS and path.suffix.lower() not in COMPRESSORS
    if is_unknown or kind_of_file(path, "auto") not in ("auto", "csv"):
        raise ValueError(
            f"{output}: --output writes CSV, and the ending says something else; name a file "
            f"such as {path.name.partition('.')[0]}.csv, or with {', '.join(COMPRESSORS)} "
            "behind it to compress it"
        )


def write_csv(output: str, text: str) -> None:
    """Write a table of CSV, compressed where the ending of the file says so."""
    make = COMPRESSORS.get(Path(output).suffix.lower())
    content = text.encode("utf-8")
    if make is not None:
        compressor = make()
        content = compressor.compress(content) + compressor.flush()

    def write(file: IO[bytes]) -> None:
        file.write(content)

    write_whole(Path(output), write)


def _inputs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the files that a call may read: its arguments, and what options of files name."""
    for action in parser._actions:
        of_file = not action.option_strings or "FILE" in str(action.metavar)
        if action.dest in _OUTPUTS or not of_file:
            continue
        value = getattr(options, action.dest, None)
        for source in value if isinstance(value, list) else [value]:
            if isinstance(source, str):
                path = _path_of(source)
                yield path
                yield from map(str, files_of_folder(Path(path)))


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
