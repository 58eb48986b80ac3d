"""From mentions to all coreference measures, against coval and scorch.

Run ``python -m bench.coreference [--coval CHECKOUT] [--scorch] [--corpus KEY RESPONSE]
[--copies N] [--mentions 100000,1000000] [--repetitions R] [--json FILE]``. CHECKOUT is a copy
of coval's repository; scorch comes from the package index. Every tool starts from entities in
memory, as its own reader would give them, and finds out by itself which mentions are common.
The sets that are made up are one document each; "weak" ones have a tenth of the response's
mentions in an entity taken at random.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import partwise
from bench import measuring
from partwise.coreference.documents import Document, Documents, Spans

Entities = list[list[Any]]

MEASURES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")
COVAL = ("muc", "b_cubed", "ceafe", "lea")
SPLIT, MERGED, MISSING, SPURIOUS, WEAK = 0.15, 0.10, 0.08, 0.08, 0.10
EXPONENT, LARGEST = 2.2, 300  # entity sizes: a power law, cut off
RELATIVE = 1e-9

#: Coval's CPU over ours, all measures: what is asked for.
ASKED = {
    "corpus": "coval's five / ours >= 20",
    "moderate": "ours <= 1.5 of coval's MUC at 1e6",
    "weak": "ours <= 15 of coval's MUC at 1e6",
}


@dataclass(frozen=True)
class Case:
    """Key and response: as our documents, and as lists for the others."""

    name: str
    kind: str
    key: Documents
    response: Documents

    @property
    def n_mentions(self) -> tuple[int, int]:
        """Mentions of key and response."""
        return sum(map(len, self.key)), sum(map(len, self.response))


# ---- cases -------------------------------------------------------------------------


def corpus(key: Path, response: Path, copies: int) -> Case:
    """Return a corpus, as often as asked for under new names of documents."""
    sides = []
    for path in (key, response):
        read = partwise.coreference.read(path)
        sides.append(
            Documents(
                [
                    Document(f"{x.name} {copy}", x.mentions, x.entity, x.entity_names)
                    for copy in range(copies)
                    for x in read
                ]
            )
        )
    name = f"{response.stem}, {len(sides[0])} documents"
    return Case(name, "corpus", *sides)


def made_up(n: int, weak: bool) -> Case:
    """Return one document of about n mentions whose response splits, merges, misses, adds."""
    random = np.random.default_rng(n + weak)
    sizes = np.minimum(random.zipf(EXPONENT, size=n), LARGEST)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), n)) + 1]
    key = np.repeat(np.arange(len(sizes)), sizes)
    response = 2 * key
    split = random.random(len(sizes)) < SPLIT
    response += split[key] & (random.random(len(key)) < 0.5)
    merged = random.random(2 * len(sizes)) < MERGED
    target = np.where(
        merged, random.integers(2 * len(sizes), size=2 * len(sizes)), np.arange(2 * len(sizes))
    )
    response = target[response]
    entities = np.unique(response)
    if weak:
        moved = random.random(len(key)) < WEAK
        response = np.where(moved, random.choice(entities, size=len(key)), response)
    kept = random.random(len(key)) >= MISSING
    extra = int(SPURIOUS * n)
    added = random.choice(entities, size=extra)
    shuffled = random.permutation(len(key) + extra)  # where mentions stand tells nothing
    here = shuffled[: len(key)]
    return Case(
        f"{'weak' if weak else 'moderate'}, {n:.0e} mentions",
        "weak" if weak else "moderate",
        _one_document(here, key),
        _one_document(
            np.concatenate([here[kept], shuffled[len(key) :]]),
            np.concatenate([response[kept], added]),
        ),
    )


def _one_document(token: Any, labels: Any) -> Documents:
    names, entity = np.unique(labels, return_inverse=True)
    order = np.argsort(token)
    first = token[order].astype(np.int64)
    return Documents(
        [Document("d", Spans(first, first), entity[order].astype(np.int64), names.tolist())]
    )


def lists_of(documents: Documents) -> list[Entities]:
    """Return the entities of each document as lists of mentions."""
    found = []
    for document in documents:
        spans = document.mentions
        assert isinstance(spans, Spans)
        entities: Entities = [[] for _ in document.entity_names]
        rows = zip(
            spans.first.tolist(), spans.last.tolist(), document.entity.tolist(), strict=True
        )
        for first, last, entity in rows:
            entities[entity].append((first, last))
        found.append(entities)
    return found


# ---- the tools ---------------------------------------------------------------------


def ours(case: Case) -> dict[str, float]:
    """Return all measures over all documents."""
    scores = partwise.coreference.score(case.key, case.response)
    return {name: scores[name].f1 for name in MEASURES}


class Coval:
    """coval's evaluator, from a checkout of its repository."""

    def __init__(self, checkout: Path) -> None:
        sys.path.insert(0, str(checkout))
        try:
            self.evaluator = importlib.import_module("coval.eval.evaluator")
            self.reader = importlib.import_module("coval.conll.reader")
        except ModuleNotFoundError as error:
            raise SystemExit(f"{checkout}: no coval in it ({error})") from error

    def __call__(self, sides: list[list[Entities]], names: tuple[str, ...]) -> dict[str, float]:
        """Return measures from entities, common mentions included once."""
        assigned = self.reader.get_mention_assignments
        infos = [
            (key, response, assigned(key, response), assigned(response, key))
            for key, response in zip(*sides, strict=True)
        ]
        found = {}
        for name in names:
            evaluator = self.evaluator.Evaluator(getattr(self.evaluator, name))
            for info in infos:
                evaluator.update(info)
            found[name] = evaluator.get_f1()
        return found


def scorch(sides: list[list[Entities]]) -> dict[str, float]:
    """Return scorch's measures of one document."""
    scores = importlib.import_module("scorch.scores")
    (key,), (response,) = ([[set(e) for e in one] for one in side] for side in sides)
    names = {"muc": "muc", "b_cubed": "b_cubed", "ceaf_m": "ceaf_m", "ceaf_e": "ceaf_e"}
    return {name: getattr(scores, its)(key, response)[2] for name, its in names.items()}


def check(case: Case, found: dict[str, float], names: dict[str, str]) -> None:
    """Stop where another tool's value is not ours."""
    values = ours(case)
    for its, name in names.items():
        if not math.isclose(found[its], values[name], rel_tol=RELATIVE):
            raise SystemExit(f"{case.name}: {its} is {found[its]!r}, ours {values[name]!r}")


# ---- the report --------------------------------------------------------------------

ROW = ("set", "mentions", "MB", "ours CPU s", "peer", "its CPU s", "its CPU / ours", "pairs")


def rows_of(case: Case, coval: Coval | None, with_scorch: bool, repetitions: int) -> list[Any]:
    """Return the lines of one case, a peer a line."""
    peers: list[tuple[str, Callable[[], Any]]] = []
    sides = [lists_of(case.key), lists_of(case.response)]
    if coval is not None:
        names = COVAL if case.kind == "corpus" else ("muc",)
        label = "coval: MUC, B-cubed, CEAF-e, LEA" if case.kind == "corpus" else "coval: MUC"
        check(
            *(case, coval(sides, names)),
            {"muc": "muc", "b_cubed": "b_cubed", "ceafe": "ceaf_e", "lea": "lea"}
            if case.kind == "corpus"
            else {"muc": "muc"},
        )
        peers.append((label, lambda: coval(sides, names)))
    if with_scorch and len(case.key) == 1 and case.n_mentions[0] <= 20_000:
        check(case, scorch(sides), {n: n for n in ("muc", "b_cubed", "ceaf_m", "ceaf_e")})
        peers.append(("scorch: MUC, B-cubed, CEAF-m, CEAF-e", lambda: scorch(sides)))
    rows = []
    mentions = " x ".join(f"{n:,}" for n in case.n_mentions)
    partwise.free_scratch()
    extra = f"{measuring.peak_extra(lambda: ours(case)) / 1e6:.0f}"
    for name, call in peers:
        pair = measuring.paired(lambda: ours(case), call, repetitions)
        cost = measuring.spread(x.total for x in pair.ours)
        its = measuring.spread(x.total for x in pair.peer)
        ratios = [b.total / a.total for a, b in zip(pair.ours, pair.peer, strict=True)]
        rows.append(
            [
                case.name,
                mentions,
                extra,
                cost,
                name,
                its,
                measuring.spread(ratios),
                str(len(ratios)),
            ]
        )
    if not peers:
        cost = measuring.spread(
            measuring.cost_of(lambda: ours(case)).total for _ in range(repetitions)
        )
        rows.append([case.name, mentions, extra, cost, "", "", "", str(repetitions)])
    return rows


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.coreference")
    parser.add_argument("--coval", type=Path, metavar="CHECKOUT")
    parser.add_argument(
        "--scorch", action="store_true", help="also scorch, up to 20,000 mentions"
    )
    parser.add_argument(
        "--corpus", type=Path, nargs=2, action="append", metavar=("KEY", "RESPONSE"), default=[]
    )
    parser.add_argument("--copies", type=measuring.positive, default=8, help="of each corpus")
    parser.add_argument(
        "--mentions",
        type=lambda text: [int(float(x)) for x in text.split(",") if x],
        default=[10_000, 100_000, 1_000_000],
    )
    parser.add_argument("--repetitions", type=measuring.positive, default=5)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    coval = None if options.coval is None else Coval(options.coval)
    head = measuring.header(("partwise", "numpy"))
    print("# Coreference measures\n")
    for key, value in head.items():
        print(f"- {key}: {value}")
    print(f"- ours: {', '.join(MEASURES)}, the alignments of CEAF included")
    print("- MB of 1e6 bytes: peak extra memory of ours")
    print(f"- asked: {'; '.join(ASKED.values())}\n")
    print(measuring.markdown(ROW, []), flush=True)
    rows: list[Any] = []
    cases = [lambda pair=pair: corpus(*pair, options.copies) for pair in options.corpus]
    cases += [
        lambda n=n, weak=weak: made_up(n, weak)
        for n in options.mentions
        for weak in (False, True)
    ]
    for make in cases:
        for row in rows_of(make(), coval, options.scorch, options.repetitions):
            print("| " + " | ".join(row) + " |", flush=True)
            rows.append(row)
    if options.json:
        report = {**head, "rows": [dict(zip(ROW, row, strict=True)) for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
