"""Every test runs over both kernels; hypothesis profiles."""

import importlib
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from partwise import _kernels
from partwise._kernels.reference import index as reference_kernels
from partwise.measures.catalogue import ENTRIES, complete

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell does so in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

complete()
BACKENDS = {"numpy": reference_kernels}
try:
    BACKENDS["compiled"] = importlib.import_module("partwise._kernels.compiled.index")
except ModuleNotFoundError as error:
    # damaged kernels must fail here, only absent ones may be left out
    if _kernels.name == "compiled" or "partwise._kernels.compiled" not in str(error.name):
        raise

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("ci"), max_examples=1000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser):
    """Tests that take long run where they are asked for; those of one backend alone can."""
    parser.addoption("--long", action="store_true", help="run what is marked as long, too")
    parser.addoption("--kernels", choices=sorted(BACKENDS), help="run tests of one backend")


def pytest_collection_modifyitems(config, items):
    """Leave out what is marked as long, unless it is asked for, and the other backends."""
    long, kernels = config.getoption("--long"), config.getoption("--kernels")
    kept, left_out = [], []
    for item in items:
        asked = long or not item.get_closest_marker("long")
        asked &= kernels is None or item.callspec.params["kernels"] == kernels
        (kept if asked else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def pytest_generate_tests(metafunc):
    """Run a test over every backend, or once where it says that it does not matter."""
    once = metafunc.definition.get_closest_marker("one_backend")
    once = once or "both" in metafunc.fixturenames
    chosen = [_kernels.name] if once else sorted(BACKENDS)
    metafunc.parametrize("kernels", chosen, indirect=True)


@pytest.fixture(autouse=True)
def kernels(request, monkeypatch):
    """The backend in force; its name is the value."""
    monkeypatch.setattr(_kernels, "impl", BACKENDS[request.param])
    monkeypatch.setattr(_kernels, "name", request.param)
    return request.param


@pytest.fixture(autouse=True)
def own_measures():
    """Measures that a test registers are gone after it."""
    before = dict(ENTRIES)
    yield
    if len(ENTRIES) != len(before):
        ENTRIES.clear()
        ENTRIES.update(before)


@pytest.fixture
def both():
    """All backends, for a test that compares them."""
    if len(BACKENDS) < 2:
        pytest.skip("this install has no compiled kernels to compare with")
    return BACKENDS
