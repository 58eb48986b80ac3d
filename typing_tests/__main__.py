"""Hold pyright to the marks of the wrong calls: an error on each of them, none elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
MARK = "# type: ignore["


def refused_lines() -> set[tuple[str, int]]:
    """Return the lines on which pyright reports an error."""
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise SystemExit(f"pyright gave no report: {done.stdout}{done.stderr}") from None
    if report["summary"]["filesAnalyzed"] < len(list(FOLDER.glob("*_calls.py"))):
        raise SystemExit("pyright did not read every file of calls")
    return {
        (Path(error["file"]).name, error["range"]["start"]["line"] + 1)
        for error in report["generalDiagnostics"]
        if error["severity"] == "error"
    }


def marked_lines() -> set[tuple[str, int]]:
    """Return the lines that both checkers must refuse."""
    return {
        (path.name, number)
        for path in FOLDER.glob("*_calls.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MARK in line
    }


def main() -> int:
    """Compare, print what differs, and return the exit status."""
    refused, marked = refused_lines(), marked_lines()
    for name, number in sorted(marked - refused):
        print(f"typing_tests/{name}:{number}: pyright lets a wrong call pass")
    for name, number in sorted(refused - marked):
        print(f"typing_tests/{name}:{number}: pyright refuses a right call")
    if refused == marked:
        print(f"pyright refuses the {len(marked)} wrong calls and no other")
    return int(refused != marked)


if __name__ == "__main__":
    raise SystemExit(main())
