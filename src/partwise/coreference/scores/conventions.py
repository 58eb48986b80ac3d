"""Named conventions: what scorers differ in beyond their input policies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Convention:
    """What a name fixes; input policies are separate arguments of ``score``.

    Attributes
    ----------
    name : str
    blanc : {"other kind", "zero", "scorch"}
        Where the key has no links of one kind and the response has: count the other kind alone,
        or average with a zero (Luo et al. 2014). ``scorch`` is the first, and 1 where the key
        has no links at all and the response's mentions are one entity, unless either side has
        one mention and these differ.
    drop_singletons : bool
        Whether entities of one mention are taken out of both sides before mentions are matched.
    mentions : str
        The usual way to match mentions.
    zeros : {"position", "dependencies"}
        The usual way to match empty nodes that are mentions.
    same_words : bool
        Whether documents with another number of words on the two sides are refused.
    moved : bool
        Whether B-cubed and CEAF are taken after twinless mentions were moved between the sides
        (Cai and Strube 2010).
    further : tuple of str
        Measures beside those of every convention: mention_overlap, zero_anaphors.
    """

    name: str
    blanc: str
    drop_singletons: bool = False
    mentions: str = "exact"
    zeros: str = "position"
    same_words: bool = False
    moved: bool = False
    further: tuple[str, ...] = ()


ConventionName = Literal[
    "perl-8.01", "coval", "luo-2014", "scorch", "cai-strube", "ua-2.0", "corefud-1.2"
]
#: ``coval`` is meant without its CEAF-m, which divides by entities where mentions are meant;
#: ``scorch`` without what its command line adds: mentions of the response alone become
#: singletons of the key there, so that they cost nothing. For folders it prints ``weighted``.
CONVENTIONS = {
    row.name: row
    for row in (
        Convention("perl-8.01", "other kind"),
        Convention("coval", "other kind"),
        Convention("luo-2014", "zero"),
        Convention("scorch", "scorch"),
        Convention("cai-strube", "other kind", moved=True),
        Convention("ua-2.0", "zero"),
        Convention(
            "corefud-1.2",
            "zero",
            drop_singletons=True,
            mentions="head",
            zeros="dependencies",
            same_words=True,
            further=("mention_overlap", "zero_anaphors"),
        ),
    )
}


def convention_of(name: str) -> Convention:
    """Return a convention by name."""
    if name not in CONVENTIONS:
        raise ValueError(f"convention={name!r}: one of {', '.join(CONVENTIONS)} is expected")
    return CONVENTIONS[name]
