"""The translation experiment's tables, beside the paper's, and its pictures."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from widl.experiments.result_pictures import line_picture, point_picture
from widl.experiments.results import (
    Cell,
    Column,
    Measured,
    Metric,
    Picture,
    Row,
    SystemRun,
    Table,
    TestSet,
    measured,
    per_item,
)
from widl.experiments.test_sets import TestSet as SourceAndReferences

PAPER = (("WIDL-A*_2 (2006)", 25.70), ("Pharaoh (2006)", 26.35))
"""BLEU of Soricut & Marcu (2006), §5, in points: tuned on NIST 2002, tested on a set that they do not name.

The difference is not significant at 95 %."""

_TOLERANCE = 1e-4  # of model scores: phrase-table scores are 32-bit floats
_SCORE = "model score"


@dataclass(frozen=True)
class OwnWeights:
    """A test set by all systems, each with its own weights; by system, and run, what they score on dev, and words/s."""

    test: TestSet
    dev: dict[str, list[float | None]]
    speeds: dict[str, list[float]]


@dataclass(frozen=True)
class EqualWeights:
    """A test set by all systems with the weights of the first one: what is left is search.

    By system: errors is the share of lines for which another system found a better derivation, gap the mean distance
    to its own bound.
    """

    test: TestSet
    errors: dict[str, float]
    gaps: dict[str, float]
    speeds: dict[str, float]

    @classmethod
    def of(
        cls,
        name: str,
        data: SourceAndReferences,
        metrics: Sequence[Metric],
        runs: Mapping[str, Sequence[SystemRun]],
        *,
        speeds: dict[str, float],
    ) -> "EqualWeights":
        """Put together what each system made of a set."""
        scores = {system: [float(s or 0) for s in found[0].facts[_SCORE]] for system, found in runs.items()}
        known = [max(line) for line in zip(*scores.values(), strict=True)]
        errors, gaps = {}, {}
        for system, own in scores.items():
            missed = [s < k - _TOLERANCE * max(1.0, abs(k)) for s, k in zip(own, known, strict=True)]
            errors[system] = statistics.fmean(missed)
            bounds = runs[system][0].facts["bound"]
            gaps[system] = statistics.fmean(float(b or 0) - s for b, s in zip(bounds, own, strict=True))
        with_scores = {
            system: [found[0].model_copy(update={"statistics": _with_score(found[0], scores[system])})]
            for system, found in runs.items()
        }
        test = TestSet.of(
            f"{name}, equal weights",
            inputs=data.source,
            references=data.references,
            metrics=[Metric(name=_SCORE, scale=1, digits=4), *metrics],
            systems=with_scores,
            comparable=False,
        )
        return cls(test, errors, gaps, speeds)


def _with_score(run: SystemRun, scores: Sequence[float]) -> dict[str, list[list[float]]]:
    return {_SCORE: per_item(scores), "bleu": run.statistics["bleu"]}


def tables(own: Sequence[OwnWeights], equal: Sequence[EqualWeights]) -> list[Table]:
    """For each test set, own weights and equal weights."""
    return [table for one, same in zip(own, equal, strict=True) for table in (_own_table(one), _equal_table(same))]


def _own_table(found: OwnWeights) -> Table:
    test = found.test
    columns = [
        Column(name="dev", digits=2, help="what tuning reached on the development set, in points of its objective"),
        *(Column(name=m.name, digits=m.digits, better=m.better, help=m.signature) for m in test.metrics),
        Column(name="brevity", digits=3, help="BLEU's brevity penalty"),
        Column(name="words/s", digits=0, better="higher", help="source words per second of search"),
    ]
    rows = []
    for system in test.systems:
        dev = [score for score in found.dev[system] if score is not None]
        figures: list[Cell] = [_spread(dev) if dev else "given"]
        figures += [measured(test, system, metric.name) for metric in test.metrics]
        figures += [statistics.fmean(brevity_penalties(test, system)), statistics.fmean(found.speeds[system])]
        rows.append(Row(label=system, cells=figures))
    place = 1 + next(i for i, metric in enumerate(test.metrics) if metric.name == "bleu")
    for name, bleu in PAPER:
        theirs: list[Cell] = [None] * len(columns)
        theirs[place] = bleu
        rows.append(Row(label=name, paper=theirs))
    runs = max(len(one) for one in test.systems.values())
    return Table(
        name=test.name,
        title=f"{test.name}: own weights, {runs} replication{'s' if runs > 1 else ''} of tuning",
        columns=columns,
        rows=rows,
        paper="Soricut & Marcu (2006), Section 5, tuned on NIST 2002; the test set is not named",
        notes=["Mean and standard deviation over the replications."] if runs > 1 else [],
    )


def _equal_table(found: EqualWeights) -> Table:
    test = found.test
    columns = [
        Column(name=_SCORE, digits=4, better="higher", help="mean over the lines"),
        Column(name="errors %", better="lower", help="lines for which another system found a better derivation"),
        Column(name="gap to bound", better="lower", help="mean distance to its own upper bound"),
        Column(name="words/s", digits=0, better="higher", help="source words per second of search"),
        Column(name="bleu", digits=2, better="higher"),
    ]
    rows = [
        Row(
            label=system,
            cells=[
                test.scores(system, _SCORE)[0],
                100 * found.errors[system],
                found.gaps[system],
                found.speeds[system],
                test.scores(system, "bleu")[0],
            ],
        )
        for system in test.systems
    ]
    first = next(iter(test.systems))
    title = f"{test.name.partition(', ')[0]}: all with the weights of {first}, what is left is search"
    return Table(name=test.name.replace(", ", "-").replace(" ", "-"), title=title, columns=columns, rows=rows)


def brevity_penalties(test: TestSet, system: str) -> list[float]:
    """BLEU's, of each run."""
    totals = test.statistics(system, "bleu").sum(axis=1)
    lengths, references = totals[:, -2], np.maximum(totals[:, -1], 1)
    shorter = np.exp(np.minimum(0, 1 - references / np.maximum(lengths, 1e-9)))
    return [float(penalty) for penalty in shorter]


def _spread(values: Sequence[float]) -> Measured:
    return Measured(value=statistics.fmean(values), deviation=statistics.stdev(values) if len(values) > 1 else None)


def pictures(
    own: Sequence[OwnWeights],
    equal: Sequence[EqualWeights],
    curves: Mapping[str, Sequence[Sequence[float]]],
    surfaces: Mapping[str, str],
) -> list[Picture]:
    """Tuning, error surfaces, and score against time; curves: by system and replication, each iteration's score."""
    found: list[Picture] = []
    lines = {name: [[*enumerate(curve, 1)] for curve in of] for name, of in curves.items() if of}
    if lines:
        found.append(
            line_picture(
                "tuning",
                "Tuning",
                "The objective on dev, in points, of each iteration's decoding; a line for each replication.",
                lines,
                x="iteration",
                y="objective (points)",
            )
        )
    for same in equal:
        points = {system: (same.speeds[system], same.test.scores(system, _SCORE)[0]) for system in same.test.systems}
        found.append(
            point_picture(
                f"score-{len(found)}",
                f"Model score against speed, {same.test.name}",
                "Mean model score of each system under the same weights, against source words per second of search.",
                points,
                x="source words per second",
                y="mean model score",
            )
        )
    for one in own:
        points = {s: (statistics.fmean(one.speeds[s]), measured(one.test, s, "bleu").value) for s in one.test.systems}
        found.append(
            point_picture(
                f"bleu-{len(found)}",
                f"BLEU against speed, {one.test.name}",
                "BLEU of each system with its own weights, against source words per second of search.",
                points,
                x="source words per second",
                y="BLEU",
            )
        )
    for name, surface in surfaces.items():
        found.append(
            Picture(
                name=f"surfaces-{name}",
                title=f"Error surface around the best weights of {name}",
                description="The objective on the n-best lists of dev as a function of each weight alone, the others "
                "kept; the red line is the weight chosen.",
                svg=surface,
            )
        )
    return found
