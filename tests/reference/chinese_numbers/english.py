"""All right ways to say a value in English, in lower case."""

import re

MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip
SCALES = ((10**3, "thousand"), (10**6, "million"), (10**9, "billion"), (10**12, "trillion"))


def spelled(value: int) -> list[str]:
    """A whole number below a thousand in words."""
    if value < 20:
        return [WORDS[value]]
    if value < 100:
        ten, one = divmod(value, 10)
        return [f"{TENS[ten]}{sign}{WORDS[one]}" for sign in "- "] if one else [TENS[ten]]
    hundred, rest = divmod(value, 100)
    starts = [f"{WORDS[hundred]} hundred"] + (["a hundred"] if hundred == 1 else [])
    if not rest:
        return starts
    return [f"{start}{link}{end}" for start in starts for link in (" ", " and ") for end in spelled(rest)]


def decimal(value: int, scale: int) -> str:
    """``value / scale`` without final zeros, with commas; `scale` is a power of ten."""
    whole, rest = divmod(value, scale)
    digits = str(rest).rjust(len(str(scale)) - 1, "0").rstrip("0") if rest else ""
    return f"{whole:,}" + (f".{digits}" if digits else "")


def in_digits(value: int, scale: int = 1) -> set[str]:
    """``value / scale`` in digits, with and without commas."""
    digits = decimal(value, scale)
    return {digits, digits.replace(",", "")}


def cardinals(value: int, scale: int = 1) -> set[str]:
    """All ways to say ``value / scale``."""
    if value % scale == 0:
        value, scale = value // scale, 1
    forms = in_digits(value, scale)
    if scale == 1 and value < 1000:
        forms |= {*spelled(value)}
    for unit, name in SCALES:
        if value * 100 >= unit * scale:
            forms |= {f"{share} {name}" for share in _shares(value, unit * scale)}
    return forms


def _shares(value: int, unit: int) -> set[str]:
    shares = in_digits(value, unit)
    if value % unit == 0 and value // unit < 1000:
        shares |= {*spelled(value // unit)} | ({"a"} if value == unit else set())
    return shares


def ordinal_forms(value: int) -> set[str]:
    """All ordinals of a whole number."""
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    forms = {f"{value}{ending}", f"{value:,}{ending}"}
    for words in spelled(value) if value < 1000 else ():
        start, last = re.fullmatch(r"(.*?)(\w+)", words).groups()  # type: ignore[union-attr]
        forms.add(start + (IRREGULAR.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")))
    return forms


def month_names(month: int) -> list[str]:
    """A month's name, and its abbreviations."""
    name = MONTHS[month - 1]
    return [name, name[:3], f"{name[:3]}.", *(["sept", "sept."] if month == 9 else [])]


def day_numbers(day: int) -> set[str]:
    """A day of a month in digits."""
    return {str(day), *(form for form in ordinal_forms(day) if form[0].isdecimal())}


def dates(month: int, day: int | None = None, year: int | None = None) -> set[str]:
    """All ways to write a date."""
    names = month_names(month)
    if day is None:
        return joined(names, (" ", ", ", " of "), [str(year)]) if year else {*names}
    days = day_numbers(day)
    forms = joined(names, (" ", " the "), days) | joined(days, (" ", " of "), names)
    return joined(forms, (" ", ", "), [str(year)]) if year else forms


def joined(*parts) -> set[str]:
    """All strings of one string of each part."""
    strings = {""}
    for part in map(list, parts):
        strings = {string + more for string in strings for more in part}
    return strings


def ranges(low, high, links: tuple[str, ...] = ("to", "and", "-", "or")) -> set[str]:
    """All ways to say a range of two values, each in all its forms."""
    return joined(low, [f" {link} " for link in links], high)


def percents(value: int, scale: int = 1) -> set[str]:
    """All ways to say a percentage."""
    return joined(cardinals(value, scale), (" percent", "%", " %", " per cent"))
