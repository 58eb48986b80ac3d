"""Measures whose cost can grow faster than the table: sets of measures leave them out."""

from __future__ import annotations

from collections.abc import Iterable

from partwise.labels.notes import Note
from partwise.measures.catalogue import named_among, set_among
from partwise.measures.entry import Measure
from partwise.table.contingency import Contingency

#: Up to so many cells every measure of a set is computed.
MOST_CELLS = 100_000
#: Beyond that, a matching where cells are at most so many a cluster, clusters of both sides
#: counted. Such tables are close to forests, and the direct way solves them in a few scans.
MOST_CELLS_A_CLUSTER = 1.25


def costly(entry: Measure, shape: tuple[int, int], n_cells: int) -> bool:
    """Return whether a set of measures leaves an entry out on a table of this size.

    The size decides, never the time that something takes, so that the same tables have the same
    measures everywhere.
    """
    if entry.computation.solver is None or n_cells <= MOST_CELLS:
        return False
    sparse = n_cells <= MOST_CELLS_A_CLUSTER * sum(shape)
    return not (sparse and entry.computation.solver == "matching")


def is_small(table: Contingency) -> bool:
    """Return whether a set of measures leaves nothing out on a table."""
    return table.n_cells <= MOST_CELLS


def without_costly(
    entries: Iterable[Measure], measures: str | Iterable[str], table: Contingency
) -> tuple[list[Measure], list[Note]]:
    """Return the entries that ``measures=`` has on a table, and a note on each one left out.

    What is named is never left out.
    """
    entries = list(entries)
    if is_small(table):
        return entries, []
    chosen = set_among(measures)
    left_out = [entry for entry in entries if costly(entry, table.shape, table.n_cells)]
    if not chosen or not left_out:
        return entries, []
    named = named_among(measures)
    left_out = [entry for entry in left_out if entry.name not in named]
    notes = [
        Note(
            "left-out",
            f"not computed, because its cost can grow far faster than this table of "
            f"{table.n_cells:,} cells; to have it, name it as well: "
            f'measures="{chosen}, {entry.name}"',
            entry.name,
        )
        for entry in left_out
    ]
    names = {entry.name for entry in left_out}
    return [entry for entry in entries if entry.name not in names], notes
