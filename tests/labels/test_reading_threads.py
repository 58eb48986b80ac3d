"""Reading leaves no thread of Arrow's behind, which could abort the process as it ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_backend

WRITE = """
import os
import pyarrow, pyarrow.dataset, pyarrow.feather, pyarrow.parquet
table = pyarrow.table({"k": [1, 1, 2], "s": ["u", "v", "v"]})
pyarrow.parquet.write_table(table, "one.parquet")
os.makedirs("many/year=1999")
pyarrow.parquet.write_table(table, "many/year=1999/part.parquet")
for version in (1, 2):
    pyarrow.feather.write_feather(table, f"v{version}.feather", version=version)
import partwise as pw
pw.contingency([1, 1, 2], ["u", "v", "v"]).save("table.parquet")
"""
READ = """
import os
import pyarrow, pyarrow.dataset, pyarrow.feather, pyarrow.parquet
import partwise as pw
before = len(os.listdir("/proc/self/task"))
for name in ("one.parquet", "many", "v1.feather", "v2.feather"):
    assert pw.read(name, label="k").labels.tolist() == [1, 1, 2], name
assert pw.read("many", label="year").labels.tolist() == [1999] * 3
assert pw.Contingency.load("table.parquet").n_items == 3
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads by /proc")
def test_parquet_and_feather_are_read_without_threads(tmp_path):
    pytest.importorskip("pyarrow")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    for script, output in ((WRITE, ""), (READ, "0")):
        ran = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.strip() == output


def test_columns_of_one_name_in_parquet_go_by_number(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    import partwise as pw

    table = arrow.table([[1, 1, 2], [3, 4, 4]], names=["k", "k"])
    parquet.write_table(table, tmp_path / "a.parquet")
    assert pw.read(tmp_path / "a.parquet", label=2).labels.tolist() == [3, 4, 4]
    with pytest.raises(ValueError, match=r"several columns are named .k.*1, 2"):
        pw.read(tmp_path / "a.parquet", label="k")
