"""``report_page``: two clusterings as a page that holds everything in one file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from partwise.labels.account import Account
from partwise.labels.notes import Note
from partwise.report.numbers import show
from partwise.report.page.parts import (
    LABEL,
    Facts,
    Figures,
    Notes,
    Paragraphs,
    Part,
    Section,
    Sheet,
    cut,
)
from partwise.report.page.pictures import picture_of
from partwise.report.page.render import ReportPage, rendered
from partwise.report.table import Table
from partwise.scoring.compare import compare
from partwise.scoring.diagnose.diagnose import Diagnosis, diagnose
from partwise.scoring.diagnose.report import (
    KIND_COLUMNS,
    broken_title,
    kind_rows,
    value_line,
    worst_title,
)
from partwise.scoring.page.listing import worst_clusters, worst_components
from partwise.scoring.results import SECTIONS, Comparison, sections_of
from partwise.table.alignment import Alignment
from partwise.table.arguments import Reference, alignment_of, as_table, clusterings_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

#: Clusters of a side that the heat map shows, components that the flows show.
_IN_MATRIX, _IN_FLOWS = 20, 3
_NUMBERS = ("no", "only one")
_WORDS = {
    "position": "by position",
    "item": "by item id",
    "counts": "from a table of counts",
}


def report_page(
    reference: Reference,
    candidate: Candidate = None,
    *,
    title: str | None = None,
    names: tuple[str, str] = ("reference", "candidate"),
    measures: str | Iterable[str] = "default",
    by: str = "s_entropy",
    worst: int = 200,
    items: int = 10,
    **policies: Unpack[Policies],
) -> ReportPage:
    """Make one page of HTML of what there is to see of two clusterings.

    It has the account of what was read and all notes, the measures, what was split and merged
    and what it costs, pictures, and a list of the worst clusters with their items to search and
    to sort. The page is one file that asks no other place for anything.

    Parameters
    ----------
    reference, candidate
        Two clusterings in any form that ``align`` takes, or one ``Alignment`` or
        ``Contingency``; the page of a table lists no items.
    title : str, optional
        The heading; by default it names the two clusterings.
    names : pair of str, default ("reference", "candidate")
        What the two clusterings are called, such as the names of their files.
    measures
        See ``compare``.
    by : str, default "s_entropy"
        The measure whose loss is shared out; see ``diagnose``.
    worst : int, default 200
        How many clusters of each side, and how many components, are listed.
    items : int, default 10
        Items that are listed of each part of a cluster.
    **policies
        See ``align``.

    Returns
    -------
    ReportPage
        ``.save(path)`` writes it, ``.html`` is its text. Needs the extra ``partwise[report]``;
        pictures need ``partwise[plot]``, and a page without them says so.

    Raises
    ------
    ValueError, TypeError
        As ``compare`` and ``diagnose``.
    ModuleNotFoundError
        jinja2 is not installed.

    Notes
    -----
    The page has less than 5 MB whatever it is of: lists end where they have taken 2 MB, and say
    so; labels of more than 120 characters lose their middle. O(cells) for the table, O(items)
    for the lists.

    Examples
    --------
    >>> import partwise as pw
    >>> page = pw.report_page([0, 0, 0, 1], ["p", "p", "q", "q"], title="Two runs")
    >>> page.title, "<h1" in page.html
    ('Two runs', True)
    """
    if isinstance(reference, Contingency):
        pair: Alignment | Contingency = clusterings_of(
            reference, candidate, policies, "report_page"
        )
    else:
        pair = alignment_of(reference, candidate, policies, "report_page")
    comparison = compare(pair, measures=measures)
    diagnosis, sections = sections_of_diagnosis(pair, by=by, worst=worst, items=items)
    return rendered(
        f"{names[1]} compared with {names[0]}" if title is None else title,
        [
            Section("read", "What was read", _read(comparison, names)),
            Section("measures", "Measures", [_measures(comparison)]),
            *sections,
        ],
        subtitle=_subtitle(comparison),
        figures=_figures(comparison, diagnosis),
    )


def sections_of_diagnosis(
    pair: Alignment | Contingency, *, by: str, worst: int, items: int
) -> tuple[Diagnosis, list[Section]]:
    """Return a diagnosis, and its sections: in numbers, in pictures, cluster by cluster."""
    aligned = pair if isinstance(pair, Alignment) else None
    table = as_table(pair)
    listed = items if aligned is not None else 0
    diagnosis = diagnose(pair, by=by, worst=worst, items=listed)
    return diagnosis, [
        Section("diagnosis", "Splits and merges", _diagnosis(diagnosis)),
        Section("pictures", "Pictures", _pictures(diagnosis, table)),
        Section("clusters", "Worst clusters", _listed(diagnosis, table, aligned, listed)),
    ]


def _subtitle(comparison: Comparison) -> str:
    account = comparison.account
    return f"{account.items:,} items compared, aligned {_WORDS[account.matched_by]}."


def _figures(comparison: Comparison, diagnosis: Diagnosis) -> Figures:
    """Return the numbers that stand above all sections."""
    rows, cols = comparison.shape
    return Figures(
        [
            (f"{rows:,}", "reference clusters"),
            (f"{cols:,}", "candidate clusters"),
            (f"{diagnosis.splits.count:,}", "reference clusters split"),
            (f"{diagnosis.merges.count:,}", "candidate clusters merged of several"),
            (show(diagnosis.value), f"{diagnosis.by} ({_best(comparison, diagnosis.by)})"),
        ]
    )


def _best(comparison: Comparison, measure: str) -> str:
    direction = comparison.directions.get(measure)
    return "the measure that is shared out" if direction is None else f"{direction} is better"


def _read(comparison: Comparison, names: tuple[str, str]) -> list[Part]:
    facts = Facts(
        [
            ("reference", cut(names[0], LABEL)),
            ("candidate", cut(names[1], LABEL)),
            *account_facts(comparison.account),
            (
                "clusters",
                f"{comparison.shape[0]:,} in the reference, {comparison.shape[1]:,} in the "
                "candidate",
            ),
            ("pairs of clusters with common items (cells)", f"{comparison.n_cells:,}"),
            ("components of the join", f"{comparison.n_components:,}"),
        ]
    )
    every_note = [*comparison.account.notes, *comparison.notes]
    skipped = [f"{name} was left out: {why}" for name, why in comparison.skipped.items()]
    return [
        facts,
        notes_of(every_note, skipped),
        Sheet("Clusters by their number of items", comparison.profile_table),
    ]


def account_facts(account: Account) -> list[tuple[str, str]]:
    """Return what came in and what the policies did, a line each."""
    facts = [
        ("items that came in", f"{account.reference.given:,} and {account.candidate.given:,}"),
        ("items compared", f"{account.items:,}, aligned {_WORDS[account.matched_by]}"),
    ]
    if account.matched_by == "counts":
        del facts[0]
    if account.distinct_items is not None:
        facts.append(("distinct items", f"{account.distinct_items:,}"))
    if account.zero_multiplicity:
        facts.append(("items of multiplicity 0", f"{account.zero_multiplicity:,}, left out"))
    if account.zero_weights:
        facts.append(("items of weight 0", f"{account.zero_weights:,}, kept"))
    if account.dropped:
        facts.append(("items dropped", f"{account.dropped:,}"))
    for side in ("reference", "candidate"):
        told = getattr(account, side).notes(side)
        if told:
            facts.append((f"out of the ordinary in the {side}", "; ".join(told)))
    if account.zero_cells:
        facts.append(("cells of 0 items", f"{account.zero_cells:,}, dropped"))
    if account.repeated_cells:
        facts.append(("repeated cells", f"{account.repeated_cells:,}, added up"))
    return facts


def notes_of(notes: Iterable[Note], more: Iterable[str] = ()) -> Notes | Paragraphs:
    """Return all notes; a sentence where there are none."""
    entries = [(note.suspicious, str(note)) for note in notes]
    entries += [(False, text) for text in more]
    return Notes(entries) if entries else Paragraphs(["There are no notes on the input."])


def _measures(comparison: Comparison) -> Sheet:
    """Return the table of measures, distances below similarities."""
    parts = sections_of(list(comparison.scores), comparison.directions)
    rows = [
        (name, comparison.families[name], comparison.scores[name])
        for names in parts.values()
        for name in names
    ]
    shares = frozenset(
        line
        for line, (name, _, value) in enumerate(rows)
        if comparison.directions[name] == "higher" and 0 <= value <= 1
    )
    return Sheet(
        "Values of all measures that were computed; bars show similarities from 0 to 1",
        Table(("measure", "family", "value"), rows, lead=2),
        groups=[(SECTIONS[direction], len(names)) for direction, names in parts.items()],
        bars=2,
        barred=shares,
    )


def _diagnosis(diagnosis: Diagnosis) -> list[Part]:
    lines = [
        f"{line}."
        for line in (
            broken_title("reference", diagnosis.splits, listed=False),
            broken_title("candidate", diagnosis.merges, listed=False),
            *value_line(diagnosis).splitlines(),
        )
    ]
    order = [3, 0, 1, 2]
    kinds = Table(
        [KIND_COLUMNS[j] for j in order],
        [[row[j] for j in order] for row in kind_rows(diagnosis)],
    )
    return [
        Paragraphs(lines),
        Sheet(f"Components by kind, with their share of the loss of {diagnosis.by}", kinds),
    ]


def _pictures(diagnosis: Diagnosis, table: Contingency) -> list[Part]:
    def matrix() -> object:
        if not table.n_cells:
            raise ValueError("there is no cluster to draw")
        return table.plot(most=_IN_MATRIX)

    def sizes() -> object:
        components = table.components()
        if components.n_components < 2:
            raise ValueError(f"there is {_NUMBERS[components.n_components]} component")
        return components.plot()

    return [
        picture_of(
            lambda: diagnosis.plot(components=_IN_FLOWS),
            key="flows",
            caption="Flows between the clusters of the worst components",
            description="Bars for the clusters of both sides in the components that cost most, "
            "and bands for the items that they share. The list of components below has the "
            "same numbers.",
        ),
        picture_of(
            matrix,
            key="matrix",
            caption="The largest clusters, each candidate cluster below its match",
            description="Heat map of the largest reference clusters by the largest candidate "
            "clusters: which share of a reference cluster lies in a candidate cluster.",
        ),
        picture_of(
            sizes,
            key="sizes",
            caption="Sizes of the components of the join",
            description="How many components have at least so many items, on logarithmic axes.",
        ),
    ]


def _listed(
    diagnosis: Diagnosis, table: Contingency, aligned: Alignment | None, n_items: int
) -> list[Part]:
    parts: list[Part] = []
    clusters = worst_clusters(diagnosis, table, aligned, n_items)
    if clusters.entries:
        if aligned is None:
            parts.append(
                Paragraphs(
                    ["The clusters came as a table of counts, so there are no items to list."]
                )
            )
        parts.append(clusters)
    else:
        parts.append(Paragraphs([_nothing_broken(diagnosis)]))
    if diagnosis.worst:
        parts += [Paragraphs([f"{worst_title(diagnosis)}."]), worst_components(diagnosis)]
    return parts


def _nothing_broken(diagnosis: Diagnosis) -> str:
    if diagnosis.splits.count or diagnosis.merges.count:
        return "No cluster is listed, as worst=0 was asked for."
    return "No reference cluster is split and no candidate cluster is merged of several."
