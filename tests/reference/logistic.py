"""Logistic regression by Newton's method on dense matrices, straight from its definition."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

Row = tuple[Mapping[str, float], bool]


def fit(rows: Sequence[Row], penalty: float, least: int) -> dict[str, float]:
    """Weights that minimize Σ ln(1 + exp(−y z)) + penalty/2 Σ w², with a free bias and without rare features."""
    counts = Counter(name for features, _ in rows for name in features)
    names = sorted(name for name, count in counts.items() if count >= least)
    x = np.array([[features.get(name, 0.0) for name in names] for features, _ in rows])
    y = np.array([float(label) for _, label in rows])
    ridge = np.diag([0.0 if name == "bias" else penalty for name in names])
    w = np.zeros(len(names))
    for _ in range(100):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) + ridge @ w
        hessian = x.T @ (x * (p * (1 - p))[:, None]) + ridge
        w = w - np.linalg.solve(hessian, gradient)
    return dict(zip(names, w.tolist(), strict=True))
