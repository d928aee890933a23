"""Several segmentations of a Chinese sentence: split words, and phrases looked up."""

import io
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.phrase_table import PhraseTable
from widl.phrase_table.dictionary import build_dictionary
from widl.phrase_table.moses_text import import_moses
from widl.text.word_pieces import cheapest_split, inner_words
from widl.translation import Sentence, Tiler, TranslationOptions, Translator
from widl.translation.alternative_segmentations import with_segmentations
from widl.translation.line_parts import GivenTranslations
from widl.translation.sentence import GivenSpan
from widl.translation.tables import TranslationTables, phrase_links

TABLE = """\
他 ||| he ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
参加 ||| attends ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
升 ||| litre ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
旗 ||| flag ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
仪式 ||| ceremony ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
仪式 的 ||| of the ceremony ||| 1 1 1 1 ||| 0-2 1-0 1-1 ||| 9 9 9
的 ||| of ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
北京大学 ||| Peking University ||| 1 1 1 1 ||| 0-0 0-1 ||| 9 9 9
北京 ||| Beijing ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
大学 ||| university ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
厦门 ||| Xiamen ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
市 ||| city ||| 1 1 1 1 ||| 0-0 ||| 9 9 9
"""
ORIGINS = ("dictionary", "name", "pinyin", "rule", "split")
Made = tuple[int, int, str, tuple[float, ...]]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory) -> TranslationTables:
    folder = tmp_path_factory.mktemp("lexicon")
    entries = folder / "entries.tsv"
    entries.write_text("升旗\traise the flag\n参加\tjoin\n大学的\tof a university\n", encoding="utf-8")
    import_moses(io.BytesIO(TABLE.encode()), folder / "table")
    build_dictionary([entries], folder / "dictionary", source=str, target=str.split)
    tables = [PhraseTable.open(folder / name) for name in ("table", "dictionary")]
    return TranslationTables(*tables, origins=ORIGINS, is_chinese=True)


def made(tokens: list[str], lexicon: TranslationTables, given: tuple[GivenSpan, ...] = (), **options) -> list[Made]:
    """The tiles of a sentence: begin, end, words and origin features."""
    chosen = TranslationOptions(**options)
    sentence = with_segmentations(Sentence(tuple(tokens), given), lexicon, chosen)
    return [
        (begin, end, " ".join(words), tuple(scores[4:]))
        for piece in Tiler(lexicon, chosen).tile([sentence])[0]
        for begin, end, words, scores in piece.alternatives
    ]


PLAIN = (0.0, 0.0, 0.0, 0.0, 0.0)
DICTIONARY, NAME, RULE = ((1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0))


def in_pinyin(characters: int) -> tuple[float, ...]:
    return (0.0, 0.0, float(characters), 0.0, 0.0)


def split_off(characters: int) -> tuple[float, ...]:
    return (0.0, 0.0, 0.0, 0.0, float(characters))


def test_known_words_stay_as_they_are(lexicon) -> None:
    sentence = Sentence(("他", "参加", "仪式"))
    assert with_segmentations(sentence, lexicon, TranslationOptions()) is sentence
    assert made(["他", "参加", "仪式"], lexicon) == [
        (0, 1, "he", PLAIN),
        (1, 2, "attends", PLAIN),
        (2, 3, "ceremony", PLAIN),
    ]


def test_an_unknown_word_is_cut_and_all_segmentations_compete(lexicon) -> None:
    """The dictionary has 升旗, the table 仪式, so that the whole word needs no pinyin."""
    assert made(["升旗仪式", "的"], lexicon) == [
        (0, 1, "raise the flag", DICTIONARY),
        (1, 2, "ceremony", PLAIN),
        (1, 3, "of the ceremony", PLAIN),
        (2, 3, "of", PLAIN),
    ]


def test_neighbors_that_the_table_has_as_one_word(lexicon) -> None:
    assert made(["北京", "大学", "的"], lexicon) == [
        (1, 3, "of a university", DICTIONARY),
        (0, 1, "Beijing", PLAIN),
        (0, 2, "Peking University", PLAIN),
        (1, 2, "university", PLAIN),
        (2, 3, "of", PLAIN),
    ]


def test_rare_words_compete_with_their_parts_and_the_dictionary(lexicon) -> None:
    """All words of the table were seen nine times."""
    assert made(["参加"], lexicon, rare_words=8) == [(0, 1, "attends", PLAIN)]
    assert made(["参加"], lexicon, rare_words=9) == [(0, 1, "join", DICTIONARY), (0, 1, "attends", PLAIN)]
    assert made(["北京大学"], lexicon, rare_words=9) == [
        (0, 1, "Beijing", PLAIN),
        (0, 2, "Peking University", PLAIN),
        (1, 2, "university", PLAIN),
    ]
    assert made(["北京大学"], lexicon, rare_words=0) == [(0, 1, "Peking University", PLAIN)]


def test_one_segmentation(lexicon) -> None:
    apart = made(["北京", "大学"], lexicon, segmentations="one")
    assert apart == [(0, 1, "Beijing", PLAIN), (1, 2, "university", PLAIN)]
    cut = made(["升旗仪式"], lexicon, segmentations="one", unknown="copy")
    assert [item[:3] for item in cut] == [(0, 1, "raise the flag"), (1, 2, "ceremony")]


def test_single_characters_are_counted(lexicon) -> None:
    """Only the characters of 升的他 are known; 魑魅 is unknown even by character, so it stays whole."""
    assert made(["升的他", "魑魅"], lexicon) == [
        (3, 4, "chimei", in_pinyin(2)),
        (0, 1, "litre", split_off(1)),
        (1, 2, "of", split_off(1)),
        (2, 3, "he", split_off(1)),
    ]
    assert made(["魑魅"], lexicon, unknown="copy") == [(0, 1, "魑魅", PLAIN)]


def test_a_character_that_nothing_translates_is_in_pinyin(lexicon) -> None:
    result = made(["升魑"], lexicon)
    assert (1, 2, "chi", in_pinyin(1)) in result
    assert (0, 1, "litre", split_off(1)) in result


def test_names(lexicon) -> None:
    assert made(["张光军", "的"], lexicon)[0] == (0, 1, "Zhang Guangjun", NAME)
    assert made(["厦门市"], lexicon)[:1] == [(0, 2, "Xiamen City", NAME)]
    assert made(["沙雅县"], lexicon)[0] == (0, 1, "Shaya County", NAME)
    assert not any(marks == NAME for *_, marks in made(["张光军", "厦门市"], lexicon, names=False))


def test_given_spans_zones_and_walls_move_along(lexicon) -> None:
    """Exclusive spans are not split; spans, zones and walls after a split word move along."""
    alone = GivenSpan(0, 1, GivenTranslations.evenly([["rite"]], exclusive=True))
    date = GivenSpan(2, 3, GivenTranslations.evenly([["x"]], exclusive=False, origin="rule"))
    sentence = Sentence(("升旗仪式", "升旗仪式", "的", "他"), (alone, date), ((1, 3),), (2,))
    finer = with_segmentations(sentence, lexicon, TranslationOptions(unknown="copy"))
    assert finer.tokens == ("升旗仪式", "升旗", "仪式", "的", "他")
    assert [(span.begin, span.end) for span in finer.given] == [(0, 1), (3, 4)]
    assert (finer.zones, finer.walls, finer.longer) == (((1, 4),), (3,), ((1, 3),))
    result = made(["升旗仪式", "升旗仪式", "的"], lexicon, (alone, date))
    assert [(begin, end, words) for begin, end, words, marks in result if marks in (PLAIN, RULE)][:2] == [
        (0, 1, "rite"),
        (3, 4, "x"),
    ]


def test_words_are_never_cut_apart_by_pieces_of_a_line(lexicon) -> None:
    finer = with_segmentations(Sentence(("他", "升旗仪式", "他")), lexicon, TranslationOptions())
    assert [piece.tokens for piece in finer.split(2)] == [("他",), ("升旗", "仪式"), ("他",)]
    assert [piece.longer for piece in finer.split(2)] == [(), ((0, 2),), ()]


def test_words_that_overlap_without_end_make_no_long_pieces() -> None:
    """A line that repeats 万亿: each 亿万 may be a word, and each 万亿万 a name."""
    size = 1000
    name = GivenTranslations.evenly([["Wan", "Yiwan"]], exclusive=False, origin="name")
    words = tuple((i, i + 2) for i in range(size - 1))
    names = tuple(GivenSpan(i, i + 3, name) for i in range(0, size - 2, 2))
    pieces = Sentence(("万", "亿") * (size // 2), names, longer=words).split(200)
    assert sum((piece.tokens for piece in pieces), ()) == ("万", "亿") * (size // 2)
    assert max(len(piece.tokens) for piece in pieces) == 200
    assert {len(piece.longer) for piece in pieces} == {199}
    assert all(span.end <= 200 for piece in pieces for span in piece.given)
    user = GivenSpan(150, 450, GivenTranslations.evenly([["x"]], exclusive=False))
    pieces = Sentence(("万", "亿") * (size // 2), (*names, user), longer=words).split(200)
    assert [(span.begin, span.end) for piece in pieces for span in piece.given if not span.given.origin] == [(0, 300)]


class Asked(dict[tuple[int, int], bool]):
    """Counts its calls."""

    times = 0

    def get(self, key: tuple[int, int], default: bool | None = None) -> bool | None:
        Asked.times += 1
        return super().get(key, default)


def test_long_words_are_cut_in_proportional_time() -> None:
    word = "𠀀" * 2000
    inner = inner_words(word)
    assert inner == [(i, j) for i in range(2000) for j in range(i + 1, min(i + 8, 2000) + 1)]
    pieces = cheapest_split(word, Asked(dict.fromkeys(inner, True)))
    assert pieces == [(i, i + 8) for i in range(0, 2000, 8)]
    assert Asked.times <= len(inner)


def test_links_of_phrases_of_all_segmentations(lexicon) -> None:
    assert phrase_links(["仪式", "的"], ("of", "the", "ceremony"), lexicon) == [(0, 2), (1, 0), (1, 1)]
    # One table word over two positions: both have its links.
    assert sorted(phrase_links(["北京", "大学"], ("Peking", "University"), lexicon)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert phrase_links(["北京", "大学"], ("no", "such", "phrase"), lexicon) == [(0, 0), (0, 1), (1, 2)]


def slow_pieces(word: str, known: dict[tuple[int, int], bool]) -> list[tuple[int, int]]:
    """The definition: all ways to split, their costs, and the pieces of the cheapest splits."""
    size = len(word)
    ways: dict[tuple[tuple[int, int], ...], int] = {}
    for count in range(size):
        for inner in combinations(range(1, size), count):
            pieces = tuple(pairwise((0, *inner, size)))
            costs = [
                None if (end - begin > 1 and not known[begin, end]) or (begin, end) == (0, size) and size > 1
                else 10 if end - begin > 1 else 15 if known[begin, end] and size > 1 else 30
                for begin, end in pieces
            ]  # fmt: skip
            if None not in costs:
                ways[pieces] = sum(filter(None, costs))
    least = min(ways.values())
    return sorted({piece for pieces, cost in ways.items() if cost == least for piece in pieces})


@given(st.data())
def test_the_fewest_pieces(data) -> None:
    word = data.draw(st.text("升旗仪式的", min_size=1, max_size=6))
    ranges = list(combinations(range(len(word) + 1), 2))
    known = {piece: data.draw(st.booleans()) for piece in ranges}
    assert cheapest_split(word, known) == slow_pieces(word, known)


def test_words_of_letters_are_not_cut() -> None:
    everything = dict.fromkeys(combinations(range(5), 2), True)
    assert cheapest_split("AI股票", everything) == [(0, 2), (2, 4)]


LINES = ["总统升旗仪式说。", "张光军总统参加厦门市银行报告会。", "总统魑魅魍魉银行公布报告，19万余人。"]


def test_no_chinese_is_left(trained) -> None:
    """Includes thirty everyday sentences with many words missing from the sample corpus."""
    everyday = Path(__file__).parents[1].joinpath("data", "everyday.zh").read_text(encoding="utf-8").splitlines()
    assert len(everyday) == 30
    for t in Translator(trained).translate([*LINES, *everyday]):
        assert not any("\u3400" <= sign <= "\u9fff" for sign in t.text)


def test_other_languages_pass_chinese_through(lexicon) -> None:
    """Text that is already segmented is not split, joined or written in pinyin."""
    segmented = TranslationTables(lexicon.table, origins=())
    assert made(["升旗仪式", "北京", "大学"], segmented) == [
        (1, 2, "Beijing", ()),
        (2, 3, "university", ()),
        (0, 1, "升旗仪式", ()),
    ]
