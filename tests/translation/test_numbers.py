"""Source numbers in translations: their wordings, and the phrases that may translate them."""

import io
import re
from collections.abc import Iterable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.phrase_table import PhraseTable
from widl.phrase_table.moses_text import import_moses
from widl.text.normalization import normalize_chinese
from widl.translation import Sentence, TranslationOptions, tile
from widl.translation.digit_groups import find_digit_groups
from widl.translation.entities import find_entities
from widl.translation.line_parts import GivenTranslations, Part, divide
from widl.translation.numbers import NUMBER_WORDS, find_numbers, numbers_in_word, ordinals, wordings
from widl.translation.numerals import chinese_number
from widl.translation.sentence import GivenSpan
from widl.translation.tables import TranslationTables


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2", "2"), ("2", "two"), ("2", "both"), ("25", "twenty-five"), ("25", "twenty five"), ("100", "a hundred"),
        ("350", "three hundred and fifty"), ("268000", "268,000"), ("268000", "268 thousand"), ("31.3", "31.3"),
        ("3500000", "3.5 million"), ("1000000", "a million"), ("12", "dozen"), ("1300000000", "1.3 billion"),
    ],
)  # fmt: skip
def test_wordings(value: str, said: str) -> None:
    assert tuple(said.split()) in wordings(Decimal(value))


@given(st.integers(2, 10**13), st.integers(2, 10**13))
def test_numbers_that_differ_are_said_differently(one: int, other: int) -> None:
    """Every wording contains a digit or a number word, and none expresses two numbers."""
    said = [{words for words in wordings(Decimal(value)) if any(map(says_number, words))} for value in (one, other)]
    assert all(said)
    assert one == other or said[0].isdisjoint(said[1])


MIXED = {
    "1万2千人": "12,000 people", "3万5千人": "35,000 people", "2亿5千万美元": "250 million US dollars",
    "1亿2000万": "120 million", "3千5百人": "3,500 people", "5千人": "5,000 people", "3.5万": "35,000",
    "1.2万亿": "1.2 trillion", "5,000亿日圆": "500 billion yen", "5千克": "5 kilograms", "3千瓦": "3 kilowatts",
    "66万千瓦": "660,000 kilowatts", "3千5百万": "35 million", "1亿2千3百万": "123 million", "1万零5百": "10,500",
    "2千多亿元": "more than 200 billion yuan", "5百余万元": "more than 5 million yuan", "3万余": "more than 30,000",
    "5千3百多万人": "more than 53 million people", "5千多人": "more than 5,000 people", "1万2": "", "5百3千": "",
    "几千亿元": "hundreds of billions of", "数百亿元": "tens of billions of", "几万亿元": "trillions of",
    "几百万": "millions of", "十几万人": "", "二点五亿元": "", "十二点五亿元": "", "1亿3千人": "", "3万五千": "",
    "12万3456.78元": "",
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MIXED.items())
def test_digits_with_numerals_behind_them(text: str, expected: str) -> None:
    """Each term is smaller than the unit of the one before it; else the text is no number."""
    parts = divide([Part(normalize_chinese(text))], find_entities)
    for find in (find_digit_groups, find_numbers):
        parts = divide(list(parts), find)
    found = [" ".join(part.given.alternatives[0][0]) for part in parts if part.given is not None]
    assert found[:1] == [expected][: bool(expected)]


@given(st.lists(st.tuples(st.integers(0, 9999), st.booleans()), min_size=3, max_size=3))
def test_the_value_of_mixed_numbers(groups: list[tuple[int, bool]]) -> None:
    """Groups of 亿, 万 and ones, each in digits or, if it can be, with 千 and 百."""
    text, value = "", 0
    for (group, in_terms), sign in zip(groups, ("亿", "万", ""), strict=True):
        value = value * 10_000 + group
        terms = [f"{group // unit % 10}{name}" for unit, name in ((1000, "千"), (100, "百")) if group // unit % 10]
        if group and (sign or (group >= 10 and groups[1][0])):
            text += ("".join(terms) if in_terms and group % 100 == 0 else str(group)) + sign
        else:
            value -= group
    assert not text or chinese_number(text) == value


@given(st.integers(1, 999))
def test_ordinals_end_as_they_are_read(value: int) -> None:
    in_digits = next(words[0] for words in ordinals(Decimal(value)) if words[0][0].isdigit())
    *_, last = next(words for words in ordinals(Decimal(value)) if not words[0][0].isdigit())
    assert in_digits == f"{value}{last[-2:]}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第34分钟，第三个，第一", ["the 34th", "the third", "the first"]),
        ("二日电，9月，十二月份，1998年，90年代", ["on the 2nd", "September", "December", "1998", "the 1990s"]),
        ("元月份，11日电，一九九八至二○○○年", ["January", "on the 11th", "1998", "2000"]),
        ("19个省份，2辆汽车，3500间隔离房，两家", ["19", "two", "3,500", "two"]),
        ("三十一点三，35%，48.5", ["31.3", "35 percent", "48.5"]),
        ("三分之二，3比2，8时30分", ["two-thirds", "3-2", "8 : 30"]),
        ("七八百人，十五六岁，数百名，十几", ["700 to 800", "15 to 16", "hundreds of", "more than ten"]),
        ("两三千人", ["2,000 to 3,000"]),
        ("40周年，十九大以来", ["the 40th", "the 19th"]),
        ("21世纪，二十一世纪", ["the 21st century", "the 21st century"]),
        ("17时，8时许，小时，5时间", ["17 : 00", "8 : 00", "5"]),
        ("COVID-19，A320，G20，一个人，两国，百姓，十分，五分之零", []),
    ],
)
def test_numbers_that_entities_leave(text: str, expected: list[str]) -> None:
    given = [part.given for _, _, part in find_numbers(text)]
    assert [" ".join(item.alternatives[0][0]) for item in given if item] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1987-1991年，50-60人，3~5天，7-8名", ["1987 to 1991", "50 to 60 people", "3 to 5 days", "7 to 8"]),
        ("5%-10%，10—15%，1,000-2,000元", ["5 to 10 percent", "10 to 15 percent", "1,000 to 2,000 yuan"]),
        ("3-5万人，20万-30万人，2.5-3倍", ["30,000 to 50,000 people", "200,000 to 300,000 people", "2.5 to 3 times"]),
        ("占1/3，3/4的人，第1/3页，9/11，5/3", ["one-third", "three-quarters", "1/3", "9/11", "5/3"]),
        ("010-12345678，86-10-6512-3456，2019-20赛季", ["010-12345678", "86-10-6512-3456", "2019-20"]),
        ("3:2，12:30，2019-03-05，1,5公斤", ["3:2", "12:30", "2019-03-05", "1,5"]),
        ("3-5月，10—12日，COVID-19，A-3/4，（010）3456-6512", ["3456-6512"]),
    ],
)
def test_ranges_fractions_and_codes(text: str, expected: list[str]) -> None:
    given = [part.given for _, _, part in find_digit_groups(text)]
    assert [" ".join(item.alternatives[0][0]) for item in given if item] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1，000人", "1,000人"), ("１，０００，０００人", "1,000,000人"), ("12，345.6万人", "12,345.6万人"),
        ("1 000人", "1,000人"), ("12’345元", "12,345元"), ("3 . 5 万", "3.5万"), ("3：2", "3:2"), ("1 ， 000", "1,000"),
        ("第1，2，300页", "第1，2，300页"), ("5，100，20", "5，100，20"), ("010 123 456", "010 123 456"),
        ("在5月，300人", "在5月，300人"), ("1,000，2,000", "1,000，2,000"),
    ],
)  # fmt: skip
def test_numbers_are_joined(line: str, expected: str) -> None:
    assert normalize_chinese(line) == expected


@given(st.text("0123456789〇一二两三十百千万亿年月日号点%第几数近比时分之个间，,.:-/~A", max_size=12))
def test_numbers_whatever_the_text(text: str) -> None:
    """The output of the rules is accepted by the constraint, and consists of English words."""
    for find in (find_numbers, find_digit_groups):
        check_found(text, find(text))


def check_found(text: str, found: Iterable[tuple[int, int, Part]]) -> None:
    last = 0
    for begin, end, part in found:
        assert last <= begin < end <= len(text)
        assert part.given
        for words, _ in part.given.alternatives:
            assert all(word.isascii() and word for word in words)
            if part.given.numbers:
                assert any(words[i : i + len(said)] == said for said in part.given.numbers for i in range(len(words)))
        last = end


TARGETS = ("two", "cars", "200", "2", "the 200 cars", "two hundred", "five-year", "COVID-19", "19", "both", "a", "Two")
SOURCES = ("辆", "车", "两国", "2", "19")


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory) -> TranslationTables:
    """Every phrase of one or two of the source words has all targets."""
    phrases = [*SOURCES, *(f"{a} {b}" for a in SOURCES for b in SOURCES)]
    lines = [f"{source} ||| {target} ||| .5 .5 .5 .5 ||| 0-0 ||| 9 9 9\n" for source in phrases for target in TARGETS]
    path = tmp_path_factory.mktemp("numbers") / "table"
    import_moses(io.BytesIO("".join(lines).encode()), path)
    return TranslationTables(PhraseTable.open(path), origins=("name", "pinyin", "rule", "split"), is_chinese=True)


def twin(words: list[str], numbers: list[tuple[tuple[tuple[str, ...], ...], bool]]) -> bool:
    """Whether exactly the required numbers are expressed: tries all ways to choose wordings."""
    if not numbers:
        return not any(map(says_number, words))
    (said, required), *rest = numbers
    if not required and twin(words, rest):
        return True
    for wording in said:
        for at in range(len(words) - len(wording) + 1):
            part = [word.lower() for word in words[at : at + len(wording)]]
            if all(a == b or a.startswith(f"{b}-") or a.endswith(f"-{b}") for a, b in zip(part, wording, strict=True)):
                left = [*words[:at], *("|" for _ in wording), *words[at + len(wording) :]]
                if twin(left, rest):
                    return True
    return False


@given(st.lists(st.sampled_from(SOURCES), min_size=1, max_size=5), st.data())
def test_phrases_say_the_numbers_of_their_words(
    lexicon: TranslationTables, tokens: list[str], data: st.DataObject
) -> None:
    begin = data.draw(st.integers(0, len(tokens) - 1))
    end = data.draw(st.integers(begin + 1, min(begin + 2, len(tokens))))
    built = GivenTranslations.evenly([["two"]], exclusive=False, origin="rule", numbers=wordings(Decimal(2)))
    sentence = Sentence(tuple(tokens), (GivenSpan(begin, end, built),), keeps_numbers=True)
    (piece,) = tile(sentence, lexicon, TranslationOptions(table_threshold=0, segmentations="one"))
    result = {(i, j, " ".join(words)) for i, j, words, scores in piece.alternatives if not any(scores[4:])}
    numbers = [(begin, end, wordings(Decimal(2)), True)]
    for i, token in enumerate(tokens):
        if not begin <= i < end and (said := numbers_in_word(token)):
            numbers.append((i, i + 1, said, token.isdecimal()))
    expected = set()
    for i in range(len(tokens)):
        for j in range(i + 1, min(i + 2, len(tokens)) + 1):
            touched = [number for number in numbers if number[0] < j and i < number[1]]
            if all(i <= number[0] and number[1] <= j for number in touched if number[3]):
                inside = [number[2:] for number in touched if i <= number[0] and number[1] <= j]
                expected |= {(i, j, text) for text in TARGETS if twin(text.split(), inside)}
    copied = {(i, i + 1, token) for i, token in enumerate(tokens)}
    assert result - copied == expected - copied


def test_numbers_of_other_words_are_not_kept(lexicon: TranslationTables) -> None:
    (piece,) = tile(Sentence(("车",)), lexicon, TranslationOptions(table_threshold=0))
    assert {" ".join(words) for _, _, words, _ in piece.alternatives} == set(TARGETS)


def says_number(word: str) -> bool:
    """Whether an English word expresses a number: in digits, in a word, or in a compound that is not a name."""
    digits = re.compile(r"'?[0-9][0-9.,:/]*(?:st|nd|rd|th|s|'s)?", re.IGNORECASE)
    parts = [(part, bool(digits.fullmatch(part)) or part.lower() in NUMBER_WORDS) for part in word.split("-")]
    is_name = any(re.search("[A-Z]", part) for part, is_number in parts if not is_number)
    return any(is_number for _, is_number in parts) and not is_name


def test_words_of_numbers_are_the_same_in_the_core(lexicon: TranslationTables) -> None:
    vocabulary = lexicon.table.target_vocabulary
    core = lexicon.number_words[0]
    for word in {word for text in TARGETS for word in text.split()} | set(NUMBER_WORDS):
        number = vocabulary.find(word)
        assert number is None or (number in core) == says_number(word)
