"""Files and folders that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

#: Seconds after which a temporary file without a lock belongs to no writer that is running.
_YOUNG = 60.0


def write_whole_text(path: str | Path, text: str) -> None:
    """Write text as UTF-8; a file that is there is replaced, or stays where that fails."""
    write_whole(Path(path), lambda file: _write_text(file, text))


def _write_text(file: IO[bytes], text: str) -> None:
    file.write(text.encode("utf-8"))


def write_whole(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write beside the target, then rename: whoever stops us leaves the old file whole.

    A target that is no file, such as a pipe or a device, is written as it is.
    """
    path = Path(os.path.realpath(path))  # a link stays, what it names is replaced
    if path.exists() and not path.is_file():
        with path.open("wb") as target:
            write(target)
        return
    _sweep(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:  # it names the file that people asked for
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            _lock(file)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode_for(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_whole_folder(path: Path, write: Callable[[Path], None]) -> None:
    """Fill a folder beside the target, then rename it; an empty folder that is there goes."""
    path = Path(os.path.realpath(path))
    try:
        made = tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:  # it names the folder that people asked for
        raise type(error)(error.errno, error.strerror, str(path)) from None
    unfinished = Path(made)
    try:
        write(unfinished)
        unfinished.chmod(0o777 & ~_mask())
        unfinished.replace(path)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _sweep(path: Path) -> None:
    """Remove what a save to the same path left behind when it was killed.

    A running save holds a lock on its file, and one that has just begun is younger.
    """
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime < _YOUNG:
                continue
            with left.open("rb") as file:
                free = _lock(file)
            if free:
                left.unlink()


def _lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; return whether nobody else had it."""
    try:
        import fcntl
    except ModuleNotFoundError:  # where files that are open cannot be removed
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody has it, or the file system knows no locks
        return False
    return True


def _mode_for(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those of any new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    return 0o666 & ~_mask()


def _mask() -> int:
    """Return the permissions that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
