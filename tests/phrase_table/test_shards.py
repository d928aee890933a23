"""Phrase pairs extracted and scored in shards equal the pairs from one machine."""

import random
from dataclasses import asdict
from itertools import pairwise, zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import TEXT, bitexts, lines
from tests.phrase_table.tables import batches
from widl._core import PhraseScorer, TextCounts, extract_shards, merge_shard, target_totals
from widl.common.errors import InputError
from widl.common.exchange import open_exchange
from widl.common.workers import LocalEngine
from widl.phrase_table import ExtractionOptions, build_phrase_table, extract_phrases, shards
from widl.phrase_table.building import phrases_of_text
from widl.phrase_table.extraction import read_bitext
from widl.phrase_table.shards import PhraseShards


def counts_of(parts, firsts=(), in_domain=0) -> TextCounts:
    """Counts of parts that begin at these lines of the text; the first `in_domain` lines are in-domain."""
    counts = TextCounts()
    for part, first in zip_longest(parts, firsts, fillvalue=0):
        counts.add(TextCounts.of(read_bitext(*part, first=first, in_domain=in_domain)))
    return TextCounts.parse(counts.numbered())


def files_of(counts, part, size, **options) -> list[bytes]:
    bitext = counts.part()
    read_bitext(*part, into=bitext)
    return extract_shards(bitext, size, **options)


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
    files = [files_of(counts, part, size, threads=numbers.choice((1, 2)), **scope) for part in parts]
    merged = [merge_shard(of_shard, size) for of_shard in zip(*files, strict=True)]
    totals = [target_totals(asked) for asked in zip(*(asked for _, asked, _, _ in merged), strict=True)]
    by_count = [sum(numbers) for numbers in zip(*(of_shard for _, _, of_shard, _ in merged), strict=True)]
    result = []
    for (pairs, *_), answers in zip(merged, zip(*totals, strict=True), strict=True):
        threads = numbers.choice((1, 2))
        scorer = PhraseScorer(counts, pairs, answers, by_count, threads=threads, smoothed=smoothed, **scope)
        of_shard = list(batches(scorer))
        assert of_shard == sorted(of_shard)
        result += of_shard
    whole = extract_phrases(
        *text,
        max_length=max_length,
        smoothing="kneser-ney" if smoothed else "none",
        in_domain=in_domain,
        reordering="msd-bidirectional-fe" if reordering else "none",
    )
    expected = list(batches(whole))
    assert sorted(result) == expected
    assert counts.target_words() == whole.target_words()
    assert counts.has_in_domain == whole.has_in_domain
    assert sum(occurrences for *_, occurrences in merged) == whole.occurrences


@pytest.mark.parametrize("least", [17, 120, 1000])
def test_tables_are_equal_byte_for_byte(tmp_path, monkeypatch, least) -> None:
    monkeypatch.setattr(shards, "_LEAST_PAIRS", least)
    monkeypatch.setattr(shards, "_BLOCK", 1000)
    monkeypatch.setattr(shards, "_FEW_SHARDS", 3)
    monkeypatch.setattr(shards, "_SHARD_PAIRS", 100)
    options = ExtractionOptions(reordering="msd-bidirectional-fe")
    # A word below the space in the order of bytes, and a word that makes a key too long to be stored unchanged.
    text = [[*TEXT[0], "f1 \x01 f2", "f" * 600], [*TEXT[1], "e1 e1 e2", "e3"], [*TEXT[2], "0-0 1-1 2-2", "0-0"]]
    expected = build_phrase_table(tmp_path / "one", extract_phrases(*text, **asdict(options), in_domain=150, threads=1))
    messages = []
    with open_exchange(LocalEngine(2), tmp_path / "shared", lambda *args: messages.append(args)) as exchange:
        phrases = PhraseShards(*text, exchange, pairs=len(text[0]), options=options, in_domain=150)
        assert build_phrase_table(tmp_path / "many", phrases, progress=lambda *args: messages.append(args)) == expected
        assert list((tmp_path / "shared").iterdir()) == []
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()
    parts = -(-len(text[0]) // least)
    size = min(parts, 4)
    sizes = {"count words": parts, "extract": parts, "merge": size, "add up": size, "score shards": size}
    assert [(stage, size, size) in messages for stage, size in sizes.items()] == [True] * 5
    assert messages[-1] == ("score", expected.occurrences, expected.occurrences)


def test_memory_does_not_matter(tmp_path, monkeypatch) -> None:
    """Data that exceeds the memory goes to files, which are deleted at the end, also after an error."""
    monkeypatch.setattr(shards, "_LEAST_PAIRS", 50)
    monkeypatch.setattr(shards, "_PAIR_BYTES", 1000)
    options, folder = ExtractionOptions(max_length=3, reordering="msd-bidirectional-fe"), tmp_path / "folder"
    folder.mkdir()
    expected = build_phrase_table(tmp_path / "all", extract_phrases(*TEXT, **asdict(options)))
    ended = tuple([f"{line}\n" for line in side] for side in TEXT)  # as files give them
    for text, memory, threads in ((TEXT, 1, 1), (ended, 100_000, 2), (TEXT, 1 << 30, 1)):
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
        phrases = PhraseShards(*text, exchange, pairs=2, options=options)
        assert build_phrase_table(tmp_path / "many", phrases) == expected
    assert (tmp_path / "many").read_bytes() == (tmp_path / "one").read_bytes()


def test_a_bad_link_is_named_by_its_line_in_the_whole_text(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shards, "_LEAST_PAIRS", 2)
    text = [["a b"] * 5, ["x"] * 5, ["0-0", "", "1-0", "0-3", ""]]
    with (
        open_exchange(LocalEngine(), tmp_path / "shared") as exchange,
        pytest.raises(InputError, match=r"^line 4: alignment point 0-3 is outside the sentences of 2 and 1 words$"),
    ):
        PhraseShards(*text, exchange, pairs=5, options=ExtractionOptions())


def test_another_text_than_was_counted() -> None:
    counts = counts_of([(["a b"], ["x y"], ["0-0 1-1"])])
    with pytest.raises(InputError, match=r"^line 1: a word that was not in the text when its words were counted$"):
        files_of(counts, (["c"], ["x"], ["0-0"]), 1)
    [file] = files_of(counts, (["a b"], ["x y"], ["0-1"]), 1)
    pairs, asked, by_count, _ = merge_shard([file], 1)
    with pytest.raises(InputError, match=r"^a link that was not in the text when its links were counted$"):
        PhraseScorer(counts, pairs, target_totals(asked), by_count)
    with pytest.raises(InputError, match=r"^damaged: an answer to no request$"):
        PhraseScorer(counts, b"", target_totals(asked), by_count)


def test_damaged_files_are_refused_or_read() -> None:
    """They are never read beyond their end, and missing words are never read."""
    numbers = random.Random(21)
    text = [side[:20] for side in TEXT]
    counts = counts_of([text])
    numbered = TextCounts.of(read_bitext(*text))
    files = files_of(counts, text, 1, reordering=True)
    pairs, asked, by_count, _ = merge_shard(files, 1)
    answers = target_totals(asked)

    def changed(content: bytes) -> bytes:
        content = bytearray(content)
        if numbers.random() < 0.3:
            return bytes(content[: numbers.randrange(len(content))])
        content[numbers.randrange(len(content))] = numbers.choice((0, 1, 0x7F, 0x80, 0xFF, numbers.randrange(256)))
        return bytes(content)

    def score(pairs: bytes, answers: list[bytes]) -> None:
        list(batches(PhraseScorer(counts, pairs, answers, by_count, reordering=True, smoothed=True)))

    refused = 0
    for _ in range(300):
        for work in (
            lambda: TextCounts().add(changed(numbered)),
            lambda: merge_shard([changed(files[0])], 2),
            lambda: target_totals([changed(asked[0])]),
            lambda: score(changed(pairs), answers),
            lambda: score(pairs, [changed(answers[0])]),
        ):
            try:
                work()
            except InputError:
                refused += 1
    assert refused > 300
