"""Test sets: plain text, NIST's SGML, and the XML of WMT, with any number of references."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from widl.common.arguments import PathLike, counted, path_of, paths_of
from widl.common.errors import InputError
from widl.common.files import read_lines

logger = logging.getLogger(__name__)

_SOURCES = ("srcset", "src")
_REFERENCES = ("refset", "ref")
_OUTPUTS = ("tstset", "hyp")


@dataclass(frozen=True)
class SourceAndReferences:
    """Source lines, and the lines of each reference."""

    __test__ = False  # not a test case

    source: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.source)


def read_test_set(source: PathLike, references: Sequence[PathLike] = ()) -> SourceAndReferences:
    """A test set from its source and its references, each plain text, SGML or XML, also ``.gz``.

    SGML and XML are recognised by their first line. Their segments are matched by document and number, whatever their
    order; a file may hold references of several translators, and XML holds the source's references itself, which are
    used when no `references` are named. InputError names the file, and the segment or the number of lines that
    doesn't match.
    """
    source, references = path_of(source, "source"), paths_of(references, "references")
    if not _is_markup(source):
        lines = list(read_lines(source))
        if not lines:
            raise InputError(f"{source}: empty; a test set was expected")
        reference_lines = [reference for path in references for reference in _lines_of(path, len(lines), source)]
        return SourceAndReferences(lines, reference_lines)
    parsed = _parse(source)
    if not parsed.source:
        raise InputError(f"{source}: no source segments; expected <srcset> or <src> with <seg> elements in it")
    places = list(parsed.source)
    translations = _in_order(source, parsed, places) if not references else []
    for path in references:
        if _is_markup(path):
            translations += _in_order(path, _parse(path), places)
        else:
            translations += _lines_of(path, len(places), source)
    return SourceAndReferences([parsed.source[place] for place in places], translations)


def warn_of_same_texts(name: str, texts: Sequence[str], other: str, others: Sequence[str]) -> None:
    """A warning if half of a test set or more is text on which weights are tuned: its scores say little of new text."""
    known = set(texts)
    same = sum(text in known for text in others)
    if others and 2 * same >= len(others):
        logger.warning(
            "%s and %s have %s in common; scores on it are no test of tuned weights", name, other, counted(same, "text")
        )


def _lines_of(path: Path, count: int, source: Path) -> list[list[str]]:
    if _is_markup(path):
        raise InputError(f"{path}: SGML or XML, but {source} is plain text: its lines have no numbers to match")
    lines = list(read_lines(path))
    if len(lines) != count:
        found = counted(len(lines), "line")
        raise InputError(f"{path}: {found}, but {source} has {count}; a reference has a line for each")
    return [lines]


def _is_markup(path: Path) -> bool:
    first = next(iter(read_lines(path)), "").lstrip(" \t").lower()
    return first.startswith(("<?xml", "<!doctype", "<srcset", "<refset", "<tstset", "<dataset", "<mteval"))


_Place = tuple[str, str]
"""Document and segment."""


@dataclass
class _Segments:
    source: dict[_Place, str] = field(default_factory=dict)
    references: dict[str, dict[_Place, str]] = field(default_factory=dict)
    """By translator."""


def _in_order(path: Path, parsed: _Segments, places: Sequence[_Place]) -> list[list[str]]:
    """The segments of each translator, in the order of `places`; InputError if one is missing."""
    translations = []
    for translator, segments in parsed.references.items():
        if not segments:  # of a set whose documents have translators of their own
            continue
        missing = next((place for place in places if place not in segments), None)
        if missing is not None:
            document, number = missing
            raise InputError(f"{path}: reference {translator} lacks segment {number} of document {document}")
        translations.append([segments[place] for place in places])
    return translations


def _parse(path: Path) -> _Segments:
    parser = _SegmentParser(path)
    for line in read_lines(path):
        parser.feed(line + "\n")
    parser.close()
    if not parser.segments.source and not parser.segments.references:
        raise InputError(f"{path}: no segments; expected <seg> elements in <srcset>, <refset>, <src> or <ref>")
    return parser.segments


class _SegmentParser(HTMLParser):
    """A parser that accepts unquoted attributes, tags in any case and missing end tags, which SGML test sets have."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.segments = _Segments()
        self._path = path
        self._document = ""
        self._into: dict[_Place, str] | None = None
        self._place: _Place | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: " ".join((value or "").split()) for name, value in attrs}
        if tag in _SOURCES:
            self._into = self.segments.source
        elif tag in _REFERENCES:
            # Each document of a NIST set says whose it is; in WMT's XML the element itself does.
            self._choose_reference(attributes)
        elif tag in _OUTPUTS:
            self._into = None
        elif tag == "doc":
            self._document = attributes.get("docid") or attributes.get("id") or ""
            if attributes.get("sysid"):
                self._choose_reference(attributes)
        elif tag == "seg":
            self._end_segment()
            self._place = (self._document, attributes.get("id") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "seg":
            self._end_segment()
        elif tag in (*_SOURCES, *_REFERENCES, *_OUTPUTS):
            self._end_segment()
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._place is not None:
            self._text.append(data)

    def _choose_reference(self, attributes: dict[str, str]) -> None:
        names = (attributes.get(name) for name in ("sysid", "translator", "refid"))
        name = next((name for name in names if name), "1")
        self._into = self.segments.references.setdefault(name, {})

    def _end_segment(self) -> None:
        if self._place is not None and self._into is not None:
            if self._place in self._into:
                document, number = self._place
                raise InputError(f"{self._path}: segment {number} of document {document} is there twice")
            self._into[self._place] = " ".join("".join(self._text).split())
        self._place, self._text = None, []
