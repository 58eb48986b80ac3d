"""Tables of two columns that a statement of SQL selects, by DuckDB."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from partwise.cli.options import read_policies
from partwise.cli.tables.joined import LEAST_OF_DUCKDB, in_plain_errors, threads_of
from partwise.cli.tables.limits import memory_limit
from partwise.table.contingency import Contingency

#: Options of files, by what they are where nobody sets them.
_OF_FILES = {
    "reference": None,
    "item": None,
    "label": None,
    "format": "auto",
    "header": None,
    "delimiter": None,
    "comment": None,
    "flatten": False,
    "unmatched": "error",
    "duplicates": "error",
}


def add_sql_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a statement in place of two files."""
    group = parser.add_argument_group("SQL", "in place of REFERENCE and CANDIDATE")
    group.add_argument(
        "--sql",
        metavar="SELECT",
        help="a statement of DuckDB that selects two columns, the labels of the reference and "
        "of the candidate",
    )
    group.add_argument(
        "--database",
        metavar="FILE",
        help="a file of DuckDB whose tables the statement reads; nothing is written to it",
    )


def table_of_sql(options: argparse.Namespace) -> Contingency | None:
    """Return the table that --sql selects, None where there is no such option."""
    if options.sql is None:
        if options.database is not None:
            raise ValueError("--database is what --sql reads; give a statement as --sql")
        if options.candidate is None:
            raise ValueError("give REFERENCE and CANDIDATE, or a statement as --sql")
        return None
    used = [name for name, unset in _OF_FILES.items() if getattr(options, name) != unset]
    if used:
        shown = "REFERENCE" if used[0] == "reference" else f"--{used[0]}"
        raise ValueError(f"{shown} would do nothing beside --sql; leave it out")
    if options.database is not None and not Path(options.database).is_file():
        raise FileNotFoundError(2, "No such file", options.database)
    from partwise.scale import duckdb as by_duckdb
    from partwise.scale.duckdb.session import import_duckdb

    duckdb = import_duckdb()
    with in_plain_errors(), tempfile.TemporaryDirectory(prefix="partwise-duckdb-") as folder:
        connection = duckdb.connect(
            options.database or ":memory:",
            read_only=options.database is not None,
            config={"temp_directory": folder},
        )
        with connection:
            statements = duckdb.extract_statements(options.sql)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise ValueError(f"--sql {options.sql!r} is not one SELECT")
            # which is put into parentheses: a comment at the end has a line of its own
            selected = connection.sql(options.sql.strip().rstrip(";") + "\n")
            names = selected.columns
            if len(names) != 2:
                raise ValueError(
                    f"--sql selects {len(names)} column{'s' * (len(names) != 1)} "
                    f"({', '.join(names)}); two are expected, the labels of the reference and "
                    "of the candidate, a row an item; write rows that were counted to parquet, "
                    "with the columns row, col and count, which partwise compare takes"
                )
            return by_duckdb.contingency(
                selected.project("#1 AS reference, #2 AS candidate"),
                label=("reference", "candidate"),
                connection=connection,
                memory_limit=max(memory_limit(options), LEAST_OF_DUCKDB),
                threads=threads_of(options),
                **read_policies(options),
            )
