"""Measuring: CPU of two calls in turn, CPU on the critical path of threads, peak memory.

User and system CPU are kept apart: system time is mostly page faults, which say more about
the machine's memory than about an algorithm. All ratios are of user CPU.
"""

from __future__ import annotations

import math
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

Call = Callable[[], Any]
Cost = Callable[[Call, int], float]

BATCH_SECONDS = 0.25  # the kernel splits user from system in ticks of 1 to 10 ms
SLOW_SECONDS, SLOW_REPETITIONS = 2.0, 3
VERY_SLOW_SECONDS = 8.0  # such a peer runs once
TICK_SECONDS = 1e-9  # no batch costs less, though the clock may say so


@dataclass(frozen=True)
class Paired:
    """Seconds of user CPU of two functions, called in turn."""

    ours: tuple[float, ...]
    peer: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """CPU of the peer over ours, pair by pair."""
        pairs = zip(self.ours, self.peer, strict=True)
        return tuple(peer / max(ours, TICK_SECONDS) for ours, peer in pairs)

    @property
    def milliseconds(self) -> tuple[float, float]:
        """Medians, ours and the peer's."""
        return median(self.ours) * 1e3, median(self.peer) * 1e3


def user_seconds(call: Call, batch: int = 1) -> float:
    """Return the mean user CPU of a call over a batch; freeing the results is included."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(batch):
        call()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_utime - before) / batch


def paired(ours: Call, peer: Call, repetitions: int, cost: Cost = user_seconds) -> Paired:
    """Call ours, peer, ours, peer ... and return what each batch cost.

    Both have been called before, so that nothing is imported or loaded in here; one more call
    of each finds the batch sizes. Slow peers get fewer repetitions, very slow ones that call.
    """
    our_batch = _batch_for(_seconds(ours))
    started = time.process_time()
    first = cost(peer, 1)
    length = time.process_time() - started
    if length >= VERY_SLOW_SECONDS:
        return Paired((cost(ours, our_batch),), (first,))
    if length >= SLOW_SECONDS:
        repetitions = min(repetitions, SLOW_REPETITIONS)
    peer_batch = _batch_for(length)
    turns = [(cost(ours, our_batch), cost(peer, peer_batch)) for _ in range(repetitions)]
    return Paired(tuple(x for x, _ in turns), tuple(x for _, x in turns))


def _seconds(call: Call) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def _batch_for(seconds: float) -> int:
    """Return how many calls of this length make a batch that the clock can split."""
    return max(1, math.ceil(BATCH_SECONDS / max(seconds, 1e-6)))


# ---- threads -----------------------------------------------------------------------


def critical_path(call: Call, batch: int = 1) -> float:
    """Return the CPU of a call that shares its work with threads, as if each had a core.

    It is the caller's own CPU, and for every step what the busiest thread took beyond it.
    """
    steps, original = _Steps(), threading.Thread
    started = time.thread_time()
    threading.Thread = steps.thread()  # type: ignore[misc]
    try:
        for _ in range(batch):
            call()
    finally:
        threading.Thread = original  # type: ignore[misc]
    return (time.thread_time() - started + steps.beyond) / batch


def speed_up(one: Call, two: Call, calls: int) -> tuple[float, float, float]:
    """Return how many times as fast two threads are, how many can be, and the serial share.

    CPU on the critical path, the least of some calls each. The serial part is what the calling
    thread does while others work on blocks: with the share s of it, two threads can be
    1 / (s + (1 - s) / 2) times as fast.
    """
    alone, both = (min(critical_path(call) for _ in range(calls)) for call in (one, two))
    share = min(_own_seconds(two) for _ in range(calls)) / alone
    return alone / both, 1 / (share + (1 - share) / 2), share


def _own_seconds(call: Call) -> float:
    """Return the CPU of a call in the thread that calls."""
    started = time.thread_time()
    call()
    return time.thread_time() - started


class _Steps:
    """CPU of the steps that a call takes together with threads of its own.

    The caller is one of the workers: its share of a step lies between the start of the first
    thread and the wait for it, or the look that shows that it is over.
    """

    def __init__(self) -> None:
        self.beyond = 0.0  # what the busiest thread of each step took beyond the caller
        self.others: list[float] = []
        self.running: set[threading.Thread] = set()
        self.own = -1.0  # when the step under way began, -1 if its own part is over
        self.waited = 0.0

    def thread(self) -> type[threading.Thread]:
        """Return a kind of thread that reports here."""
        steps = self

        class Timed(threading.Thread):
            def start(self) -> None:
                if not steps.running:
                    steps.own = time.thread_time()
                steps.running.add(self)
                super().start()

            def run(self) -> None:
                started = time.thread_time()
                super().run()
                steps.others.append(time.thread_time() - started)

            def join(self, timeout: float | None = None) -> None:
                now = time.thread_time()
                super().join(timeout)
                steps.ended(self, now)

            def is_alive(self) -> bool:
                is_alive = super().is_alive()
                if not is_alive:
                    steps.ended(self, time.thread_time())
                return is_alive

        return Timed

    def ended(self, thread: threading.Thread, now: float) -> None:
        """Count a thread that has ended, once; the last one of a step closes it."""
        if thread not in self.running:
            return
        if self.own >= 0.0:
            self.own, self.waited = -1.0, now - self.own
        self.running.remove(thread)
        if not self.running:
            self.beyond += max(0.0, max(self.others) - self.waited)
            self.others.clear()


# ---- memory ------------------------------------------------------------------------

_PEAK_OF_TABLE = """
import sys
import numpy, partwise
from bench.harness.measuring import peak_extra
a, b = (numpy.load(path) for path in sys.argv[1:])
partwise.contingency(a[:1000].copy(), b[:1000].copy())
print(peak_extra(lambda: partwise.contingency(a, b)))
"""


def peak_of_table(a: Any, b: Any) -> int:
    """Return the bytes that a table of two label arrays needs at most, its result included.

    It is built in a fresh process, which loads the arrays and makes a small table first, so
    that neither the input nor the library counts.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("a.npy", "b.npy")]
        for path, labels in zip(files, (a, b), strict=True):
            np.save(path, labels)
        command = [sys.executable, "-c", _PEAK_OF_TABLE, *files]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"The memory of a table could not be measured:\n{done.stderr}")
    return int(done.stdout)


def peak_extra(call: Call) -> int:
    """Return how many bytes the call, its result included, needed at most (Linux)."""
    with suppress(OSError):  # the mark of the start-up then stays: a lower bound
        Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    result = call()
    peak = _status("VmHWM")
    del result
    return max(0, peak - before)


def _status(field: str) -> int:
    """Return a size of this process in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith(field + ":"))
    return int(size) * 1024
