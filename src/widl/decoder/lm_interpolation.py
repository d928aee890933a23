"""Interpolation of n-gram language models, written as one back-off model."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from widl.common.arguments import PathLike, paths_of
from widl.common.errors import InputError
from widl.common.files import Source, read_lines, replacing, source_name
from widl.common.option_values import RealNumbers
from widl.common.options import option, option_set
from widl.decoder.arpa import (
    BEGIN,
    END,
    UNKNOWN,
    BackoffModel,
    Numbers,
    Rows,
    new_vocabulary,
    read_arpa,
    write_arpa,
)
from widl.decoder.language_model import words_to_score
from widl.decoder.lm_output import arpa_writer, output_kind

_STEP = 1e-6  # change of weights at which EM ends
_MAX_ROUNDS = 2000
_NORMALISED = 1e-3
_NOTHING = 1e-12  # of a probability mass

Weights: TypeAlias = tuple[float, ...]


@option_set
class InterpolationOptions:
    """With which weights; see `interpolate_language_models`."""

    weights: Annotated[
        RealNumbers, option("The models' weights, which sum to 1, instead of weights learnt from a text.")
    ] = ()


@dataclass(frozen=True)
class HeldOutReport:
    """What was learnt of held-out text; all perplexities are of its known words and of ``</s>``."""

    words: int
    """Known words and sentence ends."""
    unknown: int
    """Words that no model knows, which are left out."""
    rounds: int
    """Of expectation maximisation."""
    perplexity_before: float
    """Of the mixture with equal weights."""
    perplexity_after: float
    """Of the mixture with the weights found."""
    perplexity_written: float
    """Of the back-off model that was written."""


@dataclass(frozen=True)
class InterpolationReport:
    """The weights, and what was written."""

    weights: Weights
    ngrams: tuple[int, ...]
    """Number of n-grams of the model, from order 1."""
    held_out: HeldOutReport | None = None


def interpolate_language_models(
    models: Sequence[PathLike],
    output: PathLike,
    *,
    tune: Source | None = None,
    weights: Sequence[float] = InterpolationOptions.weights,
) -> InterpolationReport:
    """Write the linear interpolation of ARPA files as one back-off model, as SRILM's ``ngram -mix-lm`` does.

    The mixture is p(w|h) = Σ_i λ_i p_i(w|h). The model written has the n-grams of all models, each with exactly the
    mixture's probability, and back-off weights with which every context sums to 1. What it backs off for is an
    approximation: b(h) p(w|h′) stands for the mixture of what the models would back off to.

    To a model, a word that it does not have is ``<unk>`` in a context, and has probability 0 as the next word, so
    that the mixture sums to 1 over all models' words; ``<unk>`` itself has Σ_i λ_i p_i(<unk>|h). A model of weight 0
    adds nothing, not even words.

    Args:
        models: ARPA files, ``.gz`` or not, of any orders from 1 to 6.
        output: the model to write, of the format that its name says, as for `estimate_language_model`.
        tune: held-out text, one sentence a line; the weights are those that expectation maximisation finds to make
            it most probable, beginning with equal ones.
        weights: or these, one a model; they must not be negative, and sum to 1.
    """
    paths = paths_of(models, "models", "a list of ARPA files: [path]")
    if not paths:
        raise InputError("no language models to interpolate")
    if (tune is None) == (not weights):
        raise InputError("give either a text to learn the weights from (tune) or the weights")
    output_kind(output)
    chosen = checked_weights(weights, len(paths)) if weights else ()
    vocabulary = new_vocabulary()
    with replacing(output) as temporary:
        read = [read_arpa(path, vocabulary) for path in paths]
        text, rounds = None, 0
        if tune is not None:
            text = _HeldOut.of(tune, read, vocabulary)
            chosen, rounds = learnt_weights(text.scores)
        mixed = interpolated([model for model, weight in zip(read, chosen, strict=True) if weight],
                             [weight for weight in chosen if weight])
        output_kind(output, mixed.index.order)
        held_out = text.report(chosen, rounds, mixed) if text is not None else None
        with arpa_writer(output, temporary) as write:
            write_arpa(mixed, vocabulary, write)
    return InterpolationReport(chosen, tuple(map(len, mixed.index.rows)), held_out)


def checked_weights(weights: Sequence[float], count: int) -> Weights:
    """Weights of so many models, scaled to sum to exactly 1; InputError if they are no such thing."""
    if len(weights) != count:
        raise InputError(f"{len(weights)} weights for {count} models")
    if not all(0 <= weight <= 1 for weight in weights):
        raise InputError(f"the weights {_shown(weights)} are not all from 0 to 1")
    total = math.fsum(weights)
    if abs(total - 1) > _NORMALISED:
        raise InputError(f"the weights {_shown(weights)} sum to {total:g}, not to 1")
    return tuple(weight / total for weight in weights)


def _shown(weights: Sequence[float]) -> str:
    return ", ".join(f"{weight:g}" for weight in weights)


# --- weights ---


def learnt_weights(scores: Numbers) -> tuple[Weights, int]:
    """Weights that make a text most probable, by expectation maximisation from equal ones; and the rounds it took.

    `scores`: p_i of each word of the text, shape (words, models). A round sets λ_i to the mean over words of
    λ_i p_i / Σ_j λ_j p_j, which never lowers the text's probability.

    >>> weights, rounds = learnt_weights(np.array([[0.5, 0.1], [0.5, 0.1], [0.1, 0.4]]))
    >>> [f"{weight:.4f}" for weight in weights]
    ['0.8056', '0.1944']
    """
    weights = np.full(scores.shape[1], 1 / scores.shape[1])
    rounds, change = 0, 1.0
    while change >= _STEP and rounds < _MAX_ROUNDS:
        shares = scores * weights
        found = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
        change = float(np.abs(found - weights).max())
        weights = found / found.sum()
        rounds += 1
    return tuple(weights.tolist()), rounds


@dataclass
class _HeldOut:
    """The words of a text in their contexts, without those that no model knows."""

    rows: Rows
    scores: Numbers
    """Of each word under each model, shape (words, models)."""
    unknown: int

    @classmethod
    def of(cls, source: Source, models: Sequence[BackoffModel], vocabulary: dict[bytes, int]) -> "_HeldOut":
        order = max(model.index.order for model in models)
        sentences = [_numbered(words, vocabulary) for words in _sentences(source)]
        events = [row for words in sentences for row in _windows(words, order)]
        if not events:
            raise InputError(f"{source_name(source)}: no lines; text was expected to learn the weights from")
        rows = np.array(events, np.int32)
        known = rows[:, -1] != UNKNOWN
        scores = np.stack([model.score(rows[known]) for model in models], axis=1)
        possible = scores.any(axis=1)  # a word may have probability 0 in an ARPA file
        if not possible.any():
            raise InputError(f"{source_name(source)}: the models know none of its words")
        return cls(rows[known][possible], scores[possible], len(rows) - int(possible.sum()))

    def report(self, weights: Weights, rounds: int, mixed: BackoffModel) -> HeldOutReport:
        equal = np.full(len(weights), 1 / len(weights))
        return HeldOutReport(
            words=len(self.rows),
            unknown=self.unknown,
            rounds=rounds,
            perplexity_before=_perplexity(self.scores @ equal),
            perplexity_after=_perplexity(self.scores @ np.array(weights)),
            perplexity_written=_perplexity(mixed.score(self.rows)),
        )


def _sentences(source: Source) -> Iterator[list[str]]:
    name = source_name(source)
    for number, line in enumerate(read_lines(source), 1):
        yield words_to_score(line, f"{name}:{number}")


def _numbered(words: Sequence[str], vocabulary: dict[bytes, int]) -> list[int]:
    return [BEGIN, *(vocabulary.get(word.encode(), UNKNOWN) for word in words), END]


def _windows(words: Sequence[int], order: int) -> Iterator[Sequence[int]]:
    """Each word with the order - 1 words before it, -1 where there are none."""
    padded = [-1] * (order - 1) + [*words]
    return (padded[i : i + order] for i in range(1, len(words)))


def _perplexity(probabilities: Numbers) -> float:
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.exp(-np.log(probabilities).mean()))


# --- the model ---


def interpolated(models: Sequence[BackoffModel], weights: Sequence[float]) -> BackoffModel:
    """The back-off model of the models' n-grams, with the mixture's probabilities; every context sums to 1."""
    mixed = BackoffModel()
    for n in range(1, max(model.index.order for model in models) + 1):
        parts = [model.index.rows[n - 1] for model in models if model.index.order >= n]
        mixed.index.add_order(np.concatenate(parts))
        rows = mixed.index.rows[-1]
        scores = sum(weight * model.score(rows) for model, weight in zip(models, weights, strict=True))
        mixed.probabilities.append(np.asarray(scores))
        if n > 1:
            mixed.backoffs[n - 2] = _backoff_weights(mixed, n - 1)
        mixed.backoffs.append(np.ones(len(rows)))
    return mixed


def _backoff_weights(mixed: BackoffModel, n: int) -> Numbers:
    """b(h) = (1 - Σ p(w|h)) / (1 - Σ p(w|h′)) for the n-grams h, sums over the words w listed after h."""
    contexts: NDArray[np.int64] = mixed.index.prefixes(n + 1)
    count = len(mixed.index.rows[n - 1])
    listed = np.bincount(contexts, mixed.probabilities[n], count)
    lower = np.bincount(contexts, mixed.score(mixed.index.rows[n][:, 1:]), count)
    left, free = 1 - listed, 1 - lower
    if len(left) and left.min() < -_NORMALISED:
        raise InputError(f"probabilities of {n + 1}-grams with the same first words sum to {1 - left.min():.6g}; "
                         "only models whose contexts sum to 1 can be interpolated")
    extended = np.bincount(contexts, minlength=count) > 0
    usable = extended & (free > _NOTHING)
    return np.where(usable, np.maximum(left, 0) / np.where(usable, free, 1), 1.0)
