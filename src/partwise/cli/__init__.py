"""The command line: one module a subcommand."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from io import StringIO
from typing import Any, NoReturn

from partwise import _kernels
from partwise.cli.words.help import EXIT_CODES, Help, finish
from partwise.cli.words.sentences import in_words_of, options_of, with_notes_told, without_traps
from partwise.cli.words.streams import open_streams
from partwise.progress import working

#: The subcommands, each the module of its name.
_COMMANDS = (
    *("compare", "score", "pairwise", "diagnose", "cover", "hierarchy"),
    *(
        "significance",
        "paired",
        "estimate",
        "consensus",
        "sweep",
        "clusters",
        "coref",
        "leaderboard",
        "report",
    ),
    *("report-coref", "report-sweep", "convert", "table", "merge", "measures", "completion"),
)

#: Those that stand in a folder.
_FOLDERS = {
    **dict.fromkeys(("table", "merge"), "tables"),
    **dict.fromkeys(("coref", "leaderboard", "convert"), "documents"),
    **dict.fromkeys(("significance", "paired", "estimate"), "draws"),
    **dict.fromkeys(("report", "report-coref", "report-sweep"), "pages"),
    **dict.fromkeys(("sweep", "clusters"), "pairs"),
    **dict.fromkeys(("measures", "completion"), "about"),
}

#: What shells report of a command that ended by an interrupt: 128 + SIGINT.
INTERRUPTED = 130


class Once(argparse.Action):
    """Store the value of an option; a second one would silently replace the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value, or end with an error where the option was there before."""
        stored = namespace.__dict__.setdefault("stored_options", set())
        if option_string is not None and self.dest in stored:
            several = ", or all its values with commas between" if _takes_several(self) else ""
            raise argparse.ArgumentError(self, f"given twice; give it once{several}")
        stored.add(self.dest)
        if self.nargs == "?" and option_string is not None and values != self.const:
            namespace.__dict__.setdefault("values_taken", []).append((option_string, values))
        setattr(namespace, self.dest, values)


class _Version(argparse.Action):
    """Print what this install is, which takes longer to find out than to start, and end."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Print the line."""
        from partwise.installation import config

        installed = config()
        print(
            f"partwise {installed['version']} ({installed['kernels']} kernels: "
            f"{installed['reason']}; Python {installed['python']}, "
            f"NumPy {installed['numpy']})"
        )
        parser.exit()


def _takes_several(action: argparse.Action) -> bool:
    shown = action.metavar if isinstance(action.metavar, str) else ""
    return "," in shown or shown == "NAMES"


class Parser(argparse.ArgumentParser):
    """A parser that raises what keeps its help from being written."""

    def __init__(self, *arguments: Any, **further: Any) -> None:
        super().__init__(*arguments, **further)
        # from 3.14 on, argparse puts colours into help on a terminal
        self.color = False  # type: ignore[attr-defined, unused-ignore]

    def print_help(self, file: Any = None) -> None:
        """Write the help; argparse would say nothing of a full disk or a closed stream."""
        (sys.stdout if file is None else file).write(self.format_help())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End, once all is written."""
        sys.stdout.flush()
        super().exit(status, message)


class CommandParser(Parser):
    """A parser of a subcommand, whose options with a value are given once."""

    def __init__(self, *arguments: Any, **further: Any) -> None:
        super().__init__(*arguments, **further)
        self.register("action", None, Once)
        self.register("action", "store", Once)
        self._read = argparse.Namespace()

    def parse_words(self, words: Sequence[str], namespace: argparse.Namespace) -> None:
        """Read the words of a call, whose options may stand between its files."""
        self._read = namespace
        self.parse_intermixed_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """End with an error; where an option may have taken a file for its value, say so."""
        super().error(message + self._way_out(message))

    def _way_out(self, message: str) -> str:
        taken: list[tuple[str, Any]] = getattr(self._read, "values_taken", [])
        if "arguments are required" in message and taken:
            option, value = taken[0]
            return f"; {option} took {value!r} for its value: put the files before {option}"
        wrong = re.match("argument ([^:]+): invalid [^:]+ value: ", message)
        names = wrong[1].split("/") if wrong else []
        if any(a.nargs == "?" for a in self._actions if {*names} & {*a.option_strings}):
            return f"; what stands behind {names[-1]} is its value: put the files before it"
        return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    0: done, or the reader of the output has gone; 2: bad input; 130: interrupted.
    """
    open_streams()
    return guarded(lambda _: _called(arguments), argparse.Namespace())


def _called(arguments: Sequence[str] | None) -> int:
    """Read the words of a call and run its command."""
    parser = Parser(
        prog="partwise",
        description="Compare clusterings: every agreement measure.",
        epilog=EXIT_CODES,
        formatter_class=Help,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )
    commands = parser.add_subparsers(
        dest="command",
        required=True,
        metavar="COMMAND",
        parser_class=CommandParser,
        prog="partwise",
    )
    words_of_call = sys.argv[1:] if arguments is None else list(arguments)
    # a subcommand is started without what the others need
    named = words_of_call[0] if words_of_call else ""
    add_commands(commands, (named,) if named in _COMMANDS else _COMMANDS)
    if named in _COMMANDS:
        options = argparse.Namespace(command=named)
        commands.choices[named].parse_words(without_traps(words_of_call[1:]), options)
    else:
        options = parser.parse_args(without_traps(words_of_call))
    parser_of_call = commands.choices[options.command]
    words = options_of(parser_of_call) | getattr(options, "words", {})
    options.words, options.command_parsers = words, command_parsers
    options.call = words_of_call
    if getattr(options, "verbose", False):
        print(f"kernels: {_kernels.name} ({_kernels.reason})", file=sys.stderr)
    run = with_notes_told(shown(with_outputs_checked(options.run, parser_of_call)), words)
    return guarded(quiet(run) if options.quiet else run, options, words)


def command_parsers() -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the line of help and the parser of every command."""
    commands: Any = argparse.ArgumentParser().add_subparsers(parser_class=CommandParser)
    add_commands(commands, _COMMANDS)
    lines = {action.dest: str(action.help) for action in commands._choices_actions}
    return {name: (lines[name], parser) for name, parser in commands.choices.items()}


def add_commands(commands: Any, names: Iterable[str]) -> None:
    """Add subcommands to a parser."""
    for name in names:
        folder = f"{_FOLDERS[name]}." if name in _FOLDERS else ""
        module = name.replace("-", "_")
        import_module(f"partwise.cli.{folder}{module}").add_parser(commands)
        finish(commands.choices[name], name)


def with_outputs_checked(
    run: Callable[[argparse.Namespace], int | None], parser: argparse.ArgumentParser
) -> Callable[[argparse.Namespace], int | None]:
    """Let a command begin only where it writes over none of its inputs."""

    def checked(options: argparse.Namespace) -> int | None:
        from partwise.cli.outputs import check_outputs  # with what reads files

        check_outputs(options, parser)
        return run(options)

    return checked


def shown(
    run: Callable[[argparse.Namespace], int | None],
) -> Callable[[argparse.Namespace], int | None]:
    """Let a command say on the terminal what it does, where that takes a while."""

    def working_on(options: argparse.Namespace) -> int | None:
        with working(f"partwise {options.command}"):
            return run(options)

    return working_on


def _not_written(error: UnicodeEncodeError) -> str:
    """Return what is wrong with text that the encoding of the output does not have."""
    sign = error.object[error.start]
    if error.encoding.lower().startswith("utf"):
        return f"the output has {sign!a}, which is no character: a name is damaged text"
    return (
        f"the encoding of the output, {sys.stdout.encoding}, has no {sign!a}; set the "
        "environment variable PYTHONIOENCODING=utf-8"
    )


def _drop_output() -> None:
    """Leave nothing in the buffer of standard output, which Python would write at its end."""
    try:
        stdout = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # it is no file
        return
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stdout)
        os.close(nowhere)


def quiet(
    run: Callable[[argparse.Namespace], int | None],
) -> Callable[[argparse.Namespace], int | None]:
    """Let a command write nothing to standard error but what ends it."""

    def silent(options: argparse.Namespace) -> int | None:
        with redirect_stderr(StringIO()):
            return run(options)

    return silent


def guarded(
    run: Callable[[argparse.Namespace], int | None],
    options: argparse.Namespace,
    words: dict[str, str] | None = None,
) -> int:
    """Run a command; faults of the input become one line on standard error and code 2.

    ``words`` gives the options by what Python calls them; the line speaks of options.
    An interrupt (Ctrl-C) ends it without a word.
    """
    try:
        code = run(options) or 0
        sys.stdout.flush()  # what cannot be written is said here, not when Python ends
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # the reader has gone: say nothing more
        return 0
    except UnicodeEncodeError as error:
        _drop_output()
        print(f"partwise: {_not_written(error)}", file=sys.stderr)
        return 2
    except OSError as error:
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        text = in_words_of(str(error.strerror or error), words or {})
        print(f"partwise: {where}{text}", file=sys.stderr)
        return 2
    except MemoryError as error:
        _drop_output()
        text = str(error).removeprefix("partwise: ").removeprefix("not enough memory")
        print(f"partwise: not enough memory{f': {text}' if text else ''}", file=sys.stderr)
        return 2
    except (ValueError, TypeError, ModuleNotFoundError) as error:
        print(f"partwise: {in_words_of(str(error), words or {})}", file=sys.stderr)
        return 2
