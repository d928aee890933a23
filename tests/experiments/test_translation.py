"""The translation experiment, on the sample corpus."""

import json

import pytest

from widl.errors import InputError
from widl.experiments.translation import run_translation_experiment
from widl.experiments.translation_config import read_config
from widl.experiments.translation_table import translation_table
from widl.pipeline.demo import sample_corpus

CONFIG = """
model = "{model}"
resamples = 50
metrics = ["bleu", "ter"]

[dev]
source = "dev.zh"
references = ["dev.en"]

[[test]]
name = "test"
source = "test.zh"
references = ["test.en"]

[tuning]
replications = 2
max_iterations = 2
candidates = 10

[[system]]
name = "widl"
pop_limit = 50

[[system]]
name = "stack"
decoder = "stack"
stack_size = 5
"""


@pytest.fixture
def config(trained, tmp_path):
    """The configuration of 10 lines of dev and of test."""
    for name in ("dev.zh", "dev.en", "test.zh", "test.en"):
        lines = (sample_corpus() / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / name).write_text("".join(lines[:10]), encoding="utf-8")
    path = tmp_path / "config.toml"
    path.write_text(CONFIG.format(model=trained), encoding="utf-8")
    return path


def test_it_runs_and_is_not_run_again(config, tmp_path) -> None:
    told: list[str] = []
    directory = tmp_path / "out"
    first = run_translation_experiment(read_config(config), directory, tell=told.append)
    assert any("tuning" in line for line in told)
    assert [row.system for row in first.systems] == ["widl", "stack"]
    assert all(len(row.scores["bleu"]) == len(row.dev) == 2 for row in first.systems)
    assert set(first.systems[1].against_first) == {"bleu", "ter"}
    best = {row.system: row for row in first.equal_weights}
    assert best["widl"].score >= best["stack"].score - 1e-6
    for name in ("experiment.json", "results.json", "systems/widl/test.seed-1.txt", "systems/stack/weights.json"):
        assert (directory / name).is_file()
    weights = json.loads((directory / "systems/widl/weights.json").read_text())["content"]
    assert {one["weights"]["unknown"] for one in weights} == {-100.0}

    told.clear()
    again = run_translation_experiment(read_config(config), directory, tell=told.append)
    assert again == first
    assert told == ["stack: comparing on test"]
    text = "\n".join(translation_table(again))
    assert "test: 2 replications" in text
    assert "Pharaoh 26.35" in text

    # Other options of one system: only that one is made again.
    config.write_text(config.read_text().replace("stack_size = 5", "stack_size = 7"))
    told.clear()
    run_translation_experiment(read_config(config), directory, tell=told.append)
    assert any("stack: tuning" in line for line in told)
    assert not any(line.startswith("widl") for line in told)


def test_given_weights_are_not_tuned(config, trained, tmp_path) -> None:
    text = config.read_text().replace('pop_limit = 50', f'pop_limit = 50\nweights = "{trained}/weights.toml"')
    text = text.replace("stack_size = 5", f'weights = "{trained}/weights.toml"')
    config.write_text(text[: text.index("[dev]")] + text[text.index("[[test]]") :])
    found = run_translation_experiment(read_config(config), tmp_path / "out")
    assert [row.dev for row in found.systems] == [[None], [None]]
    assert "given" in "\n".join(translation_table(found))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("resamples", "resample", r"config.toml: resample: Extra inputs"),
        ("pop_limit = 50", "pop_limit = -1", "pop-limit must not be negative"),
        ('name = "stack"', 'name = "widl"', "two systems have the same name"),
        ('decoder = "stack"', 'decoder = "best"', "unknown decoder"),
        ("[dev]", "[ dev", "not TOML"),
        ('[dev]\nsource = "dev.zh"\nreferences = ["dev.en"]', "", r"there is no \[dev\]"),
        ('metrics = ["bleu", "ter"]', 'metrics = ["blue"]', "metrics.0"),
        ("pop_limit = 50", 'distortion_limit = "far"', "distortion_limit"),
    ],
)
def test_bad_configurations(config, old, new, message) -> None:
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_config(config)


def test_no_distortion_limit(config) -> None:
    config.write_text(config.read_text().replace("pop_limit = 50", 'distortion_limit = "none"'))
    assert read_config(config).system[0].options().distortion_limit is None


def test_a_damaged_file_is_named(config, tmp_path) -> None:
    settings = read_config(config)
    only = settings.model_copy(update={"system": settings.system[:1]})
    run_translation_experiment(only, tmp_path / "out")
    path = tmp_path / "out/systems/widl/test.seed-1.json"
    path.write_text("{")
    with pytest.raises(InputError, match=r"test\.seed-1\.json: damaged; delete it"):
        run_translation_experiment(only, tmp_path / "out")


