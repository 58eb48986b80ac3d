"""Families of readers: what each makes of any bytes.

The bytes of a case begin with a line of choices, one character each, of which "0" is the usual
one: the ending of the file, its options. Then come the files, parted by lines of ``----``.
"""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import partwise as pw
from fuzz_rules import Broken, refusal_of
from partwise import _kernels, cli
from partwise._kernels.reference import index as reference_kernels
from partwise.coreference.formats import READERS
from partwise.labels.files.read import FORMATS
from partwise.report.json_documents import JsonResult
from partwise.scale import blocks

BETWEEN = b"\n----\n"


class Choices:
    """The first line of a case."""

    def __init__(self, line: bytes) -> None:
        self.line = list(line)

    def of(self, *values: Any) -> Any:
        """Take the next choice: the first value for "0" and where the line has ended."""
        byte = self.line.pop(0) if self.line else ord("0")
        return values[(byte - ord("0")) % len(values)]


def parts(data: bytes, number: int) -> tuple[Choices, list[bytes]]:
    """Return the choices and so many files; those that the case lacks are empty."""
    line, _, content = data.partition(b"\n")
    files = content.split(BETWEEN, number - 1)
    return Choices(line), files + [b""] * (number - len(files))


# ---- one file ----------------------------------------------------------------------------


def by_kernels(run: Callable[[], Any]) -> Iterator[Any]:
    """Yield what a call gives with the kernels in force, and with those in Python."""
    yield run()
    usual = _kernels.impl
    _kernels.impl = reference_kernels
    try:
        yield run()
    finally:
        _kernels.impl = usual


def labels(data: bytes, folder: Path) -> None:
    """Read a clustering, by both kernels, with the same outcome."""
    choices, (content,) = parts(data, 1)
    ending = choices.of(
        *("txt", "csv", "tsv", "clu", "cmty", "json", "jsonl", "npy", "npz", "parquet"),
        *("feather", "h5ad", "tif", "csv.gz", "csv.bz2", "csv.xz", "csv.zst", "csv.zip"),
    )
    options = {
        "label": choices.of(None, "k", "2", ["k", "d"], 1),
        "item": choices.of(None, "id", "1", ["id", "k"]),
        "format": choices.of(*FORMATS),
        "header": choices.of(None, True, False),
        "delimiter": choices.of(None, ",", "tab", "blanks", ";", "|"),
        "comment": choices.of(None, "#", "", "%"),
        "flatten": choices.of(False, True),
    }
    path = folder / f"file.{ending}"
    path.write_bytes(content)

    def run() -> tuple[str | None, str]:
        read: list[Any] = []
        text = refusal_of(lambda: read.append(pw.read(path, **options)), ["file."])
        return text, read_text(read[0]) if read else ""

    first, second = by_kernels(run)
    if first != second:
        raise Broken(f"the kernels differ: {first} and {second}")


def read_text(clustering: Any) -> str:
    """Return all that a clustering holds as text."""
    labels = clustering.labels
    items = clustering.items
    return "\n".join(
        [
            *(str(note) for note in clustering.notes),
            f"{labels.dtype} {labels.tolist()}",
            "" if items is None else f"{items.dtype} {items.tolist()}",
        ]
    )


def table(data: bytes, folder: Path) -> None:
    """Load a table; one that is loaded is saved and loaded again, and has a score."""
    choices, (content,) = parts(data, 1)
    path = folder / f"file.{choices.of('npz', 'parquet')}"
    path.write_bytes(content)

    tables: list[Any] = []

    def run() -> None:
        loaded = pw.Contingency.load(path)
        tables.append(loaded)
        again = folder / "again.npz"
        loaded.save(again)
        if held_by(pw.Contingency.load(again)) != held_by(loaded):
            raise Broken("the table is another one after it was saved")

    refusal_of(run, ["file.", "again."])
    for loaded in tables:
        refusal_of(lambda: str(pw.compare(loaded)))  # noqa: B023


def held_by(table: Any) -> tuple[Any, ...]:
    """Return all that a table holds."""
    cells = [table.indptr, table.cols, table.counts, *(table.all_masses or ())]
    labels = [(x.dtype, repr(x.tolist())) for x in (table.row_labels, table.col_labels)]
    return [np.asarray(x).tolist() for x in cells], labels, table.account


def newick(data: bytes, folder: Path) -> None:
    """Read a tree from text."""
    text = data.decode("utf-8", "surrogateescape")

    def run() -> None:
        tree = pw.Hierarchy.from_newick(text)
        if len(tree.items) > 1:
            str(pw.compare_hierarchies(tree, tree))

    refusal_of(run, ["newick", "tree", "hierarchy"])


def documents_of_results() -> dict[str, type[JsonResult]]:
    """Return the results that JSON holds, by their schema."""
    classes, left = {}, [JsonResult]
    while left:
        one = left.pop()
        left += one.__subclasses__()
        if "_schema" in vars(one) and not one.__abstractmethods__:
            classes[f"partwise.{one._schema}"] = one
    return classes


def result(data: bytes, folder: Path) -> None:
    """Read a result from JSON; one that is read is written and read again."""
    text = data.decode("utf-8", "replace")
    named = [kind for schema, kind in RESULTS.items() if schema in text]
    of_schema = named[0] if named else RESULTS["partwise.comparison/1"]

    def run() -> None:
        read = of_schema.from_json(text)
        written = read.to_json(None)
        if of_schema.from_json(written).to_json(None) != written:
            raise Broken("the result is another one after it was written")

    with np.errstate(all="ignore"):  # numbers are taken as they are
        refusal_of(run, ["from_json"])


def coreference(data: bytes, folder: Path) -> None:
    """Read documents."""
    choices, (content,) = parts(data, 1)
    ending = choices.of(
        *("conll", "jsonlines", "conllu", "json", "ann", "tab", "csv", "xml", "jsonl"),
        *("parquet", "npz", "feather", "CONLLUA"),
    )
    format = choices.of("auto", *READERS)
    options: dict[str, Any] = choices.of(
        {}, {"ends": "inclusive"}, {"clusters": "types"}, {"header": True}, {"delimiter": "tab"}
    )
    path = folder / f"file.{ending}"
    path.write_bytes(content)

    documents: list[Any] = []

    def run() -> None:
        documents.append(pw.coreference.read(path, format, **options))
        str(documents[0])

    refusal_of(run, ["file."])
    for one in documents:
        refusal_of(lambda: str(pw.coreference.score(one, one)))  # noqa: B023


# ---- commands that read several files ----------------------------------------------------


def command(arguments: list[str]) -> None:
    """Run a command; what it refuses is raised and not printed."""

    def bare(run: Any, options: Any, words: Any = None) -> int:
        return run(options) or 0

    usual = cli.guarded
    cli.guarded = bare
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            refusal_of(lambda: cli.main(arguments))
    finally:
        cli.guarded = usual


def written(folder: Path, ending: str, contents: list[bytes]) -> list[str]:
    """Write the files of a case and return their paths."""
    paths = []
    for name, content in zip(("first", "second", "third"), contents, strict=False):
        path = folder / f"{name}.{ending}"
        path.write_bytes(content)
        paths.append(str(path))
    return paths


def cover(data: bytes, folder: Path) -> None:
    """Compare two covers."""
    choices, files = parts(data, 3)
    first, second, third = written(folder, choices.of("cmty", "csv", "txt", "jsonl"), files)
    more = choices.of([], ["--items", third], ["--item", "id"], ["--item", "1", "--label", "2"])
    shape = choices.of([], ["--format", "communities"], ["--delimiter", ","], ["--json"])
    command(["cover", first, second, *more, *shape])


def hierarchy(data: bytes, folder: Path) -> None:
    """Compare two trees, in Newick or as rows of a linkage."""
    choices, files = parts(data, 2)
    first, second = written(folder, "tree", files)
    command(["hierarchy", first, second, *choices.of([], ["--cuts"], ["--json"])])


def pairs(data: bytes, folder: Path) -> None:
    """Sweep scored edges, or join pairs."""
    choices, files = parts(data, 2)
    ending = choices.of("csv", "tsv", "npy", "jsonl", "txt")
    first, second = written(folder, ending, files)
    gold = Path(first).with_suffix(".csv")
    gold.write_bytes(files[0])
    scores = choices.of(["--scores", "distance"], ["--scores", "similarity"])
    item = choices.of(["--item", "id"], [])
    more = choices.of([], ["--open"], ["--unlabelled", "ignore"], ["--json"])
    joined = choices.of([], ["--threshold", "0.5", *scores])
    if choices.of("sweep", "clusters") == "sweep":
        command(["sweep", str(gold), second, *scores, *item, *more])
    else:
        given = choices.of([], ["--items", str(gold)])
        command(["clusters", second, *given, *joined, *(item if given else [])])


def rows(data: bytes, folder: Path) -> None:
    """Read what stands beside labels: memberships, features, groups, weights of a sample."""
    choices, files = parts(data, 3)
    first, second, third = written(folder, choices.of("csv", "tsv", "npy", "txt"), files)
    item = choices.of([], ["--item", "id"], ["--item", "1"])
    what = choices.of(
        ["compare", first, second, "--memberships"],
        ["compare", first, second, "--memberships", "--rescale"],
        ["compare", first, second, "--features", third, "--measures", "all"],
        ["compare", first, second, "--bootstrap", "3", "--seed", "1", "--groups", third],
        ["estimate", first, second, "--weights", "w"],
        ["estimate", first, second, "--weights", "size", "--bootstrap", "3", "--seed", "1"],
        ["paired", first, second, third, "--draws", "9", "--seed", "1"],
        ["diagnose", first, second],
    )
    command([*what, *item])


def several(data: bytes, folder: Path) -> None:
    """Read several columns of labels, and policies about them."""
    choices, files = parts(data, 3)
    paths = written(folder, choices.of("csv", "tsv", "txt", "jsonl"), files)
    item = choices.of([], ["--item", "id"], ["--item", "1"])
    paths = paths[: choices.of(1, 2, 3)]
    policies = choices.of(
        [], ["--missing", "ignore"], ["--unmatched", "ignore", "--duplicates", "first"]
    )
    if choices.of("each", "two") == "two" and len(paths) > 1:
        command(["compare", *paths[:2], *item, *policies])
        return
    name = choices.of("pairwise", "score", "consensus")
    if name == "score":
        command([name, paths[0], "--reference", "k", *item])
        return
    command([name, *paths, *item, *choices.of([], ["--all-columns"])])


def cells_of(table: Any) -> str:
    """Return the cells of a table with their labels, as text."""
    rows, cols = (x.tolist() for x in (table.row_labels, table.col_labels))
    cells = table.indptr.tolist(), table.cols.tolist(), table.counts.tolist()
    return f"{cells} {rows} {cols}"


def in_blocks(data: bytes, folder: Path) -> None:
    """Count two files block by block: the same table as in memory."""
    choices, files = parts(data, 2)
    paths = written(folder, choices.of("csv", "tsv", "txt", "npy", "npz", "parquet"), files)
    label = choices.of(None, "k", 2)
    reading = choices.of({}, {"header": True}, {"delimiter": ","}, {"comment": "#"})
    policies = choices.of({}, {"missing": "ignore"})
    tables: list[Any] = []
    text = refusal_of(
        lambda: tables.append(
            blocks.contingency(*paths, label=label, block_items=2, **reading, **policies)
        )
    )

    def in_memory() -> None:
        sides = [pw.read(path, label=label, **reading) for path in paths]
        tables.append(pw.contingency(*sides, **policies))

    other = refusal_of(in_memory)
    if text is None and other is None:
        first, second = (cells_of(one) for one in tables)
        if first != second:
            raise Broken(f"the tables differ: {first} by blocks, {second} in memory")


class Family(NamedTuple):
    """Readers that face the same bytes."""

    run: Callable[[bytes, Path], None]
    words: tuple[str, ...]


TABLE_WORDS = (
    *(",", "\t", ";", "|", '"', '""', "\n", "\r\n", "\r", "# ", "% ", "NA", "nan", "None"),
    *("id,k\n", "id\tk\n", "a", "b", "1", "2", "-0", "1e5", "1.0", "0x1", "inf", "9" * 20),
    *("\ufeff", "\u2028", "é", "\x00", "\n----\n", "true", "null", "[", "]", "{", "}", '{"k":'),
    *("w", "1_000", "\uff11", " 1", "2020-01-01"),
)
TREE_WORDS = ("(", ")", ",", ";", ":", "'", "''", "[", "]", "a", "b", "1e308", "-1", "nan", "_")
COREFERENCE_WORDS = (
    *("#begin document (d); part 000\n", "#end document\n", "(0)", "(0", "0)", "|", "-", "_"),
    *("# newdoc id = d\n", "# global.Entity = eid-etype-head-other\n", "Entity=(e1-person-1-)"),
    *('{"doc_key": "d", "clusters": [[[0, 1]]]}', '"sentences": [["a"]]', "T1\tE 0 1\ta\n"),
    *("R1\tCoref Arg1:T1 Arg2:T2\n", "<TEI>", "</", "<w>", "*\tE1\t", "1.1\t", "0-1", "1e9"),
    *(
        "9" * 20,
        "\n\n",
        "\t",
        "\n----\n",
        "document,mention,entity\n",
        "[",
        "]",
        "{",
        "}",
        "null",
    ),
)
FAMILIES = {
    "labels": Family(labels, TABLE_WORDS),
    "cover": Family(cover, TABLE_WORDS),
    "hierarchy": Family(hierarchy, (*TREE_WORDS, "0 1 1 2\n", "\n----\n", "0,1,1,2\n")),
    "newick": Family(newick, TREE_WORDS),
    "pairs": Family(pairs, (*TABLE_WORDS, "left,right,score\n", "0.5", "a,b,1\n")),
    "rows": Family(rows, (*TABLE_WORDS, "0.5,0.5\n", "1,0\n", "id,a,b\n")),
    "several": Family(several, (*TABLE_WORDS, "k,l\n", "1,2\n")),
    "in_blocks": Family(in_blocks, TABLE_WORDS),
    "table": Family(table, ("row", "col", "count", "mass", "account", "indptr", "cols")),
    "result": Family(
        result, ('"', "{", "}", "[", "]", "null", "1e999", "-1", "NaN", '"shape":')
    ),
    "coreference": Family(coreference, COREFERENCE_WORDS),
}
RESULTS: dict[str, type[JsonResult]] = {}


def import_everything() -> None:
    """Import what is imported late, so that it can be watched, and every kind of result."""
    import pkgutil

    for module in pkgutil.walk_packages(pw.__path__, "partwise."):
        if not module.name.endswith(("__main__", ".capi")):
            try:
                import_module(module.name)
            except ModuleNotFoundError as error:  # an engine that is not installed
                if str(error.name).startswith("partwise"):
                    print(f"{module.name} is left out: {error}", file=sys.stderr)
    RESULTS.update(sorted(documents_of_results().items()))
