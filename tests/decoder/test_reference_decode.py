"""Exact search against Moses' best scores for the same table, language model and weights."""

import gzip
import math
from collections import defaultdict
from pathlib import Path

import pytest

from tests.conftest import shared
from tests.core_options import Algorithm, search_options
from widl.decoder import CoreRealizer, LanguageModel, Tiles, Vocabulary, WeightVector
from widl.expressions import Expression

pytestmark = pytest.mark.slow

# The weights in ../shared/reference/README.md; a fifth component marks words passed through, at -100 each.
WEIGHTS = WeightVector(
    widl=[0.1, 0.2, 0.1, 0.1, 1.0],
    language_models=[0.4],
    word_count=0.5,
    phrase_count=0.2,
    distortion=0.2,
    unknown=0.0,
)
PASSED_THROUGH = math.exp(-100)
Table = dict[str, list[tuple[list[str], list[float]]]]


def source_phrases(words: list[str]) -> list[tuple[int, int, str]]:
    n = len(words)
    return [(i, j, " ".join(words[i:j])) for i in range(n) for j in range(i + 1, min(n, i + 7) + 1)]


@pytest.fixture(scope="module")
def inputs() -> list[list[str]]:
    return [line.split() for line in shared("reference/decode/input.zh").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def table(inputs: list[list[str]]) -> Table:
    needed = {phrase for words in inputs for _, _, phrase in source_phrases(words)}
    result: Table = defaultdict(list)
    with gzip.open(shared("reference/extract/phrase-table.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            source, target, scores, *_ = line.split(" ||| ")
            if source in needed:
                fe, lex_fe, ef, lex_ef = map(float, scores.split())
                result[source].append((target.split(), [fe, ef, lex_fe, lex_ef, 1.0]))
    return result


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    arpa: Path = tmp_path_factory.mktemp("lm") / "order3.arpa"
    arpa.write_bytes(gzip.decompress(shared("reference/lm/order3.arpa.gz").read_bytes()))
    return LanguageModel.load(str(arpa))


def tiles_of(words: list[str], table: Table, vocabulary: Vocabulary) -> Tiles:
    spans = []
    for begin, end, phrase in source_phrases(words):
        options = table.get(phrase, [])
        if not options and end == begin + 1:
            options = [([words[begin]], [1.0, 1.0, 1.0, 1.0, PASSED_THROUGH])]
        if options:
            targets = [Expression.lock(Expression.precedence([Expression.word(w) for w in t])) for t, _ in options]
            spans.append((begin, end, Expression.scored_disjunction(targets, [p for _, p in options])))
    return Tiles.compile(Expression.tiles(len(words), spans, movement_base=math.exp(-1)), vocabulary)


def moses_best(limit: int) -> dict[int, float]:
    """Best score of each sentence, summed from the printed features because the printed total has only 6 digits."""
    best: dict[int, float] = {}
    with gzip.open(shared(f"reference/decode/nbest.d{limit}.cube.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            number, _, features, total, *_ = line.split(" ||| ")
            f = features.replace("=", "").split()
            distortion, lm, words, phrases = (float(f[i]) for i in (1, 3, 5, 7))
            tm = [float(x) for x in f[9:13]]
            score = 0.2 * distortion + 0.4 * lm - 0.5 * words + 0.2 * phrases
            score += sum(w * x for w, x in zip((0.1, 0.1, 0.2, 0.1), tm, strict=True))
            unknown = round((score - float(total)) / 100)
            best[int(number)] = max(best.get(int(number), -math.inf), score - 100 * unknown)
    return best


# Means of the best scores without pruning, and what Moses' stacks of 100 reach.
SEARCHES = [
    (4, {"algorithm": Algorithm.astar}, -468.79302),
    (6, {"algorithm": Algorithm.astar}, -468.74100),
    (6, {"algorithm": Algorithm.stack, "stack_size": 100, "estimate_movement": False}, -468.80715),
    (4, {"algorithm": Algorithm.cube, "pop_limit": 5000}, -468.79302),
]


@pytest.mark.parametrize(("limit", "search", "mean"), SEARCHES, ids=["astar-4", "astar-6", "stack", "cube"])
def test_searches_reach_moses(
    limit: int,
    search: dict[str, object],
    mean: float,
    inputs: list[list[str]],
    table: Table,
    language_model: LanguageModel,
) -> None:
    vocabulary = Vocabulary([])
    batch = [tiles_of(words, table, vocabulary) for words in inputs]
    options = search_options(beam=0.0, distortion_limit=limit, table_limit=20, **search)
    actual = CoreRealizer(vocabulary, [language_model]).realize(batch, WEIGHTS, options, threads=2)
    scores = [result.score for result in actual]
    assert sum(scores) / len(scores) > mean - 2e-3
    if search["algorithm"] != Algorithm.stack:
        best = moses_best(limit)
        assert {i: scores[i] for i, score in best.items() if scores[i] < score - 1e-3} == {}
    if search["algorithm"] == Algorithm.astar:
        assert all(result.optimal for result in actual)
        assert sum(scores) / len(scores) == pytest.approx(mean, abs=2e-3)
