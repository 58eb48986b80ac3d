"""What is installed is what the tree holds."""

import subprocess
from importlib.metadata import files
from pathlib import Path

import pytest

import partwise as pw

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.one_backend


def test_every_source_file_is_installed():
    """A file forgotten in meson.build would be missing from the wheel."""
    listed = subprocess.run(
        ["git", "ls-files", "src"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    kept = (".py", ".pyi", "py.typed", ".html", ".css", ".js")
    tree = {line.removeprefix("src/") for line in listed.stdout.split() if line.endswith(kept)}
    installed = {str(path) for path in files("partwise") if path.parts[0] == "partwise"}
    if not installed:
        pytest.skip("an editable install lists no files")
    assert tree <= installed


def test_version_is_written_once():
    assert f"version: '{pw.__version__}'" in (ROOT / "meson.build").read_text()


@pytest.mark.parametrize(
    "call", ["", "partwise.compare([0, 1, 1], [0, 0, 1], measures='default')"]
)
def test_nothing_optional_or_slow_to_load_is_loaded_before_it_is_needed(call):
    if call and pw.config()["kernels"] != "compiled":
        pytest.skip("without compiled kernels, SciPy finds the components of a table")
    code = (
        f"import sys, partwise\n{call}\n"
        "heavy = {'pandas', 'polars', 'pyarrow', 'matplotlib', 'scipy', 'rich', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    import sys

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_show_config(capsys):
    pw.show_config()
    out = capsys.readouterr().out
    assert f"version    {pw.__version__}" in out
    assert "kernels " in out
    assert "reason " in out
