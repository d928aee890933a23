"""Small lattices, random but repeatable."""

import itertools

import numpy as np
from hypothesis import strategies as st

from tests.mert.problems import WORDS, random_sentence
from widl.common.arrays import FloatArray
from widl.mert import Lattice

ArcRow = tuple[int, int, int, int, int, list[str]]


def arc_row(start: int, to: int, words: list[str]) -> ArcRow:
    return (start, to, start, to, 0, words)


@st.composite
def lattices(draw: st.DrawFn, features: int = 3) -> Lattice:
    """A chain of up to six nodes with arcs across, each with words and small whole numbers as features."""
    nodes = draw(st.integers(2, 6))
    pairs = [(i, i + 1) for i in range(nodes - 1)]
    possible = list(itertools.combinations(range(nodes), 2))
    pairs += draw(st.lists(st.sampled_from(possible), max_size=8))
    pairs.sort(key=lambda pair: (pair[1], pair[0]))
    rows = [arc_row(start, to, draw(st.lists(st.sampled_from("abc"), max_size=2))) for start, to in pairs]
    values = st.lists(st.integers(-4, 4), min_size=features, max_size=features)
    return Lattice(rows, np.array([draw(values) for _ in rows], dtype=np.float64))


def random_lattice(random: np.random.Generator, positions: int, width: int, features: int) -> Lattice:
    """`width` alternative words at each position, with features of two decimals."""
    rows = [arc_row(i, i + 1, [f"w{random.integers(8)}"]) for i in range(positions) for _ in range(width)]
    return Lattice(rows, np.round(random.normal(size=(len(rows), features)), 2))


def pairs_of(lattice: Lattice) -> list[tuple[int, int]]:
    return [(start, to) for start, to, *_ in lattice.arcs]


def sums(lattice: Lattice, path: list[int]) -> FloatArray:
    return np.asarray(lattice.features[path].sum(axis=0), dtype=np.float64)


NAMES = ("lm0", "noise", "word_count")


def translation_lattices(seed: int, sentences: int = 6, longest: int = 7) -> tuple[list[Lattice], list[str]]:
    """Lattices with a moderately predictive feature, a hardly predictive feature, and references."""
    random = np.random.default_rng(seed)
    references = [random_sentence(random, 4, longest) for _ in range(sentences)]
    some = []
    for reference in references:
        rows, features = [], []
        for i, word in enumerate(reference.split()):
            for choice in (word, str(random.choice(WORDS)), None):
                rows.append(arc_row(i, i + 1, [choice] if choice else []))
                right = choice == word
                messages, noise = right + random.normal(0, 0.7), random.normal() - 0.3 * right
                features.append([messages, noise, float(choice is not None)])
        some.append(Lattice(rows, np.round(np.array(features), 3)))
    return some, references
