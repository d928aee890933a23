"""Test sets: plain text, NIST's SGML, and the XML of WMT, with any number of references."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from widl.common.arguments import PathLike, counted, paths_of
from widl.common.errors import InputError
from widl.common.files import read_lines

logger = logging.getLogger(__name__)

_ROLES = {
    "srcset": "source",
    "src": "source",
    "refset": "reference",
    "ref": "reference",
    "tstset": "output",
    "hyp": "output",
}
"""The element that determines the kind of its segments."""
_ELEMENTS = (*_ROLES, "doc", "docs", "seg", "mteval", "dataset", "collection")
_TEXT_BEFORE_TAG = re.compile(rf"<(?!/?(?:{'|'.join(_ELEMENTS)}|p|hl)\b|[!?])", re.IGNORECASE)
"""A ``<`` that does not begin a test set's tag, so it is text."""
_MARKUP = re.compile(rf"\s*(?:<[?!]|</?(?:{'|'.join(_ELEMENTS)})\b|</?[A-Za-z][^<>]*>\s*$)", re.IGNORECASE)
"""The first line of a markup file: a declaration, a comment, an element of a test set, or a single tag."""


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

    SGML and XML are recognized by their first line. Segments are matched by document and number, in any order. One file
    may hold references of several translators. References in the source's own file are used if `references` is empty.
    Outputs of systems (``tstset``, ``hyp``) are skipped.

    Raises:
        InputError: The numbers of lines differ, a segment is missing, or a file has no segments of its kind.
    """
    source, references = Path(source), paths_of(references, "references")
    if not is_markup(source):
        lines = list(read_lines(source))
        if not lines:
            raise InputError(f"{source}: empty; a test set was expected")
        reference_lines = [reference for path in references for reference in _lines_of(path, len(lines), source)]
        return SourceAndReferences(lines, reference_lines)
    parsed = _parse(source, "source")
    if not parsed.source:
        raise InputError(f"{source}: no source segments; expected <srcset> or <src> with <seg> elements in it")
    places = list(parsed.source)
    translations = _in_order(source, parsed, places) if not references else []
    for path in references:
        if is_markup(path):
            ordered = _in_order(path, _parse(path, "reference"), places)
            if not ordered:
                raise InputError(f"{path}: no reference segments; expected <refset> or <ref> with <seg> elements in it")
            translations += ordered
        else:
            translations += _lines_of(path, len(places), source)
    return SourceAndReferences([parsed.source[place] for place in places], translations)


def warn_of_same_texts(name: str, texts: Sequence[str], other: str, others: Sequence[str]) -> str:
    """A warning if more than 5 % of a test set is text used for tuning weights: its scores say little about new text.

    It is logged, and returned for reports; empty if there is nothing to warn of.
    """
    distinct = set(texts)
    same = sum(bool(text.strip()) and text in distinct for text in others)
    if same <= len(others) / 20:
        return ""
    text = f"{name} and {other} have {counted(same, 'text')} of {len(others):,} in common"
    logger.warning("%s; scores on them are no test of tuned weights", text)
    return f"Warning: {text}; scores on them are no test of tuned weights."


def _lines_of(path: Path, count: int, source: Path) -> list[list[str]]:
    if is_markup(path):
        raise InputError(f"{path}: SGML or XML, but {source} is plain text: its lines have no numbers to match")
    lines = list(read_lines(path))
    if len(lines) != count:
        line_count = counted(len(lines), "line")
        raise InputError(f"{path}: {line_count}, but {source} has {count}; a reference has a line for each")
    return [lines]


def is_markup(path: Path) -> bool:
    """Whether a file is SGML or XML, by its first nonblank line."""
    first = next((line for line in read_lines(path) if line.strip()), "")
    return _MARKUP.match(first) is not None


def refuse_markup(path: Path) -> None:
    """Raise InputError for SGML or XML where plain text was expected. Pipes can be read only once and are not
    checked.
    """
    if path.is_file() and is_markup(path):
        raise InputError(f"{path}: SGML or XML, where plain text was expected; write its sentences, one a line")


_Place = tuple[str, str]
"""Document and segment."""


@dataclass
class _Segments:
    source: dict[_Place, str] = field(default_factory=dict)
    references: dict[str, dict[_Place, str]] = field(default_factory=dict)
    """References by translator."""


def _in_order(path: Path, parsed: _Segments, places: Sequence[_Place]) -> list[list[str]]:
    """The segments of each translator, in the order of `places`; InputError if one is missing."""
    translations = []
    for translator, segments in parsed.references.items():
        if not segments:  # a set whose documents have separate translators
            continue
        missing = next((place for place in places if place not in segments), None)
        if missing is not None:
            document, number = missing
            raise InputError(f"{path}: reference {translator} lacks segment {number} of document {document}")
        translations.append([segments[place] for place in places])
    return translations


def _parse(path: Path, role: str) -> _Segments:
    parser = _SegmentParser(path, role)
    for line in read_lines(path):
        parser.feed(_TEXT_BEFORE_TAG.sub("&lt;", line) + "\n")
    parser.close()
    if not parser.segments.source and not parser.segments.references:
        raise InputError(f"{path}: no segments; expected <seg> elements in <srcset>, <refset>, <src> or <ref>")
    return parser.segments


class _SegmentParser(HTMLParser):
    """A parser that accepts the unquoted attributes, tags in any case and missing end tags of SGML test sets.

    Documents outside any set have the `role` of the file: "source" or "reference".
    """

    def __init__(self, path: Path, role: str) -> None:
        super().__init__(convert_charrefs=True)
        self.segments = _Segments()
        self._path = path
        self._file_role = self._role = role
        self._document, self._number = "", 0
        self._translator = self._set_translator = "1"
        self._place: _Place | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: " ".join((value or "").split()) for name, value in attrs}
        if tag in _ROLES:
            self._role = _ROLES[tag]
            self._translator = self._set_translator = _translator(attributes, "1")
        elif tag == "doc":
            self._document, self._number = attributes.get("docid") or attributes.get("id") or "", 0
            self._translator = _translator(attributes, self._set_translator)
        elif tag == "seg":
            self._end_segment()
            self._number += 1
            self._place = (self._document, attributes.get("id") or str(self._number))

    def handle_endtag(self, tag: str) -> None:
        if tag == "seg":
            self._end_segment()
        elif tag in _ROLES:
            self._end_segment()
            self._role, self._number = self._file_role, 0

    def handle_data(self, data: str) -> None:
        if self._place is not None:
            self._text.append(data)

    def close(self) -> None:
        """End the last segment, too, if its end tag is missing."""
        super().close()
        self._end_segment()

    def _end_segment(self) -> None:
        if self._place is not None and self._role != "output":
            references = self.segments.references
            into = self.segments.source if self._role == "source" else references.setdefault(self._translator, {})
            if self._place in into:
                document, number = self._place
                raise InputError(f"{self._path}: segment {number} of document {document} occurs twice")
            into[self._place] = " ".join("".join(self._text).split())
        self._place, self._text = None, []


def _translator(attributes: Mapping[str, str], default: str) -> str:
    """The translator: an attribute of each document in NIST sets, and of the element itself in WMT's XML."""
    return next((name for key in ("sysid", "translator", "refid") if (name := attributes.get(key))), default)
