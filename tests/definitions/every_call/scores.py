"""Calls of measures, of sets of them, of tests and intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

import partwise as pw
from partwise.interop import sklearn

from .calling import Call, Inputs, Named, simple


def of_measures(given: Inputs) -> Named:
    """Every entry of the catalogue, on labels, on text, and on a table that is there."""
    for name, row in pw.catalogue().items():
        options: dict[str, Any] = dict(row.options)
        policies = {"features": given.features} if "features" in row.requires else {}
        if "k" in row.requires:
            options["k"] = 9
        public = f"pw.{row.function.__name__}"
        label = public if f"pw.{name}" == public else f"{public}, {name}"

        given_too = {**options, **policies}

        def on(a: Any, b: Any, row: Any = row, options: Any = given_too) -> Any:
            return row.function(a, b, **options)

        yield simple(label, lambda on=on: on(given.a, given.b))
        yield simple(f"{label}, text", lambda on=on: on(given.names, given.text))
        if policies:
            continue

        def on_table(table: Any, row: Any = row, options: Any = options) -> Any:
            return row.function(table, **options)

        yield f"{label}, table", Call(lambda: pw.contingency(given.a, given.text), on_table)


def of_scores(given: Inputs) -> Named:
    """Sets of measures, tests and intervals."""
    a, b, c = given.a, given.text, given.runs[0]
    few = ["adjusted_rand_index", "variation_of_information", "purity"]
    drawn = {"draws": 9, "seed": 1}
    yield simple("pw.adjust", lambda: pw.adjust(0.5, 0.2, 1.0))
    yield simple("pw.compare", lambda: pw.compare(a, b))
    yield simple("pw.compare, all", lambda: pw.compare(a, b, measures="all"))
    yield simple("pw.compare, 2 workers", lambda: pw.compare(a, b, workers=2))
    yield simple("pw.score_many", lambda: pw.score_many(a, given.runs))
    yield simple(
        "pw.score_many, rows",
        lambda: pw.score_many(
            np.array(given.runs[1:]), np.array(given.runs[:-1]), pairs="rows"
        ),
    )
    yield simple("pw.pairwise", lambda: pw.pairwise(given.runs))
    yield simple(
        "pw.pairwise, chance", lambda: pw.pairwise(given.runs, "adjusted_mutual_information")
    )
    yield simple("pw.decompose", lambda: pw.decompose(a, b, measure="v_measure"))
    yield simple("pw.diagnose", lambda: pw.diagnose(a, b, items=2))
    yield simple("pw.bootstrap", lambda: pw.bootstrap(a, b, measure=few, **drawn))
    yield simple(
        "pw.bootstrap, groups",
        lambda: pw.bootstrap(a, b, measure=few, groups=given.groups, crossing="split", **drawn),
    )
    yield simple("pw.jackknife", lambda: pw.jackknife(a, b, measure=few))
    yield simple("pw.significance", lambda: pw.significance(a, b, measure=few, **drawn))
    yield simple(
        "pw.null_distribution", lambda: pw.null_distribution(a, b, measure=few, **drawn)
    )
    yield simple(
        "pw.paired_test",
        lambda: pw.paired_test(
            a, b, c, measure=few, groups=given.groups, crossing="split", **drawn
        ),
    )
    yield simple(
        "pw.standardized_mutual_information",
        lambda: pw.standardized_mutual_information(a, b, **drawn),
    )
    yield simple(
        "pw.estimate_from_sample",
        lambda: pw.estimate_from_sample(
            given.b.tolist(),
            [np.flatnonzero(a == k).tolist() for k in range(5)],
            weights="uniform",
            measures="pair_precision, pair_recall, b_cubed_precision",
        ),
    )
    yield simple(
        "pw.check_subcomponent_score",
        lambda: pw.check_subcomponent_score("entropy", max_size=5),
    )
    yield simple(
        "pw.from_sums",
        lambda: pw.from_sums(
            n_items=4,
            row_sums={"clusters": 2, "squares": 8},
            col_sums={"clusters": 2, "squares": 10},
            cell_sums={"clusters": 3, "squares": 6},
            measures="rand_index",
        ),
    )
    for name in ("contingency", "variation_of_information", "mutual_information"):
        call = getattr(pw, f"soft_{name}")
        yield simple(
            f"pw.soft_{name}", lambda call=call: call(given.soft, given.soft[::-1].copy())
        )
    for name in ("normalized_mutual_information", "normalized_variation_of_information"):
        call = getattr(pw, f"soft_{name}")
        yield simple(f"pw.soft_{name}", lambda call=call: call(given.soft, a))
    yield simple("pw.mallows_distance, soft", lambda: pw.mallows_distance(given.soft, a))
    yield simple(
        "pw.css_distance, soft",
        lambda: pw.css_distance(given.soft, a, features=given.features),
    )


def of_scikit_learn(given: Inputs) -> Named:
    a, b = given.a.tolist(), given.b.tolist()
    for name in sklearn.__all__:
        call = getattr(sklearn, name)
        if isinstance(call, type):
            continue
        if name == "entropy":
            yield simple(f"sklearn.{name}", lambda call=call: call(a))
        elif name == "expected_mutual_information":
            yield (
                f"sklearn.{name}",
                Call(
                    lambda: sklearn.contingency_matrix(a, b, sparse=True),
                    lambda matrix, call=call: call(matrix, len(a)),
                ),
            )
        else:
            yield simple(f"sklearn.{name}", lambda call=call: call(a, b))
