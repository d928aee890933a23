"""The report on a training: sizes of its data and of the model."""

from dataclasses import dataclass
from pathlib import Path

from widl import __version__
from widl.phrase_table.bitext import BitextReport
from widl.pipeline.given_models import TABLE
from widl.pipeline.training_steps import TrainingSteps
from widl.translation.manifest import read_manifest

DROPPED = "dropped: "
"""Prefix of the names of counts in a manifest."""


@dataclass(frozen=True)
class TrainingReport:
    """Sizes of the training data and of the model; seconds by stage, of this run only."""

    bitext: BitextReport
    statistics: dict[str, int | float | str]
    seconds: dict[str, float]


def report_of_model(directory: Path) -> TrainingReport:
    """The report on a model that is complete."""
    statistics = read_manifest(directory).training
    dropped = {name.removeprefix(DROPPED): count for name, count in statistics.items() if name.startswith(DROPPED)}
    counts = {"pairs": "pairs", "kept": "pairs_kept", "in_domain": "pairs_in_domain"}
    counts |= {name: name for name in ("source_tokens", "target_tokens")}
    totals = {field: statistics.get(name, 0) for field, name in counts.items()}
    return TrainingReport(BitextReport.model_validate({**totals, "dropped": dropped}), statistics, {})


def report_of_steps(steps: TrainingSteps) -> TrainingReport:
    """The report on finished steps."""
    bitext = BitextReport.model_validate(steps.job.read("bitext.json"))
    table, model = steps.job.read("table.json"), steps.job.read("lm.json") if steps.estimates_model else {}
    statistics: dict[str, int | float | str] = {
        "pairs": bitext.pairs,
        "pairs_kept": bitext.kept,
        **({"pairs_in_domain": bitext.in_domain} if bitext.in_domain else {}),
        **{f"{DROPPED}{fault}": count for fault, count in bitext.dropped.items()},
        "source_tokens": bitext.source_tokens,
        "target_tokens": bitext.target_tokens,
        "source_phrases": table["source_phrases"],
        "phrase_pairs": table["phrase_pairs"],
        "phrase_table_bytes": (steps.work / TABLE).stat().st_size,
        **model,
        "alignment": "own" if steps.options.alignments is None else "given",
        "symmetrization": steps.symmetrization,
        "widl": __version__,
    }
    return TrainingReport(bitext, statistics, steps.job.seconds)
