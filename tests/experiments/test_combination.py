"""The combination experiment on a few lines of three systems."""

import re
from pathlib import Path

import pytest
import sacrebleu

from tests.refusals import Change, assert_refused, changes
from widl import InputError
from widl.combination import combine
from widl.experiments import read_config, read_results
from widl.experiments.combination import CombinationExperimentConfig, better_alone, run_combination_experiment
from widl.experiments.results import MetricScorer, SystemRun, TestSet

REFERENCE = ["the old mill turns by the river", "a boat lies on the shore", "the miller sleeps all day"] * 4
SYSTEMS = {
    "first": ["the old mill turn by the river", "a boat lies on a shore", "the miller sleeps all the day"] * 4,
    "second": ["old mill turns by the river", "a boat lay on the shore", "the miller sleep all day"] * 4,
    "third": ["the old mill turns at river", "boats lie on the shore", "miller sleeps all day"] * 4,
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    for name, lines in {**SYSTEMS, "reference": REFERENCE}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    systems = "".join(f'[[system]]\nname = "{name}"\noutputs = "{name}"\n' for name in SYSTEMS)
    tuning = "[tuning]\nreplications = 2\nnbest = 5\nmax_iterations = 2\n"
    (tmp_path / "config.toml").write_text(f'references = ["reference"]\ndev = 6\nresamples = 20\n{systems}{tuning}')
    return tmp_path / "config.toml"


def bleu(lines: list[str]) -> float:
    return float(sacrebleu.corpus_bleu(lines, [REFERENCE[6:]]).score)


def test_systems_choices_and_combinations_are_compared(config: Path) -> None:
    out = config.parent / "out"
    results = run_combination_experiment(read_config(config, CombinationExperimentConfig), out)
    assert results.model_dump() == read_results(out).model_dump()
    [test] = results.sets
    scores = {name: bleu(lines[6:]) for name, lines in SYSTEMS.items()}
    best = max(scores, key=lambda name: scores[name])
    assert next(iter(test.systems)) == best
    assert set(test.systems) == {*SYSTEMS, "combined", "combined-tuned", "combined-mean"}
    for name, score in scores.items():
        assert test.scores(name, "bleu") == pytest.approx([score])
    [combined] = test.systems["combined"]
    expected = [result.text for result in combine(list(zip(*SYSTEMS.values(), strict=True))[6:])]
    assert combined.outputs == expected
    assert combined.facts["proved"] == [1.0] * 6
    assert [run.label for run in test.systems["combined-tuned"]] == ["seed-1", "seed-2"]
    labels = [set(row.label.split(" - ")) for row in results.table("test-pairs").rows]
    assert {"combined-tuned", best} in labels
    rows = {row.label: row.cells for row in results.tables[0].rows}
    assert [name for name, cells in rows.items() if cells["moved"] is not None] == ["combined-tuned"]
    assert results.notes[-3:-1] == ["Test sets: test (6 items).", "Tuned on 6 items by bleu: combined-tuned."]
    assert results.notes[-1].startswith("6 lines for 12 weights are few")
    settings = {row.label: row.cells["settings"] for row in results.table("Settings").rows}
    assert settings.keys() == test.systems.keys()
    assert '"support": 2' in str(settings["combined"])
    weights = {row.label: row.cells for row in results.table("weights").rows}
    assert set(weights["votes3"]) == {"combined-tuned seed-1", "combined-tuned seed-2", "combined-mean run"}
    tunings = ("combined-tuned seed-1", "combined-tuned seed-2")
    mean = {name: float(cells["combined-mean run"]) for name, cells in weights.items()}
    assert mean == pytest.approx({name: sum(cells[item] for item in tunings) / 2 for name, cells in weights.items()})
    actual = combine(list(zip(*SYSTEMS.values(), strict=True))[6:], weights=mean)
    assert test.systems["combined-mean"][0].outputs == [result.text for result in actual]


def test_without_lines_to_tune_on_nothing_is_tuned(config: Path) -> None:
    text = config.read_text().replace("dev = 6", "")
    config.write_text(text)
    with pytest.raises(InputError, match=r"\[tuning\] is not used: without 'dev' nothing is tuned; leave it out"):
        read_config(config, CombinationExperimentConfig)
    config.write_text(re.sub(r"\[tuning\][^[]*", "", text))
    results = run_combination_experiment(read_config(config, CombinationExperimentConfig), config.parent / "out")
    assert set(results.sets[0].systems) == {*SYSTEMS, "combined"}


@changes(
    ("resamples", 'baseline = "typo"\nresamples', r"toml:[0-9]+: .*baseline: no system 'typo'; .*combined-mean"),
    ("dev = 6", "dev = 12", "12 lines, and 'dev' is 12; no lines remain to test on"),
    ('name = "third"', 'name = "first"', "two systems have the same name, 'first'"),
    ('name = "third"', 'name = "combined"', "two systems have the same name, 'combined'"),
    ('outputs = "third"', 'outputs = "none"', "none: no such file or directory"),
    ("dev = 6", "development = 6", "development"),
)
def test_bad_configurations(config: Path, change: Change) -> None:
    assert_refused(
        config,
        change,
        lambda: run_combination_experiment(read_config(config, CombinationExperimentConfig), config.parent / "out"),
    )


def test_files_of_other_lengths(config: Path) -> None:
    (config.parent / "third").write_text("short\n")
    with pytest.raises(InputError, match=r"third: 1 lines, but .*first has 12; each has as many"):
        run_combination_experiment(read_config(config, CombinationExperimentConfig), config.parent / "out")


def test_a_better_single_system_is_named() -> None:
    scorer = MetricScorer(["bleu"], [REFERENCE])

    def test_set(**outputs: list[str]) -> TestSet:
        runs = {name.replace("_", "-"): [SystemRun(outputs=x, **scorer.scored(x))] for name, x in outputs.items()}
        return TestSet(name="x", inputs=REFERENCE, references=[REFERENCE], metrics=scorer.metrics, systems=runs)

    [note] = better_alone(
        test_set(a=REFERENCE, combined=SYSTEMS["first"], combined_tuned=SYSTEMS["third"], combined_mean=REFERENCE), "a"
    )
    scores = [sacrebleu.corpus_bleu(SYSTEMS[name], [REFERENCE]).score for name in ("first", "third")]
    below = f"combined ({scores[0]:.2f}) and combined-tuned ({scores[1]:.2f})"
    assert note == f"Warning: a alone has BLEU 100.00, more than {below}."
    assert not better_alone(test_set(a=SYSTEMS["first"], combined=REFERENCE), "a")
