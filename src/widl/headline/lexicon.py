"""Small closed word lists; those that patterns over trees are about are part of the guards' file."""

import tomllib
from functools import cache
from importlib.resources import files


def word_set(words: str) -> frozenset[str]:
    """The words between blanks."""
    return frozenset(words.split())


DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun")
IMPERSONAL_INITIALS = word_set("U.S. U.K. U.N. E.U. A.M. P.M. D.C. L.A. N.Y. N.J. N.C. S.C. B.C. A.D. G.M. G.E. A.I.")
"""Two letters that are of no person and may end a sentence."""
ARTICLES = word_set("a an the")
"""Determiners that a headline leaves out."""
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
"""Adjectives of peoples: with a capital letter wherever they stand."""
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
"""Words as news wires abbreviate them, which parsers of texts do not know."""


@cache
def word_list(name: str) -> frozenset[str]:
    """A list of words of the guards' file."""
    lists: dict[str, list[str]] = tomllib.loads(guards_text())["words"]
    return frozenset(lists[name])


@cache
def guards_text() -> str:
    """The guards' file of the package, `guards.toml`."""
    return files("widl.headline").joinpath("guards.toml").read_text(encoding="utf-8")
