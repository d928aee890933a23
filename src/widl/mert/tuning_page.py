"""Pages about tuning: iterations, weights, and the error surface around the weights."""

from collections.abc import Mapping, Sequence

import numpy as np

from widl.common.arguments import counted
from widl.common.arrays import FloatArray
from widl.common.extras import optional_packages
from widl.mert.problem import Problem
from widl.mert.tuning_results import Iteration, TuningResult, best_iteration
from widl.pages import Section, page, render, table
from widl.pages.charts import Point, chart
from widl.pages.tables import Cell, Column, Row, Table

with optional_packages():
    from markupsafe import Markup

_WIDTH, _HEIGHT = 240, 90  # of a surface's picture
_MIN_SPAN = 0.5  # minimum half-range of the axis, in points, so that tiny steps are not magnified


def tuning_page(problem: Problem, result: TuningResult) -> str:
    """A tuning job: scores and weights of each iteration, and the error surface of all candidates around the best."""
    values = ", ".join(f"{name} {value:.2f}" for name, value in result.values.items())
    best = best_iteration(result.iterations)
    iterations = counted(len(result.iterations), "iteration")
    note = f"Best: iteration {best.number}, {values}. {iterations}; ended because: {result.stopped}."
    # The best weights are in the first column, which is always visible.
    by_iteration = {"best": result.weights, **{str(it.number): it.weights for it in result.iterations}}
    scores = Section("scores", "Scores", [_iteration_chart(result.iterations), _iteration_table(result.iterations)])
    return _page(problem, note, [scores], by_iteration)


def surface_page(problem: Problem, weights: Mapping[str, float], note: str) -> str:
    """Weights found on given n-best lists, and the error surface around them."""
    return _page(problem, note, [], {"weight": weights})


def _page(problem: Problem, note: str, sections: Sequence[Section], weights: Mapping[str, Mapping[str, float]]) -> str:
    """Page sections: a column for each set of weights, and the error surface around the first set."""
    objective, center = problem.objective, next(iter(weights.values()))
    rows = [Row(label=feature, cells={name: values[feature] for name, values in weights.items()}) for feature in center]
    columns = [Column(name=name, digits=5) for name in weights]
    weights_table = Table(name="weights", title="Weights", of="feature", columns=columns, rows=rows)
    surfaces = _surfaces(problem, np.array([center[name] for name in problem.names], dtype=np.float64))
    more = [Section("weights", "Weights", [table(weights_table, heading=False)])]
    more.append(Section("surfaces", "Error surface around the weights", [surfaces]))
    notes = [note, *(f"{name}: {signature}" for name, signature in objective.signatures().items())]
    return page(f"Tuning: {objective.text}", "", [*sections, *more], notes=notes)


def _iteration_chart(iterations: Sequence[Iteration]) -> Markup:
    points = [Point(str(iteration.number), iteration.number, iteration.score) for iteration in iterations]
    return chart(points, x="iteration", y="objective", joined=True)


def _iteration_table(iterations: Sequence[Iteration]) -> Markup:
    names = list(iterations[0].values)
    columns = [Column(name=name, digits=3) for name in ("objective", *names)]
    columns += [Column(name=name, digits=0) for name in ("new candidates", "all candidates")]
    columns += [Column(name="promised", digits=3), Column(name="seconds")]
    best = best_iteration(iterations)
    rows = []
    for it in iterations:
        cells: dict[str, Cell] = {"objective": it.score, "new candidates": it.new_candidates}
        cells |= {"all candidates": it.candidates, "promised": it.promised, "seconds": it.seconds, **it.values}
        rows.append(Row(label=f"{it.number}{' (best)' * (it is best)}", cells=cells))
    result = Table(name="iterations", title="Iterations", of="iteration", columns=columns, rows=rows)
    return table(result, heading=False)


def _surfaces(problem: Problem, center: FloatArray) -> Markup:
    """For each weight, a plot of the objective as a function of it; the other weights stay at `center`."""
    radius = float(np.abs(center).max()) or 1.0
    pictures = []
    for i, name in enumerate(problem.names):
        at, scores = surface(problem, center, i, radius, samples=2 * _WIDTH)
        low, high = float(scores.min()), float(scores.max())
        if high - low < _MIN_SPAN:
            low, high = (low + high) / 2 - _MIN_SPAN, (low + high) / 2 + _MIN_SPAN
        heights = _HEIGHT * (high - scores) / (high - low)
        line = " ".join(f"{k / 2:.1f},{height:.1f}" for k, height in enumerate(heights))
        pictures.append({"name": name, "line": line, "left": at[0], "right": at[-1], "low": low, "high": high})
    return render("error_surfaces", pictures=pictures, width=_WIDTH, height=_HEIGHT)


def surface(
    problem: Problem, weights: FloatArray, feature: int, radius: float, *, samples: int
) -> tuple[FloatArray, FloatArray]:
    """Evenly spaced values of one weight, up to `radius` away, and the objective at each: shapes (samples,)."""
    direction = np.zeros(len(weights))
    direction[feature] = 1.0
    thresholds, scores = problem.lists.error_surface(
        problem.objective.metric, weights, direction, lowest=-radius, highest=radius
    )
    steps = np.linspace(-radius, radius, samples)
    return steps + weights[feature], scores[np.searchsorted(thresholds, steps, side="right") - 1]
