"""The unit tests of other coreference scorers, run on partwise.

``python -m bench.peer_suites CHECKOUT...``: a checkout of universal-anaphora-scorer,
corefud-scorer or coval. Their test functions run unchanged; what they call to read files and
to compute scores is replaced by calls of partwise. Each comparison with an expected value is a
check, and counts as agreed, other, or not to be read; those that are not agreed are printed.
Nothing of a checkout is stored here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from bench.harness.peers import need

#: Our names of the measures that the tests import.
MEASURES = {
    "muc": "muc",
    "b_cubed": "b_cubed",
    "ceafe": "ceaf_e",
    "ceafm": "ceaf_m",
    "lea": "lea",
    "blancc": "blanc",
    "blancn": "blanc",
    "mentions": "mentions",
    "mention_overlap": "mention_overlap",
}
#: Their ways to match mentions.
MATCHES = {
    "exact": "exact",
    "head": "head",
    "partial-corefud": "partial",
    "partial-craft": "first_run",
}
#: A response and a key with the same number up to here, unless the test says otherwise.
TOLERANCE = 1e-9
#: What the tests import beside pytest.
PACKAGES = ("scorer", "coval")


@dataclass
class Report:
    """Checks of one file of tests.

    Attributes
    ----------
    counts : Counter
        Of "agreed", "other" and "not read".
    lines : list of str
        Each check that is not agreed.
    """

    counts: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    def tell(self, outcome: str, text: str) -> None:
        """Count a check; print what is not agreed."""
        self.counts[outcome] += 1
        if outcome != "agreed":
            self.lines.append(f"{outcome}: {text}")


class Triple:
    """Recall, precision and F1 that a test compares with what it expects."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: list[float] | None, name: str, report: Report, why: str) -> None:
        self.values, self.name, self.report, self.why = values, name, report, why

    def __eq__(self, expected: object) -> bool:
        """Record the comparison; a test goes on whatever it finds."""
        if self.values is None:
            self.report.tell("not read", f"{self.name}: {self.why}")
            return True
        wanted: Any = getattr(expected, "expected", expected)
        if hasattr(expected, "expected"):  # of pytest.approx, with its own tolerance
            agreed = expected == self.values
        else:
            pairs = zip(self.values, wanted, strict=True)
            agreed = all(abs(a - b) <= TOLERANCE for a, b in pairs)
        shown = [round(x, 5) for x in self.values]
        self.report.tell(
            "agreed" if agreed else "other",
            f"{self.name}: {shown} here, {[round(float(x), 5) for x in wanted]} there",
        )
        return True


@dataclass
class Suite:
    """A file of tests, and how partwise reads its files."""

    path: Path
    report: Report
    test: str = ""

    def read(self, key: str, response: str, *places: str, **options: Any) -> Any:
        """Return the scores of a pair, or the sentence that refuses it."""
        folder = self._folder(key, *places, **options)
        matching = options.get("matching", self._matching())
        root = self.path.parent
        anaphora = (root / "coval" / "ua").is_dir() or (root.parent / "scorer").is_dir()
        arguments: dict[str, Any] = {
            "convention": "ua-2.0" if anaphora else "coval",
            "singletons": "keep",
            "repeats": ("error", "first"),
            # CoNLL-UA has minimum spans where CorefUD has heads
            "mentions": "minimum_span"
            if self.path.stem == "unittests-ua" and matching == "partial-corefud"
            else MATCHES[matching],
            "other_tokens": "position",
            "zeros": {"dependent": "dependencies"}.get(
                options.get("zero_match_method", ""), "position"
            ),
        }
        if "corefud" in self.path.stem:
            arguments["convention"] = "corefud-1.2"
        try:
            coreference = need("partwise").coreference
            scores = coreference.score(folder / key, folder / response, **arguments)
            splits = coreference.split_antecedent_scores(scores)
        except ValueError as error:
            return str(error)
        return scores, splits

    def _matching(self) -> str:
        return "partial-corefud" if "corefud" in self.path.stem else "exact"

    def _folder(self, key: str, *places: str, **options: Any) -> Path:
        root, stem = self.path.parent, self.path.stem
        if stem == "unittests-ua":
            return root / "tests-ua" / (places[0] if places else "original-conll")
        if stem == "unittests-corefud":
            matching = options.get("matching", places[0] if places else self._matching())
            zeros = key.startswith("TC-Z")
            return root / "tests-corefud" / ("zeros" if zeros else f"{matching}-match")
        if stem == "unittests-conll":
            return root / "tests-conll"
        return root / ("plural-tests" if stem == "plural_unittests" else "tests")

    def evaluate(self, document: Any, measure: Any, **_: Any) -> Triple:
        """Return the numbers of a measure for a pair that was read."""
        name = measure[0] if isinstance(measure, (list, tuple)) else measure
        shown = f"{self.path.name} {self.test} {name}"
        if isinstance(document, str):
            return Triple(None, shown, self.report, document)
        scores, splits = document
        # "the test for blanc is not yet finished", their file says: of the two mentions of a
        # link their BLANC asks for the share of the first alone, so it depends on the order
        if splits.key + splits.response and name == "blanc":
            why = "BLANC of split antecedents, which its authors have not finished"
            return Triple(None, shown, self.report, why)
        score = splits[name] if name in splits else scores[name]
        values = [score.recall, score.precision, score.f1]
        return Triple(values, shown, self.report, "")

    def run(self) -> Report:
        """Run all tests of the file."""
        module = ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        code = compile(self.path.read_text(), str(self.path), "exec")
        with chdir(self.path.parent):
            with patch.dict(sys.modules, self._stubs()):
                exec(code, module.__dict__)
            module.__dict__["read"] = self.read
            for name, function in list(vars(module).items()):
                if name.startswith("test") and callable(function):
                    self._call(name, function)
        return self.report

    def _call(self, name: str, function: Callable[[], None]) -> None:
        self.test = name
        if any(mark.name == "skip" for mark in getattr(function, "pytestmark", ())):
            self.report.counts["skipped by its authors"] += 1
            return
        function()

    def _stubs(self) -> dict[str, ModuleType]:
        """Return modules by the names that the tests import, with our functions in them."""
        stubs: dict[str, ModuleType] = {}
        for line in self.path.read_text().splitlines():
            words = line.split()
            if len(words) > 2 and words[0] in ("from", "import"):
                parts = words[1].split(".")
                if parts[0] in PACKAGES:
                    for depth in range(1, len(parts) + 1):
                        name = ".".join(parts[:depth])
                        stubs[name] = _Stub(name, self.evaluate)
        return stubs


class _Stub(ModuleType):
    """A module that has every name: measures are our names, all else the function of scores."""

    def __init__(self, name: str, evaluate: Callable[..., Triple]) -> None:
        super().__init__(name)
        self._evaluate = evaluate

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return MEASURES.get(name, self._evaluate)


def suites_of(checkout: Path) -> Iterator[Path]:
    """Yield the files of unit tests of a checkout."""
    yield from sorted(
        path
        for folder in (checkout, checkout / "tests")
        for path in folder.glob("*unittests*.py")
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the counts of all files of tests; the exit code is 1 if there are none."""
    parser = argparse.ArgumentParser(prog="bench.peer_suites", description=__doc__)
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--all", action="store_true", help="print each check not agreed")
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    for checkout in options.checkouts:
        for path in suites_of(checkout.resolve()):
            report = Suite(path, Report()).run()
            total += report.counts
            print(f"{checkout.name}/{path.name}: {_shown(report.counts)}")
            for line in report.lines if options.all else ():
                print(f"  {line}")
    print(f"all: {_shown(total)}")
    return 0 if total else 1


def _shown(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) or "no checks"


if __name__ == "__main__":
    sys.exit(main())
