"""How to draw: number, seed, threads and level; and the draws themselves, in order."""

from __future__ import annotations

import functools
import inspect
import secrets
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from partwise._kernels.workers import map_blocks, read_workers
from partwise.progress import track

T = TypeVar("T")

#: What the random numbers are for: two uses of one seed never share a number.
PERMUTATION, BOOTSTRAP, SWAPS = range(3)


def read_whole_number(value: Any, name: str, least: int) -> int:
    """Return a whole number of at least ``least``, checked."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or value < least:
        raise ValueError(f"{name}={value!r} must be a whole number of at least {least}")
    return int(value)


def read_seed(seed: Any) -> int:
    """Return the seed, checked; a fresh one for None."""
    if seed is None:
        return secrets.randbits(63)
    number = read_whole_number(seed, "seed", 0)
    if number >= 1 << 64:
        raise ValueError(f"seed={seed} must be below 2^64")
    return number


def read_level(level: Any) -> float:
    """Return the level of an interval, checked."""
    if isinstance(level, bool) or not isinstance(level, (int, float, np.number)):
        raise ValueError(f"level={level!r} must be a number between 0 and 1")
    if not 0 < level < 1:
        raise ValueError(f"level={level!r} must lie between 0 and 1, such as 0.95")
    return float(level)


@dataclass(frozen=True)
class Draws:
    """How to draw at random: one value for ``draws=`` of all functions that draw.

    Parameters
    ----------
    number : int, optional
        Number of draws; without it, the default of the function.
    seed : int, optional
        Seed of the random draws, from 0 to 2^64 - 1; without it, each call chooses a fresh one.
        The result holds the seed that was used.
    level : float, default 0.95
        Level of the intervals, between 0 and 1.
    workers : int, optional
        Number of threads, -1 for one per core; by default as ``set_workers`` says. The result
        does not depend on it.
    progress : bool, default False
        Whether to show how many are done and the time left, on a terminal.

    Raises
    ------
    ValueError
        A field is out of its range or not a number.

    Notes
    -----
    A function leaves out what does not concern it: ``null_distribution`` makes no intervals,
    and ``jackknife`` draws nothing, so that it has no use for the number and the seed.

    Examples
    --------
    >>> import partwise as pw
    >>> draws = pw.Draws(200, seed=1, level=0.9)
    >>> a, b = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 3, 3]
    >>> pw.bootstrap(a, b, measure="purity", draws=draws).level
    0.9
    """

    number: int | None = None
    seed: int | None = None
    level: float = 0.95
    workers: int | None = None
    progress: bool = False

    def __post_init__(self) -> None:
        if self.number is not None:
            read_whole_number(self.number, "number", 1)
        if self.seed is not None:
            read_seed(self.seed)
        read_level(self.level)
        read_workers(self.workers)


@dataclass(frozen=True, slots=True)
class Drawing:
    """``Draws`` with every field decided: the number and the seed too."""

    draws: int
    seed: int
    workers: int
    level: float
    progress: bool = False

    def each(self, one: Callable[[int], T], what: str = "resampling") -> list[T]:
        """Return ``one(draw)`` for every draw, in order."""
        return each_draw(one, self.draws, self.workers, progress=self.progress, what=what)


#: Every loose keyword that stands for a field of ``Draws``: its default and its documentation.
_DEFAULTS: dict[str, Any] = {
    "draws": None,
    **{field.name: field.default for field in fields(Draws) if field.name != "number"},
}
_DOCUMENTED = {
    "draws": """
    draws : int or Draws, default {default}
        Number of draws, or all options of the draws as one ``Draws``.""",
    "seed": """
    seed : int, optional
        Seed of the random draws, from 0 to 2^64 - 1; without it, a fresh one is chosen. The
        result holds the one that was used.""",
    "level": """
    level : float, default 0.95
        Level of the intervals, between 0 and 1.""",
    "workers": """
    workers : int, optional
        Number of threads, -1 for one per core; by default as ``set_workers`` says. The result
        does not depend on it.""",
    "progress": """
    progress : bool, default False
        Whether to show how many are done and the time left, on a terminal.""",
}
_TYPES = {
    "draws": "int | Draws",
    "seed": "int | None",
    "level": "float",
    "workers": "int | None",
    "progress": "bool",
}


def read_drawing(
    options: dict[str, Any], function: str, number: int | None, least: int = 1
) -> Drawing:
    """Return how to draw, of one ``Draws`` or of loose keywords.

    Parameters
    ----------
    options : dict
        What the caller passed of ``draws``, ``seed``, ``level``, ``workers``, ``progress``.
    function : str
        Its name, for errors.
    number : int or None
        Default number of draws; None for a function that draws nothing and takes a ``Draws``
        for its other fields only.
    least : int
        Number of draws that the function needs.
    """
    draws = options.get("draws")
    if isinstance(draws, Draws):
        loose = [name for name in options if name != "draws"]
        if loose:
            raise TypeError(
                f"{function} got draws=Draws(...) beside {', '.join(f'{x}=' for x in loose)}; "
                "set these as fields of the Draws"
            )
        options = {name: getattr(draws, name) for name in _DEFAULTS if name != "draws"}
        draws = draws.number
    elif number is None and "draws" in options and draws is not None:
        raise TypeError(
            f"{function} draws nothing at random: draws={draws!r} has no meaning; "
            "a Draws is taken for its level, workers and progress"
        )
    elif number is not None and "draws" in options:
        read_whole_number(draws, "draws", least)
    options = {**_DEFAULTS, **options}
    if draws is None:
        draws = number
    return Drawing(
        draws=0 if number is None else read_whole_number(draws, "draws", least),
        seed=0 if number is None else read_seed(options["seed"]),
        workers=read_workers(options["workers"]),
        level=read_level(options["level"]),
        progress=options["progress"],
    )


def takes_draws(
    number: int | None,
    *names: str,
    least: int = 1,
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator that reads the options of draws and passes them as ``drawing=``.

    The decorated function has one parameter ``drawing: Drawing``. Callers pass a ``Draws`` as
    ``draws=``, or a number and the loose keywords ``names`` (all, where none is named), which
    the signature and the docstring show: its line ``draws`` and what is indented below stand
    for their documentation.
    """
    names = names or ("seed", "level", "workers", "progress")

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(function)
        def reading(*args: Any, **options: Any) -> T:
            drawn = {name: options.pop(name) for name in ("draws", *names) if name in options}
            drawing = read_drawing(drawn, function.__name__, number, least)
            return function(*args, drawing=drawing, **options)

        defaults = {**_DEFAULTS, "draws": number}
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name != "drawing":
                parameters.append(parameter)
                continue
            parameters += [
                inspect.Parameter(
                    name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=defaults[name],
                    annotation=_TYPES[name] if number or name != "draws" else "Draws | None",
                )
                for name in ("draws", *names)
            ]
        signature = inspect.signature(function).replace(parameters=parameters)
        reading.__signature__ = signature  # type: ignore[attr-defined]
        reading.__doc__ = _with_options(function.__doc__, ("draws", *names), number)
        return reading

    return decorate


def _with_options(text: str | None, names: tuple[str, ...], number: int | None) -> str | None:
    """Return a docstring whose line ``draws`` became the documentation of the options."""
    if text is None:  # python -OO
        return None
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip() == "draws")
    indent = lines[at][: -len("draws")]
    documented = inspect.cleandoc("".join(_DOCUMENTED[name] for name in names))
    if number is None:
        documented = documented.replace(
            inspect.cleandoc(_DOCUMENTED["draws"]),
            "draws : Draws, optional\n    Level, workers and progress as one ``Draws``.",
        )
    documented = documented.replace("{default}", str(number))
    after = at + 2  # the line below says where the options are documented
    block = [indent + line for line in documented.splitlines()]
    return "\n".join([*lines[:at], *block, *lines[after:]])


def stream_of(purpose: int, draw: int) -> int:
    """Return the second word of the random numbers' key: what for, and which draw."""
    return purpose << 56 | draw


def generator(seed: int, purpose: int, draw: int) -> np.random.Generator:
    """Return the random numbers of one draw, which depend on nothing else."""
    key = np.array([seed, stream_of(purpose, draw)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key))


def each_draw(
    one: Callable[[int], T], draws: int, workers: int, *, progress: bool = False, what: str = ""
) -> list[T]:
    """Return ``one(draw)`` for every draw, in order, by so many threads."""
    if workers == 1:
        return [one(draw) for draw in track(range(draws), what, progress)]
    parts = map_blocks(one, range(draws), workers)
    if not progress:
        return list(parts)
    return [next(parts) for _ in track(range(draws), what, progress)]


def in_batches(
    some: Callable[[int, int], T],
    draws: int,
    at_once: int,
    workers: int,
    *,
    progress: bool = False,
) -> list[T]:
    """Return ``some(first, last)`` for so many draws at once, in order, by so many threads."""

    def batch(number: int) -> T:
        first = number * at_once
        return some(first, min(first + at_once, draws))

    return each_draw(batch, -(-draws // at_once), workers, progress=progress, what="resampling")
