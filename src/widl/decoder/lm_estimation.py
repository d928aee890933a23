"""Estimating n-gram language models from text."""

import gzip
import logging
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from widl._core import LanguageModel, NGramModel, TrainingText
from widl.errors import InputError
from widl.files import Source, open_source, replacing, source_name, temporary_beside

Stage = Literal["reading", "estimating", "writing", "converting"]
OutputKind = Literal["arpa", "arpa.gz", "binary"]

MAX_ORDER = 6
_ENDINGS: dict[str, OutputKind] = {
    ".arpa": "arpa",
    ".arpa.gz": "arpa.gz",
    ".binary": "binary",
    ".bin": "binary",
    ".klm": "binary",
}
_CHUNK = 1 << 20

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class EstimationReport:
    """What a language model was estimated from, and what came out."""

    words: int
    sentences: int
    vocabulary: int
    """Different words of the text; the model has ``<unk>``, ``<s>`` and ``</s>`` besides."""
    ngrams: tuple[int, ...]
    """Number of n-grams, from order 1."""
    discounts: tuple[tuple[float, float, float], ...]
    """D1, D2 and D3+, from order 1."""
    fallback_orders: tuple[int, ...]
    """Orders whose discounts the text was too small or too odd to estimate: they are 0.5, 1 and 1.5."""


def estimate_language_model(
    sources: Source | Iterable[Source],
    output: str | os.PathLike[str],
    *,
    order: int = 3,
    interpolate_unigrams: bool = True,
    discount_fallback: bool = True,
    on_progress: Callable[[Stage, int], None] | None = None,
) -> EstimationReport:
    """Estimate an interpolated modified Kneser-Ney model and write it (Chen & Goodman 1998).

    Counts, discounts, ``<unk>`` and ``<s>`` are treated as KenLM's lmplz does (Heafield et al. 2013,
    "Scalable modified Kneser-Ney language model estimation"), and the n-grams and their numbers are
    the same, but for three things: a last line without line end is a sentence like any other; a
    probability of zero, possible without `interpolate_unigrams`, is written as -99 instead of -inf;
    and when an order's discounts can't be estimated, it gets lmplz's fallback discounts and a warning
    is logged, whereas lmplz stops unless told otherwise.

    `sources` hold one sentence a line, words separated by blanks. The name of `output` says what it
    becomes: ``.arpa``, ``.arpa.gz``, or a KenLM binary with rest costs for ``.binary``, ``.bin`` and
    ``.klm``. It appears when it is complete, and not at all after an error.

    Without `interpolate_unigrams`, ``<unk>`` gets all of the mass that discounting frees among
    unigrams, as in SRILM. Without `discount_fallback`, unusable discounts are an InputError.
    `on_progress` is told the stage and how many bytes of text were read or written in it so far.
    """
    kind = _output_kind(output)
    _check_order(order)
    if order == 1 and kind == "binary":
        raise InputError(f"{output}: KenLM binaries have order 2 at least; write order 1 as .arpa")
    report_progress = on_progress or (lambda _stage, _size: None)
    with replacing(output) as temporary:
        text = read_training_text(sources, lambda size: report_progress("reading", size))
        report_progress("estimating", 0)
        model = NGramModel.estimate(text, order=order, interpolate_unigrams=interpolate_unigrams)
        report = _report(model)
        _judge_fallback(report, discount_fallback)
        if kind == "binary":
            with temporary_beside(Path(output)) as arpa:
                _write_arpa(model, arpa, "arpa", report_progress)
                del model  # the conversion needs the memory
                report_progress("converting", 0)
                LanguageModel.convert(str(arpa), str(temporary), kind="rest")
        else:
            _write_arpa(model, temporary, kind, report_progress)
    return report


def language_model_from_lines(lines: Iterable[str], *, order: int = 3) -> LanguageModel:
    """Estimate a model of a few sentences, in memory and within milliseconds.

    Fallback discounts are what to expect with so little text, and cause no warning.

    >>> language_model_from_lines(["a rose is a rose"], order=2).order
    2
    """
    _check_order(order)
    if order == 1:
        raise InputError("language models to load have order 2 at least")
    text = TrainingText()
    text.add("".join(f"{line}\n" for line in lines).encode())
    model = NGramModel.estimate(text, order=order)
    with tempfile.NamedTemporaryFile(suffix=".arpa") as arpa:
        model.write_arpa(arpa.write)
        arpa.flush()
        return LanguageModel.load(arpa.name)


def read_training_text(
    sources: Source | Iterable[Source], on_bytes: Callable[[int], None] | None = None
) -> TrainingText:
    """Read sentences, one a line; InputErrors name file and line."""
    text = TrainingText()
    size = 0
    for source in _as_sequence(sources):
        text.begin_source(source_name(source))
        with open_source(source) as stream:
            while chunk := stream.read(_CHUNK):
                text.add(chunk)
                size += len(chunk)
                if on_bytes:
                    on_bytes(size)
    return text


def _as_sequence(sources: Source | Iterable[Source]) -> Sequence[Source]:
    if isinstance(sources, (str, os.PathLike)) or hasattr(sources, "read"):
        return [sources]  # type: ignore[list-item]  # a stream iterates over its lines
    return list(sources)


def _output_kind(output: str | os.PathLike[str]) -> OutputKind:
    name = Path(output).name
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            return kind
    raise InputError(f"{output}: the name of a language model ends in {', '.join(_ENDINGS)}")


def _check_order(order: int) -> None:
    if not 1 <= order <= MAX_ORDER:
        raise InputError(f"order {order} of a language model; 1 to {MAX_ORDER} are possible")


def _report(model: NGramModel) -> EstimationReport:
    return EstimationReport(
        words=model.words,
        sentences=model.sentences,
        vocabulary=model.ngram_counts[0] - 3,
        ngrams=tuple(model.ngram_counts),
        discounts=tuple(model.discounts),
        fallback_orders=tuple(model.fallback_orders),
    )


def _judge_fallback(report: EstimationReport, allowed: bool) -> None:
    if not report.fallback_orders:
        return
    orders = ", ".join(map(str, report.fallback_orders))
    problem = f"the text is too small or too odd to estimate the discounts of order {orders}"
    if not allowed:
        raise InputError(f"{problem}; allow fallback discounts, or use a lower order or more text")
    logger.warning("%s; using 0.5, 1 and 1.5 there", problem)


def _write_arpa(
    model: NGramModel, path: Path, kind: OutputKind, on_progress: Callable[[Stage, int], None]
) -> None:
    size = 0
    with path.open("wb") as raw:
        # Neither name nor time in the archive: equal models are equal files.
        stream = gzip.GzipFile("", "wb", 6, raw, mtime=0) if kind == "arpa.gz" else raw

        def write(piece: bytes) -> None:
            nonlocal size
            stream.write(piece)
            size += len(piece)
            on_progress("writing", size)

        model.write_arpa(write)
        if stream is not raw:
            stream.close()
