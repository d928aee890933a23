"""Logistic regression with an L2 penalty, for dense and sparse rows, by L-BFGS."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

FloatArray = NDArray[np.float64]


class LogisticLoss:
    """The function of the weights w that a logistic regression minimises, and its gradient.

        f(w) = cost · Σ_i ln(1 + exp(−z_i)) + ½ Σ_k penalty_k · w_k²    with z_i = rows_i · w + offset_i

    Each row is multiplied by its label, −1 or 1: z_i is its margin. rows: shape (n, features).
    """

    def __init__(
        self,
        rows: FloatArray | csr_matrix,
        *,
        penalty: FloatArray | float = 1.0,
        cost: float = 1.0,
        offset: FloatArray | float = 0.0,
    ) -> None:
        self._rows = rows
        self._penalty = penalty
        self._cost = cost
        self._offset = offset

    def __call__(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The value and the gradient at `weights`."""
        margins = self._rows @ weights + self._offset
        losses = float(np.logaddexp(0, -margins).sum())
        penalized = self._penalty * weights
        value = self._cost * losses + 0.5 * float(weights @ penalized)
        return value, penalized - self._cost * (self._rows.T @ expit(-margins))

    def minimum(
        self,
        start: FloatArray,
        *,
        bounds: Sequence[tuple[float, float]] | None = None,
        max_iterations: int = 15_000,
    ) -> FloatArray:
        """The weights with the least loss; `bounds`: the least and largest value of each."""
        options = {"maxiter": max_iterations}
        result = minimize(self, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        return np.asarray(result.x, dtype=np.float64)
