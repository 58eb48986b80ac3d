"""An import that an interrupt cuts off, wherever it does, can be made again."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
]

#: A child for each point: its first use of the package is interrupted there, its second is not.
CODE = """
    import json, os, sys
    import numpy, scipy.sparse  # what belongs to others is there

    files, step, most = sys.argv[1].split(), int(sys.argv[2]), int(sys.argv[3])

    def interrupt_at(point):
        left = [point]

        def trace(frame, event, argument):
            name = frame.f_code.co_filename.replace(os.sep, "/")
            if not any(file in name for file in files):
                return None
            left[0] -= 1
            if left[0] == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        sys.settrace(trace)

    def use():
        import partwise as pw
        table = pw.contingency([0, 0, 1], ["a", "b", "b"])
        scores = pw.compare(table).scores
        assert scores["rand_index"] == 1 / 3 and len(pw.catalogue()) > 99
        assert pw.coreference.score({"d": [[1, 2]]}, {"d": [[1, 2]]}).table()

    def told(point):
        interrupt_at(point)
        try:
            use()
        except KeyboardInterrupt:
            sys.settrace(None)
        else:
            return "whole"
        try:
            use()
        except BaseException as error:
            return f"point {point}: {error!r}"
        return "right"

    point, seen = 1, []
    while len(seen) < most and "whole" not in seen:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, told(point).encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            seen.append(pipe.read() or f"point {point}: dead")
        os.waitpid(child, 0)
        point += step
    print(json.dumps(seen))
    """


def interrupted(files, step, most, timeout):
    """Return what came of the second use after interrupts at some lines of these files."""
    command = [sys.executable, "-c", textwrap.dedent(CODE), files, str(step), str(most)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    assert done.returncode == 0, done.stderr[-800:]
    return json.loads(done.stdout)


def test_an_interrupted_choice_of_kernels_is_made_again():
    """What is loaded on the way must not hold on to the half that is thrown away."""
    files = "_kernels/__init__.py _kernels/compiled/index.py _kernels/workers.py"
    seen = interrupted(files, step=17, most=10, timeout=300)
    assert [one for one in seen if one not in ("right", "whole")] == []
    assert seen.count("right") >= 4


@pytest.mark.long
def test_an_interrupted_import_is_made_again():
    """At lines of every module, those that register measures among them."""
    seen = interrupted("/partwise/", step=701, most=150, timeout=1200)
    assert [one for one in seen if one not in ("right", "whole")] == []
    assert seen.count("right") >= 60


def test_nothing_that_the_seam_loads_holds_the_seam():
    code = """
        import sys, partwise._kernels as seam
        own = sys.modules["__main__"]  # under more than one name where a tool measures
        loaded = [(name, x) for name, x in sys.modules.items() if x is not own]
        print(*(name for name, module in loaded if seam in vars(module).values()))
        """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"partwise"}
