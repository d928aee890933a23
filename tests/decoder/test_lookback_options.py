"""The options of A*_k: the unit of k, and the order of states."""

import pytest

from widl.common.errors import InputError
from widl.decoder import LanguageModel, RealizationOptions, Realizer
from widl.expressions import parse_expression
from widl.translation import TranslationOptions

SPACE = parse_expression("∥(×(the old man), ×(in the park), sat, quietly, ∨(today, ×(all day long)))")
MODEL = LanguageModel.estimate(
    ["the old man sat quietly in the park", "today the man sat all day long", "in the park the old man sat"]
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "best"}, "order: expected one of 'bound' or 'estimate', found 'best'"),
        ({"k_unit": "phrases"}, "k-unit: expected one of 'words' or 'positions', found 'phrases'"),
    ],
)
def test_bad_values_are_named(options, message) -> None:
    for kind in (RealizationOptions, TranslationOptions):
        with pytest.raises(InputError) as error:
            kind(**options)
        assert str(error.value) == message


def edges(**options) -> int:
    chosen = RealizationOptions(search="astar-k", bound="static", **options)
    return Realizer([MODEL]).realize_one(SPACE, chosen).edges


def test_units_and_orders_differ() -> None:
    assert edges(k=0, k_unit="words") != edges(k=0, k_unit="positions")
    assert edges(k=3, order="bound") > edges(k=3, order="estimate")
