"""A million small calls over all public functions: memory stays what it is.

``python tests/faults/soak.py`` makes them in an order that is drawn, slow ones less often, and
prints what of the process is in memory on the way. It fails where that has grown by more than
4 MiB since the first tenth, where a value changes, or where it takes more than ten minutes of
the processor. ``.ci/long faults`` runs it.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import time
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "definitions"))

import every_call  # noqa: E402
from every_call import Call, frozen  # noqa: E402

MIB_MOST, SECONDS_MOST, BATCH = 4, 600, 1000


def resident() -> float:
    """Return the MiB of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def seconds_of(call: Call) -> float:
    """Return the time of a call, the best of three."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        call.use(call.prepare())
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def shares(seconds: np.ndarray) -> np.ndarray:
    """Return how often each call is drawn: what takes longer than some other less often."""
    weights = np.minimum(1, 1e-4 / seconds)
    return weights / weights.sum()


def main() -> int:
    """Make the calls; return 1 where memory has grown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10**6)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    given = every_call.inputs()
    unchanged = frozen(given)
    calls = list(every_call.calls(given).items())
    wanted = [call.result() for _, call in calls]
    seconds = np.array([seconds_of(call) for _, call in calls])
    share = shares(seconds)
    expected = float(share @ seconds) * options.calls
    print(f"{len(calls)} calls, about {expected:.0f} s", flush=True)
    rng = np.random.default_rng(1)
    done, first, began, made = 0, 0.0, time.process_time(), set()
    while done < options.calls:
        n = min(BATCH, options.calls - done)
        for at in rng.choice(len(calls), size=n, p=share).tolist():
            name, call = calls[at]
            value = call.use(call.prepare())
            if at not in made or done % (50 * BATCH) == 0:
                made.add(at)
                if frozen(value) != wanted[at]:
                    print(f"{name} has another value after {done} calls")
                    return 1
            del value
        done += n
        if done * 10 >= options.calls and not first:
            gc.collect()
            first = resident()
        if done * 10 % options.calls < 10 * BATCH:
            spent = time.process_time() - began
            print(f"{done} calls in {spent:.0f} s: {resident():.1f} MiB", flush=True)
    gc.collect()
    grown, spent = resident() - first, time.process_time() - began
    print(
        f"{done} calls of {len(made)} kinds in {spent:.0f} s; grown by {grown:.2f} MiB since "
        "the first tenth"
    )
    right = frozen(given) == unchanged and grown <= MIB_MOST and spent <= SECONDS_MOST
    return 0 if right and len(made) == len(calls) else 1


if __name__ == "__main__":
    sys.exit(main())
