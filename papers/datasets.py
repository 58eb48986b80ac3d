"""Files of the experiments on real data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.registry import MissingData
from partwise.labels.files.read import Table, read_table

DIGITS = "uci/digits.csv.gz"
PBMC = "pbmc68k_reduced/obs.csv.gz"
LITBANK = "litbank/key.tsv.gz"


def data_table(data: str | Path | None, name: str) -> Table:
    """Return the columns of a file in the folder of label data.

    Raises
    ------
    MissingData
        No folder is given, or it has no such file.
    """
    if data is None:
        raise MissingData(f"this experiment reads {name}; pass data=, the folder that holds it")
    path = Path(data) / name
    if not path.exists():
        raise MissingData(f"data={str(data)!r} holds no {name}; pass the folder that does")
    return read_table(path)


def document_labels(data: str | Path | None, document: str) -> Sequence[Any]:
    """Return the gold entity of each mention of a LitBank document.

    Raises
    ------
    MissingData
        The file is not there.
    ValueError
        It holds no such document.
    """
    table = data_table(data, LITBANK)
    documents, entities = table.columns["doc"], table.columns["cluster"]
    labels = [e for d, e in zip(documents, entities, strict=True) if d == document]
    if not labels:
        names = ", ".join(dict.fromkeys(documents))
        raise ValueError(f"no document {document!r} in {LITBANK}; it holds: {names}")
    return labels
