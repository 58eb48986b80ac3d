"""The command line: one module a subcommand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from partwise import _kernels
from partwise.cli import (
    compare,
    convert,
    coref,
    diagnose,
    measures,
    paired,
    score,
    significance,
    sweep,
)
from partwise.config import config

_COMMANDS = (
    compare,
    score,
    diagnose,
    significance,
    paired,
    sweep,
    coref,
    convert,
    measures,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    0: done; 2: bad input.
    """
    parser = argparse.ArgumentParser(
        prog="partwise", description="Compare clusterings: every agreement measure."
    )
    installed = config()
    parser.add_argument(
        "--version",
        action="version",
        version=f"partwise {installed['version']} ({installed['kernels']} kernels: "
        f"{installed['reason']}; Python {installed['python']}, NumPy {installed['numpy']})",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in _COMMANDS:
        module.add_parser(commands)
    options = parser.parse_args(arguments)
    if getattr(options, "verbose", False):
        print(f"kernels: {_kernels.name} ({_kernels.reason})", file=sys.stderr)
    return guarded(options.run, options)


def guarded(
    run: Callable[[argparse.Namespace], int | None], options: argparse.Namespace
) -> int:
    """Run a command; faults of the input become one line on standard error and code 2."""
    try:
        return run(options) or 0
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone: say nothing more
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"partwise: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    except (ValueError, TypeError, ModuleNotFoundError) as error:
        print(f"partwise: {error}", file=sys.stderr)
        return 2
