"""The translation experiment of Soricut & Marcu (2006), Section 5, on anyone's data.

The weights of each system are tuned on dev, several times. The systems translate the test sets with these weights and
are compared by BLEU, chrF and TER, by model score under equal weights, and by speed. All results are in one directory
(`widl.experiments.experiment`).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.hashing import digest, write_json
from widl.common.steps import Tell, open_job
from widl.common.workers import Engine, LocalEngine, Progress, no_progress
from widl.decoder import FeatureLayout, read_weights
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.results import Column, Results, Row, Scorer, Statistics, System, SystemRun, Table, TestSet
from widl.experiments.test_sets import SourceAndReferences, read_test_set, warn_of_same_texts
from widl.experiments.translation_config import DevConfig, SystemConfig, TrainConfig, TranslationExperimentConfig
from widl.experiments.translation_notes import Model, TunedWeights, forecast, left_out, notes_of, paper_bleu, tuners_of
from widl.experiments.translation_tables import EqualWeights, OwnWeights, tables
from widl.mert import Candidate, Decoder, LatticeDecoder, Objective
from widl.pipeline.training import train
from widl.pipeline.tuning import TranslationTask, tune_task
from widl.translation import Translation, Translator
from widl.translation.folding import shown_features
from widl.translation.search_errors import EXACT_LIMIT, SearchErrors, search_errors

_FORECAST_AFTER = 60.0  # seconds of the first decoding
_FOR_ERRORS = 200  # lines of a test set


@dataclass(frozen=True)
class Output:
    """A translation of a test set: by line its text, model score, bound and seconds of search."""

    texts: list[str]
    scores: list[float]
    bounds: list[float]
    seconds: list[float]
    words: int
    failures: int

    @classmethod
    def of(cls, translations: Sequence[Translation]) -> "Output":
        """What is kept of translations."""
        return cls(
            texts=[t.text for t in translations],
            scores=[t.score for t in translations],
            bounds=[t.bound for t in translations],
            seconds=[t.seconds for t in translations],
            words=sum(len(t.source) for t in translations),
            failures=sum(bool(t.failure) for t in translations),
        )

    @property
    def words_per_second(self) -> float:
        """Source words per second of search."""
        return self.words / max(sum(self.seconds), 1e-9)


def run_translation_experiment(
    config: TranslationExperimentConfig,
    directory: PathLike,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
    tell: Tell = lambda _: None,
) -> Results:
    """Run what `directory` does not hold yet of the experiment, and put all of it together there.

    All is done on `threads` threads; decoding wherever `engine` works, if there is one.
    """
    data = {test.name: _with_references(f"test set {test.name}", test.source, test.references) for test in config.test}
    dev = read_dev(config.dev) if config.dev else None
    for name, test in data.items():
        if dev is not None:
            warn_of_same_texts("[dev]", dev.source, f"test set {name}", test.source)
    check_conditions(config)
    if config.train is not None:
        model = _trained(config.train, path_of(directory, "directory"), threads, progress, tell)
        config = config.model_copy(update={"model": model})
    assert config.model is not None  # the configuration was checked
    models = {path: Model.read(path) for path in (config.model, *(s.model for s in config.system if s.model))}
    files = {f"model/{name}": path for name, path in models[config.model].files.items()}
    for system in config.system:
        if system.model is not None:
            files |= {f"systems/{system.name}/model/{n}": path for n, path in models[system.model].files.items()}
    with open_experiment(
        config,
        directory,
        kind="translation",
        inputs=files | config.inputs(),
        threads=threads,
        progress=progress,
        tell=tell,
        facts={"tuners": tuners_of(config, models)},
    ) as run:
        return _Experiment(config, run, models, dev, engine or LocalEngine(threads)).run(data)


def check_conditions(config: TranslationExperimentConfig) -> None:
    """InputError unless the systems of a preset differ in search alone: "using the same experimental conditions" (§5).

    They then have one model, its tiles, its language model, features of the same names, and one limit of movement.
    """
    for system in config.system[1:] if config.preset else ():
        if reason := left_out(config, system):
            first = config.system[0].name
            raise InputError(
                f"systems {first!r} and {system.name!r} of the preset {config.preset} must differ in search alone, but "
                f"one has {reason}"
            )


def _with_references(name: str, source: Path, references: Sequence[Path]) -> SourceAndReferences:
    found = read_test_set(source, references)
    if not found.references:
        raise InputError(f"{source}: {name} has no references; name them in 'references'")
    return found


def read_dev(sets: Sequence[DevConfig]) -> SourceAndReferences:
    """All development sets as one, with as many references as the most have; those of others come several times."""
    found = []
    for one in sets:
        read = _with_references("[dev]", one.source, one.references)
        most = one.lines or len(read)
        found.append(SourceAndReferences(read.source[:most], [lines[:most] for lines in read.references]))
    count = max(len(one.references) for one in found)
    references = [[line for one in found for line in one.references[i % len(one.references)]] for i in range(count)]
    return SourceAndReferences([line for one in found for line in one.source], references)


def _trained(config: TrainConfig, directory: Path, threads: int, progress: Progress, tell: Tell) -> Path:
    """The directory of a model that is trained on the texts, unless it is there already."""
    beside = directory.with_name(f"{directory.name}.training")
    with open_job(beside, "training of an experiment's model", tell=tell) as job:
        model = job.path("model")

        def make() -> None:
            train(
                config.bitext, config.lm_text, model, config.options,
                dictionaries=config.dictionary, threads=threads, overwrite=True, progress=progress,
            )  # fmt: skip

        settings = {"options": config.options}
        job.run("model", make, outputs=["model/manifest.json"], files=config.files(), settings=settings)
    return model


@dataclass
class _Experiment:
    config: TranslationExperimentConfig
    of: ExperimentRun
    models: dict[Path, Model]
    dev: SourceAndReferences | None
    engine: Engine
    translators: dict[tuple[Path, str, str | None], Translator] = field(default_factory=dict)
    """By model, how they count movement, and preset."""
    outputs: dict[str, tuple[Output, dict[str, Statistics]]] = field(default_factory=dict)
    """By step."""
    has_forecast: bool = False
    test_lines: int = 0

    def run(self, data: Mapping[str, SourceAndReferences]) -> Results:
        tuners = tuners_of(self.config, self.models)
        self.test_lines = sum(map(len, data.values()))
        tuned: dict[str, list[TunedWeights]] = {}
        for system in self.config.system:
            tuned[system.name] = tuned[system.weights_of] if system.weights_of else self.weights(system)
        sets: list[TestSet] = []
        own: list[OwnWeights] = []
        equal: list[EqualWeights] = []
        for name, test in data.items():
            own.append(self.own_weights(name, test, tuned))
            sets.append(own[-1].test)
            if len(compared := [system for system in self.config.system if left_out(self.config, system) is None]) > 1:
                equal.append(self.equal_weights(name, test, tuned, compared))
                sets.append(equal[-1].test)
        errors = [self.errors(name, test, tuned) for name, test in data.items()] if self.config.preset else []
        return self.of.finish(
            title=f"Translation: {', '.join(tuned)}",
            tables=tables(own, equal) + errors,
            notes=notes_of(self.config, tuned, tuners, len(self.dev) if self.dev else 0),
            sets=sets,
            systems=[
                System(
                    name=system.name,
                    settings=_shown(system) | ({"tuned by": tuners[system.name]} if system.name in tuners else {}),
                    weights={
                        self._label(system, i): replication.weights for i, replication in enumerate(tuned[system.name])
                    },
                )
                for system in self.config.system
            ],
        )

    def errors(self, name: str, data: SourceAndReferences, tuned: Mapping[str, Sequence[TunedWeights]]) -> Table:
        """Search errors of each system against exact search, on the first lines of a test set."""
        lines = data.source[:_FOR_ERRORS]

        def found(system: SystemConfig, label: str, weights: Mapping[str, float] | None) -> SearchErrors:
            translator = self.translator(system, system.distortion)
            used = dict(translator.weights if weights is None else weights)
            one: dict[str, int] = self.of.job.value(
                f"systems/{system.name}/{name}.errors.{label}",
                lambda: asdict(search_errors(translator, lines, system.options, used, engine=self.engine)),
                files=self.models[self.config.model_of(system)].inputs(weights=False),
                settings={"options": _settings(system), "source": digest(lines), "weights": used},
            )
            return SearchErrors(**one)

        rows = []
        for system in self.config.system:
            best = max(tuned[system.name], key=lambda replication: replication.dev_score or 0.0)
            each = [found(system, "default", None), found(system, "tuned", best.weights)]
            rows.append(Row(label=system.name, cells=[*(one.percent for one in each), min(one.proved for one in each)]))
        return Table(
            name=f"{name}-search-errors",
            title=f"{name}: search errors at distortion limit {EXACT_LIMIT}, first {len(lines)} lines",
            columns=[
                Column(name="default weights %", better="lower", help="against exact search"),
                Column(name="tuned weights %", better="lower", help="against exact search"),
                Column(name="proved", digits=0, help="lines whose best derivation exact search proved"),
            ],
            rows=rows,
        )

    def translator(self, system: SystemConfig, distortion: str) -> Translator:
        """Opened when something is to be translated at all."""
        model = self.config.model_of(system)
        if (model, distortion, system.options.preset) not in self.translators:
            translator = Translator(model, distortion=distortion, preset=system.options.preset)
            self.translators[model, distortion, system.options.preset] = translator
        return self.translators[model, distortion, system.options.preset]

    def weights(self, system: SystemConfig) -> list[TunedWeights]:
        """The weights of all replications, tuned unless they are there or given."""
        if system.weights is not None:
            layout = FeatureLayout(tuple(self.models[self.config.model_of(system)].manifest.features))
            features = shown_features(layout, system.distortion, system.options.preset).layout.names
            return [TunedWeights(read_weights(system.weights, features), None)]
        files = self.models[self.config.model_of(system)].inputs() | _glossary(system)
        for number, dev in enumerate(self.config.dev, 1):
            files[f"dev/source {number}"] = dev.source
            files |= {f"dev/reference {number}.{i}": path for i, path in enumerate(dev.references, 1)}
        settings = {"options": _settings(system), "tuning": self.config.tuning, "seed": self.config.seed}
        settings["lines"] = [dev.lines for dev in self.config.dev]
        settings |= _movement(system.distortion)
        name = f"systems/{system.name}/weights"
        path = self.of.job.path(f"{name}.json")
        # Other settings make another job, in a directory of its own beside the earlier ones.
        job = path.parent / f"tuning-{self.of.job.digest(files=files, settings=settings)[:8]}"

        def make() -> None:
            write_json(path, self._tuned(system, job))

        self.of.job.run(name, make, outputs=[f"{name}.json"], files=files, settings=settings)
        return [TunedWeights(r["weights"], r["dev_score"], r["moved"]) for r in self.of.job.read(f"{name}.json")]

    def _tuned(self, system: SystemConfig, job: Path) -> list[TunedWeights]:
        tuning, seed, threads = self.config.tuning, self.config.seed, self.of.threads
        assert self.dev is not None
        task = TranslationTask(
            self.translator(system, system.distortion), self.dev.source, self.dev.references, system.options
        )
        results = tune_task(
            task,
            Objective(tuning.metric, self.dev.references, threads=threads),
            job,
            tuning.options(threads=threads),
            seeds=range(seed, seed + tuning.replications),
            engine=self.engine,
            watched=lambda decoder: self._watched(decoder, system),
            on_iteration=lambda i: self.of.tell(f"{system.name}: tuning, iteration {i.number}: {i.score:.3f}"),
        )
        for result in results:
            if not result.moved:
                self.of.tell(f"{system.name}: tuning did not move the weights: no others scored better")
        return [TunedWeights(result.weights, result.score, result.moved) for result in results]

    def _watched(self, decoder: Decoder | LatticeDecoder, system: SystemConfig) -> Decoder | LatticeDecoder:
        """The decoder with reports of progress, and at first a forecast of the time of all."""
        assert self.dev is not None
        assert not isinstance(decoder, LatticeDecoder)  # the configuration has no such algorithm
        total = len(self.dev)

        def decode(weights: dict[str, float], nbest: int) -> Iterator[Sequence[Candidate]]:
            start = time.monotonic()
            for done, candidates in enumerate(decoder(weights, nbest), 1):
                yield candidates
                self.of.progress(f"{system.name}: decode", done, total)
                if not self.has_forecast and (done == total or time.monotonic() - start > _FORECAST_AFTER):
                    self.has_forecast = True
                    self.of.tell(self._forecast((time.monotonic() - start) / done))

        return decode

    def _forecast(self, seconds_a_line: float) -> str:
        tuning, systems = self.config.tuning, self.config.system
        tuned = sum(system.weights is None and system.weights_of is None for system in systems)
        assert self.dev is not None
        return forecast(
            seconds_a_line,
            tunings=tuned * tuning.replications,
            iterations=tuning.max_iterations,
            dev=len(self.dev),
            test=self.test_lines * len(systems) * (tuning.replications + 1),
        )

    def output(
        self,
        system: SystemConfig,
        test: str,
        data: SourceAndReferences,
        weights: Mapping[str, float],
        label: str,
        distortion: str,
    ) -> tuple[Output, dict[str, Statistics]]:
        """A system's translation of a test set, made if it does not exist yet, and its statistics by metric.

        `weights` are of the features with movement as `distortion` says.
        """
        name = f"systems/{system.name}/{test}.{label}"
        if name in self.outputs:
            return self.outputs[name]
        job = self.of.job
        path = job.path(f"{name}.json")

        def make() -> None:
            translator = self.translator(system, distortion).reweighted(weights)
            translations = []
            for translation in translator.translate(data.source, system.options, engine=self.engine):
                translations.append(translation)
                self.of.progress(f"{system.name}: {test} ({label})", len(translations), len(data))
            output = Output.of(translations)
            with write_text(path.with_suffix(".txt")) as file:
                file.writelines(line + "\n" for line in output.texts)
            write_json(path, asdict(output))

        job.run(
            name,
            make,
            outputs=[f"{name}.json", f"{name}.txt"],
            files=self.models[self.config.model_of(system)].inputs(weights=False) | _glossary(system),
            settings={"options": _settings(system), "source": digest(data.source), "weights": dict(weights)}
            | _movement(distortion),
        )
        output = Output(**job.read(f"{name}.json"))
        metrics = self._metrics
        statistics = job.value(
            f"{name}.statistics",
            lambda: Scorer(metrics, data.references, threads=self.of.threads).statistics(output.texts),
            settings={"metrics": metrics, "texts": digest(output.texts), "references": digest(data.references)},
        )
        self.outputs[name] = output, statistics
        return self.outputs[name]

    @cached_property
    def _metrics(self) -> list[str]:
        return list(dict.fromkeys(["bleu", *self.config.metrics]))

    def own_weights(
        self, name: str, data: SourceAndReferences, tuned: Mapping[str, Sequence[TunedWeights]]
    ) -> OwnWeights:
        """All systems on a test set, each with its own weights of all replications."""
        runs: dict[str, list[SystemRun]] = {}
        speeds: dict[str, list[float]] = {}
        for system in self.config.system:
            for i, replication in enumerate(tuned[system.name]):
                label = self._label(system, i)
                output, statistics = self.output(system, name, data, replication.weights, label, system.distortion)
                runs.setdefault(system.name, []).append(_run(label, output, statistics))
                speeds.setdefault(system.name, []).append(output.words_per_second)
        scorer = Scorer(self._metrics, data.references)
        test = TestSet.of(name, inputs=data.source, references=data.references, metrics=scorer.metrics, systems=runs)
        dev = {system: [weights.dev_score for weights in replications] for system, replications in tuned.items()}
        papers = {system.name: paper_bleu(system.options) for system in self.config.system}
        return OwnWeights(test, dev, speeds, {name: bleu for name, bleu in papers.items() if bleu is not None})

    def equal_weights(
        self,
        name: str,
        data: SourceAndReferences,
        tuned: Mapping[str, Sequence[TunedWeights]],
        systems: Sequence[SystemConfig],
    ) -> EqualWeights:
        """Systems with the same derivations on a test set, with the first one's best weights: they differ in search."""
        first = self.config.system[0]
        best = max(tuned[first.name], key=lambda replication: replication.dev_score or 0.0)
        runs: dict[str, list[SystemRun]] = {}
        outputs: dict[str, Output] = {}
        for system in systems:
            own = [replication.weights for replication in tuned[system.name]]
            there = system.distortion == first.distortion and best.weights in own
            label = self._label(system, own.index(best.weights)) if there else "equal-weights"
            outputs[system.name], statistics = self.output(system, name, data, best.weights, label, first.distortion)
            runs[system.name] = [_run("equal weights", outputs[system.name], statistics)]
        return EqualWeights.of(
            name,
            data,
            Scorer(["bleu"], data.references).metrics,
            runs,
            speeds={system: output.words_per_second for system, output in outputs.items()},
        )

    def _label(self, system: SystemConfig, run: int) -> str:
        by_name = {each.name: each for each in self.config.system}
        source = by_name[system.weights_of] if system.weights_of else system
        if source.weights_of:
            return self._label(source, run)
        return "given" if source.weights is not None else f"seed-{self.config.seed + run}"


def _run(label: str, output: Output, statistics: dict[str, Statistics]) -> SystemRun:
    facts: dict[str, list[float | None]] = {
        "model score": [*output.scores],
        "bound": [*output.bounds],
        "seconds": [*output.seconds],
    }
    return SystemRun(label=label, outputs=output.texts, statistics=statistics, facts=facts)


def _glossary(system: SystemConfig) -> dict[str, Path]:
    return {"glossary": system.options.glossary} if system.options.glossary is not None else {}


def _settings(system: SystemConfig) -> dict[str, object]:
    """The options without the path of the glossary, which is one of the step's files."""
    return vars(system.options) | {"glossary": None}


def _movement(distortion: str) -> dict[str, str]:
    """How movement is counted, as a setting of a step where it is not counted as usual."""
    return {} if distortion == "own" else {"distortion": distortion}


def _shown(system: SystemConfig) -> dict[str, object]:
    """The options that differ from the defaults."""
    default = asdict(type(system.options)())
    changed = {name: value for name, value in asdict(system.options).items() if value != default[name]}
    shown = {name: str(value) if isinstance(value, Path) else value for name, value in changed.items()}
    model = {} if system.model is None else {"model": str(system.model)}
    return model | _movement(system.distortion) | shown
