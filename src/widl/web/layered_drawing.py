"""Pictures of acyclic graphs, with nodes in layers from left to right; needs no other program."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean

MAX_NODES = 80
"""Larger pictures are unreadable."""
_ROW, _RADIUS, _LETTER, _LINE, _MIN_GAP = 56, 11, 7.2, 13, 40
_SWEEPS = 6
_SHARES = tuple(step / 50 for step in range(6, 45))
"""Positions along an arrow where its label may be placed."""


@dataclass(frozen=True)
class Node:
    """A circle with a short label."""

    label: str
    title: str = ""
    kind: str = ""
    """Its class in the style sheet."""


@dataclass(frozen=True)
class Edge:
    """An arrow between nodes, which are numbered from 0."""

    source: int
    target: int
    label: str = ""
    """Label of one or several lines."""
    kind: str = ""


def draw(nodes: Sequence[Node], edges: Sequence[Edge], label: str) -> str:
    """An SVG of an acyclic graph; long edges run through the intermediate layers (Sugiyama et al. 1981)."""
    ranks = _ranks(len(nodes), edges)
    rank = list(ranks)
    chains: list[list[int]] = []
    for edge in edges:
        chain = [edge.source]
        for between in range(ranks[edge.source] + 1, ranks[edge.target]):
            chain.append(len(rank))
            rank.append(between)
        chains.append([*chain, edge.target])
    rows = _rows(rank, chains)
    height = (max(rows, default=0) + 1) * _ROW
    lefts = _columns(ranks, edges, height)
    place = [(lefts[r], (row + 0.5) * _ROW) for r, row in zip(rank, rows, strict=True)]
    routes = [[place[n] for n in chain] for chain in chains]
    labels = _label_places(edges, routes, place[: len(nodes)])
    width = lefts[-1] + 2 * _RADIUS
    parts = [
        f'<svg width="{width + 2 * _RADIUS:.0f}" height="{height:.0f}" role="img" aria-label="{escape(label)}" '
        f'viewBox="{-2 * _RADIUS} 0 {width + 2 * _RADIUS:.0f} {height:.0f}">'
    ]
    parts += [_arrow(edge, route, at) for edge, route, at in zip(edges, routes, labels, strict=True)]
    parts += [_circle(node, *place[n]) for n, node in enumerate(nodes)]
    return "".join([*parts, "</svg>"])


_Point = tuple[float, float]
_Box = tuple[float, float, float, float]
"""Middle, width and height."""


def _label_places(edges: Sequence[Edge], routes: Sequence[Sequence[_Point]], nodes: Sequence[_Point]) -> list[_Point]:
    """For each label, the point on its arrow where it covers the least of nodes and earlier labels.

    Ties go to the point nearest to the middle, which shifts toward the end that the arrow does not share with others.
    Horizontal arrows come first: other arrows have more room above and below.
    """
    leaving, arriving = Counter(edge.source for edge in edges), Counter(edge.target for edge in edges)
    taken: list[_Box] = [(x, y, 2 * _RADIUS, 2 * _RADIUS) for x, y in nodes]
    places = [(0.0, 0.0)] * len(edges)
    for number in sorted(range(len(edges)), key=lambda n: abs(routes[n][1][1] - routes[n][0][1])):
        edge, route = edges[number], routes[number]
        middle = 0.5 + 0.16 * ((leaving[edge.source] > 1) - (arriving[edge.target] > 1))
        lines = edge.label.split("\n")
        width, height = max(map(len, lines)) * _LETTER, len(lines) * _LINE
        shares = sorted(_SHARES, key=lambda share, at=middle: abs(share - at))  # type: ignore[misc]
        points = [_on_arrow(route, share) for share in shares]
        boxes = [(x, y + height / 2 - _LINE * 5 / 6, width, height) for x, y in points]
        hidden = [sum(_overlap(box, other) for other in taken) for box in boxes]
        chosen = hidden.index(min(hidden))
        places[number] = points[chosen]
        taken.append(boxes[chosen])
    return places


def _overlap(first: _Box, other: _Box) -> float:
    """The overlap area of two rectangles."""
    width, height = ((first[k + 2] + other[k + 2]) / 2 - abs(first[k] - other[k]) for k in (0, 1))
    return max(width, 0.0) * max(height, 0.0)


def _on_arrow(route: Sequence[_Point], share: float) -> _Point:
    """A point at the first part of an arrow, a little above it."""
    (x, y), (next_x, next_y) = route[0], route[1]
    return x + share * (next_x - x), y + (3 * share**2 - 2 * share**3) * (next_y - y) - 4  # of the curve, nearly


def _ranks(count: int, edges: Sequence[Edge]) -> list[int]:
    """Length of the longest path to each node."""
    ranks, waiting = [0] * count, [0] * count
    for edge in edges:
        waiting[edge.target] += 1
    ready = [n for n in range(count) if not waiting[n]]
    for n in ready:  # grows
        for edge in edges:
            if edge.source != n:
                continue
            ranks[edge.target] = max(ranks[edge.target], ranks[n] + 1)
            waiting[edge.target] -= 1
            if not waiting[edge.target]:
                ready.append(edge.target)
    return ranks


def _rows(rank: Sequence[int], chains: Sequence[Sequence[int]]) -> list[float]:
    """Row of each node, including those on long edges; each layer is sorted by the median of the neighbors."""
    layers: list[list[int]] = [[] for _ in range(max(rank, default=0) + 1)]
    for n, r in enumerate(rank):
        layers[r].append(n)
    before: list[list[int]] = [[] for _ in rank]
    behind: list[list[int]] = [[] for _ in rank]
    for chain in chains:
        for a, b in itertools.pairwise(chain):
            before[b].append(a)
            behind[a].append(b)
    tallest = max(map(len, layers))
    row = [0.0] * len(rank)

    def settle(layer: list[int]) -> None:
        for at, n in enumerate(layer):
            row[n] = at + (tallest - len(layer)) / 2

    for layer in layers:
        settle(layer)
    for sweep in range(_SWEEPS):
        neighbors, order = (before, layers) if sweep % 2 == 0 else (behind, layers[::-1])
        for layer in order:
            middle = {n: fmean(row[m] for m in neighbors[n]) if neighbors[n] else row[n] for n in layer}
            layer.sort(key=middle.__getitem__)
            settle(layer)
    return row


def _columns(ranks: Sequence[int], edges: Sequence[Edge], height: float) -> list[float]:
    """Positions of the nodes of each layer; labels fit between layers, and fill at most a quarter of that area."""
    outgoing = Counter(edge.source for edge in edges)
    gaps = [float(_MIN_GAP)] * max(ranks, default=0)
    areas = [0.0] * len(gaps)
    for edge in edges:
        lines = edge.label.split("\n")
        begin, longest = ranks[edge.source], max(map(len, lines)) * _LETTER
        gaps[begin] = max(gaps[begin], longest * (1 + 0.25 * outgoing[edge.source]) + 20)
        areas[begin] += longest * len(lines) * _LINE
    gaps = [max(gap, 4 * area / height) for gap, area in zip(gaps, areas, strict=True)]
    lefts = [float(_RADIUS)]
    for gap in gaps:
        lefts.append(lefts[-1] + gap + 2 * _RADIUS)
    return lefts


def _arrow(edge: Edge, places: Sequence[_Point], label_at: _Point) -> str:
    (x, y), path = places[0], ""
    for k, (to_x, to_y) in enumerate(places[1:], 1):
        begin = x + (_RADIUS if k == 1 else 0)
        end = to_x - (_RADIUS + 4 if k + 1 == len(places) else 0)
        middle = (begin + end) / 2
        path += f"{'M' if k == 1 else 'L'}{begin:.1f} {y:.1f}"
        path += f"C{middle:.1f} {y:.1f} {middle:.1f} {to_y:.1f} {end:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    tip = f"M{x - _RADIUS - 6:.1f} {y - 3:.1f}L{x - _RADIUS:.1f} {y:.1f}L{x - _RADIUS - 6:.1f} {y + 3:.1f}Z"
    text = ""
    if edge.label:
        at_x, at_y = label_at
        for line, label in enumerate(edge.label.split("\n")):
            text += f'<text x="{at_x:.1f}" y="{at_y + line * _LINE:.1f}" text-anchor="middle">{escape(label)}</text>'
    return f'<g class="arrow {edge.kind}"><path d="{path}"/><path class="tip" d="{tip}"/>{text}</g>'


def _circle(node: Node, x: float, y: float) -> str:
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS + 3}"/>' if "final" in node.kind else ""
    return (
        f'<g class="node {node.kind}">{ring}<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}">'
        f"<title>{escape(node.title or node.label)}</title></circle>"
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle">{escape(node.label)}</text></g>'
    )
