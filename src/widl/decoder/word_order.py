"""Ordering the words of a bag: search, and the baselines of Soricut & Marcu (2005, §4)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import reject_text, texts_in, words_in
from widl.common.errors import InputError
from widl.decoder.language_model import ENDS_OF_SENTENCES, LanguageModel
from widl.decoder.realization_options import RealizationOptions
from widl.decoder.realization_results import RealizationResult
from widl.decoder.realizer import LanguageModels, models_of, realize
from widl.expressions.expressions import bag

_BEGIN, _END = "<s>", "</s>"


@checked
def order(
    lines: Iterable[str],
    language_models: LanguageModels,
    options: RealizationOptions | None = None,
    *,
    threads: int = 1,
    **more: Any,
) -> Iterator[RealizationResult]:
    """The words of each line (between blanks) in their most probable order under language models.

    Raises InputError for a line without words, and without a language model.

    >>> model = LanguageModel.estimate(["the cat sat"])
    >>> [result.text for result in order(["sat the cat"], model)]
    ['the cat sat']
    """
    models = models_of(language_models)
    if not models:
        raise InputError("language_models: none; words are put in order under a language model: [path]")
    bags = _bags(texts_in(lines, "lines", "a list of lines: [line]"))
    return realize(bags, models, options, threads=threads, **more)


def _bags(lines: Iterable[str]) -> Iterator[Expression]:
    for number, line in enumerate(lines, 1):
        if not line.split():
            raise InputError(f"line {number}: no words to put in order; remove empty lines")
        try:
            yield bag(without_ends(line.split()))
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None


def _words(words: Sequence[str]) -> list[str]:
    given = reject_text(words, "words", "a list of words: line.split()")
    return without_ends(words_in(list(given), "words"))


def without_ends(words: list[str]) -> list[str]:
    """The words; InputError if one of them is an end of a sentence."""
    if ends := ENDS_OF_SENTENCES.intersection(words):
        raise InputError(f"{min(ends)} is an end of the sentence, which the language model adds; remove it")
    return words


@checked
def inverse_lexicographic_order(words: Sequence[str]) -> list[str]:
    """Baseline L: the words from z to a, which brings "the" to the front.

    >>> inverse_lexicographic_order(["cat", "the", "sat"])
    ['the', 'sat', 'cat']
    """
    return sorted(_words(words), reverse=True)


@checked
def greedy_order(words: Sequence[str], model: LanguageModel) -> list[str]:
    """Baseline G: join the two sequences whose junction is most probable, until one is left.

    The junction's probability is the probability of the right sequence's first word after the left one's last words.
    ``<s>`` and ``</s>`` are also sequences, but stay at their ends, because the paper's input is ``<s> ·
    ∥(words) · </s>``; without them G restores fewer sentences (docs/results.md). Ties between junctions go to the
    first, in bag order.
    """
    words = _words(words)
    context = model.order - 1

    @cache
    def junction(left: tuple[str, ...], right: str) -> float:
        begins = left[0] == _BEGIN
        context_words = list(left[begins:])
        if right == _END:
            return model.score_words(context_words, begin=begins, end=True)[-1]
        return model.score_words([*context_words, right], begin=begins, end=False)[-1]

    sequences: list[tuple[str, ...]] = [(_BEGIN,), *((word,) for word in words), (_END,)]
    while len(sequences) > 1:
        pairs = [
            (left, right)
            for left, right in permutations(range(len(sequences)), 2)
            if sequences[left][-1] != _END
            and sequences[right][0] != _BEGIN
            and (len(sequences) == 2 or sequences[left][0] != _BEGIN or sequences[right][-1] != _END)
        ]
        left, right = max(pairs, key=lambda pair: junction(sequences[pair[0]][-context:], sequences[pair[1]][0]))
        sequences[left] += sequences[right]
        del sequences[right]
    return list(sequences[0][1:-1])
