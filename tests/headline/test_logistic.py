"""Logistic regression: its gradient against finite differences, its minimum against Newton's method."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from reference.logistic import fit
from widl.headline.logistic import LogisticLoss


@given(
    seed=st.integers(0, 10_000),
    shape=st.tuples(st.integers(1, 12), st.integers(1, 5)),
    sparse=st.booleans(),
)
def test_the_gradient_is_that_of_the_value(seed: int, shape: tuple[int, int], sparse: bool) -> None:
    generator = np.random.default_rng(seed)
    rows = generator.normal(0, 2, shape) * (generator.random(shape) < 0.7)
    penalty = generator.random(shape[1])
    loss = LogisticLoss(scipy.sparse.csr_matrix(rows) if sparse else rows, penalty=penalty)
    weights = generator.normal(size=shape[1])
    value, gradient = loss(weights)
    by_hand = np.log1p(np.exp(-(rows @ weights))).sum() + 0.5 * (penalty * weights**2).sum()
    assert value == pytest.approx(by_hand, rel=1e-9)
    expected = approx_fprime(weights, lambda w: loss(w)[0], 1e-6)
    assert gradient == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("penalty", [0.1, 2.0])
def test_the_minimum_is_that_of_newtons_method(seed: int, penalty: float) -> None:
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(60, 4))
    labels = generator.random(60) < 1 / (1 + np.exp(-rows @ [1.0, -2.0, 0.0, 0.5]))
    features = [dict(zip("abcd", row.tolist(), strict=True)) for row in rows]
    named = list(zip(features, labels.tolist(), strict=True))
    signs = np.where(labels, 1.0, -1.0)[:, None]
    found = LogisticLoss(signs * rows, penalty=penalty).minimum(np.zeros(4))
    assert found == pytest.approx(list(fit(named, penalty, 1).values()), abs=2e-4)


def test_numbers_of_any_size() -> None:
    value, gradient = LogisticLoss(np.array([[1e6], [-1e6]]), penalty=0.0)(np.array([1.0]))
    assert value == pytest.approx(1e6)
    assert gradient == pytest.approx([1e6])
