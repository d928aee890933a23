"""Lattices of the search: pruning and sharing; `tests/proofs` checks their paths."""

import random

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.check import Draw, random_draw
from tests.proofs.models import Pool
from tests.proofs.spaces import random_space
from tests.reference.lattices import paths
from widl.decoder import CoreRealizer, Lattice, Realization, Vocabulary
from widl.expressions import Expression


def lattice_of(found: Realization) -> Lattice:
    assert found.lattice is not None
    return found.lattice


def lattice_within(draw: Draw, beam: float, most: int) -> Lattice:
    realizer = CoreRealizer(draw.space.vocabulary, [model.core for model in draw.models])
    settings = {"algorithm": Algorithm.bfs, "lattice": True, "lattice_beam": beam, "lattice_arcs": most}
    options = search_options(**settings, **draw.limits)  # type: ignore[arg-type]
    return lattice_of(draw.space.realize(realizer, draw.weights, options, draw.filter))


def test_pruning_keeps_the_best_paths() -> None:
    pool, rng = Pool(0), random.Random("pruned lattices")
    for _ in range(60):
        draw = random_draw(rng, pool, random_space(rng))
        if draw.best is None:
            continue

        def scored(lattice: Lattice, draw: Draw = draw) -> dict[tuple[tuple[int, ...], ...], float]:
            return {
                tuple(lattice.arcs[a][2:5] for a in path): sum(
                    w * h for w, h in zip(draw.lambdas, lattice.features_of(path), strict=True)
                )
                for path in paths(lattice.arcs)
            }

        beam, most = rng.uniform(0, 3), rng.randint(0, 12)
        lattice = lattice_within(draw, beam, most)
        before, after = scored(lattice_within(draw, float("inf"), 0)), scored(lattice)
        best = max(before.values())
        assert after == pytest.approx({path: before[path] for path in after}, abs=1e-9)
        assert max(after.values()) == pytest.approx(best, abs=1e-9)
        # Each arc is on a path within the beam, and all such paths are present, unless there are too many arcs.
        through = [float("-inf")] * len(lattice.arcs)
        for path, score in zip(paths(lattice.arcs), after.values(), strict=True):
            for arc in path:
                through[arc] = max(through[arc], score)
        assert min(through) >= best - beam - 1e-6
        if most == 0:
            assert {path for path, score in before.items() if score >= best - beam + 1e-6} <= after.keys()
        else:
            ties = sum(len(path) for path, score in after.items() if score >= best - 1e-6)
            assert len(lattice.arcs) <= max(most, ties)


def test_lattices_are_made_when_asked_for() -> None:
    realizer, word = CoreRealizer(Vocabulary([]), []), Expression.word("a")
    [plain] = realizer.realize_expressions([word], plain_weights(models=0), search_options())
    assert plain.lattice is None
    [asked] = realizer.realize_expressions([word], plain_weights(models=0), search_options(lattice=True))
    assert [lattice_of(asked).words_of(path) for path in paths(lattice_of(asked).arcs)] == [["a"]]
