"""Runs of tests in a process that is forked, with a copy of the package of its own."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

#: What the tests import, so that no run has to wait for it; nothing that starts threads.
IMPORTED = ("numpy", "numpy.testing", "scipy.sparse", "scipy.optimize", "hypothesis", "mpmath")
OPTIONS = (
    *("-q", "-x", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # of what is imported before
)
PASSED, FAILED, TOO_LONG, BROKEN = "passed", "failed", "too long", "broken"
_NO_TESTS = 5


def prepare() -> None:
    """Import what is alike in every run."""
    for name in IMPORTED:
        importlib.import_module(name)


class Chosen:
    """A plugin of pytest: some tests only, the quickest first; by one kernel."""

    def __init__(self, seconds: dict[str, float] | None) -> None:
        self.seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        seconds = self.seconds
        kept = [item for item in items if _kernel(item) != "numpy"]
        if seconds is not None:
            kept = [item for item in kept if item.nodeid in seconds]
            kept.sort(key=lambda item: seconds[item.nodeid])
        items[:] = kept


def _kernel(item: Any) -> str:
    """Return which kernels a test is for, "" where it does not matter."""
    if item.get_closest_marker("one_backend"):
        return ""
    return str(getattr(item, "callspec", None) and item.callspec.params.get("kernels", ""))


class Recorder:
    """A plugin of pytest: which lines each test runs, and how long it takes."""

    def __init__(self, coverage: Any, package: Path, into: Path) -> None:
        self.coverage, self.package, self.into = coverage, package, into
        self.seconds: dict[str, float] = {}

    def pytest_runtest_setup(self, item: Any) -> None:
        self.coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.seconds.pop(report.nodeid, None)
        elif report.when == "call" and report.passed:
            self.seconds[report.nodeid] = report.duration

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self.coverage.stop()
        if exitstatus:
            return
        data = self.coverage.get_data()
        numbers = {name: i for i, name in enumerate(self.seconds)}
        lines = {}
        for file in data.measured_files():
            by_line = data.contexts_by_lineno(file)
            lines[str(Path(file).relative_to(self.package))] = {
                line: [numbers[x] for x in contexts if x in numbers] if all(contexts) else None
                for line, contexts in by_line.items()
            }
        self.into.write_text(json.dumps({"seconds": self.seconds, "lines": lines}))


def run_tests(tests: Collection[str], plugin: Any, *options: str) -> int:
    """Run tests in this process."""
    return int(pytest.main([*OPTIONS, *options, *tests], plugins=[plugin]))


def record(tests: Collection[str], package: Path, into: Path) -> int:
    """Run tests in this process, and write what ``Recorder`` says."""
    from coverage import Coverage

    coverage = Coverage(data_file=None, source=[str(package)], config_file=False)
    coverage.start()
    recorder = Recorder(coverage, package, into)
    plugins = [Chosen(None), recorder]
    return int(pytest.main([*OPTIONS, "--maxfail=100", "--tb=short", *tests], plugins=plugins))


def forked(work: Callable[[], int], folder: Path, log: Path, limit: float) -> str:
    """Return what comes of work that gives pytest's code, in a process of its own.

    The package is that of ``folder``, for what the work starts as well.
    """
    process = os.fork()
    if not process:
        code = 70
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            sys.path.insert(0, str(folder))
            os.environ["PYTHONPATH"] = str(folder)
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    until = time.monotonic() + limit
    while time.monotonic() < until:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            _end_group(process)
            return {0: PASSED, 1: FAILED, 2: FAILED, _NO_TESTS: PASSED}.get(code, BROKEN)
        time.sleep(0.02)
    _end_group(process)
    os.waitpid(process, 0)
    return TOO_LONG


def _end_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
