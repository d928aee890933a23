"""The translation experiment, on the sample corpus."""

import itertools
import json
import re
import shutil
import statistics

import pytest
from sacrebleu.metrics.bleu import BLEU

from tests.refusals import assert_refused, changes
from tests.sample import TEXT_SETS, write_sample
from widl.common.errors import InputError
from widl.experiments.config import read_config
from widl.experiments.report import results_text
from widl.experiments.results import MetricScorer, SystemRun, TestSet, read_results
from widl.experiments.translation import brevity_penalties, read_dev, run_translation_experiment
from widl.experiments.translation_config import TranslationExperimentConfig

CONFIG = """
model = "{model}"
resamples = 50
metrics = ["bleu", "ter"]
{sets}
[tuning]
replications = 2
max_iterations = 2
nbest = 10

[[system]]
name = "widl"
pop_limit = 50

[[system]]
name = "stack"
decoder = "stack"
stack_size = 5
"""


def write_config(folder, model):
    """The configuration of 10 lines of dev and of test."""
    write_sample(folder, 10)
    path = folder / "config.toml"
    path.write_text(CONFIG.format(model=model, sets=TEXT_SETS), encoding="utf-8")
    return path


@pytest.fixture
def config(trained, tmp_path):
    return write_config(tmp_path, trained)


@pytest.fixture(scope="module")
def finished(trained, tmp_path_factory):
    """The directory of a finished experiment, for tests to copy."""
    folder = tmp_path_factory.mktemp("finished")
    run(write_config(folder, trained), folder / "out")
    return folder


@pytest.fixture
def copied(finished, tmp_path):
    """The configuration of a finished experiment, with its results in ``out``, for tests to change."""
    shutil.copytree(finished, tmp_path / "copy")
    return tmp_path / "copy" / "config.toml"


def run(config, directory, **options):
    return run_translation_experiment(read_config(config, TranslationExperimentConfig), directory, **options)


def without_times(results):
    """The part of the results that must not change in a repeated run."""
    return results.model_dump(include={"sets", "tables"})


@pytest.mark.slow
@pytest.mark.timeout(300)  # three experiments
def test_it_runs_and_is_not_run_again(copied) -> None:
    messages: list[str] = []
    directory = copied.parent / "out"
    first = read_results(directory)
    own, equal = first.sets
    assert (own.name, list(own.systems)) == ("test", ["widl", "stack"])
    assert [item.label for item in own.systems["widl"]] == ["seed-1", "seed-2"]
    whose = r"(seed-[12] \(its best on dev of 2\)|those from before tuning)"
    title = f"test: all with the weights of widl, {whose}, what is left is search"
    assert re.fullmatch(title, first.table("test-equal-weights").title)
    assert [column.digits for column in first.table("test").columns if column.name == "dev bleu"] == [2]
    [pair] = first.table("test-pairs").rows
    assert set(pair.label.split(" - ")) == {"widl", "stack"}
    assert pair.cells.keys() == {"bleu", "ter"}
    # With equal weights, no result is better than another system's bound allows.
    facts = {system: runs[0].facts for system, runs in equal.systems.items()}
    for item, other in itertools.product(facts.values(), repeat=2):
        for score, bound in zip(item["model score"], other["bound"], strict=True):
            assert bound is None or score <= bound + 1e-4
    again = run(copied, directory, notify=messages.append)
    assert without_times(again) == without_times(first)
    assert read_results(directory) == again
    assert [line for line in messages if not line.startswith("results:")] == []
    text = (directory / "results.txt").read_text(encoding="utf-8")
    assert "test: own weights, 2 replications" in text
    assert "25.70" not in text  # not in any row, like the paper's A*_2
    assert all('"tuned by": "mira"' in row.cells["settings"] for row in first.table("Settings").rows)
    assert any(note.endswith("compare on text that was not tuned on.") for note in first.notes)
    # Changing one system's options repeats only this system and its comparisons.
    copied.write_text(copied.read_text().replace("stack_size = 5", "stack_size = 7"))
    messages.clear()
    run(copied, directory, notify=messages.append)
    assert any("systems/stack/weights: tuning" in line for line in messages)
    assert any(line == "systems/stack/weights: started again: options changed" for line in messages)
    assert not any("widl" in line for line in messages)


def test_figures_of_the_tables(finished) -> None:
    """Compares with figures from the outputs, by sacrebleu and by hand."""
    results = read_results(finished / "out")
    own, equal = (results.table(name) for name in ("test", "test-equal-weights"))
    test = results.sets[0]
    expected = [BLEU().corpus_score(item.outputs, test.references) for item in test.systems["stack"]]
    row = next(row for row in own.rows if row.label == "stack")
    figures = row.cells
    assert figures["bleu"].value == pytest.approx(statistics.fmean(item.score for item in expected))
    assert figures["bleu"].deviation == pytest.approx(statistics.stdev(item.score for item in expected))
    assert figures["brevity"] == pytest.approx(statistics.fmean(item.bp for item in expected))
    scores = {name: runs[0].facts["model score"] for name, runs in results.sets[1].systems.items()}
    missed = [s < w - 1e-4 * max(1, abs(w)) for s, w in zip(scores["stack"], scores["widl"], strict=True)]
    row = next(row for row in equal.rows if row.label == "stack")
    figures = row.cells
    assert figures["errors vs best %"] == pytest.approx(100 * statistics.fmean(missed))
    assert figures["model score"] == pytest.approx(statistics.fmean(scores["stack"]))


def test_brevity_penalties_are_sacrebleus() -> None:
    """Outputs shorter and longer than their references."""
    references = ["a b c d e", "f g h i"]
    scorer = MetricScorer(["bleu"], [references])
    outputs = [["a b c d e", "f g"], ["a b c d e f g", "f g h i"], ["", ""]]
    runs = [SystemRun(label=str(i), outputs=o, **scorer.scored(o)) for i, o in enumerate(outputs)]
    test = TestSet(name="x", inputs=references, references=[references], metrics=scorer.metrics, systems={"a": runs})
    expected = [BLEU().corpus_score(output, [references]).bp for output in outputs]
    assert brevity_penalties(test, "a") == pytest.approx(expected)


def test_several_development_sets_are_one(config) -> None:
    """The set with fewer references repeats them, so that all lines have equal numbers."""
    text = config.read_text(encoding="utf-8")
    second = '[[dev]]\nsource = "test.zh"\nreferences = ["test.en", "dev.en"]\nlines = 4\n'
    config.write_text(text.replace("[dev]", "[[dev]]").replace("[[test]]", f"{second}\n[[test]]"), encoding="utf-8")
    dev = read_dev(read_config(config, TranslationExperimentConfig).dev)
    dev_zh, dev_en, test_zh, test_en = (
        (config.parent / name).read_text(encoding="utf-8").splitlines()
        for name in ("dev.zh", "dev.en", "test.zh", "test.en")
    )
    assert dev.source == dev_zh + test_zh[:4]
    assert dev.references == [dev_en + test_en[:4], dev_en + dev_en[:4]]
    assert dev.sizes == [len(dev_zh), 4]


@pytest.mark.slow
def test_given_weights_and_a_glossary_are_inputs(config, trained, tmp_path) -> None:
    own, glossary = tmp_path / "own.toml", tmp_path / "terms.tsv"
    own.write_text((trained / "weights.toml").read_text())
    source = (tmp_path / "test.zh").read_text(encoding="utf-8").splitlines()[0]
    glossary.write_text(f"{source[:2]}\tTERM\n", encoding="utf-8")
    text = config.read_text().replace("pop_limit = 50", 'pop_limit = 50\nweights = "own.toml"\nglossary = "terms.tsv"')
    text = text.replace("stack_size = 5", 'weights = "own.toml"')
    config.write_text(text)
    for name in ("dev", "tuning"):
        with pytest.raises(InputError, match=rf"\[{name}\] is not used: the weights of all systems are given"):
            run(config, tmp_path / "out")
        text = re.sub(rf"^\[{name}\]$[^[]*(\[\"[^[]*)?", "", text, flags=re.MULTILINE)
        config.write_text(text)
    messages: list[str] = []
    first = run(config, tmp_path / "out", notify=messages.append)
    assert first.tables[0].title.endswith(": given weights")
    assert "TERM" in first.sets[0].systems["widl"][0].outputs[0]
    assert str(glossary) in first.provenance["inputs"]
    messages.clear()
    glossary.write_text(f"{source[:2]}\tOTHER\n", encoding="utf-8")
    second = run(config, tmp_path / "out", notify=messages.append)
    again = [line for line in messages if "started" in line and "statistics" not in line and "significance" not in line]
    assert again == ["systems/widl/test.given: started again: glossary changed"]
    assert "OTHER" in second.sets[0].systems["widl"][0].outputs[0]


@pytest.mark.slow
def test_a_system_has_the_weights_of_another(config, tmp_path) -> None:
    """The weights from all replications of the other system, and equal weights. No line is translated twice."""
    config.write_text(config.read_text().replace("stack_size = 5", 'weights_of = "widl"'))
    messages: list[str] = []
    results = run(config, tmp_path / "out", notify=messages.append)
    columns = ["widl seed-1", "widl seed-2", "stack seed-1", "stack seed-2"]
    assert [column.name for column in results.table("weights").columns] == columns
    for row in results.table("weights").rows:
        first, second, *shared = row.cells.values()
        assert shared == [first, second]
    assert not [line for line in messages if line.startswith("systems/stack/weights")]
    shown = {row.label: row.cells for row in results.table("test").rows}  # the tuning was the other search's
    assert (shown["stack"]["dev bleu"], shown["stack"]["moved"]) == ("of widl", None)
    own, equal = results.sets
    assert len(own.systems["stack"]) == 2
    assert equal.systems["stack"][0].outputs in [item.outputs for item in own.systems["stack"]]
    assert not list((tmp_path / "out" / "systems").glob("*/test.equal-weights.jsonl"))


@changes(
    ("resamples", 'baseline = "typo"\nresamples', r"toml:[0-9]+: .*baseline: no system 'typo'; there are widl"),
    ("pop_limit = 50", 'model = "other"', "system.0.model: .*other: no such file or directory"),
    ("pop_limit = 50", 'model = "."', "the first system has the experiment's model; remove its 'model'"),
    ('references = ["dev.en"]', "", r"dev\.zh: \[dev\] has no references; name them in 'references'"),
    ("stack_size = 5", 'weights_of = "widl"\nmodel = "."', "'widl' and 'stack', .* have different models"),
    ("pop_limit = 50", 'weights_of = "stack"', "no system 'stack' above it"),
    ("stack_size = 5", 'weights_of = "widl"\nweights = "dev.en"', "both weights and weights_of"),
    ("resamples", "resample", r"config.toml:[0-9]+: resample: unknown key; did you mean 'resamples'"),
    ('name = "stack"', 'name = "widl"', "two systems have the same name"),
    ("pop_limit = 50", "pop_limits = 50", "system.0: unknown option 'pop_limits'; did you mean 'pop_limit'"),
    ("[tuning]", '[tuning]\nmetric = "blue"', r"tuning.metric: metric 'blue': expected one of"),
    ("dev.zh", "dev.fr", r"dev.0.source: .*dev\.fr: no such file"),
    ('[dev]\nsource = "dev.zh"\nreferences = ["dev.en"]', "", r"there is no \[dev\]"),
)
def test_bad_configurations(config, change) -> None:
    assert_refused(config, change, lambda: run(config, config.parent / "out"))
    assert not (config.parent / "out").exists()


def test_no_distortion_limit(config) -> None:
    config.write_text(config.read_text().replace("pop_limit = 50", 'distortion_limit = "none"'))
    assert read_config(config, TranslationExperimentConfig).system[0].options.distortion_limit is None


OWN_METRIC = """
def per_reference(hypotheses, references, sources):
    return [{} * len(h.split()) / len(r[0].split()) for h, r in zip(hypotheses, references)]

def of_corpus(hypotheses, references):
    return sum(len(h) for h in hypotheses) / sum(len(r) for r in references[0])
"""


@pytest.mark.slow
def test_own_metrics(config, trained, tmp_path) -> None:
    """Found beside the file; digits by size; the smaller one better if asked for; no test of what is no sum."""
    names = ["bleu", "-own_units:per_reference", "own_units:of_corpus"]
    text = config.read_text().replace('["bleu", "ter"]', json.dumps(names))
    for option in ("pop_limit = 50", "stack_size = 5"):
        text = text.replace(option, f'weights = "{trained / "weights.toml"}"\ndistortion_limit = {len(option) % 2}')
    for name in ("dev", "tuning"):
        text = re.sub(rf"^\[{name}\]$[^[]*(\[\"[^[]*)?", "", text, flags=re.MULTILINE)
    config.write_text(text)
    with pytest.raises(InputError, match=r"config.toml:4: metrics.1: .* no module 'own_units'"):
        run(config, tmp_path / "out")
    module = tmp_path / "own_units.py"
    found = []
    for factor in ("0.01", "0.02"):
        module.write_text(OWN_METRIC.format(factor))
        results = run(config, tmp_path / "out")
        columns = {column.name: column for column in results.tables[0].columns}
        assert columns["own_units:per_reference"].better == "lower"
        signatures = [line for line in results_text(results).splitlines() if line.endswith("|smaller is better")]
        assert [line.partition(":per_reference:")[0] for line in signatures] == ["own_units"]
        assert columns["own_units:per_reference"].digits == 4
        found.append([row.cells["own_units:per_reference"].value for row in results.tables[0].rows])
    assert found[1] == pytest.approx([2 * value for value in found[0]])
    intervals = results.table("test-intervals")
    assert {name: row.low is not None for name, row in intervals.rows[0].cells.items()} == {
        "bleu": True,
        "own_units:per_reference": True,
        "own_units:of_corpus": False,
    }
    assert any("own_units:of_corpus is a function of the whole corpus" in note for note in intervals.notes)
    assert "own_units:of_corpus" not in results.table("test-pairs").rows[0].cells
    config.write_text(text.replace('"bleu"', '"-bleu"'))
    with pytest.raises(InputError, match=r"metric '-bleu': '-', for smaller is better, goes with functions only"):
        run(config, tmp_path / "out")


@pytest.mark.slow
def test_a_changed_metric_is_tuned_again_and_text_of_dev_is_told_in_all_files(config, tmp_path) -> None:
    text = config.read_text().replace("[tuning]", '[tuning]\nmetric = "own_tuned:f"\nalgorithm = "mira"')
    config.write_text(text[: text.rindex("[[system]]")].replace("replications = 2", "replications = 1"))
    shutil.copy(tmp_path / "dev.zh", tmp_path / "test.zh")
    scores = []
    for sign in ("", "-"):
        (tmp_path / "own_tuned.py").write_text(
            f"def f(hypotheses, references, sources):\n    return [{sign}len(h) / 1000 for h in hypotheses]\n"
        )
        messages: list[str] = []
        results = run(config, tmp_path / "out", notify=messages.append)
        scores.append(results.tables[0].rows[0].cells["dev own_tuned:f"].value)
        assert any("systems/widl/weights: started" in message for message in messages)
    assert scores[0] > 0 > scores[1]
    [column] = [column for column in results.tables[0].columns if column.name.startswith("dev")]
    assert (column.name, column.digits) == ("dev own_tuned:f", 4)
    constant = "def f(hypotheses, references, sources):\n    return [0.0] * len(hypotheses)\n"
    (tmp_path / "own_tuned.py").write_text(constant)
    with pytest.raises(InputError, match=r"^system 'widl': all candidates of a sentence score alike"):
        run(config, tmp_path / "alike")
    for name in ("results.txt", "results.tsv", "results.tex", "results.json", "report.html"):
        assert "10 texts of 10 in common" in (tmp_path / "out" / name).read_text(encoding="utf-8")
