"""The public names of partwise.coreference for type checkers; generated, do not edit.

``python -m typing_tests.stubs`` writes this file.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

from partwise.coreference.documents.documents import Document as Document
from partwise.coreference.documents.documents import Documents as Documents
from partwise.coreference.documents.documents import Spans as Spans
from partwise.coreference.documents.documents import Tokens as Tokens
from partwise.coreference.documents.stacking import InputReport as InputReport
from partwise.coreference.formats import DocumentStream as DocumentStream
from partwise.coreference.formats import iter_documents as iter_documents
from partwise.coreference.formats import read as read
from partwise.coreference.formats.writing import write as write
from partwise.coreference.report.tables import CoreferenceTable as CoreferenceTable
from partwise.coreference.scores.analysis.categories import ErrorCategories as ErrorCategories
from partwise.coreference.scores.analysis.categories import ErrorCategory as ErrorCategory
from partwise.coreference.scores.analysis.categories import error_categories as error_categories
from partwise.coreference.scores.analysis.errors import EntityErrors as EntityErrors
from partwise.coreference.scores.analysis.errors import ErrorAnalysis as ErrorAnalysis
from partwise.coreference.scores.analysis.errors import error_analysis as error_analysis
from partwise.coreference.scores.analysis.groups import GroupedScores as GroupedScores
from partwise.coreference.scores.analysis.groups import (
    scores_by_entity_size as scores_by_entity_size,
)
from partwise.coreference.scores.analysis.groups import scores_by_mention as scores_by_mention
from partwise.coreference.scores.confidence import CoreferenceBootstrap as CoreferenceBootstrap
from partwise.coreference.scores.confidence import (
    CoreferencePairedTest as CoreferencePairedTest,
)
from partwise.coreference.scores.confidence import DocumentAverage
from partwise.coreference.scores.conventions import Convention as Convention
from partwise.coreference.scores.recall_precision import Score as Score
from partwise.coreference.scores.scores import CoreferenceScores as CoreferenceScores
from partwise.coreference.scores.scoring import score as score
from partwise.coreference.scores.universal_anaphora.references import (
    UniversalAnaphoraScores as UniversalAnaphoraScores,
)
from partwise.coreference.scores.universal_anaphora.references import (
    universal_anaphora_scores as universal_anaphora_scores,
)
from partwise.coreference.scores.universal_anaphora.split_antecedents import (
    SplitAntecedentScores as SplitAntecedentScores,
)
from partwise.coreference.scores.universal_anaphora.split_antecedents import (
    split_antecedent_scores as split_antecedent_scores,
)
from partwise.coreference.shared_task.paired_tests import SubmissionPair as SubmissionPair
from partwise.coreference.shared_task.result import Leaderboard as Leaderboard
from partwise.coreference.shared_task.result import Submission as Submission
from partwise.inference.bootstrap import Interval
from partwise.inference.draws import Draws
from partwise.inference.paired import PairedMethod
from partwise.typing import Policies

def bootstrap(
    scores: CoreferenceScores,
    *,
    measure: str | Iterable[str] | None = None,
    average: DocumentAverage = "micro",
    interval: Interval = "percentile",
    draws: int | Draws = 1000,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
) -> CoreferenceBootstrap: ...
def leaderboard(
    key: str | Path | Documents | Mapping[Any, Any],
    submissions: str | Path | Mapping[str, Any],
    *,
    measure: str = "conll",
    average: DocumentAverage = "micro",
    draws: int | Draws = 9999,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> Leaderboard: ...
def paired_test(
    first: CoreferenceScores,
    second: CoreferenceScores,
    *,
    measure: str | Iterable[str] | None = None,
    average: DocumentAverage = "micro",
    method: PairedMethod = "randomization",
    draws: int | Draws = 1999,
    seed: int | None = None,
    level: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
) -> CoreferencePairedTest: ...

__all__ = [
    "Convention",
    "CoreferenceBootstrap",
    "CoreferencePairedTest",
    "CoreferenceScores",
    "CoreferenceTable",
    "Document",
    "DocumentStream",
    "Documents",
    "EntityErrors",
    "ErrorAnalysis",
    "ErrorCategories",
    "ErrorCategory",
    "GroupedScores",
    "InputReport",
    "Leaderboard",
    "Score",
    "Spans",
    "SplitAntecedentScores",
    "Submission",
    "SubmissionPair",
    "Tokens",
    "UniversalAnaphoraScores",
    "bootstrap",
    "error_analysis",
    "error_categories",
    "iter_documents",
    "leaderboard",
    "paired_test",
    "read",
    "score",
    "scores_by_entity_size",
    "scores_by_mention",
    "split_antecedent_scores",
    "universal_anaphora_scores",
    "write",
]
