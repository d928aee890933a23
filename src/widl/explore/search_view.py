"""Searches side by side at one of their steps: what waits, what was put aside and why, and where a string was lost."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from widl.decoder import Derivation
from widl.explore.replay import Followed, Happening, Moment, Replay
from widl.explore.rendering import notebook, number, render, words
from widl.explore.searches import SearchChoice, Space, Watched, derivation_of

_SHOWN = 10  # states of the frontier
_LISTED = 6  # states put aside in a step


@dataclass(frozen=True)
class Sentence:
    """Something said of a step, with the step where it can be seen."""

    text: str
    step: int | None = None


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
    """A string to look for: what the searches did with it."""
    chosen: tuple[int, int] | None = None
    """The place of a search, and a state of it, whose features are shown."""
    derivations: dict[str, Derivation | None] = field(default_factory=dict)
    """Of strings that were looked for."""

    @classmethod
    def of(cls, space: Space, *choices: SearchChoice) -> "SearchView":
        """The searches of a space, at their start."""
        return cls(space, [Watched.run(space, choice) for choice in choices])

    def at(self, step: int, *, string: str = "") -> "SearchView":
        """The same after a step."""
        return SearchView(self.space, self.searches, step, string or self.string, self.chosen, self.derivations)

    @property
    def steps(self) -> int:
        """The number of steps of the longest search."""
        return max(len(one.replay) for one in self.searches)

    def _repr_html_(self) -> str:
        return notebook(Markup("{}{}").format(self.verdict(), self.html()))

    # --- what the searches found, and why they differ ---

    @property
    def wanted(self) -> str:
        """The string that is followed: one that was asked for, or the best one found."""
        return self.string or max(self.searches, key=lambda one: one.result.score).text

    def derivation(self) -> Derivation | None:
        """Of the string that is followed."""
        if self.wanted not in self.derivations:
            given = self.space.words(self.string) if self.string else self.wanted.split(" ")
            self.derivations[self.wanted] = derivation_of(self.space, given)
        return self.derivations[self.wanted]

    def verdict(self) -> Markup:
        """What each search found, and where the wanted string was lost."""
        derivation = self.derivation()
        told = []
        for one in self.searches:
            followed = one.replay.follow([phrase[3] for phrase in derivation.phrases]) if derivation else None
            told.append((one, followed, self._tell(one, followed, derivation)))
        return render(
            "verdict",
            told=told,
            wanted=self.wanted,
            typed=bool(self.string),
            derivation=derivation,
            best=max(one.result.score for one in self.searches),
        )

    def _tell(self, one: Watched, followed: Followed | None, derivation: Derivation | None) -> list[Sentence]:
        if followed is None or derivation is None:
            return []
        name, wanted, replay = one.choice.title, derivation.score, one.replay
        if followed.found:
            said = [Sentence(f"{name} reached it", followed.step)]
            if one.result.score > wanted + 1e-9:
                said.append(Sentence(f"and found one that is better by {number(one.result.score - wanted)}."))
            return said
        stop = followed.stops[-1]
        place = words(stop.words)
        said = []
        if followed.why == "pruned" and followed.lost is not None:
            said.append(Sentence(f"{name} came as far as {place} and put that aside for good: {_why(followed.lost, one)}", followed.step))
            promise = followed.lost.bound
            if promise > one.result.score:
                said.append(
                    Sentence(
                        f"What begins so could score up to {number(promise)}, more than the {number(one.result.score)} "
                        f"of what {name} found: it gave up something that it could not know to be worse."
                    )
                )
        elif followed.why == "skipped":
            said.append(Sentence(f"{name} came as far as {place} and never made the next state: others of the layer promised more.", followed.step))
        elif followed.why == "floor":
            said.append(Sentence(f"{name} left it at {place}: it can't reach a score that is known to be reached.", followed.step))
        elif followed.why == "waiting":
            better = one.result.score >= wanted - 1e-9
            end = "had already found a string as good as anything that was left" if better else "ended before its turn"
            said.append(Sentence(f"{name} came as far as {place}; the search {end}.", followed.step))
        else:
            said.append(Sentence(f"{name} came as far as {place}; its record ends before more of it."))
        overtaken = [stop for stop in followed.stops if stop.score < self._best_there(replay, stop.state, stop.step) - 1e-9]
        if overtaken and followed.why == "waiting":
            said.append(Sentence(f"At {words(overtaken[-1].words)} another way to the same state was better.", overtaken[-1].step))
        return said

    @staticmethod
    def _best_there(replay: Replay, state: int, step: int) -> float:
        end = replay.end_of(step)
        path = replay.path(state, end)
        return float(replay.record.scores[path[-1]]) if path else 0.0

    # --- a step ---

    def html(self) -> Markup:
        """The searches after their step."""
        derivation = self.derivation()
        numbers = [phrase[3] for phrase in derivation.phrases] if derivation else []
        panels = []
        for place, one in enumerate(self.searches):
            moment = one.replay.at(self.step, shown=_SHOWN)
            followed = one.replay.follow(numbers) if derivation else None
            on_way = {stop.state for stop in followed.stops} if followed else set()
            panels.append(
                {
                    "place": place,
                    "one": one,
                    "moment": moment,
                    "over": self.step >= len(one.replay),
                    "said": self._said(one, moment),
                    "made": [h for h in moment.happenings if h.kind in ("made", "improved", "recombined")][:_LISTED * 4],
                    "aside": _aside(moment),
                    "on_way": on_way,
                    "curve": _curve(one.replay, moment),
                    "detail": self._detail(place, one, moment),
                    "lost": followed is not None and not followed.found and followed.step == moment.step,
                }
            )
        return render("search", panels=panels, source=self.space.source, wanted=self.wanted)

    def _said(self, one: Watched, moment: Moment) -> str:
        """The step in a sentence."""
        first = moment.happenings[0]
        if first.kind == "layer":
            cut = Counter(h.reason for h in moment.happenings if h.kind == "pruned")
            kept = f"puts {sum(cut.values())} aside" if cut else "keeps all"
            return f"The layer of length {first.length} begins; it {kept}."
        if first.kind == "unfolded" and one.choice.search == "cube" and first.state >= 0 and moment.happenings[1:]:
            return f"Of what may come next, {words(first.words)} promises most, so it is made."
        if first.kind == "unfolded":
            n = sum(h.kind in ("made", "improved", "recombined") for h in moment.happenings)
            ways = f"{n} ways to go on" if n != 1 else "one way to go on"
            turn = "It promised most" if one.choice.share == 1 else "It is its turn"
            return f"{turn}: {words(first.words)} is taken, at {number(first.score)} with at most {number(first.bound)} in the end; {ways}."
        if first.kind == "pruned":
            return f"{words(first.words)} is put aside for good: {_why(first, one)}"
        if first.kind in ("skipped", "paired"):
            left = sum(h.kind == "skipped" for h in moment.happenings)
            return f"The layer is full: {left} ways to go on, and those behind them, are never tried."
        if first.kind == "ended":
            if one.result.optimal:
                return "The search ends: nothing that waits promises more than the string found. It is proved to be the best."
            return f"The search ends. Something it left aside may be better by up to {number(one.gap)}."
        if moment.step:
            return f"A* begins; only what reaches {number(first.score)} is looked for, as a quick search has found that."
        return f"Everything is still possible: no string scores more than {number(moment.upper)}."

    def _detail(self, place: int, one: Watched, moment: Moment) -> dict[str, object] | None:
        """The features of the state chosen."""
        if self.chosen is None or self.chosen[0] != place:
            return None
        state, end = self.chosen[1], one.replay.end_of(moment.step)
        try:
            features = one.replay.features(state, end)
        except (KeyError, IndexError):
            return None
        parts = [
            (name, value, self.space.weights.get(name, 0.0), self.space.weights.get(name, 0.0) * value)
            for name, value in features.items()
            if value and self.space.weights.get(name, 0.0)
        ]
        score = sum(part[3] for part in parts)
        return {
            "state": state,
            "words": one.replay.words(state, end),
            "parts": parts,
            "score": score,
            "most": max((abs(part[3]) for part in parts), default=1.0) or 1.0,
        }


def _why(event: Happening, one: Watched) -> str:
    """Why a state was put aside."""
    choice = one.choice
    if event.reason == "shorter":
        unit = {"words": "word", "tiles": "phrase", "positions": "source word"}[choice.k_unit]
        behind = event.longest - event.length
        return (
            f"it has {_count(event.length, unit)}, the longest state taken has {event.longest}, "
            f"and k = {choice.k} allows a lag of {choice.k}, not {behind}."
        )
    if event.reason == "threshold":
        return f"it has less than {choice.beam:g} of the probability of the best state of its layer."
    if event.reason == "full":
        return f"its layer already has {choice.size} that promise more."
    return "others promised more."


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _aside(moment: Moment) -> list[Happening]:
    found = [h for h in moment.happenings if h.kind in ("pruned", "skipped")]
    return sorted(found, key=lambda h: -h.bound)[:_LISTED]


def _curve(replay: Replay, moment: Moment) -> Markup:
    """The gap as it closes: the bound on all strings above, the best string below."""
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
    area = uppers.split(" ")[-len(found):] + lowers.split(" ")[::-1] if found else []
    ticks = [(bottom + spread * k / 2, y(bottom + spread * k / 2)) for k in range(3)]
    return render(
        "curve", uppers=uppers, lowers=lowers, area=" ".join(area), ticks=ticks, now=x(min(moment.step, last)),
        label=f"After this step the best string scores {number(moment.best)}, and none scores more than {number(moment.upper)}",
    )  # fmt: skip
