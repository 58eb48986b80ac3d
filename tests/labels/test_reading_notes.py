"""The guide's table of notes holds every code, with its meaning."""

import re
from pathlib import Path

import pytest

from partwise.labels.notes import CODES

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "labels.md"


@pytest.mark.one_backend
def test_the_guide_has_every_code_of_a_note():
    lines = re.findall(
        r"^\| `([a-z-]+)` \| (told|suspicious) \| (.*) \|$", GUIDE.read_text(), re.M
    )
    shown = {code: (kind == "suspicious", meaning) for code, kind, meaning in lines}
    assert len(lines) == len(shown)
    assert shown == {code: tuple(kind) for code, kind in CODES.items()}
