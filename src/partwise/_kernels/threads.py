"""Threads that take a part each.

The compiled kernels import this while the seam is being loaded, so it must not import the seam:
where the load is interrupted, a module that has been loaded stays, and would hold on to half of
one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: What the thread at hand works for, where that is a call of another thread.
_work = threading.local()


@contextmanager
def working_for(raised: list[BaseException]) -> Iterator[None]:
    """Do work of another thread's call in this one, until something is put into ``raised``."""
    before = getattr(_work, "raised", None)
    _work.raised = raised
    try:
        yield
    finally:
        _work.raised = before


def look_for_interrupt() -> None:
    """Raise what ended the call that this thread works for, if something did.

    Signals come to the first thread alone: the kernels of the others ask here, at every poll.
    """
    raised = getattr(_work, "raised", None)
    if raised:
        raise raised[0]


def run_parts(function: Callable[[int], object], parts: int, raised: list[Any]) -> None:
    """Call a function of each part, all at once, this thread among them; none is left behind.

    What interrupts the wait is put into ``raised``, where the kernels of the other threads see
    it at their next poll. Nothing else may be raised by the function.
    """
    threads = []
    for part in range(1, parts):
        thread = threading.Thread(target=function, args=(part,))
        try:
            thread.start()
        except RuntimeError:  # no more threads: the work is done here
            function(part)
        else:
            threads.append(thread)
    try:
        function(0)
    except BaseException as error:  # an interrupt of a function in Python
        raised.append(error)
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except BaseException as error:
                raised.append(error)
