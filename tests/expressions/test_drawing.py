"""Pictures, tested by their dot sources; the program dot is not needed."""

import shutil
from pathlib import Path

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, LanguageModel, Realization, SearchRecord, Vocabulary, draw_search
from widl.expressions import Expression, bag, draw_expression, draw_graph, word, write_picture
from widl.expressions.widl_graph import widl_graph


def test_depth_is_no_obstacle_but_size_is() -> None:
    deep = word("a")
    for _ in range(5000):
        deep = Expression.lock(deep)
    assert len(widl_graph(deep).vertices) == 2 * 5001
    with pytest.raises(InputError, match="made up to 400"):
        draw_graph(deep)
    assert draw_expression(deep).source.count("->") == 400  # the last to dots


def test_labels_mean_what_they_say() -> None:
    source = draw_expression(bag(["<b>", 'a"\\n', "猫"])).source
    assert 'label="<b>"' in source
    assert 'label="a\\"\\\\n"' in source
    assert "猫" in source


def searched(expression: Expression, **options: object) -> tuple[SearchRecord | None, Realization]:
    model = LanguageModel.estimate(["the cat sat", "the cat ran", "a cat sat"], order=2)
    weights = plain_weights()
    search = search_options(**options)  # type: ignore[arg-type]
    result = CoreRealizer(Vocabulary([]), [model]).realize_expressions([expression], weights, search)[0]
    return SearchRecord.of(result), result


def test_breadth_first_search_draws_everything() -> None:
    record, result = searched(bag("sat the cat"), algorithm=Algorithm.bfs, record=100)
    picture = draw_search(record).source
    # The start, 3 first words, 3 · 2 with two words covered, and all final states are one.
    assert picture.count("tooltip=") == 1 + 3 + 6 + 1 == result.statistics.states
    assert picture.count("->") == 3 + 6 + 6
    assert picture.count("dashed") == 0
    assert picture.count("peripheries=2") == 1
    assert picture.count('penwidth="2.4"') + picture.count("penwidth=2.4") == 3
    assert f'tooltip="{" ".join(result.words)}"' in picture
    assert f"{result.score:.2f}" in picture
    assert "not drawn" not in picture


def test_what_was_left_aside_and_left_out() -> None:
    expression = bag("sat the cat a ran")
    record, result = searched(expression, algorithm=Algorithm.astar, record=1000)
    picture = draw_search(record).source
    assert picture.count("tooltip=") == result.statistics.states
    assert 0 < picture.count("dashed") < result.statistics.states
    record, result = searched(expression, algorithm=Algorithm.bfs, record=1000)
    few = draw_search(record, 10).source
    assert few.count("tooltip=") == 10
    assert few.count("#dcf5e3") == 6  # the best path
    assert f"{result.statistics.states - 10} more states" in few
    record, _ = searched(expression, algorithm=Algorithm.bfs, record=20)
    assert "further events are not drawn" in draw_search(record).source
    nothing, _ = searched(expression)
    with pytest.raises(InputError, match="nothing to draw"):
        draw_search(nothing)


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
