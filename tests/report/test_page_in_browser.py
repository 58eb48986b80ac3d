"""Report pages in Chromium: sorting, searching, what a screen reader finds, no request."""

import os
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

import partwise as pw
from partwise import coreference

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.skipif(
        os.environ.get("PARTWISE_BROWSER") != "1",
        reason="PARTWISE_BROWSER=1 opens pages in a browser, as step browser of .ci/long does",
    ),
]

TRAP = '</script><script>document.title = "broken"</script>'
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def page_of_clusters():
    random = np.random.default_rng(2)
    names = [TRAP, "Ångström", "שלום", '<img src="x" onerror="document.title=1">']
    names += [f"k{i}" for i in range(30)]
    truth = [names[i] for i in random.integers(0, len(names), 900)]
    noisy = [x if random.random() < 0.8 else f"z{random.integers(0, 9)}" for x in truth]
    items = [f"record {i:04d} {TRAP if i % 50 == 0 else ''}" for i in range(900)]
    sides = [pw.Clustering(labels, items=items) for labels in (truth, noisy)]
    return pw.report_page(*sides, title=f"{TRAP} & more")


def page_of_documents():
    key = {f"{TRAP} {d}": [[f"a{d}", TRAP, "c"], ["d", "e"], ["f", "g"]] for d in range(12)}
    response = {name: [["c", TRAP], ["d", "e", f"z{d}"]] for d, name in enumerate(key)}
    return coreference.score(key, response).report_page()


def page_of_sweep():
    random = np.random.default_rng(4)
    edges = (random.integers(0, 80, 300), random.integers(0, 80, 300), random.random(300))
    gold = np.arange(80) // 5
    return pw.sweep(gold, edges, scores="similarity").report_page(reference=gold)


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the path")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """The pages, each in a file."""
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "clusters": page_of_clusters,
        "documents": page_of_documents,
        "sweep": page_of_sweep,
    }
    for name, make in made.items():
        make().save(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def visit(browser, paths):
    """Open a page; when the test has ended, nothing was fetched and no script failed."""
    opened = []

    def visited(name, **options):
        page = browser.new_page(**options)
        seen = SimpleNamespace(page=page, requests=[], errors=[])
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                seen.errors.append(message.text) if message.type == "error" else None
            ),
        )
        page.goto(paths[name].as_uri())
        opened.append((seen, paths[name].as_uri()))
        return page

    yield visited
    for seen, address in opened:
        assert seen.errors == []
        others = [url for url in seen.requests if url != address]
        assert all(url.startswith("data:image/png") for url in others)
        seen.page.close()


def rows_of(page, listing=0):
    """Return the cells of the lines that are shown."""
    return page.evaluate(
        """listing => [...document.querySelectorAll(".listing")[listing].querySelectorAll(
            "tbody tr")].filter(row => !row.hidden && row.offsetParent !== null).map(
            row => [...row.cells].map(cell => cell.innerText.trim()))""",
        listing,
    )


def numbers(cells):
    return [float(cell.strip("<%")) for cell in cells]


@pytest.mark.parametrize("name", ["clusters", "documents", "sweep"])
def test_pages_open_without_errors_and_requests(visit, name):
    page = visit(name)
    assert page.title() not in ("broken", "1")
    assert page.locator("script").count() == 1
    assert page.locator("main img[src='x']").count() == 0
    assert page.locator(".listing").count() >= 2
    assert page.locator(".controls:visible").count() == page.locator(".listing").count()


def test_names_that_are_markup_are_text(visit):
    page = visit("clusters")
    assert page.title() == f"{TRAP} & more"
    heading = page.get_by_role("heading", level=1)
    assert heading.inner_text() == f"{TRAP} & more"
    assert page.get_by_role("rowheader", name=TRAP, exact=True).count() >= 1
    page.get_by_role("button", name="Show all items").first.click()
    assert page.get_by_text(f"record 0000 {TRAP}", exact=True).first.is_visible()


def test_sorting_by_numbers_and_names(visit):
    page = visit("clusters")
    before = rows_of(page)
    heads = page.locator(".sorted").first.get_by_role("columnheader")
    names = [head.inner_text().strip() for head in heads.all()]
    for name in ("items", "apart", "entropy, nats", "share of loss"):
        at = names.index(name)
        button = page.locator(".sorted").first.get_by_role("button", name=name, exact=True)
        button.click()
        assert heads.nth(at).get_attribute("aria-sort") == "descending"
        down = numbers(row[at] for row in rows_of(page))
        assert down == sorted(down, reverse=True)
        button.click()
        assert heads.nth(at).get_attribute("aria-sort") == "ascending"
        up = numbers(row[at] for row in rows_of(page))
        assert up == sorted(up)
        assert len(set(up)) > 1
        assert page.locator(".sorted").first.locator("[aria-sort]").count() == 1
    page.locator(".sorted").first.get_by_role("button", name="cluster", exact=True).click()
    shown = [row[0] for row in rows_of(page)]
    numbered = [name for name in shown if name[:1] == "k"]
    assert numbered == sorted(numbered, key=lambda name: int(name[1:]))
    assert numbered != [row[0] for row in before if row[0][:1] == "k"]
    assert sorted(map(tuple, before)) == sorted(map(tuple, rows_of(page)))
    status = page.get_by_role("status").first.inner_text()
    assert status.endswith("sorted by cluster, A to Z")


def test_searching_and_choosing(visit):
    page = visit("clusters")
    every = rows_of(page)
    search = page.get_by_label("Search").first
    status = page.get_by_role("status").first
    search.fill("ÅNGSTRÖM")
    page.wait_for_function("document.querySelector('.state').textContent.includes(' of ')")
    status.filter(has_not_text=f"{len(every)} of").wait_for()
    shown = rows_of(page)
    assert 0 < len(shown) < len(every)
    assert any("ngstr" in row[0] for row in shown)
    assert status.inner_text().startswith(f"{len(shown)} of {len(every)} clusters shown")
    search.fill("no such words anywhere")
    status.filter(has_text=f"0 of {len(every)} clusters shown").wait_for()
    assert rows_of(page) == []
    search.fill("")
    status.filter(has_text=f"{len(every)} of {len(every)}").wait_for()
    assert rows_of(page) == every
    page.get_by_label("Show", exact=True).first.select_option("merged")
    assert {row[1] for row in rows_of(page)} == {"merged"}
    search.fill("z1 k")
    status.filter(has_not_text="0 of").wait_for()
    # an item that is listed is found, too
    page.get_by_label("Show", exact=True).first.select_option("")
    search.fill("record")
    status.filter(has_text=f"{len(every)} of {len(every)}").wait_for()


def test_a_screen_reader_finds_its_way(visit):
    page = visit("clusters")
    assert page.get_by_role("heading", level=1).count() == 1
    titles = [one.inner_text() for one in page.get_by_role("heading", level=2).all()]
    assert titles == [
        *("What was read", "Measures", "Splits and merges", "Pictures", "Worst clusters"),
    ]
    for role in ("banner", "main", "contentinfo", "navigation"):
        assert page.get_by_role(role).count() == 1
    links = page.get_by_role("navigation").get_by_role("link")
    assert [one.inner_text() for one in links.all()] == titles
    for title in titles:
        assert page.get_by_role("region", name=title, exact=True).count() == 1
    assert page.get_by_role("search", name="clusters").count() == 1
    assert page.get_by_role("searchbox", name="Search").count() == 2
    assert page.get_by_role("combobox", name="Show").count() >= 1
    tables = page.get_by_role("table").all()
    assert len(tables) >= 4
    assert all(one.locator("caption").inner_text() for one in tables)
    assert page.get_by_role("img").count() >= 2
    for one in page.get_by_role("img").all():
        assert len(one.get_attribute("aria-label") or one.get_attribute("alt")) > 40


def test_everything_is_reached_by_keys(visit):
    page = visit("clusters")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "search":
            break
    page.keyboard.type("k1")
    page.wait_for_timeout(300)
    few = rows_of(page)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "items":
            break
    page.keyboard.press("Enter")
    down = numbers(row[2] for row in rows_of(page))
    assert down == sorted(down, reverse=True)
    assert len(down) == len(few) > 1
    width = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert width >= 2
    summary = page.locator("summary:visible").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.locator("..").get_attribute("open") is not None


@pytest.mark.parametrize("name", ["clusters", "documents", "sweep"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_text_can_be_read_and_nothing_sticks_out(visit, name, scheme, width):
    page = visit(name, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ratios = page.evaluate(CONTRAST)
    assert len(ratios) > 20
    assert min(ratios) >= 4.5


#: Ratio of the luminance of text to that of what is behind it, for texts of the page.
CONTRAST = """() => {
  const parts = color => color.match(/[\\d.]+/g).map(Number);
  const light = color => parts(color).slice(0, 3).map(x => x / 255).map(
    x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4).reduce(
    (sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      const alpha = parts(color)[3];
      if (alpha === undefined || alpha > 0) return color;
    }
  };
  const texts = document.querySelectorAll("h1, h2, p, dt, dd, th, td, a, caption, li, button");
  return [...texts].filter(one => one.offsetParent && one.innerText.trim()).slice(0, 600).map(
    one => {
      const pair = [light(getComputedStyle(one).color), light(behind(one))];
      return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    });
}"""


def test_print(visit):
    page = visit("clusters")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".controls:visible").count() == 0
    assert page.get_by_role("navigation").count() == 0
    colors = page.evaluate(
        "(style => [style.color, style.backgroundColor])(getComputedStyle(document.body))"
    )
    assert colors == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    filters = page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(one => getComputedStyle(one).filter)"
    )
    assert set(filters) == {"none"}
    head = page.locator(".sorted thead").first.inner_text().split()
    assert {"cluster", "items", "apart"} <= set(head)
    assert page.pdf()[:5] == b"%PDF-"


def test_without_scripts_the_lists_are_there(visit):
    page = visit("clusters", java_script_enabled=False)
    assert page.locator(".controls:visible").count() == 0
    assert page.locator(".sorted tbody tr:visible").count() > 10
    assert page.get_by_role("columnheader", name="apart").count() == 1
