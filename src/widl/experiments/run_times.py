"""Run time of searches by the size of their search space (Soricut & Marcu 2005, Theorem 2).

Breadth-first and beam search take time linear in the states of the weighted acceptor, which is the expression's
acceptor with its states split by the contexts of the language model; A* a logarithm of them more, for its queue. The
expressions are the paper's two extremes, sequences and bags, and one of bounded width between them.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Literal

from widl.decoder import LanguageModel, RealizationOptions, Realizer, default_realization_weights
from widl.expressions import Expression, bag, interleave, seq
from widl.pages.tables import Cell, Column, Row, Table

_SIZES = (4, 8, 10, 12, 16, 32, 64, 128)
_MEASURABLE = 0.1
"""Seconds of processor time for which a search is repeated: clocks of some systems have ticks of 10 ms."""
_SEED = 1


@dataclass(frozen=True)
class Family:
    """Expressions of any number of words."""

    name: str
    make: Callable[[list[str]], Expression]
    vertices: Callable[[int], int]
    """Maximum number of vertices of the WIDL-graph in a state of the acceptor, by number of words: the paper's first
    factor."""
    states: Callable[[int], int]
    """Number of states of the acceptor."""
    sizes: Sequence[int] = _SIZES
    """Numbers of words that are searched. The weighted acceptor of a bag has some n³/8 edges for each set of words."""


FAMILIES = (
    Family("w1 · … · wn", lambda words: seq(*words), lambda _: 1, lambda n: n + 1),
    Family(
        "∥(w1 · …, … · wn)",
        lambda words: interleave(seq(*words[: len(words) // 2]), seq(*words[len(words) // 2 :])),
        lambda _: 2,
        lambda n: (n // 2 + 1) * (n - n // 2 + 1),
    ),
    Family("∥(w1, …, wn)", bag, lambda n: n, lambda n: 2**n, _SIZES[:4]),
)
_SEARCHES: tuple[tuple[str, Literal["bfs", "astar"]], ...] = (("BFS", "bfs"), ("A*", "astar"))


def run_time_table() -> Table:
    """Each family with each number of words.

    The trigram model is estimated from sentences of the same words in random order, so that it distinguishes
    all contexts of two words: the worst case for the weighted acceptor, and a hard one for A*, as no order is
    much better than others. The bound takes no time to compute, so that only the search is measured.
    """
    columns = [Column(name="words", digits=0), Column(name="vertices a state", digits=0)]
    columns.append(Column(name="acceptor's states", digits=0, short=True))
    for name, _ in _SEARCHES:
        columns += [Column(name=f"{name} states", digits=0), Column(name=f"{name} edges", digits=0)]
        columns.append(Column(name=f"{name} ms", digits=3, help="processor time; for small searches mostly set-up"))
        columns.append(Column(name=f"{name} µs per edge", digits=3))
    return Table(
        name="run-times",
        title="Run time",
        of="expression",
        columns=columns,
        rows=[Row(label=family.name, cells=_cells(family, n)) for family in FAMILIES for n in family.sizes],
        notes=[
            "BFS makes all states of the weighted acceptor: the acceptor's, split by the contexts of a trigram model. "
            "By Theorem 2 of 2005 its time is linear in these, and A*'s in these times their logarithm. The model is "
            "of random orders of the same words.",
        ],
    )


def _cells(family: Family, n: int) -> dict[str, Cell]:
    """Cells of both searches: the states and edges of the weighted acceptor that they created, and their time."""
    cells: dict[str, Cell] = {
        "words": n,
        "vertices a state": family.vertices(n),
        "acceptor's states": family.states(n),
    }
    words = [f"w{k}" for k in range(1, n + 1)]
    weights = dict.fromkeys(default_realization_weights(1, 1), 0.0) | {"lm0": 1.0}
    realizer, expression = Realizer([random_model(words)], weights), family.make(words)
    for name, search in _SEARCHES:
        options = RealizationOptions(search=search, bound="loose")
        result = realizer.realize_one(expression, options)
        microseconds = 1e6 * _mean_seconds(partial(realizer.realize_one, expression, options))
        cells |= {f"{name} states": result.states, f"{name} edges": result.edges}
        cells |= {f"{name} ms": microseconds / 1000, f"{name} µs per edge": microseconds / result.edges}
    return cells


def _mean_seconds(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    """The mean time of some work, repeated twice as often until all repetitions take `_MEASURABLE` seconds."""
    times = 1
    while True:
        start = clock()
        for _ in range(times):
            work()
        if (seconds := clock() - start) >= _MEASURABLE:
            return seconds / times
        times *= 2


def random_model(words: list[str]) -> LanguageModel:
    """A trigram model of the words in random orders."""
    draw = random.Random(f"{_SEED} {len(words)}")
    sentences = min(40 * len(words) ** 2, 200_000 // len(words))
    return LanguageModel.estimate([" ".join(draw.sample(words, len(words))) for _ in range(sentences)])
