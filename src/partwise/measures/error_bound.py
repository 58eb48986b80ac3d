"""How far a value may be from the exact one: what each entry of the catalogue states."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: What masses add, which are rounded themselves: relative and absolute.
OF_MASSES = 1e-13


@dataclass(frozen=True, slots=True)
class ErrorBound:
    """The largest distance of a value from the exact one, whatever the input.

    For masses in place of counts 1e-13 is added, of the exact value or of 1, the larger; where
    values are sums of masses, of all mass in place of 1. That holds as long as no weight above
    0 is below 2^-60 of the largest one, which a note tells.

    Attributes
    ----------
    ulp : float
        Units in the last place of the double nearest to the exact value.
    absolute : float
        Added to that: for differences whose parts are rounded, which may be near 0.
    of_items : float
        Times n ln n, added to that: for a cost of all n items that is left of larger ones.
    of_pairs : float
        Times K L ln(n + K L), added to that: for a cost of all pairs of the K and L clusters.
    in_mass : bool
        Whether values of masses are in their unit, so that they grow with the masses.
    """

    ulp: float
    absolute: float = 0.0
    of_items: float = 0.0
    of_pairs: float = 0.0
    in_mass: bool = False

    def allowed(
        self, exact: float, n_items: int, *, n_pairs: int = 0, mass: float | None = None
    ) -> float:
        """Return the distance from the exact value that is within the bound.

        ``n_pairs`` is K L, ``mass`` that of all items, where they have any.
        """
        distance = self.ulp * math.ulp(exact) + self.absolute
        if self.of_items:
            distance += self.of_items * n_items * math.log(max(n_items, 1))
        if self.of_pairs:
            distance += self.of_pairs * n_pairs * math.log(max(n_items + n_pairs, 1))
        if mass is None:
            return distance
        return distance + OF_MASSES * max(mass if self.in_mass else 1.0, abs(exact))

    def __str__(self) -> str:
        """Return the bound as the pages of the catalogue show it."""
        parts = [f"{self.ulp:g} ulp"]
        if self.absolute:
            parts.append(f"{self.absolute:g}")
        if self.of_items:
            parts.append(f"{self.of_items:g} n ln n")
        if self.of_pairs:
            parts.append(f"{self.of_pairs:g} K L ln(n + K L)")
        return " + ".join(parts)


#: Sums of exact terms, a few roundings at the end.
USUAL = ErrorBound(2)
#: The same, of counts or masses themselves.
IN_MASS = ErrorBound(2, in_mass=True)
#: Sums of logarithms of binomial coefficients, in any base.
OF_CHOICES = ErrorBound(4)
#: Differences of what is rounded: corrected for chance, or of shares that a solver takes with
#: 50 bits, so that it may choose another pairing that is as good to the 50th.
OF_DIFFERENCES = ErrorBound(4, absolute=4e-15)
#: Costs of all items by the gamma function.
OF_COSTS = ErrorBound(64, absolute=1e-12, of_items=1e-15)
#: Shares of rounded sums, and harmonic means of them.
OF_SHARES = ErrorBound(8)

#: What is compared by no entry of the catalogue: covers, hierarchies, memberships, documents.
OUTSIDE: dict[str, ErrorBound] = {
    "omega_index": ErrorBound(1),
    "extended_b_cubed": OF_SHARES,
    "average_f1": OF_SHARES,
    "overlapping_mutual_information": OF_DIFFERENCES,
    "element_centric_similarity": OF_DIFFERENCES,
    "cophenetic_correlation": OF_DIFFERENCES,
    "baker_gamma": OF_DIFFERENCES,
    "b_k": OF_SHARES,
    "soft_mutual_information": OF_DIFFERENCES,
    "soft_variation_of_information": OF_DIFFERENCES,
    "soft_normalized_variation_of_information": OF_DIFFERENCES,
    "soft_normalized_mutual_information": OF_DIFFERENCES,
    "coreference.score": OF_SHARES,
}


def of_walks(alpha: float) -> ErrorBound:
    """Return the bound of element-centric similarity of covers and hierarchies.

    A walk that goes on with probability alpha has 1 / (1 - alpha) steps on average, and errors
    grow with them.
    """
    usual = OUTSIDE["element_centric_similarity"]
    return ErrorBound(usual.ulp, usual.absolute * max(1.0, 0.1 / (1 - alpha)))
