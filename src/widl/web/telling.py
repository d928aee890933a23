"""Describes searches in sentences."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from widl.decoder import Derivation
from widl.web.rendering import number, words
from widl.web.replay import Followed, Happening, Moment, Replay, Stop
from widl.web.searches import Watched

_EQUAL = 1e-9


@dataclass(frozen=True)
class Sentence:
    """Something said of a search, with the step where it can be seen."""

    text: str
    step: int | None = None


def fate_of(one: Watched, followed: Followed, wanted: Derivation, elsewhere: Sequence[Stop] = ()) -> list[Sentence]:
    """The fate of a string in a search; `elsewhere`: where other searches pruned it."""
    name, found = one.choice.title, one.result.score
    place = words(followed.stops[-1].words)
    if followed.found:
        better = found - wanted.score
        beaten = [Sentence(f"and found one that is better by {number(better)}.")] if better > _EQUAL else []
        kept = [sentence for stop in elsewhere for sentence in _kept(one, followed, stop)]
        reached = "It reached the string at" if kept else f"{name} reached it at"
        return [*kept, Sentence(reached, followed.step), *beaten]
    if followed.why == "pruned" and followed.lost is not None:
        text = f"{name} came as far as {place} and put that aside for good: {why_pruned(followed.lost, one)}"
        return [Sentence(text, followed.step), *_given_up(one, followed.lost, wanted)]
    if followed.why == "waiting":
        as_good = found >= wanted.score - _EQUAL
        end = "had already found a string as good as anything that was left" if as_good else "ended before its turn"
        return [Sentence(f"{name} came as far as {place}; the search {end}."), *_overtaken(one.replay, followed)]
    missing = words(followed.lost.words) if followed.lost is not None else "the next state"
    reasons = {
        "skipped": f"{name} came as far as {place} and never made {missing}: others of the layer promised more.",
        "floor": f"{name} left it at {place}: it can't reach a score that is known to be reached.",
    }
    if followed.why in reasons:
        return [Sentence(reasons[followed.why], followed.step)]
    return [Sentence(f"{name} came as far as {place}; its record ends before more of it.")]


def is_lost(one: Watched, followed: Followed, wanted: Derivation) -> bool:
    """Whether a search gave a string up, or ended before its turn; not if it rightly left a worse one waiting."""
    if followed.found:
        return False
    return followed.why in ("pruned", "skipped") or one.result.score < wanted.score - _EQUAL


def _kept(one: Watched, followed: Followed, elsewhere: Stop) -> list[Sentence]:
    """How a search that found a string treated the prefix that another search pruned."""
    for stop, following in itertools.pairwise(followed.stops):
        if stop.words == elsewhere.words and following.step > stop.step + 1:
            never = " puts nothing aside: it" if one.choice.search in ("astar", "bfs") else ""
            text = f"{one.choice.title}{never} let {words(stop.words)} wait, and went on with it at"
            return [Sentence(text, following.step)]
    return []


def _given_up(one: Watched, lost: Happening, wanted: Derivation) -> list[Sentence]:
    """Whether a pruned state might have been better than the result, and whether it was."""
    found = one.result.score
    if lost.bound <= found + _EQUAL:
        return []
    better = wanted.score - found
    outcome = (
        f"It gave that up without a look, and with it this string, which is better by {number(better)}."
        if better > _EQUAL
        else "It gave that up without a look."
    )
    return [
        Sentence(
            f"What begins so could score up to {number(lost.bound)}, more than the {number(found)} of what "
            f"{one.choice.title} found. {outcome}"
        )
    ]


def _overtaken(replay: Replay, followed: Followed) -> list[Sentence]:
    """Reports a better path to the same state."""
    for stop in reversed(followed.stops[1:]):
        arrived = replay.path(stop.state, replay.end_of(stop.step))[-1]
        if stop.score < float(replay.record.scores[arrived]) - _EQUAL:
            return [Sentence(f"At {words(stop.words)} another way to the same state was better.", stop.step)]
    return []


def step_told(one: Watched, moment: Moment) -> str:
    """A step in a sentence or two."""
    first = moment.happenings[0]
    if first.kind == "layer":
        cut = moment.counts["pruned"]
        outcome = f"{cut} of its states are put aside" if cut else "all stay"
        return f"The layer of length {first.length} begins; {outcome}."
    if first.kind == "unfolded":
        return _taken(one, moment, first)
    if first.kind == "pruned" and first.reason == "shorter":
        return f"{words(first.words)} is put aside for good: {why_pruned(first, one)}"
    if first.kind in ("pruned", "skipped", "paired"):
        return (
            f"The layer is full: {_count(moment.counts['skipped'], 'way')} to go on, and what promises less, are never "
            f"tried; {_count(moment.counts['paired'], 'state')} of it may go on."
        )
    if first.kind == "ended":
        if one.result.optimal:
            return "The search ends: nothing that waits promises more than the string found, the best of all."
        return f"The search ends. Something that it left aside may be better by up to {number(one.gap)}."
    if moment.step:
        return f"A* begins. A quick search has found {number(first.score)}, so only what reaches that is looked for."
    return f"Everything is still possible: no string scores more than {number(moment.upper)}."


def _taken(one: Watched, moment: Moment, first: Happening) -> str:
    made = sum(moment.counts[kind] for kind in ("made", "improved", "recombined"))
    if one.choice.search == "cube" or moment.phase_is_quick:
        return f"Of what may come next, {words(first.words)} promises most, so it is made."
    turn = "It promised most" if one.choice.search in ("astar", "astar-k") else "It is its turn"
    return (
        f"{turn}: {words(first.words)} is taken, at {number(first.score)} with at most {number(first.bound)} in the "
        f"end; {_count(made, 'way')} to go on."
    )


def why_pruned(event: Happening, one: Watched) -> str:
    """Why a state was put aside."""
    choice = one.choice
    if event.reason == "shorter":
        unit = {"words": "word", "positions": "source word"}[choice.k_unit]
        return (
            f"it has {_count(event.length, unit)}, the longest state taken has {event.longest}, and k = {choice.k} "
            f"allows a lag of {choice.k}, not {event.longest - event.length}."
        )
    if event.reason == "threshold":
        return f"it has less than {choice.beam:g} of the probability of the best state of its layer."
    if event.reason == "full":
        return f"its layer already has {choice.size} that promise more."
    return "others promised more."


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
