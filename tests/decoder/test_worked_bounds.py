"""Worked examples in the core's headers with bounds that a search record shows."""

import math

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import opened
from tests.reference.arpa import arpa_text
from widl.decoder import Bound, CoreRealizer, Vocabulary
from widl.expressions import parse_expression

# Natural logs; all other pairs back off to -9.
PAIRS = {"<s> a": -1, "a b": -1, "a c": -1, "b c": -3, "c b": -3, "b </s>": -1, "c </s>": -1}


def test_words_to_come_choose_their_contexts() -> None:
    """The example of context_bound.hpp: after a, both b and c choose a, and </s> chooses b or c."""

    def log10(value: float) -> str:
        return f"{value / math.log(10):.9f}"

    words = [f"{log10(-9)}\t{word}\t0" for word in ("<unk>", "a", "b", "c", "</s>")]
    pairs = [f"{log10(value)}\t{pair}" for pair, value in PAIRS.items()]
    model = opened(arpa_text([*words, "-99\t<s>\t0"], pairs))
    [result] = CoreRealizer(Vocabulary([]), [model]).realize_expressions(
        [parse_expression("∥(a, b, c)")],
        plain_weights(widl=0.0),
        search_options(algorithm=Algorithm.bfs, bound=Bound.context, record=100),
    )
    assert (result.words[0], result.score) == ("a", pytest.approx(-6, abs=1e-4))
    record = result.record
    assert record is not None
    [after_a] = [
        bound
        for kind, label, source, bound in zip(record.kinds, record.labels, record.sources, record.bounds, strict=True)
        if kind == 1 and source == 0 and record.words[label] == ["a"]
    ]
    assert after_a == pytest.approx(-3, abs=1e-4)
