"""A shared task of coreference: the leaderboard of 20 submissions, and its scores alone.

``PYTHONPATH=CHECKOUT python -m bench.shared_task``: CHECKOUT is a copy of coval's repository.
The leaderboard reads files, scores, and tests all 190 pairs by 1,000 exchanges of documents
each, with Holm's correction; it has an allowance of CPU in place of a peer.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import coreference
from bench.harness import measuring, report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

SUBMISSIONS, DOCUMENTS, DRAWS = 20, 348, 1000
#: Of a document: as many words and mentions as the English test set of CoNLL-2012 has.
WORDS, MENTIONS = 460, 55
SPURIOUS = 0.2
#: Mentions of a submission in a wrong entity: of the best, and what each next one adds.
BEST, STEP = 0.05, 0.01
ALLOWED_SECONDS, ASKED_OF_SCORES = 10.0, 10


@dataclass(frozen=True)
class Task:
    """A key and its submissions, documents each."""

    key: list[Any]
    submissions: list[list[Any]]


@lru_cache(maxsize=1)
def task(documents: int) -> Task:
    """Return a shared task: each submission makes more mistakes than the one before."""
    rng = np.random.default_rng(workloads.SEED)
    key: list[Any] = []
    submissions: list[list[Any]] = [[] for _ in range(SUBMISSIONS)]
    more = int(SPURIOUS * MENTIONS)
    for number in range(documents):
        entity = coreference.entities_of(MENTIONS, rng)
        positions = rng.permutation(MENTIONS + more) * WORDS // (MENTIONS + more)
        name = f"(d{number}); part 000"
        key.append(coreference.document(name, positions[:MENTIONS], entity))
        for rank, submission in enumerate(submissions):
            mentions, answer = coreference.answered(entity, rng, SPURIOUS, BEST + STEP * rank)
            submission.append(coreference.document(name, positions[mentions], answer))
    return Task(key, submissions)


def text_of(documents: list[Any]) -> str:
    """Return documents of mentions of one word as a file of CoNLL-2012."""
    lines = []
    for each in documents:
        codes = dict(zip(each.mentions.first.tolist(), each.entity.tolist(), strict=True))
        lines.append(f"#begin document {each.name}")
        for at in range(WORDS):
            column = f"({codes[at]})" if at in codes else "-"
            lines.append(f"d\t0\t{at % coreference.SENTENCE}\tword{at}\t{column}")
            if (at + 1) % coreference.SENTENCE == 0:
                lines.append("")
        lines += ["", "#end document"]
    return "\n".join([*lines, ""])


def contests(divisor: int) -> Iterator[Contest]:
    """Yield the leaderboard against its allowance, and coval's five measures over ours."""
    documents = max(2, DOCUMENTS // divisor)
    data = f"{SUBMISSIONS} submissions, {documents} documents of {WORDS} words"
    yield Contest(
        *(f"{data}, files to leaderboard", f"{ALLOWED_SECONDS:g} s"),
        *(partial(_leaderboard, documents), 1),
        "CPU allowed, over that used",
    )
    yield Contest(
        *(f"{data}, scores alone", "coval, its five", partial(_scores, documents)),
        ASKED_OF_SCORES,
    )


def _leaderboard(documents: int) -> Counted:
    """Return the CPU that the whole leaderboard takes, as a part of the allowance."""
    leaderboard = need("partwise").coreference.leaderboard
    work = task(documents)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "submissions")
        folder.mkdir()
        key = Path(name, "key.conll")
        key.write_text(text_of(work.key))
        for rank, submission in enumerate(work.submissions):
            (folder / f"team{rank:02}.conll").write_text(text_of(submission))
        boards: list[Any] = []

        def whole() -> None:
            boards.append(leaderboard(key, folder, draws=DRAWS, seed=1))

        seconds = measuring.user_seconds(whole)
    board = boards[-1]
    pairs = SUBMISSIONS * (SUBMISSIONS - 1) // 2
    if len(board.pairs) != pairs or any(one.refused for one in board.submissions):
        raise SystemExit("not all submissions were compared")
    return Counted(ALLOWED_SECONDS / seconds, f"{seconds:.2f} s for {pairs} pairs")


def _scores(documents: int) -> Sides:
    """Return the scores of all submissions against coval's five."""
    work = task(documents)
    stack = need("partwise.coreference").Documents
    key, submissions = stack(work.key), [stack(one) for one in work.submissions]
    lists = [coreference.joint_lists(key, one) for one in submissions]
    inputs = [coreference.coval_input(one) for one in lists]
    names = coreference.FIVE
    return Sides(
        lambda: [coreference.ours(key, one) for one in submissions],
        lambda: [coreference.coval_f1(one, names) for one in inputs],
        lambda results: [[one[name].f1 for name in names] for one in results],
        np.asarray,
    )


STAGES = (Stage("shared_task", "A shared task of coreference", contests),)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.shared_task"))
