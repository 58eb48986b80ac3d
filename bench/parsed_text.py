"""Made-up text of CoNLL-2012 with phrases, mentions on these, and responses to it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

#: What a phrase may consist of, and how likely each of it is; small letters are words.
_GRAMMAR: dict[str, tuple[tuple[float, str], ...]] = {
    "S": ((0.7, "NP VP ."), (0.2, "PP , NP VP ."), (0.1, "S CC S")),
    "NP": (
        (0.22, "DT NN"),
        (0.12, "DT JJ NN"),
        (0.12, "PRP"),
        (0.1, "NNP"),
        (0.08, "NNP NNP"),
        (0.1, "NP PP"),
        (0.05, "NP SBAR"),
        (0.05, "NP , NP ,"),
        (0.05, "NP CC NP"),
        (0.04, "POSS NN"),
        (0.03, "DT NML NN"),
        (0.02, "QP NNS"),
        (0.02, "DT"),
    ),
    "POSS": ((1.0, "NNP POS"),),
    "NML": ((1.0, "NN NN"),),
    "QP": ((1.0, "RB CD"),),
    "VP": (
        (0.45, "VBD NP"),
        (0.15, "VBD"),
        (0.15, "MD VP"),
        (0.15, "VBD PP"),
        (0.1, "VP CC VP"),
    ),
    "PP": ((1.0, "IN NP"),),
    "SBAR": ((1.0, "WHNP VP"),),
    "WHNP": ((1.0, "WDT"),),
}
_SHORTEST = {"NP": "DT NN", "VP": "VBD", "S": "NP VP .", "PP": "IN NP", "SBAR": "WHNP VP"}
_WORDS = {"CC": "and", ".": ".", ",": ",", "POS": "'s", "IN": "of", "WDT": "that", "DT": "the"}
_DEEPEST = 6


@dataclass
class Sentence:
    """Words, tags and brackets of a sentence, and its phrases as (label, first, last)."""

    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    opens: list[str] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    phrases: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def brackets(self) -> list[str]:
        """The column of phrases."""
        return [f"{a}*{')' * n}" for a, n in zip(self.opens, self.closes, strict=True)]


def sentence(rng: np.random.Generator) -> Sentence:
    """Return a sentence."""
    made = Sentence()
    _grow(made, "S", rng, 0, "(TOP")
    made.closes[-1] += 1
    return made


def _grow(
    made: Sentence,
    label: str,
    rng: np.random.Generator,
    depth: int,
    opens: str,
    *,
    inner: bool = False,
) -> None:
    rules = _GRAMMAR[label]
    if depth > _DEEPEST and label in _SHORTEST:
        parts = _SHORTEST[label].split()
    else:
        weights = np.array([weight for weight, _ in rules])
        parts = rules[int(rng.choice(len(rules), p=weights / weights.sum()))][1].split()
    shown = "NP" if label == "POSS" else label
    opens += f"({shown}"
    first = len(made.words)
    for number, part in enumerate(parts):
        if part in _GRAMMAR:
            same_noun = label == "NP" and number == 0 and "CC" not in parts
            _grow(made, part, rng, depth + 1, opens, inner=same_noun)
        else:
            letters = "".join(rng.choice(list("abcdefgh"), 2))
            word = _WORDS.get(part, part.lower() + letters)
            if part == "NN" and rng.random() < 0.05:
                word = str(rng.choice(["U.S.", "%", "10-K"]))
            made.words.append(word)
            made.tags.append(part)
            made.opens.append(opens)
            made.closes.append(0)
        opens = ""
    made.closes[-1] += 1
    # as annotators do: a noun phrase within another one over the same noun is no mention
    made.phrases.append(("inner" if inner else shown, first, len(made.words) - 1))


def documents(
    count: int, sentences: int, seed: int, *, noise: float = 0.3, verbs: float = 0.1
) -> tuple[str, str]:
    """Return the text of a key and of a response to it.

    Mentions of the key are noun phrases, and some verbs; those of the response have other ends
    by chance, some are missing, some are in other entities.
    """
    rng = np.random.default_rng(seed)
    texts: tuple[list[str], list[str]] = ([], [])
    for number in range(count):
        body = [sentence(rng) for _ in range(sentences)]
        key, response = _mentions(body, rng, noise, verbs)
        for lines, mentions in zip(texts, (key, response), strict=True):
            lines += _lines(f"(made/{number}); part 000", body, mentions)
    return "\n".join(texts[0]) + "\n", "\n".join(texts[1]) + "\n"


_Mention = tuple[int, int, int]  # sentence, first, last


def _mentions(
    body: list[Sentence], rng: np.random.Generator, noise: float, verbs: float
) -> tuple[dict[_Mention, int], dict[_Mention, int]]:
    key: dict[_Mention, int] = {}
    for number, one in enumerate(body):
        for label, first, last in one.phrases:
            if label == "NP" and rng.random() < 0.7:
                key[number, first, last] = int(rng.integers(len(body) + 2))
            elif label == "VP" and rng.random() < verbs:
                key[number, first, first] = int(rng.integers(len(body) + 2))
    response: dict[_Mention, int] = {}
    for (number, first, last), entity in key.items():
        if rng.random() < 0.1:
            continue
        length = len(body[number].words)
        if rng.random() < noise:
            last = int(np.clip(last + rng.integers(-2, 4), first, length - 1))
        if rng.random() < noise / 3:
            first = int(np.clip(first + rng.integers(-1, 2), 0, last))
        if rng.random() < 0.15:
            entity = int(rng.integers(len(body) + 2))
        response.setdefault((number, first, last), entity)
    return _uncrossed(key), _uncrossed(response)


def _uncrossed(mentions: dict[_Mention, int]) -> dict[_Mention, int]:
    """Return mentions of which no two of one entity cross, which brackets cannot write."""
    kept: dict[_Mention, int] = {}
    for (number, first, last), entity in mentions.items():
        crosses = any(
            e == entity and n == number and (a < first <= b < last or first < a <= last < b)
            for (n, a, b), e in kept.items()
        )
        if not crosses:
            kept[number, first, last] = entity
    return kept


def _lines(name: str, body: list[Sentence], mentions: dict[_Mention, int]) -> list[str]:
    lines = [f"#begin document {name}"]
    for number, one in enumerate(body):
        here = [(a, b, e) for (n, a, b), e in mentions.items() if n == number]
        for at, (word, tag, bracket) in enumerate(
            zip(one.words, one.tags, one.brackets, strict=True)
        ):
            cells = [f"{e})" for a, b, e in sorted(here, key=lambda x: -x[0]) if b == at > a]
            cells += [
                f"({e}" + (")" if a == b else "")
                for a, b, e in sorted(here, key=lambda x: -x[1])
                if a == at
            ]
            line = ["made", "0", str(at), word, tag, bracket, "-", "-", "|".join(cells) or "-"]
            lines.append("\t".join(line))
        lines.append("")
    return [*lines, "#end document"]
