"""Real label files from the command line, against what other libraries say of them.

The peers' values are right here, but for Fowlkes-Mallows of genieclust against all singletons
(NaN for 0).
"""

import gzip
import json
import math

import pytest

import cases
import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

# peer, its name: ours, factor to our unit
PEERS = {
    ("sklearn", "rand"): "rand_index",
    ("sklearn", "ari"): "adjusted_rand_index",
    ("sklearn", "mi_nats"): "mutual_information",
    ("sklearn", "nmi_arithmetic"): "normalized_mutual_information",
    ("sklearn", "nmi_geometric"): "normalized_mutual_information(average=geometric)",
    ("sklearn", "nmi_min"): "normalized_mutual_information(average=min)",
    ("sklearn", "nmi_max"): "normalized_mutual_information(average=max)",
    ("sklearn", "homogeneity"): "homogeneity",
    ("sklearn", "completeness"): "completeness",
    ("sklearn", "v"): "v_measure",
    ("sklearn", "v_beta0.5"): "v_measure(beta=0.5)",
    ("sklearn", "v_beta2"): "v_measure(beta=2)",
    ("sklearn", "fowlkes_mallows"): "fowlkes_mallows",
    ("genieclust", "ar"): "adjusted_rand_index",
    ("genieclust", "r"): "rand_index",
    ("genieclust", "fm"): "fowlkes_mallows",
    ("genieclust", "afm"): "adjusted_fowlkes_mallows",
    ("genieclust", "mi"): "mutual_information",
    ("genieclust", "nmi"): "normalized_mutual_information",
    ("igraph", "vi"): "variation_of_information",
    ("igraph", "nmi"): "normalized_mutual_information",
    ("igraph", "split-join"): "van_dongen",
    ("igraph", "rand"): "rand_index",
    ("igraph", "adjusted_rand"): "adjusted_rand_index",
}
MEASURES = sorted({*PEERS.values(), "purity", "inverse_purity"})


def reference(prefix):
    found = json.loads(cases.shared("data", "labels", "reference.json").read_text())["scores"]
    return {k.partition(":")[2]: v for k, v in found.items() if k.partition(":")[0] == prefix}


def run(capsys, *arguments):
    code = main(["compare", *map(str, arguments), "--json", "--measures", ",".join(MEASURES)])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


def check(found, wanted):
    assert found["account"]["items"] == wanted["n"]
    assert list(found["clusters"].values()) == wanted["clusters"]
    assert found["cells"] == wanted["cells"]
    assert found["components"] == wanted["join_components"]
    scores = found["scores"]
    for (peer, theirs), ours in PEERS.items():
        value = wanted.get(peer, {}).get(theirs)
        if value is not None:
            assert math.isclose(scores[ours], value, rel_tol=1e-9, abs_tol=1e-9), (ours, peer)
    for name in ("purity", "inverse_purity"):
        assert math.isclose(scores[name], wanted[name], rel_tol=1e-15)


FILES = {
    "uci/digits": "uci/digits.csv.gz",
    "uci/iris": "uci/iris.csv.gz",
    "febrl/dataset3": "febrl/dataset3.csv.gz",
    "pbmc68k_reduced/obs": "pbmc68k_reduced/obs.csv.gz",
    "communities/karate": "communities/karate.csv.gz",
    "communities/les_miserables": "communities/les_miserables.csv.gz",
}


@pytest.mark.parametrize("name", FILES)
def test_columns_of_tables(name, capsys):
    path = cases.shared("data", "labels", FILES[name])
    pairs = reference(name)
    assert pairs
    for pair, wanted in pairs.items():
        a, b = pair.split("|")
        check(run(capsys, f"{path}::{a}", f"{path}::{b}"), wanted)


@pytest.mark.parametrize("name", ["uci/iris", "febrl/dataset3"])
def test_score_gives_the_same_numbers(name, capsys):
    path = cases.shared("data", "labels", FILES[name])
    pairs = {k.split("|")[1]: v for k, v in reference(name).items() if k.startswith("true|")}
    arguments = ["score", str(path), "--reference", "true", "--candidates", ",".join(pairs)]
    assert main([*arguments, "--json", "--measures", "adjusted_rand_index,purity"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    for column, wanted in pairs.items():
        ari = wanted["sklearn"]["ari"]
        assert math.isclose(
            found[column]["adjusted_rand_index"], ari, rel_tol=1e-9, abs_tol=1e-9
        )
        assert math.isclose(found[column]["purity"], wanted["purity"], rel_tol=1e-15)


def test_images(capsys):
    path = cases.shared("data", "labels", "segmentation", "coins.npz")
    for pair, wanted in reference("segmentation/coins").items():
        a, b = pair.split("|")
        sides = [f"{path}::{a}", f"{path}::{b}", "--flatten"]
        check(run(capsys, *sides), wanted)
        drop = ["--missing", "drop,error", "--missing-labels-reference", "0"]
        check(run(capsys, *sides, *drop), wanted["only_where_reference_is_not_0"])
        left, right = (pw.read(path, label=x, flatten=True) for x in (a, b))
        split, merge = wanted["skimage_vi_ignore_none"]
        vi = pw.variation_of_information(left, right, base=2)
        assert math.isclose(vi, split + merge, rel_tol=1e-9)
        # scikit-image leaves the reference's label 0 out, and pairs of an item with itself
        error, *_ = wanted["skimage_adapted_rand_error"]
        policies = {"missing": ("drop", "error"), "missing_labels": (0, None)}
        ours = pw.adapted_rand_error(left, right, self_pairs=False, **policies)
        assert math.isclose(ours, error, rel_tol=1e-9)


def test_communities_one_a_line(capsys):
    folder = cases.shared("data", "labels", "communities")
    sides = [folder / f"les_miserables.{x}.cmty.txt.gz" for x in ("leiden", "walktrap")]
    check(run(capsys, *sides), reference("communities/les_miserables")["leiden|walktrap"])


def test_mentions_of_all_documents(capsys):
    folder = cases.shared("data", "labels", "litbank")
    sides = [folder / "key.tsv.gz", folder / "response.tsv.gz"]
    options = ["--item", "doc,mention", "--label", "doc,cluster", "--unmatched", "drop"]
    found = run(capsys, *sides, *options)
    (wanted,) = reference("litbank").values()
    check(found, wanted)
    account = found["account"]
    assert account["reference"]["unmatched"] == wanted["mentions_only_in_key"]
    assert account["candidate"]["unmatched"] == wanted["mentions_only_in_response"]


def test_mentions_document_by_document(capsys, tmp_path):
    folder = cases.shared("data", "labels", "litbank")
    scores = json.loads(cases.shared("data", "labels", "reference.json").read_text())["scores"]
    documents = {
        k.split("/")[1].split(":")[0]: v for k, v in scores.items() if k[:8] == "litbank/"
    }
    assert len(documents) == 22
    for document, wanted in documents.items():
        paths = []
        for side in ("key", "response"):
            lines = (
                gzip.decompress((folder / f"{side}.tsv.gz").read_bytes()).decode().splitlines()
            )
            kept = [line for line in lines if line.startswith((f"{document}\t", "# doc"))]
            paths.append(tmp_path / f"{side}.tsv")
            paths[-1].write_text("\n".join(kept) + "\n")
        options = ["--item", "mention", "--label", "cluster", "--unmatched", "drop"]
        check(run(capsys, *paths, *options), wanted)


def test_nulls_and_dictionaries_of_parquet(capsys):
    path = cases.shared("data", "labels", "formats", "dictionary_and_nulls.parquet")
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = parquet.read_table(path)
    for name in table.column_names:
        column = table.column(name)
        if not arrow.types.is_dictionary(column.type):
            continue
        found = pw.read(path, label=name)
        assert found.labels.tolist() == column.to_pylist()
        labelled = [x for x in column.to_pylist() if x is not None]
        assert found.n_clusters == len(set(labelled))
        dropped = pw.align(found, found, missing="drop")
        assert dropped.n_items == len(labelled)
        assert pw.rand_index(dropped) == 1.0
