"""Stages of the benchmark tool: all are listed, and each of them begins."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

bench = pytest.importorskip("bench", reason="the benchmarks are not installed")
from bench import __main__ as tool  # noqa: E402
from bench import measuring, peers, stages  # noqa: E402

pytestmark = pytest.mark.one_backend

#: What makes no comparison of its own, or none with a peer.
NO_STAGES = {
    *("contests", "curves", "generators", "measuring", "peers", "solver_peers", "stages"),
    *("tune", "workloads"),
}
#: Sizes that are small even for a quick run, where the stage's own would take seconds.
SMALL = {
    "scores": {"WORKLOADS": ("W1",)},
    "small_calls": {"QUICK_CALLS": 1, "WARM_UP": 1},
    "workers": {"TABLES": ("W1",), "ITEMS": 200},
    "fallback": {"WORKLOADS": ("W1",)},
    "strings": {"ITEMS": 10_000},
    "many": {"CLUSTERINGS": 20, "ITEMS": (200,)},
    "sums": {"WORKLOADS": ("W1",)},
    "diagnosis": {"WORKLOADS": ("W1",)},
    "controls": {"QUICK_DRAWS": 20},
    "reading": {"ROWS": 10_000},
    "coreference": {"DOCUMENTS": 10, "SETS": (1000,)},
    "coreference_reading": {"TOKENS": 1000, "DOCUMENTS": 100},
    "sweep": {"ITEMS": 10_000, "ITEMS_OF_LOOP": 1000},
}
#: Runs what it is given, as valgrind would, and counts in its place.
COUNTER = """
import subprocess, sys
done = subprocess.run(sys.argv[2:])
calls = int(sys.argv[-1])
print(f"==1== Collected : {1000 * calls}", file=sys.stderr)
sys.exit(done.returncode)
"""

# warnings of peers are theirs
quiet = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Give a stage small inputs and return its module."""

    def module_of(name):
        module = import_module(f"bench.{name}")
        for key, value in SMALL.get(name, {}).items():
            monkeypatch.setattr(module, key, value)
        if name == "small_calls":
            counter = tmp_path / "counter.py"
            counter.write_text(COUNTER)
            monkeypatch.setattr(module, "COUNTER", (sys.executable, str(counter)))
        return module

    monkeypatch.setattr(measuring, "BATCH_SECONDS", 0.05)
    return module_of


def measured(lines):
    """The lines that hold a ratio; a peer that is not there ends them."""
    try:
        yield from (line for line in lines if line.ratios)
    except peers.AbsentError:
        return


def test_every_comparison_is_a_stage():
    files = Path(bench.__file__).parent.glob("*.py")
    modules = {path.stem for path in files if not path.stem.startswith("__")}
    assert modules - NO_STAGES == {stage.name for stage in stages.STAGES}


@quiet
@pytest.mark.parametrize("stage", stages.STAGES, ids=lambda stage: stage.name)
def test_every_stage_begins(stage, small):
    first = next(measured(small(stage.name).stage(True, 1)), None)
    if first is None:
        pytest.skip("its peers are not installed")
    assert isinstance(first, stages.Line)
    assert first.problem
    assert first.peer
    assert len(first.ratios) == 1
    assert first.ratios[0] >= 0  # a short call may cost no tick of the clock


@quiet
@pytest.mark.parametrize("name", ["workers", "controls", "fallback", "many", "coreference"])
def test_stages_run_to_the_end(name, small):
    lines = list(measured(small(name).stage(True, 1)))
    if not lines:
        pytest.skip("its peers are not installed")
    assert len({(line.problem, line.peer) for line in lines}) == len(lines)


@quiet
def test_the_tool_runs_a_real_stage(small, capsys):
    small("workers")
    assert tool.main(["--quick", "--repetitions", "1", "--only", "workers"]) == 0
    assert "| one worker |" in capsys.readouterr().out


def test_lines_that_are_not_of_cpu_say_so(small):
    workers = list(small("workers").stage(True, 1))
    assert [line.asked for line in workers] == [1.5, None]
    assert {line.quantity for line in workers} == {"CPU on the critical path"}
    assert {line.quantity for line in small("controls").stage(True, 1)} == {"draws"}


def test_memory_is_measured_against_what_is_allowed(small, monkeypatch):
    scores = small("scores")
    workload = scores.make("W1", quick=True)
    name = peers.CONTINGENCY.name
    monkeypatch.setattr(measuring, "peaks_in_processes", lambda *_: {name: 10**6})
    line = scores._memory(workload)
    result = scores.size_of(peers.partwise_contingency(workload))
    assert line.ratios == ((1.3 * result + 8 * workload.n) / 10**6,)
    assert (line.asked, line.quantity) == (1, "bytes")


def test_the_fallback_is_measured_in_numpy(small, monkeypatch):
    from partwise import _kernels

    fallback, chosen = small("fallback"), object()
    monkeypatch.setattr(_kernels, "impl", chosen)
    found = fallback.in_numpy(lambda workload: _kernels.impl.__name__, None)
    assert found == "partwise._kernels.reference.index"
    assert _kernels.impl is chosen
    with pytest.raises(ZeroDivisionError):
        fallback.in_numpy(lambda workload: 1 / 0, None)
    assert _kernels.impl is chosen


def test_workers_take_turns_with_one(monkeypatch):
    calls = []
    monkeypatch.setattr(measuring, "BATCH_SECONDS", 12.0)
    monkeypatch.setattr(measuring, "critical_path", lambda call: call() or 6.0 / calls[-1])
    pair = measuring.paired_workers(calls.append, 2, 3)
    assert calls == [2, 1, *[2, 2, 1, 1] * 3]
    assert pair.ratios == [2.0] * 3
    assert pair.peer[0] == measuring.Cost(3.0, 0.0)


def test_workers_that_find_something_else_are_not_measured(small, monkeypatch):
    workers = small("workers")
    monkeypatch.setattr(measuring, "paired_workers", lambda *_: pytest.fail("measured"))
    with pytest.raises(SystemExit, match="sum: 2 workers find something else than one"):
        workers._line("sum", lambda n: n, lambda found: found, 1)
