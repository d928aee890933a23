"""Whether a text is English, which headlines are made of."""

import unicodedata
from collections.abc import Sequence

from widl.headline.attributions import cut_at
from widl.headline.lexicon import word_set
from widl.headline.words import Word

_FREQUENT = word_set("the of and to said with from by for that vs versus has have was were is are will would it its")
_FEWEST_WORDS = 15
_SHARE = 0.04  # English news has seven times as many; a table of results has "vs"


def why_not_english(sentences: Sequence[Sequence[Word]]) -> str:
    """Why no headline can be made of a text, in a few words; empty if it is English as far as can be seen."""
    words = [word for sentence in sentences for word in sentence]
    letters = [character for word in words for character in word.text if character.isalpha()]
    latin = sum(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    if latin * 2 < len(letters):
        return "not English: most of its letters are of another script"
    plain = [word.key for word in words if word.text.isalpha()]
    if len(plain) >= _FEWEST_WORDS and sum(key in _FREQUENT for key in plain) < _SHARE * len(plain):
        return "not English: hardly any of its words are frequent ones of English"
    return ""


def latin_part(words: Sequence[Word]) -> list[Word]:
    """A sentence up to its first word of another script, as of a text in two languages."""
    end = next((i for i, word in enumerate(words) if any(map(_is_foreign, word.text))), len(words))
    return list(words) if end == len(words) else cut_at(words, end) if end else []


def _is_foreign(character: str) -> bool:
    return character.isalpha() and not unicodedata.name(character, "").startswith(("LATIN", "GREEK", "MICRO"))
