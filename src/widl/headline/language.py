"""Detects texts that are not English news; headlines are generated for English news only."""

import re
import unicodedata
from functools import cache

from widl.headline.word_lists import is_common_word, word_set
from widl.text.language_identification import LanguageIdentifier

_MIN_WORDS = 12
_MIN_TO_IDENTIFY = 3
_SURE = 0.98  # none of 2,800 English sentences of three words and more reaches it
_MIN_SMALL = 4  # lowercase words from which the share of English ones is judged
_MIN_SHARE = 0.4  # of 3,000 English stories and sentences with so many, none has as small a share
_SURE_OF_ENGLISH = 0.9
_CLEAR_SHARE, _MIN_CLEAR = 0.7, 8  # 98 % of 900 stories; of 9,000 texts in German, French and Czech, none is above .4
_BEGINNING = 2000
_LANGUAGES = sorted(word_set("cs da de en es fi fr hr hu id it nl no pl pt ro sv tr"))


def english_warning(text: str) -> str:
    """A short warning that a text is not English; empty for texts that are or may be English."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    if latin * 2 < len(letters):
        return "seems not to be English: most of its letters are of another script"
    if len(text.split()) < _MIN_TO_IDENTIFY:
        return ""
    text = text.lower() if text.isupper() else text
    small = [word for word in _LETTERS.findall(text[:_BEGINNING]) if word.islower()]
    known = sum(map(is_common_word, small))
    if len(small) >= _MIN_CLEAR and known >= _CLEAR_SHARE * len(small):
        return ""  # opening the identifier takes longer than a headline
    identifier = _identifier()
    [row] = identifier.probabilities([text])
    best = int(row.argmax())
    if identifier.languages[best] != "en" and row[best] >= _SURE:
        return f"seems not to be English, but of the language {identifier.languages[best]!r}"
    is_english = len(small) < _MIN_SMALL or known > _MIN_SHARE * len(small)
    if is_english or row[identifier.languages.index("en")] >= _SURE_OF_ENGLISH:
        return ""
    return f"seems not to be English: {known} of {len(small)} words are frequent in English news"


_LETTERS = re.compile(r"[^\W\d_]{2,}")


_WORD = re.compile(r"\S*\w\S*")
_SETTING = re.compile(r"""[\w.-]+[ \t]*=[ \t]*["'\[{\w+-]|\[+[\w. -]+\]+\s*$""")
_MIN_LINES = 4
_SHORT = 8  # maximum words per line of a list
_MIN_NAMES = 8
_MAX_SHARE_OF_NAMES = 0.2  # of English words in a list of names


def news_warning(text: str) -> str:
    """A short warning that a text is a table, settings, a list or names; empty for other texts."""
    text = text[:_BEGINNING]
    words = _WORD.findall(text)
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    if len(words) >= _MIN_WORDS and 10 * numbers > 3 * len(words):
        return "seems to be a table, no news"
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if lines and 2 * sum(bool(_SETTING.match(line.strip())) for line in lines) >= len(lines):
        return "seems to be a file of settings, no news"
    names = _LETTERS.findall(text)
    if len(names) >= _MIN_NAMES and not any(map(str.islower, names)):
        known = sum(is_common_word(name.lower()) for name in names)
        if known <= _MAX_SHARE_OF_NAMES * len(names):
            return "seems to be a list of names, no news"
    short = sum(len(line.split()) <= _SHORT and not line.rstrip("\"'”’)").endswith((".", "!", "?")) for line in lines)
    return "seems to be a list, no news" if len(lines) >= _MIN_LINES and 4 * short > 3 * len(lines) else ""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier(_LANGUAGES)
