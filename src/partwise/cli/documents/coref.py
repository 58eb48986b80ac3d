"""``partwise coref``: coreference responses against their key, as shared tasks print them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any

from partwise.cli.documents.coref_options import (
    add_options,
    check_options,
    check_options_of_perl,
)
from partwise.cli.documents.coref_reading import (
    COLUMN_OPTIONS,
    named_responses,
    reading_of,
    rules_of,
)
from partwise.cli.drawing import read_drawing_options
from partwise.cli.options import split_names
from partwise.cli.words.sentences import note_in_words_of
from partwise.coreference import (
    CoreferenceBootstrap,
    CoreferencePairedTest,
    CoreferenceScores,
    Documents,
    bootstrap,
    paired_test,
    score,
)
from partwise.coreference.documents.reading import check_standard_input
from partwise.coreference.report import tables as shown
from partwise.coreference.report.perl_text import perl_text
from partwise.coreference.report.tables import CoreferenceTable
from partwise.coreference.report.worst import text as worst_text
from partwise.coreference.scores.analysis.categories import ErrorCategories, error_categories
from partwise.coreference.scores.analysis.errors import ErrorAnalysis, error_analysis
from partwise.coreference.scores.measures import own_name
from partwise.coreference.scores.universal_anaphora.references import (
    UniversalAnaphoraScores,
    references_scored,
)
from partwise.coreference.scores.universal_anaphora.split_antecedents import (
    SplitAntecedentScores,
    split_antecedent_scores,
)
from partwise.coreference.scores.worst import Worst, worst_of
from partwise.inference.draws import read_seed
from partwise.labels.notes import Note
from partwise.measures.catalogue import find
from partwise.progress import doing, track
from partwise.report.json_documents import json_text
from partwise.report.table import wrapped
from partwise.report.tables import text_table
from partwise.scoring.compare import compare
from partwise.scoring.results import Comparison


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "coref",
        help="score coreference responses against their key",
        description="Score coreference responses against their key: MUC, B-cubed, CEAF, BLANC, "
        "LEA, the CoNLL average. The text, Markdown and LaTeX tables are in percent, rounded. "
        "Where a response is refused, no scores are printed. partwise report-coref writes the "
        "scores and errors of one response as a page of HTML.",
    )
    add_options(parser)
    parser.set_defaults(run=run, words=COLUMN_OPTIONS)


def run(options: argparse.Namespace) -> None:
    """Score all responses, then print."""
    if options.compat is not None:
        _print_as_perl(options)
        return
    check_options(options)
    key = read_key(options)
    responses: dict[str, Documents] = {}
    results = scored(options, key, responses)
    findings = _findings(options, results)
    if options.bridging:
        for name, response in responses.items():
            findings.references[name] = _beside_identity(options, results[name], key, response)
    if options.shape == "json":
        print(json_text(_plain(options, results, findings), 2))
    else:
        _print_text(options, results, findings)


def _beside_identity(
    options: argparse.Namespace,
    scores: CoreferenceScores,
    key: Documents,
    response: Documents,
) -> UniversalAnaphoraScores:
    """Return the scores of bridging and the like, with mentions matched as in the others."""
    policies = (options.missing_documents or "error", options.extra_documents or "error")
    how: Any = scores.mentions
    return references_scored(key, response, how, policies)


def _plain(
    options: argparse.Namespace, results: shown.Results, findings: _Findings
) -> dict[str, Any]:
    """Return everything that was found as plain values."""
    document: dict[str, Any] = json.loads(findings.table.to_json(None))
    responses = document["responses"]
    for name, partition in findings.partitions.items():
        responses[name]["partition"] = {
            "unmatched": options.unmatched,
            "mentions": partition.account.items,
            "scores": dict(partition.scores),
        }
    for name, worst in findings.worst.items():
        responses[name]["worst"] = asdict(worst)
    for name, errors in findings.errors.items():
        responses[name]["errors"] = errors.to_dict()
    for name, categories in findings.categories.items():
        responses[name]["error_categories"] = categories.to_dict()
    for name, splits in findings.splits.items():
        responses[name]["split_antecedents"] = splits.to_dict()
    for name, references in findings.references.items():
        responses[name]["beside_identity"] = references.to_dict()
    document["notes"] = [note.to_dict() for note in notes_of(results)]
    asked = {
        "key": options.key,
        "cross_document": options.cross_document or options.topics is not None,
        "topics": options.topics,
    }
    return {**document, "options": {**document["options"], **asked}, **asked}


def _print_text(
    options: argparse.Namespace, results: shown.Results, findings: _Findings
) -> None:
    """Print everything that was found; of CSV and LaTeX only the table goes to the output."""
    in_front = sys.stderr if options.shape in ("csv", "latex") else sys.stdout
    head = heading(results, one_set=_one_set(options))
    print(wrapped(head.splitlines()) if options.shape is None else head, file=in_front)
    if findings.measures is None or findings.measures:
        text = _table_text(options, findings.table)
        if in_front is sys.stdout:
            print()
        print(text.rstrip("\n"))
    if findings.partitions:
        names = list(next(iter(findings.partitions.values())).scores)
        rows = [(name, *one.scores.values()) for name, one in findings.partitions.items()]
        print(f"\npartitions of the mentions, unmatched: {options.unmatched}\n")
        print(text_table(rows, ["response", *names]))
    if options.shape is None:
        for name, drawn in findings.bootstraps.items():
            print(f"\n{name}: {drawn}")
        for (first, second), test in findings.tests.items():
            print(f"\n{first}, then {second}: {test}")
    for name, worst in findings.worst.items():
        print(f"\n{name}\n\n{worst_text(worst)}")
    for name, errors in findings.errors.items():
        print(f"\n{name}\n\n{errors}")
    for name, categories in findings.categories.items():
        print(f"\n{name}\n\n{categories}")
    for name, splits in findings.splits.items():
        print(f"\n{name}: {splits}")
    for name, references in findings.references.items():
        print(f"\n{name}\n\n{references}")


def _table_text(options: argparse.Namespace, table: CoreferenceTable) -> str:
    """Return the table in the form asked for."""
    if options.shape == "csv":
        return table.to_csv()
    if options.shape == "latex":
        return table.to_latex(caption=options.caption, label=options.reference_key)
    if options.shape == "markdown":
        return table.table().markdown()
    bare = CoreferenceTable.of(
        table.results,
        measures=table.measures,
        per_document=table.per_document,
        tests=table.doubts.tests,
    )
    return str(bare)


@dataclass(frozen=True)
class _Findings:
    """What was asked for beyond the scores, by response and by pair of responses.

    Attributes
    ----------
    results : mapping of str to CoreferenceScores
    measures : list of str or None
        Those of coreference that are printed; None for the table of papers.
    """

    results: shown.Results
    measures: list[str] | None
    per_document: bool
    partitions: dict[str, Comparison] = field(default_factory=dict)
    bootstraps: dict[str, CoreferenceBootstrap] = field(default_factory=dict)
    tests: dict[tuple[str, str], CoreferencePairedTest] = field(default_factory=dict)
    worst: dict[str, Worst] = field(default_factory=dict)
    errors: dict[str, ErrorAnalysis] = field(default_factory=dict)
    categories: dict[str, ErrorCategories] = field(default_factory=dict)
    splits: dict[str, SplitAntecedentScores] = field(default_factory=dict)
    references: dict[str, UniversalAnaphoraScores] = field(default_factory=dict)

    @property
    def table(self) -> CoreferenceTable:
        """Scores of coreference, with what was drawn."""
        return CoreferenceTable.of(
            self.results,
            measures=self.measures,
            per_document=self.per_document,
            bootstraps=self.bootstraps,
            tests=self.tests,
        )


def _errors_by_kind(scores: CoreferenceScores, measure: str) -> ErrorAnalysis:
    try:
        return error_analysis(scores, measure)
    except ValueError as error:  # the option that names the measure is --errors
        text = str(error).replace("measure=", "errors=", 1)
        if Path(measure).exists():
            text += "; what stands behind errors= is its value: put the files before it"
        raise ValueError(text) from None


def _findings(options: argparse.Namespace, results: shown.Results) -> _Findings:
    """Compute what was asked for; all draws are of one seed."""
    measures, of_partitions = _read_measures(options, results)
    findings = _Findings(results, measures, options.per_document)
    drawing = {
        **read_drawing_options(options),
        "seed": read_seed(options.seed),
        "average": options.average or "micro",
    }
    for name, result in results.items():
        if of_partitions:
            findings.partitions[name] = compare(
                result.contingency(unmatched=options.unmatched), measures=of_partitions
            )
        if options.bootstrap is not None:
            findings.bootstraps[name] = bootstrap(
                result, measure=measures, draws=options.bootstrap, **drawing
            )
        if options.worst is not None:
            findings.worst[name] = worst_of(result, options.worst)
        if options.errors is not None:
            findings.errors[name] = _errors_by_kind(result, options.errors)
        if options.error_categories is not None:
            findings.categories[name] = error_categories(result, options.error_categories)
        if options.split_antecedents:
            try:
                findings.splits[name] = split_antecedent_scores(result)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
    if options.paired is not None:
        for first, second in combinations(results, 2):
            findings.tests[first, second] = paired_test(
                *(results[first], results[second]),
                measure=measures,
                method=options.method or "randomization",
                draws=options.paired,
                **drawing,
            )
    return findings


def _read_measures(
    options: argparse.Namespace, results: shown.Results
) -> tuple[list[str] | None, list[str]]:
    """Return the measures of coreference and those of partitions that were asked for."""
    if options.measures is None:
        _check_partitions(options, [], [])
        return None, []
    own_names = list(next(iter(results.values())))
    requested = split_names(options.measures)
    if isinstance(requested, str):
        raise ValueError(f"--measures {requested}: leave it out, or name measures")
    names = list(dict.fromkeys(own_name(name, own_names) for name in requested))
    of_partitions = [name for name in names if name not in own_names]
    for name in of_partitions:
        try:
            find(name)
        except ValueError:
            raise ValueError(
                f"--measures {name}: neither one of {', '.join(own_names)} nor a measure of "
                "partitions ('partwise measures' lists those)"
            ) from None
    if not names:
        raise ValueError("--measures is empty; leave it out, or name measures")
    chosen = [name for name in names if name in own_names]
    _check_partitions(options, chosen, of_partitions)
    return chosen, of_partitions


def _check_partitions(
    options: argparse.Namespace, chosen: list[str], of_partitions: list[str]
) -> None:
    """Refuse options that the measures which were chosen leave nothing to do."""
    if not of_partitions:
        if options.unmatched != "error":
            raise ValueError(
                f"--unmatched {options.unmatched} is for measures of partitions; name some "
                "with --measures"
            )
        return
    if options.shape not in (None, "json"):
        raise ValueError(
            f"{of_partitions[0]} is for text and --json, not for --{options.shape}"
        )
    for option, is_set in (
        ("--per-document", options.per_document),
        ("--bootstrap", options.bootstrap is not None),
        ("--paired", options.paired is not None),
    ):
        if is_set and not chosen:
            raise ValueError(
                f"{option} is for the measures of coreference, and --measures names none"
            )
        if is_set:
            print(
                f"partwise: note: {option} is for the measures of coreference; "
                f"{', '.join(of_partitions)}: over all documents only",
                file=sys.stderr,
            )


def _print_as_perl(options: argparse.Namespace) -> None:
    """Print what scorer.pl would."""
    check_options_of_perl(options)
    options.missing_documents = options.missing_documents or "empty"
    options.extra_documents = options.extra_documents or "ignore"
    options.other_tokens = options.other_tokens or "position"
    key = read_key(options)
    (scores,) = scored(options, key, {}).values()
    written = {x.name: x.other_names[0] for x in key if x.other_names}
    document, names = options.document, scores.documents
    if document not in (None, "none", *names):
        near = [name for name in names if document in name]
        near = (near or get_close_matches(document, names, 3) or names)[:3]
        raise ValueError(
            f"--document {document}: no document of that name is scored, and scorer.pl would "
            f"print 0 / 0 everywhere; there is {', '.join(map(repr, near))}"
            + ", ..."
            * (len(near) < len(names))
        )
    sys.stdout.write(perl_text(scores, options.metric or "all", document, written))


def _one_set(options: argparse.Namespace) -> str:
    """Return which documents are scored as one, for the end of a line."""
    if options.topics is not None:
        return ", documents of a topic as one"
    return ", all documents as one" if options.cross_document else ""


def heading(results: shown.Results, *, one_set: str) -> str:
    """Return the rules, and what was scored."""
    first = next(iter(results.values()))
    lines = [f"convention {first.convention}, mentions matched: {first.mentions}{one_set}"]
    for name, result in results.items():
        report = replace(result.input_report, notes=())  # these go to standard error
        lines += [f"{name}: {line}" for line in str(report).splitlines()]
    return "\n".join(lines)


def read_key(options: argparse.Namespace) -> Documents:
    """Return the documents of the key."""
    check_standard_input(options.key, *named_responses(options.responses)[1])
    with doing(f"reading {options.key}"):
        return reading_of(options).documents(options.key, "key")


def scored(
    options: argparse.Namespace, key: Documents, responses: dict[str, Documents]
) -> dict[str, CoreferenceScores]:
    """Return the scores of each response by its name; none if one is refused.

    ``responses`` gets the documents of each.
    """
    names, paths = named_responses(options.responses)
    results = {}
    rules = rules_of(options)
    named = list(zip(names, paths, strict=True))
    reading = reading_of(options)
    reading.documents_like(key)
    for name, path in track(named, "responses", len(named) > 1 and sys.stderr.isatty()):
        with doing(f"reading {path}"):
            response = responses[name] = reading.documents(path, "response")
        try:
            results[name] = _in_words(score(key, response, **rules), options)
        except (ValueError, TypeError) as error:
            for read, source in ((key, options.key), (response, path)):
                for note in read.notes:
                    print(note_in_words_of(note, options.words).at(source), file=sys.stderr)
            raise type(error)(_with_file(str(error), options.key, path)) from error
    reading.check_used()
    for note in notes_of(results):
        print(note, file=sys.stderr)
    return results


def _in_words(scores: CoreferenceScores, options: argparse.Namespace) -> CoreferenceScores:
    """Return scores whose notes speak of the options."""
    report = scores.input_report
    notes = tuple(note_in_words_of(note, options.words) for note in report.notes)
    return replace(scores, input_report=replace(report, notes=notes))


def _with_file(text: str, key: str, response: str) -> str:
    """Return the sentence of an error behind the file that it is about, if it is about one."""
    if text.startswith((f"{key}:", f"{response}:")) or re.match(r"\w+=", text):
        return text
    for side, path in (("key", key), ("response", response)):
        if match := re.match(rf"{side}(:|,) ", text):
            return f"{path}: {text[match.end() :]}"
    return f"{response}: {text}"


def notes_of(results: shown.Results) -> list[Note]:
    """Return the notes of all results, each once; those on a pair name the response."""
    notes: dict[Note, None] = {}
    for name, result in results.items():
        for note in result.input_report.notes:
            notes[note if note.place else note.at(name)] = None
    return list(notes)
