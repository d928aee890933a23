"""Filters sentence pairs that are useless for training, and gives the reason for each."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from widl.common.argument_types import checked
from widl.common.arguments import reject_text, texts_in
from widl.common.extras import optional_packages
from widl.common.option_values import NOT_ON_COMMAND_LINE, Positive
from widl.common.options import option_set
from widl.text.language_identification import LanguageIdentifier
from widl.text.normalization import HAN, visible
from widl.text.segmentation import EUROPEAN


@option_set
class Cleaning:
    """Criteria for skipping sentence pairs; `content_faults` reports faults in the content of pairs."""

    max_length: Annotated[Positive, NOT_ON_COMMAND_LINE] = 100
    "Drop pairs with more than N tokens on a side."
    max_ratio: Annotated[float, Field(ge=1), NOT_ON_COMMAND_LINE] = 9
    "Drop pairs with one side more than N times as long as the other."
    duplicates: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "Keep pairs that are equal to an earlier one."
    content: Annotated[bool, NOT_ON_COMMAND_LINE] = True
    "Drop pairs that are copied, broken, in the wrong language, or have hardly any letters."

    def fault(self, source: Sequence[str], target: Sequence[str]) -> str | None:
        """The reason to drop a pair, from its token counts alone; None to keep it."""
        shorter, longer = sorted((len(source), len(target)))
        if shorter == 0:
            return "empty"
        if longer > self.max_length:
            return "too long"
        if longer > self.max_ratio * shorter:
            return "length ratio"
        return None


# U+FFFD replaces characters that a converter could not decode; private-use characters have a meaning in one font only.
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff]")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|&#?\w+;|(?a:https?://\S+|www\.\S+)")
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_WORD = re.compile(rf"[^\W\d_{HAN}]+")
_SCRIPTS = {
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "ru": re.compile("[\u0400-\u052f]"),
}
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")

_MIN_LETTER_SHARE = 0.25
_MIN_COPIED_WORDS = 4  # a shorter copy may be a name or a title
_MIN_JUDGED_WORDS, _MIN_JUDGED_GERMAN_WORDS = 5, 3  # lowercase words; with fewer, py3langid is not used
_MIN_PROBABILITY = 0.01


@checked
def content_faults(pairs: Sequence[tuple[str, str]], source_language: str, target_language: str) -> list[str | None]:
    """The fault in the text of each pair of raw lines, or None.

    ``broken characters``: U+FFFD, private use, text read in another encoding (as ftfy finds it).
    ``copy``: the target is the source, letter by letter; names and titles of up to three words may be.
    ``few letters``: one side is digits and symbols; markup and addresses do not count. A Chinese character counts as
    two letters.
    ``source not zh``, ``target not en`` and so on: Chinese without Chinese characters, with twice as many foreign
    words or half as many kana; an alphabetic language with more letters of other scripts than of its scripts, or with
    five words or more, not counting capitalized ones (names look foreign; three are enough for German with its
    capital nouns), to which py3langid gives a probability under 1 %. For ``none``, the language is not checked.

    >>> content_faults([("你好，世界。", "Hello, world."), ("Hello world.", "Hello, world.")], "zh", "en")
    [None, 'source not zh']
    """
    reject_text(pairs, "pairs", "a list of pairs of lines: [(source, target)]")
    lines = [(visible(source), visible(target)) for source, target in pairs]
    plain = [(_MARKUP.sub(" ", source), _MARKUP.sub(" ", target)) for source, target in lines]
    faults = list(map(_general_fault, lines, plain))
    for side, (name, language) in enumerate((("source", source_language), ("target", target_language))):
        good = [number for number, fault in enumerate(faults) if fault is None]
        verdicts = in_language([plain[number][side] for number in good], language)
        for number, right in zip(good, verdicts, strict=True):
            if not right:
                faults[number] = f"{name} not {language}"
    return faults


def _general_fault(lines: tuple[str, str], plain: tuple[str, str]) -> str | None:
    """The language-independent fault of a pair, or None. `plain`: its lines without markup."""
    if any(map(_is_broken, lines)):
        return "broken characters"
    if _is_copy(*lines):
        return "copy"
    return "few letters" if any(map(_few_letters, plain)) else None


def _is_broken(line: str) -> bool:
    """Whether a line has unreadable characters, or text that was read in another encoding (â€™ for ’, Ã© for é)."""
    if line.isascii():
        return False
    with optional_packages():
        from ftfy.badness import is_bad

    return bool(_UNREADABLE.search(line)) or is_bad(line)


def _is_copy(source: str, target: str) -> bool:
    if source.replace(" ", "").casefold() != target.replace(" ", "").casefold():
        return False
    return bool(_HAN.search(source)) or len(_WORD.findall(source)) >= _MIN_COPIED_WORDS


def _few_letters(line: str) -> bool:
    characters = line.replace(" ", "")
    if characters.isalpha():
        return False
    if not characters:
        return True
    han = 0 if characters.isascii() else len(_HAN.findall(characters))
    letters = sum(map(str.isalpha, characters))
    return letters + han < _MIN_LETTER_SHARE * (len(characters) + han)


def in_language(lines: Sequence[str], language: str) -> list[bool]:
    """Whether each line may be in the language; see `content_faults`. An empty line is in any language."""
    verdicts = [_script_verdict(line, language) for line in texts_in(lines, "lines", "a list of lines: [line]")]
    unsure = [number for number, verdict in enumerate(verdicts) if verdict is None]
    if unsure:
        right = _word_verdicts([lines[number] for number in unsure], language)
        for number, verdict in zip(unsure, right, strict=True):
            verdicts[number] = verdict
    return [bool(verdict) for verdict in verdicts]


def _script_verdict(line: str, language: str) -> bool | None:
    """Whether a line may be in the language, judged by its script; None if its words must be checked."""
    if language == "none":
        return True
    if language == "zh":
        han = len(_HAN.findall(line))
        words = len(_WORD.findall(line))
        if 2 * han < words or (han == 0 and words):
            return False
        kana = len(_KANA.findall(line))
        return kana < 3 or 2 * kana < han
    if line.isascii():
        if language in _SCRIPTS and any(map(str.isalpha, line)):
            return False
    elif 2 * len(_SCRIPTS.get(language, _LATIN).findall(line)) < sum(map(str.isalpha, line)):
        return False
    return None if _lower_words(line) >= _MIN_JUDGED_GERMAN_WORDS else True


def _lower_words(line: str) -> int:
    return sum(word[0].islower() for word in _WORD.findall(line))


def _word_verdicts(lines: Sequence[str], language: str) -> list[bool]:
    """Whether each line may be in the language, judged by py3langid; each line has enough words, even for German."""
    identifier = _identifier()
    # Check the language's own probability, not the best language: closely related languages share the probability.
    probabilities = identifier.probabilities(lines)
    likely = probabilities[:, identifier.languages.index(language)] >= _MIN_PROBABILITY
    return [
        bool(enough) or verdict == language or (verdict != "de" and _lower_words(line) < _MIN_JUDGED_WORDS)
        for line, enough, verdict in zip(
            lines, likely, (identifier.languages[best] for best in probabilities.argmax(axis=1)), strict=True
        )
    ]


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """py3langid restricted to languages in European alphabets; the first call takes a third of a second."""
    return LanguageIdentifier(EUROPEAN | _OTHERS)


# The other candidates of language identification. Latin, pidgins and the smallest languages are excluded, because lists
# of names are mistaken for them.
# fmt: off
_OTHERS = frozenset({
    "af", "bg", "bs", "cy", "da", "eu", "gl", "hr", "id", "mk", "ms", "mt", "no", "sq", "sr", "sw", "tr", "uk", "vi",
})
# fmt: on
