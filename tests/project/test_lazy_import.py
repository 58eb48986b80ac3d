"""Importing the package loads nothing of it; every public name loads what it needs."""

import subprocess
import sys
from importlib import import_module

import pytest

import partwise as pw
from partwise.measures import public

pytestmark = pytest.mark.one_backend


def run(code):
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_nothing_is_loaded_before_it_is_asked_for():
    loaded = run("import sys, partwise; print(*sys.modules)")
    assert [name for name in loaded if name.startswith("partwise.")] == []
    assert "numpy" not in loaded


def test_a_measure_does_not_load_what_it_does_not_need():
    loaded = run("import sys, partwise as pw; pw.rand_index([0], [0]); print(*sys.modules)")
    for name in ("coreference", "inference", "thresholds", "cli", "scoring", "scale"):
        assert not any(one.startswith(f"partwise.{name}") for one in loaded), name


def test_a_measure_alone_knows_the_whole_catalogue():
    code = "import partwise as pw; pw.rand_index([0], [0]); print(*pw.catalogue())"
    assert " ".join(run(code)) == " ".join(pw.catalogue())
    code = (
        "import partwise as pw\n"
        "print(pw.compare([0, 1], [0, 1], measures='nvi').scores['nvi'])\n"
        "try:\n"
        "    pw.measure(family='own', range=(0, 1), direction=None, value_if_identical=None,\n"
        "        source='here')(type(lambda: 0)((lambda t: 0).__code__, {}, 'purity'))\n"
        "except ValueError as error:\n"
        "    print('taken' if 'purity' in str(error) else error)\n"
    )
    assert run(code) == ["0.0", "taken"]


def test_every_name_is_where_the_table_says():
    for name, module in pw._MODULE_OF.items():
        assert getattr(pw, name) is getattr(import_module(module), name)
    assert len(set(pw.__all__)) == len(pw.__all__)
    assert set(pw.__all__) == {*pw._MODULE_OF, *pw._PACKAGES}
    assert set(public.__all__) <= set(pw.__all__)
    assert set(pw.__all__) <= set(dir(pw))


def test_the_measures_of_a_module_are_all_public():
    for module in pw._MODULES:
        if module.startswith("measures.") and hasattr(
            import_module(f"partwise.{module}"), "__all__"
        ):
            names = import_module(f"partwise.{module}").__all__
            assert set(names) == set(pw._MODULES[module].split()), module


def test_a_name_that_is_none_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'partwise' has no attribute 'rand_indx'"):
        pw.rand_indx  # noqa: B018


def test_another_name_of_a_measure_is_an_attribute_error_that_says_ours():
    with pytest.raises(
        AttributeError, match=r"'ami'; here it is partwise\.adjusted_mutual_inf"
    ):
        pw.ami  # noqa: B018
    with pytest.raises(AttributeError, match=r"adjusted_rand_index, and .*interop\.sklearn"):
        pw.adjusted_rand_score  # noqa: B018


def test_loading_a_module_first_changes_no_name():
    code = "import partwise.installation, partwise as pw; print(pw.config()['version'])"
    assert run(code) == [pw.__version__]
