"""Examples from Soricut & Marcu (2005, 2006), as printed."""

import pytest

from widl.expressions import count_derivations, enumerate_strings, parse_expression
from widl.expressions.enumeration import ShuffleCount
from widl.expressions.widl_graph import widl_graph


def distribution(text: str, shuffle_count: ShuffleCount = "normalized") -> dict[str, float]:
    result = enumerate_strings(parse_expression(text), shuffle_count=shuffle_count)
    return {item.string: item.probability for item in result}


def test_idl_expression_1() -> None:
    result = distribution("∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)")
    assert len(result) == 8
    assert set(result) >= {
        "finally the prisoners were released",
        "the captives finally were released",
        "the prisoners were finally released",
    }
    assert not set(result) & {
        "the finally captives were released",
        "the prisoners were released",
        "finally the captives released were",
    }
    assert set(result.values()) == {0.125}


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("∨{0.8, 0.2}(a, b)", {"a": 0.8, "b": 0.2}),
        ("∨{0.8, 0.2}(a, b) · ∨{0.6, 0.4}(c, d)", {"a c": 0.48, "a d": 0.32, "b c": 0.12, "b d": 0.08}),
        ("∥{1 2: 0.80, perms: 0.15, shuffles: 0.05}(a · b, c)", {"a b c": 0.80, "c a b": 0.15, "a c b": 0.05}),
        ("∥{1 2: 0.80, perms: 0.20}(×(a · b), c)", {"a b c": 0.80, "c a b": 0.20}),
    ],
)
def test_operators(text: str, strings: dict[str, float]) -> None:
    assert distribution(text) == strings


FIGURE_1 = """∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}(×(turkish · government),
    ∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"""


def test_figure_1_normalized() -> None:
    result = distribution(FIGURE_1)
    assert result["rebels fighting turkish government in iraq"] == 0.2 * 0.65 == 0.130
    assert result["in iraq attacked rebels turkish government"] == pytest.approx(0.7 / 5 * 0.35)  # 0.049
    assert result["in turkish government iraq rebels fighting"] == pytest.approx(0.1 / 6 * 0.65)  # 0.0108
    assert sum(result.values()) == pytest.approx(1)
    # 2 choices of 3! permutations and of 4!/2! - 3! = 6 shuffles
    assert len(result) == count_derivations(parse_expression(FIGURE_1)) == 2 * (6 + 6)


def test_figure_1_as_printed() -> None:
    result = distribution(FIGURE_1, "paper")
    assert f"{result['rebels fighting turkish government in iraq']:.3f}" == "0.130"
    assert f"{result['in iraq attacked rebels turkish government']:.3f}" == "0.049"
    # 0.1 divided by the 12 shuffles of both choices together, times 0.65
    assert result["in turkish government iraq rebels fighting"] == pytest.approx(0.1 / 12 * 0.65)
    assert f"{result['in turkish government iraq rebels fighting']:.3f}" == "0.005"
    assert sum(result.values()) == pytest.approx(0.95)


def test_figure_6() -> None:
    result = enumerate_strings(
        parse_expression(
            "∥{expmove: 0.5}(∨{0.35 0.03 0.19 0.25, 0.35 0.10 0.32 0.36, 0.30 0.87 0.49 0.39}"
            "(gunman, ×(the · gunmen), gunmen), ×(by · police))"
        )
    )
    scores = {item.string: item.probabilities for item in result}
    assert scores["gunman by police"] == (0.35, 0.03, 0.19, 0.25)
    # from 0 to 1, from 2 back to 0: movement 3
    assert scores["by police the gunmen"] == pytest.approx([p * 0.5**3 for p in (0.35, 0.10, 0.32, 0.36)])


FIGURE_1_OF_2005 = """
vs ⊢ v0; v0 finally v1; v1 ⊣ ve; vs ⊢ v2; v20 ⊣ ve
v2 ε v3; v3 ε v4; v4 the v5; v5 ε v6; v6 prisoners v7; v7 ε v8; v8 ε v15
v2 ε v9; v9 ε v10; v10 the v11; v11 ε v12; v12 captives v13; v13 ε v14; v14 ε v15
v15 ε v16; v16 were v17; v17 ε v18; v18 released v19; v19 ε v20
"""
"""The edges by the names that Figure 3 uses. The figure has these 23 names, seven words and 13 ε."""
FIGURE_2A_OF_2006 = """
vs ⊢ v0; v0 ε v1; v1 turkish v2; v2 ε v3; v3 government v4; v4 ε v5; v5 ⊣ ve
vs ⊢ v6; v6 0.35 v7; v6 0.65 v13; v12 ε v19; v18 ε v19; v19 ⊣ ve
v7 ε v8; v8 attacked v9; v9 ε v10; v10 rebels v11; v11 ε v12
v13 ε v14; v14 rebels v15; v15 ε v16; v16 fighting v17; v17 ε v18
vs ⊢ v20; v20 in v21; v21 ε v22; v22 iraq v23; v23 ⊣ ve
"""
"""The edges that Section 2.2 names, with those between them. Of ∨ it has ( and ) with indices, here probabilities."""


@pytest.mark.parametrize(
    ("text", "edges", "locked"),
    [
        ("∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)", FIGURE_1_OF_2005, 8),
        (
            "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
            "(×(turkish · government), ∨{0.35, 0.65}(×(attacked · rebels), ×(rebels · fighting)), in · iraq)",
            FIGURE_2A_OF_2006,
            12,
        ),
    ],
    ids=["2005", "2006"],
)
def test_edges_of_the_graphs_that_the_papers_draw(text: str, edges: str, locked: int) -> None:
    """Vertices' names, kinds and labels of edges, and which vertices they connect; eight of rank 1, and four a lock."""
    graph = widl_graph(text, ends="finally" in text)
    of_a_choice = {"0.35", "0.65"}

    def label(kind: str, text: str) -> str:
        return text if kind == "word" or text in of_a_choice else kind

    found = {(graph.name(e.source), label(e.kind.value, e.label), graph.name(e.target)) for e in graph.edges}
    expected = [tuple(edge.split()) for edge in edges.replace("\n", ";").split(";") if edge]
    assert len(graph.edges) == len(expected)
    assert found == set(expected)
    assert sum(vertex.rank == 1 for vertex in graph.vertices) == locked
