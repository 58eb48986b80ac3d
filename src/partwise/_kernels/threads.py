"""Threads that take a part each.

The compiled kernels import this while the seam is being loaded, so it must not import the seam:
where the load is interrupted, a module that has been loaded stays, and would hold on to half of
one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


def run_parts(function: Callable[[int], object], parts: int, raised: list[Any]) -> None:
    """Call a function of each part, all at once, this thread among them; none is left behind.

    What interrupts the wait is put into ``raised``, where the kernels of the other threads see
    it at their next poll. The function must not raise.
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
    function(0)
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except BaseException as error:
                raised.append(error)
