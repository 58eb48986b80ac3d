"""The picture of a report page in the guide: ``python docs/report_page_figure.py``.

Needs the extras ``report``, ``plot`` and ``browser``, and Chromium on the path.
"""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib.image import imread, imsave
from playwright.sync_api import sync_playwright

import partwise as pw

HERE = Path(__file__).parent
#: Pixels of the top that are shown, and of the list.
TOP, LIST, WIDTH = 620, 560, 1100


def page() -> pw.ReportPage:
    """Return the page of 2,000 records of people that a matcher confused."""
    random = np.random.default_rng(8)
    names = [
        "Ada Lovelace",
        "Alan Turing",
        "Emmy Noether",
        "Grace Hopper",
        "Mary Somerville",
    ]
    person = random.integers(0, 500, 2000)
    moved = np.where(random.random(2000) < 0.08, person // 5 * 5, person)
    records = [f"record {i:04d}" for i in range(2000)]
    truth = [f"{names[k % 5]} {k // 5 + 1}" for k in person]
    ours = [f"group {k:03d}" for k in moved]
    sides = [pw.Clustering(labels, items=records) for labels in (truth, ours)]
    return pw.report_page(
        *sides, title="Matched records", names=("people", "groups")
    )


def main() -> None:
    """Take the two parts of the page, one above the other."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        path = Path(folder) / "page.html"
        page().save(path)
        chromium = started.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        shown = chromium.new_page(viewport={"width": WIDTH, "height": TOP})
        shown.goto(path.as_uri())
        parts = [shown.screenshot()]
        shown.set_viewport_size({"width": WIDTH, "height": LIST})
        shown.locator("summary").nth(0).click()
        shown.locator("summary").nth(1).click()
        shown.locator("#clusters").evaluate("one => one.scrollIntoView()")
        parts.append(shown.screenshot())
        chromium.close()
    images = [imread(BytesIO(part))[..., :3] for part in parts]
    imsave(HERE / "_static" / "report_page.png", np.concatenate(images))


if __name__ == "__main__":
    main()
