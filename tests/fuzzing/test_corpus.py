"""Kept inputs of the fuzzer, and some changes of each, are read or refused."""

import random
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("h5py")

import fuzz_containers
import fuzz_families
import partwise as pw
from fuzz_rules import Broken, refusal_of

pytestmark = pytest.mark.one_backend
FAMILIES = fuzz_families.FAMILIES | fuzz_containers.FAMILIES
CORPUS = Path(__file__).parent / "corpus"
MOST_BYTES = 100_000
fuzz_families.import_everything()


def inputs(family):
    return sorted((CORPUS / family).iterdir())


def changed(content, rng, words):
    """Bytes changed, cut off, taken out, or a word put in."""
    content = bytearray(content)
    start = content.find(b"\n") + 1  # the choices stay
    place = rng.randint(start, len(content))
    how = rng.randrange(4)
    if how == 0 and place < len(content):
        content[place] = rng.randrange(256)
    elif how == 1:
        del content[place:]
    elif how == 2:
        del content[place : place + rng.randint(1, 8)]
    else:
        word = rng.choice(words).encode() if words else rng.randbytes(2)
        content[place:place] = word
    return bytes(content)


@pytest.mark.parametrize("family", FAMILIES)
def test_kept_inputs_are_read_or_refused(family, tmp_path):
    assert inputs(family)
    for path in inputs(family):
        try:
            FAMILIES[family].run(path.read_bytes(), tmp_path)
        except Exception as error:
            raise AssertionError(f"{family}/{path.name}") from error


@pytest.mark.parametrize("family", FAMILIES)
def test_changed_inputs_are_read_or_refused(family, tmp_path):
    rng = random.Random(family)
    kept = [path.read_bytes() for path in inputs(family)]
    for _ in range(60):
        content = changed(rng.choice(kept), rng, FAMILIES[family].words)
        try:
            FAMILIES[family].run(content, tmp_path)
        except Exception as error:
            raise AssertionError(f"{family}: {content!r}") from error


def test_the_corpora_are_those_of_the_families_and_small():
    assert {path.name for path in CORPUS.iterdir()} == {*FAMILIES}
    for family in FAMILIES:
        assert sum(path.stat().st_size for path in inputs(family)) < MOST_BYTES


# ---- the rule itself -----------------------------------------------------------------------


def test_what_is_read_and_what_is_refused(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("1\n2\n")
    assert refusal_of(lambda: pw.read(path), ["labels.txt"]) is None
    path.write_bytes(b"1\n\xff\n")
    assert "labels.txt:2: not UTF-8" in refusal_of(lambda: pw.read(path), ["labels.txt"])
    assert "No such file" in refusal_of(lambda: pw.read(tmp_path / "none"), ["none"])


def test_what_breaks_the_rule(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_bytes(b"1\n\xff\n")
    with pytest.raises(Broken, match="no sentence of partwise"):
        refusal_of(path.read_text)
    with pytest.raises(Broken, match="names no file"):
        refusal_of(lambda: pw.read(path), ["another.txt"])
    with pytest.raises(KeyError):
        refusal_of(lambda: {}["labels.txt"])
