"""Markup of input lines, as users of Moses know it: given translations, zones and walls."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import unescape
from math import isfinite

from widl.text.normalization import visible
from widl.translation.line_parts import Edge, GivenTranslations, Part

Split = Callable[[str], Sequence[str]]
"""A translation as it is written into words."""

_ATTRIBUTE = r"""\s+([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')"""
_TAG = re.compile(
    rf"<!--.*?-->|<(?P<close>/?)(?P<name>[^\W\d][\w:.-]*)(?P<attributes>(?:{_ATTRIBUTE.replace('(', '(?:')})*)"
    r"\s*(?P<empty>/?)>|<",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_CHARACTER = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_KNOWN = ("translation", "english", "prob")


def parse_markup(
    line: str, split: Split, *, exclusive: bool = True, required: bool = False
) -> tuple[list[Part], list[str]]:
    """The parts of a line with markup, and any error in it, with its character range.

    ``<x translation="A||B" prob="0.6||0.4">…</x>`` gives translations (any name of a tag will do, and ``english`` for
    ``translation``; without ``prob`` they are equally probable). Such tags nest. ``<zone>…</zone>`` and ``<wall/>``
    restrict movement. Text is XML's: ``&lt;``, ``&amp;``, ``&#20013;``. An invalid tag is ignored, and its text is read
    without it.

    required: given translations are what phrases of the table must contain.

    >>> parts, faults = parse_markup('<x translation="Obama">奥巴马</x>说</x>', str.split)
    >>> [part.text for part in parts], faults
    (['奥巴马', '说'], ['broken markup at character 32: </x> closes a tag that is not open'])
    """
    return _Parser(split, exclusive, required).parse(visible(line))


class _TagError(Exception):
    """The error in a tag."""


@dataclass
class _Tag:
    """A tag of the line; `valid` if it counts."""

    name: str
    at: int
    given: GivenTranslations | None = None
    valid: bool = True
    contents: list["str | _Tag"] = field(default_factory=list)

    def text(self) -> str:
        """All text inside."""
        return "".join(content if isinstance(content, str) else content.text() for content in self.contents)


class _Parser:
    """Reads one line into a tree of tags."""

    def __init__(self, split: Split, exclusive: bool, required: bool) -> None:
        self._split, self._exclusive, self._required = split, exclusive, required
        self._root = _Tag("", 0)
        self._open = [self._root]
        self._faults: list[tuple[int, str]] = []

    def parse(self, line: str) -> tuple[list[Part], list[str]]:
        start = 0
        for match in _TAG.finditer(line):
            self._text(line[start : match.start()])
            start = match.end()
            if match[0] == "<":
                self._fault(match.start(), "a < of the text is written &lt;")
                self._text("<")
            elif match["name"] is not None:
                self._tag(match)
        self._text(line[start:])
        for tag in self._open[1:]:
            self._leave_out(tag, f"<{tag.name}> is not closed")
        parts = self._parts(self._root)
        return parts, [f"broken markup at character {at + 1}: {what}" for at, what in sorted(self._faults)]

    def _fault(self, at: int, what: str) -> None:
        self._faults.append((at, what))

    def _leave_out(self, tag: _Tag, what: str) -> None:
        if tag.valid:  # else something is wrong with it already
            self._fault(tag.at, what)
        tag.valid = False

    def _text(self, text: str) -> None:
        if text:
            self._open[-1].contents.append(_CHARACTER.sub(lambda match: unescape(match[0]), text))

    def _tag(self, match: re.Match[str]) -> None:
        name, at = match["name"], match.start()
        if match["close"]:
            self._close(name, at)
            return
        tag = _Tag(name, at)
        try:
            self._read(tag, _attributes(match["attributes"]))
        except _TagError as error:
            self._leave_out(tag, str(error))
        self._open[-1].contents.append(tag)
        self._open.append(tag)
        if match["empty"]:
            self._close(name, at)

    def _close(self, name: str, at: int) -> None:
        if name not in (tag.name for tag in self._open[1:]):
            self._fault(at, f"</{name}> closes a tag that is not open")
            return
        while (tag := self._open.pop()).name != name:
            self._leave_out(tag, f"<{tag.name}> is not closed before </{name}>")
        if name == "wall" and tag.text().strip():
            self._leave_out(tag, "<wall> holds text; write <wall/>")
        elif tag.given is not None and not visible(tag.text()):
            self._leave_out(tag, f"<{name}> holds no text to translate")

    def _read(self, tag: _Tag, attributes: dict[str, str]) -> None:
        around = next((outer.name for outer in self._open[1:] if outer.given is not None), None)
        if tag.name in ("zone", "wall"):
            if around is not None:
                raise _TagError(f"<{tag.name}> inside of <{around}>")
            if attributes:
                raise _TagError(f"<{tag.name}> takes no attributes, found {next(iter(attributes))!r}")
            return
        unknown = sorted(attributes.keys() - set(_KNOWN))
        if unknown:
            raise _TagError(f"<{tag.name}>: unknown attribute {unknown[0]!r}; known are {', '.join(_KNOWN)}")
        texts = [attributes[key] for key in ("translation", "english") if key in attributes]
        if len(texts) != 1:
            raise _TagError(f"<{tag.name}> needs one of the attributes translation and english")
        tag.given = self._given(tag.name, texts[0], attributes.get("prob"))

    def _given(self, name: str, text: str, prob: str | None) -> GivenTranslations:
        translations = [tuple(self._split(part)) for part in text.split("||")]
        if not all(translations):
            raise _TagError(f"<{name}>: an empty translation")
        if prob is None:
            probabilities = [1 / len(translations)] * len(translations)
        else:
            probabilities = [_probability(name, part) for part in prob.split("||")]
        if len(probabilities) != len(translations):
            raise _TagError(f"<{name}>: {len(translations)} translations, but {len(probabilities)} probabilities")
        alternatives = tuple(zip(translations, probabilities, strict=True))
        return GivenTranslations(alternatives, self._exclusive, required=self._required)

    def _parts(self, tag: _Tag) -> list[Part]:
        """The content of a tag, without the tag."""
        parts: list[Part] = []
        for content in tag.contents:
            if isinstance(content, str):
                if parts and parts[-1].is_plain:
                    parts[-1] = Part(parts[-1].text + content)
                else:
                    parts.append(Part(content))
            elif not content.valid:
                parts += self._parts(content)
            elif content.name == "zone":
                parts += [Part(edge=Edge.ZONE_BEGINS), *self._parts(content), Part(edge=Edge.ZONE_ENDS)]
            elif content.name == "wall":
                parts.append(Part(edge=Edge.WALL))
            elif any(isinstance(inner, _Tag) and inner.valid for inner in content.contents):
                parts += [
                    Part(given=content.given, edge=Edge.SPAN_BEGINS),
                    *self._parts(content),
                    Part(edge=Edge.SPAN_ENDS),
                ]
            else:
                parts.append(Part(content.text(), content.given))
        return parts


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, quoted in _ATTRIBUTES.findall(text):
        if name in attributes:
            raise _TagError(f"duplicate attribute {name!r}")
        attributes[name] = _CHARACTER.sub(lambda match: unescape(match[0]), quoted[1:-1])
    return attributes


def _probability(name: str, text: str) -> float:
    try:
        probability = float(text)
    except ValueError:
        probability = 0.0
    if not (isfinite(probability) and 0 < probability <= _LARGEST):
        raise _TagError(f"<{name}>: a probability is a number above 0, but not {text.strip()!r}")
    return probability


_LARGEST = 1e30
