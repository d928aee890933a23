"""Which sentence pairs are no use for training, and why."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from widl.phrase_table.normalization import HAN, visible
from widl.phrase_table.segmentation import EUROPEAN

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


class Cleaning(BaseModel):
    """Which sentence pairs are left out.

    max_length: tokens of either side.
    max_ratio: between the numbers of tokens of the two sides.
    duplicates: whether a pair that is equal to an earlier one, token by token, stays in.
    content: whether pairs stay out that `content_fault` finds something wrong with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_length: int = Field(default=100, ge=1)
    max_ratio: float = Field(default=9, ge=1)
    duplicates: bool = False
    content: bool = True

    def fault(self, source: Sequence[str], target: Sequence[str]) -> str | None:
        """Why a pair should go, as far as it can be seen from its numbers of tokens."""
        shorter, longer = sorted((len(source), len(target)))
        if shorter == 0:
            return "empty"
        if longer > self.max_length:
            return "too long"
        if longer > self.max_ratio * shorter:
            return "length ratio"
        return None


# U+FFFD stands where a converter gave up, private characters mean something in one font only, and
# the rest is UTF-8 that was read as Latin-1 or Windows-1252 (â€™ for ’, Ã© for é, Â« for «).
_BROKEN = re.compile("[\ufffd\ue000-\uf8ff]|â€|[ÂÃ][\x80-\xbf]|[äåæçè][\x80-\xbf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2}")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|&#?\w+;|(?a:https?://\S+|www\.\S+)")
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_WORD = re.compile(rf"[^\W\d_{HAN}]+")
_SCRIPTS = {
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "ru": re.compile("[\u0400-\u052f]"),
}
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")

_SHARE_OF_LETTERS = 0.25
_COPIED_WORDS = 4
_JUDGED_WORDS, _JUDGED_GERMAN_WORDS = 5, 3
_HARDLY = 0.01


def content_fault(source: str, target: str, source_language: str, target_language: str) -> str | None:
    """What is wrong with the text of a pair of raw lines, or None.

    ``broken characters``: U+FFFD, private use, UTF-8 read as another encoding.
    ``copy``: the target is the source, letter by letter; names and titles of up to three words may be.
    ``few letters``: one side is figures and signs; mark-up and addresses do not count. A Chinese character
    counts as two letters.
    ``source not zh``, ``target not en`` and so on: Chinese without Chinese characters, with twice as many foreign
    words or half as many kana; an alphabetic language with more letters of other scripts than of its own, or with
    five words or more, not counting capitalised ones (names look foreign; three are enough for German with its
    capital nouns), to which py3langid gives a probability under 1 %. For ``none`` there is no such check.

    >>> content_fault("Hello world.", "Hello, world.", "zh", "en")
    'source not zh'
    """
    source, target = visible(source), visible(target)
    if _BROKEN.search(source) or _BROKEN.search(target):
        return "broken characters"
    if _same(source, target):
        return "copy"
    source, target = _MARKUP.sub(" ", source), _MARKUP.sub(" ", target)
    if _few_letters(source) or _few_letters(target):
        return "few letters"
    if not speaks(source, source_language):
        return f"source not {source_language}"
    if not speaks(target, target_language):
        return f"target not {target_language}"
    return None


def _same(source: str, target: str) -> bool:
    if source.replace(" ", "").casefold() != target.replace(" ", "").casefold():
        return False
    return bool(_HAN.search(source)) or len(_WORD.findall(source)) >= _COPIED_WORDS


def _few_letters(line: str) -> bool:
    characters = line.replace(" ", "")
    if characters.isalpha():
        return False
    if not characters:
        return True
    han = 0 if characters.isascii() else len(_HAN.findall(characters))
    letters = sum(map(str.isalpha, characters))
    return letters + han < _SHARE_OF_LETTERS * (len(characters) + han)


def speaks(line: str, language: str) -> bool:
    """Whether a line may be in the language; see `content_fault`. An empty line is in any language."""
    if language == "none":
        return True
    if language == "zh":
        han = len(_HAN.findall(line))
        words = len(_WORD.findall(line))
        if 2 * han < words or (han == 0 and words):
            return False
        kana = len(_KANA.findall(line))
        return kana < 3 or 2 * kana < han
    letters = sum(map(str.isalpha, line))
    if not line.isascii() and 2 * len(_SCRIPTS.get(language, _LATIN).findall(line)) < letters:
        return False
    if line.isascii() and language in _SCRIPTS and letters:
        return False
    words = sum(word[0].islower() for word in _WORD.findall(line))
    if words < _JUDGED_GERMAN_WORDS:
        return True
    # The language's own probability: near relatives would share that of "something else".
    identifier = _identifier()
    found = identifier.classify(line)[0]
    if found == language or (words < _JUDGED_WORDS and found != "de"):
        return True
    probabilities: dict[str, float] = dict(identifier.rank(line))
    return probabilities[language] >= _HARDLY


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    """py3langid among languages that are written in Europe's alphabets, a third of a second after the first call."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(sorted(EUROPEAN | _OTHERS))
    return identifier


# What else a line may turn out to be. Latin, pidgins and the smallest languages are left out: lists of names
# look like them.
# fmt: off
_OTHERS = frozenset({
    "af", "bg", "bs", "cy", "da", "eu", "gl", "hr", "id", "mk", "ms", "mt", "no", "sq", "sr", "sw", "tr", "uk", "vi",
})
# fmt: on
