"""Results that are mappings of names to scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from partwise.coreference.scores.recall_precision import Score


class ScoresByName(Mapping[str, Score]):
    """A mapping whose scores a dataclass keeps in ``_scores``."""

    __slots__ = ()
    _scores: dict[str, Score]

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)
