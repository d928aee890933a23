"""The headline experiment of Soricut & Marcu (2006), Section 4 and Table 1, on anyone's documents.

A model learns from training pairs, its weights are tuned on dev, and it makes the headlines of the test set beside the
systems of the paper. Rows are systems, columns what the paper counts: matched unigrams and bigrams, length, ROUGE.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
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
from widl.headline.options import SystemName
from widl.headline.parse_cache import ParseCache
from widl.headline.parsing import ParsedDocument, load_parser
from widl.headline.surface import has_letters
from widl.jobs import Tell
from widl.manifests import MANIFEST
from widl.mert import Objective, tune_replications
from widl.options import same
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.tuning import headline_decoder, headline_space
from widl.workers import Engine, Progress, no_progress


class HeadlineTuningConfig(TuningConfig):
    """How the weights of ``widl`` are tuned on dev."""

    metric: str = Field(
        default="rouge2_recall", description="What is made large; rouge1x2_recall is what the paper calls ROUGE₂."
    )


class HeadlineSystemConfig(ConfigPart):
    """A row: a system by name, and for ``widl`` its search."""

    name: Name = Field(description="In tables and file names.")
    system: SystemName = same(HeadlineOptions, "system", default=...)
    search: Literal["astar", "astar-k", "beam"] = same(HeadlineOptions, "search")
    k: int = same(HeadlineOptions, "k")
    beam_size: int = same(HeadlineOptions, "beam_size")
    present_tense: bool = same(PhraseOptions, "present_tense")


_ALL: list[SystemName] = ["lead", "hedge-trimmer", "topiary", "keywords", "webcl", "widl"]


class HeadlineExperimentConfig(ExperimentConfig):
    """All of an experiment, from `train` documents or with a `model` that is there."""

    train: list[InputPath] = Field(default=[], description="Documents with headlines to learn from.")
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
        check_distinct("systems", [one.name for one in self.system])
        return self

    @property
    def budget(self) -> Budget:
        """Of a headline."""
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
    """Run what `directory` does not hold yet of the experiment, and put all of it together there.

    All is done on `threads` threads; tuning and making headlines wherever `engine` works, if there is one.
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
    found = []
    for document in read_documents(list(files)) if files else ():
        if isinstance(document, Unreadable):
            raise InputError(document.message)
        if not document.headlines:
            raise InputError(f"{name}: document {document.identifier} has no headline to compare with")
        found.append(document)
    return found


@dataclass
class _Experiment:
    config: HeadlineExperimentConfig
    of: ExperimentRun
    engine: Engine | None

    def run(self, dev: Sequence[Document], test: Sequence[Document]) -> Results:
        model = self.model()
        headliner = Headliner(model, parser=self.config.parser)
        weights, curves = self.weights(headliner, model, dev)
        references = reference_streams(test)
        parses = cache(lambda: self.parsed(headliner, test))
        scorer = Scorer(METRICS, references, threads=self.of.threads)
        runs: dict[str, list[SystemRun]] = {}
        for system in self.config.system:
            own = weights if system.system == "widl" else [headliner.weights]
            for number, one in enumerate(own):
                label = f"seed-{self.config.seed + number}" if system.system == "widl" and dev else "run"
                found = self.headlines(headliner.reweighted(one), model, system, parses, label)
                runs.setdefault(system.name, []).append(_run(label, found, references, scorer))
        set_ = TestSet.of(
            "test",
            inputs=[document.text for document in test],
            references=[[line or "" for line in stream] for stream in references],
            metrics=[*scorer.metrics, *FACTS],
            systems=runs,
        )
        kinds = {system.name: system.system for system in self.config.system}
        return self.of.finish(
            title=f"Headlines of {len(test)} documents",
            tables=tables(set_, kinds),
            sets=[set_],
            systems=[
                System(
                    name=system.name,
                    settings=system.model_dump(mode="json"),
                    weights={run.label: one for run, one in zip(runs[system.name], weights, strict=False)}
                    if system.system == "widl"
                    else {},
                )
                for system in self.config.system
            ],
            pictures=pictures(set_, curves),
        )

    def model(self) -> Path:
        """The model given, or one trained on the pairs."""
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
        self, headliner: Headliner, model: Path, dev: Sequence[Document]
    ) -> tuple[list[dict[str, float]], list[list[float]]]:
        """Weights of every replication, and dev scores by iteration; the model's own weights without dev."""
        if not dev:
            return [headliner.weights], []
        tuning, seed = self.config.tuning, self.config.seed
        settings = {"tuning": tuning, "seed": seed, "budget": self.config.budget}
        files = self._model_files(model) | {f"dev {i}": path for i, path in enumerate(self.config.dev)}
        job = self.of.job.path(f"tuning-{self.of.job.digest(files=files, settings=settings)[:8]}")

        def make() -> None:
            options = HeadlineOptions(budget=self.config.budget)
            own = tuning.options(threads=self.of.threads)
            start, optimizer = headline_space(headliner.weights, own.optimizer)
            results = tune_replications(
                headline_decoder(
                    headliner, self.parsed(headliner, dev), options, threads=self.of.threads, engine=self.engine
                ),
                Objective(tuning.metric, reference_streams(dev), threads=self.of.threads),
                start,
                job,
                replace(own, optimizer=optimizer),
                seeds=range(seed, seed + tuning.replications),
                on_iteration=lambda i: self.of.tell(f"tuning, iteration {i.number}: {i.score:.3f}"),
            )
            found = [{"weights": one.weights, "curve": [i.score for i in one.iterations]} for one in results]
            best = max(results, key=lambda one: one.score)
            with write_text(self.of.job.path("weights.toml")) as file:
                file.write(format_weights(best.weights))
            write_json(self.of.job.path("weights.json"), found)

        outputs = ["weights.json", "weights.toml"]
        self.of.job.run("weights", make, outputs=outputs, files=files, settings=settings)
        found: list[dict[str, Any]] = self.of.job.read("weights.json")
        return [one["weights"] for one in found], [one["curve"] for one in found]

    def headlines(
        self,
        headliner: Headliner,
        model: Path,
        system: HeadlineSystemConfig,
        parses: Callable[[], Sequence[ParsedDocument]],
        label: str,
    ) -> list[dict[str, Any]]:
        """A system's headlines of the test documents, with what is known of each."""
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
            found: list[Mapping[str, Any]] = []
            for one in headliner.generate_parsed(parses(), options, engine=self.engine):
                found.append(one.as_dict())
                self.of.progress(f"{system.name} ({label})", len(found), len(parses()))
            with write_text(path.with_suffix(".txt")) as file:
                file.writelines(f"{one['text']}\n" for one in found)
            write_json(path, found)

        weights = headliner.weights if system.system == "widl" else {}
        self.of.job.run(
            name,
            make,
            outputs=[f"{name}.json", f"{name}.txt"],
            files=self._model_files(model) | {f"test {i}": file for i, file in enumerate(self.config.test)},
            settings={"system": system, "budget": self.config.budget, "weights": weights},
        )
        found: list[dict[str, Any]] = self.of.job.read(f"{name}.json")
        return found

    def parsed(self, headliner: Headliner, documents: Sequence[Document]) -> list[ParsedDocument]:
        """Parses, kept in the directory."""
        with ParseCache(self.of.job.path("parses.sqlite")) as cache:
            parses = []
            for one in cache.parse(headliner.parser, documents, words=PARSED_WORDS, threads=self.of.threads):
                parses.append(one)
                self.of.progress("parsing", len(parses), len(documents))
            return parses

    @staticmethod
    def _model_files(model: Path) -> dict[str, Path]:
        """All that headlines depend on but weights, which are a setting."""
        kept = sorted(path for path in model.iterdir() if path.suffix in {".binary", ".gz"})
        return {f"model/{path.name}": path for path in kept}


def _run(
    label: str, found: Sequence[Mapping[str, Any]], references: Sequence[Sequence[str | None]], scorer: Scorer
) -> SystemRun:
    texts = [str(one["text"]) for one in found]
    by_document = ([line for line in lines if line] for lines in zip(*references, strict=True))
    matched = [matches(text, lines) for text, lines in zip(texts, by_document, strict=True)]
    return SystemRun(
        label=label,
        outputs=texts,
        statistics=scorer.statistics(texts)
        | {
            "unigrams": per_item([one[0] for one in matched]),
            "bigrams": per_item([one[1] for one in matched]),
            "length": per_item([sum(map(has_letters, text.split())) for text in texts]),  # Webcl has slashes
            "optimal": per_item([bool(one["optimal"]) for one in found]),
            "seconds": per_item([float(one["seconds"]) for one in found]),
        },
    )
