"""An interrupt at any line: the same call on the same objects is right afterwards.

What one keeps between calls (what a table has computed, a table that changes, working memory)
must not be left half done. A trace raises the interrupt at the n-th line of ours that is run.
"""

import sys
from pathlib import Path

import pytest

import every_call
import partwise as pw
from every_call import frozen

HOME = str(Path(pw.__file__).parent)
GIVEN = every_call.inputs()
CALLS = every_call.calls(GIVEN)


def interrupted_at(n, function, folder):
    """Call it with an interrupt at the n-th line of a folder; return whether it came so far.

    And the lines that were run.
    """
    seen = 0

    def trace(frame, event, argument):
        nonlocal seen
        if not frame.f_code.co_filename.startswith(folder):
            return None
        if event == "line":
            seen += 1
            if seen == n:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()  # of a tool that measures coverage
    sys.settrace(trace)
    try:
        function()
    except KeyboardInterrupt:
        return True, seen
    finally:
        sys.settrace(before)
    return False, seen


def wrongs_of(call, step, folder=HOME):
    """Return the lines after whose interrupt the call gives something else."""
    wanted = call.result()
    first = call.prepare()
    _, lines = interrupted_at(0, lambda: call.use(first), folder)
    wrongs = []
    for n in range(1, lines + 1, step(lines)):
        prepared = call.prepare()
        interrupted, _ = interrupted_at(n, lambda made=prepared: call.use(made), folder)
        if not interrupted:
            continue
        try:
            if frozen(call.use(prepared)) != wanted:
                wrongs.append((n, "another value"))
        except Exception as error:
            wrongs.append((n, repr(error)))
    return lines, wrongs


@pytest.mark.parametrize("name", [name for name in CALLS if "LiveTable" in name])
def test_a_change_of_a_live_table_is_made_or_not(kernels, name):
    """At every line of it, and the table goes on from there."""
    folder = str(Path(HOME) / "scale" / "streaming")
    lines, wrongs = wrongs_of(CALLS[name], lambda lines: 1, folder)
    assert not wrongs, wrongs[:5]
    assert lines > 20


# An interrupt on the line of a `with` keeps its file from being closed before it is freed.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
@pytest.mark.one_backend
def test_every_call_is_right_after_an_interrupt():
    """At twelve lines of each, spread over it."""
    total, wrong = 0, {}
    for name, call in CALLS.items():
        lines, wrongs = wrongs_of(call, lambda lines: max(1, lines // 12))
        total += min(lines, 12)
        if wrongs:
            wrong[name] = wrongs[:3]
    assert not wrong
    assert total > 2000
    assert frozen(GIVEN) == frozen(every_call.inputs())
