"""``partwise coref``: coreference responses against their key, as shared tasks print them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from partwise.catalogue import find
from partwise.cli.drawing import add_drawing_options
from partwise.cli.options import add_shape_options, split_names
from partwise.comparison import compare
from partwise.comparison_results import Comparison
from partwise.coreference import (
    CoreferenceBootstrap,
    CoreferencePairedTest,
    CoreferenceScores,
    Documents,
    bootstrap,
    paired_test,
    read,
    score,
)
from partwise.coreference.confidence import AVERAGES
from partwise.coreference.conventions import CONVENTIONS
from partwise.coreference.formats import READERS
from partwise.coreference.formats.jsonlines import ENDS
from partwise.coreference.matching import WAYS, ZEROS
from partwise.coreference.stacking import DOCUMENTS, DOUBLES, REPEATS
from partwise.coreference.worst import Worst, worst_of
from partwise.display import coreference as shown
from partwise.display.coreference_worst import text as worst_text
from partwise.display.perl_text import METRICS, perl_text
from partwise.display.table import json_text, text_table
from partwise.inference.asked import read_seed
from partwise.inference.paired import METHODS
from partwise.labels.policies import UNMATCHED
from partwise.progress import track


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "coref",
        help="score coreference responses against their key",
        description="Score coreference responses against their key: MUC, B-cubed, CEAF, BLANC, "
        "LEA, the CoNLL average. The text, Markdown and LaTeX tables are in percent, rounded. "
        "Exit codes: 0 done; 2 input that was refused, and then no scores are printed.",
    )
    parser.add_argument("key", metavar="KEY", help="file of documents (may be gz, bz2, xz)")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="likewise")
    parser.add_argument(
        "--measures",
        metavar="NAMES",
        help="muc,lea ...: recall, precision and F1 of these (default: the table of papers); "
        "also any measure of partitions in the catalogue",
    )
    parser.add_argument(
        "--unmatched",
        choices=UNMATCHED,
        default="error",
        help="for measures of partitions: mentions that one side lacks (default: error)",
    )
    parser.add_argument(
        "--per-document", action="store_true", help="also a line for each document"
    )
    parser.add_argument(
        "--worst",
        nargs="?",
        type=int,
        const=20,
        metavar="N",
        help="also the N entities and mentions that cost most (default: 20)",
    )
    add_shape_options(parser, "latex")
    _add_rules(parser)
    _add_resampling(parser)
    group = parser.add_argument_group("as scorer.pl")
    group.add_argument(
        "--compat",
        choices=("perl",),
        help="print the text of scorer.pl 8.01 for one response; a document without a response "
        "is scored as empty and one without a key left out, as there",
    )
    group.add_argument(
        "--metric",
        choices=(*METRICS, "all"),
        help="with --compat: its first argument (default: all)",
    )
    group.add_argument(
        "--document",
        metavar="NAME",
        help="with --compat: its last argument, one document, or none for totals only",
    )
    group = parser.add_argument_group("input")
    group.add_argument(
        "--format", choices=("auto", *READERS), default="auto", help="default: auto"
    )
    group.add_argument("--ends", choices=ENDS, help="ends of mentions in JSON lines")
    parser.set_defaults(run=run)


def _add_resampling(parser: argparse.ArgumentParser) -> None:
    """Add what redraws documents."""
    group = parser.add_argument_group("how sure, over documents (F1)")
    group.add_argument(
        "--bootstrap",
        nargs="?",
        type=int,
        const=1000,
        metavar="DRAWS",
        help="also errors and intervals, documents drawn with replacement (default: 1000)",
    )
    group.add_argument(
        "--paired",
        nargs="?",
        type=int,
        const=1999,
        metavar="DRAWS",
        help="also whether each two responses differ, by random swaps (default: 1999)",
    )
    group.add_argument("--method", choices=METHODS, help="of --paired (default: randomization)")
    group.add_argument(
        "--average",
        choices=AVERAGES,
        help="counts added up over documents, or means of their scores (default: micro)",
    )
    add_drawing_options(group)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    """Add convention and policies, by the words of ``score``."""
    group = parser.add_argument_group("rules")
    group.add_argument(
        "--convention",
        choices=tuple(CONVENTIONS),
        default="perl-8.01",
        help="what scorers differ in (default: perl-8.01)",
    )
    group.add_argument(
        "--mentions",
        choices=WAYS,
        help="which mentions are the same (default: what the convention takes)",
    )
    group.add_argument(
        "--repeats",
        default="error",
        metavar="WORD",
        help=f"mentions that stand twice: {', '.join(REPEATS)}, or KEY,RESPONSE (default: "
        "error)",
    )
    group.add_argument(
        "--double-documents",
        choices=DOUBLES,
        default="error",
        help="documents of one name on a side (default: error)",
    )
    group.add_argument(
        "--singletons",
        choices=("keep", "drop"),
        help="entities of one mention (default: what the convention does)",
    )
    group.add_argument(
        "--zeros",
        choices=ZEROS,
        default="position",
        help="how empty nodes are matched (default: position)",
    )
    group.add_argument(
        "--cross-document",
        action="store_true",
        help="entities of one name in several documents are one; all documents are one set",
    )
    for name, text in (("missing", "without a response"), ("extra", "without a key")):
        group.add_argument(
            f"--{name}-documents",
            choices=DOCUMENTS,
            help=f"documents {text} (default: error)",
        )


def run(options: argparse.Namespace) -> None:
    """Score all responses, then print."""
    if options.compat is not None:
        _print_as_perl(options)
        return
    for name in ("metric", "document"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} is for --compat perl")
    if options.cross_document and options.per_document:
        raise ValueError(
            "--cross-document scores all documents as one; leave out --per-document"
        )
    for name in ("worst", "bootstrap", "paired"):
        if getattr(options, name) is not None and options.shape not in (None, "json"):
            raise ValueError(f"--{name} is for text and --json, not for --{options.shape}")
    if options.paired is not None and len(options.responses) < 2:
        raise ValueError("--paired compares responses; give two or more")
    for name in ("seed", "average"):
        if getattr(options, name) is not None and (options.bootstrap, options.paired) == (
            None,
            None,
        ):
            raise ValueError(f"--{name} is for --bootstrap and --paired")
    if options.method is not None and options.paired is None:
        raise ValueError("--method is for --paired")
    if options.worst is not None and options.worst < 0:
        raise ValueError(f"--worst {options.worst}: a number of 0 or more is expected")
    results = scored(options)
    found = _findings(options, results)
    if options.shape == "json":
        print(json_text(_plain(options, results, found), 2))
    else:
        _print_text(options, results, found)


def _plain(
    options: argparse.Namespace, results: shown.Results, found: _Findings
) -> dict[str, Any]:
    """Return everything that was found as plain values."""
    responses = shown.plain(results, found.measures, per_document=options.per_document)
    for name, partition in found.partitions.items():
        responses[name]["partition"] = {
            "unmatched": options.unmatched,
            "mentions": partition.account.items,
            "scores": dict(partition.scores),
        }
    for name, worst in found.worst.items():
        responses[name]["worst"] = asdict(worst)
    for name, one in found.bootstraps.items():
        responses[name]["bootstrap"] = one.to_dict()
    report = {
        "key": options.key,
        "cross_document": options.cross_document,
        "responses": responses,
    }
    if found.tests:
        report["paired"] = [
            {"responses": list(pair), **test.to_dict()} for pair, test in found.tests.items()
        ]
    return report


def _print_text(options: argparse.Namespace, results: shown.Results, found: _Findings) -> None:
    """Print everything that was found; of CSV and LaTeX only the table goes to the output."""
    in_front = sys.stderr if options.shape in ("csv", "latex") else sys.stdout
    print(heading(results, cross_document=options.cross_document), file=in_front)
    if found.measures is None or found.measures:
        write = {"csv": shown.csv, "latex": shown.latex, "markdown": shown.markdown}
        text = write.get(options.shape, shown.text)(
            results, found.measures, per_document=options.per_document
        )
        if in_front is sys.stdout:
            print()
        print(text.rstrip("\n"))
    if found.partitions:
        names = list(next(iter(found.partitions.values())).scores)
        rows = [(name, *one.scores.values()) for name, one in found.partitions.items()]
        print(f"\npartitions of the mentions, unmatched: {options.unmatched}\n")
        print(text_table(rows, ["response", *names]))
    for name, drawn in found.bootstraps.items():
        print(f"\n{name}: {drawn}")
    for (first, second), test in found.tests.items():
        print(f"\n{first}, then {second}: {test}")
    if len(found.tests) > 1:
        print(f"p is not corrected for making {len(found.tests)} comparisons")
    for name, worst in found.worst.items():
        print(f"\n{name}\n\n{worst_text(worst)}")


@dataclass(frozen=True)
class _Findings:
    """What was asked for beyond the scores, by response and by pair of responses.

    Attributes
    ----------
    measures : list of str or None
        Those of coreference that are printed; None for the table of papers.
    """

    measures: list[str] | None
    partitions: dict[str, Comparison]
    bootstraps: dict[str, CoreferenceBootstrap]
    tests: dict[tuple[str, str], CoreferencePairedTest]
    worst: dict[str, Worst]


def _findings(options: argparse.Namespace, results: shown.Results) -> _Findings:
    """Compute what was asked for; all draws are of one seed."""
    measures, of_partitions = _read_measures(options, results)
    found = _Findings(measures, {}, {}, {}, {})
    drawing = {
        "seed": read_seed(options.seed),
        "level": options.level,
        "average": options.average or "micro",
        "workers": options.workers,
        "progress": sys.stderr.isatty(),
    }
    for name, result in results.items():
        if of_partitions:
            found.partitions[name] = compare(
                result.contingency(unmatched=options.unmatched), measures=of_partitions
            )
        if options.bootstrap is not None:
            found.bootstraps[name] = bootstrap(
                result, measure=measures, draws=options.bootstrap, **drawing
            )
        if options.worst is not None:
            found.worst[name] = worst_of(result, options.worst)
    if options.paired is not None:
        for first, second in combinations(results, 2):
            found.tests[first, second] = paired_test(
                *(results[first], results[second]),
                measure=measures,
                method=options.method or "randomization",
                draws=options.paired,
                **drawing,
            )
    return found


def _read_measures(
    options: argparse.Namespace, results: shown.Results
) -> tuple[list[str] | None, list[str]]:
    """Return the measures of coreference and those of partitions that were asked for."""
    if options.measures is None:
        return None, []
    known = list(next(iter(results.values())))
    asked = split_names(options.measures)
    if isinstance(asked, str):
        raise ValueError(f"--measures {asked}: leave it out, or name measures")
    others = [name for name in asked if name not in known]
    for name in others:
        try:
            find(name)
        except ValueError as error:
            raise ValueError(f"--measures: not one of {', '.join(known)}; {error}") from None
    if others and options.shape not in (None, "json"):
        raise ValueError(f"{others[0]} is for text and --json, not for --{options.shape}")
    return [name for name in asked if name in known], others


def _print_as_perl(options: argparse.Namespace) -> None:
    """Print what scorer.pl would."""
    for name, given in (
        ("per-document", options.per_document),
        ("cross-document", options.cross_document),
        ("measures", options.measures is not None),
        *(
            (name, getattr(options, name) is not None)
            for name in ("worst", "bootstrap", "paired")
        ),
        (options.shape, options.shape is not None),
    ):
        if given:
            raise ValueError(f"--compat perl prints one text; leave out --{name}")
    if len(options.responses) > 1:
        raise ValueError("--compat perl takes one response, as scorer.pl does")
    options.missing_documents = options.missing_documents or "empty"
    options.extra_documents = options.extra_documents or "ignore"
    (scores,) = scored(options).values()
    sys.stdout.write(perl_text(scores, options.metric or "all", options.document))


def heading(results: shown.Results, *, cross_document: bool) -> str:
    """Return the rules, and what was scored."""
    first = next(iter(results.values()))
    one_set = ", all documents as one" if cross_document else ""
    lines = [f"convention {first.convention}, mentions matched: {first.mentions}{one_set}"]
    for name, result in results.items():
        lines += [f"{name}: {line}" for line in str(result.input_report).splitlines()]
    return "\n".join(lines)


def scored(options: argparse.Namespace) -> dict[str, CoreferenceScores]:
    """Return the scores of each response by its name; none if one is refused."""
    key = read_documents(options, options.key)
    names = short_names(options.responses)
    found = {}
    repeats = tuple(options.repeats.split(","))
    named = list(zip(names, options.responses, strict=True))
    for name, path in track(named, "responses", len(named) > 1 and sys.stderr.isatty()):
        response = read_documents(options, path)
        try:
            found[name] = score(
                key,
                response,
                convention=options.convention,
                mentions=options.mentions,
                repeats=repeats[0] if len(repeats) == 1 else repeats,
                missing_documents=options.missing_documents or "error",
                extra_documents=options.extra_documents or "error",
                double_documents=options.double_documents,
                singletons=options.singletons,
                zeros=options.zeros,
                cross_document=options.cross_document,
            )
        except (ValueError, TypeError) as error:
            raise type(error)(f"{path}: {error}") from error
    return found


def read_documents(options: argparse.Namespace, path: str) -> Documents:
    """Read a file, and say what had to be interpreted."""
    known = {} if options.ends is None else {"ends": options.ends}
    documents = read(path, options.format, **known)
    for note in documents.notes:
        print(f"{path}: {note}", file=sys.stderr)
    return documents


def short_names(paths: Sequence[str]) -> list[str]:
    """Return names of files, whole paths where two files have one name."""
    names = [Path(path).name for path in paths]
    if len(set(names)) < len(names):
        names = list(paths)
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated} is given twice; a line for each response is printed")
    return names
