"""Statistics of each search on fixed inputs, state by state: detects unintended changes of a search.

`pytest tests/decoder/test_golden_search.py --update-golden` updates the statistics; the reason for changes belongs in
CHANGELOG.
"""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.core_options import Algorithm, search_options
from widl import parse
from widl._core import Bound, Realization, Tiles, Vocabulary, WeightVector
from widl.decoder import CoreRealizer, LanguageModel
from widl.expressions import Expression

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden" / "search.json"

WORDS = "the a club band court city won lost plays asks held on in match match song case friday today".split()
LINES = [
    "the club won the match on friday", "the band plays a song in the city today", "a court asks the city",
    "the club lost a match", "today the court held the case", "on friday the band plays", "the city asks the club",
    "a song a song", "the case in the court on friday", "the match the club won today", "held in the city on friday",
]  # fmt: skip
VOCABULARY = Vocabulary(WORDS)
MODELS = [LanguageModel.estimate(LINES), LanguageModel.estimate([*LINES[5:], "won on friday"], order=2)]

EXPRESSIONS = {
    "bag": "∥(the, club, won, a, match, on, friday)",
    "choices": "∥(∨(the, a), ∨(club, band, ×(the court)), ∨(won, lost), match, ∨(on, in), friday)",
    "nested": "∥(×(the ∨(club, band)), ∨(won, ×(plays ∥(a, song))), ×(on friday), ∥(in, ×(the city)))",
    "sequence": "∨(the, a) ∨(club, band, court) ∨(won, lost, plays, asks) ∥(the, ∨(match, song), today)",
}

SEARCHES: dict[str, dict[str, object]] = {
    "bfs": {"algorithm": Algorithm.bfs},
    "astar": {"algorithm": Algorithm.astar},
    "astar 5-best": {"algorithm": Algorithm.astar, "nbest": 5},
    "astar static": {"algorithm": Algorithm.astar, "bound": Bound.static},
    "astar context": {"algorithm": Algorithm.astar, "bound": Bound.context},
    "astar-1": {"algorithm": Algorithm.astar_k, "lookback": 1},
    "beam": {"algorithm": Algorithm.beam, "beam": 0.05, "beam_size": 20},
    "beam 11 words": {"algorithm": Algorithm.beam, "beam": 0.01, "max_words": 11},
}  # fmt: skip
LAYERED: dict[str, dict[str, object]] = {
    "stack": {"algorithm": Algorithm.stack, "beam": 0.001, "beam_size": 10},
    "cube": {"algorithm": Algorithm.cube, "beam": 0.0, "pop_limit": 15},
    "cube 5-best": {"algorithm": Algorithm.cube, "beam": 0.0, "pop_limit": 40, "nbest": 5},
}


def weights(components: int) -> WeightVector:
    return WeightVector(
        widl=[0.7] * components, language_models=[1.0, 0.4], word_count=0.3, phrase_count=-0.2, distortion=0.5,
        unknown=-1.0,
    )  # fmt: skip


def tiles(length: int, seed: int) -> Tiles:
    """A few translations for every span of at most three positions."""
    rng = random.Random(seed)
    contents = []
    for begin in range(length):
        for end in range(begin + 1, min(begin + 3, length) + 1):
            if end > begin + 1 and rng.random() < 0.4:
                continue
            phrases = [rng.choices(WORDS, k=rng.randint(1, 3)) for _ in range(3)]
            locked = [
                Expression.lock(Expression.precedence([Expression.word(w) for w in phrase])) for phrase in phrases
            ]
            scores = [[2.0 ** -rng.randint(0, 6), 2.0 ** -rng.randint(0, 6)] for _ in phrases]
            contents.append((begin, end, Expression.scored_disjunction(locked, scores)))
    return Tiles.compile(Expression.tiles(length, contents, movement_base=0.9), VOCABULARY)


def results() -> Iterator[tuple[str, Realization]]:
    realizer = CoreRealizer(VOCABULARY, MODELS)
    for name, text in EXPRESSIONS.items():
        for search, options in (SEARCHES | LAYERED).items():
            [result] = realizer.realize_expressions([parse(text)], weights(1), search_options(**options))  # type: ignore[arg-type]
            yield f"{name}: {search}", result
    for limit in (-1, 2):
        for length, seed in ((6, 1), (9, 2)):
            for search, options in (SEARCHES | LAYERED).items():
                if "max_words" in options or (search == "bfs" and length > 6):
                    continue
                asked = search_options(distortion_limit=limit, **options)  # type: ignore[arg-type]
                [result] = realizer.realize([tiles(length, seed)], weights(2), asked)
                yield f"{length} tiles, limit {limit}: {search}", result


def record(found: Realization) -> dict[str, object]:
    statistics = found.statistics
    return {
        "words": " ".join(found.words), "score": round(found.score, 9), "bound": round(found.bound, 9),
        "optimal": found.optimal, "states": statistics.states, "unfolded": statistics.unfolded,
        "edges": statistics.edges,
    }  # fmt: skip


def differences(known: dict[str, object], now: dict[str, object]) -> Sequence[str]:
    """Differences between statistics; scores are compared up to rounding."""
    return [
        f"{key} {known.get(key)} -> {value}"
        for key, value in now.items()
        if (value != pytest.approx(known.get(key), abs=1e-6) if isinstance(value, float) else value != known.get(key))
    ]


def test_searches_do_what_they_did(request: pytest.FixtureRequest) -> None:
    now = {name: record(result) for name, result in results()}
    if request.config.getoption("--update-golden"):
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in now.items())
        GOLDEN.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    known = json.loads(GOLDEN.read_text(encoding="utf-8"))
    changed = {name: differences(known.get(name, {}), item) for name, item in now.items()}
    assert {name: what for name, what in changed.items() if what} == {}
    assert known.keys() == now.keys()
