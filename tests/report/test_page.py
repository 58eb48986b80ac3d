"""Report pages as text: what they hold, how long they get, what cannot break them."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise import coreference
from partwise.cli import main
from partwise.report.page import parts, pictures, render
from partwise.report.page.pictures import picture_of
from partwise.scoring.page.pair import account_facts

pytest.importorskip("jinja2")
pytestmark = pytest.mark.one_backend

TRAP = '</script><script>alert("x")</script>'
TRAPS = [
    TRAP,
    "a & b < c",
    "quote \" and '",
    "line\nbreak\tand tab",
    "שלום",
    "x" * 10_000,
    "",
    "{{ 7 * 7 }}",
]
SPLIT = [1, 1, 2, 2], [1, 2, 2, 2]
#: Elements that have no end tag.
VOID = {"meta", "input", "img", "br", "link"}


class Outline(HTMLParser):
    """The elements of a page, and what a reader of it can rely on."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append((self.open[-1] if self.open else "", data))

    def of(self, *tags):
        return [attributes for tag, attributes in self.elements if tag in tags]


def outline(page):
    """Return the elements of a page that is whole, with one name for each place."""
    read = Outline(page.html)
    assert read.open == []
    names = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(names) == len(set(names))
    referred = re.findall(r'(?:href="#|url\(#|for="|aria-labelledby=")([^)"]+)', page.html)
    assert set(referred) <= set(names)
    return read


@pytest.fixture
def quick(monkeypatch):
    """Pictures are drawn, but not turned into text."""
    monkeypatch.setattr(pictures, "_svg", lambda figure, key: f"<svg><g>{key}</g></svg>")


@pytest.fixture(scope="module")
def odd():
    """Clusters and items whose names are traps."""
    random = np.random.default_rng(5)
    names = [*TRAPS, *(f"k{i}" for i in range(12))]
    truth = [names[i] for i in random.integers(0, len(names), 400)]
    noisy = [x if random.random() < 0.7 else names[random.integers(0, 9)] for x in truth]
    items = [f"{TRAPS[i % len(TRAPS)]} {i}" for i in range(400)]
    return pw.Clustering(truth, items=items), pw.Clustering(noisy, items=items)


@pytest.fixture(scope="module")
def page(odd):
    return pw.report_page(*odd, title=TRAP, names=(TRAP, "x" * 10_000))


def test_labels_are_text(page):
    read = outline(page)
    assert TRAP not in page.html
    assert len(read.of("script")) == 1
    assert page.title == TRAP
    assert f"<title>{page.title}" not in page.html
    shown = "".join(text for tag, text in read.text if tag not in ("script", "style"))
    for trap in TRAPS:
        # blanks in a label are one blank, and a long label loses its middle
        expected = " ".join(trap.split()) if len(trap) < parts.LABEL else "x" * 50 + "x"
        assert expected in shown
    assert "49" not in re.findall(r"\{\{.*?\}\}|\b49 #", shown)
    assert "x" * parts.LABEL not in shown
    assert "{{ 7 * 7 }}" in shown


def test_nothing_comes_from_elsewhere(page):
    """Neither an address nor a style could fetch anything, and the policy would not let it."""
    read = outline(page)
    sources = [
        attributes.get(name)
        for _, attributes in read.elements
        for name in ("src", "href", "xlink:href", "srcset", "action", "data")
        if attributes.get(name)
    ]
    assert sources
    assert all(source.startswith(("#", "data:image/png;base64,")) for source in sources)
    assert not re.findall(r"url\((?!#)", page.html)
    assert "@import" not in page.html
    policy = next(x["content"] for x in read.of("meta") if "http-equiv" in x)
    assert policy.startswith(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
    )
    handlers = [
        name for _, attributes in read.elements for name in attributes if name[:2] == "on"
    ]
    assert handlers == []


def test_headings_labels_and_tables_say_what_they_are(page):
    read = outline(page)
    assert len(read.of("h1")) == 1
    assert next(tag for tag, _ in read.elements if tag in ("h1", "h2", "h3")) == "h1"
    sections = [x["aria-labelledby"] for x in read.of("section")]
    assert sections == ["read", "measures", "diagnosis", "pictures", "clusters"]
    labels = {x["for"] for x in read.of("label")}
    assert labels == {x["id"] for x in read.of("input", "select")}
    assert len(read.of("caption")) == len(read.of("table"))
    assert all(x.get("scope") in ("col", "row", "rowgroup") for x in read.of("th"))
    assert [x.get("role") for x in read.of("p") if "role" in x] == ["status", "status"]
    pictures = [x for _, x in read.elements if x.get("role") == "img"] + read.of("img")
    assert len(pictures) >= 2
    assert all(x.get("aria-label") or x.get("alt") for x in pictures)
    regions = [x for x in read.of("div") if x.get("class") == "scroll"]
    assert all(x["tabindex"] == "0" and x["aria-labelledby"] for x in regions)


def test_the_page_has_what_the_results_have(odd, page):
    comparison, diagnosis = pw.compare(*odd), pw.diagnose(*odd, worst=200)
    shown = " ".join(text.strip() for _, text in outline(page).text)
    for name, value in comparison.scores.items():
        assert f"{name} " in shown
        assert parts.show(value) in shown
    for note in comparison.account.notes:
        assert str(note)[:500] in shown
    assert f"{diagnosis.splits.count} reference clusters" in shown
    rows = re.findall(r'<tr data-kind="(split|merged)">', page.html)
    assert rows.count("split") == len(diagnosis.splits.worst)
    assert rows.count("merged") == len(diagnosis.merges.worst)


def test_items_of_the_parts_are_those_of_the_clusters(quick):
    truth = np.repeat(["a", "b", "c"], [6, 5, 4])
    noisy = np.array(list("ppppqqrrrrqsssq"))
    items = [f"item{i:02d}" for i in range(15)]
    made = pw.report_page(
        pw.Clustering(truth, items=items), pw.Clustering(noisy, items=items), items=3
    )
    lines = re.findall(r"<tr data-kind.*?</tr>", made.html, re.DOTALL)
    read = {}
    for line in lines:
        name = re.search(r"<th [^>]*>(.*?)</th>", line)[1]
        read[name] = {
            part: (int(count), re.findall(r'<li dir="auto">(.*?)</li>', listed), listed)
            for part, count, listed in re.findall(
                r"<summary><bdi>(.*?)</bdi> \((\d+)\)</summary>(.*?)</details>", line
            )
        }
    assert set(read) >= {"a", "b", "c", "q"}
    for name, of_parts in read.items():
        if name.isdecimal():  # a component
            continue
        for part, (count, listed, tail) in of_parts.items():
            sides = (truth, noisy) if name in truth else (noisy, truth)
            both = np.flatnonzero((sides[0] == name) & (sides[1] == part))
            assert count == len(both)
            assert listed == [items[i] for i in both[:3]]
            assert (f"and {count - 3} more" in tail) == (count > 3)


@pytest.mark.parametrize(
    ("sides", "policies", "sentence"),
    [
        (([], []), {}, "No reference cluster is split"),
        (([1], [2]), {}, "there is only one component"),
        (([1] * 9, [1] * 9), {}, "No reference cluster is split"),
        ((list(range(9)), list(range(9))), {}, "no component has a loss"),
        ((list(range(9)), [0] * 9), {}, "1 candidate cluster (9 items)"),
        (([1, 1, 2, 2], [1, 2, 2, 2]), {"weights": [1, 2.5, 0, 1]}, "items of weight 0"),
        (
            ([1, 1, 2, 2], [1, 2, 2, 2]),
            {"multiplicity": [1, 2, 0, 1]},
            "items of multiplicity 0",
        ),
        (([1, None, 2, 2], [1, 2, 2, 2]), {"missing": "drop"}, "without a reference label"),
        (([1, 1, 2, 2], [1, 2, 2, 2]), {"worst": 0}, "as worst=0 was asked for"),
        (
            ([1, 1, 2, 2], [1, 2, 2, 2]),
            {"by": "classification_accuracy"},
            "classification_accuracy",
        ),
    ],
)
def test_pages_of_what_is_rare(quick, sides, policies, sentence):
    made = pw.report_page(*sides, **policies)
    outline(made)
    assert sentence in made.html


def test_a_table_has_no_items(quick, odd):
    made = pw.report_page(pw.contingency(*odd))
    outline(made)
    assert "so there are no items to list" in made.html
    assert "<details>" not in made.html
    with pytest.raises(TypeError, match="policies apply where labels are aligned"):
        pw.report_page(pw.contingency(*odd), missing="drop")
    with pytest.raises(TypeError, match="report_page takes two clusterings"):
        pw.report_page(odd[0])


def test_items_came_in_on_two_sides_or_as_counts():
    counts = pw.Contingency.from_counts(["a", "b"], ["x", "y"], [3, 2])
    assert account_facts(counts.account) == [
        ("items compared", "5, aligned from a table of counts")
    ]
    by_position = account_facts(pw.compare([0, 1, 1], [0, 1, 0]).account)
    assert by_position == [
        ("items that came in", "3 and 3"),
        ("items compared", "3, aligned by position"),
    ]


def test_a_value_that_is_no_number_has_no_bar():
    table = parts.Table(("m", "value"), [("a", float("nan")), ("b", 0.5), ("c", float("inf"))])
    sheet = parts.Sheet("c", table, bars=1, barred=frozenset({0, 1, 2}))
    made = render.rendered("t", [parts.Section("s", "S", [sheet])])
    outline(made)
    assert [sheet.width(line) for line in range(3)] == [None, 50.0, 100.0]
    assert made.html.count('class="bar"') == 2
    assert ">nan<" in made.html


def test_columns_of_numbers_are_sorted_as_numbers(quick, odd, monkeypatch):
    listings = []
    made = parts.Listing.__init__

    def kept(self, *arguments, **options):
        made(self, *arguments, **options)
        listings.append(self)

    monkeypatch.setattr(parts.Listing, "__init__", kept)
    pw.report_page(*odd)
    response = {"d": [["a", "b", "e"], ["c", "d", "f"]]}
    coreference.score({"d": [["a", "b"], ["c", "d", "e"], ["f"]]}, response).report_page()
    gold, edges = [0, 0, 1, 1, 1], [(0, 1, 0.9), (1, 2, 0.6), (3, 4, 0.5), (2, 3, 0.4)]
    pw.sweep(gold, edges, scores="similarity").report_page(reference=gold)
    assert len(listings) == 7
    for listing in listings:
        assert listing.entries
        cells = zip(*(entry.cells for entry in listing.entries), strict=True)
        for column, of_column in zip(listing.columns, cells, strict=True):
            numbers = any(cell.value is not None for cell in of_column)
            assert column.numeric == numbers, (listing.caption, column.name)


# ---- how long a page gets ---------------------------------------------------------------


def entry(name, items):
    piece = parts.Piece(name, items, [f"{'<&' * 60}{i}" for i in range(items)])
    return parts.Entry("split", [parts.Cell(name), parts.Cell.of(items)], [piece] * 10)


def test_lists_end_where_they_have_taken_their_share(monkeypatch):
    columns = [parts.Column("a"), parts.Column("b", numeric=True)]
    entries = [entry(f"{'é<' * 60}{i}", 10) for i in range(60)]
    listing = parts.Listing("c", "clusters", columns, "parts", entries, total=1_000_000)
    few = parts.Listing("c", "clusters", columns, "parts", entries[:1], total=1)
    monkeypatch.setattr(render, "LISTED_BYTES", 400_000)
    made = render.rendered("t", [parts.Section("s", "S", [listing, few])])
    outline(made)
    rows = re.findall(r"<tr data-kind.*?</tr>\n", made.html, re.DOTALL)
    taken = sum(len(row.encode()) for row in rows[:-1])
    assert taken <= 200_000 < taken + 2 * len(rows[0].encode())
    assert f"The list has {len(rows) - 1} of 1000000 clusters" in made.html
    assert len(made.html.encode()) < 400_000 + 40_000


def test_the_page_does_not_grow_with_the_clusters(quick):
    """From some number on, only what is counted differs."""
    sizes = []
    for n in (2_000, 16_000):
        truth, block = np.arange(n) // 4, np.arange(n) // 20
        noisy = np.where(np.arange(n) % 5 == 0, block * 5 + (truth * 3 + 1) % 5, truth)
        sizes.append(len(pw.report_page(truth, noisy, worst=60).html.encode()))
    assert max(sizes) < 1.1 * min(sizes)
    most = render.LISTED_BYTES + 4 * 4 / 3 * 300_000
    assert most < 5_000_000


def test_a_picture_of_many_points_is_a_png():
    pytest.importorskip("matplotlib")
    from partwise.report.plots.style import new_axes

    def draw(n):
        ax = new_axes()
        ax.scatter(np.arange(n), np.arange(n) % 97)
        return ax

    few, many = (
        picture_of(lambda n=n: draw(n), key="k", caption="c", description="d")
        for n in (5, 9000)
    )
    assert few.svg.startswith("<svg viewBox=")
    assert few.png == ""
    assert many.svg == ""
    assert 0 < len(many.png) < 500_000


# ---- coreference and sweeps -------------------------------------------------------------


def test_page_of_coreference(quick):
    key = {f"{TRAP} {d}": [[TRAP, f"b{d}", "c"], ["d", "e"], ["f"]] for d in range(3)}
    response = {name: [[TRAP, "c"], ["d", "e", "z"]] for name in key}
    scores = coreference.score(key, response)
    made = scores.report_page(names=("key.conll", "ours"))
    read = outline(made)
    assert made.title == "ours scored against key.conll"
    assert TRAP not in made.html
    shown = " ".join(text.strip() for _, text in read.text)
    assert f"{100 * scores['conll'].f1:.2f}" in shown
    assert [x["aria-labelledby"] for x in read.of("section")] == [
        *(
            "read",
            "measures",
            "errors",
            "categories",
            "pictures",
            "documents",
            "entities",
            "mentions",
        )
    ]
    assert made.html.count('<tr data-kind="document">') == 3
    assert made.html.count('<tr data-kind="only in the key">') == 6
    kinds = coreference.error_analysis(scores)
    missed = f"missed: no mention is in the response {kinds['missed'].entities} "
    assert missed in " ".join(shown.split())
    one = coreference.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}).report_page()
    outline(one)
    assert "No entity costs anything." in one.html
    again = type(scores).from_json(scores.to_json())
    with pytest.raises(ValueError, match="read from JSON"):
        again.report_page()


def words_of(made):
    return " ".join(" ".join(text for _, text in outline(made).text).split())


@pytest.mark.parametrize("measure", ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea"])
def test_page_has_errors_by_kind_of_the_measure_asked_for(quick, measure):
    examples = Path(__file__).parents[2] / "examples"
    scores = coreference.score(examples / "key.conll", examples / "response.conll")
    shown = words_of(scores.report_page(errors=measure))
    analysis = coreference.error_analysis(scores, measure)
    for kinds, part in ((analysis.key, "recall"), (analysis.response, "precision")):
        what = {"b_cubed": "B-cubed", "muc": "MUC", "lea": "LEA", "ceaf_e": "CEAF-e"}
        assert f"lack of the {part} of {what.get(measure, '')}" in shown
        for one in kinds:
            row = rf"{one.kind}: [a-z ,]*{one.entities} {one.mentions} {one.loss:.2f} "
            assert re.search(row, shown), one.kind
    # with the words of the mentions
    if measure != "mentions":
        assert re.search(
            r'merged: \d\.\d\d \(lighthouse\); part 000, entity 0 of 4: 3 in 0: "Nora"', shown
        )


def test_page_under_a_convention_without_errors_of_b_cubed(quick):
    key, response = {"d": [["a", "b", "c"]]}, {"d": [["a", "b"], ["c"]]}
    scores = coreference.score(key, response, convention="cai-strube")
    assert "lack of the recall of LEA" in words_of(scores.report_page())
    with pytest.raises(ValueError, match=r"errors='b_cubed'.*take mentions, muc or lea"):
        scores.report_page(errors="b_cubed")
    with pytest.raises(ValueError, match="errors='blanc' is no sum over entities"):
        scores.report_page(errors="blanc")


def test_page_of_a_sweep(quick):
    gold = pw.Clustering([TRAP, TRAP, "b", "b", "c", None], items=[f"i{k}" for k in range(6)])
    edges = (["i0", "i1", "i2", "i3"], ["i2", "i0", "i3", "i4"], [0.3, 0.9, 0.8, 0.5])
    curve = pw.sweep(gold, edges, scores="similarity", unlabelled="ignore")
    made = curve.report_page(reference=gold, names=("gold", "edges"))
    read = outline(made)
    assert TRAP not in made.html
    best = curve.best("adjusted_rand_index")
    assert "the best cut by adjusted_rand_index" in made.html
    shown = " ".join(text.strip() for _, text in read.text)
    assert f"{best.cut:g} threshold to cut at" in shown.replace(
        "threshold to cut at 0", "0"
    ) or (f"threshold to cut at {best.cut:g}" in shown)
    assert len(
        re.findall(r'<tr data-kind="(?:best by a measure|other states)">', made.html)
    ) == len(curve)
    assert "clusters" in [x["aria-labelledby"] for x in read.of("section")]
    bare = curve.report_page(measure="pair_f1")
    outline(bare)
    assert "Worst clusters" not in bare.html
    with pytest.raises(ValueError, match="pass the reference that was swept"):
        curve.report_page(reference=[1, 2])


def test_a_sweep_of_many_states_lists_some():
    n = 2_000
    random = np.random.default_rng(3)
    edges = (np.arange(n - 1), np.arange(1, n), random.random(n - 1))
    curve = pw.sweep(
        np.arange(n) // 4, edges, scores="distance", measures=["pair_f1", "purity"]
    )
    made = curve.report_page()
    outline(made)
    assert 300 <= made.html.count("<tr data-kind=") <= 302
    assert len(made.html.encode()) < 2_000_000


# ---- the command, the extras ------------------------------------------------------------


def run(capsys, *arguments):
    code = main([str(x) for x in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in ("truth.txt", "ours.txt")]
    paths[0].write_text("1\n1\n2\n2\n")
    paths[1].write_text("1\n2\n2\n2\n")
    return paths


def test_command_writes_a_page(capsys, files, tmp_path):
    target = tmp_path / "report.html"
    code, out, err = run(capsys, "report", *files, "-o", target, "--title", TRAP)
    assert (code, err) == (0, "")
    assert out.startswith(f"{target}: ")
    written = target.read_text()
    assert (
        written
        == pw.report_page(
            *map(pw.read, files), names=("truth.txt", "ours.txt"), title=TRAP
        ).html
    )
    code, out, _ = run(capsys, "report", *files, "-o", "-", "--title", TRAP)
    assert (code, out) == (0, written)
    table = tmp_path / "table.npz"
    pw.contingency(*map(pw.read, files)).save(table)
    code, _, _ = run(capsys, "report", table, "-o", target)
    assert code == 0
    assert '<h1 dir="auto">table.npz</h1>' in target.read_text()


def test_command_refuses_places_to_write(capsys, files, tmp_path):
    before = files[1].read_text()
    for target, sentence in (
        (files[1], "--output names an input, which it would replace"),
        (tmp_path, "--output names a folder; name a file in it"),
        (tmp_path / "none" / "r.html", "there is no folder"),
    ):
        code, out, err = run(capsys, "report", *files, "-o", target)
        assert (code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1
    assert files[1].read_text() == before
    if sys.platform == "linux":
        code, _, err = run(capsys, "report", *files, "-o", "/dev/full")
        assert code == 2
        assert "No space left" in err


def test_command_says_which_page_documents_have(capsys, tmp_path):
    examples = Path(__file__).parents[2] / "examples"
    sides = [examples / "key.conll", examples / "response.conll"]
    code, out, err = run(capsys, "report", *sides, "-o", tmp_path / "r.html")
    assert (code, out) == (2, "")
    assert "partwise report-coref writes their page" in err
    target = tmp_path / "r.html"
    assert run(capsys, "report-coref", *sides, "-o", target)[0] == 0
    assert '<h1 dir="auto">response.conll scored against key.conll</h1>' in target.read_text()
    assert "lack of the recall of B-cubed" in target.read_text()
    assert run(capsys, "report-coref", *sides, "-o", target, "--errors", "muc")[0] == 0
    assert "lack of the recall of MUC" in target.read_text()
    for command in ("report-coref", "coref"):
        output = ("-o", target) if command == "report-coref" else ()
        code, out, err = run(capsys, command, *sides, *output, "--errors", "blanc")
        assert (code, out) == (2, "")
        assert "--errors blanc is no sum over entities" in err


def test_without_the_extras(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    made = pw.report_page([1, 1, 2, 2], [1, 2, 2, 2])
    outline(made)
    assert "pictures need matplotlib; pip install" in made.html
    assert "<svg" not in made.html
    render._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'partwise\[report\]'"):
        pw.report_page([1, 1], [1, 2])


def test_a_page_as_an_object(page, tmp_path):
    assert len(repr(page)) < 120
    assert str(page) == page.html
    assert page._repr_html_().startswith("<iframe title=")
    assert TRAP not in page._repr_html_()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page.html
    with pytest.raises(FileNotFoundError):
        page.save(tmp_path / "none" / "page.html")
    assert pw.report_page([1, 2], [1, 1]).html == pw.report_page([1, 2], [1, 1]).html
