"""Random combinations: does search find the best strings of the printed expression that the options allow?"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tests.proofs.check import complaints_of_claims
from tests.proofs.terms import has_term, random_term
from widl.combination import CombinationOptions, Combiner
from widl.combination.combiner import _line
from widl.combination.network import Network
from widl.combination.output_ngrams import Agreement, agreement_names
from widl.combination.tokens import words_of
from widl.decoder import Outcome
from widl.expressions import enumerate_strings, parse_expression

VOCABULARY = ("the", "The", "cat", "really", "good", "York", "New", "Times", "not", "never", "7", ",", ".", "saw")
NEGATIONS = {"not", "never"}  # in the vocabulary
MAX_PATHS = 1500
LONG_WORD = 4  # minimum letters of words that may not be repeated too often
ROUNDING = 1e-5  # tolerance for sums in a different order, and for numbers that models store in 32 bits


@dataclass(frozen=True)
class Case:
    """Outputs for one line, the combiner and its options."""

    outputs: list[str]
    combiner: Combiner
    options: CombinationOptions
    budget: dict[str, float]

    @property
    def text(self) -> str:
        return f"{self.outputs}, weights {self.combiner.weights}, {self.options}, {self.budget}"


def random_case(rng: random.Random) -> Case:
    """Outputs with many common words, and overlapping terms."""
    words = [rng.choice(VOCABULARY) for _ in range(rng.randint(1, 6))]
    outputs = [_changed(rng, words) for _ in range(rng.choice([2, 2, 3, 4]))]
    having = [item for item in outputs if item] or [["the"]]
    source = rng.choice(having)
    must = [" ".join(random_term(rng, source)) for _ in range(rng.choice([0, 0, 0, 1, 2, 3, 6]))]
    if must and rng.random() < 0.3:
        must.append(" ".join(random_term(rng, rng.choice(having))))
    without = [" ".join(random_term(rng, rng.choice(having))) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
    weights = None
    if rng.random() < 0.6:
        weights = {f"votes{k}": rng.uniform(-0.5, 3) for k in range(1, len(outputs) + 1)}
        weights |= {"words": rng.choice([-2.0, -0.5, 1.0, 3.0]), "seams": rng.choice([-10.0, -1.0, 0.0])}
    options = CombinationOptions(
        skeletons=rng.choice([0, 1, 2]), support=rng.choice([1, 2]), must=tuple(must), without=tuple(without),
        nbest=rng.choice([1, 1, 3]), max_seconds=0,
    )  # fmt: skip
    budget = {"max_states": rng.choice([1, 5, 20, 100])} if rng.random() < 0.2 else {}
    return Case([" ".join(item) for item in outputs], Combiner(weights=weights), options, budget)


def _changed(rng: random.Random, words: Sequence[str]) -> list[str]:
    """Drops, repeats, replaces or moves words."""
    changed: list[str] = []
    for word in words:
        drawn = rng.random()
        if drawn < 0.15:
            continue
        changed += [rng.choice(VOCABULARY)] if drawn < 0.3 else [word, word] if drawn < 0.4 else [word]
    if len(changed) > 2 and rng.random() < 0.2:
        at = rng.randrange(len(changed))
        changed = changed[at:] + changed[:at]
    return changed


class Twin:
    """All strings that the outputs can produce, with their best scores."""

    def __init__(self, case: Case, options: CombinationOptions) -> None:
        line = _line(case.combiner, case.outputs, options)
        self.outputs, self.trust, self.options = line.words, line.trust, options
        self.networks = line.networks if any(line.words) else []
        self.single = {words_of(item)[0].lower() for item in options.without if len(words_of(item)) == 1}
        self.paths = sum(math.prod(map(len, self._slots(item))) for item in self.networks)
        if self.paths > MAX_PATHS:
            return
        weights = case.combiner.weights_of(len(self.outputs))
        agreement = Agreement(self.outputs, self.trust)
        names = agreement_names(len(self.outputs))
        self.scores: dict[tuple[str, ...], float] = {}
        for network in self.networks:
            start = weights["skeleton"] * math.log(self.trust[network.skeleton] / max(self.trust))
            for path in product(*self._slots(network)):
                words = tuple(text for text, _ in path if text)
                score = start + weights["words"] * len(words)
                for k, own in enumerate(self.trust):
                    missing = sum(bool(numbers is not None and k not in numbers) for _, numbers in path)
                    score -= weights[f"votes{k + 1}"] * missing * own / sum(self.trust)
                score += sum(weights[name] * h for name, h in zip(names, agreement.features(words), strict=True))
                self.scores[words] = max(score, self.scores.get(words, -math.inf))

    def _slots(self, network: Network) -> list[list[tuple[str, tuple[int, ...] | None]]]:
        """Alternatives at each position; if all words there are unwanted, the empty one counts for no output."""
        return [
            [(text, numbers) for text, numbers in slot if text.lower() not in self.single] or [("", None)]
            for slot in network.slots
        ]

    def allowed(self, words: Sequence[str]) -> bool:
        """Whether a string has all required terms and no forbidden one."""
        lowered = [word.lower() for word in words]
        return all(has_term(words, words_of(term)) for term in self.options.must) and not any(
            has_term(lowered, words_of(term.lower())) for term in self.options.without if len(words_of(term)) > 1
        )

    def negations(self) -> range | None:
        """The possible numbers of negations: the median of the outputs, and those of most outputs in one place."""
        counts = sorted(len([word for word in output if word in NEGATIONS]) for output in self.outputs if output)
        if self.options.support == 1:
            return None
        middle = counts[(len(counts) - 1) // 2], counts[len(counts) // 2]
        if middle[0] == 0 < middle[1]:
            if NEGATIONS.isdisjoint(self.outputs[self.networks[0].skeleton]):
                return range(1)
            return range(next(filter(None, counts)), middle[1] + 1)
        places = [
            [sum(len(numbers) for text, numbers in slot if text in NEGATIONS) for slot in network.slots]
            for network in self.networks
        ]
        most = max(sum(having > len(counts) / 2 for having in slots) for slots in places)
        return range(middle[0], max(middle[1], most) + 1)

    def is_whole(self, words: Sequence[str]) -> bool:
        """Whether a string doesn't repeat long words too often, and is at least as long as the shortest output."""
        if not self.options.must:
            shortest = min(sum(word.lower() not in self.single for word in output) for output in self.outputs if output)
            if len(words) < shortest:
                return False
        terms = {tuple(words_of(term)) for term in self.options.must}
        for word in set(words):
            counts = sorted((output.count(word) for output in self.outputs), reverse=True)
            of_skeletons = [self.outputs[network.skeleton].count(word) for network in self.networks]
            most = max(counts[1], 1, *of_skeletons, sum(term.count(word) for term in terms))
            if len(word) >= LONG_WORD and list(words).count(word) > most:
                return False
        return True


def check_combination(seed: int, number: int) -> Iterator[list[str]]:
    """Yields the errors in the result of a random case, or an empty list if it has too many strings to list."""
    case = random_case(random.Random(f"combination {seed} {number}"))
    wrong = _complaints(case)
    yield [f"{case.text}: {item}" for item in wrong]


def _possible(own: Twin, widest: Twin) -> tuple[Twin, list[tuple[str, ...]]]:
    """The strings that are allowed, with as many negations as the outputs if there are any, and their expression."""
    numbers = own.negations()
    for kept in (numbers, None):
        for twin in (own, widest):
            found = [
                words
                for words in filter(twin.allowed, twin.scores)
                if kept is None or sum(word in NEGATIONS for word in words) in kept
            ]
            if found:
                return twin, found
    return own, []


def _complaints(case: Case) -> Iterator[str]:
    twin = Twin(case, case.options)
    if twin.paths > MAX_PATHS:
        return
    expression = case.combiner.expression(case.outputs, case.options)
    printed = {item.string for item in enumerate_strings(parse_expression(str(expression)), limit=10 * MAX_PATHS)}
    if printed != {" ".join(words) for words in twin.scores} | ({""} if not twin.networks else set()):
        yield f"the printed expression has {sorted(printed)}, not {sorted(twin.scores)}"
    result = case.combiner.combine_one(case.outputs, replace(case.options, **case.budget))
    if not twin.networks:
        if bool(result.failure) != bool(case.options.must):
            yield f"of no words: {result.text!r}, {result.failure!r}"
        return
    if len(set(case.outputs)) == 1 and not (case.options.must or case.options.without):
        if (result.text, result.optimal) != (case.outputs[0], True):
            yield f"all outputs are {case.outputs[0]!r}, but {result.text!r}"
        return
    widest = Twin(case, replace(case.options, skeletons=0, support=1))
    if widest.paths > MAX_PATHS:
        return
    twin, allowed = _possible(twin, widest)
    allowed = list(filter(twin.is_whole, allowed)) or allowed
    ranked = sorted((twin.scores[words] for words in allowed), reverse=True)
    if not ranked:
        if not result.failure or result.nbest or result.optimal:
            yield f"nothing is allowed, but it found {result.text!r} ({result.failure!r})"
        elif not case.budget and result.outcome is not Outcome.proved_empty:
            yield f"nothing is allowed, but {result.outcome}"
        return
    if not result.nbest:
        if not (case.budget and result.stopped):
            yield f"there is a string of {ranked[0]}, but: {result.failure}, {result.outcome}"
        return
    slack = ROUNDING * max(1.0, abs(ranked[0]))
    yield from complaints_of_claims(result, ranked[0], 0.0, slack)
    if not case.budget and not (result.optimal and not result.stopped and result.nbest_complete):
        yield f"not proved: {result.nbest[0].score}, bound {result.bound}, best {ranked[0]}, {result.stopped!r}"
    if not result.optimal and not result.stopped:
        yield "not optimal, and no budget is named"
    if len({item.text for item in result.nbest}) < len(result.nbest):
        yield f"a string twice: {[item.text for item in result.nbest]}"
    if result.nbest_complete:
        expected = ranked[: case.options.nbest]
        listed = [item.score for item in result.nbest]
        if len(listed) != len(expected) or any(abs(a - b) > slack for a, b in zip(listed, expected, strict=True)):
            yield f"the best have {expected}, found {listed}"
    for item in result.nbest:
        words = tuple(words_of(item.text))
        if words not in twin.scores or (result.optimal and words not in allowed):
            yield f"{item.text!r} is none of the strings"
        elif item.score > twin.scores[words] + slack:
            yield f"{item.text!r} has {twin.scores[words]}, not {item.score}"
