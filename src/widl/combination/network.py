"""Outputs aligned to skeletons, and the WIDL-expression of all strings that can be made from them."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from widl._core import align_outputs
from widl.combination.negations import NO_NEGATIONS, Count, NegationLimits, counted, is_negation
from widl.combination.tokens import folded
from widl.decoder import Lattice
from widl.expressions import Expression, choice, seq, word

_NUMBER = re.compile(r"\d")
_LEFT_OUT = 0.4
"""The share of outputs that must leave a slot of the skeleton empty before the result may."""

Alternative = tuple[str, tuple[int, ...]]
"""An alternative in a position: a word, or the empty string for a deletion, and the outputs that have it there."""


@dataclass(frozen=True)
class Network:
    """The outputs in the word order of one of them, the skeleton: the alternatives for each position."""

    skeleton: int
    slots: list[list[Alternative]]

    def denied_places(self, outputs: int) -> int:
        """The number of positions where more than half of `outputs` outputs have a negation."""
        having = [sum(len(numbers) for text, numbers in slot if is_negation(text)) for slot in self.slots]
        return sum(2 * number > outputs for number in having)


def similarity(outputs: Sequence[Sequence[str]]) -> list[float]:
    """Similarity of each output to the others, from 0 to 1: the mean F of its words and bigrams against theirs."""
    numbers: dict[object, int] = {}
    grams = [[numbers.setdefault(gram, len(numbers)) for gram in (*words, *pairwise(words))] for words in outputs]
    counts = np.zeros((len(outputs), len(numbers)), np.int64)
    for row, counter in zip(counts, grams, strict=True):
        np.add.at(row, counter, 1)
    sizes = counts.sum(axis=1)
    shared = np.minimum(counts[:, np.newaxis], counts[np.newaxis]).sum(axis=2)
    scores = 2 * shared / np.maximum(sizes[:, np.newaxis] + sizes, 1)
    np.fill_diagonal(scores, 0.0)
    means: list[float] = (scores.sum(axis=1) / max(len(outputs) - 1, 1)).tolist()
    return means


class Aligner:
    """Aligns the outputs of a line to one of them, without alternatives that could make the result untrue.

    An output without words is not aligned. A slot with a skeleton word may be empty only if two fifths of the outputs
    leave it empty. Otherwise alternatives that split the votes could lose a word that they all represent. A name (a
    capital inside the sentence) or number in fewer than `support` outputs is dropped, unless the skeleton has it or it
    is one of the `demanded` words; so is a negation if fewer outputs than that have any. Where most outputs have a
    negation, one stays, unless `support` is 1. The skeleton itself is always a path, except for negations that must
    stay.
    """

    def __init__(
        self, outputs: Sequence[Sequence[str]], *, support: int, demanded: frozenset[str] = frozenset()
    ) -> None:
        self._outputs = outputs
        self._present = [k for k, words in enumerate(outputs) if words]
        having = Counter(word for words in outputs for word in {folded(text) for text in words})
        texts = {text: folded(text) for words in outputs for text in words}
        negations = set(filter(is_negation, texts))
        denying = sum(not negations.isdisjoint(words) for words in outputs)
        supports = {text: denying if text in negations else having[lowered] for text, lowered in texts.items()}
        self._rare = {text for text, number in supports.items() if number < support} - demanded
        self._negations = negations if support > 1 else set()
        self._demanded = demanded

    def network(self, skeleton: int) -> Network:
        """All outputs in the word order of one of them."""
        present, rare, negations = self._present, self._rare, self._negations
        slots: list[list[Alternative]] = []
        for slot in align_outputs([list(self._outputs[k]) for k in present], present.index(skeleton)):
            alternatives = [(text, tuple([present[k] for k in numbers])) for text, numbers in slot]
            negated = [alternative for alternative in alternatives if alternative[0] in negations] if negations else []
            if 2 * sum(len(numbers) for _, numbers in negated) > len(present):
                slots.append(
                    [
                        alternative
                        for alternative in alternatives
                        if alternative in negated or alternative[0] in self._demanded
                    ]
                )
                continue
            shared = [
                (text, numbers)
                for text, numbers in alternatives
                if text not in rare or skeleton in numbers or not _is_critical(text, slots)
            ]
            empty = next((numbers for text, numbers in shared if not text), ())
            if skeleton not in empty and len(empty) < _LEFT_OUT * len(present):
                shared = [(text, numbers) for text, numbers in shared if text]
            slots.append(shared)
        if all(any(not text for text, _ in slot) for slot in slots):  # a result has words
            skeleton_slots = [slot for slot in slots if any(text and skeleton in numbers for text, numbers in slot)]
            most = max(skeleton_slots, key=lambda slot: max(len(numbers) for text, numbers in slot if text))
            most[:] = [(text, numbers) for text, numbers in most if text]
        return Network(skeleton, slots)


def _is_critical(text: str, before: Sequence[object]) -> bool:
    """Whether a word is a name, a number or a negation."""
    return bool(_NUMBER.search(text)) or is_negation(text) or (bool(before) and text[:1].isupper())


def lattice_of(
    networks: Sequence[Network],
    trust: Sequence[float],
    *,
    without: frozenset[str],
    limits: NegationLimits | None = None,
) -> Lattice | None:
    """All paths through the skeletons' networks: the derivations of `expression_of`, searched faster than these.

    limits: only paths with such a number of negations. None if there is no path.
    """
    total, most = sum(trust), max(trust)
    against = [-weight / total for weight in trust]
    rows: dict[tuple[int, ...], list[float]] = {}

    def row(numbers: tuple[int, ...]) -> list[float]:
        if numbers not in rows:
            rows[numbers] = [0.0 if k in numbers else log for k, log in enumerate(against)]
        return rows[numbers]

    none = [0.0] * len(trust)
    arcs: list[tuple[int, int, str, list[float]]] = []
    last = 1
    for network in networks:
        slots = [[(text, row(of)) for text, of in slot if folded(text) not in without] for slot in network.slots]
        skeleton, states = math.log(trust[network.skeleton] / most), {(0, NO_NEGATIONS): 0}
        for (place, said), (text, logs), after in _steps([slot or [("", none)] for slot in slots], limits):
            to = 1 if place + 1 == len(slots) else states.setdefault((place + 1, after), last + 1)
            arcs.append((states[place, said], to, text, [*logs, 0.0 if place else skeleton]))
            last = max(last, to)
    return Lattice.from_arcs(arcs, {1: [*none, 0.0]}) if arcs else None


_Alternatives = Sequence[tuple[str, list[float]]]
_Step = tuple[tuple[int, Count], tuple[str, list[float]], Count]
"""A slot's number with the count of negations before it, an alternative, and the count after it."""


def _steps(slots: Sequence[_Alternatives], limits: NegationLimits | None) -> Iterator[_Step]:
    """The steps of all paths through the slots that keep the limits, in order; without limits, nothing is counted."""
    if limits is None:
        for place, slot in enumerate(slots):
            yield from (((place, NO_NEGATIONS), alternative, NO_NEGATIONS) for alternative in slot)
        return
    least, most = limits.least, limits.most
    rests = _possible_rests(slots)
    before = {NO_NEGATIONS}
    for place, slot in enumerate(slots):
        reached = set()
        for count in sorted(before):
            for alternative in slot:
                after = counted(count, alternative[0])
                if any(least <= after[0] + rest <= most for rest in rests[place + 1][after[1]]):
                    reached.add(after)
                    yield (place, count), alternative, after
        before = reached


def _possible_rests(slots: Sequence[_Alternatives]) -> list[list[set[int]]]:
    """For each slot and for the end, the numbers of negations that may follow, if the last word is no *not*, and if it
    is one.
    """
    rests = [[{0}, {0}]]
    for slot in reversed(slots):
        after = [[counted((0, is_not), text) for text in {text for text, _ in slot}] for is_not in (False, True)]
        rests.append([{number + rest for number, ends in row for rest in rests[-1][ends]} for row in after])
    return rests[::-1]


def expression_of(networks: Sequence[Network], trust: Sequence[float], *, without: frozenset[str]) -> Expression:
    """∨ over the skeletons of · over the slots; each slot is ∨ over the outputs' words there.

    An alternative has one component for each output, exp(-trust) if the output has another word, and one for the
    skeleton: its trust divided by the largest trust.
    """
    outputs = len(trust)
    total, most = sum(trust), max(trust)
    uniform = [1.0] * outputs
    against = [math.exp(-weight / total) for weight in trust]
    branches = []
    for network in networks:
        parts = []
        for slot in network.slots:
            alternatives = [
                (
                    word(text) if text else seq(),
                    (*(uniform[k] if k in numbers else against[k] for k in range(outputs)), 1.0),
                )
                for text, numbers in slot
                if folded(text) not in without
            ]
            parts.append(choice(*(alternatives or [(seq(), (1.0,) * (outputs + 1))]), scores=True))
        branches.append((seq(*parts), (*uniform, trust[network.skeleton] / most)))
    return choice(*branches, scores=True)
