"""Scores of coreference against coval, scorch and the definitions of the tests.

Run ``python -m bench.coreference --coval CHECKOUT [--scorch FOLDER] [--definitions]
[--mentions N ...] [--documents D] [--key FILE --response FILE ...] [--repetitions R]``.
CHECKOUT is a copy of coval's repository, FOLDER one that scorch was installed to if not beside
partwise. Inputs are in memory on both sides: partwise gets the columns that its readers give,
the others lists of entities, coval also its table of which mention is where. Values are
compared before anything is timed; the functions take turns in one process. As a stage of
``python -m bench`` coval is found where ``PYTHONPATH`` has the checkout.
"""

from __future__ import annotations

import argparse
import importlib
import math
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import partwise
from bench import contests, generators, measuring, stages
from bench.peers import AbsentError, need
from partwise.coreference import Document, Documents, Spans

IntArray = NDArray[np.int64]
Entities = list[list[int]]

LARGEST = 100  # mentions of an entity
SPLIT, MERGED, MISSING, SPURIOUS, WRONG = 0.15, 0.1, 0.08, 0.08, 0.1
# of a document of LitBank under a response with many spurious mentions
MENTIONS, MORE = 291, 0.6
KINDS = ("moderate", "weak")
ASKED_CORPUS, ASKED_MODERATE, ASKED_WEAK = 20, 1.5, 15
FIVE = ("mentions", "muc", "b_cubed", "ceaf_e", "lea")  # what coval prints
OF_COVAL = {"ceaf_e": "ceafe"}
OF_SCORCH = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
OF_DEFINITIONS = {"muc": "muc", "b_cubed": "bcub", "ceaf_e": "ceafe", "lea": "lea"}
COLUMNS = ("data", "peer", "ours, CPU ms", "peer, CPU ms", "peer / ours", "asked")
DOCUMENTS, SETS = 100, (10**5, 10**6)


# ---- data --------------------------------------------------------------------------------


def entities_of(n: int, rng: np.random.Generator) -> IntArray:
    """Return the entity of each of n mentions; sizes fall by a power law."""
    sizes = np.minimum(rng.zipf(2.0, n), LARGEST)
    found: IntArray = np.repeat(np.arange(n), sizes)[:n]
    return found


def answered(
    key: IntArray, rng: np.random.Generator, spurious: float, *, wrong: float = 0.0
) -> tuple[IntArray, IntArray]:
    """Return mentions of a response and their entities; those from len(key) on are spurious."""
    n, clusters = len(key), int(key.max()) + 1
    is_split = rng.random(clusters) < SPLIT
    second = is_split[key] & (rng.random(n) < generators.SECOND_PART)
    _, part = np.unique(2 * key + second, return_inverse=True)
    joined = np.cumsum(rng.random(2 * clusters) >= MERGED)
    mentions = np.flatnonzero(rng.random(n) >= MISSING)
    entity = joined[part[mentions]]
    more = int(spurious * n)
    alone = entity.max(initial=0) + 1 + np.arange(more)
    drawn = rng.choice(np.unique(entity), more)
    beyond = np.where(rng.random(more) < 0.5, drawn, alone)
    mentions = np.concatenate([mentions, n + np.arange(more)])
    entity = np.concatenate([entity, beyond])
    lost = np.flatnonzero(rng.random(len(entity)) < wrong)
    entity[lost] = rng.choice(np.unique(entity), len(lost))
    return mentions, entity


def document(name: str, places: IntArray, entity: IntArray) -> Document:
    """Return a document as a reader would: mentions in the order of the text."""
    order = np.argsort(places, kind="stable")
    numbers, codes = np.unique(entity[order], return_inverse=True)
    at = places[order]
    return Document(name, Spans(at, at), codes.astype(np.int64), list(range(len(numbers))))


def generated(
    name: str, n: int, rng: np.random.Generator, spurious: float, **options: float
) -> tuple[Document, Document]:
    """Return a document and a response to it."""
    key = entities_of(n, rng)
    mentions, entity = answered(key, rng, spurious, **options)
    places = rng.permutation(n + int(spurious * n))
    return document(name, places[:n], key), document(name, places[mentions], entity)


def corpus(documents: int) -> tuple[Documents, Documents]:
    """Return as many documents as LitBank has, of its size, and a response to them."""
    rng = np.random.default_rng(generators.SEED)
    pairs = [generated(f"d{i}", MENTIONS, rng, MORE) for i in range(documents)]
    return Documents([x for x, _ in pairs]), Documents([x for _, x in pairs])


def one_set(n: int, kind: str) -> tuple[Documents, Documents]:
    """Return mentions of a whole collection as one document."""
    rng = np.random.default_rng(generators.SEED)
    wrong = WRONG if kind == "weak" else 0.0
    key, response = generated("all", n, rng, SPURIOUS, wrong=wrong)
    return Documents([key]), Documents([response])


def joint_lists(key: Documents, response: Documents) -> dict[str, tuple[Entities, Entities]]:
    """Return the entities of both sides by document; equal mentions have equal numbers."""
    others = {x.name: x for x in response}
    found = {}
    for here in key:
        there = others[here.name]
        both = []
        top = max(_last(here), _last(there)) + 1
        for given in (here, there):
            spans = given.mentions
            assert isinstance(spans, Spans)
            code = spans.first * top + spans.last
            order = np.argsort(given.entity, kind="stable")
            sizes = np.bincount(given.entity, minlength=len(given.entity_names))
            parts = np.split(code[order], np.cumsum(sizes)[:-1])
            both.append([part.tolist() for part in parts])
        found[here.name] = (both[0], both[1])
    return found


def _last(given: Document) -> int:
    assert isinstance(given.mentions, Spans)
    return int(given.mentions.last.max(initial=0))


# ---- what is measured --------------------------------------------------------------------


def ours(key: Any, response: Any) -> dict[str, float]:
    """Return F1 of all measures."""
    scores = partwise.coreference.score(key, response)
    return {name: scores[name].f1 for name in scores}


@dataclass(frozen=True)
class Others:
    """Modules of further peers, None where one is left out."""

    scorch: Any
    definitions: Any


class Coval:
    """The functions of coval."""

    def __init__(self) -> None:
        self.evaluator = need("coval.eval.evaluator")
        self.reader = need("coval.conll.reader")

    def prepared(self, lists: dict[str, tuple[Entities, Entities]]) -> dict[str, Any]:
        """Return what coval's functions take."""
        where = self.reader.get_mention_assignments
        return {
            name: (key, response, where(key, response), where(response, key))
            for name, (key, response) in lists.items()
        }

    def scores(self, infos: dict[str, Any], names: Iterable[str] = FIVE) -> dict[str, float]:
        """Return F1 of some measures."""
        evaluator = self.evaluator
        return {
            name: evaluator.evaluate_documents(
                infos, getattr(evaluator, OF_COVAL.get(name, name))
            )[2]
            for name in names
        }


def scorch_scores(scores: Any, sets: list[tuple[Any, Any]]) -> None:
    """Run five measures of scorch on each document (it adds no counts up)."""
    for key, response in sets:
        for name in OF_SCORCH:
            getattr(scores, name)(key, response)


def definition_scores(
    definitions: Any, lists: dict[str, tuple[Entities, Entities]]
) -> dict[str, float]:
    """Return F1 of four measures by the definitions of the tests."""
    found = {}
    for name, theirs in OF_DEFINITIONS.items():
        parts = [
            [definitions.numerators(a, b, theirs), definitions.numerators(b, a, theirs)]
            for a, b in lists.values()
        ]
        recall, precision = (
            sum(part[side][0] for part in parts) / sum(part[side][1] for part in parts)
            for side in (0, 1)
        )
        found[name] = float(2 * recall * precision / (recall + precision))
    return found


def check(name: str, found: dict[str, float], wanted: dict[str, float]) -> None:
    """Stop where a score differs."""
    for measure, value in wanted.items():
        if not math.isclose(found[measure], value, rel_tol=1e-9):
            raise SystemExit(f"{name}: {measure} is {found[measure]!r}, the peer has {value!r}")


# ---- the report --------------------------------------------------------------------------


def on_corpus(
    data: str,
    sides: tuple[Documents, Documents],
    coval: Coval | None,
    others: Others,
    repetitions: int,
) -> Iterator[stages.Line]:
    """Yield lines: all our measures against five of coval, of scorch, four by definition."""
    lists = joint_lists(*sides)
    found = ours(*sides)
    peers: dict[str, tuple[Callable[[], Any], float | None]] = {}
    if coval is not None:
        infos = coval.prepared(lists)
        check(data, found, coval.scores(infos))
        peers["coval, its five"] = (lambda: coval.scores(infos)), ASKED_CORPUS
    if others.scorch is not None:
        sets = [(list(map(set, a)), list(map(set, b))) for a, b in lists.values()]
        peers["scorch, its five"] = (lambda: scorch_scores(others.scorch, sets)), None
    if others.definitions is not None:
        check(data, found, definition_scores(others.definitions, lists))
        defined = partial(definition_scores, others.definitions, lists)
        peers["definitions, four"] = defined, None
    for name, (call, asked) in peers.items():
        pair = measuring.paired(lambda: ours(*sides), call, repetitions)
        yield stages.line(data, name, pair, asked=asked)


def on_set(n: int, kind: str, coval: Coval, repetitions: int) -> Iterator[stages.Line]:
    """Yield lines: all our measures, CEAF with its alignment, against MUC of coval alone."""
    sides, data = one_set(n, kind), f"one set, {n:,} mentions, {kind}"
    lists = joint_lists(*sides)
    infos = coval.prepared(lists)
    check(data, ours(*sides), coval.scores(infos, ["mentions", "muc", "b_cubed"]))
    asked = 1 / (ASKED_MODERATE if kind == "moderate" else ASKED_WEAK)
    objects = [{name: pair[side] for name, pair in lists.items()} for side in (0, 1)]
    for name, given, least in ((data, sides, asked), (f"{data}, as objects", objects, None)):
        pair = measuring.paired(
            partial(ours, *given), lambda: coval.scores(infos, ["muc"]), repetitions
        )
        yield stages.line(name, "coval, MUC alone", pair, asked=least)


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the scores of coval and of scorch over ours."""
    divisor = contests.QUICK if quick else 1
    documents = DOCUMENTS // divisor
    data = f"{documents} documents of {MENTIONS} mentions"
    others, coval = Others(scorch_if_there(), None), None
    try:
        coval = Coval()
    except AbsentError as error:
        yield stages.absent(data, "coval, its five", error, ASKED_CORPUS)
    yield from on_corpus(data, corpus(documents), coval, others, repetitions)
    if coval is not None:
        for n in SETS[:1] if quick else SETS:
            for kind in KINDS:
                yield from on_set(n // divisor, kind, coval, repetitions)


def memory(n: int, kind: str) -> list[str]:
    """Return a line: the peak of scoring in a fresh process, for each cell."""
    contests.say(f"memory, {n:,} mentions, {kind}")
    command = [sys.executable, "-m", "bench.coreference", "--peak", str(n), kind]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"measuring the memory:\n{done.stderr}")
    cells, peak = map(int, done.stdout.split())
    return [f"{n:,} mentions, {kind}", f"{cells:,}", f"{peak / 1e6:.0f}", f"{peak / cells:.0f}"]


def print_peak(n: int, kind: str) -> None:
    """Print the cells and the bytes that scoring needs beyond its input."""
    sides = one_set(n, kind)
    ours(*one_set(1000, kind))
    peak = measuring.peak_extra(lambda: ours(*sides))
    (both,) = joint_lists(*sides).values()
    home = {mention: at for at, entity in enumerate(both[1]) for mention in entity}
    cells = {
        (at, home[mention])
        for at, entity in enumerate(both[0])
        for mention in entity
        if mention in home
    }
    print(len(cells), peak)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.coreference")
    parser.add_argument("--coval", type=Path, metavar="CHECKOUT")
    parser.add_argument("--scorch", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--definitions", action="store_true", help="also those of the tests (minutes)"
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="instead of made documents")
    parser.add_argument("--response", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--documents", type=measuring.positive, default=DOCUMENTS, metavar="D")
    parser.add_argument(
        "--mentions", type=measuring.positive, nargs="*", default=SETS, metavar="N"
    )
    parser.add_argument("--repetitions", type=measuring.positive, default=3, metavar="R")
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.peak:
        print_peak(int(options.peak[0]), options.peak[1])
        return
    if options.coval is None:
        raise SystemExit("--coval CHECKOUT is needed: a copy of its repository")
    sys.path.insert(0, str(options.coval))
    coval, others = Coval(), others_of(options)
    print("# Scores of coreference\n")
    for key, value in measuring.header(("partwise", "numpy", "scipy")).items():
        print(f"- {key}: {value}")
    print("- user CPU, medians; ratios pair by pair; one thread\n")
    lines: list[stages.Line] = []
    for data, sides in corpora(options):
        lines += on_corpus(data, sides, coval, others, options.repetitions)
    for n in options.mentions:
        for kind in KINDS:
            lines += on_set(n, kind, coval, options.repetitions)
    print(measuring.markdown(COLUMNS, map(cells, lines)))
    print("\n## Memory of scoring\n")
    peaks = [memory(n, kind) for n in options.mentions for kind in KINDS]
    print(measuring.markdown(("data", "cells", "MB", "bytes a cell"), peaks))


def corpora(options: argparse.Namespace) -> Iterator[tuple[str, tuple[Documents, Documents]]]:
    """Yield the documents that were given, or made ones."""
    if options.key is None:
        n = options.documents
        yield f"{n} documents of {MENTIONS} mentions", corpus(n)
        return
    key = partwise.coreference.read(options.key)
    for path in options.response:
        yield path.name, (key, partwise.coreference.read(path))


def cells(line: stages.Line) -> list[str]:
    """Return a line of the table."""
    assert line.milliseconds is not None
    costs = map(contests.significant, line.milliseconds)
    asked = "" if line.asked is None else f">= {line.asked:.2f}"
    return [line.problem, line.peer, *costs, measuring.spread(line.ratios), asked]


def scorch_if_there() -> Any:
    """Return scorch's measures, None where it is not installed."""
    try:
        return importlib.import_module("scorch.scores")
    except ModuleNotFoundError:
        return None


def others_of(options: argparse.Namespace) -> Others:
    """Return the peers that are there and were asked for."""
    if options.scorch is not None:
        sys.path.insert(0, str(options.scorch))
    definitions = None
    if options.definitions:
        sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
        definitions = need("coreference_definitions")
    return Others(scorch_if_there(), definitions)


if __name__ == "__main__":
    main()
