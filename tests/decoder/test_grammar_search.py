"""Search over what a grammar accepts, by hand; random grammars are in `tests/proofs`."""

import math

import pytest

from tests.core_options import Algorithm, search_options
from tests.decoder.test_expression_search import FOR_EXPRESSIONS
from tests.decoder.test_tiles_search import ARPA, model_of
from widl.common.errors import InputError
from widl.decoder import (
    CoreRealizer,
    Expression,
    Realizer,
    Tiles,
    Vocabulary,
    WeightVector,
    bag,
    language_model_from_lines,
    parse_grammar,
)

close = pytest.approx
NONE_ACCEPTED = "^the grammar accepts none of the realizations$"


def flat(components: int = 1) -> WeightVector:
    """The language model and WIDL features count 1 each."""
    return WeightVector(
        widl=[1.0] * components, language_models=[1.0], word_count=0, phrase_count=0, distortion=0, unknown=0
    )


def test_by_hand() -> None:
    """In log10 (see ARPA): <s> b = -0.1, b a = -0.2, c = -0.2 - 0.9, </s> = -0.6 make 'b a c' best, -2.0. With 'a'
    first: a after <s> -0.3 - 0.5; then b -0.2 - 0.7, c -0.2 - 0.9, </s> -0.6: -3.4. Or c -0.2 - 0.9, b -0.7,
    </s> -0.2 - 0.6: also -3.4."""
    realizer = Realizer([model_of(ARPA)])
    assert realizer.realize_one(bag("a b c")).text == "b a c"
    found = Realizer([model_of(ARPA)], grammar=parse_grammar('S -> "a" * *')).realize_one(bag("a b c"))
    assert found.text in ("a b c", "a c b")
    assert found.features["lm0"] == close(-3.4 * math.log(10), abs=1e-5)
    assert found.optimal


def test_prefixes_that_lead_nowhere_are_not_followed() -> None:
    """Of the orders of 12 words the grammar leaves one: one step for each word."""
    words = [f"w{k}" for k in range(12)]
    grammar = parse_grammar("S -> " + " ".join(f'"{word}"' for word in words))
    realizer = CoreRealizer(Vocabulary([]), [language_model_from_lines([" ".join(reversed(words))])])
    found = realizer.realize_expressions([bag(words)], flat(), search_options(), grammar=grammar)[0]
    assert found.words == words
    assert (found.statistics.states, found.statistics.edges) == (13, 12)


def test_states_recombine() -> None:
    """A bag of n words unfolds to 2^n sets of words, times contexts; a grammar of word classes adds few states."""
    words = [f"{kind}{k}" for kind in "da" for k in range(5)] + ["n0"]
    rules = ["NP -> D NP | A NP | N", *(f"{w[0].upper()} -> \"{w}\"" for w in words)]
    realizer = CoreRealizer(Vocabulary([]), [language_model_from_lines([" ".join(words), "d1 a2 d3"])])
    options = search_options(algorithm=Algorithm.bfs)
    free = realizer.realize_expressions([bag(words)], flat(), options)[0]
    grammar = parse_grammar("\n".join(rules))
    found = realizer.realize_expressions([bag(words)], flat(), options, grammar=grammar)[0]
    assert found.statistics.states <= free.statistics.states
    assert found.words[-1] == "n0"


@pytest.mark.slow
def test_nothing_found_says_why() -> None:
    vocabulary = Vocabulary([])
    realizer = CoreRealizer(vocabulary, [language_model_from_lines(["a b c"])])
    never = parse_grammar('S -> A\nA -> * A | "z"')  # found out at the end only
    small, large = bag("a b c"), bag(f"w{k}" for k in range(20))
    for algorithm in FOR_EXPRESSIONS:
        with pytest.raises(InputError, match=NONE_ACCEPTED):
            realizer.realize_expressions([small], flat(), search_options(algorithm=algorithm), grammar=never)
        limited = search_options(algorithm=algorithm, max_states=1_000)
        with pytest.raises(InputError, match=r"^no realization that the grammar accepts found within max_states;"):
            realizer.realize_expressions([large], flat(), limited, grammar=never)
    narrow = search_options(algorithm=Algorithm.astar_k, lookback=0)
    with pytest.raises(InputError, match=r"^found no realization that the grammar accepts, but has not tried all"):
        realizer.realize_expressions([large], flat(), narrow, grammar=never)
    spans = [(0, 1, Expression.word("a")), (1, 2, Expression.word("b"))]
    tiles = Tiles.compile(Expression.tiles(2, spans, movement_base=0.5), vocabulary)
    with pytest.raises(InputError, match=NONE_ACCEPTED):
        realizer.realize([tiles], flat(0), search_options(), grammar=never)


def test_charts_count_as_memory() -> None:
    """Here the chart follows from the number of words: as many states as without grammar, and the charts."""
    realizer = CoreRealizer(Vocabulary([]), [language_model_from_lines(["w1 w2"])])
    free, found = (
        realizer.realize_expressions([bag(f"w{k}" for k in range(10))], flat(),
                                     search_options(algorithm=Algorithm.bfs), grammar=grammar)[0]
        for grammar in (None, parse_grammar("S -> S S | *"))
    )
    assert found.words == free.words
    assert found.statistics.states == free.statistics.states
    assert found.statistics.memory > free.statistics.memory


def test_threads_share_a_grammar() -> None:
    grammar = parse_grammar('S -> NP "left" NP | NP\nNP -> * | * *')
    realizer = Realizer([language_model_from_lines(["a left b c", "b a left c"])], grammar=grammar)
    bags = [bag(["left", *"abcabc"[k % 3 : k % 3 + 2]]) for k in range(200)]
    one, two = (list(realizer.realize(bags, threads=threads)) for threads in (1, 2))
    assert [r.text for r in one] == [r.text for r in two]
