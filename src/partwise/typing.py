"""Types of what the public functions take, for annotations and type checkers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from partwise.coreference.documents.documents import Document, Documents
    from partwise.labels import Clustering

__all__ = [
    "Candidate",
    "Column",
    "ColumnNames",
    "Coreference",
    "Duplicates",
    "ItemColumns",
    "Labels",
    "Missing",
    "Policies",
    "Unmatched",
]


class HasValues(Protocol):
    """A list, tuple, range, mapping, array or Series; a ``str`` is none, nor is ``bytes``."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __contains__(self, value: object, /) -> Any: ...


class HasArray(Protocol):
    """What turns itself into a NumPy array."""

    def __array__(self, *arguments: Any, **options: Any) -> Any: ...


class HasDlpack(Protocol):
    """A tensor that can be exchanged by DLPack."""

    def __dlpack__(self, **options: Any) -> Any: ...


class HasArrowArray(Protocol):
    """A column that can be exchanged by the Arrow C data interface."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class HasArrowStream(Protocol):
    """A column or frame that can be exchanged by the Arrow C stream interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class HasMembership(Protocol):
    """A clustering of igraph."""

    @property
    def membership(self) -> Any: ...


class HasCommunities(Protocol):
    """A clustering of cdlib."""

    @property
    def communities(self) -> Any: ...


class HasTocsr(Protocol):
    """A sparse array or matrix of SciPy."""

    def tocsr(self) -> Any: ...


class HasSpans(Protocol):
    """A document of spaCy."""

    @property
    def spans(self) -> Any: ...

    @property
    def user_data(self) -> Any: ...


class HasChains(Protocol):
    """A document of stanza."""

    @property
    def coref(self) -> Any: ...

    @property
    def sentences(self) -> Any: ...


#: One value for each item.
Column: TypeAlias = HasValues | HasArray | HasDlpack | HasArrowArray | HasArrowStream
#: One clustering: a label for each item, a mapping from item to label, sets of items, or a
#: clustering of igraph or cdlib.
Labels: TypeAlias = (
    "Column | Iterable[AbstractSet[Any]] | HasMembership | HasCommunities | Clustering"
)
#: What stands second in a call: a clustering, or nothing beside what was made of two.
Candidate: TypeAlias = "Labels | None"

#: A document of coreference: that of a pipeline, a record, or clusters by name.
CoreferenceDocument: TypeAlias = "Document | HasSpans | HasChains | Mapping[Any, Any]"
#: The key or the response of coreference: a path or the text of a file, what ``read`` gives,
#: documents by name, or one document or a list of them.
Coreference: TypeAlias = (
    "str | Path | Documents | HasSpans | HasChains | Mapping[Any, Any] | CoreferenceDocuments"
)
#: Several documents, or the lines of a file.
CoreferenceDocuments: TypeAlias = (
    "Sequence[str | CoreferenceDocument | Sequence[Sequence[Hashable]]]"
)
#: A column of two sources, or one of each.
ColumnNames: TypeAlias = str | tuple[str, str]
#: The columns that tell items apart, of two sources or of each.
ItemColumns: TypeAlias = str | list[str] | tuple[str | list[str], str | list[str]]

Unmatched: TypeAlias = Literal["error", "drop", "singletons"]
Missing: TypeAlias = Literal["error", "drop", "singletons", "cluster"]
Duplicates: TypeAlias = Literal["error", "first", "last"]


class OtherPolicies(TypedDict, total=False):
    """What every measure takes behind its own options but for weights; see ``align``."""

    multiplicity: Column | Mapping[Any, int] | None
    features: Column | Mapping[Any, Sequence[float]] | None
    unmatched: Unmatched | tuple[Unmatched, Unmatched]
    missing: Missing | tuple[Missing, Missing]
    missing_labels: object
    duplicates: Duplicates | tuple[Duplicates, Duplicates]


class Policies(OtherPolicies, total=False):
    """What every measure takes behind its own options; see ``align``."""

    weights: Column | Mapping[Any, float] | None
