"""Text that is not UTF-8: one sentence with the file and the line, whatever reads it."""

import gzip
import io
import sys
from types import SimpleNamespace

import pytest

from partwise.cli import main

pytestmark = pytest.mark.one_backend
DAMAGED = {
    "latin": (b"a\nb\n\xe9;\n", ":3: not UTF-8 text (byte 0xe9); convert it"),
    "nul": (b"a\nb\0;\n", ":2: a NUL byte; this is not a text file"),
    "half": ("a;\n".encode("utf-16-le"), ": UTF-16LE text without a byte order mark"),
}


@pytest.mark.parametrize("kind", DAMAGED)
@pytest.mark.parametrize("command", ["hierarchy", "cover"])
def test_the_file_and_the_line_are_named(command, kind, tmp_path, capsys):
    content, sentence = DAMAGED[kind]
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("(a,b);" if command == "hierarchy" else "a b\n")
    bad.write_bytes(content)
    more = [str(bad)] if command == "hierarchy" else [str(good), "--items", str(bad)]
    more += ["--format", "communities"] if command == "cover" else []
    assert main([command, str(good), *more]) == 2
    assert f"{bad}{sentence}" in capsys.readouterr().err


def standard_input(content):
    return SimpleNamespace(buffer=io.BytesIO(content))


def test_a_tree_from_standard_input(tmp_path, capsys, monkeypatch):
    tree = tmp_path / "tree"
    tree.write_bytes("((a,b),\xe9);".encode("utf-16"))  # with its mark
    monkeypatch.setattr(sys, "stdin", standard_input("((a,\xe9),b);".encode()))
    assert main(["hierarchy", str(tree), "-"]) == 0
    monkeypatch.setattr(sys, "stdin", standard_input(b"(a,\xe9);"))
    assert main(["hierarchy", str(tree), "-"]) == 2
    assert "standard input:1: not UTF-8 text" in capsys.readouterr().err


def test_items_of_a_cover_are_read_by_their_content(tmp_path, capsys, monkeypatch):
    clusters, items = tmp_path / "c.cmty", tmp_path / "items"
    clusters.write_text("a b c\nd e\n")
    items.write_bytes(gzip.compress(b"a\nb\nc\nd\ne\nf\n"))
    command = ["cover", str(clusters), str(clusters), "--items"]
    assert main([*command, str(items)]) == 0
    out = capsys.readouterr().out
    assert "6 items" in out
    monkeypatch.setattr(sys, "stdin", standard_input(b"a\nb\nc\nd\ne\nf\n"))
    assert main([*command, "-"]) == 0
    assert capsys.readouterr().out == out
    assert main(["cover", str(clusters), "-", "--items", "-"]) == 2
    assert "standard input holds either clusters or --items" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"a,b,c\nd,e\n", b"a b\nd e\n", b"a b c\nd e\n"])
def test_lines_that_are_no_table_may_be_communities(text, tmp_path, capsys, monkeypatch):
    clusters = tmp_path / "c.cmty"
    clusters.write_text("a b c\nd e\n")
    monkeypatch.setattr(sys, "stdin", standard_input(text))
    assert main(["cover", str(clusters), "-"]) == 2
    err = capsys.readouterr().err
    assert "--format communities" in err
    assert "--format lines" not in err
