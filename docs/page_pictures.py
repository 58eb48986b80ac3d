"""The pictures of the guide, drawn when the pages are built, mostly by ``.plot()``."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

import partwise as pw

EXAMPLES = Path(__file__).parents[1] / "examples"
RESOLUTIONS = ("0.2", "0.4", "0.6", "0.8", "1.2", "1.6", "2.0")


def figure_of(width: float, height: float) -> Figure:
    """Return an empty figure; the width of a page is 7.6 inches."""
    return Figure(figsize=(width, height), layout="constrained")


def cells() -> tuple[list[str], dict[str, list[str]]]:
    """Return the types of the example's cells, and their clusters by resolution."""
    with (EXAMPLES / "cells.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    types = [row["cell_type"] for row in rows]
    return types, {
        name: [row[f"leiden_{name}"] for row in rows] for name in RESOLUTIONS
    }


def thresholds() -> Figure:
    """Draw two measures against the threshold, with the band of 500 draws."""
    gold = pw.read(EXAMPLES / "records.csv", label="person", item="record")
    with (EXAMPLES / "pairs.csv").open(encoding="utf-8") as file:
        edges = [(a, b, float(score)) for a, b, score in list(csv.reader(file))[1:]]
    figure = figure_of(7.6, 3)
    states = [0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3]
    curve = pw.sweep(
        gold,
        edges,
        scores="similarity",
        measures=["pair_f1", "b_cubed_f1"],
        thresholds=states,
    )
    band = curve.bootstrap("pair_f1", draws=500, seed=1)
    curve.plot(ax=figure.subplots(), bootstraps=[band])
    return figure


def made_responses() -> dict[str, pw.coreference.CoreferenceScores]:
    """Return the scores of three responses to 40 made-up documents."""
    random = np.random.default_rng(3)
    key = {
        f"d{i}": [[f"{i}-{k}-{j}" for j in range(4)] for k in range(5)]
        for i in range(40)
    }

    def response(share: float) -> dict[str, list[list[str]]]:
        moved = {}
        for name, entities in key.items():
            clusters: list[list[str]] = [[] for _ in entities]
            for k, entity in enumerate(entities):
                for mention in entity:
                    other = random.random() < share
                    clusters[int(random.integers(5)) if other else k].append(
                        mention
                    )
            moved[name] = [cluster for cluster in clusters if cluster]
        return moved

    return {
        name: pw.coreference.score(key, response(share))
        for name, share in (("first", 0.3), ("second", 0.25), ("third", 0.12))
    }


def responses() -> Figure:
    """Draw three responses with their intervals."""
    scores = made_responses()
    bootstraps = {
        name: pw.coreference.bootstrap(one, measure="conll", draws=500, seed=1)
        for name, one in scores.items()
    }
    figure = figure_of(7.6, 2)
    table = pw.coreference.CoreferenceTable.of(scores, bootstraps=bootstraps)
    table.plot(ax=figure.subplots())
    return figure


def documents() -> Figure:
    """Draw the documents of a response by recall and precision."""
    figure = figure_of(7.6, 3.4)
    made_responses()["first"].plot(ax=figure.subplots())
    return figure


def intervals() -> Figure:
    """Draw measures with their intervals."""
    types, leiden = cells()
    names = ["adjusted_rand_index", "v_measure", "purity"]
    figure = figure_of(7.6, 2)
    drawn = pw.bootstrap(types, leiden["0.4"], measure=names, by="items", seed=1)
    drawn.plot(ax=figure.subplots())
    return figure


def chance() -> Figure:
    """Draw a measure beside its values by chance, for ten classes and random labels."""
    random = np.random.default_rng(0)
    truth = np.repeat(np.arange(10), 30)
    drawn = random.integers(0, 40, 300)
    better = np.where(random.random(300) < 0.05, truth, drawn)
    figure = figure_of(7.6, 2.6)
    test = pw.significance(truth, better, measure="v_measure", draws=999, seed=1)
    test.plot(ax=figure.subplots())
    return figure


def agreement() -> Figure:
    """Draw how far clusterings agree, all pairs of them."""
    figure = figure_of(5, 4)
    pw.pairwise(cells()[1], "adjusted_rand_index").plot(ax=figure.subplots())
    return figure


def flows() -> Figure:
    """Draw which types meet in which clusters."""
    types, leiden = cells()
    figure = figure_of(7.6, 3.6)
    pw.diagnose(types, leiden["0.4"]).plot(ax=figure.subplots())
    return figure


def resolutions() -> Figure:
    """Draw the tree of the resolutions."""
    figure = figure_of(7.6, 4.2)
    pw.stability(cells()[1]).plot(ax=figure.subplots())
    return figure


def bodies() -> Figure:
    """Draw the slices of both volumes of the example."""
    names = ("truth", "predicted")
    volumes = {name: np.load(EXAMPLES / f"volume_{name}.npy") for name in names}
    figure = figure_of(7.6, 4.4)
    axes = figure.subplots(2, 3)
    for row, (name, volume) in zip(axes, volumes.items(), strict=True):
        for k, (section, ax) in enumerate(zip(volume, row, strict=True)):
            ax.imshow(np.ma.masked_equal(section, 0), cmap="Set2", vmin=1, vmax=8)
            for label in np.unique(section[section > 0]):
                y, x = np.argwhere(section == label).mean(axis=0)
                ax.text(x, y, str(label), ha="center", va="center")
            ax.set(title=f"{name}, slice {k}", xticks=[], yticks=[])
    return figure


def steps() -> Figure:
    """Draw what is counted where, and what moves."""
    figure = figure_of(7.6, 2.3)
    ax = figure.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 3))
    ax.axis("off")

    def box(x: float, y: float, width: float, text: str, color: str) -> None:
        style = {
            "boxstyle": "round,pad=0.05",
            "facecolor": color,
            "edgecolor": "#555555",
        }
        ax.add_patch(FancyBboxPatch((x, y), width, 0.55, **style))
        ax.text(
            x + width / 2, y + 0.275, text, ha="center", va="center", fontsize=9
        )

    def arrow(start: tuple[float, float], end: tuple[float, float]) -> None:
        line = {"arrowstyle": "->", "color": "#555555"}
        ax.annotate("", end, start, arrowprops=line)

    for i, rows in enumerate(
        ("rows of a file", "rows of a worker", "rows of a database")
    ):
        y = 2.1 - 0.9 * i
        box(0.1, y, 2.3, rows, "#e8e8e8")
        box(3.2, y, 1.6, "cells", "#cfe0f3")
        arrow((2.5, y + 0.275), (3.1, y + 0.275))
        arrow((4.9, y + 0.275), (5.6, 1.475))
    box(5.7, 1.2, 1.6, "one table", "#9cc3e6")
    box(8.1, 1.2, 1.7, "every measure", "#d9ead3")
    arrow((7.4, 1.475), (8.0, 1.475))
    for x, text in (
        (1.25, "stay where they are"),
        (4, "16 bytes each"),
        (6.5, "merged"),
    ):
        ax.text(x, 2.85, text, ha="center", fontsize=8, color="#555555")
    return figure


PICTURES: dict[str, Callable[[], Figure]] = {
    function.__name__: function
    for function in (
        thresholds,
        responses,
        documents,
        intervals,
        chance,
        agreement,
        flows,
        resolutions,
        bodies,
        steps,
    )
}


def draw(folder: Path) -> None:
    """Write every picture into a folder."""
    folder.mkdir(exist_ok=True)
    for name, function in PICTURES.items():
        function().savefig(folder / f"{name}.png", dpi=130)
