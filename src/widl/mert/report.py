"""The report of a tuning job: scores over iterations, the error surface around the weights, and a page with both."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup, escape
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from widl.common.arguments import counted
from widl.common.files import write_text
from widl.mert.nbest import FloatArray
from widl.mert.problem import Problem
from widl.mert.tuning import Iteration, TuningResult, best_iteration
from widl.pages import Section, figure, page, table
from widl.pages.tables import Cell, Column, Row, Table

_BLACK = "#010203"  # becomes currentColor
_STYLE: dict[Any, Any] = {
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), _BLACK
    ),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
    "grid.color": "#8c8c8c",
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10,
}
"""Black becomes `currentColor`, and the background is transparent: for light and dark pages."""
_LEAST_SPAN = 0.5
"""Points that the axis of a surface spans at least, half of them."""


def write_report(directory: Path, problem: Problem, result: TuningResult) -> None:
    """Write ``scores.svg``, ``surfaces.svg`` and ``report.html``, which holds both and needs no other file."""
    scores, surfaces = draw_scores(result.iterations), draw_surfaces(problem, result.weights)
    for name, picture in (("scores.svg", scores), ("surfaces.svg", surfaces)):
        with write_text(directory / name) as file:
            file.write(picture)
    values = ", ".join(f"{name} {value:.2f}" for name, value in result.values.items())
    best = best_iteration(result.iterations)
    iterations = counted(len(result.iterations), "iteration")
    note = f"Best: iteration {best.number}, {values}. {iterations}; ended because: {result.stopped}."
    sections = [
        Section("scores", "Scores", [_scores_figure(scores), _iteration_table(result.iterations)]),
        Section("weights", "Weights", [_weight_table(_by_iteration(result))]),
        Section("surfaces", "Error surface around the best weights", [_surfaces_figure(surfaces)]),
    ]
    with write_text(directory / "report.html") as file:
        file.write(_page(problem, note, sections))


def surface_page(problem: Problem, weights: Mapping[str, float], text: str) -> str:
    """A page about weights that were found on given n-best lists: HTML."""
    sections = [
        Section("weights", "Weights", [_weight_table({"weight": weights})]),
        Section(
            "surfaces", "Error surface around these weights", [_surfaces_figure(draw_surfaces(problem, weights))]
        ),
    ]
    return _page(problem, text, sections)


def _page(problem: Problem, note: str, sections: Sequence[Section]) -> str:
    objective = problem.objective
    return page(f"Tuning: {objective.text}", "", sections, notes=[note], signatures=objective.signatures())


@contextmanager
def _drawing(width: float, height: float) -> Iterator[Figure]:
    """A figure of `width` × `height` inches; drawings in the ``with`` block have the pages' style."""
    with rc_context(_STYLE):
        yield Figure(figsize=(width, height))


def _svg(figure: Figure) -> str:
    """The figure as an SVG element; without date or random ids, so that equal pictures are equal text."""
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "widl", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, facecolor="none")
    picture = text.getvalue()
    picture = picture[picture.index("<svg") :].replace(_BLACK, "currentColor")
    return re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)


def _inlined(picture: str, prefix: str, title: str, description: str) -> Markup:
    """An SVG for a page with others: its ids get the prefix; title and description are for screen readers."""
    for before in (r'\bid="', r"url\(#", r'href="#'):
        picture = re.sub(before, lambda match: f"{match[0]}{prefix}-", picture)
    picture = re.sub(r' xmlns(:\w+)?="[^"]*"', "", picture).replace("xlink:href", "href")
    labels = f'role="img" aria-labelledby="{prefix}-title {prefix}-description"'
    names = (
        f'<title id="{prefix}-title">{escape(title)}</title>'
        f'<desc id="{prefix}-description">{escape(description)}</desc>'
    )
    return Markup(re.sub(r"<svg ([^>]*)>", lambda match: f"<svg {labels} {match[1]}>{names}", picture, count=1))


def _scores_figure(picture: str) -> Markup:
    title, description = "Scores", "The objective of each iteration's decoding, and what was promised of it."
    return figure(title, description, _inlined(picture, "scores-picture", title, description))


def _surfaces_figure(picture: str) -> Markup:
    title, description = "Error surface", "The objective as a function of each weight alone."
    return figure(title, description, _inlined(picture, "surfaces-picture", title, description))


def draw_scores(iterations: Sequence[Iteration]) -> str:
    """The decoder's score in each iteration, and the score of its weights on the earlier lists: SVG."""
    with _drawing(7, 3.2) as figure:
        figure.subplots_adjust(left=0.1, right=0.98, bottom=0.16, top=0.96)
        axes = figure.add_subplot()
        numbers = [iteration.number for iteration in iterations]
        axes.plot(numbers, [iteration.score for iteration in iterations], "o-", label="decoded")
        promised = [(it.number + 1, it.promised) for it in iterations if it.promised is not None]
        if promised:
            axes.plot(*zip(*promised, strict=True), "x--", color="C8", label="promised on the lists before")
        best = best_iteration(iterations)
        axes.plot([best.number], [best.score], "o", color="C3", markersize=10, fillstyle="none", label="best")
        axes.set(xlabel="iteration", ylabel="objective (points)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
        return _svg(figure)


def draw_surfaces(problem: Problem, weights: Mapping[str, float]) -> str:
    """The objective as a function of each weight alone, the others as they are: SVG."""
    names = problem.names
    columns = 3
    rows = -(-len(names) // columns)
    center = np.array([weights[name] for name in names], dtype=np.float64)
    radius = float(np.abs(center).max()) or 1.0
    with _drawing(10, 2.4 * rows) as figure:
        # Fixed margins: computing them for so many axes takes longer than to draw them.
        margin = 0.3 / (2.4 * rows)
        figure.subplots_adjust(left=0.05, right=0.99, bottom=margin, top=1 - margin, wspace=0.2, hspace=0.35)
        for i, name in enumerate(names):
            axes = figure.add_subplot(rows, columns, i + 1)
            at, scores = coordinate_surface(problem, center, i, max(radius, abs(center[i])))
            axes.step(at, scores, where="post", linewidth=0.8)
            axes.axvline(center[i], color="C3", linewidth=0.8)
            axes.set_title(name, fontsize=9)
            axes.tick_params(labelsize=7)
            axes.ticklabel_format(axis="y", style="plain", useOffset=False)
            if np.ptp(scores) < _LEAST_SPAN:  # a flat line rather than a magnified step
                axes.set_ylim(float(np.mean(scores)) - _LEAST_SPAN, float(np.mean(scores)) + _LEAST_SPAN)
        return _svg(figure)


def coordinate_surface(
    problem: Problem, weights: FloatArray, feature: int, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Values of one weight where the objective changes, and the objective from there on, up to `radius` away."""
    direction = np.zeros(len(weights))
    direction[feature] = 1.0
    thresholds, scores = problem.lists.error_surface(
        problem.objective.metric, weights, direction, lowest=-radius, highest=radius
    )
    at = np.append(thresholds, radius) + weights[feature]
    return at, np.append(scores, scores[-1])


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
    made = Table(name="iterations", title="Iterations", of="iteration", columns=columns, rows=rows)
    return table(made, heading=False)


def _by_iteration(result: TuningResult) -> dict[str, Mapping[str, float]]:
    """The best weights, in the first column, which is always in sight, and those of each iteration."""
    return {"best": result.weights, **{str(it.number): it.weights for it in result.iterations}}


def _weight_table(weights: Mapping[str, Mapping[str, float]]) -> Markup:
    """A column for each of the weights."""
    rows = [
        Row(label=feature, cells={name: values[feature] for name, values in weights.items()})
        for feature in next(iter(weights.values()))
    ]
    columns = [Column(name=name, digits=5) for name in weights]
    return table(Table(name="weights", title="Weights", of="feature", columns=columns, rows=rows), heading=False)
