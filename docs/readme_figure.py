"""The picture of the README, from the shipped example: ``python docs/readme_figure.py``."""

import csv
from pathlib import Path

from matplotlib.figure import Figure

import partwise as pw

HERE = Path(__file__).parent
RESOLUTIONS = ("0.2", "0.4", "0.6", "0.8", "1.2", "1.6", "2.0")


def draw() -> Figure:
    """Draw scores by resolution, and the table of the best one in matching order."""
    with (HERE.parent / "examples" / "cells.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    types = [row["cell_type"] for row in rows]
    leiden = {name: [row[f"leiden_{name}"] for row in rows] for name in RESOLUTIONS}
    names = ["adjusted_rand_index", "homogeneity", "completeness"]
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    curves, table = figure.subplots(1, 2)
    pw.score_many(types, leiden, names).plot(ax=curves, xlabel="resolution")
    pw.contingency(types, leiden["0.8"]).plot(ax=table)
    return figure


if __name__ == "__main__":
    draw().savefig(HERE / "_static" / "readme.png", dpi=135)
