"""Coreference evaluation: documents of mentions, key against response."""

from partwise.coreference.confidence import (
    CoreferenceBootstrap,
    CoreferencePairedTest,
    bootstrap,
    paired_test,
)
from partwise.coreference.conventions import Convention
from partwise.coreference.documents import Document, Documents, Spans, Tokens
from partwise.coreference.formats import DocumentStream, iter_documents, read, write
from partwise.coreference.recall_precision import Score
from partwise.coreference.scores import CoreferenceScores
from partwise.coreference.scoring import score
from partwise.coreference.stacking import InputReport

__all__ = [
    "Convention",
    "CoreferenceBootstrap",
    "CoreferencePairedTest",
    "CoreferenceScores",
    "Document",
    "DocumentStream",
    "Documents",
    "InputReport",
    "Score",
    "Spans",
    "Tokens",
    "bootstrap",
    "iter_documents",
    "paired_test",
    "read",
    "score",
    "write",
]
