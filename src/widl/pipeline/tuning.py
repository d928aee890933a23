"""Tuning a model directory's weights: its translator as the decoder of `widl.mert`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from widl.mert import Candidate, Decoder
from widl.pipeline.translation import TranslationOptions, Translator
from widl.workers import Progress, no_progress

_FIXED = ("unknown",)


def tunable(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights to tune: all but that of words passed through, of which a tuning set says nothing.

    Words pass through only where nothing else is known, and what that costs must outweigh all else.
    """
    return {name: weight for name, weight in weights.items() if name not in _FIXED}


def translation_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    threads: int = 1,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told `tunable` weights and n, it gives the n best distinct strings of every line.

    The other weights stay as they are.
    """

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        own = replace(options, nbest=n, distinct=True)
        order = [translator.features.index(name) for name in weights]
        reweighted = translator.reweighted(translator.weights | weights)
        for done, found in enumerate(reweighted.translate(lines, own, threads=threads), start=1):
            progress("decode", done, len(lines))
            yield [
                Candidate(text, [one.features[i] for i in order])
                for one, text in zip(found.nbest, found.texts, strict=True)
            ]

    return decode
