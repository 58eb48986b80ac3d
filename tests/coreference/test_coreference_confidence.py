"""Bootstrap and paired tests of coreference scores against scoring the drawn documents."""

import json
import random

import numpy as np
import pytest

import cases
import partwise as pw
from partwise import _kernels
from partwise.cli import main
from partwise.inference.draws import BOOTSTRAP, stream_of
from partwise.inference.paired import coins

coreference = pw.coreference
LITBANK = cases.SHARED / "data" / "coref" / "litbank"

needs_shared = pytest.mark.skipif(
    not LITBANK.is_dir(), reason="the corpora beside the repository are not here"
)


def corpus(n, seed, change=0.3):
    """Return key and response: n documents, mentions moved to another entity now and then."""
    rng = random.Random(seed)
    key, response = {}, {}
    for number in range(n):
        entities = [[] for _ in range(rng.randint(1, 5))]
        others = [[] for _ in entities] + [[]]
        for mention in range(rng.randint(0, 14)):
            home = rng.randrange(len(entities))
            entities[home].append(mention)
            if rng.random() < 0.9:
                moved = rng.randrange(len(others)) if rng.random() < change else home
                others[moved].append(mention)
            if rng.random() < 0.1:
                others[rng.randrange(len(others))].append(f"extra {mention}")
        name = f"d{number:02}"
        key[name] = [x for x in entities if x]
        response[name] = [x for x in others if x]
    return key, response


def copied(documents, names, picks):
    """Return the documents that were drawn, copies under names of their own."""
    return {f"{place:03} {names[p]}": documents[names[p]] for place, p in enumerate(picks)}


ALL = ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
NAMES = [*ALL, "muc.recall", "blanc.precision"]


def value(scores, name, average):
    measure, _, part = name.partition(".")
    found = scores[measure] if average == "micro" else scores.macro[measure]
    return getattr(found, part or "f1")


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("convention", ["perl-8.01", "luo-2014"])
def test_draws_are_scores_of_the_drawn_documents(average, convention):
    key, response = corpus(9, 1)
    scores = coreference.score(key, response, convention=convention)
    names = list(scores.documents)
    found = coreference.bootstrap(scores, measure=NAMES, average=average, draws=8, seed=3)
    assert found.measures == tuple(NAMES)
    for j, name in enumerate(NAMES):
        assert found.observed[j] == value(scores, name, average)
    for draw in range(8):
        times = _kernels.impl.resample(9, 3, stream_of(BOOTSTRAP, draw), 1)[0]
        picks = np.repeat(np.arange(9), times)
        again = coreference.score(
            copied(key, names, picks), copied(response, names, picks), convention=convention
        )
        for j, name in enumerate(NAMES):
            wanted = value(again, name, average)
            assert found.values[draw, j] == pytest.approx(wanted, rel=1e-12, abs=1e-15), name


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_swapped_documents_are_scored_as_such(average):
    key, one = corpus(7, 2)
    _, two = corpus(7, 2, change=0.6)
    two = {name: two[name] for name in key}
    first, second = (coreference.score(key, response) for response in (one, two))
    names = first.documents
    found = coreference.paired_test(
        first, second, measure=NAMES, average=average, draws=6, seed=5
    )
    for draw in range(6):
        swap = coins(5, draw, 7)
        sides = [
            {name: (b if swap[i] else a)[name] for i, name in enumerate(names)}
            for a, b in ((one, two), (two, one))
        ]
        again = [coreference.score(key, side) for side in sides]
        for j, name in enumerate(NAMES):
            wanted = value(again[1], name, average) - value(again[0], name, average)
            assert found.differences[draw, j] == pytest.approx(wanted, abs=1e-12), name
    for name in NAMES:
        result = found[name]
        assert result.first == value(first, name, average)
        assert result.difference == result.second - result.first
        assert result.low is None


def test_paired_bootstrap_has_an_interval_around_the_difference():
    key, one = corpus(60, 3)
    two = {name: entities for name, entities in key.items()}
    scores = [coreference.score(key, response) for response in (one, two)]
    found = coreference.paired_test(*scores, measure="lea", method="bootstrap", seed=1)
    result = found["lea"]
    assert 0 < result.low < result.difference < result.high
    assert found.p_value < 0.01
    assert "documents" in found.header
    same = coreference.paired_test(scores[0], scores[0], measure=ALL, seed=1)
    assert all(one.p_value == 1.0 and one.difference == 0.0 for one in same.results.values())


@pytest.mark.long
def test_the_p_value_is_uniform_where_responses_are_exchangeable():
    p = []
    for seed in range(120):
        key, one = corpus(20, 100 + seed)
        _, two = corpus(20, 100 + seed)
        rng = random.Random(seed)
        # two systems of one kind: each document comes from either of two runs at random
        other = {name: [list(x) for x in response] for name, response in two.items()}
        for entities in other.values():
            if rng.random() < 0.5 and len(entities) > 1:
                entities[0] += entities.pop()
        mixed = [dict(one), dict(other)]
        for name in key:
            if rng.random() < 0.5:
                mixed[0][name], mixed[1][name] = mixed[1][name], mixed[0][name]
        scores = [coreference.score(key, response) for response in mixed]
        test = coreference.paired_test(*scores, measure="b_cubed", draws=199, seed=seed)
        p.append(test.p_value)
    p = np.array(p)
    assert 0.35 < p.mean() < 0.65
    assert 0.01 <= (p <= 0.1).mean() <= 0.22


def test_bootstrap_interval_covers_the_corpus_it_came_from():
    key, response = corpus(400, 7)
    names = list(key)
    whole = coreference.score(key, response)["b_cubed"].f1
    rng = random.Random(1)
    hits = 0
    for seed in range(60):
        picks = rng.choices(range(400), k=50)
        sample = coreference.score(copied(key, names, picks), copied(response, names, picks))
        found = coreference.bootstrap(
            sample, measure="b_cubed", draws=300, seed=seed, level=0.9
        )
        hits += found.low[0] <= whole <= found.high[0]
    assert 45 <= hits <= 60


def test_workers_change_no_bit():
    key, response = corpus(40, 4)
    scores = coreference.score(key, response)
    runs = [
        coreference.bootstrap(scores, draws=700, seed=9, workers=workers) for workers in (1, 3)
    ]
    assert np.array_equal(runs[0].values, runs[1].values)


def test_scores_on_other_terms_are_not_compared():
    key, response = corpus(5, 4)
    base = coreference.score(key, response)
    with pytest.raises(ValueError, match=r"conventions differ \(perl-8.01 and luo-2014\)"):
        coreference.paired_test(base, coreference.score(key, response, convention="luo-2014"))
    fewer = {name: key[name] for name in list(key)[1:]}
    rest = {name: response[name] for name in fewer}
    with pytest.raises(ValueError, match="different documents \\('d00' is in one alone\\)"):
        coreference.paired_test(base, coreference.score(fewer, rest))
    other, _ = corpus(5, 44)
    with pytest.raises(ValueError, match="their keys have other mentions or entities"):
        coreference.paired_test(base, coreference.score(other, response))


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"measure": "bcube"}, "'bcube': one of mentions, muc"),
        ({"measure": "muc.f2"}, "muc.recall, .precision, .f1"),
        ({"measure": []}, "measure is empty"),
        ({"measure": ["muc", "muc"]}, "names one twice"),
        ({"average": "mean"}, "average"),
        ({"draws": 0}, "draws"),
        ({"level": 2}, "level"),
        ({"interval": "bca"}, "interval"),
    ],
)
def test_bad_options(options, fragment):
    scores = coreference.score(*corpus(5, 4))
    with pytest.raises(ValueError, match=fragment):
        coreference.bootstrap(scores, **options)


def test_one_document_says_nothing_of_the_spread():
    scores = coreference.score({"d": [["a", "b"]]}, {"d": [["a"]]})
    with pytest.raises(ValueError, match="there is 1 document; at least 2"):
        coreference.bootstrap(scores)


def test_reports():
    scores = coreference.score(*corpus(12, 4))
    found = coreference.bootstrap(scores, measure=["conll", "lea"], draws=50, seed=2)
    text = str(found)
    assert text.startswith("convention perl-8.01, mentions matched: exact, micro average")
    assert "50 draws of 12 documents with replacement, seed 2" in text
    plain = found.to_dict()
    assert plain["convention"] == "perl-8.01"
    assert set(plain["measures"]) == {"conll", "lea"}
    pandas = pytest.importorskip("pandas")
    frame = scores.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.loc["muc", "recall_denominator"] == scores["muc"].recall_denominator
    by_document = scores.to_pandas(per_document=True)
    assert by_document.loc[("d03", "lea"), "f1"] == scores.per_document["d03"]["lea"].f1


@needs_shared
def test_two_responses_of_litbank_differ():
    key = LITBANK / "litbank.key.jsonlines"
    scores = [
        coreference.score(key, LITBANK / f"litbank.{name}.jsonlines")
        for name in ("nearest", "goldhead")
    ]
    found = coreference.paired_test(*scores, measure=["conll", "lea"], seed=1)
    assert found["conll"].difference > 0
    assert found["conll"].p_value < 0.01


# ---- on the command line -----------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    key, one = corpus(12, 3)
    paths = []
    for name, documents in (("key", key), ("one", one), ("two", key)):
        path = tmp_path / f"{name}.csv"
        rows = [
            f"{document},{mention},{entity}"
            for document, entities in documents.items()
            for entity, mentions in enumerate(entities)
            for mention in mentions
        ]
        path.write_text("\n".join(["document,mention,entity", *rows, ""]))
        paths.append(str(path))
    return paths


POLICIES = ["--missing-documents", "empty", "--extra-documents", "empty", "--repeats", "first"]


def test_command_prints_bootstrap_and_paired_tests(capsys, files):
    arguments = ["coref", *files, *POLICIES, "--measures", "muc,lea", "--seed", "4"]
    assert main([*arguments, "--bootstrap", "60", "--paired", "99"]) == 0
    out = capsys.readouterr().out
    assert out.count("60 draws of") == 2
    assert "seed 4" in out
    assert "one.csv, then two.csv" in out
    assert "99 swaps of" in out
    assert main([*arguments, "--bootstrap", "60", "--paired", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    key, *responses = (coreference.read(path) for path in files)
    scores = [
        coreference.score(
            *(key, response),
            repeats="first",
            missing_documents="empty",
            extra_documents="empty",
        )
        for response in responses
    ]
    wanted = coreference.bootstrap(scores[0], measure=["muc", "lea"], draws=60, seed=4)
    assert report["responses"]["one.csv"]["bootstrap"] == json.loads(wanted.to_json())
    test = coreference.paired_test(*scores, measure=["muc", "lea"], seed=4)
    (found,) = report["paired"]
    assert found["responses"] == ["one.csv", "two.csv"]
    assert found["measures"] == json.loads(test.to_json())["measures"]


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        (["--worst", "9", "--latex"], "not for --latex"),
        (["--method", "bootstrap"], "--method is for --paired"),
        (["--seed", "9"], "--seed is for --bootstrap and --paired"),
        (["--bootstrap", "0"], "--bootstrap 0 must be"),
    ],
)
def test_command_refuses(capsys, files, options, fragment):
    assert main(["coref", *files, *POLICIES, *options]) == 2
    assert fragment in capsys.readouterr().err


def test_command_needs_two_responses_to_pair(capsys, files):
    assert main(["coref", *files[:2], *POLICIES, "--paired"]) == 2
    assert "give two or more" in capsys.readouterr().err
