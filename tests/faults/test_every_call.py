"""The calls that faults are tried on: every public function; equal twice; inputs as before."""

import inspect

import pytest

import every_call
import partwise as pw
from every_call import frozen
from public_modules import CLASSES, MODULES

GIVEN = every_call.inputs()
UNCHANGED = frozen(GIVEN)
CALLS = every_call.calls(GIVEN)


@pytest.mark.one_backend
def test_every_public_function_is_called():
    public = {
        f"{prefix}.{name}"
        for prefix, module in MODULES.items()
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    }
    public |= {"pw.Cover", "pw.Hierarchy"}
    public |= {
        f"{prefix}.{name}" for prefix, module in CLASSES.items() for name in module.__all__
    }
    called = {name.partition(",")[0] for name in CALLS}
    measures = {f"pw.{row.function.__name__}" for row in pw.catalogue().values()}
    assert public - called == set(every_call.NOT_CALLED)
    assert measures <= called
    assert not called & set(every_call.NOT_CALLED)


def test_two_calls_are_equal_and_inputs_are_as_before(kernels):
    for name, call in CALLS.items():
        assert call.result() == call.result(), name
    assert frozen(GIVEN) == UNCHANGED
