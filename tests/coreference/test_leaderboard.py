"""A shared task: ranks, classes, all pairs tested as each alone, and refusals."""

import gzip
import json
import shlex
from html.parser import HTMLParser
from itertools import combinations

import numpy as np
import pytest

from partwise import coreference
from partwise.cli import main
from partwise.coreference.shared_task.letters import shared_letters
from partwise.inference.holm import holm

pytestmark = pytest.mark.one_backend


def task(teams, n=24, seed=0):
    """Return a key and so many submissions, each worse than the one before."""
    draw = np.random.default_rng(seed)
    key = {
        f"d{i}": [[(10 * e + m, 10 * e + m) for m in range(3)] for e in range(4)]
        for i in range(n)
    }
    submissions = {}
    for number in range(teams):
        noise = 0.04 * number
        response = {}
        for name, entities in key.items():
            moved = [[] for _ in entities]
            for at, entity in enumerate(entities):
                for mention in entity:
                    home = int(draw.integers(4)) if draw.random() < noise else at
                    if draw.random() >= noise / 3:
                        moved[home].append(mention)
            response[name] = [entity for entity in moved if entity]
        submissions[f"team {number}"] = response
    return key, submissions


# ---- Holm's correction and letters against their definitions ---------------------------


@pytest.mark.parametrize("seed", range(20))
def test_holm_is_the_least_level_at_which_the_steps_reject(seed):
    draw = np.random.default_rng(seed)
    p = draw.choice([0.001, 0.004, 0.01, 0.02, 0.04, 0.3, 1.0, draw.random()], 7)
    corrected = holm(p)

    def rejected(alpha):
        """Reject from the smallest on, and stop at the first that is too large."""
        those = set()
        for step, at in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
            if p[at] * (len(p) - step) > alpha:
                break
            those.add(at)
        return those

    for alpha in (0.001, 0.01, 0.0281, 0.05, 0.2, 0.9):
        assert {at for at in range(len(p)) if corrected[at] <= alpha} == rejected(alpha)
    assert corrected.max() <= 1
    assert holm([]).tolist() == []


@pytest.mark.parametrize("seed", range(40))
def test_names_share_a_letter_if_and_only_if_they_do_not_differ(seed):
    draw = np.random.default_rng(seed)
    names = [f"n{i}" for i in range(int(draw.integers(1, 9)))]
    share = draw.random()
    apart = [pair for pair in combinations(names, 2) if draw.random() < share]
    flipped = [pair[::-1] if draw.random() < 0.5 else pair for pair in apart]
    letters = shared_letters(names, flipped)
    for pair in combinations(names, 2):
        shared = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(shared) == (pair not in apart)
    assert all(letters.values())
    used = sorted(set("".join(letters.values())))
    assert used == [chr(ord("a") + i) for i in range(len(used))]
    assert letters["n0"][0] == "a"


def test_more_than_26_letters():
    names = [f"n{i}" for i in range(30)]
    letters = shared_letters(names, list(combinations(names, 2)))
    assert [letters[f"n{i}"] for i in (0, 25, 26, 29)] == ["a", "z", "(aa)", "(ad)"]


# ---- scores, ranks and tests ------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "average"),
    [("conll", "micro"), ("lea", "macro"), ("b_cubed.recall", "micro"), ("blanc", "micro")],
)
def test_all_pairs_are_tested_as_each_pair_alone(measure, average):
    key, submissions = task(5)
    options = {"measure": measure, "average": average, "draws": 300, "seed": 3}
    board = coreference.leaderboard(key, submissions, **options)
    scores = {name: coreference.score(key, one) for name, one in submissions.items()}
    alone = []
    for pair in board.pairs:
        test = coreference.paired_test(scores[pair.first], scores[pair.second], **options)
        result = test[measure]
        assert pair.p_value == result.p_value
        assert pair.difference == -result.difference
        assert pair.difference >= 0
        alone.append(result.p_value)
    assert [pair.corrected for pair in board.pairs] == holm(alone).tolist()
    assert len(board.pairs) == 10
    order = [one.name for one in board.submissions]
    assert [(x.first, x.second) for x in board.pairs] == list(combinations(order, 2))
    for name in order:
        own = scores[name].macro if average == "macro" else scores[name]
        for part in board[name].scores:
            assert board[name].scores[part] == own[part]


def test_threads_and_files_change_no_bit(tmp_path):
    key, submissions = task(4)
    board = coreference.leaderboard(key, submissions, draws=600, seed=1)
    assert coreference.leaderboard(key, submissions, draws=600, seed=1, workers=2) == board
    folder = tmp_path / "all"
    (folder / "team 1").mkdir(parents=True)
    lines = {name: records(one) for name, one in submissions.items()}
    with gzip.open(folder / "team 0.jsonl.gz", "wt") as file:
        file.write("".join(lines["team 0"]))
    (folder / "team 1" / "one.jsonl").write_text("".join(lines["team 1"][:9]))
    (folder / "team 1" / "two.jsonl").write_text("".join(lines["team 1"][9:]))
    (folder / "team 2.json").write_text("".join(lines["team 2"]))
    (folder / "team 3.jsonlines").write_text("".join(lines["team 3"]))
    (folder / ".hidden").write_text("")
    gold = tmp_path / "key.jsonl"
    gold.write_text("".join(records(key)))
    read = coreference.leaderboard(gold, folder, draws=600, seed=1, ends="inclusive")
    assert read.pairs == board.pairs
    assert [x.letters for x in read.submissions] == [x.letters for x in board.submissions]
    assert read["team 2"].scores == board["team 2"].scores


def records(documents):
    return [
        json.dumps({"doc_key": name, "clusters": entities}) + "\n"
        for name, entities in documents.items()
    ]


def test_ranks_classes_and_ties():
    key, submissions = task(6)
    submissions["again"] = submissions["team 2"]
    board = coreference.leaderboard(key, submissions, draws=999, seed=1)
    values = [one.scores["conll"].f1 for one in board.submissions]
    assert values == sorted(values, reverse=True)
    for one in board.submissions:
        above = sum(value > one.scores["conll"].f1 for value in values)
        assert one.rank == 1 + above
    assert board["again"].rank == board["team 2"].rank
    assert board.pair("team 2", "again").p_value == 1
    for pair in board.pairs:
        shared = set(board[pair.first].letters) & set(board[pair.second].letters)
        assert bool(shared) == (pair.corrected > 0.05)
    letters = {one.letters for one in board.submissions}
    assert len(letters) > 2
    strict = coreference.leaderboard(key, submissions, draws=999, seed=1, level=0.999)
    assert {one.letters for one in strict.submissions} == {"a"}
    assert "draws=20999 is enough" in strict.notes[0]


def test_too_few_draws_for_so_many_pairs_are_told():
    key, submissions = task(4, n=3)
    few = coreference.leaderboard(key, submissions, draws=99, seed=1)
    (note,) = few.notes
    assert "with 99 draws the corrected p-value of 6 pairs is 0.06 or more" in note
    assert "draws=119" in note
    assert not coreference.leaderboard(key, submissions, draws=119, seed=1).notes
    assert coreference.leaderboard(key, submissions, draws=118, seed=1).notes
    assert note in str(few).replace("\n", " ")


def test_one_document_and_one_submission_are_ranked_without_tests():
    key = {"d": [["a", "b", "c"], ["d", "e"]]}
    submissions = {"y": {"d": [["a", "b"]]}, "z": {"d": [["a", "d"]]}, "x": key}
    board = coreference.leaderboard(key, submissions)
    assert [one.rank for one in board.submissions] == [1, 2, 3]
    assert (board.pairs, board["x"].letters) == ([], "")
    assert "there is one alone" in board.notes[0]
    alone = coreference.leaderboard(key, {"x": key})
    assert (alone["x"].rank, alone.pairs, alone.notes) == (1, [], [])


# ---- refusals ------------------------------------------------------------------------------


HOSTILE = {
    "empty.jsonl": (b"", "empty"),
    "noise.conll": (bytes(range(256)), ""),
    "cut.jsonl": (b'{"doc_key": "d0", "clust', ""),
    "partial.jsonl": (
        b'{"doc_key": "d0", "clusters": [[[0, 0], [1, 1]]]}\n',
        "lacks document 'd1'",
    ),
    "twice.jsonl": (
        b'{"doc_key": "d0", "clusters": [[[0, 0], [0, 0]]]}\n'
        b'{"doc_key": "d1", "clusters": []}\n',
        "is in entity 0 and again in 0",
    ),
    "other.jsonl": (b'{"doc_key": "x", "clusters": []}\n', "lacks document"),
}


def test_each_bad_submission_is_a_row_that_says_why(tmp_path, capsys):
    key = {"d0": [[(0, 0), (1, 1)]], "d1": [[(2, 2), (3, 3)]]}
    folder = tmp_path / "submissions"
    (folder / "nothing").mkdir(parents=True)
    for name, (content, _) in HOSTILE.items():
        (folder / name).write_bytes(content)
    (folder / "lost").symlink_to(tmp_path / "absent")
    (folder / "good.jsonl").write_text("".join(records(key)))
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(records(key)))
    board = coreference.leaderboard(gold, folder, ends="inclusive", seed=1, draws=99)
    refused = {one.name: one.refused for one in board.submissions if one.rank is None}
    stems = {name.split(".")[0] for name in HOSTILE}
    assert set(refused) == stems | {"nothing", "lost"}
    for name, (_, why) in HOSTILE.items():
        assert why in refused[name.split(".")[0]]
    assert all(refused.values())
    assert not any('"ignore" to leave' in why for why in refused.values())
    assert board.submissions[0].name == "good"
    assert board["good"].scores["conll"].f1 == 1
    text = " ".join(str(board).split())
    for name, why in refused.items():
        assert f"{name} is refused: {' '.join(why.split())}" in text
    rows = board.to_csv().splitlines()
    assert rows[1].startswith("1,good,,")
    assert main(["leaderboard", str(gold), str(folder), "--ends", "inclusive"]) == 0
    out = capsys.readouterr().out
    assert "--missing-documents" in out
    assert "missing_documents" not in out


def test_when_all_are_refused_there_is_a_table_of_refusals():
    board = coreference.leaderboard({"d": [["a"]]}, {"x": {"e": [["a"]]}, "y": 3})
    assert [one.rank for one in board.submissions] == [None, None]
    assert "2 refused" in str(board)
    assert coreference.Leaderboard.from_json(board.to_json()) == board
    assert board.to_html().count("<tr>") == 3


def test_faults_of_the_call_are_errors(tmp_path):
    key, submissions = task(2, n=2)
    with pytest.raises(ValueError, match="absent does not exist; a folder"):
        coreference.leaderboard(key, tmp_path / "absent")
    with pytest.raises(ValueError, match="the folder of submissions is empty"):
        coreference.leaderboard(key, tmp_path)
    with pytest.raises(ValueError, match="submissions is empty"):
        coreference.leaderboard(key, {})
    with pytest.raises(TypeError, match="submissions is of type int"):
        coreference.leaderboard(key, 3)
    with pytest.raises(TypeError, match="the name of a submission is 1"):
        coreference.leaderboard(key, {1: key})
    with pytest.raises(ValueError, match="missing_documents='ignore': error or empty"):
        coreference.leaderboard(key, submissions, missing_documents="ignore")
    with pytest.raises(ValueError, match="extra_documents='empty': error or ignore"):
        coreference.leaderboard(key, submissions, extra_documents="empty")
    with pytest.raises(ValueError, match="measure 'rand'"):
        coreference.leaderboard(key, submissions, measure="rand")
    with pytest.raises(TypeError, match="one measure"):
        coreference.leaderboard(key, submissions, measure=["muc"])
    with pytest.raises(ValueError, match="average"):
        coreference.leaderboard(key, submissions, average="mean")
    with pytest.raises(ValueError, match="ends="):
        coreference.leaderboard(key, submissions, ends="inclusive")
    with pytest.raises(KeyError, match="no such submission"):
        coreference.leaderboard(key, submissions)["team 9"]
    with pytest.raises(KeyError, match="no pair"):
        coreference.leaderboard(key, submissions).pair("team 0", "team 9")
    with pytest.raises(ValueError, match="draws"):
        coreference.leaderboard(key, submissions, draws=0)


def test_files_of_one_stem_keep_their_endings(tmp_path):
    key = {"d0": [[[0, 0], [1, 1]]]}
    for name in ("a.jsonl", "a.json", "b.jsonl"):
        (tmp_path / name).write_text("".join(records(key)))
    board = coreference.leaderboard(key, tmp_path, ends="inclusive")
    assert sorted(one.name for one in board.submissions) == ["a.json", "a.jsonl", "b"]
    (tmp_path / "a.json.jsonl").write_text("".join(records(key)))
    board = coreference.leaderboard(key, tmp_path, ends="inclusive")
    assert len({one.name for one in board.submissions}) == 4


# ---- forms ---------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


def test_names_that_are_code_are_shown_as_text():
    key, submissions = task(2, n=3)
    odd = {"<script>": submissions["team 0"], r"50 % & $\input{x}": submissions["team 1"]}
    odd["<b>"] = {}
    board = coreference.leaderboard(key, odd, seed=1, draws=99)
    tags = Tags()
    tags.feed(board.to_html("<i>"))
    assert not {"script", "b", "i"} & set(tags.tags)
    assert tags.tags.count("table") == 2
    assert r"\input" not in board.to_latex()
    assert r"50 \% \&" in board.to_latex()


def test_the_command_in_json_makes_the_same_leaderboard(tmp_path, capsys):
    key, submissions = task(3, n=6)
    folder = tmp_path / "two words"
    folder.mkdir()
    for name, one in submissions.items():
        (folder / f"{name}.jsonl").write_text("".join(records(one)))
    gold = tmp_path / "key.jsonl"
    gold.write_text("".join(records(key)))
    arguments = ["leaderboard", str(gold), str(folder), "--ends", "inclusive", "--json"]
    arguments += ["--draws", "199"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    board = coreference.Leaderboard.from_json(text)
    words = shlex.split(board.command)
    assert words[: len(arguments) + 1] == ["partwise", *arguments]
    assert words[-2:] == ["--seed", str(board.seed)]
    assert main(words[1:]) == 0
    again = coreference.Leaderboard.from_json(capsys.readouterr().out)
    assert again.pairs == board.pairs
    assert again.submissions == board.submissions
    python = coreference.leaderboard(gold, folder, ends="inclusive", seed=board.seed, draws=199)
    assert python.pairs == board.pairs


@pytest.mark.parametrize("shape", ["csv", "latex", "html", "markdown", None])
def test_forms_of_the_command_line(shape, capsys):
    arguments = ["leaderboard", "examples/key.conll", "--seed", "1", "--draws", "99"]
    arguments[2:2] = ["a=examples/response.conll", "b=examples/key.conll"]
    assert main([*arguments, *([f"--{shape}"] if shape else [])]) == 0
    out = capsys.readouterr().out
    assert "100.00" in out or shape == "csv"
    mark = {"csv": "rank,", "latex": r"\begin{tab", "html": "<!doctype", "markdown": "conv"}
    assert out.startswith(mark.get(shape, "convention perl-8.01"))
    if shape != "html":
        assert main([*arguments, "--pairs", *([f"--{shape}"] if shape else [])]) == 0
        out = capsys.readouterr().out
        assert out.count("\n") >= 2
        assert "corrected" in out
    else:
        assert main([*arguments, "--pairs", "--html"]) == 2
        assert "leave out --pairs" in capsys.readouterr().err


def test_the_command_ends_with_2_where_every_submission_is_refused(tmp_path, capsys):
    (tmp_path / "key.jsonl").write_text("".join(records(task(1, n=2)[0])))
    (tmp_path / "bad.jsonl").write_text("{}\n")
    files = [f"{tmp_path}/{name}.jsonl" for name in ("key", "bad", "bad")]
    command = ["leaderboard", files[0], f"a={files[1]}", f"b={files[2]}"]
    assert main([*command, "--ends", "inclusive"]) == 2
    out, err = capsys.readouterr()
    assert "a is refused" in out
    assert "no submission could be scored" in err
    assert main([*command, f"c={files[0]}", "--ends", "inclusive"]) == 0
