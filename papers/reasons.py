"""Reasons of outcomes stand only where something differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

from papers.outcomes import Outcome

P = ParamSpec("P")


def reasons_where_needed(
    outcomes_of: Callable[P, Sequence[Outcome]],
) -> Callable[P, list[Outcome]]:
    """Return the function with ``why`` left out of outcomes that agree with the print.

    What is drawn differs from seed to seed, so every outcome is written with its reason.
    """

    @wraps(outcomes_of)
    def with_reasons(*arguments: P.args, **options: P.kwargs) -> list[Outcome]:
        return [
            replace(one, why="") if one.agrees else one
            for one in outcomes_of(*arguments, **options)
        ]

    return with_reasons
