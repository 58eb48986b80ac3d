"""From a CoNLL-2012 file to its mentions, against the reader of coval.

Run ``python -m bench.coreference_reading --coval CHECKOUT [--tokens N] [--documents D]
[--repetitions R] [FILE ...]``. CHECKOUT is a copy of coval's repository; two files are made up,
others may be given. Both readers run in turns in one process and must find the same mentions.
As a stage of ``python -m bench`` coval is found where ``PYTHONPATH`` has the checkout.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import partwise
from bench import measuring, stages
from bench.peers import need

READER = "coval.conll.reader"
COLUMNS = ("file", "MB", "partwise CPU s", "coval CPU s", "CPU ratio", "pairs")
SENTENCE = 30
SMALL = 6
TOKENS, DOCUMENTS, QUICK = 10**6, 10**5, 10


def text_of(name: str, tokens: int) -> str:
    """Return a document: every third token is in a mention, half of the mentions have three."""
    lines = [f"#begin document ({name}); part 000"]
    for i in range(tokens):
        at = i % SENTENCE
        if at % 6 == 0:
            column = f"({i % 977})"
        elif at % 6 == 1 and i + 2 < tokens:
            column = "(3"
        else:
            column = "3)" if at % 6 == 3 else "-"
        lines.append(f"{name}\t0\t{at}\tword{i}\t{column}")
        if at == SENTENCE - 1:
            lines.append("")
    return "\n".join([*lines, "#end document", ""])


def coval_mentions(reader: Any, path: Path) -> dict[str, list[Any]]:
    """Return the entities of each document as coval reads them."""
    lines = reader.get_doc_lines(str(path))
    return {name: reader.get_doc_mentions(name, lines[name], True)[0] for name in lines}


def check(path: Path, reader: Any) -> None:
    """Stop where the two readers do not find as many mentions in as many entities."""
    documents = partwise.coreference.read(path)
    ours = [sorted(_sizes(document)) for document in documents]
    theirs = [
        sorted(len(mentions) for mentions in entities)
        for entities in coval_mentions(reader, path).values()
    ]
    if ours != theirs:
        raise SystemExit(f"{path}: the readers do not find the same mentions")


def _sizes(document: Any) -> list[int]:
    sizes = [0] * len(document.entity_names)
    for entity in document.entity.tolist():
        sizes[entity] += 1
    return sizes


def row(name: str, path: Path, reader: Any, repetitions: int) -> list[str]:
    """Return a line of the report."""
    check(path, reader)
    turns = [
        (
            measuring.cost_of(lambda: partwise.coreference.read(path)).total,
            measuring.cost_of(lambda: coval_mentions(reader, path)).total,
        )
        for _ in range(repetitions)
    ]
    return [
        name,
        f"{path.stat().st_size / 1e6:.1f}",
        measuring.spread(ours for ours, _ in turns),
        measuring.spread(theirs for _, theirs in turns),
        measuring.spread(theirs / ours for ours, theirs in turns),
        str(repetitions),
    ]


@contextmanager
def made(tokens: int, documents: int) -> Iterator[dict[str, Path]]:
    """Write the two files, of which the with statement has the names and places."""
    with tempfile.TemporaryDirectory() as folder:
        long, many = Path(folder, "long.conll"), Path(folder, "many.conll")
        long.write_text(text_of("d", tokens))
        many.write_text("".join(text_of(f"d{i}", SMALL) for i in range(documents)))
        yield {
            f"one document, {tokens:,} tokens": long,
            f"{documents:,} documents of {SMALL} tokens": many,
        }


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield coval's reader over ours."""
    reader = need(READER)
    divisor = QUICK if quick else 1
    with made(TOKENS // divisor, DOCUMENTS // divisor) as files:
        for name, path in files.items():
            check(path, reader)
            pair = measuring.paired(
                partial(partwise.coreference.read, path),
                partial(coval_mentions, reader, path),
                repetitions,
            )
            yield stages.line(name, "coval", pair)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.coreference_reading")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--coval", type=Path, required=True, metavar="CHECKOUT")
    parser.add_argument("--tokens", type=measuring.positive, default=TOKENS)
    parser.add_argument("--documents", type=measuring.positive, default=DOCUMENTS)
    parser.add_argument("--repetitions", type=measuring.positive, default=5)
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(options.coval))
    reader = need(READER)
    print("# Reading CoNLL-2012\n")
    for key, value in measuring.header(("partwise", "numpy")).items():
        print(f"- {key}: {value}")
    print()
    with made(options.tokens, options.documents) as files:
        files = {path.name: path for path in options.files} | files
        rows = [row(name, path, reader, options.repetitions) for name, path in files.items()]
    print(measuring.markdown(COLUMNS, rows))


if __name__ == "__main__":
    main(sys.argv[1:])
