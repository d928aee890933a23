"""Pictures, by their dot sources; none needs the program dot."""

import shutil
from pathlib import Path

import pytest

from tests.core_options import Algorithm, search_options
from widl.common.errors import InputError
from widl.decoder import (
    CoreRealizer,
    Expression,
    FeatureLayout,
    Realization,
    SearchRecord,
    Vocabulary,
    WeightVector,
    bag,
    choice,
    draw_expression,
    draw_graph,
    draw_search,
    language_model_from_lines,
    lock,
    parse_expression,
    tiles,
    word,
    write_picture,
)
from widl.decoder.widl_graph import EdgeKind, widl_graph

FIGURE_1 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"
)


def test_graph_of_figure_1() -> None:
    """Two vertices for each of the 8 words, 3 locks, ∨ and ∥; ε: 4 of ·, 2 for each lock, 2 for each branch."""
    graph = widl_graph(parse_expression(FIGURE_1))
    assert len(graph.vertices) == 2 * (8 + 3 + 1 + 1)
    kinds = [graph.count(kind) for kind in (EdgeKind.word, EdgeKind.epsilon, EdgeKind.fork, EdgeKind.join)]
    assert kinds == [8, 4 + 6 + 4, 3, 3]
    assert sum(vertex.rank for vertex in graph.vertices) == 3 * 4  # all words in locks
    source = draw_graph(parse_expression(FIGURE_1)).source
    assert source.count("->") == sum(kinds)
    assert source.count("subgraph cluster_") == 3
    assert all(label in source for label in ("turkish", "ε 0.65", "ε 0.35", "⊢", "⊣"))


def test_locks_in_locks_and_tiles() -> None:
    graph = widl_graph(lock(lock("a"), bag("b c")))
    assert graph.ranks == [0, 1, 2]
    assert graph.lock_parents == [0, 0, 1]
    inner = draw_graph(lock(lock("a"), "b")).source
    assert inner.index("cluster_1") < inner.index("cluster_2")
    tiled = widl_graph(tiles(2, {(0, 1): "a", (1, 2): "b", (0, 2): lock("c d")}, expmove=0.5))
    assert tiled.count(EdgeKind.tile) == 6
    assert {edge.label for edge in tiled.edges if edge.kind == EdgeKind.tile} == {"0-1", "1-2", "0-2", ""}


def test_depth_is_no_obstacle_but_size_is() -> None:
    deep = word("a")
    for _ in range(5000):
        deep = Expression.lock(deep)
    assert len(widl_graph(deep).vertices) == 2 * 5001
    with pytest.raises(InputError, match="made up to 400"):
        draw_graph(deep)
    assert draw_expression(deep).source.count("->") == 400  # the last to dots


def test_tree_of_figure_1() -> None:
    source = draw_expression(parse_expression(FIGURE_1)).source
    assert source.count("->") == 16  # 17 nodes written out
    assert "label=0.65" in source
    assert source.count("label=rebels") == 2


def test_labels_mean_what_they_say() -> None:
    source = draw_expression(bag(["<b>", 'a"\\n', "猫"])).source
    assert 'label="<b>"' in source
    assert 'label="a\\"\\\\n"' in source
    assert "猫" in source


def searched(expression: Expression, **options: object) -> tuple[SearchRecord | None, Realization]:
    model = language_model_from_lines(["the cat sat", "the cat ran", "a cat sat"], order=2)
    layout = FeatureLayout.of(["widl"], 1)
    weights = WeightVector(
        widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=0.0, unknown=0.0
    )
    search = search_options(**options)  # type: ignore[arg-type]
    found = CoreRealizer(Vocabulary([]), [model]).realize_expressions([expression], weights, search)[0]
    return SearchRecord.of(found, layout), found


def test_breadth_first_search_draws_everything() -> None:
    record, found = searched(bag("sat the cat"), algorithm=Algorithm.bfs, record=100)
    picture = draw_search(record).source
    # The start, 3 first words, 3 · 2 with two words covered, and all final states are one.
    assert picture.count("tooltip=") == 1 + 3 + 6 + 1 == found.statistics.states
    assert picture.count("->") == 3 + 6 + 6
    assert picture.count("dashed") == 0
    assert picture.count("peripheries=2") == 1
    assert picture.count('penwidth="2.4"') + picture.count("penwidth=2.4") == 3
    assert f'tooltip="{" ".join(found.words)}"' in picture
    assert f"{found.score:.2f}" in picture
    assert "not drawn" not in picture


def test_what_was_left_aside_and_left_out() -> None:
    expression = bag("sat the cat a ran")
    record, found = searched(expression, algorithm=Algorithm.astar, record=1000)
    picture = draw_search(record).source
    assert picture.count("tooltip=") == found.statistics.states
    assert 0 < picture.count("dashed") < found.statistics.states
    record, found = searched(expression, algorithm=Algorithm.bfs, record=1000)
    few = draw_search(record, 10).source
    assert few.count("tooltip=") == 10
    assert few.count("#dcf5e3") == 6  # the best path
    assert f"{found.statistics.states - 10} more states" in few
    record, _ = searched(expression, algorithm=Algorithm.bfs, record=20)
    assert "further events are not drawn" in draw_search(record).source
    nothing, _ = searched(expression)
    with pytest.raises(InputError, match="nothing to draw"):
        draw_search(nothing)


def test_tiles_are_drawn_too() -> None:
    either = choice((lock("the cat"), 0.9), ("a", 0.5), scores=True)
    record, found = searched(tiles(2, {(0, 1): either, (1, 2): "sat"}, expmove=0.5), record=200)
    picture = draw_search(record).source
    assert "the cat" in picture
    assert f'tooltip="{" ".join(found.words)}"' in picture


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw_expression(bag("a b"))
    assert write_picture(picture, tmp_path / "x.dot") == tmp_path / "x.dot"
    assert (tmp_path / "x.dot").read_text("utf-8") == picture.source
    with pytest.raises(InputError, match=r"x\.txt: the name of a picture ends in \.svg"):
        write_picture(picture, tmp_path / "x.txt")
    if shutil.which("dot"):
        assert write_picture(picture, tmp_path / "x.svg").read_text("utf-8").startswith("<?xml")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert write_picture(picture, tmp_path / "y.svg") == tmp_path / "y.dot"
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith("y")) == ["y.dot"]
