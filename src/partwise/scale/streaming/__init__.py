"""A table that changes: labels arrive, leave and are replaced, and scores stay current."""

from partwise.scale.streaming.table import LiveTable

__all__ = ["LiveTable"]
