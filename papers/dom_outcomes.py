"""What V prints of Dom's generator and the seven properties, beside what comes out."""

from __future__ import annotations

from papers.dom_measures import MEASURES
from papers.outcomes import Outcome
from papers.table import ExperimentTable

#: V, Table 2: the rates of P1 to P7 as printed, in the order of ``MEASURES``.
PRINTED_RATES = {
    "P1": ("0.18", "0.22", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0"),
    "P2": ("1.0", "1.0", "0.76", "1.0", "0.89", "0.98", "1.0", "1.0", "1.0"),
    "P3": ("0.0", "0.0", "0.30", "0.19", "0.21", "0.0", "1.0", "1.0", "1.0"),
    "P4": ("1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0"),
    "P5": ("0.50", "0.57", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0"),
    "P6": ("0.20", "0.20", "0.41", "0.26", "0.52", "0.87", "1.0", "1.0", "1.0"),
    "P7": ("1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0"),
}
#: Figure 3, clusters by classes, as printed.
PRINTED_SAMPLE = {
    "K1": "12 12 2 3",
    "K2": "2 2 12 3",
    "Knoise1": "4 4 4 0",
}
#: Source of rates without the step from no noise cluster, or class, to one.
NOISE_THERE = "here, noise there"
_FIRST_STEP = (
    "as printed without the step from no noise cluster to one, before which e2 has no place"
)
_OPEN = "the text leaves matching, rounding and number of items open"
_ALIKE = "Rand and Mirkin order solutions of one size alike: two rates need other sizes"


def outcomes_of_sample(table: ExperimentTable) -> list[Outcome]:
    """Return the parameters of Figure 3 and the lines of its table."""
    ours = dict(zip(table.column("quantity"), table.column("value"), strict=True))
    outcomes = [
        Outcome("Figure 3", "n", "60", ours["n"]),
        *(
            Outcome("Figure 3", f"error mass {i}", printed, ours[f"error mass {i}"])
            for i, printed in enumerate((".1", ".2", ".1"), start=1)
        ),
    ]
    lines = table.notes[0].removeprefix("Clusters x classes: ").rstrip(".").split("; ")
    for (name, printed), line in zip(PRINTED_SAMPLE.items(), lines, strict=True):
        item = f"{name}: items of C1, C2, C3, Cnoise1"
        outcomes.append(Outcome("Figure 3", item, printed, line, holds=line == printed))
    outcomes.append(
        Outcome(
            "Figure 3",
            "|C|, with one noise class",
            "3",
            len(lines[0].split()),
            print_is_wrong=True,
            why="the caption counts useful classes only; the table beside it has four",
        )
    )
    return outcomes


def outcomes_of_properties(table: ExperimentTable) -> list[Outcome]:
    """Return the 63 rates of Table 2, then what the text concludes from them."""
    here, there = (
        {row["property"]: row for row in table.where(source=source).to_dicts()}
        for source in ("here", NOISE_THERE)
    )
    outcomes = []
    for name, printed in PRINTED_RATES.items():
        for measure, rate in zip(MEASURES, printed, strict=True):
            why = _ALIKE if measure in ("Rand", "Mirkin") else _OPEN
            if name in there and abs(there[name][measure] - float(rate)) <= 0.005:
                why = _FIRST_STEP
            ours = here[name][measure]
            rate_agrees = abs(ours - float(rate)) <= 0.005
            outcomes.append(
                Outcome(
                    "Table 2",
                    f"{name}, {measure}",
                    f"{float(rate):.2f}",
                    ours,
                    why="" if rate_agrees else why,
                )
            )
    return [*outcomes, *_verdicts(here)]


def _verdicts(here: dict[str, dict[str, float]]) -> list[Outcome]:
    always = [m for m in MEASURES if all(line[m] == 1 for line in here.values())]
    outcomes = [
        Outcome(
            "Section 4",
            "measures that satisfy all of P1 to P7",
            "V-measure, VI, Q0 only",
            ", ".join(reversed(always)),
            holds=set(always) == {"V-measure", "VI", "Q0"},
        )
    ]
    for name in ("P4", "P7"):
        fail = [m for m in MEASURES if here[name][m] < 1]
        outcomes.append(
            Outcome(
                "Section 4",
                f"measures that fail {name}",
                "none",
                ", ".join(fail) or "none",
                holds=not fail,
                why=f"in {_share(here[name], fail)} of the steps here; {_OPEN}" if fail else "",
            )
        )
    six = MEASURES[:6]
    for name in ("P3", "P6"):
        hold = [m for m in six if here[name][m] == 1]
        outcomes.append(
            Outcome(
                "Section 4",
                f"measures that fail {name}",
                "all but V-measure, VI, Q0",
                f"these but {', '.join(hold)}" if hold else "all but V-measure, VI, Q0",
                holds=not hold,
                why=f"{', '.join(hold)} falls in every step here; {_OPEN}" if hold else "",
            )
        )
    return outcomes


def _share(rates: dict[str, float], measures: list[str]) -> str:
    """Return in how many of the steps these measures fail."""
    return " and ".join(sorted({f"{1 - rates[measure]:.0%}" for measure in measures}))
