"""``partwise completion``: what completes commands and options in a shell."""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from partwise.measures.catalogue import catalogue

SHELLS = ("bash", "zsh", "fish")

#: Options whose values are names of measures.
_OF_MEASURES = ("--measures", "--measure", "--by")


class Completed(NamedTuple):
    """An option, or the arguments of a command (``names`` is then empty), to a shell.

    Attributes
    ----------
    names : list of str
    help : str
        Its first sentence, of at most so many letters as a shell shows in one line.
    words : list of str or None
        What may follow; None: a file or anything else.
    takes_value : bool
    """

    names: list[str]
    help: str
    words: list[str] | None
    takes_value: bool


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "completion",
        help="print what completes commands and options in a shell",
        description="Print the completion of partwise for a shell. bash: put it into "
        "~/.local/share/bash-completion/completions/partwise. zsh: put it into _partwise in a "
        "folder of $fpath. fish: put it into ~/.config/fish/completions/partwise.fish.",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the script of a shell."""
    writers = {"bash": bash, "zsh": zsh, "fish": fish}
    print(writers[options.shell](described(options.command_parsers())), end="")


def described(
    parsers: dict[str, tuple[str, argparse.ArgumentParser]],
) -> dict[str, tuple[str, list[Completed]]]:
    """Return what each command does, and what it takes."""
    measures = list(catalogue())
    commands = {}
    for name, (text, parser) in parsers.items():
        taken = [_completed(action, measures) for action in parser._actions]
        if name == "measures":  # which takes them as they stand
            taken = [one if one.names else one._replace(words=measures) for one in taken]
        commands[name] = (text, taken)
    return commands


def _completed(action: argparse.Action, measures: list[str]) -> Completed:
    words = None if action.choices is None else [str(word) for word in action.choices]
    if not {*_OF_MEASURES}.isdisjoint(action.option_strings) and words is None:
        words = measures
        if "--measures" in action.option_strings:
            words = ["default", "all", *measures]
    text = (action.help or "").replace("%%", "%").split("; ")[0].split(" (")[0]
    return Completed(
        names=list(action.option_strings),
        help=text if len(text) <= 60 else f"{text[:57].rsplit(' ', 1)[0]} ...",
        words=words,
        takes_value=action.nargs != 0,
    )


def _positional_words(taken: list[Completed]) -> list[str]:
    return [word for one in taken if not one.names for word in one.words or ()]


# ---- bash --------------------------------------------------------------------------

_BASH = """\
# completion of partwise for bash
_partwise() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}"
    local options="" words="" values=""
    local measures="@MEASURES@"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}    *) return ;;
    esac
    if [ -n "$values" ]; then
        # after a comma another value begins; bash itself parts words at =
        local kept=""
        case "$current" in *,*) kept="${{current%,*}}," ;; esac
        COMPREPLY=($(compgen -P "$kept" -W "$values" -- "${{current##*,}}"))
    elif [[ "$current" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o bashdefault -F _partwise partwise
"""


def bash(commands: dict[str, tuple[str, list[Completed]]]) -> str:
    """Return the script for bash."""
    cases = []
    for name, (_, taken) in commands.items():
        options = " ".join(option for one in taken for option in one.names)
        lines = [f'        options="{options}"']
        if words := _positional_words(taken):
            lines.append(f'        words="{_safe(words)}"')
        values = [one for one in taken if one.names and one.takes_value and one.words]
        if values:
            lines.append('        case "$before" in')
            for one in values:
                pattern = " | ".join(one.names)
                lines.append(f'        {pattern}) values="{_safe(one.words)}" ;;')
            lines.append("        esac")
        cases.append(f"    {name})\n" + "\n".join(lines) + "\n        ;;\n")
    measures = _safe(list(catalogue()))
    script = _BASH.format(commands=" ".join(commands), cases="".join(cases))
    for before in ('"', " "):
        script = script.replace(f'{before}{measures}"', f'{before}$measures"')
    return script.replace("@MEASURES@", measures)


def _safe(words: list[str] | None) -> str:
    """Return words for a list of words: those with blanks or parentheses stay out."""
    return " ".join(word for word in words or () if not set(word) & set(" ()'\""))


# ---- zsh ---------------------------------------------------------------------------

_ZSH = """\
#compdef partwise
# completion of partwise for zsh
_partwise_measures() {{
    compadd "$@" - {measures}
}}
_partwise_set_of_measures() {{
    _sequence compadd - default all {measures}
}}
_partwise() {{
    local -a commands
    commands=(
{commands}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        compadd -- --help --version
        return
    fi
    local command="${{words[2]}}"
    shift words
    (( CURRENT-- ))
    case "$command" in
{cases}    esac
}}
if [ "$funcstack[1]" = "_partwise" ]; then
    _partwise "$@"
else
    compdef _partwise partwise
fi
"""


def zsh(commands: dict[str, tuple[str, list[Completed]]]) -> str:
    """Return the script for zsh."""
    lines = [f"        '{name}:{_quoted(text)}'\n" for name, (text, _) in commands.items()]
    cases = []
    for name, (_, taken) in commands.items():
        specs = [spec for one in taken for spec in _zsh_specs(one)]
        joined = " \\\n            ".join(specs)
        cases.append(
            f"    {name})\n        _arguments -S \\\n            {joined}\n        ;;\n"
        )
    measures = _safe(list(catalogue()))
    return _ZSH.format(commands="".join(lines), cases="".join(cases), measures=measures)


def _zsh_specs(one: Completed) -> list[str]:
    action = "_files"
    if one.words:
        action = f"({_safe(one.words)})"
        measures = list(catalogue())
        if one.words == measures:
            action = "_partwise_measures"
        elif one.words[-len(measures) :] == measures:
            action = "_partwise_set_of_measures"
    if not one.names:
        return [f"'*:{_quoted(one.help)}:{action}'"]
    help_text = _quoted(one.help).replace("[", "\\[").replace("]", "\\]")
    value = f":value:{action}" if one.takes_value else ""
    # an option may come again where its values add up; zsh need not know which
    return [f"'*{name}[{help_text}]{value}'" for name in one.names]


def _quoted(text: str) -> str:
    """Return text inside single quotes of zsh, whose colons part fields."""
    return text.replace("'", "'\\''").replace(":", "\\:")


# ---- fish --------------------------------------------------------------------------


def fish(commands: dict[str, tuple[str, list[Completed]]]) -> str:
    """Return the script for fish."""
    names = " ".join(commands)
    lines = [
        "# completion of partwise for fish",
        f"set -l commands {names}",
        'complete -c partwise -f -n "not __fish_seen_subcommand_from $commands" -l help '
        "-d 'show help'",
        'complete -c partwise -f -n "not __fish_seen_subcommand_from $commands" -l version '
        "-d 'show the version'",
    ]
    for name, (text, _) in commands.items():
        lines.append(
            'complete -c partwise -f -n "not __fish_seen_subcommand_from $commands" '
            f"-a {name} -d {_fish_quoted(text)}"
        )
    for name, (_, taken) in commands.items():
        for one in taken:
            line = f'complete -c partwise -n "__fish_seen_subcommand_from {name}"'
            if not one.names:
                if one.words:
                    lines.append(f"{line} -f -a {_fish_quoted(_safe(one.words))}")
                continue
            for option in one.names:
                line += f" -l {option[2:]}" if option.startswith("--") else f" -s {option[1:]}"
            if one.takes_value:
                line += f" -x -a {_fish_quoted(_safe(one.words))}" if one.words else " -r"
            lines.append(f"{line} -d {_fish_quoted(one.help)}")
    measures = _safe(list(catalogue()))
    lines = [line.replace(measures, "$__partwise_measures") for line in lines]
    return "\n".join([lines[0], f"set -g __partwise_measures {measures}", *lines[1:], ""])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
