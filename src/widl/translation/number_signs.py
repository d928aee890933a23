"""Signs of numbers in Chinese text: where a number may begin, what belongs to it, and which words hold one."""

import re

from widl.translation.chinese_numbers import BANKERS, BANKERS_SIGN, DIGITAL, KILO, NUMBER_SIGN, NUMERAL, NUMERALS, POWER
from widl.translation.measure_words import CLASSIFIERS, COUNTED, CURRENCIES, UNIT, UNITS
from widl.translation.number_kinds.amounts import HALF, MORE
from widl.translation.number_kinds.dates import MONTHS_FROM_NOW
from widl.translation.number_kinds.times import PARTS_OF_DAY

START = re.compile(
    rf"{NUMBER_SIGN}|[-−+±.$€£](?=[0-9])|(?:零下|负|第)(?={NUMBER_SIGN})|[{BANKERS}](?={BANKERS_SIGN})"
    rf"|(?:几|(?<![人总次户票件基系指参])数)(?=[十百千万亿])|上(?=[百千万亿])|近(?={POWER}(?:{COUNTED}|{UNIT.pattern}))"
    rf"|(?:{'|'.join(MONTHS_FROM_NOW)}|差)(?={NUMBER_SIGN})"
    r"|半(?=[斤公吨亩升])|(?<=单位：)[十百千万亿]|(?<=每)[十百千万]|民国|公元|元月|农历|阴历|旧历|[正腊]月|上个?世纪|本世纪|摄氏|华氏"
    rf"|(?:{'|'.join((*PARTS_OF_DAY, *CURRENCIES))}) ?(?={NUMBER_SIGN}|[{BANKERS}])"
)
"""Beginnings of notations: a first sign, or a word that is a part."""
_OF_WORD = "[0-9A-Za-z_.@:/~&=?#+-]"
IN_LETTERS = re.compile(_OF_WORD)
"""A sign of a word of letters and digits."""
LETTERS = re.compile(f"{_OF_WORD}*[A-Za-z]{_OF_WORD}*")
"""A word of letters; digits are a part of it: COVID-19, A320, 5G, 3.5km."""
UNITS_WITH_SMALLER = "元块角米尺寸斤里亩吨度时点月分秒"
"""Units with smaller units behind them, which may lack their sign: 2米1."""
UNREAD = re.compile(
    rf"\.?(?:{DIGITAL}|[几数](?={NUMERAL})|{NUMERAL}|第(?={NUMBER_SIGN})"
    rf"|(?<={NUMBER_SIGN})(?:小时|[{UNITS_WITH_SMALLER}年])(?={NUMBER_SIGN})"
    rf"|(?<=[百千万亿]) (?={NUMBER_SIGN})"
    rf"|(?<={NUMBER_SIGN})(?:[多余几来](?={NUMERAL})|分之|[点半又]|[.,:/·~—、至到-])(?={NUMBER_SIGN})|(?<=[0-9])，(?=[0-9]{{3}}(?![0-9])))+"
)
"""All signs of a number that no kind reads whole."""
CONTINUATION = re.compile(
    rf"(?!{KILO}|(?<!{NUMERAL})两(?![百千万亿])){NUMBER_SIGN}|[几数多余](?={NUMERAL})|几(?!乎)"
    rf"|[{UNITS_WITH_SMALLER}]{NUMBER_SIGN}|分之|[%％‰]|[.,:/·]{NUMBER_SIGN}|(?<=[百千万亿]) {NUMBER_SIGN}"
    r"|(?<=[0-9])，[0-9]{3}(?![0-9])"
)
"""Signs that belong to the number before them."""
JOINT = re.compile(rf"[-~—、至到](?=(?:第|百分之)?{NUMBER_SIGN})")
"""A sign between two numbers: of a range or a list."""
SPREAD = re.compile(r"[0-9]+(?: [/:] [0-9]+| [0-9]+|(?:。|\. )[0-9]+(?=[%％‰℃万亿]|$))+")
"""Digits with blanks, or with a period that may be a decimal point, between them; no part is read alone."""
GROUPS = re.compile("[0-9 /:]+")
"""Groups of digits that are copied in their order, such as the number of a card."""
HALF_OR_MORE = re.compile(f"{HALF}|(?<=[里米斤克吨亩元币倍岁天度钟时升个]){MORE}")
"""Half a unit, or more than a number of units, behind the unit."""

PLAIN = re.compile(rf"[几数上第]?{NUMERAL}+|[0-9.,]+")
"""A word that is a number as a whole."""
A_NUMERAL = re.compile(NUMERAL)
SCALE = re.compile("[十百千万亿兆]")
CALENDAR = ("年", "月", "日", "号", "点", "大", "世纪", "年代")
"""Units that are of the number before them, though words begin with them: 3月底, 20世纪末."""
ABOUT = re.compile("左右|上下|以[上下内外]|之内|开外|[内外后]")
"""Ends of words that say that a number is vague, or a limit: 5秒左右."""
BEFORE_NUMBER = re.compile(f"第|[几数](?={POWER})|{NUMERAL}*[百千万亿]")
"""Ends of words that a number begins inside of: 约一 of 约一亿."""
_ALSO_COUNTED = "届次年月日天期级岁人元倍时点分秒代号路楼米里斤吨亩"
# A numeral with a word that is counted, as the segmenter's dictionary has many: 四届, 一百二十名.
_MEASURED = (
    rf"[几数上近第]?{NUMERAL}+[多余来]?(?:[{CLASSIFIERS}{_ALSO_COUNTED}]|月份|年级|周年|世纪|年代|{'|'.join(UNITS)})"
)
_OF_CONGRESS = f"{NUMERAL}+届.*|{NUMERAL}[中大]全会"  # 十一届三中全会 has two numbers
MAY_END_INSIDE = re.compile(rf"{_MEASURED}|{_OF_CONGRESS}|{NUMERAL}+号[线楼]|{NUMERAL}{{2,}}[^0-9{NUMERALS}]+")
"""Words of a dictionary that a number may end inside: 四届, 十一届三中全会, 3号线."""
