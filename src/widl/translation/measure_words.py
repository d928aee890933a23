"""Units and classifiers of Chinese numbers, in English; English omits classifiers."""

import re

CURRENCIES = {
    "元人民币": "yuan/yuan", "人民币": "yuan/yuan", "美元": "US dollar/US dollars/dollars",
    "美金": "US dollar/US dollars/dollars", "港元": "Hong Kong dollar", "港币": "Hong Kong dollar",
    "新台币": "New Taiwan dollar", "台币": "New Taiwan dollar", "澳元": "Australian dollar", "加元": "Canadian dollar",
    "加币": "Canadian dollar", "欧元": "euro", "日元": "yen/yen", "日圆": "yen/yen", "日币": "yen/yen",
    "韩元": "won/won", "韩币": "won/won", "英镑": "pound", "卢布": "ruble", "瑞士法郎": "Swiss franc",
    "法郎": "franc", "泰铢": "baht/baht", "卢比": "rupee", "比索": "peso",
}  # fmt: skip
"""Currencies with a name; singular and plural as in `UNITS`."""
# Singular and plural; several plurals compete. Longer ones first where one begins with another.
UNITS = {
    "平方公里": "square kilometer", "平方千米": "square kilometer", "平方米": "square meter",
    "立方米": "cubic meter", "公里": "kilometer", "千米": "kilometer", "厘米": "centimeter", "毫米": "millimeter",
    "海里": "nautical mile", "平方英里": "square mile", "英里": "mile", "英尺": "foot/feet",
    "英寸": "inch/inches", "磅": "pound", "盎司": "ounce", "加仑": "gallon", "毫克": "milligram",
    "米": "meter", "公斤": "kilogram",
    "千克": "kilogram", "斤": "jin/jin", "克": "gram", "吨": "ton", "毫升": "milliliter", "公顷": "hectare",
    "亩": "mu/mu", "千瓦时": "kilowatt-hour", "千瓦": "kilowatt",
    "兆瓦时": "megawatt-hour", "兆瓦": "megawatt", "兆赫": "megahertz/megahertz", "兆帕": "megapascal",
    "百帕": "hectopascal", "微克": "microgram", "千卡": "kilocalorie", "毫摩尔": "millimole",
    "个工作日": "working day", "工作日": "working day",
    "兆焦": "megajoule", "兆字节": "megabyte", "兆比特": "megabit", "里地": "li/li", "里路": "li/li", "华里": "li/li",
    "毛钱": "mao/mao", "角钱": "jiao/jiao",
    **CURRENCIES, "块钱": "yuan/yuan", "元": "yuan/yuan", "个小时": "hour",
    "小时": "hour", "分钟": "minute", "秒钟": "second", "个月": "month", "个星期": "week", "天": "day",
    "岁": "year old/years old", "人次": "visit/visits/people", "架次": "flight", "人": "person/people",
    "户": "household", "倍": "time",
}  # fmt: skip
CLASSIFIERS = (
    "个只名位家辆件头艘架座所项宗起张台条间部本篇支枚颗株棵套栋幢场种类批块片根幅封首款杯桶箱匹把顶双对份道群伙组处门"
)
COUNTED = f"[{CLASSIFIERS}年月天次岁人元吨米里亩户]"
"""A pattern of a sign that shows that the numeral before it counts, and is no part of a word."""
_AFTER = "性式生气数均"  # words that begin with a unit: 一次性, 周一天气
UNIT = re.compile(f"(?:{'|'.join(UNITS)})(?![{_AFTER}])")
CLASSIFIER = re.compile(f"[{CLASSIFIERS}](?![{_AFTER}别人体])")
_MONEY = ("元", "钱", *CURRENCIES)


def is_money(text: str) -> bool:
    """Whether a text ends with a currency."""
    return text.endswith(_MONEY)


def english_units(unit: str, *, is_one: bool) -> list[tuple[str, ...]]:
    """The words for a unit after a number, all that are usual.

    >>> english_units("公里", is_one=False), english_units("美元", is_one=False), english_units("人", is_one=True)
    ([('kilometers',)], [('US', 'dollars'), ('dollars',)], [('person',)])
    """
    return english_words(UNITS[unit], is_one=is_one)


def english_words(names: str, *, is_one: bool) -> list[tuple[str, ...]]:
    """The singular, or the plurals, of a name in the form of `UNITS`."""
    singular, *plurals = names.split("/")
    forms = [singular] if is_one else plurals or [f"{singular}s"]
    return [tuple(form.split()) for form in forms]
