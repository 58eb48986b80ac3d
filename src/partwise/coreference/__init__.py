"""Coreference evaluation: documents of mentions, key against response."""

from partwise.coreference.documents.documents import Document, Documents, Spans, Tokens
from partwise.coreference.documents.stacking import InputReport
from partwise.coreference.formats import DocumentStream, iter_documents, read, write
from partwise.coreference.report.tables import CoreferenceTable
from partwise.coreference.scores.analysis.categories import (
    ErrorCategories,
    ErrorCategory,
    error_categories,
)
from partwise.coreference.scores.analysis.errors import (
    EntityErrors,
    ErrorAnalysis,
    error_analysis,
)
from partwise.coreference.scores.analysis.groups import (
    GroupedScores,
    scores_by_entity_size,
    scores_by_mention,
)
from partwise.coreference.scores.confidence import (
    CoreferenceBootstrap,
    CoreferencePairedTest,
    bootstrap,
    paired_test,
)
from partwise.coreference.scores.conventions import Convention
from partwise.coreference.scores.recall_precision import Score
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.scoring import score
from partwise.coreference.scores.universal_anaphora.references import (
    UniversalAnaphoraScores,
    universal_anaphora_scores,
)
from partwise.coreference.scores.universal_anaphora.split_antecedents import (
    SplitAntecedentScores,
    split_antecedent_scores,
)
from partwise.coreference.shared_task.leaderboard import leaderboard
from partwise.coreference.shared_task.paired_tests import SubmissionPair
from partwise.coreference.shared_task.result import Leaderboard, Submission

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
