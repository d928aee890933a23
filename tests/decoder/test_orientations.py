"""Lexicalised reordering in every search, against every derivation written out."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.decoder.language_models import WORDS
from tests.decoder.random_tiles import Case, model_of, oriented_cases
from tests.reference.lexical_reordering import reordering_features
from tests.reference.tiles import Option, derivations
from widl.common.errors import InputError
from widl.decoder import (
    CoreRealizer,
    Expression,
    LanguageModel,
    Tiles,
    Vocabulary,
    WeightVector,
)

UNLIMITED = (Algorithm.bfs, Algorithm.astar, Algorithm.stack, Algorithm.cube)
"""Exact when nothing is pruned."""

VOCABULARY = Vocabulary([])

Solved = dict[tuple[Option, ...], list[float]]


def solve(case: Case) -> tuple[list[LanguageModel], Solved]:
    """Language models, and the features of every derivation."""
    models = [model_of(arpa) for arpa in case.arpas]
    return models, {d: case.features(d, models) for d in derivations(case.length, case.options, case.limit)}


@pytest.mark.slow
@settings(max_examples=400)
@given(
    oriented_cases(), st.sampled_from(list(Algorithm)), st.integers(1, 6), st.booleans(), st.booleans(), st.booleans()
)
def test_search_against_all_derivations(
    case: Case, algorithm: Algorithm, n: int, estimates: bool, contexts: bool, lattice: bool
) -> None:
    models, solved = solve(case)
    ranked = sorted(map(case.score, solved.values()), reverse=True)
    beam = 0.0 if algorithm in UNLIMITED else 1e-3
    found = case.search(
        models, algorithm=algorithm, beam=beam, nbest=n, estimate_movement=estimates, own_contexts=contexts,
        lattice=lattice,
    )  # fmt: skip
    for one in found.nbest:
        assert one.features == pytest.approx(solved[case.path_of(one.phrases)], abs=1e-4)
        assert one.score == pytest.approx(case.score(one.features), abs=1e-4)
    scores = [one.score for one in found.nbest]
    assert found.bound >= ranked[0] - 1e-4
    assert scores == sorted(scores, reverse=True)
    if algorithm in UNLIMITED:
        assert scores == pytest.approx(ranked[:n], abs=1e-4)
        assert found.optimal
    if found.lattice is not None and len(solved) <= 200:
        # Each of its paths, if they are not too many, is a derivation with its features.
        rows = {0: [([], [0.0] * len(case.weights))]}
        for (start, end, _, _, number, _), row in zip(found.lattice.arcs, found.lattice.features, strict=True):
            rows.setdefault(end, []).extend(
                ([*path, (0, 0, 0, number)], [a + b for a, b in zip(sums, row, strict=True)])
                for path, sums in rows[start]
            )
        for path, sums in rows[found.lattice.nodes - 1]:
            assert sums == pytest.approx(solved[case.path_of(path)], abs=1e-4)


@pytest.mark.slow
@settings(max_examples=300)
@given(
    oriented_cases(), st.sampled_from([Algorithm.stack, Algorithm.cube]), st.integers(0, 3), st.integers(0, 6),
    st.booleans(),
)  # fmt: skip
def test_pruned_stacks_know_what_they_may_have_lost(
    case: Case, algorithm: Algorithm, size: int, pops: int, estimates: bool
) -> None:
    models, solved = solve(case)
    best = max(map(case.score, solved.values()))
    found = case.search(
        models, algorithm=algorithm, beam=0.3 if size == 3 else 0, beam_size=size, pop_limit=pops,
        estimate_movement=estimates,
    )  # fmt: skip
    assert found.score <= best + 1e-4
    assert found.bound >= best - 1e-4
    assert not found.optimal or found.score == pytest.approx(best, rel=1e-5, abs=1e-4)


@pytest.mark.slow
@settings(max_examples=200)
@given(oriented_cases(), st.booleans(), st.data())
def test_bounds_are_admissible_along_every_path(case: Case, estimates: bool, data: st.DataObject) -> None:
    models, solved = solve(case)
    values = {d: case.score(row) for d, row in solved.items()}
    vocabulary = Vocabulary(WORDS)
    tiles, realizer = case.tiles(vocabulary), CoreRealizer(vocabulary, models)
    numbers = {id(o): i for i, o in enumerate(case.path_of([(0, 0, 0, i) for i in range(len(case.options))]))}
    options = search_options(
        distortion_limit=-1 if case.limit is None else case.limit, estimate_movement=estimates
    )
    best = max(values, key=values.__getitem__)
    for path in (best, data.draw(st.sampled_from(list(values)))):
        rows = realizer.bounds_along(tiles, case.weight_vector(), options, [numbers[id(o)] for o in path])
        assert rows[-1][0] == pytest.approx(values[path], abs=1e-4)
        for done, (score, _, *bounds) in enumerate(rows):
            reachable = max(v for d, v in values.items() if d[:done] == path[:done])
            assert all(score + bound >= reachable - 1e-4 for bound in bounds)


# --- by hand ---

FLAT = """\\data\\
ngram 1=6
ngram 2=1

\\1-grams:
-1\t<unk>
-99\t<s>\t0
-1\t</s>
-1\ta\t0
-1\tb\t0
-1\tc\t0

\\2-grams:
-1\ta b

\\end\\
"""
"""All words are as probable everywhere."""


def three(orientations: Sequence[Sequence[float]]) -> Tiles:
    """Tiles a, b and c at positions 0, 1 and 2, with scores of a reordering model."""
    spans = [(i, i + 1, Expression.word(word)) for i, word in enumerate("abc")]
    expression = Expression.tiles(3, spans, movement_base=0.5)
    logs = [[math.log(p) for p in row] for row in orientations]
    return Tiles.compile(expression, VOCABULARY, orientations=logs)


def weights(reordering: Sequence[float]) -> WeightVector:
    return WeightVector(
        widl=[], language_models=[1.0], word_count=0, phrase_count=0, distortion=0, unknown=0, reordering=reordering
    )


# backward M S D, forward M S D; b is mostly swapped behind c.
SCORES = [
    [0.6, 0.2, 0.2, 0.5, 0.1, 0.4],
    [0.1, 0.7, 0.2, 0.2, 0.2, 0.6],
    [0.2, 0.1, 0.7, 0.1, 0.8, 0.1],
]


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_an_order_by_hand(algorithm: Algorithm) -> None:
    """Without movement a c b is best: a is monotone at the start (0.6), c discontinuous behind it (a's forward
    0.4, c's backward 0.7), and b swapped with c (c's forward 0.8, b's backward 0.7)."""
    tiles = three(SCORES)
    model = model_of(FLAT)
    options = search_options(algorithm=algorithm, beam=0, nbest=6)
    found = CoreRealizer(VOCABULARY, [model]).realize([tiles], weights([1.0] * 6), options)[0]
    assert found.words == ["a", "c", "b"]
    logs = [math.log(p) for p in (0.6, 0.7, 0.7, 1, 0.8, 0.4)]
    assert found.features[5:] == pytest.approx(logs, abs=1e-6)
    if algorithm in UNLIMITED:
        expected = {}
        rows = [[math.log(p) for p in row] for row in SCORES]
        for order in permutations(range(3)):
            spans = [(i, i + 1) for i in order]
            sums = reordering_features(spans, [rows[i] for i in order])
            expected[tuple("abc"[i] for i in order)] = sum(sums)
        lm = sum(model.score_words(["a", "b", "c"]))
        scores = {tuple(one.words): one.score - lm for one in found.nbest}
        assert scores == pytest.approx(expected, abs=1e-5)


def test_phrases_without_scores_cost_nothing() -> None:
    tiles = three([[], SCORES[1], []])
    options = search_options(algorithm=Algorithm.astar, distortion_limit=0)
    found = CoreRealizer(VOCABULARY, [model_of(FLAT)]).realize([tiles], weights([1.0] * 6), options)[0]
    assert found.words == ["a", "b", "c"]
    assert found.features[5:] == pytest.approx([math.log(0.1), 0, 0, math.log(0.2), 0, 0], abs=1e-6)


def test_weights_of_another_model() -> None:
    tiles = three(SCORES)
    realizer = CoreRealizer(VOCABULARY, [model_of(FLAT)])
    with pytest.raises(InputError, match="weights for 3 features of a reordering model, but the tiles have 6"):
        realizer.realize([tiles], weights([1.0] * 3), search_options())
    with pytest.raises(InputError, match="a feature of the reordering model is not a number"):
        realizer.realize([tiles], weights([1.0] * 5 + [math.nan]), search_options())
    with pytest.raises(InputError, match="an alternative has 5 scores of a reordering model of 6"):
        three([row[1:] for row in SCORES])
    with pytest.raises(InputError, match="reordering scores of 2 alternatives, but there are 3"):
        three(SCORES[1:])
