"""The extensions run on every x86-64: other instructions stand in functions of their own."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import partwise as pw

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.skipif(
        platform.machine() != "x86_64" or shutil.which("objdump") is None,
        reason="objdump reads code for x86-64 here",
    ),
]

FOLDER = Path(pw.__file__).parent / "_kernels" / "compiled"
EXTENSIONS = sorted(FOLDER.glob("*.so"))
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
#: AVX and what came with it (v...), BMI, BMI2, POPCNT, LZCNT. What baseline code has as
#: ``rep bsf`` is shown as tzcnt.
BEYOND = re.compile(
    r"\t(v[a-z]\w+|andn|bextr|bls\w+|bzhi|[sr]\w[lr]x|sarx|mulx|pdep|pext|popcnt|lzcnt)\b"
)
#: Functions that are called after the processor has been asked: of a vector level of the meet,
#: and wide forms of single kernels; also the pieces that the compiler cuts off them.
LEVELLED = re.compile(
    r"(_avx2|_avx512|^(sum_up|sum_down|keep)_wide(st)?|^add_tile_wide)(\.\w+)*$"
)


def code_beyond(path):
    """Return the functions of an extension that have instructions beyond plain x86-64."""
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    functions, name = set(), ""
    for line in listing.splitlines():
        if header := FUNCTION.match(line):
            name = header[1]
        elif BEYOND.search(line):
            functions.add(name)
    return functions


def test_instructions_beyond_the_baseline_are_told_from_others():
    for line in ("\tvpaddd %ymm0,%ymm1,%ymm2", "\tshlx %rax,%rcx,%rdx", "\tpopcnt %eax,%eax"):
        assert BEYOND.search(line)
    for line in ("\tpaddd  %xmm0,%xmm1", "\ttzcnt  %eax,%eax", "\tshl    %cl,%rax", "\tret"):
        assert not BEYOND.search(line)
    assert LEVELLED.search("cells_avx512.part.0")
    assert not LEVELLED.search("load_keys_none")


@pytest.mark.parametrize("path", EXTENSIONS, ids=lambda path: path.name.split(".")[0])
def test_only_functions_of_a_vector_level_go_beyond_the_baseline(path):
    beyond = code_beyond(path)
    levelled = {name for name in beyond if LEVELLED.search(name)}
    if path.name.startswith(("table.", "chance.", "shared_mass.")) and not levelled:
        pytest.skip("built without vector levels, or stripped of the names of functions")
    assert beyond == levelled
