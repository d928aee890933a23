"""Lattices of explored derivations of expressions: every path is a derivation with its features."""

import numpy as np
import pytest

from tests.mert.lattices import pairs_of
from tests.reference.lattices import paths
from widl.decoder import RealizationOptions, Realizer, language_model_from_lines, parse_expression
from widl.mert import LatticeSet

MODEL = language_model_from_lines(["the cat sat on the mat", "the dog sat", "a cat ran to the dog"])
SPACES = [
    "∥(the, cat, sat, ×(on a mat))",
    "∨{0.7, 0.3}(the, a) · ∥(cat, dog, ∨(sat, ×(ran away)))",
    "∥{2 1: 0.6, perms: 0.4}(×(the dog), ran)",
]
WEIGHTS = {"widl": 1.0, "lm0": 0.7, "word_count": 0.3, "phrase_count": -0.2, "distortion": 0.5, "unknown": -3.0}


def found_in(space: str, search: str, **options):
    own = {"beam": 1e-9} if search in ("beam", "stack") else {}
    options = RealizationOptions(search=search, lattice=True, **own, **options)
    return Realizer([MODEL], WEIGHTS).realize_one(parse_expression(space), options)


def test_there_is_none_unless_asked_for() -> None:
    assert Realizer([MODEL]).realize_one(parse_expression(SPACES[0])).lattice is None


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("search", ["astar", "astar-k", "beam", "bfs", "stack", "cube"])
def test_candidates_are_paths(space, search) -> None:
    result = found_in(space, search, nbest=8, lattice_arcs=0)
    layout = result.best.features.layout
    weights = np.array(layout.vector(WEIGHTS))
    lattice = result.lattice
    of_string: dict[str, list[np.ndarray]] = {}
    for path in paths(pairs_of(lattice)):
        features = lattice.features[path].sum(axis=0)
        assert features @ weights <= result.bound + 1e-6
        words = [word for arc in path for word in lattice.arcs[arc][5]]
        of_string.setdefault(" ".join(words), []).append(features)
    for candidate in result.nbest:
        assert any(row == pytest.approx(list(candidate.features.row), abs=1e-5) for row in of_string[candidate.text])
    words, features = LatticeSet([lattice]).best(weights)[0]
    assert " ".join(words) == result.text
    assert features @ weights == pytest.approx(result.score, abs=1e-5)


def test_a_lattice_is_pruned_to_its_best_arcs() -> None:
    whole, few = (found_in(SPACES[0], "bfs", lattice_arcs=arcs).lattice for arcs in (0, 6))
    assert len(few.arcs) <= 6 < len(whole.arcs)
    near = found_in(SPACES[0], "bfs", lattice_arcs=0, lattice_beam=0.0).lattice
    assert len(near.arcs) < len(whole.arcs)
