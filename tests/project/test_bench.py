"""The benchmark tool: every stage begins, values come before time, the head names the machine."""

import subprocess
import sys

import numpy as np
import pytest

bench = pytest.importorskip("bench", reason="the benchmarks are not installed")
from bench import __main__ as tool  # noqa: E402
from bench import small_calls  # noqa: E402
from bench.harness import machine, measuring, report  # noqa: E402
from bench.harness.report import Contest, Counted, Sides  # noqa: E402

pytestmark = pytest.mark.one_backend

DIVISOR = 1000
#: What runs other programs, has its own test or takes seconds to import.
SLOW = {"small_calls", "reading", "strings"}


@pytest.mark.filterwarnings("ignore")  # of peers, on such small inputs
@pytest.mark.parametrize("stage", tool.STAGES, ids=lambda stage: stage.name)
def test_every_stage_begins(stage, monkeypatch):
    monkeypatch.setattr(measuring, "BATCH_SECONDS", 0.001)
    contests = list(stage.contests(DIVISOR))
    assert len({(x.problem, x.peer, x.note) for x in contests}) == len(contests)
    if stage.name in SLOW:
        return
    lines = (report.run(contest, 1) for contest in contests)
    first = next((line for line in lines if line.ratios or line.failed), None)
    if first is None:
        pytest.skip("its peers are not installed")
    assert not first.failed, first.notes
    assert first.ratios[0] >= 0  # a short call may cost no tick of the clock
