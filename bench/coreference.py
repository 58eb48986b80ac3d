"""Coreference: scores against coval and scorch, and reading CoNLL files against coval.

``PYTHONPATH=CHECKOUT python -m bench.coreference``: coval is in no package index, so CHECKOUT
is a copy of its repository. Inputs of scores are in memory on both sides: partwise gets the
columns that its readers give, the others lists of entities, coval also its table of which
mention is where.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import measuring, report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

IntArray = NDArray[np.int64]
Entities = list[list[int]]

LARGEST = 100  # mentions of an entity
SPLIT, MERGED, MISSING, SPURIOUS, WRONG = 0.15, 0.1, 0.08, 0.08, 0.1
# of a document of LitBank under a response with many spurious mentions
MENTIONS, MORE = 291, 0.6
DOCUMENTS, SETS = 100, (10**5, 10**6)
ASKED_OF_CORPUS = 20
#: Of mentions as numbers and pairs of them, which we read first and coval does not.
ASKED_OF_OBJECTS = 0.8
#: All our scores may cost so many times coval's MUC alone.
MOST = {"moderate": 1.5, "weak": 15}
FIVE = ("mentions", "muc", "b_cubed", "ceaf_e", "lea")  # what coval prints
OF_COVAL = {"ceaf_e": "ceafe"}
OF_SCORCH = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


# ---- documents -----------------------------------------------------------------------


def entities_of(n: int, rng: np.random.Generator) -> IntArray:
    """Return the entity of each of n mentions; sizes fall by a power law."""
    sizes = np.minimum(rng.zipf(2.0, n), LARGEST)
    return np.repeat(np.arange(n), sizes)[:n]


def answered(
    key: IntArray, rng: np.random.Generator, spurious: float, wrong: float
) -> tuple[IntArray, IntArray]:
    """Return mentions of a response and their entities; those from len(key) on are spurious."""
    n, clusters = len(key), int(key.max()) + 1
    is_split = rng.random(clusters) < SPLIT
    second = is_split[key] & (rng.random(n) < workloads.SECOND_PART)
    _, part = np.unique(2 * key + second, return_inverse=True)
    joined = np.cumsum(rng.random(2 * clusters) >= MERGED, dtype=np.int64)
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


def document(name: str, positions: IntArray, entity: IntArray) -> Any:
    """Return a document as a reader would: mentions in the order of the text."""
    module = need("partwise.coreference")
    order = np.argsort(positions, kind="stable")
    numbers, codes = np.unique(entity[order], return_inverse=True)
    at = positions[order]
    spans = module.Spans(at, at)
    return module.Document(name, spans, codes.astype(np.int64), list(range(len(numbers))))


def generated(
    name: str, n: int, rng: np.random.Generator, spurious: float, wrong: float = 0.0
) -> tuple[Any, Any]:
    """Return a document and a response to it."""
    key = entities_of(n, rng)
    mentions, entity = answered(key, rng, spurious, wrong)
    positions = rng.permutation(n + int(spurious * n))
    response = document(name, positions[mentions], entity)
    return document(name, positions[:n], key), response


@lru_cache(maxsize=1)
def corpus(documents: int) -> tuple[Any, Any]:
    """Return as many documents as LitBank has, of its size, and a response to them."""
    rng = np.random.default_rng(workloads.SEED)
    pairs = [generated(f"d{i}", MENTIONS, rng, MORE) for i in range(documents)]
    stack = need("partwise.coreference").Documents
    return stack([x for x, _ in pairs]), stack([x for _, x in pairs])


@lru_cache(maxsize=1)
def one_set(n: int, kind: str) -> tuple[Any, Any]:
    """Return the mentions of a collection as one document, and a response."""
    rng = np.random.default_rng(workloads.SEED)
    wrong = WRONG if kind == "weak" else 0.0
    pair = generated("all", n, rng, SPURIOUS, wrong)
    stack = need("partwise.coreference").Documents
    return stack([pair[0]]), stack([pair[1]])


def joint_lists(key: Any, response: Any) -> dict[str, tuple[Entities, Entities]]:
    """Return the entities of both sides by document; equal mentions have equal numbers."""
    others = {each.name: each for each in response}
    return {each.name: (_lists(each), _lists(others[each.name])) for each in key}


def _lists(each: Any) -> Entities:
    """Return the entities of a document; a mention here is one token, so its first will do."""
    order = np.argsort(each.entity, kind="stable")
    sizes = np.bincount(each.entity, minlength=len(each.entity_names))
    parts = np.split(each.mentions.first[order], np.cumsum(sizes)[:-1])
    return [part.tolist() for part in parts]


# ---- scores --------------------------------------------------------------------------


def scores(divisor: int) -> Iterator[Contest]:
    """Yield the scores of coval and of scorch over ours, which are all measures."""
    documents = max(2, DOCUMENTS // divisor)
    data = f"{documents} documents of {MENTIONS} mentions"
    prepare = partial(_coval_on_corpus, documents)
    yield Contest(data, "coval, its five", prepare, ASKED_OF_CORPUS)
    yield Contest(data, "scorch, its five", partial(_scorch_on_corpus, documents))
    for n in SETS:
        for kind, most in MOST.items():
            data = f"one set, {n // divisor:,} mentions, {kind}"
            prepare = partial(_coval_on_set, n // divisor, kind)
            yield Contest(data, "coval, MUC alone", partial(prepare, None), 1 / most)
            for form in FORMS:
                problem = f"{data}, as {form}"
                asked = None if form == "str" else ASKED_OF_OBJECTS
                yield Contest(problem, "coval, MUC alone", partial(prepare, form), asked)


def ours(key: Any, response: Any) -> Any:
    """Return the scores of all measures."""
    return need("partwise").coreference.score(key, response)


def _f1(names: Iterable[str]) -> Callable[[Any], list[float]]:
    return lambda result: [result[name].f1 for name in names]


def _coval_on_corpus(documents: int) -> Sides:
    sides = corpus(documents)
    call = partial(coval_f1, coval_input(joint_lists(*sides)), FIVE)
    return Sides(partial(ours, *sides), call, _f1(FIVE), np.asarray)


def _scorch_on_corpus(documents: int) -> Sides:
    """Return ours against scorch, which adds no counts up: nothing to compare."""
    measures = need("scorch.scores")
    sides = corpus(documents)
    sets = [(list(map(set, a)), list(map(set, b))) for a, b in joint_lists(*sides).values()]

    def theirs() -> None:
        for key, response in sets:
            for name in OF_SCORCH:
                getattr(measures, name)(key, response)

    return Sides(partial(ours, *sides), theirs)


#: Mentions as objects, by the number of a mention.
FORMS: dict[str, Callable[[int], Any]] = {
    "int": int,
    "(int, int)": lambda number: (number, number + 2),
    "str": str,
}


def _coval_on_set(n: int, kind: str, form: str | None) -> Sides:
    """Return all our measures, CEAF with its alignment, against MUC of coval alone."""
    sides: tuple[Any, ...] = one_set(n, kind)
    lists = joint_lists(*sides)
    if form is not None:
        lists = {name: _in_form(pair, FORMS[form]) for name, pair in lists.items()}
        sides = tuple({name: pair[i] for name, pair in lists.items()} for i in (0, 1))
    call = partial(coval_f1, coval_input(lists), ["muc"])
    return Sides(partial(ours, *sides), call, _f1(["muc"]), np.asarray)


def _in_form(pair: tuple[Entities, Entities], form: Callable[[int], Any]) -> Any:
    """Return the entities of both sides with objects for mentions."""
    return tuple([list(map(form, entity)) for entity in entities] for entities in pair)


def coval_input(lists: dict[str, tuple[Entities, Entities]]) -> dict[str, Any]:
    """Return what coval's functions take."""
    where = need("coval.conll.reader").get_mention_assignments
    return {
        name: (key, response, where(key, response), where(response, key))
        for name, (key, response) in lists.items()
    }


def coval_f1(infos: dict[str, Any], names: Iterable[str]) -> list[float]:
    """Return F1 of some measures by coval."""
    evaluator = need("coval.eval.evaluator")
    functions = (getattr(evaluator, OF_COVAL.get(name, name)) for name in names)
    return [evaluator.evaluate_documents(infos, function)[2] for function in functions]


# ---- reading -------------------------------------------------------------------------

TOKENS, SMALL_DOCUMENTS, SMALL, SENTENCE = 10**6, 10**5, 6, 30
ASKED_OF_SMALL = 5


def reading(divisor: int) -> Iterator[Contest]:
    """Yield coval's reader over ours: one long document, and many short ones."""
    tokens, documents = TOKENS // divisor, SMALL_DOCUMENTS // divisor
    yield Contest(f"one document, {tokens:,} tokens", "coval", partial(_reading, 1, tokens))
    problem = f"{documents:,} documents of {SMALL} tokens"
    yield Contest(problem, "coval", partial(_reading, documents, SMALL), ASKED_OF_SMALL)


def _reading(documents: int, tokens: int) -> Sides:
    reader = need("coval.conll.reader")
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name, "documents.conll")
    path.write_text("".join(text_of(f"d{i}", tokens) for i in range(documents)))

    def theirs() -> list[list[Any]]:
        lines = reader.get_doc_lines(str(path))
        return [reader.get_doc_mentions(name, lines[name], True)[0] for name in lines]

    return Sides(
        partial(need("partwise").coreference.read, path),
        theirs,
        lambda documents: [
            size for each in documents for size in sorted(np.bincount(each.entity).tolist())
        ],
        lambda documents: [
            size for entities in documents for size in sorted(map(len, entities))
        ],
        relative=0,
        close=folder.cleanup,
    )


def text_of(name: str, tokens: int) -> str:
    """Return a document: every third token is in a mention, half of the mentions have three."""
    lines = [f"#begin document ({name}); part 000"]
    for i in range(tokens):
        at = i % SENTENCE
        if at % 6 == 0:
            column = f"({i % 977})"
        elif at % 6 == 1 and i + 2 < tokens:
            column = "(3"
        else:
            column = "3)" if at % 6 == 3 else "-"
        lines.append(f"{name}\t0\t{at}\tword{i}\t{column}")
        if at == SENTENCE - 1:
            lines.append("")
    return "\n".join([*lines, "#end document", ""])


# ---- two threads ---------------------------------------------------------------------

#: Share of the speed-up that the serial part leaves, and calls of which the fastest counts.
ASKED_OF_THREADS, CALLS = 0.8, 5


def threads(divisor: int) -> Iterator[Contest]:
    """Yield the speed-up by two threads over what the serial part of the work leaves."""
    for kind in MOST:
        n = SETS[-1] // divisor
        data = f"one set, {n:,} mentions, {kind}"
        yield Contest(
            *(data, "one thread", partial(_speed_up, n, kind), ASKED_OF_THREADS),
            "the speed-up by two threads, over what is possible",
        )


def _speed_up(n: int, kind: str) -> Counted:
    """Compare two threads with one, by CPU on the critical path."""
    key, response = one_set(n, kind)
    score = need("partwise").coreference.score
    alone, both = (partial(score, key, response, workers=workers) for workers in (1, 2))
    if any(alone()[name] != both()[name] for name in FIVE):
        raise SystemExit("two threads give other scores than one")
    faster, possible, share = measuring.speed_up(alone, both, CALLS)
    note = f"{faster:.2f} times as fast, {possible:.2f} possible: {share:.0%} is serial"
    return Counted(faster / possible, note)


STAGES = (
    Stage("coreference_reading", "Reading coreference files", reading),
    Stage("coreference", "Coreference scores", scores, ("scorch",)),
    Stage("coreference_threads", "Coreference scores by two threads", threads),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.coreference"))
