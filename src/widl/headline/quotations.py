"""The quotations of a text: what stands between quotation marks, which headlines print as it stands or not at all.

Marks may be straight, curly, angled, doubled as in the Penn Treebank, single or nested. A quotation whose begin or
end is unknown is not `closed`; nobody may change its words either.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

_MARK = re.compile(r"``|''|[\"“”„‟«»‘’'`]")
_DOUBLE = frozenset({'"', "“", "”", "„", "‟", "«", "»", "``", "''"})
_BEFORE_OPENING = frozenset(" ([{-–—/:") | _DOUBLE
_ELISION = re.compile(r"(?:\d\ds?|em|til|tis|twas|n|cause|bout|round)\b", re.IGNORECASE)
"""What may follow an apostrophe: *the '90s*, *rock 'n' roll*."""

Role = Literal["opens", "closes", "either", "neither"]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation with its marks: the characters [begin, end) of a text."""

    begin: int
    end: int
    marks: tuple[int, int]
    """The lengths of its marks; 0 where one is missing."""

    @property
    def closed(self) -> bool:
        """Whether it has both marks."""
        return all(self.marks)

    @property
    def inside(self) -> tuple[int, int]:
        """The characters between the marks."""
        return self.begin + self.marks[0], self.end - self.marks[1]


@dataclass(frozen=True, slots=True)
class _Mark:
    begin: int
    end: int
    is_double: bool
    role: Role

    def __len__(self) -> int:
        return self.end - self.begin


def find_quotations(text: str) -> list[Quotation]:
    """The quotations of a paragraph, in order; nested ones are part of the outer ones.

    >>> [text[q.begin : q.end] for text in ["He said 'no' to “us”."] for q in find_quotations(text)]
    ["'no'", '“us”']
    """
    marks = [_mark(text, found) for found in _MARK.finditer(text)]
    result: list[Quotation] = []
    at = 0
    for k, mark in enumerate(marks):
        if mark.begin < at:
            continue
        found = _quotation(text, marks, k, at)
        if found is not None:
            result.append(found)
            at = found.end
    return result


def _quotation(text: str, marks: Sequence[_Mark], k: int, at: int) -> Quotation | None:
    """The quotation that a mark opens, or that it closes if its begin is unknown; `at`: the end of the last one."""
    mark = marks[k]
    if mark.role == "neither":
        return None
    if not mark.is_double:
        return _single(text, marks, k) if mark.role == "opens" else None
    if mark.role == "closes":
        inches = text[mark.begin - 1 : mark.begin].isdigit()
        return None if inches else Quotation(at, mark.end, (0, len(mark)))
    depth = 0
    for other in marks[k:]:
        if other.is_double and other.role != "neither":
            opens = other.role == "opens" and text[mark.begin] + text[other.begin] != "„“"
            depth += 1 if other is mark or opens else -1
            if depth == 0:
                return Quotation(mark.begin, other.end, (len(mark), len(other)))
    opening = (other.begin for other in marks[k + 1 :] if other.is_double and other.role == "opens")
    return Quotation(mark.begin, next(opening, len(text)), (len(mark), 0))


def _single(text: str, marks: Sequence[_Mark], k: int) -> Quotation | None:
    """The quotation that a single mark opens; None for an apostrophe.

    The mark after an *s* may be that of an owner: *'the miners' union'*. Two of these leave the end unknown.
    """
    certain: _Mark | None = None
    owners: list[_Mark] = []
    doubles = 0
    for mark in marks[k + 1 :]:
        doubles += mark.is_double
        if mark.is_double or doubles % 2:
            continue
        if mark.role == "opens":
            break
        if mark.role == "closes":
            if text[mark.begin - 1] not in "sS":
                certain = mark
                break
            owners.append(mark)
    last = certain or next(reversed(owners), None)
    if last is None:
        return None
    return Quotation(marks[k].begin, last.end, (1, int(certain is not None or len(owners) == 1)))


def _mark(text: str, found: re.Match[str]) -> _Mark:
    mark, begin, end = found[0], found.start(), found.end()
    before, after = text[begin - 1 : begin] or " ", text[end : end + 1] or " "
    is_double = mark in _DOUBLE
    return _Mark(begin, end, is_double, (_double_role if is_double else _single_role)(text, mark, before, after, end))


def _double_role(text: str, mark: str, before: str, after: str, end: int) -> Role:  # noqa: ARG001
    if mark in {"``", "„", "«", "“"}:
        return "opens"
    if mark in {"”", "»", "''"}:
        return "closes"
    opens, closes = before in _BEFORE_OPENING and after != " ", before != " " and not after.isalnum()
    return "either" if opens == closes else "opens" if opens else "closes"


def _single_role(text: str, mark: str, before: str, after: str, end: int) -> Role:
    opens = before in _BEFORE_OPENING and (after.isalnum() or after in '"“$€£…') and mark != "’"
    if opens and not (mark == "'" and _ELISION.match(text, end)):
        return "opens"
    closes = before != " " and not after.isalnum() and mark in "’'"
    return "closes" if closes else "neither"


def outside(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it stands outside of quotations."""
    at = 0
    for quotation in find_quotations(text):
        yield text[at : quotation.begin], True
        yield text[quotation.begin : quotation.end], False
        at = quotation.end
    yield text[at:], True
