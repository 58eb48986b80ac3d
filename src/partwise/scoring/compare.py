"""Scoring: one pair of clusterings, one reference against many, all against all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, Unpack

import numpy as np

from partwise._kernels.workers import map_blocks, read_workers, working
from partwise.labels import Account, Clustering
from partwise.labels.clustering import as_clustering
from partwise.labels.forms import shape_of_volumes
from partwise.labels.items.in_order import refuse_other_orders
from partwise.labels.items.several import named_clusterings, orientation_note
from partwise.labels.notes import Note, flattened, warn_of
from partwise.labels.policies import DEFAULTS as POLICIES
from partwise.measures.aliases import split_names, takes
from partwise.measures.catalogue import (
    Selection,
    find,
    named_among,
    names_of,
    select,
    selection,
    set_among,
)
from partwise.measures.entry import Measure
from partwise.numbers.checks import one_of
from partwise.progress import track
from partwise.scoring import many
from partwise.scoring.costly import is_small, without_costly
from partwise.scoring.pairwise_table import PairwiseTable
from partwise.scoring.results import Comparison, Scores, ScoreTable, plain_options
from partwise.scoring.rows import score_rows
from partwise.table.alignment import Alignment
from partwise.table.arguments import (
    Clusterings,
    Reference,
    as_table,
    clusterings_of,
    item_columns_of,
)
from partwise.table.contingency import Contingency
from partwise.table.margins import use_margins
from partwise.table.memo import Memo, memoized
from partwise.table.plain_arrays import table_of_arrays
from partwise.typing import Candidate, Column, Labels, Policies

#: Cells from which families of measures are worth threads of their own.
_SHARED_CELLS = 1 << 14


def _values(pair: Clusterings, chosen: Selection, workers: int) -> dict[str, float]:
    """Return the value of each measure; threads share the families, which share their sums.

    What rests on a solver comes first, each by itself: it takes longest.
    """
    table = as_table(pair)
    if workers == 1 or table.n_cells < _SHARED_CELLS:
        if table.masses is not None or table.n_items == 0 or chosen.looks_at_items:
            return {entry.name: entry.value(pair, table) for entry in chosen.entries}
        return {name: run(table) for name, run in chosen.runs}
    entries = chosen.entries
    families: dict[str, list[Measure]] = {}
    for entry in sorted(entries, key=lambda entry: entry.computation.solver is None):
        name = entry.family if entry.computation.solver is None else entry.name
        families.setdefault(name, []).append(entry)
    scores = {entry.name: 0.0 for entry in entries}  # in this order

    def score(family: list[Measure] | None) -> dict[str, float]:
        if family is None:
            _n_components(table)
            return {}
        return {entry.name: entry.value(pair, table) for entry in family}

    for of_family in map_blocks(score, [*families.values(), None], workers):
        scores |= of_family
    return scores


@memoized
def _n_components(table: Contingency) -> int:
    return table.components().n_components


def _without_counting(
    entries: list[Measure], skipped: dict[str, str], measures: str | Iterable[str]
) -> tuple[list[Measure], dict[str, str]]:
    """Leave the measures of whole items out of a set, for tables with weights."""
    if not set_among(measures):
        return entries, skipped
    named = named_among(measures)
    refused = {
        entry.name: "takes no weights"
        for entry in entries
        if not entry.computation.weights and entry.name not in named
    }
    return [entry for entry in entries if entry.name not in refused], skipped | refused


@takes("measures")
def compare(
    reference: Reference,
    candidate: Candidate = None,
    *,
    measures: str | Iterable[str] = "default",
    workers: int | None = None,
    **policies: Unpack[Policies],
) -> Comparison:
    """Score two clusterings of the same items by several measures at once.

    Parameters
    ----------
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment`` or
        ``Contingency``.
    measures : {"default", "all"}, names with commas between, or an iterable of names
        Names may carry options: ``"v_measure(beta=2)"``. ``catalogue()`` lists them; short
        names such as ``"ari, nmi"`` and those of scikit-learn are understood. "all" lists what
        it had to skip, with the reason. Names may stand beside "default" and "all":
        ``"default, misclassification_index"``.
    workers : int, optional
        Threads that number text, count the table and share the families of measures; -1 is one
        for each core; by default as ``set_workers`` says. They change no bit.
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

    "default" and "all" cost O(cells), with two exceptions that they leave out of tables of more
    than 100,000 cells, each with a note. Measures that rest on a matching (of the default ones
    ``pair_sets_index`` and ``classification_accuracy``) are left out if there are also more
    than 1.25 cells for each cluster, clusters of both sides counted: where clusterings have
    little in common a cell then costs the more, the more there are. Those of the family
    transport are left out in any case. Name them to have them on tables of any size:
    ``measures="default, pair_sets_index"``. No value is ever approximate.

    Examples
    --------
    >>> import partwise as pw
    >>> result = pw.compare([0, 0, 1, 1], [0, 1, 1, 1], measures=["rand_index", "purity"])
    >>> print(result)
    4 items compared, aligned by position; 2 reference clusters and 2 candidate
    clusters, 3 cells, 1 component
    <BLANKLINE>
    clusters by items  1  2-9  10-99  100 and more
    reference          0    2      0             0
    candidate          1    1      0             0
    <BLANKLINE>
    similarities: higher is better
      pairs         rand_index  0.5000
      set matching  purity      0.7500
    """
    measures = names_of(measures)
    chosen = selection(measures, item_columns_of(reference, policies))
    threads = read_workers(workers)
    with working(threads):
        pair: Clusterings | None = None
        if not policies and not chosen.looks_at_items:
            pair = table_of_arrays(reference, candidate)
        if pair is None:
            pair = clusterings_of(reference, candidate, policies, "compare")
        _check_features(chosen.entries, measures, policies)
        table = as_table(pair)
    chosen, notes = _suited(chosen, measures, table)
    notes += _features_unused(measures, policies)
    notes += [
        Note("tie-broken", "a tie was broken by the order of labels", entry.name)
        for entry in chosen.tie_dependent
        if entry.broke_tie(pair)
    ]
    return Comparison(
        scores=Scores(_values(pair, chosen, threads)),
        families=dict(chosen.families),
        skipped=dict(chosen.skipped),
        account=table.account,
        shape=table.shape,
        n_cells=table.n_cells,
        n_components=_n_components(table),
        profiles=table.profiles,
        item_profiles=table.item_profiles,
        notes=notes,
        directions=dict(chosen.directions),
        options=plain_options(measures, policies),
    )


def _suited(
    chosen: Selection, measures: str | Iterable[str], table: Contingency
) -> tuple[Selection, list[Note]]:
    """Return the rows that suit a table, and a note on each one that a set leaves out."""
    if table.masses is None and is_small(table):
        return chosen, []
    entries, skipped = list(chosen.entries), chosen.skipped
    if table.masses is not None:
        entries, skipped = _without_counting(entries, skipped, measures)
    entries, left_out = without_costly(entries, measures, table)
    return Selection.of(entries, skipped), left_out


def _check_features(
    entries: Iterable[Measure], measures: Any, policies: Mapping[str, Any]
) -> None:
    """Refuse features that no measure that was named would look at."""
    if policies.get("features") is None or set_among(measures):
        return
    if not any(entry.uses_features for entry in entries):
        raise TypeError("no measure here has a use for features=; leave them out, or name one")


def _features_unused(measures: Any, policies: Mapping[str, Any]) -> list[Note]:
    """Return the note on features beside the default measures, which look at no item."""
    if set_among(measures) != "default" or policies.get("features") is None:
        return []
    if any(find(name).uses_features for name in named_among(measures)):
        return []
    text = (
        "none of the default measures has a use for features=; name measures of the family "
        'centroids, or pass measures="all"'
    )
    return [Note("option-unused", text, "features")]


def _raveled(policies: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    """Return policies with what rides along in arrays of this shape as a value per element."""
    return {
        name: value.ravel() if getattr(value, "shape", None) == shape else value
        for name, value in policies.items()
    }


def _check_rows(candidates: Any, n_items: int) -> None:
    """Refuse an array whose rows, not its columns, are as long as the reference."""
    if isinstance(candidates, np.ndarray) and candidates.ndim == 2:
        n, m = candidates.shape
        if m == n_items != n:
            raise ValueError(
                f"candidates is an array of shape ({n}, {m}), a candidate is a column of it, "
                f"and the reference has {n_items} items; pass array.T for a candidate a row"
            )


def _refuse_positional(columns: list[Clustering], policies: Mapping[str, Any]) -> None:
    """Weights by position follow one reference; here every clustering is one in turn."""
    by_item = any(column.item_column is not None for column in columns)
    for name in ("weights", "multiplicity", "features"):
        by_position = policies.get(name)
        if by_item and by_position is not None and not isinstance(by_position, Mapping):
            raise ValueError(f"pass {name} as a mapping by item: the clusterings have item ids")


@takes("measures")
def score_many(
    reference: Reference,
    candidates: Column | Iterable[Labels],
    measures: str | Iterable[str] = "default",
    *,
    pairs: Literal["rows"] | None = None,
    progress: bool = False,
    workers: int | None = None,
    **policies: Unpack[Policies],
) -> ScoreTable:
    """Score several candidate clusterings against one reference, or many pairs of clusterings.

    Parameters
    ----------
    reference
        A clustering in any form that ``align`` takes.
    candidates : mapping, data frame, 2-D array (a column each), or sequence
        The candidate clusterings, by name or numbered.
    measures
        As in ``compare``, but none is left out for what it costs.
    pairs : {"rows"}, optional
        "rows": both sides are 2-D arrays of one shape, and row i of the reference is compared
        with row i of the candidates.
    progress : bool, default False
        Show how many are done and the time left, on a terminal.
    workers : int, optional
        Threads that share the candidates; -1 is one for each core; by default as
        ``set_workers`` says. They change no bit.
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

    Two arrays with a clustering in each row:

    >>> import numpy as np
    >>> first = np.array([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> second = np.array([[0, 1, 1, 1], [5, 5, 5, 7]])
    >>> pw.score_many(first, second, ["rand_index"], pairs="rows").values.tolist()
    [[0.5], [1.0]]
    """
    if pairs is not None:
        one_of(pairs, ("rows",), "pairs")
    measures = names_of(measures)
    entries, skipped = select(measures, item_columns_of(reference, policies))
    _check_features(entries, measures, policies)
    warn_of(_features_unused(measures, policies))
    threads = read_workers(workers)
    if policies.get("weights") is not None:
        entries, skipped = _without_counting(entries, skipped, measures)
    if pairs is not None:
        of_rows, of_pairs = score_rows(
            reference, candidates, entries, policies, threads, progress
        )
        rows, columns = map(str, range(len(of_rows))), [entry.name for entry in entries]
        return ScoreTable(list(rows), columns, of_rows, of_pairs, skipped)
    by_name = named_clusterings(candidates, "candidates")
    volumes = shape_of_volumes(reference, *by_name.values())
    if volumes is not None:
        reference = reference.ravel()  # type: ignore[union-attr]
        by_name = {name: values.ravel() for name, values in by_name.items()}
        policies = _raveled(policies, volumes)
    prepared = as_clustering(reference, "reference")
    if volumes is not None:
        prepared._with_notes([flattened(volumes)])
    _check_rows(candidates, prepared.n_items)
    orientation = orientation_note(candidates, "candidates")
    names, sides = [], []
    for name, values in by_name.items():
        names.append(name)
        with _named(f"candidate {name!r}"):
            side = as_clustering(values, "candidate")
            sides.append(side._with_notes(orientation) if orientation else side)
    if prepared.index is None:  # else each candidate is held against it
        refuse_other_orders([f"candidate {name!r}" for name in names], sides)
    scores = np.empty((len(names), len(entries)), dtype=np.float64)
    pending = np.ones(scores.shape, dtype=bool)
    accounts: dict[int, Account] = {}
    summed = [j for j, entry in enumerate(entries) if many.has_sums(entry)]
    codes = None
    if summed and sides and policies.keys() <= POLICIES.keys():
        codes = many.ManyCodes.of([prepared, *sides], policies)
    if codes is not None:
        summed_entries = [entries[j] for j in summed]
        scores[:, summed], pending[:, summed] = many.one_against_all(
            codes, summed_entries, threads, progress and len(summed) == len(entries)
        )
        accounts = {i: codes.account(0, i + 1) for i in range(len(names))}

    reference_memo = Memo()  # what all tables know of the reference

    def score(i: int) -> tuple[Account, list[float]]:
        if codes is not None:
            pair: Clusterings = codes.aligned(0, i + 1)
        else:
            with _named(f"candidate {names[i]!r}"):
                pair = clusterings_of(prepared, sides[i], policies, "score_many")
            _share_reference(pair, reference_memo)
        return pair.account, [entries[j](pair) for j in np.flatnonzero(pending[i])]

    alone = np.flatnonzero(pending.any(axis=1)).tolist()
    shown = track(alone, "scoring", progress)
    for i, (account, values) in zip(shown, map_blocks(score, alone, threads), strict=True):
        accounts[i] = account
        scores[i, pending[i]] = values
    listed = [accounts[i] for i in range(len(names))]
    return ScoreTable(
        names=names,
        measures=[entry.name for entry in entries],
        values=scores,
        accounts=listed,
        skipped=skipped,
        directions={entry.name: entry.direction for entry in entries},
        options=plain_options(measures, policies),
    )


def _share_reference(pair: Clusterings, reference_memo: Memo) -> None:
    """Let comparisons with one reference use what the others know of it."""
    if isinstance(pair, Alignment):
        pair.reference_memo = reference_memo
        use_margins(pair.table, reference_memo)


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Say in an error which clusterings it is about."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}") from error


@takes("measure")
def pairwise(
    clusterings: Column | Iterable[Labels],
    measure: str = "variation_of_information",
    *,
    progress: bool = False,
    workers: int | None = None,
    **policies: Unpack[Policies],
) -> PairwiseTable:
    """Return one measure between all pairs of several clusterings.

    Parameters
    ----------
    clusterings : mapping, data frame, 2-D array (a column each), or sequence
    measure : str, default "variation_of_information"
        Name, with options if any.
    progress : bool, default False
        Show how many are done and the time left, on a terminal.
    workers : int, optional
        Threads that share the pairs; -1 is one for each core; by default as ``set_workers``
        says. They change no bit.
    **policies
        See ``align``.

    Returns
    -------
    PairwiseTable
        Its values [i, j] = measure(reference=i, candidate=j), and the names; NumPy takes it for
        an array.

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
    if isinstance(measure, str) and len(split_names(measure)) > 1:
        raise ValueError(
            f"measure={measure!r}: pairwise takes one measure; call it once for each"
        )
    entry = find(measure)
    select([measure], item_columns_of(None, policies))  # raises, saying what is missing
    _check_features([entry], measure, policies)
    threads = read_workers(workers)
    by_name = named_clusterings(clusterings, "clusterings")
    warn_of(orientation_note(clusterings, "clusterings"))
    volumes = shape_of_volumes(*by_name.values())
    if volumes is not None:
        by_name = {name: values.ravel() for name, values in by_name.items()}
        policies = _raveled(policies, volumes)
    columns = [
        as_clustering(values, f"clustering {name!r}") for name, values in by_name.items()
    ]
    _refuse_positional(columns, policies)
    names, m = list(by_name), len(columns)
    result = np.empty((m, m), dtype=np.float64)
    pending = np.ones((m, m), dtype=bool)
    codes = None
    if m and many.has_sums(entry) and policies.keys() <= POLICIES.keys():
        codes = many.ManyCodes.of(columns, policies)
    if codes is not None:
        result, pending = many.all_pairs(codes, entry, threads, progress)
    if entry.symmetric:
        pending = np.triu(pending)

    def compared(i: int) -> list[float]:
        values = []
        reference_memo = Memo()
        for j in np.flatnonzero(pending[i]).tolist():
            if codes is not None:
                items = entry.computation.items
                values.append(entry(codes.aligned(i, j) if items else codes.table(i, j)))
                continue
            with _named(f"reference {names[i]!r}, candidate {names[j]!r}"):
                pair = clusterings_of(columns[i], columns[j], policies, "pairwise")
            _share_reference(pair, reference_memo)
            values.append(entry(pair))
        return values

    alone = np.flatnonzero(pending.any(axis=1)).tolist()
    shown = track(alone, "comparing", progress)
    for i, values in zip(shown, map_blocks(compared, alone, threads), strict=True):
        result[i, pending[i]] = values
        if entry.symmetric:
            result[pending[i], i] = values
    options = plain_options(measure, policies)
    return PairwiseTable(
        names=names,
        measure=entry.name,
        values=result,
        direction=entry.direction,
        symmetric=entry.symmetric,
        options=options,
    )
