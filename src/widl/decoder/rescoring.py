"""User-defined scorers: any function of strings, in addition to the features of search."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from widl._core import Certificate, Outcome
from widl.common.argument_types import checked
from widl.common.arguments import called, counted, kind_of, numbers_of, reject_text
from widl.common.errors import InputError, WrongTypeError
from widl.decoder.features import FeatureLayout, FeatureVector
from widl.decoder.results import Result, ResultCandidate

Scorer: TypeAlias = Callable[[Sequence[str]], Iterable[float]]
"""Maps strings to numbers, larger for better strings: log-probabilities of a neural model, for example.

-inf forbids a string: it is excluded from all results, and proofs hold for the other strings. NaN and inf are errors.
"""

R = TypeVar("R", bound=Result[Any])
C = TypeVar("C", bound=ResultCandidate[Any])

SCORER = "scorer"
"""The name of its feature."""

_FIRST_LIST, _GROWTH = 16, 4


def scores_of(scorer: Scorer, texts: Sequence[str], *, bound: float = math.inf) -> list[float]:
    """The scorer's value for each text; -inf if it forbids the text.

    InputError if it raises an error, for fewer or more numbers than texts, for NaN and inf, and for a number above the
    declared bound.
    """
    name = f"scorer {getattr(scorer, '__name__', type(scorer).__name__)}"
    found = called(name, scorer, texts)
    scores = numbers_of(found, f"{name} gave", "give a list with a number for each string")
    if len(scores) != len(texts):
        raise InputError(f"{name} gave {len(scores)} numbers for {len(texts)} strings; give one for each")
    for text, score in zip(texts, scores, strict=True):
        if math.isnan(score) or score == math.inf:
            raise InputError(f"{name} gave {score} for {text!r}; give a finite number, or -inf to forbid the string")
        if score > bound:
            raise InputError(f"{name} gave {score} for {text!r}, above its bound {bound:g}; declare a larger bound")
    return scores


@checked
def rescore(results: Iterable[R], scorer: Scorer, *, weight: float = 1.0, name: str = SCORER) -> Iterator[R]:
    """The results of any front end with a scorer's number as an additional feature, reranked by the new scores.

    Candidates that the scorer forbids are dropped; a result without remaining candidates has an empty text. Strings
    outside the list are ignored, so a result's bound is None. `realize` with a scorer proves more.

    >>> from widl.decoder import LanguageModel, order
    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> results = order(["cat the sat"], model, nbest=6)
    >>> [result] = rescore(results, lambda texts: [float(text.endswith("the")) for text in texts], weight=9.0)
    >>> result.text, result.features["scorer"]
    ('cat sat the', 1.0)
    """
    for result in reject_text(results, "results", "a list of results"):
        if not isinstance(result, Result):
            raise WrongTypeError(f"results: found {kind_of(result)}; pass results, as realize and others return them")
        scores = scores_of(scorer, [candidate.text for candidate in result.nbest])
        nbest = ranked(result.nbest, scores, weight, name)
        text = nbest[0].text if nbest else "" if result.nbest else result.text
        yield replace(result, text=text, nbest=nbest, bound=None, optimal=None)


def ranked(candidates: Sequence[C], scores: Sequence[float], weight: float, name: str) -> tuple[C, ...]:
    """Candidates with an additional feature, best first, without those at -inf; ties keep their order."""
    rescored = []
    layouts: dict[FeatureLayout, FeatureLayout] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        old = candidate.features.layout
        if name in old.names:
            raise InputError(f"a feature {name!r} exists already; rename the scorer's")
        if score == -math.inf:
            continue
        layout = layouts.setdefault(old, replace(old, names=(*old.names, name)))
        total = candidate.score + weight * score
        if not math.isfinite(total):
            raise InputError(f"the number {score:g} for {candidate.text!r}, times the weight {weight:g}, is too large")
        rescored.append(
            replace(candidate, score=total, features=FeatureVector(layout, (*candidate.features.row, score)))
        )
    return tuple(sorted(rescored, key=lambda item: -item.score))


@checked
@dataclass(frozen=True)
class Scoring:
    """A scorer in addition to the features of search: a score is increased by `weight` times the scorer's number.

    bound: the scorer's maximum over all strings; 0 for log-probabilities. candidates: largest number of strings per
    input to score. InputError for a weight below 0, which gives no bound."""

    scorer: Scorer
    weight: float = 1.0
    bound: float = 0.0
    candidates: int = 1000

    def __post_init__(self) -> None:
        if not callable(self.scorer):
            raise WrongTypeError(f"scorer: found {kind_of(self.scorer)}; pass a function from strings to numbers")
        if not (math.isfinite(self.weight) and self.weight >= 0):
            raise InputError(f"the scorer's weight is {self.weight:g}; at least 0 is needed, or there is no bound")
        if math.isnan(self.bound) or self.bound == -math.inf or self.candidates < 1:
            raise InputError("a scorer's bound is a number or inf, and it is asked about one string at least")

    def check(self, nbest: int) -> None:
        """InputError if more results are requested than strings may be scored."""
        if nbest > self.candidates:
            raise InputError(
                f"nbest is {nbest:,}, but the scorer may be asked about {counted(self.candidates, 'string')} only; "
                "make scorer_candidates as large, or nbest smaller"
            )

    def lists(self, nbest: int) -> Iterator[int]:
        """Successive list sizes, increasing, for the requested number of results."""
        size = max(_FIRST_LIST, nbest)
        while size < self.candidates:
            yield size
            size *= _GROWTH
        yield self.candidates

    def add_scores(self, cache: dict[str, float], candidates: Iterable[C]) -> None:
        """Query the scorer for strings without a score."""
        new = [text for text in dict.fromkeys(candidate.text for candidate in candidates) if text not in cache]
        if new:
            cache |= zip(new, scores_of(self.scorer, new, bound=self.bound), strict=True)

    def raised(self, bound: float) -> float:
        """A bound on scores of search as a bound on scores with the scorer; -inf, for no strings, is not raised."""
        return bound if bound == -math.inf or not self.weight else bound + self.weight * self.bound

    def nothing_found(self, result: R) -> R:
        """A search's result without strings, with a bound that includes the scorer."""
        return replace(result, bound=math.inf if result.bound is None else self.raised(result.bound))

    def result(self, result: R, cache: Mapping[str, float], size: int, *, unlisted: float) -> tuple[R, bool]:
        """The best candidates of a list under model and scorer, and whether no other string can be among them.

        unlisted: upper bound on the score of unlisted strings, without the scorer; -inf if all are listed.
        """
        scores = [cache[candidate.text] for candidate in result.nbest]
        nbest = ranked(result.nbest, scores, self.weight, SCORER)[:size]
        others = self.raised(unlisted)
        if not nbest:
            return self._all_forbidden(result, others), others == -math.inf
        best, last = nbest[0].score, nbest[-1].score
        bound = max(best, others)
        optimal = Certificate(best, bound).optimal
        is_done = others <= last and (len(nbest) == size or others == -math.inf)
        return replace(result, text=nbest[0].text, nbest=nbest, bound=bound, optimal=optimal), is_done

    def stopped(self, result: R, limit: str) -> R:
        """The final result if a budget runs out before another list."""
        if result.nbest:
            return replace(result, stopped=limit)
        failure = f"the scorer forbids all strings found before {limit} ran out; raise it"
        return replace(result, stopped=limit, outcome=Outcome.out_of_budget, failure=failure)

    def _all_forbidden(self, result: R, others: float) -> R:
        """The result if the scorer forbids all scored strings."""
        count = len({candidate.text for candidate in result.nbest})
        proved = others == -math.inf
        why = "proved" if proved else "that it was asked about; raise scorer_candidates"
        failure = f"the scorer forbids all {count} strings{':' * proved} {why}"
        outcome = Outcome.proved_empty if proved else Outcome.undecided
        nothing = replace(result, text="", nbest=(), outcome=outcome, failure=failure, bound=others, optimal=False)
        return self.stopped(nothing, result.stopped) if result.stopped and not proved else nothing
