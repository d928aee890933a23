"""Search over what a grammar accepts, against all derivations written out and filtered by the slow grammar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.decoder.language_models import arpa_models
from tests.decoder.random_grammars import NAMES, random_rules
from tests.decoder.test_expression_search import FOR_EXPRESSIONS, LM_WORDS, Solved, assert_genuine, solved_cases
from tests.decoder.test_tiles_search import ARPA, COMPONENTS, Case, cases, model_of, options_of
from tests.reference import tiles as tiles_reference
from tests.reference.cfg import Rule, SlowGrammar, bracketing, text_of
from widl.common.errors import InputError
from widl.decoder import (
    Bound,
    CoreRealizer,
    Expression,
    Grammar,
    Realization,
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


@dataclass(frozen=True)
class Filter:
    """A grammar, fast and slow."""

    grammar: Grammar
    slow: SlowGrammar


def draw_filter(data: st.DataObject, words: Sequence[str], realizable: Sequence[Sequence[str]]) -> Filter:
    """A random grammar that mostly derives at least one of the strings that can be realized."""
    rules: list[Rule] = []
    if data.draw(st.integers(0, 4)):
        target = data.draw(st.sampled_from(realizable))
        cuts = data.draw(st.lists(st.integers(0, 6), max_size=2))
        rules = bracketing(target, cuts, data.draw(st.permutations(NAMES)))
    names = [rules[0].left, *NAMES] if rules else list(NAMES)
    rules += data.draw(random_rules(words, names, max_size=6))
    slow = SlowGrammar(rules)
    if slow.start not in slow.productive:
        rules = [Rule(rules[0].left, ()), *rules]
        slow = SlowGrammar(rules)
    return Filter(parse_grammar(text_of(rules)), slow)


def realize(solved: Solved, chosen: Filter, **options: object) -> Realization:
    realizer = CoreRealizer(Vocabulary([]), solved.models)
    search = search_options(**options)  # type: ignore[arg-type]
    expression, weights = solved.case.random.expression, solved.case.weight_vector()
    return realizer.realize_expressions([expression], weights, search, grammar=chosen.grammar)[0]


def filtered(solved: Solved, data: st.DataObject) -> tuple[Filter, Solved]:
    chosen = draw_filter(data, LM_WORDS, [d.words for _, d in solved.ranked])
    known: dict[tuple[str, ...], bool] = {}
    for _, d in solved.ranked:
        if d.words not in known:
            known[d.words] = chosen.slow.accepts(d.words)
    kept = [(score, d) for score, d in solved.ranked if known[d.words]]
    return chosen, Solved(solved.case, solved.models, kept)


@pytest.mark.slow
@settings(max_examples=300)
@given(solved_cases(), st.sampled_from(list(Bound)), st.sampled_from([Algorithm.astar, Algorithm.bfs]), st.data())
def test_exact_searches_find_the_best_that_is_accepted(
    solved: Solved, bound: Bound, algorithm: Algorithm, data: st.DataObject
) -> None:
    chosen, kept = filtered(solved, data)
    if not kept.ranked:
        with pytest.raises(InputError, match=NONE_ACCEPTED):
            realize(kept, chosen, algorithm=algorithm, bound=bound)
        return
    found = realize(kept, chosen, algorithm=algorithm, bound=bound)
    assert found.score == close(kept.ranked[0][0], abs=1e-5)
    assert found.optimal
    assert_genuine(kept, found)
    n = data.draw(st.integers(2, 8))
    found = realize(kept, chosen, algorithm=algorithm, bound=bound, nbest=n)
    assert [one.score for one in found.nbest] == close([score for score, _ in kept.ranked[:n]], abs=1e-5)
    assert_genuine(kept, found)


@pytest.mark.slow
@settings(max_examples=200)
@given(solved_cases(), st.sampled_from(list(Bound)), st.data())
def test_other_searches_and_budgets_are_certified(solved: Solved, bound: Bound, data: st.DataObject) -> None:
    chosen, kept = filtered(solved, data)
    options: dict[str, object] = {"bound": bound, "lookback": data.draw(st.integers(0, 3))}
    options |= {"algorithm": data.draw(st.sampled_from(FOR_EXPRESSIONS)), "beam": data.draw(st.sampled_from([1, 1e-9]))}
    if data.draw(st.booleans()):
        options["max_states"] = data.draw(st.integers(1, 20))
    if not kept.ranked:
        with pytest.raises(InputError, match=NONE_ACCEPTED):
            realize(kept, chosen, **options)
        return
    found = realize(kept, chosen, **options)
    best = kept.ranked[0][0]
    assert found.score <= best + 1e-5
    assert found.bound >= best - 1e-5
    assert not found.optimal or found.score == close(best, rel=1e-5, abs=1e-5)
    assert_genuine(kept, found)


@pytest.mark.slow
@settings(max_examples=150)
@given(solved_cases(), st.integers(1, 5), st.data())
def test_limits_of_length_and_a_grammar(solved: Solved, words: int, data: st.DataObject) -> None:
    chosen, kept = filtered(solved, data)
    short = [one for one in kept.ranked if len(one[1].words) <= words]
    if not short:
        with pytest.raises(InputError, match=f"^the grammar accepts none of the realizations within {words} words$"):
            realize(kept, chosen, algorithm=Algorithm.astar, max_words=words)
        return
    found = realize(kept, chosen, algorithm=Algorithm.astar, max_words=words)
    assert found.optimal
    assert found.score == close(short[0][0], abs=1e-5)


@pytest.mark.slow
@settings(max_examples=200)
@given(cases(), st.sampled_from(list(Algorithm)), st.integers(0, 3), st.data())
def test_tiles(case: Case, algorithm: Algorithm, k: int, data: st.DataObject) -> None:
    models = [model_of(arpa) for arpa in case.arpas]
    written_out = list(tiles_reference.derivations(case.length, case.options, case.limit))
    words = {d: [word for option in d for word in option.words] for d in written_out}
    chosen = draw_filter(data, ("a", "b", "x"), list(words.values()))
    known = {string: chosen.slow.accepts(string) for string in set(map(tuple, words.values()))}
    log_base = math.log(case.base)
    scores = [
        case.score(tiles_reference.features(d, models, log_base, COMPONENTS)) for d in written_out if known[*words[d]]
    ]
    vocabulary = Vocabulary([])
    tiles, realizer = case.tiles(vocabulary), CoreRealizer(vocabulary, models)
    options = options_of(case, algorithm, k)
    if not scores:
        with pytest.raises(InputError, match=NONE_ACCEPTED):
            realizer.realize([tiles], case.weight_vector(), options, grammar=chosen.grammar)
        return
    found = realizer.realize([tiles], case.weight_vector(), options, grammar=chosen.grammar)[0]
    assert chosen.slow.accepts(found.words)
    assert found.score <= max(scores) + 1e-4
    assert found.bound >= max(scores) - 1e-4
    assert not found.optimal or found.score == close(max(scores), rel=1e-5, abs=1e-4)
    if algorithm in (Algorithm.astar, Algorithm.bfs):
        assert found.optimal


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


@pytest.mark.slow
@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(LM_WORDS), min_size=2, max_size=6), arpa_models(LM_WORDS), st.sampled_from(list(Bound)),
    st.data(),
)
def test_bags_under_every_bound(words: list[str], arpa: str, bound: Bound, data: st.DataObject) -> None:
    model = model_of(arpa)
    orders = sorted(set(permutations(words)))
    chosen = draw_filter(data, LM_WORDS, orders)
    scores = [sum(model.score_words(order)) for order in orders if chosen.slow.accepts(order)]
    realizer, options = CoreRealizer(Vocabulary([]), [model]), search_options(algorithm=Algorithm.astar, bound=bound)
    if not scores:
        with pytest.raises(InputError, match=NONE_ACCEPTED):
            realizer.realize_expressions([bag(words)], flat(), options, grammar=chosen.grammar)
        return
    found = realizer.realize_expressions([bag(words)], flat(), options, grammar=chosen.grammar)[0]
    assert found.optimal
    assert found.features[1] == close(max(scores), abs=1e-5)
