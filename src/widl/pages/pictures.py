"""SVG pictures for light and dark pages: black becomes `currentColor`, and the background is transparent."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cycler import cycler
from markupsafe import Markup, escape
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, Locator, LogLocator, MaxNLocator

_BLACK = "#010203"  # becomes currentColor
COLOURS = (
    *("#3b82c4", "#d9782d", "#2f9e67", "#c4515b", "#8a6fc9"),
    *("#a08a2a", "#d06aa8", "#2b97a1", "#8c8c8c", "#7a5c44"),
)
"""Each has a contrast of at least 3:1 with white and with a dark page."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
"""Marker shapes, used together with the colours, for readers who cannot tell the colours apart."""

_STYLE: dict[Any, Any] = {
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), _BLACK
    ),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
    "grid.color": "#8c8c8c",
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10,
}


@contextmanager
def drawing(width: float = 7.0, height: float = 3.4) -> Iterator[Figure]:
    """A figure of `width` × `height` inches; drawings in the ``with`` block have the pages' style."""
    with rc_context(_STYLE):
        yield Figure(figsize=(width, height), layout="constrained")


def svg(figure: Figure) -> str:
    """The figure as an SVG element; without date or random ids, so that equal pictures are equal text."""
    figure.draw_without_rendering()
    for axes in figure.axes:
        _enough_ticks(axes)
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "widl", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, facecolor="none")
    picture = text.getvalue()
    picture = picture[picture.index("<svg") :].replace(_BLACK, "currentColor")
    return re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)


_FEWEST_TICKS = 3


def _enough_ticks(axes: Axes) -> None:
    """At least three labelled ticks on each axis of numbers, after a first drawing has given it its size."""
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator) or _ticks(axis) >= _FEWEST_TICKS:
            continue
        locators: list[Locator] = [MaxNLocator(nbins=bins, min_n_ticks=_FEWEST_TICKS) for bins in range(3, 10)]
        if axis.get_scale() == "log":
            locators = [LogLocator(subs=subs, numticks=20) for subs in ((1.0,), (1.0, 2.0, 5.0))] + locators
        for locator in locators:
            axis.set_major_locator(locator)
            if _ticks(axis) >= _FEWEST_TICKS:
                break


def _ticks(axis: Axis) -> int:
    low, high = sorted(axis.get_view_interval())
    return sum(low <= tick <= high for tick in axis.get_majorticklocs())


def inlined(picture: str, prefix: str, title: str, description: str) -> Markup:
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
