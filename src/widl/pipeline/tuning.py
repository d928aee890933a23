"""Tuning a model directory's weights: its translator, or its headliner, as the decoder of `widl.mert`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from widl import mert
from widl.combination import CombinationOptions, Combiner
from widl.combination.combiner import weights_by_history
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted, kind_of, reject_text
from widl.common.errors import InputError, OptionError, WrongTypeError
from widl.common.json_values import digest
from widl.common.options import adjust, fields_of, for_model, given_names, merge_options, options_by_name
from widl.common.presets import Setting, preset_of
from widl.common.resumable_steps import JobInputs
from widl.common.validation_messages import did_you_mean
from widl.common.workers import Engine, LocalEngine
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, reference_streams
from widl.headline.options import SEARCHED
from widl.headline.parsing import ParsedDocument, parser_version
from widl.mert import LATTICE_ALGORITHM, Decoder, Iteration, LatticeDecoder, TuningOptions, TuningResult
from widl.mert.problem import ListAlgorithm
from widl.mert.tuning import JobArguments
from widl.metrics import MetricOptions, Objective
from widl.metrics.function_metric import MetricFunction, name_of_function
from widl.metrics.rouge import ROOT_OF_RECALLS
from widl.pipeline.training_files import BEGINNING
from widl.pipeline.tuning_decoders import (
    combination_decoder,
    headline_decoder,
    headline_lattice_decoder,
    lattice_decoder,
    restrict_headline_weights,
    translation_decoder,
    tunable,
)
from widl.text.cleaning import in_language
from widl.translation import TranslationOptions, Translator
from widl.translation.search_errors import SearchErrors, search_errors

_MAX_FOR_MERT = 10
_FEW = 200
_FOR_ERRORS = 100


def default_algorithm(weights: Collection[str]) -> ListAlgorithm:
    """Default tuning algorithm of a translation model: MERT for up to ten weights, MIRA for more.

    MERT around a decoder diverges with more weights (docs/tuning.md).

    >>> default_algorithm(["lm0", "word_count"]), default_algorithm([f"h{i}" for i in range(18)])
    ('mert', 'mira')
    """
    return "mira" if len(weights) > _MAX_FOR_MERT else "mert"


def few_lines_warning(lines: int, weights: int) -> str:
    """Advice on tuning with few lines or documents; empty if they are enough (docs/tuning.md)."""
    if lines >= _FEW:
        return ""
    return (
        f"{counted(lines, 'line')} for {counted(weights, 'weight')} are few: what is gained on them may not hold on "
        f"other text; tune on {_FEW} lines or more, and compare on text that was not tuned on"
    )


def tuning_of(preset: str | None, options: TuningOptions) -> TuningOptions:
    """The options with the algorithm of the preset; InputError for another algorithm."""
    if preset is None or (rule := preset_of(preset).algorithm) is None:
        return options
    rule.check(preset, options.algorithm or rule.default)
    return for_model(options, algorithm=rule.default)


def metric_of(preset: str | None, task: str, metric: str | MetricFunction | None) -> str | MetricFunction | None:
    """The metric, by default the preset's; InputError if it contradicts the preset."""
    if preset is None:
        return metric
    preset_metric = preset_of(preset).metrics[task]
    given = name_of_function(metric) if callable(metric) else metric
    Setting("metric", preset_metric, "what the paper tunes for").check(preset, given or preset_metric)
    return preset_metric


def metrics_of(preset: str | None, metrics: MetricOptions) -> MetricOptions:
    """Metric options; a preset limits how many first words of a headline count."""
    return metrics if preset is None else for_model(metrics, first_words=preset_of(preset).first_words)


References = Sequence[Sequence[str | None]]
"""Reference streams in sacrebleu's form, one reference per input; None if an input has fewer references."""


class TuningTask(ABC):
    """A model and its tuning set."""

    kind: str
    """The kind of output, as presets name it."""
    metric: str = "bleu"
    """The default metric."""
    preset: str | None = None
    """The preset that the model is tuned in."""
    references: References
    """The references of the output."""
    sources: Sequence[str] | None = None
    """The inputs, for user-defined metric functions."""
    sets: Sequence[int] = ()
    """Sizes of consecutive tuning sets; empty for a single set."""
    weights: dict[str, float]
    """All weights, to start from."""
    decoder_inputs: JobInputs
    """Everything except the weights that decoding depends on."""

    def with_task_defaults(self, options: TuningOptions) -> TuningOptions:
        """The options with what the preset and the task determine: the algorithm, or bounds of weights, to which start
        weights are clipped.
        """
        options = tuning_of(self.preset, options)
        return for_model(options, algorithm=default_algorithm(tunable(self.weights).keys() - options.fixed))

    def objective(
        self,
        metric: str | MetricFunction | None,
        metrics: MetricOptions | None = None,
        *,
        threads: int = 1,
        folder: Path | None = None,
    ) -> Objective:
        """The objective on the references: the metric given, the preset's, or the task's; InputError if two differ.

        folder: where the module of a metric's function is.
        """
        chosen = metric_of(self.preset, self.kind, metric) or self.metric
        options = metrics_of(self.preset, metrics or MetricOptions())
        more: dict[str, Any] = {"sources": self.sources, "sets": self.sets, "threads": threads, "folder": folder}
        return Objective(chosen, self.references, options, **more)

    def unfitted(self, objective: Objective, engine: Engine) -> tuple[float, dict[str, float]] | None:  # noqa: ARG002
        """The objective under the weights before they were fitted to the references, and its metrics; None if tuning
        starts from weights that depend on no reference.
        """
        return None

    def tuned_names(self, options: TuningOptions) -> set[str]:
        """The names of the weights that tuning with these options may change."""
        fixed = self.with_task_defaults(options).fixed
        return tunable(self.weights).keys() - fixed

    @abstractmethod
    def decoder(self, engine: Engine, options: TuningOptions) -> Decoder | LatticeDecoder:
        """The decoder of the tuning set."""


class TranslationTask(TuningTask):
    """A translator, and lines with their translations; `name` identifies the lines in messages."""

    kind = "translation"

    def __init__(
        self,
        translator: Translator,
        lines: Sequence[str],
        references: References | None,
        options: TranslationOptions | None = None,
        *,
        sets: Sequence[int] = (),
        name: str = "inputs",
    ) -> None:
        self._options = options or TranslationOptions(preset=translator.preset)
        self.preset = self._options.preset or translator.preset
        self.sets = sets
        if references is None:
            raise InputError("no references (--reference): translations of the source, a line for each of its lines")
        self.references = _complete_references(references, lines, name, "line")
        _check_language(f"{name}: most lines", lines, translator.source.language)
        for number, stream in enumerate(self.references, 1):
            _check_language(f"{name}: most lines of reference {number}", stream, translator.target.language)
        self._lines = self.sources = lines
        self.translator = translator
        self.weights = translator.weights
        self.decoder_inputs = _decoder_inputs(translator, lines, self._options)

    def search_errors(self, tuned: Mapping[str, float], engine: Engine) -> list[tuple[str, SearchErrors]]:
        """Search errors of a preset's system, compared with exact search on the first lines, with the start weights and
        with `tuned` weights.
        """
        if self._options.preset is None:
            return []
        lines = self._lines[:_FOR_ERRORS]
        return [
            (name, search_errors(self.translator, lines, self._options, weights, engine=engine))
            for name, weights in (("start weights", self.weights), ("tuned weights", tuned))
        ]

    def decoder(self, engine: Engine, options: TuningOptions) -> Decoder | LatticeDecoder:
        """Lists or lattices, as the algorithm needs them."""
        if options.algorithm != LATTICE_ALGORITHM:
            return translation_decoder(self.translator, self._lines, self._options, engine=engine)
        return lattice_decoder(self.translator, self._lines, adjust(self._options, lattice=True), engine=engine)


WeightRestriction = Callable[[Mapping[str, float], TuningOptions], tuple[dict[str, float], TuningOptions]]
"""The weights to start from and the optimizer's options, with bounds and fixed weights."""


class HeadlineTask(TuningTask):
    """A headliner, and documents with their headlines; `name` identifies the documents in messages.

    `restrict` replaces the default bounds of the weights, which keep headlines readable; `parse` the parsing of the
    documents.
    """

    kind, metric = "headline", "rouge1"

    def __init__(
        self,
        headliner: Headliner,
        documents: Sequence[Document],
        references: References | None = None,
        options: HeadlineOptions | None = None,
        *,
        threads: int = 1,
        name: str = "inputs",
        restrict: WeightRestriction | None = None,
        parse: Callable[[], Sequence[ParsedDocument]] | None = None,
    ) -> None:
        if not documents:
            raise InputError(f"{name}: no documents")
        references = references if references is not None else _headlines_of(documents, name)
        self.sources = [document.text for document in documents]
        self.references = _complete_references(references, self.sources, name, "document")
        self._options = options or HeadlineOptions(system=headliner.system)
        self.preset = self._options.preset
        if self._options.system == "widl-paper":
            self.metric = ROOT_OF_RECALLS
        _check_system(headliner, self._options)
        self._headliner = headliner
        self._restrict = restrict
        self._parse = parse or (lambda: list(headliner.parse(documents, threads=threads)))
        self.weights = headliner.weights
        self.decoder_inputs = _decoder_inputs(headliner, documents, self._options, parser=parser_version())

    def with_task_defaults(self, options: TuningOptions) -> TuningOptions:
        """The options with the task's bounds and fixed weights, unless they have their own."""
        options, restrict = tuning_of(self.preset, options), self._restrict
        if restrict is None:
            if options.fixed or options.bounds or self._headliner.system == "widl-paper":
                return options
            restrict = restrict_headline_weights
        self.weights, options = restrict(self.weights, options)
        return options

    def decoder(self, engine: Engine, options: TuningOptions) -> Decoder | LatticeDecoder:
        """Lists or lattices for the documents, which are parsed only once."""
        decoder_of = headline_lattice_decoder if options.algorithm == LATTICE_ALGORITHM else headline_decoder
        return decoder_of(self._headliner, self._parse(), self._options, engine)


class CombinationTask(TuningTask):
    """A combiner, the outputs for each line, the same number each, and references; `name` identifies them in messages.

    Tuning begins with the combiner's weights; without these, with the defaults adjusted by each output's BLEU.
    """

    kind = "combination"

    def __init__(
        self,
        combiner: Combiner,
        lines: Sequence[Sequence[str]],
        references: References,
        options: CombinationOptions | None = None,
        *,
        name: str = "outputs",
    ) -> None:
        counts = {len(outputs) for outputs in lines}
        if len(counts) != 1:
            raise InputError(f"{name}: {' and '.join(map(str, sorted(counts)))} outputs for a line; as many for each")
        self.references = _complete_references(references, [" ".join(outputs) for outputs in lines], name, "line")
        self._combiner, self._lines, self._options = combiner, lines, options or CombinationOptions()
        self.weights = combiner.weights_of(counts.pop())
        self._unfitted: dict[str, float] | None = None
        self._unfitted_scores: dict[str, tuple[float, dict[str, float]]] = {}
        if combiner.weights is None:
            self._unfitted = self.weights
            self.weights = weights_by_history(self.weights, _bleu(zip(*lines, strict=True), self.references))
        inputs = digest([list(outputs) for outputs in lines])
        self.decoder_inputs = JobInputs({}, {"inputs": inputs, "decoding": self._options})

    def with_task_defaults(self, options: TuningOptions) -> TuningOptions:
        """The options with this algorithm."""
        if options.algorithm == LATTICE_ALGORITHM:
            raise InputError(f"algorithm {LATTICE_ALGORITHM!r}: combinations are tuned on lists, by mert or mira")
        return super().with_task_defaults(options)

    @override
    def unfitted(self, objective: Objective, engine: Engine) -> tuple[float, dict[str, float]] | None:
        """The default weights' scores, with which ``widl combine`` works untuned."""
        if self._unfitted is None:
            return None
        if objective.text not in self._unfitted_scores:
            decode = combination_decoder(self._combiner, self._lines, self._options, engine=engine)
            texts = [candidates[0].text if candidates else "" for candidates in decode(self._unfitted, 1)]
            self._unfitted_scores[objective.text] = _scored(objective, texts)
        return self._unfitted_scores[objective.text]

    def system_scores(self, objective: Objective) -> list[tuple[float, dict[str, float]]]:
        """The objective on each system's own outputs, and each of its metrics: what a combination should exceed."""
        return [_scored(objective, texts) for texts in zip(*self._lines, strict=True)]

    def decoder(self, engine: Engine, options: TuningOptions) -> Decoder | LatticeDecoder:  # noqa: ARG002
        """Lists of the lines' candidates."""
        return combination_decoder(self._combiner, self._lines, self._options, engine=engine)


def _bleu(outputs: Iterable[Sequence[str]], references: References) -> list[float]:
    """BLEU of each system's lines."""
    objective = Objective("bleu", references)
    return [_scored(objective, texts)[0] for texts in outputs]


def _scored(objective: Objective, texts: Sequence[str]) -> tuple[float, dict[str, float]]:
    """The objective on a text for each sentence, and each of its metrics."""
    totals = objective.statistics(np.arange(objective.sentences), texts).sum(axis=0)
    return objective.score(totals), objective.values(totals)


def _check_system(headliner: Headliner, options: HeadlineOptions) -> None:
    """InputError unless the headliner's weights belong to the system to tune."""
    if options.system not in SEARCHED:
        tunable_systems = f"{', '.join(SEARCHED[:-1])} and {SEARCHED[-1]}"
        raise InputError(f"system {options.system!r} has no weights to tune; {tunable_systems} have")
    if headliner.system != options.system:
        raise InputError(
            f"this headliner has the weights of {headliner.system!r}; to tune others open it with "
            f"system={options.system!r}"
        )


def _decoder_inputs(
    model: Translator | Headliner, inputs: object, options: TranslationOptions | HeadlineOptions, **more: str
) -> JobInputs:
    """A model's files by number and name, the inputs, and the decoding options."""
    named = {f"model file {i} {path.name}": path for i, path in enumerate(model.files, 1)}
    return JobInputs(named, {"inputs": digest(inputs), "decoding": options, **more}, owner=model.directory)


def _complete_references(references: References, inputs: Sequence[str], name: str, unit: str) -> References:
    """The references; InputError unless each input has a reference, and both have nonempty lines."""
    reject_text(references, "references", _STREAMS)
    for stream in references:
        if isinstance(stream, str):
            raise InputError("references are a list of streams, each with a line for every input: [lines], not lines")
        if len(stream) != len(inputs):
            raise InputError(f"{name}: {counted(len(inputs), unit)}, but the references have {len(stream)}")
    if not any(map(str.strip, inputs)):
        raise InputError(f"{name}: every {unit} is empty; give text to tune on")
    if not any(line and line.strip() for stream in references for line in stream):
        raise InputError(f"{name}: every reference is empty; give references to tune on")
    return references


def _check_language(what: str, lines: Sequence[str | None], language: str) -> None:
    beginning = [line for line in lines[:BEGINNING] if line]
    if 2 * sum(in_language(beginning, language)) < len(beginning):
        raise InputError(f"{what} seem to be in another language than the model's, {language}")


def _headlines_of(documents: Sequence[Document], name: str) -> list[list[str | None]]:
    for document in documents:
        if not document.headlines:
            raise InputError(f"{name}: document {document.identifier} has no headline; give references (--reference)")
    return reference_streams(documents)


def _document(number: int, document: object) -> Document:
    if isinstance(document, str):
        return Document(str(number), document)
    if not isinstance(document, Document):
        raise InputError("a headliner is tuned on documents or their texts, with HeadlineOptions")
    return document


@checked
def tune(
    model: Translator | Headliner,
    inputs: Iterable[str] | Iterable[Document],
    references: Iterable[Iterable[str | None]] | None = None,
    *,
    directory: PathLike,
    metric: str | MetricFunction | None = None,
    decoding: TranslationOptions | HeadlineOptions | None = None,
    options: TuningOptions | None = None,
    metrics: MetricOptions | None = None,
    threads: int = 1,
    on_iteration: Callable[[Iteration], None] = lambda _: None,
    **more: Any,
) -> TuningResult:
    """Tune a model's weights λ, so that its best outputs, argmax_e Σ_m λ_m h_m(e), score best under a metric.

    Och's loop (2003, Section 6): decode, merge the n-best lists with all earlier ones, optimize the weights on them,
    repeat. The job in `directory` has the lists, ``report.html`` and the weights in ``weights.toml``; the model's files
    are unchanged. The result has all weights of the model; features that are probabilities are natural logs. Scores
    are in points, 0 to 100.

        result = tune(translator, lines, [translations], directory="job")
        better = translator.reweighted(result.weights)

    Args:
        model: A translator or a headliner; tuning starts from its weights.
        inputs: Lines to translate; or documents, or their texts.
        references: Streams of a reference for each input, as sacrebleu has them: one translation of each line is
            ``[translations]``. Documents without `references` are compared with their own headlines.
        directory: Directory of the job: new, empty, or of an interrupted job of the same call, which is resumed.
        metric: Metric as in ``--metric`` of `widl tune`: bleu, ter, chrf, rouge1, ``0.5*bleu-0.5*ter`` …; or a function
            of outputs, references and sources, or of a corpus (`widl.metrics.function_metric`). By default BLEU, for
            headlines ROUGE-1 F, for ``widl-paper`` rouge1x2_recall.
        decoding: Options of translation or headline generation: distortion limit, budget of words, and so on.
        options: The algorithm (MERT, MIRA, MERT over lattices), its seed and bounds, iterations.
        metrics: Options of metrics: tokenization, smoothing, comparison.
        more: Options of these three sets by name, such as ``max_iterations=5`` or ``lowercase=True``. ``nbest`` is the
            size of the lists.
        threads: The result does not depend on them.
        on_iteration: Called after each iteration.

    Raises:
        InputError: Inputs and references differ in number, an option is invalid, or the directory belongs to another
            job.
    """
    items: list[Any] = list(reject_text(inputs, "inputs", "a list of lines, documents or texts: [line]"))
    streams = None if references is None else _streams_of(references)
    _check_options(model, decoding, more)
    options = merge_options(TuningOptions, options, options_by_name(TuningOptions, more))
    metrics = merge_options(MetricOptions, metrics, options_by_name(MetricOptions, more))
    decoding = merge_options(_options_of(model), decoding, more) if more else decoding
    task = _task_of(model, items, streams, decoding, threads)
    tuning = adjust(task.with_task_defaults(options), threads=threads)
    return mert.tune(
        task.decoder(LocalEngine(threads), tuning),
        task.objective(metric, metrics, threads=threads),
        tunable(task.weights),
        Path(directory),
        tuning,
        **_job_of(task, on_iteration, None),
    )


_STREAMS = "a list of streams, each with a line for every input: [lines]"
_CHOSEN_BY_TUNING = {"nbest", "lattice"}
"""Options of decoding that a tuning sets itself."""


def _options_of(model: Translator | Headliner) -> type[Any]:
    return TranslationOptions if isinstance(model, Translator) else HeadlineOptions


def _streams_of(references: Iterable[Iterable[str | None]]) -> list[list[str | None]]:
    streams = reject_text(references, "references", _STREAMS)
    return [list(reject_text(stream, "references", _STREAMS)) for stream in streams]


def _task_of(
    model: Translator | Headliner, items: list[Any], streams: list[list[str | None]] | None, decoding: Any, threads: int
) -> TuningTask:
    """The tuning of a model on lines, or on documents; InputError if these or the options are of the other kind."""
    if isinstance(model, Translator):
        if isinstance(decoding, HeadlineOptions) or not all(isinstance(line, str) for line in items):
            raise InputError("a translator is tuned on lines of text, with TranslationOptions")
        return TranslationTask(model, items, streams, decoding)
    if not isinstance(model, Headliner):
        raise WrongTypeError(f"model: found {kind_of(model)}; pass an opened Translator(path) or Headliner(path)")
    if isinstance(decoding, TranslationOptions):
        raise InputError("a headliner is tuned on documents or their texts, with HeadlineOptions")
    documents = [_document(number, document) for number, document in enumerate(items, start=1)]
    return HeadlineTask(model, documents, streams, decoding, threads=threads)


def _check_options(model: Translator | Headliner, decoding: Any, names: Iterable[str]) -> None:
    """OptionError for a name that no set of a tuning's options has, and for options that tuning itself chooses."""
    known = [*fields_of(TuningOptions), *fields_of(MetricOptions), *fields_of(_options_of(model))]
    for name in names:
        if name == "replications":
            raise OptionError("unknown option 'replications'; call tune for each seed: seed=1, seed=2, …", name)
        if name not in known:
            raise OptionError(f"unknown option {name!r}; {did_you_mean(name, known)}", name)
    chosen = [] if decoding is None else sorted(given_names(decoding) & _CHOSEN_BY_TUNING)
    if chosen:
        raise OptionError(
            f"decoding: {chosen[0]}: tuning chooses it; nbest=…, by name or in TuningOptions, is the size of its lists",
            chosen[0],
        )


def tune_task(
    task: TuningTask,
    objective: Objective,
    directory: PathLike,
    options: TuningOptions,
    *,
    seeds: Sequence[int],
    engine: Engine,
    watched: Callable[[Decoder | LatticeDecoder], Decoder | LatticeDecoder] = lambda decoder: decoder,
    on_iteration: Callable[[Iteration], None] = lambda _: None,
) -> list[TuningResult]:
    """Tune a task's weights, once per seed. `widl tune` and experiments share this code.

    `watched` wraps the decoder, for example to count decoded items.
    """
    options = task.with_task_defaults(options)
    return mert.tune_replications(
        watched(task.decoder(engine, options)),
        objective,
        tunable(task.weights),
        directory,
        options,
        seeds=seeds,
        **_job_of(task, on_iteration, task.unfitted(objective, engine)),
    )


def _job_of(
    task: TuningTask, on_iteration: Callable[[Iteration], None], unfitted: tuple[float, dict[str, float]] | None
) -> JobArguments:
    return {
        "model_weights": task.weights,
        "decoder_inputs": task.decoder_inputs,
        "unfitted_score": None if unfitted is None else unfitted[0],
        "on_iteration": on_iteration,
    }
