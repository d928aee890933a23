"""Linear interpolation of phrase tables, with the weights of least perplexity on a development set (Sennrich 2012)."""

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from widl._core import write_options
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.workers import Progress, no_progress
from widl.decoder.features import TRANSLATION_FEATURES
from widl.phrase_table.entries import Item, PhraseOption, TableInfo, split_words
from widl.phrase_table.storage import PhraseTable
from widl.phrase_table.writing import new_table

FloatArray = NDArray[np.float64]

LEAST_WEIGHT = 1e-6
"""Of a table, so that no phrase pair that any table has gets probability 0."""

_BATCH = 10_000
_ROUNDS = 1000


@dataclass(frozen=True)
class Mixture:
    """Weights of tables, shape (features, tables), in the order of `TRANSLATION_FEATURES`; each row sums to 1.

    pairs, known: phrase pairs of the development set, and those of them that a table has. perplexities: by feature.
    """

    weights: FloatArray
    pairs: int = 0
    known: int = 0
    perplexities: tuple[float, ...] = ()

    @classmethod
    def of(cls, weights: Sequence[float]) -> "Mixture":
        """The same weights for all features; InputError unless they are positive and sum to 1."""
        if not weights or min(weights) <= 0 or not math.isclose(sum(weights), 1, abs_tol=1e-6):
            raise InputError(f"weights of tables are above 0 and sum to 1, but not {', '.join(map(str, weights))}")
        return cls(np.tile(np.array(weights, dtype=np.float64), (len(TRANSLATION_FEATURES), 1)))

    def summary(self) -> str:
        """The weights in lines of text."""
        lines = [
            f"{name}: {' '.join(f'{weight:.4f}' for weight in row)}"
            for name, row in zip(TRANSLATION_FEATURES, self.weights, strict=True)
        ]
        if self.perplexities:
            lines = [f"{line}  perplexity {p:.3f}" for line, p in zip(lines, self.perplexities, strict=True)]
            lines.append(f"of {self.pairs:,} phrase pairs of the development set {self.known:,} are in a table")
        return "\n".join(lines)


def mixture_of_least_perplexity(tables: Sequence[PhraseTable], development: PhraseTable) -> Mixture:
    """The weights λ, by feature, that minimise the cross-entropy of the development set's phrase pairs,

        H(λ) = -Σ p̃(f, e) ln Σ_i λ_i p_i,

    p̃ being their relative frequency and p_i table i's score, 0 for a pair that it lacks (Sennrich 2012, Eq. 3 and 6).
    Pairs that no table has are left out. H is convex; expectation maximisation goes to its minimum.
    """
    _check(tables)
    counts: list[float] = []
    scores: list[list[list[float]]] = []
    pairs = 0
    for phrase, options in development.iterate():
        words = split_words(phrase)
        found = [{option.words: option for option in table.options(words)} for table in tables]
        pairs += len(options)
        for option in options:
            of_pair = [table.get(option.words) for table in found]
            if any(one is not None for one in of_pair):
                counts.append(option.counts[2])
                scores.append([_probabilities(one) for one in of_pair])
    if not counts:
        raise InputError("no phrase pair of the development set is in any of the tables; are its words theirs?")
    shares = np.array(counts) / sum(counts)
    by_feature = np.array(scores).transpose(2, 0, 1)  # features, pairs, tables
    rows = [_least_perplexity(shares, matrix) for matrix in by_feature]
    perplexities = tuple(
        float(np.exp(-shares @ np.log(matrix @ row))) for matrix, row in zip(by_feature, rows, strict=True)
    )
    return Mixture(np.array(rows), pairs, len(counts), perplexities)


def _least_perplexity(shares: FloatArray, scores: FloatArray) -> FloatArray:
    """Weights of the tables for one feature; scores have the shape (pairs, tables)."""
    tables = scores.shape[1]
    weights = np.full(tables, 1 / tables)
    for _ in range(_ROUNDS):
        posteriors = scores * weights
        posteriors /= posteriors.sum(axis=1, keepdims=True)
        before, weights = weights, shares @ posteriors
        if np.abs(weights - before).max() < 1e-9:
            break
    weights = np.maximum(weights, LEAST_WEIGHT)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def interpolate_tables(
    tables: Sequence[PhraseTable], output: PathLike, mixture: Mixture, *, progress: Progress = no_progress
) -> TableInfo:
    """Write the table of all phrase pairs, whose scores are Σ_i λ_i p_i, 0 for a table that lacks the pair.

    Counts add up; links are those of the table with the largest part of p(e|f).
    """
    _check(tables)
    if mixture.weights.shape[1] != len(tables):
        raise InputError(f"{mixture.weights.shape[1]} weights for {len(tables)} tables")
    numbers: dict[str, int] = {}
    total = sum(table.info.source_phrases for table in tables)
    pairs = 0
    with new_table(output) as writer:
        items: list[Item] = []
        for phrase, of_tables in _merged(tables):
            options = _mixed(of_tables, mixture.weights)
            encoded = [
                ([numbers.setdefault(word, len(numbers)) for word in words], scores, counts, links)
                for words, scores, counts, links in options
            ]
            items.append((phrase.encode(), write_options(encoded)))
            pairs += len(options)
            if len(items) >= _BATCH:
                writer.add(items)
                items = []
                progress("interpolate", writer.source_phrases, total)
        writer.add(items)
        progress("interpolate", total, total)
        info = TableInfo(
            sentences=None,
            source_phrases=writer.source_phrases,
            phrase_pairs=pairs,
            occurrences=None,
            target_words=len(numbers),
            max_length=max(table.info.max_length for table in tables),
            symmetrization="",
            moses_fields=5 if all(table.info.has_counts for table in tables) else 4,
            history=(f"interpolate: {len(tables)} tables",),
        )
        writer.finish(info, list(numbers))
    return info


def _check(tables: Sequence[PhraseTable]) -> None:
    if len(tables) < 2:
        raise InputError("interpolation takes two tables or more")
    for table in tables:
        if table.info.scores != TRANSLATION_FEATURES:
            raise InputError(f"only tables of {', '.join(TRANSLATION_FEATURES)} are interpolated; {table!r} has others")


def _probabilities(option: PhraseOption | None) -> list[float]:
    return [0.0] * len(TRANSLATION_FEATURES) if option is None else [math.exp(score) for score in option.log_scores]


def _merged(tables: Sequence[PhraseTable]) -> Iterator[tuple[str, list[tuple[int, list[PhraseOption]]]]]:
    """Source phrases in the order of the tables, each with the options of the tables that have it."""

    def phrases(number: int, table: PhraseTable) -> Iterator[tuple[list[str], int]]:
        # Strings are in the order of their bytes.
        return ((phrase.split(" "), number) for phrase in table.phrases())

    streams = [phrases(number, table) for number, table in enumerate(tables)]
    for words, found in groupby(heapq.merge(*streams), key=itemgetter(0)):
        phrase = " ".join(words)
        yield phrase, [(number, tables[number].options_of(phrase)) for _, number in found]


_Mixed = tuple[tuple[str, ...], list[float], list[int], list[tuple[int, int]]]


def _mixed(of_tables: list[tuple[int, list[PhraseOption]]], weights: FloatArray) -> list[_Mixed]:
    """The options of a source phrase in the order of a table."""
    scores: dict[tuple[str, ...], FloatArray] = {}
    counts: dict[tuple[str, ...], list[int]] = {}
    links: dict[tuple[str, ...], tuple[float, list[tuple[int, int]]]] = {}
    for number, options in of_tables:
        for option in options:
            part = weights[:, number] * np.array(_probabilities(option))
            words = option.words
            scores[words] = scores.get(words, 0.0) + part
            counts[words] = [a + b for a, b in zip(counts.get(words, [0, 0, 0]), option.counts, strict=True)]
            links[words] = max(links.get(words, (-1.0, [])), (part[1], list(option.alignment)), key=itemgetter(0))
    mixed = [
        (words, [min(float(p), 1.0) for p in row], counts[words], links[words][1]) for words, row in scores.items()
    ]
    return sorted(mixed, key=_rank)


def _rank(option: _Mixed) -> tuple[float, float, bytes]:
    words, (p_fe, p_ef, *_), _, _ = option
    return -float(np.float32(p_ef)), -float(np.float32(p_fe)), f"{' '.join(words)} |||".encode()
