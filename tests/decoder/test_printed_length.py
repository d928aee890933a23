"""Searches within a byte limit counted by an automaton, compared with all derivations of an expression."""

import random
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from tests.core_options import Algorithm
from tests.expressions.random_expressions import Generator, build
from tests.reference.widl_semantics import Node, derivations, features
from widl._core import (
    AStar,
    BeamSearch,
    LengthUnit,
    OutputOptions,
    PrintedLength,
    SearchOptions,
    SpaceOptions,
    WeightVector,
)
from widl.common.errors import InputError
from widl.decoder import Bound, CoreRealizer, LanguageModel, Outcome, Vocabulary
from widl.expressions import Expression, parse_expression

CASES = 100
MOST = 400  # derivations
SEARCHES = {
    Algorithm.astar: AStar(),
    Algorithm.bfs: BeamSearch(),
    Algorithm.beam: BeamSearch(beam=0.5),
    Algorithm.stack: BeamSearch(unit=LengthUnit.positions, stack_size=2),
}
EXACT = (Algorithm.astar, Algorithm.bfs)


class Automaton:
    """A random automaton, and its byte counts step by step."""

    def __init__(self, rng: random.Random, places: int) -> None:
        states = rng.randint(1, 4)
        self.usual = [(rng.randint(0, 9), rng.randrange(states)) for _ in range(places)]
        self.rows = [
            (rng.choice([0, 0, 2]), [
                (place, rng.randint(0, 9), rng.randrange(states)) for place in range(places) if rng.random() < 0.2
            ])
            for _ in range(states)
        ]  # fmt: skip
        self.core = PrintedLength(self.usual, [(more, rng.sample(after, k=len(after))) for more, after in self.rows])

    def bytes(self, places: list[int]) -> int:
        """Bytes of a string, without the leading separator."""
        state, size = 0, -1
        for place in places:
            more, after = self.rows[state]
            own, to = self.usual[place]
            [(step, state)] = [(n, s) for k, n, s in after if k == place] or [(own + more, to)]
            size += step
        return size


def with_own_words(node: Node, numbers: "count[int]") -> Node:
    """Copies the expression with a different word at each position."""
    if node.kind == "word":
        return replace(node, text=f"w{next(numbers)}")
    return replace(node, arguments=tuple(with_own_words(argument, numbers) for argument in node.arguments))


def searched(
    realizer: CoreRealizer,
    expression: Expression,
    weights: WeightVector,
    search: object,
    space: SpaceOptions,
    nbest: int,
):
    options = SearchOptions(search, space=space, output=OutputOptions(nbest=nbest))
    return realizer.realize_expressions([expression], weights, options)[0]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_within_bytes_as_written_is_found_and_proved(seed: int) -> None:
    rng, cases, nothing = random.Random(f"written {seed}"), 0, 0
    while cases < CASES:
        built = Generator(rng, with_tiles=False).expression(rng.randint(1, 6))
        numbers = count()
        node = with_own_words(built.node, numbers)
        actual = derivations(node, built.components)
        if len(actual) > MOST or not actual or any(not item.words for item in actual):
            continue
        cases += 1
        automaton = Automaton(rng, next(numbers))
        model = LanguageModel.estimate([" ".join(item.words) for item in rng.choices(actual, k=5)])
        lambdas = (
            [rng.uniform(0, 2) for _ in range(built.components + 1)] + [rng.uniform(-1, 1) for _ in range(3)] + [0.0]
        )
        scores = np.array([np.dot(features(item, [model]), lambdas) for item in actual])
        sizes = np.array([automaton.bytes([int(word[1:]) for word in item.words]) for item in actual])
        most = max(1, int(rng.choice(list(sizes))) + rng.choice([-1, 0, 0, 1]))
        expected = np.sort(scores[sizes <= most])[::-1]
        nothing += not len(expected)
        j = built.components
        weights = WeightVector(
            widl=lambdas[:j], language_models=lambdas[j : j + 1], word_count=lambdas[j + 1],
            phrase_count=lambdas[j + 2], distortion=lambdas[j + 3], unknown=0.0,
        )  # fmt: skip
        realizer = CoreRealizer(Vocabulary([]), [model])
        nbest = rng.choice([1, 1, 5])
        for algorithm, search in SEARCHES.items():
            space = SpaceOptions(bound=rng.choice(list(Bound)), max_bytes=most, printed=automaton.core)
            result = searched(realizer, build(node), weights, search, space, nbest)
            if not len(expected):
                assert result.outcome in (Outcome.proved_empty, Outcome.undecided)
                assert algorithm not in EXACT or result.outcome is Outcome.proved_empty
                continue
            if algorithm not in EXACT and result.outcome is Outcome.undecided:
                continue
            assert result.bound >= expected[0] - 1e-6
            assert not result.optimal or result.score == pytest.approx(expected[0], abs=1e-5)
            for item in result.nbest:
                places = [k for phrase in item.phrases for k in range(phrase.begin, phrase.end)]
                assert [f"w{place}" for place in places] == list(item.words)
                assert automaton.bytes(places) <= most
            if algorithm in EXACT:
                assert result.optimal
                assert [item.score for item in result.nbest] == pytest.approx(list(expected[:nbest]), abs=1e-5)
    assert nothing > 0


def test_equal_arguments_may_be_written_differently() -> None:
    """Search uses one order of equal arguments for all, except where only another order fits."""
    expression = parse_expression("∥(a, a, b)")
    model = LanguageModel.estimate(["a b a", "a a b"])
    weights = WeightVector(
        widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=0.0, unknown=0.0
    )
    # After the first a, b is short, and after b everything is long: only "a a b" with the second a in front fits.
    rows = [(0, []), (0, [(2, 1, 3)]), (0, []), (9, [])]
    length = PrintedLength([(2, 1), (2, 2), (9, 3)], rows)
    realizer = CoreRealizer(Vocabulary([]), [model])
    result = searched(realizer, expression, weights, AStar(), SpaceOptions(max_bytes=4, printed=length), 1)
    assert [phrase.begin for phrase in result.nbest[0].phrases] == [1, 0, 2]
    assert result.score == pytest.approx(sum(model.score_words(["a", "a", "b"])) - np.log(6), abs=1e-6)
    assert result.optimal


@pytest.mark.parametrize(
    ("text", "places", "message"),
    [
        ("∨(a, b)", 1, "the printed length is of 1 words, the expression has more"),
        (
            "tiles{2, expmove: 0.5}(0-1: a, 1-2: b)",
            2,
            "the printed length is known for expressions other than tiles only",
        ),
    ],
)
def test_a_printed_length_must_be_that_of_the_expression(text: str, places: int, message: str) -> None:
    weights = WeightVector(
        widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=0.0, unknown=0.0
    )
    realizer = CoreRealizer(Vocabulary([]), [LanguageModel.estimate(["a b"])])
    space = SpaceOptions(max_bytes=9, printed=PrintedLength([(1, 0)] * places, [(0, [])]))
    with pytest.raises(InputError, match=message):
        searched(realizer, parse_expression(text), weights, AStar(), space, 1)
