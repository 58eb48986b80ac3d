"""The benchmark tool: what it prints and when it fails; no time is judged."""

import argparse
import json
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
    if offered is not None:
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
    assert tool.main(["--quick", "--repetitions", "3"]) == 0
    out = capsys.readouterr().out
    assert "| sum | peer | 1.00 | 3.00 | 3.00 | 2.00 | 4.00 | 2.5 |  |" in out
    assert "quick True, 3 repetitions" in out
    for said in ("- date: ", "- machine: ", "- noise: ", "partwise ", "QUICK RUN"):
        assert said in out
    assert "- command: `python -m bench --quick --repetitions 3`" in out


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


def test_a_module_that_is_not_there_or_offers_nothing_is_said(monkeypatch):
    missing = stages.run(stages.Stage("no_such_stage", ""), True, 1)
    assert missing.remark == "this checkout has no bench.no_such_stage"
    silent = stages.run(stand_in(monkeypatch, None), True, 1)
    assert "python -m bench.stand_in" in silent.remark
    assert not missing.failed
    assert not silent.failed


def test_only_keeps_the_order_of_the_stages_and_names_what_it_does_not_know():
    names = [stage.name for stage in tool.picked("sums, contingency,coreference-reading")]
    assert names == ["contingency", "sums", "coreference_reading"]
    with pytest.raises(argparse.ArgumentTypeError, match="'speed' is not one of: contingency"):
        tool.picked("speed")


def test_every_stage_that_is_there_has_the_interface_or_is_left_to_its_own_command():
    offering = [
        stage.name
        for stage in stages.STAGES
        if stages.find_spec(stage.module)
        and hasattr(pytest.importorskip(stage.module), "stage")
    ]
    assert {"contingency", "sums", "matching", "transport", "sweep"} <= set(offering)


def test_a_line_of_a_pair():
    pair = measuring.Paired(
        (measuring.Cost(1.0, 9.0), measuring.Cost(2.0, 9.0), measuring.Cost(2.0, 9.0)),
        (measuring.Cost(4.0, 0.0), measuring.Cost(4.0, 0.0), measuring.Cost(6.0, 0.0)),
    )
    line = stages.line("p", "q", pair, times=10)
    assert line.ratios == (40.0, 20.0, 30.0)
    assert line.milliseconds == (2000.0, 40000.0)


def test_a_real_stage_runs():
    from bench import sums

    first = next(iter(sums.stage(True, 1)))
    assert first.problem.startswith("sum of x ln x")
    assert len(first.ratios) == 1
    assert first.ratios[0] > 0
