"""The library against its definitions on inputs of many kinds, within the stated bounds."""

import os
from collections import defaultdict
from fractions import Fraction
from itertools import islice

import mpmath
import numpy as np
import pytest

import cases
import definitions
import item_definitions
import oracle
import oracle_inputs
import partwise as pw
import table_definitions
from partwise import _kernels
from partwise.measures.error_bound import ErrorBound

ENTRIES = pw.catalogue()
#: So many pairs of clusterings for each of the groups below.
PAIRS = 20
#: What the ordinary run has at least, together: one entry on one pair.
CASES = 8000


def disagreements(pairs, kernels, *, slow=False):
    findings = oracle.Findings()
    for pair in pairs:
        oracle.check(pair, findings, kernels, slow=slow)
    return findings


@pytest.fixture(scope="module")
def counted():
    """Cases so far, by group."""
    return {}


@pytest.mark.one_backend
@pytest.mark.parametrize("group", range(4))
def test_every_entry_is_within_its_bound(group, both, counted):
    first = 37 * group  # so that groups differ in kinds and sizes
    findings = disagreements(islice(oracle.pairs(first), PAIRS), both)
    assert findings.disagreements == []
    counted[group] = sum(findings.cases.values())
    if len(counted) == 4:
        assert sum(counted.values()) >= CASES


@pytest.mark.long
@pytest.mark.one_backend
def test_every_entry_is_within_its_bound_on_many_pairs(both):
    number = int(os.environ.get("PARTWISE_ORACLE_PAIRS", "200"))
    findings = disagreements(islice(oracle.pairs(1000), number), both, slow=True)
    assert findings.disagreements == []


@pytest.mark.one_backend
@pytest.mark.parametrize("group", range(4))
def test_every_entry_is_within_its_bound_on_hostile_tables(group, both, monkeypatch):
    """Information of 1e-66 nats is not 0: the definitions take 200 digits."""
    monkeypatch.setattr(table_definitions, "NOTHING", mpmath.mpf(10) ** -150)
    with mpmath.workdps(200):
        tables = [oracle_inputs.hostile(group + 4 * step) for step in range(3)]
        assert disagreements(tables, both).disagreements == []


@pytest.mark.one_backend
@pytest.mark.parametrize("group", range(4))
def test_every_entry_is_within_its_bound_for_weights_far_apart(group, both):
    pairs = [oracle_inputs.weighted_far_apart(17 * step + group) for step in range(1, 8)]
    findings = oracle.Findings()
    for pair in pairs:
        oracle.check(pair, findings, both, slow=False)
    assert findings.disagreements == []
    assert sum(findings.cases.values()) > 200


@pytest.mark.parametrize("digits", [20, 40, 59])
def test_information_with_a_cluster_of_hardly_any_mass(kernels, digits):
    """It is a small difference of large entropies."""
    labels = [*range(20), 19], [0] * 20 + [1]
    weights = [1.0] * 20 + [2.0**-digits]
    pair = oracle_inputs.of_labels("hardly any mass", *labels, weights)
    for sides in (pair, oracle_inputs.of_labels("turned", *labels[::-1], weights)):
        assert disagreements([sides], {"in use": _kernels.impl}).disagreements == []


@pytest.mark.parametrize("form", [list, np.array])
def test_weights_that_lose_digits_are_told(kernels, form):
    """Here completeness is 0 in theory, and 1 comes out."""
    with pytest.warns(
        pw.InputWarning, match="1 weight above 0 is below 2\\^-60 of the largest"
    ):
        pw.completeness([0, 0], [0, 1], weights=form([1e-200, 3.0]))
    counted = pw.Contingency.from_counts([0, 0], [0, 1], [1, 1], weights=form([1e-200, 3.0]))
    assert [note.code for note in counted.account.notes] == ["weights-far-apart"]
    for least in (0.0, 3 * 2.0**-60, 1.0):
        table = pw.contingency([0, 0], [0, 1], weights=form([least, 3.0]))
        assert table.account.notes == ()


@pytest.mark.one_backend
def test_every_entry_states_a_bound_and_is_checked():
    checked = {*oracle.OF_TABLES, *item_definitions.DEFINITIONS}
    for name, entry in ENTRIES.items():
        assert isinstance(entry.error_bound, ErrorBound), name
        assert name.partition("(")[0] in checked


@pytest.mark.one_backend
def test_every_entry_is_checked_on_every_kind_of_input():
    """Of few and of many items, repeated, weighted, in tables without items."""
    kinds = defaultdict(set)
    for pair in islice(oracle.pairs(), 120):
        one_by_one = pair.labels is not None
        kind = (one_by_one, pair.weights is not None, pair.multiplicity is not None)
        for name in ENTRIES:
            if oracle.is_defined(name, pair, slow=False):
                kinds[name].add(kind)
    for name, entry in ENTRIES.items():
        tables = [] if entry.computation.items else [False]
        wanted = {(one_by_one, False, False) for one_by_one in (True, *tables)}
        wanted.add((True, False, True))
        if entry.computation.weights:
            wanted |= {(one_by_one, True, False) for one_by_one in (True, *tables)}
            wanted.add((True, True, True))
        if "dirichlet" in name or name in oracle.SLOW:
            continue  # of few items; the long run has more
        assert kinds[name] >= wanted, name


@pytest.mark.one_backend
@pytest.mark.parametrize("number", range(0, 60, 7))
def test_definitions_by_items_and_by_tables_agree(number):
    """Two ways to write down what a measure is, neither of them the library's."""
    pair = oracle_inputs.small(number)
    if len(pair.labels[0]) > 8:
        pair = oracle_inputs.small(number % 70)
    table = table_definitions.Table(pair.counts)
    for name, entry in ENTRIES.items():
        if not oracle.is_defined(name, pair, slow=False):
            continue
        options = oracle.options_of(entry, pair)
        literal = definitions.DEFINITIONS[name.partition("(")[0]](*pair.labels, **options)
        other = oracle.wanted(name, pair, table, options)
        off = abs(definitions.to_mpf(literal) - table_definitions.real(other))
        assert off < mpmath.mpf(10) ** -40, name


@pytest.mark.one_backend
def test_what_is_outside_a_bound_is_told():
    """The tests above would pass on a comparison that cannot fail."""
    findings = oracle.Findings()
    pair = oracle_inputs.small(130)
    findings.add("rand_index", pair, 0.5, Fraction(1, 2), "numpy")
    findings.add("rand_index", pair, 0.1, Fraction(1, 10), "numpy")
    assert findings.disagreements == []
    findings.add("rand_index", pair, 0.1 + 2**-52, Fraction(1, 10), "numpy")
    findings.add("rand_index", pair, 1 - 2**-53, Fraction(1), "numpy")
    assert len(findings.disagreements) == 2


@pytest.mark.parametrize("rest", [(1, 10**6), (10**6, 1)])
def test_speakers_with_the_most_speech_in_common_are_told_apart_by_all_digits(rest):
    """Equal overlaps of 43 bits: what distinguishes the pairings are small differences of J."""
    counts = {(0, 0): 10**13, (0, 1): rest[0], (1, 0): 10**13, (1, 1): rest[1], (2, 1): 10**12}
    rows, cols = zip(*counts, strict=True)
    table = pw.Contingency.from_counts(rows, cols, list(counts.values()))
    exact = table_definitions.jaccard_error_rate(table_definitions.Table(counts), "overlap")
    assert cases.within_ulp(pw.jaccard_error_rate(table, mapping="overlap"), exact)
    masses = [float(x) / 2**44 for x in counts.values()]
    weighted = pw.Contingency.from_counts(rows, cols, [1] * 5, weights=masses)
    assert pw.jaccard_error_rate(weighted, mapping="overlap") == pytest.approx(
        float(exact), rel=1e-14
    )


@pytest.mark.one_backend
def test_bounds_of_sums_of_masses_grow_with_the_masses():
    pair = oracle_inputs.of_labels("two items", [0, 1], [0, 0], [1e9, 3e9])
    small = oracle_inputs.of_labels("two items", [0, 1], [0, 0], [1e-9, 3e-9])
    name = "mallows_distance(cluster_weights=size)"
    for case, off in ((pair, 1e-5), (small, 1e-23)):
        findings = oracle.Findings()
        exact = Fraction(case.weights[0] * 1.5)
        value = ENTRIES[name].function(
            *case.labels, weights=case.weights, cluster_weights="size"
        )
        findings.add(name, case, value + off, exact, "numpy")
        assert findings.disagreements == []
        findings.add(name, case, value + 1e3 * off, exact, "numpy")
        assert len(findings.disagreements) == 1


@pytest.mark.one_backend
@pytest.mark.parametrize("count", ["ec", "newman"])
def test_reduced_information_of_many_items_keeps_its_digits(count):
    """What is left of costs of 10^18 nats: nearly even tables, and a giant beside few items."""
    even = dict.fromkeys([(i, j) for i in range(3) for j in range(2)], 10**16)
    giant = {(0, 0): 10**16, **{(i, i % 3): 1 for i in range(1, 30)}}
    for counts in (even | {(1, 1): 10**16 + 1}, giant):
        rows, cols = zip(*counts, strict=True)
        table = pw.Contingency.from_counts(rows, cols, list(counts.values()))
        value = pw.reduced_mutual_information(table, count=count)
        exact = table_definitions.reduced_mutual_information(
            table_definitions.Table(counts), count=count
        )
        assert abs(value - exact) <= 1e-11 * abs(exact)


@pytest.mark.one_backend
@pytest.mark.parametrize("count", ["ec", "newman"])
def test_reduced_information_of_many_clusters_is_within_its_bound(count):
    name = "reduced_mutual_information" + ("(count=newman)" if count == "newman" else "")
    findings = oracle.Findings()
    n = 1000
    for a, b in (
        ([i // 3 for i in range(n)], [i // 5 for i in range(n)]),
        (list(range(n)), [i // 2 for i in range(n)]),
        ([*range(n - 1), 0], [0, 0, *range(n - 2)]),
    ):
        pair = oracle_inputs.of_labels("many clusters", a, b)
        table = table_definitions.Table(pair.counts)
        exact = table_definitions.reduced_mutual_information(table, count=count)
        value = ENTRIES[name].function(a, b, **ENTRIES[name].options)
        findings.add(name, pair, value, exact, "default")
    assert findings.disagreements == []
