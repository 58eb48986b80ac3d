"""Scores of several candidates of which there are tables, not labels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from partwise.labels import Account
from partwise.measures.catalogue import names_of, select
from partwise.scoring.results import ScoreTable, plain_options
from partwise.table.contingency import Contingency


def score_tables(
    tables: Iterable[tuple[str, Contingency]], measures: str | Iterable[str] = "default"
) -> ScoreTable:
    """Score candidates by their tables with one reference, as ``score_many`` scores labels.

    Parameters
    ----------
    tables : iterable of (name, table)
        Each candidate; one table at a time is held.
    measures
        As in ``score_many``.
    """
    entries, skipped = select(names_of(measures), ())
    names: list[str] = []
    accounts: list[Account] = []
    values: list[list[float]] = []
    for name, table in tables:
        names.append(name)
        values.append([entry(table) for entry in entries])
        accounts.append(table.account)
    scores = np.array(values, dtype=np.float64).reshape(len(names), len(entries))
    return ScoreTable(
        names=names,
        measures=[entry.name for entry in entries],
        values=scores,
        accounts=accounts,
        skipped=skipped,
        directions={entry.name: entry.direction for entry in entries},
        options=plain_options(measures, {}),
    )
