"""What tests of files of labels share."""

import pytest

from partwise.labels.files import text as plain_text


@pytest.fixture(params=["plain", "large"])
def reader(request, monkeypatch):
    """Both readers of tables; the one for large files takes small ones too."""
    if request.param == "large":
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(plain_text, "_WORTH_ARROW", 1)
    return request.param
