"""`widl tune` of a model directory: by decoding again and again."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import typer

from widl.decoder import format_weights
from widl.errors import InputError
from widl.files import write_text
from widl.mert import (
    LATTICE_ALGORITHM,
    Decoder,
    LatticeDecoder,
    Objective,
    OptimizerOptions,
    TuningOptions,
    tune_replications,
)
from widl.pipeline.cli.options import text_lines
from widl.pipeline.cluster import open_engine
from widl.pipeline.translation import TranslationOptions, Translator
from widl.pipeline.tuning import (
    HEADLINE_BOUNDS,
    headline_decoder,
    lattice_decoder,
    translation_decoder,
    tunable,
    within_bounds,
)
from widl.workers import Engine, LocalEngine

if TYPE_CHECKING:
    from widl.headline.documents import Document
    from widl.mert import Iteration


@dataclass(frozen=True, kw_only=True)
class Loop:
    """How to tune by decoding."""

    job: Path
    resume: bool
    replications: int
    candidates: int
    max_iterations: int
    patience: int
    quiet: bool
    cluster: str | None


class Task(Protocol):
    """A model with what it is tuned on."""

    @property
    def metric(self) -> str:
        """What it is tuned for unless another metric is asked for."""

    @property
    def references(self) -> Sequence[Sequence[str | None]]:
        """Streams of references."""

    @property
    def weights(self) -> dict[str, float]:
        """All weights, to start from."""

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder | LatticeDecoder:
        """What decodes it."""


class TranslationTask:
    """A translation model, and text with its translations."""

    metric = "bleu"

    def __init__(
        self,
        model: Path,
        weights: Path | None,
        source: Path,
        references: list[list[str]] | None,
        options: TranslationOptions,
    ) -> None:
        options.search_options()  # says what is wrong with them
        if references is None:
            raise InputError("--reference is missing: translations of the source, a line for each of its lines")
        self._lines = list(text_lines([source]))
        if len(references[0]) != len(self._lines):
            raise InputError(f"{source}: {len(self._lines)} lines, but the references have {len(references[0])}")
        self.references: Sequence[Sequence[str | None]] = references
        self._options = options
        self._translator = Translator(model, weights=weights)
        self.weights = self._translator.weights

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder | LatticeDecoder:
        """Lists or lattices, as the algorithm needs them."""
        decoder_of = lattice_decoder if options.algorithm == LATTICE_ALGORITHM else translation_decoder
        return decoder_of(self._translator, self._lines, self._options, engine=engine)


class HeadlineLength(NamedTuple):
    """The budget of headlines, 0 for no limit."""

    words: int
    bytes: int


class HeadlineTask:
    """A headline model, and documents with their headlines."""

    metric = "rouge2_recall"

    def __init__(
        self,
        model: Path,
        weights: Path | None,
        source: Path,
        references: list[list[str]] | None,
        length: HeadlineLength,
        threads: int,
    ) -> None:
        from widl.headline.budget import Budget
        from widl.headline.documents import Unreadable, read_documents
        from widl.pipeline.headline import HeadlineOptions, Headliner

        self._options = HeadlineOptions(budget=Budget(length.words, length.bytes))
        self._threads = threads
        self._headliner = Headliner(model, weights=weights)
        self.weights = self._headliner.weights
        self._documents: list[Document] = []
        for document in read_documents([source]):
            if isinstance(document, Unreadable):
                raise InputError(document.message)
            self._documents.append(document)
        if not self._documents:
            raise InputError(f"{source}: no documents")
        self.references: Sequence[Sequence[str | None]] = references or self._own_references(source)
        if len(self.references[0]) != len(self._documents):
            raise InputError(f"{source}: {len(self._documents)} documents, but {len(self.references[0])} references")

    def _own_references(self, source: Path) -> list[list[str | None]]:
        for document in self._documents:
            if not document.headlines:
                raise InputError(f"{source}: document {document.identifier} has no headline; give --reference")
        most = max(len(document.headlines) for document in self._documents)
        padded = [[*document.headlines, *[None] * (most - len(document.headlines))] for document in self._documents]
        return [list(stream) for stream in zip(*padded, strict=True)]

    def within_bounds(self, options: OptimizerOptions) -> OptimizerOptions:
        """The options, with bounds that keep headlines readable if none are given."""
        if options.fixed or options.bounds:
            return options
        bounds = {name: ends for name, ends in HEADLINE_BOUNDS.items() if name in self.weights}
        self.weights = within_bounds(self.weights)
        return replace(options, bounds=bounds)

    def decoder(self, engine: Engine, options: OptimizerOptions) -> Decoder:
        """n-best lists of the documents, which are parsed once."""
        if options.algorithm == LATTICE_ALGORITHM:
            raise InputError("lattice-mert is for translation; headlines are tuned with mert, mira, pro or powell")
        parsed = list(self._headliner.parse(self._documents, threads=self._threads))
        remote = None if isinstance(engine, LocalEngine) else engine
        return headline_decoder(self._headliner, parsed, self._options, threads=self._threads, engine=remote)


def tune_model(
    task: Task,
    objective: Objective,
    options: OptimizerOptions,
    loop: Loop,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Tune the weights of the task's model, tell of every iteration, and write the weights."""
    if output is not None and output.parent and not output.parent.is_dir():
        raise InputError(f"{output.parent}: no such directory; make it first, or name another output")
    tuning = TuningOptions(
        optimizer=options, nbest=loop.candidates, max_iterations=loop.max_iterations, patience=loop.patience
    )
    with open_engine(loop.cluster, threads=options.threads, tell=lambda text: typer.echo(text, err=True)) as engine:
        results = tune_replications(
            task.decoder(engine, options),
            objective,
            tunable(task.weights),
            loop.job,
            tuning,
            seeds=range(options.seed, options.seed + loop.replications),
            resume=loop.resume,
            on_iteration=(lambda _: None) if loop.quiet else _tell,
        )
    best = max(results, key=lambda result: result.score)
    found = task.weights | best.weights
    if output is not None:
        with write_text(output) as file:
            file.write(format_weights(found))
    if as_json:
        summary = {
            "score": best.score,
            "metrics": best.values,
            "start_score": best.iterations[0].score,
            "weights": found,
            "signatures": objective.signatures(),
            "replications": [result.score for result in results],
            "iterations": [len(result.iterations) for result in results],
        }
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for name, value in best.values.items():
        sys.stdout.write(f"{name} {best.iterations[0].values[name]:.3f} -> {value:.3f}\n")


def _tell(iteration: "Iteration") -> None:
    promised = f", {iteration.promised:.3f} promised next" if iteration.promised is not None else ""
    typer.echo(
        f"iteration {iteration.number}: {iteration.score:.3f}, {iteration.new_candidates:,} new of "
        f"{iteration.candidates:,} candidates, {iteration.seconds:.0f} s"
        + (f"; {iteration.stopped}" if iteration.stopped else promised),
        err=True,
    )


def references_of(paths: Sequence[Path]) -> list[list[str]]:
    """The lines of reference files, a stream each, which must be as many in all of them."""
    streams = [list(text_lines([path])) for path in paths]
    for path, stream in zip(paths, streams, strict=True):
        if len(stream) != len(streams[0]):
            raise InputError(
                f"{path}: {len(stream)} lines, but {paths[0]} has {len(streams[0])}; references need a line a sentence"
            )
        if not stream:
            raise InputError(f"{path}: no lines, where references were expected")
    return streams
