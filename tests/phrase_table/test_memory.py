"""Phrase extraction in bounded memory, on disk where it doesn't fit."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import bitexts, lines
from tests.phrase_table.tables import batches
from widl.common.errors import InputError
from widl.phrase_table import PhraseScorer, build_phrase_table, extract_phrases, read_bitext


def random_text(sentences=300, vocabulary=40, seed=1):
    """Sentences of Zipf-like words, their translations word by word with some neighbours exchanged."""
    draw = random.Random(seed)
    sources, targets, alignments = [], [], []
    for _ in range(sentences):
        words = [int(vocabulary ** draw.random()) for _ in range(draw.randint(1, 12))]
        order = list(range(len(words)))
        if len(words) > 2:
            i = draw.randrange(len(words) - 1)
            order[i], order[i + 1] = order[i + 1], order[i]
        sources.append(" ".join(f"f{word}" for word in words))
        targets.append(" ".join(f"e{words[i] % 17}" for i in order))
        alignments.append(" ".join(f"{i}-{j}" for j, i in enumerate(order) if draw.random() < 0.9))
    return sources, targets, alignments


TEXT = random_text()


def spilled(*text, parts=2, **options):
    """A scorer with the largest of some bounds that divides the text into at least so many parts."""
    for bits in range(80, 20, -1):
        scorer = extract_phrases(*text, memory=int(2 ** (bits / 4)), **options)
        if scorer.parts >= parts:
            return scorer
    raise AssertionError("never divided")


@pytest.mark.parametrize("threads", [1, 3])
def test_spilled_equals_in_memory(threads):
    expected = list(batches(extract_phrases(*TEXT)))
    assert len(expected) > 100
    assert list(batches(spilled(*TEXT, parts=4, threads=threads))) == expected


@pytest.mark.slow
@given(bitexts(sentences=12), st.integers(600, 8000), st.integers(1, 7), st.integers(1, 3))
def test_memory_does_not_matter(bitext, memory, max_length, threads):
    try:
        scorer = extract_phrases(*lines(bitext), memory=memory, threads=threads, max_length=max_length)
    except InputError as error:
        assert "too little memory" in str(error)
        return
    assert list(batches(scorer)) == list(batches(extract_phrases(*lines(bitext), max_length=max_length)))


def test_tables_are_equal_byte_for_byte(tmp_path):
    build_phrase_table(tmp_path / "memory", extract_phrases(*TEXT, threads=1))
    build_phrase_table(tmp_path / "disk", spilled(*TEXT, parts=3, threads=2))
    assert (tmp_path / "disk").read_bytes() == (tmp_path / "memory").read_bytes()


def test_too_little_memory():
    with pytest.raises(InputError, match=r"^too little memory for this bitext: it takes \d+ MB before the first"):
        extract_phrases(*TEXT, memory=2000)
    # One word, so that its phrases can't be divided.
    text = ["a " * 50] * 100, ["x " * 50] * 100, [" ".join(f"{i}-{i}" for i in range(50))] * 100
    with pytest.raises(
        InputError, match=r"^too little memory: the phrases of the most frequent word alone take \d+ MB more; raise"
    ):
        extract_phrases(*text, memory=300_000)


def test_nothing_is_left_in_the_temporary_folder(tmp_path):
    scorer = spilled(*TEXT, parts=3, temporary_directory=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert scorer.next_batch() is not None
    del scorer
    assert list(tmp_path.iterdir()) == []


def test_the_temporary_folder_is_missing(tmp_path):
    none = tmp_path / "none"
    with pytest.raises(FileNotFoundError, match=f"^{none}: no such directory, where temporary files were to go$"):
        extract_phrases(*TEXT, temporary_directory=none)
    bitext = read_bitext(["f"] * 3, ["e"] * 3, ["0-0"] * 3)
    with pytest.raises(InputError) as error:
        PhraseScorer(bitext, memory=650, temporary_directory=str(none))
    assert str(error.value) == (
        f"{none}: a temporary file cannot be made (No such file or directory); "
        "choose another directory for temporary files, or allow more memory"
    )


