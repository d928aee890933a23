"""Logistic regression: its gradient against finite differences, its minimum against Newton's method."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from reference.logistic import fit
from widl.logistic import LogisticLoss


@given(
    seed=st.integers(0, 10_000),
    shape=st.tuples(st.integers(1, 12), st.integers(1, 5)),
    cost=st.floats(0.01, 10),
    sparse=st.booleans(),
)
def test_the_gradient_is_that_of_the_value(seed: int, shape: tuple[int, int], cost: float, sparse: bool) -> None:
    generator = np.random.default_rng(seed)
    rows = generator.normal(0, 2, shape) * (generator.random(shape) < 0.7)
    penalty, offset = generator.random(shape[1]), generator.normal(size=shape[0])
    loss = LogisticLoss(
        scipy.sparse.csr_matrix(rows) if sparse else rows, penalty=penalty, cost=cost, offset=offset
    )
    weights = generator.normal(size=shape[1])
    value, gradient = loss(weights)
    by_hand = cost * np.log1p(np.exp(-(rows @ weights + offset))).sum() + 0.5 * (penalty * weights**2).sum()
    assert value == pytest.approx(by_hand, rel=1e-9)
    expected = approx_fprime(weights, lambda w: loss(w)[0], 1e-6)
    assert gradient == pytest.approx(expected, rel=1e-3, abs=1e-3 * max(1.0, cost))


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
    # A cost is the same as that much less of a penalty.
    again = LogisticLoss(signs * rows, penalty=3 * penalty, cost=3.0).minimum(np.zeros(4))
    assert again == pytest.approx(found, abs=2e-4)


def test_bounds_hold_and_what_is_free_is_at_its_minimum() -> None:
    generator = np.random.default_rng(3)
    rows = generator.normal(1, 1, size=(40, 2))
    loss = LogisticLoss(rows)
    found = loss.minimum(np.zeros(2), bounds=[(-1.0, 0.25), (-np.inf, np.inf)])
    assert found[0] == 0.25
    _, gradient = loss(found)
    assert gradient[0] < 0  # more would be better
    assert gradient[1] == pytest.approx(0, abs=1e-3)


def test_numbers_of_any_size() -> None:
    value, gradient = LogisticLoss(np.array([[1e6], [-1e6]]), penalty=0.0)(np.array([1.0]))
    assert value == pytest.approx(1e6)
    assert gradient == pytest.approx([1e6])
