"""An unexpected error in any stage costs one line: it passes through with its failure, and all others are printed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from widl import _core
from widl.combination import Combiner
from widl.combination.combiner import SearchedOutputs
from widl.common.workers import LocalEngine
from widl.decoder import LanguageModel, Realizer
from widl.headline import Document, Headliner
from widl.headline.clause_search import ClauseSearch
from widl.headline.headline_search import HeadlineSearch
from widl.text.segmentation import ChineseSegmenter
from widl.translation import Translator
from widl.translation.number_finder import NumberFinder
from widl.translation.number_kinds import KINDS
from widl.translation.tiling import Tiler

LINES = ["今天天气很好。", "占二十分之一的人。", "我们明天出发。", "总统访问北京。", "警方正在调查。"]
STAGES = [
    (NumberFinder, "find", "NumberFinder"),
    (ChineseSegmenter, "normalize", "normalize"),
    (ChineseSegmenter, "split", "split"),
    (Tiler, "tile", "tile"),
    (Translator, "finish", "finish"),
]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a function of a stage raise whenever its input has some text."""

    def fail(owner: object, name: str, text: str) -> None:
        original = getattr(owner, name)

        def raising(self: object, *arguments: Any, **options: Any) -> Any:
            if text in repr(arguments):
                raise ZeroDivisionError("a fault of the test")
            return original(self, *arguments, **options)

        monkeypatch.setattr(owner, name, raising)

    return fail


@pytest.mark.parametrize(("owner", "name", "named"), STAGES)
@pytest.mark.parametrize("threads", [1, 2])
def test_one_line_of_a_translation(
    trained: Path, failing: Callable[..., None], owner: object, name: str, named: str, threads: int
) -> None:
    translator = Translator(trained)
    expected = [result.text for result in translator.translate(LINES)]
    failing(owner, name, "分之" if owner is NumberFinder else "人")
    results = list(translator.translate(LINES, threads=threads))
    assert [result.text for result in results] == [*expected[:1], LINES[1], *expected[2:]]
    assert [bool(result.failure) for result in results] == [False, True, False, False, False]
    assert "ZeroDivisionError: a fault of the test" in results[1].failure
    assert "report" in results[1].failure
    assert "\n" not in results[1].failure


def test_the_failure_names_the_rule(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def _read_nonsense(match: object) -> Any:
        raise IndexError("tuple index out of range")

    kind = next(kind for kind in KINDS if kind.name == "fraction")
    monkeypatch.setattr("widl.translation.number_finder.KINDS", [type(kind)(kind.name, kind.pattern, _read_nonsense)])
    result = Translator(trained).translate_one(LINES[1])
    assert result.text == LINES[1]
    assert "widl.translation.number_kinds" in result.failure


def test_the_command_prints_all_other_lines(run: Any, trained: Path, failing: Callable[..., None]) -> None:
    _, expected, _ = run("translate", trained, "--quiet", stdin="\n".join(LINES) + "\n")
    failing(NumberFinder, "find", "分之")
    code, out, err = run("translate", trained, "--quiet", "--threads", "1", stdin="\n".join(LINES) + "\n")
    assert code == 1
    assert out.splitlines() == [*expected.splitlines()[:1], LINES[1], *expected.splitlines()[2:]]
    assert err.splitlines()[0].startswith("<stdin>:2: not translated: unexpected error in ")
    code, out, _ = run("translate", trained, "--quiet", "--json", stdin="\n".join(LINES) + "\n")
    assert [bool(json.loads(line).get("failure")) for line in out.splitlines()] == [False, True, False, False, False]


def test_a_search_that_raises(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    translator = Translator(trained)
    expected = [result.text for result in translator.translate(LINES)]
    whole = _core.Realizer.realize

    class Raising:
        """The core's realizer; it fails with the tiles of five words."""

        def realize(self, tiles: Any, *arguments: Any, **options: Any) -> Iterator[Any]:
            if any(len(each) == longest for each in tiles):
                raise RuntimeError("a fault of the test")
            return whole(translator_core, tiles, *arguments, **options)

    longest = len(translator.tokens(LINES[1]))
    assert [len(translator.tokens(line)) for line in LINES].count(longest) == 1
    translator_core = translator._realizer
    monkeypatch.setattr(translator, "_realizer", Raising())
    results = list(translator.translate(LINES))
    assert [result.text for result in results] == [*expected[:1], LINES[1], *expected[2:]]


TEXTS = [
    "The bank said on Monday that it will sell its shares.",
    "The old bridge of Paris fell on Friday, officials said.",
]


@pytest.mark.parametrize(("owner", "name"), [(HeadlineSearch, "run"), (HeadlineSearch, "headline")])
@pytest.mark.parametrize("engine", [LocalEngine(1), LocalEngine(2)])
def test_one_document_of_headlines(
    headlines: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, engine: LocalEngine
) -> None:
    if engine.threads > 1 and name == "headline":
        pytest.skip("worker processes have the package as it is")
    documents = [Document(str(number), text) for number, text in enumerate([*TEXTS, TEXTS[0]])]
    with Headliner(headlines) as headliner:
        expected = [headline.text for headline in headliner.generate(documents)]
        original = getattr(owner, name)

        def raising(self: HeadlineSearch, *arguments: Any) -> Any:
            if self.identifier == "1":
                raise KeyError("a fault of the test")
            return original(self, *arguments)

        monkeypatch.setattr(owner, name, raising)
        results = list(headliner.generate(documents, engine=LocalEngine(1)))
        assert [result.text for result in results] == [expected[0], "", expected[2]]
        assert "a fault of the test" in results[1].failure
        assert results[1].failed


def test_a_document_whose_preparation_raises(run: Any, headlines: Path, failing: Callable[..., None]) -> None:
    failing(ClauseSearch, "__init__", "bridge")
    stories = [{"id": str(number), "text": text} for number, text in enumerate([*TEXTS, TEXTS[0]])]
    lines = "".join(json.dumps(story) + "\n" for story in stories)
    code, out, err = run("headline", "generate", headlines, "--threads", "1", "--quiet", stdin=lines)
    assert code == 1
    assert [bool(line) for line in out.splitlines()] == [True, False, True]
    assert "unexpected error in " in err


def test_one_line_of_a_combination(failing: Callable[..., None]) -> None:
    lines = [["a red car", "a car"], ["the cat sat", "the cat sits"], ["x y", "x z"]]
    expected = [result.text for result in Combiner().combine(lines)]
    failing(SearchedOutputs, "combination", "")
    assert all(result.failure for result in Combiner().combine(lines))
    assert expected


def test_one_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    realizer = Realizer(LanguageModel.estimate(["the cat sat", "the dog ran"]))
    whole = Realizer._realize_batch

    def raising(self: Realizer, batch: Any, *arguments: Any) -> Any:
        if any("dog" in str(space) for space in batch):
            raise ValueError("a fault of the test")
        return whole(self, batch, *arguments)

    monkeypatch.setattr(Realizer, "_realize_batch", raising)
    results = list(realizer.realize(["∥(sat, the, cat)", "∥(dog, the)", "∥(the, cat)"]))
    assert [result.text for result in results] == ["the cat sat", "", "the cat"]
    assert "a fault of the test" in results[1].failure
