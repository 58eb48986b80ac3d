"""Points with the class sizes that V prints for its two corpora, which are licensed."""

from __future__ import annotations

import numpy as np

from papers.clusterers import Labels, Points, kmeans

#: Section 5.1: 1884 documents of TDT-4 in 12 topics, in per cent.
TOPICS = (22.3, 14.4, 12.9, 8.75, 7.4, 6.7, 6.5, 6.4, 5.3, 4.7, 3.2, 1.4)
DOCUMENTS = 1884
#: Section 5.2: pitch accents H*, L*, L+H*, L*+H, H+!H*, in per cent; they add up to 117.9.
ACCENTS = (54.4, 32.1, 26.5, 2.8, 2.1)
WORDS = 1000
#: Each topic is taken to be so many stories, which k-means can tell apart; an accent is one.
STORIES = 3
FEATURES = 10
TOPICS_K = (2, 5, 12, 35, 100)
ACCENTS_K = (2, 5, 10, 30, 100)


def class_labels(shares: tuple[float, ...], n: int) -> Labels:
    """Return n labels in order, whose classes have these shares, rounded.

    Examples
    --------
    >>> class_labels((3, 1), 5).tolist()
    [0, 0, 0, 0, 1]
    """
    ends = np.rint(n * np.cumsum(shares) / sum(shares)).astype(np.int64)
    return np.repeat(np.arange(len(shares)), np.diff(ends, prepend=0))


def simulated(name: str, seed: int) -> tuple[Labels, list[Labels]]:
    """Return the classes of "topics" or "accents", and k-means clusterings of growing k.

    Parameters
    ----------
    name : {"topics", "accents"}
    seed : int
        For the points and for the starts of k-means.

    Notes
    -----
    Documents lie around the centre of a story, three stories a topic, as far from it as the
    centres lie from one another; words lie around the centre of their accent, three times as
    far.
    """
    random = np.random.default_rng(seed)
    if name == "topics":
        truth, ks, wide = class_labels(TOPICS, DOCUMENTS), TOPICS_K, 1.0
        groups = STORIES * truth + np.arange(len(truth)) % STORIES
    else:
        truth, ks, wide = class_labels(ACCENTS, WORDS), ACCENTS_K, 3.0
        groups = truth
    centres = random.standard_normal((int(groups.max()) + 1, FEATURES))
    points: Points = centres[groups] + wide * random.standard_normal((len(truth), FEATURES))
    return truth, [kmeans(points, k, random, restarts=1) for k in ks]
