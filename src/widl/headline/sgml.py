"""The SGML of news collections (TREC, DUC). It is not valid SGML, so only a few tags are read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from widl.headline.markup import HTML_ELEMENTS, decode_entities
from widl.headline.word_lists import word_set

_PROLOG = rb"(?:\s+|<\?[^>]*>|<!--.*?-->|<![^>]*>|<(?!doc[\s>])[A-Za-z][^<>]*>)*"
"""Declarations, comments and the elements around documents, such as <DOCSTREAM>."""
_START = re.compile(_PROLOG + rb"<doc[\s>]", re.IGNORECASE | re.DOTALL)
_OTHER = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*(?:<\?xml|<!doctype\s+(?!html)|<([A-Za-z][\w.:-]*)[^<>]*>[ \t]*\r?\n)",
    re.IGNORECASE | re.DOTALL,
)
_LOOKED_AT = 1000  # number of bytes searched for HTML
_DOCUMENT = re.compile(r"<(/?)doc(\s[^<>]*)?>", re.IGNORECASE)
_IDENTIFIER = re.compile(r"""\s(?:doc)?id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_]*)(?:\s[^<>]*)?>")

_BODIES = frozenset({"text", "body"})
_HEADLINES = frozenset({"headline", "head", "hl"})
# Elements that never contain running text.
_ASIDE = _HEADLINES | word_set(
    "docno docid doctype txttype date date_time dateline byline slug trailer header footer keyword subject"
)
_PARAGRAPHS = frozenset({"p", "s", "text", "body", "headline", "head"})


@dataclass(frozen=True, slots=True)
class SgmlDocument:
    """The content between ``<DOC>`` and ``</DOC>``."""

    identifier: str
    line: int  # of <DOC>
    headline: list[str]
    paragraphs: list[str]


def is_sgml(content: bytes) -> bool:
    """Whether a file holds documents in SGML: only markup precedes its first ``<DOC>``."""
    return _START.match(content) is not None


def is_other_markup(content: bytes) -> bool:
    """Whether a file is other XML or SGML than documents or HTML, such as a news feed.

    It begins with a declaration, or its first line is a tag that is closed later.
    """
    start = _OTHER.match(content)
    if start is None or b"<html" in content[:_LOOKED_AT].lower():
        return False
    name = start[1]
    return name is None or (name.decode().lower() not in HTML_ELEMENTS and b"</" + name + b">" in content)


def read_sgml(text: str) -> Iterator[SgmlDocument | tuple[int, str]]:
    """The documents; for a document without ``</DOC>``, the line of its ``<DOC>`` and the error."""
    start: int | None = None
    identifier = ""
    line, counted = 1, 0
    for tag in _DOCUMENT.finditer(text):
        opening = not tag[1]
        if start is not None:
            yield _unclosed(line) if opening else _read_document(text[start : tag.start()], line, identifier)
            start = None
        if opening:
            line += text.count("\n", counted, tag.start())
            counted, start = tag.start(), tag.end()
            match = _IDENTIFIER.search(tag[2] or "")
            identifier = next(filter(None, match.groups()), "") if match else ""
    if start is not None:
        yield _unclosed(line)


def _unclosed(line: int) -> tuple[int, str]:
    return line, "this <DOC> has no </DOC>; the file may be cut off: fetch it again or close the document"


def _read_document(content: str, line: int, identifier: str) -> SgmlDocument:
    """Sort the text between tags by the enclosing element; elements with other names are ignored."""
    pieces: dict[str, list[str]] = {"docno": [""], "docid": [""], "headline": [""], "text": [""]}
    has_text = re.search(r"<text\s*>", content, re.IGNORECASE) is not None
    body, aside, position = "", "", 0
    for tag in _TAG.finditer(content):
        _keep(content[position : tag.start()], body, aside, pieces)
        position = tag.end()
        name, closing = tag[2].lower(), bool(tag[1])
        if name in _ASIDE:
            aside = "" if closing else name
        if name in _PARAGRAPHS:
            if name == "text" or (name == "p" and aside not in _HEADLINES):
                aside = ""  # closes an unclosed element
            for kind in ("headline", "text"):
                pieces[kind].append("")
        if name == "text" or (name in _BODIES and not has_text):
            body = "" if closing else name
    _keep(content[position:], body, aside, pieces)
    identifier = "".join(pieces["docno"]).strip() or "".join(pieces["docid"]).strip() or identifier
    paragraphs = [_without_unknown_entities(decode_entities(piece)) for piece in pieces["text"]]
    return SgmlDocument(identifier, line, [decode_entities(" ".join(pieces["headline"]))], paragraphs)


def _keep(piece: str, body: str, aside: str, pieces: dict[str, list[str]]) -> None:
    kind = "headline" if aside in _HEADLINES else aside if aside in ("docno", "docid") else ""
    if not kind and body and not aside:
        kind = "text"
    if kind:
        pieces[kind][-1] += piece


def _without_unknown_entities(text: str) -> str:
    """The text without typesetting marks of news wires, such as ``&QL;``."""
    return " ".join(word for word in text.split() if not re.match(r"&[A-Za-z]", word))
