"""The search for a line's best complete combination, within the line's budget."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from widl.combination.options import CombinationOptions
from widl.decoder import Constraint, Lattice, Outcome, RealizationResult, RealizedString, Realizer, at_least, at_most
from widl.decoder.realizer import LanguageModels

_SHORT_WORD = 3  # letters
_MIN_SECONDS = 0.001  # for a search after its limit is exhausted, to complete one string


@dataclass(frozen=True)
class OutputLimits:
    """Limits of a complete string: no word of more than three letters repeats too often, and there are enough words.

    most: maximum occurrences of a word. least: minimum number of words.
    """

    most: Mapping[str, int]
    least: int

    def limits(self, words: Sequence[str]) -> dict[str, Constraint]:
        """The rules that a string breaks, by the word that occurs too often, or "" for too few words; empty for a
        complete string.
        """
        counts = Counter(words)
        broken = {w: at_most(w, self.most[w]) for w, n in counts.items() if len(w) > _SHORT_WORD and n > self.most[w]}
        return broken | ({"": at_least(self.least)} if len(words) < self.least else {})


class OutputSearch:
    """Searches one line's lattices, which share the line's budget."""

    def __init__(
        self, language_models: LanguageModels, weights: Mapping[str, float], options: CombinationOptions
    ) -> None:
        self._models, self._weights, self._options = language_models, weights, options
        self._start = time.perf_counter()
        self._states = self._edges = 0

    def best(self, lattice: Lattice, demanded: Constraint | None, rules: OutputLimits | None) -> RealizationResult:
        """The best strings that meet the demands and keep the rules, with a bound on all other such strings.

        If a result repeats a word too often, or is too short, the search runs again with a limit on that word or on the
        length. Each search covers fewer strings, but always all that keep the rules, so the last proof holds for them.
        If the budget runs out earlier, the best strings found may break the rules, and are not optimal.
        """
        constraint, limited = demanded, set[str]()
        best: RealizationResult | None = None
        while True:
            result = self._realize(lattice, constraint)
            if not result.nbest:
                return result if best is None or result.outcome == Outcome.proved_empty else _unfinished(best, result)
            if best is not None:
                result = replace(result, bound=max(min(result.bound, best.bound), result.score))
            broken = [rules.limits(string.text.split()) if rules else {} for string in result.nbest]
            if not any(broken):
                return result
            allowed = tuple(string for string, limits in zip(result.nbest, broken, strict=True) if not limits)
            if stopped := result.stopped or self._left[1]:
                return _unfinished(_with_strings(result, allowed or result.nbest), replace(result, stopped=stopped))
            best = _with_strings(result, allowed or result.nbest)
            for name, limit in sorted({name: limit for string in broken for name, limit in string.items()}.items()):
                assert name not in limited, "search found a string that its constraint forbids"
                constraint = limit if constraint is None else constraint & limit
                limited.add(name)

    def _realize(self, lattice: Lattice, constraint: Constraint | None) -> RealizationResult:
        """A search with the rest of the line's budget."""
        left, used_up = self._left
        if used_up == "max_seconds":
            left = replace(left, max_seconds=_MIN_SECONDS)
        elif used_up:
            left = replace(left, max_states=1)
        search = left.of_search(left.nbest)
        result = Realizer(self._models, self._weights, constraint=constraint).realize_one(lattice, search)
        self._states += result.states
        self._edges += result.edges
        return replace(result, states=self._states, edges=self._edges, seconds=self._seconds)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._start

    @property
    def _left(self) -> tuple[CombinationOptions, str]:
        """The options with the remaining budget, and the exhausted limit or the empty string.

        One state is held in reserve: with it, a last search can complete a string after the other searches have
        exhausted the budget.
        """
        return self._options.after(self._states + 1, self._seconds)


def _unfinished(best: RealizationResult, last: RealizationResult) -> RealizationResult:
    """The best strings found before the last search, which did not prove that they are the best."""
    figures = {name: getattr(last, name) for name in ("stopped", "states", "edges", "seconds")}
    bound = max(min(best.bound, last.bound), best.score)
    return replace(best, bound=bound, optimal=False, nbest_complete=False, **figures)


def _with_strings(result: RealizationResult, strings: Sequence[RealizedString]) -> RealizationResult:
    return replace(result, text=strings[0].text, nbest=tuple(strings))
