"""How files of documents are read: the options, for type checkers."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

DocumentFormat = Literal[
    "auto",
    "conll-2012",
    "corefud",
    "jsonlines",
    "semeval-2010",
    "scorch-json",
    "neleval",
    "conll-ua",
    "brat",
    "litbank",
    "mmax",
    "ecb-plus",
    "tei",
    "table",
]


class FileOptions(TypedDict, total=False):
    """What ``read`` and ``iter_documents`` take beside a path and its format."""

    ends: Any
    clusters: Any
    document: Any
    mention: Any
    entity: Any
    header: Any
    delimiter: Any
    side: Any


class PairOptions(FileOptions, total=False):
    """What ``score`` takes: one value for both files, or a pair (key, response)."""

    format: Any
