"""Compounds are split as Koehn & Knight (2003) say, compared with all readings of a word."""

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from benchmarks.split_compounds import LONGEST, CompoundSplitter
from hypothesis import example, given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
COUNTS = {"garten": 42, "haus": 91, "gartenhaus": 3, "zeitung": 30, "zeit": 5, "tages": 2, "tage": 1}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("gartenhaus", "garten haus"),  # the root of 42 · 91 is more than 3
        ("hausgartens", "hausgartens"),  # s stands between parts, not behind them
        ("hauszeitung", "haus zeitung"),
        ("haussgarten", "haus garten"),
        ("hauesgarten", "hauesgarten"),
        ("hausesgarten", "haus garten"),
        ("hausenzeitung", "hausenzeitung"),
        ("tageszeitung", "tages zeitung"),  # 2 · 30 is more than 1 · 30
        ("garten-haus", "garten-haus"),
        ("haus2garten", "haus2garten"),
        ("garten", "garten"),
        ("im", "im"),
    ],
)
def test_by_hand(word: str, parts: str) -> None:
    assert CompoundSplitter(COUNTS).parts(word) == parts.split()


def test_a_word_that_is_more_frequent_than_its_parts_stays() -> None:
    """The root of 9 · 4 is 6. Between equal readings, the one with fewer parts wins."""
    for count, parts in ((5, ["warm", "luft"]), (6, ["warmluft"]), (7, ["warmluft"])):
        assert CompoundSplitter({"warm": 9, "luft": 4, "warmluft": count}).parts("warmluft") == parts


def readings(word: str, counts: dict[str, int]) -> Iterator[list[int]]:
    """The counts of the parts of every reading, from the definition."""
    for size in range(4, len(word) + 1):
        count = counts.get(word[:size], 0)
        if count and size == len(word):
            yield [count]
        for filler in ("", "s", "es") if count else ():
            if word.startswith(filler, size):
                yield from ([count, *rest] for rest in readings(word[size + len(filler) :], counts))


def is_greater(one: list[int], other: list[int]) -> bool:
    """Compares geometric means by powers, without roots."""
    return Fraction(prod(one)) ** len(other) > Fraction(prod(other)) ** len(one)


PARTS = st.text("ase", min_size=4, max_size=6)


@given(st.dictionaries(PARTS, st.integers(1, 9), max_size=8), st.lists(PARTS, min_size=2, max_size=4), st.data())
@example({"asas": 2, "assa": 3, "aseasas": 5}, ["asas", "aseasas"], None)
def test_no_reading_has_a_larger_mean(counts: dict[str, int], words: list[str], data: st.DataObject | None) -> None:
    fillers = ["" for _ in words] if data is None else [data.draw(st.sampled_from(["", "s", "es"])) for _ in words]
    word = words[0] + "".join(filler + part for filler, part in zip(fillers, words[1:], strict=False))
    parts = CompoundSplitter(counts).parts(word)
    every = list(readings(word, counts))
    if not every:
        assert parts == [word]
        return
    chosen = [counts[part] for part in parts]
    assert chosen in every
    assert not any(is_greater(other, chosen) for other in every)
    assert all(len(chosen) <= len(other) for other in every if not is_greater(chosen, other))


def test_words_with_very_many_readings_are_split_at_once() -> None:
    """The millions of ways to read 60 equal letters are looked at together; three parts of 20 have the largest mean."""
    splitter = CompoundSplitter({"s" * size: size for size in range(4, 30)})
    assert splitter.parts("s" * LONGEST) == ["s" * 20] * 3
    assert splitter.parts("s" * (LONGEST + 1)) == ["s" * (LONGEST + 1)]


@pytest.mark.slow
def test_files_are_split_by_the_counts_of_the_first(tmp_path: Path) -> None:
    for name, text in (("train.de", "ein garten im haus .\nein haus\n"), ("test.de", "das gartenhaus\nes regnet .\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, str(ROOT / "benchmarks" / "split_compounds.py"), "train.de", "test.de"]
    command += ["--output", "new"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "test.de: 6 tokens of 5\n"
    assert (tmp_path / "new" / "test.de").read_text(encoding="utf-8") == "das garten haus\nes regnet .\n"
