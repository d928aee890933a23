"""Random language models of orders 2 to 6, and their scores of whole strings."""

import random
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.reference.arpa import arpa_text
from widl.decoder import Constraint, LanguageModel

WORDS = ("a", "b", "c", "d", "e", "é")
MODELS_PER_ORDER = 6
ORDERS = range(2, 7)
FILTERS = 12

Gram = tuple[str, ...]
Rows = list[tuple[bool, dict[str, int | None], int | None]]


def random_arpa(rng: random.Random, order: int) -> str:
    """Arbitrary probabilities and back-offs. Probabilities are at most 1, but not normalized, because searches don't
    require it. Some models lack shorter n-grams contained in longer n-grams, like pruned models. Some have back-off
    weights above 1, which make bounds over unknown left contexts unavailable.
    """
    words = ["a", *rng.sample(WORDS[1:], k=rng.randint(2, 4))]
    raised = rng.random() < 0.2  # the largest sum of back-offs is then as much above 0 as probabilities stay below it
    pruned = rng.random() < 0.3
    least_below = 0.3 * (order - 1) if raised else 0.0

    def line(gram: Gram) -> str:
        prob = -99.0 if gram == ("<s>",) else -rng.choice([0.0, rng.uniform(0, 2), rng.uniform(0, 2)]) - least_below
        high = 0.3 if raised else 0.0
        backoff = rng.choice([0.0, rng.uniform(-1, high), rng.uniform(-1, high)])
        tail = "" if len(gram) == order or gram[-1] == "</s>" else f"\t{backoff:.4f}"
        return f"{prob:.4f}\t{' '.join(gram)}{tail}"

    sections: list[list[Gram]] = [[("<unk>",), ("<s>",), ("</s>",), *((word,) for word in words)]]
    for n in range(2, order + 1):
        shorter = set(sections[-1])
        possible = [
            (*context, word)
            for context in sections[-1] if context[-1] not in ("</s>", "<unk>")
            for word in [*words, "</s>"]
        ]  # fmt: skip
        complete = [gram for gram in possible if gram[1:] in shorter]
        chosen = {("a",) * n, *rng.sample(complete, k=min(len(complete), rng.randint(1, 14)))}
        if pruned and n == order:
            chosen |= set(rng.sample(possible, k=1))
        sections.append(sorted(chosen))
    return arpa_text(*([line(gram) for gram in grams] for grams in sections))


class Model:
    """A language model that caches the scores of strings."""

    def __init__(self, core: LanguageModel) -> None:
        self.core = core
        self.score = cache(self._score)

    def _score(self, words: tuple[str, ...]) -> float:
        return sum(self.core.score_words(words))


def random_model(rng: random.Random, order: int) -> Model:
    """Estimated from a few sentences, or arbitrary; in a format with or without bounds over left contexts."""
    if rng.random() < 0.25:
        lines = [" ".join(rng.choices(WORDS[:5], k=rng.randint(1, 8))) for _ in range(6)]
        return Model(LanguageModel.estimate(lines, order=order))
    return Model(opened(random_arpa(rng, order), rng.choice(["arpa", "arpa", "arpa", "probing", "trie"])))


def opened(arpa: str, kind: str = "arpa") -> LanguageModel:
    """A model of this text, in a format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.arpa"
        path.write_text(arpa, encoding="utf-8")
        if kind == "arpa":
            return LanguageModel.load(path)
        LanguageModel.convert(str(path), f"{path}.{kind}", kind=kind)
        return LanguageModel.load(f"{path}.{kind}")


class Filter:
    """A constraint in a fast and a slow form."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.text = "\n".join(map(repr, rows))
        self.core = Constraint(rows)

    def accepts(self, words: Sequence[str]) -> bool:
        """Straight from the rows."""
        state: int | None = 0
        for word in words:
            if state is not None:
                state = self.rows[state][1].get(word, self.rows[state][2])
        return state is not None and self.rows[state][0]


def random_filter(rng: random.Random) -> Filter:
    """A random automaton with a few states; most accept few strings."""
    states: list[int | None] = [*range(rng.randint(2, 5)), None]
    return Filter(
        [
            (
                rng.random() < 0.4,
                {word: rng.choice(states) for word in rng.sample(WORDS, k=rng.randint(0, 3))},
                rng.choice(states),
            )
            for _ in states[1:]
        ]
    )


def wider_filter(rng: random.Random, words: Sequence[str]) -> Filter:
    """A filter that accepts these words, and some others."""
    ends: list[int | None] = [*range(len(words) + 1), None]
    rows = []
    for at in range(len(words) + 1):
        after: dict[str, int | None] = {word: rng.choice(ends) for word in rng.sample(WORDS, k=rng.randint(0, 2))}
        if at < len(words):
            after[words[at]] = at + 1
        rows.append((at == len(words) or rng.random() < 0.1, after, rng.choice([None, rng.choice(ends)])))
    return Filter(rows)


class Pool:
    """Models and constraints shared by the cases of one seed."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"models {seed}")
        self.models = [random_model(rng, order) for order in ORDERS for _ in range(MODELS_PER_ORDER)]
        self.filters = [random_filter(rng) for _ in range(FILTERS)]
