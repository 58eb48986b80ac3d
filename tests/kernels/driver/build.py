"""Build the driver: every kernel of csrc/ and the files of this folder, by any C compiler.

    python tests/kernels/driver/build.py TO --compiler "clang -O2" --small-thresholds

The driver becomes TO, or with --fuzzer a program of libFuzzer. Use --small-thresholds for a
build in which the sizes that choose a path are small, so that small inputs reach every path.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
WRAPPED = ("malloc", "calloc", "realloc", "aligned_alloc", "free")
SMALL = {
    "PW_POLL_ITEMS": "((int64_t)32)",
    "PW_POLL_SCATTERED": "((int64_t)16)",
    "PW_POLL_BYTES": "((int64_t)256)",
    "PW_DENSE_SLACK": 16,
    "PW_DENSE_COPIED_PAIRS": "((uint64_t)8)",
    "PW_COMPACT_FLOOR": 64,
    "PW_ENCODE_FLOOR": 64,
    "PW_GUESS_ITEMS": 64,
    "PW_SAMPLE": 64,
    "PW_SAMPLE_PER": 16,
    "PW_PART_ITEM_BITS": 4,
    "PW_PART_BITS_CACHED": 3,
    "PW_PART_BITS_MOST": 5,
    "PW_STREAM_ITEMS": "((int64_t)128)",
    "PW_PART_LARGE": 64,
    "PW_HASH_ITEMS": 16,
    "PW_WIDE_ITEM_BITS": 4,
    "PW_PACK_PATIENCE": 1,
    "PW_PACK_AUCTION_SCANS": 20,
    "PW_PRICED_CELLS": 3,
    "PW_PRICED_ENTRIES": 5,
    "PW_PRICED_PIECE": 4,
    "PW_MATCH_POLL_CELLS": "((int64_t)16)",
    "PW_MATCH_TIED_SCANS": "((int64_t)1)",
    "PW_MATCH_FEW_SOURCES": 1,
    "PW_MATCH_RAISES": 3,
    "PW_MANY_DENSE_PAIRS": "((int64_t)64)",
    "PW_ITEMS_SAMPLE": 16,
    "PW_ITEMS_SAMPLE_PER": 4,
}


def write_headers(folder: Path, thresholds: bool) -> None:
    """Write the table of logarithms and, where thresholds are small, their header."""
    logarithm = ROOT / "src" / "partwise" / "numbers" / "logarithm.py"
    subprocess.run([sys.executable, logarithm, folder / "pw_ln_table.h"], check=True)
    if not thresholds:
        return
    text = (ROOT / "csrc" / "core" / "pw_tuning.h").read_text()
    for name, value in SMALL.items():
        text, times = re.subn(rf"(#define {name}) .*", rf"\1 {value}", text)
        if times != 1:
            raise SystemExit(f"pw_tuning.h defines {name} {times} times instead of once")
    (folder / "pw_tuning.h").write_text(text)


def build(to: str, compiler: str, fuzzer: bool = False, thresholds: bool = False) -> None:
    """Compile and link; the compiler's own messages say what is wrong."""
    sources = [*sorted((ROOT / "csrc").glob("*/*.c")), *sorted(HERE.glob("*.c"))]
    sources = [path for path in sources if path.name != ("main.c" if fuzzer else "fuzz.c")]
    command = [*shlex.split(compiler), "-std=c11", "-ffp-contract=off"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_headers(folder, thresholds)
        folders = [
            folder,
            HERE,
            *sorted(path for path in (ROOT / "csrc").iterdir() if path.is_dir()),
        ]
        includes = [f"-I{path}" for path in folders]

        def compile_one(path: Path) -> Path:
            to_object = folder / (path.stem + ".o")
            compile_only = [
                argument.replace("=fuzzer", "=fuzzer-no-link") for argument in command
            ]
            subprocess.run([*compile_only, *includes, "-c", path, "-o", to_object], check=True)
            return to_object

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            objects = list(pool.map(compile_one, sources))
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        subprocess.run([*command, *objects, *wraps, "-o", to, "-lm", "-pthread"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("to")
    parser.add_argument("--compiler", default="cc -O1 -g")
    parser.add_argument("--fuzzer", action="store_true")
    parser.add_argument("--small-thresholds", action="store_true")
    options = parser.parse_args()
    try:
        build(options.to, options.compiler, options.fuzzer, options.small_thresholds)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error.cmd[0]} ended with {error.returncode}") from None


if __name__ == "__main__":
    main()
