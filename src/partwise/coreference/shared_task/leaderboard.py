"""``leaderboard``: the submissions of a shared task, scored, ranked and compared."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any, Literal, Unpack

from partwise.coreference.documents.documents import Documents
from partwise.coreference.documents.pairing import MissingDocuments
from partwise.coreference.documents.reading import Reading, check_standard_input
from partwise.coreference.documents.stacking import DoubleDocuments, Repeats
from partwise.coreference.formats.options import PairOptions
from partwise.coreference.mentions.matching import MentionMatching, ZeroMatching
from partwise.coreference.scores.confidence import AVERAGES, DocumentAverage
from partwise.coreference.scores.conventions import ConventionName, convention_of
from partwise.coreference.scores.drawn_documents import Column, read_columns
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.scoring import OtherTokens, score
from partwise.coreference.shared_task.letters import shared_letters
from partwise.coreference.shared_task.paired_tests import SubmissionPair, compared_pairs
from partwise.coreference.shared_task.result import Leaderboard, Submission
from partwise.coreference.shared_task.submissions import read_submissions
from partwise.inference.draws import Drawing, takes_draws
from partwise.labels.account import counted
from partwise.numbers.checks import one_of
from partwise.progress import track

#: Advice of ``score`` that would give submissions documents of their own.
_NOT_HERE = (
    ', missing_documents="ignore" to leave it out',
    'extra_documents="empty" to score it as without mentions there, ',
)
#: Faults of a submission, which refuse it and leave the others in.
_FAULTS = (ValueError, TypeError, OSError)


class ScoringOptions(PairOptions, total=False):
    """What ``leaderboard`` takes of ``score``; documents stay those of the key."""

    convention: ConventionName
    mentions: MentionMatching | None
    repeats: Repeats | tuple[Repeats, Repeats]
    missing_documents: MissingDocuments
    extra_documents: MissingDocuments
    double_documents: DoubleDocuments
    singletons: Literal["keep", "drop"] | None
    zeros: ZeroMatching | None
    cross_document: bool | Literal["names"]
    topics: Any
    other_tokens: OtherTokens


#: Options of ``ScoringOptions`` that are not about files.
_OF_SCORE = tuple(
    name for name in ScoringOptions.__annotations__ if name not in PairOptions.__annotations__
)


@takes_draws(9999)
def leaderboard(
    key: str | Path | Documents | Mapping[Any, Any],
    submissions: str | Path | Mapping[str, Any],
    *,
    measure: str = "conll",
    average: DocumentAverage = "micro",
    drawing: Drawing,
    **scoring: Unpack[ScoringOptions],
) -> Leaderboard:
    """Score the submissions to a shared task, rank them, and test all pairs.

    Parameters
    ----------
    key
        As of ``score``.
    submissions : str, Path or mapping of str to responses
        A folder with a file or a folder of files for each submission, named after these; or
        responses as ``score`` takes them, by name.
    measure : str, default "conll"
        What ranks and tests are by: F1 of a measure, or "muc.recall", "muc.precision".
    average : {"micro", "macro"}
        Counts added up over documents, or means of the documents' scores.
    draws
        How to draw: see ``Draws``.
    **scoring
        Further arguments of ``score``. ``missing_documents`` may be "error" or "empty",
        ``extra_documents`` "error" or "ignore": all submissions are scored on the same
        documents.

    Returns
    -------
    Leaderboard

    Raises
    ------
    ValueError, TypeError
        A fault of the key or of the options. A fault of a submission refuses that one alone:
        it is a row without scores that says why.

    Notes
    -----
    Each pair is tested as ``paired_test`` does: the responses of documents are exchanged at
    random, by the same coins for all pairs, and the p-values are the same. They are corrected
    for the number of pairs by Holm's method (1979). With P pairs and so many draws none can be
    below P / (1 + draws), so that many submissions need many draws; a note says so where no
    pair can differ. Submissions that do not differ for sure share a letter (Piepho 2004).
    O(submissions documents draws + pairs draws).

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, 1979. Piepho, An algorithm
    for a letter-based representation of all-pairwise comparisons, 2004. Noreen,
    Computer-intensive methods for testing hypotheses, 1989.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {f"d{i}": [["a", "b", "c"], ["d", "e"]] for i in range(20)}
    >>> teams = {
    ...     "poor": {name: [["a", "d"], ["b", "c", "e"]] for name in key},
    ...     "good": {name: [["a", "b", "c"], ["d"]] for name in key},
    ...     "late": {"d0": [["a", "b", "c"]]},
    ... }
    >>> board = pw.coreference.leaderboard(key, teams, measure="lea", seed=1)
    >>> [(one.name, one.rank, one.letters) for one in board.submissions]
    [('good', 1, 'a'), ('poor', 2, 'b'), ('late', None, '')]
    >>> board["late"].refused[:45]
    "the response lacks document 'd1' and 18 more;"
    """
    rules: dict[str, Any] = {x: scoring[x] for x in _OF_SCORE if x in scoring}  # type: ignore[literal-required]
    files = {name: value for name, value in scoring.items() if name not in rules}
    return leaderboard_of(
        *(key, read_submissions(submissions), Reading(**files)),
        rules=rules,
        ranking=(measure, average),
        drawing=drawing,
    )


def leaderboard_of(
    key: Any,
    submissions: Mapping[str, Any],
    reading: Reading,
    *,
    rules: Mapping[str, Any],
    ranking: tuple[str, DocumentAverage],
    drawing: Drawing,
) -> Leaderboard:
    """Return the leaderboard of submissions by name; ``rules`` are arguments of ``score``."""
    one_of(ranking[1], AVERAGES, "average")
    _check_documents_stay(rules)
    check_standard_input(key, *submissions.values())
    of_key = reading.documents(key, "key")
    results: dict[str, CoreferenceScores] = {}
    refused: dict[str, str] = {}
    for name, source in track(list(submissions.items()), "submissions", drawing.progress):
        try:
            response = reading.documents(source, "response")
            scores = score(of_key, response, **rules, workers=drawing.workers)
            if results:
                next(iter(results.values())).check_comparable(scores)
        except _FAULTS as error:
            refused[name] = _sentence(error)
        else:
            results[name] = scores
    # an option that no file could use is a fault of the call, unless all files were refused
    if results:
        reading.check_used()
    return _ranked(results, refused, list(submissions), ranking, rules, drawing)


def _check_documents_stay(rules: Mapping[str, Any]) -> None:
    """Raise where submissions would be scored on documents of their own."""
    for name, allowed in (
        ("missing_documents", ("error", "empty")),
        ("extra_documents", ("error", "ignore")),
    ):
        value = rules.get(name, "error")
        if value not in allowed:
            raise ValueError(
                f"{name}={value!r}: {' or '.join(allowed)} is expected, so that all "
                "submissions are scored on the same documents"
            )


def _sentence(error: Exception) -> str:
    """Return what an error says, of one of the system with its file."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = str(error)
    for advice in _NOT_HERE:
        text = text.replace(advice, "")
    return text


def _ranked(
    results: Mapping[str, CoreferenceScores],
    refused: Mapping[str, str],
    names: list[str],
    ranking: tuple[str, DocumentAverage],
    rules: Mapping[str, Any],
    drawing: Drawing,
) -> Leaderboard:
    """Return the leaderboard of submissions that were scored and that were not."""
    measure, average = ranking
    first = next(iter(results.values()), None)
    rows: list[Submission] = []
    pairs: list[SubmissionPair] = []
    notes: list[str] = []
    column = None if first is None else _column_of(first, measure)
    if first is not None and column is not None:
        values = {name: column.observed(one, average) for name, one in results.items()}
        order = sorted(results, key=lambda name: (-values[name], names.index(name)))
        if len(order) > 1 and len(first.documents) > 1:
            ordered = {name: results[name] for name in order}
            pairs = compared_pairs(ordered, column, average, drawing)
            notes = _notes_on_draws(pairs, drawing)
        elif len(order) > 1:
            notes = ["no pair is tested: a test exchanges documents, and there is one alone"]
        apart = [(x.first, x.second) for x in pairs if x.corrected <= 1 - drawing.level]
        letters = shared_letters(order, apart) if pairs else dict.fromkeys(order, "")
        for name in order:
            one = results[name]
            rows.append(
                Submission(
                    name=name,
                    rank=1 + sum(value > values[name] for value in values.values()),
                    letters=letters[name],
                    scores=one.macro if average == "macro" else {x: one[x] for x in one},
                    refused="",
                    notes=one.input_report.notes,
                )
            )
    rows += [Submission(x, None, "", {}, refused[x], ()) for x in names if x in refused]
    convention = convention_of(rules.get("convention", "perl-8.01"))
    return Leaderboard(
        submissions=rows,
        pairs=pairs,
        measure=measure if column is None else column.name,
        average=average,
        convention=convention.name,
        mentions=rules.get("mentions") or convention.mentions,
        documents=0 if first is None else len(first.documents),
        draws=drawing.draws,
        seed=drawing.seed,
        level=drawing.level,
        command="",
        notes=notes,
    )


def _column_of(scores: CoreferenceScores, measure: Any) -> Column:
    """Return the one number that ranks are by."""
    if not isinstance(measure, str):
        raise TypeError(f"measure={measure!r}: the name of one measure is expected")
    (column,) = read_columns(scores, measure)
    return column


def _notes_on_draws(pairs: list[SubmissionPair], drawing: Drawing) -> list[str]:
    """Return a note where so many pairs need more draws to differ at all."""
    alpha = 1 - drawing.level
    least = len(pairs) / (1 + drawing.draws)
    if least <= alpha:
        return []
    enough = ceil(len(pairs) / alpha) - 1
    return [
        f"no pair can differ: with {drawing.draws} draws the corrected p-value of "
        f"{counted(len(pairs), 'pair')} is {min(least, 1.0):.3g} or more; draws={enough} is "
        f"enough for {alpha:.3g}"
    ]
