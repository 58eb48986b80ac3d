"""How sure the numbers of a table of responses are: intervals, and which differ for sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle
from string import ascii_lowercase

from partwise.coreference.scores.confidence import CoreferenceBootstrap, CoreferencePairedTest


@dataclass(frozen=True)
class Doubts:
    """Bootstraps of responses and tests of pairs of them, as a table shows them.

    Attributes
    ----------
    bootstraps : mapping of str to CoreferenceBootstrap
        By response.
    tests : mapping of (str, str) to CoreferencePairedTest
        By pair of responses, in the order of the test.
    """

    bootstraps: Mapping[str, CoreferenceBootstrap] = field(default_factory=dict)
    tests: Mapping[tuple[str, str], CoreferencePairedTest] = field(default_factory=dict)

    @property
    def scope(self) -> str:
        """Of which lines the doubts are: of all documents, or of the mean of documents."""
        averages = [one.average for one in self.bootstraps.values()]
        averages += [one.average for one in self.tests.values()]
        return "macro" if "macro" in averages else "all"

    def letters(self, responses: list[str]) -> dict[str, str]:
        """Return the letter that each response is called by in marks; none without tests."""
        return dict(zip(responses, cycle(ascii_lowercase), strict=False)) if self.tests else {}

    def beaten(self, response: str, column: str) -> list[str]:
        """Return the responses that one is better than for sure, by a column of the tests."""
        others = []
        for (first, second), test in self.tests.items():
            if response not in (first, second) or column not in test.results:
                continue
            one = test.results[column]
            sign = 1 if response == second else -1
            if one.p_value <= 1 - test.level and sign * one.difference > 0:
                others.append(first if response == second else second)
        return others

    def ends(self, response: str, column: str) -> tuple[float, float] | None:
        """Return the ends of the interval of a number, None where there is none."""
        drawn = self.bootstraps.get(response)
        if drawn is None or column not in drawn.measures:
            return None
        at = drawn.measures.index(column)
        return float(drawn.low[at]), float(drawn.high[at])

    def notes(self) -> list[str]:
        """Return what the marks and the lines of intervals mean."""
        notes = []
        if self.bootstraps:
            drawn = next(iter(self.bootstraps.values()))
            notes.append(
                f"low, high: {drawn.interval} interval of level {drawn.level:g}, "
                f"{drawn.draws} draws of the {drawn.by}, seed {drawn.seed}"
            )
        if self.tests:
            test = next(iter(self.tests.values()))
            several = (
                f"; not corrected for making {len(self.tests)} comparisons"
                if len(self.tests) > 1
                else ""
            )
            notes.append(
                f"a letter: better than that response, p <= {1 - test.level:.3g} (two-sided, "
                f"{test.method}, {test.draws} draws, seed {test.seed}){several}"
            )
        return notes


def column_name(measure: str, part: str) -> str:
    """Return what bootstraps and tests call a column."""
    return measure if part == "f1" else f"{measure}.{part}"
