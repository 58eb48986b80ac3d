"""SemEval-2010 task 1: a token a line, its word in the second column, brackets in the last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from partwise.coreference.documents.documents import DocumentColumns
from partwise.coreference.formats.conll_2012 import documents_of_tokens
from partwise.coreference.formats.conll_2012.syntax import Layout, governors_of
from partwise.coreference.formats.files import Notes

WORD_COLUMN = 1

_FIRST_TOKEN = re.compile(rb"\s*1[ \t]+\S+[ \t]")
_PART_AND_NUMBER = re.compile(rb"\s*\S+[ \t]+[0-9]+[ \t]+[01][ \t]")


def read_semeval_2010(path: Path, notes: Notes) -> Iterator[DocumentColumns]:
    """Yield the documents of a SemEval-2010 file, in pieces of it.

    The layout is that of CoNLL-2012 with other columns: the number of the token within its
    sentence, from 1, and its word come first. Everything else is read alike.

    Raises
    ------
    ValueError
        As ``read_conll_2012``.
    """
    yield from documents_of_tokens(path, notes, Layout(WORD_COLUMN, governors_of))


def is_first_token(line: bytes) -> bool:
    """Return whether a document's first token line has the columns of SemEval-2010."""
    return bool(_FIRST_TOKEN.match(line)) and not _PART_AND_NUMBER.match(line)
