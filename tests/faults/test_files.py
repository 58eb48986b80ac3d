"""Files that cannot be read or written, disks that fill up, writers that are killed."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise import coreference
from partwise.cli import main

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.skipif(sys.platform != "linux", reason="mounts and signals as on Linux"),
]


# ---- what cannot be read ---------------------------------------------------------------------

READERS = {
    "read": lambda path: pw.read(path, label=0),
    "load": pw.Contingency.load,
    "live": pw.scale.streaming.LiveTable.load,
    "blocks": lambda path: pw.scale.blocks.contingency(path, path, label=0),
    "coreference": coreference.read,
    "documents": lambda path: list(coreference.iter_documents(path)),
    "conll": lambda path: coreference.read(path, format="conll-2012"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["labels.csv", "table.npz", "key.conll", "key.jsonl"])
def test_a_folder_and_nothing_are_named_where_a_file_is_expected(tmp_path, reader, name):
    if reader == "blocks":
        pytest.importorskip("pyarrow")
    path = tmp_path / name
    with pytest.raises((OSError, ValueError), match=name.replace(".", r"\.")):
        READERS[reader](path)
    path.mkdir()
    with pytest.raises((OSError, ValueError), match=name.replace(".", r"\.")):
        READERS[reader](path)


def test_a_command_names_the_folder_that_it_cannot_read(tmp_path, capsys):
    folder = tmp_path / "a.csv"
    folder.mkdir()
    assert main(["compare", f"{folder}::x", f"{folder}::y"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("partwise: ")
    assert str(folder) in told
    assert told.count("\n") == 1


def test_a_file_that_vanishes_while_documents_are_read_is_an_error(tmp_path):
    """What has been read stands; the next file, which has gone, is named."""
    for name in ("a", "b"):
        text = f"#begin document ({name}); part 000\n{name} 0 0 w - - - - - - - (1)\n\n"
        (tmp_path / f"{name}.conll").write_text(f"{text}#end document\n")
    stream = iter(coreference.iter_documents(tmp_path))
    assert next(stream).name == "(a); part 000"
    (tmp_path / "b.conll").unlink()
    with pytest.raises(OSError, match=r"b\.conll"):
        list(stream)


def test_memory_that_is_not_there_ends_a_command_with_one_sentence(monkeypatch, capsys):
    def greedy(*_):
        raise MemoryError("Unable to allocate 9.00 TiB")

    monkeypatch.setattr("partwise.cli.about.measures.run", greedy)
    assert main(["measures"]) == 2
    assert capsys.readouterr().err == (
        "partwise: not enough memory: Unable to allocate 9.00 TiB\n"
    )


# ---- a disk that is full ---------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 32 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount command")
    if done.returncode:
        pytest.skip(f"no file system can be mounted: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def documents_of(entities):
    """A line of JSON for each of 30 documents, of words that cannot be made much shorter."""
    rng = np.random.default_rng(1)
    clusters = [[[i, i] for i in range(k, 900, 9)] for k in range(entities)]
    lines = []
    for number in range(30):
        words = [f"{word:x}" for word in rng.integers(0, 2**40, 900).tolist()]
        lines.append(
            json.dumps({"doc_key": f"d{number}", "tokens": words, "clusters": clusters}) + "\n"
        )
    return "".join(lines)


def write_documents(path):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "documents.jsonl"
        source.write_text(documents_of(9))
        coreference.write(coreference.iter_documents(source), path, "jsonlines")


WRITERS = {
    "table.npz": lambda path: pw.contingency(
        np.arange(9**5), np.arange(9**5)[::-1].copy()
    ).save(path),
    "documents.jsonl": write_documents,
    "documents.jsonl.gz": write_documents,
    "page.html": lambda path: pw.report_page(np.arange(9000) // 9, np.arange(9000) // 7).save(
        path
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_disk_that_fills_up_leaves_the_old_file_and_no_part_of_the_new(small_disk, name):
    if name == "page.html":
        pytest.importorskip("jinja2")
    path = small_disk / name
    path.write_text("old")
    with pytest.raises(OSError, match="No space left on device"):
        WRITERS[name](path)
    assert path.read_text() == "old"
    assert os.listdir(small_disk) == [name]


# ---- a writer that is killed -----------------------------------------------------------------


def test_a_kill_while_documents_are_written_leaves_the_old_file_or_the_new(tmp_path):
    path = tmp_path / "documents.jsonl"
    code = """
        import sys
        from partwise import coreference
        kinds = [coreference.read(path) for path in sys.argv[2:]]
        print("ready", flush=True)
        while True:
            for documents in kinds:
                coreference.write(documents, sys.argv[1], "jsonlines")
        """
    sources = [tmp_path / f"{entities}.jsonl" for entities in (5, 9)]
    for source, entities in zip(sources, (5, 9), strict=True):
        source.write_text(documents_of(entities))
    seen = set()
    for pause in (0.02, 0.05, 0.1, 0.2, 0.3):
        command = [sys.executable, "-c", textwrap.dedent(code), *map(str, (path, *sources))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout.readline() == "ready\n"
            time.sleep(pause)
            child.kill()
        with contextlib.suppress(FileNotFoundError):
            documents = coreference.read(path, format="jsonlines")
            seen |= {(len(documents), *{len(set(one.entity.tolist())) for one in documents})}
    assert seen <= {(30, 5), (30, 9)}
    assert seen


def test_a_link_stays_and_a_pipe_is_written_into(tmp_path):
    pytest.importorskip("jinja2")
    page = pw.report_page([0, 0, 1], [0, 1, 1])
    target, link, pipe = (tmp_path / name for name in ("page.html", "link.html", "pipe.html"))
    target.write_text("old")
    link.symlink_to(target)
    page.save(link)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == page.html
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        page.save(pipe)
        assert reader.communicate()[0].decode() == page.html
    assert pipe.is_fifo()
    with pytest.raises(FileNotFoundError, match=r"absent/page\.html"):
        page.save(tmp_path / "absent" / "page.html")


# ---- a reader that goes ----------------------------------------------------------------------


@pytest.mark.parametrize("command", ["measures", "measures --json", "compare --help"])
def test_a_pipe_whose_reader_takes_one_line(command):
    text = f"{sys.executable} -m partwise {command} | head -n 1; echo ${{PIPESTATUS[0]}} >&2"
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False)
    assert done.stderr == "0\n"
    assert done.stdout.count("\n") == 1
