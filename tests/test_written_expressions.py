"""Expressions printed by translation and headlines: realizing them gives the same best derivation and score."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.command import refused
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer
from widl.decoder.weights import format_weights
from widl.expressions import enumerate_strings, parse_expression, tiles
from widl.headline import Document, HeadlineOptions, Headliner
from widl.headline.model import document_lines
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator
from widl.translation.search_errors import nested_against_flat
from widl.translation.tiles_expression import nested_tiles
from widl.web.recorded_searches import ExpressionSpace, SearchChoice

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:8]
UNKNOWN = "总统张光军访问魑魅市。"  # the model's table has no word for some of it
STORY = json.loads((sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[0])


@pytest.mark.parametrize("preset", ["paper-2006", None])
def test_a_translations_expression_has_the_same_best_derivation(trained: Path, preset: Any) -> None:
    translator = Translator(trained, preset=preset)
    options = TranslationOptions(preset=preset, search="astar", distortion_limit=None, reordering=False, table_limit=10)
    lm = LanguageModel.load(trained / "lm0.binary")
    realizer = Realizer([lm], translator.expression_weights)
    for line in [*LINES, UNKNOWN]:
        [expression] = translator.expressions(line, options)
        actual = translator.translate_one(line, options)
        result = realizer.realize_one(str(expression))
        assert actual.optimal
        assert result.optimal
        assert result.text.split() == [word for phrase in actual.phrases for word in phrase.words]
        assert result.score == pytest.approx(actual.score, rel=1e-7)
        space = ExpressionSpace(parse_expression(str(expression)), [lm], translator.expression_weights)
        assert space.realize(SearchChoice()).score == pytest.approx(actual.score, rel=1e-6)


def test_nested_tiles_have_the_orders_of_binary_bracketings() -> None:
    """All n! orders except those that begin at neither end: 2, 6, 22, 90 (the large Schröder numbers)."""
    for length, orders in ((2, 2), (3, 6), (4, 22), (5, 90)):
        flat = tiles(length, {(i, i + 1): "abcde"[i] for i in range(length)}, expmove=0.5)
        assert len({item.string for item in enumerate_strings(nested_tiles(flat))}) == orders
        assert len({item.string for item in enumerate_strings(flat)}) == math.factorial(length)
    with pytest.raises(InputError, match="nested tiles are for up to 8 source words, found 9"):
        nested_tiles(tiles(9, {(i, i + 1): "a" for i in range(9)}, expmove=0.5))


def test_nested_tiles_of_a_line_are_searched(trained: Path) -> None:
    translator = Translator(trained)
    realizer = Realizer([LanguageModel.load(trained / "lm0.binary")], translator.expression_weights)
    line = "警方正在调查这起事故。"
    options = TranslationOptions(table_limit=2, reordering=False)
    [flat] = translator.expressions(line, options)
    nested = nested_tiles(flat)
    strings, free = ({item.string for item in enumerate_strings(space)} for space in (nested, flat))
    assert len(strings) < len(free)
    assert strings < free
    best, every = realizer.realize_one(nested), realizer.realize_one(nested, search="bfs", nbest=100_000, distinct=True)
    assert best.optimal
    assert every.nbest_complete
    assert {candidate.text for candidate in every.nbest} == strings
    assert (best.text, best.score) == (every.text, pytest.approx(every.score))
    assert best.score <= realizer.realize_one(flat).score + 1e-9


def test_a_presets_expression_has_the_four_probabilities_of_a_tile_and_is_cut_by_span(trained: Path) -> None:
    translator = Translator(trained, preset="paper-2006")
    [expression] = translator.expressions(LINES[0])
    assert expression.components == 4
    [tiles] = translator.tiles(LINES[0])
    table = {(begin, end, tuple(words)): logs for begin, end, words, logs in tiles.alternatives}
    most = 0
    for (begin, end), argument in zip(expression.spans, expression.arguments, strict=True):
        strings = list(enumerate_strings(argument))
        most = max(most, len(strings))
        for item in strings:
            logs = table[begin, end, tuple(item.string.split())]
            assert len(logs) >= 4
    assert most <= 10
    item = TranslationOptions(table_limit=1)
    [smallest] = Translator(trained).expressions(LINES[0], item)
    assert {len(list(enumerate_strings(argument))) for argument in smallest.arguments} == {1}


@pytest.mark.parametrize("system", ["widl-paper", "widl"])
def test_a_headlines_expression_has_the_same_best_derivation(demo: Path, system: Any) -> None:
    headliner = Headliner(demo / "headlines", system=system)
    options = HeadlineOptions(system=system, search="astar", max_seconds=0, words=10)  # longer, it has a colon
    [parsed] = headliner.parse([Document("story", STORY["text"])])
    search = headliner.searchable(parsed, options)
    assert search is not None
    general = LanguageModel.load(demo / "headlines" / "general.binary")
    models = [general, LanguageModel.estimate(document_lines(parsed.document.text))]
    result = Realizer(models, headliner.expression_weights).realize_one(
        str(search.expression), words=options.words
    )
    actual = headliner.generate_one(parsed, options)
    assert actual.optimal
    assert result.optimal
    assert result.text == " ".join(actual.text.lower().split())
    assert result.score == pytest.approx(actual.score, rel=1e-7)


def test_command_line_of_translation(run: Any, demo: Path, tmp_path: Path) -> None:
    model, models, picture = demo / "model", tmp_path / "models", tmp_path / "tiles.dot"
    weights = models / "weights.toml"
    arguments = ["translate", model, "--preset", "paper-2006", "--expression", "--quiet"]
    code, out, err = run(*arguments, "--expression-models", models, "--draw", picture, stdin=LINES[0])
    assert (code, err) == (0, "")
    assert picture.exists()
    assert weights.read_text() == format_weights(Translator(model, preset="paper-2006").expression_weights)
    as_json = run(*arguments, "--json", stdin=LINES[0])[1]
    lm = model / "lm0.binary"
    realized = {run("realize", "--lm", lm, "--weights", weights, stdin=written)[1] for written in (out, as_json)}
    result = json.loads(
        run("translate", model, "--preset", "paper-2006", "--search", "astar", "--json", stdin=LINES[0])[1]
    )
    assert realized == {" ".join(word for phrase in result["phrases"] for word in phrase["words"]) + "\n"}
    assert run("enumerate", "--count", stdin=out)[0] == 0
    assert parse_expression(out.strip()) == Translator(model, preset="paper-2006").expressions(LINES[0])[0]
    line = refused(run(*arguments, "--alignment", tmp_path / "links", stdin=LINES[0]))
    assert "--expression and --draw write no translations" in line
    marked = ["--expression", "--markup", "exclusive"]
    code, out, err = run("translate", model, *marked, stdin="<zone>银行</zone>公布了报告。\n")
    assert (code, out) == (1, "\n")
    assert "<stdin>:1: an expression cannot hold zones and walls" in err


def test_command_line_of_headlines(run: Any, demo: Path, tmp_path: Path) -> None:
    model, folder = demo / "headlines", tmp_path / "models"
    story = json.dumps(STORY)
    for system in ("widl-paper", "widl"):
        arguments = ["headline", "generate", model, "--system", system, "--words", "10"]
        code, out, _ = run(*arguments, "--expression", "--expression-models", folder, stdin=story)
        assert code == 0
        assert run("lm", "estimate", folder / "1.txt", "-o", tmp_path / "1.arpa")[0] == 0
        lms = ["--lm", model / "general.binary", "--lm", tmp_path / "1.arpa", "--weights", folder / "weights.toml"]
        realized = run("realize", *lms, "--words", "10", "--json", stdin=out)[1]
        result = json.loads(run(*arguments, "--json", stdin=story)[1])
        assert json.loads(realized)["score"] == pytest.approx(result["score"], rel=1e-6)
        assert json.loads(realized)["text"] == result["text"].lower()


def test_nested_tiles_beside_flat_ones(trained: Path) -> None:
    """Only the number of short lines matters; texts and scores equal the results of single searches."""
    translator = Translator(trained, preset="paper-2006")
    options = TranslationOptions(preset="paper-2006")
    lines = [*LINES[:3], "警方调查。", "事故", ""]
    result = nested_against_flat(translator, lines, options, translator.weights)
    assert result.lines == sum(0 < len(translator.tokens(line, options)) <= 8 for line in lines) >= 2
    realizer = Realizer(translator.language_models, translator.expression_weights)
    best = realizer.realize_one(translator.expressions("警方调查。", options)[0])
    alone = nested_against_flat(translator, ["警方调查。"], options, translator.weights)
    nested = realizer.realize_one(nested_tiles(translator.expressions("警方调查。", options)[0]))
    assert (alone.lines, alone.equal) == (1, int(best.text == nested.text))
    assert alone.loss == pytest.approx(best.score - nested.score, abs=1e-6)
