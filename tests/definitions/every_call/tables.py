"""Calls that make tables, and what is made of tables."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import partwise as pw
from partwise import scale

from .calling import Call, Inputs, Named, simple


def of_tables(given: Inputs) -> Named:
    """Labels, tables, and what is made of tables."""
    a, b, ids = given.a, given.b, given.ids

    def sides() -> list[pw.Clustering]:
        return [pw.Clustering(a, items=ids), pw.Clustering(b[::-1], items=ids[::-1])]

    def saved(table: pw.Contingency) -> pw.Contingency:
        with tempfile.TemporaryDirectory() as folder:
            table.save(Path(folder) / "table.npz")
            return pw.Contingency.load(Path(folder) / "table.npz")

    def read() -> list[Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.csv"
            lines = [f"{item},{name}" for item, name in zip(ids, given.names, strict=True)]
            path.write_text("\n".join(["item,name", *lines, ""]))
            return [
                pw.read(path, label="name", item="item"),
                scale.blocks.contingency(path, path, label="name", block_items=17),
            ]

    def live() -> Any:
        table = scale.streaming.LiveTable()
        table.insert(a[20:], given.names[20:])
        return table

    def changed(change: Callable[[Any], Any]) -> Call:
        """A change of a table that is there: it is made, or nothing has changed."""

        def use(table: Any) -> Any:
            change(table)
            return table

        return Call(live, use)

    def two() -> tuple[pw.Contingency, pw.Contingency]:
        return pw.contingency(a, given.text), pw.contingency(b, given.text)

    far = a * (2**50 + 1)
    yield simple("pw.contingency", lambda: pw.contingency(a, b))
    yield simple("pw.contingency, far apart", lambda: pw.contingency(far, -far[::-1]))
    yield simple("pw.contingency, narrow", lambda: pw.contingency(a.astype("i1"), b))
    yield simple("pw.contingency, text", lambda: pw.contingency(given.text, given.names))
    yield simple(
        "pw.contingency, wide integers",
        lambda: pw.contingency([2**80 + x for x in a.tolist()], b),
    )
    yield simple("pw.contingency, weights", lambda: pw.contingency(a, b, weights=given.weights))
    yield simple("pw.contingency, multiplicity", lambda: pw.contingency(a, b, multiplicity=b))
    yield simple(
        "pw.contingency, missing",
        lambda: pw.contingency(a, b, missing_labels=3, missing="drop"),
    )
    yield simple("pw.Clustering", lambda: pw.Clustering(given.names, items=ids))
    yield simple("pw.align", lambda: pw.align(*sides()))
    yield (
        "pw.align, text ids",
        Call(
            lambda: [
                {f"item {i}": x for i, x in zip(ids.tolist(), column.tolist(), strict=True)}
                for column in (a, b)
            ],
            lambda pair: pw.align(*pair),
        ),
    )
    yield (
        "pw.align, drop",
        Call(
            sides,
            lambda pair: pw.align(pair[0], pw.Clustering(b, items=ids + 6), unmatched="drop"),
        ),
    )
    yield simple("pw.read", read)
    yield "pw.Contingency.save", Call(lambda: pw.contingency(a, given.text), saved)
    yield "pw.Contingency.merge", Call(two, lambda pair: pair[0].merge(pair[1]))
    yield (
        "pw.Contingency.from_blocks",
        Call(
            lambda: [pw.contingency(a[i : i + 9], b[i : i + 9]) for i in range(0, 54, 9)],
            pw.Contingency.from_blocks,
        ),
    )
    yield simple(
        "pw.Contingency.from_counts", lambda: pw.Contingency.from_counts(a, b, given.groups)
    )
    yield (
        "pw.Contingency.from_dense",
        Call(
            lambda: pw.contingency(a, b).to_dense(),
            lambda dense: [
                pw.Contingency.from_dense(dense),
                pw.Contingency.from_scipy(pw.Contingency.from_dense(dense).to_scipy()),
            ],
        ),
    )
    yield (
        "pw.Contingency.profiles",
        Call(
            lambda: pw.contingency(a, given.text),
            lambda table: [table.T, table.components(), table.to_scipy(), table.profiles],
        ),
    )
    for name in ("meet", "join", "components", "refines", "bipartite_graph"):
        yield simple(f"pw.{name}", lambda name=name: getattr(pw, name)(a, given.text))
    for name in ("merge_subcomponents", "split_subcomponents", "match_clusters"):
        yield simple(f"pw.{name}", lambda name=name: getattr(pw, name)(a, given.text))
    for name in ("pair_confusion", "pair_count_moments", "b_cubed", "closest_cluster"):
        yield simple(f"pw.{name}", lambda name=name: getattr(pw, name)(a, given.text))
    for name in ("split_join", "object_matches", "cluster_similarity_matrix", "set_matching"):
        yield simple(f"pw.{name}", lambda name=name: getattr(pw, name)(a, given.text))
    yield simple("pw.diarization_errors", lambda: pw.diarization_errors(a, b, silence=0))
    for name in ("best_clustering", "worst_clustering", "entropy"):
        yield simple(f"pw.{name}", lambda name=name: getattr(pw, name)(a))
    yield simple("pw.induced_clustering", lambda: pw.induced_clustering(a, range(0, 60, 3)))
    yield simple("pw.induced_subgraph", lambda: pw.induced_subgraph(a, b, range(0, 60, 3)))
    yield simple("pw.centroids", lambda: pw.centroids(a, given.features))
    yield (
        "streaming.LiveTable, read",
        Call(
            live,
            lambda table: [table.table(), table.scores(["purity", "rand_index"]), table.shape],
        ),
    )
    yield (
        "streaming.LiveTable, insert",
        changed(lambda table: table.insert(a[:20], given.names[:20])),
    )
    yield (
        "streaming.LiveTable, new labels",
        changed(lambda table: table.insert(np.arange(60), np.arange(60).astype("U"))),
    )
    yield (
        "streaming.LiveTable, change",
        changed(lambda table: table.change(a[30:50], given.names[30:50], given.names[10:30])),
    )
    yield (
        "streaming.LiveTable, remove",
        changed(lambda table: table.remove(a[40:], given.names[40:])),
    )
    yield simple("blocks.contingency", lambda: scale.blocks.contingency(a, b, block_items=9))
    yield (
        "forest.Forest",
        Call(
            two,
            lambda pair: scale.forest.Forest.merge(list(map(scale.forest.Forest.of, pair))),
        ),
    )
