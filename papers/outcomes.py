"""What a paper prints of an item, what comes out here, and why they differ where they do."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Status = Literal["as printed", "claim holds", "differs", "print is wrong", "not run"]


@dataclass(frozen=True)
class Outcome:
    """One printed item beside ours.

    Parameters
    ----------
    place : str
        Where it stands in the paper: ``"Table 1"``.
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
        Needed unless the number is as printed or the claim holds: why it differs.
    """

    place: str
    item: str
    printed: str
    ours: float | str | None
    holds: bool | None = None
    print_is_wrong: bool = False
    why: str = ""

    def __post_init__(self) -> None:
        if self.status in ("differs", "print is wrong", "not run") and not self.why:
            raise ValueError(
                f"{self.place}, {self.item}: printed {self.printed}, ours {self.ours}; "
                "say why= they differ"
            )

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


def rounds_to(value: float, printed: str) -> bool:
    """Return whether a value rounds to what is printed, a half either way."""
    number = Decimal(printed.strip())
    _, _, exponent = number.as_tuple()
    unit = Decimal(1).scaleb(int(exponent))
    return abs(Decimal(repr(float(value))) - number) <= unit / 2
