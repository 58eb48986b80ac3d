"""The tables that --latex prints are typeset: by pdflatex or tectonic, where there is one."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from partwise.cli import main

pytestmark = pytest.mark.one_backend

ROOT = Path(__file__).parents[2]
RECORDS = ["examples/records.csv::person", "examples/records.csv::matched"]
SYSTEMS = ["ours_2=examples/response.conll", "50%~é=examples/response.conll"]
SYSTEMS += ["key & {all}=examples/key.conll"]
DRAWN = ["--draws", "50", "--seed", "1"]
TABLES = [
    ["coref", "examples/key.conll", *SYSTEMS],
    ["coref", "examples/key.conll", *SYSTEMS, "--paired", "99", "--bootstrap", "99"],
    ["coref", "examples/key.conll", *SYSTEMS, "--per-document", "--measures", "muc,lea"],
    ["compare", *RECORDS],
    ["compare", *RECORDS, "--bootstrap", "50", "--seed", "1"],
    ["score", "examples/cells.csv", "--reference", "cell_type", "--item", "cell"],
    ["pairwise", "examples/cells.csv", "--item", "cell"],
    ["significance", *RECORDS, *DRAWN],
    ["paired", *RECORDS, RECORDS[0], *DRAWN],
    ["estimate", *RECORDS[::-1], "--weights", "uniform"],
    ["sweep", RECORDS[0], "examples/pairs.csv", "--item", "record", "--scores", "similarity"],
]
#: What a document needs to show them, as docs/guide/reports.md says.
HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\usepackage[paperwidth=120cm,paperheight=60cm]{geometry}
\begin{document}
"""


@pytest.fixture
def compiler():
    """The command that typesets a file, by its name."""
    for name, options in (
        ("pdflatex", ["-halt-on-error", "-interaction=nonstopmode"]),
        ("tectonic", ["--keep-logs"]),
    ):
        if shutil.which(name):
            return [name, *options]
    if os.environ.get("PARTWISE_LATEX"):
        pytest.fail("pdflatex (texlive-latex-recommended) or tectonic is missing")
    pytest.skip("needs pdflatex (texlive-latex-recommended) or tectonic")


def test_every_table_is_typeset(capsys, compiler, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    parts = [HEAD]
    for number, arguments in enumerate(TABLES):
        more = ["--latex", "--caption", f"Table_{number} & 50 % of it", "--quiet"]
        assert main([*arguments, *more, "--reference-key", f"tab:{number}"]) == 0
        parts += [capsys.readouterr().out, rf"See \ref{{tab:{number}}}.\clearpage"]
    (tmp_path / "tables.tex").write_text("\n".join([*parts, r"\end{document}", ""]))
    for _ in range(2):  # the second run knows the numbers of the tables
        done = subprocess.run(
            [*compiler, "tables.tex"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "tables.log").read_text(errors="replace")
    assert (tmp_path / "tables.pdf").read_bytes().startswith(b"%PDF")
    assert re.findall(r"^(?:!|LaTeX Warning).*|Missing character.*", log, re.MULTILINE) == []
