"""Searches side by side at one of their steps: waiting states, pruned states with reasons, and where a string was
lost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from widl.decoder import Derivation, Outcome
from widl.web.rendering import notebook, number, render
from widl.web.replay import Happening, Moment, Replay
from widl.web.searches import SearchChoice, Space, Watched, derivation_of
from widl.web.telling import fate_of, is_lost, step_told

_SHOWN = 10  # states of the frontier
_ARRIVALS = ("made", "improved", "recombined")


@dataclass(frozen=True)
class SearchView:
    """One or two searches of a space after some of their steps.

    view = SearchView.of(ExpressionSpace(parse("∥(a, b, c)"), [model]), SearchChoice(search="astar-k", k=1))
    view.at(7)  # the last line of a notebook's cell
    """

    space: Space
    searches: Sequence[Watched]
    step: int = 0
    string: str = ""
    """A string to trace through the searches."""

    @classmethod
    def of(cls, space: Space, *choices: SearchChoice) -> "SearchView":
        """The searches of a space, at their start."""
        return cls(space, [Watched.run(space, choice) for choice in choices])

    def at(self, step: int, *, string: str = "") -> "SearchView":
        """The same after a step."""
        return SearchView(self.space, self.searches, step, string or self.string)

    @property
    def steps(self) -> int:
        """The number of steps of the longest search."""
        return max(len(one.replay) for one in self.searches)

    def _repr_html_(self) -> str:
        return notebook(Markup("{}{}").format(self.verdict(), self.html()))

    # --- the results of the searches, and why they differ ---

    @property
    def wanted(self) -> str:
        """The string that is followed: one that was asked for, or the best one found."""
        return self.string or max(self.searches, key=lambda one: one.result.score).text

    def derivation(self) -> Derivation | None:
        """Derivation of the string that is traced; None where none was found."""
        found = self._wanted_derivation()
        return found if isinstance(found, Derivation) else None

    def _wanted_derivation(self) -> Derivation | Outcome:
        given = self.space.words(self.string) if self.string else self.wanted.split(" ")
        return derivation_of(self.space, given)

    def verdict(self) -> Markup:
        """The result of each search, and where the wanted string was lost."""
        derivation = self.derivation()
        ways = [one.follow(derivation) if derivation else None for one in self.searches]
        put_aside = [way.stops[-1] for way in ways if way and way.why == "pruned"]
        told = []
        for one, followed in zip(self.searches, ways, strict=True):
            said, mark = [], ""
            if followed and derivation:
                said = fate_of(one, followed, derivation, put_aside)
                mark = "kept" if followed.found else "lost" if is_lost(one, followed, derivation) else "left"
            told.append((one, mark, said))
        return render(
            "verdict",
            told=told,
            wanted=self.wanted,
            typed=bool(self.string),
            derivation=derivation,
            is_possible=self._wanted_derivation() is not Outcome.proved_empty,
            best=max(one.result.score for one in self.searches),
        )

    # --- a step ---

    def html(self) -> Markup:
        """The searches after their step."""
        derivation = self.derivation()
        panels = []
        for one in self.searches:
            moment = one.replay.at(self.step, shown=_SHOWN)
            followed = one.follow(derivation) if derivation else None
            on_way = {stop.state for stop in followed.stops} if followed else set()
            panels.append(
                {
                    "one": one,
                    "moment": moment,
                    "over": self.step >= len(one.replay),
                    "said": step_told(one, moment),
                    "made": [h for h in moment.happenings if h.kind in _ARRIVALS],
                    "aside": _aside(moment),
                    "on_way": on_way,
                    "curve": _curve(one.replay, moment),
                    "lost": bool(
                        followed and derivation and followed.step == moment.step and is_lost(one, followed, derivation)
                    ),
                }
            )
        return render("search", panels=panels, source=self.space.source, wanted=self.wanted)


def _aside(moment: Moment) -> list[Happening]:
    found = [h for h in moment.happenings if h.kind in ("pruned", "skipped")]
    return sorted(found, key=lambda h: -h.bound)


def _curve(replay: Replay, moment: Moment) -> Markup:
    """The gap as it closes: the bound on all derivations above, the best one found below."""
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
    found = [(s, low) for s, low, _ in points if math.isfinite(low)]
    lowers = " ".join(f"{x(s):.1f},{y(low):.1f}" for s, low in found)
    area = uppers.split(" ")[-len(found) :] + lowers.split(" ")[::-1] if found else []
    ticks = [(bottom + spread * k / 2, y(bottom + spread * k / 2)) for k in range(3)]
    label = f"The best derivation found scores {number(moment.best)}, and none scores more than {number(moment.upper)}"
    now = x(min(moment.step, last))
    return render("curve", uppers=uppers, lowers=lowers, area=" ".join(area), ticks=ticks, now=now, label=label)
