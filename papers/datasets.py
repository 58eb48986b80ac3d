"""Files of the experiments on real data: what comes along, and what a reader can fetch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.registry import MissingData
from partwise.labels.files.read import Table, read_table

DIGITS = "uci/digits.csv.gz"
PBMC = "pbmc68k_reduced/obs.csv.gz"
LITBANK = "litbank/key.tsv.gz"

#: The LitBank document with the fewest entities that have one mention only; it comes along.
DOCUMENT = "1400_great_expectations_brat"
_ALONG = Path(__file__).parent / "data" / "litbank_great_expectations.tsv"

#: What each file has to hold, and where that can be had.
SOURCES = {
    DIGITS: (
        "columns true and METHOD_K (kmeans_5, ward_10, ...): the UCI repository's "
        '"Optical Recognition of Handwritten Digits", as scikit-learn\'s load_digits() '
        "returns it, and clusterings of it"
    ),
    PBMC: (
        "columns bulk_labels and kmeans_K: scanpy's scanpy.datasets.pbmc68k_reduced(), and "
        "k-means clusterings of it"
    ),
    LITBANK: (
        "columns doc, mention, cluster (of many documents): the coreference annotations of "
        "LitBank, github.com/dbamman/litbank"
    ),
}


def data_table(data: str | Path, name: str) -> Table:
    """Return the columns of a file in the folder of label data.

    Raises
    ------
    MissingData
        The folder has no such file; the text says what it holds and where that can be had.
    """
    path = Path(data) / name
    if not path.exists():
        raise MissingData(
            f"data={str(data)!r} holds no {name}, a table with {SOURCES[name]}; put it there, "
            "or leave out data= (--data) to use what comes with the experiments"
        )
    return read_table(path)


def document_labels(data: str | Path | None, document: str = DOCUMENT) -> Sequence[Any]:
    """Return the gold entity of each mention of a LitBank document.

    Parameters
    ----------
    data : path or None
        The folder with ``litbank/key.tsv.gz``; None: the document that comes along.
    document : str
        Its name in LitBank.

    Raises
    ------
    MissingData
        The file is not there, or another document is asked for without a folder.
    ValueError
        The file holds no such document.
    """
    if data is None:
        if document != DOCUMENT:
            raise MissingData(
                f"document={document!r}: only {DOCUMENT} comes with the experiments; pass "
                f"data=, a folder with {LITBANK}, a table with {SOURCES[LITBANK]}"
            )
        labels: Sequence[Any] = read_table(_ALONG).columns["cluster"]
        return labels
    table = data_table(data, LITBANK)
    documents, entities = table.columns["doc"], table.columns["cluster"]
    chosen = [e for d, e in zip(documents, entities, strict=True) if d == document]
    if not chosen:
        names = ", ".join(dict.fromkeys(documents))
        raise ValueError(f"no document {document!r} in {LITBANK}; it holds: {names}")
    return chosen
