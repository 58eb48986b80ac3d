"""The benchmark tool: what it prints and when it fails; no time is judged."""

import argparse
import json
import re
import sys
from types import ModuleType

import pytest

bench = pytest.importorskip("bench", reason="the benchmarks are not installed")
from bench import __main__ as tool  # noqa: E402
from bench import measuring, peers, stages  # noqa: E402

pytestmark = pytest.mark.one_backend


def stand_in(monkeypatch, offered, name="stand_in"):
    """Put a module with this ``stage`` among the stages and return its entry."""
    module = ModuleType(f"bench.{name}")
    module.__spec__ = argparse.Namespace(name=f"bench.{name}")
    module.stage = offered
    monkeypatch.setitem(sys.modules, f"bench.{name}", module)
    entry = stages.Stage(name, "A stand-in")
    monkeypatch.setattr(tool, "STAGES", (entry,))
    monkeypatch.setattr(tool.measuring, "loop_seconds", lambda: 0.001)
    return entry


def two_lines(quick, repetitions):
    yield stages.Line("sum", "peer", (4.0, 2.0, 3.0), (1.0, 3.0), 2.5)
    yield stages.Line("product", "other", note=f"quick {quick}, {repetitions} repetitions")


def test_report_has_a_table_with_ratios_and_what_was_asked(monkeypatch, capsys):
    stand_in(monkeypatch, two_lines)
    assert tool.main(["--repetitions", "3"]) == 0
    assert (
        "| sum | peer | 1.00 | 3.00 | 3.00 | 2.00 | 4.00 | 2.50 |  |" in capsys.readouterr().out
    )
    assert tool.main(["--quick", "--repetitions", "3"]) == 0
    out = capsys.readouterr().out
    assert "| sum | peer | 1.00 | 3.00 | 3.00 | 2.00 | 4.00 |  |" in out
    assert "quick True, 3 repetitions" in out
    for said in ("- date: ", "- machine: ", "- noise: ", "partwise ", "QUICK RUN"):
        assert said in out
    assert "- command: `python -m bench --quick --repetitions 3`" in out
    assert "load average" in out


def lines_with_asked(quick, repetitions):
    yield stages.Line("above", "peer", (2.0, 1.0, 3.0), asked=2)
    yield stages.Line("below", "peer", (1.9, 1.0, 3.0), asked=2, quantity="bytes", note="why")
    yield stages.Line("not asked", "peer", (0.1,))
    yield stages.absent("nobody", "other", peers.AbsentError("other"), 2)


def test_what_is_missed_is_marked_and_counted(monkeypatch, capsys):
    stand_in(monkeypatch, lines_with_asked)
    assert tool.main([]) == 0
    out = capsys.readouterr().out
    assert "| above | peer |  |  | 2.00 | 1.00 | 3.00 | 2.00 |  |" in out
    marked = "**missed**; ratio of bytes; why"
    assert f"| below | peer |  |  | 1.90 | 1.00 | 3.00 | 2.00 | {marked} |" in out
    assert "| not asked | peer |  |  | 0.100 | 0.100 | 0.100 |  |  |" in out
    assert "1 of 3 asked are met, 1 missed, 1 not measured.\n\n- below / peer\n" in out


def test_a_quick_run_says_nothing_of_what_is_asked(monkeypatch, capsys):
    stand_in(monkeypatch, lines_with_asked)
    tool.main(["--quick"])
    out = capsys.readouterr().out
    assert "missed" not in out
    assert "asked are met" not in out
    assert "| ratio of bytes; why |" in out


def test_files_hold_what_was_printed(monkeypatch, capsys, tmp_path):
    stand_in(monkeypatch, two_lines)
    page, data = tmp_path / "page.md", tmp_path / "data.json"
    assert tool.main(["--results", str(page), "--json", str(data)]) == 0
    assert page.read_text() == capsys.readouterr().out
    assert "QUICK" not in page.read_text()
    report = json.loads(data.read_text())
    assert report["quick"] is False
    first = report["stages"][0]["lines"][0]
    assert first["ratios"] == [4.0, 2.0, 3.0]
    assert first["milliseconds"] == [1.0, 3.0]


def test_an_absent_peer_is_said_and_does_not_fail(monkeypatch, capsys):
    def offered(quick, repetitions):
        yield from two_lines(quick, repetitions)
        peers.need("no_such_package_of_bench")

    stand_in(monkeypatch, offered)
    assert tool.main([]) == 0
    out = capsys.readouterr().out
    assert "not measured: no_such_package_of_bench is not installed" in out
    assert "| sum | peer |" in out


def test_different_values_fail_and_the_lines_before_are_kept(monkeypatch, capsys):
    def offered(quick, repetitions):
        yield from two_lines(quick, repetitions)
        raise SystemExit("W1: partwise finds 1.0, the peer 2.0")

    stand_in(monkeypatch, offered)
    assert tool.main([]) == 1
    out = capsys.readouterr().out
    assert "FAILED: W1: partwise finds 1.0, the peer 2.0" in out
    assert "| sum | peer |" in out


def test_a_module_that_is_not_there_is_said():
    missing = stages.run(stages.Stage("no_such_stage", ""), True, 1)
    assert missing.remark == "this checkout has no bench.no_such_stage"
    assert not missing.failed


def test_the_command_in_a_report_names_no_place(monkeypatch, capsys, tmp_path):
    stand_in(monkeypatch, two_lines)
    tool.main(["--only", "stand_in", "--json", str(tmp_path / "data.json")])
    assert str(tmp_path) not in capsys.readouterr().out
    monkeypatch.setattr(tool, "there", list)
    tool.main(["--only", "stand_in"])
    assert "`python -m bench --only stand_in --repetitions 5`" in capsys.readouterr().out


def test_only_keeps_the_order_of_the_stages_and_names_what_it_does_not_know():
    names = [stage.name for stage in tool.picked("sums, contingency,coreference-reading")]
    assert names == ["contingency", "sums", "coreference_reading"]
    with pytest.raises(argparse.ArgumentTypeError, match="'speed' is not one of: contingency"):
        tool.picked("speed")


def test_a_line_of_a_pair():
    pair = measuring.Paired(
        (measuring.Cost(1.0, 9.0), measuring.Cost(2.0, 9.0), measuring.Cost(2.0, 9.0)),
        (measuring.Cost(4.0, 0.0), measuring.Cost(4.0, 0.0), measuring.Cost(6.0, 0.0)),
    )
    line = stages.line("p", "q", pair, times=10)
    assert line.ratios == (40.0, 20.0, 30.0)
    assert line.milliseconds == (2000.0, 40000.0)


def test_stages_of_labels_check_values_before_time(monkeypatch):
    """A peer that finds something else stops the stage; nothing is measured."""
    from bench import many, scores, strings

    monkeypatch.setattr(measuring, "paired", lambda *call: pytest.fail("measured"))
    monkeypatch.setattr(
        scores, "CONTESTS", (("ARI", lambda w: 0.5, "peer", lambda w: 0.25, True, 1),)
    )
    with pytest.raises(SystemExit, match=r"ARI, W2.*: partwise 0\.5, peer 0\.25"):
        next(iter(scores.stage(True, 1)))
    monkeypatch.setattr(strings, "ITEMS", 1000)
    monkeypatch.setattr(strings, "FORMS", {"list": list})
    monkeypatch.setattr(strings, "by_arrow", lambda side: [0] * len(side))
    with pytest.raises(SystemExit, match="by pyarrow"):
        next(iter(strings.stage(True, 1)))
    with pytest.raises(SystemExit, match=r"ari: partwise finds 1\.0, scikit-learn 0\.9"):
        many._check("ari", [0.5, 1.0], [0.5, 0.9])


def test_clusterings_and_strings_that_are_made():
    from bench import many, strings

    given = many.clusterings(3, 100)
    assert [len(labels) for labels in given] == [100] * 3
    assert not (given[0] == given[1]).all()
    a, b = strings.labels(1000, 10)
    assert set(a) == set(b) == {f"entity-{x:07d}" for x in range(10)}
    found = strings.table(a, b)
    encoded = strings.table(a, b, lambda side: [int(name[-7:]) for name in side])
    assert found.counts.tolist() == encoded.counts.tolist()
    from bench.scores import size_of

    arrays = ("rows", "cols", "counts")
    assert size_of(found) >= sum(getattr(found, name).nbytes for name in arrays[1:])


# ---- instructions ----------------------------------------------------------------------


@pytest.fixture
def gate(monkeypatch, tmp_path):
    """The gate with a compiler, counts and a record of its own; returns how to run it."""
    from bench import instructions
    from bench.instructions import __main__ as program

    here = {"compiler": "gcc 1.0", "machine": "x86_64", "library": "glibc 2"}
    counts = {"meet": 1000, "join": 500}
    record = tmp_path / "recorded.json"
    monkeypatch.setattr(instructions, "tools", lambda: ("cc", "valgrind"))
    monkeypatch.setattr(instructions, "place", lambda compiler: dict(here))
    monkeypatch.setattr(program, "_counts", lambda compiler, valgrind, only: dict(counts))
    monkeypatch.setattr(program, "RECORDED", record)
    return argparse.Namespace(run=program.main, here=here, counts=counts, record=record)


def test_gate_records_and_finds_its_own_counts_good(gate, capsys):
    assert gate.run(["--record"]) == 0
    assert json.loads(gate.record.read_text()) == {**gate.here, "counts": gate.counts}
    assert gate.run(["--check"]) == 0
    assert "| meet |  | 1,000 | 1,000 | +0.00% |" in capsys.readouterr().out


@pytest.mark.parametrize(("now", "code"), [(1030, 0), (1031, 1), (1, 0)])
def test_gate_fails_above_three_percent(gate, now, code, capsys):
    gate.run(["--record"])
    gate.counts["meet"] = now
    assert gate.run(["--check"]) == code
    assert ("FAILED" in capsys.readouterr().out) == bool(code)
    assert gate.run([]) == 0  # prints, judges nothing


def test_gate_fails_on_kernels_that_are_not_on_both_sides(gate, capsys):
    gate.run(["--record"])
    gate.counts["new"] = gate.counts.pop("join")
    assert gate.run(["--check"]) == 1
    out = capsys.readouterr().out
    assert "| new | not recorded: --record |" in out
    assert "| join | recorded, but the driver has no such kernel" in out


@pytest.mark.parametrize("key", ["compiler", "machine", "library"])
def test_gate_skips_what_is_not_comparable(gate, key, capsys):
    gate.run(["--record"])
    gate.here[key] = "another"
    assert gate.run(["--check"]) == 77
    assert f"recorded with {key}" in capsys.readouterr().err


def test_gate_skips_without_valgrind(monkeypatch, capsys):
    from bench import instructions
    from bench.instructions import __main__ as program

    monkeypatch.setattr(
        instructions.shutil, "which", lambda name: None if name == "valgrind" else "/bin/cc"
    )
    assert program.main(["--check"]) == 77
    assert "valgrind is not installed" in capsys.readouterr().err


def test_gate_does_not_record_a_part(capsys):
    from bench.instructions import __main__ as program

    with pytest.raises(SystemExit):
        program.main(["--record", "--only", "meet"])
    assert "--record writes all kernels" in capsys.readouterr().err


def test_callgrind_that_counts_nothing_is_an_error():
    from bench import instructions

    assert instructions.collected("meet", "==1== Collected : 12\n") == 12
    with pytest.raises(SystemExit, match="meet: callgrind counted nothing"):
        instructions.collected("meet", "==1== Collected : 0\n")
    with pytest.raises(SystemExit, match="meet: callgrind counted nothing"):
        instructions.collected("meet", "")


def cases():
    """The C text of the cases."""
    from bench import instructions

    return "\n".join(path.read_text() for path in sorted(instructions.HERE.glob("*.c")))


def test_every_kernel_of_the_driver_is_recorded():
    from bench import instructions

    known = re.findall(r'^    \{"(\w+)", for_\w+, \w+\},$', cases(), re.MULTILINE)
    recorded = json.loads(instructions.RECORDED.read_text())
    assert known
    assert sorted(recorded["counts"]) == sorted(known)
    assert set(recorded) == {"compiler", "machine", "library", "counts"}


def declared_kernels(text):
    """Names by header of the C functions that Cython code declares."""
    found = {}
    for header, body in re.findall(
        r'^cdef extern from "(pw_\w+\.h)".*:\n((?:(?: .*)?\n)+)', text, re.MULTILINE
    ):
        names = re.findall(r"^    \w[\w *]*?\b(pw_\w+)\(", body, re.MULTILINE)
        found.setdefault(header, []).extend(names)
    return found


NO_KERNELS = {"pw_scratch_size", "pw_scratch_free"}


def test_every_kernel_that_python_calls_has_a_case_in_the_gate():
    from bench import instructions

    folder = instructions.ROOT / "src" / "partwise" / "_kernels" / "compiled"
    glue = "\n".join(path.read_text() for path in sorted(folder.glob("*.pyx")))
    known = declared_kernels(glue)
    called = set(re.findall(r"\b(pw_\w+)\(", glue))
    called -= set(re.findall(r"ctypedef struct (pw_\w+)", glue))
    assert called == {name for names in known.values() for name in names}
    text = cases()
    missing = [
        f"{header}: {name}"
        for header, names in known.items()
        for name in names
        if name not in NO_KERNELS and f"{name}(" not in text
    ]
    assert not missing, f"cases of bench/instructions that are missing: {missing}"


def test_declarations_of_kernels_are_found():
    text = """
cdef extern from "pw_a.h" nogil:
    enum:
        PW_A
    ctypedef struct pw_thing:
        int (*ask)(void *context) noexcept nogil
    int pw_one(const int64_t *x,
               pw_thing *y)

    const int64_t *pw_two(int64_t n)
    pw_u128 pw_three(int64_t n)

cdef extern from "pw_b.h" nogil:
    void pw_four(pw_thing *y)

def five(x):
    pw_six(x)
"""
    assert declared_kernels(text) == {
        "pw_a.h": ["pw_one", "pw_two", "pw_three"],
        "pw_b.h": ["pw_four"],
    }
