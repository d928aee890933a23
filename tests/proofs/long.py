"""Searches of long spaces under budgets: their claims must agree with all derivations found by any of them.

Spaces are too large to list. For some spaces, dynamic programming gives the best score
(`tests.reference.short_movement`, and over the bigrams of a sequence of choices). For all spaces, no search may deny a
derivation that another search found.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from tests.core_options import Algorithm, search_options
from tests.proofs.check import (
    ROUNDING,
    TOLERANCE,
    UNITS,
    complaints_of_claims,
    complaints_of_limits,
    complaints_of_outcome,
)
from tests.proofs.models import opened
from tests.proofs.spaces import tiles_expression
from tests.reference.arpa import arpa_text
from tests.reference.short_movement import END, START, Bigrams, best_score
from tests.reference.tiles import Option
from widl._core import Order
from widl.decoder import Bound, CoreRealizer, LanguageModel, Realization, Tiles, Vocabulary, WeightVector
from widl.expressions import Expression

WORDS = tuple(f"w{k}" for k in range(150))
MODELS = 6
SEARCHES = 40  # of one space

Settings = dict[str, object]
Run = Callable[[Settings], Realization]


@dataclass(frozen=True)
class LongSpace:
    """How to search a space, and its best score if known."""

    text: str
    run: Run
    best: float | None
    kind: str


def random_bigrams(rng: random.Random) -> str:
    """An ARPA file of order 2."""
    pairs = rng.sample([(a, b) for a in (START, *WORDS) for b in (*WORDS, END)], k=1500)
    words = ["-3\t<unk>", f"-99\t{START}\t{rng.uniform(-0.6, 0):.3f}", f"{rng.uniform(-2, -0.5):.3f}\t{END}"]
    words += [f"{rng.uniform(-2.5, -0.5):.3f}\t{word}\t{rng.uniform(-0.6, 0):.3f}" for word in WORDS]
    return arpa_text(words, [f"{rng.uniform(-1.5, -0.05):.3f}\t{a} {b}" for a, b in sorted(pairs)])


def table(model: LanguageModel) -> Bigrams:
    """The model's scores of each word after each other word, computed from two-word strings."""
    pairs = {(START, word): model.score_words([word])[0] for word in WORDS}
    pairs |= {(word, END): model.score_words([word])[1] for word in WORDS}
    return pairs | {(a, b): model.score_words([a, b])[1] for a in WORDS for b in WORDS}


class LongPool:
    """Models shared by the groups of one seed."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"long models {seed}")
        self.models = [opened(random_bigrams(rng), rng.choice(["arpa", "probing", "trie"])) for _ in range(MODELS)]
        lines = [" ".join(rng.choices(WORDS, k=12)) for _ in range(500)]
        self.longer = [LanguageModel.estimate(lines, order=order) for order in (3, 4)]
        self.table = cache(lambda number: table(self.models[number]))


def random_long_space(rng: random.Random, pool: LongPool) -> LongSpace:
    """Tiles and rows are twice as frequent as bags."""
    return rng.choice([_tiles, _tiles, _row, _bag, _row])(rng, pool)


@dataclass(frozen=True)
class Lambdas:
    """Weights of one component and some language models."""

    widl: float
    models: list[float]
    word: float
    phrase: float
    movement: float
    crossing: float | None = None

    @property
    def vector(self) -> WeightVector:
        """Converts weights to the core's form."""
        return WeightVector(
            widl=[self.widl], language_models=self.models, word_count=self.word, phrase_count=self.phrase,
            distortion=self.movement, unknown=0.0, crossing=self.crossing,
        )  # fmt: skip


def _weights(rng: random.Random, models: int) -> Lambdas:
    return Lambdas(
        widl=rng.choice([1.0, rng.uniform(0, 1.5)]), models=[rng.uniform(0.3, 1.5) for _ in range(models)],
        word=rng.choice([0.0, rng.uniform(-1, 1)]), phrase=rng.choice([0.0, rng.uniform(-1, 1)]),
        movement=rng.choice([0.0, 1.0, rng.uniform(0, 1.5)]),
    )  # fmt: skip


def _models(rng: random.Random, pool: LongPool) -> tuple[int, list[LanguageModel]]:
    """Returns the index of a bigram model, and the models. The best score is unknown with other models."""
    number = rng.randrange(MODELS)
    return number, [pool.models[number], *([rng.choice(pool.longer)] if rng.random() < 0.3 else [])]


def _tiles(rng: random.Random, pool: LongPool) -> LongSpace:
    length = rng.choice([rng.randint(40, 60), rng.randint(40, 100), rng.randint(100, 200)])
    words = rng.choice([WORDS, WORDS[:12]])
    limit = rng.choice([1, 2, 3, 4, 4, 6, 20])
    most = rng.choice([1, 2, 4, 10])
    base, options = rng.choice([0.4, 0.7]), []
    for begin in range(length):
        for end in range(begin + 1, min(length, begin + rng.randint(1, 4)) + 1):
            options += [
                Option(begin, end, tuple(rng.choices(words, k=rng.randint(1, end - begin))), (-rng.randint(0, 12) / 4,))
                for _ in range(rng.choice([most, rng.randint(1, most)]))
            ]
    number, models = _models(rng, pool)
    vocabulary = Vocabulary(WORDS)
    weights = _weights(rng, len(models))
    own = random.Random(f"marks {length} {limit} {len(options)}")  # all else is as it was drawn before
    marks = sorted(own.sample(range(length), k=own.randint(1, 20)))
    if own.random() < 0.5:
        weights = replace(weights, crossing=own.uniform(-2, 0))
    tiles = Tiles.compile(tiles_expression(length, options, base), vocabulary, clause_marks=marks)
    best = None
    if len(models) == 1 and limit <= 3 and len(options) * length < 40_000:
        best = best_score(
            length, options, limit, pool.table(number), model=weights.models[0],
            movement=weights.movement * math.log(base), word=weights.word, phrase=weights.phrase,
            components=[weights.widl], crossing=weights.crossing or 0.0, clause_marks=marks,
        )  # fmt: skip
    core = CoreRealizer(vocabulary, models)

    def run(settings: Settings) -> Realization:
        return core.realize([tiles], weights.vector, search_options(distortion_limit=limit, **settings))[0]

    return LongSpace(f"{length} positions, distortion limit {limit}, {len(options)} options", run, best, "tiles")


def _row(rng: random.Random, pool: LongPool) -> LongSpace:
    """Consecutive choices of words: a lattice."""
    places = [rng.sample(WORDS, k=rng.randint(1, 6)) for _ in range(rng.randint(40, 200))]
    scores = [[rng.randint(1, 20) / 20 for _ in words] for words in places]
    parts = [
        Expression.scored_disjunction([Expression.word(w) for w in words], [[s] for s in own])
        for words, own in zip(places, scores, strict=True)
    ]
    number, models = _models(rng, pool)
    weights = _weights(rng, len(models))
    run = _expression_run(Expression.precedence(parts), models, weights)
    best = None
    if len(models) == 1:
        bigrams, model = pool.table(number), weights.models[0]
        paths = {START: 0.0}
        for words, own in zip(places, scores, strict=True):
            paths = {
                word: max(path + model * bigrams[last, word] for last, path in paths.items())
                + weights.widl * math.log(own[k]) + weights.word + weights.phrase
                for k, word in enumerate(words)
            }  # fmt: skip
        best = max(path + model * bigrams[last, END] for last, path in paths.items())
    return LongSpace(f"{len(places)} choices of words in a row", run, best, "row")


def _bag(rng: random.Random, pool: LongPool) -> LongSpace:
    """Words and choices of them, or short rows, in any order."""
    flat = rng.random() < 0.5
    arguments = []
    for _ in range(rng.randint(12, 60)):
        some = [Expression.word(word) for word in rng.sample(WORDS, k=rng.randint(2, 3))]
        kind = rng.choice(["word", "word", "or", "lock"] if flat else ["word", "or", "seq"])
        if kind == "or":
            arguments.append(Expression.disjunction(some, [[1 / len(some)]] * len(some)))
        elif kind == "word":
            arguments.append(some[0])
        else:
            row = Expression.precedence(some)
            arguments.append(Expression.lock(row) if kind == "lock" else row)
    _, models = _models(rng, pool)
    run = _expression_run(Expression.uniform_interleave(arguments), models, _weights(rng, len(models)))
    return LongSpace(f"{len(arguments)} arguments in any order", run, None, "bag")


def _expression_run(expression: Expression, models: list[LanguageModel], weights: Lambdas) -> Run:
    core = CoreRealizer(Vocabulary(WORDS), models)
    return lambda settings: core.realize_expressions([expression], weights.vector, search_options(**settings))[0]


def random_settings(rng: random.Random, kind: str) -> Settings:
    """A search, and a budget that may end it: large spaces always have one."""
    algorithms = [*[Algorithm.astar] * 6, Algorithm.bfs, Algorithm.astar_k, Algorithm.beam, Algorithm.stack,
                  Algorithm.cube, Algorithm.cube]  # fmt: skip
    settings: Settings = {
        "algorithm": rng.choice(algorithms), "k": rng.randint(0, 5), "unit": rng.choice(UNITS),
        "order": rng.choice(list(Order)), "beam": rng.choice([0.0, 0.1, 1e-4]),
        "stack_size": rng.choice([0, 1, 20, 100]),
        "pop_limit": rng.choice([1, 20, 200]), "max_states": 20_000,
    }  # fmt: skip
    if kind in ("bag", "row"):
        settings["bound"] = rng.choice([bound for bound in Bound if bound != Bound.eq2])  # refused for many words
    budgets: list[Settings] = [
        *[{"max_memory": int(rng.choice([0.3, 1, 2, 3, 5]) * 1e6)}] * 2,
        *[{"max_memory": int(rng.uniform(0.5, 8) * 1e6)}] * 2,
        {"max_work": 10_000 * rng.choice([1, 2, 3, 5, 10, 30, 100, 300])},
        {"max_states": rng.choice([1, 10, 100, 1000])},
        {},
    ]  # fmt: skip
    settings |= rng.choice(budgets)
    if rng.random() < 0.2:
        settings |= rng.choice(budgets)
    if rng.random() < 0.3:
        settings |= {"nbest": rng.choice([2, 10, 100]), "distinct": rng.random() < 0.5}
    if rng.random() < 0.15:
        settings["lattice"] = True
    if kind == "tiles":
        rng.random()  # a removed option, so that seeds keep their cases
        settings |= {"estimate_movement": rng.random() < 0.8}
        settings |= {"gap": rng.choice([0.0, 1.0])} if rng.random() < 0.2 else {}
    return settings


Found = tuple[Settings, Realization]


def check_long_group(pool: LongPool, seed: int, group: int) -> Iterator[list[str]]:
    """Yields the errors of each search on a group that shares a space; correct searches have none."""
    rng = random.Random(f"long group {seed} {group}")
    space = random_long_space(rng, pool)
    actual: list[Found] = []
    for _ in range(SEARCHES):
        settings = random_settings(rng, space.kind)
        result = space.run(settings)
        if result.nbest:
            actual.append((settings, result))
        else:  # a space of this kind has derivations: only a budget, or a pruning, may hide all of them
            best = -math.inf if space.best is None else space.best
            wrong = complaints_of_outcome(settings, result, best)
            yield [f"{line}\n  {settings}\n  {space.text}" for line in wrong]
    if not actual:
        return
    known = max(max(result.score for _, result in actual), -math.inf if space.best is None else space.best)
    for settings, result in actual:
        wrong = _complaints(settings, result, space, known, actual)
        yield [f"{line}\n  {settings}\n  {space.text}" for line in wrong]


def _complaints(
    settings: Settings, result: Realization, space: LongSpace, known: float, others: list[Found]
) -> Iterator[str]:
    slack, rounding = TOLERANCE * max(abs(known), 1e-3), 100 * ROUNDING * max(abs(known), 1.0)
    yield from complaints_of_limits(settings, result)
    yield from complaints_of_claims(result, known, slack, rounding)
    if space.best is not None and result.score > space.best + rounding:
        yield f"score {result.score!r}, where the best is {space.best!r}"
    if not result.stopped and settings["algorithm"] in (Algorithm.astar, Algorithm.bfs) and not result.optimal:
        yield f"not stopped, and not optimal: score {result.score!r}, bound {result.bound!r}"
    scores = [item.score for item in result.nbest]
    if scores != sorted(scores, reverse=True):
        yield f"n-best scores out of order: {scores}"
    if len({(tuple(item.words), *(phrase.number for phrase in item.phrases)) for item in result.nbest}) < len(scores):
        yield "a derivation twice"
    distinct, expected = bool(settings.get("distinct")), settings.get("nbest", 1)
    if distinct and len({tuple(item.words) for item in result.nbest}) < len(scores):
        yield "equal strings"
    if not result.stopped and not result.nbest_complete:
        yield "nothing ran out, but the list is incomplete"
    if settings["algorithm"] in (Algorithm.astar, Algorithm.bfs) and result.nbest_complete:
        ranked = _ranked(others, distinct)[:expected]  # type: ignore[misc]
        pairs = zip(scores, ranked, strict=False)
        if len(scores) < len(ranked) or any(score < other - rounding for score, other in pairs):
            yield f"a complete list {scores[:5]} … of {len(scores)}, where {ranked[:5]} … are known"


def _ranked(found: list[Found], distinct: bool) -> list[float]:
    """Scores of all derivations found, or of the strings."""
    best: dict[tuple[object, ...], float] = {}
    for _, result in found:
        for item in result.nbest:
            key = tuple(item.words) if distinct else (tuple(item.words), *(phrase.number for phrase in item.phrases))
            best[key] = max(best.get(key, -math.inf), item.score)
    return sorted(best.values(), reverse=True)
