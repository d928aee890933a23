"""Packings (phrases that serve keywords, no keyword twice) against the list of all their derivations."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.packings import Phrase, derivations
from tests.core_options import Algorithm, search_options
from widl._core import Grammar, Packing, Vocabulary, WeightVector
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, count_derivations, interleave, language_model_from_lines, lock

WORDS = ["a", "b", "c", "d", "é"]
LINES = ["a b c", "b a d", "c a b b", "d é", "a a c é b", "b c d a"]
VOCABULARY = Vocabulary(["a", "c"])
MODELS = [language_model_from_lines(LINES), language_model_from_lines(["c b a", "é d c", "b a"], order=2)]


@st.composite
def packings(draw: st.DrawFn) -> list[Phrase]:
    count = draw(st.integers(1, 5))
    items = st.frozensets(st.sampled_from([0, 1, 2, 63]), min_size=1, max_size=2)
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)
    scores = st.tuples(st.floats(-4, 1, width=32), st.floats(-4, 1, width=32))
    return [(draw(items), draw(words), draw(scores)) for _ in range(count)]


def compiled(phrases: list[Phrase]) -> Packing:
    packing = Packing(VOCABULARY, 2)
    for items, words, scores in phrases:
        packing.add(sorted(items), list(words), list(scores))
    return packing


def score_of(phrases: list[Phrase], family: tuple[int, ...], weights: dict[str, float]) -> float:
    words = [word for p in family for word in phrases[p][1]]
    total = weights["words"] * len(words) + weights["phrases"] * len(family)
    for j in range(2):
        total += weights[f"widl{j}"] * sum(phrases[p][2][j] for p in family)
    for m, model in enumerate(MODELS):
        total += weights[f"lm{m}"] * sum(model.score_words(list(words)))
    return total


def vector(weights: dict[str, float]) -> WeightVector:
    return WeightVector(
        widl=[weights["widl0"], weights["widl1"]],
        language_models=[weights["lm0"], weights["lm1"]],
        word_count=weights["words"],
        phrase_count=weights["phrases"],
        distortion=0.0,
        unknown=0.0,
    )


WEIGHTS = st.fixed_dictionaries(
    {name: st.floats(-1, 2) for name in ("widl0", "widl1", "words", "phrases")}
    | {name: st.floats(0, 2) for name in ("lm0", "lm1")}
)
OPTIONS = st.fixed_dictionaries({"max_words": st.integers(0, 7), "max_bytes": st.sampled_from([0, 3, 8, 20])})


def allowed(phrases: list[Phrase], limits: dict[str, int]) -> list[tuple[int, ...]]:
    kept = []
    for family in derivations(phrases):
        text = " ".join(word for p in family for word in phrases[p][1])
        fits_words = not limits["max_words"] or len(text.split()) <= limits["max_words"]
        if fits_words and (not limits["max_bytes"] or len(text.encode()) <= limits["max_bytes"]):
            kept.append(family)
    return kept


@pytest.mark.slow
@settings(max_examples=250)
@given(packings(), WEIGHTS, OPTIONS, st.sampled_from(["astar", "bfs"]), st.integers(1, 6))
def test_exact_search_finds_the_best_of_all_derivations(
    phrases: list[Phrase], weights: dict[str, float], limits: dict[str, int], algorithm: str, nbest: int
) -> None:
    realizer = CoreRealizer(VOCABULARY, MODELS)
    options = search_options(algorithm=getattr(Algorithm, algorithm), nbest=nbest, **limits)
    families = allowed(phrases, limits)
    if not families:
        with pytest.raises(InputError, match="nothing can be realized"):
            realizer.realize_packings([compiled(phrases)], vector(weights), options)
        return
    best = sorted((score_of(phrases, family, weights) for family in families), reverse=True)
    [found] = realizer.realize_packings([compiled(phrases)], vector(weights), options)
    assert found.optimal
    assert found.bound == pytest.approx(best[0], abs=1e-4, rel=1e-6)
    assert [one.score for one in found.nbest] == pytest.approx(best[: len(found.nbest)], abs=1e-4)
    assert len(found.nbest) == min(nbest, len(best))
    for one in found.nbest:
        family = tuple(number for _, _, _, number in one.phrases)
        assert family in families
        assert one.score == pytest.approx(score_of(phrases, family, weights), abs=1e-4)
        assert one.words == [word for p in family for word in phrases[p][1]]


@settings(max_examples=60)
@given(packings(), WEIGHTS, OPTIONS, st.sampled_from(["astar_k", "beam", "stack", "cube"]))
def test_inexact_search_bounds_the_best(
    phrases: list[Phrase], weights: dict[str, float], limits: dict[str, int], algorithm: str
) -> None:
    families = allowed(phrases, limits)
    if not families:
        return
    options = search_options(algorithm=getattr(Algorithm, algorithm), lookback=1, beam_size=2, pop_limit=3, **limits)
    [found] = CoreRealizer(VOCABULARY, MODELS).realize_packings([compiled(phrases)], vector(weights), options)
    best = max(score_of(phrases, family, weights) for family in families)
    assert found.score <= best + 1e-4 <= found.bound + 2e-4


def test_one_item_each_is_the_interleave_of_the_paper() -> None:
    """All keywords served: as many derivations as the interleave of locked phrases has."""
    words_of = ["a b", "c", "d a"]
    phrases: list[Phrase] = [(frozenset([i]), tuple(w.split()), (0.0, 0.0)) for i, w in enumerate(words_of)]
    whole = [family for family in derivations(phrases) if len(family) == 3]
    assert len(whole) == count_derivations(interleave(*(lock(" ".join(words)) for _, words, _ in phrases)))


def test_a_grammar_filters() -> None:
    from widl.decoder import parse_grammar

    packing = compiled([(frozenset([0]), ("a",), (0.0, 0.0)), (frozenset([1]), ("b",), (0.0, 0.0))])
    weights = vector({"widl0": 1, "widl1": 1, "words": 1, "phrases": 0, "lm0": 0.1, "lm1": 0.1})
    grammar: Grammar = parse_grammar('S -> "b" "a"')
    [found] = CoreRealizer(VOCABULARY, MODELS).realize_packings([packing], weights, search_options(), grammar=grammar)
    assert found.words == ["b", "a"]


@pytest.mark.parametrize(
    ("items", "words", "scores", "message"),
    [
        ([], ["a"], [0.0], "no item"),
        ([64], ["a"], [0.0], "numbered from 0 to 63"),
        ([0], [], [0.0], "no words"),
        ([0], ["a"], [0.0, 0.0], "2 scores"),
        ([0], ["a"], [-math.inf], "not a number"),
    ],
)
def test_what_is_no_phrase(items: list[int], words: list[str], scores: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Packing(Vocabulary([]), 1).add(items, words, scores)


def test_nothing_to_realize() -> None:
    realizer = CoreRealizer(VOCABULARY, MODELS)
    weights = vector({"widl0": 1, "widl1": 1, "words": 1, "phrases": 0, "lm0": 0.1, "lm1": 0.1})
    with pytest.raises(InputError, match="no phrases"):
        realizer.realize_packings([Packing(VOCABULARY, 2)], weights, search_options())
    one = WeightVector(
        widl=[1.0], language_models=[1.0, 1.0], word_count=0.0, phrase_count=0.0, distortion=0.0, unknown=0.0
    )
    packing = compiled([(frozenset([0]), ("a",), (0.0, 0.0))])
    with pytest.raises(InputError, match="1 WIDL"):
        realizer.realize_packings([packing], one, search_options())


def test_another_vocabulary_is_refused() -> None:
    packing = Packing(Vocabulary([]), 2)
    packing.add([0], ["a"], [0.0, 0.0])
    weights = vector({"widl0": 1, "widl1": 1, "words": 1, "phrases": 0, "lm0": 0.1, "lm1": 0.1})
    with pytest.raises(InputError, match="another vocabulary"):
        CoreRealizer(VOCABULARY, MODELS).realize_packings([packing], weights, search_options())


def test_out_of_memory_it_still_answers() -> None:
    packing = Packing(VOCABULARY, 2)
    for item in range(24):
        packing.add([item], [WORDS[item % 5], WORDS[item // 5]], [-0.01 * item, 0.0])
    weights = vector({"widl0": 1, "widl1": 1, "words": 2, "phrases": 0, "lm0": 0.3, "lm1": 0.3})
    options = search_options(algorithm=Algorithm.astar, max_words=12, max_memory=400_000)
    [found] = CoreRealizer(VOCABULARY, MODELS).realize_packings([packing], weights, options)
    assert found.stopped == "max_memory"
    assert found.statistics.memory < 4_000_000
    assert 0 < len(found.words) <= 12
    assert found.bound >= found.score
