"""The example of an extension is built against the installed package, and gives its numbers."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import partwise as pw

pytestmark = pytest.mark.one_backend
EXAMPLE = Path(__file__).parents[2] / "examples" / "extension"
HAS_KERNELS = importlib.util.find_spec("partwise._kernels.compiled.table") is not None
#: Cython stands beside this interpreter.
ENVIRONMENT = {
    **os.environ,
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
}
ERROR = (
    "partwise.kernels is for packages that call the compiled kernels, and this install of "
    "partwise has none: it was built without a working C compiler"
)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def setup(folder):
    """Set up a build of the example with its own meson.build, as pip would."""
    for tool in ("mesonbuild", "Cython"):
        pytest.importorskip(tool)
    if shutil.which("ninja") is None or not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no tools to build an extension with")
    native = folder / "native.ini"
    native.write_text(f"[binaries]\npython = '{sys.executable}'\n")
    meson = (sys.executable, "-m", "mesonbuild.mesonmain", "setup", "build")
    return run(*meson, str(EXAMPLE), "--native-file", str(native), env=ENVIRONMENT, cwd=folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the extensions of the example, and return their functions."""
    if not HAS_KERNELS:
        pytest.skip("this install has no compiled kernels")
    folder = tmp_path_factory.mktemp("extension")
    done = setup(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("ninja", "-C", "build", env=ENVIRONMENT, cwd=folder)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return {name: imported(name, folder / "build") for name in ("agreement", "joint_pairs")}


def imported(name, folder):
    """Import an extension from the folder where it was built."""
    (path,) = folder.glob(f"{name}*{importlib.machinery.EXTENSION_SUFFIXES[0]}")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def test_the_extensions_give_the_numbers_of_the_package(built):
    """One test, so that the example is built once: in Cython, then in C."""
    agreement, joint_pairs = built["agreement"], built["joint_pairs"]
    draw = np.random.default_rng(3)
    for n, clusters in ((0, 1), (1, 1), (2, 2), (60, 4), (500, 90), (4000, 1 << 40)):
        reference = draw.integers(-clusters, clusters, n)
        candidates = draw.integers(0, clusters, (3, n))
        candidates[1] = reference
        for got, candidate in zip(agreement(reference, candidates), candidates, strict=True):
            table = pw.contingency(reference, candidate)
            matched = pw.classification_accuracy(table) * n
            assert joint_pairs(reference, candidate) == pw.pair_confusion(table).n11
            assert got[0] == pytest.approx(pw.rand_index(table), abs=1e-14)
            assert got[1] == len(table.components())
            if n:
                assert got[2] == pytest.approx(matched)
    with pytest.raises(ValueError, match="3 labels, but rows of 2"):
        agreement(np.zeros(3, np.int64), np.zeros((1, 2), np.int64))
    with pytest.raises(ValueError, match="the columns differ in length"):
        joint_pairs(np.zeros(3, np.int64), np.zeros(2, np.int64))


def test_without_compiled_kernels_the_error_says_so():
    """As on a pure install: the module of the kernels is not there."""
    hide = (
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name.endswith('.capi') else find(name, *a)\n"
        if HAS_KERNELS
        else ""
    )
    done = run(sys.executable, "-c", f"{hide}import partwise.kernels")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {ERROR}")


@pytest.mark.skipif(HAS_KERNELS, reason="this install has compiled kernels")
def test_without_compiled_kernels_the_build_says_so(tmp_path):
    done = setup(tmp_path)
    assert done.returncode != 0
    assert f"ImportError: {ERROR}" in done.stdout + done.stderr
