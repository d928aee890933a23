"""Steps of a recorded search: waiting states, pruned states with reasons, and the gap closed at each step."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from widl.decoder import SearchRecord
from widl.decoder.search_record import KINDS, NONE, REASONS

_NUMBER = {name: number for number, name in enumerate(KINDS)}
_SHORTER = REASONS.index("shorter")
_CURVE = 160  # points in the plot of the gap
_ARRIVALS, _ASIDE = 24, 6  # of a step, shown


@dataclass(frozen=True, slots=True)
class FrontierState:
    """A state in the frontier."""

    state: int
    words: list[str]
    score: float
    """Score of the best path to it."""
    completion: float
    """The remaining score that orders the frontier, added to the score: the bound or the estimate."""

    @property
    def promise(self) -> float:
        """Priority in the frontier."""
        return self.score + self.completion


@dataclass(frozen=True, slots=True)
class StepEvent:
    """An event of a step."""

    kind: str
    state: int
    """`NONE`: of no state."""
    words: list[str]
    """Words of the arriving path, or of the state's best path."""
    score: float
    bound: float
    """Bound of the path and its completion."""
    is_goal: bool = False
    reason: str = ""
    length: int = 0
    """Length of a layer, or of a state that was too short."""
    longest: int = 0
    """Length of the longest states, for a state that was too short."""


@dataclass(frozen=True, slots=True)
class SearchSnapshot:
    """A search after one of its steps."""

    step: int
    events: list[StepEvent]
    """The first event, then arrivals and pruned states; long lists are limited to the first and the most promising."""
    counts: dict[str, int]
    """Number of events of the step, by kind."""
    frontier: list[FrontierState]
    """Its most promising states."""
    waiting: int
    """All states of the frontier."""
    so_far: dict[str, int]
    """Number of events up to the end of the step, by kind."""
    best: float
    """Score of the best derivation found up to this step; minus infinity before the first."""
    best_words: list[str]
    upper: float
    """No derivation scores more."""
    phase_is_quick: bool = False
    """Whether this is the cube pruning that comes before A* over tiles."""


@dataclass(frozen=True, slots=True)
class FollowedState:
    """A state on the path of a derivation that is traced through a search."""

    state: int
    words: list[str]
    score: float
    """Score of the partial derivation."""
    step: int
    """When it arrived."""


@dataclass(frozen=True, slots=True)
class DerivationProgress:
    """Progress of a search along a derivation, and why it stopped."""

    stops: list[FollowedState]
    why: Literal["found", "pruned", "waiting", "skipped", "floor", "forgotten"]
    """``found``: it arrived at the goal. ``waiting``: the search ended before its turn. ``floor``: it is worse than a
    score known to be reached. ``forgotten``: the record ends before."""
    lost: StepEvent | None = None
    """Event that pruned or skipped it."""
    step: int = 0
    """When."""

    @property
    def found(self) -> bool:
        """Whether it reached the goal."""
        return self.why == "found"


class Replay:
    """A recorded search that can be looked at after each of its steps.

    A step is a state taken from the frontier and the resulting events, or a layer's pruning. `by_bound`: whether the
    frontier is ordered by the bound instead of the estimate (as `RealizationOptions.order`).
    """

    def __init__(self, record: SearchRecord, *, by_bound: bool) -> None:
        self.record = record
        self._by_bound = by_bound
        kinds = record.kinds
        self._is = {name: kinds == number for name, number in _NUMBER.items()}
        self._starts = np.flatnonzero(self._begins_step())
        self._phases = np.append(np.flatnonzero(self._is["began"]), len(kinds))
        paths = np.flatnonzero(self._is["made"] | self._is["improved"])
        self._paths = paths[np.lexsort((paths, record.states[paths]))]
        self._path_states = record.states[self._paths]
        self._entered, self._left, self._settled = self._intervals()
        self._promised = record.scores[self._entered] + record.bounds[self._entered]
        self._lost = self._running_maximum(self._is["pruned"] | self._is["skipped"], record.scores + record.bounds)
        goals = (record.goals == 1) & (self._is["made"] | self._is["improved"])
        self._goals = np.flatnonzero(goals)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self._starts)

    def _begins_step(self) -> NDArray[np.bool_]:
        record, of = self.record, self._is
        before = np.roll(record.kinds, 1)
        arrived = np.isin(before, [_NUMBER["made"], _NUMBER["improved"]]) & (np.roll(record.states, 1) == record.states)
        begins = of["unfolded"] | of["layer"] | of["ended"] | of["began"]
        begins |= of["pruned"] & (record.reasons == _SHORTER) & ~arrived
        if of["paired"].any():  # cube pruning: the rest of a layer is pruned together
            aside = of["skipped"] | of["paired"] | (of["pruned"] & (record.reasons != _SHORTER))
            begins |= aside & ~np.roll(aside, 1)
        begins[:1] = True
        first_events: NDArray[np.bool_] = begins
        return first_events

    def _intervals(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """For each time a state enters the frontier: the event of entering, the event of leaving, and the event after
        which it has no further effect: steps of cube pruning wait in their cubes until the end."""
        record, of = self.record, self._is
        enters = (of["made"] | of["improved"]) & (record.goals == 0) & (record.bounds > -np.inf)
        leaves = of["pruned"] | of["paired"] | (of["unfolded"] & (record.labels == NONE))
        moves = np.flatnonzero(enters | leaves)
        moves = moves[np.lexsort((moves, record.states[moves]))]
        states = record.states[moves]
        follower = np.append(moves[1:], 0)
        same = np.append(states[1:] == states[:-1], np.zeros(min(1, len(states)), bool))
        entered = np.flatnonzero(enters[moves]) if len(moves) else np.zeros(0, np.intp)
        at = moves[entered]
        phase_ends = self._phases[np.searchsorted(self._phases, at, side="right")] if len(at) else at
        left = np.where(same[entered], follower[entered], phase_ends)
        ends = np.append(np.flatnonzero(of["ended"]), len(record))
        paired = of["paired"][np.minimum(left, len(record) - 1)] & (left < len(record))
        settled = np.where(paired, ends[np.searchsorted(ends, left)], left)
        return at, left, settled

    def _running_maximum(self, where: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The largest value up to each event of the same phase."""
        maxima = np.where(where, values, -np.inf)
        for begin, end in itertools.pairwise(self._phases):
            maxima[begin:end] = np.maximum.accumulate(maxima[begin:end])
        return maxima

    # --- moments ---

    def end_of(self, step: int) -> int:
        """The number of events up to the end of a step."""
        return int(self._starts[step + 1]) if step + 1 < len(self._starts) else len(self.record)

    def step_of(self, event: int) -> int:
        """The step of an event."""
        return int(np.searchsorted(self._starts, event, side="right")) - 1

    def at(self, step: int, *, shown: int = 12) -> SearchSnapshot:
        """The search after a step; of the frontier, the `shown` most promising states."""
        step = min(max(step, 0), len(self) - 1)
        end, record = self.end_of(step), self.record
        there = np.flatnonzero((self._entered < end) & (self._left >= end))
        entries = self._entered[there]
        completion = (record.bounds if self._by_bound else record.estimates)[entries]
        order = np.lexsort((entries, -(record.scores[entries] + completion)))[:shown]
        frontier = [
            FrontierState(
                int(record.states[e]), self.words(int(record.states[e]), end), float(record.scores[e]), float(c)
            )
            for e, c in zip(entries[order], completion[order], strict=True)
        ]
        best, goal = self._best(end)
        return SearchSnapshot(
            step=step,
            events=[self._step_event(e) for e in self._shown_events(int(self._starts[step]), end)],
            counts=self._counts(int(self._starts[step]), end),
            frontier=frontier,
            waiting=len(there),
            so_far=self._counts(0, end),
            best=best,
            best_words=[] if goal == NONE else self.words(int(self.record.states[goal]), goal + 1),
            upper=self.upper(end),
            phase_is_quick=len(self._phases) > 2 and end <= self._phases[1],
        )

    def _shown_events(self, begin: int, end: int) -> list[int]:
        """The events of a step that are shown."""
        record, of = self.record, self._is
        events = np.arange(begin, end)
        arrivals = events[(of["made"] | of["improved"] | of["recombined"])[begin:end]]
        aside = events[(of["pruned"] | of["skipped"])[begin:end]]
        promising = aside[np.argsort(-(record.scores[aside] + record.bounds[aside]), kind="stable")]
        return sorted({begin, *map(int, arrivals[:_ARRIVALS]), *map(int, promising[:_ASIDE])})

    def _counts(self, begin: int, end: int) -> dict[str, int]:
        counts = np.bincount(self.record.kinds[begin:end], minlength=len(KINDS))
        return dict(zip(KINDS, map(int, counts), strict=True))

    def _best(self, end: int) -> tuple[float, int]:
        """The score of the best derivation after `end` events, and its event; if there is none, minus infinity and
        `NONE`.
        """
        goals = self._goals[self._goals < end]
        if not len(goals):
            return -np.inf, NONE
        best = int(goals[np.argmax(self.record.scores[goals])])
        return float(self.record.scores[best]), best

    def upper(self, end: int) -> float:
        """A bound on the scores of all strings, as known after `end` events."""
        least = np.inf  # of the phases begun
        for begin, phase_end in itertools.pairwise(self._phases):
            if begin < end:
                stop = min(end, phase_end)
                waits = (self._entered >= begin) & (self._entered < stop) & (self._settled >= stop)
                upper = max(self._promised[waits].max(initial=-np.inf), self._lost[stop - 1])
                least = min(least, upper)
        return float(max(least, self._best(end)[0]))

    @cached_property
    def curve(self) -> list[tuple[int, float, float]]:
        """A sample of the steps, each with the best score and the bound on all scores."""
        steps = sorted({round(x) for x in np.linspace(0, len(self) - 1, min(_CURVE, len(self)))})
        return [(step, self._best(self.end_of(step))[0], self.upper(self.end_of(step))) for step in steps]

    def _step_event(self, event: int) -> StepEvent:
        record = self.record
        kind, state = KINDS[record.kinds[event]], int(record.states[event])
        reason = REASONS[record.reasons[event]]
        length = int(record.labels[event]) if kind == "layer" or reason == "shorter" else 0
        is_step = kind in ("made", "improved", "recombined", "skipped")
        if is_step or (kind == "unfolded" and record.labels[event] != NONE):
            words = self._words_of_step(event)
        elif state != NONE:
            words = self.words(state, event + 1)
        else:
            words = []
        return StepEvent(
            kind,
            state if kind != "skipped" else int(record.sources[event]),
            words,
            float(record.scores[event]),
            float(record.scores[event] + record.bounds[event]),
            bool(record.goals[event]),
            reason,
            length,
            int(record.sources[event]) if reason == "shorter" else 0,
        )

    # --- states ---

    def _arrival(self, state: int, end: int) -> int:
        """The event by which the best path of a state, among the first `end` events, arrived."""
        low, high = np.searchsorted(self._path_states, [state, state + 1])
        place = low + np.searchsorted(self._paths[low:high], end) - 1
        if place < low:
            raise KeyError(state)
        return int(self._paths[place])

    def path(self, state: int, end: int) -> list[int]:
        """The events of the best path to a state after `end` events, from the start."""
        events: list[int] = []
        while True:
            event = self._arrival(state, end)
            if self.record.sources[event] == NONE:
                return events[::-1]
            events.append(event)
            state, end = int(self.record.sources[event]), event

    def words(self, state: int, end: int) -> list[str]:
        """The words of the best path to a state after `end` events."""
        return [word for event in self.path(state, end) for word in self._label_words(event)]

    def _label_words(self, event: int) -> list[str]:
        label = int(self.record.labels[event])
        return self.record.words[label] if label < len(self.record.words) else []

    def _words_of_step(self, event: int) -> list[str]:
        source = int(self.record.sources[event])
        if KINDS[self.record.kinds[event]] == "unfolded":
            source = int(self.record.states[event])
        before = [] if source == NONE else self.words(source, event)
        return [*before, *self._label_words(event)]

    # --- derivations ---

    def follow(self, numbers: Sequence[int]) -> DerivationProgress:
        """Follows a derivation in the search; its phrases are given by number (`Derivation.phrases`).

        If no phase reached the goal, the last phase counts.
        """
        for begin in self._phases[:-1]:
            followed = self._follow(numbers, int(begin))
            if followed.found:
                break
        return followed

    def _follow(self, numbers: Sequence[int], begin: int) -> DerivationProgress:
        record = self.record
        label_of = {phrase.number: label for label, phrase in enumerate(record.phrases)}
        root = int(record.states[begin + 1])
        stops = [FollowedState(root, [], 0.0, self.step_of(begin))]
        for number in numbers:
            stop = stops[-1]
            event = self._step(stop.state, label_of.get(number, NONE), begin)
            if event is None:
                return self._dead_end_reason(stop, label_of.get(number), begin, stops)
            gain = record.scores[event] - record.scores[self._arrival(int(record.sources[event]), event)]
            words = [*stop.words, *self._label_words(event)]
            stops.append(FollowedState(int(record.states[event]), words, stop.score + float(gain), self.step_of(event)))
        return DerivationProgress(stops, "found", step=stops[-1].step)

    def _step(self, state: int, label: int, begin: int) -> int | None:
        """The first event of this phase that leads over a label out of a state."""
        record = self.record
        arrives = self._is["made"] | self._is["improved"] | self._is["recombined"]
        events = np.flatnonzero(arrives & (record.sources == state) & (record.labels == label))
        events = events[events >= begin]
        return int(events[0]) if len(events) else None

    def _dead_end_reason(
        self, stop: FollowedState, label: int | None, begin: int, stops: list[FollowedState]
    ) -> DerivationProgress:
        """The reason why a state has no successors."""
        record = self.record
        pruned = np.flatnonzero(self._is["pruned"] & (record.states == stop.state))
        turns = np.flatnonzero((self._is["unfolded"] | self._is["paired"]) & (record.states == stop.state))
        if len(turns):
            if self._is["paired"][turns].any():
                return self._skipped(stop, label, stops)
            if record.scores[begin] > -np.inf:
                return DerivationProgress(stops, "floor", step=self.step_of(int(turns[0])))
            return DerivationProgress(stops, "forgotten", step=len(self) - 1)
        if len(pruned):
            event = int(pruned[-1])
            return DerivationProgress(stops, "pruned", self._step_event(event), self.step_of(event))
        ended = np.flatnonzero(self._is["ended"])
        if not len(ended):
            return DerivationProgress(stops, "forgotten", step=len(self) - 1)
        return DerivationProgress(stops, "waiting", step=self.step_of(int(ended[-1])))

    def _skipped(self, stop: FollowedState, label: int | None, stops: list[FollowedState]) -> DerivationProgress:
        skipped = self._is["skipped"] & (self.record.sources == stop.state)
        exact = np.flatnonzero(skipped & (self.record.labels == (NONE if label is None else label)))
        events = exact if len(exact) else np.flatnonzero(skipped)
        if not len(events):  # a more promising path to its state was skipped earlier
            return DerivationProgress(stops, "skipped", step=len(self) - 1)
        event = int(events[-1])
        lost = self._step_event(event) if len(exact) else None
        return DerivationProgress(stops, "skipped", lost, self.step_of(event))
