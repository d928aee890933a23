"""Which language a text is in, as far as can be told; headlines are made of English."""

import unicodedata
from functools import cache

from widl.text.language_identification import LanguageIdentifier

_FEWEST_WORDS = 12
_SURE = 0.98
_LANGUAGES = (
    "cs",
    "da",
    "de",
    "en",
    "es",
    "fi",
    "fr",
    "hr",
    "hu",
    "id",
    "it",
    "nl",
    "no",
    "pl",
    "pt",
    "ro",
    "sv",
    "tr",
)


def why_not_english(text: str) -> str:
    """A warning that a text is not English, in a few words; empty if it is, or may well be."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    if latin * 2 < len(letters):
        return "seems not to be English: most of its letters are of another script"
    if len(text.split()) < _FEWEST_WORDS:
        return ""
    identifier = _identifier()
    [row] = identifier.probabilities([text.lower() if text.isupper() else text])
    best = int(row.argmax())
    if identifier.languages[best] == "en" or row[best] < _SURE:
        return ""
    return f"seems not to be English, but of the language {identifier.languages[best]!r}"


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier(_LANGUAGES)
