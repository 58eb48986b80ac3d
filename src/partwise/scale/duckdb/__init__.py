"""Tables by DuckDB: rows in files or a database, joined and counted within a memory limit."""

from partwise.scale.duckdb.tables import contingency

__all__ = ["contingency"]
