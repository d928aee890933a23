"""Names of people and places that the phrase table lacks, by rule: pinyin, and what comes after a place's name."""

from collections.abc import Callable, Iterator, Sequence

from widl.text.romanization import capitalized_pinyin, person, surname_length
from widl.translation.parts import GivenTranslations

# Longer ones first.
_KINDS_OF_PLACES = {
    "经济技术开发区": "Economic and Technological Development Zone",
    "高新技术产业开发区": "High-tech Industrial Development Zone", "特别行政区": "Special Administrative Region",
    "自治区": "Autonomous Region", "自治州": "Autonomous Prefecture", "自治县": "Autonomous County",
    "开发区": "Development Zone", "火车站": "Railway Station", "国际机场": "International Airport",
    "高速公路": "Expressway", "街道": "Subdistrict", "机场": "Airport", "大道": "Avenue", "大街": "Street",
    "大桥": "Bridge", "水库": "Reservoir", "群岛": "Islands", "半岛": "Peninsula", "盆地": "Basin", "高原": "Plateau",
    "新区": "New Area", "地区": "Region", "海峡": "Strait", "市": "City", "县": "County", "省": "Province",
    "区": "District", "路": "Road", "镇": "Town", "乡": "Township", "村": "Village", "街": "Street",
    "州": "Prefecture", "盟": "League", "旗": "Banner", "港": "Port", "山": "Mountain", "江": "River", "河": "River",
    "湖": "Lake", "岛": "Island", "桥": "Bridge", "寺": "Temple", "站": "Station", "湾": "Bay", "巷": "Lane",
}  # fmt: skip
_LONGEST_PLACE = 5  # characters of a place's name without its kind
_LONGEST_NAME = 4  # tokens
_LONGEST_WORD = 6  # characters of a word in pinyin

Translations = Callable[[str], Sequence[Sequence[str]]]
"""The best translations of a word in the phrase table, none if it lacks the word."""


def people_in(tokens: Sequence[str], unknown: Sequence[bool]) -> Iterator[tuple[int, int, GivenTranslations]]:
    """Tokens [begin, end) that may be a person's name, and the name in English; whether they are one, search decides.

    A name is a surname and characters of `unknown` words; the surname may be a known word.

    >>> for begin, end, given in people_in(["张", "光军", "说"], [False, True, False]):
    ...     print(begin, end, given.alternatives)
    0 2 ((('Zhang', 'Guangjun'), 1.0),)
    """
    for begin, first in enumerate(tokens):
        if not surname_length(first):
            continue
        name = ""
        for end in range(begin, min(begin + _LONGEST_NAME, len(tokens))):
            if not unknown[end] and (end > begin or surname_length(first) < len(first)):
                break
            name += tokens[end]
            if unknown[end] and (words := person(name)):
                yield begin, end + 1, _named([words])


def place(token: str, translations: Translations) -> GivenTranslations | None:
    """A place's name with what kind of place it is, the name as the table has it or in pinyin; None if it is none.

    >>> place("沙雅县", lambda word: []).alternatives
    ((('Shaya', 'County'), 1.0),)
    """
    for size in range(min(len(token) - 2, 10), 0, -1):
        kind, name = _KINDS_OF_PLACES.get(token[-size:]), token[:-size]
        if kind is not None and len(name) <= _LONGEST_PLACE:
            proper = [list(words) for words in translations(name) if words[0][:1].isupper()]
            pinyin = capitalized_pinyin(name)
            found = [[*words, *kind.split()] for words in proper or ([[pinyin]] if pinyin else [])]
            return _named(found) if found else None
    return None


def in_pinyin(token: str) -> GivenTranslations | None:
    """A word in pinyin, which is how foreign readers see a name that nothing is known of; None for a long word."""
    written = capitalized_pinyin(token) if len(token) <= _LONGEST_WORD else ""
    return GivenTranslations((((written,), 1.0),), exclusive=False, origin="pinyin") if written else None


def _named(alternatives: Sequence[Sequence[str]]) -> GivenTranslations:
    return GivenTranslations.evenly(alternatives, exclusive=False, origin="name")
