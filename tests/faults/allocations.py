"""Every allocation of our extensions fails once, in a call of every public function.

``python tests/faults/allocations.py`` does so; ``.ci/long allocation`` calls it. A library that
is preloaded (``fail_allocation.c``) lets the k-th allocation that our extensions ask for fail,
for k = 1, 2, 3 and so on until none fails, first that one alone, then that and all after it.
Each time the call must raise ``MemoryError``, and the same call on the same objects must then
give the right value. At the end no more memory of ours may live than before, and no input may
have changed.

    python tests/faults/allocations.py --calls pw.sweep coreference
    python tests/faults/allocations.py --most 20        # at most so many k for each call
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "definitions"))

import every_call  # noqa: E402
import partwise as pw  # noqa: E402
from every_call import Call, frozen  # noqa: E402
from partwise import _kernels  # noqa: E402
from partwise._kernels import workers  # noqa: E402


class Faults:
    """The preloaded library."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._set, self._watch = library.fault_set, library.fault_watch
        self._set.argtypes = [ctypes.c_long, ctypes.c_int]
        self._counts = library.fault_made, library.fault_failed, library.fault_live
        for count in self._counts:
            count.restype = ctypes.c_long

    def watch(self) -> int:
        """Count what our extensions allocate from here on; return how many pieces they have."""
        return self._watch(os.fsencode(f"{Path(pw.__file__).parent}{os.sep}"))

    def fail(self, k: int, on: bool = False) -> None:
        """Let the k-th allocation from here on fail, and all after it; no one where k is 0."""
        self._set(k, on)

    @property
    def made(self) -> int:
        """Allocations since ``fail``."""
        return self._counts[0]()

    @property
    def failed(self) -> int:
        """How many of them failed that could not be done without."""
        return self._counts[1]()

    @property
    def live(self) -> int:
        """How many there are now, but for the working memory that is kept between calls."""
        pw.free_scratch()
        gc.collect()
        return self._counts[2]()


def large_calls() -> dict[str, Call]:
    """Return calls on so many items that several threads share them."""
    rng = np.random.default_rng(4)
    n = 1 << 20
    few, others = rng.integers(0, 700, (2, n))
    far = rng.integers(-(2**62), 2**62, n // 2)[rng.integers(0, n // 2, n)]
    text = few[: 1 << 17].astype("U9")
    names = [f"a longer name {x}" for x in few[: 1 << 17].tolist()]
    sizes = np.repeat(np.arange(900), np.arange(900))

    def calling(call: Callable[[], Any]) -> Call:
        return Call(lambda: None, lambda _: call())

    def shared_chance() -> float:
        with workers.working(2):
            return pw.adjusted_mutual_information(sizes, sizes[::-1] + sizes)

    return {
        "large, few": calling(lambda: pw.contingency(few, others, workers=2)),
        "large, far": calling(lambda: pw.contingency(far, few, workers=2)),
        "large, far on both sides": calling(lambda: pw.contingency(far, far[::-1], workers=3)),
        "large, one worker": calling(lambda: pw.contingency(far, far[::-1])),
        "large, text": calling(lambda: pw.contingency(text, text[::-1], workers=2)),
        "large, names": calling(lambda: pw.contingency(names, names[::-1], workers=2)),
        "large, ids": calling(
            lambda: pw.align(
                pw.Clustering(few[: 1 << 19], items=np.arange(1 << 19)),
                pw.Clustering(few[: 1 << 19], items=np.arange(1 << 19)[::-1]),
                workers=2,
            )
        ),
        "large, chance": calling(shared_chance),
        "large, join": calling(lambda: pw.join(far, few)),
    }


def chosen(made: int, most: int) -> list[int]:
    """Return which allocations fail: all, or the first ones and some between the rest."""
    if made <= most:
        return list(range(1, made + 1))
    return sorted({*range(1, most // 2 + 1), *np.linspace(1, made, most // 2, dtype=int)})


class Unseen:
    """Errors that somebody swallows: of threads, and where nobody can catch them."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        threading.excepthook = lambda told: self.seen.append(repr(told.exc_value))
        sys.unraisablehook = lambda told: self.seen.append(
            f"{told.exc_value!r} in {told.object!r}"
        )


def wrongs_of(call: Call, faults: Faults, unseen: Unseen, most: int) -> tuple[int, list[str]]:
    """Let allocations of one call fail; return how many, and what went wrong."""
    wanted = call.result()
    assert call.result() == wanted, "two calls without a fault differ"
    before = faults.live
    prepared = call.prepare()
    pw.free_scratch()
    faults.fail(0)
    value = call.use(prepared)
    points = chosen(faults.made, most)
    assert frozen(value) == wanted
    wrongs = []
    for on in (False, True):
        for k in points:
            prepared = call.prepare()
            pw.free_scratch()
            told = f"allocation {k}{' and all after it' if on else ''}"
            value = raised = None
            faults.fail(k, on)
            try:
                value = call.use(prepared)
            except MemoryError as error:
                raised = repr(error)
            except BaseException as error:
                raised = repr(error)
                wrongs.append(f"{told}: {raised}")
            failed = faults.failed
            faults.fail(0)
            if raised is None:
                right = frozen(value) == wanted
                if failed or not right:
                    right = "right" if right else "WRONG"
                    wrongs.append(f"{told}: no error, and a result that is {right}")
            del value
            try:
                if frozen(call.use(prepared)) != wanted:
                    wrongs.append(f"{told}: the call after it gives another value")
            except BaseException as error:
                wrongs.append(f"{told}: the call after it: {error!r}")
            if unseen.seen:
                wrongs.append(f"{told}: swallowed: {unseen.seen}")
                unseen.seen.clear()
    del prepared
    left = faults.live - before
    if left:
        wrongs.append(f"{left} allocations are never freed")
    return 2 * len(points), wrongs


def run(patterns: list[str], most: int) -> int:
    """Run the calls whose names hold one of the patterns; return 1 where one went wrong."""
    warnings.simplefilter("ignore")
    if _kernels.name != "compiled":
        print("these kernels are not compiled, so that nothing here can fail")
        return 1
    given = every_call.inputs()
    unchanged = frozen(given)
    calls = {**every_call.calls(given), **large_calls()}
    for call in calls.values():  # all that is imported when it is needed is there from here on
        call.prepare()
    for name, call in calls.items():
        if not name.startswith("large"):
            call.result()
    faults, unseen = Faults(), Unseen()
    print(f"{faults.watch()} pieces of code of ours")
    total = wrong_calls = reached = 0
    began = time.perf_counter()
    for name, call in calls.items():
        if patterns and not any(pattern in name for pattern in patterns):
            continue
        points, wrongs = wrongs_of(call, faults, unseen, most)
        total += points
        reached += points > 0
        wrong_calls += bool(wrongs)
        if wrongs:
            print(f"{name}: {len(wrongs)} wrong of {points}")
            print("".join(f"    {wrong}\n" for wrong in wrongs[:6]), end="", flush=True)
    if frozen(given) != unchanged:
        print("an input was changed")
        wrong_calls += 1
    print(
        f"{len(calls)} calls, {reached} of them allocate; {total} faults in "
        f"{time.perf_counter() - began:.0f} s; calls that went wrong: {wrong_calls}"
    )
    return 1 if wrong_calls or not total else 0


def main() -> int:
    """Build the library and run with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", nargs="+", default=[], help="parts of names of calls")
    parser.add_argument("--most", type=int, default=400, help="faults of each call")
    options = parser.parse_args()
    if hasattr(ctypes.CDLL(None), "fault_watch"):
        return run(options.calls, options.most)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "fail_allocation.so"
        source = HERE / "fail_allocation.c"
        flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        subprocess.run(
            [os.environ.get("CC", "cc"), *flags, str(source), "-o", str(library)], check=True
        )
        environment = {**os.environ, "LD_PRELOAD": str(library), "PARTWISE_KERNELS": "compiled"}
        return subprocess.run(
            [sys.executable, *sys.argv], env=environment, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
