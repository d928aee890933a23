"""Pictures for all experiments: lines, points and distributions, by system."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from widl.experiments.results import Interval, Picture, TestSet
from widl.mert.nbest import FloatArray
from widl.pages.pictures import COLOURS, MARKERS, drawing, svg

Points = Sequence[tuple[float, float]]


def line_picture(
    name: str,
    title: str,
    description: str,
    series: Mapping[str, Sequence[Points]],
    *,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
) -> Picture:
    """Lines of points. The lines of a label (replications) have the same colour; `x` and `y` are the axes' names."""
    with drawing(7.5, 3.6) as figure:
        axes = figure.add_subplot()
        for k, (label, lines) in enumerate(series.items()):
            for i, line in enumerate(lines):
                axes.plot(
                    [point[0] for point in line],
                    [point[1] for point in line],
                    color=COLOURS[k % len(COLOURS)],
                    marker=MARKERS[k % len(MARKERS)],
                    markersize=4,
                    linewidth=1.3,
                    alpha=1 if i == 0 else 0.6,
                    label=label if i == 0 else None,
                )
        _axes(axes, x, y, log_x=log_x, log_y=log_y)
        all_x = [point[0] for lines in series.values() for line in lines for point in line]
        if not log_x and all(float(at).is_integer() for at in all_x):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside right upper", fontsize=9)
        return Picture(name=name, title=title, description=description, svg=svg(figure))


def point_picture(
    name: str,
    title: str,
    description: str,
    points: Mapping[str, tuple[float, float]],
    *,
    x: str,
    y: str,
    log_x: bool = True,
) -> Picture:
    """A named point for each system, such as score against time."""
    with drawing(7.5, 3.8) as figure:
        axes = figure.add_subplot()
        for k, (label, (at, value)) in enumerate(points.items()):
            axes.plot(at, value, MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)], label=label)
        _axes(axes, x, y, log_x=log_x)
        axes.margins(0.08)
        figure.legend(loc="outside right upper", fontsize=9)
        return Picture(name=name, title=title, description=description, svg=svg(figure))


def distribution_picture(test: TestSet, metric: str, *, bins: int = 24) -> Picture:
    """Histogram of a metric's values for single items, from each system's first run."""
    scorer = test.metric(metric).scorer()
    values: dict[str, FloatArray] = {
        name: np.nan_to_num(scorer(np.array(runs[0].statistics[metric], np.float64)))
        for name, runs in test.systems.items()
    }
    all_values = np.concatenate(list(values.values()))
    edges = np.linspace(all_values.min(), max(all_values.max(), all_values.min() + 1e-9), bins + 1)
    whole = bool(np.all(all_values == np.round(all_values)))
    if whole and all_values.max() - all_values.min() <= 2 * bins:  # one bin for each number
        edges = np.arange(all_values.min() - 0.5, all_values.max() + 1)
    with drawing(7.5, 3.4) as figure:
        axes = figure.add_subplot()
        for k, (name, system_values) in enumerate(values.items()):
            shares = 100 * np.histogram(system_values, edges)[0] / len(system_values)
            axes.stairs(shares, edges, color=COLOURS[k % len(COLOURS)], linewidth=1.5, label=name)
        _axes(axes, metric, "% of items")
        figure.legend(loc="outside right upper", fontsize=9)
        return Picture(
            name=f"distribution-{test.name}-{metric}",
            title=f"{metric} of single items, {test.name}",
            description=f"Of {len(test.items):,} items, those whose {metric} is in each of {len(edges) - 1} ranges.",
            svg=svg(figure),
        )


def interval_picture(name: str, title: str, x: str, rows: Sequence[Interval]) -> Picture:
    """Scores of systems by one metric, each with its interval."""
    with drawing(7, 0.8 + 0.28 * len(rows)) as figure:
        axes = figure.add_subplot()
        for i, row in enumerate(reversed(rows)):
            # An interval of resampled items may leave out the mean of the runs.
            axes.plot([row.low, row.high], [i, i], color="C0", linewidth=2)
            axes.plot(row.score, i, "o", color="C1")
        axes.set_yticks(range(len(rows)), [row.system for row in reversed(rows)])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlabel(x)
        axes.grid(True, axis="x")
        description = "Score (dot) and 95 % confidence interval over the items (line) of each system."
        return Picture(name=name, title=title, description=description, svg=svg(figure))


def _axes(axes: Axes, x: str, y: str, *, log_x: bool = False, log_y: bool = False) -> None:
    axes.set(xlabel=x, ylabel=y)
    if log_x:
        axes.set_xscale("log")
        _plain_numbers(axes.xaxis)
    if log_y:
        axes.set_yscale("log")
        _plain_numbers(axes.yaxis)
    else:
        axes.ticklabel_format(axis="y", style="plain", useOffset=False)
    axes.grid(True)
    axes.set_axisbelow(True)


def _plain_numbers(axis: Axis) -> None:
    """Label a logarithmic axis with plain numbers, and with more of them if it spans less than two powers of ten."""
    low, high = axis.get_view_interval()
    subs = (1.0, 2.0, 5.0) if low > 0 and high < 100 * low else (1.0,)
    axis.set_major_locator(LogLocator(subs=subs, numticks=12))
    short = EngFormatter(sep=" ")  # 20 M, 50 µ
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}" if 1e-3 <= x < 1e6 else short.format_eng(x)))
    axis.set_minor_formatter(NullFormatter())
