"""The headline experiment's configurations in docs/experiments.md: complete, with the true defaults, and readable."""

import re
import tomllib
from pathlib import Path

import pytest

from widl.experiments.config import read_config
from widl.experiments.headline_config import HeadlineExperimentConfig, HeadlineSystemConfig, HeadlineTuningConfig
from widl.mert import OptimizerOptions

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"
SECTION = PAGE.read_text(encoding="utf-8").split("\n## Headlines")[1].split("\n## ")[0]
BLOCKS = re.findall(r"```toml\n(.*?)```", SECTION, flags=re.DOTALL)
CONFIGS = (HeadlineExperimentConfig, HeadlineTuningConfig, HeadlineSystemConfig)


def test_all_keys_are_described() -> None:
    top, tuning, system = re.split(r"^\[+\w+\]+.*$", BLOCKS[0], flags=re.MULTILINE)
    for text, config in zip((top, tuning, system), CONFIGS, strict=True):
        described = re.findall(r"^(?:# )?(\w+) = ", text, flags=re.MULTILINE)
        assert len(set(described)) == len(described)
        tables = {"tuning", "system"} if config is HeadlineExperimentConfig else set()
        assert set(described) == set(config.model_fields) - tables


def test_the_defaults_that_it_shows() -> None:
    shown = tomllib.loads(BLOCKS[0])
    [system] = shown.pop("system")
    tuning = shown.pop("tuning")
    for values, config in zip((shown, tuning, system), CONFIGS, strict=True):
        for key in values.keys() - {"title", "train", "text", "dev", "test", "name", "system"}:
            assert values[key] == config.model_fields[key].default, key


@pytest.mark.parametrize("block", BLOCKS)
def test_they_are_read(block: str, tmp_path: Path) -> None:
    for name in re.findall(r'"([\w./-]+)"', block):
        if "/" in name or "." in name or name == "headlines":
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "config.toml").write_text(block, encoding="utf-8")
    config = read_config(tmp_path / "config.toml", HeadlineExperimentConfig)
    assert config.test
    assert len(BLOCKS) == 2


def test_rows_with_equal_weights_and_where_these_may_be() -> None:
    row = HeadlineSystemConfig(name="a", system="widl")
    searched = HeadlineSystemConfig(name="b", system="widl", search="beam", stack_size=7, k=3)
    assert row.tuned_settings == searched.tuned_settings
    for change in ({"bounds": False}, {"fixed": {"lm1": 0.0}}):
        other = HeadlineSystemConfig(name="c", system="widl", **change)
        assert row.tuned_settings != other.tuned_settings
    model = {"cuts": 0.01, "pairs": 0.1, "lm0": 0.7, "lm1": 0.05}
    start, options = row.space(model, OptimizerOptions())
    assert start == {"cuts": 0.1, "pairs": 0.1, "lm0": 0.5, "lm1": 0.05}  # moved into the bounds
    assert options.bounds.keys() == model.keys()
    without = HeadlineSystemConfig(name="c", system="widl", fixed={"lm1": 0.0})
    start, options = without.space(model, OptimizerOptions())
    assert (start["lm1"], options.fixed) == (0.0, {"lm1"})
    assert options.bounds.keys() == {"cuts", "pairs", "lm0"}
    for free in ({"system": "widl", "bounds": False}, {"system": "widl-paper"}):
        start, options = HeadlineSystemConfig(name="d", **free).space(model, OptimizerOptions())
        assert (start, options.bounds) == (model, {})
