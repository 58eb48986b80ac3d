"""The tree of resolutions: clusters of every level in an order in which few flows cross."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partwise.report.plots.flows import draw_tree

if TYPE_CHECKING:
    from partwise.thresholds.stability import Stability

#: Clusters of a level that a picture has room for.
MOST_CLUSTERS = 60


def draw(flows: Stability, least: float, ax: Any) -> Any:
    """Draw the levels of flows; see ``Stability.plot``."""
    sizes: list[dict[Any, int]] = [{} for _ in flows.names]
    edges: list[list[tuple[Any, Any, int, float]]] = [[] for _ in flows.names]
    columns = (
        *(flows.level.tolist(), flows.source, flows.target, flows.count.tolist()),
        *(flows.source_size.tolist(), flows.target_size.tolist(), flows.target_share.tolist()),
    )
    for level, source, target, count, size, target_size, share in zip(*columns, strict=True):
        sizes[level][source] = size
        sizes[level + 1][target] = target_size
        edges[level].append((source, target, count, share))
    for name, clusters in zip(flows.names, sizes, strict=True):
        if len(clusters) > MOST_CLUSTERS:
            raise ValueError(
                f"level {name!r} has {len(clusters)} clusters, of which no picture shows the "
                f"flows; draw levels of at most {MOST_CLUSTERS}"
            )
    orders = [sorted(sizes[0], key=lambda label: -sizes[0][label])]
    for level in range(len(flows.names) - 1):
        orders.append(_below(orders[-1], list(sizes[level + 1]), edges[level]))
    at = [{label: k for k, label in enumerate(order)} for order in orders]
    return draw_tree(
        flows.names,
        [[(label, sizes[k][label]) for label in order] for k, order in enumerate(orders)],
        [
            (level, at[level][source], at[level + 1][target], count, share)
            for level, flow in enumerate(edges)
            for source, target, count, share in flow
        ],
        least=least,
        ax=ax,
    )


def _below(
    above: list[Any], labels: list[Any], flows: list[tuple[Any, Any, int, float]]
) -> list[Any]:
    """Return the clusters of a level by the mean position of where their items come from."""
    position = {label: (k + 0.5) / len(above) for k, label in enumerate(above)}
    weighted = dict.fromkeys(labels, 0.0)
    for source, target, _, share in flows:
        weighted[target] += share * position[source]
    return sorted(labels, key=weighted.__getitem__)
