"""The translation experiment of Soricut & Marcu (2006), Section 5, on anyone's data.

Every system has its weights tuned on dev, several times; translates the test sets with them; and is compared with the
first one by BLEU, chrF and TER, by model score under equal weights, and by speed. All that is found is in one
directory, and what is there already is not made again unless what it was made from has changed.
"""

import hashlib
import json
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from widl import __version__
from widl.decoder import read_weights
from widl.errors import InputError
from widl.experiments.significance import Comparison, MetricScore, TestMetrics
from widl.experiments.test_sets import TestSet, read_test_set
from widl.experiments.translation_config import SystemConfig, TranslationExperimentConfig
from widl.files import write_text
from widl.mert import Objective, OptimizerOptions, TuningOptions, tune_replications
from widl.pipeline.model_directory import MANIFEST
from widl.pipeline.translation import Translation, Translator
from widl.pipeline.tuning import translation_decoder, tunable
from widl.workers import Engine, LocalEngine

Tell = Callable[[str], None]

_TOLERANCE = 1e-4  # of model scores: phrase-table scores are 32-bit floats


@dataclass(frozen=True)
class TunedWeights:
    """One replication's weights, and what they score on dev; None where they were given."""

    weights: dict[str, float]
    dev_score: float | None


@dataclass(frozen=True)
class Output:
    """A translation of a test set: by line its text, model score and bound; and the seconds of all searches."""

    texts: list[str]
    scores: list[float]
    bounds: list[float]
    words: int
    seconds: float
    failures: int

    @classmethod
    def of(cls, found: Sequence[Translation]) -> "Output":
        """What is kept of translations."""
        return cls(
            texts=[t.text for t in found],
            scores=[t.score for t in found],
            bounds=[t.bound for t in found],
            words=sum(len(t.source) for t in found),
            seconds=sum(t.seconds for t in found),
            failures=sum(bool(t.failure) for t in found),
        )

    @property
    def words_per_second(self) -> float:
        """Source words per second of search."""
        return self.words / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class SystemOnTest:
    """A system's figures on a test set, with its own weights."""

    system: str
    test: str
    scores: dict[str, list[MetricScore]]
    """By metric, with each replication's weights."""
    dev: list[float | None]
    words_per_second: float
    against_first: dict[str, Comparison]
    """By metric, all replications pooled; empty for the first system."""


@dataclass(frozen=True)
class EqualWeights:
    """A system on a test set with the first system's best weights: a difference is one of search."""

    system: str
    test: str
    score: float
    """Mean model score."""
    errors: float
    """Share of lines for which another system found a better derivation."""
    gap: float
    """Mean distance to its own bound."""
    words_per_second: float
    bleu: float


@dataclass(frozen=True)
class TranslationResults:
    """All figures, and how the metrics are computed."""

    systems: list[SystemOnTest]
    equal_weights: list[EqualWeights]
    signatures: dict[str, dict[str, str]]
    """By test set and metric."""


def run_translation_experiment(
    config: TranslationExperimentConfig,
    directory: Path,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    tell: Tell = lambda _: None,
) -> TranslationResults:
    """Run what `directory` does not hold yet of the experiment, and put all of it together there.

    All is done on `threads` threads; decoding wherever `engine` works, if there is one.
    """
    return _Experiment(config, directory, threads, engine or LocalEngine(threads), tell).run()


@dataclass
class _Experiment:
    config: TranslationExperimentConfig
    directory: Path
    threads: int
    engine: Engine
    tell: Tell

    def run(self) -> TranslationResults:
        tests = {test.name: read_test_set(test.source, test.references) for test in self.config.test}
        for name, test in tests.items():
            if not test.references:
                raise InputError(f"test set {name} has no references")
        self.directory.mkdir(parents=True, exist_ok=True)
        self._record(tests)
        tuned = {system.name: self.weights(system) for system in self.config.system}
        names = list(dict.fromkeys(["bleu", *self.config.metrics]))
        own: list[SystemOnTest] = []
        equal: list[EqualWeights] = []
        all_signatures: dict[str, dict[str, str]] = {}
        for name, test in tests.items():
            metrics = TestMetrics(test.references, names, threads=self.threads)
            own += self._own_weights(name, test, metrics, tuned)
            equal += self._equal_weights(name, test, metrics, tuned)
            all_signatures[name] = metrics.signatures()
        results = TranslationResults(own, equal, all_signatures)
        _write_json(self.directory / "results.json", asdict(results))
        return results

    @cached_property
    def translator(self) -> Translator:
        """Opened when something is to be translated at all."""
        return Translator(self.config.model)

    @cached_property
    def model_digest(self) -> str:
        """Of the manifest, which knows the model's files."""
        return _digest((self.config.model / MANIFEST).read_text(encoding="utf-8"))

    def folder(self, system: str) -> Path:
        """Where a system's tuning and outputs are."""
        return self.directory / "systems" / system

    def weights(self, system: SystemConfig) -> list[TunedWeights]:
        """The weights of all replications, tuned unless they are there or given."""
        if system.weights is not None:
            return [TunedWeights(read_weights(system.weights, self.translator.features), None)]
        dev, tuning = self.config.dev, self.config.tuning
        assert dev is not None  # the configuration was checked
        data = read_test_set(dev.source, dev.references)
        made_from = {
            "model": self.model_digest,
            "system": system.model_dump(mode="json"),
            "tuning": tuning.model_dump(mode="json"),
            "dev": _digest([data.source, data.references]),
            "seed": self.config.seed,
        }
        path = self.folder(system.name) / "weights.json"
        known = _made_from(path, made_from)
        if known is None:
            known = [asdict(one) for one in self._tuned(system, data, _digest(made_from))]
            _write_json(path, {"made_from": made_from, "content": known})
        return [TunedWeights(**one) for one in known]

    def _tuned(self, system: SystemConfig, dev: TestSet, digest: str) -> list[TunedWeights]:
        tuning = self.config.tuning
        # A job of other settings is another job: it stays, and this one begins anew beside it.
        job = self.folder(system.name) / f"tuning-{digest[:8]}"
        results = tune_replications(
            translation_decoder(self.translator, dev.source, system.options, engine=self.engine),
            Objective(tuning.metric, dev.references, threads=self.threads),
            tunable(self.translator.weights),
            job,
            TuningOptions(
                optimizer=OptimizerOptions(algorithm=tuning.algorithm, threads=self.threads),
                nbest=tuning.candidates,
                max_iterations=tuning.max_iterations,
                patience=tuning.patience,
            ),
            seeds=range(self.config.seed, self.config.seed + tuning.replications),
            resume=job.exists(),
            on_iteration=lambda i: self.tell(f"{system.name}: tuning, iteration {i.number}: {i.score:.3f}"),
        )
        return [TunedWeights(self.translator.weights | result.weights, result.score) for result in results]

    def output(
        self, system: SystemConfig, test: str, data: TestSet, weights: Mapping[str, float], label: str
    ) -> Output:
        """A system's translation of a test set, made unless it is there."""
        made_from = {
            "model": self.model_digest,
            "system": system.model_dump(mode="json"),
            "source": _digest(data.source),
            "weights": dict(weights),
        }
        path = self.folder(system.name) / f"{test}.{label}.json"
        known = _made_from(path, made_from)
        if known is None:
            self.tell(f"{system.name}: translating {test} ({label})")
            translator = self.translator.reweighted(weights)
            known = asdict(Output.of(list(translator.translate(data.source, system.options, engine=self.engine))))
            _write_json(path, {"made_from": made_from, "content": known})
            with write_text(path.with_suffix(".txt")) as file:
                file.writelines(line + "\n" for line in known["texts"])
        return Output(**known)

    def _own_weights(
        self, name: str, test: TestSet, metrics: TestMetrics, tuned: Mapping[str, Sequence[TunedWeights]]
    ) -> list[SystemOnTest]:
        rows: list[SystemOnTest] = []
        baseline: list[list[str]] = []
        for system in self.config.system:
            outputs = [
                self.output(system, name, test, one.weights, f"seed-{self.config.seed + i}")
                for i, one in enumerate(tuned[system.name])
            ]
            texts = [output.texts for output in outputs]
            scores = [metrics.scores(output.texts) for output in outputs]
            against: dict[str, Comparison] = {}
            if baseline:
                self.tell(f"{system.name}: comparing on {name}")
                against = metrics.compare(baseline, texts, resamples=self.config.resamples, seed=self.config.seed)
            else:
                baseline = texts
            rows.append(
                SystemOnTest(
                    system=system.name,
                    test=name,
                    scores={metric: [one[metric] for one in scores] for metric in scores[0]},
                    dev=[one.dev_score for one in tuned[system.name]],
                    words_per_second=statistics.fmean(output.words_per_second for output in outputs),
                    against_first=against,
                )
            )
        return rows

    def _equal_weights(
        self, name: str, test: TestSet, metrics: TestMetrics, tuned: Mapping[str, Sequence[TunedWeights]]
    ) -> list[EqualWeights]:
        best = max(tuned[self.config.system[0].name], key=lambda one: one.dev_score or 0.0)
        outputs = {
            system.name: self.output(system, name, test, best.weights, "equal-weights") for system in self.config.system
        }
        known = [max(line) for line in zip(*(output.scores for output in outputs.values()), strict=True)]
        rows = []
        for system, output in outputs.items():
            missed = [s < k - _TOLERANCE * max(1.0, abs(k)) for s, k in zip(output.scores, known, strict=True)]
            gaps = [b - s for b, s in zip(output.bounds, output.scores, strict=True)]
            bleu = metrics.scores(output.texts)["bleu"].score
            rows.append(
                EqualWeights(
                    system,
                    name,
                    statistics.fmean(output.scores),
                    statistics.fmean(missed),
                    statistics.fmean(gaps),
                    output.words_per_second,
                    bleu,
                )
            )
        return rows

    def _record(self, tests: Mapping[str, TestSet]) -> None:
        """What anyone needs to do it again."""
        libraries = ("sacrebleu", "kenlm", "jieba", "sacremoses", "eflomal", "numpy")
        record = {
            "config": self.config.model_dump(mode="json"),
            "versions": {"widl": __version__, "python": platform.python_version()}
            | {name: version(name) for name in libraries if _installed(name)},
            "machine": platform.platform(),
            "model": self.model_digest,
            "test": {name: _digest([test.source, test.references]) for name, test in tests.items()},
        }
        _write_json(self.directory / "experiment.json", record)


def _installed(name: str) -> bool:
    from importlib.metadata import PackageNotFoundError

    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _made_from(path: Path, made_from: Mapping[str, object]) -> Any:
    """The content of a file that was made from this; None if there is none, or it was made from something else."""
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found["content"] if found["made_from"] == json.loads(json.dumps(made_from)) else None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: damaged; delete it to have it made again") from None


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_text(path) as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
