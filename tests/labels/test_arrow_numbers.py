"""Numbers of Arrow from their buffers: as pyarrow gives them, without pandas."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from partwise.numbers.arrow import numbers_of, present_in

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.one_backend
TYPES = [
    *(getattr(arrow, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)),
    arrow.float32(),
    arrow.float64(),
]
chunks = st.lists(st.lists(st.none() | st.integers(0, 127), max_size=20), max_size=4)


@given(chunks=chunks, kind=st.sampled_from(TYPES), start=st.integers(0, 25))
def test_as_pyarrow_gives_them(chunks, kind, start):
    whole = arrow.chunked_array(chunks, type=kind).slice(start)
    for values in (whole, *whole.chunks):
        wanted = values.to_pylist()
        numbers, present = numbers_of(values), present_in(values)
        assert numbers.dtype == kind.to_pandas_dtype()
        assert numbers.tolist() == [0 if x is None else x for x in wanted]
        assert present.dtype == bool
        assert present.tolist() == [x is not None for x in wanted]


@given(chunks=chunks, start=st.integers(0, 25))
def test_what_is_there_of_any_type(chunks, start):
    for convert, kind in ((str, arrow.string()), (bool, arrow.bool_())):
        values = [[None if x is None else convert(x) for x in chunk] for chunk in chunks]
        whole = arrow.chunked_array(values, type=kind).slice(start)
        assert present_in(whole).tolist() == [x is not None for x in whole.to_pylist()]
    nothing = arrow.nulls(5)
    assert present_in(nothing).tolist() == [False] * 5


def test_ends_of_64_bits_and_views():
    for kind, ends in (
        (arrow.int64(), [-(2**63), 2**63 - 1]),
        (arrow.uint64(), [0, 2**64 - 1]),
    ):
        values = arrow.array([*ends, None], kind)
        assert numbers_of(values).tolist() == [*ends, 0]
        view = numbers_of(values.slice(0, 2))
        assert view.tolist() == ends
        assert not view.flags.owndata
    assert np.isnan(numbers_of(arrow.array([float("nan")]))).all()


def test_columns_of_arrow_are_read_without_pandas(tmp_path):
    parquet.write_table(arrow.table({"x": [1, None, 3, 3]}), tmp_path / "x.parquet")
    code = (
        "import sys, partwise as pw\n"
        "from pyarrow import parquet\n"
        "x = parquet.ParquetFile(sys.argv[1]).read().column('x')\n"
        "print(pw.rand_index(x, x, missing='cluster'), 'pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "x.parquet")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1.0", "False"]
