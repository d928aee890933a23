"""Detects texts that are not English news; headlines are generated for English news only."""

import re
import unicodedata
from functools import cache

from widl.headline.word_lists import word_set
from widl.text.language_identification import LanguageIdentifier

_MIN_WORDS = 12
_MIN_TO_IDENTIFY = 3
_SURE = 0.98  # none of 2,800 English sentences of three words and more reaches it
_LANGUAGES = sorted(word_set("cs da de en es fi fr hr hu id it nl no pl pt ro sv tr"))


def english_warning(text: str) -> str:
    """A short warning that a text is not English; empty for texts that are or may be English."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    if latin * 2 < len(letters):
        return "seems not to be English: most of its letters are of another script"
    if len(text.split()) < _MIN_TO_IDENTIFY:
        return ""
    identifier = _identifier()
    [row] = identifier.probabilities([text.lower() if text.isupper() else text])
    best = int(row.argmax())
    if identifier.languages[best] == "en" or row[best] < _SURE:
        return ""
    return f"seems not to be English, but of the language {identifier.languages[best]!r}"


_WORD = re.compile(r"\S*\w\S*")
_SETTING = re.compile(r"""[\w.-]+[ \t]*=[ \t]*["'\[{\w+-]|\[+[\w. -]+\]+\s*$""")
_MIN_LINES = 4
_SHORT = 8  # maximum words per line of a list
_BEGINNING = 2000


def news_warning(text: str) -> str:
    """A short warning that a text is a table, settings or a list; empty for other texts."""
    text = text[:_BEGINNING]
    words = _WORD.findall(text)
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    if len(words) >= _MIN_WORDS and 10 * numbers > 3 * len(words):
        return "seems to be a table, no news"
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if lines and 2 * sum(bool(_SETTING.match(line.strip())) for line in lines) >= len(lines):
        return "seems to be a file of settings, no news"
    short = sum(len(line.split()) <= _SHORT and not line.rstrip("\"'”’)").endswith((".", "!", "?")) for line in lines)
    return "seems to be a list, no news" if len(lines) >= _MIN_LINES and 4 * short > 3 * len(lines) else ""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier(_LANGUAGES)
