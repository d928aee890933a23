"""Clauses in their order, and quotations and brackets in one piece: walls and zones at punctuation marks."""

from collections.abc import Iterator
from dataclasses import replace

from widl.translation.sentence import Sentence

_SENTENCE_ENDS = frozenset("。！？….!?")
_CLAUSE_ENDS = frozenset("，；：,;:") | _SENTENCE_ENDS
_PAIRS = {"“": "”", "（": "）", "(": ")", "《": "》", "[": "]", "【": "】"}
_CLOSING = frozenset(_PAIRS.values())
_LONGEST_ZONE = 20


def in_clause_order(sentence: Sentence) -> Sentence:
    """The sentence with walls behind its clauses, and a zone for each quotation or bracket of up to 20 tokens.

    A wall in front of the last full stop keeps it last. What markup says goes first.

    >>> marked = in_clause_order(Sentence(tuple("甲，“乙丙”丁。")))
    >>> marked.walls, marked.zones
    ((2, 7), ((2, 6),))
    """
    zones = [*sentence.zones, *(zone for zone in _enclosed(sentence.tokens) if _fits(zone, sentence))]
    within = _spans(sentence)
    walls = {wall for wall in _walls(sentence.tokens) if not any(begin < wall < end for begin, end in within)}
    return replace(sentence, zones=tuple(zones), walls=tuple(sorted(walls.union(sentence.walls))))


def _walls(tokens: tuple[str, ...]) -> Iterator[int]:
    size = len(tokens)
    for i, token in enumerate(tokens):
        if token in _CLAUSE_ENDS:
            end = i + 1
            while end < size and tokens[end] in _CLOSING | _CLAUSE_ENDS:
                end += 1
            if end < size:
                yield end
    last = size
    while last > 0 and tokens[last - 1] in _CLOSING | _SENTENCE_ENDS:
        last -= 1
    yield from [i for i in range(max(last, 1), size) if tokens[i] in _SENTENCE_ENDS][:1]


def _enclosed(tokens: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Marks that belong together with what they enclose; those that cross others have no partners."""
    opened: list[tuple[str, int]] = []
    for i, token in enumerate(tokens):
        is_quote = token == '"'
        closes = [n for n, (mark, _) in enumerate(opened) if token == (mark if is_quote else _PAIRS.get(mark))]
        if closes:
            begin = opened[closes[-1]][1]
            del opened[closes[-1] :]
            if 2 < i + 1 - begin <= _LONGEST_ZONE:
                yield begin, i + 1
        elif is_quote or token in _PAIRS:
            opened.append((token, i))


def _spans(sentence: Sentence) -> list[tuple[int, int]]:
    """What must stay in one piece."""
    return [*((span.begin, span.end) for span in sentence.given), *sentence.longer]


def _fits(zone: tuple[int, int], sentence: Sentence) -> bool:
    """Whether it crosses no other zone, parts no given span, and takes no wall of the line's into itself."""
    begin, end = zone
    return (
        not any(one < edge < other for one, other in _spans(sentence) for edge in zone)
        and not any(one < begin < other < end or begin < one < end < other for one, other in sentence.zones)
        and not any(begin < wall < end for wall in sentence.walls)
    )
