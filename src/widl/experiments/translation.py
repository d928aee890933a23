"""The translation experiment of Soricut & Marcu (2006), Section 5, on anyone's data.

The weights of each system are tuned on dev, several times. The systems translate the test sets with these weights and
are compared by BLEU, chrF and TER, by model score under equal weights, and by speed. All results are in one directory
(`widl.experiments.runner`).
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted
from widl.common.errors import InputError
from widl.common.json_values import digest
from widl.common.options import adjust, fields_of, values_of
from widl.decoder import FeatureLayout, SearchOptions, read_weights
from widl.experiments.config import SetConfig, config_of
from widl.experiments.replications import TunedWeights, kept_start, tuning_cells, tuning_columns
from widl.experiments.results import MetricScorer, Results, SystemRun, TestSet, mean
from widl.experiments.runner import ExperimentRun, RunOptions, System, model_files, open_experiment
from widl.experiments.translation_config import TranslationExperimentConfig, TranslationSystem
from widl.metrics import MetricOptions
from widl.pages.tables import Cell, Column, Row, Table
from widl.pipeline.tuning import TranslationTask, default_algorithm
from widl.text.test_sets import SourceAndReferences, read_test_set, warn_of_same_texts
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest
from widl.translation.movement_features import feature_view
from widl.translation.search_errors import TABLE_TOLERANCE, NestedTiles, is_error, nested_against_flat
from widl.translation.tiles_expression import LONGEST_NESTED

PAPER = {"WIDL-A*_2": 25.70, "Pharaoh": 26.35}
"""BLEU of Soricut & Marcu (2006), §5, in points: tuned on NIST 2002, tested on a set that they do not name.

The difference is not significant at 95 %."""

_SPEED = Column(name="words/s", digits=0, better="higher", help="source words a second, of the search alone")
_SCORE = "model score"
_UNTUNED = {"unknown"}
_OF_SEARCH = {*fields_of(SearchOptions), "decoder", "gap", "distinct"}
_SPACE = [field.name for field in fields(TranslationOptions) if field.name not in _OF_SEARCH]
"""Options that say which derivations there are, or what scores they have."""


@checked
def run_translation_experiment(
    config: TranslationExperimentConfig | PathLike, directory: PathLike, **options: Unpack[RunOptions]
) -> Results:
    """Run what `directory` does not hold yet of the experiment, and put all of it together there.

    Everything runs on `threads` threads; decoding runs on the `engine`, if given.
    """
    config = config_of(config, TranslationExperimentConfig)
    data = {test.name: _read_set(f"test set {test.name}", test) for test in config.test}
    dev = read_dev(config.dev) if config.dev else None
    overlaps = [
        warn_of_same_texts("[dev]", dev.source if dev else [], f"test set {name}", test.source)
        for name, test in data.items()
    ]
    check_conditions(config)
    if config.preset and dev is not None:
        check_references(config, dev, data)
    tuners = tuners_of(config)
    with open_experiment(config, directory, "translation", **options) as run:
        experiment = _Experiment(config, run, dev)
        tuned: dict[str, list[TunedWeights]] = {}
        for system in config.system:
            tuned[system.name] = tuned[system.weights_of] if system.weights_of else experiment.weights(system)
        tables: list[Table] = []
        sets: list[TestSet] = []
        for name, test in data.items():
            own = experiment.own_weights(name, test, tuned)
            sets.append(own)
            tables.append(own_table(config, own, tuned))
            if sum(left_out(config, system) is None for system in config.system) > 1:
                sets.append(experiment.equal_weights(name, test, tuned, own))
                tables.append(equal_table(sets[-1], name, tuned[config.system[0].name]))
        for name, test in data.items() if config.preset else ():
            tables.append(experiment.nested(name, test, tuned))
        return run.finish(
            f"Translation: {', '.join(tuned)}",
            tables,
            sets,
            settings={
                system.name: _described(system, tuners.get(system.name), experiment.translator(system))
                for system in config.system
            },
            weights=tuned,
            notes=[*filter(None, overlaps), *notes_of(config)],
        )


# --- initial checks and reading ---


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


def check_references(
    config: TranslationExperimentConfig, dev: SourceAndReferences, data: Mapping[str, SourceAndReferences]
) -> None:
    """InputError for a test set with fewer references than dev, or of another case: their BLEU is another measure."""
    for test in config.test:
        references, dev_references = data[test.name].references, dev.references
        if len(references) < len(dev_references):
            raise InputError(
                f"{test.source}: {counted(len(references), 'reference')}, but dev has {len(dev_references)}; "
                f"the preset {config.preset} compares sets with equally many"
            )
        cased, dev_cased = (any(map(_has_upper_case, lines)) for lines in (references, dev_references))
        if cased != dev_cased:
            lower, other = (test.references[0], "dev has") if dev_cased else (config.dev[0].references[0], "tests have")
            raise InputError(
                f"{lower}: in lower case throughout, while references of {other} upper case; the preset "
                f"{config.preset} compares sets of one case"
            )


def _has_upper_case(lines: Sequence[str | None]) -> bool:
    return any(line != line.lower() for line in lines if line)


def left_out(config: TranslationExperimentConfig, system: TranslationSystem) -> str | None:
    """Why a system is not compared with the first by model score: its derivations are others."""
    first = config.system[0]
    if system.model is not None:
        return "another model"
    if changed := [name for name in _SPACE if getattr(system.options, name) != getattr(first.options, name)]:
        return f"other derivations ({', '.join(changed)})"
    return None


def _read_set(name: str, config: SetConfig) -> SourceAndReferences:
    """The first lines of a set, or all; InputError if it has no references."""
    test_set = read_test_set(config.source, config.references)
    if not test_set.references:
        raise InputError(f"{config.source}: {name} has no references; name them in 'references'")
    most = config.lines or len(test_set)
    return SourceAndReferences(test_set.source[:most], [lines[:most] for lines in test_set.references])


@dataclass(frozen=True)
class DevSets(SourceAndReferences):
    """Development sets in a row."""

    sizes: list[int]
    """Their numbers of lines."""


def read_dev(sets: Sequence[SetConfig]) -> DevSets:
    """Concatenates the development sets, with the maximum number of references of any set; sets with fewer repeat
    them."""
    test_sets = [_read_set("[dev]", part) for part in sets]
    count = max(len(part.references) for part in test_sets)
    references = [
        [line for part in test_sets for line in part.references[i % len(part.references)]] for i in range(count)
    ]
    return DevSets([line for part in test_sets for line in part.source], references, list(map(len, test_sets)))


def features_of(config: TranslationExperimentConfig, system: TranslationSystem) -> tuple[str, ...]:
    """The names of a system's weights."""
    layout = FeatureLayout(tuple(read_manifest(config.model_of(system)).features))
    return feature_view(layout, system.distortion, system.options.preset).layout.names


def tuners_of(config: TranslationExperimentConfig) -> dict[str, str]:
    """The algorithm that tunes each system's weights."""
    return {
        system.name: config.tuning.options.algorithm or default_algorithm(set(features_of(config, system)) - _UNTUNED)
        for system in config.system
        if system.is_tuned
    }


# --- steps ---


@dataclass
class _Experiment:
    config: TranslationExperimentConfig
    run: ExperimentRun
    dev: DevSets | None
    translators: dict[tuple[Path, str, str | None], Translator] = field(default_factory=dict)
    """Translators by model, distortion mode, and preset."""

    def translator(self, system: TranslationSystem, distortion: str | None = None) -> Translator:
        """A system's translator, opened when something is to be translated at all."""
        key = self.config.model_of(system), distortion or system.distortion, system.options.preset
        if key not in self.translators:
            self.translators[key] = Translator(key[0], distortion=key[1], preset=system.options.preset)
        return self.translators[key]

    def files(self, system: TranslationSystem, *, weights: bool = False) -> dict[str, Path]:
        """The files that a system's translations depend on."""
        glossary = {"glossary": system.options.glossary} if system.options.glossary is not None else {}
        return model_files(self.config.model_of(system), weights=weights) | glossary

    def weights(self, system: TranslationSystem) -> list[TunedWeights]:
        """The weights of all replications, tuned unless they are given."""
        if system.weights is not None:
            return [TunedWeights(read_weights(system.weights, features_of(self.config, system)), "given")]
        assert self.dev is not None
        dev = self.dev
        return self.run.tuned(
            system.name,
            lambda: TranslationTask(
                self.translator(system), dev.source, dev.references, system.options, sets=dev.sizes
            ),
            self.config.tuning,
            files=self.files(system, weights=True),
            settings=_settings(system) | {"dev": digest(dev), "distortion": system.distortion},
        )

    def system(self, system: TranslationSystem, replications: Sequence[TunedWeights], distortion: str) -> System:
        """A system with weights of these replications, and movement as `distortion` says."""

        def make(weights: Mapping[str, float], lines: Sequence[str]) -> Iterator[dict[str, Any]]:
            translator = self.translator(system, distortion).reweighted(weights)
            for result in translator.translate(lines, system.options, engine=self.run.engine):
                record = {"text": result.text, _SCORE: result.score, "bound": result.bound, "seconds": result.seconds}
                yield record | {"source words": len(result.source)}

        settings = _settings(system) | {"distortion": distortion}
        return System(system.name, make, replications, self.files(system), settings)

    def scorer(self, data: SourceAndReferences) -> MetricScorer:
        """A scorer with BLEU and the configured metrics."""
        metrics = list(dict.fromkeys(["bleu", *self.config.metrics]))
        options = adjust(MetricOptions(), lowercase=self.config.lowercase)
        return MetricScorer(
            metrics, data.references, options, sources=data.source, threads=self.run.threads, folder=self.config.folder
        )

    def own_weights(self, name: str, data: SourceAndReferences, tuned: Mapping[str, Sequence[TunedWeights]]) -> TestSet:
        """All systems on a test set, each with its own weights of all replications."""
        systems = [self.system(system, tuned[system.name], system.distortion) for system in self.config.system]
        return self.run.test_set(name, data.source, systems, self.scorer(data))

    def equal_weights(
        self, name: str, data: SourceAndReferences, tuned: Mapping[str, Sequence[TunedWeights]], own: TestSet
    ) -> TestSet:
        """Systems with the same derivations on a test set, with the first one's best weights: they differ in search."""
        first, scorer = self.config.system[0], self.scorer(data)
        best = best_of(tuned[first.name]).weights
        equal = TunedWeights(best, "equal-weights")
        systems = {}
        for system in self.config.system:
            if left_out(self.config, system) is None:
                runs = zip(own.systems[system.name], tuned[system.name], strict=True)
                same = [run for run, one in runs if one.weights == best and system.distortion == first.distortion]
                run = (
                    same[0]
                    if same
                    else self.run.outputs(
                        self.system(system, [equal], first.distortion), name, data.source, equal, scorer
                    )
                )
                systems[system.name] = [run.model_copy(update={"label": "equal weights", "tuned": {}})]
        metrics = [mean(_SCORE, digits=4, tested=True), *scorer.metrics[:1]]
        return own.model_copy(update={"name": f"{name}, equal weights", "metrics": metrics, "systems": systems})

    def nested(self, name: str, data: SourceAndReferences, tuned: Mapping[str, Sequence[TunedWeights]]) -> Table:
        """Tiles joined two by two, another reading of §5, beside the flat interleave, on all short lines."""
        system = self.config.system[0]
        weights = best_of(tuned[system.name]).weights

        def compare() -> dict[str, Any]:
            translator, threads = self.translator(system), self.run.threads
            return asdict(nested_against_flat(translator, data.source, system.options, weights, threads=threads))

        values = self.run.job.value(
            f"systems/{system.name}/{name}.nested",
            compare,
            files=self.files(system),
            settings=_settings(system) | {"source": digest(data.source), "weights": weights},
        )
        short = NestedTiles(**values)
        equal = 100 * short.equal / short.lines if short.lines else None
        return Table(
            name=f"{name}-nested",
            title=f"{name}: tiles joined two by two, lines of up to {LONGEST_NESTED} words",
            columns=[
                Column(name="lines", digits=0),
                Column(name="same text %", help="as by the flat interleave"),
                Column(name="loss", digits=3, help="nats by which the flat one's best score is better, on average"),
            ],
            rows=[Row(label=system.name, cells={"lines": short.lines, "same text %": equal, "loss": short.loss})],
        )


def best_of(replications: Sequence[TunedWeights]) -> TunedWeights:
    """The replication with the best score on dev."""
    return max(replications, key=lambda replication: replication.dev_score or 0.0)


def words_per_second(run: SystemRun) -> float:
    """Source words per second of search."""
    words, seconds = (sum(value or 0.0 for value in run.facts[fact]) for fact in ("source words", "seconds"))
    return words / max(seconds, 1e-9)


def _settings(system: TranslationSystem) -> dict[str, object]:
    """The options without the path of the glossary, which is one of the step's files."""
    return {"options": values_of(system.options) | {"glossary": None}}


def _described(system: TranslationSystem, tuner: str | None, translator: Translator) -> dict[str, object]:
    """The search and the size of the models, the settings that differ from the defaults, and what tunes the weights."""
    always = {
        "search": system.options.search,
        "pop_limit": system.options.pop_limit,
        "distortion_limit": system.options.distortion_limit,
        "orders of language models": [model.order for model in translator.language_models],
        "weights": len(translator.weights),
    }
    return system.described() | always | ({"tuned by": tuner} if tuner else {})


# --- tables and notes ---


def own_table(config: TranslationExperimentConfig, test: TestSet, tuned: Mapping[str, Sequence[TunedWeights]]) -> Table:
    """Systems with their own weights, beside the paper's figures."""
    rows = []
    is_tuned = any(replication.is_tuned for replications in tuned.values() for replication in replications)
    of_paper = "bleu-lc" if "bleu-lc" in config.metrics else "bleu"
    for system in config.system:
        name = system.name
        cells = tuning_cells(tuned, name, system.weights_of)
        cells |= {metric.name: test.figure(name, metric.name) for metric in test.metrics}
        cells["brevity"] = statistics.fmean(brevity_penalties(test, name))
        cells["words/s"] = statistics.fmean(map(words_per_second, test.systems[name]))
        paper = paper_bleu(system.options)
        rows.append(Row(label=name, cells=cells, paper={} if paper is None else {of_paper: paper}))
    runs = max(map(len, test.systems.values()))
    source = "Soricut & Marcu (2006), Section 5, tuned on NIST 2002; the test set is not named"
    return Table(
        name=test.name,
        title=f"{test.name}: "
        + (f"own weights, {counted(runs, 'replication')} of tuning" if is_tuned else "given weights"),
        columns=[
            *tuning_columns(tuned),
            *(metric.column() for metric in test.metrics),
            Column(name="brevity", digits=3, help="BLEU's brevity penalty"),
            _SPEED,
        ],
        rows=rows,
        paper=source if any(row.paper for row in rows) else "",
        notes=(["Mean and standard deviation over the replications."] if runs > 1 else []) + kept_start(tuned),
    )


def equal_table(test: TestSet, name: str, replications: Sequence[TunedWeights]) -> Table:
    """Compares systems with equal weights, those of a replication of the first: they differ only in their search."""
    first, best = next(iter(test.systems)), best_of(replications)
    replication = f", {best.label} (its best on dev of {len(replications)})" if len(replications) > 1 else ""
    replication = ", those from before tuning" if best.is_tuned and not best.moved else replication
    best_scores = [max(line) for line in zip(*(test.facts(system, _SCORE) for system in test.systems), strict=True)]
    rows = []
    for system, (run,) in test.systems.items():
        scores, bounds = test.facts(system, _SCORE), test.facts(system, "bound")
        missed = [is_error(score, best, TABLE_TOLERANCE) for score, best in zip(scores, best_scores, strict=True)]
        cells: dict[str, Cell] = {
            "words/s": words_per_second(run),
            "model score": statistics.fmean(scores),
            "gap to bound": statistics.fmean(bound - score for bound, score in zip(bounds, scores, strict=True)),
            "errors vs best %": 100 * statistics.fmean(missed),
            "bleu": test.scores(system, "bleu")[0],
        }
        rows.append(Row(label=system, cells=cells))
    return Table(
        name=f"{name}-equal-weights",
        title=f"{name}: all with the weights of {first}{replication}, what is left is search",
        columns=[
            _SPEED,
            Column(name="model score", digits=4, better="higher", help="mean of the lines"),
            Column(name="gap to bound", help="mean distance to the search's own bound"),
            Column(name="errors vs best %", better="lower", help="lines where another row has a better derivation"),
            Column(name="bleu", digits=2, better="higher"),
        ],
        rows=rows,
    )


def brevity_penalties(test: TestSet, system: str) -> list[float]:
    """BLEU's, of each run."""
    totals = test.statistics(system, "bleu").sum(axis=1)
    lengths, references = totals[:, -2], np.maximum(totals[:, -1], 1)
    shorter = np.exp(np.minimum(0, 1 - references / np.maximum(lengths, 1e-9)))
    return [float(penalty) for penalty in shorter]


def paper_bleu(options: TranslationOptions) -> float | None:
    """The paper's BLEU of a system that is the paper's, in its preset; None of others."""
    if options.preset is None:
        return None
    if options.decoder == "widl" and options.search == "astar-k" and options.k == 2:
        return PAPER["WIDL-A*_2"]
    return PAPER["Pharaoh"] if options.decoder == "stack" and options.search == "stack" else None


def notes_of(config: TranslationExperimentConfig) -> list[str]:
    """Notes on omitted comparisons."""
    notes = []
    for system in config.system[1:]:
        if reason := left_out(config, system):
            notes.append(
                f"{system.name} is not compared with {config.system[0].name} by model score, search errors "
                f"and gap: it has {reason}."
            )
    return notes
