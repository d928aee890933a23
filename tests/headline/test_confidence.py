"""Confidence: a probability that grows with what makes headlines good."""

import pytest

from widl.headline.clause_document import confidence

FEATURES = {"cuts": -3.0, "guards": -1.0, "word_count": 7.0, "kept": -3.0, "words": -4.0, "lm0": -50.0}


def test_it_is_a_probability() -> None:
    assert 0 < confidence(FEATURES) < 1
    assert 0 < confidence(dict.fromkeys(FEATURES, -1e6)) < 1e-6


@pytest.mark.parametrize("name", FEATURES)
def test_it_grows_with_each_feature(name: str) -> None:
    assert confidence(FEATURES | {name: FEATURES[name] + 1}) > confidence(FEATURES)
