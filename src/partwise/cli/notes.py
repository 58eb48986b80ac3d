"""What is suspicious about the input of a command goes to standard error."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from partwise.labels import Account
from partwise.labels.notes import InputWarning, warn_of


def tell(accounts: Iterable[Account]) -> None:
    """Tell what is suspicious about accounts; the same note once."""
    warn_of(dict.fromkeys(note for account in accounts for note in account.notes), 1)


def with_notes_told(
    run: Callable[[argparse.Namespace], int | None],
) -> Callable[[argparse.Namespace], int | None]:
    """Let a command print warnings about its input as lines on standard error."""

    def told(options: argparse.Namespace) -> int | None:
        shown: set[str] = set()

        def show(message: Any, category: type[Warning], *more: Any, **rest: Any) -> None:
            if not issubclass(category, InputWarning):
                others(message, category, *more, **rest)
            elif str(message) not in shown:
                shown.add(str(message))
                print(f"partwise: note: {message}", file=sys.stderr)

        with warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            others = warnings.showwarning
            warnings.showwarning = show
            return run(options)

    return told
