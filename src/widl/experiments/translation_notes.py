"""What the translation experiment says of itself: its tuners, what is not compared, how long it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from widl.common.arguments import counted
from widl.common.manifests import MANIFEST
from widl.common.options import fields_of
from widl.decoder import FeatureLayout
from widl.experiments.translation_config import SystemConfig, TranslationExperimentConfig
from widl.experiments.translation_tables import PAPER
from widl.pipeline.tuning import advice_on_few, default_algorithm
from widl.translation import TranslationOptions
from widl.translation.folding import shown_features
from widl.translation.manifest import TranslationManifest, read_manifest

_UNTUNED = {"unknown"}
_OF_SEARCH = {
    *("decoder", "search", "k", "k_unit", "order", "beam", "stack_size", "pop_limit"),
    *("gap", "max_states", "max_seconds", "max_memory", "nbest", "distinct"),
    *("mbr", "mbr_scale", "mbr_p", "mbr_r"),
    *("lattice", "lattice_arcs", "lattice_beam"),
}
_SPACE = [option.name for option in fields_of(TranslationOptions) if option.name not in _OF_SEARCH]
"""Options that say which derivations there are, or what scores they have."""


@dataclass(frozen=True)
class TunedWeights:
    """The weights of a replication, and their score on dev; None if the weights were configured."""

    weights: dict[str, float]
    dev_score: float | None
    moved: bool = True
    """Whether they are others than tuning began with."""


def forecast(seconds_a_line: float, *, tunings: int, iterations: int, dev: int, test: int) -> str:
    """How long an experiment takes at most, from the time of a line of dev; `test`: all lines to translate at the end.

    >>> forecast(0.05, tunings=6, iterations=15, dev=1000, test=8000)
    'forecast: at most 1 h 22 min, if all 6 tunings take 15 iterations (0.050 s a line of dev)'
    """
    minutes = round(seconds_a_line * (tunings * iterations * dev + test) / 60)
    hours = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{max(1, minutes)} min"
    each = f"if all {tunings} tunings take {iterations} iterations ({seconds_a_line:.3f} s a line of dev)"
    return f"forecast: at most {hours}, {each}"


@dataclass(frozen=True)
class Model:
    """A model's manifest and its files, by their names in it."""

    manifest: TranslationManifest
    files: dict[str, Path]

    @classmethod
    def read(cls, directory: Path) -> "Model":
        """That of a directory."""
        manifest = read_manifest(directory)
        return cls(manifest, {name: directory / name for name in (MANIFEST, *sorted(manifest.files))})

    def inputs(self, *, weights: bool = True) -> dict[str, Path]:
        """The files as those of a step of the job, with the weights or without."""
        return {f"model/{name}": path for name, path in self.files.items() if weights or name != self.manifest.weights}


def tuners_of(config: TranslationExperimentConfig, models: Mapping[Path, Model]) -> dict[str, str]:
    """The algorithm that tunes each system's weights."""
    return {
        system.name: config.tuning.algorithm
        or default_algorithm(_features(models[config.model_of(system)], system) - _UNTUNED)
        for system in config.system
        if system.weights is None and system.weights_of is None
    }


def _features(model: Model, system: SystemConfig) -> set[str]:
    layout = FeatureLayout(tuple(model.manifest.features))
    return set(shown_features(layout, system.distortion, system.options.preset).layout.names)


def left_out(config: TranslationExperimentConfig, system: SystemConfig) -> str | None:
    """Why a system is not compared with the first by model score: its derivations are others, or not its best."""
    first = config.system[0]
    if system.model is not None:
        return "another model"
    if changed := [name for name in _SPACE if getattr(system.options, name) != getattr(first.options, name)]:
        return f"other derivations ({', '.join(changed)})"
    return "not the best by model score (mbr)" if system.options.mbr else None


def notes_of(
    config: TranslationExperimentConfig,
    tuned: Mapping[str, Sequence[TunedWeights]],
    tuners: Mapping[str, str],
    dev: int,
) -> list[str]:
    """What a reader must know of tuning, and of comparisons that are left out."""
    notes = []
    for system in config.system:
        if system.weights_of is None and system.weights is None:
            unmoved = sum(not replication.moved for replication in tuned[system.name])
            if unmoved:
                runs = counted(len(tuned[system.name]), "replication")
                notes.append(
                    f"{system.name}: tuning did not move the weights in {unmoved} of {runs}; they are those that "
                    "it began with."
                )
    if tuners:
        most = max(len(tuned[name][0].weights.keys() - _UNTUNED) for name in tuners)
        if advice := advice_on_few(dev, most):
            notes.append(f"{advice[:1].upper()}{advice[1:]}.")
    for system in config.system[1:]:
        if reason := left_out(config, system):
            notes.append(
                f"{system.name} is not compared with {config.system[0].name} by model score, search errors "
                f"and gap: it has {reason}."
            )
    return notes


def paper_bleu(options: TranslationOptions) -> float | None:
    """The paper's BLEU of a system that is the paper's; None of others."""
    if options.decoder == "widl" and options.effective_search == "astar-k" and options.k == 2:
        return PAPER["WIDL-A*_2"]
    return PAPER["Pharaoh"] if options.decoder == "stack" and options.effective_search == "stack" else None
