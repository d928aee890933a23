"""Features by name: compares the layout with the lists that it represents."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.decoder import FeatureLayout, FeatureVector, WeightVector
from widl.translation.movement_features import FeatureView

NAMES = st.lists(st.text("abcxyz", min_size=1, max_size=4), min_size=1, max_size=4, unique=True)


@given(NAMES, st.integers(0, 3), st.data())
def test_a_layout_is_the_list_of_its_names(widl: list[str], models: int, data: st.DataObject) -> None:
    layout = FeatureLayout.of(widl, models)
    expected = [*widl, *(f"lm{m}" for m in range(models)), "word_count", "phrase_count", "distortion", "unknown"]
    assert list(layout.names) == expected
    assert (list(layout.widl), len(layout.language_models), len(layout)) == (widl, models, len(expected))
    hidden = data.draw(st.sets(st.sampled_from(expected)))
    remaining = layout.without(hidden)
    assert list(remaining.names) == [name for name in expected if name not in hidden]
    assert layout.columns(remaining.names) == [expected.index(name) for name in remaining.names]
    values = data.draw(st.lists(st.floats(-9, 9), min_size=len(expected), max_size=len(expected)))
    by_name = layout.mapping(values)
    assert list(remaining.vector(by_name)) == [
        v for v, name in zip(values, expected, strict=True) if name not in hidden
    ]
    vector = FeatureVector(layout, values)
    assert vector == by_name
    assert [vector[name] for name in expected] == values
    assert dict(vector + layout.zeros()) == by_name
    again = pickle.loads(pickle.dumps([vector, vector]))
    assert again == [vector, vector]
    assert again[0].layout is again[1].layout


@given(NAMES, st.integers(0, 3), st.data())
def test_folded_movement_is_the_paper_s_sum(widl: list[str], models: int, data: st.DataObject) -> None:
    """The score does not change if movement is a feature that replaces the weighted WIDL features."""
    core = FeatureLayout.of(widl, models)
    row = data.draw(st.lists(st.floats(-9, 9), min_size=len(core), max_size=len(core)))
    folded = FeatureView(core, "folded")
    shown, by_name = folded.of(row), core.mapping(row)
    assert list(shown) == [name for name in core.names if name != "distortion"]
    for name, value in shown.items():
        movement = -math.log(0.6) * by_name["distortion"] if name in widl else 0.0
        assert value == pytest.approx(by_name[name] + movement)
    own = FeatureView(core)
    assert (own.layout, dict(own.of(row))) == (core, by_name)


def test_the_core_gets_all_weights_by_name() -> None:
    layout = FeatureLayout.of(["p"], 1)
    weights = dict.fromkeys(layout.names, 1.0)
    assert isinstance(layout.weight_vector(weights), WeightVector)
    fewer = {name: 1.0 for name in weights if name != "unknown"}
    assert isinstance(layout.without(["unknown"]).weight_vector(fewer), WeightVector)
    with pytest.raises(InputError, match=r"weights: unknown feature 'lm1'; .* \(did you mean 'lm0'\?\)"):
        layout.weight_vector(weights | {"lm1": 0.0})
    with pytest.raises(InputError, match="weights: no weight for p"):
        layout.weight_vector({name: 1.0 for name in weights if name != "p"})
    with pytest.raises(InputError, match="distortion is own or folded, not 'both'"):
        FeatureView(layout, "both")
    with pytest.raises(KeyError):
        FeatureVector(layout, layout.zeros().row)["q"]
