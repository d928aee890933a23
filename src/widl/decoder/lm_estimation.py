"""Estimating n-gram language models from text.

Counts, discounts, ``<unk>``, ``<s>`` and pruning are treated as KenLM's lmplz does (Heafield et al. 2013, "Scalable
modified Kneser-Ney language model estimation"). The n-grams, their order and their numbers are the same, with these
exceptions:

- A last line without line end is also a sentence.
- If an order's discounts can't be estimated, it gets lmplz's fallback discounts, 0.5, 1 and 1.5 for adjusted counts
  1, 2, and 3 or more, and a warning is logged; lmplz stops by default.
"""

import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from widl._core import EstimationOptions, NGramModel, TrainingText
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, reject_text
from widl.common.files import (
    Source,
    check_source,
    open_source,
    read_blocks,
    replacing,
    source_name,
)
from widl.common.option_values import NOT_ON_COMMAND_LINE, Size, WholeNumbers
from widl.common.options import option_set
from widl.common.workers import Progress, no_progress
from widl.decoder.language_model import DEFAULT_ORDER, MAX_ORDER
from widl.decoder.lm_output import arpa_writer, output_kind

MIN_MEMORY = 16 << 20
DEFAULT_MEMORY = 2 << 30
"""The memory limit of an estimation, in bytes."""
_CHUNK = 1 << 20

logger = logging.getLogger(__name__)


@option_set
class LanguageModelOptions:
    """Options of `estimate_language_model`."""

    order: Annotated[int, Field(ge=1, le=MAX_ORDER)] = DEFAULT_ORDER
    "Order of the model, 1 to 6."
    prune: WholeNumbers = ()
    "Drop n-grams that occur at most N times: one N per order, the last for higher orders."
    memory: Annotated[Size, Field(ge=MIN_MEMORY)] = DEFAULT_MEMORY
    "Memory limit, like 500M, 4G or 50%; the rest goes to temporary files."
    temporary_directory: Annotated[Path | None, NOT_ON_COMMAND_LINE] = None
    "Directory of temporary files; default: the output's directory."


@dataclass(frozen=True)
class EstimationReport:
    """Sizes of the text that a language model was estimated from, and of the model."""

    words: int
    sentences: int
    vocabulary: int
    """Words of the model, not counting ``<unk>``, ``<s>`` and ``</s>``."""
    ngrams: tuple[int, ...]
    """Number of n-grams of the model, from order 1."""
    discounts: tuple[tuple[float, float, float], ...]
    """D1, D2 and D3+, from order 1."""
    fallback_orders: tuple[int, ...]
    """Orders with fallback discounts, because the text is too small or too irregular."""


@checked
def estimate_language_model(
    sources: Source | Iterable[Source],
    output: PathLike,
    *,
    order: int = LanguageModelOptions.order,
    prune: Sequence[int] = LanguageModelOptions.prune,
    memory: int = LanguageModelOptions.memory,
    temporary_directory: PathLike | None = None,
    progress: Progress = no_progress,
) -> EstimationReport:
    """Estimate an interpolated modified Kneser-Ney model as lmplz does, and write it (Chen & Goodman 1998).

    The name of `output` says its format: ``.arpa``, ``.arpa.gz``, or a KenLM binary with rest costs for ``.binary``,
    ``.bin`` and ``.klm``. The file appears when it is complete, and not at all after an error.

    Args:
        sources: files, compressed or not, or open binary streams; one sentence per line, words separated by spaces.
        output: the model to write.
        order: of the longest n-grams, 1 to 6.
        prune: largest count of the n-grams to drop, for each order from 1; the last threshold holds for all higher
            orders. Thresholds must not decrease.
        memory: bytes for counts, vocabulary and sorting; a larger text goes through temporary files, with the same
            result. The conversion to a binary is not counted.
        temporary_directory: for these files; by default the output's directory.
        progress: called with each stage and the number of megabytes of text read or written.
    """
    LanguageModelOptions(order=order, prune=tuple(prune), memory=memory)  # checks them
    options = EstimationOptions(order=order, prune=list(prune))
    kind = output_kind(output)
    with replacing(output) as temporary:  # each stage frees the previous stage's memory
        directory = temporary_directory or temporary.parent
        text = TrainingText(order=order, memory=memory, directory=directory)
        _fill(text, sources, progress)
        progress("estimating", 0, 0)
        model = NGramModel.estimate(text, options)
        del text
        report = _report(model)
        _tell_fallback(report)
        size = 0
        with arpa_writer(output, temporary) as write_bytes:

            def write(piece: bytes) -> None:
                nonlocal size
                write_bytes(piece)
                size += len(piece)
                progress("writing MB", size // 1_000_000, 0)

            model.write_arpa(write)
            del model  # the conversion to a binary needs the memory
            if kind == "binary":
                progress("converting", 0, 0)
    return report


def _fill(text: TrainingText, sources: Source | Iterable[Source], progress: Progress) -> None:
    """Add the sentences of the sources, one per line; InputErrors name the file and line."""
    size = 0
    for source in _as_sequence(sources):
        text.begin_source(source_name(source))
        with open_source(source) as stream:
            for chunk in read_blocks(stream, _CHUNK):
                text.add(chunk)
                size += len(chunk)
                progress("reading MB", size // 1_000_000, 0)


def _as_sequence(sources: Source | Iterable[Source]) -> Sequence[Source]:
    if isinstance(sources, (str, os.PathLike)) or hasattr(sources, "read"):
        return [sources]  # type: ignore[list-item]  # a stream iterates over its lines
    listed = list(reject_text(sources, "sources", "a file, a stream, or a list of them"))
    for source in listed:
        check_source(source)
    return listed


def _report(model: NGramModel) -> EstimationReport:
    return EstimationReport(
        words=model.words,
        sentences=model.sentences,
        vocabulary=model.ngram_counts[0] - 3,
        ngrams=tuple(model.ngram_counts),
        discounts=tuple(model.discounts),
        fallback_orders=tuple(model.fallback_orders),
    )


def _tell_fallback(report: EstimationReport) -> None:
    if report.fallback_orders:
        orders = ", ".join(map(str, report.fallback_orders))
        logger.warning(
            "the text is too small or too irregular to estimate the discounts of order %s; using 0.5, 1 and 1.5 there",
            orders,
        )
