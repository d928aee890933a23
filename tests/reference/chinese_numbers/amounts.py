"""Amounts: counted, of money, of time, of temperature, ranges and vague ones."""

import random

from tests.reference.chinese_numbers.chinese import (
    FULL_WIDTH,
    POWERS,
    SIGNS,
    a_value,
    amount,
    decimal_numerals,
    digits_or_numerals,
    group_numerals,
    plain_numerals,
)
from tests.reference.chinese_numbers.english import cardinals, decimal, joined, percents, ranges
from tests.reference.chinese_numbers.written import Writer, Written

CURRENCIES = {
    "元": ("yuan",), "元人民币": ("yuan",), "美元": ("us dollars", "dollars"), "港元": ("hong kong dollars",),
    "欧元": ("euros",), "日元": ("yen",), "英镑": ("pounds",), "韩元": ("won",), "卢布": ("rubles",),
    "澳元": ("australian dollars",), "加元": ("canadian dollars",), "新台币": ("new taiwan dollars",),
    "美金": ("us dollars", "dollars"), "泰铢": ("baht",), "瑞士法郎": ("swiss francs",),
}  # fmt: skip
BEFORE = {"人民币": ("yuan",), "新台币": ("new taiwan dollars",), "港币": ("hong kong dollars",)}
COUNTED = ("人", "名", "个", "辆", "家", "座", "件", "户", "吨", "公里", "公斤", "亩", "架", "艘", "所")


def cardinal(draw: random.Random) -> Written:
    value = a_value(draw)
    return Written.of("cardinal", amount(value, draw) + draw.choice(COUNTED), cardinals(value))


def decimal_number(draw: random.Random) -> Written:
    scale = 10 ** draw.randint(1, 2)
    value = draw.randint(1, 999) * 10 + draw.randint(1, 9)
    text = decimal(value, scale)
    notation = draw.choice((text, text.translate(FULL_WIDTH), decimal_numerals(text), text.replace(",", "")))
    unit = draw.choice(("米", "公里", "公斤", "吨", "倍"))
    return Written.of("decimal", notation + unit, cardinals(value, scale))


def money(draw: random.Random) -> Written:
    currency = draw.choice([*CURRENCIES])
    if currency == "元" and draw.random() < 0.2:
        return _money_with_parts(draw)
    value = a_value(draw)
    forms = joined(cardinals(value), [f" {name}" for name in CURRENCIES[currency]])
    if currency == "美元":
        forms |= {f"${number}" for number in cardinals(value)}
    return Written.of("money", amount(value, draw) + currency, forms)


def money_behind_currency(draw: random.Random) -> Written:
    currency, value = draw.choice([*BEFORE]), a_value(draw)
    forms = joined(cardinals(value), [f" {name}" for name in BEFORE[currency]])
    return Written.of("money behind currency", currency + amount(value, draw) + draw.choice(("元", "元", "")), forms)


def _money_with_parts(draw: random.Random) -> Written:
    whole, tenth = draw.randint(2, 99), draw.randint(1, 9)
    if draw.random() < 0.4:
        hundredth = draw.randint(1, 9)
        ways = (f"{whole}元{tenth}角{hundredth}分", f"{plain_numerals(whole)}块{SIGNS[tenth]}毛{SIGNS[hundredth]}")
        return Written.of("money", draw.choice(ways), [f"{whole}.{tenth}{hundredth} yuan"])
    ways = (f"{whole}元{tenth}角", f"{plain_numerals(whole)}块{SIGNS[tenth]}", f"{whole}块{tenth}")
    return Written.of("money", draw.choice(ways), (f"{whole}.{tenth} yuan", f"{whole}.{tenth}0 yuan"))


UNITS = {"小时": "hours", "分钟": "minutes", "天": "days", "个月": "months", "个星期": "weeks"}
HALVES = {"小时": "{}个半小时", "天": "{}天半", "个月": "{}个半月", "个星期": "{}个半星期"}


def duration(draw: random.Random) -> Written:
    unit, value = draw.choice([*UNITS]), draw.randint(2, 99)
    number, name = digits_or_numerals(value, draw), UNITS[unit]
    if number == "二":
        number = "两"
    if unit in HALVES and value < 20 and draw.random() < 0.25:
        number_and_half = joined(cardinals(value), (" and a half ",), (name,))
        forms = {f"{value}.5 {name}"} | number_and_half | joined(cardinals(value), (f" {name} and a half",))
        return Written.of("duration", HALVES[unit].format(number), forms)
    return Written.of("duration", number + unit, joined(cardinals(value), [f" {name}"]))


def duration_in_parts(draw: random.Random) -> Written:
    """2小时15分30秒, 15分30秒, 2小时15分."""
    units = draw.choice((("小时", "分"), ("小时", "分", "秒"), ("分", "秒")))
    values = [draw.randint(2, 59) for _ in units]
    write = draw.choice((str, plain_numerals))
    names = {"小时": " hours", "分": " minutes", "秒": " seconds"}
    notation = "".join(write(value) + unit for value, unit in zip(values, units, strict=True))
    counted = [joined(cardinals(value), [names[unit]]) for value, unit in zip(values, units, strict=True)]
    parts = [part for one in counted for part in ((" ", ", ", " and ", ", and "), one)][1:]
    return Written.of("duration in parts", notation, joined(*parts))


MORE_UNITS = {"{}个多月": "months", "{}个多小时": "hours", "{}年多": "years", "{}公里多": "kilometers",
              "{}吨多": "tons", "{}倍多": "times", "{}天多": "days", "{}个多星期": "weeks"}  # fmt: skip


def counted_and_more(draw: random.Random) -> Written:
    value, notation = draw.randint(2, 60), draw.choice([*MORE_UNITS])
    number = digits_or_numerals(value, draw)
    forms = joined(("more than ", "over "), cardinals(value), [f" {MORE_UNITS[notation]}"])
    return Written.of("counted and more", notation.format("两" if number == "二" else number), forms)


def temperature(draw: random.Random) -> Written:
    value, below = draw.randint(2, 40), draw.random() < 0.5
    number, sign = digits_or_numerals(value, draw), draw.choice(("摄氏度", "度", "℃"))
    scales = (" degrees", " degrees celsius")
    forms = joined(cardinals(value), scales)
    if not below:
        return Written.of("temperature", number + sign, forms)
    minus = "-" if sign == "℃" and number.isascii() and draw.random() < 0.5 else "零下"
    forms = joined(forms, (" below zero",)) | joined(("minus ",), forms) | joined([f"-{value}"], scales)
    return Written.of("temperature", minus + number + sign, forms)


def temperatures(draw: random.Random) -> Written:
    """-5到3℃: the sign counts for the first alone."""
    low, high = sorted(draw.sample(range(-30, 41), 2))
    signs = [draw.choice(("零下", "-")) if value < 0 else "" for value in (low, high)]
    if signs[0] == "零下" and not signs[1]:
        signs[0] = "-"
    notation = f"{signs[0]}{abs(low)}{draw.choice('至到~')}{signs[1]}{abs(high)}{draw.choice(('℃', '度', '摄氏度'))}"
    one, other = ({f"{'minus ' * (value < 0)}{number}" for number in cardinals(abs(value))} for value in (low, high))
    forms = joined(one, (" to ",), other, (" degrees", " degrees celsius"))
    return Written.of("temperatures", notation, forms)


def victims(draw: random.Random) -> Written:
    dead, injured = draw.randint(2, 40), draw.randint(2, 90)
    one, other = (digits_or_numerals(value, draw) for value in (dead, injured))
    forms = joined(cardinals(dead), (" dead and ", " killed and "), cardinals(injured), (" injured", " wounded"))
    return Written.of("victims", f"{one}死{other}伤", forms)


def unit_with_decimals(draw: random.Random) -> Written:
    """1米78, 37度5, 9秒58, 一米七五."""
    unit, name = draw.choice((("米", "meters"), ("秒", "seconds"), ("度", "degrees")))
    whole, last = draw.randint(1, 9), draw.randint(1, 9)
    rest = draw.choice((f"{draw.randint(0, 9)}{last}", str(last)))
    notation = f"{whole}{unit}{rest}"
    if unit == "米" and draw.random() < 0.4:
        notation = f"{SIGNS[whole]}米{''.join('零' if sign == '0' else SIGNS[int(sign)] for sign in rest)}"
    return Written.of("unit with decimals", notation, [f"{whole}.{rest} {name}"])


def short_scale(draw: random.Random) -> Written:
    """1万2, 三亿五: the last digit counts the next unit."""
    first, last = draw.randint(1, 99), draw.randint(1, 9)
    scale, sign = draw.choice(((10**4, "万"), (10**8, "亿")))
    number = f"{first}{sign}{last}" if draw.random() < 0.5 else f"{plain_numerals(first)}{sign}{SIGNS[last]}"
    return Written.of("short scale", f"{number}元", joined(cardinals(first * scale + last * scale // 10), (" yuan",)))


def half(draw: random.Random) -> Written:
    units = {"斤": "jin", "公斤": "kilogram", "吨": "ton", "亩": "mu", "升": "liter"}
    unit = draw.choice([*units])
    return Written.of("half", f"半{unit}", [f"half a {units[unit]}"])


def points(draw: random.Random) -> Written:
    value = draw.randint(2500, 4_000_000)
    notation = f"{decimal(value, 100)}点" if draw.random() < 0.5 else f"{value // 100}.{value % 100:02}点"
    text = notation.removesuffix("点")
    return Written.of("points", notation, [f"{number} points" for number in {text, decimal(value, 100)}])


def people(draw: random.Random) -> Written:
    first = draw.randint(2, 8)
    start = "两三" if first == 2 else SIGNS[first : first + 2]
    notation, forms = f"{start}个人", ranges(cardinals(first), cardinals(first + 1))
    if draw.random() < 0.5:
        notation, forms = f"{digits_or_numerals(first, draw).replace('二', '两')}个人", cardinals(first)
    return Written.of("people", notation, joined(forms, (" people",)))


def age(draw: random.Random) -> Written:
    tens = draw.randint(5, 9)
    return Written.of("age", f"{SIGNS[tens]}旬老人", [f"{tens}0-something"])


def amount_range(draw: random.Random) -> Written:
    first = draw.randint(2, 90)
    last, link = first + draw.randint(1, 60), draw.choice("-~—至到")
    if draw.random() < 0.2:
        return _percent_range(first, last, link, draw)
    scale, sign = draw.choice(((1, ""), (1, ""), (10**4, "万"), (10**8, "亿")))
    if draw.random() < 0.2:
        return _range_with_one_scale(draw)
    in_numerals = "至".join(map(plain_numerals, (first * scale, last * scale)))
    notation = draw.choice((f"{first}{sign}{link}{last}{sign}", f"{first}{link}{last}{sign}", in_numerals))
    forms = ranges(cardinals(first * scale), cardinals(last * scale))
    return Written.of("range", notation + draw.choice(("人", "名", "公里", "吨")), forms)


def _range_with_one_scale(draw: random.Random) -> Written:
    """五到六千, 十至二十万, 5、6千: the scale behind the last number counts for both."""
    power, first = draw.choice((3, 4, 6, 7, 8)), draw.randint(2, 8)
    write, link = draw.choice((str, plain_numerals)), draw.choice("至到、")
    last = first + 1 if link == "、" else draw.randint(first + 1, 9)
    if link != "、" and power in (4, 8) and draw.random() < 0.3:
        first, last = first * 10, last * 10
    low, high = (cardinals(value * 10**power) for value in (first, last))
    return Written.of("range with one scale", f"{write(first)}{link}{write(last)}{POWERS[power]}人", ranges(low, high))


def nearly(draw: random.Random) -> Written:
    power = draw.choice((2, 3, 4, 5, 6, 7, 8, 9))
    forms = joined(("nearly ", "almost "), cardinals(10**power))
    return Written.of("nearly", f"近{POWERS[power]}{draw.choice(COUNTED_VAGUELY)}", forms)


def _percent_range(first: int, last: int, link: str, draw: random.Random) -> Written:
    one, other = plain_numerals(first), plain_numerals(last)
    ways = (
        f"{first}%{link}{last}%",
        f"{first}{link}{last}%",
        f"百分之{one}至{other}",
        f"百分之{one}到百分之{other}",
    )
    return Written.of("range", draw.choice(ways), ranges(cardinals(first) | percents(first), percents(last)))


SEVERAL = {1: ("dozens", "several dozen"), 2: ("hundreds", "several hundred"), 3: ("thousands", "several thousand"),
           4: ("tens of thousands",), 5: ("hundreds of thousands",), 6: ("millions", "several million"),
           7: ("tens of millions",), 8: ("hundreds of millions",), 9: ("billions",), 10: ("tens of billions",),
           11: ("hundreds of billions",), 12: ("trillions",)}  # fmt: skip
COUNTED_VAGUELY = ("人", "名", "家", "亩")


def several(draw: random.Random) -> Written:
    power = draw.randint(1, 12)
    notation = draw.choice("几数") + POWERS[power] + draw.choice(COUNTED_VAGUELY)
    return Written.of("several", notation, SEVERAL[power])


def one_or_next(draw: random.Random) -> Written:
    first, power = draw.randint(1, 8), draw.choice((2, 3, 4, 8))
    start = {1: "一两", 2: "两三"}.get(first) or SIGNS[first : first + 2]
    low, high = (cardinals(digit * 10**power) for digit in (first, first + 1))
    notation = start + POWERS[power] + draw.choice(COUNTED_VAGUELY)
    return Written.of("one or next", notation, ranges(low, high))


def more_than(draw: random.Random) -> Written:
    write = draw.choice((_ten_and_some, _more_in_digits, _more_in_numerals, _more_with_commas))
    notation, value = write(draw)
    forms = joined(("more than ", "over ", "above "), cardinals(value))
    return Written.of("approximate", notation + draw.choice(COUNTED_VAGUELY), forms)


def _ten_and_some(draw: random.Random) -> tuple[str, int]:
    scale, sign = draw.choice(((1, ""), (10**4, "万"), (10**8, "亿")))
    return f"十{draw.choice('几多余')}{sign}", 10 * scale


def _more_in_digits(draw: random.Random) -> tuple[str, int]:
    scale, sign = draw.choice(((1, ""), (10**4, "万"), (10**8, "亿"), (10**12, "万亿")))
    ten = draw.randint(1, 99) * 10
    ways = (f"{ten}{draw.choice('多余')}{sign}", f"{ten}{sign}{draw.choice('多余') if sign else '多'}")
    return draw.choice(ways), ten * scale


def _more_in_numerals(draw: random.Random) -> tuple[str, int]:
    """三亿二百多万, 十余亿."""
    scale, sign = draw.choice(((10**8, "亿"), (10**4, "万")))
    group = draw.choice((10, 100, 1000)) * draw.randint(1, 9)
    above = draw.randint(0, 9) if sign == "万" else 0
    number = group_numerals(group)
    if above:
        number = f"{SIGNS[above]}亿{'零' if group < 1000 else ''}{number}"
    elif group == 10:
        number = "十"
    return f"{number}{draw.choice('多余')}{sign}", above * 10**8 + group * scale


def _more_with_commas(draw: random.Random) -> tuple[str, int]:
    value = draw.randint(100, 9999) * 10
    return f"{value:,}{draw.choice('多余')}", value


WRITERS: tuple[Writer, ...] = (
    *(cardinal, cardinal, decimal_number, money, money, money_behind_currency, duration, duration_in_parts),
    *(temperature, temperatures, victims, age, people, unit_with_decimals, short_scale, half, points),
    *(counted_and_more, amount_range, several, one_or_next, nearly, more_than, more_than),
)
