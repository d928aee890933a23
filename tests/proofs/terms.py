"""Required and forbidden terms and word limits: compares constraints with a word-by-word check."""

import random
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_

from widl.decoder import Constraint, at_least, at_most, avoiding, containing

Words = Sequence[str]


def has_term(words: Words, term: Words) -> bool:
    """Whether a string contains the words of a term consecutively."""
    return any(list(words[i : i + len(term)]) == list(term) for i in range(len(words) - len(term) + 1))


class Demands:
    """Required and forbidden terms of a string, as a constraint and as a word-by-word check."""

    def __init__(
        self, wanted: Sequence[Words] = (), unwanted: Sequence[Words] = (), most: Iterable[tuple[str, int]] = (),
        least: int = 0,
    ) -> None:  # fmt: skip
        self.wanted, self.unwanted, self.most, self.least = wanted, unwanted, list(most), least
        self.text = f"with {wanted}, without {unwanted}, at most {self.most}, at least {least} words"
        parts = [containing(wanted), avoiding(unwanted), *(at_most(*item) for item in self.most), at_least(least)]
        self.core: Constraint = reduce(and_, parts)

    def accepts(self, words: Words) -> bool:
        """Searches for each term."""
        return (
            all(has_term(words, term) for term in self.wanted)
            and not any(has_term(words, term) for term in self.unwanted)
            and all(list(words).count(word) <= count for word, count in self.most)
            and len(words) >= self.least
        )


def random_demands(rng: random.Random, words: Sequence[Words]) -> Demands:
    """Draws terms from the strings; they overlap and contain each other, and some come from different strings."""
    strings = [item for item in words if item] or [("a",)]
    having = rng.choice(strings)
    expected = [random_term(rng, having) for _ in range(rng.choice([0, 1, 2, 2, 3, 7]))]
    if rng.random() < 0.2:
        expected.append(random_term(rng, rng.choice(strings)))
    unwanted = [random_term(rng, rng.choice(strings)) for _ in range(rng.choice([0, 0, 1, 2]))]
    most = [(rng.choice(having), rng.randint(0, 2)) for _ in range(rng.choice([0, 0, 1, 2]))]
    return Demands(expected, unwanted, most, rng.choice([0, 0, 0, len(having) - 1, len(having)]))


def random_term(rng: random.Random, words: Words) -> tuple[str, ...]:
    """Some consecutive words."""
    begin = rng.randrange(len(words))
    return tuple(words[begin : begin + rng.choice([1, 1, 2, 2, 3])])
