"""Every format of documents: what its files hold, and whether they are read and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_COLUMNS = (
    *("format", "files", "positions", "words", "singletons", "gaps", "zeros"),
    *("split antecedents", "bridging", "several documents", "types", "read", "written"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatEntry:
    """A format.

    Attributes
    ----------
    name : str
        As ``write`` calls it where it is written, else as ``read`` does.
    read_as : str
        As ``read`` calls it.
    files : str
        Which files are meant.
    positions : str
        What mentions count.
    words, singletons, gaps, zeros, split_antecedents, bridging, types : bool
        What a file may hold beside mentions of several words and their entities: the words,
        entities of one mention, discontinuous mentions, empty nodes, entities made of others,
        mentions related to others, and what kind a mention is of.
    documents : bool
        Whether a file may hold several documents; else each has a file of its own.
    not_written : str
        Why it is not written; empty: it is.
    """

    name: str
    read_as: str = ""
    files: str
    positions: str = "tokens"
    words: bool = True
    singletons: bool = True
    gaps: bool = False
    zeros: bool = False
    split_antecedents: bool = False
    bridging: bool = False
    types: bool = False
    documents: bool = True
    not_written: str = ""


_ENTRIES = (
    FormatEntry(
        name="conll-2012",
        files="CoNLL-2011 and 2012, brackets in the last column",
    ),
    FormatEntry(
        name="corefud",
        files="CoNLL-U with `Entity` (CorefUD, GUM)",
        gaps=True,
        zeros=True,
        split_antecedents=True,
        bridging=True,
        types=True,
    ),
    FormatEntry(
        name="conll-ua",
        files="Universal Anaphora, CODI-CRAC: the column `IDENTITY`",
        gaps=True,
        zeros=True,
        split_antecedents=True,
        bridging=True,
        types=True,
    ),
    FormatEntry(
        name="jsonlines",
        files="e2e-coref and its descendants: `doc_key`, `clusters`",
    ),
    FormatEntry(
        name="wl-coref",
        read_as="jsonlines",
        files="wl-coref: `cased_words`, `span_clusters`",
    ),
    FormatEntry(
        name="fastcoref",
        read_as="jsonlines",
        files="fastcoref: `text`, `clusters`",
        positions="characters",
        words=False,
    ),
    FormatEntry(
        name="preco",
        read_as="jsonlines",
        files="PreCo: `mention_clusters`",
    ),
    FormatEntry(
        name="scico",
        read_as="jsonlines",
        files="SciCo: `flatten_tokens`, `flatten_mentions`",
    ),
    FormatEntry(
        name="semeval-2010",
        files="SemEval-2010 task 1",
        not_written="its scorer wants columns of syntax that documents here do not hold; "
        "`conll-2012` has the same brackets",
    ),
    FormatEntry(
        name="brat",
        files="`.ann`, beside its `.txt`: equivalences, a relation, or types",
        positions="characters",
        words=False,
        gaps=True,
        types=True,
        documents=False,
    ),
    FormatEntry(
        name="litbank",
        files="LitBank's own `.ann` or `.tsv` (`MENTION`, `COREF`), beside its `.txt`",
        types=True,
        documents=False,
    ),
    FormatEntry(
        name="mmax",
        files="a project `.mmax`, its `NAME_words.xml` or their folder (ARRAU, COREA)",
        gaps=True,
        types=True,
        documents=False,
        not_written="a project has a scheme of its levels, which its tool needs and the "
        "annotator makes",
    ),
    FormatEntry(
        name="ecb-plus",
        files="ECB+",
        gaps=True,
        types=True,
        documents=False,
        not_written="its classes of events and its links across documents are its own",
    ),
    FormatEntry(
        name="tei",
        files="TEI with `<rs>`, `<persName>`, `<name>` and the like",
        positions="words of `<w>`, else characters",
        split_antecedents=True,
        types=True,
        not_written="mentions stand within the markup of an edition, which documents here do "
        "not hold",
    ),
    FormatEntry(
        name="neleval",
        files="a mention a line",
        positions="characters",
        words=False,
        types=True,
        not_written="its characters are of a text outside of the file, which documents here "
        "do not hold",
    ),
    FormatEntry(
        name="scorch-json",
        files="a document a file",
        positions="ids",
        words=False,
        documents=False,
        not_written="its mentions are ids of somebody's own, which would be made up",
    ),
    FormatEntry(
        name="table",
        files="CSV, TSV, JSON rows, Parquet, feather, npz",
        positions="tokens or ids",
        words=False,
        not_written="any library of tables writes one, with columns of its user's choice",
    ),
)

#: Every format that is read or written, by its name.
CATALOGUE = {entry.name: entry for entry in _ENTRIES}


def read_as(name: str) -> str:
    """Return as what ``read`` takes files of a format."""
    entry = CATALOGUE[name]
    return entry.read_as or entry.name


def table_of_formats() -> Iterator[str]:
    """Yield the lines of the guide's table, in Markdown."""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "| --- " * len(_COLUMNS) + "|"
    for entry in _ENTRIES:
        held = (
            *(entry.words, entry.singletons, entry.gaps, entry.zeros),
            *(entry.split_antecedents, entry.bridging),
        )
        cells = [
            *(f"`{entry.name}`", entry.files, entry.positions),
            *("yes" if holds else "no" for holds in held),
            "yes" if entry.documents else "a file each",
            "yes" if entry.types else "no",
            f"as `{entry.read_as}`" if entry.read_as else "yes",
            f"no: {entry.not_written}" if entry.not_written else "yes",
        ]
        yield f"| {' | '.join(cells)} |"
