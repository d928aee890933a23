"""What a training tells of its data and its model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from widl import __version__
from widl.alignment.bitext import BitextReport
from widl.common.steps import Job


@dataclass(frozen=True)
class TrainingReport:
    """Sizes of the training data and of the model; seconds by stage, of this run only."""

    bitext: BitextReport
    statistics: dict[str, int | float | str]
    seconds: dict[str, float]


def training_report(
    job: Job, phrase_table: Path, settings: Mapping[str, int | float | str], *, estimated: bool
) -> TrainingReport:
    """Of a finished job, with the settings that it was done with; `estimated`: whether it made a language model."""
    bitext = BitextReport.model_validate_json(job.path("bitext.json").read_text(encoding="utf-8"))
    table, model = job.read("table.json"), job.read("lm.json") if estimated else {}
    statistics: dict[str, int | float | str] = {
        "pairs": bitext.pairs,
        "pairs_kept": bitext.kept,
        **({"pairs_in_domain": bitext.in_domain} if bitext.in_domain else {}),
        **{f"dropped: {fault}": count for fault, count in bitext.dropped.items()},
        "source_tokens": bitext.source_tokens,
        "target_tokens": bitext.target_tokens,
        "source_phrases": table["source_phrases"],
        "phrase_pairs": table["phrase_pairs"],
        "phrase_table_bytes": phrase_table.stat().st_size,
        **model,
        **settings,
        "widl": __version__,
    }
    return TrainingReport(bitext, statistics, job.seconds)
