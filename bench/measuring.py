"""Measuring: paired CPU times, peak memory in a process of its own, the header.

User and system CPU are kept apart: system time is mostly page faults, which say more
about the machine's memory than about an algorithm.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from bench.peers import ALL_SUBJECTS, Subject
from bench.workloads import Workload

Call = Callable[[], Any]

BATCH_SECONDS = 0.25  # the kernel splits user from system in ticks of 1 to 10 ms
SLOW_SECONDS, SLOW_REPETITIONS = 2.0, 3
VERY_SLOW_SECONDS = 8.0  # one repetition
WARM_UP_ITEMS = 1000


# ---- CPU time ----------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """Seconds of CPU of one call."""

    user: float
    system: float

    @property
    def total(self) -> float:
        """User and system together."""
        return self.user + self.system


@dataclass(frozen=True)
class Paired:
    """Costs of two functions, called in turn."""

    ours: tuple[Cost, ...]
    peer: tuple[Cost, ...]

    @property
    def repetitions(self) -> int:
        """Number of pairs."""
        return len(self.ours)

    @property
    def ratios(self) -> list[float]:
        """User CPU of the peer over ours, pair by pair."""
        pairs = zip(self.ours, self.peer, strict=True)
        return [peer.user / ours.user for ours, peer in pairs]


def cost_of(call: Call, batch: int = 1) -> Cost:
    """Return the mean cost of a call over a batch; freeing the results is included."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(batch):
        call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return Cost(
        (after.ru_utime - before.ru_utime) / batch,
        (after.ru_stime - before.ru_stime) / batch,
    )


class _Steps:
    """CPU of the steps that a call takes together with threads of its own.

    The caller is one of the workers: its share of a step lies between the start of the first
    thread and the wait for it.
    """

    def __init__(self) -> None:
        self.beyond = 0.0  # what the busiest thread of each step took beyond the caller
        self.others: list[float] = []
        self.running = 0
        self.own = -1.0  # when the step under way began, -1 if its own part is over
        self.waited = 0.0

    def thread(self) -> type[threading.Thread]:
        """Return a kind of thread that reports here."""
        steps = self

        class Timed(threading.Thread):
            def start(self) -> None:
                if steps.running == 0:
                    steps.own = time.thread_time()
                steps.running += 1
                super().start()

            def run(self) -> None:
                started = time.thread_time()
                super().run()
                steps.others.append(time.thread_time() - started)

            def join(self, timeout: float | None = None) -> None:
                now = time.thread_time()
                super().join(timeout)
                steps.joined(now)

        return Timed

    def joined(self, now: float) -> None:
        """Count a thread that has ended; the last one of a step closes it."""
        if self.own >= 0.0:
            self.own, self.waited = -1.0, now - self.own
        self.running -= 1
        if self.running == 0:
            self.beyond += max(0.0, max(self.others) - self.waited)
            self.others.clear()


def critical_path(call: Call) -> float:
    """Return the seconds of CPU of a call that shares its work with threads.

    As if every thread had a core: the caller's own, and for every step what the busiest
    thread took beyond it.
    """
    steps, original = _Steps(), threading.Thread
    started = time.thread_time()
    threading.Thread = steps.thread()  # type: ignore[misc]
    try:
        call()
    finally:
        threading.Thread = original  # type: ignore[misc]
    return time.thread_time() - started + steps.beyond


def paired_workers(call: Callable[[int], Any], workers: int, repetitions: int) -> Paired:
    """Call with several workers (ours) and with one (the peer) in turn, each once before.

    The costs are CPU on the critical path, all of it as user CPU.
    """
    call(workers)
    batch = batch_for(critical_path(partial(call, 1)))

    def cost(number: int) -> Cost:
        return Cost(critical_path(partial(_repeated, call, number, batch)) / batch, 0.0)

    turns = [(cost(workers), cost(1)) for _ in range(repetitions)]
    return Paired(tuple(x for x, _ in turns), tuple(x for _, x in turns))


def _repeated(call: Callable[[int], Any], number: int, times: int) -> None:
    for _ in range(times):
        call(number)


def batch_for(seconds: float) -> int:
    """Return how many calls of this length make a batch that the clock can split."""
    return max(1, math.ceil(BATCH_SECONDS / max(seconds, 1e-6)))


def paired(ours: Call, peer: Call, repetitions: int) -> Paired:
    """Call ours, peer, ours, peer ... and return what each batch cost.

    Both have been called before, so that nothing is imported or loaded in here; one
    more call of each finds the batch sizes. Slow peers get fewer repetitions, very slow
    ones just that call.
    """
    our_batch = batch_for(cost_of(ours).total)
    first = cost_of(peer)
    if first.total >= VERY_SLOW_SECONDS:
        return Paired((cost_of(ours, our_batch),), (first,))
    if first.total >= SLOW_SECONDS:
        repetitions = min(repetitions, SLOW_REPETITIONS)
    peer_batch = batch_for(first.total)
    turns = [(cost_of(ours, our_batch), cost_of(peer, peer_batch)) for _ in range(repetitions)]
    return Paired(tuple(x for x, _ in turns), tuple(x for _, x in turns))


def median_cost(costs: Iterable[Cost]) -> Cost:
    """Return the medians of user and of system CPU."""
    costs = list(costs)
    return Cost(median(c.user for c in costs), median(c.system for c in costs))


# ---- memory ------------------------------------------------------------------------


def _status(field: str) -> int | None:
    """Return a size of this process in bytes, None where there is no /proc."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(field + ":")]
    return int(found[0]) * 1024 if found else None


def _resident() -> int:
    now = _status("VmRSS")
    return _high_water() if now is None else now


def _high_water() -> int:
    peak = _status("VmHWM")
    if peak is not None:
        return peak
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _reset_high_water() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return  # the mark of the start-up stays: the answer is a lower bound


def peak_extra(call: Call) -> int:
    """Return how many bytes the call, its result included, needed at most."""
    _reset_high_water()
    before = _resident()
    result = call()
    peak = _high_water()
    del result
    return max(0, peak - before)


def peaks_in_processes(workload: Workload, subjects: Iterable[Subject]) -> dict[str, int]:
    """Return ``peak_extra`` of every subject, each in a fresh process.

    The process loads the arrays and makes one small call first, so that neither the
    inputs nor the libraries count.
    """
    with tempfile.TemporaryDirectory() as folder:
        workload.save(Path(folder))
        return {subject.name: _peak_in_process(subject, folder) for subject in subjects}


def _peak_in_process(subject: Subject, folder: str) -> int:
    command = [sys.executable, "-m", "bench.measuring", subject.name, folder]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"measuring the memory of {subject.name}:\n{done.stderr}")
    return int(done.stdout)


def _main(name: str, folder: str) -> None:
    subject, workload = ALL_SUBJECTS[name], Workload.load(Path(folder))
    subject.call(workload.head(WARM_UP_ITEMS))
    print(peak_extra(lambda: subject.call(workload)))


# ---- asking and reporting ----------------------------------------------------------


def positive(text: str) -> int:
    """Read a number of repetitions from the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def say(text: str) -> None:
    """Tell whoever waits what is being measured."""
    print(text, file=sys.stderr, flush=True)


def loop_seconds() -> float:
    """Return the CPU of a fixed loop: what differs from call to call is the machine's doing."""
    started = time.process_time()
    total = 0
    for i in range(200_000):
        total += i & 7
    return time.process_time() - started


def installed(packages: Iterable[str]) -> list[str]:
    """Return the packages that are installed."""
    return [name for name in packages if _version(name) is not None]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def header(packages: Iterable[str]) -> dict[str, str]:
    """Return when, where and with what versions this is."""
    cores = f"{os.cpu_count()} cores"
    if hasattr(os, "sched_getaffinity"):
        cores += f", {len(os.sched_getaffinity(0))} of them allowed"
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    names = ["partwise", "numpy", *(p for p in packages if p != "numpy")]
    versions = ", ".join(f"{name} {version(name)}" for name in dict.fromkeys(names))
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{_cpu_model()}, {cores}, load average {load}",
        "versions": f"{versions}, Python {platform.python_version()}",
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return models[0] if models else platform.machine()


def markdown(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; every column but the first two is set to the right."""
    columns = list(columns)
    rule = ["---" if place < 2 else "---:" for place in range(len(columns))]
    lines = [columns, rule, *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def spread(values: Iterable[float]) -> str:
    """Return "median [min..max]"."""
    values = list(values)
    text = f"{median(values):.2f}"
    if len(values) == 1:
        return text
    return f"{text} [{min(values):.2f}..{max(values):.2f}]"


if __name__ == "__main__":
    _main(*sys.argv[1:])
