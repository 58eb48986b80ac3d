"""Every result in every form: short in a shell and a notebook, escaped, and back from JSON."""

import inspect
import json
import math
import re
from dataclasses import dataclass
from html.parser import HTMLParser

import numpy as np
import pytest

import every_result
import partwise as pw
from partwise import coreference
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.latex import escaped
from partwise.report.numbers import show
from partwise.report.table import WIDTH, Table, Tabular, best_of
from partwise.report.tables import text_table
from partwise.scoring.soft import SoftComparison
from partwise.thresholds.bootstrap import SweepBootstrap

pytestmark = pytest.mark.one_backend

RESULTS = every_result.results()
TABULAR = [kind for kind, one in RESULTS.items() if isinstance(one, Tabular)]
STORED = [kind for kind, one in RESULTS.items() if isinstance(one, JsonResult)]


def test_every_public_class_of_results_is_walked_over():
    """A new result without a place in ``every_result`` fails here."""
    public = [getattr(pw, name) for name in pw.__all__]
    public += [getattr(coreference, name) for name in coreference.__all__]
    public += [SoftComparison, SweepBootstrap]
    classes = {x for x in public if inspect.isclass(x) and issubclass(x, (Tabular, JsonResult))}
    assert classes == {type(RESULTS[kind]) for kind in TABULAR}
    assert TABULAR == STORED
    assert len(classes) == 33


@pytest.mark.parametrize("kind", RESULTS)
def test_one_line_in_a_shell(kind):
    text = repr(RESULTS[kind])
    assert "\n" not in text
    assert text.startswith(f"{type(RESULTS[kind]).__name__}(")
    assert len(text) < 400


@pytest.mark.parametrize("kind", RESULTS)
def test_a_short_table_in_a_notebook(kind):
    html = RESULTS[kind]._repr_html_()
    assert max(table.count("<tr>") for table in html.split("</table>")) <= 31
    assert html.count("<tr>") <= 100
    assert len(html) < 60_000
    assert "<script" not in html


class Tags(HTMLParser):
    """Tags that are opened and closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.names.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", RESULTS)
def test_notebook_html_is_well_formed(kind):
    tags = Tags(RESULTS[kind]._repr_html_())
    assert tags.open == []
    assert tags.names <= set(
        ["table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "span", "p"]
    )


def test_names_of_a_user_reach_html_escaped():
    html = RESULTS["score table"]._repr_html_()
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in html


@pytest.mark.parametrize("kind", STORED)
def test_json_reads_back_equal(kind):
    result = RESULTS[kind]
    text = result.to_json()
    again = type(result).from_json(text)
    assert again == result
    assert again.to_json() == text
    assert str(again) == str(result)
    assert repr(again) == repr(result)
    assert again._repr_html_() == result._repr_html_()


@pytest.mark.parametrize("kind", STORED)
def test_json_says_what_it_is(kind):
    text = RESULTS[kind].to_json(None)
    document = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert re.fullmatch(r"partwise\.[a-z-]+/\d+", document["schema"])
    assert document["version"] == pw.__version__
    assert isinstance(document["options"], dict)
    assert isinstance(document["notes"], list)


def test_schemas_differ():
    schemas = {json.loads(RESULTS[kind].to_json())["schema"] for kind in STORED}
    assert len(schemas) == len({type(RESULTS[kind]) for kind in STORED})


@pytest.mark.parametrize("kind", STORED)
def test_json_of_another_kind_is_refused(kind):
    own = type(RESULTS[kind])
    with pytest.raises(ValueError, match="no JSON"):
        own.from_json("{")
    with pytest.raises(ValueError, match="the text has no schema"):
        own.from_json("[]")
    other = {**json.loads(RESULTS[kind].to_json()), "schema": "partwise.other/1"}
    with pytest.raises(ValueError, match=r"schema 'partwise\.other/1'; 'partwise"):
        own.from_json(json.dumps(other))
    head = {"schema": other["schema"].replace("other/1", own._schema)}
    with pytest.raises(ValueError, match="lacks a part of the document"):
        own.from_json(json.dumps(head))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda kept: kept.update(base64="\xe9"), "only ASCII"),
        (lambda kept: kept.update(base64="AAA="), "buffer size"),
        (lambda kept: kept.update(shape=[-2, 3]), "reshape"),
        (lambda kept: kept.update(type="O"), "the type 'O', which is none of numbers"),
        (lambda kept: kept.update(type="f8,(f8"), "none of numbers"),
        (lambda kept: kept.update(type=["f8"]), "none of numbers"),
    ],
)
def test_json_whose_arrays_are_damaged_is_refused(change, sentence):
    result = RESULTS["sweep bootstrap"]
    document = json.loads(result.to_json())
    change(document["values"])
    with pytest.raises(ValueError, match=rf"from_json: .* another form \(.*{sentence}"):
        type(result).from_json(json.dumps(document))


def test_json_of_an_account_that_contradicts_itself_is_refused():
    document = json.loads(pw.compare([0, 0, 1], [0, 1, 1]).to_json())
    document["account"]["reference"]["missing"] = 3
    with pytest.raises(ValueError, match="its account says missing_policy='error' for 3 items"):
        pw.Comparison.from_json(json.dumps(document))


def test_json_whose_parts_do_not_fit_each_other_is_refused():
    result = next(one for one in RESULTS.values() if type(one).__name__ == "GroupedScores")
    document = json.loads(result.to_json())
    group = next(iter(document["groups"]))
    document["groups"]["another"] = document["groups"].pop(group)  # its scores have no counts
    with pytest.raises(
        ValueError, match=r"GroupedScores\.from_json: .* another form \(KeyError"
    ):
        type(result).from_json(json.dumps(document))


@dataclass(frozen=True)
class _Own:
    """A label of one's own, that JSON has no form for."""

    number: int


@pytest.mark.parametrize(
    "reference",
    [
        [0, 0, 1, None],
        [("d", 1), ("d", 1), ("d", 2), None],
        [_Own(1), _Own(1), _Own(2), _Own(1)],
        [1.5, math.inf, math.inf, -math.inf],
        np.array([1.5, math.inf, math.inf, 2], dtype=np.float32),
        np.array(["2020-01-01", "2020-01-01", "2021-01-01", "NaT"], dtype="M8[ns]"),
        np.array(["2020-01-01", "2020-01-01", "2021-01-01", "NaT"], dtype="M8[s]"),
        np.array([1, 1, 10**9, 5], dtype="m8[ns]"),
        [b"x", b"x", b"y", b"z"],
    ],
)
def test_a_diagnosis_that_was_read_back_says_the_same(reference):
    found = pw.diagnose(reference, [0, 1, 1, 0], missing="singletons", items=True)
    read = pw.Diagnosis.from_json(found.to_json())
    assert read == found
    assert str(read) == str(found)
    alone = pw.labels.SingletonLabel(3)
    if reference[3] is None:
        assert [cell.reference for cell in read.worst[0].cells].count(alone) == 1


def test_items_that_are_numbers_are_numbers_after_json():
    draws = [{math.inf: 0, 1.5: 0, -math.inf: 1}, {math.inf: 0, 1.5: 1, -math.inf: 1}]
    found = pw.point_estimate(draws, runs=2, seed=1)
    read = pw.PointEstimate.from_json(found.to_json())
    assert read == found
    assert read.items == found.items
    assert read.clustering().n_items == 3
    texts = [{"inf": 0, "1": 0, "x": 1}] * 2
    found = pw.point_estimate(texts, runs=2, seed=1)
    assert pw.PointEstimate.from_json(found.to_json()).items == ["inf", "1", "x"]


def test_json_that_is_nested_too_deep_is_refused():
    with pytest.raises(ValueError, match=r"Comparison\.from_json: no JSON"):
        pw.Comparison.from_json("[" * 100_000)


def test_results_that_differ_are_not_equal():
    assert pw.compare([0, 0, 1], [0, 1, 1]) != pw.compare([0, 0, 1], [0, 0, 1])
    assert pw.compare([0, 1], [0, 1]) != "a comparison"
    one = pw.bootstrap([0, 0, 1, 1], [0, 1, 1, 1], measure="purity", seed=1, draws=9)
    same = pw.bootstrap([0, 0, 1, 1], [0, 1, 1, 1], measure="purity", seed=1, draws=9)
    other = pw.bootstrap([0, 0, 1, 1], [0, 1, 1, 1], measure="purity", seed=2, draws=9)
    assert one == same != other
    assert hash(one) == hash(same)


def test_what_json_does_not_hold_is_refused_in_words():
    scores = type(RESULTS["scores"]).from_json(RESULTS["scores"].to_json())
    with pytest.raises(ValueError, match="read from JSON, which holds counts by document"):
        scores.contingency(unmatched="drop")
    with pytest.raises(ValueError, match="read from JSON, which lists its worst clusters"):
        pw.Diagnosis.from_json(RESULTS["diagnosis"].to_json()).reference  # noqa: B018
    curve = pw.Sweep.from_json(RESULTS["sweep"].to_json())
    with pytest.raises(ValueError, match="holds its curves and not its merges"):
        curve.labels(3)
    with pytest.raises(ValueError, match="holds its curves and not its merges"):
        curve.bootstrap("purity")


def test_scores_that_were_read_back_can_be_tested_against_others():
    key = every_result.documents(0)
    first, second = (coreference.score(key, every_result.documents(x)) for x in (1, 2))
    again = type(first).from_json(first.to_json())
    wanted = coreference.paired_test(first, second, measure="lea", seed=1, draws=50)
    assert coreference.paired_test(again, second, measure="lea", seed=1, draws=50) == wanted
    stranger = coreference.score(every_result.documents(5), every_result.documents(2))
    with pytest.raises(ValueError, match="their keys have other mentions"):
        again.check_comparable(stranger)


def test_a_sweep_that_was_read_back_answers_as_before():
    curve = RESULTS["sweep"]
    again = pw.Sweep.from_json(curve.to_json())
    for name in curve.measures:
        assert again.best(name) == curve.best(name)
        assert np.array_equal(again[name], curve[name])
        assert again.strategy_of(name) == curve.strategy_of(name)
    for threshold in (-1.0, 0.0, 0.25, 0.5, float(curve.thresholds[17]), 2.0, np.inf):
        assert again.index_at(threshold) == curve.index_at(threshold)
    assert [again.interval(k) for k in range(5)] == [curve.interval(k) for k in range(5)]


# ---- tables ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TABULAR)
def test_every_table_has_every_form(kind):
    pytest.importorskip("pandas")
    result = RESULTS[kind]
    table = result.table()
    assert table.markdown().splitlines()[1].startswith("| ---")
    rows = [line for line in table.markdown().splitlines() if line.startswith("|")]
    assert len(rows) == len(table.rows) + 2
    latex = result.to_latex(caption="A & B", label="tab:x")
    assert latex.startswith("\\begin{table}\n\\centering\n\\caption{A \\& B}\n\\label{tab:x}")
    assert latex.endswith("\\end{tabular}\n\\end{table}")
    assert result.to_latex().startswith(r"\begin{tabular}")
    body = latex.split("\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
    assert len(body) == len(table.rows)
    assert all(line.count(" & ") == len(table.header) - 1 for line in body)
    assert "<script" not in result.to_csv() or "script" in str(table.rows)
    assert len(result.to_pandas()) > 0


@pytest.mark.parametrize("kind", [x for x in TABULAR if x not in ("score table", "sweep")])
def test_text_is_no_wider_than_a_terminal(kind):
    text = str(RESULTS[kind]).replace(every_result.ODD, "odd")
    assert max(map(len, text.splitlines())) <= WIDTH


def test_the_widest_score_table_is_cut_into_blocks():
    names = {f"candidate {k:02}": np.arange(20) % (k + 2) for k in range(12)}
    text = str(pw.score_many(np.arange(20) // 4, names))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.count("distances: lower is better") == text.count("\nmeasure  ") > 1
    few = str(pw.score_many(np.arange(20) // 4, names, ["purity", "nvi"]))
    assert few.splitlines()[2].split() == ["candidate", "purity", "nvi"]


def test_the_best_is_bold_by_the_direction_of_each_measure():
    truth = [0, 0, 1, 1, 2, 2]
    runs = {"right": truth, "a_b": [0, 0, 1, 1, 1, 1], "one": [0] * 6}
    table = pw.score_many(truth, runs, ["rand_index", "nvi", "mutual_information"])
    assert table.table().bold == {(0, 1), (0, 2), (0, 3)}
    assert "| right | **1.0000** | **0.0000** |" in table.to_markdown()
    latex = table.to_latex(names={"a_b": "A_B"})
    assert r"rand\_index $\uparrow$ & nvi $\downarrow$" in latex
    assert r"right & \textbf{1.0000} & \textbf{0.0000}" in latex
    assert r"A\_B & " in latex
    assert table.best("nvi") == "right"
    with pytest.raises(KeyError, match="names has 'c', which the table does not"):
        table.to_latex(names={"c": "C"})
    with pytest.raises(ValueError, match="no better side"):
        pw.score_many(truth, runs, ["joint_entropy"]).best("joint_entropy")


def test_equal_values_are_all_bold_or_none():
    assert best_of([1.0, 3.0, 3.0], "higher") == [1, 2]
    assert best_of([1.0, 3.0, 3.0], "lower") == [0]
    assert best_of([2.0, 2.0], "higher") == []
    assert best_of([1.0], "higher") == []
    assert best_of([float("nan"), 1.0, 2.0], "higher") == [2]
    assert best_of([1.0, 2.0], None) == []


def test_marks_of_a_paired_test():
    test = RESULTS["paired test"]
    latex = test.to_latex()
    starred = [name for name, one in test.results.items() if one.p_value <= 0.05]
    assert len(starred) == latex.count(r"$^{\mathrm{*}}$") > 0
    assert r"* p \textless{}= 0.05, two-sided" in latex


def test_letters_and_intervals_of_coreference():
    table = RESULTS["coreference table"]
    (pair, test) = next(iter(table.doubts.tests.items()))
    better = {
        name: pair[0] if one.difference > 0 else pair[1]
        for name, one in test.results.items()
        if one.p_value <= 0.05
    }
    marks = table.table().marks
    columns = [name if part == "f1" else f"{name}.{part}" for name, part in table.columns]
    assert {columns[j - 1] for _, j in marks} == {x for x in better if x in columns}
    drawn = table.doubts.bootstraps[pair[0]]
    rows = {row[0]: row for row in table.table().rows}
    at = columns.index("conll") + 1
    assert rows["  low"][at] == f"{100 * drawn.low[drawn.measures.index('conll')]:.2f}"
    assert rows["  low"][1] == ""
    assert rf"{{\scriptsize {rows['  high'][at]}}}" in table.to_latex()
    head, *lines = table.to_csv().splitlines()
    assert head.endswith("f1_low,f1_high,better_than")
    assert len(lines) == 2 * len(list(table.results[pair[0]]))


def test_numbers_of_one_output_have_one_unit():
    """A table in percent has no shares beside it."""
    for kind in ("scores", "coreference bootstrap", "coreference paired test"):
        text = str(RESULTS[kind])
        head = next(line for line in text.splitlines() if line.startswith("measure"))
        assert head.startswith("measure, in %")
    scores, drawn = RESULTS["scores"], RESULTS["coreference bootstrap"]
    conll = f"{100 * scores['conll'].f1:.2f}"
    assert conll in str(scores)
    assert conll in str(drawn)
    assert repr(scores["conll"].f1) in drawn.to_csv()


def test_pairwise_has_names():
    pandas = pytest.importorskip("pandas")
    runs = {"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 0, 0]}
    table = pw.pairwise(runs, "b_cubed_precision")
    frame = table.to_pandas()
    assert frame.loc["a", "b"] == pw.b_cubed_precision(runs["a"], runs["b"]) == table["a", "b"]
    assert frame.index.name == "reference"
    assert frame.columns.name == "candidate"
    assert isinstance(frame, pandas.DataFrame)
    assert np.array_equal(frame.to_numpy(), table)
    assert frame.index.tolist() == frame.columns.tolist() == table.names
    assert table[0].tolist() == table["a"].tolist() == table.tolist()[0]
    assert np.asarray(table).shape == table.shape == (len(table), 3)
    with pytest.raises(KeyError, match="no clustering is called 'd'; there is a, b, c"):
        table["d"]


def test_size_bins_are_disjoint():
    sizes = [1, 1, 2, 9, 10, 99, 100, 250]
    labels = np.repeat(np.arange(len(sizes)), sizes)
    result = pw.compare(labels, labels)
    assert result.profiles[0].bins == {"1": 2, "2-9": 2, "10-99": 2, "100 and more": 2}
    assert sum(result.item_profiles[0].bins.values()) == sum(sizes)
    assert type(result.profiles[0]).of_bins(result.profiles[0].bins) == result.profiles[0]
    assert result.to_dict()["size_profile"]["reference"] == result.profiles[0].bins


# ---- the parts -------------------------------------------------------------------------


def test_numbers_are_shown_with_one_precision():
    assert [show(x) for x in (0.5, 1.0, 0.0, 14.0, 14.25, 1e-9, -2.0, 123456.7)] == [
        *("0.5000", "1.0000", "0.0000", "14", "14.2500", "1.0e-09", "-2", "123457")
    ]
    assert show(75.0, 2, whole=False) == "75.00"
    assert [show(x) for x in (float("inf"), float("nan"), 3, "text", True)] == [
        *("inf", "nan", "3", "text", "True")
    ]


def test_points_stand_below_each_other():
    lines = text_table([("a", 14.0), ("b", 0.25), ("c", 123.5)], ["name", "value"]).splitlines()
    assert lines == ["name     value", "a      14", "b       0.2500", "c     123.5000"]


def test_text_blocks_repeat_the_names():
    table = Table(["name", *(f"column {k}" for k in range(12))], [["first", *[0.5] * 12]])
    blocks = table.text().split("\n\n")
    assert len(blocks) == 2
    assert all(block.splitlines()[1].startswith("first") for block in blocks)


def test_signs_of_latex_are_escaped():
    assert escaped(r"a_b & 50% \x {y} ~ ^ <z> | # $") == (
        r"a\_b \& 50\% \textbackslash{}x \{y\} \textasciitilde{} \textasciicircum{} "
        r"\textless{}z\textgreater{} \textbar{} \# \$"
    )
    assert escaped("one\n\nparagraph") == "one paragraph"


@pytest.mark.parametrize("kind", [np.float64, np.int64, np.int8, ">f8", np.bool_])
def test_packed_arrays_come_back(kind):
    array = np.arange(12).reshape(3, 4).astype(kind)
    again = unpacked(json.loads(json.dumps(packed(array))))
    assert np.array_equal(again, array)
    assert again.dtype == array.dtype.newbyteorder("=")
    assert packed(array) == packed(array.astype(array.dtype.newbyteorder(">")))
    odd = np.array([np.nan, -np.inf, -0.0])
    assert unpacked(packed(odd)).tobytes() == odd.tobytes()


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n ", "\r", "\u2028", "\x85"])
def test_a_line_break_in_a_name_breaks_no_table_of_markdown(end):
    table = Table((f"two{end}lines", "a"), [(f"x{end}y", 1.0)])
    lines = table.markdown().splitlines()
    assert lines == ["| two lines | a |", "| --- | ---: |", "| x y | 1.0000 |"]
