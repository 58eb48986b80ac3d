"""Named conventions: what scorers differ in beyond their input policies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Convention:
    """What a name fixes; input policies are separate arguments of ``score``.

    Attributes
    ----------
    name : str
    blanc : {"other kind", "zero"}
        Where the key has no links of one kind and the response has: count the other kind alone,
        or average with a zero (Luo et al. 2014).
    drop_singletons : bool
        Whether entities of one mention are taken out of both sides before mentions are matched.
    mentions : str
        The usual way to match mentions.
    further : tuple of str
        Measures beside those of every convention: mention_overlap, zero_anaphors.
    """

    name: str
    blanc: str
    drop_singletons: bool = False
    mentions: str = "exact"
    further: tuple[str, ...] = ()


#: ``coval`` is meant without its CEAF-m, which divides by entities where mentions are meant.
CONVENTIONS = {
    row.name: row
    for row in (
        Convention("perl-8.01", "other kind"),
        Convention("coval", "other kind"),
        Convention("luo-2014", "zero"),
        Convention("ua-2.0", "zero"),
        Convention(
            *("corefud-1.2", "zero"),
            drop_singletons=True,
            mentions="head",
            further=("mention_overlap", "zero_anaphors"),
        ),
    )
}


def convention_of(name: str) -> Convention:
    """Return a convention by name."""
    if name not in CONVENTIONS:
        raise ValueError(f"convention={name!r}: one of {', '.join(CONVENTIONS)} is expected")
    return CONVENTIONS[name]
