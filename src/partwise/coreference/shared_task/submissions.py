"""The submissions of a shared task: the entries of a folder, or what stands under a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from partwise.labels.files.compressed import ENDINGS


def read_submissions(submissions: Any) -> dict[str, Any]:
    """Return submissions by name: of a folder each file and each folder in it.

    Their names are those of the files without endings, with them where two would be one.
    Entries that begin with a dot are passed over.
    """
    if isinstance(submissions, Mapping):
        if not submissions:
            raise ValueError("submissions is empty; give at least one, {name: response}")
        for name in submissions:
            if not isinstance(name, str):
                raise TypeError(f"the name of a submission is {name!r}; text is expected")
        return dict(submissions)
    if not isinstance(submissions, (str, Path)):
        raise TypeError(
            f"submissions is of type {type(submissions).__name__}; a folder or {{name: "
            "response} is expected"
        )
    folder = Path(submissions)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise ValueError(f"{folder} {what}; a folder of submissions is expected")
    entries = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    if not entries:
        raise ValueError(f"{folder}: the folder of submissions is empty")
    short = [_stem(path) for path in entries]
    repeated = Counter(short)
    names = [
        path.name if repeated[name] > 1 else name
        for path, name in zip(entries, short, strict=True)
    ]
    if len(set(names)) < len(names):  # "a.x" and "a.y" beside "a.x.conll"
        names = [path.name for path in entries]
    return dict(zip(names, entries, strict=True))


def _stem(path: Path) -> str:
    """Return the name of a file without its ending, and without that of a compressed file."""
    if path.is_dir():
        return path.name
    inner = path.with_suffix("") if path.suffix.lower() in ENDINGS else path
    return inner.stem
