"""The recipe for plain processes on the guide's page does what it says."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import partwise as pw

pytestmark = pytest.mark.one_backend

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "scale_engines.md"


def test_tables_of_several_processes_add_up(tmp_path):
    scripts = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (recipe,) = [script for script in scripts if "ProcessPoolExecutor" in script]
    (tmp_path / "recipe.py").write_text(recipe)
    random = np.random.default_rng(4)
    truth = random.integers(0, 300, 250_001).astype(np.uint64) + np.uint64(2**63)
    found = np.where(random.random(len(truth)) < 0.5, truth, 7)
    np.save(tmp_path / "truth.npy", truth)
    np.save(tmp_path / "found.npy", found)
    run = subprocess.run(
        [sys.executable, "recipe.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    n_items, score = run.stdout.split()
    assert int(n_items) == len(truth)
    assert float(score) == pw.adjusted_rand_index(truth, found)
