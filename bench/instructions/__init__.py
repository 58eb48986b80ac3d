"""Instructions of the C kernels: counted by callgrind, compared with what is recorded.

``driver.c`` makes the same input at every run and calls one kernel of the ``*_cases.c``; load
on the machine does not move its count. Counts belong to a compiler and a C library: others are
not compared.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECORDED = HERE / "recorded.json"
# a case that is in no list is an unused function
FLAGS = ("-O3", "-std=c11", "-ffp-contract=off", "-Werror=unused-function")
#: The kernels with vector levels, and a level that valgrind knows beside the portable one.
LEVELLED, LEVEL = re.compile("meet_(dense|narrow|sparse|scattered|crowded|workers)"), "avx2"
#: A kernel may take so many percent more than recorded.
PERCENT = 3
# memcpy and memset in the variant for plain x86-64, whatever the machine has
PLAIN_LIBRARY = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM"

Counts = dict[str, int]


class UnavailableError(Exception):
    """Nothing can be counted, or nothing compared, on this machine."""


def tools() -> tuple[str, str]:
    """Return the C compiler (``CC``, default cc) and valgrind."""
    compiler, valgrind = (shutil.which(x) for x in (os.environ.get("CC", "cc"), "valgrind"))
    if compiler is None:
        raise UnavailableError("no C compiler: set CC")
    if valgrind is None:
        raise UnavailableError("valgrind is not installed")
    return compiler, valgrind


def place(compiler: str) -> dict[str, str]:
    """Return what counts depend on: compiler, processor family, C library."""
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return {
        "compiler": re.sub(r"^\S*cc ", "gcc ", said.stdout.splitlines()[0]),
        "machine": platform.machine(),
        "library": " ".join(platform.libc_ver()),
    }


def build(compiler: str, folder: Path) -> Path:
    """Return the driver, built in a folder."""
    table = ROOT / "src" / "partwise" / "numbers" / "logarithm.py"
    subprocess.run([sys.executable, str(table), str(folder / "pw_ln_table.h")], check=True)
    folders = [folder, *(path for path in (ROOT / "csrc").iterdir() if path.is_dir())]
    includes = [f"-I{path}" for path in sorted(folders)]

    def compiled(source: Path) -> str:
        target = str(folder / f"{source.stem}.o")
        command = [compiler, *FLAGS, *includes, "-c", str(source), "-o", target]
        subprocess.run(command, check=True)
        return target

    sources = sorted([*HERE.glob("*.c"), *(ROOT / "csrc").glob("*/*.c")])
    program = folder / "driver"
    with _pool() as pool:
        objects = list(pool.map(compiled, sources))
    subprocess.run([compiler, *objects, "-lm", "-o", str(program)], check=True)
    return program


def _pool() -> ThreadPoolExecutor:
    """Return threads that wait for programs; counts do not depend on what runs beside."""
    return ThreadPoolExecutor(os.cpu_count())


def names(program: Path) -> list[str]:
    """Return the kernels that the driver knows, each at the levels it is counted at."""
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    known = done.stdout.split()
    return known + [f"{name}@{LEVEL}" for name in known if LEVELLED.fullmatch(name)]


def counts(valgrind: str, program: Path, wanted: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield kernels and their instructions."""
    with _pool() as pool:
        found = pool.map(lambda name: count(valgrind, program, name), wanted)
        yield from zip(wanted, found, strict=True)


def count(valgrind: str, program: Path, name: str) -> int:
    """Return the instructions of one call of a kernel, portable where it names no level."""
    kernel, _, level = name.partition("@")
    out = program.parent / f"{name}.callgrind"
    command = [valgrind, "--tool=callgrind", "--toggle-collect=measured"]
    command += [f"--callgrind-out-file={out}", str(program), kernel]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "GLIBC_TUNABLES": PLAIN_LIBRARY,
            "PARTWISE_VECTOR": level or "none",
        },
    )
    if done.returncode:
        raise SystemExit(f"{name}: exit code {done.returncode}\n{done.stderr}")
    return collected(name, done.stderr)


def collected(name: str, text: str) -> int:
    """Read the count from what callgrind prints."""
    found = re.search(r"Collected : (\d+)", text)
    if found is None or found[1] == "0":
        raise SystemExit(f"{name}: callgrind counted nothing\n{text}")
    return int(found[1])


# ---- comparing ---------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A kernel beside what is recorded of it; None: not there."""

    name: str
    recorded: int | None
    found: int | None

    @property
    def change(self) -> float | None:
        """Share by which the count has grown."""
        if not self.recorded or self.found is None:
            return None
        return self.found / self.recorded - 1

    @property
    def failed(self) -> bool:
        """Whether the count has grown too much or cannot be compared."""
        return self.change is None or self._moved(PERCENT)

    @property
    def text(self) -> str:
        """What to do about it, nothing if all is well."""
        if self.recorded is None:
            return "not recorded: --record"
        if self.found is None:
            return "recorded, but the driver has no such kernel: --record"
        if self._moved(PERCENT):
            return f"FAILED: above +{PERCENT} %"
        return "" if self._moved(-PERCENT) else "less: worth recording"

    def _moved(self, percent: int) -> bool:
        assert self.recorded is not None
        assert self.found is not None
        return 100 * (self.found - self.recorded) > percent * self.recorded


def verdicts(recorded: Mapping[str, int], found: Mapping[str, int]) -> list[Verdict]:
    """Return a verdict for every kernel that is recorded or found."""
    every: Iterable[str] = dict.fromkeys([*found, *recorded])
    return [Verdict(name, recorded.get(name), found.get(name)) for name in every]


def check_place(recorded: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Raise where counts of this machine say nothing about the recorded ones."""
    for key, value in here.items():
        if recorded.get(key) != value:
            raise UnavailableError(
                f"recorded with {key} {recorded.get(key)!r}, this is {value!r}: not comparable"
            )
