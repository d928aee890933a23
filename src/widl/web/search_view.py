"""Searches side by side at one of their steps: waiting states, pruned states with reasons, and the point where a string
was lost.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from widl.decoder import Derivation, Outcome
from widl.web.recorded_searches import RecordedSearch, SearchChoice, SearchSpace, derivation_of
from widl.web.rendering import notebook, number, render
from widl.web.search_descriptions import describe_fate, describe_step, was_pruned
from widl.web.search_replay import Replay, SearchSnapshot, StepEvent

_SHOWN = 10  # states of the frontier
_ARRIVALS = ("made", "improved", "recombined")


@dataclass(frozen=True)
class SearchView:
    """One or two searches of a space after some of their steps.

    view = SearchView.of(ExpressionSpace(parse("∥(a, b, c)"), [model]), SearchChoice(search="astar-k", k=1))
    view.at(7)  # the last line of a notebook's cell
    """

    space: SearchSpace
    searches: Sequence[RecordedSearch]
    step: int = 0
    string: str = ""
    """A string to trace through the searches."""

    @classmethod
    def of(cls, space: SearchSpace, *choices: SearchChoice) -> "SearchView":
        """The searches of a space, at their start."""
        return cls(space, [RecordedSearch.run(space, choice) for choice in choices])

    def at(self, step: int, *, string: str = "") -> "SearchView":
        """The same after a step."""
        return SearchView(self.space, self.searches, step, string or self.string)

    @property
    def steps(self) -> int:
        """The number of steps of the longest search."""
        return max(len(search.replay) for search in self.searches)

    def _repr_html_(self) -> str:
        return notebook(Markup("{}{}").format(self.verdict(), self.html()))

    # --- the results of the searches, and why they differ ---

    @property
    def wanted(self) -> str:
        """The traced string: the requested string, or the best string found."""
        return self.string or max(self.searches, key=lambda search: search.result.score).text

    def derivation(self) -> Derivation | None:
        """Derivation of the string that is traced; None where none was found."""
        target = self._target_derivation()
        return target if isinstance(target, Derivation) else None

    def _target_derivation(self) -> Derivation | Outcome:
        given = self.space.words(self.string) if self.string else self.wanted.split(" ")
        return derivation_of(self.space, given)

    def verdict(self) -> Markup:
        """The result of each search, and where the traced string was lost."""
        derivation = self.derivation()
        ways = [search.follow(derivation) if derivation else None for search in self.searches]
        put_aside = [way.stops[-1] for way in ways if way and way.why == "pruned"]
        sentences = []
        for search, followed in zip(self.searches, ways, strict=True):
            said, mark = [], ""
            if followed and derivation:
                said = describe_fate(search, followed, derivation, put_aside)
                mark = "kept" if followed.found else "lost" if was_pruned(search, followed, derivation) else "left"
            sentences.append((search, mark, said))
        return render(
            "verdict",
            told=sentences,
            wanted=self.wanted,
            typed=bool(self.string),
            derivation=derivation,
            is_possible=self._target_derivation() is not Outcome.proved_empty,
            best=max(search.result.score for search in self.searches),
        )

    # --- a step ---

    def html(self) -> Markup:
        """The searches after their step."""
        derivation = self.derivation()
        panels = []
        for search in self.searches:
            moment = search.replay.at(self.step, shown=_SHOWN)
            followed = search.follow(derivation) if derivation else None
            on_way = {stop.state for stop in followed.stops} if followed else set()
            panels.append(
                {
                    "one": search,
                    "moment": moment,
                    "over": self.step >= len(search.replay),
                    "said": describe_step(search, moment),
                    "made": [h for h in moment.events if h.kind in _ARRIVALS],
                    "aside": _aside(moment),
                    "on_way": on_way,
                    "curve": _curve(search.replay, moment),
                    "lost": bool(
                        followed
                        and derivation
                        and followed.step == moment.step
                        and was_pruned(search, followed, derivation)
                    ),
                }
            )
        return render("search", panels=panels, source=self.space.source, wanted=self.wanted)


def _aside(moment: SearchSnapshot) -> list[StepEvent]:
    pruned = [h for h in moment.events if h.kind in ("pruned", "skipped")]
    return sorted(pruned, key=lambda h: -h.bound)


def _curve(replay: Replay, moment: SearchSnapshot) -> Markup:
    """The closing gap: the bound on all derivations above, the best derivation found below."""
    points = [(s, low, high) for s, low, high in replay.curve if math.isfinite(high)]
    if not points:
        return Markup("")
    last = max(1, len(replay) - 1)
    top = max(high for _, _, high in points)
    lows = [low for _, low, _ in points if math.isfinite(low)]
    bottom = min([*lows, *(high for _, _, high in points)])
    spread = (top - bottom) or 1.0

    def x(step: float) -> float:
        return 46 + 268 * step / last

    def y(score: float) -> float:
        return 8 + 74 * (top - score) / spread

    uppers = " ".join(f"{x(s):.1f},{y(high):.1f}" for s, _, high in points)
    curve = [(s, low) for s, low, _ in points if math.isfinite(low)]
    lowers = " ".join(f"{x(s):.1f},{y(low):.1f}" for s, low in curve)
    area = uppers.split(" ")[-len(curve) :] + lowers.split(" ")[::-1] if curve else []
    ticks = [(bottom + spread * k / 2, y(bottom + spread * k / 2)) for k in range(3)]
    label = f"The best derivation found scores {number(moment.best)}, and none scores more than {number(moment.upper)}"
    now = x(min(moment.step, last))
    return render("curve", uppers=uppers, lowers=lowers, area=" ".join(area), ticks=ticks, now=now, label=label)
