"""How ``--help`` looks: as wide as a terminal, an example of every command, exit codes."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from typing import Any

from partwise.report.table import WIDTH

#: Words of a choice that are shown in front; longer lists stand in the sentence.
_SHORT = 24
EXIT_CODES = (
    "exit codes: 0 done, also where the reader of the output has gone; 2 input or options "
    "refused, in one sentence; 130 interrupted"
)

#: An example of each command, run by the tests in a checkout.
EXAMPLES = {
    "compare": "partwise compare examples/records.csv::person examples/records.csv::matched",
    "score": "partwise score examples/records.csv --reference person --item record",
    "pairwise": "partwise pairwise examples/records.csv --item record --measure nvi",
    "diagnose": "partwise diagnose examples/records.csv::person \\\n"
    "    examples/records.csv::matched --worst 3 --items",
    "cover": "partwise cover examples/circles.cmty examples/located.cmty \\\n"
    "    --items examples/people.txt",
    "hierarchy": "partwise hierarchy examples/average.nwk examples/single.nwk",
    "significance": "partwise significance examples/records.csv::person \\\n"
    "    examples/records.csv::matched --measures ari,nmi --seed 1",
    "paired": "partwise paired examples/records.csv::person examples/records.csv::matched \\\n"
    "    examples/records.csv::person --measures purity --draws 99 --seed 1",
    "estimate": "partwise estimate examples/records.csv::matched \\\n"
    "    examples/records.csv::person --item record --weights uniform",
    "consensus": "partwise consensus examples/runs.csv --loss vi --seed 1 --ball 0.9",
    "sweep": "partwise sweep examples/records.csv::person examples/pairs.csv \\\n"
    "    --item record --scores similarity --measures pair_f1,b_cubed_f1",
    "clusters": "partwise clusters examples/pairs.csv --items examples/records.csv \\\n"
    "    --item record --threshold 0.7 --scores similarity",
    "coref": "partwise coref examples/key.conll ours=examples/response.conll --latex",
    "leaderboard": "partwise leaderboard examples/key.conll ours=examples/response.conll \\\n"
    "    perfect=examples/key.conll --seed 1",
    "report": "partwise report examples/records.csv::person \\\n"
    "    examples/records.csv::matched --item record --output report.html",
    "report-coref": "partwise report-coref examples/key.conll examples/response.conll \\\n"
    "    --output report.html",
    "report-sweep": "partwise report-sweep examples/records.csv::person \\\n"
    "    examples/pairs.csv --item record --scores similarity --output report.html",
    "convert": "partwise convert examples/key.conll - --to jsonlines",
    "table": "partwise table examples/records.csv::person examples/records.csv::matched \\\n"
    "    --output records.npz",
    "merge": "partwise merge monday.npz tuesday.npz --output week.npz",
    "measures": "partwise measures 'pair_*'",
    "completion": "partwise completion bash",
}


class Help(argparse.HelpFormatter):
    """Help of a command, with a short line of usage."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=WIDTH - 1)

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None,
    ) -> str:
        if usage is not None:  # made before, when the parser of options put the files aside
            return f"usage: {usage.strip()}\n\n"
        names = [self._usage_of(one) for one in actions if not one.option_strings]
        needed = [
            f"{one.option_strings[-1]} {one.metavar or one.dest.upper()}"
            for one in actions
            if one.option_strings and one.required
        ]
        line = " ".join([self._prog, *needed, "[OPTIONS]", *filter(None, names)])
        return f"usage: {line}\n\n"

    def _usage_of(self, action: argparse.Action) -> str:
        name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        form = {"?": f"[{name}]", "+": f"{name} [{name} ...]", "*": f"[{name} ...]"}
        return form.get(str(action.nargs), name)

    def _metavar_formatter(self, action: argparse.Action, default_metavar: str) -> Any:
        if action.metavar is None and action.choices is not None and self._long(action):
            return lambda size: ("WORD",) * size
        return super()._metavar_formatter(action, default_metavar)

    def _long(self, action: argparse.Action) -> bool:
        return len(",".join(map(str, action.choices or ()))) > _SHORT

    def _expand_help(self, action: argparse.Action) -> str:
        text = super()._expand_help(action)
        is_option = bool(action.option_strings)
        if is_option and action.choices and action.metavar is None and self._long(action):
            return f"{text}; WORD: {', '.join(map(str, action.choices))}"
        return text

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("example:"):
            return "\n".join(f"{indent}{line}" for line in text.splitlines())
        return super()._fill_text(text, width, indent)


def finish(parser: argparse.ArgumentParser, name: str) -> None:
    """Give a command its form of help, its example and what every command has."""
    parser.formatter_class = Help
    codes = textwrap.fill(EXIT_CODES, WIDTH - 1)
    parser.epilog = f"example:\n  {EXAMPLES[name]}\n\n{codes}"
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on standard error"
    )
