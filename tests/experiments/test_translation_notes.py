"""Notes of the translation experiment on tuning and on omitted comparisons."""

from pathlib import Path

import pytest

from tests.sample import TEXT_SETS, write_sample
from widl.experiments import read_config
from widl.experiments.translation import left_out, notes_of, paper_bleu
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.translation import TranslationOptions

CONFIG = f'model = "model"{TEXT_SETS}[[system]]\nname = "cube"\n'


@pytest.fixture
def config(tmp_path: Path) -> TranslationExperimentConfig:
    (tmp_path / "model").mkdir()
    write_sample(tmp_path, 1)
    others = '[[system]]\nname = "stack"\ndecoder = "stack"\n[[system]]\nname = "one"\nsegmentations = "one"\n'
    other = '[[system]]\nname = "other"\nmodel = "model"\n'
    (tmp_path / "config.toml").write_text(CONFIG + others)
    (tmp_path / "other.toml").write_text(CONFIG + other)
    return read_config(tmp_path / "config.toml", TranslationExperimentConfig)


def test_systems_with_other_derivations_are_not_compared(config: TranslationExperimentConfig, tmp_path: Path) -> None:
    reasons = [left_out(config, system) for system in config.system]
    assert reasons == [None, None, "other derivations (segmentations)"]
    again = read_config(tmp_path / "other.toml", TranslationExperimentConfig)
    reasons = [left_out(again, system) for system in again.system[1:]]
    assert reasons == ["another model"]
    [note] = notes_of(config)
    assert note.startswith("one is not compared with cube by model score, search errors and gap: it has other deriv")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (TranslationOptions(preset="paper-2006"), 25.7),
        (TranslationOptions(preset="paper-2006", decoder="stack"), 26.35),
        (TranslationOptions(search="astar-k"), None),
        (TranslationOptions(decoder="stack"), None),
        (TranslationOptions(), None),
        (TranslationOptions(search="astar-k", k=1), None),
        (TranslationOptions(search="astar"), None),
    ],
)
def test_figures_of_the_paper_stand_beside_its_systems_alone(
    options: TranslationOptions, expected: float | None
) -> None:
    assert paper_bleu(options) == expected
