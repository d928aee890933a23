"""Run time of searches by the size of what they search (Soricut & Marcu 2005, Theorem 2).

Breadth-first and beam search take time linear in the states of the weighted acceptor, which is the expression's
acceptor with its states split by the contexts of the language model; A* a logarithm of them more, for its queue. The
expressions are the paper's two extremes, sequences and bags, and one of bounded width between them.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import process_time

from widl.decoder import (
    Expression,
    LanguageModel,
    RealizationOptions,
    Realizer,
    bag,
    default_realization_weights,
    interleave,
    language_model_from_lines,
    seq,
)

SIZES = (4, 8, 10, 12, 16, 32, 64, 128)

_REPEAT = 3
_SEED = 1


@dataclass(frozen=True)
class Family:
    """Expressions of any number of words."""

    name: str
    make: Callable[[list[str]], Expression]
    vertices: Callable[[int], int]
    """Most vertices of the WIDL-graph in a state of the acceptor, for so many words: the paper's first factor."""
    states: Callable[[int], int]
    """Of the acceptor."""

    def edges(self, words: int) -> int:
        """At most so many has the weighted acceptor; of a bag of n words about n(n-1)(n-2)/8 for each set of them."""
        return self.states(words) * max(8, self.vertices(words) ** 3 // 8)


FAMILIES = (
    Family("w1 · … · wn", lambda words: seq(*words), lambda _: 1, lambda n: n + 1),
    Family(
        "∥(w1 · …, … · wn)",
        lambda words: interleave(seq(*words[: len(words) // 2]), seq(*words[len(words) // 2 :])),
        lambda _: 2,
        lambda n: (n // 2 + 1) * (n - n // 2 + 1),
    ),
    Family("∥(w1, …, wn)", bag, lambda n: n, lambda n: 2**n),
)


@dataclass(frozen=True)
class SearchTime:
    """What a search did: states and edges of the weighted acceptor that it made, and its seconds of processor time."""

    states: int
    edges: int
    seconds: float


@dataclass(frozen=True)
class RunTimes:
    """An expression, its acceptor, and both exact searches; None: not searched, as there are too many edges."""

    family: str
    words: int
    vertices: int
    states: int
    bfs: SearchTime | None
    astar: SearchTime | None


def run_times(sizes: Iterable[int] = SIZES, *, most_edges: int) -> Iterator[RunTimes]:
    """Each family with each number of words, of which what has more than some `most_edges` edges is not searched.

    The trigram model is of sentences of the same words in random order, so that it tells apart all contexts of two
    words: the worst case for the weighted acceptor, and a hard one for A*, as no order is much better than others. The
    bound is the one that takes no time to compute, so that what is measured is the search.
    """
    numbers = list(sizes)
    for family in FAMILIES:
        for n in numbers:
            words = [f"w{k}" for k in range(1, n + 1)]
            bfs = astar = None
            if family.edges(n) <= most_edges:
                realizer, expression = _realizer(words), family.make(words)
                bfs = _search(realizer, expression, RealizationOptions(search="bfs", bound="static"))
                astar = _search(realizer, expression, RealizationOptions(search="astar", bound="static"))
            yield RunTimes(family.name, n, family.vertices(n), family.states(n), bfs, astar)


def _search(realizer: Realizer, expression: Expression, options: RealizationOptions) -> SearchTime:
    seconds = []
    for _ in range(_REPEAT):
        start = process_time()
        found = realizer.realize_one(expression, options)
        seconds.append(process_time() - start)
    return SearchTime(found.states, found.edges, min(seconds))


def _realizer(words: list[str]) -> Realizer:
    weights = dict.fromkeys(default_realization_weights(1, 1), 0.0) | {"lm0": 1.0}
    return Realizer([random_model(words)], weights)


def random_model(words: list[str]) -> LanguageModel:
    """A trigram model of the words in random orders."""
    draw = random.Random(f"{_SEED} {len(words)}")
    sentences = min(40 * len(words) ** 2, 200_000 // len(words))
    return language_model_from_lines([" ".join(draw.sample(words, len(words))) for _ in range(sentences)])
