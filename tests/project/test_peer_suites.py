"""The runner of other scorers' unit tests, on a checkout made here."""

import pytest

from bench import peer_suites

pytestmark = pytest.mark.one_backend

TESTS = """
import pytest
from pytest import approx
from coval.conll.reader import get_coref_infos
from coval.eval.evaluator import evaluate_documents as evaluate
from coval.eval.evaluator import muc, b_cubed, ceafe, blancc, blancn

def read(key, response):
  raise SystemExit("is replaced")

def test_A():
  doc = read("a.key", "a.response")
  assert evaluate(doc, muc) == (0.5, 1, 2 / 3)
  assert evaluate(doc, b_cubed) == approx([0.33, 0.5, 0.6], abs=0.01)
  assert evaluate(doc, [blancc, blancn]) == (1, 1, 1)

def test_B():
  doc = read("a.key", "b.response")
  assert evaluate(doc, ceafe) == (1, 1, 1)

@pytest.mark.skip
def test_C():
  assert False
"""


def conll(*cells):
    rows = "".join(f"d 0 {at} w{at} {cell}\n" for at, cell in enumerate(cells))
    return f"#begin document (d);\n{rows}#end document\n"


def test_checks_are_counted_by_what_comes_of_them(tmp_path, capsys):
    folder = tmp_path / "tests"
    folder.mkdir()
    (tmp_path / "unittests.py").write_text(TESTS)
    (folder / "a.key").write_text(conll("(0)", "(0)", "(0)"))
    (folder / "a.response").write_text(conll("(0)", "(0)", "-"))
    (folder / "b.response").write_text(conll("(0", "-", "-"))
    assert peer_suites.main([str(tmp_path), "--all"]) == 0
    out = capsys.readouterr().out
    assert "agreed 1, not read 1, other 2, skipped by its authors 1" in out
    assert "other: unittests.py test_A b_cubed: [0.44444, 1.0, 0.61538] here" in out
    assert "not read: unittests.py test_B ceaf_e: " in out
    assert peer_suites.main([str(folder)]) == 1
