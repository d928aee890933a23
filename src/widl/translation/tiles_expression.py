"""The WIDL-expression of a sentence, written out: its tiles with their probabilities and their movement.

The expression's components are the table's probabilities and, if the tile has them, counts such as the number of names
by rule and of words passed through, encoded as powers of 1/e. Under `expression_weights` its best derivation is the
translation's, with the same score: a realizer knows only the features ``widl1`` to ``widlJ``.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache

from widl.common.errors import InputError
from widl.decoder import DISTORTION, ORIGIN_FEATURES, UNKNOWN, FeatureLayout, Tiles
from widl.decoder.weights import weight_names
from widl.expressions import Expression, choice, lock, seq, tiles, word

WrittenPhrase = tuple[list[str], list[float]]
"""Words, and ln of the components' scores."""

MOVEMENT_BASE = math.exp(-1.0)
"""a of δ's a^d: one position of movement costs a nat, times its weight."""

LONGEST_NESTED = 8
"""Source words whose tiles are joined two by two: the expression grows like 3 to the power of their number."""


def tiles_expression(piece: Tiles, chosen: Sequence[int], layout: FeatureLayout, shown: Sequence[str]) -> Expression:
    """The expression of the kept alternatives of a piece of a sentence, with the components of `shown` features."""
    alternatives = piece.alternatives
    places = layout.columns(shown)  # WIDL features come first
    counts = [name in ORIGIN_FEATURES for name in shown]
    spans: dict[tuple[int, int], list[WrittenPhrase]] = {}
    for number in chosen:
        begin, end, words, logs = alternatives[number]
        signed = [-log if is_count else log for log, is_count in zip((logs[i] for i in places), counts, strict=True)]
        signed.append(-1.0 if piece.is_unknown(number) else 0.0)
        spans.setdefault((begin, end), []).append((words, signed))
    used = _used([logs for options in spans.values() for _, logs in options], sum(not is_count for is_count in counts))
    return tiles(len(piece), {span: _written(options, used) for span, options in spans.items()}, expmove=MOVEMENT_BASE)


def nested_tiles(flat: Expression) -> Expression:
    """The expression whose tiles are joined two by two, bottom-up (Soricut & Marcu 2006, section 5).

    A span is ∨ of its tiles and, for each split point, of ∥ of its two parts, which follow one another in either order,
    with the resulting movement inside the span. So it has the orders of a binary bracketing, some of them more than
    once. Raises InputError for more than `LONGEST_NESTED` source words.
    """
    if flat.length > LONGEST_NESTED:
        raise InputError(f"nested tiles are for up to {LONGEST_NESTED} source words, found {flat.length}")
    by_span = dict(zip(flat.spans, flat.arguments, strict=True))
    ones = [1.0] * max(1, flat.components)

    @cache
    def joined(begin: int, end: int) -> Expression | None:
        parts = [by_span[begin, end]] if (begin, end) in by_span else []
        for cut in range(begin + 1, end):
            left, right = joined(begin, cut), joined(cut, end)
            if left is not None and right is not None:
                spans = {(0, cut - begin): left, (cut - begin, end - begin): right}
                parts.append(tiles(end - begin, spans, expmove=MOVEMENT_BASE))
        return choice(*((part, ones) for part in parts), scores=True) if parts else None

    whole = joined(0, flat.length)
    assert whole is not None  # some sequence of spans covers all words, else there were no flat tiles
    return whole


def expression_weights(layout: FeatureLayout, shown: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """The weights for `Realizer`, computed from weights of all features of the core's layout."""
    components = [-weights[name] if name in ORIGIN_FEATURES else weights[name] for name in shown]
    names = weight_names(len(components) + 1)
    values = dict(zip(names, [*components, -weights[UNKNOWN]], strict=True))
    values |= {name: weights[name] for name in (*layout.language_models, "word_count", "phrase_count", DISTORTION)}
    return values | {UNKNOWN: 0.0}


def _used(rows: Sequence[Sequence[float]], least: int) -> int:
    """Number of components up to the last that is not 1 everywhere, and at least `least`."""
    return max((j + 1 for row in rows for j, log in enumerate(row) if log != 0 and j >= least), default=least)


def _written(options: Sequence[WrittenPhrase], components: int) -> Expression:
    forms = [(_phrase(words), [math.exp(min(log, 0.0)) for log in logs[:components]]) for words, logs in options]
    return choice(*forms, scores=True)


def _phrase(words: Sequence[str]) -> Expression:
    return word(words[0]) if len(words) == 1 else lock(*map(word, words)) if words else seq()
