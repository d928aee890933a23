"""What tables say of tuning, in all experiments: scores on dev, and tuning that changed nothing."""

from dataclasses import replace

import pytest

from tests.experiments.found import REFERENCES, make_set
from widl.experiments.combination import _table as combination_table
from widl.experiments.replications import (
    TunedWeights,
    kept_start,
    notes_of_tuning,
    tuning_cells,
    tuning_columns,
)
from widl.experiments.results import MetricScorer, SystemRun, TestSet
from widl.experiments.significance import FEW, KEPT, interval_table, pair_table
from widl.pages.tables import Figure, text_lines

NOTE = "moved: in the other replications tuning kept the start weights; they measure no tuning."


def replications(moved: list[bool], **more: object) -> list[TunedWeights]:
    one = TunedWeights({"lm0": 1.0}, is_tuned=True, metric="bleu", lines=20, free=2)
    return [
        replace(one, label=f"seed-{i}", dev_score=30.0 + i * is_moved, moved=is_moved, **more)
        for i, is_moved in enumerate(moved)
    ]


def test_what_a_reader_must_know_of_tuning() -> None:
    tuned = {"a": replications([True, True, True]), "b": replications([True, False, True]), "c": [TunedWeights()]}
    assert [column.name for column in tuning_columns(tuned)] == ["dev bleu", "moved"]
    assert tuning_cells(tuned, "a") == {"dev bleu": Figure.of([30.0, 31.0, 32.0]), "moved": "3 of 3"}
    assert tuning_cells(tuned, "b")["moved"] == "2 of 3"
    assert tuning_cells(tuned, "c") == {"dev bleu": "given", "moved": None}
    assert tuning_cells(tuned, "d", "a") == {"dev bleu": "of a", "moved": None}
    assert kept_start(tuned) == [NOTE]
    assert kept_start({"a": tuned["a"]}) == []
    never = {"a": replications([False] * 3)}
    assert tuning_cells(never, "a") == {"dev bleu": Figure(value=30.0), "moved": "0 of 3"}  # without ±
    ways, few = notes_of_tuning(tuned)
    assert ways == "Tuned on 20 items by bleu: a, b."
    assert few.startswith("20 lines for 2 weights are few")
    assert notes_of_tuning({"a": replications([True], lines=200)}) == ["Tuned on 200 items by bleu: a."]
    assert notes_of_tuning({"c": tuned["c"]}) == []
    two = {"a": replications([True]), "b": replications([True], metric="chrf")}
    assert [column.name for column in tuning_columns(two)] == ["dev", "moved"]


def tuned_set(moved: list[bool]) -> TestSet:
    """An untuned system, and a tuned one with an output of each replication."""
    scorer = MetricScorer(["bleu", "chrf"], [REFERENCES * 8])
    start, tuned, plain = ([line.replace("a", letter) for line in REFERENCES] * 8 for letter in ("a", "o", "x u"))
    runs = [
        SystemRun(label=f"seed-{i}", outputs=x, tuned={"lm0": 1.0 + i * is_moved}, moved=is_moved, **scorer.scored(x))
        for i, is_moved in enumerate(moved)
        for x in [tuned[:i] + start[i:] if is_moved else start]
    ]
    systems = {"plain": [SystemRun(outputs=plain, **scorer.scored(plain))], "combined-tuned": runs}
    return make_set(references=REFERENCES * 8, outputs={"plain": plain}).model_copy(
        update={"systems": systems, "metrics": scorer.metrics}
    )


@pytest.mark.parametrize(
    ("moved", "doubt", "has_deviation"),
    [
        ([True, True, True], "", True),
        ([True, True, False], KEPT, True),
        ([False, False, False], KEPT, False),
        ([False, False], FEW, False),
    ],
)
def test_tuning_that_changed_nothing_is_no_evidence(moved: list[bool], doubt: str, *, has_deviation: bool) -> None:
    """Neither a mark of significance nor ±0.00 follows from replications with the start weights."""
    test = tuned_set(moved)
    table = pair_table(test, baseline="plain", resamples=200, seed=1)
    figure = table.rows[0].cells["bleu"]
    assert isinstance(figure, Figure)
    assert figure.p is not None
    assert max(figure.p) < 0.05
    assert (figure.doubt, figure.deviation is not None) == (doubt, has_deviation)
    assert any(doubt in note for note in table.notes)
    assert ("▲" in list(text_lines(table))[2]) == (not doubt)
    intervals = interval_table(test, resamples=20, seed=1).rows[1].cells["bleu"]
    shown = combination_table(test, {"combined-tuned": replications(moved)})
    for cell in (intervals, shown.rows[1].cells["BLEU"], test.figure("combined-tuned", "bleu")):
        assert isinstance(cell, Figure)
        assert (cell.deviation is not None) == has_deviation
    assert shown.rows[1].cells["moved"] == f"{sum(moved)} of {len(moved)}"
    assert (NOTE in shown.notes) == (not all(moved))
