"""Calls of coreference."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from partwise import coreference

from .calling import Call, Inputs, Named, simple


def of_documents(given: Inputs) -> Named:
    """Coreference: from lists, from a file, and what is made of scores."""

    def scores() -> Any:
        return coreference.score(given.key, given.response)

    def files() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "key.conll"
            words = [f"{chr(97 + i % 26)}" for i in range(20)]
            lines = ["#begin document (d0); part 000"]
            marks = {place: f"({k})" for k, one in enumerate(given.key["d0"]) for place in one}
            lines += [
                f"d0 0 {i} {word} - - - - - - - {marks.get(i, '-')}"
                for i, word in enumerate(words)
            ]
            path.write_text("\n".join([*lines, "", "#end document", ""]))
            read = coreference.read(path)
            again = Path(folder) / "again.jsonl"
            coreference.write(coreference.iter_documents(path), again, "jsonlines")
            scored = coreference.score(path, again, mentions="first_run")
            return [len(read), scored.table()]

    yield simple("coreference.score", scores)
    yield simple(
        "coreference.score, spans",
        lambda: coreference.score(
            *(
                {
                    name: [[(i, i + 1) for i in entity] for entity in entities]
                    for name, entities in side.items()
                }
                for side in (given.key, given.response)
            )
        ),
    )
    for name in ("read", "write", "iter_documents"):
        yield simple(f"coreference.{name}", files)
    yield (
        "coreference.bootstrap",
        Call(scores, lambda s: coreference.bootstrap(s, draws=9, seed=1)),
    )
    yield (
        "coreference.paired_test",
        Call(
            lambda: [scores(), coreference.score(given.key, given.key)],
            lambda pair: coreference.paired_test(*pair, draws=9, seed=1),
        ),
    )
    for name in (
        "error_analysis",
        "error_categories",
        "scores_by_entity_size",
        "split_antecedent_scores",
    ):
        call = getattr(coreference, name)
        yield f"coreference.{name}", Call(scores, call)
    yield (
        "coreference.scores_by_mention",
        Call(
            scores,
            lambda s: coreference.scores_by_mention(s, lambda place: str(len(place.text))),
        ),
    )
    yield simple(
        "coreference.universal_anaphora_scores",
        lambda: coreference.universal_anaphora_scores(given.key, given.response),
    )
    yield simple(
        "coreference.leaderboard",
        lambda: coreference.leaderboard(
            given.key, {"one": given.response, "two": given.key}, draws=9, seed=1
        ),
    )
