"""``partwise convert``: documents of coreference from one format to another."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from partwise.cli.documents.coref_reading import (
    COLUMN_OPTIONS,
    add_reading_options,
    single_reading_of,
)
from partwise.cli.words.sentences import note_in_words_of
from partwise.coreference.formats import READERS, WRITABLE, iter_documents, write
from partwise.coreference.formats.writing import STANDOFF, WritableFormat
from partwise.labels.files.compressed import OPENERS

_BY_ENDING: dict[str, WritableFormat] = {
    ".conll": "conll-2012",
    ".conllu": "corefud",
    ".conllua": "conll-ua",
    ".jsonl": "jsonlines",
    ".jsonlines": "jsonlines",
}


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "convert",
        help="write a file of coreference in another format",
        description="Write a file of coreference in another format, one document at a time; "
        "what had to be interpreted and what the format cannot hold goes to standard error.",
    )
    parser.add_argument("source", metavar="IN", help="file to read (may be gz, bz2, xz), or -")
    parser.add_argument(
        "target", metavar="OUT", help="file to write (replaced if it exists), or -"
    )
    parser.add_argument(
        "--from",
        dest="source_format",
        choices=("auto", *READERS),
        default="auto",
        help="format of IN (default: by its first lines)",
    )
    parser.add_argument(
        "--to",
        dest="target_format",
        choices=WRITABLE,
        help="format of OUT (default: by its ending: .conll, .conllu, .conllua, .jsonl, "
        ".jsonlines); brat and litbank write a text beside OUT.ann, or, of several documents, "
        "a folder OUT of such files",
    )
    add_reading_options(parser, sides=False)
    parser.set_defaults(run=run, words=COLUMN_OPTIONS | {"format": "--from"})


def run(options: argparse.Namespace) -> None:
    """Convert a file and say what was interpreted or lost."""
    target = Path(options.target)
    to_output = options.target == "-"
    if to_output and options.target_format is None:
        raise ValueError(f"-: standard output; say --to, one of: {', '.join(WRITABLE)}")
    target_format: WritableFormat = options.target_format or _format_by_ending(target)
    if to_output and target_format in STANDOFF:
        raise ValueError(
            f"-: {target_format} is two files, annotations and their text; name OUT.ann or a "
            "folder"
        )
    stream = iter_documents(options.source, options.source_format, **single_reading_of(options))
    unread = stream.unread  # OUT may replace IN
    if to_output:
        with TemporaryDirectory() as folder:
            target = Path(folder, "converted")
            lost = write(stream, target, target_format)
            with target.open(encoding="utf-8", newline="") as written:
                shutil.copyfileobj(written, sys.stdout)
    else:
        lost = write(stream, target, target_format)
    for note in stream.notes:
        told = note_in_words_of(note, options.words)
        print(f"{options.source}: {told}", file=sys.stderr)
    for sentence in unread:
        print(f"{options.source}: warning: {sentence}", file=sys.stderr)
    for sentence in lost:
        print(f"{options.target}: warning: {sentence}", file=sys.stderr)


def _format_by_ending(path: Path) -> WritableFormat:
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in OPENERS:
        endings.pop()
    if endings and endings[-1] in _BY_ENDING:
        return _BY_ENDING[endings[-1]]
    raise ValueError(
        f"{path}: its ending tells no format; say --to, one of: {', '.join(WRITABLE)}"
    )
