"""Markup of input lines, as users of Moses know it: given translations, zones and walls."""

import re
from collections.abc import Callable, Sequence
from html import unescape
from math import isfinite
from xml.parsers import expat

from widl.errors import InputError
from widl.text.normalization import visible
from widl.translation.parts import Edge, GivenTranslations, Part

_ROOT = "<line>"
_NOT_XML = re.compile("[\ufffe\uffff]")
_ANY_TAG = re.compile(r"<[^<>]*>")

Split = Callable[[str], Sequence[str]]
"""A translation as it is written into words."""


def parse_markup(line: str, split: Split, *, exclusive: bool = True) -> list[Part]:
    """The parts of a line with markup; InputError says what is wrong with it and at which character.

    ``<x translation="A||B" prob="0.6||0.4">…</x>`` gives translations (any name of a tag will do, and ``english`` for
    ``translation``; without ``prob`` they are equally probable), ``<zone>…</zone>`` and ``<wall/>`` restrict movement.
    Text is XML's: ``&lt;``, ``&amp;``, ``&#20013;``.

    >>> [part.text for part in parse_markup('<x translation="Obama">奥巴马</x>说', str.split)]
    ['奥巴马', '说']
    """
    return _Parser(split, exclusive).parse(_NOT_XML.sub("", visible(line)))


def without_markup(line: str) -> str:
    """What is left of a line whose markup is broken: its text, with entities written out."""
    return unescape(_ANY_TAG.sub(" ", line))


class _Parser:
    """Reads one line."""

    def __init__(self, split: Split, exclusive: bool) -> None:
        self._split, self._exclusive = split, exclusive
        self._parts: list[Part] = []
        self._open: list[str] = []  # names of tags
        self._given: GivenTranslations | None = None
        self._expat = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def parse(self, line: str) -> list[Part]:
        try:
            self._expat.Parse(f"{_ROOT}{line}</line>", True)
        except expat.ExpatError as error:
            # Of a closing tag expat points at the name.
            offset = error.offset - 2 if error.code == _MISMATCH else error.offset
            raise self._error(self._explained(error), offset) from None
        return self._parts

    def _explained(self, error: expat.ExpatError) -> str:
        if error.code == _MISMATCH and len(self._open) > 1:
            return f"<{self._open[-1]}> is not closed before this"
        if error.code == _MISMATCH or not self._open:
            return "this closes a tag that is not open"
        hint = "; a < or & of the text is written &lt; or &amp;" if error.code in _TEXT_ERRORS else ""
        return f"{expat.ErrorString(error.code)}{hint}"

    def _error(self, message: str, offset: int | None = None) -> InputError:
        column = self._expat.CurrentColumnNumber if offset is None else offset
        return InputError(f"broken markup at character {max(column - len(_ROOT), 0) + 1}: {message}")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        around = self._open[-1] if self._open else None
        self._open.append(name)
        if around is None:
            return  # our own root
        if around == "wall" or self._given is not None:
            raise self._error(f"<{name}> inside of <{around}>")
        if name in ("zone", "wall"):
            if attributes:
                raise self._error(f"<{name}> takes no attributes, found {next(iter(attributes))!r}")
            self._parts.append(Part(edge=Edge.ZONE_BEGINS if name == "zone" else Edge.WALL))
            return
        self._given = self._read_given(name, attributes)
        self._parts.append(Part(given=self._given))

    def _end(self, name: str) -> None:
        self._open.pop()
        if name == "zone":
            self._parts.append(Part(edge=Edge.ZONE_ENDS))
        elif self._given is not None:
            if not self._parts[-1].text:
                raise self._error(f"<{name}> holds no text to translate")
            self._given = None

    def _text(self, text: str) -> None:
        if self._open[-1] == "wall" and text.strip():
            raise self._error("<wall> holds text; write <wall/>")
        if self._given is None:
            self._parts.append(Part(text))
        elif visible(text):
            before = self._parts.pop().text
            self._parts.append(Part(before + text, self._given))

    def _read_given(self, name: str, attributes: dict[str, str]) -> GivenTranslations:
        unknown = sorted(attributes.keys() - {"translation", "english", "prob"})
        if unknown:
            raise self._error(f"<{name}>: unknown attribute {unknown[0]!r}; known are translation, english, prob")
        texts = [attributes[key] for key in ("translation", "english") if key in attributes]
        if len(texts) != 1:
            raise self._error(f"<{name}> needs one of the attributes translation and english")
        translations = [tuple(self._split(text)) for text in texts[0].split("||")]
        if not all(translations):
            raise self._error(f"<{name}>: an empty translation")
        if "prob" not in attributes:
            return GivenTranslations.evenly(translations, exclusive=self._exclusive)
        probabilities = [self._probability(name, text) for text in attributes["prob"].split("||")]
        if len(probabilities) != len(translations):
            raise self._error(f"<{name}>: {len(translations)} translations, but {len(probabilities)} probabilities")
        return GivenTranslations(tuple(zip(translations, probabilities, strict=True)), self._exclusive)

    def _probability(self, name: str, text: str) -> float:
        try:
            probability = float(text)
        except ValueError:
            probability = 0.0
        if not (isfinite(probability) and 0 < probability <= 1):
            raise self._error(f"<{name}>: a probability is above 0 and at most 1, but not {text.strip()!r}")
        return probability


_MISMATCH = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]
_TEXT_ERRORS = {
    expat.errors.codes[message]
    for message in (expat.errors.XML_ERROR_INVALID_TOKEN, expat.errors.XML_ERROR_UNCLOSED_TOKEN)
}
