"""Phrase pairs extracted and scored in shards equal the pairs from one machine."""

from dataclasses import asdict
from itertools import pairwise, zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import TEXT, bitexts, lines
from tests.phrase_table.tables import items_of
from widl._core import Bitext, TextCounts, count_targets, extract_part, score_sources
from widl.common.errors import InputError
from widl.common.shared_folder import open_exchange
from widl.common.workers import LocalEngine
from widl.phrase_table import ExtractionOptions, build_phrase_table, extract_phrases, shards
from widl.phrase_table.building import phrases_of_text
from widl.phrase_table.shards import ExtractedPhrases


def part_of(lines) -> bytes:
    return "".join(f"{line}\n" for pair in zip(*lines, strict=True) for line in pair).encode()


def counts_of(parts, firsts=(), in_domain=0) -> TextCounts:
    """Counts of parts that begin at these lines of the text; the first `in_domain` lines are in-domain."""
    counts = TextCounts()
    for part, first in zip_longest(parts, firsts, fillvalue=0):
        counts.add(TextCounts.of(Bitext(part_of(part), first=first, in_domain=in_domain)))
    return TextCounts.parse(counts.numbered())


@given(
    bitexts(sentences=12),
    st.integers(1, 4),
    st.integers(1, 7),
    st.booleans(),
    st.booleans(),
    st.integers(0, 12),
    st.randoms(use_true_random=False),
)
def test_shards_are_those_of_the_whole_text(bitext, size, max_length, reordering, smoothed, in_domain, numbers) -> None:
    """The result does not depend on the parts, the shards, or their order."""
    text = lines(bitext)
    length = len(text[0])
    cuts = sorted({0, length, *(numbers.randint(0, length) for _ in range(3))})
    ranges = list(pairwise(cuts))
    numbers.shuffle(ranges)
    parts = [tuple(side[begin:end] for side in text) for begin, end in ranges]
    counts = counts_of(parts, [begin for begin, _ in ranges], in_domain)
    scope = {"max_length": max_length, "reordering": reordering}
    extracted = [extract_part(Bitext(part_of(part)), counts, size, **scope) for part in parts]
    sample = sorted(phrase for *_, phrases in extracted for phrase in phrases)
    bounds = sorted(numbers.choices(sample, k=size)) if sample else []
    counted = [count_targets(files, bounds) for files in zip(*(files for files, *_ in extracted), strict=True)]
    pairs = [sum(numbers) for numbers in zip(*(of_shard for _, of_shard in counted), strict=True)]
    shards = [
        score_sources(files, counts, pairs, reordering=reordering, smoothed=smoothed)
        for files in zip(*(files for files, _ in counted), strict=True)
    ]
    whole = extract_phrases(
        *text,
        max_phrase_length=max_length,
        smoothing="kneser-ney" if smoothed else "none",
        in_domain=in_domain,
        reordering="msd-bidirectional-fe" if reordering else "none",
    )
    assert [item for shard in shards for item in shard.items] == list(items_of(whole))
    assert sum(shard.pairs for shard in shards) == pairs[0]
    assert counts.target_words() == whole.target_words()
    assert counts.has_in_domain == whole.has_in_domain
    assert sum(occurrences for _, occurrences, _ in extracted) == whole.occurrences
    assert sum(shard.occurrences for shard in shards) == whole.occurrences


@pytest.mark.parametrize("least", [17, 120, 1000])
def test_tables_are_equal_byte_for_byte(tmp_path, monkeypatch, least) -> None:
    monkeypatch.setattr(shards, "_FEW_SHARDS", 3)
    monkeypatch.setattr(shards, "_SHARD_PAIRS", 100)
    options = ExtractionOptions(reordering="msd-bidirectional-fe")
    # A word below the space in the order of bytes, and a word that makes a key too long to be stored unchanged.
    text = [[*TEXT[0], "f1 \x01 f2", "f" * 600], [*TEXT[1], "e1 e1 e2", "e3"], [*TEXT[2], "0-0 1-1 2-2", "0-0"]]
    whole = extract_phrases(*text, **asdict(options), in_domain=150, threads=1)
    monkeypatch.setattr(shards, "_MIN_PAIRS", least)
    expected = build_phrase_table(tmp_path / "one", whole)
    messages = []
    with open_exchange(LocalEngine(2), tmp_path / "shared", lambda *args: messages.append(args)) as exchange:
        phrases = ExtractedPhrases(*text, exchange, pairs=len(text[0]), options=options, in_domain=150)
        assert build_phrase_table(tmp_path / "many", phrases, progress=lambda *args: messages.append(args)) == expected
        assert list((tmp_path / "shared").iterdir()) == []
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()
    parts = -(-len(text[0]) // least)
    size = min(parts, 4)
    sizes = {"count words": parts, "extract": parts, "count phrases": size, "score shards": size}
    assert [(stage, size, size) in messages for stage, size in sizes.items()] == [True] * 4
    assert messages[-1] == ("score", expected.occurrences, expected.occurrences)


def test_memory_does_not_matter(tmp_path, monkeypatch) -> None:
    """Data that exceeds the memory goes to files, which are deleted at the end, also after an error."""
    monkeypatch.setattr(shards, "_MIN_PAIRS", 50)
    monkeypatch.setattr(shards, "_PAIR_BYTES", 1000)
    options, folder = ExtractionOptions(max_phrase_length=3, reordering="msd-bidirectional-fe"), tmp_path / "folder"
    folder.mkdir()
    expected = build_phrase_table(tmp_path / "all", extract_phrases(*TEXT, **asdict(options)))
    ended = tuple([f"{line}\n" for line in side] for side in TEXT)  # as files give them
    for text, memory, threads in ((TEXT, 1, 1), (ended, 100_000, 2), (TEXT, 1 << 30, 1), (TEXT, 0, 2)):
        with phrases_of_text(text, options, threads=threads, memory=memory, temporary_directory=folder) as phrases:
            assert build_phrase_table(tmp_path / "some", phrases) == expected
        assert (tmp_path / "some").read_bytes() == (tmp_path / "all").read_bytes()
        assert list(folder.iterdir()) == []
    short = TEXT[0], TEXT[1], TEXT[2][:-1]
    with (
        pytest.raises(InputError, match=r"^line 300: the alignment text ends before the others$"),
        phrases_of_text(short, options, threads=1, memory=1, temporary_directory=folder),
    ):
        pass
    assert list(folder.iterdir()) == []


def test_text_without_phrases(tmp_path) -> None:
    options = ExtractionOptions(reordering="msd-bidirectional-fe")
    text = [["a b", ""], ["x", "y"], ["", ""]]
    expected = build_phrase_table(tmp_path / "one", extract_phrases(*text, **asdict(options)))
    with open_exchange(LocalEngine(), tmp_path / "shared") as exchange:
        phrases = ExtractedPhrases(*text, exchange, pairs=2, options=options)
        assert build_phrase_table(tmp_path / "many", phrases) == expected
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()


def test_a_bad_link_is_named_by_its_line_in_the_whole_text(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shards, "_MIN_PAIRS", 2)
    text = [["a b"] * 5, ["x"] * 5, ["0-0", "", "1-0", "0-3", ""]]
    with (
        open_exchange(LocalEngine(), tmp_path / "shared") as exchange,
        pytest.raises(InputError, match=r"^line 4: alignment point 0-3 is outside the sentences of 2 and 1 words$"),
    ):
        ExtractedPhrases(*text, exchange, pairs=5, options=ExtractionOptions())


def test_another_text_than_was_counted() -> None:
    counts = counts_of([(["a b"], ["x y"], ["0-0 1-1"])])
    scope = {"max_length": 7, "reordering": False}
    with pytest.raises(InputError, match=r"^a word that was not in the text when its words were counted$"):
        extract_part(Bitext(b"c\nx\n0-0\n"), counts, 1, **scope)
    files, _, _ = extract_part(Bitext(b"a b\nx y\n0-1\n"), counts, 1, **scope)
    files, pairs = count_targets(files, [])
    with pytest.raises(InputError, match=r"^a link that was not in the text when its links were counted$"):
        score_sources(files, counts, pairs, reordering=False, smoothed=False)
