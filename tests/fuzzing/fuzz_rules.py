"""What a reader may do with bytes: read them, or refuse them in a sentence of partwise's."""

import errno
import traceback
from pathlib import Path

import partwise

PACKAGE = str(Path(partwise.__file__).parent)
#: Compiled modules name their sources as they stood where they were built.
COMPILED = "src/partwise/"


class Broken(AssertionError):
    """A reader did neither."""


def is_ours(error):
    """Whether the error was raised by a line of partwise's, with a sentence of its own."""
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    return last.startswith(PACKAGE) or COMPILED in last


def refusal_of(call, names=()):
    """Call, and return the text with which the call was refused, None where it was not.

    Parameters
    ----------
    call : callable
    names : sequence of str
        One of them, the files' names, must be in the text.

    Raises
    ------
    Broken
        The error is no ValueError, TypeError or OSError, or not one of partwise's own, or it
        does not say which file is wrong. Errors of other kinds pass through.
    """
    try:
        call()
    except (ValueError, TypeError, OSError) as error:
        text = str(error)
        if isinstance(error, OSError) and error.errno in errno.errorcode:
            return text  # of the system, which names the file
        if not is_ours(error):
            raise Broken(f"this is no sentence of partwise's: {text!r}") from error
        if not text.strip() or (names and not any(name in text for name in names)):
            raise Broken(f"this names no file: {text!r}") from error
        return text
    return None
