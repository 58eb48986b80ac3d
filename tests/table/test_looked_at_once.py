"""What is copied before it is looked at again, and what is computed only once."""

import numpy as np
import pytest

import partwise as pw
from partwise.table import arguments
from partwise.table.margins import Margin, use_margin
from partwise.table.memo import Memo

pytestmark = pytest.mark.one_backend


@pytest.mark.parametrize(
    ("policies", "copied"),
    [
        ({}, False),
        ({"weights": [1, 2]}, False),
        ({"multiplicity": [1, 2]}, False),
        ({"missing": "drop"}, False),
        ({"missing": "error", "weights": [1, 2]}, False),
        ({"missing": ("drop", "error")}, False),
        ({"missing": "cluster"}, True),
        ({"missing": ("drop", "singletons")}, True),
        ({"missing": ("singletons", "drop")}, True),
        ({"missing_labels": "a"}, True),
        ({"unmatched": "drop"}, True),
        ({"missing": "drop", "duplicates": "first"}, True),
        ({"weights": [1, 2], "unmatched": "drop"}, True),
    ],
)
def test_labels_that_policies_look_at_again_are_copied(policies, copied, monkeypatch):
    """A table is counted on the caller's own memory, if that is looked at once."""
    called = []
    for name in ("align", "align_views"):
        own = getattr(arguments, name)
        monkeypatch.setattr(
            arguments,
            name,
            lambda *sides, name=name, own=own, **others: (
                called.append(name),
                own(*sides, **others),
            )[1],
        )
    labels = {"x": "a", "y": "b"}
    if policies.get("missing_labels"):
        policies = {**policies, "missing": "drop"}
    assert pw.contingency(labels, labels, **policies).n_items > 0
    assert called == ["align" if copied else "align_views"]


def test_a_value_is_kept_for_the_arrays_that_it_is_of():
    made = []

    def compute():
        made.append(len(made))
        return made[-1]

    memo = Memo()
    array, gap = np.array([1.0, 2.0]), np.array([1.0, np.nan])
    for arrays, wanted in (
        ([array], 0),
        ([array], 0),
        ([array.copy()], 0),
        ([array + 1], 1),
        ([None], 2),
        ([None], 2),
        ([array], 3),
        ([gap], 4),
        ([gap], 4),
    ):
        assert memo.get_for("one", arrays, compute) == wanted
    assert memo.get("other", compute) == memo.get("other", compute) == 5
    assert memo.peek("third") is None
    memo.put("third", 3)
    assert (memo.peek("third"), memo.get("third", compute)) == (3, 3)


@pytest.mark.parametrize("side", ["rows", "cols"])
def test_a_table_uses_the_margin_of_another_if_it_has_the_same(side):
    sides = {"rows": ([1, 1, 2], [5, 6, 7]), "cols": ([5, 6, 7], [1, 1, 2])}[side]
    margin = Margin.of(pw.contingency(*sides), side)
    other = {"rows": ([1, 2, 2], [5, 6, 7]), "cols": ([5, 6, 7], [1, 2, 2])}[side]
    for labels, counting, used in (
        (sides, {}, True),
        (other, {}, False),
        (sides, {"weights": [1, 2, 3]}, False),
        (sides, {"multiplicity": [1, 2, 1]}, False),
    ):
        table = pw.contingency(*labels, **counting)
        use_margin(table, side, margin)
        assert (table.memo.peek(side) is margin) == used
