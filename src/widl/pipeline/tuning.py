"""Tuning a model directory's weights: its translator, or its headliner, as the decoder of `widl.mert`."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from widl import mert
from widl.arguments import PathLike, not_text, path_of
from widl.errors import InputError
from widl.hashing import digest
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, reference_streams
from widl.headline.parsing import ParsedDocument
from widl.jobs import Inputs
from widl.mert import (
    LATTICE_ALGORITHM,
    Candidate,
    Decoder,
    Iteration,
    Lattice,
    LatticeDecoder,
    Objective,
    OptimizerOptions,
    TuningOptions,
    TuningResult,
)
from widl.translation import TranslationOptions, Translator
from widl.workers import Engine, LocalEngine, Progress, no_progress

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
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told `tunable` weights and n, it gives the n best distinct strings of every line.

    The other weights stay as they are. Decoding is on `threads` threads, or wherever `engine` works.
    """
    engine = engine or LocalEngine(threads)

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        work = partial(
            _nbest_lists,
            translator.reweighted(translator.weights | weights),
            replace(options, nbest=n, distinct=True),
            tuple(weights),
        )
        for done, (texts, features) in enumerate(engine.map(work, lines), start=1):
            progress("decode", done, len(lines))
            yield list(map(Candidate, texts, features.tolist()))

    return decode


def lattice_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> LatticeDecoder:
    """The same for ``lattice-mert``: told `tunable` weights, the derivations explored of every line.

    Without those that pass more words through than they must: tuning would not know what keeps them from being chosen.
    """
    engine = engine or LocalEngine(threads)
    least = -translator.weights.get("unknown", 0.0) / 2  # other differences are far smaller
    beam = min(options.lattice_beam, least) if least > 0 else options.lattice_beam

    def decode(weights: dict[str, float]) -> Iterator[Lattice]:
        own = replace(options, nbest=1, lattice=True, lattice_beam=beam)
        work = partial(_lattices, translator.reweighted(translator.weights | weights), own, tuple(weights))
        for done, lattice in enumerate(engine.map(work, lines), start=1):
            progress("decode", done, len(lines))
            yield lattice

    return LatticeDecoder(decode, translator.text)


def _nbest_lists(
    translator: Translator, options: TranslationOptions, names: Sequence[str], lines: Iterable[str], threads: int
) -> Iterator[tuple[tuple[str, ...], npt.NDArray[np.float64]]]:
    """Texts and named features, shape (candidates, names), of each line: far less to send than translations are."""
    columns = translator.layout.columns(names)
    for found in translator.translate(lines, options, threads=threads):
        yield found.texts, np.array([one.features.row for one in found.nbest], dtype=np.float64)[:, columns]


def _lattices(
    translator: Translator, options: TranslationOptions, names: Sequence[str], lines: Iterable[str], threads: int
) -> Iterator[Lattice]:
    columns = translator.layout.columns(names)
    for found in translator.translate(lines, options, threads=threads):
        assert found.lattice is not None
        yield found.lattice.selected(columns)


HEADLINE_BOUNDS = {
    "keywords": (0.0, 1.0),
    "phrase": (0.0, 0.1),
    "words": (0.0, 1.0),
    "pairs": (0.2, 1.0),
    "place": (0.0, 0.3),
    "lm0": (0.002, 0.1),
    "lm1": (0.005, 0.1),
    "lm2": (0.005, 0.1),
    "word_count": (-0.5, 0.5),
    "phrase_count": (-0.5, -0.05),
}
"""Where weights of a headline model stay unless told otherwise: ROUGE likes headlines in pieces, readers don't."""


def headline_space(
    weights: Mapping[str, float], options: OptimizerOptions
) -> tuple[dict[str, float], OptimizerOptions]:
    """`HEADLINE_BOUNDS` of a model's features: weights within them to start from, and options that stay there."""
    bounds = {name: ends for name, ends in HEADLINE_BOUNDS.items() if name in weights}
    free = (-math.inf, math.inf)
    start = {name: min(max(w, bounds.get(name, free)[0]), bounds.get(name, free)[1]) for name, w in weights.items()}
    return start, replace(options, bounds=bounds)


def headline_decoder(
    headliner: Headliner,
    documents: Sequence[ParsedDocument],
    options: HeadlineOptions,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told weights and n, it gives the n best distinct headlines of every document.

    Phrases are made once; searching them is on `threads` threads. With an `engine`, all is done wherever that works.
    """
    prepared = [] if engine else [headliner.prepare(document, options) for document in documents]

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        everything = headliner.weights | weights
        own = replace(options, nbest=n)
        with ThreadPoolExecutor(max(1, threads)) as pool:
            if engine:
                found = headliner.reweighted(everything).generate_parsed(documents, own, engine=engine)
            else:
                found = pool.map(lambda document: document.realize(everything, own), prepared)
            for done, headline in enumerate(found, start=1):
                progress("decode", done, len(documents))
                yield [Candidate(one.text, [one.features[name] for name in weights]) for one in headline.nbest] or [
                    Candidate(headline.text, [0.0] * len(weights))
                ]

    return decode


References = Sequence[Sequence[str | None]]
"""Streams of a reference for each input, as sacrebleu has them; None where an input has fewer than others."""


class Task(Protocol):
    """A model with what it is tuned on."""

    @property
    def metric(self) -> str:
        """What it is tuned for unless another metric is asked for."""

    @property
    def references(self) -> References:
        """What its output is compared with."""

    @property
    def weights(self) -> dict[str, float]:
        """All weights, to start from."""

    @property
    def decoder_inputs(self) -> Inputs:
        """What decoding depends on besides the weights."""

    def within_bounds(self, options: OptimizerOptions) -> OptimizerOptions:
        """The options, with the task's own bounds of weights if none are given; the start is moved into them."""

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder | LatticeDecoder:
        """What decodes it."""


class TranslationTask:
    """A translator, and lines with their translations; `name` is that of the lines in messages."""

    metric = "bleu"

    def __init__(
        self,
        translator: Translator,
        lines: Sequence[str],
        references: References | None,
        options: TranslationOptions | None = None,
        *,
        name: str = "inputs",
    ) -> None:
        self._options = options or TranslationOptions()
        self._options.search_options()  # says what is wrong with them
        if references is None:
            raise InputError("no references (--reference): translations of the source, a line for each of its lines")
        self.references = _checked(references, len(lines), f"{name}: {len(lines)} lines")
        self._lines = lines
        self._translator = translator
        self.weights = translator.weights
        self.decoder_inputs = _decoder_inputs(translator.files, lines, self._options)

    def within_bounds(self, options: OptimizerOptions) -> OptimizerOptions:
        """The options as they are."""
        return options

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder | LatticeDecoder:
        """Lists or lattices, as the algorithm needs them."""
        decoder_of = lattice_decoder if options.algorithm == LATTICE_ALGORITHM else translation_decoder
        return decoder_of(self._translator, self._lines, self._options, engine=engine)


class HeadlineTask:
    """A headliner, and documents with their headlines; `name` is that of the documents in messages."""

    metric = "rouge2_recall"

    def __init__(
        self,
        headliner: Headliner,
        documents: Sequence[Document],
        references: References | None = None,
        options: HeadlineOptions | None = None,
        *,
        threads: int = 1,
        name: str = "inputs",
    ) -> None:
        if not documents:
            raise InputError(f"{name}: no documents")
        own = references if references is not None else _own_headlines(documents, name)
        self.references = _checked(own, len(documents), f"{name}: {len(documents)} documents")
        self._options = options or HeadlineOptions()
        self._threads = threads
        self._headliner = headliner
        self._documents = documents
        self.weights = headliner.weights
        self.decoder_inputs = _decoder_inputs(
            headliner.files, documents, self._options, parser=headliner.parser.fingerprint.hex()
        )

    def within_bounds(self, options: OptimizerOptions) -> OptimizerOptions:
        """The options, with bounds that keep headlines readable if none are given."""
        if options.fixed or options.bounds:
            return options
        self.weights, options = headline_space(self.weights, options)
        return options

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder:
        """n-best lists of the documents, which are parsed once."""
        if options.algorithm == LATTICE_ALGORITHM:
            raise InputError("lattice-mert is for translation; headlines are tuned with mert, mira, pro or powell")
        parsed = list(self._headliner.parse(self._documents, threads=self._threads))
        remote = None if isinstance(engine, LocalEngine) else engine
        return headline_decoder(self._headliner, parsed, self._options, threads=self._threads, engine=remote)


def _decoder_inputs(
    files: Sequence[Path], inputs: object, options: TranslationOptions | HeadlineOptions, **more: str
) -> Inputs:
    """A model's files by number and name, what is decoded, and how."""
    named = {f"model file {i} {path.name}": path for i, path in enumerate(files, 1)}
    return Inputs(named, {"inputs": digest(inputs), "decoding": options, **more})


def _checked(references: References, inputs: int, what: str) -> References:
    not_text(references, "references", "a list of streams, each with a line for every input: [lines]")
    for stream in references:
        if isinstance(stream, str):
            raise InputError("references are a list of streams, each with a line for every input: [lines], not lines")
        if len(stream) != inputs:
            raise InputError(f"{what}, but the references have {len(stream)}")
    return references


def _own_headlines(documents: Sequence[Document], name: str) -> list[list[str | None]]:
    for document in documents:
        if not document.headlines:
            raise InputError(f"{name}: document {document.identifier} has no headline; give references (--reference)")
    return reference_streams(documents)


def _document(number: int, given: object) -> Document:
    if isinstance(given, str):
        return Document(str(number), given)
    if not isinstance(given, Document):
        raise InputError("a headliner is tuned on documents or their texts, with HeadlineOptions")
    return given


def tune(
    model: Translator | Headliner,
    inputs: Sequence[str] | Sequence[Document],
    references: References | None = None,
    *,
    directory: PathLike,
    metric: str | None = None,
    decoding: TranslationOptions | HeadlineOptions | None = None,
    options: TuningOptions | None = None,
    threads: int = 1,
    on_iteration: Callable[[Iteration], None] = lambda _: None,
) -> TuningResult:
    """Tune a model's weights λ, so that its best outputs, argmax_e Σ_m λ_m h_m(e), score best under a metric.

    Och's loop (2003, Section 6): decode, merge the n-best lists with all earlier ones, find the weights that are best
    on them, and again. Everything found on the way is in `directory`, with ``report.html`` and, in ``weights.toml``,
    the weights; the model's own files stay as they are. The result's `weights` are all of the model's, of features
    that are natural logs where they are probabilities; scores are in points, 0 to 100.

        result = tune(translator, lines, [translations], directory="job")
        better = translator.reweighted(result.weights)

    Args:
        model: A translator or a headliner; tuning starts from its weights.
        inputs: Lines to translate; or documents, or their texts.
        references: Streams of a reference for each input, as sacrebleu has them: one translation of each line is
            ``[translations]``. Documents without `references` are compared with their own headlines.
        directory: Of the job; new or empty, or begun by the same call, which then resumes it.
        metric: As ``--metric`` of `widl tune`: bleu, ter, chrf, rouge1, ``0.5*bleu-0.5*ter`` …; by default BLEU, of
            headlines ROUGE-2 recall.
        decoding: How to translate, or to make headlines: distortion limit, budget of words, and so on.
        options: The algorithm (MERT, MIRA, PRO, Powell, MERT over lattices), its seed and bounds, iterations.
        threads: The result does not depend on them.
        on_iteration: Told of each iteration.

    Raises:
        InputError: Inputs and references differ in number, an option makes no sense, or the directory belongs to
            another job.
    """
    not_text(inputs, "inputs", "a list of lines, documents or texts: [line]")
    directory = path_of(directory, "directory")
    task: Task
    if isinstance(model, Translator):
        if isinstance(decoding, HeadlineOptions) or not all(isinstance(line, str) for line in inputs):
            raise InputError("a translator is tuned on lines of text, with TranslationOptions")
        task = TranslationTask(model, [str(line) for line in inputs], references, decoding)
    else:
        if not isinstance(model, Headliner):
            raise TypeError(f"model: found {type(model).__name__}; pass an opened Translator(path) or Headliner(path)")
        if isinstance(decoding, TranslationOptions):
            raise InputError("a headliner is tuned on documents or their texts, with HeadlineOptions")
        documents = [_document(number, given) for number, given in enumerate(inputs, start=1)]
        task = HeadlineTask(model, documents, references, decoding, threads=threads)
    return _tune_task(task, directory, metric, options or TuningOptions(), threads, on_iteration)


def _tune_task(
    task: Task,
    directory: Path,
    metric: str | None,
    options: TuningOptions,
    threads: int,
    on_iteration: Callable[[Iteration], None],
) -> TuningResult:
    optimizer = replace(task.within_bounds(options.optimizer), threads=threads)
    return mert.tune(
        task.decoder(LocalEngine(threads), optimizer),
        Objective(metric or task.metric, task.references, threads=threads),
        tunable(task.weights),
        directory,
        replace(options, optimizer=optimizer),
        model_weights=task.weights,
        decoder_inputs=task.decoder_inputs,
        on_iteration=on_iteration,
    )
