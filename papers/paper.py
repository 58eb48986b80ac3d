"""A paper: the order of its places, and the items of it that no experiment runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from papers.outcomes import Outcome


@dataclass(frozen=True)
class Paper:
    """One of the five papers.

    Parameters
    ----------
    name : str
        As the experiments call it: ``"V-measure"``.
    short : str
        As the pages call it: ``"V"``.
    page : str
        Its page is ``docs/papers/PAGE.md``.
    places : tuple of str
        Sections, tables and figures in order of the paper. The place of an outcome begins as
        one of these; "Fig. 3" and "Figs 3, 4" begin as "Figure 3".
    not_run : tuple of Outcome
        Items that no experiment runs, with the reason.
    """

    name: str
    short: str
    page: str
    places: tuple[str, ...]
    not_run: tuple[Outcome, ...] = ()

    def position(self, place: str) -> int | None:
        """Return where in the paper a place comes; None if the list does not have it.

        Examples
        --------
        >>> Paper("A", "A", "a", ("Table 1", "Table 2")).position("Table 2, right half")
        1
        """
        fitting = [
            (len(listed), number)
            for number, listed in enumerate(self.places)
            if _begins_as(place, listed)
        ]
        return max(fitting)[1] if fitting else None

    def in_order(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Return outcomes in order of the paper; places that are not listed come last."""
        end = len(self.places)

        def rank(outcome: Outcome) -> int:
            position = self.position(outcome.place)
            return end if position is None else position

        return sorted(outcomes, key=rank)


def _begins_as(place: str, listed: str) -> bool:
    """Return whether a place is the listed one or inside it: "Table 1" is not "Table 12"."""
    place, listed = _in_full(place), _in_full(listed)
    rest = place[len(listed) :]
    return place.startswith(listed) and not rest[:1].isalnum()


def _in_full(place: str) -> str:
    """Return a place in small letters, with one word for Fig., Figs and Figures."""
    return re.sub(r"^fig(ure)?s?\.?\s+", "figure ", place.lower())
