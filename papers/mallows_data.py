"""Points of the Mallows paper's descriptions, and labellings of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from papers.clusterers import Labels, Points
from papers.table import ExperimentTable
from partwise.measures.information.soft import soft_normalized_variation_of_information
from partwise.measures.overlap.pairing import match_clusters
from partwise.measures.pairs.pair_indices import rand_index
from partwise.measures.transport.css import css_distance
from partwise.measures.transport.transport import mallows_distance
from partwise.table.count import contingency

if TYPE_CHECKING:
    from numpy.random import Generator


def three_clusters(random: Generator, size: int = 400) -> tuple[Points, Labels]:
    """Return DS1: clusters A, B, C in the plane, C twice as far from A as B is.

    Parameters
    ----------
    random : Generator
    size : int, default 400
        Points of each cluster.
    """
    labels = np.repeat(np.arange(3), size)
    centres = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    return centres[labels] + 0.28 * random.standard_normal((3 * size, 2)), labels


def satellites(random: Generator, core: int = 1000, size: int = 250) -> tuple[Points, Labels]:
    """Return DS2: a wide cluster in the middle and four small ones around it.

    Parameters
    ----------
    random : Generator
    core, size : int
        Points of the cluster in the middle, and of each of the others.
    """
    labels = np.repeat(np.arange(5), [core, *[size] * 4])
    centres = 2.6 * np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]])
    spread = np.where(labels == 0, 1.1, 0.35)[:, None]
    return centres[labels] + spread * random.standard_normal((len(labels), 2)), labels


def paired_labels(reference: Labels, candidate: Labels) -> Labels:
    """Return the candidate's labels, called as the reference's they are best paired with."""
    matching = match_clusters(reference, candidate)
    names = np.zeros(int(candidate.max()) + 1, dtype=np.int64)
    names[matching.candidate] = matching.reference
    spare = int(reference.max()) + 1
    names[matching.unmatched_candidate] = spare + np.arange(len(matching.unmatched_candidate))
    paired: Labels = names[candidate]
    return paired


def relabelled(labels: Labels, source: int, target: int, moved: int) -> Labels:
    """Return the labels with the first ``moved`` items of one cluster given to another."""
    changed = labels.copy()
    changed[np.flatnonzero(labels == source)[:moved]] = target
    return changed


# ---- values, as the paper scales them ------------------------------------------------

SCORES = ("VI", "Rand", "CC", "CSS")


def scores_of(reference: Labels, candidate: Labels, points: Points) -> list[float]:
    """Return VI / (ln K + ln J), the paper's bound, Rand, CC / n, CSS / 100."""
    table = contingency(reference, candidate)
    return [
        soft_normalized_variation_of_information(reference, candidate),
        rand_index(table),
        mallows_distance(table, normalize=True),
        css_distance(reference, candidate, features=points) / 100.0,
    ]


def panel_title(table: ExperimentTable, name: str) -> str:
    """Return the name of a labelling and, where the table has them, its values."""
    text = name
    if name in table.column("clustering"):
        row = table.where(clustering=name).to_dicts()[0]
        text += f"\nVI {row['VI']:.2f}, Rand {row['Rand']:.2f}, CSS {row['CSS']:.2f}"
    return text
