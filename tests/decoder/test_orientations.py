"""Lexicalized reordering, computed by hand; `tests/proofs` compares every search with all derivations."""

import math
from collections.abc import Sequence

import pytest

from tests.core_options import Algorithm, search_options
from tests.proofs.models import opened
from tests.reference.arpa import arpa_text
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, Tiles, Vocabulary, WeightVector
from widl.expressions import Expression

VOCABULARY = Vocabulary([])

FLAT = arpa_text(["-1\t<unk>", "-99\t<s>\t0", "-1\t</s>", "-1\ta\t0", "-1\tb\t0", "-1\tc\t0"], ["-1\ta b"])
"""Every word has the same probability everywhere."""


def three(orientations: Sequence[Sequence[float]]) -> Tiles:
    """Tiles a, b and c at positions 0, 1 and 2, with reordering scores."""
    spans = [(i, i + 1, Expression.word(word)) for i, word in enumerate("abc")]
    expression = Expression.tiles(3, spans, movement_base=0.5)
    logs = [[math.log(p) for p in row] for row in orientations]
    return Tiles.compile(expression, VOCABULARY, orientations=logs)


def weights(reordering: Sequence[float]) -> WeightVector:
    return WeightVector(
        widl=[], language_models=[1.0], word_count=0, phrase_count=0, distortion=0, unknown=0, reordering=reordering
    )


# backward M S D, forward M S D; b mostly swaps with c.
SCORES = [
    [0.6, 0.2, 0.2, 0.5, 0.1, 0.4],
    [0.1, 0.7, 0.2, 0.2, 0.2, 0.6],
    [0.2, 0.1, 0.7, 0.1, 0.8, 0.1],
]


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_an_order_by_hand(algorithm: Algorithm) -> None:
    """Without movement a c b is best: a is monotone at the start (0.6), c discontinuous after it (a's forward 0.4, c's
    backward 0.7), and b swapped with c (c's forward 0.8, b's backward 0.7).
    """
    tiles = three(SCORES)
    model = opened(FLAT)
    options = search_options(algorithm=algorithm, beam=0, nbest=6)
    result = CoreRealizer(VOCABULARY, [model]).realize([tiles], weights([1.0] * 6), options)[0]
    assert result.words == ["a", "c", "b"]
    logs = [math.log(p) for p in (0.6, 0.7, 0.7, 1, 0.8, 0.4)]
    assert result.features[5:] == pytest.approx(logs, abs=1e-6)


def test_weights_of_another_model() -> None:
    tiles = three(SCORES)
    realizer = CoreRealizer(VOCABULARY, [opened(FLAT)])
    with pytest.raises(InputError, match="weights for 3 features of a reordering model, but the tiles have 6"):
        realizer.realize([tiles], weights([1.0] * 3), search_options())
    with pytest.raises(InputError, match="a feature of reordering or movement is not a number"):
        realizer.realize([tiles], weights([1.0] * 5 + [math.nan]), search_options())
    with pytest.raises(InputError, match="an alternative has 5 scores of a reordering model of 6"):
        three([row[1:] for row in SCORES])
    with pytest.raises(InputError, match="reordering scores of 2 alternatives, but there are 3"):
        three(SCORES[1:])
