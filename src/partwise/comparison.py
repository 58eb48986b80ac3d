"""Scoring: one pair of clusterings, one reference against many, all against all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise import many
from partwise.catalogue import Measure, columns_of, find, given_of, select
from partwise.contingency import Contingency, SizeProfile
from partwise.display.table import (
    csv_table,
    html_table,
    json_text,
    markdown_table,
    text_table,
)
from partwise.labels import Account, Alignment, Clustering
from partwise.labels.account import counted
from partwise.labels.clustering import as_clustering
from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.margins import exchange
from partwise.progress import track
from partwise.workers import map_blocks, read_workers

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Comparison:
    """Scores of two clusterings, with the account of what was compared.

    Attributes
    ----------
    scores : dict of str to float
        Value of each measure, in order of family.
    families : dict of str to str
        Family of each measure.
    skipped : dict of str to str
        Measures of ``measures="all"`` that were left out, and why.
    account : Account
    shape : tuple of int
        Numbers of reference and candidate clusters.
    n_cells, n_components : int
        Clusters of the meet and of the join.
    profiles : pair of SizeProfile
        How many clusters of the reference and of the candidate hold one item, under 10, under
        100, 100 and more (the profile of NVI, Table 2).
    notes : list of str
        What a reader of the scores should know, such as ties that were broken.
    """

    scores: dict[str, float]
    families: dict[str, str]
    skipped: dict[str, str]
    account: Account
    shape: tuple[int, int]
    n_cells: int
    n_components: int
    profiles: tuple[SizeProfile, SizeProfile]
    notes: list[str] = field(default_factory=list)

    def __getitem__(self, measure: str) -> float:
        return self.scores[measure]

    @property
    def header(self) -> str:
        """What was compared, as one line."""
        rows, cols = self.shape
        return (
            f"{self.account.describe()}; {counted(rows, 'reference cluster')} and "
            f"{counted(cols, 'candidate cluster')}, {counted(self.n_cells, 'cell')}, "
            f"{counted(self.n_components, 'component')}"
        )

    @property
    def profile_line(self) -> str:
        """Sizes of the clusters of both sides, as one line."""
        shown = (
            f"{side} {one.single} of one item, {one.under_10} under 10, {one.under_100} under "
            f"100, {one.from_100} of 100 and more"
            for side, one in zip(("reference", "candidate"), self.profiles, strict=True)
        )
        return f"clusters by size: {'; '.join(shown)}"

    def _rows(self) -> list[tuple[str, str, float]]:
        return [(self.families[name], name, value) for name, value in self.scores.items()]

    def __str__(self) -> str:
        lines = [self.header, self.profile_line, "", text_table(self._rows())]
        lines += self.notes
        lines += [f"skipped: {name} {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "account": self.account.to_dict(),
            "clusters": {"reference": self.shape[0], "candidate": self.shape[1]},
            "size_profile": {
                side: one._asdict()
                for side, one in zip(("reference", "candidate"), self.profiles, strict=True)
            },
            "cells": self.n_cells,
            "components": self.n_components,
            "scores": dict(self.scores),
            "skipped": dict(self.skipped),
            "notes": list(self.notes),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict()`` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_markdown(self) -> str:
        """Return the account and a Markdown table."""
        table = markdown_table(["family", "measure", "value"], self._rows())
        parts = [self.header, self.profile_line, table, *self.notes]
        return "\n\n".join(parts)

    def to_csv(self) -> str:
        """Return the scores as CSV text: family, measure, value."""
        return csv_table(["family", "measure", "value"], self._rows())

    def to_pandas(self) -> pandas.Series[float]:
        """Return the scores as a pandas Series (needs the extra ``partwise[frames]``)."""
        return pandas_module().Series(self.scores, name="score", dtype=np.float64)

    def _repr_html_(self) -> str:
        return html_table(self.header, ["family", "measure", "value"], self._rows())


def pandas_module() -> Any:
    """Return pandas, or say how to install it."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "to_pandas needs pandas: pip install 'partwise[frames]'", name="pandas"
        ) from error
    return pandas


def _values(given: Alignment | Contingency, rows: Iterable[Measure]) -> dict[str, float]:
    return {row.name: row(given) for row in rows}


def _without_counting(
    rows: list[Measure], skipped: dict[str, str]
) -> tuple[list[Measure], dict[str, str]]:
    """Leave out the measures of whole items, for tables with weights."""
    refused = {row.name: "takes no weights" for row in rows if not row.weights}
    return [row for row in rows if row.weights], skipped | refused


def compare(
    reference: Any,
    candidate: Any = None,
    *,
    measures: str | Iterable[str] = "default",
    workers: int = 1,
    **policies: Any,
) -> Comparison:
    """Score two clusterings of the same items by several measures at once.

    Parameters
    ----------
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment`` or
        ``Contingency``.
    measures : {"default", "all"}, a name, or an iterable of names
        Names may carry options: ``"v_measure(beta=2)"``. ``catalogue()`` lists them. "all"
        lists what it had to skip, with the reason.
    workers : int, default 1
        Threads that count the table; -1 is one for each core. They change no bit.
    **policies
        ``unmatched``, ``missing``, ``missing_labels``, ``duplicates``, ``weights``,
        ``multiplicity``, ``features``: see ``align``. Measures of centroids need features.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError
        As ``align``; unknown measure or option (near names are offered).

    Notes
    -----
    The table is built once; sums that several measures need are computed once.

    Examples
    --------
    >>> import partwise as pw
    >>> result = pw.compare([0, 0, 1, 1], [0, 1, 1, 1], measures=["rand_index", "purity"])
    >>> print(result)
    4 items compared, aligned by position; 2 reference clusters and 2 candidate clusters, \
3 cells, 1 component
    clusters by size: reference 0 of one item, 2 under 10, 2 under 100, 0 of 100 and more; \
candidate 1 of one item, 2 under 10, 2 under 100, 0 of 100 and more
    <BLANKLINE>
    pairs         rand_index  0.5
    set matching  purity      0.75
    """
    rows, skipped = select(measures, columns_of(reference, policies))
    threads = read_workers(workers)
    given = given_of(reference, candidate, policies, "compare")
    table = given if isinstance(given, Contingency) else given.counted(threads)
    if table.masses is not None and measures in ("default", "all"):
        rows, skipped = _without_counting(rows, skipped)
    notes = [
        f"{row.name}: a tie was broken by the order of labels"
        for row in rows
        if row.broke_tie(given)
    ]
    return Comparison(
        scores=_values(given, rows),
        families={row.name: row.family for row in rows},
        skipped=skipped,
        account=table.account,
        shape=table.shape,
        n_cells=table.n_cells,
        n_components=table.components().n_components,
        profiles=table.profiles,
        notes=notes,
    )


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of several candidates against one reference.

    Attributes
    ----------
    names : list of str
        The candidates.
    measures : list of str
    values : ndarray of float64, shape (len(names), len(measures))
    accounts : list of Account
    skipped : dict of str to str
        Measures of ``measures="all"`` that were left out, and why.
    """

    names: list[str]
    measures: list[str]
    values: NDArray[np.float64]
    accounts: list[Account] = field(repr=False)
    skipped: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> NDArray[np.float64]:
        """Return the column of a measure."""
        return self.values[:, self.measures.index(measure)]

    @property
    def _header(self) -> list[str]:
        return ["candidate", *self.measures]

    def _rows(self) -> list[tuple[Any, ...]]:
        lines = zip(self.names, self.values.tolist(), strict=True)
        return [(name, *values) for name, values in lines]

    def __str__(self) -> str:
        notes = dict.fromkeys(account.describe() for account in self.accounts)
        lines = [*notes, "", text_table(self._rows(), self._header)]
        lines += [f"skipped: {name} {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return {candidate: {measure: value}}."""
        return {row[0]: dict(zip(self.measures, row[1:], strict=True)) for row in self._rows()}

    def to_json(self, indent: int | None = 2) -> str:
        """Return the scores and accounts as JSON text."""
        accounts = {
            name: account.to_dict()
            for name, account in zip(self.names, self.accounts, strict=True)
        }
        found = {"scores": self.to_dict(), "accounts": accounts, "skipped": self.skipped}
        return json_text(found, indent)

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return markdown_table(self._header, self._rows())

    def to_csv(self) -> str:
        """Return CSV text, one candidate a line."""
        return csv_table(self._header, self._rows())

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame (needs the extra ``partwise[frames]``)."""
        return pandas_module().DataFrame(self.values, index=self.names, columns=self.measures)

    def _repr_html_(self) -> str:
        return html_table("", self._header, self._rows())


def named_clusterings(clusterings: Any, what: str) -> dict[str, Any]:
    """Return several clusterings by name: mapping, frame, 2-D int array, or sequence."""
    if isinstance(clusterings, Mapping):
        found = {str(name): values for name, values in clusterings.items()}
        if len(found) < len(clusterings):
            raise ValueError(f"two names of {what} are the same as text; rename one")
    elif hasattr(clusterings, "columns") and hasattr(clusterings, "__getitem__"):
        found = {str(name): clusterings[name] for name in _column_names(clusterings)}
    elif isinstance(clusterings, np.ndarray) and clusterings.ndim == 2:
        found = {str(j): clusterings[:, j] for j in range(clusterings.shape[1])}
    elif isinstance(clusterings, np.ndarray):
        raise ValueError(
            f"{what} is an array of shape {clusterings.shape}; several clusterings are the "
            "columns of a 2-D array, or a list or mapping of label columns"
        )
    else:
        found = {str(i): values for i, values in enumerate(clusterings)}
    return found


def _column_names(frame: Any) -> list[Any]:
    names = getattr(frame, "column_names", None)  # pyarrow
    return list(frame.columns if names is None else names)


def _refuse_positional(columns: list[Clustering], policies: Mapping[str, Any]) -> None:
    """Weights by position follow one reference; here every clustering is one in turn."""
    by_item = any(column.item_column is not None for column in columns)
    for name in ("weights", "multiplicity", "features"):
        given = policies.get(name)
        if by_item and given is not None and not isinstance(given, Mapping):
            raise ValueError(f"pass {name} as a mapping by item: the clusterings have item ids")


def score_many(
    reference: Any,
    candidates: Any,
    measures: str | Iterable[str] = "default",
    *,
    progress: bool = False,
    workers: int = 1,
    **policies: Any,
) -> ScoreTable:
    """Score several candidate clusterings against one reference.

    Parameters
    ----------
    reference
        A clustering in any form that ``align`` takes.
    candidates : mapping, data frame, 2-D array (a column each), or sequence
        The candidate clusterings, by name or numbered.
    measures
        As in ``compare``.
    progress : bool, default False
        Show a bar where rich is installed.
    workers : int, default 1
        Threads that share the candidates; -1 is one for each core. They change no bit.
    **policies
        See ``align``.

    Returns
    -------
    ScoreTable

    Notes
    -----
    Where all clusterings have the same items, each with a label, and items carry nothing, every
    clustering is encoded once, and measures that are functions of sums over the cells take
    them from one pass over the codes, without a table. The bits are those of the measures.

    Examples
    --------
    >>> import partwise as pw
    >>> runs = {"coarse": [0, 0, 0, 0], "exact": [7, 7, 8, 8]}
    >>> pw.score_many([0, 0, 1, 1], runs, ["rand_index"]).to_dict()["exact"]
    {'rand_index': 1.0}
    """
    rows, skipped = select(measures, columns_of(reference, policies))
    threads = read_workers(workers)
    if policies.get("weights") is not None and measures in ("default", "all"):
        rows, skipped = _without_counting(rows, skipped)
    prepared = as_clustering(reference, "reference")
    names, sides = [], []
    for name, values in named_clusterings(candidates, "candidates").items():
        names.append(name)
        with _named(f"candidate {name!r}"):
            sides.append(as_clustering(values, "candidate"))
    scores = np.empty((len(names), len(rows)), dtype=np.float64)
    left = np.ones(scores.shape, dtype=bool)
    accounts: dict[int, Account] = {}
    known = [j for j, row in enumerate(rows) if many.has_sums(row)]
    codes = None
    if known and sides and policies.keys() <= POLICIES.keys():
        codes = many.ManyCodes.of([prepared, *sides], policies)
    if codes is not None:
        asked = [rows[j] for j in known]
        scores[:, known], left[:, known] = many.one_against_all(
            codes, asked, threads, progress and len(known) == len(rows)
        )
        accounts = {i: codes.account(0, i + 1) for i in range(len(names))}

    shelf: dict[Any, Any] = {}  # of what all tables know of the reference

    def score(i: int) -> tuple[Account, list[float]]:
        if codes is not None:
            given: Alignment | Contingency = codes.aligned(0, i + 1)
        else:
            with _named(f"candidate {names[i]!r}"):
                given = given_of(prepared, sides[i], policies, "score_many")
            _share_reference(given, shelf)
        return given.account, [rows[j](given) for j in np.flatnonzero(left[i])]

    alone = np.flatnonzero(left.any(axis=1)).tolist()
    shown = track(alone, "scoring", progress)
    for i, (account, values) in zip(shown, map_blocks(score, alone, threads), strict=True):
        accounts[i] = account
        scores[i, left[i]] = values
    listed = [accounts[i] for i in range(len(names))]
    return ScoreTable(names, [row.name for row in rows], scores, listed, skipped)


def _share_reference(given: Alignment | Contingency, shelf: dict[Any, Any]) -> None:
    """Let comparisons with one reference use what the others know of it."""
    if isinstance(given, Alignment):
        given._shelf = shelf
        exchange(given.table, shelf)


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Say in an error which clusterings it is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}") from error


def pairwise(
    clusterings: Any,
    measure: str = "variation_of_information",
    *,
    progress: bool = False,
    workers: int = 1,
    **policies: Any,
) -> NDArray[np.float64]:
    """Return one measure between all pairs of several clusterings.

    Parameters
    ----------
    clusterings : mapping, data frame, 2-D array (a column each), or sequence
    measure : str, default "variation_of_information"
        Name, with options if any.
    progress : bool, default False
        Show a bar where rich is installed.
    workers : int, default 1
        Threads that share the pairs; -1 is one for each core. They change no bit.
    **policies
        See ``align``.

    Returns
    -------
    ndarray of float64, shape (m, m)
        [i, j] = measure(reference=i, candidate=j).

    Notes
    -----
    Pairs of a symmetric measure are computed once. Where all clusterings have the same items,
    each with a label, and items carry nothing, every clustering is encoded once, and a measure
    that is a function of sums over the cells takes them from one pass over two columns of
    codes: O(m^2 n) with a few instructions an item. The bits are those of the measure.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pairwise([[0, 0, 1, 1], [0, 1, 1, 1]], "rand_index").tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    row = find(measure)
    select([measure], columns_of(None, policies))  # raises, saying what is missing
    threads = read_workers(workers)
    found = named_clusterings(clusterings, "clusterings")
    columns = [as_clustering(values, f"clustering {name!r}") for name, values in found.items()]
    _refuse_positional(columns, policies)
    names, m = list(found), len(columns)
    result = np.empty((m, m), dtype=np.float64)
    left = np.ones((m, m), dtype=bool)
    codes = None
    if m and many.has_sums(row) and policies.keys() <= POLICIES.keys():
        codes = many.ManyCodes.of(columns, policies)
    if codes is not None:
        result, left = many.all_pairs(codes, row, threads, progress)
    if row.symmetric:
        left = np.triu(left)

    def compared(i: int) -> list[float]:
        values = []
        shelf: dict[Any, Any] = {}
        for j in np.flatnonzero(left[i]).tolist():
            if codes is not None:
                values.append(row(codes.aligned(i, j)))
                continue
            with _named(f"reference {names[i]!r}, candidate {names[j]!r}"):
                given = given_of(columns[i], columns[j], policies, "pairwise")
            _share_reference(given, shelf)
            values.append(row(given))
        return values

    alone = np.flatnonzero(left.any(axis=1)).tolist()
    shown = track(alone, "comparing", progress)
    for i, values in zip(shown, map_blocks(compared, alone, threads), strict=True):
        result[i, left[i]] = values
        if row.symmetric:
            result[left[i], i] = values
    return result
