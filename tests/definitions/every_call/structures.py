"""Calls on many clusterings, merges, covers, trees, gains and costs."""

from __future__ import annotations

import numpy as np

import partwise as pw
from partwise import solvers

from .calling import Call, Inputs, Named, simple


def of_many(given: Inputs) -> Named:
    """Many clusterings, and all states of a sequence of merges."""
    runs, curve = given.runs, ["rand_index", "v_measure", "purity"]
    yield simple("pw.medoid", lambda: pw.medoid(runs))
    for loss in ("vi", "binder"):
        yield simple(
            f"pw.point_estimate, {loss}",
            lambda loss=loss: pw.point_estimate(runs, seed=1, runs=2, loss=loss),
        )
    yield simple("pw.expected_loss", lambda: pw.expected_loss(given.a, runs))
    yield simple("pw.credible_ball", lambda: pw.credible_ball(given.a, runs))
    yield simple("pw.majority_vote", lambda: pw.majority_vote(runs))
    yield simple("pw.similarity_matrix", lambda: pw.similarity_matrix(runs))
    yield simple("pw.element_consistency", lambda: pw.element_consistency(runs))
    yield simple("pw.stability", lambda: pw.stability(runs))
    for measures in ("default", curve):
        yield simple(
            f"pw.sweep, {'default' if measures == 'default' else 'few'}",
            lambda measures=measures: pw.sweep(
                given.a, given.edges, scores="similarity", measures=measures
            ),
        )
    yield simple("pw.sweep, linkage", lambda: pw.sweep(given.a, given.tree))
    yield simple(
        "pw.sweep, nested",
        lambda: pw.sweep(given.a, [given.b, given.b % 3, given.b * 0], kind="nested"),
    )
    yield simple(
        "pw.sweep, groups",
        lambda: pw.sweep(
            given.groups,
            [np.arange(60), np.arange(60) // 2, np.arange(60) // 6],
            kind="nested",
            measures=curve,
            groups=given.groups,
        ).bootstrap("purity", draws=9, seed=1),
    )


def of_overlaps_and_trees(given: Inputs) -> Named:
    """Covers and hierarchies."""

    def covers() -> list[pw.Cover]:
        members = [
            [np.flatnonzero((column == k) | (column == k + 1)).tolist() for k in range(6)]
            for column in (given.a, given.b)
        ]
        return [pw.Cover(one, n_items=len(given.a)) for one in members]

    yield simple("pw.Cover", lambda: covers()[0])
    for name in (
        "omega_index",
        "overlapping_mutual_information",
        "extended_b_cubed",
        "average_f1",
        "compare_covers",
    ):
        call = getattr(pw, name)
        yield f"pw.{name}", Call(covers, lambda pair, call=call: call(*pair))

    def whole() -> list[pw.Cover]:
        return [cover.with_singletons() for cover in covers()]

    yield (
        "pw.element_centric_similarity, covers",
        Call(whole, lambda pair: pw.element_centric_similarity(*pair)),
    )

    def trees() -> list[pw.Hierarchy]:
        return [pw.Hierarchy.from_linkage(one) for one in (given.tree, given.other_tree)]

    yield simple("pw.Hierarchy", lambda: [tree.parents for tree in trees()])
    for name in (
        "b_k",
        "cophenetic_correlation",
        "baker_gamma",
        "compare_hierarchies",
        "element_centric_similarity",
    ):
        call = getattr(pw, name)
        label = f"pw.{name}" if name != "element_centric_similarity" else f"pw.{name}, trees"
        yield label, Call(trees, lambda pair, call=call: call(*pair))


def of_solvers(given: Inputs) -> Named:
    def table() -> pw.Contingency:
        return pw.contingency(given.a, given.text)

    caps = np.arange(1.0, 40.0)
    costs = np.abs(given.features[:20, :1] - given.features[None, 20:40, 0])
    masses = given.weights[:20]
    yield "solvers.match", Call(table, solvers.match)
    yield (
        "solvers.match, gains",
        Call(table, lambda t: solvers.match(t, given.weights[: t.n_cells])),
    )
    yield (
        "solvers.pack",
        Call(
            table,
            lambda t: solvers.pack(
                t, given.weights[: t.n_cells], caps[: t.shape[0]], caps[: t.shape[1]]
            ),
        ),
    )
    yield simple(
        "solvers.transport", lambda: solvers.transport(masses, masses[::-1].copy(), costs)
    )
