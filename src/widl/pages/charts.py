"""Charts as SVG in a page: points with labels, intervals or a line through them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 480, 200
_PADDING = 0.05  # margin on both sides, as a fraction of the range


@dataclass(frozen=True)
class Point:
    """A point of a chart, with an optional interval of y."""

    label: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None


def chart(points: Sequence[Point], *, x: str, y: str, joined: bool = False) -> Markup:
    """A chart of two or more points; `x` and `y` name the axes, and `joined` connects the points by a line.

    >>> print(chart([Point("a", 1, 20.5, 20, 21), Point("b", 2, 22)], x="words/s", y="BLEU"))  # doctest: +ELLIPSIS
    <figure class="chart"><figcaption>BLEU by words/s</figcaption>...
    """
    if len(points) < 2:
        return Markup("")
    from widl.pages import render

    ends = [value for point in points for value in (point.y, point.low, point.high) if value is not None]
    across, up = _Scale([point.x for point in points], WIDTH), _Scale(ends, HEIGHT)
    places = [
        {
            "label": point.label,
            "value": f"{point.y:.4g}",
            "x": across(point.x),
            "y": HEIGHT - up(point.y),
            "low": None if point.low is None else HEIGHT - up(point.low),
            "high": None if point.high is None else HEIGHT - up(point.high),
        }
        for point in points
    ]
    bounds = {"left": min(point.x for point in points), "right": max(point.x for point in points)}
    bounds |= {"low": min(ends), "high": max(ends)}
    return render("chart", points=places, bounds=bounds, x=x, y=y, joined=joined, width=WIDTH, height=HEIGHT)


class _Scale:
    """Maps numbers to [0, size], with some room at both ends."""

    def __init__(self, values: Sequence[float], size: int) -> None:
        low, high = min(values), max(values)
        self._span = (high - low) * (1 + 2 * _PADDING) or 1.0
        self._low = low - _PADDING * (high - low) if high > low else low - 0.5
        self._size = size

    def __call__(self, value: float) -> float:
        return round((value - self._low) / self._span * self._size, 1)
