"""Draws models, weights and limits for a space, runs the searches, and compares their results with the list."""

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from tests.core_options import Algorithm, search_options
from tests.proofs.models import Filter, Model, Pool, wider_filter
from tests.proofs.spaces import MAX_FREE_DERIVATIONS, Space, random_space
from tests.proofs.terms import Demands, random_demands
from tests.reference.lattices import paths
from widl._core import LengthUnit, Order, SearchRecord
from widl.common.errors import InputError, InternalError
from widl.decoder import Bound, CoreRealizer, Derivation, Lattice, Outcome, Realization, WeightVector
from widl.decoder.search_record import KINDS
from widl.expressions import Expression

DRAWS = 12  # of models, weights and limits for one space
MAX_PATHS = 60  # maximum paths of a lattice to check
MAX_EVENTS = 1_000_000  # maximum events of a recorded search
LONGEST_FILTERED = 20  # words of a string that a constraint reads
ROUNDING = 1e-9  # tolerance for sums in a different order; relative for large sums
TOLERANCE = 1e-6  # tolerance of optimality

UNITS = (LengthUnit.words, LengthUnit.positions, LengthUnit.positions)  # unchanged, so that seeds keep their cases

MIN_MEMORY = 3 * 2**19  # in bytes: the largest reservation for an input here, which is always granted, plus 1 MB
MEMORY_SLACK = 2**21  # bytes; the completion of an answer may double a table of language-model scores besides
MAX_OVERDUE = 2_200_000  # units of work: 22 ms

WHY_NOTHING = {
    Outcome.proved_empty: re.compile(
        r"(there is )?no string of (the expression|the lattice|the tiles within the distortion limit)"
        r"( has what it must)?(( within| fits) \d+ (words|bytes)( and \d+ bytes)?)?: proved"
    ),
    Outcome.out_of_budget: re.compile("max_(states|seconds|memory) ran out before a string was found, and one may.*"),
    Outcome.undecided: re.compile(
        "the search pruned all strings that it tried, and one may exist;.*|"
        "no string that is allowed has phrases that move by at most.*"
    ),
}
LEAVES_NOTHING_OUT = {"beam": 0.0, "stack_size": 0, "pop_limit": 0}

Settings = dict[str, object]


@dataclass(frozen=True)
class Draw:
    """Models, weights and limits for searching a space."""

    space: Space
    models: list[Model]
    lambdas: list[float]
    limits: Settings
    filter: Filter | Demands | None
    features: np.ndarray  # (derivations, features)
    scores: np.ndarray
    allowed: np.ndarray

    @property
    def weights(self) -> WeightVector:
        """Converts weights to the core's form."""
        j = self.space.components
        m = j + len(self.models)
        words, phrases, distortion, unknown = self.lambdas[m : m + 4]
        last = m + 4 + self.space.orientations
        return WeightVector(
            widl=self.lambdas[:j], language_models=self.lambdas[j:m], word_count=words, phrase_count=phrases,
            distortion=distortion, unknown=unknown, reordering=self.lambdas[m + 4 : last],
            crossing=self.lambdas[last] if self.space.has_crossing else None,
        )  # fmt: skip

    @property
    def best(self) -> float | None:
        return float(self.scores[self.allowed].max()) if self.allowed.any() else None


def check_group(
    pool: Pool, seed: int, group: int, make: Callable[[random.Random], Space] = random_space
) -> Iterator[list[str]]:
    """Yields the errors of each search on a group of cases that share a space; correct searches have none."""
    rng = random.Random(f"group {seed} {group}")
    space = make(rng)
    for _ in range(DRAWS):
        draw = random_draw(rng, pool, space)
        realizer = CoreRealizer(space.vocabulary, [model.core for model in draw.models])
        for settings in _searches(rng, space):
            settings |= draw.limits | (_watched(settings) or _budget(settings))
            wrong = list(_complaints(draw, realizer, settings))
            yield [_shown(draw, settings, line) for line in wrong]


def random_draw(rng: random.Random, pool: Pool, space: Space) -> Draw:
    """Models, weights and limits."""
    models = rng.sample(pool.models, k=rng.choice([1, 2, 2, 3]))
    lambdas = [rng.choice([0.0, 1.0, rng.uniform(-1, 1.5), rng.uniform(0, 2)]) for _ in range(space.components)]
    lambdas += [rng.choice([0.0, 1.0, rng.uniform(0, 2), rng.uniform(0, 2)]) for _ in models]
    lambdas += [rng.choice([0.0, rng.uniform(-2, 2)]) for _ in range(2)]
    lambdas += [rng.choice([0.0, 0.5, -0.2, rng.uniform(-1, 1)]), 0.0]
    of_model = random.Random(repr(lambdas))
    lambdas += [of_model.choice([0.0, 1.0, of_model.uniform(-1, 1.5)]) for _ in range(space.orientations)]
    if space.has_crossing:
        lambdas.append(of_model.choice([0.0, -1.0, of_model.uniform(-2, 0), of_model.uniform(-1, 1)]))
    columns = [[model.score(words) for words in space.words] for model in models]
    features = np.hstack([space.first, np.array(columns).T, space.last])
    few_words = int(space.lengths.max()) <= LONGEST_FILTERED
    chosen: Filter | Demands | None = rng.choice(pool.filters) if few_words and rng.random() < 0.15 else None
    own = random.Random(f"bracketing {lambdas}")  # so that all other draws are unchanged
    if chosen and own.random() < 0.5:
        chosen = wider_filter(own, own.choice(space.words))
    terms = random.Random(f"terms {lambdas}")
    if few_words and chosen is None and terms.random() < 0.15:
        chosen = random_demands(terms, space.words)
    limits: Settings = {}
    allowed = np.ones(len(space.rows), dtype=bool)
    if rng.random() < 0.25:
        limits["max_words"] = most = rng.randint(1, max(int(space.lengths.max()), 1))
        allowed &= space.lengths <= most
    if rng.random() < 0.15:
        limits["max_bytes"] = most = rng.randint(1, max(int(space.bytes.max()), 1))
        allowed &= space.bytes <= most
    if chosen:
        allowed &= np.array([chosen.accepts(words) for words in space.words])
    if space.has_layers:
        limits["distortion_limit"] = space.distortion_limit
    return Draw(space, models, lambdas, limits, chosen, features, features @ np.array(lambdas), allowed)


def _searches(rng: random.Random, space: Space) -> Iterator[Settings]:
    """Yields every search, with each bound if bounds differ, and with separately drawn settings."""
    has_bounds = isinstance(space.thing, Expression) and not space.has_layers
    bounds: list[Settings] = [{"bound": bound} for bound in Bound] if has_bounds else [{}]
    yield {"algorithm": Algorithm.bfs}
    for settings in bounds:
        stack = {"beam": rng.choice([0.0, 0.0, 0.3]), "stack_size": rng.choice([0, 0, 2])}
        yield settings | {"algorithm": Algorithm.stack} | stack | _extras(rng, space)
        cube = stack | {"pop_limit": rng.choice([0, 0, 1, 3])}
        yield settings | {"algorithm": Algorithm.cube} | cube | _extras(rng, space)
        yield settings | {"algorithm": Algorithm.astar} | _extras(rng, space)
        k = {
            "k": rng.randint(0, 3), "unit": rng.choice(UNITS), "order": rng.choice(list(Order)),
        }  # fmt: skip
        yield settings | {"algorithm": Algorithm.astar_k} | k | _extras(rng, space)
        beam = {"beam": rng.choice([1.0, 0.5, 0.01]), "stack_size": rng.randint(0, 3)}
        yield settings | {"algorithm": Algorithm.beam} | beam | _extras(rng, space)


def _budget(settings: Settings) -> Settings:
    """A budget that may end one search in five. It has a separate generator, so that all other draws are unchanged."""
    rng = random.Random(repr(settings))
    if rng.random() < 0.8:
        return {}
    time: Settings = {"max_work": 10_000 * rng.choice([1, 1, 2, 3, 5])}
    return rng.choice([time, {"max_states": rng.randint(1, 30)}, {"max_memory": rng.randint(1, 200_000)}])


def _watched(settings: Settings) -> Settings:
    """Makes one search in six report its events; half of these list all derivations. Also drawn separately."""
    rng = random.Random(f"watched {settings!r}")
    if "nbest" in settings or "lattice" in settings or rng.random() < 5 / 6:
        return {}
    return {"record": MAX_EVENTS} | rng.choice([{}, {"nbest": MAX_FREE_DERIVATIONS, "distinct": False}])


def _extras(rng: random.Random, space: Space) -> Settings:
    extras: Settings = {}
    if rng.random() < 0.2:
        extras["nbest"] = rng.randint(2, 8)
        extras["distinct"] = rng.random() < 0.3
    if rng.random() < 0.1:
        extras["max_states"] = rng.randint(1, 30)
    if rng.random() < 0.2:
        extras["lattice"] = True
    if space.has_layers and rng.random() < 0.2:
        extras["estimate_movement"] = False
    if space.has_layers:
        rng.random()  # a removed option, so that seeds keep their cases
    if space.has_layers and rng.random() < 0.5:
        extras["gap"] = rng.choice([0.0, 0.0, 1.0])
    return extras


def _complaints(draw: Draw, realizer: CoreRealizer, settings: Settings) -> Iterator[str]:
    options = search_options(**settings)  # type: ignore[arg-type]
    best = draw.best
    try:
        result = draw.space.realize(realizer, draw.weights, options, draw.filter)
    except (InputError, InternalError) as error:
        yield f"there is a string of {best}, but: {error}"
        return
    yield from complaints_of_outcome(settings, result, best, is_wide=draw.space.is_wide)
    yield from complaints_of_limits(settings, result)
    if not result.nbest:
        return
    if best is None:
        yield f"nothing is allowed, but it found {result.words}"
        return
    slack = TOLERANCE * max(abs(best), 1e-3)
    rounding = ROUNDING * max(abs(best), 1.0)
    yield from complaints_of_claims(result, best, slack, rounding)
    if is_exact(settings) and not draw.space.is_wide and not result.optimal:
        yield f"not optimal: score {result.score!r}, bound {result.bound!r}, best {best!r}"
    if result.stopped and not has_budget(settings):
        yield f"stopped by {result.stopped}"
    if not result.stopped and not draw.space.is_wide and not (result.nbest_complete and result.lattice_complete):
        yield "nothing ran out, but a list is incomplete"
    for item in result.nbest:
        if not _is_genuine(draw, item.words, item.features, item.score) or _words_of_phrases(item) != len(item.words):
            yield f"no derivation of these features: {item.words}, {item.features}, {item.score!r}"
    if result.lattice is not None:
        yield from _complaints_of_lattice(draw, settings, result.lattice, result.score)
    if result.record is not None:
        yield from _complaints_of_bounds(result.record, rounding)
    if "nbest" in settings:
        yield from _complaints_of_nbest(draw, settings, result, rounding)


class Claims(Protocol):
    """What a search claims of its result."""

    @property
    def score(self) -> float: ...
    @property
    def bound(self) -> float | None: ...
    @property
    def optimal(self) -> bool: ...


def complaints_of_claims(found: Claims, best: float, slack: float, rounding: float) -> Iterator[str]:
    """Whether there is a better derivation than a result claims."""
    if found.bound is None or not found.bound >= best - rounding:
        yield f"bound {found.bound!r} below the best score {best!r}"
    if found.optimal and not found.score >= best - slack - rounding:
        yield f"optimal with {found.score!r}, where the best score is {best!r}"


def complaints_of_limits(settings: Settings, found: Realization) -> Iterator[str]:
    """Whether a search, with its bounds, tables and further graphs, spent more than docs/certificates.md allows."""
    spent = found.statistics
    if 0 < settings.get("max_states", 0) < spent.states:  # type: ignore[operator]
        yield f"{spent.states} states of {settings['max_states']}"
    limit = settings.get("max_memory")
    if limit and spent.peak_memory > 2 * max(limit, MIN_MEMORY) + MEMORY_SLACK:  # type: ignore[call-overload]
        yield f"{spent.peak_memory} bytes of {limit}"
    if (limit := settings.get("max_work")) and spent.work > limit + MAX_OVERDUE:  # type: ignore[operator]
        yield f"{spent.work} units of work of {limit}"


def complaints_of_outcome(
    settings: Settings, found: Realization, best: float | None, *, is_wide: bool = False
) -> Iterator[str]:
    """Yields errors in how a search reports its end.

    `best`: the best score, None if no string is allowed. `is_wide`: see `Space`.
    """
    ended = found.outcome
    if (ended is Outcome.found) != bool(found.nbest) or bool(found.failure) == bool(found.nbest):
        yield f"{ended} ({found.failure!r}) with {len(found.nbest)} derivations"
    if ended is Outcome.found:
        return
    if not WHY_NOTHING[ended].fullmatch(found.failure):
        yield f"{ended}: {found.failure}"
    if found.optimal:
        yield f"{ended}, but optimal"
    if ended is Outcome.proved_empty and (best is not None or found.bound != -math.inf):
        yield f"proved to have none, bound {found.bound}, but there is a string of {best}"
    if best is not None and not found.bound >= best - ROUNDING * max(abs(best), 1.0):
        yield f"{ended} with the bound {found.bound!r} below the best score {best!r}"
    if ended is Outcome.out_of_budget and not (found.stopped and has_budget(settings)):
        yield f"out of budget, stopped by {found.stopped!r}"
    if ended is Outcome.undecided and not is_wide and (found.stopped or is_exact(settings)):
        yield f"undecided, stopped by {found.stopped!r}"


def _complaints_of_bounds(record: SearchRecord, rounding: float) -> Iterator[str]:
    """Checks whether some completion of an expanded state gains more than the state's bound."""
    result, improved, recombined = (KINDS.index(kind) for kind in ("made", "improved", "recombined"))
    scores: dict[int, float] = {}
    bounds: dict[int, float] = {}
    steps: dict[int, list[tuple[int, float]]] = {}
    for kind, node, source, score, bound, is_goal in zip(
        record.kinds, record.nodes, record.sources, record.scores, record.bounds, record.goals, strict=True
    ):
        if kind not in (result, improved, recombined):
            continue
        if source in scores:
            steps.setdefault(source, []).append((node, score - scores[source]))
        if kind != recombined:
            scores[node], bounds[node] = score, 0.0 if is_goal else bound
    rest = {node: 0.0 for node, is_goal in zip(record.nodes, record.goals, strict=True) if is_goal}
    pending = list(scores)
    while pending:  # processes a state after all its successors
        node = pending[-1]
        unknown = [to for to, _ in steps.get(node, []) if to not in rest]
        pending += unknown
        if not unknown:
            rest.setdefault(node, max((gain + rest[to] for to, gain in steps.get(node, [])), default=-math.inf))
            pending.pop()
    for node, bound in bounds.items():
        if not bound >= rest[node] - 100 * rounding:
            yield f"bound {bound!r} of state {node}, from which {rest[node]!r} was gained"


def _complaints_of_lattice(draw: Draw, settings: Settings, lattice: Lattice, score: float) -> Iterator[str]:
    through = _best_path(lattice, draw.lambdas)
    if not math.isclose(through, score, rel_tol=1e-6, abs_tol=1e-6):
        yield f"the lattice's best path scores {through!r}, the best derivation {score!r}"
    some = list(islice(paths([(start, to) for start, to, *_ in lattice.arcs]), MAX_PATHS + 1))
    for path in some:
        words, row = lattice.words_of(path), lattice.features_of(path)
        if not _is_genuine(draw, words, row, float(np.dot(row, draw.lambdas))):
            yield f"no derivation of these features is a path: {words}, {row}"
    if leaves_nothing_out(settings) and not draw.space.is_wide and len(some) != min(draw.allowed.sum(), MAX_PATHS + 1):
        yield f"{len(some)} paths of {draw.allowed.sum()} derivations"


def is_exact(settings: Settings) -> bool:
    """Whether the search must find the best and prove it."""
    if has_budget(settings):
        return False
    return settings["algorithm"] == Algorithm.astar or leaves_nothing_out(settings)


def leaves_nothing_out(settings: Settings) -> bool:
    """Whether the search follows every derivation."""
    if has_budget(settings):
        return False
    if settings["algorithm"] in (Algorithm.stack, Algorithm.cube):
        return not any(name in settings and settings[name] != none for name, none in LEAVES_NOTHING_OUT.items())
    return settings["algorithm"] == Algorithm.bfs


def has_budget(settings: Settings) -> bool:
    """Whether a budget may end the search."""
    return any(name in settings for name in ("max_states", "max_work", "max_memory"))


def _best_path(lattice: Lattice, lambdas: list[float]) -> float:
    best = [0.0] + [-math.inf] * (lattice.nodes - 1)
    for (start, end, *_), row in zip(lattice.arcs, lattice.features, strict=True):
        best[end] = max(best[end], best[start] + float(row @ np.array(lambdas)))
    return best[-1]


def _is_genuine(draw: Draw, words: Sequence[str], features: Sequence[float], score: float) -> bool:
    numbers = [n for n in draw.space.numbers.get(tuple(words), []) if draw.allowed[n]]
    if not numbers:
        return False
    apart = np.abs(draw.features[numbers] - np.array(features)).max(axis=1)
    near = int(apart.argmin())
    return float(apart[near]) < 1e-6 and math.isclose(score, draw.scores[numbers[near]], rel_tol=1e-9, abs_tol=1e-6)


def _words_of_phrases(one: Derivation) -> int:
    return sum(phrase.word_count for phrase in one.phrases)


def _numbers(one: Derivation) -> tuple[int, ...]:
    return tuple(phrase.number for phrase in one.phrases)


def _complaints_of_nbest(draw: Draw, settings: Settings, found: Realization, rounding: float) -> Iterator[str]:
    scores = [item.score for item in found.nbest]
    if scores != sorted(scores, reverse=True):
        yield f"n-best scores out of order: {scores}"
    if len({_numbers(item) for item in found.nbest}) < len(scores):
        yield f"a derivation twice: {[_numbers(item) for item in found.nbest]}"
    most = settings["nbest"]
    assert isinstance(most, int)
    if settings.get("distinct"):
        strings = [tuple(item.words) for item in found.nbest]
        if len(set(strings)) < len(strings):
            yield f"equal strings: {strings}"
        allowed = {words: [n for n in own if draw.allowed[n]] for words, own in draw.space.numbers.items()}
        ranked = sorted((float(draw.scores[own].max()) for own in allowed.values() if own), reverse=True)
    else:
        ranked = np.sort(draw.scores[draw.allowed])[::-1].tolist()
    expected = ranked[:most]
    if len(scores) > len(expected):
        yield f"{len(scores)} derivations instead of {len(expected)}"
    exact = (is_exact(settings) and not draw.space.is_wide) or (
        settings["algorithm"] in (Algorithm.bfs, Algorithm.astar) and found.nbest_complete
    )
    if exact and not (len(scores) == len(expected) and np.allclose(scores, expected, rtol=0, atol=100 * rounding)):
        yield f"n-best scores {scores}, where {expected} are the best"


def _shown(draw: Draw, settings: Settings, complaint: str) -> str:
    orders = [model.core.order for model in draw.models]
    constraint = f"\n  constraint:\n{draw.filter.text}" if draw.filter else ""
    weights = f"weights {draw.lambdas}, models of orders {orders}"
    return f"{complaint}\n  {settings}\n  {weights}\n  {draw.space.text}{constraint}"
