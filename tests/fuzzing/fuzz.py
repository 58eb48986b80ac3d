"""Fuzz one family of readers with Atheris (libFuzzer for Python).

    python tests/fuzzing/fuzz.py labels CORPUS... -max_total_time=60

What follows the family goes to libFuzzer. See README.md.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import atheris

#: Where readers stand; to watch all of partwise would make the start four times as long.
WATCHED = [
    *(f"partwise.{name}" for name in ("labels", "table", "cli", "scale", "report")),
    *(f"partwise.coreference.{name}" for name in ("formats", "documents")),
    *("fuzz_families", "fuzz_containers"),
]

with atheris.instrument_imports(include=WATCHED):
    import fuzz_families

    fuzz_families.import_everything()
    import fuzz_containers

    families = fuzz_families.FAMILIES | fuzz_containers.FAMILIES


def main() -> None:
    """Run libFuzzer, which ends the process."""
    name, *arguments = sys.argv[1:] or [""]
    if name not in families:
        raise SystemExit(f"there is no family {name!r}: they are {', '.join(families)}")
    family = families[name]
    warnings.simplefilter("error", RuntimeWarning)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        words = folder / "words"
        spelt = ["".join(map(r"\x{:02x}".format, word.encode())) for word in family.words]
        words.write_text("".join(f'"{word}"\n' for word in spelt))

        def one(data: bytes) -> None:
            family.run(data, folder)

        with_words = [f"-dict={words}"] if spelt else []
        # a merge starts this program again, by a shell
        itself = f"{sys.executable} {sys.argv[0]} {name}"
        atheris.Setup([itself, *arguments, *with_words], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
