"""Reference, slow and simple: every derivation of a Tiles expression, straight from the definition."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tests.reference.lexical_reordering import reordering_features
from widl.decoder import LanguageModel


@dataclass(frozen=True)
class Option:
    """An alternative of the span [begin, end): its words, natural-log scores, and reordering scores."""

    begin: int
    end: int
    words: tuple[str, ...]
    scores: tuple[float, ...]
    orientation: tuple[float, ...] = ()


def derivations(length: int, options: Sequence[Option], limit: int | None) -> Iterator[tuple[Option, ...]]:
    """Every order of spans that covers each position once, with jumps that Moses' rule allows."""

    def go_on(covered: frozenset[int], last_end: int, done: tuple[Option, ...]) -> Iterator[tuple[Option, ...]]:
        if len(covered) == length:
            yield done
            return
        first_free = min(set(range(length)) - covered)
        for option in options:
            span = set(range(option.begin, option.end))
            if span & covered:
                continue
            if limit is not None and abs(option.begin - last_end) > limit:
                continue
            if limit is not None and option.begin != first_free and option.end - first_free > limit:
                continue
            yield from go_on(covered | span, option.end, (*done, option))

    return go_on(frozenset(), 0, ())


@dataclass(frozen=True)
class Orders:
    """Zones [begin, end) and walls before positions; a wall belongs to the innermost zone that contains it."""

    zones: tuple[tuple[int, int], ...] = ()
    walls: tuple[int, ...] = ()

    def keep(self, derivation: Sequence[Option], length: int) -> bool:
        """Whether a derivation meets the constraints: no crossed zone boundaries, each zone's phrases consecutive,
        walls in order.
        """
        edges = {edge for zone in self.zones for edge in zone} | set(self.walls)
        if any(option.begin < edge < option.end for option in derivation for edge in edges):
            return False
        for begin, end in self.zones:
            inside = [i for i, option in enumerate(derivation) if begin <= option.begin < end]
            if inside != list(range(inside[0], inside[-1] + 1)):
                return False
        for wall in self.walls:
            around = [zone for zone in [*self.zones, (0, length)] if zone[0] < wall < zone[1]]
            begin, end = min(around, key=lambda zone: zone[1] - zone[0], default=(wall, wall))
            before = [i for i, option in enumerate(derivation) if begin <= option.begin < wall]
            behind = [i for i, option in enumerate(derivation) if wall <= option.begin < end]
            if before and behind and max(before) > min(behind):
                return False
        return True


def features(
    derivation: Sequence[Option],
    models: Sequence[LanguageModel],
    log_base: float,
    components: int,
    reordering: bool = False,
    clause_marks: Collection[int] | None = None,
) -> list[float]:
    """h of a derivation: components, language models, words, phrases, movement, words passed through, reordering,
    clause marks passed over."""
    words = [word for option in derivation for word in option.words]
    values = [sum(option.scores[j] for option in derivation) for j in range(components)]
    values += [sum(model.score_words(words)) for model in models]
    movement, last_end, passed = 0, 0, 0
    for option in derivation:
        jumped = range(min(option.begin, last_end), max(option.begin, last_end))
        movement += len(jumped)
        passed += sum(position in jumped for position in clause_marks or ())
        last_end = option.end
    values += [float(len(words)), float(len(derivation)), movement * log_base, 0.0]
    if reordering:
        spans = [(option.begin, option.end) for option in derivation]
        values += reordering_features(spans, [option.orientation for option in derivation])
    return values if clause_marks is None else [*values, float(passed)]
