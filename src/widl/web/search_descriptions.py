"""Describes searches in sentences."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from widl.decoder import Derivation
from widl.web.recorded_searches import RecordedSearch
from widl.web.rendering import number, words
from widl.web.search_replay import DerivationProgress, FollowedState, Replay, SearchSnapshot, StepEvent

_EQUAL = 1e-9


@dataclass(frozen=True)
class Sentence:
    """A statement about a search, with the step that shows it."""

    text: str
    step: int | None = None


def describe_fate(
    search: RecordedSearch, followed: DerivationProgress, target: Derivation, elsewhere: Sequence[FollowedState] = ()
) -> list[Sentence]:
    """The fate of a string in a search; `elsewhere`: where other searches pruned it."""
    name, best_score = search.choice.title, search.result.score
    place = words(followed.stops[-1].words)
    if followed.found:
        better = best_score - target.score
        beaten = [Sentence(f"and found a string that scores {number(better)} higher.")] if better > _EQUAL else []
        sentences = [sentence for stop in elsewhere for sentence in _kept(search, followed, stop)]
        reached = "It reached the string at" if sentences else f"{name} reached it at"
        return [*sentences, Sentence(reached, followed.step), *beaten]
    if followed.why == "pruned" and followed.lost is not None:
        text = f"{name} reached {place} and pruned it: {pruning_reason(followed.lost, search)}"
        return [Sentence(text, followed.step), *_describe_pruned(search, followed.lost, target)]
    if followed.why == "waiting":
        as_good = best_score >= target.score - _EQUAL
        end = (
            "had already found a string at least as good as every open state"
            if as_good
            else "stopped before that state was expanded"
        )
        return [
            Sentence(f"{name} reached {place}; the search {end}."),
            *_describe_better_path(search.replay, followed),
        ]
    missing = words(followed.lost.words) if followed.lost is not None else "the next state"
    reasons = {
        "skipped": f"{name} reached {place} but never created {missing}: other states of the layer ranked higher.",
        "floor": f"{name} stopped at {place}: its bound is below a score already found.",
    }
    if followed.why in reasons:
        return [Sentence(reasons[followed.why], followed.step)]
    return [Sentence(f"{name} reached {place}; its record ends there.")]


def was_pruned(search: RecordedSearch, followed: DerivationProgress, target: Derivation) -> bool:
    """Whether a search pruned a string, or ended before its turn; false if it correctly left a worse string waiting."""
    if followed.found:
        return False
    return followed.why in ("pruned", "skipped") or search.result.score < target.score - _EQUAL


def _kept(search: RecordedSearch, followed: DerivationProgress, elsewhere: FollowedState) -> list[Sentence]:
    """How a search that found a string treated the prefix that another search pruned."""
    for stop, following in itertools.pairwise(followed.stops):
        if stop.words == elsewhere.words and following.step > stop.step + 1:
            never = " prunes nothing: it" if search.choice.search in ("astar", "bfs") else ""
            text = f"{search.choice.title}{never} kept {words(stop.words)} in the queue and expanded it at"
            return [Sentence(text, following.step)]
    return []


def _describe_pruned(search: RecordedSearch, lost: StepEvent, target: Derivation) -> list[Sentence]:
    """Whether a pruned state might have been better than the result, and whether it was."""
    best_score = search.result.score
    if lost.bound <= best_score + _EQUAL:
        return []
    better = target.score - best_score
    outcome = (
        f"It was pruned unseen, and with it this string, which scores {number(better)} higher."
        if better > _EQUAL
        else "It was pruned unseen."
    )
    return [
        Sentence(
            f"Strings with this prefix can score up to {number(lost.bound)}, more than the {number(best_score)} that "
            f"{search.choice.title} found. {outcome}"
        )
    ]


def _describe_better_path(replay: Replay, followed: DerivationProgress) -> list[Sentence]:
    """Reports a better path to the same state."""
    for stop in reversed(followed.stops[1:]):
        arrived = replay.path(stop.state, replay.end_of(stop.step))[-1]
        if stop.score < float(replay.record.scores[arrived]) - _EQUAL:
            return [Sentence(f"At {words(stop.words)} a different path to the same state scored higher.", stop.step)]
    return []


def describe_step(search: RecordedSearch, moment: SearchSnapshot) -> str:
    """Describes a step in a sentence or two."""
    first = moment.events[0]
    if first.kind == "layer":
        cut = moment.counts["pruned"]
        outcome = f"{cut} of its states are pruned" if cut else "all are kept"
        return f"The layer of length {first.length} begins; {outcome}."
    if first.kind == "unfolded":
        return _describe_expansion(search, moment, first)
    if first.kind == "pruned" and first.reason == "shorter":
        return f"{words(first.words)} is pruned: {pruning_reason(first, search)}"
    if first.kind in ("pruned", "skipped", "paired"):
        return (
            f"The layer is full: {_count(moment.counts['skipped'], 'successor')}, and all that rank lower, are never "
            f"created; {_count(moment.counts['paired'], 'state')} of it may be expanded."
        )
    if first.kind == "ended":
        if search.result.optimal:
            return "The search ends: no open state has a higher bound than the string found, which is the best of all."
        return f"The search ends. A pruned string may score up to {number(search.gap)} higher."
    if moment.step:
        return f"A* begins. A quick search has found {number(first.score)}, so states with a lower bound are ignored."
    return f"No string can score more than {number(moment.upper)}."


def _describe_expansion(search: RecordedSearch, moment: SearchSnapshot, first: StepEvent) -> str:
    successors = sum(moment.counts[kind] for kind in ("made", "improved", "recombined"))
    if search.choice.search == "cube" or moment.phase_is_quick:
        return f"Of the possible successors, {words(first.words)} has the best estimate, so it is created."
    turn = "Highest bound" if search.choice.search in ("astar", "astar-k") else "Next in line"
    return (
        f"{turn}: {words(first.words)} is expanded; score {number(first.score)}, bound {number(first.bound)}, "
        f"{_count(successors, 'successor')}."
    )


def pruning_reason(event: StepEvent, search: RecordedSearch) -> str:
    """Why a state was pruned."""
    choice = search.choice
    if event.reason == "shorter":
        unit = {"words": "word", "positions": "source word"}[choice.k_unit]
        return (
            f"it has {_count(event.length, unit)}, the longest expanded state has {event.longest}, and k = {choice.k} "
            f"allows a lag of {choice.k}, not {event.longest - event.length}."
        )
    if event.reason == "threshold":
        return f"it has less than {choice.beam:g} of the probability of the best state of its layer."
    if event.reason == "full":
        return f"its layer already has {choice.size} states that rank higher."
    return "other states rank higher."


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
