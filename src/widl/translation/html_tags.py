"""Tags of HTML and the like in text: their content stays between them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from widl.translation.line_parts import Edge, Part

_ATTRIBUTE = r"""\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))?"""
TAG = rf"<(?P<closing>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]*)(?:{_ATTRIBUTE})*\s*(?P<empty>/?)>"
_TAG = re.compile(TAG)


def with_zones(parts: Sequence[Part]) -> list[Part]:
    """The parts, with a zone for each pair of tags, whose walls keep the tags at both ends.

    >>> parts = with_zones([Part(tokens=(tag,)) for tag in ("<b>", "</b>", "</i>")])
    >>> [part.edge.value if part.edge else part.tokens[0] for part in parts]
    ['zone begins', '<b>', 'wall', 'wall', '</b>', 'zone ends', '</i>']
    """
    before: dict[int, list[Edge]] = {}
    after: dict[int, list[Edge]] = {}
    for opening, closing in _pairs(parts):
        before[opening], after[opening] = [Edge.ZONE_BEGINS], [Edge.WALL]
        before[closing], after[closing] = [Edge.WALL], [Edge.ZONE_ENDS]
    result: list[Part] = []
    for i, part in enumerate(parts):
        result += [Part(edge=edge) for edge in before.get(i, ())]
        result.append(part)
        result += [Part(edge=edge) for edge in after.get(i, ())]
    return result


def _pairs(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Matching opening and closing tags, within the same zone of the user's markup."""
    # A stack with an entry per open zone: its unmatched tags, and how many have names.
    open_tags: list[tuple[list[tuple[str, int]], Counter[str]]] = [([], Counter())]
    for i, part in enumerate(parts):
        if part.edge is Edge.ZONE_BEGINS:
            open_tags.append(([], Counter()))
        elif part.edge is Edge.ZONE_ENDS:
            open_tags.pop()
        elif part.tokens and (tag := _TAG.fullmatch(" ".join(part.tokens))):
            zone_tags, names = open_tags[-1]
            name = tag["name"]
            if not tag["closing"]:
                if not tag["empty"]:
                    zone_tags.append((name, i))
                    names[name] += 1
                continue
            if names[name]:
                opened = ""
                while opened != name:  # tags opened in between are never closed
                    opened, place = zone_tags.pop()
                    names[opened] -= 1
                yield place, i
