"""The headline experiment of Soricut & Marcu (2006), Section 4 and Table 1, on anyone's documents.

A model is trained on pairs of headlines and texts, its weights are tuned on dev, and its headlines of the test set are
compared with those of the paper's systems. Rows are systems; columns are the paper's figures: matched unigrams and
bigrams, length, ROUGE.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from widl.arguments import PathLike
from widl.decoder import format_weights
from widl.errors import InputError
from widl.experiments.config import ConfigPart, ExperimentConfig, InputPath, Name, TuningConfig, check_distinct
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.headline_tables import FACTS, METRICS, matches, pictures, tables
from widl.experiments.results import Results, Scorer, System, SystemRun, TestSet, per_item
from widl.files import write_text
from widl.hashing import write_json
from widl.headline import HeadlineOptions, Headliner
from widl.headline.budget import Budget
from widl.headline.documents import Document, Unreadable, read_documents, reference_streams
from widl.headline.expression import PhraseOptions
from widl.headline.headliner import PARSED_WORDS
from widl.headline.options import SEARCHED, SystemName
from widl.headline.parse_cache import ParseCache
from widl.headline.parsing import ParsedDocument, load_parser
from widl.headline.support import support
from widl.headline.written_words import has_letters
from widl.jobs import Tell
from widl.manifests import MANIFEST
from widl.mert import Objective, tune_replications
from widl.options import same
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.tuning_decoders import headline_decoder, headline_space
from widl.workers import Engine, Progress, no_progress


class HeadlineTuningConfig(TuningConfig):
    """How the weights of ``widl`` are tuned on dev."""

    metric: str = Field(
        default="rouge2_recall", description="Metric to maximise; rouge1x2_recall is the paper's ROUGE₂."
    )


class HeadlineSystemConfig(ConfigPart):
    """A row of the table: a system, and for ``widl`` its search."""

    name: Name = Field(description="In tables and file names.")
    system: SystemName = same(HeadlineOptions, "system", default=...)
    search: Literal["astar", "astar-k", "beam"] = same(HeadlineOptions, "search")
    k: int = same(HeadlineOptions, "k")
    beam_size: int = same(HeadlineOptions, "beam_size")
    present_tense: bool = same(PhraseOptions, "present_tense")


_ALL: list[SystemName] = ["lead", "hedge-trimmer", "topiary", "keywords", "webcl", "widl"]


class HeadlineExperimentConfig(ExperimentConfig):
    """The configuration of the headline experiment, with documents to `train` a model on, or with a `model`."""

    train: list[InputPath] = Field(default=[], description="Documents with headlines to train on.")
    text: list[InputPath] = Field(default=[], description="More text for the general language model.")
    model: InputPath | None = Field(
        default=None, description="Instead of `train`: a directory made by 'widl headline train'."
    )
    parser: str | None = same(HeadlineTraining, "parser")
    dev: list[InputPath] = Field(
        default=[], description="Documents to tune on; without, the weights are the model's."
    )
    test: list[InputPath] = Field(min_length=1, description="Documents with headlines.")
    words: int = same(Budget, "words")
    bytes: int = same(Budget, "bytes")
    tuning: HeadlineTuningConfig = Field(default=HeadlineTuningConfig(), description="How weights are tuned.")
    system: list[HeadlineSystemConfig] = Field(
        default=[HeadlineSystemConfig(name=name, system=name) for name in _ALL],
        min_length=1,
        description="Rows of the tables; by default those of the paper.",
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.model is None) != bool(self.train):
            raise ValueError("give either 'train', documents with headlines, or 'model', a directory")
        if not self.words and not self.bytes:
            raise ValueError("a headline needs a budget of 'words' or of 'bytes'")
        check_distinct("systems", [system.name for system in self.system])
        return self

    @property
    def budget(self) -> Budget:
        """The budget of a headline."""
        return Budget(words=self.words, bytes=self.bytes)


def run_headline_experiment(
    config: HeadlineExperimentConfig,
    directory: PathLike,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
    tell: Tell = lambda _: None,
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    Steps work on `threads` threads; with an `engine`, tuning and the realization of headlines work there.
    """
    test, dev = _documents(config.test, "test"), _documents(config.dev, "dev")
    paths = [*config.train, *config.text, *config.dev, *config.test]
    inputs = {str(path): path for path in paths}
    if config.model:
        inputs[str(config.model)] = config.model / MANIFEST
    with open_experiment(
        config, directory, kind="headline", inputs=inputs, threads=threads, progress=progress, tell=tell
    ) as run:
        return _Experiment(config, run, engine).run(dev, test)


def _documents(files: Sequence[Path], name: str) -> list[Document]:
    documents = []
    for document in read_documents(list(files)) if files else ():
        if isinstance(document, Unreadable):
            raise InputError(document.message)
        if not document.headlines:
            raise InputError(f"{name}: document {document.identifier} has no headline to compare with")
        documents.append(document)
    return documents


@dataclass
class _Experiment:
    config: HeadlineExperimentConfig
    of: ExperimentRun
    engine: Engine | None

    def run(self, dev: Sequence[Document], test: Sequence[Document]) -> Results:
        model = self.model()
        headliner = Headliner(model, parser=self.config.parser)
        searched = [kind for kind in SEARCHED if any(system.system == kind for system in self.config.system)]
        tuned = {kind: self.weights(headliner, model, dev, kind) for kind in searched}
        references = reference_streams(test)
        parses = cache(lambda: self.parsed(headliner, test))
        scorer = Scorer(METRICS, references, threads=self.of.threads)
        runs: dict[str, list[SystemRun]] = {}
        for system in self.config.system:
            system_weights = tuned[system.system][0] if system.system in tuned else [headliner.weights]
            for number, run_weights in enumerate(system_weights):
                label = f"seed-{self.config.seed + number}" if system.system in tuned and dev else "run"
                headlines = self.headlines(headliner.reweighted(run_weights), model, system, parses, label)
                supported = self.support([str(headline["text"]) for headline in headlines], headliner, parses())
                runs.setdefault(system.name, []).append(_run(label, headlines, references, scorer, supported))
        published = self.support([document.headlines[0] for document in test], headliner, parses())
        test_set = TestSet.of(
            "test",
            inputs=[document.text for document in test],
            references=[[line or "" for line in stream] for stream in references],
            metrics=[*scorer.metrics, *FACTS],
            systems=runs,
        )
        kinds = {system.name: system.system for system in self.config.system}
        return self.of.finish(
            title=f"Headlines of {len(test)} documents",
            tables=tables(test_set, kinds, published),
            sets=[test_set],
            systems=[
                System(
                    name=system.name,
                    settings=system.model_dump(mode="json"),
                    weights={run.label: w for run, w in zip(runs[system.name], tuned[system.system][0], strict=False)}
                    if system.system in tuned
                    else {},
                )
                for system in self.config.system
            ],
            pictures=pictures(test_set, {kind: curves for kind, (_, curves) in tuned.items()}),
        )

    def model(self) -> Path:
        """The configured model, or one trained on the pairs."""
        config = self.config
        if config.model:
            return config.model
        training = HeadlineTraining(
            pairs=config.train, text=config.text, parser=config.parser, threads=self.of.threads, seed=config.seed
        )
        path = self.of.job.path("model")
        self.of.job.run(
            "model",
            lambda: train_headlines(training, path, overwrite=True, progress=self.of.progress),
            outputs=["model"],
            files=[*config.train, *config.text],
            settings={"parser": load_parser(config.parser).fingerprint.hex(), "seed": config.seed},
        )
        return path

    def weights(
        self, headliner: Headliner, model: Path, dev: Sequence[Document], kind: SystemName
    ) -> tuple[list[dict[str, float]], list[list[float]]]:
        """Weights of each replication, and dev scores by iteration. Without dev, the weights of the model."""
        if not dev:
            return [headliner.weights_of(kind)], []
        tuning, seed = self.config.tuning, self.config.seed
        settings = {"tuning": tuning, "seed": seed, "budget": self.config.budget, "system": kind}
        files = self._model_files(model) | {f"dev {i}": path for i, path in enumerate(self.config.dev)}
        job = self.of.job.path(f"tuning-{self.of.job.digest(files=files, settings=settings)[:8]}")

        def make() -> None:
            options = HeadlineOptions(system=kind, budget=self.config.budget)
            tuning_options = tuning.options(threads=self.of.threads)
            start, optimizer = headline_space(headliner.weights_of(kind), tuning_options.optimizer, kind)
            results = tune_replications(
                headline_decoder(
                    headliner, self.parsed(headliner, dev), options, threads=self.of.threads, engine=self.engine
                ),
                Objective(tuning.metric, reference_streams(dev), threads=self.of.threads),
                start,
                job,
                replace(tuning_options, optimizer=optimizer),
                seeds=range(seed, seed + tuning.replications),
                on_iteration=lambda i: self.of.tell(f"tuning, iteration {i.number}: {i.score:.3f}"),
            )
            replications = [{"weights": r.weights, "curve": [i.score for i in r.iterations]} for r in results]
            best = max(results, key=lambda result: result.score)
            with write_text(self.of.job.path(f"{name}.toml")) as file:
                file.write(format_weights(best.weights))
            write_json(self.of.job.path(f"{name}.json"), replications)

        name = "weights" if kind == "widl" else f"weights-{kind}"
        outputs = [f"{name}.json", f"{name}.toml"]
        self.of.job.run(name, make, outputs=outputs, files=files, settings=settings)
        replications: list[dict[str, Any]] = self.of.job.read(f"{name}.json")
        return [r["weights"] for r in replications], [r["curve"] for r in replications]

    def headlines(
        self,
        headliner: Headliner,
        model: Path,
        system: HeadlineSystemConfig,
        parses: Callable[[], Sequence[ParsedDocument]],
        label: str,
    ) -> list[dict[str, Any]]:
        """A system's headlines of the test documents, each as a JSON record."""
        options = HeadlineOptions(
            system=system.system,
            budget=self.config.budget,
            search=system.search,
            k=system.k,
            beam_size=system.beam_size,
            phrases=PhraseOptions(present_tense=system.present_tense),
        )
        name = f"systems/{system.name}.{label}"
        path = self.of.job.path(f"{name}.json")

        def make() -> None:
            headlines: list[Mapping[str, Any]] = []
            for headline in headliner.generate_parsed(parses(), options, engine=self.engine):
                headlines.append(headline.as_dict())
                self.of.progress(f"{system.name} ({label})", len(headlines), len(parses()))
            with write_text(path.with_suffix(".txt")) as file:
                file.writelines(f"{headline['text']}\n" for headline in headlines)
            write_json(path, headlines)

        weights = headliner.weights if system.system in SEARCHED else {}
        self.of.job.run(
            name,
            make,
            outputs=[f"{name}.json", f"{name}.txt"],
            files=self._model_files(model) | {f"test {i}": file for i, file in enumerate(self.config.test)},
            settings={"system": system, "budget": self.config.budget, "weights": weights},
        )
        headlines: list[dict[str, Any]] = self.of.job.read(f"{name}.json")
        return headlines

    def parsed(self, headliner: Headliner, documents: Sequence[Document]) -> list[ParsedDocument]:
        """Parses of documents, cached in the directory."""
        with ParseCache(self.of.job.path("parses.sqlite")) as cache:
            parses = []
            for parsed in cache.parse(headliner.parser, documents, words=PARSED_WORDS, threads=self.of.threads):
                parses.append(parsed)
                self.of.progress("parsing", len(parses), len(documents))
            return parses

    def support(
        self, headlines: Sequence[str], headliner: Headliner, parses: Sequence[ParsedDocument]
    ) -> list[tuple[int, int]]:
        """Of each headline the number of its relations that its document has, and of all its relations."""
        with ParseCache(self.of.job.path("parses.sqlite")) as cache:
            parse = partial(cache.parse, headliner.parser, words=PARSED_WORDS, threads=self.of.threads)
            return support(headlines, parses, parse)

    @staticmethod
    def _model_files(model: Path) -> dict[str, Path]:
        """The model's files that headlines depend on. Weights are not among them: they are a setting of the step."""
        files = sorted(path for path in model.iterdir() if path.suffix in {".binary", ".gz"})
        return {f"model/{path.name}": path for path in files}


def _run(
    label: str,
    headlines: Sequence[Mapping[str, Any]],
    references: Sequence[Sequence[str | None]],
    scorer: Scorer,
    supported: Sequence[tuple[int, int]],
) -> SystemRun:
    texts = [str(headline["text"]) for headline in headlines]
    by_document = ([line for line in lines if line] for lines in zip(*references, strict=True))
    matched = [matches(text, lines) for text, lines in zip(texts, by_document, strict=True)]
    return SystemRun(
        label=label,
        outputs=texts,
        statistics=scorer.statistics(texts)
        | {
            "support": [[float(count), float(relations)] for count, relations in supported],
            "unigrams": per_item([headline[0] for headline in matched]),
            "bigrams": per_item([headline[1] for headline in matched]),
            "length": per_item([sum(map(has_letters, text.split())) for text in texts]),  # Webcl has slashes
            "optimal": per_item([bool(headline["optimal"]) for headline in headlines]),
            "seconds": per_item([float(headline["seconds"]) for headline in headlines]),
        },
    )
