"""Detokenization: tokens into a line of natural text."""

import re
from collections.abc import Sequence

from widl.common.argument_types import checked
from widl.common.arguments import reject_text
from widl.common.extras import optional_packages
from widl.text.normalization import WESTERN_PUNCTUATION

# Moses' detokenizer leaves spaces in these, although they are written without: 10:30, and/or, AT&T, X·Y, 30°C, #1, #a#.
_BETWEEN = re.compile(
    r"(?<=[0-9]) (:) (?=[0-9])|(?<=[0-9A-Za-z]) (/) (?=[0-9A-Za-z])|(?<=\w) (·) (?=\w)"
    r"|(?:(?<=\b[A-Z])|(?<=\b[A-Z]{2})) (&) (?=[A-Z]{1,2}\b)|(?<=[0-9]) (°) (?=[CF]\b)"
    r"|(?<!\S)(#) (?=[0-9])"
)
_PAIR_OF_HASHES = re.compile(r"(?<!\S)# ([^#]*[^# ]) #(?!\S)")
_IN_LETTERS = re.compile("[A-Za-z]")
_AFTER_NUMBER_OR_NAME = re.compile(r"(?<=\w) (?=[°℃℉‰®™](?: |$))")
_PAIR_OF_TAGS = re.compile(r"(<([A-Za-z][A-Za-z0-9:-]*)[^<>]*>) ?([^<>]*?) ?(</\2>)")
_PERIOD_TWICE = re.compile(r"(?<=\b[ap]\.m\.) \.(?= |$)")
_DOLLARS = re.compile(r"\b(US|HK|NT|NZ|A|C|S) \$ (?=[0-9])")


@checked
class Detokenizer:
    """Moses' detokenizer (sacremoses), with corrections for times, units, currencies and tags.

    Chinese punctuation that was copied to a translation becomes Western.

    >>> Detokenizer("en").detokenize(["He", "paid", "US", "$", "5", "，", "at", "10", ":", "30", "."])
    'He paid US$5, at 10:30.'
    >>> Detokenizer("en").detokenize(["It", "begins", "at", "8", "p.m.", "."])
    'It begins at 8 p.m.'
    """

    def __init__(self, language: str = "en") -> None:
        with optional_packages():
            from sacremoses import MosesDetokenizer

        self._moses = MosesDetokenizer(language)

    def detokenize(self, tokens: Sequence[str]) -> str:
        """The detokenized line."""
        reject_text(tokens, "tokens", "a list of words: line.split()")
        # A mark inside of a word was copied with it: Tom’s.
        plain = [token if _IN_LETTERS.search(token) else token.translate(WESTERN_PUNCTUATION) for token in tokens]
        line = _PAIR_OF_HASHES.sub(r"#\1#", " ".join(" ".join(plain).split()))
        line = _BETWEEN.sub(lambda match: match[match.lastindex or 0], line)
        line = _AFTER_NUMBER_OR_NAME.sub("", line)
        line = _PERIOD_TWICE.sub("", line)
        line = _DOLLARS.sub(r"\1$", line)
        # Moses alternates opening and closing quotation marks; the last word of a line can only close.
        closes = line.endswith(' "')
        line = line.removesuffix(' "')
        text: str = self._moses.detokenize(line.split(" ") if line else [], unescape=False)
        text += '"' * closes
        return _PAIR_OF_TAGS.sub(r"\1\3\4", text) if "</" in text else text
