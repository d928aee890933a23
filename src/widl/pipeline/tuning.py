"""Tuning a model directory's weights: its translator as the decoder of `widl.mert`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from widl.mert import Candidate, Decoder
from widl.pipeline.translation import TranslationOptions, Translator
from widl.workers import Progress, no_progress

FIXED = frozenset({"unknown"})
"""What no tuning set says anything about: words pass through only where nothing else is known."""


def translation_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    threads: int = 1,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told weights and n, it gives the n best distinct strings of every line."""

    def decode(weights: Mapping[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        own = replace(options, nbest=n, distinct=True)
        order = [translator.features.index(name) for name in weights]
        for done, found in enumerate(translator.reweighted(weights).translate(lines, own, threads=threads), start=1):
            progress("decode", done, len(lines))
            yield [
                Candidate(text, [one.features[i] for i in order])
                for one, text in zip(found.nbest, found.texts, strict=True)
            ]

    return decode
