"""The expression of the 2006 paper's preset: every δ of ∨ is a distribution, and both systems share it."""

import math
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.reference.normalized_tiles import normalized_tiles
from widl.common.errors import InputError
from widl.decoder import Realizer
from widl.expressions import choice, enumerate_strings, tiles, word
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator
from widl.translation.tiles_expression import MOVEMENT_BASE

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]
SCORES = 4


@pytest.fixture(scope="module")
def translator(trained: Path) -> Translator:
    return Translator(trained, preset="paper-2006")


def spans_of(translator: Translator, line: str, **more: Any) -> dict[tuple[int, int], list[tuple[str, list[float]]]]:
    """Maps each span to its alternatives, (string, scores)."""
    result: dict[tuple[int, int], list[tuple[str, list[float]]]] = {}
    for piece in translator.tiles(line, TranslationOptions(preset="paper-2006", **more)):
        for begin, end, words, logs in piece.alternatives:
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
        for piece in plain.tiles(line, raw):
            for number, (begin, end, words, logs) in enumerate(piece.alternatives):
                if not piece.is_unknown(number):
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


def test_normalized_movement_sums_to_one_over_the_orders_of_each_segmentation() -> None:
    """By a list of all orders; the segmentations keep their ratios otherwise."""
    spans = {(0, 1): choice(("a", 0.5), ("x", 0.5)), (1, 2): word("b"), (2, 3): word("c"), (0, 2): word("d")}
    flat, base = tiles(3, spans, expmove=MOVEMENT_BASE), 0.6

    def movement(order: tuple[tuple[int, int], ...]) -> int:
        ends = (0, *(end for _, end in order))
        return sum(abs(begin - end) for (begin, _), end in zip(order, ends, strict=False))

    three, two = ((0, 1), (1, 2), (2, 3)), ((0, 2), (2, 3))
    sums = {one: sum(base ** movement(order) for order in permutations(one)) for one in (three, two)}
    found = {item.string: item.probability for item in enumerate_strings(normalized_tiles(flat, base, 1))}
    before = {item.string: item.probability for item in enumerate_strings(flat)}
    assert before.keys() == found.keys()
    for string, probability in found.items():
        total = sums[two if "d" in string else three]
        assert probability == pytest.approx(before[string] / total)
    with pytest.raises(InputError, match="up to 8 source words, found 9"):
        normalized_tiles(tiles(9, {(k, k + 1): word("a") for k in range(9)}, expmove=MOVEMENT_BASE), base, 1)


def test_equation_2_of_tiles_finds_the_best_translation(translator: Translator) -> None:
    """The paper's search, Figure 3 under Equation 2, of the longest begins of lines that have at most 64 different
    words; more are refused.
    """
    realizer = Realizer(translator.language_models, translator.expression_weights)
    options, lengths = TranslationOptions(preset="paper-2006"), []
    for line in LINES[:6]:
        for length in range(len(line), 2, -1):
            [flat] = translator.expressions(line[:length], options)
            try:
                found = realizer.realize_one(flat, bound="eq2")
            except InputError as error:
                assert "eq2, is for lines of up to 64 different words" in str(error)
                continue
            best = realizer.realize_one(flat, bound="loose")
            assert (best.optimal, found.optimal) == (True, True)
            assert found.score == pytest.approx(best.score, abs=1e-4)
            lengths.append(len(translator.tokens(line[:length], options)))
            break
    assert len(lengths) == 6
    assert max(lengths) > 8
    many = tiles(5, {(k, k + 1): choice(*((f"w{k}-{n}", 1 / 13) for n in range(13))) for k in range(5)}, expmove=0.5)
    with pytest.raises(InputError, match="eq2, is for lines of up to 64 different words"):
        Realizer(translator.language_models).realize_one(many, bound="eq2")
