"""The list of experiments, and what each of them needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from papers.outcomes import Outcome, check_explained
from papers.table import ExperimentTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

F = TypeVar("F", bound=Callable[..., ExperimentTable])


class MissingData(FileNotFoundError):
    """The data set of an experiment is not there; the text says which and where."""


@dataclass(frozen=True)
class Experiment:
    """An experiment of the catalogue.

    Parameters
    ----------
    name : str
        The name it is called by on the command line.
    paper, figure : str
        The paper and the place in it.
    run : callable
        The public function. Called without arguments it does the experiment in seconds.
    draw : callable or None
        Makes a matplotlib ``Figure`` of the table.
    data : str or None
        Files that ``run`` can read from the folder it takes as ``data=``; it does without them
        on what comes along. None: it reads no files.
    outcomes : callable or None
        Takes the table of ``run()``, returns what is printed beside what came out.
    """

    name: str
    paper: str
    figure: str
    run: Callable[..., ExperimentTable]
    draw: Callable[[ExperimentTable], Figure] | None = None
    data: str | None = None
    outcomes: Callable[[ExperimentTable], Sequence[Outcome]] | None = None

    @property
    def default_seed(self) -> int | None:
        """The seed that ``run`` draws with if none is passed; None: it does not draw."""
        seed = inspect.signature(self.run).parameters.get("seed")
        return None if seed is None else int(seed.default)

    def outcomes_of(self, table: ExperimentTable) -> tuple[Outcome, ...]:
        """Return what is printed beside what came out; none if nothing is printed of it."""
        return () if self.outcomes is None else tuple(self.outcomes(table))

    def explained(self, table: ExperimentTable) -> tuple[Outcome, ...]:
        """Return the outcomes of the default seed, each with its reason where it differs."""
        outcomes = self.outcomes_of(table)
        check_explained(outcomes)
        return outcomes

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]


_experiments: dict[str, Experiment] = {}


def experiment(
    name: str,
    paper: str,
    figure: str,
    *,
    draw: Callable[[ExperimentTable], Any] | None = None,
    data: str | None = None,
    outcomes: Callable[[ExperimentTable], Sequence[Outcome]] | None = None,
) -> Callable[[F], F]:
    """Register a public function as an experiment; the function stays as it is.

    Parameters
    ----------
    name : str
        Lower case with hyphens, unique.
    paper, figure : str
        Where it comes from: ``"V-measure"``, ``"Table 2"``.
    draw : callable, optional
        Takes the table, returns a matplotlib ``Figure``.
    data : str, optional
        The files that the function looks for in the folder given as ``data=``; without a folder
        it has to do with what comes along.
    outcomes : callable, optional
        Takes the table that the function returns without arguments, returns an ``Outcome`` for
        every printed item that it re-makes.
    """

    def register(run: F) -> F:
        if name in _experiments and _experiments[name].run.__module__ != run.__module__:
            raise ValueError(f"two experiments are called {name!r}; rename one of them")
        _experiments[name] = Experiment(name, paper, figure, run, draw, data, outcomes)
        return run

    return register


def experiments() -> dict[str, Experiment]:
    """Return all experiments by name, in the order in which they were registered."""
    import papers  # noqa: F401 - its modules register themselves

    return dict(_experiments)
