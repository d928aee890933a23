"""Tiles of a source sentence from the entries of phrase tables."""

import math
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table import tables
from tests.phrase_table.tables import written
from widl._core import (
    DictionaryInUse,
    GivenSpan,
    GivenTranslations,
    GivenUse,
    SourceLine,
    TableInUse,
    Tiler,
    Tiles,
    write_options,
)
from widl.common.errors import InputError

WORDS = ["the", "cat", "dog", "sat"]


def option(*words: str, ef: float, fe: float = 0.5, seen: int = 4) -> tuple:
    """Word numbers, p(f|e) p(e|f) lex(f|e) lex(e|f), counts, links, no reordering scores."""
    return [WORDS.index(word) for word in words], [fe, ef, 0.25, 0.125], [2, seen, 1], [], []


CAT = write_options([option("the", "cat", ef=0.5), option("cat", ef=0.25), option("dog", ef=0.004)])
HALF = [math.log(0.5)] * 4
SCORES = [math.log(p) for p in (0.5, 0.5, 0.25, 0.125)]


def span(
    begin: int, end: int, words: str, probability: float, use: GivenUse = GivenUse.exclusive, **more: object
) -> GivenSpan:
    """A span with a single given translation."""
    return GivenSpan(begin, end, GivenTranslations([(words.split(), probability)], use, **more))


def rows(tiles: Tiles) -> list[tuple]:
    """Spans, words, scores, and whether they count as passed through."""
    return [
        (begin, end, " ".join(words), pytest.approx(scores, abs=1e-6), tiles.is_unknown(number))
        for number, (begin, end, words, scores) in enumerate(tiles.alternatives)
    ]


def tiled(source: list[str], spans: list[tuple[int, int]], beam: float, **more: object) -> list[tuple]:
    """The rows of a line where a table has these spans, each with the options of `CAT`."""
    table = written({" ".join(source[begin:end]): CAT for begin, end in spans}, WORDS)
    return rows(tables.tiled(source, table, beams=[beam], **more))


def words_of(source: list[str], spans: list[tuple[int, int]], beam: float, **more: object) -> list[tuple]:
    return [result[:3] for result in tiled(source, spans, beam, **more)]


def test_the_beam_is_relative_to_the_best() -> None:
    all_three = [(0, 1, "the cat"), (0, 1, "cat"), (0, 1, "dog")]
    assert words_of(["猫"], [(0, 1)], 0.0) == all_three
    assert words_of(["猫"], [(0, 1)], 0.008) == all_three  # 0.004 / 0.5, just within
    assert words_of(["猫"], [(0, 1)], 0.01) == all_three[:2]
    assert words_of(["猫"], [(0, 1)], 0.6) == all_three[:1]
    assert words_of(["猫"], [(0, 1)], 1.0) == all_three[:1]


def test_scores_are_natural_logs_in_the_order_of_the_features() -> None:
    assert tiled(["猫"], [(0, 1)], 1.0) == [(0, 1, "the cat", SCORES, False)]


def test_positions_without_a_word_of_their_own_pass_through() -> None:
    """A position that only a longer phrase covers too: every order of phrases must be completable."""
    result = words_of(["Zorblax", "的", "猫"], [(1, 3), (2, 3)], 0.6)
    assert sorted(result) == [(0, 1, "Zorblax"), (1, 2, "的"), (1, 3, "the cat"), (2, 3, "the cat")]


def test_bad_thresholds_and_spans() -> None:
    for threshold in (-0.1, 1.5, math.nan):
        with pytest.raises(InputError, match="threshold must be between 0 and 1"):
            tiled(["a"], [], threshold)
    for bad in ((1, 1), (0, 2)):
        with pytest.raises(InputError, match="outside"):
            tiled(["a"], [], 0.0, longer=[bad])


def test_what_is_given_exclusively_stands_alone() -> None:
    """The table's spans that touch 1-3 are removed; a single probability counts in each component."""
    spans = [(0, 1), (0, 2), (1, 2), (1, 3), (0, 4), (2, 4), (3, 4)]
    given = [span(1, 3, "the Zorblax", 0.5), span(1, 3, "dog", 0.25, copied=True)]
    assert tiled(["a", "b", "c", "d"], spans, 0.6, given=given) == [
        (1, 3, "the Zorblax", HALF, False),
        (1, 3, "dog", [math.log(0.25)] * 4, True),
        (0, 1, "the cat", SCORES, False),
        (3, 4, "the cat", SCORES, False),
    ]


def test_what_is_given_inclusively_competes() -> None:
    given = [span(0, 1, "dog", 1.0, GivenUse.alternative), span(1, 2, "sat", 1.0, GivenUse.alternative)]
    assert words_of(["a", "b"], [(0, 1), (0, 2)], 0.6, given=given) == [
        (0, 1, "dog"),
        (1, 2, "sat"),
        (0, 1, "the cat"),
        (0, 2, "the cat"),
    ]
    # A longer span leaves the position without a one-word option; its word passes through.
    given = [span(0, 2, "dog", 1.0, GivenUse.alternative)]
    assert words_of(["a", "b"], [(0, 1)], 0.6, given=given) == [(0, 2, "dog"), (0, 1, "the cat"), (1, 2, "b")]


def test_exclusive_spans_that_overlap_leave_each_position_a_word() -> None:
    given = [span(0, 2, "x", 1.0), span(1, 3, "y", 2.0), span(3, 5, "z", 1.0)]
    result = tiled(["a", "b", "c", "d", "e"], [(0, 1), (3, 4)], 0.6, given=given)
    assert [item[:3] for item in result] == [
        (0, 2, "x"),
        (1, 3, "y"),
        (3, 5, "z"),
        (0, 1, "a"),
        (1, 2, "b"),
        (2, 3, "c"),
    ]
    assert result[1][3] == [math.log(2)] * 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (span(0, 3, "x", 1.0), "outside of the sentence"),
        (span(0, 1, "", 1.0), "has no words"),
        (span(0, 1, "x", math.nan), "a number above 0"),
        (span(0, 1, "x", 1.0, origin=2), "unknown feature of origin"),
    ],
)
def test_what_can_not_be_given(given: GivenSpan, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tiled(["a", "b"], [], 0.0, given=[given], origins=2)


def test_features_of_origin_follow_the_scores() -> None:
    """They are 0 unless a translation has a score. So are all components of words passed through."""
    table = written({"a": CAT, "a b": CAT}, WORDS)
    given = [span(1, 2, "sat", 0.5, GivenUse.alternative, origin=2, count=3)]
    tiles = tables.tiled(["a", "b", "c"], table, beams=[0.6], given=given, split=[0, 1], origins=3, split_origin=1)
    assert [(*item[:3], list(item[3].expected)) for item in rows(tiles)] == [
        (1, 2, "sat", pytest.approx([*HALF, 0, 0, 3], abs=1e-6)),
        (0, 1, "the cat", pytest.approx([*SCORES, 0, 1, 0], abs=1e-6)),
        (0, 2, "the cat", pytest.approx([*SCORES, 0, 2, 0], abs=1e-6)),
        (2, 3, "c", pytest.approx([0.0] * 7)),
    ]


# --- the phrases of a line ---


def test_a_table_that_backs_off() -> None:
    first, second = written({"a": CAT}, WORDS), written({"a": CAT, "b": CAT, "a b": CAT}, WORDS)
    for back_off, expected in ((True, [(0, 2), (1, 2)]), (False, [(0, 1), (0, 2), (1, 2)])):
        tiles = tables.tiled(["a", "b"], first, second, beams=[1.0], back_off=[False, back_off])
        assert [(begin, end) for begin, end, _, scores in tiles.alternatives if any(scores[4:])] == expected


def test_the_dictionary_translates_what_tables_lack_or_have_rarely_seen() -> None:
    def seen(times: int) -> bytes:
        return write_options([option("cat", ef=0.5, seen=times)])

    table = written({"a": seen(2), "b": seen(3), "c": seen(0), "a b": seen(1)}, WORDS)
    source = ["a", "b", "c", "d"]
    spans = [(begin, end) for begin in range(4) for end in range(begin + 1, 5)]
    entries = {"".join(source[begin:end]): write_options([option("sat", ef=0.25)]) for begin, end in spans}
    dictionary = DictionaryInUse(written(entries, WORDS), "", 2, 0)
    tiles = tables.tiled(source, table, dictionary=dictionary, origins=1)
    result = {(begin, end) for begin, end, words, scores in tiles.alternatives if scores[4] == 1}
    assert result == set(spans) - {(0, 2), (1, 2), (2, 3)}


def test_required_translations() -> None:
    table = written({"a": CAT, "b": CAT, "a b": CAT, "b c": CAT, "c": CAT}, WORDS)
    required = [
        GivenSpan(1, 2, GivenTranslations([(["cat"], 1.0)], GivenUse.required)),
        GivenSpan(2, 3, GivenTranslations([(["sat"], 0.5), (["the", "dog"], 0.5)], GivenUse.required)),
    ]
    tiles = tables.tiled(["a", "b", "c"], table, given=required)
    assert [item[:3] for item in rows(tiles)] == [
        (2, 3, "sat"), (2, 3, "the dog"),  # no translation of the table has them
        (0, 1, "the cat"), (0, 1, "cat"), (0, 1, "dog"),
        (0, 2, "the cat"), (0, 2, "cat"), (1, 2, "the cat"), (1, 2, "cat"),
    ]  # fmt: skip


def test_fallbacks_are_for_words_that_nothing_else_translates() -> None:
    asked: list[str] = []

    def fallback(word: str) -> GivenTranslations | None:
        asked.append(word)
        return GivenTranslations([(["x"], 1.0)], GivenUse.alternative) if word == "c" else None

    use = TableInUse(written({"a": CAT, "b c": CAT}, WORDS), 4, 1.0)
    line = SourceLine(list("abcd"), [span(1, 2, "sat", 1.0, GivenUse.alternative)])
    (tiles,) = Tiler([use], 7).tile([line], fallback)
    assert asked == ["c", "d"]
    assert [item[:3] for item in rows(tiles)] == [
        (1, 2, "sat"),
        (2, 3, "x"),
        (0, 1, "the cat"),
        (1, 3, "the cat"),
        (3, 4, "d"),
    ]


@given(
    st.integers(1, 5),
    st.sets(st.tuples(st.integers(0, 3), st.integers(2, 3)), max_size=4),
    st.integers(1, 4),
    st.sets(st.integers(0, 5), max_size=2),
)
def test_phrases_are_all_paths(size: int, longer: set[tuple[int, int]], longest: int, unknown: set[int]) -> None:
    """Compares with recursion over all sequences of at most `longest` words that the table has completely."""
    source = [f"w{i}" for i in range(size)]
    longer_spans = sorted((begin, begin + width) for begin, width in longer if begin + width <= size)
    edges = {begin: [(begin, begin + 1), *(item for item in longer_spans if item[0] == begin)] for begin in range(size)}

    def paths(at: int, left: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        for begin, end in edges[at] if left and at < size else []:
            word = "".join(source[begin:end])
            yield end, (word,)
            for further, words in paths(end, left - 1):
                yield further, (word, *words)

    result = [(begin, end, words) for begin in range(size) for end, words in paths(begin, longest)]
    lacking = {f"w{i}" for i in unknown}
    known = {" ".join(words): CAT for _, _, words in result if lacking.isdisjoint(words)}
    tiler = Tiler([TableInUse(written(known, WORDS), 4, 1.0)], longest)
    (tiles,) = tiler.tile([SourceLine(source, longer=longer_spans)])
    spans = {(begin, end) for begin, end, _, scores in tiles.alternatives if any(scores)}
    assert spans == {(begin, end) for begin, end, words in result if " ".join(words) in known}


def test_the_number_of_phrases_is_limited() -> None:
    """Overlapping words have exponentially many sequences."""
    known = {" ".join(words): CAT for length in range(1, 8) for words in product(("w", "ww"), repeat=length)}
    tiler = Tiler([TableInUse(written(known, WORDS), 4, 1.0)], 7)
    (tiles,) = tiler.tile([SourceLine(["w"] * 200, longer=[(at, at + 2) for at in range(199)])])
    assert 200 * 64 < len(tiles.alternatives) <= 200 * 7 * 64


# --- the file ---


def test_a_phrase_pair_across_a_clause_mark_must_have_been_seen_thrice() -> None:
    """A count of 0 is unknown. Marks at the edges of a phrase are not within it."""
    options = [([i], [1.0, 0.5**i, 1.0, 1.0], [5, 5, count], [], []) for i, count in enumerate([2, 3, 0, 1])]
    table = written({"x , y": write_options(options), ", y": write_options(options)}, WORDS)
    source = ["x", ",", "y"]
    found = {
        (begin, end, *words)
        for begin, end, words, _ in tables.tiled(source, table, clause_marks=[1]).alternatives
        if end - begin > 1
    }
    assert found == {(0, 3, "cat"), (0, 3, "dog"), *((1, 3, word) for word in WORDS)}
    everywhere = tables.tiled(source, table).alternatives
    assert sum((begin, end) == (0, 3) for begin, end, _, _ in everywhere) == len(WORDS)


def test_all_options_of_a_table_have_the_same_number_of_scores() -> None:
    with pytest.raises(InputError, match=r"^all options need the same number of scores$"):
        written({"a": write_options([([], [1.0] * 4, [1, 1, 1], [], []), ([], [1.0] * 5, [1, 1, 1], [], [])])}, WORDS)
