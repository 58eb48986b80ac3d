"""Which files of a folder are read: those of annotations, not the texts beside them."""

from __future__ import annotations

from pathlib import Path

from partwise.coreference.formats.annotations.litbank import LINE
from partwise.coreference.formats.annotations.mmax import WORDS_FILE
from partwise.coreference.formats.files import Notes, held, numbered_lines
from partwise.labels.files.compressed import OPENERS

#: Bytes of a file that may hold blanks alone.
_BLANK = 100


def files_of(path: Path, notes: Notes) -> list[Path]:
    """Return a file, or those of a folder in the order of their names.

    Files whose name begins with a dot are passed over. Beside files of annotations (.ann, and
    .tsv of LitBank) their texts and settings (.txt, .conf) are no documents of their own, and
    of a project of MMAX the .mmax or, without it, the file of words stands for all its files.
    """
    if not path.is_dir():
        return [held(path)]
    inside = (x.relative_to(path).parts for x in path.rglob("*") if x.is_file())
    files = [path.joinpath(*x) for x in sorted(inside) if not any(y[0] == "." for y in x)]
    if not files:
        raise ValueError(f"{path}: the folder holds no files; no document in it")
    documents = _documents_of(files)
    if left := len(files) - len(documents):
        notes.count(
            "not-scored", "files that are the text or the settings of others, not read", left
        )
    return documents


def _documents_of(files: list[Path]) -> list[Path]:
    projects = [file for file in files if _ending(file) == ".mmax"]
    words = [file for file in files if WORDS_FILE.match(file.name)]
    if projects or words:
        return projects or words
    if any(map(_has_annotations, files)):
        return [file for file in files if _ending(file) not in (".txt", ".conf")]
    return files


def _has_annotations(file: Path) -> bool:
    """Return whether a file is one of annotations; a .tsv may be a table, its lines tell."""
    if _ending(file) != ".tsv":
        return _ending(file) == ".ann"
    first = next((line for _, line in numbered_lines(file) if line.strip()), None)
    return holds_no_annotation(file) if first is None else LINE.match(first) is not None


def holds_no_annotation(file: Path) -> bool:
    """Return whether a file is one of annotations, a text beside it, that has no line.

    It is a document without mentions, of whatever format others of its folder are.
    """
    if file.suffix.lower() not in (".ann", ".tsv") or not file.is_file():
        return False
    if file.stat().st_size > _BLANK:
        return False
    return not file.read_bytes().strip() and file.with_suffix(".txt").is_file()


def _ending(file: Path) -> str:
    endings = [ending.lower() for ending in file.suffixes]
    if endings and endings[-1] in OPENERS:
        endings.pop()
    return endings[-1] if endings else ""
