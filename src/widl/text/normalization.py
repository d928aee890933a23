"""Normalization before tokenization: one form for text that Unicode can encode in several ways.

Invisible characters (control, format and variation characters) are removed on both sides, and white space becomes
single spaces. Beyond that they differ: European text is reduced to the punctuation of a keyboard, as in Moses'
normalize-punctuation, while Chinese text keeps Chinese punctuation and gets it in place of keyboard punctuation. The
phrase table therefore contains Chinese punctuation.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from widl.common.argument_types import checked
from widl.common.extras import optional_packages

# Removed: control characters that are not white space, soft hyphens, zero-width and directional
# marks, variation selectors, tags, and lone surrogates, which no file can hold.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)

_PICTURE = (
    "[\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
)
_PART = f"{_PICTURE}(?:\ufe0f|[\U0001f3fb-\U0001f3ff])?\u20e3?"
EMOJI = (
    f"(?:[\U0001f1e6-\U0001f1ff]{{2}}|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f|[0-9#*]\ufe0f?\u20e3"
    f"|{_PART}(?:\u200d{_PART})*)"
)
"""A pattern for flags and emoji sequences (Unicode Technical Standard 51); their invisible parts are kept."""
_EMOJI_OR_INVISIBLE = re.compile(f"({EMOJI})|{_INVISIBLE.pattern}")

# Chinese characters (with 〇 and 々), which may adjoin Chinese punctuation.
HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN_CHARACTER = re.compile(f"[{HAN}]")

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

# Marks that have an equivalent on the keyboard.
_QUOTES_AND_DASHES = {
    **dict.fromkeys(map(ord, "“”„‟«»〝〞〟＂″『』「」《》｢｣"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛´`ʼ′＇"), "'"),
    **dict.fromkeys(map(ord, "‐‑−﹣"), "-"),
    **dict.fromkeys(map(ord, "—―─━⸺"), " - "),
}

WESTERN_PUNCTUATION: dict[int, int | str] = {
    **_FULL_WIDTH,
    **_QUOTES_AND_DASHES,
    ord("。"): ". ",
    ord("｡"): ". ",
    ord("、"): ", ",
    ord("､"): ", ",
    ord("，"): ", ",
    ord("；"): "; ",
    ord("〈"): "<",
    ord("〉"): ">",
    ord("【"): "[",
    ord("】"): "]",
    ord("〔"): "[",
    ord("〕"): "]",
    ord("…"): "...",
    ord("〜"): "~",
    ord("・"): "·",
    ord("∶"): ":",
}

_CHINESE: dict[int, int | str] = {
    # Radicals that some PDF files have instead of the identical-looking characters.
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x2E80, 0x2E9A), *range(0x2E9B, 0x2FD6))},
    # Half-width letters, digits and signs; the sentence punctuation ！（），：；？ stays as it is.
    **{code: plain for code, plain in _FULL_WIDTH.items() if chr(code) not in "！（），：；？"},
    ord("("): "（",
    ord(")"): "）",
    ord("｡"): "。",
    ord("､"): "、",
    **dict.fromkeys(map(ord, "「『｢〝„«"), "“"),
    **dict.fromkeys(map(ord, "」』｣〞〟»"), "”"),
    **dict.fromkeys(map(ord, "—―─━⸺"), "—"),
    **dict.fromkeys(map(ord, "‐‑−﹣"), "-"),
    **dict.fromkeys(map(ord, "・･‧"), "·"),
    ord("∶"): "：",
    ord("〜"): "~",
}

# A mark between two keyboard characters belongs to a number, a time, an address or foreign text.
_KEYBOARD_MARK = re.compile(r"(?<![!-~])[,;:?!]|[,;:?!](?![!-~])")
_CHINESE_MARK = str.maketrans(",;:?!", "，；：？！")
_CHINESE_STOP = re.compile(rf"(?<=[{HAN}”）》])\.(?![\w.])")
_ELLIPSIS = re.compile(r"\.{3,}|…+|。{2,}")
_CHINESE_DASH = re.compile(r"—+|-{2,}")
_DOUBLE_HYPHEN = re.compile(r"-{2,}")
_EN_DASH_IN_WORD = re.compile(r"(?<=\w)–(?=\w)")
_EN_DASH_IN_NUMBER = re.compile(r"(?<=[0-9A-Za-z])–(?=[0-9A-Za-z])")
_NUMERALS = "一二三四五六七八九〇○◯"
_YEAR = re.compile(rf"(?<![{_NUMERALS}零十百千万])[一二][{_NUMERALS}零]{{3}}(?=年)")
_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
# Circles, and zeros and letters O typed instead of them: 二00八年.
_CIRCLES = re.compile(rf"(?<=[{_NUMERALS}])[○◯0O]+(?=[{_NUMERALS}年])|(?<=[{_NUMERALS}])[○◯]|[○◯](?=[{_NUMERALS}])")
_FULL_COMMA = re.compile("(?<=[０-９])，(?=[０-９]{3}(?![０-９]))")  # as wide as the digits beside it
_FULL_COLON = re.compile("(?<=[0-9])：(?=[0-9])")
_SPACED_POINT = re.compile(r"(?<=[0-9]) \. (?=[0-9])")
_SPACED_SCALE = re.compile("(?<=[0-9]) (?=[十百千万亿%])")
# Groups of three digits with one kind of separator between them: 1,000, 12'345. A blank or ， may also part two
# numbers (211，985, 116 123), unless several groups, a scale or what is counted follow: 1，000人, 1 000 000.
_COUNTED = (
    "[万亿兆%％多余元人名个位家吨公平立米里亩美港日英欧韩新台澳加泰瑞卢比户件辆架艘台套张条只头株棵座所间次例起项种岁年天小分秒票倍股篇部]"
)
_GROUPS = re.compile(
    r"(?<![0-9.,])(?<![0-9][，'’ ])([1-9][0-9]{0,2})(?=( ?[,，] ?|['’ ])[0-9]{3})((?:\2[0-9]{3})+)(?![0-9]|[,，][0-9])"
    rf"(?:(?<=[,'’][0-9]{{3}})|(?<=[,，] [0-9]{{3}})|(?<=[，' ][0-9]{{3}}[，' ][0-9]{{3}})|(?=\.[0-9]| ?{_COUNTED}))"
)
# 2·3亿; 9·11事件 is a date.
_POINT_IN_NUMBER = re.compile("(?<=[0-9])[·•](?=[0-9]+ ?[万亿兆%％元倍米公吨斤亩度℃升克千百厘毫岁秒])")
_DOUBLED_QUOTE = re.compile(r"'{2,}")


def visible(line: str) -> str:
    """The line in Unicode NFC, without invisible characters, with single spaces for white space."""
    if not line.isascii():
        line = unicodedata.normalize("NFC", line)
    return " ".join(_without_invisible(line).split())


def _without_invisible(line: str) -> str:
    if _INVISIBLE.search(line) is None:
        return line
    return _EMOJI_OR_INVISIBLE.sub(lambda match: match[1] or "", line)


@checked
def normalize_european(line: str) -> str:
    """Keyboard punctuation for text in an alphabet.

    Unlike Moses' normalize-punctuation, it moves no spaces or commas around quotes and brackets, so that detokenization
    can restore the input.

    >>> normalize_european("“No” — 2019–20…")
    '"No" - 2019-20...'
    """
    line = _without_invisible(line)
    if not line.isascii():
        line = unicodedata.normalize("NFC", line)
        line = _EN_DASH_IN_WORD.sub("-", line).replace("–", " - ").translate(WESTERN_PUNCTUATION)
    if "--" in line:
        line = _DOUBLE_HYPHEN.sub(" - ", line)
    if "`" in line:
        line = line.replace("`", "'")
    if "''" in line:
        line = _DOUBLED_QUOTE.sub('"', line)
    return " ".join(line.split())


@cache
def _converter(configuration: str) -> Callable[[str], str]:
    """A conversion of OpenCC by its tables of words."""
    with optional_packages():
        import opencc  # takes 0.3 s to load

    convert: Callable[[str], str] = opencc.OpenCC(configuration).convert
    return convert


@cache
def _in_all_characters(configuration: str) -> dict[str, str]:
    """The conversion of each character by itself."""
    characters = [chr(code) for code in range(0x3400, 0xA000)]
    return dict(zip(characters, _converter(configuration)("\n".join(characters)).split("\n"), strict=True))


def _is_encodable(text: str, standard: str) -> bool:
    try:
        text.encode(standard)
    except UnicodeEncodeError:
        return False
    return True


# Characters of GB 2312 that simplified text nevertheless has in few names only.
_HARDLY_SIMPLIFIED = frozenset("後於")


@cache
def _evidence() -> tuple[frozenset[str], frozenset[str]]:
    """The characters unique to traditional and to simplified text.

    台, 后, 里, 干 and 著 occur in both: the standard of either script, Big5 or GB 2312, has them.
    """
    traditional, simplified_ones = (
        frozenset(sign for sign, other in _in_all_characters(configuration).items() if sign != other)
        for configuration in ("t2s", "s2t")
    )
    return (
        _without(traditional, "gb2312") | _HARDLY_SIMPLIFIED,
        _without(simplified_ones, "big5"),
    )


@cache
def _regional_forms() -> tuple[frozenset[str], frozenset[str]]:
    """The characters of Taiwan and of Hong Kong that the other of the two and simplified text write differently."""
    taiwan, hong_kong = _in_all_characters("s2tw"), _in_all_characters("s2hk")
    differing = [(form, hong_kong[sign]) for sign, form in taiwan.items() if form != hong_kong[sign]]
    of_taiwan, of_hong_kong = (_without(frozenset(forms), "gb2312") for forms in zip(*differing, strict=True))
    return of_taiwan, of_hong_kong


def _without(characters: frozenset[str], standard: str) -> frozenset[str]:
    return frozenset(sign for sign in characters if not _is_encodable(sign, standard))


def _count(line: str, characters: frozenset[str]) -> int:
    return sum(map(characters.__contains__, line))


def is_traditional(line: str) -> bool:
    """Whether a line has more characters unique to traditional than unique to simplified Chinese.

    >>> [is_traditional(line) for line in ("總統訪問北京", "他在台灣", "总统访问北京", "他在北京")]
    [True, True, False, False]
    """
    if _is_encodable(line, "gb2312") and _HARDLY_SIMPLIFIED.isdisjoint(line):
        return False
    traditional, simplified_ones = _evidence()
    return _count(line, traditional) > _count(line, simplified_ones)


def simplified(line: str) -> str:
    """A line of traditional Chinese in simplified characters, by OpenCC's words of Taiwan or of Hong Kong.

    Other lines stay as they are.

    >>> simplified("總統訪問皇后"), simplified("隨著著名作家"), simplified("乾隆年间")
    ('总统访问皇后', '随着著名作家', '乾隆年间')
    """
    if not is_traditional(line):
        return line
    of_taiwan, of_hong_kong = _regional_forms()
    is_of_hong_kong = _count(line, of_hong_kong) > _count(line, of_taiwan)
    return _converter("hk2s" if is_of_hong_kong else "tw2s")(line)


@checked
def normalize_chinese(line: str) -> str:
    """One spelling for Chinese text: simplified characters, half-width letters and digits, Chinese punctuation, years.

    Numerals other than calendar years stay: 三 is part of words as often as it is a number, and rjieba and the phrase
    table have 三十 or 十五年 as words. A comma separates groups of three digits.

    >>> normalize_chinese('他说:"ＧＤＰ增长３.５％,很好."……')
    '他说：“GDP增长3.5%，很好。”…'
    >>> normalize_chinese("二〇一九年三月"), normalize_chinese("二00八年"), normalize_chinese("１，０００人")
    ('2019年三月', '2008年', '1,000人')
    """
    line = simplified(visible(line))
    line = _FULL_COMMA.sub(",", line)
    line = _EN_DASH_IN_NUMBER.sub("-", line).replace("–", "—").translate(_CHINESE)
    line = _ELLIPSIS.sub("…", line)
    line = _CHINESE_DASH.sub("—", line)
    line = _SPACED_POINT.sub(".", _FULL_COLON.sub(":", line))
    line = _POINT_IN_NUMBER.sub(".", line)
    line = _GROUPS.sub(lambda match: match[1] + match[3].replace(match[2], ","), line)
    line = _SPACED_SCALE.sub("", line)
    line = _KEYBOARD_MARK.sub(lambda match: match[0].translate(_CHINESE_MARK), line)
    if line.count('"') % 2 == 0:
        for quote in "“”" * (line.count('"') // 2):
            line = line.replace('"', quote, 1)
    line = _CHINESE_STOP.sub("。", line)
    line = _CIRCLES.sub(lambda match: "〇" * len(match[0]), line)
    return _YEAR.sub(lambda match: match[0].translate(_DIGITS), line)
