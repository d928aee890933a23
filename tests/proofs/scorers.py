"""Random bags under a language model and a random scorer: do the search's proofs hold?"""

import math
import random
from collections.abc import Sequence
from functools import cache
from itertools import permutations

from widl.decoder import LanguageModel, Outcome, Realizer, Scoring
from widl.expressions import bag

WORDS = ("a", "b", "c", "d", "e")


@cache
def _model(number: int) -> LanguageModel:
    rng = random.Random(f"model {number}")
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(2, 7))) for _ in range(8)]
    return LanguageModel.estimate(lines, order=rng.randint(2, 4))


def complaints_of(seed: int) -> list[str]:
    """Errors in the result of a random bag, found by scoring all of its orders."""
    rng = random.Random(f"scorer {seed}")
    model, words = _model(rng.randrange(20)), [rng.choice(WORDS) for _ in range(rng.randint(1, 6))]
    bound, weight = rng.choice([0.0, 0.0, 2.0]), rng.choice([0.0, 0.3, 1.0, 4.0])
    share = rng.choice([0.0, -2.0])  # counters the model
    forbidden = random.Random(f"forbidden {seed}").choice([0.0, 0.0, 0.3, 0.9, 1.0])  # share of forbidden strings
    numbers: dict[str, float] = {}

    def number(text: str) -> float:
        own = share * sum(model.score_words(text.split()))
        drawn = min(bound, rng.choice([bound, rng.uniform(-6, bound)]) + own - 20 * (share < 0))
        return -math.inf if random.Random(f"{seed} {text}").random() < forbidden else drawn

    def scorer(texts: Sequence[str]) -> list[float]:
        for text in texts:
            if text not in numbers:
                numbers[text] = number(text)
        return [numbers[text] for text in texts]

    expected = rng.choice([1, 1, 3])
    candidates = max(expected, rng.choice([1, 20, 1000, 1000]))
    scoring = Scoring(scorer, weight, bound, candidates)
    result = Realizer(model).realize_one(bag(words), nbest=expected, scoring=scoring)
    every = {" ".join(item) for item in permutations(words)}
    scorer(sorted(every))
    own = {text: sum(model.score_words(text.split())) for text in every}
    totals = {text: own[text] + weight * numbers[text] for text in every if numbers[text] > -math.inf}
    ranked = sorted(totals.values(), reverse=True)
    shown = f"{words}, weight {weight}, bound {bound}, forbidden {forbidden}, seed {seed}"
    if not result.nbest:
        proved = result.outcome is Outcome.proved_empty
        hidden = ranked and not proved and candidates < 1000
        if result.optimal or not (hidden or (not ranked and proved == (candidates > len(every)))):
            return [f"{shown}: {result.outcome}, {result.failure!r}, where {ranked[:1]} is the best"]
        return []
    if not ranked:
        return [f"{shown}: every string is forbidden, but it found {result.text!r}"]
    prior = result.score - weight * result.features["scorer"] - result.features["lm0"]  # equal for all orders
    wrong = []
    if not math.isfinite(result.bound) or result.bound < ranked[0] + prior - 1e-9:
        wrong.append(f"bound {result.bound} below {ranked[0] + prior}")
    if result.text not in totals:
        wrong.append(f"{result.text} is forbidden")
    elif abs(result.score - totals[result.text] - prior) > 1e-9:
        wrong.append(f"{result.text} has {totals[result.text] + prior}, not {result.score}")
    if result.optimal and result.score < ranked[0] + prior - 1e-5:
        wrong.append(f"optimal with {result.score}, where {ranked[0] + prior} is the best")
    if candidates == 1000:  # all orders, at most 720
        listed = [item.score - prior for item in result.nbest]
        if not result.optimal or any(abs(a - b) > 1e-9 for a, b in zip(listed, ranked, strict=False)):
            wrong.append(f"the best have {ranked[:expected]}, found {listed}")
        if len(listed) != min(expected, len(ranked)):
            wrong.append(f"{len(listed)} strings instead of {min(expected, len(ranked))}")
    return [f"{shown}: {item}" for item in wrong]
