"""The expression of the 2006 paper's preset: every δ of ∨ is a distribution, and both systems share it."""

import math
from pathlib import Path
from typing import Any

import pytest

from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]
SCORES = 4


@pytest.fixture(scope="module")
def translator(trained: Path) -> Translator:
    return Translator(trained, preset="paper-2006")


def spans_of(translator: Translator, line: str, **more: Any) -> dict[tuple[int, int], list[tuple[str, list[float]]]]:
    """Maps each span to its alternatives, (string, scores)."""
    result: dict[tuple[int, int], list[tuple[str, list[float]]]] = {}
    for tiles in translator.tiles(line, TranslationOptions(preset="paper-2006", **more)):
        for begin, end, words, logs in tiles.alternatives:
            result.setdefault((begin, end), []).append((" ".join(words), [math.exp(log) for log in logs[:SCORES]]))
    return result


@pytest.mark.parametrize("rules", [{}, {"entities": "constraint", "names": True}], ids=["table", "rules"])
def test_every_component_of_a_tile_sums_to_one(translator: Translator, rules: dict[str, Any]) -> None:
    sizes = []
    for line in [*LINES, "2019年3月5日，总统张光军说，石油价格上涨了百分之二十。"]:
        for options in spans_of(translator, line, **rules).values():
            sizes.append(len(options))
            for component in range(SCORES):
                assert sum(scores[component] for _, scores in options) == pytest.approx(1, abs=1e-4)
    assert max(sizes) == 10


def test_tiles_have_the_ten_most_probable_options_within_the_beam(translator: Translator, trained: Path) -> None:
    """Compares with the table's scores: the beam is relative to the best p(e|f), the ten best are kept, ratios stay."""
    plain = Translator(trained)
    raw = TranslationOptions(
        table_limit=0, table_threshold=0.0, names=False, entities="none", segmentations="one", unknown="copy"
    )
    full = 0
    for line in LINES:
        table: dict[tuple[int, int], dict[str, list[float]]] = {}
        for tiles in plain.tiles(line, raw):
            for number, (begin, end, words, logs) in enumerate(tiles.alternatives):
                if not tiles.is_unknown(number):
                    table.setdefault((begin, end), {})[" ".join(words)] = [math.exp(log) for log in logs[:SCORES]]
        for span, options in spans_of(translator, line).items():
            if span not in table:
                continue
            direct = sorted((scores[1] for scores in table[span].values()), reverse=True)
            target = [p for p in direct if p >= 0.01 * direct[0] * (1 - 1e-5)][:10]
            remaining = [table[span][text] for text, _ in options]
            full += len(direct) > 10
            assert sorted((scores[1] for scores in remaining), reverse=True) == pytest.approx(target)
            for component in range(SCORES):
                total = sum(scores[component] for scores in remaining)
                expected = [scores[component] / total for scores in remaining]
                assert [scores[component] for _, scores in options] == pytest.approx(expected, rel=1e-4)
    assert full > 0


def test_both_systems_search_the_same_expression_under_any_weights(translator: Translator) -> None:
    """The tiles are independent of weights and search, and all of their options take part."""
    uneven = translator.reweighted(translator.weights | {"lm0": 3.0, "p_ef": 0.01, "word_count": -2.0})
    for line in LINES:
        first, *others = (
            spans_of(item, line, decoder=decoder) for item in (translator, uneven) for decoder in ("widl", "stack")
        )
        assert all(result == first for result in others)
    every = TranslationOptions(preset="paper-2006", search="astar", nbest=100_000, distinct=False)
    lists = [{item.text for item in system.translate_one(LINES[0][:3], every).nbest} for system in (translator, uneven)]
    assert lists[0] == lists[1]
    assert len(lists[0]) > 1
