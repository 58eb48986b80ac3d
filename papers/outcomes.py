"""What a paper prints of an item, what comes out here, and why they differ where they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any, Literal

from papers.table import ExperimentTable

Status = Literal["as printed", "claim holds", "differs", "print is wrong", "not run"]


@dataclass(frozen=True)
class Outcome:
    """One printed item beside ours.

    Parameters
    ----------
    place : str
        Where it stands in the paper: ``"Table 1"``. It begins as one of the places that the
        ``Paper`` lists, which give the order.
    item : str
        What is printed there: ``"DS1, CC / n"``, or a claim in words.
    printed : str
        As printed, with its digits: ``".0068"``, ``"0.58"``; of a claim, what it says.
    ours : float, int, str or None
        What comes out. None: it was not run, and ``why`` says why not.
    holds : bool, optional
        Of a claim, or of a number whose order or size is what the paper argues with: whether it
        holds of what came out.
    print_is_wrong : bool, default False
        The paper's own formula or numbers give ours; ``why`` says how that is known.
    why : str
        Needed unless the number is as printed or the claim holds: why it differs. Where the
        experiment draws, it may differ with another seed: give it always.
    """

    place: str
    item: str
    printed: str
    ours: float | str | None
    holds: bool | None = None
    print_is_wrong: bool = False
    why: str = ""

    @property
    def status(self) -> Status:
        """``"as printed"`` is found by rounding to the printed digits, never stated."""
        if self.ours is None:
            return "not run"
        if isinstance(self.ours, (int, float)) and rounds_to(self.ours, self.printed):
            return "as printed"
        if self.holds:
            return "claim holds"
        return "print is wrong" if self.print_is_wrong else "differs"

    @property
    def agrees(self) -> bool:
        """Whether the number is as printed, or the claim holds."""
        return self.status in ("as printed", "claim holds")

    @property
    def shown(self) -> str:
        """What comes out, with a digit more than is printed."""
        if self.ours is None:
            return ""
        if not isinstance(self.ours, float):
            return str(self.ours)
        number = _number(self.printed)
        if number is None:
            return f"{self.ours:.4g}"
        _, _, exponent = number.as_tuple()
        return f"{self.ours:.{max(0, 1 - int(exponent))}f}"


def outcomes_of_claims(
    table: ExperimentTable, reason_of: Callable[[dict[str, Any]], str]
) -> list[Outcome]:
    """Return an outcome a row of place, claim, printed, value, holds.

    ``reason_of`` says of a row whose claim does not hold why the print is wrong.
    """
    return [
        Outcome(
            row["place"],
            row["claim"],
            row["printed"],
            row["value"],
            holds=row["holds"],
            print_is_wrong=not row["holds"],
            why="" if row["holds"] else reason_of(row),
        )
        for row in table.to_dicts()
    ]


def rounds_to(value: float, printed: str) -> bool:
    """Return whether a value rounds to what is printed, a half either way."""
    number = _number(printed)
    if number is None or not isfinite(value):
        return False
    _, _, exponent = number.as_tuple()
    unit = Decimal(1).scaleb(int(exponent))
    return abs(Decimal(repr(float(value))) - number) <= unit / 2


def _number(printed: str) -> Decimal | None:
    try:
        return Decimal(printed.strip())
    except InvalidOperation:
        return None  # a claim in words


def check_explained(outcomes: Sequence[Outcome]) -> None:
    """Raise unless every item that differs, or is not run, says why.

    Raises
    ------
    ValueError
        One does not; it is named with what is printed and what came out.
    """
    for one in outcomes:
        if not one.agrees and not one.why:
            raise ValueError(
                f"{one.place}, {one.item}: printed {one.printed}, ours {one.ours}; "
                "say why= they differ"
            )
