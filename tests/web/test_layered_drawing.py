"""Layered pictures of graphs: every arrow points to the right, no elements overlap, all labels are present."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.web.layered_drawing import Edge, Node, draw


@st.composite
def graphs(draw_: st.DrawFn) -> tuple[int, list[Edge]]:
    count = draw_(st.integers(2, 12))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] < pair[1])
    result = draw_(st.lists(pairs, max_size=20, unique=True))
    labels = st.text(st.sampled_from("ab<&猫 "), max_size=6)
    return count, [Edge(source, target, draw_(labels)) for source, target in result]


@given(graphs())
def test_arrows_lead_from_left_to_right_between_nodes(graph: tuple[int, list[Edge]]) -> None:
    count, edges = graph
    svg = draw([Node(str(n)) for n in range(count)], edges, "a graph")
    places = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)]
    assert len(set(places)) == len(places) == count
    for (x, y), (other_x, other_y) in ((a, b) for a in places for b in places if a < b):
        assert abs(x - other_x) + abs(y - other_y) >= 22, "circles have a radius of 11"
    for edge in edges:
        assert places[edge.source][0] < places[edge.target][0]
    arrows = re.findall(r'<g class="arrow [^"]*"><path d="M([\d.]+) ([\d.]+)C.*?([\d.]+) ([\d.]+)"/>', svg)
    for edge, (x, y, _, to_y) in zip(edges, arrows, strict=True):
        assert (float(x) - 11, float(y)) == pytest.approx(places[edge.source])
        assert float(to_y) == places[edge.target][1]
    shown = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
    assert sorted(shown) == sorted([edge.label for edge in edges if edge.label] + [str(n) for n in range(count)])
