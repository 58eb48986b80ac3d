"""Options of ``partwise coref``, and which of them do not go together."""

from __future__ import annotations

import argparse

from partwise.cli.documents.coref_reading import add_reading_options
from partwise.cli.drawing import DRAWING, add_drawing_options
from partwise.cli.options import add_latex_options, add_shape_options, check_latex_options
from partwise.coreference.documents.pairing import DOCUMENTS
from partwise.coreference.documents.stacking import DOUBLES, REPEATS
from partwise.coreference.formats import READERS
from partwise.coreference.mentions.matching import WAYS, ZEROS
from partwise.coreference.report.perl_text import METRICS
from partwise.coreference.scores.analysis.entity_shares import OF_ENTITIES
from partwise.coreference.scores.confidence import AVERAGES
from partwise.coreference.scores.conventions import CONVENTIONS
from partwise.coreference.scores.scoring import OTHER_TOKENS
from partwise.inference.paired import METHODS
from partwise.labels.policies import UNMATCHED


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the files and the options."""
    parser.add_argument(
        "key",
        metavar="KEY",
        help="file of documents (may be gz, bz2, xz), folder of files, or - for standard input",
    )
    parser.add_argument(
        "responses",
        metavar="RESPONSE",
        nargs="+",
        help="one response or several, in the same forms; NAME=FILE names its line",
    )
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
    parser.add_argument(
        "--errors",
        nargs="?",
        const="b_cubed",
        metavar="MEASURE",
        help="also entities split, merged, missed and invented, and what each kind costs of a "
        f"measure: {', '.join(OF_ENTITIES)} (default: b_cubed)",
    )
    parser.add_argument(
        "--error-categories",
        nargs="?",
        type=int,
        const=3,
        metavar="N",
        help="also span errors, missing and extra mentions and entities, divided and conflated "
        "entities, counted, with N examples of each (default: 3)",
    )
    parser.add_argument(
        "--split-antecedents",
        action="store_true",
        help="also scores with the split antecedents of CoNLL-UA",
    )
    parser.add_argument(
        "--bridging",
        action="store_true",
        help="also scores of bridging (CoNLL-UA, CorefUD), and of mentions that refer to "
        "nothing (CoNLL-UA)",
    )
    add_shape_options(parser, "latex")
    add_latex_options(parser)
    add_rules(parser)
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
    add_input_options(parser)


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add what is said about the files of both sides."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "--format",
        metavar="WORD",
        default="auto",
        help=f"{', '.join(READERS)}, or KEY,RESPONSE (default: auto, by the first lines)",
    )
    add_reading_options(group, sides=True)


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


def add_rules(parser: argparse.ArgumentParser) -> None:
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
        "--verbs",
        choices=("keep", "drop"),
        default="keep",
        help="mentions that are verbs by the syntax of the key (default: keep)",
    )
    group.add_argument(
        "--nested",
        choices=("keep", "drop"),
        default="keep",
        help="mentions within another one of their entity (default: keep)",
    )
    group.add_argument(
        "--zeros",
        choices=ZEROS,
        help="how empty nodes are matched (default: what the convention does)",
    )
    group.add_argument(
        "--other-tokens",
        choices=OTHER_TOKENS,
        help="where both sides have words, and other numbers of them: map mentions by the "
        "characters of the text, or compare positions (default: map; as scorer.pl: position)",
    )
    group.add_argument(
        "--cross-document",
        action="store_true",
        help="entities of one name in several documents are one; all documents are one set",
    )
    group.add_argument(
        "--topics",
        metavar="PATTERN|FILE",
        help="the same within each topic: a regular expression whose groups are the topic in "
        "the name of a document, or a file with document and topic a row",
    )
    group.add_argument(
        "--global-ids",
        action="store_true",
        help="with --cross-document or --topics: ids of CoNLL-2012 are names across documents",
    )
    for name, text in (("missing", "without a response"), ("extra", "without a key")):
        group.add_argument(
            f"--{name}-documents",
            choices=DOCUMENTS,
            help=f"documents {text} (default: error)",
        )


def check_rules(options: argparse.Namespace) -> None:
    """Raise ValueError where options of ``add_rules`` do not go together."""
    if options.cross_document and options.topics is not None:
        raise ValueError("--cross-document is one topic; leave out it or --topics")
    if options.global_ids and not options.cross_document and options.topics is None:
        raise ValueError("--global-ids is for --cross-document and --topics")


def check_options(options: argparse.Namespace) -> None:
    """Raise ValueError where options of a report do not go together."""
    for name in ("metric", "document"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} is for --compat perl")
    check_rules(options)
    if options.cross_document and options.per_document:
        raise ValueError(
            "--cross-document scores all documents as one; leave out --per-document"
        )
    for name in ("worst", "errors", "error_categories"):
        if getattr(options, name) is not None and options.shape not in (None, "json"):
            raise ValueError(
                f"--{name.replace('_', '-')} is for text and --json, not for --{options.shape}"
            )
    check_latex_options(options)
    if options.paired is not None and len(options.responses) < 2:
        raise ValueError("--paired compares responses; give two or more")
    for name in ("split_antecedents", "bridging"):
        if getattr(options, name) and options.shape not in (None, "json"):
            raise ValueError(
                f"--{name.replace('_', '-')} is for text and --json, not for --{options.shape}"
            )
    if options.bridging and (options.cross_document or options.topics is not None):
        raise ValueError("--bridging is within documents; leave out --cross-document, --topics")
    drawn = options.bootstrap is not None or options.paired is not None
    for name in (*DRAWING, "average"):
        if getattr(options, name) is not None and not drawn:
            raise ValueError(f"--{name} is for --bootstrap and --paired")
    if options.method is not None and options.paired is None:
        raise ValueError("--method is for --paired")
    for name in ("worst", "error_categories"):
        count = getattr(options, name)
        if count is not None and count < 0:
            shown = name.replace("_", "-")
            raise ValueError(f"--{shown} {count}: a number of 0 or more is expected")


def check_options_of_perl(options: argparse.Namespace) -> None:
    """Raise ValueError where options do not go with the text of scorer.pl."""
    for name, is_set in (
        ("per-document", options.per_document),
        ("cross-document", options.cross_document),
        ("topics", options.topics is not None),
        ("split-antecedents", options.split_antecedents),
        ("bridging", options.bridging),
        ("global-ids", options.global_ids),
        ("measures", options.measures is not None),
        *(
            (name.replace("_", "-"), getattr(options, name) is not None)
            for name in (
                "worst",
                "errors",
                "error_categories",
                "bootstrap",
                "paired",
                "method",
                "average",
                *DRAWING,
            )
        ),
        ("unmatched", options.unmatched != "error"),
        (options.shape, options.shape is not None),
    ):
        if is_set:
            raise ValueError(f"--compat perl prints one text; leave out --{name}")
    if len(options.responses) > 1:
        raise ValueError("--compat perl takes one response, as scorer.pl does")
