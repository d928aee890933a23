"""Source numbers in translations: their wordings, and the phrases that may translate them."""

import io
import random
import re
from collections.abc import Iterable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proofs.numbers import check_numbers
from tests.reference.chinese_numbers import numerals
from widl.phrase_table import PhraseTable
from widl.phrase_table.moses_text import import_moses
from widl.text.normalization import normalize_chinese
from widl.text.segmentation import ChineseSegmenter
from widl.translation import Sentence, Tiler, TranslationOptions, Translator
from widl.translation.chinese_numbers import exact_value
from widl.translation.english_numbers import NUMBER_WORDS, numbers_in_word, ordinals, wordings
from widl.translation.line_parts import GivenTranslations
from widl.translation.number_finder import NumberFinder
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


def found(text: str, known: Iterable[str] = ()) -> list[GivenTranslations]:
    """What the rules make of a raw text, for tables that know some words."""
    segmenter, words = ChineseSegmenter(), frozenset(known)
    finder = NumberFinder(segmenter.split, segmenter.has_word, lambda asked: [word in words for word in asked])
    return [part.given for _, _, part in finder.find(normalize_chinese(text)) if part.given]


def read(text: str, known: Iterable[str] = ()) -> list[str]:
    """The first translation of each number that is read."""
    return [" ".join(given.alternatives[0][0]) for given in found(text, known) if given.rule and given.alternatives]


VALUES = {
    "两万亿": 2 * 10**12, "三百五": 350, "两千三": 2300, "一万二": 12_000, "三亿五": 350_000_000, "十万三": 103_000,
    "三万二千五": 32_500, "两千零五": 2005, "十二": 12, "二十点五": 20.5, "1,234.5": 1234.5, "零": 0, "廿三": 23,
    "二点三亿": 230_000_000, "3点5亿": 350_000_000, "贰仟伍佰万": 25_000_000, "12万3456": 123_456, "3兆": 3 * 10**12,
    "一百十五": 115, "12,345万": 123_450_000,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_values(text: str, value: float) -> None:
    assert exact_value(text) == Decimal(str(value))


NO_VALUES = [
    "三五",
    "百",
    "千万",
    "万一",
    "十十",
    "百千",
    "一十百",
    "亿",
    "零百",
    "三万五万",
    "1亿3千",
    "3点5",
    "三百零",
    "十两",
]


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_has_no_value(text: str) -> None:
    assert exact_value(text) is None


@given(st.integers(1, 10**16 - 1) | st.integers(1, 9999), st.randoms(use_true_random=False))
def test_values_are_read_as_they_are_written(value: int, draw: random.Random) -> None:
    assert exact_value(numerals(value, draw)) == value


LONG = ["万亿" * 5000, "一亿" + "亿" * 800, "1" * 40 + "亿", "1" * 5000, "9" * 20 + "多万亿"]


@pytest.mark.parametrize("number", [*LONG, *("百分之" + number for number in LONG)])
@pytest.mark.parametrize("counted", ["", "公里", "元"])
def test_endless_numbers_stay_as_they_are(number: str, counted: str) -> None:
    assert all(text == number for text in read(f"{number}{counted}。"))


AMOUNTS = {
    "1万2千人": "12,000 people", "3万5千人": "35,000 people", "2亿5千万美元": "250 million US dollars",
    "1亿2000万": "120 million", "3千5百人": "3,500 people", "5千人": "5,000 people", "3.5万": "35,000",
    "1.2万亿": "1.2 trillion", "5,000亿日圆": "500 billion yen", "5千克": "5 kilograms", "3千瓦": "3 kilowatts",
    "66万千瓦": "660,000 kilowatts", "3千5百万": "35 million", "1亿2千3百万": "123 million", "1万零5百": "10,500",
    "2千多亿元": "more than 200 billion yuan", "5百余万元": "more than 5 million yuan", "3万余": "more than 30,000",
    "5千3百多万人": "more than 53 million people", "5千多人": "more than 5,000 people",
    "12万3456.78元": "123,456.78 yuan",
    "几千亿元": "hundreds of billions of", "数百亿元": "tens of billions of", "几万亿元": "trillions of",
    "几百万": "millions of", "十几万人": "more than 100,000 people", "二点五亿元": "250 million yuan",
    "1亿3千多万人": "more than 130 million people", "一亿三千多万人": "more than 130 million people",
    "5,360万元": "53.6 million yuan", "1.2345678亿": "123,456,780", "19万余人次": "more than 190,000 visits",
    "三斤": "three jin", "十五公里": "15 kilometers", "1米": "1 meter", "一万五千米": "15,000 meters",
    "十万千瓦": "100,000 kilowatts", "0.5米": "0.5 meters", "三十多岁": "more than 30 years old",
    "七八百人": "700 to 800 people", "十五六岁": "15 to 16 years old", "两三千人": "2,000 to 3,000 people",
    "三四个": "three or four",
    "数百名": "hundreds of", "上百人": "hundreds of", "近百人": "nearly 100", "3元5角": "3.5 yuan",
    "三块五": "3.5 yuan",
    "3兆元": "3 trillion yuan", "三个半月": "three and a half months", "两年半": "two and a half years",
    "３．５ 万": "35,000", "壹佰万元": "1 million yuan", "三十一点三": "31.3", "48.5": "48.5", "-5": "-5",
}  # fmt: skip
SHARES = {
    "百分之二十点五": "20.5 percent", "35%": "35 percent", "百分之七八十": "70 to 80 percent", "三成五": "35 percent",
    "3.5个百分点": "3.5 percentage points", "百分之三十多": "more than 30 percent", "-3%": "minus 3 percent",
    "三分之二": "two-thirds", "二十分之一": "1/20", "10万分之一": "1/100,000", "3‰": "3 per thousand",
    "万分之五": "5 per 10,000", "占1/3": "one-third", "3比2": "3-2", "三比二": "3-2", "25:23": "25:23",
}  # fmt: skip
SPANS = {
    "2小时15分30秒": "two hours 15 minutes 30 seconds", "4 分 51 秒": "four minutes 51 seconds",
    "三个多月": "more than three months", "三年多": "more than three years", "3公里多": "more than three kilometers",
    "一年多": "more than one year", "5斤半": "five and a half jin", "11 时 20 分": "11 : 20",
    "三成多": "more than 30 percent", "3至5成": "30 to 50 percent", "五到六千": "5,000 to 6,000",
    "十至二十万": "100,000 to 200,000", "五到二十万": "50,000 to 200,000", "五百到一万": "500 to 10,000",
    "5、6千人": "5,000 to 6,000 people", "新台币三千万元": "30 million New Taiwan dollars",
    "人民币3亿多元": "more than 300 million yuan", "近千万元": "nearly 10 million", "1,200多名": "more than 1,200",
    "公元前3世纪": "the third century BC", "第7364次": "the 7364th", "12.50元": "12.50 yuan", "9.0%": "9.0 percent",
    "九成九": "99 percent", "3.5成": "35 percent", "公元前三千年": "3000 BC", "-5万元": "-50,000 yuan",
    "6到7级": "6 to 7",
    "19 世纪 80 年代": "the 1880s", "80 年代": "the 1980s", "民国57年度": "1968", "0.1百分点": "0.1 percentage points",
    "18、19世纪": "the 18th and 19th centuries", "十五至十六世纪": "the 15th to 16th centuries",
    "180度": "180 degrees", "5000度": "5000", "午夜11点半": "11 : 30 p.m.",
}  # fmt: skip
OF_SPEECH_AND_SPORT = {
    "2·3亿人": "230 million people", "增长12·5倍": "12.5 times", "六点过五分": "6 : 05", "七点过一刻": "7 : 15",
    "上升了一个半百分点": "one and a half percentage points", "半斤糖": "half a jin", "半公斤": "half a kilogram",
    "16589.44点": "16,589.44 points", "跌800点": "800 points", "一号文件": "No. 1", "四号线": "No. 4",
    "一米七五": "1.75 meters", "1米78": "1.78 meters", "37度5": "37.5 degrees", "9秒58": "9.58 seconds",
    "2米1": "2.1 meters", "1万2": "12,000", "5万8的": "58,000", "3亿5": "350 million",
    "三年零六个月": "three years and six months", "11时11分11秒": "11:11:11", "七八点钟": "seven or eight o'clock",
    "两三年内": "two or three years", "五日后": "five days", "拘留15日": "15 days", "一百二十块八毛五": "120.85 yuan",
    "两块二毛五": "2.25 yuan", "八毛五分": "0.85 yuan", "1013百帕": "1,013 hectopascals",
    "10个工作日内": "10 working days", "三千二百零五块六毛": "3,205.6 yuan", "百分百": "100 percent",
    "近千亿美元": "nearly 100 billion", "百万亿元": "100 trillion", "数十万亿元": "tens of trillions of",
    "2022年2月4日-20日": "February 4 to 20 , 2022", "一百一十比九十八": "110-98", "单位：万元": "10,000 yuan",
    "油耗8升": "8 liters", "3分42秒44": "three minutes 42.44 seconds",
}  # fmt: skip
OF_LAW_AND_HEALTH = {
    "三年以上七年以下有期徒刑": "three to seven years", "五千元以上五万元以下": "5,000 to 50,000 yuan",
    "15.1/10万": "15.1 per 100,000", "70千卡": "70 kilocalories", "每百名居民": "100", "连续五日": "five days",
}  # fmt: skip
NOTATIONS_OF_THEIR_OWN = {
    "八五折": "15 percent off", "8.5折": "15 percent off", "7折": "30 percent off", "两折": "80 percent off",
    "九五后": "post-95s", "90后": "post-90s", "零零后": "post-00s", "80、90后": "post-80s and post-90s",
    "80/90后": "post-80s and post-90s", "90后和00后": "post-90s and post-00s", "上月20日": "the 20th of last month",
    "本月三日": "the 3rd of this month", "下个月1日": "the 1st of next month", "七旬老人": "70-something",
    "三十里路": "30 li", "三十里外": "30 li", "五毛钱": "five mao", "两三个人": "two or three people",
    "三个人": "three people", "零九年": "2009", "九八年": "1998", "一三年": "2013", "3点差5分": "2 : 55",
    "差一刻三点": "2 : 45", "三刻钟": "45 minutes", "下午3点差5分": "2 : 55 p.m.", "30兆瓦": "30 megawatts",
    "100兆赫": "100 megahertz",
    "-5到3℃": "minus five to three degrees Celsius", "零下5至零下3度": "minus five to minus three degrees",
    "5~10℃": "five to ten degrees Celsius", "6222 0213 4567 8901": "6222 0213 4567 8901",
    "1 9 7 6": "1 9 7 6", "1 / 2": "1 / 2",
}  # fmt: skip
BESIDE_OTHER_SIGNS = {
    "RMB500万元": "5 million yuan", "USD5亿": "500 million", "下午3点至5点将停电": "3 to 5 p.m.",
    "晚8时到10时": "8 to 10 p.m.", "售价$75。": "$ 75", "US$300万": "$ 3 million", "£1.5亿元": "£ 150 million",
    "捐款千万元": "10 million", "逾千亿美元": "100 billion", "第12号台风": "No. 12", "百分之百的人": "100 percent",
    "百万分之五": "5 per million", "三五天": "three to five days", "上午9点多": "after 9 a.m.",
}  # fmt: skip
TIMES = {
    "二〇一九年三月五日": "March 5 , 2019", "2019年12月31号": "December 31 , 2019", "2019年3月": "March 2019",
    "2021 年 1 月": "January 2021", "十月二十一日": "October 21", "3月18日电": "March 18", "元月三十日": "January 30",
    "17日": "on the 17th", "九月": "September", "十二月份": "December", "1998年": "1998", "90年代": "the 1990s",
    "19世纪60年代": "the 1860s", "本世纪20年代": "the 2020s", "20年代": "the 20s", "五六十年代": "the 1950s and 1960s",
    "50、60年代": "the 1950s and 1960s", "21世纪": "the 21st century", "廿一世纪": "the 21st century",
    "民国九十年": "2001", "民国90年3月5日": "March 5 , 2001", "公元前221年": "221 BC", "两千零八年": "2008",
    "一九九八至": "1998", "1987-1991年": "1987 to 1991", "8时8分": "8 : 08", "14时05分": "14 : 05", "8点半": "8 : 30",
    "下午三点二十分": "3 : 20 p.m.", "晚上8点": "8 p.m.", "昨晚8点": "8 p.m.", "中午12点": "12 noon", "17时": "17 : 00",
    "3点钟": "three o'clock", "农历八月十五": "the 15th day of the eighth lunar month",
    "正月初一": "the 1st day of the first lunar month", "9·11事件": "September 11", "3、4月份": "March and April",
    "七八月": "July and August", "3-5月": "March to May", "15、16日": "the 15th and 16th", "5月3日至7日": "May 3 to 7",
    "零下五度": "minus five degrees", "-5℃": "minus five degrees Celsius", "摄氏30度": "30 degrees Celsius",
    "第34分钟": "the 34th", "第三、四届": "the third and fourth", "第3至5名": "the third to fifth",
    "40周年": "the 40th",
    "十九大以来": "the 19th", "3~5天": "3 to 5 days", "5%-10%": "5 to 10 percent", "3-5万人": "30,000 to 50,000 people",
    "百分之五到十": "5 to 10 percent", "010-12345678": "010-12345678", "2019-03-05": "2019-03-05",
    "13800138000": "13800138000",
}  # fmt: skip


ALL = {
    **OF_LAW_AND_HEALTH, **OF_SPEECH_AND_SPORT, **AMOUNTS, **SHARES, **SPANS, **NOTATIONS_OF_THEIR_OWN,
    **BESIDE_OTHER_SIGNS, **TIMES,
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ALL.items())
def test_kinds_of_numbers(text: str, expected: str) -> None:
    assert read(text) == [expected]


SEVERAL = {
    "十一届三中全会": ["the 11th", "the third"],
    "一日三次": ["a day"],
    "十九大于10月18日": ["the 19th Congress", "October 18"],
    "上调0.1个百分点至3.2%": ["0.1 percentage points", "3.2 percent"],
    "32分14篮板": ["32 points", "14"],
    "每8小时一次": ["8 hours"],
    "造成3死5伤": ["three dead and five injured"],
    "12死、30伤，伤者": ["12 dead and 30 injured"],
    "截至10日24时31人死亡": ["on the 10th", "24 : 00", "31 people"],
    "上午8时20名工人": ["8 a.m.", "20"],
    "21比19、18比21": ["21-19", "18-21"],
    "19个省份，2辆汽车，3500间隔离房，两家": ["19", "two", "3,500", "two"],
    "3月5日死亡17人": ["March 5", "17 people"],
    "8时至10时30分": ["8 : 00", "10 : 30"],
    "1990年3月至1992年": ["March 1990", "1992"],
    "2003年底，2003年度，2003年级": ["2003", "2003", "2003"],
    "5日多云，20世纪末": ["on the 5th", "the 20th century"],
    "100元5张，用电100度": ["100 yuan", "five", "100"],
    "三至五年，3-5年": ["3 to 5", "3-5"],
    "3月29日报道，5日报": ["March 29", "5"],
    "三成三十人": ["30 percent", "30 people"],
    "在2012-2013赛季，第115条": ["2012-2013", "the 115th"],
    "以上百分之三十，人数十万": ["30 percent", "100,000"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SEVERAL.items())
def test_numbers_beside_each_other(text: str, expected: list[str]) -> None:
    assert read(text) == expected


UNREAD = (
    "1亿3千人", "5百3千", "百分之百万分", "13月5日", "2月30日", "3点5", "二又三分之一", ".5",
    "5分之零", "三五成群", "千万别", "三个半", "8点30分之一", "前一日", "3斤6两",
    "4。6℃", "3、5万", "五到六千五百", "三五万",
    "七八折", "七八年", "百八十人", "千八百块", "三个人物", "上旬", "一个人", "五旬节",
    "人民币5，430的", "211，985大学", "住在八里，",
    "3十", "3。1亿美元", "零下5至10度",
    "96至98年", "1. 5亿元", "8万 4千人", "五百两", "三点二十", "十天半个月", "三大", "增长一倍",
)  # fmt: skip


@pytest.mark.parametrize("text", UNREAD)
def test_a_number_is_read_whole_or_not_at_all(text: str) -> None:
    """What can't be read, or can be read in two ways, is not read in part either; phrases must cover all of it."""
    assert read(text) == []


@pytest.mark.parametrize(
    "text", ["COVID-19", "A320", "5G网络", "3.5km", "MH370", "G20", "x-3/4", "v1.2.3", "www.163.com"]
)
def test_digits_in_words_of_letters_are_no_numbers(text: str) -> None:
    assert found(text) == []


WORDS = (
    "四处",
    "铁人三项",
    "五台山",
    "三门峡",
    "七喜",
    "百度",
    "一些",
    "第三者",
    "三部曲",
    "二把手",
    "星期三",
    "周五",
    "四川",
    "十分",
    "万一",
)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_no_numeral(word: str) -> None:
    """Words of the tables are words; so are those of the dictionary unless they are a numeral with a unit."""
    assert read(f"他们去了{word}。", [word]) == []
    assert word == "四处" or read(f"他们去了{word}。") == []


def test_round_years_may_be_a_span() -> None:
    """2500年后 is the year 2500 or 2,500 years later; 2003年 is only a year."""
    assert ("2,500",) in found("约2500年后")[0].numbers
    assert ("2,003",) not in found("2003年后")[0].numbers


def test_few_numerals_and_lunar_dates_are_proposals() -> None:
    """Phrases of the table may say another number where the rule is not certain."""
    uses = {
        text: [given.number_use for given in found(text)]
        for text in ("十一黄金周", "十四五规划", "98年", "三十五人", "9·11事件")
    }
    assert uses == {
        "十一黄金周": ["open"],
        "十四五规划": ["whole"],
        "98年": ["open"],
        "三十五人": ["required"],
        "9·11事件": ["open"],
    }


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
    assert not text or exact_value(text) == value


def test_every_notation_in_whole_translations(translator: Translator) -> None:
    """Values in all notations of news, inside of sentences: the printed English is right, or the rules were silent."""
    checked = [complaints for group in range(4) for complaints in check_numbers(translator, 1, group)]
    assert len(checked) == 2000
    assert not [complaint for complaints in checked for complaint in complaints]


@given(st.integers(1, 999))
def test_ordinals_end_as_they_are_read(value: int) -> None:
    in_digits = next(words[0] for words in ordinals(Decimal(value)) if words[0][0].isdigit())
    *_, last = next(words for words in ordinals(Decimal(value)) if not words[0][0].isdigit())
    assert in_digits == f"{value}{last[-2:]}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1，000人", "1,000人"), ("１，０００，０００人", "1,000,000人"), ("12，345.6万人", "12,345.6万人"),
        ("1 000人", "1,000人"), ("12’345元", "12,345元"), ("3 . 5 万", "3.5万"), ("3：2", "3:2"), ("1 ， 000", "1,000"),
        ("第1，2，300页", "第1，2，300页"), ("5，100，20", "5，100，20"), ("010 123 456", "010 123 456"),
        ("在5月，300人", "在5月，300人"), ("1,000，2,000", "1,000，2,000"), ("211，985大学", "211，985大学"),
        ("热线116 123", "热线116 123"), ("5，360万元", "5,360万元"), ("3，456，789", "3,456,789"),
        ("人民币２３，０００的", "人民币23,000的"), ("９，７３５泰铢", "9,735泰铢"),
    ],
)  # fmt: skip
def test_numbers_are_joined(line: str, expected: str) -> None:
    assert normalize_chinese(line) == expected


@given(
    st.text(
        "0123456789〇一二两三十百千万亿兆廿年月日号点%第几数近上比时分之个间半世纪代晚农历零下度元角多余来，、,.:-/~·A",
        max_size=12,
    )
)
def test_numbers_whatever_the_text(text: str) -> None:
    """The output of the rules is accepted by the constraint, and consists of English words."""
    segmenter = ChineseSegmenter()
    last = 0
    for begin, end, part in NumberFinder(segmenter.split, segmenter.has_word, lambda words: [False] * len(words)).find(
        text
    ):
        assert last <= begin < end <= len(text)
        assert part.given
        for words, _ in part.given.alternatives if part.given.rule else ():
            assert all(word.isascii() and word for word in words)
            if part.given.numbers:
                assert any(words[i : i + len(said)] == said for said in part.given.numbers for i in range(len(words)))
        last = end


TARGETS = (
    *("two", "cars", "200", "2", "the 200 cars", "two hundred", "five-year", "COVID-19", "19", "both", "a", "Two"),
    *("March", "March 2", "19 May", "march 2"),
)
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
        return not any(says_number(word) or is_month_of_day(words, at) for at, word in enumerate(words))
    (said, required), *rest = numbers
    if not required and twin(words, rest):
        return True
    for wording in said:
        for at in range(len(words) - len(wording) + 1):
            part = [word.lower() for word in words[at : at + len(wording)]]
            if all(a == b or a.startswith(f"{b}-") or a.endswith(f"-{b}") for a, b in zip(part, wording, strict=True)):
                taken = (f"|{word}" if word.isdecimal() else "|" for word in part)
                left = [*words[:at], *taken, *words[at + len(wording) :]]
                if twin(left, rest):
                    return True
    return False


@given(st.lists(st.sampled_from(SOURCES), min_size=1, max_size=5), st.data())
def test_phrases_say_the_numbers_of_their_words(
    lexicon: TranslationTables, tokens: list[str], data: st.DataObject
) -> None:
    begin = data.draw(st.integers(0, len(tokens) - 1))
    end = data.draw(st.integers(begin + 1, min(begin + 2, len(tokens))))
    built = GivenTranslations.evenly(
        [["two"]], exclusive=False, origin="rule", numbers=wordings(Decimal(2)), number_use="required"
    )
    sentence = Sentence(tuple(tokens), (GivenSpan(begin, end, built),), keeps_numbers=True)
    (piece,) = Tiler(lexicon, TranslationOptions(table_threshold=0, segmentations="one")).tile([sentence])[0]
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
    (piece,) = Tiler(lexicon, TranslationOptions(table_threshold=0)).tile([Sentence(("车",))])[0]
    assert {" ".join(words) for _, _, words, _ in piece.alternatives} == set(TARGETS)


def is_month_of_day(words: list[str], at: int) -> bool:
    """Whether a word is a month that may be another word elsewhere, and has digits beside it."""
    beside = [*words[max(0, at - 1) : at], *words[at + 1 : at + 2]]
    return words[at] in ("March", "May") and any(re.fullmatch("[|]?[0-9]+", word) for word in beside)


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
