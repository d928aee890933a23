"""Word lists: small closed lists, the lists in the guards file, and words counted in news."""

import gzip
import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


def word_set(words: str) -> frozenset[str]:
    """The words separated by white space."""
    return frozenset(words.split())


DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun")
MONTHS = word_set("january february march april may june july august september october november december")
SHORT_MONTHS = word_set("jan feb mar apr aug sep sept oct nov dec")
"""Abbreviations of months, without *Jun* and *Jul*, which are names, too."""
PERIODS = word_set("year decade month week")
IMPERSONAL_INITIALS = word_set("U.S. U.K. U.N. E.U. A.M. P.M. D.C. L.A. N.Y. N.J. N.C. S.C. B.C. A.D. G.M. G.E. A.I.")
"""Two-letter abbreviations that are not a person's initials and may end a sentence."""
ARTICLES = word_set("a an the")
"""Determiners that headlines omit."""
CLASSES = ("Serie", "Vitamin", "Hepatitis", "Class", "Group", "Grade", "Type", "Level", "Standard", "Section")
"""Words before letters that distinguish things: *Serie A*."""
BUSINESSES = word_set(
    "advisors automotive bancorp brands communications entertainment financial group holding holdings industries "
    "international investments llc lp motor motors network networks partners pharmaceuticals stores systems "
    "technologies"
)
"""Words at the end of a company's name that a document may omit."""
PEOPLES = word_set(
    "african algerian american arab argentine argentinian armenian asian australian austrian bangladeshi belgian "
    "bolivian brazilian british bulgarian burmese canadian chechen chilean chinese colombian croatian cuban czech "
    "danish dutch egyptian english ethiopian european filipino finnish french german ghanaian greek hungarian "
    "icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish jordanian kenyan "
    "korean kuwaiti lebanese libyan lithuanian malaysian mexican moroccan muslim nepalese nigerian norwegian "
    "pakistani palestinian peruvian philippine polish portuguese romanian russian saudi scottish serbian slovak "
    "soviet spanish sudanese swedish swiss syrian taiwanese thai tunisian turkish ukrainian venezuelan vietnamese "
    "welsh yemeni"
)
"""Adjectives of nationality, which are always capitalized."""
WIRE_ABBREVIATIONS = {
    "mln": "million",
    "bln": "billion",
    "trln": "trillion",
    "dlr": "dollar",
    "Dlr": "dollar",
    "dlrs": "dollars",
    "Dlrs": "dollars",
    "pct": "percent",
    "cts": "cents",
    "stg": "sterling",
    "shr": "share",
    "shrs": "shares",
    "qtr": "quarter",
    "qtrs": "quarters",
    "yr": "year",
    "yrs": "years",
    "mths": "months",
    "revs": "revenues",
}
"""News-wire abbreviations that parsers do not know."""


@cache
def word_list(name: str) -> frozenset[str]:
    """A word list from the guards file."""
    lists = _lists()
    return expanded(lists[name], lists)


@cache
def _lists() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = tomllib.loads(guards_text())["words"]
    return lists


@cache
def speech_verbs() -> frozenset[str]:
    """The verbs that introduce what somebody says or thinks: *say*, *doubt*."""
    return word_list("reporting") | word_list("doubting")


def expanded(items: Iterable[str], lists: Mapping[str, list[str]]) -> frozenset[str]:
    """Words, with ``@name`` replaced by the words of a list."""
    words: set[str] = set()
    for item in items:
        words |= expanded(lists[item[1:]], lists) if item.startswith("@") else {item}
    return frozenset(words)


@cache
def guards_text() -> str:
    """The package's guards file, `guards.toml`."""
    return files("widl.headline").joinpath("guards.toml").read_text(encoding="utf-8")


def package_json(name: str) -> Any:
    """The content of a compressed JSON file of the package."""
    return json.loads(gzip.decompress(files("widl.headline").joinpath(name).read_bytes()))


@cache
def content_fields() -> dict[str, Any]:
    """The package's content model as read, `content.json.gz` (`widl.headline.content_model`)."""
    return dict(package_json("content.json.gz"))


def is_common_word(key: str) -> bool:
    """Whether a word is usually written in small letters: *news*, not *ford*."""
    usual: dict[str, str] = content_fields()["casing"]
    return usual.get(key) == key


@cache
def counts() -> dict[str, Any]:
    """The package's counts over news, `counts.json.gz` (`widl.headline.phrase_counts`)."""
    return dict(package_json("counts.json.gz"))


@cache
def counted_words(name: str) -> frozenset[str]:
    """Counted lists: *given* names, *titles* before names, *things*: speakers that *it* refers to."""
    return frozenset(counts()[name].split())
