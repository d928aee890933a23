"""Tiles joined two by two, as Soricut & Marcu (2006, section 5) join them, beside the flat interleave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from widl.common.errors import InputError
from widl.decoder import Realizer
from widl.expressions import Expression, choice, tiles
from widl.translation.options import TranslationOptions
from widl.translation.translator import Translator
from widl.translation.written_tiles import MOVEMENT_BASE

LONGEST_NESTED = 8
"""Source words whose tiles are joined two by two: the expression grows like 3 to the power of their number."""


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


@dataclass(frozen=True)
class NestedTiles:
    """Short lines whose tiles are joined two by two, beside search of the flat interleave (2006, §5)."""

    lines: int
    equal: int
    """Lines with the same best string."""
    loss: float
    """Average gap to the best flat derivation, in nats; movement inside a nested tile may cost less."""


def nested_against_flat(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    weights: Mapping[str, float],
    *,
    threads: int = 1,
) -> NestedTiles:
    """Exact search of both expressions of the lines of at most `LONGEST_NESTED` source words, in any order of tiles."""
    reweighted = translator.reweighted(translator.weights | dict(weights))
    realizer = Realizer(reweighted.language_models, reweighted.expression_weights)
    short = [line for line in lines if 0 < len(reweighted.tokens(line, options)) <= LONGEST_NESTED]
    flat = [reweighted.expressions(line, options)[0] for line in short]
    nested = realizer.realize(map(nested_tiles, flat), threads=threads)
    pairs = list(zip(realizer.realize(flat, threads=threads), nested, strict=True))
    losses = [result.score - other.score for result, other in pairs]
    equal = sum(result.text == other.text for result, other in pairs)
    return NestedTiles(len(short), equal, sum(losses) / max(1, len(losses)))
