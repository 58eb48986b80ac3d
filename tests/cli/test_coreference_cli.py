"""``partwise coref``: the tables, the forms of the report, refusals."""

import csv
import io
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.cli import main
from partwise.coreference import Document, Documents
from partwise.coreference.report.perl_text import perl_text
from partwise.coreference.scores.measures import MEASURES
from partwise.coreference.scores.worst import worst_of

pytestmark = pytest.mark.one_backend

KEY = {"d1": ["(0)", "-", "(1", "1)", "(0)", "-", "(2)"], "d2": ["(0", "0)", "(1)", "(0)"]}
FIRST = {"d1": ["(5)", "-", "(5", "5)", "(5)", "-", "(6)"], "d2": ["(0", "0)", "(1)", "-"]}
SECOND = {"d1": ["(5)", "(6)", "-", "-", "(5)", "-", "-"], "d2": ["(0", "0)", "(1)", "(0)"]}


def conll(documents):
    """Return CoNLL-2012 text; words are w0, w1, ..."""
    lines = []
    for name, column in documents.items():
        lines.append(f"#begin document ({name}); part 000")
        lines += [f"{name} 0 {i} w{i} {cell}" for i, cell in enumerate(column)]
        lines += ["", "#end document"]
    return "\n".join([*lines, ""])


@pytest.fixture
def files(tmp_path):
    """Paths of a key and two responses."""
    found = []
    for name, documents in (("key", KEY), ("first_run", FIRST), ("second_run", SECOND)):
        path = tmp_path / f"{name}.conll"
        path.write_text(conll(documents))
        found.append(str(path))
    return found


def run(capsys, *arguments):
    code = main(["coref", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def percent(value):
    return f"{100 * value:.2f}"


def test_table_has_a_line_for_each_response(capsys, files):
    code, out, err = run(capsys, *files)
    assert (code, err) == (0, "")
    head, *rest = out.splitlines()
    assert head == "convention perl-8.01, mentions matched: exact"
    assert rest[0].startswith("first_run.conll: 2 documents; mentions 7 in the key, 6 in the ")
    body = out.split("\n\n")[1].splitlines()
    further = out.split("\n\n")[2].splitlines()
    assert body[0].split() == ["MUC", "B-cubed", "CEAF-e"]
    assert further[0].split() == ["CoNLL", "CEAF-m", "BLANC", "LEA", "mentions"]
    assert body[1].split() == ["response", *["R", "P", "F1"] * 3]
    assert further[1].split() == ["response", *["F1"] * 5]
    assert max(map(len, out.split("\n\n", 1)[1].splitlines())) <= 80
    names = ("first_run", "second_run")
    for line, more, name, path in zip(body[2:4], further[2:4], names, files[1:], strict=True):
        scores = pw.coreference.score(files[0], path)
        cells = line.replace("*", "").split()
        assert cells[0] == more.split()[0] == f"{name}.conll"
        cells += more.replace("*", "").split()[1:]
        wanted = [
            getattr(scores[measure], part)
            for measure in ("muc", "b_cubed", "ceaf_e")
            for part in ("recall", "precision", "f1")
        ]
        wanted += [scores[x].f1 for x in ("conll", "ceaf_m", "blanc", "lea", "mentions")]
        assert cells[1:] == [percent(value) for value in wanted]


def test_titles_stand_over_their_columns(capsys, files):
    _, out, _ = run(capsys, *files, "--measures", "mentions,muc")
    titles, letters, first, *_ = out.split("\n\n")[1].splitlines()
    assert titles.index("mentions") > letters.index("R")
    assert titles.index("MUC") > letters.index("F1")
    assert len(letters) >= len(first.rstrip("*"))


@pytest.mark.parametrize("shape", [[], ["--markdown"], ["--latex"]])
def test_titles_are_those_of_the_list_of_measures(capsys, files, monkeypatch, shape):
    for name, one in MEASURES.items():
        monkeypatch.setitem(MEASURES, name, one._replace(title=f"{name}-x", in_latex=""))
    _, out, _ = run(capsys, *files, *shape)
    shown = out.replace("\\_", "_")
    assert all(f"{name}-x" in shown for name in MEASURES)


def test_zero_over_zero_has_a_star(capsys, files):
    code, out, _ = run(capsys, *files[:2], "--per-document")
    assert code == 0
    line = next(x for x in out.splitlines() if "(d2); part 000" in x)
    assert line.split()[4:7] == ["0.00", "0.00*", "0.00*"]
    assert out.splitlines()[-1].startswith("* has 0 / 0")
    _, out, _ = run(capsys, *files[:2], "--measures", "mentions")
    assert "*" not in out


def test_csv_holds_every_digit_and_count(capsys, files):
    code, out, err = run(capsys, *files, "--csv", "--per-document")
    assert code == 0
    assert err.startswith("convention perl-8.01")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 2 * 4 * 8
    for row in rows:
        scores = pw.coreference.score(files[0], Path(files[0]).with_name(row["response"]))
        found = {
            "all": lambda s: s,
            "macro": lambda s: s.macro,
            "document": lambda s, row=row: s.per_document[row["document"]],
        }[row["scope"]](scores)[row["measure"]]
        for part in ("recall", "precision", "f1"):
            assert float(row[part]) == getattr(found, part)
        assert row["undefined"].split() == list(found.undefined)
        if found.recall_numerator is not None:
            assert float(row["recall_numerator"]) == found.recall_numerator
            assert float(row["precision_denominator"]) == found.precision_denominator
    assert {row["document"] for row in rows} == {"", "(d1); part 000", "(d2); part 000"}


@pytest.mark.parametrize("seed", range(4))
def test_documents_in_turn_are_those_on_demand(seed):
    scores = pw.coreference.score(*drawn(random.Random(seed), 5))
    found = dict(scores.in_turn())
    assert found == {name: dict(x) for name, x in scores.per_document.items()}
    assert list(found) == scores.documents


def test_json_holds_scores_rules_and_input(capsys, files):
    code, out, err = run(capsys, *files, "--json", "--per-document", "--convention", "luo-2014")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["key"] == files[0]
    assert list(found["responses"]) == ["first_run.conll", "second_run.conll"]
    scores = pw.coreference.score(files[0], files[2], convention="luo-2014")
    here = found["responses"]["second_run.conll"]
    assert here["convention"] == "luo-2014"
    assert here["input"]["mentions"] == [7, 6]
    assert here["scores"]["blanc"]["f1"] == scores["blanc"].f1
    assert here["scores"]["muc"]["recall_numerator"] == scores["muc"].recall_numerator
    assert here["macro"]["lea"]["f1"] == scores.macro["lea"].f1
    part = here["documents"]["(d1); part 000"]["ceaf_e"]
    assert part["precision"] == scores.per_document["(d1); part 000"]["ceaf_e"].precision
    _, out, _ = run(capsys, *files[:2], "--json", "--measures", "muc")
    assert list(json.loads(out)["responses"]["first_run.conll"]["scores"]) == ["muc"]


def test_latex_and_markdown_have_the_cells_of_the_text(capsys, files):
    _, text, _ = run(capsys, *files)
    blocks = text.split("\n\n")[1:3]
    name, *wanted = blocks[0].splitlines()[2].split() + blocks[1].splitlines()[2].split()[1:]
    code, out, err = run(capsys, *files, "--latex")
    assert code == 0
    assert err.startswith("convention perl-8.01")
    lines = out.splitlines()
    assert lines[0] == r"\begin{tabular}{l" + "r" * 14 + "}"
    assert r"\multicolumn{3}{c}{B$^3$}" in lines[2]
    plain = re.sub(r"\\textbf\{([^}]*)\}", r"\1", lines[6]).removesuffix(r" \\")
    assert plain.split(" & ") == [r"first\_run.conll", *wanted]
    rows = [row.removesuffix(r" \\").split(" & ")[1:] for row in lines[6:8]]
    for cells in zip(*rows, strict=True):  # the better one is bold, or none of two equal ones
        shown = [float(re.sub(r"[^\d.]", "", cell)) for cell in cells]
        bold = ["textbf" in cell for cell in cells]
        assert bold == [shown[0] > shown[1], shown[1] > shown[0]]
    assert [x for x in lines if x.startswith("\\") and "rule" in x and "cmid" not in x] == [
        *(r"\toprule", r"\midrule", r"\bottomrule")
    ]
    code, out, _ = run(capsys, *files, "--markdown")
    assert "| " + " | ".join([name, *wanted]) + " |" in out.replace("**", "").splitlines()


def test_backslashes_of_names_do_not_reach_latex(capsys, files):
    odd = Path(files[1]).with_name("a&b_{c}~^\\.conll")
    odd.write_text(Path(files[1]).read_text())
    _, out, _ = run(capsys, files[0], odd, "--latex")
    assert r"a\&b\_\{c\}\textasciitilde{}\textasciicircum{}\textbackslash{}.conll & " in out


def test_refused_input_prints_no_scores(capsys, files):
    bad = Path(files[1]).with_name("bad.conll")
    bad.write_text(conll({"d1": FIRST["d1"]}))
    for more in ((), ("--json",), ("--csv",), ("--latex",)):
        code, out, err = run(capsys, *files, bad, *more)
        assert (code, out) == (2, "")
        assert err.startswith(f"partwise: {bad}: the response lacks document '(d2); part 000'")
    code, out, _ = run(capsys, *files, bad, "--missing-documents", "empty")
    assert code == 0
    assert "bad.conll: documents without a response: (d2); part 000" in out
    code, out, err = run(capsys, bad, files[1])
    assert (code, out) == (2, "")
    assert "--extra-documents empty" in err
    assert run(capsys, bad, files[1], "--extra-documents", "ignore")[0] == 0


def test_further_policies_by_their_words(capsys, files):
    again = Path(files[1]).with_name("again.conll")
    again.write_text(Path(files[1]).read_text() + conll({"d1": KEY["d1"]}))
    for more in (
        {"double_documents": "last"},
        {"double_documents": "first", "singletons": "drop"},
    ):
        words = [f"--{name.replace('_', '-')}={word}" for name, word in more.items()]
        code, out, _ = run(capsys, files[0], again, *words, "--json")
        assert code == 0
        found = json.loads(out)["responses"]["again.conll"]
        wanted = pw.coreference.score(files[0], again, **more)
        assert found["scores"]["lea"]["f1"] == wanted["lea"].f1
        assert found["input"]["double_documents"] == [0, 1]
    assert run(capsys, files[0], again)[0] == 2


def test_repeats_by_side(capsys, files):
    twice = Path(files[1]).with_name("twice.conll")
    twice.write_text(conll({"d1": ["(5)|(6)", *FIRST["d1"][1:]], "d2": FIRST["d2"]}))
    code, out, err = run(capsys, files[0], twice)
    assert (code, out) == (2, "")
    assert "the mention (0, 0) is in entity" in err
    for policy in ("first", "error,first"):
        code, out, _ = run(capsys, files[0], twice, "--repeats", policy)
        assert code == 0
        assert "repeated mentions dropped: 0 of the key, 1 of the response" in out
    for policy in ("first,error", "keep", "first,first,first"):
        code, out, err = run(capsys, files[0], twice, "--repeats", policy)
        assert (code, out) == (2, "")


def test_other_bad_input_is_one_sentence(capsys, files, tmp_path):
    for arguments, said in (
        ((files[0], tmp_path / "none.conll"), "none.conll: No such file"),
        (
            (*files, "--measures", "muc,b9"),
            "b9: neither one of mentions, muc, b_cubed, ceaf_m, ceaf_e, blanc, lea, conll nor",
        ),
        ((files[0], files[1], files[1]), "first_run.conll is given twice"),
        ((*files, "--mentions", "head"), "the key has none"),
        ((*files, "--ends", "exclusive"), "--ends exclusive is for files of format"),
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert said in err
        assert err.startswith("partwise: ")
        assert err.count("\n") == 1


def test_files_of_one_name_are_told_by_their_paths(capsys, files, tmp_path):
    other = tmp_path / "other" / "first_run.conll"
    other.parent.mkdir()
    other.write_text(Path(files[2]).read_text())
    code, out, _ = run(capsys, files[0], files[1], other, "--csv")
    assert code == 0
    assert {row["response"] for row in csv.DictReader(io.StringIO(out))} == {
        *(files[1], str(other))
    }


def test_notes_of_readers_go_to_standard_error(capsys, tmp_path):
    path = tmp_path / "a.jsonlines"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 0], [4, 5]], [[2, 2]]]}\n')
    code, out, err = run(capsys, path, path)
    assert code == 0
    assert err.count(f"{path}: ends of mentions taken as inclusive") == 1
    assert "100.00" in out
    assert json.loads(run(capsys, path, path, "--json")[1])["notes"] == [
        {
            "code": "ends-taken",
            "text": "ends of mentions taken as inclusive, as the file proves",
            "place": str(path),
        }
    ]
    assert run(capsys, path, path, "--ends", "inclusive")[2] == ""


# ---- the text of scorer.pl ---------------------------------------------------------------

PERL = cases.load("perl_texts.json")["cases"]


def parts_of(text):
    """Sections of scorer.pl's text: head, the documents in any order, totals."""
    found = []
    for section in re.split(r"\nMETRIC ", text if text.startswith("\nMETRIC") else "\n" + text):
        documents, _, totals = section.partition("\n====== TOTALS")
        start = r"(?=^====> .*:\nFile .*:\n(?:Entity .*\n)*====> )"
        head, *documents = re.split(start, documents, flags=re.MULTILINE)
        found.append((head, sorted(document.rstrip() for document in documents), totals))
    return found


def as_perl(capsys, key, response, metric, document):
    more = () if document is None else ("--document", document)
    code, out, err = run(capsys, key, response, "--compat", "perl", "--metric", metric, *more)
    if "no document of that name is scored" in err:  # the text alone has zeros for it
        assert (code, out) == (2, "")
        policies = {"missing_documents": "empty", "extra_documents": "ignore"}
        out, code = (
            perl_text(pw.coreference.score(key, response, **policies), metric, document),
            0,
        )
        err = ""
    assert code == 0
    assert all("no mention in any document" in line for line in err.splitlines())
    first, text = out.split("\n", 1)
    assert first.startswith("version: 8.01 ")
    return text


@pytest.mark.parametrize("case", PERL, ids=lambda x: f"{x['metric']} {x['document'] or ''}")
def test_text_of_scorer_pl(capsys, tmp_path, case):
    paths = [tmp_path / "key.conll", tmp_path / "response.conll"]
    for path, side in zip(paths, ("key", "response"), strict=True):
        path.write_text(case[side])
    text = as_perl(capsys, *paths, case["metric"], case["document"])
    assert parts_of(text) == parts_of(case["text"])
    if max(len(documents) for _, documents, _ in parts_of(case["text"])) < 2:
        assert text == case["text"]


@pytest.mark.parametrize(
    "name",
    [
        *("all.none", "bcub.one_document", "bcub", "blanc"),
        *("ceafe", "ceafm", "muc.none", "muc"),
    ],
)
def test_stored_text_of_scorer_pl(capsys, name):
    folder = cases.shared("data", "coref", "perl_text")
    metric, *rest = name.split(".")
    document = {"none": "none", "one_document": "letters"}.get(*rest) if rest else None
    text = as_perl(capsys, folder / "key.conll", folder / "response.conll", metric, document)
    wanted = (folder / f"{name}.txt").read_text().split("\n", 1)[1]
    assert parts_of(text) == parts_of(wanted)
    key_first = parts_of(wanted)[0][1] == [] or wanted.startswith("====> (letters)")
    assert (text == wanted) == (key_first or document is not None)


def test_compat_is_for_one_text(capsys, files):
    for more, said in (
        (("--json",), "leave out --json"),
        (("--measures", "muc"), "leave out --measures"),
        (("--per-document",), "leave out --per-document"),
        (("--convention", "luo-2014"), "is for perl-8.01, not luo-2014"),
    ):
        code, out, err = run(capsys, *files[:2], "--compat", "perl", *more)
        assert (code, out) == (2, "")
        assert said in err
    assert "takes one response" in run(capsys, *files, "--compat", "perl")[2]
    assert (
        run(capsys, *files, "--metric", "muc")[2] == "partwise: --metric is for --compat perl\n"
    )


def test_objects_have_no_text_of_scorer_pl():
    with pytest.raises(TypeError, match="reads spans"):
        perl_text(pw.coreference.score({"d": [["a"]]}, {"d": [["a"]]}), "muc")
    with pytest.raises(ValueError, match="one of muc, bcub"):
        perl_text(pw.coreference.score({"d": [["a"]]}, {"d": [["a"]]}), "b3")


# ---- what costs most ---------------------------------------------------------------------


def by_definition(key, response):
    """Cost of each mention on either side, from entities as sets."""
    found = []
    for own, other in ((key, response), (response, key)):
        cost = {}
        for document, entities in own.items():
            others = [set(entity) for entity in other[document]]
            for entity in map(set, entities):
                for mention in entity:
                    home = next((x for x in others if mention in x), set())
                    cost[document, mention] = 1 - len(entity & home) / len(entity)
        found.append(cost)
    return found


def drawn(rng, n_documents):
    """Key and response of objects; some mentions on one side only."""
    sides = []
    for _ in range(2):
        documents = {}
        for d in range(n_documents):
            entities = {}
            for mention in range(12):
                if rng.random() < 0.8:
                    entities.setdefault(rng.randrange(4), []).append(mention)
            documents[f"d{d}"] = list(entities.values())
        sides.append(documents)
    return sides


@pytest.mark.parametrize("seed", range(12))
def test_costs_are_those_of_the_definition(seed):
    key, response = drawn(random.Random(seed), 1 + seed % 3)
    scores = pw.coreference.score(key, response)
    found = worst_of(scores, 1000)
    costs = by_definition(key, response)
    part = scores["b_cubed"]
    for listed, cost, side, total, missed in (
        (found.key, costs[0], key, part.recall_denominator - part.recall_numerator, 0),
        (found.response, costs[1], response, part.precision_denominator, 1),
    ):
        total -= part.precision_numerator if missed else 0
        assert found.missed[missed] == pytest.approx(total)
        assert sum(one.cost for one in listed) == pytest.approx(total)
        assert sum(one.share for one in listed) == pytest.approx(1)
        assert [one.cost for one in listed] == sorted((x.cost for x in listed), reverse=True)
        for one in listed:
            entity = side[one.document][one.entity]
            wanted = sum(cost[one.document, mention] for mention in entity)
            assert one.cost == pytest.approx(wanted)
            assert one.size == len(entity)
            assert sum(part.count for part in one.parts) == one.size
    both = {mention: cost + costs[1].get(mention, 0) for mention, cost in costs[0].items()}
    both |= {mention: cost for mention, cost in costs[1].items() if mention not in both}
    listed = {(one.mention.document, int(one.mention.text)): one.cost for one in found.mentions}
    assert listed == pytest.approx({x: cost for x, cost in both.items() if cost})
    assert [one.cost for one in found.mentions] == sorted(listed.values(), reverse=True)
    few = worst_of(scores, 2)
    assert few.key == found.key[:2]
    assert few.mentions == found.mentions[:2]


def test_equal_costs_stand_in_the_order_of_documents():
    key = {"d1": [[1]], "d2": [[1]], "d3": [[1], [2]]}
    response = {"d1": [[1], [7]], "d2": [], "d3": [[1], [9], [2]]}
    listed = [
        (x.mention.document, x.mention.text)
        for x in worst_of(pw.coreference.score(key, response)).mentions
    ]
    assert listed == [("d1", "7"), ("d2", "1"), ("d3", "9")]


def test_worst_names_entities_and_words(capsys, files):
    code, out, err = run(capsys, *files, "--worst", "3")
    assert (code, err) == (0, "")
    assert out.count("entities of the key by the recall that B-cubed misses") == 2
    first = out.split("\nfirst_run.conll\n")[1].split("\nsecond_run.conll\n")[0]
    assert first.splitlines()[1:5] == [
        "entities of the key by the recall that B-cubed misses (1.5 mentions in all)",
        "  1.50 (100.0%)  (d2); part 000, entity 0: 2 mentions, in 1 of the response",
        '      1 in 0: "w0 w1" (0-1)',
        '      1 without a partner: "w3" (3)',
    ]
    assert (
        "  1.33 (100.0%)  (d1); part 000, entity 5: 3 mentions, in 2 of the key\n"
        '      2 in 0: "w0" (0), "w4" (4)\n'
        '      1 in 1: "w2 w3" (2-3)\n'
    ) in first
    assert (
        '  1.00  (d2); part 000, "w3" (3): only in the key, entity 0 of 2 mentions\n' in first
    )
    assert (
        '  0.67  (d1); part 000, "w2 w3" (2-3): key entity 1 of 1 mention, response entity 5 '
        "of 3 mentions, 1 in both\n"
    ) in first
    second = out.split("\nsecond_run.conll\n")[1]
    assert '  1.00  (d1); part 000, "w1" (1): only in the response, entity 6 of 1 men' in second
    _, same, _ = run(capsys, files[0], files[0], "--worst")
    assert same.count("  none\n") == 3


def test_worst_in_json_only_besides_text(capsys, files):
    code, out, _ = run(capsys, *files[:2], "--worst", "1", "--json")
    assert code == 0
    found = json.loads(out)["responses"]["first_run.conll"]["worst"]
    assert found["missed"] == pytest.approx([1.5, 4 / 3])
    assert found["key"][0]["entity"] == "0"
    assert found["mentions"][0]["mention"] == {
        "document": "(d2); part 000",
        "span": [3, 3],
        "text": "w3",
        "line": 15,
    }
    for more, said in (
        (("--csv",), "not for --csv"),
        (("--latex",), "not for --latex"),
        (("--compat", "perl"), "leave out --worst"),
    ):
        code, out, err = run(capsys, *files[:2], "--worst", "1", *more)
        assert (code, out) == (2, "")
        assert said in err
    assert run(capsys, *files, "--worst", "-1")[0] == 2


def test_long_and_discontinuous_mentions_are_cut(tmp_path):
    lines = ["# global.Entity = eid-head", "# newdoc id = d"]
    cells = ["(e1[1/2]-1)", "_", "(e1[2/2]-1)", "(e2-1", *["_"] * 9, "e2)"]
    for i, cell in enumerate(cells, start=1):
        misc = "_" if cell == "_" else f"Entity={cell}"
        lines.append(f"{i}\tw{i}\t_\t_\t_\t_\t0\troot\t_\t{misc}")
    path = tmp_path / "key.conllu"
    path.write_text("\n".join([*lines, "", ""]))
    other = tmp_path / "response.conllu"
    other.write_text(path.read_text().replace("(e1[1/2]-1)", "_").replace("(e1[2/2]-1)", "_"))
    other.write_text(other.read_text().replace("Entity=_", "_").replace("(e2-1", "(e3-1)(e2-1"))
    scores = pw.coreference.score(other, path, mentions="exact")
    texts = {one.mention.text for one in worst_of(scores).mentions}
    assert "w1 w3" in texts
    scores = pw.coreference.score(path, other, mentions="exact")
    assert {one.mention.text for one in worst_of(scores).mentions} == {"w1 w3", "w4"}
    place = worst_of(pw.coreference.score(path, {"d": []})).mentions
    assert [one.mention.text for one in place] == ["w1 w3", "w4 w5 w6 w7 w8 w9 w10 w11 ..."]


# ---- partitions of the mentions ----------------------------------------------------------


def test_partition_measures_on_the_command_line(capsys, files):
    arguments = (*files, "--unmatched", "singletons", "--measures")
    code, out, err = run(capsys, *arguments, "muc,s_entropy,v_measure(beta=2)")
    assert (code, err) == (0, "")
    table = out.split("\npartitions of the mentions, unmatched: singletons\n\n")[1].splitlines()
    assert table[0].split() == ["response", "s_entropy", "v_measure(beta=2)"]
    scores = pw.coreference.score(*files[:2])
    wanted = pw.compare(scores.contingency(unmatched="singletons"), measures=["s_entropy"])
    assert table[1].split()[:2] == ["first_run.conll", f"{wanted['s_entropy']:.4f}"]
    code, alone, _ = run(capsys, *arguments, "s_entropy")
    assert code == 0
    assert "MUC" not in alone
    assert "s_entropy" in alone
    _, out, _ = run(capsys, *arguments, "s_entropy,lea", "--json")
    here = json.loads(out)["responses"]["first_run.conll"]
    assert here["partition"] == {
        "unmatched": "singletons",
        "mentions": 7,
        "scores": {"s_entropy": wanted["s_entropy"]},
    }
    assert list(here["scores"]) == ["lea"]
    for more, said in (
        ((*files, "--measures", "s_entropy"), "without a partner"),
        ((*arguments, "s_entropy", "--csv"), "s_entropy is for text and --json"),
        ((*arguments, "all"), "name measures"),
    ):
        code, out, err = run(capsys, *more)
        assert (code, out) == (2, "")
        assert said in err


# ---- all documents as one ----------------------------------------------------------------


def joined(documents):
    """One document whose mentions are (document, mention) and whose entities have no parts."""
    entities = {}
    for name, column in documents.items():
        for entity, mentions in column.items():
            entities.setdefault(entity, []).extend((name, mention) for mention in mentions)
    return {"all": list(entities.values())}


def named(documents):
    """The same with its entities' names."""
    found = []
    for name, entities in documents.items():
        sizes = [len(mentions) for mentions in entities.values()]
        mentions = [mention for own in entities.values() for mention in own]
        entity = np.repeat(np.arange(len(sizes)), sizes)
        found.append(Document(name, mentions, entity, list(entities)))
    return Documents(found)


@pytest.mark.parametrize("convention", ["perl-8.01", "luo-2014", "corefud-1.2"])
@pytest.mark.parametrize("seed", range(4))
def test_cross_document_by_joining_entities(seed, convention):
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        documents = {}
        for d in range(3):
            entities = {}
            for mention in range(8):
                if rng.random() < 0.8:
                    entities.setdefault(f"e{rng.randrange(6)}", []).append(mention)
            documents[f"d{d}"] = entities
        sides.append(documents)
    how = {"convention": convention, "mentions": "exact"}
    found = pw.coreference.score(*map(named, sides), cross_document=True, **how)
    wanted = pw.coreference.score(*map(joined, sides), **how)
    assert found.documents == ["all documents"]
    assert found.input_report.documents == 3
    assert found.input_report.singletons == wanted.input_report.singletons
    for name in wanted:
        assert found[name] == wanted[name]
    apart = pw.coreference.score(*map(named, sides), **how)
    assert apart["muc"].recall_denominator < found["muc"].recall_denominator
    costs = worst_of(found, 100)
    assert costs.missed[0] == pytest.approx(worst_of(wanted, 100).missed[0])
    shown = {(one.mention.document, one.mention.text): one.cost for one in costs.mentions}
    again = {x.mention.text: x.cost for x in worst_of(wanted, 100).mentions}
    assert {repr((name, int(text))): cost for (name, text), cost in shown.items()} == again


def test_cross_document_on_the_command_line(capsys, files):
    code, out, err = run(capsys, *files, "--cross-document")
    assert (code, out) == (2, "")
    assert "say --global-ids if ids are names" in err
    named = ("--cross-document", "--global-ids")
    code, out, err = run(capsys, *files, *named, "--worst", "1")
    assert code == 0
    assert "taken for one entity" in err
    assert out.startswith(
        "convention perl-8.01, mentions matched: exact, all documents as one\n"
    )
    scores = pw.coreference.score(files[0], files[1], cross_document="names")
    line = next(x for x in out.splitlines() if x.startswith("first_run.conll  "))
    assert line.split()[1] == percent(scores["muc"].recall)
    assert '"w0 w1" ((d2); part 000: 0-1)' in out
    code, out, _ = run(capsys, *files, *named, "--json")
    assert json.loads(out)["cross_document"] is True
    for more, said in (
        (("--per-document",), "leave out --per-document"),
        (("--compat", "perl"), "leave out --cross-document"),
        (("--bootstrap",), "there is 1 document"),
    ):
        code, out, err = run(capsys, *files[:2], *named, *more)
        assert (code, out) == (2, "")
        assert said in err


def test_cross_document_needs_names(tmp_path):
    with pytest.raises(ValueError, match="the entities of the key have no names"):
        pw.coreference.score({"d": [[1]]}, {"d": [[1]]}, cross_document=True)
    path = tmp_path / "a.jsonlines"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 0], [4, 5]], [[2, 2]]]}\n')
    with pytest.raises(ValueError, match="the entities of the key have no names"):
        pw.coreference.score(path, path, cross_document=True)
