"""The best derivation of tiles for a whole sentence under a short distortion limit and one bigram model.

Dynamic programming over source positions (after Chang & Collins 2017, who count the states). A state has the leftmost
free position, the covered positions after it, the end of the last phrase, and its last word. Exact, and slow.
"""

import math
from collections.abc import Collection, Mapping, Sequence

from tests.reference.tiles import Option

START, END = "<s>", "</s>"

Bigrams = Mapping[tuple[str, str], float]
"""ln p(word | previous word)."""

_State = tuple[int, int, int, str]  # leftmost free position, covered positions after it, the last end, the last word


def best_score(
    length: int,
    options: Sequence[Option],
    limit: int,
    bigrams: Bigrams,
    *,
    model: float,
    movement: float,
    word: float,
    phrase: float,
    components: Sequence[float],
    crossing: float = 0.0,
    clause_marks: Collection[int] = (),
) -> float:
    """Σ λ h of the best derivation; minus infinity without one.

    The last arguments are weights, `movement` times ln of the base, and the positions that `crossing` counts.
    """
    by_begin: list[list[tuple[Option, float]]] = [[] for _ in range(length)]
    for option in options:
        inner = sum(bigrams[pair] for pair in zip(option.words, option.words[1:], strict=False))
        own = sum(weight * score for weight, score in zip(components, option.scores, strict=True))
        by_begin[option.begin].append((option, own + model * inner + word * len(option.words) + phrase))
    layers: list[dict[_State, float]] = [{} for _ in range(length + 1)]  # by number of positions covered
    layers[0][0, 0, 0, START] = 0.0
    for count, layer in enumerate(layers[:-1]):
        for (free, behind, last_end, last), score in layer.items():
            for begin in range(max(free, last_end - limit), min(length, last_end + limit + 1)):
                passed = sum(min(begin, last_end) <= mark < max(begin, last_end) for mark in clause_marks)
                jump = movement * abs(begin - last_end) + crossing * passed
                for option, gain in by_begin[begin]:
                    span = (1 << option.end - free) - (1 << begin - free)
                    if behind & span or (begin != free and option.end - free > limit):
                        continue
                    covered, left = behind | span, free
                    while covered & 1:
                        covered, left = covered >> 1, left + 1
                    state = left, covered, option.end, option.words[-1]
                    total = score + gain + model * bigrams[last, option.words[0]] + jump
                    there = layers[count + option.end - begin]
                    if total > there.get(state, -math.inf):
                        there[state] = total
    return max((score + model * bigrams[last, END] for (_, _, _, last), score in layers[-1].items()), default=-math.inf)
