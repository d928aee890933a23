"""Compounds are split as Koehn & Knight (2003) say, compared with all readings of a word."""

import pickle
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.text.compounds import LONGEST, CompoundSplitter, write_counts
from widl.text.source_and_target import SourceText, TextSettings

COUNTS = {"Garten": 40, "garten": 2, "Haus": 90, "haus": 1, "Gartenhaus": 3, "Zeitung": 30, "zeit": 5}
COUNTS |= {"Tages": 2, "Tage": 1}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Gartenhaus", "Garten Haus"),  # sqrt(42 · 91) is more than 3
        ("GARTENHAUS", "Garten Haus"),  # a part has the form that is most frequent
        ("Hausgartens", "Hausgartens"),  # s stands between parts, not behind them
        ("Hauszeitung", "Haus Zeitung"),
        ("Haussgarten", "Haus Garten"),
        ("Hauesgarten", "Hauesgarten"),
        ("Hausesgarten", "Haus Garten"),
        ("Hausenzeitung", "Hausenzeitung"),
        ("Tageszeitung", "Tages Zeitung"),  # sqrt(2 · 30) is more than sqrt(1 · 30)
        ("garten-haus", "garten-haus"),
        ("Haus2garten", "Haus2garten"),
        ("Zeitzeitung", "zeit Zeitung"),
        ("Garten", "Garten"),
        ("im", "im"),
    ],
)
def test_by_hand(word: str, parts: str) -> None:
    assert CompoundSplitter(COUNTS).parts(word) == parts.split()


def test_a_word_that_is_more_frequent_than_its_parts_stays() -> None:
    """sqrt(9 · 4) is 6, and of equal readings that with fewer parts is taken."""
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


@given(st.dictionaries(PARTS, st.integers(1, 9), max_size=8), st.lists(PARTS, min_size=1, max_size=4), st.data())
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


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    write_counts(["das Gartenhaus im Garten", "Haus und Garten .", "Haus , Haus ; 2004er"], path)
    assert path.read_text(encoding="utf-8") == "Haus\t3\nGarten\t2\nGartenhaus\t1\n"
    assert CompoundSplitter.load(path).split("ein Gartenhaus".split()) == ["ein", "Garten", "Haus"]


@pytest.mark.parametrize("line", [
    "Haus", "Haus\t", "Haus\t0", "Haus\tx", "Hof\t3", "Haus 3", "\t3", "Haus\t" + "9" * 16,
])
def test_a_damaged_file_of_counts_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text(f"Garten\t3\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"counts.tsv:2: expected a word of at least 4 letters, a tab and how often"):
        CompoundSplitter.load(path)


def test_source_text_splits_after_tokenization() -> None:
    german = SourceText(TextSettings(source_language="de"), CompoundSplitter(COUNTS))
    expected = ["das", "Garten", "Haus", ",", "dort", "."]
    for text in (german, pickle.loads(pickle.dumps(german))):
        assert text.tokens("das Gartenhaus, dort.") == expected
        assert text.split(text.normalize("das Gartenhaus, dort.")) == expected
    moses = SourceText(TextSettings(source_language="none", moses_escapes=True), CompoundSplitter(COUNTS))
    assert moses.tokens("Gartenhaus &amp; Haus") == ["Garten", "Haus", "&amp;", "Haus"]
