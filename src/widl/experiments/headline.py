"""The headline experiment of Soricut & Marcu (2006), Section 4 and Table 1, on anyone's documents.

A model is trained on pairs of headlines and texts, its weights are tuned on dev, and its headlines of the test set are
compared with those of the paper's systems. Rows are systems; columns are the paper's figures: matched unigrams and
bigrams, length, ROUGE.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from widl.common.arguments import PathLike
from widl.common.files import write_text
from widl.common.hashing import write_json
from widl.common.manifests import MANIFEST
from widl.common.options import same
from widl.common.presets import PresetOf2006
from widl.common.steps import Tell
from widl.common.workers import Engine, Progress, no_progress
from widl.decoder import format_weights
from widl.experiments.config import ExperimentConfig, InputPath, TuningConfig, check_distinct, tuning_in_preset
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.headline_systems import HeadlineSystemConfig
from widl.experiments.headline_tables import FACTS, METRICS, matches, tables
from widl.experiments.relation_support import support
from widl.experiments.results import Results, Scorer, System, SystemRun, TestSet, per_item
from widl.experiments.test_sets import warn_of_same_texts
from widl.headline import Headliner
from widl.headline.budget import Budget
from widl.headline.documents import Document, reference_streams
from widl.headline.headliner import PARSED_WORDS
from widl.headline.options import SEARCHED, SystemName
from widl.headline.parsing import ParsedDocument, Parser
from widl.headline.references import read_with_references
from widl.headline.words import has_letters
from widl.mert import MetricOptions, Objective, tune_replications
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.tuning_decoders import headline_decoder


class HeadlineTuningConfig(TuningConfig):
    """How the weights of ``widl`` and ``widl-paper`` are tuned on dev."""

    metric: str = Field(
        default="rouge2_recall", description="Metric to maximise; rouge1x2_recall is the paper's ROUGE₂."
    )


_ALL: list[SystemName] = ["lead", "hedge-trimmer", "topiary", "keywords", "webcl", "widl-paper", "widl"]


class HeadlineExperimentConfig(ExperimentConfig):
    """The configuration of the headline experiment, with documents to `train` a model on, or with a `model`."""

    preset: PresetOf2006 | None = Field(default=None, description="All systems and tuning as in a paper.")
    train: list[InputPath] = Field(default=[], description="Documents with headlines to train on.")
    text: list[InputPath] = Field(default=[], description="More text for the general language model.")
    model: InputPath | None = Field(
        default=None, description="Instead of `train`: a directory made by 'widl headline train'."
    )
    dev: list[InputPath] = Field(default=[], description="Documents to tune on; without, the weights are the model's.")
    dev_references: list[InputPath] = Field(default=[], description="As `test_references`, of `dev`.")
    test: list[InputPath] = Field(min_length=1, description="Documents with headlines.")
    test_references: list[InputPath] = Field(
        default=[],
        description="References instead of the headlines in `test`: DUC's folders of model summaries, or files with a "
        "line for each document.",
    )
    references: int = Field(
        default=0, ge=0, description="Number of references of a document that count, the first ones; 0: all."
    )
    stem: bool = same(MetricOptions, "stem")
    jackknife: bool = same(MetricOptions, "jackknife")
    pooled: bool = same(MetricOptions, "pooled")
    words: int = same(Budget, "words")
    bytes: int = same(Budget, "bytes")
    tuning: HeadlineTuningConfig = Field(default=HeadlineTuningConfig(), description="How weights are tuned.")
    system: list[HeadlineSystemConfig] = Field(
        default=[HeadlineSystemConfig(name=name, system=name) for name in _ALL],
        min_length=1,
        description="Rows of the tables; by default those of the paper.",
    )

    @model_validator(mode="before")
    @classmethod
    def _of_preset(cls, values: Any) -> Any:
        """The paper's systems, Table 1, with its tuning."""
        if not isinstance(values, dict) or "preset" not in values:
            return values
        rows = [{"name": "WIDL-Astar" if name == "widl-paper" else name, "system": name} for name in _ALL[:-1]]
        return {"system": rows} | values | tuning_in_preset(values, "headline")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for system in self.system if self.preset else ():
            if system.system in SEARCHED:
                system.options(self.budget, self.preset)
        if (self.model is None) != bool(self.train):
            raise ValueError("give either 'train', documents with headlines, or 'model', a directory")
        if not self.budget.words and not self.budget.bytes:
            raise ValueError("a headline needs a budget of 'words' or of 'bytes'")
        check_distinct("systems", [system.name for system in self.system])
        return self

    @property
    def budget(self) -> Budget:
        """The budget of a headline."""
        return Budget(**{name: getattr(self, name) for name in ("words", "bytes") if name in self.model_fields_set})

    @property
    def metrics(self) -> MetricOptions:
        """How ROUGE is counted."""
        return MetricOptions(stem=self.stem, jackknife=self.jackknife, pooled=self.pooled)


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
    test = read_with_references(config.test, config.test_references, most=config.references)
    dev = read_with_references(config.dev, config.dev_references, most=config.references) if config.dev else []
    warn_of_same_texts("dev", [document.text for document in dev], "test", [document.text for document in test])
    paths = [*config.train, *config.text, *config.dev, *config.dev_references, *config.test, *config.test_references]
    inputs = {str(path): path for path in paths}
    if config.model:
        inputs[str(config.model)] = config.model / MANIFEST
    with open_experiment(
        config, directory, kind="headline", inputs=inputs, threads=threads, progress=progress, tell=tell
    ) as run:
        return _Experiment(config, run, engine).run(dev, test)


@dataclass
class _Experiment:
    config: HeadlineExperimentConfig
    of: ExperimentRun
    engine: Engine | None

    def run(self, dev: Sequence[Document], test: Sequence[Document]) -> Results:
        model = self.model()
        open_headliner = cache(lambda kind: Headliner(model, system=kind))
        references = reference_streams(test)
        parses = cache(lambda: self.parsed(open_headliner("widl"), test))
        scorer = Scorer(METRICS, references, self.config.metrics, threads=self.of.threads)
        runs: dict[str, list[SystemRun]] = {}
        weights: dict[str, dict[str, dict[str, float]]] = {}  # by system and run
        for system in self.config.system:
            headliner = open_headliner(system.system)
            replications = [headliner.weights]
            if system.system in SEARCHED:
                tuned = next(s for s in self.config.system if s.is_tuned_as(system))
                replications = self.weights(headliner, model, tuned, dev)
            for number, run_weights in enumerate(replications):
                label = f"seed-{self.config.seed + number}" if system.system in SEARCHED and dev else "run"
                headlines = self.headlines(headliner.reweighted(run_weights), model, system, parses, label)
                supported = self.support([str(headline["text"]) for headline in headlines], headliner, parses())
                runs.setdefault(system.name, []).append(_run(label, headlines, references, scorer, supported))
                if system.system in SEARCHED:
                    weights.setdefault(system.name, {})[label] = run_weights
        published = self.support([document.headlines[0] for document in test], open_headliner("widl"), parses())
        test_set = TestSet.of(
            "test",
            inputs=[document.text for document in test],
            references=[[line or "" for line in stream] for stream in references],
            metrics=[*scorer.metrics, *FACTS],
            systems=runs,
        )
        kinds = {system.name: system.of_the_paper for system in self.config.system}
        return self.of.finish(
            title="Headlines",
            tables=tables(test_set, kinds, published),
            sets=[test_set],
            systems=[
                System(
                    name=system.name,
                    settings=system.model_dump(mode="json"),
                    weights=weights.get(system.name, {}),
                )
                for system in self.config.system
            ],
        )

    def model(self) -> Path:
        """The configured model, or one trained on the pairs."""
        config = self.config
        if config.model:
            return config.model
        training = HeadlineTraining(pairs=config.train, text=config.text, threads=self.of.threads)
        path = self.of.job.path("model")
        self.of.job.run(
            "model",
            lambda: train_headlines(training, path, overwrite=True, progress=self.of.progress),
            outputs=["model"],
            files=[*config.train, *config.text],
            settings={"parser": Parser.version()},
        )
        return path

    def weights(
        self, headliner: Headliner, model: Path, system: HeadlineSystemConfig, dev: Sequence[Document]
    ) -> list[dict[str, float]]:
        """Weights of each replication; without dev, the weights before tuning."""
        if not dev:
            return [headliner.weights | system.fixed]
        tuning, seed = self.config.tuning, self.config.seed
        settings = {"tuning": tuning, "seed": seed, "budget": self.config.budget, "metrics": self.config.metrics}
        settings |= {"system": system.tuned_settings, "references": self.config.references}
        files = self._model_files(model)
        files |= {f"dev {i}": path for i, path in enumerate([*self.config.dev, *self.config.dev_references])}
        job = self.of.job.path(f"tuning-{self.of.job.digest(files=files, settings=settings)[:8]}")

        def make() -> None:
            options = system.options(self.config.budget, self.config.preset)
            tuning_options = tuning.options(threads=self.of.threads)
            start, optimizer = system.space(headliner.weights, tuning_options.optimizer)
            results = tune_replications(
                headline_decoder(
                    headliner, self.parsed(headliner, dev), options, threads=self.of.threads, engine=self.engine
                ),
                Objective(tuning.metric, reference_streams(dev), self.config.metrics, threads=self.of.threads),
                start,
                job,
                replace(tuning_options, optimizer=optimizer),
                seeds=range(seed, seed + tuning.replications),
                on_iteration=lambda i: self.of.tell(f"tuning {system.name}, iteration {i.number}: {i.score:.3f}"),
            )
            best = max(results, key=lambda result: result.score)
            with write_text(self.of.job.path(f"{name}.toml")) as file:
                file.write(format_weights(best.weights))
            write_json(self.of.job.path(f"{name}.json"), [{"weights": result.weights} for result in results])

        name = f"systems/{system.name}.weights"
        self.of.job.run(name, make, outputs=[f"{name}.json", f"{name}.toml"], files=files, settings=settings)
        return [replication["weights"] for replication in self.of.job.read(f"{name}.json")]

    def headlines(
        self,
        headliner: Headliner,
        model: Path,
        system: HeadlineSystemConfig,
        parses: Callable[[], Sequence[ParsedDocument]],
        label: str,
    ) -> list[dict[str, Any]]:
        """A system's headlines of the test documents, each as a JSON record."""
        options = system.options(self.config.budget, self.config.preset)
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
        """Parses of documents."""
        parses = []
        for parsed in headliner.parser.parse(documents, words=PARSED_WORDS, threads=self.of.threads):
            parses.append(parsed)
            self.of.progress("parsing", len(parses), len(documents))
        return parses

    def support(
        self, headlines: Sequence[str], headliner: Headliner, parses: Sequence[ParsedDocument]
    ) -> list[tuple[int, int]]:
        """Of each headline the number of its relations that its document has, and of all its relations."""
        parse = partial(headliner.parser.parse, words=PARSED_WORDS, threads=self.of.threads)
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
