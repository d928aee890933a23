"""User-defined scorers: proofs with them agree with a list of all strings."""

import json
import math
import random
import re
from collections.abc import Callable, Sequence
from itertools import permutations

import pytest

from tests.proofs.scorers import complaints_of
from widl import InputError
from widl.decoder import (
    Constraint,
    LanguageModel,
    Outcome,
    RealizationResult,
    Realizer,
    Scoring,
    containing,
    order,
    realize,
    rescore,
)
from widl.expressions import bag

LINES = ["the old mill by the river turns", "the mill turns by the old river", "an old river turns the mill"]


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.estimate(LINES, order=3)


@pytest.mark.parametrize("seed", range(25))
def test_what_is_proved_is_what_listing_tells(seed: int) -> None:
    assert complaints_of(seed) == []


def test_a_constant_scorer_needs_the_first_list_only(model: LanguageModel) -> None:
    asked: list[str] = []

    def constant(texts: Sequence[str]) -> list[float]:
        asked.extend(texts)
        return [0.0] * len(texts)

    [plain], [result] = realize([bag(LINES[0])], model), realize([bag(LINES[0])], model, scorer=constant)
    assert (result.text, result.optimal, len(asked)) == (plain.text, True, 16)
    assert result.score == pytest.approx(plain.score)
    assert result.features["scorer"] == 0.0


def test_a_list_that_ends_too_early_leaves_a_gap(model: LanguageModel) -> None:
    def late(texts: Sequence[str]) -> list[float]:
        return [0.0 if text.startswith("by mill") else -100.0 for text in texts]

    [result] = realize([bag(LINES[0])], model, scorer=late, scorer_candidates=20)
    assert not result.optimal
    assert result.gap is not None
    assert result.gap > 90
    prior = result.score - result.features["scorer"] - result.features["lm0"]  # equal for all orders
    liked = [item for item in set(permutations(LINES[0].split())) if item[:2] == ("by", "mill")]
    assert max(sum(model.score_words(list(item))) for item in liked) + prior <= result.bound


@pytest.mark.parametrize("search", ["stack", "cube", "beam", "astar-k"])
def test_inexact_searches_prove_no_more_than_their_bounds(search: str, model: LanguageModel) -> None:
    scoring = Scoring(lambda texts: [-float(len(text)) for text in texts])
    result = Realizer(model).realize_one(bag(LINES[0]), search=search, scoring=scoring, nbest=3)
    plain = Realizer(model).realize_one(bag(LINES[0]))
    assert result.bound >= plain.score - len(LINES[0]) - 1e-9
    assert len(result.nbest) <= 3


@pytest.mark.parametrize(
    ("scorer", "message"),
    [
        (lambda texts: [0.0], "scorer <lambda> gave 1 numbers for 2 strings"),
        (lambda texts: [math.nan] * len(texts), "scorer <lambda> gave nan for '"),
        (lambda texts: [math.inf] * len(texts), "scorer <lambda> gave inf for '"),
        (lambda texts: [0.5] * len(texts), "above its bound 0; declare a larger bound"),
    ],
)
def test_numbers_that_can_not_be_right_are_refused(scorer, message: str, model: LanguageModel) -> None:
    with pytest.raises(InputError) as caught:
        list(realize([bag("old mill")], model, scorer=scorer))
    assert message in str(caught.value)


def test_a_string_at_minus_infinity_is_forbidden(model: LanguageModel) -> None:
    """The best remaining string is proved; if all are forbidden, this is proved."""
    own = Realizer(model).realize_one(bag("old mill turns"), nbest=6)
    first, second = own.nbest[:2]
    last = own.nbest[-1].text

    def scored(is_forbidden: Callable[[str], bool], **more: int) -> RealizationResult:
        def scorer(texts: Sequence[str]) -> list[float]:
            return [-math.inf if is_forbidden(text) else 0.0 for text in texts]

        return next(realize([bag("old mill turns")], model, scorer=scorer, **more))

    result = scored(lambda text: text == first.text)
    assert (result.text, result.score, result.optimal) == (second.text, pytest.approx(second.score), True)
    assert result.gap == pytest.approx(0)
    only = scored(lambda text: text != last)
    assert (only.text, only.optimal, len(only.nbest)) == (last, True, 1)
    none = scored(lambda _: True)
    assert (none.text, none.nbest, none.optimal, none.outcome) == ("", (), False, Outcome.proved_empty)
    assert none.failure == "the scorer forbids all 6 strings: proved"
    record = json.loads(none.to_json(), parse_constant=pytest.fail)
    assert (record["score"], record["bound"], record["outcome"]) == (None, None, "proved_empty")
    undecided = scored(lambda _: True, scorer_candidates=2)
    why = "the scorer forbids all 2 strings that it was asked about; raise scorer_candidates"
    assert (undecided.outcome, undecided.failure) == (Outcome.undecided, why)
    assert undecided.bound >= own.nbest[2].score


@pytest.mark.parametrize(("nbest", "candidates"), [(1, 1), (2, 2), (2, 7), (5, 5)])
def test_the_scorer_is_asked_about_no_more_strings_than_it_may_be(
    nbest: int, candidates: int, model: LanguageModel
) -> None:
    asked: list[str] = []

    def count(texts: Sequence[str]) -> list[float]:
        asked.extend(texts)
        return [-float(len(asked))] * len(texts)

    more = {"scorer": count, "nbest": nbest}
    [result] = realize([bag("a b c d e")], model, scorer_candidates=candidates, scorer_bound=1e6, **more)
    assert len(result.nbest) == nbest
    assert len(asked) == len(set(asked)) == candidates
    with pytest.raises(InputError, match=r"nbest is .*, but the scorer may be asked about .* only; make scorer_cand"):
        realize([bag("a b c d e")], model, scorer_candidates=nbest - 1 or 1, **more | {"nbest": nbest + 1})


@pytest.mark.parametrize("scorer_bound", [0.0, 3.0, math.inf])
@pytest.mark.parametrize("scorer_weight", [0.0, 1.0])
def test_everything_forbidden_is_proved_for_any_bound(
    scorer_bound: float, scorer_weight: float, model: LanguageModel
) -> None:
    def forbid(texts: Sequence[str]) -> list[float]:
        return [-math.inf] * len(texts)

    more = {"scorer": forbid, "scorer_bound": scorer_bound, "scorer_weight": scorer_weight}
    for words in ("old mill", "old"):
        [result] = realize([bag(words)], model, **more)
        assert (result.outcome, result.bound, result.optimal) == (Outcome.proved_empty, -math.inf, False)
        assert result.failure == f"the scorer forbids all {len(words.split())} strings: proved"
    [partly] = realize([bag("old mill turns")], model, scorer_candidates=2, **more)
    assert partly.outcome is Outcome.undecided
    assert not math.isnan(partly.bound)
    nothing = Realizer(model, constraint=containing(["river"]))
    [result] = nothing.realize([bag("old mill")], scoring=Scoring(forbid, scorer_weight, scorer_bound))
    assert (result.outcome, result.bound) == (Outcome.proved_empty, -math.inf)


@pytest.mark.parametrize("seed", range(12))
def test_a_bound_without_any_string_includes_the_scorer(seed: int) -> None:
    """A constraint that a random order satisfies, and that search does not satisfy within its budget."""
    rng = random.Random(seed)
    words = list("abcdefghijkl")
    rows: list[tuple[bool, dict[str, int | None], None]] = [
        (False, {word: rng.randrange(300) for word in words if rng.random() < 0.5}, None) for _ in range(300)
    ]
    order_found = rng.sample(words, len(words))
    state = 0
    for word in order_found:
        rows.append((False, {}, None))
        rows[state][1][word] = len(rows) - 1
        state = len(rows) - 1
    rows[state] = (True, {}, None)
    model = LanguageModel.estimate(["a b c d e f g h", "h g f e d c b a"])
    more = {"constraint": Constraint(rows), "scorer": lambda texts: [50.0] * len(texts), "scorer_bound": 50.0}
    [result] = realize([bag(words)], model, max_states=10, **more)
    score = sum(model.score_words(order_found)) + 50.0 - math.lgamma(len(words) + 1)
    assert result.bound >= score - 1e-6
    [endless] = realize([bag(words)], model, max_states=10, **more | {"scorer_bound": math.inf})
    assert endless.bound == math.inf


def test_rescoring_drops_what_is_forbidden(model: LanguageModel) -> None:
    results = list(order(["old mill turns", "river"], model, nbest=6))
    forbidden = re.compile("river|old.*")
    remaining, gone = rescore(results, lambda texts: [-math.inf if forbidden.fullmatch(t) else 0.0 for t in texts])
    assert len(results[0].nbest) == 6
    assert len(remaining.nbest) == 4
    assert remaining.text == remaining.nbest[0].text
    assert (gone.text, gone.nbest) == ("", ())


def test_a_score_that_overflows_is_refused(model: LanguageModel) -> None:
    with pytest.raises(InputError, match=r"the number -1e\+308 for '.*', times the weight 100, is too large"):
        list(realize([bag("old mill")], model, scorer=lambda texts: [-1e308 for _ in texts], scorer_weight=100.0))


@pytest.mark.parametrize("seed", range(4))
def test_lists_are_put_in_the_order_of_the_new_score(seed: int, model: LanguageModel) -> None:
    rng = random.Random(seed)
    numbers: dict[str, float] = {}

    def scorer(texts: Sequence[str]) -> list[float]:
        return [numbers.setdefault(text, rng.uniform(-5, 5)) for text in texts]

    [result] = order(["old mill turns"], model, nbest=6)
    [actual] = rescore([result], scorer, weight=0.5, name="own")
    expected = sorted((item.score + 0.5 * numbers[item.text] for item in result.nbest), reverse=True)
    assert [item.score for item in actual.nbest] == pytest.approx(expected)
    assert actual.text == actual.nbest[0].text
    assert all(item.features["own"] == numbers[item.text] for item in actual.nbest)
    assert (actual.bound, actual.optimal, actual.gap) == (None, None, None)
    with pytest.raises(InputError, match="a feature 'own' exists already"):
        list(rescore([actual], scorer, name="own"))


def test_all_lists_of_an_input_share_its_budget(model: LanguageModel) -> None:
    """The scorer prefers the worst orders, so that search requests one list after another."""
    words = "the cat sat on a mat"
    [whole] = realize([bag(words)], model, scorer=_backwards, scorer_weight=9.0)
    [first] = realize([bag(words)], model, nbest=16, distinct=True)
    assert whole.optimal
    assert whole.states > 2 * first.states  # of several searches
    for limit in (5, first.states, first.states + 1, first.states + 40, whole.states - 1, whole.states):
        [result] = realize([bag(words)], model, scorer=_backwards, scorer_weight=9.0, max_states=limit)
        assert result.states <= limit
        assert result.bound >= whole.score - 1e-9
        assert result.score <= whole.score + 1e-9
        if limit < whole.states:
            assert result.stopped == "max_states"
        assert result.optimal <= (result.score >= whole.score - 1e-5)


def _backwards(texts: Sequence[str]) -> list[float]:
    return [-float(sum(k * len(word) for k, word in enumerate(text.split()))) for text in texts]
