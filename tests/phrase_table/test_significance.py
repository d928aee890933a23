import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import TEXT, bitexts, lines
from tests.phrase_table.tables import contents, table_of
from tests.reference import extraction as slow
from tests.reference import significance as exact
from widl._core import negative_log_p
from widl.common.errors import InputError
from widl.phrase_table import (
    PhraseTable,
    Pruning,
    build_phrase_table,
    extract_phrases,
    prune_table,
    read_text,
    significance_threshold,
)
from widl.phrase_table.writing import new_table


@st.composite
def sentence_counts(draw, largest=60):
    sentences = draw(st.integers(1, largest))
    source, target = draw(st.integers(0, sentences)), draw(st.integers(0, sentences))
    return draw(st.integers(0, min(source, target))), source, target, sentences


def test_p_value_by_hand():
    # Of 4 sentence pairs, two with f, two with e, both in common: 1 of the (4 over 2) = 6 ways.
    assert negative_log_p(2, 2, 2, 4) == pytest.approx(math.log(6))
    # One or more in common: all but 1 of the 6 ways.
    assert negative_log_p(1, 2, 2, 4) == pytest.approx(math.log(6 / 5))
    assert negative_log_p(0, 2, 2, 4) == 0
    # Johnson et al.'s alpha, and a phrase seen in one sentence pair with one that is in five.
    assert negative_log_p(1, 1, 1, 1000) == math.log(1000)
    assert negative_log_p(1, 1, 5, 1000) == pytest.approx(math.log(1000 / 5))


@given(sentence_counts())
def test_p_values_equal_exact_fractions(counts):
    assert negative_log_p(*counts) == pytest.approx(exact.negative_log_p(*counts), rel=1e-10, abs=1e-13)


@pytest.mark.parametrize(
    "counts",
    [
        (1, 1, 1, 259_000),
        (200, 300, 250, 259_000),
        (900, 1000, 1000, 259_000),
        (300, 12_000, 800, 25_900),
    ],
)
def test_large_counts(counts):
    assert negative_log_p(*counts) == pytest.approx(exact.negative_log_p(*counts), rel=1e-6, abs=1e-12)


def prune(table, output, sources, targets, *, significance, **options):
    with PhraseTable.open(table) as opened:
        pruning = Pruning(significance=significance, text=read_text(sources, targets))
        return prune_table(opened, output, pruning, **options)


def kept_of(text, *, significance, threads=1, **options):
    """What is left of a text's table."""
    with TemporaryDirectory() as folder:
        whole, pruned = Path(folder) / "whole", Path(folder) / "pruned"
        build_phrase_table(whole, extract_phrases(*text, **options))
        prune(whole, pruned, *text[:2], significance=significance, threads=threads)
        return {(tuple(f.split()), option.words): option for f, options in contents(pruned) for option in options}


def test_significant_pairs_by_hand():
    # das-the occurs in 2 of 4 pairs, wherever either is: p = 1/6. All others occur once, together: p = 1/4.
    sources, targets = ["das haus", "das buch", "ein", "so"], ["the house", "the book", "a", "so"]
    text = sources, targets, ["0-0 1-1", "0-0 1-1", "0-0", "0-0"]
    all_pairs = kept_of(text, significance=0)
    assert all_pairs.keys() == table_of(extract_phrases(*text)).keys()
    kept = kept_of(text, significance="a+e")
    assert set(kept) == {(("das",), ("the",))}
    assert kept == {pair: all_pairs[pair] for pair in kept}
    assert kept_of(text, significance="a-e") == all_pairs
    assert kept_of(text, significance=1.5) == kept


@pytest.mark.slow
@given(bitexts(sentences=12, length=5), st.floats(0, 4), st.sampled_from([1, 3]))
def test_pruned_pairs_equal_the_definition(bitext, threshold, threads):
    fast = kept_of(lines(bitext), significance=threshold, threads=threads)
    # Thresholds that a pair meets up to rounding may be decided either way.
    assert slow.score(bitext, 7, significance=threshold + 1e-9).keys() <= fast.keys()
    assert fast.keys() <= slow.score(bitext, 7, significance=threshold - 1e-9).keys()


def test_frequent_phrases_that_begin_alike():
    # All a come before b or c, and b is the more frequent word: "a" and "a b" begin at the same suffix.
    sources = ["f g g"] * 100 + ["f h"] * 150 + ["k"] * 100
    targets = ["a b b"] * 100 + ["a c"] * 150 + ["d"] * 100
    bitext = slow.Bitext(
        [line.split() for line in sources],
        [line.split() for line in targets],
        [{(0, 0), (1, 1), (2, 2)}] * 100 + [{(0, 0), (1, 1)}] * 150 + [{(0, 0)}] * 100,
    )
    for f, e in ((("f",), ("a",)), (("f", "g"), ("a", "b"))):
        value = exact.negative_log_p(*slow.sentence_counts(bitext, f, e))
        for threshold in (value - 0.01, value + 0.01):
            fast = kept_of(lines(bitext), significance=threshold)
            assert ((f, e) in fast) == (threshold < value)


def test_thresholds():
    assert significance_threshold("a+e", 100) > math.log(100) > significance_threshold("a-e", 100)
    assert significance_threshold("7.5", 100) == significance_threshold(7.5, 100) == 7.5


@pytest.mark.parametrize("significance", ["b+e", "", "nan", math.inf])
def test_unknown_significance(significance):
    with pytest.raises(InputError, match=r"^significance .*: expected a\+e, a-e or a least value"):
        significance_threshold(significance, 100)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_pruning_a_larger_table(tmp_path, monkeypatch, threads):
    monkeypatch.setattr("widl.phrase_table.storage._BATCH", 1500)
    whole = build_phrase_table(tmp_path / "all", extract_phrases(*TEXT))
    assert whole.source_phrases > 2 * 1500  # several batches, each of several tasks
    calls = []
    report = prune(
        tmp_path / "all",
        tmp_path / "pruned",
        *TEXT[:2],
        significance="a-e",
        threads=threads,
        progress=lambda *call: calls.append(call),
    )
    kept = {(f, option.words) for f, options in contents(tmp_path / "pruned") for option in options}
    bitext = slow.Bitext([line.split() for line in TEXT[0]], [line.split() for line in TEXT[1]], [])
    threshold = significance_threshold("a-e", len(TEXT[0]))
    for f, options in contents(tmp_path / "all")[::17]:
        for option in options:
            counts = slow.sentence_counts(bitext, tuple(f.split()), option.words)
            assert ((f, option.words) in kept) == (exact.negative_log_p(*counts) >= threshold)
    assert report.gone == {"significance": whole.phrase_pairs - len(kept)}
    assert report.info.phrase_pairs == len(kept)
    assert report.info.history == ("prune: significance a-e",)
    with PhraseTable.open(tmp_path / "pruned") as table:
        assert table.info == report.info
    assert ("select", 1500, whole.source_phrases) in calls
    assert calls[-1] == ("write", whole.source_phrases, whole.source_phrases)


def test_phrases_that_the_text_does_not_have(tmp_path):
    build_phrase_table(tmp_path / "table", extract_phrases(["a b", "c"], ["x y", "z"], ["0-0 1-1", "0-0"]))
    # x is another word here, and c never occurs with z.
    prune(tmp_path / "table", tmp_path / "pruned", ["a b", "c", "d"], ["w y", "v", "z"], significance=0.1)
    assert [f for f, _ in contents(tmp_path / "pruned")] == ["b"]
    info = prune(tmp_path / "table", tmp_path / "pruned", ["q"], ["q"], significance=0.1).info
    assert (info.source_phrases, info.phrase_pairs, info.pruned_pairs, info.target_words) == (0, 0, 4, 0)
    # Nothing is below 0.
    info = prune(tmp_path / "table", tmp_path / "pruned", ["q"], ["q"], significance=0).info
    assert info.phrase_pairs == 4


def test_long_phrases_and_control_characters_are_pruned_too(tmp_path):
    long = " ".join(f"{'w' * 100}{i}" for i in range(7))
    diagonal = " ".join(f"{i}-{i}" for i in range(7))
    text = [long, "a\x01 b", "c"], [long, "x y", "z"], [diagonal, "0-0 1-1", "0-0"]
    build_phrase_table(tmp_path / "table", extract_phrases(*text))
    prune(tmp_path / "table", tmp_path / "same", *text[:2], significance="a-e")
    assert contents(tmp_path / "same") == contents(tmp_path / "table")
    assert len(contents(tmp_path / "table")) == 28 + 3 + 1
    prune(tmp_path / "table", tmp_path / "none", *text[:2], significance="a+e")
    assert contents(tmp_path / "none") == []


def test_significance_goes_with_the_other_criteria(tmp_path):
    text = ["a b", "a c", "a b", "d"], ["x y", "x z", "w y", "v"], ["0-0 1-1"] * 3 + ["0-0"]
    build_phrase_table(tmp_path / "table", extract_phrases(*text))
    with PhraseTable.open(tmp_path / "table") as table:
        pruning = Pruning(
            phrases=frozenset({"a", "b", "d"}), significance=0.5, text=read_text(*text[:2]), min_count=2, limit=1
        )
        report = prune_table(table, tmp_path / "pruned", pruning)
    # Of 4 pairs, a-x is in 2 of a's 3 and x's 2 (p = 1/2), a-w in 1 of 3 and 1 (3/4), b-y in 2 of 2 and 2 (1/6); d-v
    # in one (1/4), but that is too few.
    assert [(f, [option.words for option in options]) for f, options in contents(tmp_path / "pruned")] == [
        ("a", [("x",)]),
        ("b", [("y",)]),
    ]
    whole = {(f, option.words) for f, options in contents(tmp_path / "table") for option in options}
    of_text = len([pair for pair in whole if pair[0] not in ("a", "b", "d")])
    assert report.gone == {"text": of_text, "significance": 1, "min-count": 1}
    assert report.info.pruned_pairs == 1
    assert report.info.history == ("prune: phrases of a text, significance 0.5, count >= 2, 1 best",)
    assert report.info.target_words == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ((["a"], ["x", "y"]), r"^line 2: the source text ends before the other$"),
        (([], []), r"^the text is empty; give the one that the table was made from$"),
    ],
)
def test_texts_that_can_not_be_used(text, message):
    with pytest.raises(InputError, match=message):
        read_text(*text)


def test_a_damaged_value_is_not_written(tmp_path):
    with pytest.raises(InputError, match="damaged phrase-table entry: "), new_table(tmp_path / "table") as writer:
        writer.add([(b"a", b"\x01")])
    assert list(tmp_path.iterdir()) == []
