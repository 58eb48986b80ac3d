"""The catalogue is complete, honest about its options, and the only list."""

import inspect
import subprocess
import sys
from functools import cache
from itertools import product

import pytest

import partwise as pw
from cases import features, required
from partwise.measures.catalogue import FAMILIES, ORDER, find, select
from strategies import partitions

ENTRIES = pw.catalogue()


def test_every_public_measure_is_catalogued_and_the_other_way():
    bases = {entry.name for entry in ENTRIES.values() if not entry.options}
    assert bases <= set(pw.__all__)
    for entry in ENTRIES.values():
        assert getattr(pw, entry.name.partition("(")[0]) is entry.function
        assert entry.family in FAMILIES
        assert entry.direction in ("higher", "lower", None)
        assert entry.exactness in ("bits", "2 ulp")
        assert entry.summary.endswith(".")
        assert entry.source


#: Imports the modules of measures in the order of its arguments, without the package's own
#: imports, and lists the catalogue.
LISTING = """
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec

sys.modules["partwise"] = module_from_spec(find_spec("partwise"))
for name in sys.argv[1:]:
    import_module(name)
print(*import_module("partwise.measures.catalogue").catalogue(), sep="\\n")
"""


@pytest.mark.one_backend
def test_the_order_does_not_depend_on_what_is_imported_first():
    modules = list(dict.fromkeys(entry.function.__module__ for entry in ENTRIES.values()))
    for order in (modules[::-1], [*modules[1::2], *modules[::2]]):
        found = subprocess.run(
            [sys.executable, "-c", LISTING, *order], capture_output=True, text=True, check=True
        )
        assert found.stdout.splitlines() == list(ENTRIES)


def test_the_order_names_every_module_of_an_entry():
    used = {
        (entry.family, entry.function.__module__.rpartition(".")[2])
        for entry in ENTRIES.values()
    }
    assert used == {(family, name) for family, names in ORDER.items() for name in names}


@pytest.mark.parametrize(
    "name", [entry.name for entry in ENTRIES.values() if not entry.options]
)
def test_docstrings_say_what_a_user_must_know(name):
    text = inspect.getdoc(ENTRIES[name].function)
    for part in ("Returns", "Notes", "Examples", ">>> "):
        assert part in text, f"{name}: {part} is missing"
    signature = inspect.signature(ENTRIES[name].function)
    for option in [*ENTRIES[name].defaults, *ENTRIES[name].requires]:
        assert option in signature.parameters
        assert f"{option} :" in text


@cache
def tables_of(n, kernels):
    """Pairs of partitions of n items and their tables, with what the kernel remembers."""
    numbered = list(enumerate(partitions(n)))
    return {
        (i, j): (p, q, pw.contingency(p, q)) for (i, p), (j, q) in product(numbered, repeat=2)
    }


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long) if "model=dirichlet" in name else name
        for name in ENTRIES
    ],
)
def test_symmetry_and_bounds_on_all_partitions_of_four(name, kernels):
    """A claim is true, and a claim not made has a witness."""
    entry = ENTRIES[name]
    options = {**entry.options, **required(entry, k=4, features=features(4))}
    values = {
        key: entry.function(*((p, q) if entry.computation.items else (table,)), **options)
        for key, (p, q, table) in tables_of(4, kernels).items()
    }
    if not entry.tie_dependent:
        symmetric = all(values[i, j] == values[j, i] for i, j in values)
        assert symmetric == entry.symmetric
    if entry.normalized:
        assert (min(values.values()), max(values.values())) == (0, 1)
    same = {values[i, j] for i, j in values if i == j}
    if entry.value_if_identical is None:
        assert len(same) > 1
    else:
        assert same == {entry.value_if_identical}


#: A correlation is no less than -1, which no two partitions come near: pairs together in one
#: are never just those that are apart in the other. A distance of 2 log k takes k^2 items.
NEVER_NEAR = {("hubert_gamma", 0), ("vi_similarity_log_k", 0)}


@pytest.mark.one_backend
@pytest.mark.parametrize("name", [x for x in ENTRIES if "model=dirichlet" not in x])
def test_bounds_of_the_range_are_kept_and_reached_or_come_nearer(name):
    entry = ENTRIES[name]
    extremes = []
    for n in (3, 4):
        options = {**entry.options, **required(entry, k=n, features=features(n))}
        values = [
            entry.function(*((p, q) if entry.computation.items else (table,)), **options)
            for p, q, table in tables_of(n, "").values()
        ]
        extremes.append((min(values), max(values)))
    for end, bound in enumerate(entry.range):
        before, now = (pair[end] for pair in extremes)
        if bound is None:  # none is claimed
            continue
        assert now >= bound if end == 0 else now <= bound
        near = bound in (before, now) or abs(now - bound) < abs(before - bound)
        assert near == ((name, end) not in NEVER_NEAR)


def test_names_may_carry_options():
    a, b = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2]
    assert find("v_measure(beta=2)")(pw.contingency(a, b)) == pw.v_measure(a, b, beta=2)
    assert find("v_measure( beta = 1/2 )").options == {"beta": 0.5}
    assert find("mirkin(normalized=true)").options == {"normalized": True}
    assert find("normalized_mutual_information(average=max)").metric
    assert find("vi_similarity_log_k(k=3)").requires == ()
    assert find("v_measure(beta=1)").symmetric
    assert not find("v_measure(beta=3)").symmetric


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("rand_idx", "did you mean rand_index"),
        ("nonsense", "unknown measure"),
        ("rand_index(beta=2)", "no option 'beta'"),
        ("v_measure(2)", "option=value"),
        ("v+measure", "no measure name"),
        ("conl", "unknown measure 'conl' .partwise.catalogue"),
        ("ar1", "unknown measure 'ar1' .partwise.catalogue"),
        ("v_measure(beta=1, beta=2)", "gives beta twice"),
    ],
)
def test_unknown_names_and_options_are_sentences(name, fragment):
    with pytest.raises(ValueError, match=fragment):
        find(name)


def test_selecting():
    entries, skipped = select("all")
    of_features = {entry.name for entry in ENTRIES.values() if "features" in entry.requires}
    assert {name.partition("_")[0] for name in of_features} == {"centroid", "css", "s"}
    assert set(skipped) == {"vi_similarity_log_k"} | of_features
    why = "needs features: pass features= (one row of numbers per item)"
    assert {skipped[name] for name in of_features} == {why}
    assert set(select("all", ["features"])[1]) == {"vi_similarity_log_k"}
    assert "k=..." in skipped["vi_similarity_log_k"]
    assert {entry.name for entry in entries} | set(skipped) == set(ENTRIES)
    entries, skipped = select("default")
    assert not skipped
    assert all(entry.default for entry in entries)
    with pytest.raises(ValueError, match="needs k"):
        select("vi_similarity_log_k")
    with pytest.raises(ValueError, match="centroid_ratio needs features: pass features="):
        select(["purity", "centroid_ratio"])
    with pytest.raises(ValueError, match="empty"):
        select([])


def test_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="rand_index has no option 'normalised'"):
        pw.rand_index([0], [0], normalised=True)
    table = pw.contingency([0], [0])
    with pytest.raises(TypeError, match="beside a Contingency"):
        pw.rand_index(table, missing="drop")
    with pytest.raises(TypeError, match="one Contingency alone"):
        pw.rand_index(table, [0])
    with pytest.raises(TypeError, match="two clusterings"):
        pw.rand_index([0])
    with pytest.raises(TypeError, match="meet needs the items"):
        pw.meet(table)
