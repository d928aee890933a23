"""Word ordering under several language models: of texts, and mixtures of them."""

import random
from pathlib import Path

import pytest

from tests.experiments.test_word_order import run, started
from widl.common.errors import InputError
from widl.decoder import load_language_model
from widl.experiments.bags import Bags
from widl.experiments.config import read_config
from widl.experiments.results import Scorer, SystemRun
from widl.experiments.word_order import WordOrderConfig, model_table, outputs_of
from widl.experiments.word_order_models import OrderingModel
from widl.text.penn import training_lines

WORDS = "the dog cat sees hears a house tree and".split()


def write_text(path: Path, lines: int, *, seed: int, words: list[str] = WORDS) -> Path:
    draw = random.Random(seed)
    path.write_text("".join(" ".join(draw.choices(words, k=draw.randint(3, 7))) + ".\n" for _ in range(lines)))
    return path


@pytest.fixture
def models_config(tmp_path: Path) -> Path:
    write_text(tmp_path / "bags.txt", 12, seed=1)
    write_text(tmp_path / "one.txt", 300, seed=2)
    write_text(tmp_path / "two.txt", 80, seed=3, words=[*WORDS, "mouse"])
    write_text(tmp_path / "held.txt", 40, seed=4)
    config = tmp_path / "models.toml"
    config.write_text(
        'bags = ["bags.txt"]\ntexts = ["one.txt", "two.txt"]\nheld_out = "held.txt"\n'
        'rows = ["astar"]\nresamples = 10\n'
        '[[model]]\nname = "one"\ntexts = ["one.txt"]\norder = 4\nprune = [0, 0, 1]\n'
        '[[model]]\nname = "two"\ntexts = ["two.txt"]\n'
        '[[model]]\nname = "mixed"\nlinear = ["one", "two"]\n'
    )
    return config


@pytest.mark.slow
def test_models_are_compared(models_config: Path) -> None:
    found, told = run(models_config)
    out = models_config.parent / "out"
    assert started(told)[:4] == ["text one", "text two", "text held", "model all-texts"]
    *rows, papers = found.table("bags-models").rows
    assert [row.label for row in rows] == ["all-texts", "one", "two", "mixed"]
    assert (papers.label, papers.cells, papers.paper["words"]) == ("the paper's A*", {}, 170_000_000)
    models = [load_language_model(out / f"models/{name}.arpa.gz") for name in ("one", "two")]
    assert [model.order for model in models] == [4, 3]
    words = [row.cells["words"] for row in rows]
    total = sum(len(line.split()) for name in ("one", "two") for line in training_lines(out.parent / f"{name}.txt"))
    assert words == [total, words[1], total - words[1], None]
    mixture = [row.cells["mixed"] for row in found.table("weights").rows]
    assert len(mixture) == 2
    assert sum(mixture) == pytest.approx(1)
    # All strings are proved the best under their model, so that none is worse than the sentence itself.
    assert {(row.cells["estimated %"], row.cells["proved %"]) for row in rows} == {(0.0, 100.0)}
    assert "mixed" in found.sets[-1].systems
    again, told = run(models_config)
    assert (again.tables, told) == (found.tables, [])


def test_perplexity_and_unknown_words(arpa: Path) -> None:
    """Beside the paper's best row for long bags, which these are not."""
    bags = Bags("x", [["a", "b"], ["a", "z"]], [["a", "b"], ["a", "z"]])
    scorer = Scorer(["bleu"], [["a b", "a z"]])
    facts = {name: [1.0, 1.0] for name in ("identical", "log p", "estimated", "proved")}
    tiny = SystemRun(outputs=["a b", "a z"], statistics=scorer.statistics(["a b", "a z"]), facts=facts)
    test = outputs_of("x-models", bags, scorer, {"tiny": tiny}, one_model=False)
    [row] = model_table(bags, [OrderingModel("tiny", arpa, words=7)], test).rows
    # log10: a .1, b .2, </s> 1; a .1, z unknown, </s> 1.
    assert row.cells["perplexity"] == pytest.approx(10 ** ((0.1 + 0.2 + 1 + 0.1 + 1) / 5), rel=1e-4)
    assert (row.cells["words"], row.cells["unknown %"], row.cells["ID %"]) == (7, 25, 100)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('linear = ["one", "two"]', 'linear = ["three"]', "model 'mixed': no model 'three' above it"),
        ('["one", "two"]\n', '["one", "two"]\norder = 3\n', "model 'mixed': 'order' has no effect on a mixture"),
        ("prune = [0, 0, 1]", "prune = [1, 0]", "model 'one': thresholds of 'prune' must not decrease"),
        ("order = 4", "order = 7", "model.0.order: expected at most 6, found 7"),
        ('linear = ["one", "two"]', "", "model 'mixed': give one of 'texts' and 'linear'"),
        ('name = "mixed"', 'name = "one"', "two models have the same name, 'one'"),
        ('name = "one"', 'name = "all-texts"', "two models have the same name, 'all-texts'"),
        ('held_out = "held.txt"\n', "", "model 'mixed': a mixture needs 'held_out'"),
    ],
)
def test_bad_configurations(models_config: Path, old: str, new: str, message: str) -> None:
    text = models_config.read_text()
    assert old in text
    models_config.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_config(models_config, WordOrderConfig)
