"""Amounts, counted or not: of money, of units, of anything with a classifier."""

import re
from decimal import Decimal

from widl.translation.chinese_numbers import NUMERAL, POWER, Amount, amount_of, exact_value, positional_value
from widl.translation.english_numbers import (
    Wording,
    before_each,
    english_number,
    ordinals,
    small_or_digits,
    spelled,
    with_commas,
    wordings,
)
from widl.translation.measure_words import (
    CLASSIFIER,
    COUNTED,
    CURRENCIES,
    UNIT,
    UNITS,
    english_units,
    english_words,
    is_money,
)
from widl.translation.number_kinds.amount_words import amount_wordings, as_written, exact_words, joined, vague_words
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind
from widl.translation.number_kinds.shares import SIGNS

_SEVERAL = {
    10: ("dozens", "several dozen"), 100: ("hundreds", "several hundred"), 1000: ("thousands", "several thousand"),
    10**4: ("tens of thousands",), 10**5: ("hundreds of thousands",), 10**6: ("millions", "several million"),
    10**7: ("tens of millions",), 10**8: ("hundreds of millions",), 10**9: ("billions",),
    10**10: ("tens of billions",), 10**11: ("hundreds of billions",), 10**12: ("trillions",),
    10**13: ("tens of trillions",), 10**14: ("hundreds of trillions",),
}  # fmt: skip
# Words that begin with numerals: 数百分比, 几十字.
_AFTER_SEVERAL = "(?![分字据码目额计])"


@kind(rf"(?P<amount>[几数上]{NUMERAL}+)(?P<of>{COUNTED})?{_AFTER_SEVERAL}")
def several(match: re.Match[str]) -> Reading | None:
    """几十万: hundreds of thousands; the word that is counted stays."""
    amount = amount_of(match["amount"])
    if amount is None or amount.vague != "several" or int(amount.low) not in _SEVERAL:
        return None
    names = _SEVERAL[int(amount.low)]
    english = [(*name.split(), *(("of",) if name.endswith("s") else ())) for name in names]
    return Reading(match.end("amount"), [*english, tuple(names[0].split())], (), is_closed=match["of"] is not None)


@kind(rf"近(?P<unit>{POWER})(?={COUNTED}|{UNIT.pattern})")
def nearly(match: re.Match[str]) -> Reading | None:
    """近百人: nearly 100."""
    value = exact_value(f"一{match['unit']}") or Decimal(0)
    return Reading(match.end(), before_each(("nearly", "almost"), [english_number(value)]), wordings(value))


@kind(f"(?<![几数上近])(?P<unit>[十百千]?万亿|[十百千][万亿])(?={COUNTED}|{UNIT.pattern})")
def power_alone(match: re.Match[str]) -> Reading | None:
    """千万元: 10 million, or tens of millions."""
    value = exact_value(f"一{match['unit']}") or Decimal(0)
    several: list[Wording] = [tuple(name.split()) for name in _SEVERAL.get(int(value), ())]
    return Reading(match.end(), [english_number(value)], [*wordings(value), *several])


@kind(f"(?<=每)(?P<unit>[百千]|十?万|百万)(?={COUNTED}|{UNIT.pattern})")
def every_power(match: re.Match[str]) -> Reading | None:
    """每百名居民: every 100 residents."""
    value = exact_value(f"一{match['unit']}") or Decimal(0)
    return Reading(match.end(), [english_number(value)], wordings(value))


@kind("(?<=单位：)(?P<scale>[十百千]?[万亿]|百|千)元")
def unit_of_a_table(match: re.Match[str]) -> Reading | None:
    """单位：万元: the figures of a table are in 10,000 yuan."""
    value = exact_value(f"一{match['scale']}") or Decimal(0)
    return Reading(match.end(), [(*english_number(value), "yuan")], wordings(value))


_SIGNED_AMOUNT = rf"(?P<sign>[{SIGNS}])?{amount_group('amount')}"


def unit_after(text: str, at: int, *, is_one: bool) -> tuple[int, list[Wording]]:
    """The end of the unit or classifier at a place, and its English words; the place itself if there is none."""
    if unit := UNIT.match(text, at):
        return unit.end(), english_units(unit[0], is_one=is_one)
    # Many digits are a number of something, which is not counted.
    classifier = None if re.search("[0-9]{9}$", text[:at]) else CLASSIFIER.match(text, at)
    return (classifier.end() if classifier else at), [()]


def _amount(match: re.Match[str]) -> Amount | None:
    amount = amount_of(match["amount"])
    return None if amount is None or amount.vague == "several" or not amount.low else amount


@kind(_SIGNED_AMOUNT)
def counted(match: re.Match[str]) -> Reading | None:
    """3.5万人, 三十多亿元, 七八百名, 19个: an amount with its unit or classifier."""
    text, amount = match["amount"], _amount(match)
    if amount is None:
        return None
    is_one = amount.is_exact and amount.low == 1
    end, units = unit_after(match.string, match.end(), is_one=is_one)
    of_money = is_money(match.string[:end])
    # A single thing may be *a*, and 兆 may be mega-.
    if is_one and match.string[:end].endswith("倍"):  # 增长一倍: doubled
        return None
    if end == match.end() or (is_one and units == [()]) or ("兆" in text and not of_money):
        return None
    if match["sign"]:
        return _signed(match, amount, end, units)
    return Reading(end, _counted_words(text, amount, units), amount_wordings(amount, text, is_money=of_money))


def _counted_words(text: str, amount: Amount, units: list[Wording]) -> list[Wording]:
    if not amount.is_exact:
        return [words for unit in units for words in vague_words(amount, unit)]
    is_small_in_words = not text.isascii() or units == [()]
    numbers = exact_words(amount.low) if is_small_in_words else [as_written(text, amount.low)]
    return [(*words, *unit) for unit in units for words in numbers]


@kind(f"(?<!第){amount_group('amount')}个人(?![大物民士员口权工材才品选质群格体力均所信贷简隐账消股购投债捐储])")
def people(match: re.Match[str]) -> Reading | None:
    """两三个人: two or three people. 一个人 is also alone, 个人 before other words a person's own."""
    amount = _amount(match)
    if amount is None or (amount.is_exact and amount.low == 1):
        return None
    words = _counted_words(match["amount"], amount, [("people",)])
    return Reading(match.end(), words, amount_wordings(amount, match["amount"], is_money=False))


@kind(_SIGNED_AMOUNT)
def uncounted(match: re.Match[str]) -> Reading | None:
    """48.5, 三百五十, 30多万: an amount alone. Few numerals may be a name, as may two digits before 年 be a year."""
    text, amount = match["amount"], _amount(match)
    if amount is None or "兆" in text:
        return None
    if match["sign"]:
        return _signed(match, amount, match.end(), [()])
    if _may_be_a_name(text, amount):
        return None
    if text.isascii():  # perhaps the number of something, which has no commas
        english: list[Wording] = [(text,)]
    else:
        english = exact_words(amount.low) if amount.is_exact else vague_words(amount)
    said = amount_wordings(amount, text, is_money=False)
    if amount.is_exact and amount.low == int(amount.low):
        said += ordinals(amount.low)  # 34楼: the 34th floor
    is_certain = _is_certain(text, amount, match.string[match.end() : match.end() + 2])
    return Reading(match.end(), english, said, is_certain=is_certain, is_closed=False)


def _may_be_a_name(text: str, amount: Amount) -> bool:
    if text.isdecimal() and text.isascii():
        return text == "1" or text.startswith("0")
    is_small = amount.low <= 10 or (amount.high is not None and amount.high <= 20)
    is_short = not text[0].isascii() and (len(text) < 2 or (is_small and "点" not in text))
    return is_short or (amount.is_exact and amount.low == 1)


def _is_certain(text: str, amount: Amount, following: str) -> bool:
    is_year = re.match("年(?![来间前后内以代])", following) and (60 <= amount.low < 120 or re.fullmatch("0[0-9]", text))
    is_large = amount.low >= 100 or (amount.low > 20 and amount.low % 10 != 0) or "点" in text
    if re.match("折", following) or (re.match("后", following) and re.fullmatch("[0-9][05]", text)):
        return False  # a discount, people born in the 1990s
    return not is_year and (text[0].isascii() or is_large or following.startswith(("年", "号", "票", "席")))


def _signed(match: re.Match[str], amount: Amount, end: int, units: list[Wording]) -> Reading | None:
    """-5: the sign stays as it is, since it may be a dash. Behind a Chinese character it is a hyphen or a dash."""
    sign, text = match["sign"], match["amount"]
    if not amount.is_exact or re.match(r"\w", match.string[: match.start()][-1:]):
        return None
    first, *rest = (text,) if text.isascii() else english_number(amount.low)
    minus = joined([("minus",)], wordings(amount.low)) if sign in "-−" else []
    said: list[Wording] = [(f"{sign}{first}", *rest), (f"{sign}{with_commas(amount.low)}",), *minus]
    return Reading(end, joined(said[:1], units), said, is_closed=end > match.end())


@kind(rf"{amount_group('amount')}(?:(?P<dead>死)|(?P<injured>伤)|里(?=[外长远开，。！？；）,!?;)]|$))(?![者亡刑员病害口势残心缓])")
def counted_in_short(match: re.Match[str]) -> Reading | None:
    """3死5伤: three dead, five injured; 三十里外: 30 li. 里 before other words means inside, and 八里 is a place."""
    amount = _amount(match)
    is_place = match[0].endswith("里") and not re.match("[外长远]", match.string[match.end() :])
    if amount is None or (is_place and len(match["amount"]) == 1):
        return None
    words = ("dead", "killed") if match["dead"] else ("injured", "wounded") if match["injured"] else ("li",)
    numbers = vague_words(amount) if not amount.is_exact else exact_words(amount.low)
    said = amount_wordings(amount, match["amount"], is_money=False)
    return Reading(match.end(), joined(numbers, [(word,) for word in words]), said)


@kind(f"{amount_group('dead')}死[，、]?{amount_group('injured')}伤(?![者病害口势残心缓])")
def victims(match: re.Match[str]) -> Reading | None:
    """3死5伤: three dead and five injured."""
    dead, injured = amount_of(match["dead"]), amount_of(match["injured"])
    if dead is None or injured is None or not (dead.is_exact and injured.is_exact):
        return None
    deaths = joined(wordings(dead.low), [("dead",), ("killed",), ("people", "killed")])
    injuries = joined(wordings(injured.low), [("injured",), ("wounded",), ("people", "injured")])
    words: Wording = (*small_or_digits(dead.low), "dead", "and", *small_or_digits(injured.low), "injured")
    return Reading(match.end(), [words], joined(deaths, [("and",), (",",), (",", "and")], injuries))


@kind(r"(?P<tens>[五六七八九])旬(?!节)")
def age(match: re.Match[str]) -> Reading | None:
    """七旬老人: an old man of some 70 years. 上旬 are the first ten days of a month."""
    value = (exact_value(match["tens"]) or Decimal(0)) * 10
    said: list[Wording] = [*wordings(value), (f"{value}s",), (f"{spelled(value)[0][0][:-1]}ies",)]
    return Reading(match.end(), [(f"{value}-something",)], [(f"{value}-something",), *said])


_DECIMAL_UNITS = {"米": "meters", "秒": "seconds", "度": "degrees"}


@kind(
    r"(?P<digits>[0-9]{1,4})(?P<unit>[米秒度])(?P<rest>[0-9]{1,2})(?![0-9.,%个米秒分厘多余]|[十百千万亿])",
    r"|(?P<numerals>[一二两三四五六七八九]|十[一二三四五六七八九]?)(?P<meters>米)(?P<tenths>[零一二三四五六七八九]{1,2})"
    r"(?![一二三四五六七八九十百千万亿米秒分厘多余个])",
)
def unit_with_decimals(match: re.Match[str]) -> Reading | None:
    """1米78, 9秒58, 37度5, 一米七五: 1.78 meters, 9.58 seconds, 37.5 degrees."""
    whole = exact_value(match["digits"] or match["numerals"])
    rest = match["rest"] or str(positional_value(match["tenths"])).rjust(len(match["tenths"]), "0")
    if whole is None:
        return None
    value = whole + Decimal(f"0.{rest}")
    unit = _DECIMAL_UNITS[match["unit"] or match["meters"]]
    return Reading(match.end(), [(f"{whole}.{rest}", unit)], [(f"{whole}.{rest}",), *wordings(value)])


@kind("半(?P<unit>公斤|公里|[斤吨亩升])(?!八两)")
def half_of_unit(match: re.Match[str]) -> Reading | None:
    """半斤: half a jin."""
    unit = _HALVES[match["unit"]].removesuffix("s")
    return Reading(match.end(), [("half", "a", unit)], [("half",), ("0.5",), ("1/2",)])


@kind(rf"(?P<amount>[0-9][0-9,]*(?:\.[0-9]+)?)点(?!钟|[0-9半多整零过差]|{NUMERAL}+[刻分])")
def points(match: re.Match[str]) -> Reading | None:
    """16589.44点, 800点: points of an index; 14点 is a time."""
    amount = amount_of(match["amount"])
    if amount is None or (amount.low <= 24 and amount.low == int(amount.low)):
        return None
    return Reading(match.end(), [(as_written(match["amount"], amount.low)[0], "points")], wordings(amount.low))


POINTS_AND_OTHERS = re.compile("分[、，和]?[0-9]{1,2}(?:个|次)?(?:篮板|助攻|抢断|盖帽|板)")
"""Points of a player, and what else is counted."""


@kind(f"(?P<points>[0-9]{{1,3}})分(?<=(?={POINTS_AND_OTHERS.pattern}).)")
def points_of_a_player(match: re.Match[str]) -> Reading | None:
    """32分14篮板: 32 points, 14 rebounds."""
    value = Decimal(match["points"])
    return Reading(match.end(), [(match["points"], "points")], wordings(value))


@kind(rf"{amount_group('amount')}升(?![至到高为级值温职任天空起势学格华旗])")
def liters(match: re.Match[str]) -> Reading | None:
    """8升: eight liters. 升 also means to rise."""
    amount = _amount(match)
    if amount is None:
        return None
    words = _counted_words(match["amount"], amount, [("liter" if amount.is_exact and amount.low == 1 else "liters",)])
    return Reading(match.end(), words, amount_wordings(amount, match["amount"], is_money=False))


_FULL_TURN = 360
_CELSIUS = ("摄氏度", "摄氏", "℃", "°C")


@kind(
    rf"(?P<sign>零下|负|[-−])?{amount_group('amount')}(?P<unit>摄氏度|华氏度|度|℃|°C)(?![假过电])",
    rf"|(?P<scale>摄氏|华氏)(?P<below>零下)?{amount_group('of_scale')}度",
)
def temperature(match: re.Match[str]) -> Reading | None:
    """零下五度: minus five degrees; 3摄氏度: three degrees Celsius. 三度 may be three times, 500度 electricity."""
    text, unit = match["amount"] or match["of_scale"], match["unit"] or match["scale"]
    amount, is_below = amount_of(text), bool(match["sign"] or match["below"])
    if amount is None or amount.vague == "several":
        return None
    if unit == "度" and re.search("电.{0,4}$", match.string[: match.start()]):
        return None
    if unit == "度" and ((len(text) == 1 and not text.isascii() and not is_below) or amount.low > _FULL_TURN):
        return None
    scale: Wording = ("Celsius",) if unit in _CELSIUS else ("Fahrenheit",) if "华氏" in unit else ()
    degrees = vague_words(amount, ("degree" if amount.is_exact and amount.low == 1 else "degrees", *scale))
    said = amount_wordings(amount, text, is_money=False)
    if not is_below:
        return Reading(match.end(), degrees, said)
    english = joined([("minus",)], degrees) + joined(degrees, [("below", "zero")])
    return Reading(match.end(), english, _below_zero(said))


def _below_zero(said: list[Wording]) -> list[Wording]:
    in_one_word = [(f"-{words[0]}",) for words in said if len(words) == 1]
    return joined([("minus",), ("-",)], said) + in_one_word + said


_DEGREES = "摄氏度|华氏度|度|℃|°C"


@kind(
    rf"(?:(?P<sign>零下|[-−])|(?<![下负+−±-])){amount_group('first')}(?:{_DEGREES})?[至到~—-](?P<last_sign>零下|零上|[-−])?",
    rf"{amount_group('last')}(?P<unit>{_DEGREES})(?![假过电])",
)
def temperatures(match: re.Match[str]) -> Reading | None:
    """-5到3℃: minus five to three degrees. In 零下5至10度, 10 may be below zero or not."""
    ends = [amount_of(match[name]) for name in ("first", "last")]
    signs = [match["sign"], match["last_sign"]]
    if signs[0] == "零下" and not signs[1]:
        return None
    values = [end.low for end in ends if end is not None and end.is_exact and end.low <= _FULL_TURN]
    if len(values) < 2 or match["unit"] == "度" and re.search("电.{0,4}$", match.string[: match.start()]):
        return None
    low, high = (-value if sign and sign != "零上" else value for value, sign in zip(values, signs, strict=True))
    if low >= high:
        return None
    unit = match["unit"]
    scale: Wording = ("Celsius",) if unit in _CELSIUS else ("Fahrenheit",) if "华氏" in unit else ()
    words = [_degrees_in_words(value) for value in (low, high)]
    said = joined(words[0], [("to",), ("-",), ("and",)], words[1])
    return Reading(match.end(), [(*words[0][0], "to", *words[1][0], "degrees", *scale)], said)


def _degrees_in_words(value: Decimal) -> list[Wording]:
    if value >= 0:
        return [small_or_digits(value), *wordings(value)]
    return [("minus", *small_or_digits(-value)), *joined([("minus",), ("-",)], wordings(-value)), (f"{value}",)]


_HALVES = {"百分点": "percentage points", "升": "liters",
           "小时": "hours", "钟头": "hours", "天": "days", "星期": "weeks", "月": "months", "年": "years",
           "世纪": "centuries", "倍": "times", "斤": "jin", "公斤": "kilograms", "吨": "tons", "米": "meters",
           "公里": "kilometers", "亩": "mu"}  # fmt: skip
HALF = "半(?![径数决夜票响路])"
"""Half, not a word that begins with it."""


@kind(
    amount_group("amount"),
    rf"(?:个半(?P<half_of>小时|月|世纪|星期|钟头|百分点)|(?P<unit>[年天倍斤吨米亩]|公里|公斤|小时){HALF}(?![个天年月]))",
)
def and_a_half(match: re.Match[str]) -> Reading | None:
    """三个半月, 两年半: three and a half months."""
    amount = amount_of(match["amount"])
    if amount is None or not amount.is_exact or amount.low != int(amount.low):
        return None
    unit, value = _HALVES[match["half_of"] or match["unit"]], amount.low + Decimal("0.5")
    half: list[Wording] = [("and", "a", "half")]
    english = [(*small_or_digits(amount.low), *half[0], unit), (with_commas(value), unit)]
    english = [(*words[:-1], *unit.split()) for words in english]
    units: list[Wording] = [tuple(unit.split()), (unit.removesuffix("s"),)]
    said = joined(wordings(amount.low), half) + list(wordings(value)) + joined(wordings(amount.low), units, half)
    return Reading(match.end(), english, said)


_SPANS = {"小时": "hour", "钟头": "hour", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter",
          "年": "year", "世纪": "century/centuries"}  # fmt: skip
MORE = "多(?![数半久样少次种元边国方党项家名云雨])"
"""More, behind a unit; not a word that begins with it."""


@kind(
    amount_group("amount"),
    rf"(?:个多(?P<span>{'|'.join(_SPANS)})|(?P<year>年){MORE}|(?P<unit>{'|'.join(UNITS)}){MORE})",
)
def counted_and_more(match: re.Match[str]) -> Reading | None:
    """三个多月, 三年多, 3公里多: more than three months."""
    amount, span = _amount(match), match["span"] or match["year"]
    if amount is None or not amount.is_exact:
        return None
    is_one = amount.low == 1
    units = english_words(_SPANS[span], is_one=is_one) if span else english_units(match["unit"], is_one=is_one)
    counted = joined([small_or_digits(amount.low)], units)
    said = amount_wordings(Amount(amount.low, vague="more"), match["amount"], is_money=is_money(match[0][:-1]))
    return Reading(match.end(), before_each(("more than", "over"), counted), said)


@kind(rf"(?P<currency>{'|'.join(CURRENCIES)}) ?{amount_group('amount')}[元圆块]?")
def money_behind_currency(match: re.Match[str]) -> Reading | None:
    """新台币三千万元, 人民币300元: 30 million New Taiwan dollars, 300 yuan."""
    amount = _amount(match)
    if amount is None:
        return None
    is_one = amount.is_exact and amount.low == 1
    numbers = vague_words(amount) if amount.vague or amount.high else [english_number(amount.low)]
    words = joined(numbers, english_units(match["currency"], is_one=is_one))
    is_closed = not match[0].endswith(match["amount"])
    return Reading(match.end(), words, amount_wordings(amount, match["amount"], is_money=True), is_closed=is_closed)


@kind(rf"(?P<currency>[$€£]){amount_group('amount')}[元圆]?")
def money_behind_sign(match: re.Match[str]) -> Reading | None:
    """$75, €3.5万: the sign stays before the number."""
    amount = _amount(match)
    if amount is None or not amount.is_exact:
        return None
    said = [(match["currency"], *words) for words in wordings(amount.low)]
    return Reading(match.end(), [(match["currency"], *english_number(amount.low))], [*said, *wordings(amount.low)])


_PART = "[1-9一二三四五六七八九]"


@kind(
    rf"(?:(?P<whole>[0-9]+|{NUMERAL}{{1,9}})[块元])?(?P<tenths>{_PART})[角毛](?:(?P<hundredths>{_PART})分?)",
    rf"钱?(?![0-9]|{NUMERAL})",
    rf"|(?P<whole_only>[0-9]+|{NUMERAL}{{1,9}})(?:[块元](?P<only_tenths>{_PART})[角毛]",
    rf"|块(?P<bare_tenths>{_PART})(?!{COUNTED}|{UNIT.pattern}))钱?(?![0-9]|{NUMERAL})",
)
def money_with_parts(match: re.Match[str]) -> Reading | None:
    """3元5角, 三块五: 3.5 yuan; 两块二毛五: 2.25 yuan; 八毛五: 0.85 yuan."""
    whole = exact_value(match["whole"] or match["whole_only"] or "0")
    tenths = exact_value(match["tenths"] or match["only_tenths"] or match["bare_tenths"])
    hundredths = exact_value(match["hundredths"]) if match["hundredths"] else Decimal(0)
    if whole is None or tenths is None or hundredths is None:
        return None
    value = whole + tenths / 10 + hundredths / 100
    return Reading(match.end(), [(with_commas(value), "yuan")], [*wordings(value), (f"{value:.2f}",)])


KINDS: tuple[Kind, ...] = (
    *(several, nearly, power_alone, counted, people, uncounted, counted_in_short, victims),
    *(age, temperature, temperatures, unit_with_decimals, half_of_unit, points, points_of_a_player, liters),
    *(unit_of_a_table, every_power, and_a_half, counted_and_more),
    *(money_with_parts, money_behind_currency, money_behind_sign),
)
