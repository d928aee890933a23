"""The options of A*_k: the unit of k, and the order of states."""

from widl.decoder import LanguageModel, RealizationOptions, Realizer
from widl.expressions import parse_expression

SPACE = parse_expression("∥(×(the old man), ×(in the park), sat, quietly, ∨(today, ×(all day long)))")
MODEL = LanguageModel.estimate(
    ["the old man sat quietly in the park", "today the man sat all day long", "in the park the old man sat"]
)


def edges(**options) -> int:
    chosen = RealizationOptions(search="astar-k", bound="static", **options)
    return Realizer([MODEL]).realize_one(SPACE, chosen).edges


def test_units_and_orders_differ() -> None:
    assert edges(k=0, k_unit="words") != edges(k=0, k_unit="positions")
    assert edges(k=3, order="bound") > edges(k=3, order="estimate")
