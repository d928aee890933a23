"""Readings of the paper's searches (`tests/reference/search_readings.py`), compared with the program's."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.experiments.conftest import ARPA
from tests.reference.search_readings import PROGRAM, Bag, best_first, joined
from widl.decoder import LanguageModel, greedy_order
from widl.experiments.bags import OrderSystem, default_systems, order

ROOT = Path(__file__).resolve().parents[2]
WORDS = "a b c d e f g".split()
SYSTEMS = {system["name"]: system for system in default_systems()}


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    """A model that has seen all contexts, so that the program recombines only states with the same last two words."""
    draw = random.Random(1)
    return LanguageModel.estimate([" ".join(draw.sample(WORDS, 7)) for _ in range(3000)])


@pytest.mark.parametrize(("row", "search"), PROGRAM.items())
def test_the_programs_readings(model: LanguageModel, row: str, search) -> None:
    draw = random.Random(2)
    bags = [draw.sample(WORDS, draw.randint(2, 7)) for _ in range(20)]
    program = order(bags, model, OrderSystem.model_validate(SYSTEMS[row]))
    for words, result in zip(bags, program, strict=True):
        log_prob, edges = search(Bag(words, model, "tight"))
        assert log_prob == pytest.approx(result["log p"], abs=1e-4)
        assert edges == result["edges"]


def test_k_from_the_longest_created_is_k_less_one_from_the_longest_unfolded(model: LanguageModel) -> None:
    for seed in range(10):
        words = random.Random(seed).sample(WORDS, 6)
        for k in (1, 2, 3):
            created, popped = (Bag(words, model, "tight") for _ in range(2))
            assert best_first(created, k, created=True) == best_first(popped, k - 1)


def test_g_joins_what_the_plain_reading_joins(model: LanguageModel) -> None:
    draw = random.Random(3)
    for _ in range(50):
        words = draw.choices(WORDS, k=draw.randint(1, 9))
        assert greedy_order(words, model) == joined(words, model, boundaries=True)


def test_g_without_boundaries_begins_at_the_best_junction() -> None:
    """*b a* is the best pair; with ⟨s⟩, which is always followed by *a*, the string begins with *a*."""
    model = LanguageModel.estimate(["a b a", "a b a", "a c"])
    assert joined(["a", "b"], model, boundaries=True) == ["a", "b"]
    assert joined(["a", "b"], model, boundaries=False) == ["b", "a"]


@pytest.mark.slow
def test_the_table(tmp_path: Path) -> None:
    arpa, sentences = tmp_path / "tiny.arpa", tmp_path / "three.txt"
    arpa.write_text(ARPA, encoding="utf-8")
    sentences.write_text("A b c .\n\nc b a\nb a !\n", encoding="utf-8")
    command = [sys.executable, "-m", "tests.reference.search_readings", "--lm", str(arpa), str(sentences)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=60)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows if "paper" in row] == ["A*", "A*_1", "A*_2", "B_0.2", "B_0.1"]
    assert len(rows) == 1 + 5 + 2 + 2 * 4 + 2 * 6 + 2
    assert {row[-2] for row in rows[2:4]} == {"0.0"}
    assert [row[:2] for row in rows[1:4]] == [["A*", "the"], ["A*", "tight"], ["A*", "pairs"]]
    assert [row[-2:] for row in rows[-2:]] == [["%", "restored"]] * 2
