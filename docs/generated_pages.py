"""The pages that follow from the code: one for each family of measures, and the reference."""

import importlib.util
import inspect
import tomllib
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import partwise
from partwise.measures.catalogue import FAMILIES
from partwise.measures.entry import Measure

if TYPE_CHECKING:
    from papers.paper import Paper

#: Keys of references.bib by the name of a measure's function.
FIRST_SOURCES: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("first_sources.toml").read_text(encoding="utf-8")
)
#: Formulas in LaTeX by the name of a measure's function.
FORMULAS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("formulas.toml").read_text(encoding="utf-8")
)
#: Title of a family's page, and what its measures have in common.
FAMILY_TEXTS = {
    "pairs": (
        "Pairs of items",
        "Every pair of items is together or apart in either clustering; these measures are "
        "made of the four counts that gives. Large clusters weigh by the square of their size.",
    ),
    "information": (
        "Information",
        "How much knowing one clustering tells of the other, by entropies of the cluster "
        "sizes and of the intersections.",
    ),
    "set matching": (
        "Matching of sets",
        "Clusters are set beside the cluster that suits them best, one to one or freely, and "
        "what they have in common is added up.",
    ),
    "b-cubed": (
        "B-cubed and whole clusters",
        "Precision and recall of each item's cluster, or of clusters that are found whole.",
    ),
    "split-merge": (
        "Split and merge",
        "Each item counts by how whole its cluster stayed on both sides.",
    ),
    "association": (
        "Association",
        "How much the clusters of one side tell of those of the other, as of any two nominal "
        "variables: chi squared and what is made of it, and guesses that improve.",
    ),
    "segmentation": (
        "Objects and speakers",
        "Segments of an image or a recording, one label of which may mean nobody: background, "
        "silence.",
    ),
    "centroids": (
        "Centroids",
        "Where the clusters lie: these need features of the items, or given centroids.",
    ),
    "transport": (
        "Transport",
        "The cheapest way to turn the clusters of one side into those of the other; hard and "
        "soft clusterings.",
    ),
}
HEADERS = (
    "measure, sources",
    "range",
    "better",
    "if identical",
    "properties",
    "requires",
    "error, at most",
)
#: Short names of the five papers, with which the catalogue says where they have a measure.
PAPERS = ("SM", "NVI", "V", "PSI", "CC")
#: Pages of the reference: title, then the modules whose public names stand there.
REFERENCE = {
    "Scoring": (
        "partwise.scoring.compare",
        "partwise.scoring.consistency",
        "partwise.scoring.results",
        "partwise.scoring.page.pair",
        "partwise.report.page.render",
        "partwise.measures.catalogue",
    ),
    "Covers": (
        "partwise.labels.covers",
        "partwise.measures.covers",
        "partwise.scoring.covers",
    ),
    "Hierarchies": (
        "partwise.labels.hierarchies",
        "partwise.measures.hierarchies",
        "partwise.scoring.hierarchies",
    ),
    "Labels, alignment, files": ("partwise.labels", "partwise.table.alignment"),
    "Tables": ("partwise.table.contingency", "partwise.table.count"),
    "Structure": (
        "partwise.table.structures",
        "partwise.table.components",
        "partwise.measures.extremes",
        "partwise.scoring.decompose",
        "partwise.scoring.diagnose",
    ),
    "Beside the measures": ("partwise.measures",),
    "Many clusterings, one for all": ("partwise.consensus",),
    "Thresholds": ("partwise.thresholds",),
    "Past memory": ("partwise.scale",),
    "Coreference": ("partwise.coreference",),
    "Solvers": ("partwise.solvers",),
    "Other libraries": ("partwise.interop",),
}
REST = "Everything else"


def pages() -> dict[str, str]:
    """Return the text of every generated page by file name."""
    written = pages_of_names()
    if importlib.util.find_spec("papers"):
        written["reference_experiments.rst"] = experiments_page()
        written |= outcome_pages()
        written["papers_gallery.txt"] = gallery()
    for kind in ("measures", "reference"):
        written[f"{kind}_contents.txt"] = contents(f"{kind}_", written)
    return written


def pages_of_names() -> dict[str, str]:
    """Return the pages of the catalogue and of the reference, which run no experiment."""
    written = {
        f"measures_{slug(family)}.rst": family_page(family) for family in families()
    }
    for title, names in reference_groups().items():
        written[f"reference_{slug(title)}.rst"] = reference_page(title, names)
    return written


def contents(prefix: str, names: Iterable[str]) -> str:
    """Return the list of contents that a page by hand includes."""
    listed = [
        f"generated/{name[:-4]}\n" for name in names if name.startswith(prefix)
    ]
    return "".join(["```{toctree}\n", *listed, "```\n"])


def write(folder: Path) -> None:
    """Write the pages that changed, and remove those that are no longer made."""
    folder.mkdir(exist_ok=True)
    made = pages()
    for path in folder.iterdir():
        if path.is_file() and path.name not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    if importlib.util.find_spec("papers"):
        draw_figures(folder / "figures")
    import page_pictures  # needs Matplotlib, which the tests of these pages do not

    page_pictures.draw(folder / "pictures")


def slug(title: str) -> str:
    """Return a title as part of a file name."""
    return "_".join(title.lower().replace(",", " ").replace("-", " ").split())


# ---- the catalogue -----------------------------------------------------------------


def families() -> list[str]:
    """Return the families that have a row, in the catalogue's order."""
    used = {row.family for row in partwise.catalogue().values()}
    return [family for family in FAMILIES if family in used]


def family_page(family: str) -> str:
    """Return the table of a family and an entry for each of its functions."""
    rows = [row for row in partwise.catalogue().values() if row.family == family]
    functions = dict.fromkeys(row.function.__name__ for row in rows)
    title, text = FAMILY_TEXTS.get(family, (family.capitalize(), ""))
    return "\n".join(
        [
            ":hide-toc: true",
            "",
            *heading(title, "="),
            f"{text} What the columns of the table mean: :doc:`/catalogue`.".lstrip(),
            "",
            *list_table(HEADERS, map(cells, rows)),
            "",
            *entries(functions),
        ]
    )


def cells(row: Measure) -> list[str]:
    """Return the cells of a measure in the table of its family."""
    identical = row.value_if_identical
    name = row.function.__name__
    return [
        f":py:func:`{row.name} <partwise.{name}>` {sources(name, row.source)}",
        interval(*row.range),
        row.direction or "",
        "" if identical is None else f"{identical:g}",
        ", ".join(properties(row)),
        ", ".join(row.requires),
        str(row.error_bound or ""),
    ]


def properties(row: Measure) -> list[str]:
    """Return the words for what is claimed of a measure."""
    words = {
        "symmetric": row.symmetric,
        "metric": row.metric,
        "normalized": row.normalized,
        "conditionally normalized": row.conditionally_normalized,
        "join-weighted": row.join_weighted,
        "ties": row.tie_dependent,
        "weights": row.computation.weights,
    }
    return [word for word, holds in words.items() if holds]


def sources(name: str, where: str) -> str:
    """Return the first sources of a function, and where the five papers have it."""
    in_papers = where.split(",")[0].split(" ")[0].rstrip(";") in PAPERS
    return f"{citation(name)}; {where}" if in_papers else citation(name)


def citation(name: str) -> str:
    """Return the citation of a function's first sources."""
    return f":cite:t:`{','.join(FIRST_SOURCES[name])}`"


def interval(low: float | None, high: float | None) -> str:
    """Return a range in words."""
    if low is None:
        return "any" if high is None else f"up to {high:g}"
    return f"from {low:g}" if high is None else f"{low:g} to {high:g}"


# ---- the reference -----------------------------------------------------------------


def reference_groups() -> dict[str, list[str]]:
    """Return every public name that the catalogue's pages do not show, by page."""
    shown = {row.function for row in partwise.catalogue().values()}
    groups: dict[str, list[str]] = {title: [] for title in [*REFERENCE, REST]}
    for name in partwise.__all__:
        found = getattr(partwise, name)
        if inspect.isfunction(found) and found in shown:
            continue
        groups[page_of(found)] += public_names(name, found)
    return {
        title: sorted(names, key=is_class)
        for title, names in groups.items()
        if names
    }


def is_class(name: str) -> bool:
    """Return whether a public name is a class: functions stand before what they return."""
    return inspect.isclass(attrgetter(name)(partwise))


def page_of(found: object) -> str:
    """Return the title of the page where a public object stands."""
    home = found.__name__ if isinstance(found, ModuleType) else found.__module__
    for title, modules in REFERENCE.items():
        if any(
            home == module or home.startswith(f"{module}.") for module in modules
        ):
            return title
    return REST


def is_public(path: str) -> bool:
    """Return whether ``partwise.name`` or ``partwise.module.name`` is public."""
    found = partwise
    for part in path.split(".")[1:]:
        if part not in getattr(found, "__all__", ()):
            return False
        found = getattr(found, part)
    return True


def public_names(name: str, found: object) -> list[str]:
    """Return the name, or those in a module that is public itself."""
    if not isinstance(found, ModuleType):
        return [name]
    return [
        path
        for inner in found.__all__
        for path in public_names(f"{name}.{inner}", getattr(found, inner))
    ]


def reference_page(title: str, names: list[str]) -> str:
    """Return a page of the reference."""
    return "\n".join([*heading(title, "="), *entries(names)])


def entries(names: Iterable[str]) -> list[str]:
    """Return one entry a public name."""
    found = ((f"partwise.{name}", attrgetter(name)(partwise)) for name in names)
    return [line for pair in found for line in entry(*pair)]


def entry(name: str, found: object) -> list[str]:
    """Return the entry of one name, with a heading for the list of contents."""
    title = heading(name.removeprefix("partwise."), "-")
    if not inspect.isclass(found):
        return [*title, *formula(name), f".. autofunction:: {name}", ""]
    # an exception has a signature that autodoc cannot format: () stands in for it
    call = "()" if issubclass(found, Exception) else ""
    return [*title, f".. autoclass:: {name}{call}", "   :members:", ""]


def formula(name: str) -> list[str]:
    """Return the typeset formula of a measure, and nothing for another function."""
    text = FORMULAS.get(name.removeprefix("partwise."))
    return [".. math::", "", f"   {text}", ""] if text else []


# ---- the experiments ---------------------------------------------------------------


def experiments_page() -> str:
    """Return the table of the experiments and an entry for each of their functions."""
    import papers as place

    rows = list(place.experiments().values())
    exported = {f"papers.{name}": getattr(place, name) for name in place.__all__}
    names = {found: name for name, found in exported.items() if callable(found)}
    inner = {
        row.run: f"{row.run.__module__}.{row.run.__qualname__}" for row in rows
    }
    names = inner | names
    table = (
        [
            f":py:func:`{x.name} <{names[x.run]}>`",
            x.paper,
            x.figure,
            x.summary,
        ]
        for x in rows
    )
    return "\n".join(
        [
            ":hide-toc: true",
            "",
            *heading("Experiments", "="),
            "What the papers show, made anew: each is a function that returns a table, and",
            "``python -m papers NAME -o FOLDER`` writes the table and its figure.",
            "``--outcomes`` shows what is printed beside what comes out, ``--seeds 20`` the",
            "spread of what is drawn, ``--data FOLDER`` reads real data where one can.",
            "",
            *list_table(("name", "paper", "place", "what"), table, "experiments"),
            "",
            *(line for found, name in names.items() for line in entry(name, found)),
        ]
    )


# ---- what the papers print beside what comes out ------------------------------------


def outcome_pages() -> dict[str, str]:
    """Return, for each paper, the table that its page includes."""
    from papers.outcome_tables import PAPERS

    return {f"papers_{paper.page}.txt": outcome_page(paper) for paper in PAPERS}


def outcome_page(paper: "Paper") -> str:
    """Return a paper's items with what is printed, what comes out, and why they differ."""
    from papers.outcome_tables import count_of_statuses, outcomes_of_paper

    rows = outcomes_of_paper(paper)
    if not rows:
        return "No item is listed.\n"
    lines = [
        count_of_statuses(rows),
        "",
        "```{list-table}",
        ":header-rows: 1",
        ":class: outcomes",
        ":widths: 14 30 14 14 28",
        "",
    ]
    place_above, told = "", set()
    header = ("place", "item", "printed", "ours", "status")
    cells_of_rows = [header]
    for one in (row.outcome for row in rows):
        place = one.place if one.place != place_above else ""
        place_above = one.place
        status = one.status
        if one.why:
            repeated = (one.place, one.why) in told
            status = f"{status}, as above" if repeated else f"{status}: {one.why}"
            told.add((one.place, one.why))
        cells_of_rows.append((place, one.item, one.printed, one.shown, status))
    for row_cells in cells_of_rows:
        for i, cell in enumerate(row_cells):
            lines.append(
                f"{'* -' if i == 0 else '  -'} {as_markdown(cell)}".rstrip()
            )
    return "\n".join([*lines, "```", ""])


def gallery() -> str:
    """Return the figures of the experiments, paper by paper, with what each shows."""
    from papers import experiments
    from papers.outcome_tables import PAPERS

    lines = []
    for paper in PAPERS:
        lines += [f"## {paper.name}", ""]
        for row in experiments().values():
            if row.paper == paper.name and row.draw is not None:
                shows = as_markdown(row.summary)
                lines += [
                    f"```{{figure}} ../generated/figures/{row.name}.png",
                    f":alt: {shows}",
                    "",
                    f"{row.figure}. {shows} `python -m papers {row.name}`",
                    "```",
                    "",
                ]
    return "\n".join(lines)


def draw_figures(folder: Path) -> None:
    """Draw what the gallery shows, of the tables that the outcomes were taken from."""
    from papers import experiments
    from papers.outcome_tables import default_table

    folder.mkdir(exist_ok=True)
    for row in experiments().values():
        if row.draw is not None:
            figure = row.draw(default_table(row.name))
            figure.savefig(folder / f"{row.name}.png", dpi=120)


def as_markdown(text: str) -> str:
    """Return plain text so that Markdown shows it as it is."""
    for mark in "\\`*_[]<>|$~{}#":
        text = text.replace(mark, f"\\{mark}")
    return text


# ---- reStructuredText --------------------------------------------------------------


def heading(title: str, mark: str) -> list[str]:
    """Return a heading."""
    return [title, mark * len(title), ""]


def list_table(
    headers: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "catalogue"
) -> list[str]:
    """Return a table of one line a cell."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :class: {kind}", ""]
    for row in [headers, *rows]:
        for i, cell in enumerate(row):
            lines.append(f"   {'* -' if i == 0 else '  -'} {cell}".rstrip())
    return lines
