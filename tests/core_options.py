"""The core's search options, made from a flat list of keyword arguments, and its weights."""

import math
from enum import Enum

from widl import _core
from widl._core import Bound, LengthUnit, Order, SearchOptions, WeightVector


class Algorithm(Enum):
    """The searches."""

    bfs = "bfs"
    astar = "astar"
    astar_k = "astar-k"
    beam = "beam"
    stack = "stack"
    cube = "cube"


def search_options(
    *,
    algorithm: Algorithm = Algorithm.astar_k,
    k: int = 2,
    unit: LengthUnit = LengthUnit.words,
    order: Order = Order.estimate,
    beam: float = 0.1,
    stack_size: int = 0,
    pop_limit: int = 0,
    distortion_limit: int = -1,
    table_limit: int = 0,
    estimate_movement: bool = True,
    bound: Bound = Bound.lagrangian,
    max_words: int = 0,
    max_bytes: int = 0,
    max_states: int = 0,
    max_seconds: float = 0,
    max_memory: int = 0,
    max_work: int = 0,
    gap: float = math.inf,
    **answer: object,
) -> SearchOptions:
    """Options that the algorithm does not use are ignored. `answer`: see `OutputOptions`."""
    searches = {
        Algorithm.bfs: _core.BeamSearch(),
        Algorithm.astar: _core.AStar(),
        Algorithm.astar_k: _core.AStarK(k=k, unit=unit, order=order),
        Algorithm.beam: _core.BeamSearch(beam=beam, stack_size=stack_size),
        Algorithm.stack: _core.BeamSearch(unit=LengthUnit.positions, beam=beam, stack_size=stack_size),
        Algorithm.cube: _core.CubePruning(beam=beam, stack_size=stack_size, pop_limit=pop_limit),
    }
    space = _core.SpaceOptions(
        distortion_limit=None if distortion_limit < 0 else distortion_limit,
        table_limit=table_limit,
        estimate_movement=estimate_movement,
        bound=bound,
        max_words=max_words,
        max_bytes=max_bytes,
    )
    limits = _core.Limits(states=max_states, seconds=max_seconds, memory=max_memory, work=max_work)
    return SearchOptions(searches[algorithm], space=space, limits=limits, output=_core.OutputOptions(**answer), gap=gap)


def plain_weights(
    components: int = 1, models: int = 1, *, widl: float = 1.0, lm: float = 1.0, distortion: float = 0.0
) -> WeightVector:
    """Weights for WIDL probabilities, language models and movement only."""
    return WeightVector(
        widl=[widl] * components, language_models=[lm] * models, word_count=0, phrase_count=0,
        distortion=distortion, unknown=0,
    )  # fmt: skip
