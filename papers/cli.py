"""``python -m papers``: the papers' experiments, as tables and figures."""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import sys
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from papers.outcome_tables import (
    OutcomeRow,
    in_order,
    outcome_table,
    paper_called,
    rows_not_run,
)
from papers.seeds import how_often, spread, tables_of
from partwise.cli import guarded
from partwise.cli.options import add_shape_options
from partwise.report.json_documents import json_text
from partwise.report.tables import csv_table, markdown_table, text_table

if TYPE_CHECKING:
    from papers import Experiment, ExperimentTable

_DOTS = 110  # per inch: figures are about 700 pixels wide


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``python -m papers`` and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m papers",
        description="Re-make the papers' experiments. Without a NAME, list them. "
        "Exit codes: 0 done; 1 some were left out for lack of their data; 2 bad input.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="an experiment, a pattern such as 'psi-*', or all",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="write NAME.csv, NAME.md and NAME.png there instead of printing the table; "
        "with --outcomes, outcomes.csv and outcomes.md",
    )
    parser.add_argument(
        "--outcomes",
        action="store_true",
        help="show what is printed beside what comes out instead of the tables; without a "
        "NAME, or with all, also what no experiment runs, and why",
    )
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="draw with N seeds, the default one and 1, 2, ... without it: the tables show "
        "mean and range of what is drawn, the outcomes with how many seeds they hold",
    )
    parser.add_argument(
        "--figures",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="figures as PNG, of the default seed (default: where matplotlib is installed)",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of files for the experiments that can read some (the list shows which); "
        "without it they use the small data that come with them",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_shape_options(parser)
    return guarded(run, parser.parse_args(arguments))


def run(options: argparse.Namespace) -> int:
    """List the experiments, or do those that are named."""
    from papers import MissingData, experiments

    if options.seeds is not None and options.seeds < 1:
        raise ValueError(f"--seeds {options.seeds}: give a number of seeds, 1 or more")
    by_name = experiments()
    if not options.names and not options.outcomes:
        _list(by_name, options.shape)
        return 0
    chosen = _chosen(options.names or ["all"], by_name)
    figures = _figures_wanted(options)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
    left_out = 0
    outcomes: list[OutcomeRow] = []
    for number, item in enumerate(chosen, start=1):
        start = time.perf_counter()
        _say(options, f"[{number}/{len(chosen)}] {item.name}: {item.summary}")
        try:
            tables = _tables(item, options)
        except MissingData as error:
            if len(chosen) == 1:
                raise
            print(f"partwise: {item.name} left out: {error}", file=sys.stderr)
            left_out += 1
            continue
        if options.outcomes:
            outcomes += _outcomes(item, tables, options)
            continue
        table = tables[0] if options.seeds is None else spread(item, tables)
        if options.output is None:
            _print(table, options.shape, last=number == len(chosen))
            continue
        names = _write(item.name, table, options.output)
        if figures and item.draw is not None:
            names.append(f"{item.name}.png")
            item.draw(tables[0]).savefig(options.output / names[-1], dpi=_DOTS)
        _say(options, f"    {', '.join(names)} in {time.perf_counter() - start:.1f} s")
    if options.outcomes:
        _show_outcomes(outcomes, options)
    return 1 if left_out else 0


def _tables(item: Experiment, options: argparse.Namespace) -> list[ExperimentTable]:
    """Run an experiment once, or with each seed."""
    data = {"data": options.data} if item.data and options.data else {}
    if options.seeds is None:
        return [item.run(**data)]
    return tables_of(item, partial(item.run, **data), options.seeds)


def _outcomes(
    item: Experiment, tables: list[ExperimentTable], options: argparse.Namespace
) -> list[OutcomeRow]:
    if item.outcomes is None:
        return []
    paper = paper_called(item.paper)
    if options.seeds is None:
        return [OutcomeRow(paper, outcome) for outcome in item.outcomes_of(tables[0])]
    return [OutcomeRow(paper, outcome, seeds) for outcome, seeds in how_often(item, tables)]


def _show_outcomes(rows: list[OutcomeRow], options: argparse.Namespace) -> None:
    """Print or write outcomes; of all experiments with what none of them runs."""
    if not options.names or "all" in options.names:
        rows = [*rows, *rows_not_run()]
    rows = in_order(rows)
    if options.output is not None:
        readable, exact = (outcome_table(rows, rounded=rounded) for rounded in (True, False))
        (options.output / "outcomes.csv").write_text(exact.to_csv(), encoding="utf-8")
        (options.output / "outcomes.md").write_text(readable.to_markdown(), encoding="utf-8")
        _say(options, f"    outcomes.csv, outcomes.md: {readable.notes[0]}")
        return
    rounded = options.shape not in ("json", "csv")
    _print(outcome_table(rows, rounded=rounded), options.shape, last=True)


def _say(options: argparse.Namespace, text: str) -> None:
    if not options.quiet:
        print(text, file=sys.stderr, flush=True)


def _chosen(names: list[str], by_name: dict[str, Experiment]) -> list[Experiment]:
    """Return the experiments of the names and patterns, each once, in the listed order."""
    chosen: set[str] = set()
    for name in names:
        here = [x for x in by_name if name == "all" or fnmatch(x, name)]
        if not here:
            near = difflib.get_close_matches(name, by_name, n=3)
            hint = (
                f"did you mean {' or '.join(near)}?"
                if near
                else "without a NAME, all are listed"
            )
            raise ValueError(f"no experiment is called {name!r}; {hint}")
        chosen.update(here)
    return [item for name, item in by_name.items() if name in chosen]


def _figures_wanted(options: argparse.Namespace) -> bool:
    there = importlib.util.find_spec("matplotlib") is not None
    if not options.figures:
        return there and options.figures is None
    if options.output is None:
        raise ValueError("--figures needs -o DIR, where the figures go")
    if not there:
        raise ModuleNotFoundError(
            "--figures needs matplotlib, which is not installed; install partwise[plot]"
        )
    return True


def _write(name: str, table: ExperimentTable, folder: Path) -> list[str]:
    """Write the table as CSV and as Markdown; return the files' names."""
    names = [f"{name}.csv", f"{name}.md"]
    (folder / names[0]).write_text(table.to_csv(), encoding="utf-8")
    (folder / names[1]).write_text(table.to_markdown(), encoding="utf-8")
    return names


def _print(table: ExperimentTable, shape: str | None, *, last: bool) -> None:
    if shape == "json":
        print(
            json_text({"title": table.title, "rows": table.to_dicts(), "notes": table.notes}, 2)
        )
    elif shape == "csv":
        print(table.to_csv(), end="" if last else "\n")
    elif shape == "markdown":
        print(table.to_markdown(), end="" if last else "\n")
    else:
        print(table, end="\n" if last else "\n\n")


def _list(by_name: dict[str, Experiment], shape: str | None) -> None:
    header = ["experiment", "paper", "place", "figure", "can read", "about"]
    rows = [
        (x.name, x.paper, x.figure, "yes" if x.draw else "", x.data or "", x.summary)
        for x in by_name.values()
    ]
    if shape == "json":
        print(json_text([dict(zip(header, row, strict=True)) for row in rows], 2))
    elif shape == "csv":
        print(csv_table(header, rows), end="")
    elif shape == "markdown":
        print(markdown_table(header, rows))
    else:
        print(text_table(rows, header))
