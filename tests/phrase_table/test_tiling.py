"""Tiles of a source sentence from the entries of phrase tables."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.tables import looked_up, written
from widl._core import SentencePhrases, read_options, tile_sentence, write_options
from widl.common.errors import InputError

WORDS = ["the", "cat", "dog", "sat"]


def option(*words: str, ef: float, fe: float = 0.5, seen: int = 4) -> tuple:
    """Word numbers, p(f|e) p(e|f) lex(f|e) lex(e|f), counts, links, no reordering scores."""
    return [WORDS.index(word) for word in words], [fe, ef, 0.25, 0.125], [2, seen, 1], [], []


CAT = write_options([option("the", "cat", ef=0.5), option("cat", ef=0.25), option("dog", ef=0.004)])
HALF = [math.log(0.5)] * 4
SCORES = [math.log(p) for p in (0.5, 0.5, 0.25, 0.125)]


def phrases_of(source: list[str], spans: list[tuple[int, int]]) -> SentencePhrases:
    """The phrases of a sentence where a table has these spans, each with the options of `CAT`."""
    return looked_up(source, written({" ".join(source[begin:end]): CAT for begin, end in spans}, WORDS))


def tiled(source: list[str], spans: list[tuple[int, int]], beam: float, **more: object) -> list[tuple]:
    """Spans, words, scores, and whether they count as passed through."""
    tiles = tile_sentence(phrases_of(source, spans), source, beams=[beam], components=[4], **more)
    return [
        (begin, end, " ".join(words), pytest.approx(scores, abs=1e-6), tiles.is_unknown(number))
        for number, (begin, end, words, scores) in enumerate(tiles.alternatives)
    ]


def words_of(source: list[str], spans: list[tuple[int, int]], beam: float, **more: object) -> list[tuple]:
    return [found[:3] for found in tiled(source, spans, beam, **more)]


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
    found = words_of(["Zorblax", "的", "猫"], [(1, 3), (2, 3)], 0.6)
    assert sorted(found) == [(0, 1, "Zorblax"), (1, 2, "的"), (1, 3, "the cat"), (2, 3, "the cat")]


def test_bad_beams_and_edges() -> None:
    for beam in (-0.1, 1.5, math.nan):
        with pytest.raises(InputError, match="beam must be between 0 and 1"):
            tiled(["a"], [], beam)
    table = written({}, WORDS)
    for end in (0, 2):
        with pytest.raises(InputError, match="outside"):
            SentencePhrases([[(end, "a", False)]], [table], [False], 3)


def test_what_is_given_exclusively_stands_alone() -> None:
    """Of the table's spans those that touch 1-3 are gone; a single probability counts in each component."""
    spans = [(0, 1), (0, 2), (1, 2), (1, 3), (0, 4), (2, 4), (3, 4)]
    given = [(1, 3, ["the", "Zorblax"], 0.5, True, False, []), (1, 3, ["dog"], 0.25, True, True, [])]
    assert tiled(["a", "b", "c", "d"], spans, 0.6, given=given) == [
        (1, 3, "the Zorblax", HALF, False),
        (1, 3, "dog", [math.log(0.25)] * 4, True),
        (0, 1, "the cat", SCORES, False),
        (3, 4, "the cat", SCORES, False),
    ]


def test_what_is_given_inclusively_competes() -> None:
    given = [(0, 1, ["dog"], 1.0, False, False, []), (1, 2, ["sat"], 1.0, False, False, [])]
    assert words_of(["a", "b"], [(0, 1), (0, 2)], 0.6, given=given) == [
        (0, 1, "dog"), (1, 2, "sat"), (0, 1, "the cat"), (0, 2, "the cat"),
    ]
    # A longer one leaves the position without a word of its own; it passes through.
    given = [(0, 2, ["dog"], 1.0, False, False, [])]
    assert words_of(["a", "b"], [(0, 1)], 0.6, given=given) == [(0, 2, "dog"), (0, 1, "the cat"), (1, 2, "b")]


def test_exclusive_spans_that_overlap_leave_each_position_a_word() -> None:
    spans = [(0, 2, ["x"], 1.0), (1, 3, ["y"], 2.0), (3, 5, ["z"], 1.0)]
    given = [(*span, True, False, []) for span in spans]
    found = tiled(["a", "b", "c", "d", "e"], [(0, 1), (3, 4)], 0.6, given=given)
    assert [one[:3] for one in found] == [
        (0, 2, "x"), (1, 3, "y"), (3, 5, "z"), (0, 1, "a"), (1, 2, "b"), (2, 3, "c"),
    ]
    assert found[1][3] == [math.log(2)] * 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0, 3, ["x"], 1.0, True, False), "outside of the sentence"),
        ((0, 1, [], 1.0, True, False), "has no words"),
        ((0, 1, ["x"], math.nan, True, False), "a number above 0"),
    ],
)
def test_what_can_not_be_given(given: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tiled(["a", "b"], [], 0.0, given=[(*given, [])])


def test_marks_are_further_scores() -> None:
    """Those that a translation leaves out are 0, and so are all of words passed through."""
    source = ["a", "b", "c"]
    phrases = looked_up(source, written({"a": CAT, "a b": CAT}, WORDS), cut_off=(0, 1))
    given = [(1, 2, ["sat"], 0.5, False, False, [0.0, 0.0, 1.0])]
    tiles = tile_sentence(phrases, source, beams=[0.6], components=[4], given=given, marks=3, cut_off_mark=2)
    rows = [(begin, end, " ".join(words), list(scores)) for begin, end, words, scores in tiles.alternatives]
    assert rows == [
        (1, 2, "sat", pytest.approx([*HALF, 0, 0, 1], abs=1e-6)),
        (0, 1, "the cat", pytest.approx([*SCORES, 0, 1, 0], abs=1e-6)),
        (0, 2, "the cat", pytest.approx([*SCORES, 0, 2, 0], abs=1e-6)),
        (2, 3, "c", pytest.approx([0.0] * 7)),
    ]


# --- the phrases of a sentence ---


def test_a_table_that_backs_off() -> None:
    source = ["a", "b"]
    first, second = written({"a": CAT}, WORDS), written({"a": CAT, "b": CAT, "a b": CAT}, WORDS)
    for back_off, expected in ((True, [(0, 2), (1, 2)]), (False, [(0, 1), (0, 2), (1, 2)])):
        phrases = looked_up(source, first, second, back_off=[False, back_off])
        tiles = tile_sentence(phrases, source, beams=[1.0, 1.0], components=[4, 4])
        of_second = [(begin, end) for begin, end, _, scores in tiles.alternatives if any(scores[4:])]
        assert of_second == expected
        assert phrases.translated() == [(0, 1), (0, 2), (1, 2)]


def test_frequent_spans() -> None:
    def seen(times: int) -> bytes:
        return write_options([option("cat", ef=0.5, seen=times)])

    table = written({"a": seen(2), "b": seen(3), "c": seen(0), "a b": seen(1)}, WORDS)
    assert looked_up(["a", "b", "c", "d"], table).frequent(2) == [(0, 2), (1, 2), (2, 3)]


def test_required_translations() -> None:
    source = ["a", "b", "c"]
    table = written({"a": CAT, "b": CAT, "a b": CAT, "b c": CAT, "c": CAT}, WORDS)
    phrases = looked_up(source, table)
    assert phrases.require([(1, 2, [["cat"]]), (2, 3, [["sat"], ["the", "dog"]])]) == [True, False]
    tiles = tile_sentence(phrases, source, beams=[0.0], components=[4])
    assert [(begin, end, " ".join(words)) for begin, end, words, _ in tiles.alternatives] == [
        (0, 1, "the cat"), (0, 1, "cat"), (0, 1, "dog"), (0, 2, "the cat"), (0, 2, "cat"),
        (1, 2, "the cat"), (1, 2, "cat"), (2, 3, "c"),
    ]  # fmt: skip


@given(
    st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True), min_size=1, max_size=5),
    st.integers(1, 4),
    st.sets(st.text("ab", min_size=1, max_size=1), max_size=2),
)
def test_phrases_are_all_paths(steps: list[list[int]], longest: int, unknown: set[str]) -> None:
    """Against recursion: every sequence of at most so many words, whatever of it the table has."""
    size = len(steps)
    edges = [
        [(at + step, f"{'ab'[step % 2]}{at}", step == 3) for step in of_place if at + step <= size]
        for at, of_place in enumerate(steps)
    ]

    def paths(at: int, left: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        for end, word, _ in edges[at] if left and at < size else []:
            yield end, (word,)
            for further, words in paths(end, left - 1):
                yield further, (word, *words)

    found = [(begin, end, words) for begin in range(size) for end, words in paths(begin, longest)]
    known = {" ".join(words): CAT for _, _, words in found if not any(word[0] in unknown for word in words)}
    phrases = SentencePhrases(edges, [written(known, WORDS)], [False], longest)
    assert phrases.translated() == sorted({(begin, end) for begin, end, words in found if " ".join(words) in known})


def test_the_number_of_phrases_is_limited() -> None:
    """Words that overlap everywhere have exponentially many sequences."""
    edges = [[(end, "w", False) for end in range(at + 1, min(at + 4, 200) + 1)] for at in range(200)]
    known = {" ".join(["w"] * length): CAT for length in range(1, 8)}
    phrases = SentencePhrases(edges, [written(known, WORDS)], [False], 7)
    tiles = tile_sentence(phrases, ["x"] * 200, beams=[1.0], components=[4])
    assert 200 * 64 < len(tiles.alternatives) <= 200 * 7 * 64


# --- the file ---


def test_all_options_of_a_table_have_the_same_number_of_scores() -> None:
    with pytest.raises(InputError, match=r"^options with different numbers of scores$"):
        written({"a": write_options([([], [1.0] * 4, [1, 1, 1], [], []), ([], [1.0] * 5, [1, 1, 1], [], [])])}, WORDS)


@given(st.data())
def test_a_table_gives_back_what_it_was_given(data: st.DataObject) -> None:
    probabilities = st.sampled_from([1.0, 0.5, 0.25, 1e-30, 1.23456e-60, 3.5])
    scores = data.draw(st.integers(4, 6))

    def some_options() -> bytes:
        options = []
        oriented = data.draw(st.booleans())
        for _ in range(data.draw(st.integers(1, 3))):
            words = data.draw(st.lists(st.integers(0, 3), max_size=3))
            links = data.draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, len(words) - 1)))) if words else []
            counts = data.draw(st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=3))
            found = data.draw(st.lists(probabilities, min_size=scores, max_size=scores))
            orientation = data.draw(st.lists(probabilities, min_size=6, max_size=6)) if oriented else []
            options.append((words, found, counts, links, orientation))
        return write_options(options)

    words = st.sampled_from(["a", "b", "\0", "\x01c", "語" * 200, "x" * 600])
    phrases = data.draw(st.sets(st.lists(words, min_size=1, max_size=4).map(" ".join), max_size=12))
    values = {phrase: some_options() for phrase in sorted(phrases)}
    table = written(values, WORDS)
    asked = [*values, "nowhere", "a nowhere", ""]
    assert table.values(asked) == [*values.values(), None, None, None]
    assert table.counts(asked) == [read_options(value)[0][2][1] for value in values.values()] + [None] * 3
