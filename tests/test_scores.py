"""Score is Σ λ h: the score printed by every front end is the sum of its features times their weights."""

import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.spaces import random_expression
from widl.combination import Combiner
from widl.combination.combiner import default_weights
from widl.decoder import LanguageModel, Lattice, Realizer, Scoring, order
from widl.decoder.weights import format_weights
from widl.expressions import bag, parse_expression
from widl.headline import Document, HeadlineOptions, Headliner
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:5]
UNKNOWN = ["总统张光军访问魑魅市。", "魑魅魍魉", "Фёдор 魑 3.5 %"]  # the table has no word for some of it
STORIES = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[:6]


def assert_sums(found: Any, weights: Mapping[str, float], rel: float = 1e-9) -> None:
    """For all candidates, features have the weights' names, and their weighted sum is the score."""
    assert found.nbest
    for item in found.nbest:
        require_sum(item.score, dict(item.features), weights, rel)
    record = json.loads(found.to_json())
    for item in record.get("nbest", [record]):
        require_sum(item["score"], item["features"], weights, rel)


def require_sum(score: float, features: Mapping[str, float], weights: Mapping[str, float], rel: float = 1e-9) -> None:
    assert features.keys() == weights.keys()
    parts = [weights[name] * value for name, value in features.items()]
    assert score == pytest.approx(math.fsum(parts), rel=rel, abs=rel * (1 + sum(map(abs, parts))))


@pytest.mark.parametrize("seed", range(6))
def test_of_expressions_and_lattices(seed: int) -> None:
    rng = random.Random(seed)
    models = [LanguageModel.estimate(["a b c", "c b a d"]), LanguageModel.estimate(["d c", "a a b"])]
    lambdas = {"lm0": rng.uniform(0, 2), "lm1": rng.uniform(0, 2)}
    lambdas |= {name: rng.uniform(-2, 2) for name in ("word_count", "phrase_count", "distortion")}
    for _ in range(10):
        built = random_expression(rng)
        names = ["widl"] if built.components == 1 else ["widl1", "widl2"]
        realizer = Realizer(models, lambdas | {name: rng.uniform(-2, 2) for name in names})
        for search in ("astar", "beam"):
            result = realizer.realize_one(built.text, search=search, nbest=5)
            assert_sums(result, realizer.weights_of(parse_expression(built.text)))
    arcs = [(0, 1, "a b", [-1.0, rng.random()]), (0, 1, "b", [-0.5, 2.0])]
    arcs += [(1, 2, "c", [-0.1, -3.0]), (1, 2, "", [0.0, 0.0])]
    lattice = Lattice.from_arcs(arcs, {2: [0.0, 0.5]})
    of_lattice = Realizer(models, lambdas | {"widl1": 0.3, "widl2": -1.5})
    assert_sums(of_lattice.realize_one(lattice, nbest=4), of_lattice.weights_of(lattice))


def test_of_orders_and_scorers() -> None:
    model = LanguageModel.estimate(["the cat sat on the mat", "a cat ran"])
    realizer = Realizer([model])
    for options in ({"preset": "paper-2005"}, {"nbest": 5}, {"max_states": 3}):
        [result] = order(["cat the sat mat"], model, **options)
        used = Realizer([model], preset=options.get("preset"))
        assert_sums(result, used.weights_of(bag("cat the sat mat")))
    scoring = Scoring(lambda texts: [-float(text.index("cat")) for text in texts], weight=0.7)
    [result] = realizer.realize([bag("cat the sat mat")], nbest=5, scoring=scoring)
    assert_sums(result, realizer.weights_of(bag("cat the sat mat")) | {"scorer": 0.7})


@pytest.mark.parametrize(
    ("translator", "options"),
    [
        ({}, {}),
        ({}, {"search": "astar", "distortion_limit": 3}),
        ({}, {"decoder": "stack"}),
        ({}, {"unknown": "mark"}),
        ({}, {"names": False, "segmentations": "one", "entities": "none"}),
        ({}, {"max_states": 40}),
        ({"distortion": "folded"}, {}),
        ({"preset": "paper-2006"}, {}),
        ({"preset": "paper-2006"}, {"decoder": "stack"}),
    ],
)
def test_of_translations(trained: Path, translator: dict[str, Any], options: dict[str, Any]) -> None:
    opened = Translator(trained, **translator)
    chosen = TranslationOptions(nbest=8, preset=translator.get("preset"), **options)
    lines = [*LINES, *UNKNOWN, "，".join(LINES) * 6]  # the last is cut into pieces
    results = list(opened.translate(lines, chosen))
    for result in results:
        assert_sums(result, opened.weights)
        for line in result.nbest_lines(0):
            _, _, features, score = line.split(" ||| ")[:4]
            pairs = zip(features.split()[::2], features.split()[1::2], strict=True)
            printed = {name.removesuffix("="): float(value) for name, value in pairs}
            require_sum(float(score), printed, opened.weights, 1e-7)
    if chosen.unknown == "pinyin" or translator.get("preset"):
        assert any(result.features["unknown"] > 0 for result in results)


def test_a_lattice_has_the_scores_of_its_features(trained: Path) -> None:
    for preset in (None, "paper-2006"):
        opened = Translator(trained, preset=preset)
        options = TranslationOptions(preset=preset, lattice=True, lattice_arcs=0)
        for line in (LINES[0], UNKNOWN[0]):
            result = opened.translate_one(line, options)
            assert result.lattice is not None
            vector = [opened.weights[name] for name in opened.features]
            best = [0.0] + [-math.inf] * (result.lattice.nodes - 1)
            for (start, end, *_), row in zip(result.lattice.arcs, result.lattice.features, strict=True):
                best[end] = max(best[end], best[start] + math.fsum(w * h for w, h in zip(vector, row, strict=True)))
            assert best[-1] == pytest.approx(result.score, rel=1e-9)


def test_weights_files_may_leave_the_cost_of_unknown_words_out(trained: Path, tmp_path: Path, run) -> None:
    opened = Translator(trained)
    path = tmp_path / "weights.toml"
    path.write_text(format_weights({name: w for name, w in opened.weights.items() if name != "unknown"}))
    assert Translator(trained, weights=path).weights == opened.weights | {"unknown": -100.0}
    path.write_text("widl = 0.7\nlm0 = 1.5\nword_count = 0\nphrase_count = 0\n")
    lm = trained / "lm0.binary"
    code, out, err = run("realize", "--lm", lm, "--weights", path, "--json", stdin="∥(house, ×(the white))\n")
    assert (code, err) == (0, "")
    record = json.loads(out)
    weights = {"widl": 0.7, "lm0": 1.5, "word_count": 0, "phrase_count": 0, "distortion": 1, "unknown": 0}
    require_sum(record["score"], record["features"], weights)
    path.write_text("widl = 0.7\nlm0 = 1.5\nword_count = 0\n")
    code, _, err = run("realize", "--lm", lm, "--weights", path, stdin="a\n")
    assert (code, err) == (2, f"error: {path}: no weight for phrase_count\n")


@pytest.mark.parametrize("options", [{}, {"preset": "paper-2006"}, {"letters": "capitals"}])
def test_of_headlines(headlines: Path, options: dict[str, Any]) -> None:
    opened = Headliner(headlines)
    chosen = HeadlineOptions(nbest=5, **options)
    weights = opened._weights_of[chosen.system]
    documents = [Document(str(n), json.loads(line)["text"]) for n, line in enumerate(STORIES)]
    searched = [result for result in opened.generate(documents, chosen) if result.nbest]
    assert searched
    for result in searched:
        assert_sums(result, weights)


def test_of_combinations() -> None:
    model = LanguageModel.estimate(["the cat sat on the mat", "a cat ran"])
    outputs = ["The cat sat on a mat.", "A cat sat on the mat.", "The cat sits on the big mat."]
    for models in ((), (model,)):
        weights = default_weights(3, len(models)) | {"words": -0.8, "seams": -4.0}
        combiner = Combiner(models, weights)
        for options in ({}, {"must": ("big",)}, {"without": ("mat",)}, {"skeletons": 1}):
            result = combiner.combine_one(outputs, nbest=6, **options)
            names = result.features.keys()
            # Search uses the agreement as a language model with 32-bit numbers.
            assert_sums(result, {name: weights[name] for name in names}, rel=1e-6)
            assert {name for name, weight in weights.items() if weight} <= set(names)
