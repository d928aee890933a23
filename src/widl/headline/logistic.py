"""Logistic regression with an L2 penalty, for dense and sparse rows, by L-BFGS."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

FloatArray = NDArray[np.float64]


class LogisticLoss:
    """The function of the weights w that a logistic regression minimises, and its gradient.

        f(w) = Σ_i ln(1 + exp(−z_i)) + ½ Σ_k penalty_k · w_k²    with z_i = rows_i · w

    Each row is multiplied by its label, −1 or 1: z_i is its margin. rows: shape (n, features).
    """

    def __init__(self, rows: FloatArray | csr_matrix, *, penalty: FloatArray | float = 1.0) -> None:
        self._rows = rows
        self._penalty = penalty

    def __call__(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """The value and the gradient at `weights`."""
        margins = self._rows @ weights
        losses = float(np.logaddexp(0, -margins).sum())
        penalized = self._penalty * weights
        return losses + 0.5 * float(weights @ penalized), penalized - self._rows.T @ expit(-margins)

    def minimum(self, start: FloatArray, *, max_iterations: int = 15_000) -> FloatArray:
        """The weights with the least loss."""
        result = minimize(self, start, jac=True, method="L-BFGS-B", options={"maxiter": max_iterations})
        return np.asarray(result.x, dtype=np.float64)
