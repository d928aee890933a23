"""Looking at a tuning job: scores over iterations, the error surface around the weights, and one page of both."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from widl.files import write_text
from widl.mert.nbest import FloatArray
from widl.mert.problem import Problem
from widl.pictures import drawing, inlined, svg

if TYPE_CHECKING:
    from widl.mert.tuning import Iteration, TuningResult

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 sans-serif; max-width: 64em; margin: 2em auto; padding: 0 1em}
table { border-collapse: collapse } td, th { padding: .15em .7em; text-align: right; border-bottom: 1px solid #8884 }
td:first-child, th:first-child { text-align: left } svg { max-width: 100%; height: auto }
"""


def write_report(directory: Path, problem: Problem, result: "TuningResult") -> None:
    """Write ``scores.svg``, ``surfaces.svg`` and ``report.html``, which holds both and needs no other file."""
    scores, surfaces = draw_scores(result.iterations), draw_surfaces(problem, result.weights)
    for name, picture in (("scores.svg", scores), ("surfaces.svg", surfaces)):
        with write_text(directory / name) as file:
            file.write(picture)
    values = ", ".join(f"{name} {value:.2f}" for name, value in result.values.items())
    body = [
        f"<p>Best: {html.escape(values)}. {len(result.iterations)} iterations; ended because: "
        f"{html.escape(result.stopped)}.</p>",
        "<h2>Scores</h2>",
        inlined(scores, "scores", "Scores", "The objective of each iteration's decoding, and what was promised of it."),
        _iteration_table(result.iterations),
        "<h2>Weights</h2>",
        _weight_table(result.iterations, result.weights),
        "<h2>Error surface around the best weights</h2>",
        inlined(surfaces, "surfaces", "Error surface", "The objective as a function of each weight alone."),
    ]
    with write_text(directory / "report.html") as file:
        file.write(page(f"Tuning: {problem.objective.text}", problem, body))


def surface_page(problem: Problem, weights: Mapping[str, float], text: str) -> str:
    """A page about weights that were found on given n-best lists: HTML."""
    rows = [[name, f"{value:.6g}"] for name, value in weights.items()]
    body = [f"<p>{html.escape(text)}</p>", _table(["feature", "weight"], rows), draw_surfaces(problem, weights)]
    return page(f"Tuning: {problem.objective.text}", problem, body)


def page(title: str, problem: Problem, body: Sequence[str]) -> str:
    """A whole HTML document."""
    signatures = "".join(
        f"<p><code>{html.escape(name)} {html.escape(text)}</code></p>"
        for name, text in problem.objective.signatures().items()
    )
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    heading = f"<h1>{html.escape(title)}</h1>{signatures}"
    opening = f"<html lang=en><head>{head}</head><body>{heading}"
    return "\n".join(["<!DOCTYPE html>", opening, *body, "</body></html>\n"])


def draw_scores(iterations: Sequence["Iteration"]) -> str:
    """The decoder's score in each iteration, and what the weights had promised on the lists before: SVG."""
    with drawing(7, 3.2) as figure:
        axes = figure.add_subplot()
        numbers = [iteration.number for iteration in iterations]
        axes.plot(numbers, [iteration.score for iteration in iterations], "o-", label="decoded")
        promised = [(it.number + 1, it.promised) for it in iterations if it.promised is not None]
        if promised:
            axes.plot(*zip(*promised, strict=True), "x--", color="C8", label="promised on the lists before")
        axes.set(xlabel="iteration", ylabel="objective (points)")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
        return svg(figure)


def draw_surfaces(problem: Problem, weights: Mapping[str, float]) -> str:
    """The objective as a function of each weight alone, the others as they are: SVG."""
    names = problem.names
    columns = 3
    rows = -(-len(names) // columns)
    center = np.array([weights[name] for name in names], dtype=np.float64)
    radius = float(np.abs(center).max()) or 1.0
    with drawing(10, 2.4 * rows) as figure:
        for i, name in enumerate(names):
            axes = figure.add_subplot(rows, columns, i + 1)
            at, scores = coordinate_surface(problem, center, i, max(radius, abs(center[i])))
            axes.step(at, scores, where="post", linewidth=0.8)
            axes.axvline(center[i], color="C3", linewidth=0.8)
            axes.set_title(name, fontsize=9)
            axes.tick_params(labelsize=7)
        return svg(figure)


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


def _iteration_table(iterations: Sequence["Iteration"]) -> str:
    names = list(iterations[0].values)
    header = ["iteration", "objective", *names, "new candidates", "all candidates", "promised", "seconds"]
    rows = [
        [
            str(it.number),
            f"{it.score:.3f}",
            *(f"{it.values[name]:.3f}" for name in names),
            f"{it.new_candidates:,}",
            f"{it.candidates:,}",
            "" if it.promised is None else f"{it.promised:.3f}",
            f"{it.seconds:.1f}",
        ]
        for it in iterations
    ]
    return _table(header, rows)


def _weight_table(iterations: Sequence["Iteration"], best: Mapping[str, float]) -> str:
    header = ["feature", *(str(it.number) for it in iterations), "best"]
    rows = [[name, *(f"{it.weights[name]:.4g}" for it in iterations), f"{value:.6g}"] for name, value in best.items()]
    return _table(header, rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line(header, "th") + "".join(line(row, "td") for row in rows) + "</table>"
