"""Search errors of a translation system, against exact search of the same derivations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from widl.common.options import adjust
from widl.common.workers import Engine
from widl.decoder import Certificate, Outcome, Realizer
from widl.translation.options import TranslationOptions
from widl.translation.tiles_expression import LONGEST_NESTED, nested_tiles
from widl.translation.translator import Translator

EXACT_LIMIT = 4
"""Distortion limit at which exact search proves practically every line."""
TABLE_TOLERANCE = 1e-4
"""Tolerance for model scores: phrase-table scores are 32-bit floats."""


def is_error(score: float, best: float, tolerance: float) -> bool:
    """Whether a score is below the best known one by more than a share of that, of 1 at least."""
    return score < best - tolerance * max(1.0, abs(best))


@dataclass(frozen=True)
class SearchErrors:
    """The share of lines whose best derivation a search missed, among lines with a proved optimum."""

    errors: int
    proved: int
    lines: int

    @property
    def percent(self) -> float:
        """Percentage of the proved lines; 0 without any."""
        return 100 * self.errors / self.proved if self.proved else 0.0

    def __str__(self) -> str:
        return f"{self.percent:.1f} % of {self.proved} of {self.lines} lines"


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


def search_errors(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    weights: Mapping[str, float],
    *,
    engine: Engine | None = None,
) -> SearchErrors:
    """Search error rate of `options` under some weights, with the distortion limit `EXACT_LIMIT` or the options' limit.

    Both searches have the same tiles, features, weights and limit.
    """
    limit = EXACT_LIMIT if options.distortion_limit is None else min(EXACT_LIMIT, options.distortion_limit)
    searched = adjust(options, distortion_limit=limit, nbest=1)
    exact = adjust(searched, decoder="widl", search="astar")
    reweighted = translator.reweighted(translator.weights | dict(weights))
    errors = proved = 0
    pairs = zip(
        reweighted.translate(lines, searched, engine=engine),
        reweighted.translate(lines, exact, engine=engine),
        strict=True,
    )
    for result, best in pairs:
        if best.optimal:
            proved += 1
            errors += result.outcome is not Outcome.found or not Certificate(result.score, best.score).optimal
    return SearchErrors(errors, proved, len(lines))
