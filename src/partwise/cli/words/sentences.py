"""What the command line says on standard error: errors in the words of its options, notes."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from partwise.labels import Account
from partwise.labels.notes import InputWarning, Note, warn_of

if TYPE_CHECKING:
    from partwise.scoring.results import Comparison, ScoreTable

Result = TypeVar("Result", "Comparison", "ScoreTable")

_WORDS = r"""(?:"[^"]*"|'[^']*')"""
_LIST = rf"{_WORDS}(?:(?:, | or |, or ){_WORDS})*"

_MSE_NEEDS = "score=mse needs features= (one row per item)"
_OF_A_TABLE = (
    "needs the items, which a Contingency does not hold; pass two clusterings with features=, "
    "or an Alignment"
)
_WHERE_MEMBERSHIPS = "partwise compare --memberships takes rows of memberships"
_WHERE_FEATURES = "partwise compare, score and diagnose take --features"

#: Sentences that name a Python call, and what does the same here.
_CALLS = (
    (
        "pass one label per item; ravel() flattens an array in C order",
        "--flatten takes one label per element",
    ),
    (
        "pass one label per item; ravel() flattens an image of labels in C order, "
        "Clustering.from_membership takes one-hot rows, ",
        "--flatten takes one label per element, ",
    ),
    (
        "(pass mappings or Clustering(labels, items=...) to align by item)",
        "(--item COLUMN aligns by item)",
    ),
    (
        "give ids to both, with Clustering(labels, items=...), or to neither",
        "name the column of the ids of both (--item COLUMN), or write the one without ids as "
        "a table that has them",
    ),
    (
        "or compare the labels alone, read(path).labels, by position",
        "or take the column out of a file to compare by position",
    ),
    ("item= of its own", "the same name for the column and --item NAME"),
    (
        "name a folder with more room as temp_directory=",
        "name a folder with more room in the environment variable TMPDIR",
    ),
    (
        "for example with a cast in a statement of SQL",
        "for example by writing both as text",
    ),
    ("use read(path)", "name the file without a column"),
    (
        "(partwise.catalogue() and 'partwise measures' list all)",
        "(partwise measures lists all)",
    ),
    ("partwise.catalogue()", "partwise measures"),
    ("flatten is for arrays", "--flatten is for arrays"),
    (
        "say which one holds the labels",
        "say which one holds the labels: FILE::COLUMN or --label",
    ),
    (" (delimiter=)", " (--delimiter)"),
    (" (leave the row out, with items=, where its clusters do not belong together)", ""),
    ('cross_document="names"', "--global-ids"),
    ("features has no value for item", "--features has no row for item"),
    (" or centroids=(reference, candidate)", ""),
    (' or pass measures="all"', " or take --measures all"),
    ("; call partwise.", "; in Python, call partwise."),
    (
        'leave scores out or pass "distance"',
        "leave --scores out or take --scores distance",
    ),
    ('score="mse" needs features= (one row per item) or distances=', _MSE_NEEDS),
)

#: The same where the command takes the option.
_WITH = {
    "memberships": (
        ("FILE::COLUMN or --label", "FILE::COLUMN or --label (--memberships takes them all)"),
        ("the soft_* functions take memberships", "--memberships takes rows of memberships"),
        ("soft_* functions take memberships", "--memberships takes rows of memberships"),
        ("the soft_* functions memberships", "--memberships rows of memberships"),
    )
}

#: The same where the command does not take the option.
_ELSEWHERE = {
    "features": (
        ("pass features= (one row of numbers per item)", _WHERE_FEATURES),
        (_OF_A_TABLE, f"needs features: {_WHERE_FEATURES}"),
        ("needs features= (one row per item)", f"needs features: {_WHERE_FEATURES}"),
    ),
    "memberships": (
        ("the soft_* functions take memberships", _WHERE_MEMBERSHIPS),
        ("soft_* functions take memberships", _WHERE_MEMBERSHIPS),
        ("the soft_* functions memberships", "partwise compare --memberships rows of them"),
    ),
}


def options_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return what Python calls the options of a parser, and their names here."""
    names = {}
    for action in parser._actions:
        for option in action.option_strings:
            if option.startswith("--"):
                names[option[2:].replace("-", "_")] = option
    if "bootstrap" in names:
        names.setdefault("draws", "--bootstrap")
    if "memory_limit" in names and "workers" in names:
        names.setdefault("threads", "--workers")  # of DuckDB
    if "measures" in names:
        names["measure"] = names["measures"]
    return names


def in_words_of(text: str, options: dict[str, str]) -> str:
    """Return a sentence with ``name=value`` of known options as ``--name value``.

    Parameters
    ----------
    text : str
    options : dict of str to str
        Name in Python to option, as ``options_of`` gives it.
    """
    for python, here in _CALLS:
        text = text.replace(python, here)
    for sentences, taken in ((_WITH, True), (_ELSEWHERE, False)):
        for option, calls in sentences.items():
            for python, here in calls if (option in options) is taken else ():
                text = text.replace(python, here)
    if not options:
        return text
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    # not in a path, nor inside the parentheses of a measure, as in v_measure(beta=2)
    begins = rf"(?<![\w/.:'\"-])(?<!\w\()(?P<name>{names})="

    def listed(match: re.Match[str]) -> str:
        values = re.sub(_WORDS, _bare, match["values"])
        return f"{options[match['name']]} {values}"

    def bare(match: re.Match[str]) -> str:
        return options[match["name"]]

    def switched(match: re.Match[str]) -> str:
        option = options[match["name"]]
        if option == "--header":
            return f"{option} yes or no" if match["other"] else f"{option} yes"
        return option

    text = re.sub(rf"{begins}(?P<values>{_LIST})", listed, text)
    text = re.sub(rf"{begins}True(?P<other> or False)?", switched, text)
    text = re.sub(rf"{begins}False", lambda match: f"{bare(match)} no", text)
    text = re.sub(rf"{begins}(?=[^\s,;)])", lambda match: f"{bare(match)} ", text)
    return re.sub(begins, bare, text)


def in_words_of_options(result: Result, options: dict[str, str]) -> Result:
    """Return a result whose reasons and notes speak of the options."""
    changes: dict[str, Any] = {
        "skipped": {name: in_words_of(why, options) for name, why in result.skipped.items()}
    }
    notes = getattr(result, "notes", None)
    if notes is not None:
        changes["notes"] = [note_in_words_of(note, options) for note in notes]
    return replace(result, **changes)


def note_in_words_of(note: Note, options: dict[str, str]) -> Note:
    """Return a note that speaks of the options; its place stays as it is."""
    return Note(note.code, in_words_of(note.text, options), note.place)


def _bare(match: re.Match[str]) -> str:
    """Return a word without its quotes, if the shell needs none."""
    word = match[0][1:-1]
    plain = re.fullmatch(r"[\w.-]+", word) is not None
    return word if plain else "none" if not word else f"'{word}'"


def without_traps(arguments: list[str]) -> list[str]:
    """Return arguments of which argparse takes none for an option that is none.

    Those are values such as "-2,0,4", which are joined to the option before them, columns
    of standard input, "-::COLUMN", and files behind "--", where options have ended.
    """
    joined: list[str] = []
    for argument in arguments:
        before = joined[-1] if joined else ""
        value = re.match(r"-\.?[0-9]", argument) is not None
        if value and before.startswith("--") and len(before) > 2 and "=" not in before:
            joined[-1] = f"{before}={argument}"
        elif argument.startswith("-::"):
            joined.append(f"/dev/stdin{argument[1:]}")
        elif "--" in joined and argument.startswith("-") and argument != "-":
            joined.append(f"./{argument}")  # argparse reads the words behind "--" again
        else:
            joined.append(argument)
    return joined


# ---- notes -------------------------------------------------------------------------


def tell(accounts: Iterable[Account]) -> None:
    """Tell what is suspicious about accounts; the same note once."""
    warn_of(dict.fromkeys(note for account in accounts for note in account.notes))


def with_notes_told(
    run: Callable[[argparse.Namespace], int | None], words: dict[str, str]
) -> Callable[[argparse.Namespace], int | None]:
    """Let a command print warnings about its input as lines on standard error.

    ``words`` gives the options by what Python calls them; the lines speak of options.
    """

    def told(options: argparse.Namespace) -> int | None:
        shown: set[str] = set()

        def show(message: Any, category: type[Warning], *more: Any, **rest: Any) -> None:
            if not issubclass(category, InputWarning):
                others(message, category, *more, **rest)
            elif str(message) not in shown:
                shown.add(str(message))
                print(f"partwise: note: {in_words_of(str(message), words)}", file=sys.stderr)

        with warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            others = warnings.showwarning
            warnings.showwarning = show
            return run(options)

    return told
