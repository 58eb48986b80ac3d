"""Options of coval (minimum spans, noun phrases only, nested mentions) beside ours.

``PYTHONPATH=.:CHECKOUT python -m bench.peer_options [PAIRS]``: CHECKOUT is a copy of coval's
repository, of which the files of its tests are read as well. Each measure under each choice of
options is a check. Where the two differ, the reason is looked for in what coval does with the
mentions of the pair; a difference without a reason makes the exit code 1.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from bench import parsed_text
from bench.harness.peers import need

MEASURES = {
    "mentions": "mentions",
    "muc": "muc",
    "b_cubed": "b_cubed",
    "ceaf_e": "ceafe",
    "lea": "lea",
}
PAIRS = 100
#: Several brackets in a cell without a bar between them.
_BARLESS = re.compile(r"[0-9][(]|[)][0-9]+[)]")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Choice:
    """One choice of coval's options."""

    noun_phrases: bool
    unnested: bool
    singletons: bool
    minimum: bool

    def __str__(self) -> str:
        names = {
            "NP_only": self.noun_phrases,
            "remove_nested": self.unnested,
            "remove_singletons": not self.singletons,
            "min_span": self.minimum,
        }
        return " ".join(name for name, on in names.items() if on) or "no option"

    def ours(self, key: Path, response: Path) -> Any:
        """Return our scores."""
        return need("partwise").coreference.score(
            key,
            response,
            convention="coval",
            mentions="mina" if self.minimum else "exact",
            verbs="drop" if self.noun_phrases else "keep",
            nested="drop" if self.unnested else "keep",
            singletons="keep" if self.singletons else "drop",
            repeats="first",
        )

    def theirs(self, key: Path, response: Path) -> dict[str, tuple[float, float, float]]:
        """Return the scores of coval."""
        evaluator = need("coval.eval.evaluator")
        with redirect_stdout(io.StringIO()):
            read = need("coval.conll.reader").get_coref_infos(
                *(str(key), str(response)),
                *(self.noun_phrases, self.unnested, self.singletons, self.minimum),
            )
            return {
                name: evaluator.evaluate_documents(read, getattr(evaluator, theirs), beta=1)
                for name, theirs in MEASURES.items()
            }


def choices(*, parsed: bool) -> Iterator[Choice]:
    """Yield the choices that files have the columns for."""
    for flags in product((False, True), repeat=4):
        choice = Choice(*flags)
        if parsed or not (choice.noun_phrases or choice.minimum):
            yield choice


def reasons(key: Path, response: Path, choice: Choice) -> list[str]:
    """Return what coval does with the mentions of a pair that makes its scores others."""
    reader = need("coval.conll.reader")
    found = []
    if any(_BARLESS.search(path.read_text()) for path in (key, response)):
        found.append("brackets without a bar between them are misread")
    texts = reader.get_doc_lines(str(key))
    for path in (key, response):
        for name, lines in reader.get_doc_lines(str(path)).items():
            with redirect_stdout(io.StringIO()):
                entities = reader.get_doc_mentions(name, lines, choice.singletons)[0]
                if choice.noun_phrases or choice.minimum:
                    flags = (choice.noun_phrases, choice.minimum)
                    entities = reader.set_annotated_parse_trees(entities, texts[name], *flags)
            mentions = [mention for entity in entities for mention in entity]
            if len({(x.sent_num, x.start, x.end) for x in mentions}) < len(mentions):
                found.append("a mention that stands twice counts twice")
            elif choice.minimum and len(set(mentions)) < len(mentions):
                found.append("two mentions of one minimum span both match one mention")
            if choice.minimum and _places_differ(mentions, texts[name]):
                found.append("a minimum span has the place of the bracket behind it")
            if choice.unnested:
                found += _of_nested(entities, choice.singletons)
    return sorted(set(found))


def _places_differ(mentions: list[Any], sentences: list[list[str]]) -> bool:
    """Return whether a word of a minimum span is not at the place that is noted for it."""
    for mention in mentions:
        for words, at in mention.min_spans:
            last = words.split()[-1] if isinstance(words, str) else words
            lines = sentences[mention.sent_num]
            if at >= len(lines) or lines[at].split()[3] != last:
                return True
        if len(mention.min_spans) and not any(words for words, _ in mention.min_spans):
            return True
    return False


def _of_nested(entities: list[Any], singletons: bool) -> list[str]:
    found = []
    for entity in entities:
        inner = [
            a if a.are_nested(b) == 0 else b
            for i, a in enumerate(entity)
            for b in entity[i + 1 :]
            if a.are_nested(b) in (0, 1)
        ]
        left = len(entity) - len(inner)
        if len({id(x) for x in inner}) < len(inner):
            found.append("a mention within two others counts twice among those to drop")
        if inner and left == 1 and singletons:
            found.append("nested mentions stay where one mention would be left")
    return found


def compared(key: Path, response: Path, *, parsed: bool) -> Iterator[tuple[Choice, bool, str]]:
    """Yield each check: the choice, whether both agree, and why not."""
    for choice in choices(parsed=parsed):
        ours, theirs = choice.ours(key, response), choice.theirs(key, response)
        why = ""
        for name, values in theirs.items():
            own = (ours[name].recall, ours[name].precision, ours[name].f1)
            agreed = all(abs(a - b) <= TOLERANCE for a, b in zip(own, values, strict=True))
            if not agreed and not why:
                why = "; ".join(reasons(key, response, choice)) or "no reason"
            yield choice, agreed, "" if agreed else why


def pairs_of_tests(checkout: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files of coval's tests that can be read as they are."""
    for key in sorted((checkout / "tests").rglob("*key")):
        stem = key.name.removesuffix(".key")
        for response in sorted(key.parent.iterdir()):
            one_folder = key.name == "key"
            if response == key or response.is_dir() or response.suffix == ".README":
                continue
            if one_folder or response.name.startswith(f"{stem}-"):
                yield key, response


def made_pairs(count: int, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield pairs of made-up text with phrases."""
    for seed in range(count):
        paths = tuple(folder / f"{seed}.{side}.conll" for side in ("key", "response"))
        texts = parsed_text.documents(2, 3, seed)
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        yield paths[0], paths[1]


def main(arguments: list[str]) -> int:
    """Print the checks of each kind of file, and the reasons for those that differ."""
    count = int(arguments[0]) if arguments else PAIRS
    checkout = Path(need("coval").__file__ or "").resolve().parent.parent
    unexplained = 0
    with tempfile.TemporaryDirectory() as name:
        for kind, pairs, parsed in (
            ("coval's own files", pairs_of_tests(checkout), False),
            ("made-up text with phrases", made_pairs(count, Path(name)), True),
        ):
            agreed: Counter[str] = Counter()
            other: Counter[tuple[str, str]] = Counter()
            files = 0
            for key, response in pairs:
                files += 1
                for choice, same, why in compared(key, response, parsed=parsed):
                    agreed[str(choice)] += same
                    if not same:
                        other[str(choice), why] += 1
            print(f"{kind}: {files} pairs, {sum(agreed.values())} checks agree")
            for choice_name, n in agreed.items():
                print(f"  {choice_name}: {n} agree")
                for (name_of, why), m in other.items():
                    if name_of == choice_name:
                        print(f"    {m} differ: {why}")
            unexplained += sum(n for (_, why), n in other.items() if why == "no reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
