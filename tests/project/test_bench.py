"""The benchmark tool and the gate on instructions; no time is judged."""

import json
import re
import sys

import pytest

bench = pytest.importorskip("bench", reason="the benchmarks are not installed")
from bench import __main__ as tool  # noqa: E402
from bench import instructions, small_calls, table  # noqa: E402
from bench.harness import machine, measuring, peers, report  # noqa: E402
from bench.harness.report import Contest, Counted, Sides, same  # noqa: E402

pytestmark = pytest.mark.one_backend

WRONG = Contest("wrong", "peer", lambda: Sides(lambda: 1.0, lambda: 2.0, same))


# ---- the report --------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # of peers, on such small inputs
@pytest.mark.parametrize("stage", tool.STAGES, ids=lambda stage: stage.name)
def test_every_stage_begins(stage, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "BATCH_SECONDS", 0.001)
    counter = tmp_path / "counter.py"  # counts in place of valgrind, without running anything
    counter.write_text("import sys; print('Collected :', sys.argv[-1] + '0', file=sys.stderr)")
    monkeypatch.setattr(small_calls, "COUNTER", (sys.executable, str(counter)))
    lines = (report.run(contest, 1) for contest in stage.contests(1000))
    first = next((line for line in lines if line.ratios or line.failed), None)
    if first is None:
        pytest.skip("its peers are not installed")
    assert not first.failed, first.notes
    assert first.ratios[0] >= 0  # a short call may cost no tick of the clock


def test_every_line_of_a_full_run_has_its_own_name():
    every = [(stage.name, x) for stage in tool.STAGES for x in stage.contests(1)]
    assert len({(stage, x.problem, x.peer, x.note) for stage, x in every}) == len(every) > 100


def test_values_are_compared_before_anything_is_timed(monkeypatch):
    monkeypatch.setattr(measuring, "paired", lambda *_: pytest.fail("measured"))
    line = report.run(WRONG, 1)
    assert line.notes == ("FAILED: partwise finds 1.0, peer 2.0",)
    assert line.failed


def test_report_marks_what_is_missed_and_counts(capsys):
    def contests(divisor):
        yield Contest("above", "peer", lambda: Counted(3.0), 2)
        yield Contest("below", "peer", lambda: Counted(1.9), 2, "bytes", "why")
        yield Contest("absent", "peer", lambda: peers.need("no_such_package"), 2)
        yield from [WRONG] if divisor > 1 else []

    stages = [report.Stage("stand_in", "A stand-in", contests)]
    assert report.main(stages, "bench", []) == 0
    out = capsys.readouterr().out
    assert "| above | peer |  |  | 3.00 | 3.00 | 3.00 | 2.00 |  |" in out
    assert "1.90 | 1.90 | 1.90 | 2.00 | **missed**; ratio of bytes; why |" in out
    assert "not measured: no_such_package is not installed" in out
    assert (
        "1 of 3 asked are met, 1 missed, 1 not measured.\n\n- stand_in: below / peer\n" in out
    )
    assert report.main(stages, "bench", ["--quick", "--only", "stand_in: (below|wrong)"]) == 1
    out = capsys.readouterr().out
    assert "QUICK RUN" in out
    assert not re.search(r"missed|asked are met|above", out)


def test_the_head_names_the_vector_instructions_and_what_numpy_uses_of_them():
    assert machine.simd_level({"flags": "sse2 sse4_2 avx avx2 bmi2"}) == "AVX2"
    assert machine.simd_level({"flags": "avx avx2 bmi2 avx512f"}) == "AVX2"
    assert machine.simd_level({"flags": "avx512f avx512bw avx512dq avx512vl"}) == "AVX-512"
    assert machine.simd_level({"Features": "fp asimd"}) == "NEON"
    head = machine.head(["no-such-package"])
    assert machine.simd_level(machine.cpuinfo()) in head["SIMD"]
    assert "dispatches to" in head["SIMD"]
    assert "no-such-package" not in head["versions"]


def test_the_fallback_is_measured_in_numpy():
    from partwise import _kernels

    chosen = _kernels.impl
    name = table.in_numpy(lambda: _kernels.impl.__name__)
    assert name == "partwise._kernels.reference.index"
    assert _kernels.impl is chosen


# ---- the gate ----------------------------------------------------------------------------

CASES = "\n".join(path.read_text() for path in sorted(instructions.HERE.glob("*.c")))
NO_KERNELS = {"pw_scratch_size", "pw_scratch_free", "pw_large_malloc", "pw_rows_to_poll"}


def test_every_case_of_the_gate_is_recorded():
    names = re.findall(r'\{"(\w+)", for_\w+, \w+\},', CASES)
    assert names
    levelled = [f"{name}@avx2" for name in names if instructions.LEVELLED.fullmatch(name)]
    assert len(levelled) == 6
    names += levelled
    assert sorted(json.loads(instructions.RECORDED.read_text())["counts"]) == sorted(names)


def test_every_kernel_that_python_calls_has_a_case_in_the_gate():
    folder = instructions.ROOT / "src" / "partwise" / "_kernels" / "compiled"
    glue = "\n".join(path.read_text() for path in sorted(folder.glob("*.p[xy][dx]")))
    called = set(re.findall(r"\b(pw_\w+)\(", glue)) - NO_KERNELS
    called -= set(re.findall(r"ctypedef struct (pw_\w+)", glue))
    assert len(called) > 30
    assert not sorted(name for name in called if f"{name}(" not in CASES)


def test_gate_fails_above_three_percent_and_on_what_is_on_one_side_only():
    recorded = dict.fromkeys(("same", "less", "more", "gone"), 1000)
    now = {"same": 1030, "less": 1, "more": 1031, "new": 1}
    verdicts = {each.name: each.failed for each in instructions.verdicts(recorded, now)}
    assert verdicts == {"same": False, "less": False, "more": True, "gone": True, "new": True}
    with pytest.raises(instructions.UnavailableError, match="recorded with compiler 'gcc 1'"):
        instructions.check_place({"compiler": "gcc 1"}, {"compiler": "gcc 2"})
