"""Scorch's JSON: a document a file, its entities as lists of mention ids or as links."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document
from partwise.coreference.formats.files import Notes, fault, opened, text_of
from partwise.coreference.formats.json_lines.objects import (
    RepeatedFieldError,
    parsed,
    without_repeats,
)
from partwise.labels.files.compressed import OPENERS
from partwise.numbers.arrays import IntArray

KINDS = ("clusters", "graph")
_KIND = re.compile(rb'"type"\s*:\s*"(clusters|graph)"')


def read_scorch_json(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the document of a file, by its field "name", else by the name of the file.

    ``{"type": "clusters", "clusters": {entity: [mention, ...]}}``, or ``{"type": "graph",
    "mentions": [...], "links": [[mention, mention], ...]}`` where entities are what links join,
    a mention without links by itself. Mentions are ids: texts or whole numbers.

    Raises
    ------
    ValueError
        No JSON, a field missing or of another kind, a link to an unknown mention, a field that
        stands twice; with the file.
    """
    with opened(path) as file:
        text = text_of(file.read().removeprefix(b"\xef\xbb\xbf"), path, 1)
    of_file = path.name.removesuffix(path.suffix if path.suffix.lower() in OPENERS else "")
    name = of_file = of_file.removesuffix(".json")
    try:
        record = parsed(text, path, None, object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        raise fault(path, error.lineno, name, f"not JSON ({error})") from None
    except RepeatedFieldError as error:
        raise fault(path, None, name, f"not JSON ({error}); remove one") from None
    kind = record.get("type") if isinstance(record, dict) else None
    if kind not in KINDS:
        raise fault(
            path, None, name, f"'type' is {kind!r}; one of {', '.join(KINDS)} is expected"
        )
    build = _of_clusters if kind == "clusters" else _of_links
    try:
        mentions, entity, names = build(record, notes)
    except ValueError as error:
        raise fault(path, None, name, str(error)) from None
    written = record.get("name")
    named = isinstance(written, str) and bool(written.strip())
    if named:
        name = written.strip()
    else:
        notes.count("documents-named", "documents without a name, named after their file")
    yield Document(name, mentions, entity, names, named=named, other_names=(of_file,))


def names_its_kind(data: bytes) -> bool:
    """Return whether bytes hold the field that Scorch's files begin with."""
    return bool(_KIND.search(data))


_Built = tuple[list[Hashable], IntArray, list[Hashable]]


def _of_clusters(record: dict[str, Any], notes: Notes) -> _Built:
    clusters = record.get("clusters")
    if not isinstance(clusters, dict):
        raise ValueError("'clusters' is missing or not an object {entity: [mention, ...]}")
    for entity, mentions in clusters.items():
        _check_ids(mentions, f"the mentions of entity {entity!r}")
    sizes = np.array([len(x) for x in clusters.values()], dtype=np.int64)
    if n := int(np.count_nonzero(sizes == 0)):
        notes.count("mentions-interpreted", "entities without mentions, left out", n)
    names = [entity for entity, mentions in clusters.items() if mentions]
    return (
        list(chain.from_iterable(clusters.values())),
        np.repeat(np.arange(len(names)), sizes[sizes > 0]),
        names,
    )


def _of_links(record: dict[str, Any], notes: Notes) -> _Built:
    mentions, links = record.get("mentions"), record.get("links")
    _check_ids(mentions, "'mentions'")
    if not isinstance(links, list):
        raise ValueError("'links' is missing or not a list of pairs of mentions")
    assert isinstance(mentions, list)
    position = {mention: at for at, mention in enumerate(mentions)}
    if len(position) < len(mentions):
        repeated = next(x for at, x in enumerate(mentions) if position[x] != at)
        raise ValueError(f"the mention {repeated!r} stands twice in 'mentions'; remove one")
    ends = np.empty((len(links), 2), dtype=np.int64)
    for at, link in enumerate(links):
        if not isinstance(link, list) or len(link) != 2:
            raise ValueError(f"link {at} is {link!r}; a pair of mentions is expected")
        for side, mention in enumerate(link):
            if isinstance(mention, (list, dict)) or mention not in position:
                raise ValueError(f"link {at} names {mention!r}, which is not in 'mentions'")
            ends[at, side] = position[mention]
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(mentions)
    graph = coo_array((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), (n, n))
    count, component = connected_components(graph, directed=False) if n else (0, ends[:, 0])
    notes.count(
        "mentions-interpreted", "entities made of the links of a graph, numbered", int(count)
    )
    return mentions, component.astype(np.int64), list(range(int(count)))


def _check_ids(mentions: Any, what: str) -> None:
    if not isinstance(mentions, list):
        raise ValueError(f"{what}: missing or not a list of mention ids")
    for at, mention in enumerate(mentions):
        if isinstance(mention, bool) or not isinstance(mention, (str, int)):
            raise ValueError(
                f"{what}: number {at} is {mention!r}; an id (text or whole number) is expected"
            )
