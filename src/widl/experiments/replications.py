"""The weights of a system's replications of tuning, and what a report says of them, in all experiments alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from widl.experiments.results import digits_of
from widl.pages.tables import Cell, Column, Figure
from widl.pipeline.tuning import few_lines_warning

MOVED = "moved"


@dataclass(frozen=True)
class TunedWeights:
    """The weights of a replication, with its label, and their score on dev; None if they were not tuned."""

    weights: dict[str, float] = field(default_factory=dict)
    label: str = "run"
    dev_score: float | None = None
    moved: bool = True
    """Whether they are others than tuning began with."""
    is_tuned: bool = False
    """Whether they depend on a tuning of this experiment, and so on its seed."""
    metric: str = ""
    """What tuning maximized."""
    lines: int = 0
    """The number of lines or documents that they were tuned on."""
    free: int = 0
    """The number of weights that tuning may change."""


Replications = Mapping[str, Sequence[TunedWeights]]
"""The weights of all replications by system."""


def tuning_columns(tuned: Replications) -> list[Column]:
    """The columns of `tuning_cells`: the score on dev, by one metric or by each system's own, and ``moved``."""
    scored = [one for one in chain(*tuned.values()) if one.dev_score is not None]
    name, scores = dev_column(tuned), [one.dev_score or 0.0 for one in scored]
    digits = digits_of(scores) if ":" in name else 2
    return [
        Column(name=name, digits=digits, help="the metric of tuning on the development set, after it"),
        Column(name=MOVED, help="replications whose weights scored better on dev than the start weights"),
    ]


def dev_column(tuned: Replications) -> str:
    """The name of the column of scores on dev."""
    metrics = {one.metric for one in chain(*tuned.values()) if one.metric}
    return f"dev {metrics.pop()}" if len(metrics) == 1 else "dev"


def tuning_cells(tuned: Replications, system: str, weights_of: str | None = None) -> dict[str, Cell]:
    """A row's cells under `tuning_columns`. `weights_of`: the system whose tuned weights it has."""
    column = dev_column(tuned)
    if weights_of is not None:  # another system's tuning did not decode with these options
        return {column: f"of {weights_of}", MOVED: None}
    own = tuned.get(system, ())
    dev = [one.dev_score for one in own if one.dev_score is not None]
    if not dev:
        return {column: "given" if own and not own[0].is_tuned else None, MOVED: None}
    moved = sum(one.moved for one in own)
    score = Figure.of(dev) if moved else Figure(value=dev[0])
    return {column: score, MOVED: f"{moved} of {len(dev)}"}


def kept_start(tuned: Replications) -> list[str]:
    """A note on replications that did not move, which the column ``moved`` counts."""
    some = any(not one.moved for one in chain(*tuned.values()))
    return ["moved: in the other replications tuning kept the start weights; they measure no tuning."] if some else []


def notes_of_tuning(tuned: Replications) -> list[str]:
    """Notes on what systems were tuned on, by which metric, and on few lines."""
    ways: dict[tuple[str, int], list[str]] = {}
    for system, replications in tuned.items():
        for metric, lines in {(one.metric, one.lines) for one in replications if one.metric}:
            ways.setdefault((metric, lines), []).append(system)
    notes = [f"Tuned on {lines:,} items by {metric}: {', '.join(names)}." for (metric, lines), names in ways.items()]
    few = max((one for one in chain(*tuned.values()) if one.metric), key=lambda one: one.free, default=None)
    advice = few_lines_warning(few.lines, few.free) if few else ""
    return [*notes, *([f"{advice[:1].upper()}{advice[1:]}."] if advice else [])]
