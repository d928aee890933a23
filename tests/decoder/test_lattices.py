"""Lattices of the search, against derivations written out and re-scored."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.decoder.language_models import WORDS, arpa_models
from tests.decoder.test_tiles_search import COMPONENTS, FLAT, Case, bag, cases, model_of
from tests.reference.lattices import paths
from tests.reference.tiles import Option, derivations, features
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, Expression, Lattice, Realization, RealizationOptions, Vocabulary

EVERYTHING = (Algorithm.bfs, Algorithm.stack, Algorithm.cube)
"""Unfold all there is, when nothing is pruned."""


def search(case: Case, algorithm: Algorithm, **options: object) -> tuple[Realization, list[Option]]:
    models = [model_of(arpa) for arpa in case.arpas]
    vocabulary = Vocabulary(WORDS)
    tiles, realizer = case.tiles(vocabulary), CoreRealizer(vocabulary, models)
    limit = -1 if case.limit is None else case.limit
    beam = {} if "beam" in options else {"beam": 0.0 if algorithm in EVERYTHING else 1e-3}
    asked = search_options(algorithm=algorithm, distortion_limit=limit, lattice=True, **beam, **options)  # type: ignore[arg-type]
    found = realizer.realize([tiles], case.weight_vector(), asked)[0]
    alternatives = [Option(0, 0, tuple(words), tuple(scores)) for _, _, words, scores, *_ in tiles.alternatives]
    return found, alternatives


def lattice_of(found: Realization) -> Lattice:
    assert found.lattice is not None
    return found.lattice


def all_paths(lattice: Lattice) -> list[list[int]]:
    return list(paths([(start, to) for start, to, *_ in lattice.arcs]))


def derivation(lattice: Lattice, path: list[int], alternatives: list[Option]) -> tuple[Option, ...]:
    taken = [lattice.arcs[arc] for arc in path]
    return tuple(Option(b, e, alternatives[a].words, alternatives[a].scores) for _, _, b, e, a, _ in taken)


@pytest.mark.slow
@settings(max_examples=60)
@given(cases(), st.sampled_from(list(Algorithm)), st.integers(1, 3))
def test_paths_are_derivations_with_their_features(case: Case, algorithm: Algorithm, n: int) -> None:
    found, alternatives = search(case, algorithm, nbest=n)
    lattice = lattice_of(found)
    written_out = list(derivations(case.length, case.options, case.limit))
    models = [model_of(arpa) for arpa in case.arpas]
    log_base = math.log(case.base)
    scores = []
    some = all_paths(lattice)
    for path in some[:200]:
        one = derivation(lattice, path, alternatives)
        assert one in written_out
        expected = features(one, models, log_base, COMPONENTS)
        assert lattice.features_of(path) == pytest.approx(expected, abs=1e-5)
        assert lattice.words_of(path) == [word for option in one for word in option.words]
        scores.append(case.score(expected))
    if len(some) <= 200:
        assert max(scores) == pytest.approx(found.score, abs=1e-5)
        if algorithm in EVERYTHING:
            found_all = {derivation(lattice, path, alternatives) for path in some}
            assert found_all == set(written_out)
    # What is best, too, is there, with the very features that it was re-scored with.
    for best in found.nbest[:1]:
        chosen = [
            path for path in some if [lattice.arcs[a][2:5] for a in path] == [(b, e, a) for b, e, _, a in best.phrases]
        ]
        assert len(chosen) == 1
        assert lattice.features_of(chosen[0]) == pytest.approx(best.features, abs=1e-5)


@pytest.mark.slow
@settings(max_examples=60)
@given(cases(), st.floats(0, 3), st.integers(0, 12))
def test_pruning_keeps_the_best_paths(case: Case, beam: float, most: int) -> None:
    whole, _ = search(case, Algorithm.bfs)
    pruned, _ = search(case, Algorithm.bfs, lattice_beam=beam, lattice_arcs=most)
    everything, lattice = lattice_of(whole), lattice_of(pruned)
    if len(all_paths(everything)) > 500:
        return

    def scored(one: Lattice) -> dict[tuple[tuple[int, ...], ...], float]:
        return {
            tuple(one.arcs[a][2:5] for a in path): case.score(one.features_of(path)) for path in all_paths(one)
        }

    before, after = scored(everything), scored(lattice)
    best = max(before.values())
    assert after.items() <= before.items() or all(after[k] == pytest.approx(before[k], abs=1e-9) for k in after)
    assert max(after.values()) == pytest.approx(best, abs=1e-9)
    # Every arc is on a path within the beam, and all paths within the beam are there, unless there are too many arcs.
    for arc in range(len(lattice.arcs)):
        through = max(case.score(lattice.features_of(path)) for path in all_paths(lattice) if arc in path)
        assert through >= best - beam - 1e-6
    worst = min(after.values())
    if most == 0:
        assert {key for key, score in before.items() if score >= best - beam + 1e-6} <= after.keys()
    else:
        best_arcs = max(len(key) for key, score in after.items() if score >= best - 1e-6)
        ties = sum(len(key) for key, score in after.items() if score >= best - 1e-6)
        assert len(lattice.arcs) <= max(most, best_arcs, ties)
    assert worst <= best + 1e-9


@pytest.mark.slow
@given(arpa_models())
@settings(max_examples=20)
def test_recombined_paths_are_all_there(arpa: str) -> None:
    # Five words in any order: 120 derivations, of which many share nodes.
    model = model_of(arpa)
    vocabulary = Vocabulary(WORDS)
    tiles = bag(vocabulary, 5)
    options = search_options(algorithm=Algorithm.bfs, lattice=True)
    found = CoreRealizer(vocabulary, [model]).realize([tiles], FLAT, options)[0]
    lattice = lattice_of(found)
    assert lattice.nodes < 300  # apart they would be 326
    some = all_paths(lattice)
    assert len({tuple(lattice.arcs[a][4] for a in path) for path in some}) == len(some) == 120
    for path in some:
        words = lattice.words_of(path)
        assert lattice.features_of(path)[0] == pytest.approx(sum(model.score_words(words)), abs=1e-5)
    totals = [lattice.features_of(path)[0] + 0.1 * lattice.features_of(path)[3] for path in some]
    assert max(totals) == pytest.approx(found.score, abs=1e-5)


def test_lattices_are_made_when_asked_for() -> None:
    case = Case(1, (Option(0, 1, ("a",), (0.0, 0.0)),), 0.9, None, (), (1.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    vocabulary = Vocabulary(WORDS)
    realizer = CoreRealizer(vocabulary, [])
    plain = realizer.realize([case.tiles(vocabulary)], case.weight_vector(), search_options())[0]
    assert plain.lattice is None
    asked = search_options(lattice=True)
    one_word = realizer.realize_expressions([Expression.word("a")], case.weight_vector(), asked)[0]
    assert [lattice_of(one_word).words_of(path) for path in all_paths(lattice_of(one_word))] == [["a"]]
    with pytest.raises(InputError, match="lattice-beam must not be negative"):
        RealizationOptions(lattice=True, lattice_beam=-1.0)
