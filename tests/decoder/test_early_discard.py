"""Steps left out of stacks and beams before language models are asked, against all derivations."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decoder.random_tiles import COMPONENTS, Case, cases, model_of
from tests.reference.tiles import derivations, features
from widl.decoder import (
    Algorithm,
    CoreRealizer,
    Expression,
    LanguageModel,
    Realization,
    SearchOptions,
    Tiles,
    Vocabulary,
    WeightVector,
    parse_expression,
)
from widl.errors import InputError

LAYERED = st.sampled_from([Algorithm.stack, Algorithm.beam])


@settings(max_examples=60)
@given(
    cases(),
    LAYERED,
    st.integers(0, 3),
    st.sampled_from([0.0, 0.01, 0.5]),
    st.sampled_from([0.0, 0.3, 2.0]),
    st.sampled_from([0, 3, 10]),
)
def test_certificates_count_what_was_left_out(
    case: Case, algorithm: Algorithm, size: int, beam: float, discard: float, max_states: int
) -> None:
    models, log_base = [model_of(arpa) for arpa in case.arpas], math.log(case.base)
    written_out = list(derivations(case.length, case.options, case.limit))
    scores = {tuple(d): case.score(features(d, models, log_base, COMPONENTS)) for d in written_out}
    best = max(scores.values())
    options = {"algorithm": algorithm, "beam": beam, "beam_size": size, "nbest": 4, "distinct": False}
    options["max_states"] = max_states
    found = case.search(models, early_discard=discard, **options)
    assert found.bound >= best - 1e-4
    assert not found.optimal or found.score == pytest.approx(best, rel=1e-5, abs=1e-4)
    told = [case.path_of(one.phrases) for one in found.nbest]
    assert [one.score for one in found.nbest] == pytest.approx([scores[path] for path in told], abs=1e-4)
    assert found.score == max(one.score for one in found.nbest)
    chosen = [tuple(a for *_, a in one.phrases) for one in found.nbest]
    assert len(set(chosen)) == len(chosen)


@settings(max_examples=40)
@given(cases(), LAYERED, st.integers(0, 3))
def test_one_that_is_never_reached_changes_nothing(case: Case, algorithm: Algorithm, size: int) -> None:
    models = [model_of(arpa) for arpa in case.arpas]
    options = {"algorithm": algorithm, "beam": 0.0, "beam_size": size}
    plain = case.search(models, **options)
    far = case.search(models, early_discard=1e9, **options)
    assert (far.score, far.bound, far.phrases) == (plain.score, plain.bound, plain.phrases)


@pytest.mark.parametrize("algorithm", [Algorithm.stack, Algorithm.beam])
def test_it_saves_steps(algorithm: Algorithm) -> None:
    lines = ["the club held a football match in london", "a match held in london", "in london the club held a club"]
    vocabulary, model = Vocabulary([]), LanguageModel.estimate(lines, order=3)
    words = "in london the club held a football match".split()
    spans = [(i, i + 1, parse_expression(f"∨({words[i]}, {words[i - 1]})")) for i in range(8)]
    tiles = Tiles.compile(Expression.tiles(8, spans, movement_base=0.5), vocabulary)
    weights = WeightVector(widl=[1.0], language_models=[1.0], word_count=0, phrase_count=0, distortion=0.1, unknown=0)

    def run(discard: float) -> Realization:
        options = SearchOptions(algorithm=algorithm, beam=0, beam_size=20, distortion_limit=4, early_discard=discard)
        return CoreRealizer(vocabulary, [model]).realize([tiles], weights, options)[0]

    edges = [run(discard).statistics.edges for discard in (math.inf, 4.0, 1.0, 0.0)]
    assert edges == sorted(edges, reverse=True)
    assert edges[-1] < 0.6 * edges[0]
    assert run(4.0).score == run(math.inf).score


@pytest.mark.parametrize("discard", [-1.0, math.nan])
def test_bad_values(discard: float) -> None:
    with pytest.raises(InputError, match="the early discard must be at least 0"):
        SearchOptions(algorithm=Algorithm.stack, early_discard=discard)
